"""Arrays to time a Spec on: such that neither a result, nor what lies between, is a denormal or infinite.

Some CPUs take many times as long for denormals, and one order of the same work meets them where another does not: then
a clock tells of the data. Normal numbers do that in products of many, in squares of halves, in exponentials of sums.

    floats                      of either sign, 1/2 to 2 in magnitude, in steps of 1/64: sums and products of a few are
                                multiples of a number that is far from denormal
    .. that are added up        smaller by a power of 2, so that sums of n terms are not sqrt(n) long
    .. that lead to a product   within 2**(+-ROOM / n) of 1 or -1, for n factors: so is every part of the product, in
                                any order
    integers                    as random ones (samples.py)

Not covered: factors that are computed of more than products, such as the sum of two inputs; functions of which most
arguments overflow, of what is a product of many inputs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log2, prod

import numpy as np

from ..functions import COMBINERS
from ..functions.combiners import PRODUCT, SUM
from .dtypes import convert, dtype
from .reference import empty
from .samples import random_integers
from .spec import Spec

STEPS = 64  # of a unit
ROOM = {"f64": 250.0, "f16": 3.0}  # binary orders; a quarter of what a dtype has on either side of 1
ROOM_OF_OTHERS = 30.0  # f32, bf16
NARROW = 8  # bits of floats that are not made smaller: they have few orders


def timed_arrays(spec: Spec, rng: np.random.Generator) -> list[np.ndarray]:
    """One array for each input, in its declared layout, to time programs of a Spec on."""
    arrays, integers, uses = [empty(tensor) for tensor in spec.inputs], random_integers(spec, rng), _uses(spec)
    for i, (array, tensor) in enumerate(zip(arrays, spec.inputs)):
        if i in integers:
            array[...] = integers[i]
        elif uses.factors.get(i):
            room = ROOM.get(spec.output.dtype, ROOM.get(tensor.dtype, ROOM_OF_OTHERS))
            array[...] = convert(near_one(tensor.shape, room / uses.factors[i], rng), tensor.dtype)
        else:
            is_narrow = dtype(tensor.dtype).bits <= NARROW
            array[...] = convert(moderate(tensor.shape, rng, 0 if is_narrow else uses.halvings.get(i, 0)), tensor.dtype)
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


@dataclass
class _Uses:
    """Of inputs, by place: how many factors a product has that it leads to; how often one is halved that is added up,
    the most of all sums that read it."""

    factors: dict[int, int] = field(default_factory=dict)
    halvings: dict[int, int] = field(default_factory=dict)

    def raise_factors(self, places: set[int], count: int) -> None:
        self.factors |= {i: max(count, self.factors.get(i, 0)) for i in places}

    def raise_halvings(self, places: set[int], count: int) -> None:
        self.halvings |= {i: max(count, self.halvings.get(i, 0)) for i in places}


def _uses(spec: Spec) -> _Uses:
    found, leading, inputs = _Uses(), dict[int, set[int]](), len(spec.inputs)
    for number, (operation, reads, size) in enumerate(spec.nests):
        led = {i for t in reads for i in ({t} if t < inputs else leading[t])}
        leading[inputs + number] = led  # of each tensor the inputs that lead to it
        terms = prod(size[d] for d in operation.reduction)
        combiner = COMBINERS.get(operation.combine or "")
        if combiner is PRODUCT:
            found.raise_factors(led, terms * len(led))
        elif combiner is SUM:
            direct = {t for t in reads if t < inputs and dtype(spec.inputs[t].dtype).kind == "float"}
            found.raise_halvings(direct, round(log2(max(1, terms)) / 2 / max(1, len(direct))))
    return found
