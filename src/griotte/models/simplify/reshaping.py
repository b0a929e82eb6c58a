"""Reshapes, which move nothing, go after what computes, and before what moves."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ..graph import ModelValue
from .law import exactly
from .pattern import Match
from .rule import known


def groups_of(one: tuple[int, ...], other: tuple[int, ...]) -> list[tuple[list[int], list[int]]] | None:
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
    groups = groups_of(shape, wanted)
    if groups is None or len(sizes) != len(wanted) or any(n not in (1, m) for n, m in zip(sizes, wanted)):
        return None
    before, whole = [1] * len(shape), list(sizes)
    for own, wide in groups:
        if all(sizes[axis] == 1 for axis in wide):
            continue
        for axis in wide:
            whole[axis] = wanted[axis]
        for axis in own:
            before[axis] = shape[axis]
    if prod(whole) > prod(wanted) // 2 and prod(whole) > array.size:
        return None
    return {"D": np.broadcast_to(array.reshape(sizes), whole).reshape(before)}


def _before_transpose(m: Match) -> dict[str, Any] | None:
    """How x is reshaped before its axes move, where each that is made, or is made one of neighbours, is of neighbours
    in x as well."""
    shape, perm = m["x"].type.shape, m["p"]
    groups = groups_of(tuple(shape[axis] for axis in perm), m["s"])
    if groups is None:
        return None
    first: dict[int, int] = {}  # of an axis of the result, where in x what it is of begins
    for own, wide in groups:
        axes = [perm[i] for i in own if shape[perm[i]] != 1]
        between = [n for n in shape[min(axes, default=0) : max(axes, default=-1) + 1] if n != 1]
        if axes != sorted(axes) or len(between) != len(axes):
            return None
        first |= {axis: axes[0] if m["s"][axis] != 1 else -1 for axis in wide}
    order = sorted(first, key=lambda axis: (first[axis], axis))
    moved = tuple(order.index(axis) for axis in range(len(order)))
    return {"u": tuple(m["s"][axis] for axis in order), "q": moved}


def _once(m: Match) -> dict[str, Any] | None:
    """How axes of x are joined after one transpose, where a reshape between two joins neighbours and parts none."""
    shape, perm = m["x"].type.shape, m["p"]
    groups = groups_of(tuple(shape[axis] for axis in perm), m["s"])
    if groups is None or any(len(wide) != 1 for _, wide in groups):
        return None
    order = tuple(perm[axis] for place in m["q"] for axis in groups[place][0])
    return {"r": order, "u": m.site.value.type.shape} if sorted(order) == list(range(len(shape))) else None


BESIDE = (
    {"x": "f32[2,6,1]", "s": (1, 2, 2, 3), "C": "f32[2,1,1]"},
    {"x": "f32[2,6,1]", "s": (1, 2, 2, 3), "C": "f32[2,3]"},
    {"x": "f32[6,5,2]", "s": (2, 3, 5, 2), "C": "f32[3,1,2]"},
    {"x": "f32[2,6]", "s": (3, 4), "C": 0.5},
)

RULES = (
    exactly(
        "reshape before a transpose",
        "reshape(transpose(x, perm=p), shape=s) = transpose(reshape(x, shape=u), perm=q)",
        {"x": "f32[6,4,5]", "p": (0, 2, 1), "s": (2, 3, 5, 4)},
        {"x": "f32[1,24,1,8,15]", "p": (2, 0, 3, 1, 4), "s": (1, 8, 24, 15)},
        {"x": "f32[3,4,5]", "p": (2, 0, 1), "s": (5, 12)},
        {"x": "f32[3,4]", "p": (1, 0), "s": (4, 1, 3)},
        when=_before_transpose,
    ),
    exactly(
        "one transpose before axes are joined",
        "transpose(reshape(transpose(x, perm=p), shape=s), perm=q) = reshape(transpose(x, perm=r), shape=u)",
        {"x": "f32[2,3,4,5]", "p": (0, 1, 3, 2), "s": (2, 15, 4), "q": (0, 2, 1)},
        when=_once,
    ),
    # where others read what is reshaped, it stays: a norm by hand is of the reshaped
    exactly(
        "reshape after a map",
        "unary(reshape(x, shape=s), **r) = reshape(unary(x, **r), shape=s)",
        {"x": "f32[2,6]", "s": (3, 4), "r": {}},
    ),
    exactly(
        "reshape after a map of two",
        "binary(reshape(x, shape=s), reshape(y, shape=s)) = reshape(binary(x, y), shape=s)",
        {"x": "f32[2,6]", "y": "f32[2,6]", "s": (3, 4)},
        when=lambda m: m["x"].type.shape == m["y"].type.shape,
    ),
    exactly(
        "reshape after a map with what is known",
        "binary(reshape(x, shape=s), C) = reshape(binary(x, D), shape=s);"
        " binary(C, reshape(x, shape=s)) = reshape(binary(D, x), shape=s)",
        *BESIDE,
        when=_before,
    ),
)
