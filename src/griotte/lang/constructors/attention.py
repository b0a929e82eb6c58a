"""Attention and its companions in networks: masks, rotations by place.

attention(q, k, v) = softmax(scale * q k') v, head by head"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ...support.errors import SpecError
from ..calls.compose import in_order, loosened
from ..calls.spec import Spec
from ..nests.operation import Operation
from ..types.dtypes import compute_dtype, dtype_or
from ..types.dtypes import dtype as dtype_row
from ..types.expr import PRODUCT, SIZE, WEIGHED, Arg, Const, Expr, OfSize, apply
from ..types.tensor import TensorType
from .composites import softmax_over
from .language import DTypeLike, LayoutLike, TensorLike, broadcasts_to, call, require_finite, require_flag
from .nesting import (
    ResultType,
    as_call,
    compute_of,
    contraction,
    dims_of,
    index_of,
    iota,
    nest,
    one_input,
    type_of,
    widest,
)


@call
def attention(
    q: TensorLike,
    k: TensorLike,
    v: TensorLike,
    causal: bool = False,
    scale: float | None = None,
    guarded: bool = True,
    dtype: DTypeLike | None = None,
    *,
    mask: TensorLike | None = None,
    layout: LayoutLike | None = None,
) -> Spec:
    """softmax(scale * q k') v, head by head.

    A query that sees no key gives 0, or NaN where it is not `guarded`; of what a mask hides from it nothing counts, NaN
    and infinities neither.

    Args:
        q: floats [..., h, s, d]: of h heads s queries.
        k: floats [..., hk, t, d]: t keys; h / hk heads of q share a head of k and v.
        v: floats [..., hk, t, e].
        causal: whether query i sees the keys up to i + t - s alone; the last one sees all.
        scale: of the scores; 1 / sqrt(d) where left out.
        guarded: whether a query that sees no key gives 0, and not NaN as a softmax of -inf alone.
        dtype: of the result [..., h, s, e]; the widest of the operands' where left out.
        mask: of a shape that broadcasts to [..., h, s, t]; pred holds where a query sees a key, floats are added to
            scale * q k'.

    Examples:
        >>> q, k = gt.tensor((2, 4, 8)), gt.tensor((2, 6, 8))
        >>> print(gt.attention(q, k, k, causal=True))
        attention(f32[2,4,8], f32[2,6,8], f32[2,6,8], causal=true) -> f32[2,4,8]
    """
    require_flag("attention", "causal", causal)
    require_flag("attention", "guarded", guarded)
    scale = None if scale is None else require_finite("attention", "scale", scale)
    if mask is not None:
        given = q, k, v, mask = one_input(q), one_input(k), one_input(v), one_input(mask)
    made = _attention(q, k, v, AttentionScores(causal, scale, guarded, mask), ResultType(dtype, layout))
    made = made if mask is None else in_order(made, given)
    return as_call(made, "attention", causal=causal or None, scale=scale, guarded=None if guarded else False)


@dataclass(frozen=True)
class AttentionScores:
    """What attention does with its scores: arguments of `attention`."""

    causal: bool
    scale: float | None
    guarded: bool
    mask: TensorLike | None


def _attention(q: TensorLike, k: TensorLike, v: TensorLike, how: AttentionScores, result: ResultType) -> Spec:
    causal, scale, mask = how.causal, how.scale, how.mask
    (qt, kt, vt), compute = map(type_of, (q, k, v)), compute_of("attention", q)
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
    if scale is None and {qt.rank - 1} & {*qt.dynamic_axes, *kt.dynamic_axes}:
        raise SpecError(
            f"attention expects a fixed size of heads where no scale is given, which is 1 / sqrt of it, found {qt} and"
            f" {kt}; write scale= or the bound as the size"
        )
    causal = causal and qt.shape[-2] > 1  # the last query sees all
    heads = dims_of(qt.shape[:-3])
    if qt.rank - 2 in qt.dynamic_axes and kt.rank - 2 in kt.dynamic_axes and qt.shape[-2] != kt.shape[-2]:
        raise SpecError(
            f"attention expects as many queries as keys where both numbers are dynamic, found {qt} and {kt}; attend by"
            " blocks of a fixed number of queries, or write one bound"
        )
    group = qt.shape[-3] // kt.shape[-3]
    h = f"h*{group}+g" if group > 1 else "h"
    front = " ".join(heads)
    sizes = {**dict(zip(heads, qt.shape)), "h": kt.shape[-3], "g": group, "m": qt.shape[-2]}
    of_scores = {**sizes, "n": kt.shape[-2], "k": qt.shape[-1]}
    products = contraction("scores", (f"{front} {h} m k", f"{front} h n k"), f"{front} {h} m n", of_scores)
    scores = nest(products, of_scores, (q, k), compute)
    factor, along = 1 / math.sqrt(qt.shape[-1]) if scale is None else scale, (scores.output.rank - 1,)
    sees_all, own = mask is None and not causal, ResultType(qt.dtype)
    fewest = 1 if kt.rank - 2 in kt.dynamic_axes and qt.rank - 2 not in qt.dynamic_axes else kt.shape[-2]
    if sees_all or mask is None and fewest >= qt.shape[-2] and factor > 0:  # no query sees nothing
        seen = scores if sees_all else masked(scores, None, causal)
        weights = softmax_over(seen, along, own, scale=factor, divides=True)
    else:
        weights = softmax_over(masked(scores, mask, causal, factor), along, own, divides=True, empty=how.guarded)
    if qt.dtype != compute:  # divided after the product, or stored for one of q's dtype
        weights = loosened(weights)
    of_values, body = {**sizes, "n": vt.shape[-1], "k": kt.shape[-2]}, PRODUCT if sees_all else WEIGHED
    sums = contraction("weighted", (f"{front} {h} m k", f"{front} h k n"), f"{front} {h} m n", of_values, body)
    return nest(sums, of_values, (weights, v), dtype_or(result.dtype, widest(q, k, v)), result.layout)


def masked(x: TensorLike, mask: TensorLike | None, causal: bool, scale: float = 1.0) -> Spec:
    """x [..., s, t] times `scale`, plus a mask of floats, with -inf where query i may not see key j. It may not where
    a mask of pred does not hold and, if `causal`, where j > i + t - s."""
    given = type_of(x)
    compute, (s, t), dims = compute_dtype(given.dtype), given.shape[-2:], dims_of(given.shape)
    rows, columns = (given.rank - axis in given.dynamic_axes for axis in (2, 1))
    args, unseen = [x], -math.inf
    body: Expr = Arg(0) if scale == 1 else Arg(0) * scale
    if mask is not None:
        args.append(mask)
        hidden = apply("where", apply("eq", Arg(1), unseen), unseen, body + Arg(1))  # NaN stays hidden
        body = apply("where", Arg(1), body, unseen) if _is_pred_mask(given, mask) else hidden
    if causal:
        i, j = len(args), len(args) + 1
        args += [iota((s, 1), compute, 0 if rows else None), iota((t,), compute, 0 if columns else None)]
        offset = OfSize(t - SIZE if rows else SIZE - s) if rows != columns else Const(t - s)
        body = apply("where", Arg(j) <= Arg(i) + offset, body, unseen)
    inputs, every = tuple(index_of(type_of(a).shape, given.shape, dims) for a in args), " ".join(dims)
    sizes = dict(zip(dims, given.shape))
    return nest(Operation.of("masked", every, inputs, every, body), sizes, tuple(args), compute)


def _is_pred_mask(scores: TensorType, mask: TensorLike) -> bool:
    """Whether a mask says where scores count; else it is added to them."""
    given = type_of(mask)
    if given.dtype != "pred" and dtype_row(given.dtype).kind != "float":
        raise SpecError(
            f"attention expects a mask of pred or of floats, found {given}; cast first: cast({given}) ->"
            f" {replace(given, dtype='pred', constant=False)}"
        )
    if not broadcasts_to(given.shape, scores.shape):
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

    Examples:
        >>> print(gt.rope(gt.tensor((8, 4)), gt.tensor((8, 2)), gt.tensor((8, 2))))
        rope(f32[8,4], f32[8,2], f32[8,2]) -> f32[8,4]
    """
    require_flag("rope", "interleaved", interleaved)
    xt, ct, st = map(type_of, (x, cos, sin))
    compute = compute_dtype(*(compute_of("rope", a) for a in (x, cos, sin)))
    if xt.rank < 2 or xt.shape[-1] % 2:
        raise SpecError(f"rope expects x [..., s, d] with d even, cos and sin [s, d/2], found {xt}")
    if not ct.shape == st.shape == (xt.shape[-2], xt.shape[-1] // 2):
        raise SpecError(
            f"rope expects of x {xt} cos and sin [s, d/2] = {[xt.shape[-2], xt.shape[-1] // 2]}, found {ct} and {st}"
        )
    front, half = dims_of(xt.shape[:-2]), xt.shape[-1] // 2
    f, of_pair = " ".join(front), (lambda side: f"j*2+{side}") if interleaved else (lambda side: f"{side}*{half}+j")
    sizes = dict(zip(front, xt.shape)) | {"s": xt.shape[-2], "g": 2, "h": 2, "j": half}
    # what of side h side g has: cos, sin or -sin
    share = apply("where", apply("eq", Arg(2), Arg(3)), Arg(0), (Arg(2) - Arg(3)) * Arg(1))
    signed = Operation.of("turns", "s g h j", ("s j", "s j", "g", "h"), "s g h j", share)
    turns = nest(signed, sizes, (cos, sin, iota((2,), compute), iota((2,), compute)), compute)
    inputs = f"{f} s {of_pair('h')}", "s g h j"
    sums = Operation.of("rope", f"{f} s g h j", inputs, f"{f} s {of_pair('g')}", PRODUCT, "add")
    turned = nest(sums, sizes, (x, turns), dtype_or(dtype, xt.dtype), layout)
    return as_call(turned, "rope", interleaved=interleaved or None)
