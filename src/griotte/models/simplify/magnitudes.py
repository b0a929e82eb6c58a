"""How large numbers are: known ones, which are rounded once and stay normal; and bounds of computed ones, NaN aside."""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes
import numpy as np

from ...lang.types.dtypes import dtype, limits
from ..graph import ModelValue
from .rule import attributes_of, known


def product(one: np.ndarray, other: np.ndarray, own: np.dtype) -> np.ndarray | None:
    """Two arrays of f64 multiplied and rounded; None where an element is beyond the normal numbers, but for products
    with 0, which are exact."""
    with np.errstate(all="ignore"):
        found = (one * other).astype(own)
        size = np.abs(found.astype(np.float64))
        is_exact = (one == 0) | (other == 0)
    return found if np.all(np.isfinite(size)) and np.all((size >= least(own)) | is_exact) else None


def least(own: np.dtype) -> float:
    """The least normal number."""
    return float(ml_dtypes.finfo(own).tiny)


def most(own: np.dtype) -> float:
    """The largest number."""
    return float(ml_dtypes.finfo(own).max)


def unit(own: np.dtype) -> float:
    """Half a step at 1: what one rounding changes at most, relatively."""
    return float(ml_dtypes.finfo(own).eps) / 2


def span(own: np.dtype) -> float:
    """A quarter of the binary orders of magnitude above 1. A factor up to that, or one over that, takes a number close
    to overflow or underflow only where it was close before."""
    return 2.0 ** (ml_dtypes.finfo(own).maxexp // 4)


def is_wide(own: np.dtype) -> bool:
    """Whether sums are rounded as their terms are: sums of 16 bits are in f32."""
    return own.itemsize > 2


def is_moderate(factor: np.ndarray, own: np.dtype) -> bool:
    """Whether all factors are 0 or between 1 / span and span."""
    size, bound = np.abs(factor), span(own)
    return bool(np.all((size == 0) | ((size >= 1 / bound) & (size <= bound))))


def is_harmless(term: np.ndarray, own: np.dtype) -> bool:
    """Whether adding a term overflows only where rounding would."""
    return bool(np.all(np.abs(term) <= most(own) * unit(own) / 4))


LeastMost = tuple[float, float]

ALL: LeastMost = (-np.inf, np.inf)
DEPTH = 6  # calls that are followed, at most
OF_CALLS: dict[str, LeastMost] = {
    **dict.fromkeys(("relu", "exp", "abs", "softplus"), (0.0, np.inf)),
    **dict.fromkeys(("sigmoid", "softmax", "hard_sigmoid"), (0.0, 1.0)),
    **dict.fromkeys(("tanh", "erf", "sin", "cos", "sign"), (-1.0, 1.0)),
    "gelu": (-0.2, np.inf),
    "silu": (-0.3, np.inf),
    "hard_swish": (-0.375, np.inf),
}
OF_PARTS = ("reshape", "transpose", "slice", "broadcast", "copy", "concat", "max", "min", "max_pool2d", "maximum")
"""Calls whose elements are elements of what they read."""


def range_of(value: ModelValue | float, depth: int = DEPTH) -> LeastMost:
    """The bounds of a value's elements."""
    array = known(value)
    if array is not None:
        return _of_array(array)
    assert isinstance(value, ModelValue)
    if value.call in OF_CALLS:
        return OF_CALLS[value.call]
    if not value.call:
        return _of_dtype(value.type.dtype)
    if depth == 0 or value.is_made:
        return ALL
    if value.call in OF_PARTS:
        found = [range_of(read, depth - 1) for read in value.reads]
        return min(low for low, _ in found), max(high for _, high in found)
    own = _OWN.get(value.call)
    with np.errstate(all="ignore"):
        return ALL if own is None else own(value, lambda read: range_of(read, depth - 1))


def _of_array(array: np.ndarray) -> LeastMost:
    if not array.size or array.dtype == bool:
        return 0.0, 1.0
    low, high = float(array.min()), float(array.max())
    return (low, high) if low <= high else ALL  # of NaN neither


def _of_dtype(name: str) -> LeastMost:
    if name == "pred":
        return 0.0, 1.0
    if dtype(name).kind == "float":
        return ALL
    low, high = limits(name)
    return float(low), float(high)


_Of = Callable[["ModelValue | float"], LeastMost]


def _product(value: ModelValue, of: _Of) -> LeastMost:
    one, other = value.reads
    (a, b), (c, d) = of(one), of(other)
    ends = [x * y if x and y else 0.0 for x in (a, b) for y in (c, d)]
    return (max(min(ends), 0.0), max(ends)) if one is other else (min(ends), max(ends))


def _sum(value: ModelValue, of: _Of) -> LeastMost:
    (a, b), (c, d) = map(of, value.reads)
    return a + c, b + d


def _total(value: ModelValue, of: _Of) -> LeastMost:
    low, high = of(value.reads[0])
    return (0.0 if low >= 0 else -np.inf), (0.0 if high <= 0 else np.inf)


def _mean(value: ModelValue, of: _Of) -> LeastMost:
    low, high = of(value.reads[0])
    return min(low, 0.0) if value.call == "avg_pool2d" else low, max(high, 0.0)


def _clip(value: ModelValue, of: _Of) -> LeastMost:
    (low, high), given = of(value.reads[0]), attributes_of(value)
    least, most = (given[key] if given[key] is not None else end for key, end in (("low", -np.inf), ("high", np.inf)))
    return min(max(low, least), most), max(min(high, most), least)


def _cast(value: ModelValue, of: _Of) -> LeastMost:
    low, high = of(value.reads[0])
    given = value.reads[0].type.dtype if isinstance(value.reads[0], ModelValue) else ""
    is_float = dtype(value.type.dtype).kind == "float"
    return (low, high) if is_float and given else ALL


def _integers(value: ModelValue, of: _Of) -> LeastMost:
    """Of a dequantised array."""
    x, scale, zero = value.reads
    (a, b), (c, d), (e, f) = of(x), of(scale), of(zero)
    ends = [units * each for units in (a - f, b - e) for each in (c, d)]
    return (min(ends), max(ends)) if np.all(np.isfinite(ends)) else ALL


_OWN: dict[str, Callable[[ModelValue, _Of], LeastMost]] = {
    "mul": _product,
    "add": _sum,
    "sum": _total,
    "mean": _mean,
    "avg_pool2d": _mean,
    "clip": _clip,
    "cast": _cast,
    "dequantize": _integers,
}


def is_not_negative(value: ModelValue) -> bool:
    """Whether no element is below 0."""
    return range_of(value)[0] >= 0
