"""The incomplete beta and gamma functions, of floats of 32 bits, those of 16 through them: fractions and series of a
known number of terms, summed from the last one, and for gamma functions of large order an integral."""

from __future__ import annotations

from functools import reduce
from math import inf, nan, pi
from operator import or_

import numpy as np

from .array import exp, log, log1p, maximum, minimum, sqrt, where
from .kinds import in_f32
from .special import lgamma, require_f32
from .turning import turned

BETA_TERMS = 99  # pairs of them: XLA ends there as well
GAMMA_TERMS = 40
LARGE = 20.0  # orders from which a gamma function is an integral
POINTS = 15  # of it


def _chosen(found, *cases):
    """A result, or a number where a condition holds, of several the last one."""
    for condition, number in cases:
        found = where(condition, found.of(np.float32(number)), found)
    return found


def _whole(*arrays):
    """Arrays of the shape that they have together."""
    shape = np.broadcast_shapes(*(x.shape for x in arrays))
    return [x.broadcast_to(shape) for x in arrays]


@in_f32
def betainc(a, b, x):
    """The regularized incomplete beta function, by the continued fraction of https://dlmf.nist.gov/8.17.E22: of x below
    (a + 1) / (a + b + 2), of which others are mirrored to such."""
    require_f32(x)
    a, b, x = _whole(a, b, x)
    both = a + b
    is_near = x < (a + 1.0) / (both + 2.0)
    p, q = where(is_near, a, b), where(is_near, b, a)
    z = where(is_near, x, 1.0 - x)
    found = _beta_factor(p, q, z) / _beta_fraction(p, q, z)
    found = where(is_near, found, 1.0 - found)
    no_a, no_b = ((one == 0.0) | (other == inf) for one, other in ((a, b), (b, a)))
    at_first, at_last = (x == 0.0), (x == 1.0)
    beyond = [each < 0.0 for each in (a, b, x)] + [x > 1.0]
    return _chosen(
        found,
        (no_b & (x < 1.0) | no_a & at_first, 0.0),
        (no_a & (x > 0.0) | no_b & at_last, 1.0),
        (reduce(or_, [*beyond, no_a & no_b, *(each != each for each in (a, b, x))]), nan),
    )


def _beta_factor(p, q, z):
    """z^p (1 - z)^q / (p B(p, q))."""
    without = lgamma(q) - lgamma(p + q)
    power = log1p(-z) * q
    exponent = log(z) * p + power
    usual = exp(exponent - (lgamma(p) + without))
    tiny = exp(power - without)  # p * gamma(p) is 1 there
    is_tiny = p < 2 * float(np.finfo(np.float32).tiny)
    return where(is_tiny, tiny, usual / p)


def _beta_fraction(p, q, z):
    """1 + d1 / (1 + d2 / (1 + ..."""

    def step(state, parts):
        (found,), (m, twice) = state, parts
        at, sum = p + twice, p + q + m
        odd = (p + m) * sum * z
        odd = odd / (at * (at + 1.0))
        even = m * (q - m) * z
        even = even / ((at - 1.0) * at)
        inner = 1.0 - odd / found
        return [even / inner + 1.0], []

    numbers = np.arange(BETA_TERMS, 0, -1, dtype=np.float32)
    first = p.of(np.float32(1)).broadcast_to(z.shape)
    (found,) = turned(BETA_TERMS, [first], [(numbers, False), (2 * numbers, False)], step)
    first = (p + q) * z / (p + 1.0)
    return 1.0 - first / found


@in_f32
def igamma(a, x):
    """The regularized lower incomplete gamma function."""
    return _gamma(a, x, lower=True)


@in_f32
def igammac(a, x):
    """The regularized upper incomplete gamma function."""
    return _gamma(a, x, lower=False)


def _gamma(a, x, lower: bool):
    """Of both functions the one that is small, and the other as 1 less that."""
    require_f32(x)
    a, x = _whole(a, x)
    is_large = a > LARGE
    behind = x > where(is_large, a - 1.0, a)
    is_upper = behind & (is_large | (x >= 1.0))
    found = where(is_large, _gamma_integral(a, x), _gamma_terms(a, x, is_upper))
    is_other = is_upper if lower else ~is_upper
    found = where(is_other, 1.0 - found, found)
    none, all_ = (x == 0.0), (x == inf)
    no_order = a == 0.0
    wrong = [each < 0.0 for each in (a, x)] + [(each != each) for each in (a, x)]
    far = (a == inf) & (x < 1.0)
    ends = ((far, 0.0), (none, 0.0), (all_, 1.0)) if lower else ((far, 1.0), (all_ | no_order, 0.0))
    return _chosen(found, *ends, (reduce(or_, [*wrong, none & no_order]), nan))


def _gamma_terms(a, x, is_upper):
    """The lower function by the series of https://dlmf.nist.gov/8.7.E1, the upper one by the continued fraction of
    https://dlmf.nist.gov/8.9.E2."""

    def step(state, parts):
        (series, fraction), (n, twice) = state, parts
        series = x / (a + n) * series
        above = n * (a - n)
        fraction = apart + twice + above / fraction
        return [series + 1.0, fraction], []

    apart = x - a - 1.0
    numbers = np.arange(GAMMA_TERMS, 0, -1, dtype=np.float32)
    first = a.of(np.float32(1)).broadcast_to(x.shape), apart + 2.0 * (GAMMA_TERMS + 1)
    series, fraction = turned(GAMMA_TERMS, first, [(numbers, False), (2 * numbers, False)], step)
    power = a * log(x) - x
    power = exp(power - lgamma(a))
    return where(is_upper, power / fraction, power / a * series)


def _gamma_integral(a, x):
    """The function on that side of its middle where x is, by half of the points of Gauss and Legendre's rule, which lie
    close together near x (Press et al., Numerical Recipes, 3rd edition, 6.2); the factor before it by Stirling."""
    places, weights = np.polynomial.legendre.leggauss(2 * POINTS)
    last = (1,) * x.ndim + (POINTS,)
    places, weights = ((each[POINTS:]).astype(np.float32).reshape(last) for each in (1 - places, weights))
    middle = maximum(a, LARGE) - 1.0
    width, off = sqrt(middle), x - middle
    is_upper = off > 0.0
    above = maximum(width * 11.5, off + width * 6.0)
    below = minimum(width * -7.5, off - width * 5.0)
    end = where(is_upper, above, maximum(below, -middle))
    length = end - off
    each = lambda t: t.reshape((*x.shape, 1))
    at = each(off) + each(length) * places
    grown = log1p(at / each(middle)) * each(middle)
    terms = exp(grown - at) * weights
    total = terms.sum(axis=x.ndim) * abs(length)
    stirling = exp(-1 / 12 / middle)
    root = sqrt(middle * (2 * pi))
    return total * stirling / root
