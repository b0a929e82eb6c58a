"""Division by a number that is known when C is written, as products that give the same: a processor divides a vector in
5 to 16 cycles, and multiplies two in one.

With h = 1 / d rounded toward zero and l = 1 / d - h rounded, x / d is fma(x, h, x l). The source is N. Brisebarre,
J.-M. Muller, S. K. Raina, "Accelerating correctly rounded floating-point division when the divisor is known in
advance", IEEE Trans. Computers 53, 2004; theirs is the nearest h. Both h and l have the sign of d, so that infinities,
NaN and zeros of both signs give what they should: no infinity meets one of the other sign.

Let d be an odd number D of at most p bits, times a power of two. A quotient is no nearer to the middle between two
numbers of p bits than 1 / 2D of a unit in its last place. The rounded value is off by 2**(2 - p) of that unit. So a D
of up to p - 3 bits gives the nearest number for every x. Any other D gives it for all x but a few, and these are
tried. (Of numbers drawn at random one in seventeen is refused in f32.)

That holds while x l is a normal number. Where it is not, processors take a hundred times as long as well. So l is left
out where x is small: less than 2**-95, by some divisors from 29 on less than 2**-63. (f64: 2**-959; from 59 on
2**-895.) There a quotient may be off by less than 2.5 units in its last place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import floor, frexp, isfinite

import numpy as np

from .kit import FORMATS

WIDEST = {"f32": 64, "f64": 512}
"""The power of two up to which divisors are, and their reciprocals."""


@dataclass(frozen=True)
class Reciprocal:
    """1 / d in two numbers; low 0: x / d is x * high, else fma(x, high, x * low) for all x that are `large`: of whose
    exponent one of these bits is set."""

    high: float
    low: float
    large: int


@lru_cache(1 << 12)
def reciprocal(divisor: float, dtype: str) -> Reciprocal | None:
    """1 / divisor as what quotients by it are products with; None where there is no such.

    Args:
        divisor: any number; what it is in the dtype counts.
        dtype: that x and the quotient are in.
    """
    if dtype not in WIDEST:
        return None
    with np.errstate(all="ignore"):
        d = float(np.float32(divisor)) if dtype == "f32" else divisor
    if not isfinite(d) or not 2.0 ** -WIDEST[dtype] <= abs(d) <= 2.0 ** WIDEST[dtype]:
        return None
    bits = FORMATS[dtype].fraction_bits + 1
    high, low = map(float, _parts(Fraction(d), bits))
    found = Reciprocal(high, low, _large(low, dtype))
    return found if low == 0 or found.large and _is_nearest(Fraction(d), bits) else None


def _large(low: float, dtype: str) -> int:
    """The highest bits of an exponent, so many that x * low is a normal number wherever one of them is set; 0 where
    even the highest alone would not do."""
    form = FORMATS[dtype]
    exponent = form.bias.bit_length() + 1
    for bit in range(exponent - 1):
        if 2.0 ** ((1 << bit) - form.bias) * abs(low) >= 2.0 ** (1 - form.bias):
            return (1 << exponent) - (1 << bit) << form.fraction_bits
    return 0


def _parts(d: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """1 / d in two numbers of so many bits, the first no farther from 0."""
    high = _rounded(1 / d, bits, toward_zero=True)
    return high, _rounded(1 / d - high, bits)


def _rounded(x: Fraction, bits: int, toward_zero: bool = False) -> Fraction:
    """x in so many bits, to nearest and half to even, or toward zero."""
    if x < 0:
        return -_rounded(-x, bits, toward_zero)
    unit = Fraction(2) ** (x.numerator.bit_length() - x.denominator.bit_length() - bits)
    while x >= unit * 2**bits:
        unit *= 2
    return unit * (floor(x / unit) if toward_zero else round(x / unit))


def _is_nearest(d: Fraction, bits: int) -> bool:
    """Whether the two products give the nearest number for every x. That depends on no power of two in d or x, and on
    no sign."""
    whole = int(frexp(abs(float(d)))[0] * 2**bits)
    high, low = _parts(Fraction(whole), bits)
    return all(
        _rounded(x * high + _rounded(x * low, bits), bits) == _rounded(Fraction(x, whole), bits)
        for x in _nearly_halfway(whole, bits)
    )


def _nearly_halfway(whole: int, bits: int) -> Iterator[int]:
    """All x of so many bits whose quotients by `whole`, of as many bits, are nearly in the middle between two numbers:
    within 2**(2 - bits) of a unit. Twice a quotient in units is x 2**n / D, D odd, and its distance from an odd number
    is k / D."""
    zeros = (whole & -whole).bit_length() - 1
    odd = whole >> zeros
    for k in range(1, (8 * odd >> bits) + 1, 2):
        for n, least, end in ((bits - zeros, whole, 1 << bits), (bits - zeros + 1, 1 << bits - 1, whole)):
            for rest in (k * pow(2, -n, odd) % odd, -k * pow(2, -n, odd) % odd):
                yield from range(least + (rest - least) % odd, end, odd)
