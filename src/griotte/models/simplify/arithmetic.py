"""Ways to write sums and products, each as one."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from .law import exactly, law, type_of_text
from .pattern import PRECISION, Match, isclose
from .ranges import is_not_negative
from .rounding import least
from .rule import ALWAYS


def _negated(m: Match) -> dict[str, Any]:
    return {"N": -m.array("C")}


def _inverse(m: Match) -> dict[str, Any] | None:
    """1 / C where that is exact: C is a power of two."""
    given = m.array("C")
    with np.errstate(all="ignore"):
        inverse = (1 / given.astype(np.float64)).astype(given.dtype)
        is_exact = np.all(np.frexp(np.abs(given.astype(np.float64)))[0] == 0.5) and np.all(np.isfinite(inverse))
        is_normal = np.all(np.abs(inverse.astype(np.float64)) >= least(given.dtype))
        return {"R": inverse} if is_exact and is_normal and np.all(1 / inverse.astype(np.float64) == given) else None


def _is_count(m: Match) -> bool:
    """Whether N is how many elements are summed."""
    return m.number("N") == prod(m["x"].type.shape[axis] for axis in m["a"])


def _is_share(m: Match) -> bool:
    """Whether S is 1 over how many elements are summed."""
    count, share = prod(m["x"].type.shape[axis] for axis in m["a"]), m.number("S")
    return share is not None and isclose(share * count, 1, PRECISION[m.site.value.type.dtype])


SQUARE = {"x": lambda builder: builder.call("abs", builder.input(type_of_text("f32[2,3]"), "x"))}
X, XY = {"x": "f32[2,3]"}, {"x": "f32[2,3]", "y": "f32[3]"}

RULES = (
    law("subtract by adding", "x - C = x + N", X | {"C": "f32[3]"}, when=_negated, within=ALWAYS),
    law("divide by multiplying", "x / C = x * R", X | {"C": [0.5, 4.0, -2.0]}, when=_inverse, within=ALWAYS),
    law("subtract what is negated", "x + neg(y) = x - y", XY, within=ALWAYS),
    law("add what is negated", "x - neg(y) = x + y", XY, within=ALWAYS),
    exactly("negate twice", "neg(neg(x)) = x", X),
    law("divide by itself", "1 / x = reciprocal(x)", X, within=ALWAYS),
    law("divide by a root", "reciprocal(sqrt(x)) = rsqrt(x)", X, within=ALWAYS),
    law(
        "a power of its own",
        "power(x, 2) = x * x; power(x, 3) = x * x * x; power(x, -1) = reciprocal(x); power(x, 1) = x",
        X,
        within=ALWAYS,
    ),
    law(
        "a power that is a root",
        "power(x, 0.5) = sqrt(x); power(x, -0.5) = rsqrt(x)",
        SQUARE,
        when=lambda m: is_not_negative(m["x"]),  # of -inf and -0 they differ
        within=ALWAYS,
    ),
    exactly("multiply by -1", "-1 * x = neg(x)", X),
    law(
        "multiply by a root's inverse", "y / sqrt(x) = y * rsqrt(x)", {"x": "f32[2,1]", "y": "f32[2,3]"}, within=ALWAYS
    ),
    law(
        "a mean by hand",
        "sum(x, axis=a, keepdims=k) / N = mean(x, axis=a, keepdims=k)",
        {"x": "f32[2,3,4]", "a": (1, 2), "k": True, "N": 12.0},
        X | {"a": (1,), "k": False, "N": 3.0},
        when=_is_count,
        within=ALWAYS,
    ),
    law(
        "a mean by hand, of shares",
        "sum(x, axis=a, keepdims=k) * S = mean(x, axis=a, keepdims=k)",
        X | {"a": (1,), "k": True, "S": 1 / 3},
        when=_is_share,
    ),
    exactly("a sum over one element", "reduction(x, axis=a, keepdims=True) = x", {"x": "f32[2,1]", "a": (1,)}),
)
