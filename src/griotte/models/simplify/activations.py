"""Activation functions as exporters write them."""

from __future__ import annotations

from functools import partial
from math import inf
from typing import Any

from .law import exactly, law
from .pattern import PRECISION, Match, isclose
from .rule import ALWAYS, shortest

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
X = {"x": "f32[2,3]"}
SLOPE = X | {"A": 0.3}


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
    """Whether softplus of what is larger is that, to its last digit."""
    least = m.number("B")
    return least is not None and least >= (37 if m.site.value.type.dtype == "f64" else 20)


def _is_sixth(m: Match) -> bool:
    return isclose(m["a"], 1 / 6, PRECISION[m.site.value.type.dtype]) and m["b"] == 0.5


RULES = (
    exactly("relu", "maximum(x, 0) | relu(relu(x)) | maximum(relu(x), 0) = relu(x)", X),
    law("sigmoid", "reciprocal(1 + exp(neg(x))) = sigmoid(x)", X),
    law("softplus of all", "where(greater(x, B), x, softplus(x)) = softplus(x)", X | {"B": 20.0}, when=_is_whole),
    law(
        "softplus",
        "log1p(exp(x)) | log(1 + exp(x)) | relu(x) + softplus(neg(abs(x))) = softplus(x)",
        X,
        within="normal",
    ),
    law("softplus of no number", "where(not_equal(x, x), x, softplus(x)) = softplus(x)", X, within=ALWAYS),
    law("nothing above 0", "where(greater(x, 0), 0, x) = minimum(x, 0)", X, shared=("greater",), within=ALWAYS),
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
    law(
        "clip",
        "minimum(maximum(x, A), B) | maximum(minimum(x, B), A) = clip(x, low=a, high=b)",
        X | {"A": 0.3, "B": 0.9},
        when=_bounds,
        within=ALWAYS,
    ),
    law("clip from 0", "minimum(relu(x), B) = clip(x, low=0, high=b)", X | {"B": 0.7}, when=_most, within=ALWAYS),
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
