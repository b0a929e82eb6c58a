"""Arrays to run a Spec on: random ones; whole numbers, whose sums are all exact; hostile ones that look for what a
kernel forgot. And arrays to time one on: such that neither a result, nor what lies between, is a denormal or infinite.

Some CPUs take many times as long for denormals, and one order of the same work meets them where another does not: then
a clock tells of the data. Normal numbers do that in products of many, in squares of halves, in exponentials of sums.

    floats                      of either sign, 1/2 to 2 in magnitude, in steps of 1/64: sums and products of a few are
                                multiples of a number that is far from denormal
    .. that are added up        smaller by a power of 2, so that sums of n terms are about as large as these were
    .. that lead to a product   within 2**(+-ROOM / n) of 1 or -1, for n factors: so is every part of the product, in
                                any order
    integers                    as random ones

A computed value is taken to be about as large as its operands. Constants of a model are taken to be such that sums by
them are neither denormal nor infinite: the numbers that they are multiplied with are left as they are. Not covered:
factors that are more than products of inputs, such as the sum of two.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import log2, prod
from typing import Any

import ml_dtypes
import numpy as np

from ..calls.spec import Spec
from ..functions import COMBINERS, FUNCTIONS
from ..functions.combiners import PRODUCT, SUM
from ..nests.access import Access
from ..types.dtypes import convert, dtype, limits
from ..types.expr import Arg, calls
from ..types.tensor import TensorType
from .reference import empty

_MOST_WHOLE = 100  # enough to tell terms apart, and whole in every dtype that can hold it


def sample(kind: str, spec: Spec, rng: np.random.Generator) -> list[np.ndarray]:
    """Arrays of a kind: "random", "whole-number" or "hostile"."""
    return whole_arrays(spec, rng) if kind == "whole-number" else random_arrays(spec, rng, kind == "hostile")


def random_arrays(spec: Spec, rng: np.random.Generator, hostile: bool = False) -> list[np.ndarray]:
    """One array per input, in its declared layout. Floats are normal, integers uniform over their range. (32 and 64
    bits: within +-1000, so that sums do not wrap. Row numbers: a few of them beyond the rows there are.) `hostile`
    mixes in zeros of both signs, denormals, infinities, NaN, extremes, and the `samples` of the functions called."""
    arrays, rows = [empty(tensor) for tensor in spec.inputs], picked_from(spec)
    for i, (array, tensor) in enumerate(zip(arrays, spec.inputs)):
        array[...] = _numbers(tensor, rows[i], rng) if i in rows else _random(tensor, rng)
        if hostile:
            rare = min(0.3, 1 / _terms(spec))  # few enough not to drown every sum
            _mix_in(array, rare_values(tensor.dtype), rare, rng)
            _mix_in(array, hostile_values(tensor.dtype), 0.3, rng)
    for array, tensor in zip(arrays, spec.inputs) if hostile else ():
        _mix_in(array, _samples(spec, tensor.dtype), min(0.1, 1 / _terms(spec)), rng)
    return arrays


def random_integers(spec: Spec, rng: np.random.Generator) -> dict[int, np.ndarray]:
    """Of `random_arrays` those that are no floats, by place."""
    rows = picked_from(spec)
    return {
        i: _numbers(tensor, rows[i], rng) if i in rows else _random(tensor, rng)
        for i, tensor in enumerate(spec.inputs)
        if i in rows or dtype(tensor.dtype).kind != "float"
    }


def _samples(spec: Spec, name: str) -> np.ndarray:
    """Arguments at which the functions that a Spec calls may go wrong, in a dtype; none for integers."""
    if dtype(name).kind != "float":
        return np.empty(0, dtype(name).numpy)
    found = convert(np.array([x for function in called_functions(spec) for x in FUNCTIONS[function].samples]), name)
    return found[np.isfinite(found)]


def picked_from(spec: Spec) -> dict[int, int]:
    """The inputs that say which row of another is read, and how many rows that has."""
    number = {value.key: n for n, value in enumerate(spec.graph.inputs)}
    picks = ((v.values[i].key, v.spec.size[dim]) for v in spec.graph.calls for dim, i in v.spec.operation.picks)
    return {number[key]: rows for key, rows in picks if key in number}


def _numbers(tensor: TensorType, rows: int, rng: np.random.Generator) -> np.ndarray:
    """Row numbers, and one beyond at either end."""
    low, high = limits(tensor.dtype)
    return convert(np.asarray(rng.integers(max(low, -1), min(high, rows), tensor.shape, endpoint=True)), tensor.dtype)


def _terms(spec: Spec) -> int:
    """How many elements each result is made of: of a composition, those of the longest sum at each call."""
    return prod(value.spec.size[d] for value in spec.graph.calls for d in value.spec.operation.reduction)


def whole_arrays(spec: Spec, rng: np.random.Generator) -> list[np.ndarray]:
    """One array per input, in its declared layout, of whole numbers; of either sign where there are signs.

    Of a sum they are so small that its terms add up, in any order, without rounding, overflow or saturation. (Of
    another reduction they are as small as `largest` of its combiner says.) None is 0 while that leaves room, so that no
    term is lost unseen. Of a maximum or minimum the extreme is one term: of the first result the last term, of the
    second the one before it, and so on.
    """
    arrays, rows = [empty(tensor) for tensor in spec.inputs], picked_from(spec)
    for i in rows:
        arrays[i][...] = _numbers(spec.inputs[i], rows[i], rng)
    if spec.is_composed:  # no whole numbers come out of most of them; small ones go in
        for array, tensor in (pair for i, pair in enumerate(zip(arrays, spec.inputs)) if i not in rows):
            least = -3 if dtype(tensor.dtype).kind in ("float", "signed") else 0
            array[...] = convert(np.asarray(rng.integers(least, 3, tensor.shape, endpoint=True)), tensor.dtype)
        return arrays
    most, combiner = _largest_term(spec), COMBINERS.get(spec.operation.combine or "")
    for array, tensor, access in (
        found for i, found in enumerate(zip(arrays, spec.inputs, spec.operation.inputs)) if i not in rows
    ):
        low, high = limits(tensor.dtype) if dtype(tensor.dtype).kind != "float" else (-_MOST_WHOLE, _MOST_WHOLE)
        largest = min(high, _MOST_WHOLE, max(1, int(most ** (1 / len(arrays)))))
        if combiner and combiner.selects:
            values = _with_extremes(
                spec, access, rng.integers(1, largest, tensor.shape, np.int8, endpoint=True), largest, low < 0
            )
        else:
            values = rng.integers(
                -largest if low else 0, largest, tensor.shape, np.int8, endpoint=not spec.operation.combine
            )
            values = values + (values >= 0 if spec.operation.combine else 0)  # 1 and more in place of 0 and more
            values = values * (rng.random(tensor.shape) < most) if most < 1 else values
        array[...] = convert(np.asarray(values), tensor.dtype)
    return arrays


def hostile_values(name: str) -> np.ndarray:
    """Values of dtype `name` that trip kernels, but leave a sum finite."""
    if dtype(name).kind != "float":
        low, high = limits(name)
        wide = np.int64 if low else np.uint64
        return convert(np.array([low, low + 1, -1 if low else 0, 0, 1, high - 1, high], wide), name)
    tiny = float(ml_dtypes.finfo(dtype(name).numpy).smallest_normal)
    return convert(np.array([0.0, -0.0, tiny, -tiny, tiny / 2, -tiny / 8, 0.5, -1.5, 2.5, 127.5, -128.5, 300.0]), name)


def rare_values(name: str) -> np.ndarray:
    """Infinities, NaN and what overflows or saturates: none for integers."""
    if dtype(name).kind != "float":
        return np.empty(0, dtype(name).numpy)
    largest = float(ml_dtypes.finfo(dtype(name).numpy).max)
    return convert(
        np.array([np.inf, -np.inf, np.nan, largest, -largest, 2147483648.0, -2147483904.0, 65504.0, 89.0, -104.0]), name
    )


def _largest_term(spec: Spec) -> float:
    """How large a term of a reduction may be; below 1 it is the share of them that may be 1."""
    combiner = COMBINERS.get(spec.operation.combine or "")
    if combiner is None or combiner.largest is None:
        return float(_MOST_WHOLE ** len(spec.inputs))
    terms = prod(spec.size[d] for d in spec.operation.reduction)
    signed = any(dtype(t.dtype).kind in ("float", "signed") for t in spec.inputs)
    return combiner.largest(terms, signed, _largest(spec.output.dtype))


def _largest(name: str) -> float:
    return float(ml_dtypes.finfo(dtype(name).numpy).max) if dtype(name).kind == "float" else float(limits(name)[1])


def _with_extremes(spec: Spec, access: Access, values: np.ndarray, largest: int, signed: bool) -> np.ndarray:
    """`values` of 1..largest made less extreme than one term of each result, which is its extreme. They are on the far
    side of 0, so that a 0 in the place of a term shows."""
    values = np.minimum(values + 1, largest)
    extreme = 1 if largest > 1 else 0
    if COMBINERS[spec.operation.combine or ""].selects > 0:
        values, extreme = (-values, -extreme) if signed else (largest - values, largest - extreme)
    of_result, of_term = (_numbered(spec, access, dims) for dims in (spec.operation.parallel, spec.operation.reduction))
    terms = prod(spec.size[d] for d in spec.operation.reduction)
    return np.where(of_term == (-1 - of_result) % terms, extreme, values)


def _numbered(spec: Spec, access: Access, dims: tuple[str, ...]) -> np.ndarray:
    """For each element of an input its place among `dims`, the last of them fastest; it broadcasts to the input's
    shape."""
    number = np.zeros((1,) * len(access.axes), np.int64)
    for dim in (d for d in dims if d in access.dims):
        along = np.ones(len(access.axes), int)
        along[access.axis_of(dim)] = -1
        extent = access.held(spec.size)[access.axis_of(dim)]
        number = number * spec.size[dim] + (np.arange(extent) % spec.size[dim]).reshape(along)
    return number


def _random(tensor: TensorType, rng: np.random.Generator) -> np.ndarray:
    row = dtype(tensor.dtype)
    if row.kind == "float":
        return convert(
            np.asarray(rng.standard_normal(tensor.shape, np.float64 if row.bits == 64 else np.float32)), row.name
        )
    low, high = limits(row.name)
    low, high = (low, high) if row.bits < 32 else (-1000 if low else 0, 1000)
    return convert(np.asarray(rng.integers(low, high, tensor.shape, endpoint=True)), row.name)


def _mix_in(array: np.ndarray, values: np.ndarray, share: float, rng: np.random.Generator) -> None:
    chosen = np.asarray(rng.random(array.shape) < share)
    if len(values):
        array[chosen] = values[rng.integers(len(values), size=int(chosen.sum()))]


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


SPREADS = (0.5, 5.0, 20.0, 60.0, 200.0)
"""Standard deviations of arrays that functions are timed on: f32 exponentials of some are denormals, of others 0 or
infinite."""


def called_functions(spec: Spec) -> list[str]:
    """The functions that a Spec calls, by name."""
    return list(dict.fromkeys(n for v in spec.graph.calls for n in calls(v.spec.operation.body) if n in FUNCTIONS))


def spread_arrays(spec: Spec, rng: np.random.Generator, spread: float) -> list[np.ndarray]:
    """One array for each input: floats normal with this standard deviation, all else as random ones."""
    arrays = random_arrays(spec, rng)
    for array, tensor in zip(arrays, spec.inputs):
        if dtype(tensor.dtype).kind == "float":
            with np.errstate(all="ignore"):
                array[...] = convert(np.asarray(array).astype(np.float64) * spread, tensor.dtype)
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
