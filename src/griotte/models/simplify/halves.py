"""Floats of 16 bits that are computed wider, between casts: calls that do so by themselves.

A call computes floats of 16 bits in f32 and rounds its result once, so the two are the same. Of attention the weights
are rounded as well where they are stored. What rounds each step, such as scores of 16 bits, stays as it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...lang.types.dtypes import dtype
from .law import law
from .pattern import Match
from .rule import ALWAYS

NARROW = ("f16", "bf16")


def _is_back(m: Match) -> bool:
    """Whether 16 bits were widened to f32, and are narrowed to what they were."""
    given = {m[name].type.dtype for name in "xqkv" if name in m.holes}
    return m["w"] == "f32" and given == {m["d"]} and m["d"] in NARROW


def _own(m: Match) -> dict[str, Any] | None:
    """Gain and bias of a norm in the dtype of what they are of, where that holds them."""
    if not _is_back(m):
        return None
    narrow, found = dtype(m["d"]).numpy, {}
    for name in set("GB") & set(m.holes):
        given = m.array(name)
        rounded = given.astype(narrow)
        found[name] = rounded if np.array_equal(rounded.astype(given.dtype), given) else m[name]
    return found


X = {"x": "f16[2,3,8]", "w": "f32", "d": "f16"}
BF16 = X | {"x": "bf16[2,3,8]", "d": "bf16"}
HEADS = {**dict.fromkeys("qkv", "f16[2,5,8]"), "w": "f32", "d": "f16", "r": {}}
SOFTMAX = "(softmax | log_softmax)"

RULES = (
    law(
        "a map of 16 bits",
        "cast(unary_of_floats(cast(x, dtype=w), **r), dtype=d) = unary_of_floats(x, **r)",
        X | {"r": {}},
        when=_is_back,
        within=ALWAYS,
    ),
    law(
        "rows of 16 bits",
        f"cast({SOFTMAX}(cast(x, dtype=w), **r), dtype=d) = {SOFTMAX}(x, **r)",
        X | {"r": {"axis": (2,)}},
        BF16 | {"r": {"axis": (1, 2)}},
        when=_is_back,
        within=ALWAYS,
    ),
    law(
        "a layer norm of 16 bits",
        "cast(layer_norm(cast(x, dtype=w), G, B, epsilon=e), dtype=d) = layer_norm(x, G, B, epsilon=e, dtype=d)",
        X | {"G": "f32[8]", "B": np.ones(8, np.float32), "e": 1e-5},
        when=_own,
        within=ALWAYS,
    ),
    law(
        "an RMS norm of 16 bits",
        "cast(rms_norm(cast(x, dtype=w), G, epsilon=e), dtype=d) = rms_norm(x, G, epsilon=e, dtype=d)",
        X | {"G": np.ones(8, np.float32), "e": 1e-5},
        BF16 | {"G": "f32[8]", "e": 1e-5},
        when=_own,
        within=ALWAYS,
    ),
    law(
        "attention of 16 bits",
        "cast(attention(cast(q, dtype=w), cast(k, dtype=w), cast(v, dtype=w), *mask, **r), dtype=d)"
        " = attention(q, k, v, *mask, **r)",
        HEADS,
        HEADS | {"mask": ("f32[5,5]",)},
        when=_is_back,
    ),
)
