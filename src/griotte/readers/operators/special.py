"""Special functions, of floats of 32 bits, and of 16 through them. They use the series that XLA and Cephes have, and
fractions and series of a known number of terms."""

from __future__ import annotations

import math
from functools import reduce
from math import factorial, inf, nan, pi
from operator import add, or_

import numpy as np

from .array import cos, exp, floor, log, log1p, maximum, minimum, sin, sqrt, where
from .calls import Unsupported
from .kinds import in_f32
from .scans import scanned

ERF_INV = (
    (2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 2.1858087e-04, -1.25372503e-03)
    + (-4.17768164e-03, 0.246640727, 1.50140941),
    (-2.00214257e-04, 1.00950558e-04, 1.34934322e-03, -3.67342844e-03, 5.73950773e-03, -7.6224613e-03)
    + (9.43887047e-03, 1.00167406, 2.83297682),
)
"""Giles, "Approximating the erfinv function" (2010), in w - 2.5 below 5, and in sqrt(w) - 3 from there."""
LANCZOS = (676.520368121885, -1259.1392167224029, 771.3234287776531, -176.6150291621406, 12.507343278686905) + (
    -0.13857109526572012,
    9.984369578019572e-06,
    1.5056327351493116e-07,
)
SHIFT, FIRST = 7.0, 0.9999999999998099
"""Lanczos' approximation of the gamma function, with 7 as its parameter."""
I0E = (
    (-1.30002501e-08, 6.04699502e-08, -2.67079385e-07, 1.11738754e-06, -4.41673836e-06, 1.64484481e-05)
    + (-5.75419501e-05, 1.8850288509584e-04, -5.7637557453858e-04, 1.6394756169413e-03, -4.3243099950506e-03)
    + (1.05464603945950e-02, -2.37374148058995e-02, 4.93052842396707e-02, -9.4901097048048e-02)
    + (1.71620901522208775e-01, -3.04682672343198399e-01, 6.76795274409476085e-01),
    (3.39623203e-09, 2.26666899e-08, 2.04891859e-07, 2.89137052e-06, 6.88975835e-05, 3.36911648e-03, 8.04490411e-01),
)
I1E = (
    (9.38153739e-09, -4.44505913e-08, 2.00329475e-07, -8.56872026e-07, 3.47025131e-06, -1.32731637e-05)
    + (4.78156511e-05, -1.61760816e-04, 5.12285956168576e-04, -1.51357245063125e-03, 4.15642294431289e-03)
    + (-1.05640848946261982e-02, 2.47264490306265e-02, -5.2945981208095e-02, 1.02643658689847095e-01)
    + (-1.76416518357834055e-01, 2.52587186443633655e-01),
    (-3.83538039e-09, -2.63146885e-08, -2.51223624e-07, -3.88256481e-06, -1.10588939e-04, -9.76109749e-03)
    + (7.78576235e-01,),
)
"""Chebyshev series of Cephes, up to 8 and beyond."""


def require_f32(x) -> None:
    if x.dtype == "f64":
        raise Unsupported("of f64")


@in_f32
def erf_inv(x):
    require_f32(x)
    w = -log1p(-(x * x))
    at_first = _series(w - 2.5, ERF_INV[0])
    beyond = _series(sqrt(maximum(w, 5.0)) - 3.0, ERF_INV[1])
    found = where(w < 5.0, at_first, beyond) * x
    return where(abs(x) == 1.0, x * inf, found)


def _series(x, coefficients):
    """A polynomial, by Horner."""
    step = lambda sum, c: sum * x + c
    return reduce(step, coefficients[1:], coefficients[0])


def _lanczos(x):
    """z, which is reflected below 1/2; z + 7.5, its logarithm, and z + 1, z + 2 and so on."""
    is_small = x < 0.5
    z = where(is_small, -x, x - 1.0)
    t = SHIFT + 0.5
    grown = log1p(z / t) + math.log(t)
    return is_small, z, z + t, grown, [z + float(i + 1) for i in range(len(LANCZOS))]


def _fraction(x):
    """How far it is from the nearest whole number."""
    size = abs(x)
    part = size - floor(size)
    return minimum(part, 1.0 - part)


@in_f32
def lgamma(x):
    is_small, z, t, grown, places = _lanczos(x)
    terms = (c / place for c, place in zip(LANCZOS, places))
    total = reduce(add, terms, FIRST)
    within = z + 0.5 - t / grown
    found = within * grown + (log(total) + math.log(2 * pi) / 2)
    sine = log(sin(_fraction(x) * pi))
    mirrored = math.log(pi) - sine - found
    finite = abs(sine) < inf
    found = where(is_small, where(finite, mirrored, -sine), found)
    return where(abs(x) == inf, inf, found)


@in_f32
def digamma(x):
    is_small, _, t, grown, places = _lanczos(x)
    parts = [c / place for c, place in zip(LANCZOS, places)]
    below = reduce(add, parts, FIRST)
    above = reduce(add, (p / at for p, at in zip(parts, places)))
    found = grown - (above / below + SHIFT / t)
    whole = floor(x + 0.5)
    angle = (x + abs(whole)) * pi
    turned = cos(angle) * pi / sin(angle)
    found = where(is_small, found - turned, found)
    is_pole = (x <= 0.0) & (x == floor(x))
    return where(is_pole, x.of(np.asarray(nan, x.numpy)), found)


def _chebyshev(x, coefficients):
    """Clenshaw's sum of a series, the last term first."""
    sum, one, two = coefficients[0], 0.0, 0.0
    for c in coefficients[1:]:
        sum, one, two = x * sum - one + c, sum, one
    return (sum - two) * 0.5


def _scaled_bessel(x, series):
    size = abs(x)
    near = _chebyshev(size * 0.5 - 2.0, series[0])
    far = _chebyshev(32.0 / size - 2.0, series[1])
    return size, near, far / sqrt(size)


@in_f32
def bessel_i0(x, scaled=False):
    """Modified, of the first kind and order 0; scaled by exp(-|x|)."""
    require_f32(x)
    size, near, far = _scaled_bessel(x, I0E)
    found = where(size <= 8.0, near, far)
    return found if scaled else _grown(found, size)


@in_f32
def bessel_i1(x, scaled=False):
    """The same of order 1."""
    require_f32(x)
    size, near, far = _scaled_bessel(x, I1E)
    found = where(size <= 8.0, near * size, far)
    found = found if scaled else _grown(found, size)
    return where(x < 0.0, -found, found)


def _grown(found, size):
    """Times exp(size), in two steps; neither overflows before the product does."""
    half = exp(size * 0.5)
    return found * half * half


EULER_MACLAURIN = (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000)
"""Bernoulli's numbers of even order over factorials, B_2j / (2j)!."""
FIRST_TERMS = 9


@in_f32
def polygamma(n: int, x):
    """The derivative of order n of digamma, (-1)^(n+1) n! zeta(n + 1, x).

    Below 0, let r be the part of x behind its point. The terms there are those from 1 - r on, up to 1 - x and of
    another sign where n + 1 is odd; all that is summed is above 0.
    """
    if n == 0:
        return digamma(x)
    require_f32(x)
    is_below = x <= 0.0
    part = x - floor(x)
    place = where(is_below, part, x)
    nearest = where(is_below, 1.0 - part, x.number(1))
    beyond = where(is_below, 1.0 - x, x.number(1))
    below = _zeta(n + 1, nearest) - _zeta(n + 1, beyond)
    of_place = _zeta(n + 1, place)
    whole = of_place + below if n % 2 else of_place - below
    return whole * float((-1) ** (n + 1) * factorial(n))


def _zeta(s: int, x):
    """Hurwitz' zeta function, the sum of (x + k)^-s, of x above 0: the first terms, and Euler and Maclaurin's rest."""
    total = x ** (-float(s))
    for k in range(1, FIRST_TERMS):
        total = total + (x + float(k)) ** (-float(s))
    x = x + float(FIRST_TERMS)
    last, factor = x ** (-float(s)), float(s)
    rest = last * x * (1 / (s - 1)) + last * 0.5
    term, square = last / x, x * x
    for j, share in enumerate(EULER_MACLAURIN):
        rest = rest + term * (share * factor)
        factor *= (s + 2 * j + 1) * (s + 2 * j + 2)
        term = term / square
    return total + rest


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
    """The regularized incomplete beta function, by the continued fraction of https://dlmf.nist.gov/8.17.E22. That holds
    for x below (a + 1) / (a + b + 2); others are mirrored to such."""
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
    (found,) = scanned(BETA_TERMS, [first], [(numbers, False), (2 * numbers, False)], step)
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
    series, fraction = scanned(GAMMA_TERMS, first, [(numbers, False), (2 * numbers, False)], step)
    power = a * log(x) - x
    power = exp(power - lgamma(a))
    return where(is_upper, power / fraction, power / a * series)


def _gamma_integral(a, x):
    """The function on that side of its middle where x is. It takes half of the points of Gauss and Legendre's rule,
    which lie close together near x (Press et al., Numerical Recipes, 3rd edition, 6.2). The factor before it is by
    Stirling."""
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
