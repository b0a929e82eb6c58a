"""Sums of products of integers less a zero that is known when the model runs, as dynamic quantisation has them. The
integers are multiplied as they are, in 8 bits, and the share of the zeros is taken off the sums.

The sum of (x - z) (w - t) is that of x w, less t times that of x, less z times that of w - t. All are whole numbers,
in s32, which wrap as the sums do. Beyond x lies z, so that places there count nothing.
"""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ...lang.types.dtypes import dtype, limits
from ...lang.types.tensor import tensor
from ..graph import ModelValue
from .law import exactly as law
from .law import law as stated
from .pattern import Match
from .quantised import is_narrow, sides_of
from .rule import known

LEAST, MOST = limits("s8")
Pads = tuple[tuple[int, int], ...]  # elements before and after along some axes


class _Bytes(NamedTuple):
    """Weights as narrow integers, and what they lack: one number, or one for each of the first axis."""

    weights: np.ndarray
    lack: np.ndarray

    @property
    def totals(self) -> np.ndarray:
        """Of each of the first axis the sum of the weights as they were."""
        axes = tuple(range(1, self.weights.ndim))
        return self.weights.sum(axes, dtype=np.int64) + self.lack.astype(np.int64) * prod(self.weights.shape[1:])


def _narrow(whole: np.ndarray) -> _Bytes | None:
    """Weights as s8, where they fit it by themselves, or less one number, or less one for each of the first axis."""
    if whole.dtype.kind not in "iu":
        return None
    wide = whole.astype(np.int64)
    axes = tuple(range(1, wide.ndim))
    if wide.min() >= LEAST and wide.max() <= MOST:
        lack = np.zeros((), np.int64)
    elif wide.max() - wide.min() <= MOST - LEAST:
        lack = wide.min() - LEAST
    elif (wide.max(axes) - wide.min(axes)).max() <= MOST - LEAST:
        lack = wide.min(axes) - LEAST
    else:
        return None
    return _Bytes((wide - lack.reshape(-1, *[1] * len(axes)) if lack.ndim else wide - lack).astype(np.int8), lack)


def _words(whole: np.ndarray) -> _Bytes | None:
    """Weights as s16, which lack nothing: of a channel by itself sums of bytes are no products of their own."""
    least, most = limits("s16")
    if whole.dtype.kind not in "iu" or whole.min() < least or whole.max() > most:
        return None
    return _Bytes(whole.astype(np.int16), np.zeros((), np.int64))


def _windows(m: Match) -> dict[str, Any] | None:
    """A convolution of narrow integers, the numbers beyond them given, and the terms that are taken off its sums."""
    x, weights, rest = m["x"], m.array("W"), m["r"]
    if not is_narrow(x.type.dtype) or m.site.value.type.dtype != "s32" or weights.ndim != 4:
        return None
    zero, sides = m.holes.get("z"), sides_of(rest["padding"])
    if zero is not None and not _is_zero_of(zero, x):
        return None
    found = _narrow(weights)
    if weights.shape[1] == 1 and (found is None or found.lack.any()):
        found = _words(weights)
    if found is None or zero is None and m["W"].type.dtype in ("s8", "s16"):
        return None
    given = {key: own for key, own in rest.items() if key not in ("dtype", "layout")} | {"dtype": "s32"}
    if zero is not None and any(map(any, sides)):
        x, given = _surrounded(m, x, zero, sides), given | {"padding": 0}
    sums = m.site.call("conv2d", x, m.site.constant(found.weights), **given)
    return {"found": _less(m, sums, _lacked(m, x, found, given), zero, found.totals.reshape(-1, 1, 1))}


def _is_zero_of(zero: Any, x: ModelValue) -> bool:
    """Whether it is one number, of those that x may hold."""
    if (array := known(zero)) is not None:
        least, most = limits(x.type.dtype)
        return array.size == 1 and bool(least <= array.min() and array.max() <= most)
    return zero.type.elements == 1 and zero.call == "cast" and zero.values[0].type.dtype == x.type.dtype


def _surrounded(m: Match, x: ModelValue, zero: Any, sides: Pads) -> ModelValue:
    """x with its zero around it: with 0, to which the zero is added there."""
    before, after = ((0, 0, *side) for side in zip(*sides))
    around = partial(m.site.call, "pad", before=before, after=after)
    if (array := known(zero)) is not None:
        return around(x, value=int(array.reshape(())))
    (own,) = zero.values
    beyond = m.site.constant(_beyond(x.type.shape[2:], sides).astype(dtype(x.type.dtype).numpy))
    return m.site.call("add", around(x), m.site.call("mul", _one(m, own), beyond))


def _one(m: Match, number: ModelValue) -> ModelValue:
    return number if not number.type.rank else m.site.call("reshape", number, shape=())


def _beyond(sizes: tuple[int, ...], sides: Pads) -> np.ndarray:
    """1 within a border around an array of these sizes, there 0."""
    return np.pad(np.zeros(sizes, np.int32), sides, constant_values=1)


def _of_floats(m: Match) -> bool:
    """Whether a number is added to all of the border, and to it alone."""
    before, after = ((each,) if isinstance(each, int) else each for each in (m["a"], m["b"]))
    if m["z"].type.elements > 1 or min(*before, *after) < 0:
        return False
    beyond = _beyond(m["x"].type.shape, tuple(zip(before, after)))
    known = np.asarray(m.array("BEYOND"))
    return known.ndim <= beyond.ndim and bool(np.array_equal(np.broadcast_to(known, beyond.shape), beyond))


def _lacked(m: Match, x: ModelValue, found: _Bytes, given: dict[str, Any]) -> ModelValue | None:
    """What the weights lack times the sum of x over each window of each group; over channels first, where a window is
    more than one place."""
    if not found.lack.any():
        return None
    groups, (outputs, depth, *window) = given["groups"], found.weights.shape
    if groups == 1:
        x, depth = m.site.call("sum", x, axis=1, keepdims=True, dtype="s32"), 1
    places = tuple(m.site.value.type.shape[2:])
    if groups > 1 or prod(window) > 1 or tuple(x.type.shape[2:]) != places:
        ones = np.ones((groups, depth, *window), np.int8 if groups > 1 else np.int32)
        x = m.site.call("conv2d", x, m.site.constant(ones), **given)
    if groups > 1:  # each for all outputs of its group
        n = x.type.shape[0]
        x = m.site.call("reshape", x, shape=(n, groups, 1, *places))
        x = m.site.call("broadcast", x, shape=(n, groups, outputs // groups, *places))
        x = m.site.call("reshape", x, shape=(n, outputs, *places))
    lack = found.lack.astype(np.int32)
    return m.site.call("mul", x, m.site.constant(lack.reshape(-1, 1, 1) if lack.ndim else lack))


def _less(m: Match, sums: ModelValue, lacked: ModelValue | None, zero: Any, totals: np.ndarray) -> ModelValue:
    """Sums with what the weights lack, less the zero times what weights add up to."""
    if lacked is not None:
        sums = m.site.call("add", sums, lacked)
    if zero is None or not totals.any():
        return sums
    wrapped = totals.astype(np.uint64).astype(np.uint32).view(np.int32)
    if (array := known(zero)) is not None:
        number = wrapped.astype(np.int64) * int(array.reshape(()))
        return m.site.call("sub", sums, m.site.constant(number.astype(np.uint64).astype(np.uint32).view(np.int32)))
    return m.site.call("sub", sums, m.site.call("mul", _one(m, zero), m.site.constant(wrapped)))


def _rows(m: Match) -> dict[str, Any] | None:
    """A product of narrow integers by weights as s8, and what they lack times sums of rows."""
    x, weights = m["x"], m.array("W")
    if not is_narrow(x.type.dtype) or m.site.value.type.dtype != "s32" or weights.ndim != 2:
        return None
    found = _narrow(np.ascontiguousarray(weights.T))
    if found is None or x.type.rank < 2 or m["W"].type.dtype == "s8":
        return None
    sums = m.site.call("matmul", x, m.site.constant(np.ascontiguousarray(found.weights.T)), dtype="s32")
    if not found.lack.any():
        return {"found": sums}
    rows = m.site.call("sum", x, axis=x.type.rank - 1, keepdims=True, dtype="s32")
    return {"found": m.site.call("add", sums, m.site.call("mul", rows, m.site.constant(found.lack.astype(np.int32))))}


def _filters(*shape: int, first: int = 0, step: int = 5) -> np.ndarray:
    """Weights of 8 bits less a zero, so that they do not fit s8."""
    return (np.arange(prod(shape)).reshape(shape) * step % 256 - first).astype(np.int32)


ZERO: dict[str, Any] = {"z": lambda builder: builder.call("cast", builder.input(tensor((), "u8"), "zero"), dtype="s32")}
IMAGE: dict[str, Any] = {"x": "u8[1,2,5,5]", "W": _filters(3, 2, 3, 3, first=121), "r": {"padding": ((1, 0), (0, 2))}}
GROUPS: dict[str, Any] = {
    "x": "u8[1,4,5,5]",
    "W": _filters(4, 2, 3, 3, first=130),
    "r": {"padding": 1, "groups": 2, "stride": 2},
}
EACH: dict[str, Any] = {"x": "s8[1,4,5,5]", "W": _filters(4, 1, 3, 3), "r": {"groups": 4, "dilation": 2}}
SHIFTS = np.array([0, 100, -400], np.int32).reshape(3, 1, 1, 1)
SPREAD: dict[str, Any] = {"x": "u8[1,2,5,5]", "W": _filters(3, 2, 1, 1) + SHIFTS, "r": {}}


RULES = (
    law(
        "a convolution of integers, the zero taken off after",
        "conv2d(cast(x, dtype='s32') - z, W, **r) = found",
        *(ZERO | each for each in (IMAGE, GROUPS, EACH | {"x": "u8[1,4,5,5]"}, SPREAD)),
        IMAGE | {"z": lambda builder: builder.constant(np.int32(7))},
        when=_windows,
        shared=("cast", "sub"),
    ),
    law(
        "a convolution of integers as bytes",
        "conv2d(cast(x, dtype='s32') | x, W, **r) = found",
        *(each | {"r": each["r"] | {"dtype": "s32"}} for each in (IMAGE, GROUPS, EACH, SPREAD)),
        when=_windows,
        shared=("cast",),
    ),
    law(
        "a product of integers as bytes",
        "matmul(x, W, **r) = found",
        {"x": "u8[3,7]", "W": (np.arange(28) * 9).reshape(7, 4).astype(np.uint8), "r": {"dtype": "s32"}},
        {"x": "s8[2,3,7]", "W": (np.arange(28) * 9).reshape(7, 4).astype(np.int32) - 300, "r": {}},
        when=_rows,
    ),
    stated(
        "what 0 becomes around integers",
        "pad(quantize(x, s, z, dtype=d), before=a, after=b) + z * BEYOND"
        " = quantize(pad(x, before=a, after=b), s, z, dtype=d)",
        {"x": "f32[2,3]", "s": "f32[]", "z": "u8[]", "a": (0, 1), "b": (0, 2), "d": None}
        | {"BEYOND": np.array([[1, 0, 0, 0, 1, 1]], np.uint8).repeat(2, 0)},
        when=_of_floats,
        of_floats=False,
        shared=("quantize",),
        within="scaled",
    ),
)
