"""The incomplete beta and gamma functions, of floats of 32 bits, those of 16 through them: fractions and series of a
known number of terms, summed from the last one, and for gamma functions of large order an integral."""

from __future__ import annotations

from math import inf, nan, pi

import numpy as np

from .kinds import in_f32
from .moving import broadcast, reshaped
from .special import lgamma, require_f32
from .turning import turned

BETA_TERMS = 99  # pairs of them: XLA ends there as well
GAMMA_TERMS = 40
LARGE = 20.0  # orders from which a gamma function is an integral
POINTS = 15  # of it


def _any(node, *conditions):
    found = conditions[0]
    for each in conditions[1:]:
        found = node.call("logical_or", found, each)
    return found


def _both(node, one, other):
    return node.call("logical_and", one, other)


def _is(node, x, number: float):
    return node.call("equal", x, number)


def _is_nan(node, x):
    return node.call("not_equal", x, x)


def _chosen(node, found, *cases):
    """A result, or a number where a condition holds, of several the last one."""
    for condition, number in cases:
        found = node.call("where", condition, node.value(np.float32(number)), found)
    return found


def _whole(node, *arrays):
    """Arrays of the shape that they have together."""
    shape = np.broadcast_shapes(*(node.value(x).type.shape for x in arrays))
    return [broadcast(node, x, shape) for x in arrays]


@in_f32
def betainc(node, a, b, x):
    """The regularized incomplete beta function, by the continued fraction of https://dlmf.nist.gov/8.17.E22: of x below
    (a + 1) / (a + b + 2), of which others are mirrored to such."""
    require_f32(node, x)
    a, b, x = _whole(node, a, b, x)
    both = node.call("add", a, b)
    is_near = node.call("less", x, node.call("div", node.call("add", a, 1.0), node.call("add", both, 2.0)))
    p, q = node.call("where", is_near, a, b), node.call("where", is_near, b, a)
    z = node.call("where", is_near, x, node.call("sub", 1.0, x))
    found = node.call("div", _beta_factor(node, p, q, z), _beta_fraction(node, p, q, z))
    found = node.call("where", is_near, found, node.call("sub", 1.0, found))
    no_a, no_b = (_any(node, _is(node, one, 0.0), _is(node, other, inf)) for one, other in ((a, b), (b, a)))
    at_first, at_last = _is(node, x, 0.0), _is(node, x, 1.0)
    beyond = [node.call("less", each, 0.0) for each in (a, b, x)] + [node.call("greater", x, 1.0)]
    return _chosen(
        node,
        found,
        (_any(node, _both(node, no_b, node.call("less", x, 1.0)), _both(node, no_a, at_first)), 0.0),
        (_any(node, _both(node, no_a, node.call("greater", x, 0.0)), _both(node, no_b, at_last)), 1.0),
        (_any(node, *beyond, _both(node, no_a, no_b), *(_is_nan(node, each) for each in (a, b, x))), nan),
    )


def _beta_factor(node, p, q, z):
    """z^p (1 - z)^q / (p B(p, q))."""
    without = node.call("sub", lgamma(node, q), lgamma(node, node.call("add", p, q)))
    power = node.call("mul", node.call("log1p", node.call("neg", z)), q)
    exponent = node.call("add", node.call("mul", node.call("log", z), p), power)
    usual = node.call("exp", node.call("sub", exponent, node.call("add", lgamma(node, p), without)))
    tiny = node.call("exp", node.call("sub", power, without))  # p * gamma(p) is 1 there
    is_tiny = node.call("less", p, 2 * float(np.finfo(np.float32).tiny))
    return node.call("where", is_tiny, tiny, node.call("div", usual, p))


def _beta_fraction(node, p, q, z):
    """1 + d1 / (1 + d2 / (1 + ..."""

    def step(state, parts):
        (found,), (m, twice) = state, parts
        at, sum = node.call("add", p, twice), node.call("add", node.call("add", p, q), m)
        odd = node.call("mul", node.call("mul", node.call("add", p, m), sum), z)
        odd = node.call("div", odd, node.call("mul", at, node.call("add", at, 1.0)))
        even = node.call("mul", node.call("mul", m, node.call("sub", q, m)), z)
        even = node.call("div", even, node.call("mul", node.call("sub", at, 1.0), at))
        inner = node.call("sub", 1.0, node.call("div", odd, found))
        return [node.call("add", node.call("div", even, inner), 1.0)], []

    numbers = np.arange(BETA_TERMS, 0, -1, dtype=np.float32)
    first = broadcast(node, node.value(np.float32(1)), z.type.shape)
    (found,) = turned(node, BETA_TERMS, [first], [(numbers, False), (2 * numbers, False)], step)
    first = node.call("div", node.call("mul", node.call("add", p, q), z), node.call("add", p, 1.0))
    return node.call("sub", 1.0, node.call("div", first, found))


@in_f32
def igamma(node, a, x):
    """The regularized lower incomplete gamma function."""
    return _gamma(node, a, x, lower=True)


@in_f32
def igammac(node, a, x):
    """The regularized upper incomplete gamma function."""
    return _gamma(node, a, x, lower=False)


def _gamma(node, a, x, lower: bool):
    """Of both functions the one that is small, and the other as 1 less that."""
    require_f32(node, x)
    a, x = _whole(node, a, x)
    is_large = node.call("greater", a, LARGE)
    behind = node.call("greater", x, node.call("where", is_large, node.call("sub", a, 1.0), a))
    is_upper = _both(node, behind, _any(node, is_large, node.call("greater_equal", x, 1.0)))
    found = node.call("where", is_large, _gamma_integral(node, a, x), _gamma_terms(node, a, x, is_upper))
    is_other = is_upper if lower else node.call("logical_not", is_upper)
    found = node.call("where", is_other, node.call("sub", 1.0, found), found)
    none, all_ = _is(node, x, 0.0), _is(node, x, inf)
    no_order = _is(node, a, 0.0)
    wrong = [node.call("less", each, 0.0) for each in (a, x)] + [_is_nan(node, each) for each in (a, x)]
    far = _both(node, _is(node, a, inf), node.call("less", x, 1.0))
    ends = ((far, 0.0), (none, 0.0), (all_, 1.0)) if lower else ((far, 1.0), (_any(node, all_, no_order), 0.0))
    return _chosen(node, found, *ends, (_any(node, *wrong, _both(node, none, no_order)), nan))


def _gamma_terms(node, a, x, is_upper):
    """The lower function by the series of https://dlmf.nist.gov/8.7.E1, the upper one by the continued fraction of
    https://dlmf.nist.gov/8.9.E2."""

    def step(state, parts):
        (series, fraction), (n, twice) = state, parts
        series = node.call("mul", node.call("div", x, node.call("add", a, n)), series)
        above = node.call("mul", n, node.call("sub", a, n))
        fraction = node.call("add", node.call("add", apart, twice), node.call("div", above, fraction))
        return [node.call("add", series, 1.0), fraction], []

    apart = node.call("sub", node.call("sub", x, a), 1.0)
    numbers = np.arange(GAMMA_TERMS, 0, -1, dtype=np.float32)
    first = broadcast(node, node.value(np.float32(1)), x.type.shape), node.call("add", apart, 2.0 * (GAMMA_TERMS + 1))
    series, fraction = turned(node, GAMMA_TERMS, first, [(numbers, False), (2 * numbers, False)], step)
    power = node.call("sub", node.call("mul", a, node.call("log", x)), x)
    power = node.call("exp", node.call("sub", power, lgamma(node, a)))
    return node.call(
        "where", is_upper, node.call("div", power, fraction), node.call("mul", node.call("div", power, a), series)
    )


def _gamma_integral(node, a, x):
    """The function on that side of its middle where x is, by half of the points of Gauss and Legendre's rule, which lie
    close together near x (Press et al., Numerical Recipes, 3rd edition, 6.2); the factor before it by Stirling."""
    places, weights = np.polynomial.legendre.leggauss(2 * POINTS)
    last = (1,) * x.type.rank + (POINTS,)
    places, weights = ((each[POINTS:]).astype(np.float32).reshape(last) for each in (1 - places, weights))
    middle = node.call("sub", node.call("maximum", a, LARGE), 1.0)
    width, off = node.call("sqrt", middle), node.call("sub", x, middle)
    is_upper = node.call("greater", off, 0.0)
    above = node.call("maximum", node.call("mul", width, 11.5), node.call("add", off, node.call("mul", width, 6.0)))
    below = node.call("minimum", node.call("mul", width, -7.5), node.call("sub", off, node.call("mul", width, 5.0)))
    end = node.call("where", is_upper, above, node.call("maximum", below, node.call("neg", middle)))
    length = node.call("sub", end, off)
    each = lambda t: reshaped(node, t, (*x.type.shape, 1))
    at = node.call("add", each(off), node.call("mul", each(length), places))
    grown = node.call("mul", node.call("log1p", node.call("div", at, each(middle))), each(middle))
    terms = node.call("mul", node.call("exp", node.call("sub", grown, at)), weights)
    total = node.call("mul", node.call("sum", terms, axis=x.type.rank), node.call("abs", length))
    stirling = node.call("exp", node.call("div", -1 / 12, middle))
    root = node.call("sqrt", node.call("mul", middle, 2 * pi))
    return node.call("div", node.call("mul", total, stirling), root)
