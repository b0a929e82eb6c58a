"""Calls that move elements: of several one, or none."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Any

import ml_dtypes

from ...ir import activations, arithmetic, comparisons, elementwise
from ...ir.dtypes import dtype, limits
from ..graph import ModelValue
from .pattern import Match, law
from .rule import known

MAPS = (elementwise.FORMS, arithmetic.FORMS, activations.FORMS, comparisons.FORMS)


def _still(m: Match) -> dict[str, Any] | None:
    """The shape of a transpose that leaves the elements in their order: it moves axes of size 1 alone."""
    shape = m["x"].type.shape
    moved = [axis for axis in m["p"] if shape[axis] != 1]
    return {"s": tuple(shape[axis] for axis in m["p"])} if moved == sorted(moved) else None


def _merged(m: Match) -> dict[str, Any] | None:
    """How x is transposed where it is reshaped before and after, so that some axes are one while they move."""
    shape, between = m["x"].type.shape, m["s"]
    groups = _groups(shape, between)
    if groups is None or any(len(wide) > 1 for _, wide in groups):
        return None
    of = {axis: own for own, wide in groups for axis in wide}
    perm = tuple(axis for each in m["p"] for axis in of[each])
    left = set(range(len(shape))) - set(perm)
    return {"q": perm} if not left and tuple(shape[axis] for axis in perm) == m["t"] else None


def _groups(one: tuple[int, ...], other: tuple[int, ...]) -> list[tuple[list[int], list[int]]] | None:
    """Axes of two shapes of as many elements, in the least groups of neighbours that have as many each."""
    found, i, j = [], 0, 0
    while i < len(one) or j < len(other):
        own, wide = ([i] if i < len(one) else []), ([j] if j < len(other) else [])
        i, j = i + len(own), j + len(wide)
        while (a := prod(one[k] for k in own)) != (b := prod(other[k] for k in wide)):
            if a < b and i < len(one):
                own, i = [*own, i], i + 1
            elif b < a and j < len(other):
                wide, j = [*wide, j], j + 1
            else:
                return None
        found.append((own, wide))
    return found


def _before(m: Match) -> dict[str, Any] | None:
    """What is known beside x reshaped, as it is beside x."""
    array = known(m["C"])
    assert array is not None
    if array.size == 1:
        return {"D": m["C"] if not isinstance(m["C"], ModelValue) else array.reshape(())}
    shape, wanted = m["x"].type.shape, m["s"]
    sizes = (1,) * (len(wanted) - array.ndim) + array.shape
    groups = _groups(shape, wanted)
    if groups is None or len(sizes) != len(wanted):
        return None
    before = [1] * len(shape)
    for own, wide in groups:
        given = [sizes[axis] for axis in wide]
        if given == [wanted[axis] for axis in wide]:
            for axis in own:
                before[axis] = shape[axis]
        elif any(n != 1 for n in given):
            return None
    return {"D": array.reshape(before)}


def _kept(m: Match) -> dict[str, Any]:
    """The shape of a reduction whose axes are left out."""
    return {"s": tuple(n for axis, n in enumerate(m["x"].type.shape) if axis not in m["a"])}


def _left_out(m: Match) -> bool:
    return _kept(m)["s"] == m["s"]


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


REDUCTIONS = ("sum", "mean", "max", "min")
UNARY = ("cast", *(name for forms in MAPS for name, form in forms.items() if form.operands == 1))
MAPS_OF_TWO = tuple(
    name for forms in MAPS for name, form in forms.items() if form.operands == 2 and not name.startswith("logical")
)
OF = {"cast": {"dtype": "bf16"}, "clip": {"low": 0.5}, "leaky_relu": {"alpha": 0.2}}
BESIDE = (
    {"x": "f32[2,6,1]", "s": (1, 2, 2, 3), "C": "f32[2,1,1]"},
    {"x": "f32[2,6,1]", "s": (1, 2, 2, 3), "C": "f32[2,3]"},
    {"x": "f32[2,6]", "s": (3, 4), "C": 0.5},
)
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
    move(
        "transpose as a whole",
        "reshape(transpose(reshape(x, shape=s), perm=p), shape=t) = transpose(x, perm=q)",
        {"x": "f32[2,3,4,5]", "s": (6, 4, 5), "p": (0, 2, 1), "t": (2, 3, 5, 4)},
        {"x": "f32[1,3,4]", "s": (3, 4), "p": (1, 0), "t": (4, 1, 3)},
        when=_merged,
    ),
    # where others read what is reshaped, it stays: a norm by hand is of the reshaped
    *(
        law(
            "reshape after a map",
            f"{call}(reshape(x, shape=s), **r) = reshape({call}(x, **r), shape=s)",
            {"x": f"{'pred' if call == 'logical_not' else 'f32'}[2,6]", "s": (3, 4), "r": OF.get(call, {})},
            of_floats=False,
        )
        for call in UNARY
    ),
    *(
        law(
            "reshape after a map of two",
            f"{call}(reshape(x, shape=s), reshape(y, shape=s)) = reshape({call}(x, y), shape=s)",
            {"x": "f32[2,6]", "y": "f32[2,6]", "s": (3, 4)},
            when=lambda m: m["x"].type.shape == m["y"].type.shape,
            of_floats=False,
        )
        for call in MAPS_OF_TWO
    ),
    *(
        law(
            "reshape after a map with what is known",
            f"{left} = reshape({right}, shape=s)",
            *BESIDE,
            when=_before,
            of_floats=False,
        )
        for call in MAPS_OF_TWO
        for left, right in (
            (f"{call}(reshape(x, shape=s), C)", f"{call}(x, D)"),
            (f"{call}(C, reshape(x, shape=s))", f"{call}(D, x)"),
        )
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
    ),
)

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
