"""Factors and terms that are known go into the weights of the product before or after them, and into each other.

A factor goes into weights where it is moderate (`magnitudes.span`) and all that comes of it are normal numbers. A term
goes through a product only where nothing cancels in `x + c`. It is summed there once, not with each element, and sums
that cancel lose as many digits as c is larger than `x + c`. Two factors are joined where both grow or both
shrink what they are of: then all between lies between. Two terms are never joined: what cancels in one of two sums
would not in the other. Products of products, both with known weights, are one where it is less work.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ..graph import GraphBuilder, ModelValue
from .law import law, type_of_text
from .magnitudes import is_harmless, is_moderate, is_wide, least, product, range_of, span
from .pattern import Match
from .rule import Rule, behind

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
    """One number for each place along an axis, or one for all, in f64; None of an array that has more."""
    shape = (1,) * (rank - array.ndim) + array.shape
    if len(shape) > rank or any(n != 1 for i, n in enumerate(shape) if i != axis % rank):
        return None
    return array.astype(np.float64).reshape(-1)


def _of_outputs(call: str, of: Callable[[np.ndarray], np.ndarray]) -> Callable[[Match], dict[str, Any] | None]:
    """Weights times one factor for each channel that a product gives."""
    axis, of_weights = OUTPUTS[call]

    def when(m: Match) -> dict[str, Any] | None:
        weights, factor = m.array("W"), _along(m.array("S"), m.site.value.type.rank, axis)
        if factor is None or m["r"]["dtype"] is not None or of_weights == 1 and m["r"]["groups"] > 1:
            return None
        shape = [1] * weights.ndim
        shape[of_weights] = -1
        return _scaled(m, weights, of(factor).reshape(shape))

    return when


def _reciprocal(factor: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        return 1 / factor


def _scaled(m: Match, weights: np.ndarray, factor: np.ndarray) -> dict[str, Any] | None:
    """Weights times moderate factors, in the dtype of the sums; of 16 bits, whose sums are in f32, only where no weight
    is rounded."""
    if weights.dtype != m.dtype or not is_moderate(factor, m.dtype):
        return None
    wide = weights.astype(np.float64)
    found = product(wide, factor, m.dtype)
    if found is None or not is_wide(m.dtype) and np.any(found.astype(np.float64) != wide * factor):
        return None
    return {"V": found}


def _of_inputs(call: str) -> Callable[[Match], dict[str, Any] | None]:
    """Weights times one factor for each channel that a product reads."""

    def when(m: Match) -> dict[str, Any] | None:
        weights, x = m.array("W"), m["x"].type
        if x.shape != m.site.value.values[0].type.shape:
            return None
        shaped = _by_inputs(m, call)
        return None if shaped is None else _scaled(m, weights, shaped)

    return when


def _sums(call: str) -> Callable[[Match], dict[str, Any] | None]:
    """The product of a term that is the same at each place, where no window reaches beyond the input and nothing
    cancels."""

    def when(m: Match) -> dict[str, Any] | None:
        weights, given = m.array("W"), m["r"]
        shaped = _by_inputs(m, call)
        is_inside = not np.any(given.get("padding", 0))
        if shaped is None or not is_inside or m["x"].type.shape != m.site.value.values[0].type.shape:
            return None
        is_rounded = _is_product(m["x"])  # by as much as it is large: what cancels is lost already
        if not (is_rounded or _adds_up(range_of(m["x"]), shaped)) or not is_harmless(shaped, weights.dtype):
            return None
        terms = weights * np.broadcast_to(shaped, weights.shape)
        total = terms.sum((1, 2, 3)).reshape(-1, 1, 1) if call == "conv2d" else terms.sum(-2, keepdims=weights.ndim > 2)
        return {"D": total.astype(m.dtype)} if is_harmless(total, m.dtype) else None

    return when


def _is_product(value: ModelValue) -> bool:
    return behind(value, "reshape", "transpose").call in OUTPUTS


def _adds_up(own: tuple[float, float], term: np.ndarray) -> bool:
    """Whether numbers in a range cancel no more than half of a term."""
    low, high = own
    return bool(np.all(np.where(term > 0, low >= -term / 2, high <= -term / 2) | (term == 0)))


def _by_inputs(m: Match, call: str) -> np.ndarray | None:
    """One number for each channel that a product reads, shaped to lie beside the weights."""
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


def _alike(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two factors, place by place, both grow or both shrink."""
    sizes = np.abs(a), np.abs(b)
    return bool(np.all((np.minimum(*sizes) >= 1) | (np.maximum(*sizes) <= 1)))


def _same_way(m: Match) -> dict[str, Any] | None:
    """Two factors as one, no larger than they: both grow, or both shrink."""
    one, other = m.array("A"), m.array("B")
    a, b = one.astype(np.float64), other.astype(np.float64)
    found = product(a, b, m.dtype) if _alike(a, b) else None
    return {"C": found} if found is not None and found.size <= max(one.size, other.size) else None


def _line(m: Match) -> dict[str, Any] | None:
    """A line times a factor."""
    slope, term, factor = (m.array(name).astype(np.float64) for name in "ABS")
    own = m.dtype
    steeper, higher = product(slope, factor, own), product(term, factor, own)
    if steeper is None or higher is None or not is_moderate(factor, own) or not _alike(slope, factor):
        return None
    if steeper.size > max(slope.size, factor.size) or higher.size > max(term.size, factor.size):
        return None
    return {"D": steeper, "E": higher}


def _term(m: Match) -> dict[str, Any] | None:
    """A term times a factor."""
    term, factor = m.array("B"), m.array("S").astype(np.float64)
    higher = product(term.astype(np.float64), factor, m.dtype) if is_moderate(factor, m.dtype) else None
    return {"C": higher} if higher is not None and higher.size <= max(term.size, factor.size) else None


def _after(call: str) -> tuple[Rule, ...]:
    """The laws of maps after a product."""
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
            when=_of_outputs(call, _reciprocal),
        ),
        law(
            "scale what is added to a product",
            f"({product} + B) * S = {product} * S + C",
            given | {"B": given["S"]},
            when=_term,
        ),
    )


def _positive(text: Any) -> Callable[[GraphBuilder], ModelValue]:
    """For examples: a value that is not below 0."""
    return lambda builder: builder.call("relu", builder.input(type_of_text(text), "x"))


def _before(call: str) -> tuple[Rule, ...]:
    """The laws of maps before a product."""
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
            given | {"x": _positive(given["x"])},
            given | {"x": _positive(given["x"]), "S": 0.5},
            when=_sums(call),
        ),
    )


LINE = {"x": "f32[2,3]", "A": [1.0, 3.0, -2.0], "B": "f32[1,3]", "S": 2.0}


def _one_product(m: Match) -> dict[str, Any] | None:
    """The product of the weights of products of rows."""
    first, second = m.array("W"), m.array("V")
    if first.ndim != 2 or second.ndim != 2 or first.shape[0] * second.shape[1] > first.size + second.size:
        return None
    return _of(m, first, second, "km,mn->kn")


def _narrow_last(m: Match) -> dict[str, Any] | None:
    """The product of windows and of weights that look at each place alone."""
    first, second = m.array("W"), m.array("V")
    if m["r"]["groups"] != 1 or m["r"]["dtype"] is not None or prod(second.shape[2:]) != 1:
        return None
    if prod(first.shape[1:]) * second.shape[0] > first.size + second.size:
        return None
    return _of(m, first, second[:, :, 0, 0], "mikl,om->oikl")


def _narrow_first(m: Match) -> dict[str, Any] | None:
    """The same in the other order; around an image lie zeros before and after it."""
    first, second = m.array("W"), m.array("V")
    if m["r"]["groups"] != 1 or m["r"]["dtype"] is not None or prod(first.shape[2:]) != 1:
        return None
    places, after = (prod(shape[2:]) for shape in (m["x"].type.shape, m.site.value.type.shape))
    both = second.shape[0] * first.shape[1] * prod(second.shape[2:])
    if both * after > first.size * places + second.size * after:
        return None
    return _of(m, first[:, :, 0, 0], second, "mi,omkl->oikl")


def _of(m: Match, first: np.ndarray, second: np.ndarray, sums: str) -> dict[str, Any] | None:
    """The product of weights where none is large, and none of it so small that it loses digits."""
    one, other, own = first.astype(np.float64), second.astype(np.float64), m.dtype
    if not first.dtype == second.dtype == own or not is_wide(own):  # sums of products of 16 bits are in f32
        return None
    found, size = (np.einsum(sums, *each, optimize=True) for each in ((one, other), (np.abs(one), np.abs(other))))
    is_small = max(np.abs(one).max(initial=0), np.abs(other).max(initial=0)) <= span(own)
    is_normal = np.all((size == 0) & (found == 0) | (size >= least(own)))
    return {"U": found.astype(own)} if is_small and is_normal and is_harmless(size, own) else None


IMAGE = {"x": "f32[1,4,5,5]", "r": {"padding": 1, "stride": 2}}

RULES = (
    *(rule for call in WEIGHTED for rule in _after(call)),
    *(rule for call in GIVEN for rule in _before(call)),
    law(
        "multiply by two factors at once",
        "x * A * B = x * C",
        LINE | {"S": 3.0, "B": [1.5, 2.0, 4.0]},
        when=_same_way,
    ),
    law("scale a line", "(x * A + B) * S = x * D + E", LINE, LINE | {"S": [1.5, 2.0, 4.0]}, when=_line),
    law(
        "multiply once",
        "matmul(matmul(x, W), V) = matmul(x, U)",
        {"x": "f32[2,3,4]", "W": "f32[4,6]", "V": "f32[6,5]"},
        when=_one_product,
        within="finite",
    ),
    law(
        "filter once, then each place",
        "conv2d(conv2d(x, W, **r), V) = conv2d(x, U, **r)",
        IMAGE | {"W": "f32[6,4,3,3]", "V": "f32[2,6,1,1]"},
        when=_narrow_last,
        within="finite",
    ),
    law(
        "filter each place, then once",
        "conv2d(conv2d(x, W), V, **r) = conv2d(x, U, **r)",
        IMAGE | {"W": "f32[6,4,1,1]", "V": "f32[2,6,3,3]"},
        when=_narrow_first,
        within="finite",
    ),
)
