"""Sums, products and activation functions as exporters write them, each in one way."""

from __future__ import annotations

from functools import partial
from math import inf, prod
from typing import Any

import numpy as np

from .law import exactly, law, strictly, type_of_text
from .magnitudes import is_not_negative, least
from .pattern import PRECISION, Match, isclose
from .rule import shortest


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


def _bounds(m: Match) -> dict[str, Any] | None:
    """A least and a largest number."""
    low, high = m.number("A"), m.number("B")
    return None if low is None or high is None or low > high else {"a": low, "b": high}


def _most(m: Match) -> dict[str, Any] | None:
    return None if (high := m.number("B")) is None or high < 0 else {"b": high}


def _line(m: Match) -> dict[str, Any] | None:
    """The slope and the offset of a line."""
    slope, offset = _slope(m), m.number("B")
    return None if slope is None or offset is None else slope | {"b": _shortest(m, offset)}


def _shortest(m: Match, number: float) -> float:
    return shortest(number, m.site.value.type.dtype)


def _slope(m: Match, least: float = -inf, most: float = inf) -> dict[str, Any] | None:
    """A slope between these."""
    slope = m.number("A")
    return None if slope is None or not least <= slope <= most else {"a": _shortest(m, slope)}


def _is_whole(m: Match) -> bool:
    """Whether softplus of a larger number is that number, to its last digit."""
    least = m.number("B")
    return least is not None and least >= (37 if m.site.value.type.dtype == "f64" else 20)


def _is_sixth(m: Match) -> bool:
    return isclose(m["a"], 1 / 6, PRECISION[m.site.value.type.dtype]) and m["b"] == 0.5


SQUARE = {"x": lambda builder: builder.call("abs", builder.input(type_of_text("f32[2,3]"), "x"))}
X, XY = {"x": "f32[2,3]"}, {"x": "f32[2,3]", "y": "f32[3]"}
ERF = "erf(x * 0.7071067811865476 | x / 1.4142135623730951)"
ERFC = "(1 - erf(neg(x) * 0.7071067811865476 | neg(x) / 1.4142135623730951 | x * -0.7071067811865476))"
"""erfc, as readers have it, of -x / sqrt(2)."""
CUBE = (
    "0.7978845608028654 * (x + 0.044715 * x * x * x) | 0.7978845608028654 * x * (1 + 0.044715 * x * x)"
    " | 0.7978845608028654 * x + 0.035677408136300125 * x * x * x"
)
HALVES = "0.5 * x * (1 + {0}) | x * (0.5 + 0.5 * {0})"
BELOW = "expm1(minimum(x, 0))"
EXPM1 = f"({BELOW} | expm1(x) | exp(x) - 1)"
TO_SIX = "clip(x + 3, low=0, high=6)"
SLOPE = X | {"A": 0.3}

RULES = (
    strictly("subtract by adding", "x - C = x + N", X | {"C": "f32[3]"}, when=_negated),
    strictly("divide by multiplying", "x / C = x * R", X | {"C": [0.5, 4.0, -2.0]}, when=_inverse),
    strictly("subtract what is negated", "x + neg(y) = x - y", XY),
    strictly("add what is negated", "x - neg(y) = x + y", XY),
    exactly("negate twice", "neg(neg(x)) = x", X),
    strictly("divide by itself", "1 / x = reciprocal(x)", X),
    strictly("divide by a root", "reciprocal(sqrt(x)) = rsqrt(x)", X),
    strictly(
        "a power of its own",
        "power(x, 2) = x * x; power(x, 3) = x * x * x; power(x, -1) = reciprocal(x); power(x, 1) = x",
        X,
    ),
    strictly(
        "a power that is a root",
        "power(x, 0.5) = sqrt(x); power(x, -0.5) = rsqrt(x)",
        SQUARE,
        when=lambda m: is_not_negative(m["x"]),  # of -inf and -0 they differ
    ),
    exactly("multiply by -1", "-1 * x = neg(x)", X),
    strictly("multiply by a root's inverse", "y / sqrt(x) = y * rsqrt(x)", {"x": "f32[2,1]", "y": "f32[2,3]"}),
    strictly(
        "a mean by hand",
        "sum(x, axis=a, keepdims=k) / N = mean(x, axis=a, keepdims=k)",
        {"x": "f32[2,3,4]", "a": (1, 2), "k": True, "N": 12.0},
        X | {"a": (1,), "k": False, "N": 3.0},
        when=_is_count,
    ),
    law(
        "a mean by hand, of shares",
        "sum(x, axis=a, keepdims=k) * S = mean(x, axis=a, keepdims=k)",
        X | {"a": (1,), "k": True, "S": 1 / 3},
        when=_is_share,
    ),
    exactly("a sum over one element", "reduction(x, axis=a, keepdims=True) = x", {"x": "f32[2,1]", "a": (1,)}),
    exactly("relu", "maximum(x, 0) | relu(relu(x)) | maximum(relu(x), 0) = relu(x)", X),
    law("sigmoid", "reciprocal(1 + exp(neg(x))) = sigmoid(x)", X),
    law("softplus of all", "where(greater(x, B), x, softplus(x)) = softplus(x)", X | {"B": 20.0}, when=_is_whole),
    law(
        "softplus",
        "log1p(exp(x)) | log(1 + exp(x)) | relu(x) + softplus(neg(abs(x))) = softplus(x)",
        X,
        within="normal",
    ),
    strictly("softplus of no number", "where(not_equal(x, x), x, softplus(x)) = softplus(x)", X),
    strictly("nothing above 0", "where(greater(x, 0), 0, x) = minimum(x, 0)", X, shared=("greater",)),
    law("elu", f"where(greater(x, 0), x, {EXPM1}) | relu(x) + {BELOW} | where(less(x, 0), {BELOW}, x) = elu(x)", X),
    law(
        "elu of a size",
        f"where(greater(x, 0), x, {EXPM1} * A) | relu(x) + {BELOW} * A = elu(x, alpha=a)",
        SLOPE,
        when=_slope,
    ),
    law("silu", "x * sigmoid(x) | x / (1 + exp(neg(x))) = silu(x)", X, within="finite"),
    law("gelu", f"{HALVES.format(ERF)} | 0.5 * x * {ERFC} = gelu(x)", X, within="finite"),
    law("gelu by tanh", f"{HALVES.format(f'tanh({CUBE})')} = gelu(x, approximate='tanh')", X, within="finite"),
    strictly(
        "clip",
        "minimum(maximum(x, A), B) | maximum(minimum(x, B), A) = clip(x, low=a, high=b)",
        X | {"A": 0.3, "B": 0.9},
        when=_bounds,
    ),
    strictly("clip from 0", "minimum(relu(x), B) = clip(x, low=0, high=b)", X | {"B": 0.7}, when=_most),
    exactly("clip at 0", "clip(x, low=0) = relu(x)", X),
    law(
        "hard_sigmoid of a line",
        "clip(x * A + B, low=0, high=1) = hard_sigmoid(x, alpha=a, beta=b)",
        X | {"A": 0.2, "B": 0.3},
        when=_line,
    ),
    law(
        "hard_swish",
        f"x * {TO_SIX} / 6 | x * ({TO_SIX} / 6) | x * {TO_SIX} * 0.16666666666666666 | x / 6 * {TO_SIX}"
        " = hard_swish(x)",
        X,
    ),
    law(
        "hard_swish of hard_sigmoid",
        "x * hard_sigmoid(x, alpha=a, beta=b) = hard_swish(x)",
        X | {"a": 1 / 6, "b": 0.5},
        when=_is_sixth,
    ),
    law(
        "leaky_relu",
        "maximum(x, x * A) = leaky_relu(x, alpha=a)",
        SLOPE,
        when=partial(_slope, least=0, most=1),  # of a line that lies above another below 0
    ),
    law(
        "leaky_relu of two sides",
        "relu(x) + minimum(x * A, 0) = leaky_relu(x, alpha=a)",
        SLOPE,
        when=partial(_slope, least=0),  # what is below 0 stays there
    ),
    law(
        "leaky_relu of two halves",
        "relu(x) + minimum(x, 0) * A | where((greater | greater_equal)(x, 0), x, x * A) | where(less(x, 0), x * A, x)"
        " = leaky_relu(x, alpha=a)",
        SLOPE,
        when=_slope,
    ),
)
