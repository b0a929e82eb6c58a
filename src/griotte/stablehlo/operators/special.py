"""Special functions."""

from __future__ import annotations

from ...operators import incomplete, special
from ...readers.tables import OperatorTable


def digamma(x):
    return special.digamma(x)


def erf_inv(x):
    return special.erf_inv(x)


def lgamma(x):
    return special.lgamma(x)


def bessel_i0e(x):
    return special.bessel_i0(x, scaled=True)


def bessel_i1e(x):
    return special.bessel_i1(x, scaled=True)


def betainc(a, b, x):
    return incomplete.betainc(a, b, x)


def igamma(a, x):
    return incomplete.igamma(a, x)


def igammac(a, x):
    return incomplete.igammac(a, x)


FUNCTIONS: OperatorTable = (
    ("digamma", digamma),
    ("erf_inv", erf_inv),
    ("lgamma", lgamma),
    ("bessel_i0e", bessel_i0e),
    ("bessel_i1e", bessel_i1e),
    ("regularized_incomplete_beta", betainc),
    ("igamma", igamma),
    ("igammac", igammac),
)
