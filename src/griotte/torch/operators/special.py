"""Special functions."""

from __future__ import annotations

from functools import partial

from ...readers import special
from .declaring import OPERATORS, operator

FUNCTIONS = {
    "digamma": special.digamma,
    "erfinv": special.erf_inv,
    "i0": special.bessel_i0,
    "lgamma": special.lgamma,
    "special_i0e": partial(special.bessel_i0, scaled=True),
    "special_i1": special.bessel_i1,
    "special_i1e": partial(special.bessel_i1, scaled=True),
    "special_modified_bessel_i0": special.bessel_i0,
    "special_modified_bessel_i1": special.bessel_i1,
}
"""Of integers in the dtype of the result."""
OPERATORS |= {
    f"{name}.default": lambda node, x, f=function: f(node, node.cast(x, node.dtype_given))
    for name, function in FUNCTIONS.items()
}


@operator("polygamma")
def polygamma(node, n, x):
    return special.polygamma(node, n, node.cast(x, node.dtype_given))
