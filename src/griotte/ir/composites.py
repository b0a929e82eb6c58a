"""Operations of the contract that are a few nests each: their constructors write them as calls of others.

    softmax(x) = e * (1 / sum(e)),  e = exp(x - max(x))

What lies between the calls is kept in the compute dtype. How the nests are fused, and where what is between them lies,
is for the search to say.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from ..errors import SpecError
from . import operations as op
from .compose import in_order
from .dtypes import compute_dtype, limits, promote
from .dtypes import dtype as dtype_row
from .dynamic import marked, of_count
from .expr import SIZE, Arg, Call, Const, Expr, OfSize
from .operation import Access, Border, Operation
from .spec import Spec
from .tensor import TensorType, layout_of

_FRESH = itertools.count()
Operand = TensorType | Spec


def once(x: Operand) -> Operand:
    """An operand that several calls may take, and that stays one input."""
    return replace(x, name=f"#{next(_FRESH)}") if isinstance(x, TensorType) and not x.name else x


def type_of(x: Operand) -> TensorType:
    return x.output if isinstance(x, Spec) else x


def told(spec: Spec, call: str) -> Spec:
    """`spec`, written as the call that it is."""
    object.__setattr__(spec, "text", f"{call} -> {spec.output}")
    object.__setattr__(spec.operation, "name", call.split("(", 1)[0])
    return spec


def of(body: Expr, *args: Operand, dtype: str | None = None, layout=None) -> Spec:
    """A map with this body."""
    return op._map("map", body, args, dtype, layout)


def _float(name: str, x: Operand) -> str:
    """The compute dtype of an operand of floats."""
    found = type_of(x)
    if dtype_row(found.dtype).kind != "float":
        raise SpecError(
            f"{name} expects floats, found {found}; cast first: cast({found}) ->"
            f" {replace(found, dtype='f32', constant=False)}"
        )
    return compute_dtype(found.dtype)


def _axis(name: str, x: Operand, axis: int) -> int:
    given = type_of(x)
    if not given.rank:
        raise SpecError(f"{name} expects an axis, found none of {given}; give it one of size 1")
    found = op._axes(name, given, axis)
    if axis is None or len(found) != 1:
        raise SpecError(
            f"{name} expects one axis, found {op._tuple_text(found)} of {given}; reshape first, so that they are one"
        )
    return found[0]


def _axis_text(axis) -> str:
    return op._tuple_text(axis) if isinstance(axis, (tuple, list)) else str(axis)


def _require_rows(name: str, x: Operand, *others: Operand) -> None:
    """That the others broadcast against x, so that a refusal names what was given and none of the calls that come of
    it."""
    types = [type_of(each) for each in (x, *others)]
    op._broadcast(name, types, [each.shape for each in types])


def _wider(*operands: Operand) -> str:
    """The dtype of a result that is not told: the widest of these."""
    return reduce(promote, (type_of(operand).dtype for operand in operands))


def softmax(x: Operand, axis: int = -1, dtype: str | None = None, *, layout=None) -> Spec:
    """exp(x - max(x)) / sum(exp(x - max(x))) along `axis`. A row of -inf alone is NaN, as in NumPy, PyTorch and JAX."""
    return told(_softmax(x, axis, dtype, layout), f"softmax({x}, axis={_axis_text(axis)})")


def _softmax(
    x: Operand,
    axis: int,
    dtype: str | None,
    layout=None,
    scale: float = 1.0,
    divides: bool = False,
    empty: bool = False,
) -> Spec:
    """The softmax of x times `scale`: of the smallest of x where that is negative, its largest else. One division a
    row; `divides`: each element, which what multiplies them leaves to its own result (Factor). `empty`: a row of -inf
    alone gives 0."""
    x, compute, along = once(x), _float("softmax", x), _axis("softmax", x, axis)
    shifted = Call("sub", (Arg(0), Call("maximum", (Arg(1), Const(_lowest(compute)))) if empty else Arg(1)))
    body = shifted if scale == 1 else Call("mul", (shifted, Const(scale)))
    e = of(Call("exp", (body,)), x, (op.max if scale >= 0 else op.min)(x, axis=along, keepdims=True), dtype=compute)
    total, result = op.sum(e, axis=along, keepdims=True), dtype or type_of(x).dtype
    if empty:  # a row with an element has a total of 1 or more
        return of(Call("div", (Arg(0), Call("maximum", (Arg(1), Const(0.5))))), e, total, dtype=result, layout=layout)
    if divides:
        return op.div(e, total, dtype=result, layout=layout)
    return op.mul(e, of(Call("div", (Const(1.0), Arg(0))), total), dtype=result, layout=layout)


def _lowest(compute: str) -> float:
    return float(np.finfo(dtype_row(compute).numpy).min)


def log_softmax(x: Operand, axis: int = -1, dtype: str | None = None, *, layout=None) -> Spec:
    """x - max(x) - log(sum(exp(x - max(x)))) along `axis`."""
    text = f"log_softmax({x}, axis={_axis_text(axis)})"
    x, compute, along = once(x), _float("log_softmax", x), _axis("log_softmax", x, axis)
    shifted = op.sub(x, op.max(x, axis=along, keepdims=True), dtype=compute)
    total = op.sum(op.exp(shifted), axis=along, keepdims=True)
    return told(op.sub(shifted, op.log(total), dtype=dtype or type_of(x).dtype, layout=layout), text)


def layer_norm(
    x: Operand, gain: Operand, bias: Operand, epsilon: float = 1e-5, dtype: str | None = None, *, layout=None
) -> Spec:
    """(x - mean) * rsqrt(variance + epsilon) * gain + bias over the last axis; the variance is that of the row, not of
    a sample."""
    epsilon = op._number("layer_norm", "epsilon", epsilon)
    text = f"layer_norm({x}, {gain}, {bias}, epsilon={op._number_text(epsilon)})"
    x, compute = once(x), _float("layer_norm", x)
    _require_rows("layer_norm", x, gain, bias)
    shifted = op.sub(x, op.mean(x, axis=-1, keepdims=True, dtype=compute), dtype=compute)
    variance = op.mean(of(Call("mul", (Arg(0), Arg(0))), shifted), axis=-1, keepdims=True)
    scale = of(Call("rsqrt", (Call("add", (Arg(0), Const(epsilon))),)), variance)
    body = Call("add", (Call("mul", (Call("mul", (Arg(0), Arg(1))), Arg(2))), Arg(3)))
    return told(of(body, shifted, scale, gain, bias, dtype=dtype or _wider(x, gain, bias), layout=layout), text)


def rms_norm(x: Operand, gain: Operand, epsilon: float = 1e-6, dtype: str | None = None, *, layout=None) -> Spec:
    """x * rsqrt(mean(x * x) + epsilon) * gain over the last axis."""
    epsilon = op._number("rms_norm", "epsilon", epsilon)
    text = f"rms_norm({x}, {gain}, epsilon={op._number_text(epsilon)})"
    x, compute = once(x), _float("rms_norm", x)
    _require_rows("rms_norm", x, gain)
    squares = op.mean(of(Call("mul", (Arg(0), Arg(0))), x, dtype=compute), axis=-1, keepdims=True)
    scale = of(Call("rsqrt", (Call("add", (Arg(0), Const(epsilon))),)), squares)
    body = Call("mul", (Call("mul", (Arg(0), Arg(1))), Arg(2)))
    return told(of(body, x, scale, gain, dtype=dtype or _wider(x, gain), layout=layout), text)


def attention(
    q: Operand,
    k: Operand,
    v: Operand,
    causal: bool = False,
    scale: float | None = None,
    dtype: str | None = None,
    *,
    mask: Operand | None = None,
    layout=None,
) -> Spec:
    """softmax(scale * q k') v: q [..., h, s, d], k [..., hk, t, d], v [..., hk, t, e]; each h / hk heads of q share one
    of k and v; `scale` is 1/sqrt(d) where it is left out. `causal`: query i sees the keys up to i + t - s, so that the
    last query sees all. `mask` broadcasts to [..., h, s, t]: of pred, it holds where a query sees a key; floats are
    added to scale * q k'. A query that sees no key gives 0."""
    op._flag("attention", "causal", causal)
    scale = None if scale is None else op._number("attention", "scale", scale)
    given_scale = "" if scale is None else f", scale={op._number_text(scale)}"
    given_mask = "" if mask is None else f", mask={mask}"
    text = f"attention({q}, {k}, {v}{', causal=true' * causal}{given_scale}{given_mask})"
    if mask is not None:
        given = q, k, v, mask = once(q), once(k), once(v), once(mask)
        return told(in_order(_attention(q, k, v, causal, scale, dtype, mask, layout), given), text)
    return told(_attention(q, k, v, causal, scale, dtype, None, layout), text)


def _attention(
    q: Operand,
    k: Operand,
    v: Operand,
    causal: bool,
    scale: float | None,
    dtype: str | None,
    mask: Operand | None,
    layout,
) -> Spec:
    (qt, kt, vt), compute = map(type_of, (q, k, v)), _float("attention", q)
    if min(qt.rank, kt.rank, vt.rank) < 3 or not (
        qt.shape[-1] == kt.shape[-1] and kt.shape[-2] == vt.shape[-2] and kt.shape[:-2] == vt.shape[:-2]
    ):
        raise SpecError(
            f"attention expects q [..., h, s, d], k [..., hk, t, d] and v [..., hk, t, e], found {qt}, {kt} and"
            f" {vt}{'; give one head an axis of size 1' * (qt.rank < 3)}"
        )
    if qt.shape[:-3] != kt.shape[:-3] or qt.shape[-3] % kt.shape[-3]:
        raise SpecError(
            "attention expects as many heads in q as in k and v, or a multiple, and equal sizes before them, found"
            f" {qt} and {kt}"
        )
    causal = causal and qt.shape[-2] > 1  # the last query sees all
    heads = op._dims(qt.shape[:-3])
    if qt.rank - 2 in qt.dynamic_axes and kt.rank - 2 in kt.dynamic_axes and qt.shape[-2] != kt.shape[-2]:
        raise SpecError(
            f"attention expects as many queries as keys where both numbers are dynamic, found {qt} and {kt}; attend by"
            " blocks of a fixed number of queries, or write one bound"
        )
    group = qt.shape[-3] // kt.shape[-3]
    h = f"h*{group}+g" if group > 1 else "h"
    front = " ".join(heads)
    sizes = (*qt.shape[:-3], kt.shape[-3], group)
    scores = _contraction(
        "scores",
        f"{front} h g m n k",
        (f"{front} {h} m k", f"{front} h n k"),
        f"{front} {h} m n",
        (*sizes, qt.shape[-2], kt.shape[-2], qt.shape[-1]),
        (q, k),
        compute,
    )
    factor = 1 / math.sqrt(qt.shape[-1]) if scale is None else scale
    sees_all, fewest = (
        mask is None and not causal,
        (1 if kt.rank - 2 in kt.dynamic_axes and qt.rank - 2 not in qt.dynamic_axes else kt.shape[-2]),
    )
    if sees_all or mask is None and fewest >= qt.shape[-2] and factor > 0:  # no query sees nothing
        weights = _softmax(
            scores if sees_all else masked(scores, None, causal), -1, qt.dtype, scale=factor, divides=True
        )
    else:
        weights = _softmax(masked(scores, mask, causal, factor), -1, qt.dtype, divides=True, empty=True)
    result = dtype or _wider(q, k, v)
    out = _contraction(
        "weighted",
        f"{front} h g m n k",
        (f"{front} {h} m k", f"{front} h k n"),
        f"{front} {h} m n",
        (*sizes, qt.shape[-2], vt.shape[-1], kt.shape[-2]),
        (weights, v),
        result,
        layout,
    )
    return out


def masked(x: Operand, mask: Operand | None, causal: bool, scale: float = 1.0) -> Spec:
    """x [..., s, t] times `scale`, plus a mask of floats, with -inf where query i may not see key j: where one of pred
    does not hold, and, if `causal`, where j > i + t - s."""
    given = type_of(x)
    compute, (s, t), dims = compute_dtype(given.dtype), given.shape[-2:], op._dims(given.shape)
    rows, columns = (given.rank - axis in given.dynamic_axes for axis in (2, 1))
    body, args, unseen = Arg(0) if scale == 1 else Call("mul", (Arg(0), Const(scale))), [x], Const(-math.inf)
    if mask is not None:
        args.append(mask)
        body = Call("where", (Arg(1), body, unseen)) if _is_pred_mask(given, mask) else Call("add", (body, Arg(1)))
    if causal:
        i, j = len(args), len(args) + 1
        args += [op.iota((s, 1), compute, 0 if rows else None), op.iota((t,), compute, 0 if columns else None)]
        offset = (
            OfSize(Call("sub", (Const(t), SIZE) if rows else (SIZE, Const(s)))) if rows != columns else Const(t - s)
        )
        body = Call("where", (Call("le", (Arg(j), Call("add", (Arg(i), offset)))), body, unseen))
    inputs = tuple(op._index(type_of(a).shape, given.shape, dims) for a in args)
    return nest(
        "masked", " ".join(dims), inputs, " ".join(dims), body, None, dict(zip(dims, given.shape)), tuple(args), compute
    )


def _is_pred_mask(scores: TensorType, mask: Operand) -> bool:
    """Whether a mask says where scores count; else it is added to them."""
    given = type_of(mask)
    if given.dtype != "pred" and dtype_row(given.dtype).kind != "float":
        raise SpecError(
            f"attention expects a mask of pred or of floats, found {given}; cast first: cast({given}) ->"
            f" {replace(given, dtype='pred', constant=False)}"
        )
    if not op._broadcasts_to(given.shape, scores.shape):
        raise SpecError(
            f"attention expects a mask that broadcasts to [..., h, s, t] = {list(scores.shape)}, found {given}"
        )
    return given.dtype == "pred"


def rope(
    x: Operand, cos: Operand, sin: Operand, interleaved: bool = False, dtype: str | None = None, *, layout=None
) -> Spec:
    """x [..., s, d] turned, pair by pair, by angles of which cos and sin are [s, d/2]: (u, v) becomes (u cos - v sin, v
    cos + u sin). The pairs are element j of the first half of d and of the second; `interleaved`: elements 2 j and 2 j
    + 1."""
    op._flag("rope", "interleaved", interleaved)
    text = f"rope({x}, {cos}, {sin}{', interleaved=true' * interleaved})"
    xt, ct, st = map(type_of, (x, cos, sin))
    compute = compute_dtype(*(_float("rope", a) for a in (x, cos, sin)))
    if xt.rank < 2 or xt.shape[-1] % 2:
        raise SpecError(f"rope expects x [..., s, d] with d even, cos and sin [s, d/2], found {xt}")
    if not ct.shape == st.shape == (xt.shape[-2], xt.shape[-1] // 2):
        raise SpecError(
            f"rope expects of x {xt} cos and sin [s, d/2] = {[xt.shape[-2], xt.shape[-1] // 2]}, found {ct} and {st}"
        )
    front, half = op._dims(xt.shape[:-2]), xt.shape[-1] // 2
    f, of_pair = " ".join(front), (lambda side: f"j*2+{side}") if interleaved else (lambda side: f"{side}*{half}+j")
    sizes = dict(zip(front, xt.shape)) | {"s": xt.shape[-2], "g": 2, "h": 2, "j": half}
    share = Call("where", (Call("eq", (Arg(2), Arg(3))), Arg(0), Call("mul", (Call("sub", (Arg(2), Arg(3))), Arg(1)))))
    sides = op.iota((2,), compute), op.iota((2,), compute)
    # what of side h side g has: cos, sin or -sin
    turns = nest(
        "turns", "s g h j", ("s j", "s j", "g", "h"), "s g h j", share, None, sizes, (cos, sin, *sides), compute
    )
    inputs = f"{f} s {of_pair('h')}", "s g h j"
    return told(
        nest(
            "rope",
            f"{f} s g h j",
            inputs,
            f"{f} s {of_pair('g')}",
            op._MUL,
            "add",
            sizes,
            (x, turns),
            dtype or xt.dtype,
            layout,
        ),
        text,
    )


def batch_norm(
    x: Operand,
    mean: Operand,
    variance: Operand,
    gain: Operand,
    bias: Operand,
    epsilon: float = 1e-5,
    dtype: str | None = None,
    *,
    layout=None,
) -> Spec:
    """(x - mean) * rsqrt(variance + epsilon) * gain + bias for each channel of x [n, c, ..], as x * scale + shift: in
    f32 it loses the digits by which mean is larger than the deviation. The others are [c]; mean and variance are given,
    not those of x."""
    epsilon = op._number("batch_norm", "epsilon", epsilon)
    text = f"batch_norm({x}, {mean}, {variance}, {gain}, {bias}, epsilon={op._number_text(epsilon)})"
    given, others = type_of(x), (mean, variance, gain, bias)
    compute = compute_dtype(*(_float("batch_norm", a) for a in (x, *others)))
    if given.rank < 2 or any(type_of(a).shape != given.shape[1:2] for a in others):
        raise SpecError(
            f"batch_norm expects x [n, c, ..], and mean, variance, gain and bias [c], found {given},"
            f" {', '.join(str(type_of(a)) for a in others)}"
        )
    args = x, mean, variance, gain, bias = tuple(map(once, (x, *others)))
    scale = of(
        Call("mul", (Call("rsqrt", (Call("add", (Arg(0), Const(epsilon))),)), Arg(1))), variance, gain, dtype=compute
    )
    shift = of(Call("sub", (Arg(0), Call("mul", (Arg(1), Arg(2))))), bias, mean, scale, dtype=compute)
    dims = op._dims(given.shape)
    body, every = Call("add", (Call("mul", (Arg(0), Arg(1))), Arg(2))), " ".join(dims)
    folded = nest(
        "batch_norm",
        every,
        (every, dims[1], dims[1]),
        every,
        body,
        None,
        dict(zip(dims, given.shape)),
        (x, scale, shift),
        dtype or given.dtype,
        layout,
    )
    return told(in_order(folded, args), text)


# whole numbers up to which a compute dtype holds each; of others more than there are elements
_COUNTS = {"f32": 1 << 24}


def argmax(x: Operand, axis: int | tuple[int, ...] | None = -1, dtype: str | None = None, *, layout=None) -> Spec:
    """Where the largest element along `axis` is (an int; a tuple of them, or None for all: its number among their
    elements in row-major order), as s32: of equals the first; the first NaN where there is one."""
    given = type_of(x)
    along = op._axes("argmax", given, axis) if given.rank else ()
    if not along:
        raise SpecError(f"argmax expects an axis, found none of {given}; give it one of size 1")
    text = f"argmax({x}, axis={axis if isinstance(axis, int) else op._tuple_text(along)})"
    x, compute, size = once(x), compute_dtype(given.dtype), math.prod(given.shape[axis] for axis in along)
    if size > _COUNTS.get(compute, size):
        raise SpecError(
            f"argmax expects at most {_COUNTS[compute]} elements of {given.dtype} along its axes, found {size}; cast"
            f" first: cast({given}) -> {replace(given, dtype='f64', constant=False)}"
        )
    place, counted = _places(given, along, compute)
    at_most: Expr = Call("where", (Call("eq", (Arg(0), Arg(1))), place, Const(size)))
    if dtype_row(given.dtype).kind == "float":
        at_most = Call("where", (Call("eq", (Arg(0), Arg(0))), at_most, place))
    places = of(at_most, x, op.max(x, axis=along, keepdims=True), *counted, dtype=compute)
    return told(op.min(places, axis=along, dtype=dtype or "s32", layout=layout), text)


def _places(x: TensorType, along: tuple[int, ...], compute: str) -> tuple[Expr, tuple[Spec, ...]]:
    """The numbers of the elements of x along some axes, as an expression over what counts them, Arg(2) on: a dynamic
    axis is the slowest of one count, which another, of the axes before it, is times the length of."""
    dynamic = next((axis for axis in x.dynamic_axes if axis in along), None)
    first = along[0] if dynamic is None else dynamic
    count = lambda axes, slowest: op.iota(
        tuple(n if j in axes else 1 for j, n in enumerate(x.shape))[axes[0] :], compute, slowest
    )
    before, behind = (tuple(axis for axis in along if (axis < first) == is_before) for is_before in (True, False))
    counted = count(behind, None if dynamic is None else 0)
    if not before:
        return Arg(2), (counted,)
    return Call("add", (Call("mul", (Arg(3), of_count(x, behind))), Arg(2))), (counted, count(before, None))


def mean(
    x: Operand,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    dtype: str | None = None,
    *,
    layout=None,
) -> Spec:
    """The mean over `axis` (an int, a tuple; None: all). Integers are summed exactly, in s32 or, where that might wrap,
    in s64, then divided: towards zero where the result is of integers too, as it is unless `dtype` says else."""
    given = type_of(x)
    result, axes = dtype or given.dtype, op._axes("mean", given, axis)
    if dtype_row(given.dtype).kind == "float":
        return op.mean(x, axis, keepdims, dtype, layout=layout)
    most, largest = math.prod(given.shape[axis] for axis in axes), max(map(abs, limits(given.dtype)))
    total = op.total(x, axis, keepdims, "s32" if most * largest < 1 << 31 else "s64")
    text = total.text.rpartition(" -> ")[0]
    if dtype_row(result).kind == "float":
        total = op.cast(total, compute_dtype(result))
    return told(of(Call("div", (Arg(0), of_count(given, axes))), total, dtype=result, layout=layout), text)


def _contraction(
    name: str,
    dims: str,
    inputs: tuple[str, str],
    output: str,
    sizes: tuple[int, ...],
    args: tuple[Operand, ...],
    dtype: str,
    layout=None,
) -> Spec:
    """A sum of products over the dimensions that `output` lacks; dims g of size 1 are left out."""
    size = dict(zip(dims.split(), sizes))
    left = " ".join(d for d in size if d != "g" or size[d] > 1)
    return nest(name, left, inputs, output, op._MUL, "add", size, args, dtype, layout, keep="m n k")


def nest(
    name: str,
    dims: str,
    inputs: tuple[str, ...],
    output: str,
    body: Expr,
    combine: str | None,
    sizes: dict[str, int],
    args: tuple[Operand, ...],
    dtype: str,
    layout=None,
    keep: str = "",
    border: Border | None = None,
) -> Spec:
    """One nest over what `args` are or give, of which the first is read with a border."""
    operation = Operation.of(name, dims, inputs, output, body, combine, keep=keep)
    if border is not None:
        operation = replace(operation, inputs=(Access.of(inputs[0], border), *operation.inputs[1:]))
    types: Any = tuple(replace(type_of(x), constant=False, name="") if isinstance(x, Spec) else x for x in args)
    shape = operation.output.shape(sizes)
    result = marked(operation, types, TensorType(dtype, shape, layout_of(len(shape), layout)))
    outer = Spec(
        operation,
        tuple(sizes[d] for d in operation.dims),
        types,
        result,
        f"{name}({', '.join(map(str, types))}) -> {result}",
    )
    return op._nested(outer, args, types) if any(isinstance(x, Spec) for x in args) else outer


FORMS: dict[str, op.Form] = {
    "softmax": op.Form(softmax, 1, ("axis",)),
    "log_softmax": op.Form(log_softmax, 1, ("axis",)),
    "layer_norm": op.Form(layer_norm, 3, ("epsilon",)),
    "rms_norm": op.Form(rms_norm, 2, ("epsilon",)),
    "argmax": op.Form(argmax, 1, ("axis",)),
    "mean": op.Form(mean, 1, ("axis", "keepdims")),
    "attention": op.Form(attention, 3, ("causal", "scale"), tensors=("mask",)),
    "rope": op.Form(rope, 3, ("interleaved",)),
    "batch_norm": op.Form(batch_norm, 5, ("epsilon",)),
}
