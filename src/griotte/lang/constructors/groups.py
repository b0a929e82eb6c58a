"""Products with weights of few bits that have a scale for each group.

group_matmul(x, w, scales)[m, n] = sum over g of scales[n, g] * (sum over s of x[m, g, s] * w[n, g, s])"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from ...support.errors import SpecError
from ..calls.spec import Spec
from ..nests.operation import Operation
from ..types.dtypes import dtype_or
from ..types.expr import Const, Expr
from . import operations as op
from .language import DTypeLike, LayoutLike, TensorLike, call, forms_of
from .nesting import nest, of, once, said, told, type_of
from .quantised import X, applied, require_narrow, require_scale


@call
def group_matmul(
    x: TensorLike,
    w: TensorLike,
    scales: TensorLike,
    activations: str = "",
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """A product with weights that have a scale for each group of s along k, in f32.

    y[m, n] = sum over g of scales[n, g] * (sum over s' < s of x[m, g s + s'] * w[n, g, s']).

    Args:
        x: f32, bf16 or f16 [..., m, k], with k = g s.
        w: s8, u8 or s4 [n, g, s].
        scales: f32, bf16 or f16 [n, g].
        activations: "s8": each group of x is first quantised, to round(127 x / max|x|), half to even, with a scale of
            its own, max|x| / 127. "s24": likewise to whole numbers of 24 bits, the scale being max|x| / 8.2e6: about as
            exact as f32 holds the largest of the group. "": x is taken as it is.
        dtype: of the result [..., m, n]; that of x where left out.

    Example:
        >>> print(gt.group_matmul(gt.tensor((1, 64)), gt.tensor((8, 2, 32), "s4"), gt.tensor((8, 2))))
        group_matmul(f32[1,64], s4[8,2,32], f32[8,2]) -> f32[1,8]
    """
    text = said("group_matmul", x, w, scales, rest=f", activations={activations}" if activations else "")
    xt, wt, st = map(type_of, (x, w, scales))
    require_narrow("group_matmul", "weights", w)
    require_scale("group_matmul", x, what="activations")
    require_scale("group_matmul", scales)
    if activations and activations not in _WHOLE:
        raise SpecError(f"group_matmul expects activations to be s8, s24, or left out, found {activations}")
    if xt.rank < 2 or wt.rank != 3 or st.shape != wt.shape[:2] or xt.shape[-1] != wt.shape[1] * wt.shape[2]:
        raise SpecError(
            f"group_matmul expects x [..., m, g s], w [n, g, s] and scales [n, g], found {xt}, {wt} and {st}"
        )
    front, (n, groups, size) = op._dims(xt.shape[:-2]), wt.shape
    b, sizes, result = (
        " ".join(front),
        dict(zip(front, xt.shape)) | {"m": xt.shape[-2], "n": n, "g": groups, "s": size},
        dtype_or(dtype, xt.dtype),
    )
    read = f"{b} m g*{size}+s"
    if not activations:
        product = applied("mul", applied("mul", X[0], X[1]), X[2])
        return told(
            nest(
                replace(
                    Operation.of("group_matmul", f"{b} m n g s", (read, "n g s", "n g"), f"{b} m n", product, "add"),
                    keep=("n",),
                ),
                sizes,
                (x, w, scales),
                result,
                layout,
            ),
            text,
        )
    x, given = once(x), _WHOLE[activations]
    largest = nest(
        Operation.of("largest", f"{b} m g s", (read,), f"{b} m g", applied("abs", X[0]), "maximum"), sizes, (x,), "f32"
    )
    own = of(given.own, largest, dtype="f32")
    whole = nest(
        Operation.of(
            "quantize", f"{b} m g s", (read, f"{b} m g"), f"{b} m g s", applied("round", applied("div", *X[:2]))
        ),
        sizes,
        (x, own),
        given.dtype,
    )
    inputs = (f"{b} m g s", "n g s", "n g", f"{b} m g")
    return told(
        nest(
            replace(
                Operation.of("group_matmul", f"{b} m n g s", inputs, f"{b} m n", given.product, "add"), keep=("n",)
            ),
            sizes,
            (whole, w, scales, own),
            result,
            layout,
        ),
        text,
    )


class WholeNumbers(NamedTuple):
    """Activations as whole numbers: their dtype, the scale of a group by its largest, what a product adds."""

    dtype: str
    own: Expr
    product: Expr


def _product(x: Expr) -> Expr:
    return applied("mul", applied("mul", applied("mul", x, X[1]), X[2]), X[3])


_STEPS = 8_200_000  # from 0 to the largest of a group


_BOUND = 8_300_000  # beyond which nothing is: kernels hold these numbers in three signed bytes


_LEAST = 2.0**-126  # the smallest normal: a smaller scale would have few bits


_WHOLE = {
    "s8": WholeNumbers("s8", applied("mul", X[0], Const(1 / 127)), _product(X[0])),
    "s24": WholeNumbers(
        "s32",
        applied("maximum", applied("mul", X[0], Const(1 / _STEPS)), Const(_LEAST)),
        _product(applied("maximum", applied("minimum", X[0], Const(_BOUND)), Const(-_BOUND))),
    ),
}


FORMS = forms_of(group_matmul)
