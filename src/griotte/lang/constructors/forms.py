"""Every call of the language: how it is written, and its constructor."""

from __future__ import annotations

from types import ModuleType

from ..functions import COMBINERS, FUNCTIONS
from . import (
    arithmetic,
    attention,
    composites,
    elementwise,
    norms,
    operations,
    picking,
    quantised,
    quantised_products,
    reductions,
    resizing,
    slicing,
    transposed,
    windows,
)
from .language import Form


def _of(module: ModuleType, *names: str) -> dict[str, Form]:
    return {name: Form.of(getattr(module, name)) for each in names for name in each.split()}


ELEMENTWISE = _of(
    elementwise,
    "neg abs round exp log sqrt rsqrt tanh erf sigmoid relu gelu silu",
    "add sub mul div maximum minimum where",
)
ARITHMETIC = _of(
    arithmetic,
    "floor ceil sign reciprocal sin cos asin acos atan log1p expm1 power fmod mod",
    "bitwise_and bitwise_or bitwise_xor",
)
COMPARISONS = _of(
    elementwise,
    "equal not_equal less less_equal greater greater_equal",
    "logical_and logical_or logical_xor logical_not",
)
ACTIVATIONS = _of(arithmetic, "clip leaky_relu prelu elu softplus hard_sigmoid hard_swish")
REDUCTIONS = _of(reductions, "sum max min prod")
FORMS: dict[str, Form] = {
    **_of(operations, "matmul copy cast transpose"),
    **ELEMENTWISE,
    **ARITHMETIC,
    **COMPARISONS,
    **ACTIVATIONS,
    **REDUCTIONS,
    **_of(composites, "softmax log_softmax"),
    **_of(norms, "layer_norm rms_norm"),
    **_of(composites, "argmax mean"),
    **_of(norms, "batch_norm"),
    **_of(attention, "attention rope"),
    **_of(picking, "take"),
    **_of(quantised, "quantize dequantize requantize"),
    **_of(quantised_products, "qmatmul qconv2d"),
    **_of(quantised, "group_matmul"),
    **_of(operations, "broadcast reshape"),
    **_of(windows, "conv2d max_pool2d avg_pool2d"),
    **_of(slicing, "slice concat"),
    **_of(transposed, "conv_transpose2d"),
    **_of(norms, "group_norm instance_norm lrn"),
    **_of(picking, "pad"),
    **_of(resizing, "resize"),
    **_of(reductions, "cumsum"),
}
"""The calls that are written out, with help and types, in the order in which they are listed before people."""


def forms() -> dict[str, Form]:
    """Those, and the calls that declared functions and combiners ask for (`functions.declare`)."""
    own = {f.name: elementwise.declared(f) for f in FUNCTIONS.values() if f.is_call}
    own |= {c.call: reductions.declared(c) for c in COMBINERS.values() if c.call}
    return FORMS | {name: form for name, form in own.items() if name not in FORMS}


def form_of(name: str) -> Form | None:
    """How a call is written; None where there is none of that name."""
    return FORMS.get(name) or forms().get(name)


__all__ = ["FORMS", "Form", "form_of", "forms"]
