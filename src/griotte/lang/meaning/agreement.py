"""Whether a kernel's result is right: the interval that its own arithmetic allows around the reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Any

import ml_dtypes
import numpy as np

from ..calls.spec import Spec
from ..functions import COMBINERS, FUNCTIONS, Errors, SummedTerms
from ..types.dtypes import convert, dtype, from_numpy
from ..types.expr import IOTA, PRODUCT, Arg, Call, Const, Expr, as_product, calls
from .bodies import Nudge, is_fusible, is_matrix_product, is_product
from .reference import accumulate, finish, laid_out, one_or_all, over_dimensions


@dataclass(frozen=True)
class Bounds:
    """Results that count as right, per element over the parallel dimensions of the nest: from `low` to `high` (in the
    output's dtype). NaN and nothing else where `exact` is NaN; NaN as well where `nan`; anything not finite (f64:
    anything) where `overflow`.

    `exact` is the value before the last rounding; errors are relative to `scale`.
    """

    exact: np.ndarray
    scale: np.ndarray
    low: np.ndarray
    high: np.ndarray
    nan: np.ndarray
    overflow: np.ndarray


def tolerance(spec: Spec, arrays, random: bool = False) -> Any:
    """The results of `spec` on `arrays` that count as right, `Bounds`, of several outputs a tuple of them; `random`
    says that the arrays are plain `random_arrays`.

    Integers, functions of no `ulps`, combiners without `errors`: exactly the reference. Otherwise the exact value give
    or take an error, rounded to the output's dtype. With u the unit roundoff of the accumulator (2**-24 for f32; 2**-52
    for f64, twice its own, since the reference errs as well) that error is
    - for a sum of whole numbers whose magnitudes add up to no more than the accumulator counts exactly: none;
    - for a sum of n terms, in any order, fused or not: (d + 8) u sum|terms| and n of the smallest denormal, where d is
      how many additions a term goes through at most: n up to 256, and 256 for each level of that many in a longer sum
      (of products 1,024): `functions.combiners.longest`. That is the worst case;
    - so, for a sum of `random` terms, no more than `SIGMAS` u sqrt(n) (|sum| + sqrt(sum terms**2)). Let rounding errors
      be independent, of mean 0 and of u at most. Then that of a sum over any tree has a standard deviation of at most
      u sqrt(sum of its nodes' values squared). Partial sums of m terms of mean 0 are about sqrt(m) terms long, those of
      a mean go up to |sum|.
      (Higham and Mary, "A New Approach to Probabilistic Rounding Error Analysis", SIAM J. Sci. Comput. 41, 2019, and
      "Sharper Probabilistic Backward Error Analysis for Basic Linear Algebra Kernels with Random Data", 42, 2020);
    - for a sum of n products of two bf16: moreover n of the smallest normal, and the change where denormal operands
      count as zero: the dot instructions flush both;
    - for a map: the effect on its value of the `ulps` of each function of its body (declared in `functions`; half an
      ulp for add, sub and mul). Where a function `cancels`, one ulp of its argument as well. And 9/8 of the smallest
      normal for each function of more than half an ulp: results up to there may be 0;
    - for a reduction by another combiner: its `errors` (a sum's: `functions.combiners.sum_errors`);
    - from an f64 accumulator to 16 bits: 2**-24 of the value, since the way may lead through f32.
    Where a sum can overflow on the way, any infinity or NaN is right, unless it must overflow to one side. The f64
    reference overflows as well: there anything is right. Of a composition: `composed_bounds`.
    """
    if spec.is_composed:
        return one_or_all(composed_bounds(spec, arrays))
    exact = accumulate(spec, arrays)
    never = np.zeros(exact.shape, bool)
    if dtype(spec.accumulator).kind != "float":
        result = finish(spec, exact)
        return Bounds(exact, np.abs(exact.astype(np.float64)), result, result, never, never)
    with np.errstate(all="ignore"):
        found = _errors(spec, arrays, exact, random)
        if found.error is None:
            result = finish(spec, exact)
            return Bounds(exact, found.scale, result, result, found.nan, found.overflow)
        error, nan, overflow = found.error, found.nan, found.overflow
        if found.free is not None:
            exact, error = np.where(found.free, 0.0, exact), np.where(found.free, np.inf, error)
            nan, overflow = nan | found.free, overflow | found.free
        error = np.where(np.isnan(error) | np.isinf(exact), 0.0, error)
        low, high = (finish(spec, bound) for bound in (exact - error, exact + error))
    return Bounds(exact, found.scale, low, high, nan, overflow)


def _errors(spec: Spec, arrays, exact: np.ndarray, random: bool) -> Errors:
    """How far the result of one nest of floats may be off."""
    never = np.zeros(exact.shape, bool)
    combiner = COMBINERS[spec.operation.combine] if spec.operation.combine else None
    if combiner and combiner.errors:
        found = combiner.errors(_terms(spec, arrays, exact, random))
    else:
        found = Errors(np.abs(exact), None if combiner else _map_error(spec, arrays, exact), never, never)
    if spec.accumulator == "f64" and dtype(spec.output.dtype).bits <= 16:
        found = replace(found, error=(0 if found.error is None else found.error) + np.abs(exact) * 2.0**-24)
    return found


RUNS = 8  # of a composition with errors in it, each element's own
ROUNDED = 3  # times as many, where 16 bits lie between its calls: two sums near ties may be off by steps that cancel
SPREAD = 4.0  # times as far as any run came: a kernel may err in a way that none of them did


def composed_bounds(spec: Spec, arrays) -> tuple[Bounds, ...]:
    """What counts as right of each output of a composition: as far from the exact result as errors of its calls may
    take it.

    Each call may err by its `tolerance`. Its result is then rounded to its dtype, stored or not. A result whose dtype
    is as wide as the compute dtype, and one of a `loose` call, is rounded perhaps. How much of that reaches the output
    is found by running the whole with such errors put in:
    - all upwards, all downwards, several times each element's own, drawn evenly;
    - with NaN, with either infinity or a finite number where a sum may overflow on the way;
    - with all that lies between rounded;
    - with products that feed a sum not rounded, so that they do not overflow;
    - with zeros of the other sign, where a call does not say which.
    The result may lie `SPREAD` times as far off as any run did. Where one run is
    finite and another is not, anything is right. Errors are relative to the largest result.
    """
    arrays = [np.asarray(array) for array in arrays]
    known = _Known(arrays)
    exact = _run(spec, arrays, known)
    rng = np.random.default_rng(0)
    up, down, each = (
        (lambda shape: +np.ones(shape)),
        (lambda shape: -np.ones(shape)),
        (lambda shape: rng.uniform(-1, 1, shape)),
    )
    ways = [
        _Errors(each, np.nan),
        _Errors(each, np.inf),
        _Errors(up),
        _Errors(down),
        _Errors(rounds=True),
        _Errors(each, rounds=True),
        *[_Errors(each)] * (RUNS * (ROUNDED if _is_rounded_between(spec) else 1)),
    ]
    ways += [_Errors(fused=True), _Errors(lost=-np.inf), _Errors(lost=0.0), _Errors(zeros=True)]
    runs = [_run(spec, arrays, known, way) for way in ways]
    return tuple(_around_runs(call, *exact[n], [run[n][0] for run in runs]) for n, call in enumerate(last_calls(spec)))


def _is_rounded_between(spec: Spec) -> bool:
    """Whether floats of fewer bits than they are computed in lie between the calls of a composition."""
    given = [(dtype(v.type.dtype), dtype(v.spec.accumulator)) for v in spec.graph.calls[:-1]]
    return any(result.kind == "float" and result.bits < computed.bits for result, computed in given)


def last_calls(spec: Spec) -> list[Spec]:
    """The call that gives each output of a Spec; of one nest it is that itself."""
    return [value.spec for value in spec.graph.gives]


def _around_runs(last: Spec, exact: np.ndarray, own: np.ndarray, runs: list[np.ndarray]) -> Bounds:
    """What counts as right of an output that the call `last` gives with an error of its own, and that came out like
    this when errors were put in."""
    off, undecided = np.zeros(exact.shape), np.zeros(exact.shape, bool)
    with np.errstate(all="ignore"):
        for run in runs:
            undecided |= ~_alike(run, exact)
            off = np.maximum(off, _distance(run, exact))
        low, high = (finish(last, bound) for bound in _around(exact, SPREAD * off + own))
    if dtype(last.output.dtype).kind == "float":
        exact, low, high = (
            np.where(undecided, value, found) for value, found in ((0.0, exact), (-np.inf, low), (np.inf, high))
        )
    largest = np.abs(exact.astype(np.float64))[np.isfinite(exact) & ~undecided].max(initial=0.0)
    return Bounds(exact, np.where(undecided, np.inf, largest), low, high, undecided, undecided)


def _alike(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Where both are finite, or both the same infinity, or both NaN."""
    return np.isfinite(x) & np.isfinite(y) | np.isnan(x) & np.isnan(y) | (x == y)


def _distance(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How far apart, as float64; 0 where they are not both finite."""
    if x.dtype.kind == "f":
        return np.nan_to_num(np.abs(x - y), nan=0.0, posinf=0.0)
    return np.where(x > y, x - y, y - x).astype(f"u{x.dtype.itemsize}").astype(np.float64)


def _around(exact: np.ndarray, error: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """exact - error and exact + error, of exact's dtype; all there is where an integer wraps between them."""
    if exact.dtype.kind == "f":
        return exact - error, exact + error
    info = np.iinfo(exact.dtype)
    near = np.minimum(np.ceil(error), np.nextafter(float(info.max), 0)).astype(exact.dtype)
    below, above = exact - near, exact + near
    wraps = (below > exact) | (above < exact)
    return np.where(wraps, info.min, below).astype(exact.dtype), np.where(wraps, info.max, above).astype(exact.dtype)


@dataclass(frozen=True)
class _Errors:
    """How a composition is run: with the errors of its calls times what `draw` gives for a shape (None: 0).

    `lost` stands where a sum may overflow on the way. `rounds`: all that lies between calls is rounded to its dtype.
    `fused`: products of floats that feed a sum are kept exact. `zeros`: zeros have the other sign."""

    draw: Callable[..., Any] | None = None
    lost: float | None = None
    rounds: bool = False
    fused: bool = False
    zeros: bool = False


class _Known:
    """What runs of one composition have in common: what follows from the same arrays, without errors, is computed
    once."""

    def __init__(self, arrays: Sequence[np.ndarray]) -> None:
        self._arrays = {id(array): array for array in arrays}  # which stay, so that no other has their addresses
        self._found: dict[tuple, Any] = {}

    def of(self, arrays: Sequence[np.ndarray], key: tuple, compute: Callable[[], tuple[Any, ...]]) -> Any:
        """What `compute` gives; it is kept where the arrays are, and then so is the first that it gives. `key` says
        what else that depends on."""
        if any(id(array) not in self._arrays for array in arrays):
            return compute()
        whole = (*key, *map(id, arrays))
        if whole not in self._found:
            self._found[whole] = found = compute()
            self._arrays[id(found[0])] = found[0]
        return self._found[whole]


def _run(spec: Spec, arrays, known: _Known, way: _Errors = _Errors()) -> list[tuple[np.ndarray, np.ndarray]]:
    """The composition in the compute dtypes: of each output the value before it is rounded, and the error of the call
    that gives it alone."""
    tensors: dict[object, np.ndarray] = {v.key: a for v, a in zip(spec.graph.inputs, arrays)}
    ended = {}
    with np.errstate(all="ignore"):
        for value in spec.graph.calls:
            call, inputs = value.spec, [tensors[read.key] for read in value.values]
            of_floats = dtype(call.accumulator).kind == "float"
            fused = way.fused and of_floats
            total, found, error = known.of(inputs, (value, fused), partial(_alone, call, inputs, fused))
            if found is not None:
                if way.draw is not None:
                    total = _moved(total, way.draw(total.shape), error + _left(call, total))
                if way.lost is not None:
                    lost = found.nan | found.overflow
                    total = _put(total, lost if found.free is None else lost | found.free, way.lost)
            handed = value, way.rounds, way.fused, way.zeros
            (tensors[value],) = known.of([total], handed, partial(_given, call, total, way))
            ended[value] = total, error
    return [ended[value] for value in spec.graph.gives]


def _given(call: Spec, total: np.ndarray, way: _Errors) -> tuple[np.ndarray]:
    """What a call gives, over the axes of its output."""
    return (laid_out(call, _handed_on(call, total, way)),)


def _alone(call: Spec, inputs: list[np.ndarray], fused: bool) -> tuple[np.ndarray, Errors | None, np.ndarray]:
    """The value of one call, and of floats how far it may be off."""
    total = accumulate(call, inputs, fused=fused)
    if dtype(call.accumulator).kind != "float":
        return total, None, np.zeros(())
    found = _errors(call, inputs, total, False)
    own = 0.0 if found.error is None else found.error
    return total, found, np.where(np.isfinite(total), np.nan_to_num(own, posinf=0.0), 0.0)


def _moved(total: np.ndarray, drawn: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Values with errors; the very same array where there are none."""
    return total + drawn * most if np.any(most) else total


def _put(total: np.ndarray, where: np.ndarray, value: float) -> np.ndarray:
    """Values with another at some places; the very same array where there are none."""
    return np.where(where, value, total) if np.any(where) else total


def _handed_on(spec: Spec, total: np.ndarray, way: _Errors) -> np.ndarray:
    """What a call gives, as the next ones read it."""
    given, accumulator = dtype(spec.output.dtype), dtype(spec.accumulator)
    if given.kind != "float":
        return finish(spec, total)
    if way.rounds or given.bits < accumulator.bits and not spec.operation.loose:
        values = finish(spec, total)
    else:
        is_exact = not way.fused or spec.operation.combine is None and is_product(spec.operation.body)
        values = (total if is_exact else convert(total, spec.accumulator)).astype(np.float64)
    return np.where(values == 0, -values, values) if way.zeros and not _keeps_sign_of_zero(spec) else values


def _left(spec: Spec, total: np.ndarray) -> np.ndarray:
    """What rounding does at most where it may be left out, or done to a multiple of the value."""
    row = dtype(spec.output.dtype)
    bits = ml_dtypes.finfo(row.numpy).nmant + 1 if row.kind == "float" and row.bits <= 16 else 0
    sizes = np.where(np.isfinite(total), np.abs(total), 0.0)
    return sizes * 2.0**-bits if spec.operation.loose and bits else np.zeros(())


def compare(
    spec: Spec, arrays, result: np.ndarray | tuple[np.ndarray, ...], bounds: Bounds | tuple[Bounds, ...] | None = None
) -> tuple[float, bool, str]:
    """(largest error relative to the scale of the terms, whether `result` is within `tolerance`, the fault and its
    place). `bounds` are those of `tolerance` where they are known; left out, the arrays may be any. Of several outputs,
    tuples of both, it is the first that is wrong."""
    several = len(spec.outputs) > 1
    results: Any = result if several else (result,)
    assert len(results) == len(spec.outputs), f"expected {len(spec.outputs)} results, found {len(results)}"
    for each, tensor in zip(results, spec.outputs):
        if from_numpy(each.dtype) != tensor.dtype or each.shape != tensor.shape:
            return np.inf, False, f"expected a result {tensor}, found {from_numpy(each.dtype)}{list(each.shape)}"
    known: Any = bounds or tolerance(spec, arrays)
    found = [
        _compared(spec, last, arrays, result, each)
        for last, result, each in zip(last_calls(spec), results, known if several else (known,))
    ]
    complaint = next(
        (f"y{n}: {said}" if several else said for n, (_, right, said) in enumerate(found) if not right), ""
    )
    return max(error for error, _, _ in found), all(right for _, right, _ in found), complaint


def _compared(spec: Spec, last: Spec, arrays, result: np.ndarray, bounds: Bounds) -> tuple[float, bool, str]:
    """`compare`, of the output that the call `last` gives."""
    signed = _keeps_sign_of_zero(spec)
    found = over_dimensions(last, result)
    right = _is_right(last, bounds, found, signed)
    if not right.all() and last is spec and _may_fuse(spec.operation.body):
        right |= _is_fused(spec, arrays, found)
    error = _relative_error(last, bounds, found)
    return error, bool(right.all()), "" if right.all() else _complaint(last, bounds, found, right)


def _is_right(spec: Spec, bounds: Bounds, found: np.ndarray, signed: bool) -> np.ndarray:
    if dtype(spec.output.dtype).kind != "float":
        value, low, high = (x.astype(np.int64) for x in (found, bounds.low, bounds.high))
        return (low <= value) & (value <= high) | bounds.overflow | bounds.nan
    value, low, high = (x.astype(np.float64) for x in (found, bounds.low, bounds.high))  # type: ignore[assignment]
    from_low, to_high = (low <= value) | np.isnan(low), (value <= high) | np.isnan(high)  # NaN: beyond the largest
    nan = bounds.nan | np.isnan(low) | np.isnan(high)
    of_nan = np.isnan(value) | (dtype(spec.output.dtype).bits < 8)  # of which none has NaN
    inside = np.where(np.isnan(bounds.exact), of_nan, from_low & to_high & ~np.isnan(value) | nan & np.isnan(value))
    right = inside | bounds.overflow & ((spec.accumulator == "f64") | ~np.isfinite(value))
    if signed:
        right &= (value != 0) | (np.signbit(value) == np.signbit(low)) | (np.signbit(value) == np.signbit(high))
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
    nests = [(value.spec.operation, value.values) for value in spec.graph.calls]
    return all(op.combine is None and reads and {*calls(op.body)} <= {"copy", "neg", "abs"} for op, reads in nests)


def _terms(spec: Spec, arrays, exact: np.ndarray, random: bool) -> SummedTerms:
    """What a reduction of floats joins."""
    info = ml_dtypes.finfo(dtype(spec.accumulator).numpy)
    sizes = lambda power: accumulate(spec, arrays, norm=power)

    def flushed() -> tuple[np.ndarray, np.ndarray] | None:
        if not is_matrix_product(spec) or any(t.dtype != "bf16" for t in spec.inputs):
            return None
        cut = [_without_denormals(a) for a in arrays]
        return sizes(1) - accumulate(spec, cut, norm=1), accumulate(spec, cut)

    return SummedTerms(
        exact=exact,
        count=prod(spec.size[d] for d in spec.operation.reduction),
        unit=_unit(spec),
        tiny=float(info.smallest_normal),
        least=float(info.smallest_subnormal),
        largest=float(info.max),
        fraction_bits=info.nmant,
        is_random=random,
        are_whole=_are_whole(spec, arrays),
        are_products=as_product(spec.operation.body) == PRODUCT,
        joined=lambda change: accumulate(spec, arrays, change=change),
        sizes=sizes,
        flushed=flushed,
        overflows_apart=lambda: _may_overflow_apart(spec, arrays, float(info.max)),
    )


def _of_factors(expr: Expr) -> bool:
    """Whether a body is a product of inputs, each of them perhaps kept within bounds."""
    match expr:
        case Call("mul", (x, y)):
            return _of_factors(x) and _of_factors(y)
        case Call("minimum" | "maximum", (Arg() | Call("minimum" | "maximum", _) as x, Const())):
            return _of_factors(x)
    return isinstance(expr, Arg)


def _may_overflow_apart(spec: Spec, arrays, largest: float) -> np.ndarray | bool:
    """Where a sum of products of three and more may overflow, since a scale, a factor of a group of terms, is taken
    times the sum of the group. That is where some scale is not finite, or the others' products are too large."""
    nest = spec.operation
    scales = [i for i, access in enumerate(nest.inputs) if not set(nest.reduction) <= set(access.dims)]
    if not _of_factors(nest.body) or len(nest.inputs) < 3 or not scales:
        return False
    wide = [np.asarray(a).astype(np.float64) for a in arrays]
    sizes = [np.where(np.isfinite(a), np.abs(a), 0.0) for a in wide]
    beyond = ~(
        accumulate(spec, [np.maximum(a, 1.0) if i in scales else a for i, a in enumerate(sizes)]) < largest * 0.99
    )
    for i in (i for i in scales if not np.isfinite(wide[i]).all()):
        beyond |= (
            accumulate(
                spec, [(~np.isfinite(a)).astype(np.float64) if j == i else np.ones_like(a) for j, a in enumerate(wide)]
            )
            > 0
        )
    return beyond


def _are_whole(spec: Spec, arrays) -> bool:
    """Whether all terms of a sum are whole numbers."""
    is_plain = isinstance(spec.operation.body, Arg) or is_matrix_product(spec)
    return is_plain and all(
        dtype(t.dtype).kind != "float" or bool((np.trunc(a) == a).all()) for t, a in zip(spec.inputs, arrays)
    )


def _map_error(spec: Spec, arrays, exact: np.ndarray) -> np.ndarray | None:
    """None where every function of the body is exact."""
    called = [] if spec.operation.body == IOTA else [FUNCTIONS[name] for name in calls(spec.operation.body)]
    if not any(function.ulps for function in called):
        return None
    error = np.zeros(exact.shape)
    tiny = float(ml_dtypes.finfo(dtype(spec.accumulator).numpy).smallest_normal)
    for i, function in enumerate(called):
        if not function.ulps:
            continue
        relative = _unit(spec) * 2 * function.ulps
        of_argument = 2 * _unit(spec) if function.cancels else 0.0
        nudges = (Nudge(i, relative, of_argument), Nudge(i, -relative, -of_argument))
        moved = np.nan_to_num(
            np.maximum(*(np.abs(accumulate(spec, arrays, nudge=n) - exact) for n in nudges)), nan=0.0, posinf=np.inf
        )
        error += moved
        if function.ulps > 0.5:  # not of what f64 holds as 0 whatever it is off by: the weight of what a mask hides
            error += np.where((exact != 0) | (moved != 0) | (spec.accumulator == "f64"), 1.125 * tiny, 0.0)
    return error


def _without_denormals(array: np.ndarray) -> np.ndarray:
    """Values with zeros of the same sign for those that are denormal in bf16."""
    tiny = float(ml_dtypes.finfo(dtype("bf16").numpy).smallest_normal)
    return np.where(
        np.abs(array.astype(np.float64)) < tiny, np.copysign(np.zeros((), array.dtype), array), array
    ).astype(array.dtype)


def _unit(spec: Spec) -> float:
    return 2.0**-24 if spec.accumulator == "f32" else 2.0**-52


def _relative_error(spec: Spec, bounds: Bounds, found: np.ndarray) -> float:
    """Largest distance from the exact value (from the reference, where the result is an integer) over the elements
    where both are finite, relative to the scale; 0 where there is none."""
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
    return (
        f"expected {wanted} at {where}, found {value}: {int((~right).sum())} of {right.size} elements are wrong in"
        f" {spec}"
    )
