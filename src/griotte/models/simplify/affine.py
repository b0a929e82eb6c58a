"""Factors and terms that are known go into the weights of the product before or after them, and into each other.

A term that goes through a product is summed there once, not with each element: what cancels in `x + c` cancels in the
sums instead, and loses as many digits as c is larger than `x + c`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .pattern import Match, law
from .rule import Rule

OUTPUTS = {"conv2d": (1, 0), "conv_transpose2d": (1, 1), "matmul": (-1, -1)}  # axes of a product and of its weights
WEIGHTED = {
    "conv2d": {"x": "f32[1,4,5,5]", "W": "f32[6,2,3,3]", "r": {"padding": 1, "groups": 2}, "S": "f32[6,1,1]"},
    "conv_transpose2d": {"x": "f32[1,4,5,5]", "W": "f32[4,6,2,2]", "r": {"stride": 2}, "S": "f32[6,1,1]"},
    "matmul": {"x": "f32[2,3,4]", "W": "f32[4,5]", "r": {}, "S": "f32[5]"},
}
GIVEN = {
    "conv2d": {"x": "f32[1,4,5,5]", "W": "f32[6,2,3,3]", "r": {"groups": 2}, "S": "f32[4,1,1]"},
    "matmul": {"x": "f32[2,3,4]", "W": "f32[4,5]", "r": {}, "S": "f32[4]"},
}


def _along(array: np.ndarray, rank: int, axis: int) -> np.ndarray | None:
    """What is one number for each place along an axis, or one for all, in f64; None of what is more."""
    shape = (1,) * (rank - array.ndim) + array.shape
    if len(shape) > rank or any(n != 1 for i, n in enumerate(shape) if i != axis % rank):
        return None
    return array.astype(np.float64).reshape(-1)


def _of_outputs(call: str, of: Callable[[np.ndarray], np.ndarray]) -> Callable[[Match], dict[str, Any] | None]:
    """Weights times one factor for each channel of a product, and a term times the same."""
    axis, of_weights = OUTPUTS[call]

    def when(m: Match) -> dict[str, Any] | None:
        weights, factor = m.array("W"), _along(m.array("S"), m.site.value.type.rank, axis)
        if factor is None or m["r"]["dtype"] is not None or of_weights == 1 and m["r"]["groups"] > 1:
            return None
        factor = of(factor)
        shape = [1] * weights.ndim
        shape[of_weights] = -1
        return {"V": (weights * factor.reshape(shape)).astype(weights.dtype)}

    return when


def _of_inputs(call: str) -> Callable[[Match], dict[str, Any] | None]:
    """Weights times one factor for each channel that they read."""

    def when(m: Match) -> dict[str, Any] | None:
        weights, x = m.array("W"), m["x"].type
        if x.shape != m.site.value.values[0].type.shape:
            return None
        shaped = _by_inputs(m, call)
        return None if shaped is None else {"V": (weights * shaped).astype(weights.dtype)}

    return when


def _sums(call: str) -> Callable[[Match], dict[str, Any] | None]:
    """What a product gives of a term that is the same everywhere, where nothing is read beyond it."""

    def when(m: Match) -> dict[str, Any] | None:
        weights, given = m.array("W"), m["r"]
        shaped = _by_inputs(m, call)
        is_inside = not np.any(given.get("padding", 0))
        if shaped is None or not is_inside or m["x"].type.shape != m.site.value.values[0].type.shape:
            return None
        terms = weights * np.broadcast_to(shaped, weights.shape)
        total = terms.sum((1, 2, 3)).reshape(-1, 1, 1) if call == "conv2d" else terms.sum(-2, keepdims=weights.ndim > 2)
        return {"D": total.astype(weights.dtype)}

    return when


def _by_inputs(m: Match, call: str) -> np.ndarray | None:
    """One number for each channel that weights read, as it lies beside them."""
    weights, x = m.array("W"), m["x"].type
    along = _along(m.array("S"), x.rank, OUTPUTS[call][0])
    if along is None or m["r"]["dtype"] is not None or weights.ndim < 2:
        return None
    if along.size == 1:
        return along.reshape((1,) * weights.ndim)
    if call == "matmul":
        return along[:, None]
    groups, (outputs, depth) = m["r"]["groups"], weights.shape[:2]
    each = np.broadcast_to(along.reshape(groups, 1, depth), (groups, outputs // groups, depth))
    return each.reshape(outputs, depth, 1, 1)


def _both(of: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable[[Match], dict[str, Any] | None]:
    """Two arrays as one that is no larger."""

    def when(m: Match) -> dict[str, Any] | None:
        one, other = m.array("A"), m.array("B")
        found = of(one.astype(np.float64), other.astype(np.float64))
        return {"C": found.astype(one.dtype)} if found.size <= max(one.size, other.size) else None

    return when


def _line(m: Match) -> dict[str, Any] | None:
    """A line times a factor."""
    slope, term, factor = (m.array(name).astype(np.float64) for name in "ABS")
    steeper, higher = slope * factor, term * factor
    if steeper.size > max(slope.size, factor.size) or higher.size > max(term.size, factor.size):
        return None
    return {"D": steeper.astype(m.array("A").dtype), "E": higher.astype(m.array("A").dtype)}


def _term(m: Match) -> dict[str, Any] | None:
    """A term times a factor."""
    term, factor = m.array("B"), m.array("S")
    higher = (term.astype(np.float64) * factor).astype(term.dtype)
    return {"C": higher} if higher.size <= max(term.size, factor.size) else None


def _after(call: str) -> tuple[Rule, ...]:
    """The laws of what comes after a product."""
    given, product = WEIGHTED[call], f"{call}(x, W, **r)"
    return (
        law(
            "scale a product's weights",
            f"{product} * S = {call}(x, V, **r)",
            given,
            given | {"S": 0.5},
            when=_of_outputs(call, lambda s: s),
        ),
        law(
            "divide a product's weights",
            f"{product} / S = {call}(x, V, **r)",
            given,
            when=_of_outputs(call, lambda s: 1 / s),
        ),
        law(
            "scale what is added to a product",
            f"({product} + B) * S = {product} * S + C",
            given | {"B": given["S"]},
            when=_term,
        ),
    )


def _before(call: str) -> tuple[Rule, ...]:
    """The laws of what comes before a product."""
    given = GIVEN[call]
    return (
        law(
            "scale a product's weights before",
            f"{call}(x * S, W, **r) = {call}(x, V, **r)",
            given,
            given | {"S": 0.5},
            when=_of_inputs(call),
        ),
        law(
            "add after a product",
            f"{call}(x + S, W, **r) = {call}(x, W, **r) + D",
            given,
            given | {"S": 0.5},
            when=_sums(call),
        ),
    )


LINE = {"x": "f32[2,3]", "A": "f32[3]", "B": "f32[1,3]", "S": 2.0}

RULES = (
    *(rule for call in WEIGHTED for rule in _after(call)),
    *(rule for call in GIVEN for rule in _before(call)),
    law("add two terms at once", "x + A + B = x + C", LINE | {"B": "f32[2,3]"}, when=_both(np.add)),
    law("multiply by two factors at once", "x * A * B = x * C", LINE, when=_both(np.multiply)),
    law(
        "add the terms of both sides at once",
        "(x + A) + (y + B) = (x + y) + C",
        LINE | {"y": "f32[2,3]"},
        when=_both(np.add),
    ),
    law("scale a line", "(x * A + B) * S = x * D + E", LINE, LINE | {"S": "f32[3]"}, when=_line),
)
