"""Whether a kernel's result is right: the interval that its own arithmetic allows around the reference."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import ml_dtypes
import numpy as np

from .dtypes import dtype, from_numpy
from .expr import Call, Expr, calls
from .reference import Nudge, accumulate, finish, is_contraction, is_fusible
from .spec import Spec

_EXACT = frozenset("copy neg abs relu maximum minimum where".split())
_HALF_ULP = frozenset("add sub mul".split())
_CANCELLING = frozenset(("gelu", "gelu_tanh"))  # their tail is a difference of numbers near 1, times the argument
FUNCTION_ULPS = 4.0  # what any other function (div and sqrt among them) may be off by, in units in the last place


@dataclass(frozen=True)
class Bounds:
    """What counts as right, per element over the parallel dimensions of the nest: from `low` to `high` (in the output's
    dtype); NaN and nothing else where `exact` is NaN; NaN as well where `nan`; anything not finite (f64: anything) where
    `overflow`.

    `exact` is the value before the last rounding; errors are relative to `scale`.
    """

    exact: np.ndarray
    scale: np.ndarray
    low: np.ndarray
    high: np.ndarray
    nan: np.ndarray
    overflow: np.ndarray


def tolerance(spec: Spec, arrays) -> Bounds:
    """The results of `spec` on `arrays` that count as right.

    Integers, copies, casts, neg, abs, relu, where, max, min: exactly the reference. Otherwise the exact value give or
    take an error, rounded to the output's dtype. With u the unit roundoff of the accumulator (2**-24 for f32; 2**-52
    for f64, twice its own, since the reference errs as well) that error is
    - for a sum of n terms, in any order, fused or not: (n + 8) u sum|terms| and n of the smallest denormal;
    - for a sum of n products of two bf16: moreover n of the smallest normal, and what taking denormal operands for zero
      changes: the dot instructions flush both;
    - for a map: what half an ulp at each add, sub, mul and `FUNCTION_ULPS` at each other function of its body do to its
      value (gelu: and one ulp of its argument), and one smallest normal per such function: denormal results may be flushed;
    - from an f64 accumulator to 16 bits: 2**-24 of the value, since the way may lead through f32.
    Where a sum can overflow on the way, any infinity or NaN is right, unless it must overflow to one side. The f64
    reference overflows as well: there anything is right.
    """
    exact = accumulate(spec, arrays)
    never = np.zeros(exact.shape, bool)
    if dtype(spec.accumulator).kind != "float":
        result = finish(spec, exact)
        return Bounds(exact, np.abs(exact.astype(np.float64)), result, result, never, never)
    with np.errstate(all="ignore"):
        scale, error, nan, overflow = np.abs(exact), None, never, never
        if spec.operation.combine == "add":
            scale, error, nan, overflow = _sum_error(spec, arrays, exact)
        elif spec.operation.combine is None:
            error = _map_error(spec, arrays, exact)
        if spec.accumulator == "f64" and dtype(spec.output.dtype).bits == 16:
            error = (0 if error is None else error) + np.abs(exact) * 2.0**-24
        if error is None:
            result = finish(spec, exact)
            return Bounds(exact, scale, result, result, nan, overflow)
        error = np.where(np.isnan(error) | np.isinf(exact), 0.0, error)
        low, high = (finish(spec, bound) for bound in (exact - error, exact + error))
    return Bounds(exact, scale, low, high, nan, overflow)


def compare(spec: Spec, arrays, result: np.ndarray, bounds: Bounds | None = None) -> tuple[float, bool, str]:
    """(largest error relative to the scale of the terms, whether `result` is within `tolerance`, what is wrong and where).
    `bounds` are `tolerance(spec, arrays)` where that is known."""
    if from_numpy(result.dtype) != spec.output.dtype or result.shape != spec.output.shape:
        return np.inf, False, f"expected a result {spec.output}, found {from_numpy(result.dtype)}{list(result.shape)}"
    bounds = bounds or tolerance(spec, arrays)
    order = [a for a, terms in enumerate(spec.operation.output.axes) if terms]
    dims = [spec.operation.output.axes[a][0][0] for a in order]
    found = result.reshape([result.shape[a] for a in order]).transpose([dims.index(d) for d in spec.operation.parallel])
    right = _is_right(spec, bounds, found)
    if not right.all() and _may_fuse(spec.operation.body):
        right |= _is_fused(spec, arrays, found)
    error = _relative_error(spec, bounds, found)
    return error, bool(right.all()), "" if right.all() else _complaint(spec, bounds, found, right)


def _is_right(spec: Spec, bounds: Bounds, found: np.ndarray) -> np.ndarray:
    if dtype(spec.output.dtype).kind != "float":
        value, low, high = (x.astype(np.int64) for x in (found, bounds.low, bounds.high))
        return (low <= value) & (value <= high) | bounds.overflow | bounds.nan
    value, low, high = (x.astype(np.float64) for x in (found, bounds.low, bounds.high))
    inside = np.where(np.isnan(bounds.exact), np.isnan(value), (low <= value) & (value <= high) | bounds.nan & np.isnan(value))
    right = inside | bounds.overflow & ((spec.accumulator == "f64") | ~np.isfinite(value))
    if _keeps_sign_of_zero(spec):
        right &= (value != 0) | (np.signbit(value) == np.signbit(low))
    return right


def _may_fuse(body: Expr) -> bool:
    return isinstance(body, Call) and any(is_fusible(body, x) or _may_fuse(x) for x in body.args)


def _is_fused(spec: Spec, arrays, found: np.ndarray) -> np.ndarray:
    """Where the result is what fused multiply-adds give: it differs from the reference where the product overflows."""
    fused = accumulate(spec, arrays, fused=True)
    with np.errstate(all="ignore"):
        close = np.abs(found.astype(np.float64) - fused) <= 8 * _unit(spec) * np.abs(fused)
        same = finish(spec, fused).astype(np.float64) == found.astype(np.float64)
    return close | same | np.isnan(fused) & np.isnan(found.astype(np.float64))


def _keeps_sign_of_zero(spec: Spec) -> bool:
    """Copies, casts, neg and abs of floats: -0 and 0 differ."""
    return spec.operation.combine is None and bool(spec.inputs) and set(calls(spec.operation.body)) <= {"copy", "neg", "abs"}


def _sum_error(spec: Spec, arrays, exact: np.ndarray):
    """(sum|terms|, error, where NaN is right too, where the sum may overflow)."""
    terms = prod(spec.size[d] for d in spec.operation.reduction)
    info = ml_dtypes.finfo(dtype(spec.accumulator).numpy)
    tiny, largest = float(info.smallest_normal), float(info.max)
    scale = accumulate(spec, arrays, magnitude=True)
    error = (terms + 8) * _unit(spec) * scale + terms * float(info.smallest_subnormal)
    nan = np.zeros(exact.shape, bool)
    if is_contraction(spec) and all(t.dtype == "bf16" for t in spec.inputs):
        flushed = [_without_denormals(a) for a in arrays]
        error += np.maximum(scale - accumulate(spec, flushed, magnitude=True), 0) + terms * tiny
        nan = np.isnan(accumulate(spec, flushed))
    lesser_side = (scale - np.abs(exact)) / 2 + scale * terms * 2.0**-52  # of the sums of positive and of negative terms, at most
    is_sure = np.isfinite(exact) & (np.abs(exact) > largest) & (lesser_side < largest * 0.99)
    return scale, error, nan, (scale >= largest * 0.99) & ~is_sure


def _map_error(spec: Spec, arrays, exact: np.ndarray) -> np.ndarray | None:
    """None where every function of the body is exact."""
    if set(calls(spec.operation.body)) <= _EXACT:
        return None
    error = np.zeros(exact.shape)
    tiny = float(ml_dtypes.finfo(dtype(spec.accumulator).numpy).smallest_normal)
    for i, function in enumerate(calls(spec.operation.body)):
        if function in _EXACT:
            continue
        relative = _unit(spec) * (1 if function in _HALF_ULP else 2 * FUNCTION_ULPS)
        of_argument = 2 * _unit(spec) if function in _CANCELLING else 0.0
        nudges = (Nudge(i, relative, of_argument), Nudge(i, -relative, -of_argument))
        error += np.nan_to_num(np.maximum(*(np.abs(accumulate(spec, arrays, nudge=n) - exact) for n in nudges)), nan=0.0, posinf=np.inf)
        error += 0 if function in _HALF_ULP else tiny
    return error


def _without_denormals(array: np.ndarray) -> np.ndarray:
    """A bf16 array with zeros of the same sign for its denormals."""
    bits = array.view(np.uint16)
    return np.where(bits & 0x7F80, bits, bits & 0x8000).view(array.dtype)


def _unit(spec: Spec) -> float:
    return 2.0**-24 if spec.accumulator == "f32" else 2.0**-52


def _relative_error(spec: Spec, bounds: Bounds, found: np.ndarray) -> float:
    """Largest distance from the exact value (from the reference, where the result is an integer) over the elements where
    both are finite, relative to the scale; 0 where there is none."""
    is_float = dtype(spec.output.dtype).kind == "float"
    with np.errstate(all="ignore"):
        value = found.astype(np.float64)
        difference = np.abs(value - (bounds.exact if is_float else bounds.low).astype(np.float64))
        relative = np.where(difference == 0, 0, difference / np.maximum(bounds.scale, np.finfo(np.float32).tiny))
        usable = np.isfinite(relative) & np.isfinite(value)
    return float(relative[usable].max(initial=0.0))


def _complaint(spec: Spec, bounds: Bounds, found: np.ndarray, right: np.ndarray) -> str:
    at = tuple(int(i[0]) for i in np.nonzero(~np.atleast_1d(right)))
    exact, low, high, value = (np.atleast_1d(x)[at] for x in (bounds.exact, bounds.low, bounds.high, found))
    wanted = f"{low}" if low == high or exact != exact else f"{low} to {high}"
    where = ", ".join(f"{d}={i}" for d, i in zip(spec.operation.parallel, at)) or "the scalar"
    return f"expected {wanted} at {where}, found {value}: {int((~right).sum())} of {right.size} elements are wrong in {spec}"
