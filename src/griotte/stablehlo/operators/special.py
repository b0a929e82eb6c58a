"""Special functions."""

from __future__ import annotations

from ...readers import incomplete, special
from .declaring import operator


@operator("digamma")
def digamma(node, x):
    return special.digamma(node, x)


@operator("erf_inv")
def erf_inv(node, x):
    return special.erf_inv(node, x)


@operator("lgamma")
def lgamma(node, x):
    return special.lgamma(node, x)


@operator("bessel_i0e")
def bessel_i0e(node, x):
    return special.bessel_i0(node, x, scaled=True)


@operator("bessel_i1e")
def bessel_i1e(node, x):
    return special.bessel_i1(node, x, scaled=True)


@operator("regularized_incomplete_beta")
def betainc(node, a, b, x):
    return incomplete.betainc(node, a, b, x)


@operator("igamma")
def igamma(node, a, x):
    return incomplete.igamma(node, a, x)


@operator("igammac")
def igammac(node, a, x):
    return incomplete.igammac(node, a, x)
