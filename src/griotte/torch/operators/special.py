"""Special functions, of integers in the dtype of the result."""

from __future__ import annotations

from functools import partial

from ...operators.special import bessel_i0, bessel_i1, digamma, erf_inv, lgamma, polygamma
from ...readers.tables import OperatorTable
from .activations import in_own_dtype


def polygamma_of(node, n, x):
    return polygamma(n, x.astype(node.dtype_given))


OPERATORS: OperatorTable = (
    ("digamma", in_own_dtype(digamma)),
    ("erfinv", in_own_dtype(erf_inv)),
    ("i0 special_modified_bessel_i0", in_own_dtype(bessel_i0)),
    ("lgamma", in_own_dtype(lgamma)),
    ("polygamma", polygamma_of),
    ("special_i0e", in_own_dtype(partial(bessel_i0, scaled=True))),
    ("special_i1 special_modified_bessel_i1", in_own_dtype(bessel_i1)),
    ("special_i1e", in_own_dtype(partial(bessel_i1, scaled=True))),
)
