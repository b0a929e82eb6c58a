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

import numpy as np

from ..errors import SpecError
from . import elementwise, reductions
from . import operations as op
from .compose import in_order, loosened, renamed
from .dtypes import compute_dtype, dtype_or, limits, promote
from .dtypes import dtype as dtype_row
from .dynamic import of_count
from .expr import SIZE, WEIGHED, Arg, Call, Const, Expr, OfSize
from .language import Axes, DTypeLike, LayoutLike, TensorLike, call
from .operation import Access, Border, Operation
from .spec import Spec, part
from .tensor import FRESH, TensorType, layout_of
from .written import Written

_FRESH = itertools.count()


def once(x: TensorLike) -> TensorLike:
    """An operand that several calls may take, and that stays one input."""
    return replace(x, name=f"{FRESH}{next(_FRESH)}") if isinstance(x, TensorType) and not x.name else x


def type_of(x: TensorLike) -> TensorType:
    return x.output if isinstance(x, Spec) else x


def said(name: str, *operands: TensorLike | int, rest: str = "", **named: TensorLike | None) -> Written:
    """A call as it is written: `name(operands, rest, named)`."""
    by_name = tuple((key, part(x)) for key, x in named.items() if x is not None)
    return Written(name, tuple(map(part, operands)), rest, by_name)


def told(spec: Spec, call: Written) -> Spec:
    """`spec`, written as the call that it is."""
    return renamed(spec, replace(call, result=spec.output))


def of(body: Expr, *args: TensorLike, dtype: DTypeLike | None = None, layout: LayoutLike | None = None) -> Spec:
    """A map with this body."""
    return op._map("map", body, args, dtype, layout)


def _float(name: str, x: TensorLike) -> str:
    """The compute dtype of an operand of floats."""
    op.require_float(name, x)
    return compute_dtype(type_of(x).dtype)


def _along(name: str, x: TensorLike, axis: Axes | None) -> tuple[int, ...]:
    """The axes that `axis` means, of a tensor that has some."""
    given = type_of(x)
    found = op._axes(name, given, axis) if given.rank else ()
    if not found:
        raise SpecError(f"{name} expects an axis, found none of {given}; give it one of size 1")
    return found


def _axis_text(axis: Axes | None, along: tuple[int, ...]) -> str:
    return str(axis) if isinstance(axis, int) else op._tuple_text(along)


def _require_rows(name: str, x: TensorLike, *others: TensorLike) -> None:
    """That the others broadcast against x, so that a refusal names what was given and none of the calls that come of
    it."""
    types = [type_of(each) for each in (x, *others)]
    op._broadcast(name, types, [each.shape for each in types])


def _wider(*operands: TensorLike) -> str:
    """The dtype of a result that is not told: the widest of these."""
    return reduce(promote, (type_of(operand).dtype for operand in operands))


@call
def softmax(
    x: TensorLike, axis: Axes | None = -1, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """exp(x - max(x)) / sum(exp(x - max(x))) along `axis`.

    Elements that are all -inf give NaN, as in NumPy, PyTorch and JAX.

    Args:
        x: floats, of any shape but a scalar's.
        axis: an axis, from the last where negative, or a tuple of them; None: all.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.softmax(gt.tensor((8, 4))))
        softmax(f32[8,4], axis=-1) -> f32[8,4]
    """
    along = _along("softmax", x, axis)
    text = said("softmax", x, rest=f", axis={_axis_text(axis, along)}")
    return told(_softmax(x, along, dtype, layout), text)


def _softmax(
    x: TensorLike,
    along: tuple[int, ...],
    dtype: DTypeLike | None,
    layout: LayoutLike | None = None,
    scale: float = 1.0,
    divides: bool = False,
    empty: bool = False,
) -> Spec:
    """The softmax of x times `scale`: of the smallest of x where that is negative, its largest else. One division a
    row; `divides`: each element, which what multiplies them leaves to its own result (Factor). `empty`: a row of -inf
    alone gives 0."""
    x, compute = once(x), _float("softmax", x)
    shifted = Call("sub", (Arg(0), Call("maximum", (Arg(1), Const(_lowest(compute)))) if empty else Arg(1)))
    body = shifted if scale == 1 else Call("mul", (shifted, Const(scale)))
    e = of(
        Call("exp", (body,)),
        x,
        (reductions.max if scale >= 0 else reductions.min)(x, axis=along, keepdims=True),
        dtype=compute,
    )
    total, result = reductions.sum(e, axis=along, keepdims=True), dtype_or(dtype, type_of(x).dtype)
    if empty:  # a row with an element has a total of 1 or more
        return of(Call("div", (Arg(0), Call("maximum", (Arg(1), Const(0.5))))), e, total, dtype=result, layout=layout)
    if divides:
        return elementwise.div(e, total, dtype=result, layout=layout)
    return elementwise.mul(e, of(Call("div", (Const(1.0), Arg(0))), total), dtype=result, layout=layout)


def _lowest(compute: str) -> float:
    return float(np.finfo(dtype_row(compute).numpy).min)


@call
def log_softmax(
    x: TensorLike, axis: Axes | None = -1, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """The logarithm of `softmax`, x - max(x) - log(sum(exp(x - max(x)))), along `axis`.

    Args:
        x: floats, of any shape but a scalar's.
        axis: an axis, from the last where negative, or a tuple of them; None: all.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.log_softmax(gt.tensor((8, 4)), axis=0))
        log_softmax(f32[8,4], axis=0) -> f32[8,4]
    """
    along = _along("log_softmax", x, axis)
    text = said("log_softmax", x, rest=f", axis={_axis_text(axis, along)}")
    x, compute = once(x), _float("log_softmax", x)
    shifted = elementwise.sub(x, reductions.max(x, axis=along, keepdims=True), dtype=compute)
    total = reductions.sum(elementwise.exp(shifted), axis=along, keepdims=True)
    result = dtype_or(dtype, type_of(x).dtype)
    return told(elementwise.sub(shifted, elementwise.log(total), dtype=result, layout=layout), text)


@call
def layer_norm(
    x: TensorLike,
    gain: TensorLike,
    bias: TensorLike,
    epsilon: float = 1e-5,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """(x - mean(x)) * rsqrt(variance(x) + epsilon) * gain + bias over the last axis.

    The variance is that of the row itself, not the estimate of a sample's.

    Args:
        x: floats [..., d].
        gain: floats that broadcast with x, such as [d].
        bias: likewise.
        epsilon: what is added to the variance.
        dtype: of the result; the widest of the operands' where left out.

    Example:
        >>> print(gt.layer_norm(gt.tensor((8, 4)), gt.tensor((4,)), gt.tensor((4,))))
        layer_norm(f32[8,4], f32[4], f32[4], epsilon=1e-05) -> f32[8,4]
    """
    epsilon = op._number("layer_norm", "epsilon", epsilon)
    text = said("layer_norm", x, gain, bias, rest=f", epsilon={op._number_text(epsilon)}")
    x, compute = once(x), _float("layer_norm", x)
    _require_rows("layer_norm", x, gain, bias)
    shifted = elementwise.sub(x, _centre(x, compute), dtype=compute)
    scale = _inverse_deviation(of(Call("mul", (Arg(0), Arg(0))), shifted), type_of(x), epsilon)
    body = Call("add", (Call("mul", (Call("mul", (Arg(0), Arg(1))), Arg(2))), Arg(3)))
    return told(of(body, shifted, scale, gain, bias, dtype=dtype_or(dtype, _wider(x, gain, bias)), layout=layout), text)


def _centre(x: TensorLike, compute: str) -> Spec:
    """The means of rows [..., 1]: of what each element is beyond the first of its row, and that. So a row of one value
    has just that, and a large mean takes no digits of the sum. Sums of up to 2^16 equal numbers of 16 bits are exact
    anyway."""
    given = type_of(x)
    last = given.rank - 1
    mean = lambda total: reductions.quotient(total, given, (last,))
    if last in given.dynamic_axes or dtype_row(given.dtype).bits <= 16 or given.shape[last] == 1:
        return of(mean(Arg(0)), reductions.sum(x, axis=-1, keepdims=True, dtype=compute), dtype=compute)
    beyond = reductions.sum(elementwise.sub(x, _firsts(x), dtype=compute), axis=-1, keepdims=True)
    return of(Call("add", (Arg(1), mean(Arg(0)))), beyond, _firsts(x), dtype=compute)


def _firsts(x: TensorLike) -> Spec:
    """The first element of each row [..., 1]."""
    given = type_of(x)
    dims, rest = op._dims(given.shape), 1 - given.shape[-1]
    sizes, border = {**dict(zip(dims, given.shape)), dims[-1]: 1}, Border((*((0, 0),) * (given.rank - 1), (0, rest)))
    every = " ".join(dims)
    return nest("first", every, (every,), every, Arg(0), None, sizes, (x,), given.dtype, border=border)


def _inverse_deviation(squares: Spec, x: TensorType, epsilon: float) -> Spec:
    """1 / sqrt(mean + epsilon) of the squares of rows of x."""
    mean = reductions.quotient(Arg(0), x, (x.rank - 1,))
    total = reductions.sum(squares, axis=-1, keepdims=True)
    return of(Call("rsqrt", (Call("add", (mean, Const(epsilon))),)), total)


@call
def rms_norm(
    x: TensorLike,
    gain: TensorLike,
    epsilon: float = 1e-6,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """x * rsqrt(mean(x * x) + epsilon) * gain over the last axis.

    Args:
        x: floats [..., d].
        gain: floats that broadcast with x, such as [d].
        epsilon: what is added to the mean of the squares.
        dtype: of the result; the wider of the operands' where left out.

    Example:
        >>> print(gt.rms_norm(gt.tensor((8, 4)), gt.tensor((4,))))
        rms_norm(f32[8,4], f32[4], epsilon=1e-06) -> f32[8,4]
    """
    epsilon = op._number("rms_norm", "epsilon", epsilon)
    text = said("rms_norm", x, gain, rest=f", epsilon={op._number_text(epsilon)}")
    x, compute = once(x), _float("rms_norm", x)
    _require_rows("rms_norm", x, gain)
    scale = _inverse_deviation(of(Call("mul", (Arg(0), Arg(0))), x, dtype=compute), type_of(x), epsilon)
    body = Call("mul", (Call("mul", (Arg(0), Arg(1))), Arg(2)))
    return told(of(body, x, scale, gain, dtype=dtype_or(dtype, _wider(x, gain)), layout=layout), text)


@call
def attention(
    q: TensorLike,
    k: TensorLike,
    v: TensorLike,
    causal: bool = False,
    scale: float | None = None,
    dtype: DTypeLike | None = None,
    *,
    mask: TensorLike | None = None,
    layout: LayoutLike | None = None,
) -> Spec:
    """softmax(scale * q k') v, head by head.

    A query that sees no key gives 0; of what a mask hides from it nothing counts, NaN and infinities neither.

    Args:
        q: floats [..., h, s, d]: of h heads s queries.
        k: floats [..., hk, t, d]: t keys; h / hk heads of q share a head of k and v.
        v: floats [..., hk, t, e].
        causal: whether query i sees the keys up to i + t - s alone; the last one sees all.
        scale: of the scores; 1 / sqrt(d) where left out.
        dtype: of the result [..., h, s, e]; the widest of the operands' where left out.
        mask: of a shape that broadcasts to [..., h, s, t]; pred holds where a query sees a key, floats are added to
            scale * q k'.

    Example:
        >>> q, k = gt.tensor((2, 4, 8)), gt.tensor((2, 6, 8))
        >>> print(gt.attention(q, k, k, causal=True))
        attention(f32[2,4,8], f32[2,6,8], f32[2,6,8], causal=true) -> f32[2,4,8]
    """
    op._flag("attention", "causal", causal)
    scale = None if scale is None else op._number("attention", "scale", scale)
    given_scale = "" if scale is None else f", scale={op._number_text(scale)}"
    text = said("attention", q, k, v, rest=", causal=true" * causal + given_scale, mask=mask)
    if mask is not None:
        given = q, k, v, mask = once(q), once(k), once(v), once(mask)
        return told(in_order(_attention(q, k, v, causal, scale, dtype, mask, layout), given), text)
    return told(_attention(q, k, v, causal, scale, dtype, None, layout), text)


def _attention(
    q: TensorLike,
    k: TensorLike,
    v: TensorLike,
    causal: bool,
    scale: float | None,
    dtype: DTypeLike | None,
    mask: TensorLike | None,
    layout: LayoutLike | None,
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
    factor, along = 1 / math.sqrt(qt.shape[-1]) if scale is None else scale, (scores.output.rank - 1,)
    sees_all, fewest = (
        mask is None and not causal,
        (1 if kt.rank - 2 in kt.dynamic_axes and qt.rank - 2 not in qt.dynamic_axes else kt.shape[-2]),
    )
    if sees_all or mask is None and fewest >= qt.shape[-2] and factor > 0:  # no query sees nothing
        weights = _softmax(
            scores if sees_all else masked(scores, None, causal), along, qt.dtype, scale=factor, divides=True
        )
    else:
        weights = _softmax(masked(scores, mask, causal, factor), along, qt.dtype, divides=True, empty=True)
    if qt.dtype != compute:  # divided after the product, or stored for one of q's dtype
        weights = loosened(weights)
    result = dtype_or(dtype, _wider(q, k, v))
    return _contraction(
        "weighted",
        f"{front} h g m n k",
        (f"{front} {h} m k", f"{front} h k n"),
        f"{front} {h} m n",
        (*sizes, qt.shape[-2], vt.shape[-1], kt.shape[-2]),
        (weights, v),
        result,
        layout,
        op._MUL if sees_all else WEIGHED,
    )


def masked(x: TensorLike, mask: TensorLike | None, causal: bool, scale: float = 1.0) -> Spec:
    """x [..., s, t] times `scale`, plus a mask of floats, with -inf where query i may not see key j: where one of pred
    does not hold, and, if `causal`, where j > i + t - s."""
    given = type_of(x)
    compute, (s, t), dims = compute_dtype(given.dtype), given.shape[-2:], op._dims(given.shape)
    rows, columns = (given.rank - axis in given.dynamic_axes for axis in (2, 1))
    body, args, unseen = Arg(0) if scale == 1 else Call("mul", (Arg(0), Const(scale))), [x], Const(-math.inf)
    if mask is not None:
        args.append(mask)
        hidden = Call("where", (Call("eq", (Arg(1), unseen)), unseen, Call("add", (body, Arg(1)))))  # NaN stays hidden
        body = Call("where", (Arg(1), body, unseen)) if _is_pred_mask(given, mask) else hidden
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


def _is_pred_mask(scores: TensorType, mask: TensorLike) -> bool:
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


@call
def rope(
    x: TensorLike,
    cos: TensorLike,
    sin: TensorLike,
    interleaved: bool = False,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """Pairs (u, v) of the last axis turned by angles: (u cos - v sin, v cos + u sin).

    The pairs are element j of the first half and element j of the second.

    Args:
        x: floats [..., s, d], with d even.
        cos: floats [s, d/2].
        sin: floats [s, d/2].
        interleaved: whether the pairs are elements 2 j and 2 j + 1 instead.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.rope(gt.tensor((8, 4)), gt.tensor((8, 2)), gt.tensor((8, 2))))
        rope(f32[8,4], f32[8,2], f32[8,2]) -> f32[8,4]
    """
    op._flag("rope", "interleaved", interleaved)
    text = said("rope", x, cos, sin, rest=", interleaved=true" * interleaved)
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
            dtype_or(dtype, xt.dtype),
            layout,
        ),
        text,
    )


@call
def batch_norm(
    x: TensorLike,
    mean: TensorLike,
    variance: TensorLike,
    gain: TensorLike,
    bias: TensorLike,
    epsilon: float = 1e-5,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """(x - mean) * rsqrt(variance + epsilon) * gain + bias, channel by channel.

    Mean and variance are given, not those of x. It is computed as x * scale + shift: in f32 that loses the digits by
    which the mean is larger than the deviation.

    Args:
        x: floats [n, c, ...].
        mean: floats [c].
        variance: floats [c].
        gain: floats [c].
        bias: floats [c].
        epsilon: what is added to the variance.
        dtype: of the result; that of x where left out.

    Example:
        >>> c = gt.tensor((3,))
        >>> print(gt.batch_norm(gt.tensor((1, 3, 8, 8)), c, c, c, c))
        batch_norm(f32[1,3,8,8], f32[3], f32[3], f32[3], f32[3], epsilon=1e-05) -> f32[1,3,8,8]
    """
    epsilon = op._number("batch_norm", "epsilon", epsilon)
    text = said("batch_norm", x, mean, variance, gain, bias, rest=f", epsilon={op._number_text(epsilon)}")
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
        dtype_or(dtype, given.dtype),
        layout,
    )
    return told(in_order(folded, args), text)


# whole numbers up to which a compute dtype holds each; of others more than there are elements
_COUNTS = {"f32": 1 << 24}


@call
def argmax(
    x: TensorLike,
    axis: Axes | None = -1,
    dtype: DTypeLike | None = None,
    *,
    keepdims: bool = False,
    layout: LayoutLike | None = None,
) -> Spec:
    """Where the largest element along `axis` is: of equals the first, and the first NaN where there is one.

    Args:
        x: numbers, of any shape but a scalar's.
        axis: an axis, from the last where negative; a tuple of them, or None for all, gives the number of the element
            among theirs in row-major order.
        dtype: of the result; s32 where left out.
        keepdims: whether each of these axes stays, with size 1.

    Example:
        >>> print(gt.argmax(gt.tensor((8, 4))))
        argmax(f32[8,4], axis=-1) -> s32[8]
    """
    given, along = type_of(x), _along("argmax", x, axis)
    op._flag("argmax", "keepdims", keepdims)
    text = said("argmax", x, rest=f", axis={_axis_text(axis, along)}{', keepdims=true' * keepdims}")
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
    places = of(at_most, x, reductions.max(x, axis=along, keepdims=True), *counted, dtype=compute)
    first = reductions.min(places, axis=along, keepdims=keepdims, dtype=dtype_or(dtype, "s32"), layout=layout)
    return told(first, text)


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


@call
def mean(
    x: TensorLike,
    axis: Axes | None = None,
    keepdims: bool = False,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """The mean of the elements along `axis`.

    The sum is taken first, and may overflow where the mean would not. That of integers is exact; a mean that is an
    integer too is cut off towards 0.

    Args:
        x: numbers, of any shape.
        axis: an axis, from the last where negative, or a tuple of them; None: all.
        keepdims: whether each of these axes stays, with size 1.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.mean(gt.tensor((8, 4)), axis=0))
        mean(f32[8,4], axis=0) -> f32[4]
    """
    given = type_of(x)
    result, axes = dtype_or(dtype, given.dtype), op._axes("mean", given, axis)
    if dtype_row(given.dtype).kind == "float":
        total = reductions.dividend(x, axis, keepdims, compute_dtype(given.dtype, result))
        text = total.text
        assert isinstance(text, Written)
        return told(of(reductions.quotient(Arg(0), given, axes), total, dtype=result, layout=layout), text)
    most, largest = math.prod(given.shape[axis] for axis in axes), max(map(abs, limits(given.dtype)))
    wide = "u64" if given.dtype == "u64" else "s64"
    total = reductions.dividend(x, axis, keepdims, "s32" if most * largest < 1 << 31 else wide)
    text = total.text
    assert isinstance(text, Written)
    if dtype_row(result).kind == "float":
        total = op.cast(total, compute_dtype(result))
    return told(of(Call("div", (Arg(0), of_count(given, axes))), total, dtype=result, layout=layout), text)


def _contraction(
    name: str,
    dims: str,
    inputs: tuple[str, str],
    output: str,
    sizes: tuple[int, ...],
    args: tuple[TensorLike, ...],
    dtype: str,
    layout: LayoutLike | None = None,
    body: Expr = op._MUL,
) -> Spec:
    """A sum of products over the dimensions that `output` lacks; dims g of size 1 are left out."""
    size = dict(zip(dims.split(), sizes))
    left = " ".join(d for d in size if d != "g" or size[d] > 1)
    return nest(name, left, inputs, output, body, "add", size, args, dtype, layout, keep="m n k")


def nest(
    name: str,
    dims: str,
    inputs: tuple[str, ...],
    output: str,
    body: Expr,
    combine: str | None,
    sizes: dict[str, int],
    args: tuple[TensorLike, ...],
    dtype: str,
    layout: LayoutLike | None = None,
    keep: str = "",
    border: Border | None = None,
) -> Spec:
    """One nest over what `args` are or give, of which the first is read with a border."""
    operation = Operation.of(name, dims, inputs, output, body, combine, keep=keep)
    if border is not None:
        operation = replace(operation, inputs=(Access.of(inputs[0], border), *operation.inputs[1:]))

    def of_types(*types: TensorType) -> Spec:
        shape = operation.output.shape(sizes)
        result = TensorType(dtype, shape, layout_of(len(shape), layout))
        return op._spec(operation, tuple(sizes[d] for d in operation.dims), types, result, name)

    types = [x for x in args if isinstance(x, TensorType)]
    return of_types(*types) if len(types) == len(args) else op.over(args, of_types)


FORMS: dict[str, op.Form] = {
    "softmax": op.Form(softmax, 1, ("axis",)),
    "log_softmax": op.Form(log_softmax, 1, ("axis",)),
    "layer_norm": op.Form(layer_norm, 3, ("epsilon",)),
    "rms_norm": op.Form(rms_norm, 2, ("epsilon",)),
    "argmax": op.Form(argmax, 1, ("axis", "keepdims")),
    "mean": op.Form(mean, 1, ("axis", "keepdims")),
    "attention": op.Form(attention, 3, ("causal", "scale"), tensors=("mask",)),
    "rope": op.Form(rope, 3, ("interleaved",)),
    "batch_norm": op.Form(batch_norm, 5, ("epsilon",)),
}
