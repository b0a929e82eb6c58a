"""Bodies in a float of 16 bits: which they are, and that f32 rounds to the same."""

from fractions import Fraction
from math import isqrt

import numpy as np
import pytest
from griotte.engine.vectors.narrow import ROUNDED, helpers, narrowed
from griotte.lang.types.expr import Arg, As, Call, Expr, apply

X, Y, Z = Arg(0), Arg(1), Arg(2)


def rounded(expr: Expr) -> Expr:
    return As("f16", "f32", As("f32", "f16", expr))


@pytest.mark.parametrize(
    "body, expected",
    [
        (X + Y, X + Y),
        (rounded(X + Y) * Z, (X + Y) * Z),
        (X / 4.0, X * 0.25),
        (X / 3.0, X / 3.0),
        (apply("relu", X - Y), apply("relu", X - Y)),
        (apply("where", X < Y, X * 0.25, Y), apply("where", X < Y, X * 0.25, Y)),
        (apply("maximum", apply("neg", X), 6.0), apply("maximum", apply("neg", X), 6.0)),
        ((X + Y) * Z, None),  # the sum is not rounded
        (X + 0.1, None),  # no half
        (X + 1e6, None),
        (apply("exp", X), None),
        (apply("where", X + Y < Z, X, Y), None),
        (As("f32", "f16", X), None),
    ],
)
def test_what_is_the_same_in_halves(body, expected):
    assert narrowed(body, "f16") == expected


def test_no_float_but_halves_is_narrow_by_this_law():
    assert narrowed(rounded(X + Y) * Z, "bf16") is None  # rounded as halves in between


def test_what_a_body_is_written_with():
    assert [*helpers(apply("where", X < Y, apply("sqrt", X) * Y, Call("copy", (Y,))))] == ["select_lt", "mul", "sqrt"]


def at_once(value: Fraction) -> np.float16:
    """A half that is nearest to a number, of two the even one; beyond the largest infinity."""
    size = abs(value)
    power = max(-14, size.numerator.bit_length() - size.denominator.bit_length() - 1 if size else -14)
    power += size >= Fraction(2) ** (power + 1)
    step = Fraction(2) ** (power - 10)
    found = np.float64(float(round(size / step) * step))  # round: half to even; at most 12 bits
    return np.float16(np.inf if found >= 65536 else found) * np.float16(-1 if value < 0 else 1)


def hostile(count: int, seed: int) -> np.ndarray:
    """Halves of all sizes, many of them denormal, near powers of two or near the largest."""
    rng = np.random.default_rng(seed)
    bits = np.where(rng.random(count) < 0.4, rng.integers(0, 0x800, count), rng.integers(0, 0x7C00, count))
    near = rng.random(count) < 0.3
    bits = np.where(near, (bits & 0x7C00) + rng.choice([0, 1, 2, 0x3FE, 0x3FF], count), bits)
    return (np.minimum(bits, 0x7BFF) | rng.integers(0, 2, count) << 15).astype(np.uint16).view(np.float16)


EXACT = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
}


@pytest.mark.parametrize("name", EXACT)
def test_rounded_twice_is_rounded_once(name):
    from griotte.lang.functions import FUNCTIONS

    x, y = hostile(20_000, 0), hostile(20_000, 1)
    y = np.where(y == 0, np.float16(1), y)
    with np.errstate(all="ignore"):
        found = FUNCTIONS[name].meaning(x.astype(np.float32), y.astype(np.float32)).astype(np.float16)
    for a, b, twice in zip(x, y, found):
        once = at_once(EXACT[name](Fraction(float(a)), Fraction(float(b))))
        assert once == twice, (a, b)


def test_a_root_rounded_twice_is_rounded_once():
    for bits in range(1, 0x7C00, 3):
        x = np.uint16(bits).view(np.float16)
        twice = np.sqrt(np.float32(x)).astype(np.float16)
        exact = Fraction(float(x)) * 4**40  # its root, in steps of 2**-40
        low = isqrt(exact.numerator // exact.denominator)
        middle = Fraction(
            2 * low + (low * low != exact), 2**41
        )  # between two steps: no middle of two halves lies there
        assert at_once(middle) == twice


def test_what_is_rounded_is_what_is_tried():
    assert {*EXACT, "sqrt"} == {*ROUNDED}
