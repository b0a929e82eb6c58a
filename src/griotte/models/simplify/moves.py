"""Calls that repeat or reduce elements, or give them another dtype: of several one, or none."""

from __future__ import annotations

from functools import partial
from typing import Any

import ml_dtypes

from ...ir.dtypes import dtype, limits
from .maps import REDUCTIONS
from .pattern import Match, law


def _kept(m: Match) -> dict[str, Any]:
    """The shape of a reduction whose axes are left out."""
    return {"s": tuple(n for axis, n in enumerate(m["x"].type.shape) if axis not in m["a"])}


def _apart(m: Match) -> dict[str, Any] | None:
    """The shape of a product of rows whose axes are joined before it alone."""
    shape, joined, weights = m["x"].type.shape, m["s"], m["W"].type.shape
    is_of_rows = len(weights) == 2 and len(shape) > len(joined) > 1 and shape[-1] == joined[-1]
    return {"t": (*joined[:-1], weights[-1])} if is_of_rows else None


def _left_out(m: Match) -> bool:
    return _kept(m)["s"] == m["s"]


def _exact(m: Match) -> bool:
    """Whether the dtype between holds all that x may hold."""
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


BINARY = ("add", "sub", "mul", "div", "maximum", "minimum")
GIVEN = {"x": "f32[4]", "y": "f32[2,3,4]", "s": (1, 3, 4)}
move = partial(law, of_floats=False, of_moves=True, strict=True)

RULES = (
    *(move("broadcast by the call", f"{c}(broadcast(x, shape=s), y) = {c}(x, y)", GIVEN) for c in BINARY),
    *(move("broadcast by the call", f"{c}(y, broadcast(x, shape=s)) = {c}(y, x)", GIVEN) for c in ("sub", "div")),
    move(
        "choose of what is broadcast",
        "where(p, broadcast(x, shape=s), y) = where(p, x, y)",
        GIVEN | {"p": "pred[2,3,1]"},
    ),
    *(
        law(
            "reduce once",
            f"{call}({call}(x, axis=a, keepdims=True), axis=b, keepdims=True) = {call}(x, axis=c, keepdims=True)",
            {"x": "f32[2,3,4]", "a": (0,), "b": (2,)},
            when=lambda m: {"c": tuple(sorted({*m["a"], *m["b"]}))},
            of_floats=False,
            strict=call in ("max", "min"),  # sums of parts may overflow, or cancel
        )
        for call in REDUCTIONS
        if call != "mean"  # the sum of all may overflow where those of parts do not
    ),
    *(
        move(
            "keep what is reduced as an axis",
            f"{call}(x, axis=a, keepdims=False) = reshape({call}(x, axis=a, keepdims=True), shape=s)",
            {"x": "f32[2,3,4]", "a": (0, 2)},
            when=_kept,
        )
        for call in REDUCTIONS
    ),
    law(
        "cast twice",
        "cast(cast(x, dtype=d), dtype=e) = cast(x, dtype=e)",
        {"x": "bf16[3]", "d": "f32", "e": "f64"},
        {"x": "f32[3]", "d": "f64", "e": "f32"},
        {"x": "u8[3]", "d": "f32", "e": "s32"},
        when=_exact,
        of_floats=False,
        strict=True,
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

LAST = tuple(
    move(
        "leave out what is reduced",
        f"reshape({call}(x, axis=a, keepdims=True), shape=s) = {call}(x, axis=a)",
        {"x": "f32[2,3,4]", "a": (0, 2), "s": (3,)},
        when=_left_out,
    )
    for call in REDUCTIONS
)
"""For the end: the other way round."""
