"""Calls that repeat or reduce elements, or give them another dtype: of several one, or none.

A call computes floats of 16 bits in f32 and rounds its result once, so between casts to f32 and back it is the same. Of
attention the weights are rounded as well where they are stored. What rounds each step, such as scores of 16 bits, stays
as it is.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from ...lang.types.dtypes import dtype, limits
from .law import exactly, law, move, strictly
from .pattern import Match


def _kept(m: Match) -> dict[str, Any]:
    """The shape of a reduction without the reduced axes."""
    return {"s": tuple(n for axis, n in enumerate(m["x"].type.shape) if axis not in m["a"])}


def _apart(m: Match) -> dict[str, Any] | None:
    """The shape of a product of rows whose axes were joined just before it."""
    shape, joined, weights = m["x"].type.shape, m["s"], m["W"].type.shape
    is_of_rows = len(weights) == 2 and len(shape) > len(joined) > 1 and shape[-1] == joined[-1]
    return {"t": (*joined[:-1], weights[-1])} if is_of_rows else None


def _left_out(m: Match) -> bool:
    return _kept(m)["s"] == m["s"]


def _exact(m: Match) -> bool:
    """Whether the dtype between holds each value of x exactly."""
    return _holds(m["d"], m["x"].type.dtype)


def _holds(wide: str, narrow: str) -> bool:
    one, other = dtype(wide), dtype(narrow)
    if wide == narrow:
        return True
    if "pred" in (wide, narrow):
        return narrow == "pred"
    if one.kind == "float" and other.kind == "float":
        if one.bits <= 8:  # of which none has all that another has: infinities, -0
            return False
        a, b = ml_dtypes.finfo(one.numpy), ml_dtypes.finfo(other.numpy)
        return a.nmant >= b.nmant and a.maxexp >= b.maxexp and a.minexp - a.nmant <= b.minexp - b.nmant
    if other.kind == "float":
        return False
    least, most = limits(narrow)
    if one.kind == "float":
        return max(-least, most) <= 2 ** (ml_dtypes.finfo(one.numpy).nmant + 1)
    return limits(wide)[0] <= least and most <= limits(wide)[1]


SIX = "(add | sub | mul | div | maximum | minimum)"
GIVEN = {"x": "f32[4]", "y": "f32[2,3,4]", "s": (1, 3, 4)}
REDUCED = {"x": "f32[2,3,4]", "a": (0, 2)}


def _axes(m: Match) -> dict[str, Any]:
    """The axes of two reductions."""
    return {"c": tuple(sorted({*m["a"], *m["b"]}))}


ONCE = "{0}({0}(x, axis=a, keepdims=True), axis=b, keepdims=True) = {0}(x, axis=c, keepdims=True)"
TWICE = REDUCED | {"a": (0,), "b": (2,)}

RULES = (
    move(
        "broadcast by the call",
        f"{SIX}(broadcast(x, shape=s), y) = {SIX}(x, y); (sub | div)(y, broadcast(x, shape=s)) = (sub | div)(y, x)",
        GIVEN,
    ),
    move(
        "choose of what is broadcast",
        "where(p, broadcast(x, shape=s), y) = where(p, x, y)",
        GIVEN | {"p": "pred[2,3,1]"},
    ),
    # sums of parts may overflow, or cancel; means stay: those of parts may where the sum of all does not
    law("reduce once", ONCE.format("sum"), TWICE, when=_axes, of_floats=False),
    exactly("reduce once", ONCE.format("(max | min)"), TWICE, when=_axes),
    move(
        "keep what is reduced as an axis",
        "reduction(x, axis=a, keepdims=False) = reshape(reduction(x, axis=a, keepdims=True), shape=s)",
        REDUCED,
        when=_kept,
    ),
    exactly(
        "cast twice",
        "cast(cast(x, dtype=d), dtype=e) = cast(x, dtype=e)",
        {"x": "bf16[3]", "d": "f32", "e": "f64"},
        {"x": "f32[3]", "d": "f64", "e": "f32"},
        {"x": "u8[3]", "d": "f32", "e": "s32"},
        when=_exact,
    ),
)

APART = (
    move(
        "multiply before axes are joined",
        "matmul(reshape(x, shape=s), W, **r) = reshape(matmul(x, W, **r), shape=t)",
        {"x": "f32[2,3,4]", "s": (6, 4), "W": "f32[4,5]", "r": {}},
        when=_apart,
    ),
)
"""For a dynamic size, which is an axis of its own."""

LAST = (
    move(
        "leave out what is reduced",
        "reshape(reduction(x, axis=a, keepdims=True), shape=s) = reduction(x, axis=a)",
        REDUCED | {"s": (3,)},
        when=_left_out,
    ),
)
"""For the last stage: the other way round."""


NARROW = ("f16", "bf16")


def _is_back(m: Match) -> bool:
    """Whether floats of 16 bits were widened to f32 and are narrowed back."""
    given = {m[name].type.dtype for name in "xqkv" if name in m.holes}
    return m["w"] == "f32" and given == {m["d"]} and m["d"] in NARROW


def _own(m: Match) -> dict[str, Any] | None:
    """Gain and bias of a norm in the narrow dtype, where it holds them exactly."""
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

HALVES = (
    strictly(
        "a map of 16 bits",
        "cast(unary_of_floats(cast(x, dtype=w), **r), dtype=d) = unary_of_floats(x, **r)",
        X | {"r": {}},
        when=_is_back,
    ),
    strictly(
        "rows of 16 bits",
        f"cast({SOFTMAX}(cast(x, dtype=w), **r), dtype=d) = {SOFTMAX}(x, **r)",
        X | {"r": {"axis": (2,)}},
        BF16 | {"r": {"axis": (1, 2)}},
        when=_is_back,
    ),
    strictly(
        "a layer norm of 16 bits",
        "cast(layer_norm(cast(x, dtype=w), G, B, epsilon=e), dtype=d) = layer_norm(x, G, B, epsilon=e, dtype=d)",
        X | {"G": "f32[8]", "B": np.ones(8, np.float32), "e": 1e-5},
        when=_own,
    ),
    strictly(
        "an RMS norm of 16 bits",
        "cast(rms_norm(cast(x, dtype=w), G, epsilon=e), dtype=d) = rms_norm(x, G, epsilon=e, dtype=d)",
        X | {"G": np.ones(8, np.float32), "e": 1e-5},
        BF16 | {"G": "f32[8]", "e": 1e-5},
        when=_own,
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
