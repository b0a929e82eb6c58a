"""Products of products, both with weights that are known: one, where it is less work."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from .law import law
from .pattern import Match
from .rounding import is_harmless, is_wide, least, span


def _one_product(m: Match) -> dict[str, Any] | None:
    """The product of the weights of products of rows."""
    first, second = m.array("W"), m.array("V")
    if first.ndim != 2 or second.ndim != 2 or first.shape[0] * second.shape[1] > first.size + second.size:
        return None
    return _of(m, first, second, "km,mn->kn")


def _narrow_last(m: Match) -> dict[str, Any] | None:
    """The same of images, where the second looks at each place alone."""
    first, second = m.array("W"), m.array("V")
    if m["r"]["groups"] != 1 or m["r"]["dtype"] is not None or prod(second.shape[2:]) != 1:
        return None
    if prod(first.shape[1:]) * second.shape[0] > first.size + second.size:
        return None
    return _of(m, first, second[:, :, 0, 0], "mikl,om->oikl")


def _narrow_first(m: Match) -> dict[str, Any] | None:
    """The same, where the first does; what lies around an image is 0 before and after it."""
    first, second = m.array("W"), m.array("V")
    if m["r"]["groups"] != 1 or m["r"]["dtype"] is not None or prod(first.shape[2:]) != 1:
        return None
    places, after = (prod(shape[2:]) for shape in (m["x"].type.shape, m.site.value.type.shape))
    both = second.shape[0] * first.shape[1] * prod(second.shape[2:])
    if both * after > first.size * places + second.size * after:
        return None
    return _of(m, first[:, :, 0, 0], second, "mi,omkl->oikl")


def _of(m: Match, first: np.ndarray, second: np.ndarray, sums: str) -> dict[str, Any] | None:
    """The product of weights, of which none is large, and none so small that it loses digits."""
    one, other, own = first.astype(np.float64), second.astype(np.float64), m.dtype
    if not first.dtype == second.dtype == own or not is_wide(own):  # sums of products of 16 bits are in f32
        return None
    found, size = (np.einsum(sums, *each, optimize=True) for each in ((one, other), (np.abs(one), np.abs(other))))
    is_small = max(np.abs(one).max(initial=0), np.abs(other).max(initial=0)) <= span(own)
    is_normal = np.all((size == 0) & (found == 0) | (size >= least(own)))
    return {"U": found.astype(own)} if is_small and is_normal and is_harmless(size, own) else None


IMAGE = {"x": "f32[1,4,5,5]", "r": {"padding": 1, "stride": 2}}

RULES = (
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
