"""Calls that move elements: of several one, or none."""

from __future__ import annotations

from functools import partial
from typing import Any

import ml_dtypes

from ...ir.dtypes import dtype, limits
from .pattern import Match, law


def _still(m: Match) -> dict[str, Any] | None:
    """The shape of a transpose that leaves the elements in their order: it moves axes of size 1 alone."""
    shape = m["x"].type.shape
    moved = [axis for axis in m["p"] if shape[axis] != 1]
    return {"s": tuple(shape[axis] for axis in m["p"])} if moved == sorted(moved) else None


def _within(m: Match) -> dict[str, Any]:
    """A part of a part, from the start of the whole."""
    starts = tuple(a + c for a, c in zip(m["a"], m["c"]))
    return {"e": starts, "f": tuple(a + d for a, d in zip(m["a"], m["d"]))}


def _next(m: Match) -> dict[str, Any] | None:
    """Two parts, of which one begins where the other ends."""
    axis = m["k"]
    rest = lambda name: tuple(n for i, n in enumerate(m[name]) if i != axis)
    follow = m["b"][axis] == m["c"][axis] and rest("a") == rest("c") and rest("b") == rest("d")
    return {} if follow else None


def _in_first(m: Match) -> bool:
    return m["b"][m["k"]] <= m["x"].type.shape[m["k"]]


def _in_second(m: Match) -> dict[str, Any] | None:
    axis, first = m["k"], m["x"].type.shape[m["k"]]
    if m["a"][axis] < first:
        return None
    moved = lambda name: tuple(n - first * (i == axis) for i, n in enumerate(m[name]))
    return {"c": moved("a"), "d": moved("b")}


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
PARTS = {"x": "f32[4,5]", "y": "f32[4,2]", "k": 1}
move = partial(law, of_floats=False, of_moves=True)

RULES = (
    move(
        "transpose what is one by one",
        "transpose(x, perm=p) = reshape(x, shape=s)",
        {"x": "f32[2,1,3]", "p": (1, 0, 2)},
        when=_still,
    ),
    move(
        "take a part of a part",
        "slice(slice(x, starts=a, limits=b), starts=c, limits=d) = slice(x, starts=e, limits=f)",
        {"x": "f32[4,5]", "a": (1, 1), "b": (4, 5), "c": (1, 0), "d": (3, 2)},
        when=_within,
    ),
    move(
        "put parts together",
        "concat(slice(x, starts=a, limits=b), slice(x, starts=c, limits=d), axis=k) = slice(x, starts=a, limits=d)",
        {"x": "f32[4,5]", "a": (0, 0), "b": (4, 2), "c": (0, 2), "d": (4, 5), "k": 1},
        when=_next,
    ),
    move(
        "take a part of the first",
        "slice(concat(x, y, axis=k), starts=a, limits=b) = slice(x, starts=a, limits=b)",
        PARTS | {"a": (1, 0), "b": (4, 5)},
        when=_in_first,
    ),
    move(
        "take a part of the second",
        "slice(concat(x, y, axis=k), starts=a, limits=b) = slice(y, starts=c, limits=d)",
        PARTS | {"a": (1, 5), "b": (4, 7)},
        when=_in_second,
    ),
    *(move("broadcast by the call", f"{c}(broadcast(x, shape=s), y) = {c}(x, y)", GIVEN) for c in BINARY),
    *(move("broadcast by the call", f"{c}(y, broadcast(x, shape=s)) = {c}(y, x)", GIVEN) for c in ("sub", "div")),
    move(
        "choose of what is broadcast",
        "where(p, broadcast(x, shape=s), y) = where(p, x, y)",
        GIVEN | {"p": "pred[2,3,1]"},
    ),
    law(
        "cast twice",
        "cast(cast(x, dtype=d), dtype=e) = cast(x, dtype=e)",
        {"x": "bf16[3]", "d": "f32", "e": "f64"},
        {"x": "f32[3]", "d": "f64", "e": "f32"},
        {"x": "u8[3]", "d": "f32", "e": "s32"},
        when=_exact,
        of_floats=False,
    ),
)
