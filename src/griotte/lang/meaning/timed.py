"""Arrays to time a Spec on: such that neither a result, nor what lies between, is a denormal or infinite.

Some CPUs take many times as long for denormals, and one order of the same work meets them where another does not: then
a clock tells of the data. Normal numbers do that in products of many, in squares of halves, in exponentials of sums.

    floats                      of either sign, 1/2 to 2 in magnitude, in steps of 1/64: sums and products of a few are
                                multiples of a number that is far from denormal
    .. that are added up        smaller by a power of 2, so that sums of n terms are about as large as these were
    .. that lead to a product   within 2**(+-ROOM / n) of 1 or -1, for n factors: so is every part of the product, in
                                any order
    integers                    as random ones (samples.py)

What is computed is taken to be about as large as what it is computed of; constants that a model has are taken to be
such that sums by them are neither: what they are multiplied with is left as it is. Not covered: factors that are more
than products of inputs, such as the sum of two.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import log2, prod
from typing import Any

import numpy as np

from ..calls.spec import Spec
from ..functions import COMBINERS
from ..functions.combiners import PRODUCT, SUM
from ..types.dtypes import convert, dtype
from ..types.expr import Arg
from ..types.tensor import TensorType
from .reference import empty
from .samples import random_integers

STEPS = 64  # of a unit
ROOM = {"f64": 250.0, "f16": 3.0}  # binary orders; a quarter of what a dtype has on either side of 1
ROOM_OF_OTHERS = 30.0  # f32, bf16
NARROW = 8  # bits of floats that are not made smaller: they have few orders


def timed_arrays(spec: Spec, rng: np.random.Generator) -> list[np.ndarray]:
    """One array for each input, in its declared layout, to time programs of a Spec on."""
    arrays, integers, uses = [empty(tensor) for tensor in spec.inputs], random_integers(spec, rng), DataUses()
    floats = {i: tensor for i, tensor in enumerate(spec.inputs) if i not in integers}
    uses.drawn(floats)
    uses.see_all(spec, range(len(spec.inputs)))
    for i, array in enumerate(arrays):
        array[...] = integers[i] if i in integers else uses.numbers(i, floats[i], rng, spec.output.dtype)
    return arrays


def moderate(shape: tuple[int, ...], rng: np.random.Generator, halvings: int = 0) -> np.ndarray:
    """Numbers of either sign from 1/2 to 2 in magnitude, in steps of 1 / STEPS; halved so often."""
    steps = np.asarray(rng.integers(-96, 96, shape, np.int8))
    steps = steps + np.where(steps >= 0, np.int8(32), np.int8(-31))  # 32 to 127, and so below 0
    return steps.astype(np.float32) * np.float32(2.0**-halvings / STEPS)


def near_one(shape: tuple[int, ...], orders: float, rng: np.random.Generator) -> np.ndarray:
    """Numbers of either sign whose magnitudes are within so many binary orders of 1, but one at most."""
    signs = np.asarray(rng.integers(0, 2, shape, np.int8)) * 2.0 - 1
    return signs * 2.0 ** rng.uniform(-min(1.0, orders), min(1.0, orders), shape)


class DataUses:
    """What tensors that are to be drawn are used for, told nest by nest. Anything that is hashable names a tensor."""

    def __init__(self) -> None:
        self._factors: dict[Hashable, int] = {}  # of how many a product is that one leads to, the most
        self._halvings: dict[Hashable, int] = {}  # the most of all sums that read one
        self._leading: dict[Hashable, frozenset[Hashable]] = {}  # to each tensor
        self._moved: dict[Hashable, frozenset[Hashable]] = {}  # what is in each tensor as it was drawn
        self._known: set[Hashable] = set()

    def drawn(self, tensors: Iterable[Hashable]) -> None:
        """Tensors of floats that are to be drawn."""
        for tensor in tensors:
            self._leading[tensor] = self._moved[tensor] = frozenset((tensor,))

    def known(self, tensors: Iterable[Hashable]) -> None:
        """Constants whose numbers are given."""
        self._known.update(tensors)

    def see_all(self, spec: Spec, reads: Sequence[Hashable], written: Hashable = None) -> None:
        """The nests of a Spec, whose inputs are these tensors, and whose output is `written`."""
        names, last = dict(enumerate(reads)), len(reads) + len(spec.nests) - 1
        for number, (operation, places, size) in enumerate(spec.nests, len(reads)):
            names[number] = written if number == last else (written, number)
            self._see(operation, [names[place] for place in places], size, names[number])

    def _see(self, operation: Any, reads: Sequence[Hashable], size: Mapping[str, int], written: Hashable) -> None:
        led = frozenset(t for read in reads for t in self._leading.get(read, ()))
        moved = [self._moved[read] for read in dict.fromkeys(reads) if self._moved.get(read)]
        terms = prod(size[d] for d in operation.reduction)
        self._leading[written] = led
        if self._known.issuperset(reads):
            self._known.add(written)
        if operation.combine is None and isinstance(operation.body, Arg):
            self._moved[written] = frozenset().union(*moved)
        combiner = COMBINERS.get(operation.combine or "")
        if combiner is PRODUCT:
            self._raise(self._factors, led, terms * len(led))
        elif combiner is SUM and moved and self._known.isdisjoint(reads):
            self._raise(self._halvings, frozenset().union(*moved), round(log2(max(1, terms)) / 2 / len(moved)))

    @staticmethod
    def _raise(counts: dict[Hashable, int], tensors: Iterable[Hashable], count: int) -> None:
        counts |= {tensor: max(count, counts.get(tensor, 0)) for tensor in tensors}

    def numbers(self, name: Hashable, tensor: TensorType, rng: np.random.Generator, *others: str) -> np.ndarray:
        """What a tensor that was to be drawn may hold; `others`: dtypes of what it leads to."""
        if factors := self._factors.get(name):
            room = min(ROOM.get(each, ROOM_OF_OTHERS) for each in (tensor.dtype, *others))
            return convert(near_one(tensor.shape, room / factors, rng), tensor.dtype)
        halvings = 0 if dtype(tensor.dtype).bits <= NARROW else self._halvings.get(name, 0)
        return convert(moderate(tensor.shape, rng, halvings), tensor.dtype)
