"""Pools: what a window over an image holds at most, or in the mean."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from ...support.errors import SpecError
from ..calls.spec import Spec
from ..calls.written import Written
from ..nests.border import Border
from ..nests.operation import Access, Operation
from ..types.dtypes import compute_dtype, dtype_or
from ..types.expr import Arg, Call, Const, Expr
from ..types.tensor import TensorType
from . import operations as op
from .arguments import require_flag, require_float, require_tensor
from .language import DTypeLike, LayoutLike, Padding, Pair, TensorLike, call, forms_of
from .nesting import of, told
from .reductions import divided
from .slicing import fill_beyond
from .windows import Sides, Two, padding_text, pair, pair_said, pair_text, require_rank, sides, sides_text, slid


@call
@op._composes(1)
def max_pool2d(
    x: TensorLike,
    window: Pair = 2,
    stride: Pair = 2,
    padding: Padding = 0,
    dilation: Pair = 1,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """The largest element of each window of x; beyond x there is nothing larger than anything.

    Args:
        x: numbers [n, c, h, w].
        window: sizes of a window: one number, or a pair along h and w.
        stride: steps from window to window: one number, or a pair.
        padding: elements beyond each side, fewer than a window spans: one number, a pair, or ((top, bottom),
            (left, right)).
        dilation: steps from element to element of a window: one number, or a pair.
        dtype: of the result [n, c, h', w']; that of x where left out.

    Example:
        >>> print(gt.max_pool2d(gt.tensor((1, 3, 8, 8))))
        max_pool2d(f32[1,3,8,8], window=2, stride=2) -> f32[1,3,4,4]
    """
    x = require_tensor("max_pool2d", x)
    windows = pooled("max_pool2d", x, window, stride, padding, dilation)
    return windows.spec(x, "maximum", fill_beyond(x.dtype), dtype_or(dtype, x.dtype), layout)


@call
@op._composes(1)
def avg_pool2d(
    x: TensorLike,
    window: Pair = 2,
    stride: Pair = 2,
    padding: Padding = 0,
    count_pad: bool = True,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """The mean of each window of x; the zeros beyond x count, as in PyTorch, or they do not, as in ONNX.

    Args:
        x: floats [n, c, h, w].
        window: sizes of a window: one number, or a pair along h and w.
        stride: steps from window to window: one number, or a pair.
        padding: zeros on each side, fewer than a window spans: one number, a pair, or ((top, bottom), (left, right)).
        count_pad: whether what lies beyond x is among what a sum is divided by.
        dtype: of the result [n, c, h', w']; that of x where left out.

    Example:
        >>> print(gt.avg_pool2d(gt.tensor((1, 3, 8, 8)), window=(2, 4)))
        avg_pool2d(f32[1,3,8,8], window=(2,4), stride=2) -> f32[1,3,4,3]
    """
    x = require_tensor("avg_pool2d", x)
    require_flag("avg_pool2d", "count_pad", count_pad)
    require_float("avg_pool2d", x)
    windows = pooled("avg_pool2d", x, window, stride, padding, 1)
    counts_all = count_pad or not any(map(any, windows.reach))
    result = dtype_or(dtype, x.dtype)
    total = windows.spec(x, "add", 0.0, compute_dtype(x.dtype, result), None, ", count_pad=false" * (not count_pad))
    text = total.text
    assert isinstance(text, Written)
    if counts_all:
        mean = of(divided(Arg(0), Const(prod(windows.window))), total, dtype=result, layout=layout)
    else:
        counts = (op.iota(shape, total.output.dtype) for shape in ((windows.size[0], 1), (windows.size[1],)))
        body = Call("div", (Arg(0), Call("mul", tuple(windows.inside(axis, Arg(1 + axis)) for axis in (0, 1)))))
        mean = of(body, total, *counts, dtype=result, layout=layout)
    return told(mean, text)


@dataclass(frozen=True)
class PoolWindows:
    """Windows that slide over an image: their numbers along h and w, how many places they have, and what they reach
    before and beyond x."""

    name: str
    image: Two
    window: Two
    stride: Two
    padding: Sides
    dilation: Two
    size: Two
    reach: Sides

    def spec(
        self, x: TensorType, combine: str, fill: float, dtype: str, layout: LayoutLike | None, rest: str = ""
    ) -> Spec:
        """What `combine` makes of the elements of each window."""
        (s, t), (d, e), front = self.stride, self.dilation, x.shape[:2]
        access = Access.of(f"n c y*{s}+i*{d} x*{t}+j*{e}", Border(((0, 0), (0, 0), *self.reach), fill))
        nest = Operation(self.name, tuple("ncyxij"), (access,), Access.of("n c y x"), Arg(0), combine)
        numbers = f", window={pair_text(self.window)}, stride={pair_text(self.stride)}{padding_text(self.padding)}"
        numbers += pair_said("dilation", self.dilation, 1) + rest
        result = op._result((*front, *self.size), dtype, layout)
        return op._spec(nest, (*front, *self.size, *self.window), (x,), result, self.name, numbers)

    def inside(self, axis: int, place: Expr) -> Expr:
        """How many elements of x a window without steps has along an axis at a place."""
        window, stride, before = self.window[axis], self.stride[axis], self.padding[axis][0]
        first = Call("sub", (Call("mul", (place, Const(stride))), Const(before)))
        end = Call("minimum", (Call("add", (first, Const(window))), Const(self.image[axis])))
        return Call("sub", (end, Call("maximum", (first, Const(0)))))


def pooled(name: str, x: TensorType, window: Pair, stride: Pair, padding: Padding, dilation: Pair) -> PoolWindows:
    """The windows of a pool; SpecError where they do not fit."""
    require_rank(name, x, "[n, c, h, w]")
    window = pair(name, "window", window, 1)
    stride, padding, dilation = (
        pair(name, "stride", stride, 1),
        sides(name, padding),
        pair(name, "dilation", dilation, 1),
    )
    if any(max(p) > (k - 1) * d for p, k, d in zip(padding, window, dilation)):
        raise SpecError(
            f"{name} expects less padding than a window spans, found padding = {sides_text(padding)} and window ="
            f" {pair_text(window)}; more would give windows without an element"
        )
    size, reach = slid(name, x, window, stride, padding, dilation)
    return PoolWindows(name, (x.shape[2], x.shape[3]), window, stride, padding, dilation, size, reach)


FORMS = forms_of(max_pool2d, avg_pool2d)
