"""Reshapes and transposes: where they stand, and several as one.

A reshape moves nothing: it goes after calls that compute, and before calls that move. Transposes go after calls that
compute each element by itself, so that they meet those that take them back. A reader of images with channels last
writes one after each convolution, and one before the next. Calls between, be they maps, numbers of channels, sums over
an image or joins, are as well computed before the first; then the two are none. Pads go the other way, for a
convolution takes them. Transposes that are left stand where the model begins and ends.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...lang.types.tensor import tensor
from ..graph import GraphBuilder, ModelValue
from .law import exactly, move, strictly
from .pattern import Match
from .rule import ALWAYS, Rule, Site, attributes_of, known

Perm = tuple[int, ...]


def groups_of(one: tuple[int, ...], other: tuple[int, ...]) -> list[tuple[list[int], list[int]]] | None:
    """The axes of two shapes, split into the smallest groups of neighbours that have as many elements in both."""
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


def before_reshape(
    x: tuple[int, ...], reshaped: tuple[int, ...], beside: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The shape beside x of an operand beside x reshaped; and the shape to which the operand is broadcast for that.
    Each group of neighbours is there as a whole or not at all."""
    groups = groups_of(x, reshaped)
    if groups is None or len(beside) != len(reshaped):
        return None
    before, whole = [1] * len(x), list(beside)
    for own, wide in groups:
        if all(beside[axis] == 1 for axis in wide):
            continue
        for axis in wide:
            whole[axis] = reshaped[axis]
        for axis in own:
            before[axis] = x[axis]
    return tuple(before), tuple(whole)


def _before(m: Match) -> dict[str, Any] | None:
    """A known operand beside x reshaped, as it lies beside x."""
    array, wanted = known(m["C"]), m["s"]
    assert array is not None
    if array.size == 1:
        return {"D": m["C"] if not isinstance(m["C"], ModelValue) else array.reshape(())}
    sizes = (1,) * (len(wanted) - array.ndim) + array.shape
    found = before_reshape(m["x"].type.shape, wanted, sizes)
    if found is None or any(n not in (1, m) for n, m in zip(sizes, wanted)):
        return None
    before, whole = found
    if prod(whole) > prod(wanted) // 2 and prod(whole) > array.size:
        return None
    return {"D": np.broadcast_to(array.reshape(sizes), whole).reshape(before)}


def _before_transpose(m: Match) -> dict[str, Any] | None:
    """The reshape of x before its axes move, where axes that are split or joined are neighbours in x as well."""
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
    """One transpose for two, where the reshape between them joins neighbours and splits no axis."""
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

RESHAPES = (
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
    # where others read the reshaped value, the reshape stays: a norm by hand is of the reshaped
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


def _still(m: Match) -> dict[str, Any] | None:
    """The shape after a transpose that moves axes of size 1 alone, which leaves the elements in their order."""
    shape = m["x"].type.shape
    moved = [axis for axis in m["p"] if shape[axis] != 1]
    return {"s": tuple(shape[axis] for axis in m["p"])} if moved == sorted(moved) else None


def back(perm: Perm) -> Perm:
    """The inverse of a permutation."""
    return tuple(perm.index(axis) for axis in range(len(perm)))


def _moves_channels(perm: Perm) -> bool:
    """Whether a permutation is from channels first to channels last, or back."""
    rank = len(perm)
    last = (0, *range(2, rank), 1)
    return rank > 3 and perm in (last, back(last))


def _goes_on(site: Site, value: ModelValue) -> bool:
    """Whether a transpose costs no more after its reader: it has one alone, or others take it back as well."""
    return site.is_read_once(value) or _moves_channels(attributes_of(value)["perm"])


def _all_go_on(m: Match) -> bool:
    return all(_goes_on(m.site, value) for value in m.calls if value.call == "transpose")


def _beside(m: Match) -> dict[str, Any] | None:
    """An operand beside a transpose, as it lies beside x: a known one, or one whose elements do not move."""
    value, x = m["y"], m["x"].type
    if value.type.rank > x.rank or not _all_go_on(m) or prod(x.shape) != m.site.value.type.elements:
        return None
    found = before(m.site, value, m["p"])
    return None if found is None else {"z": found}


def before(site: Site, value: ModelValue, perm: Perm) -> Any:
    """An operand beside a transpose, as it lies before the transpose; None where its elements would move."""
    sizes, turned = (1,) * (len(perm) - value.type.rank) + value.type.shape, back(perm)
    if value.array is not None:
        return value.array.reshape(sizes).transpose(turned)
    kept = [perm[i] for i, n in enumerate(sizes) if n != 1]
    return site.call("reshape", value, shape=tuple(sizes[i] for i in turned)) if kept == sorted(kept) else None


def _numbers(m: Match) -> bool:
    return _all_go_on(m) and not isinstance(m["C"], ModelValue)


def _is_number(m: Match) -> bool:
    array = known(m["C"])
    return array is not None and array.size == 1


def _reduced(m: Match) -> dict[str, Any]:
    """The axes of x that are reduced."""
    return {"b": tuple(sorted(m["p"][axis] for axis in m["a"]))}


def _padded(m: Match) -> dict[str, Any]:
    """The pads after the transpose."""
    return {"c": tuple(m["a"][axis] for axis in m["p"]), "d": tuple(m["b"][axis] for axis in m["p"])}


def _rows(m: Match) -> dict[str, Any] | None:
    """Weights with their rows in the order of x, whose last axes move and are joined before a product."""
    weights, perm, shape, x = m.array("W"), m["p"], m["s"], m["x"].type
    front = len(shape) - 1
    if weights.ndim != 2 or perm[:front] != tuple(range(front)) or x.shape[:front] != shape[:-1]:
        return None
    inner = [axis - front for axis in perm[front:]]
    sizes = [x.shape[axis] for axis in perm[front:]]
    apart = weights.reshape(*sizes, weights.shape[1]).transpose(*back(tuple(inner)), len(inner))
    return {"V": apart.reshape(weights.shape)}


def joined(site: Site) -> ModelValue | None:
    """A concat of transposes, and of constants beside them, before one transpose."""
    value = site.value
    moved = [read for read in value.values if read.call == "transpose"]
    perms = {attributes_of(read)["perm"] for read in moved}
    others = [read for read in value.values if read.call != "transpose"]
    if len(perms) != 1 or len(moved) < 2 or any(read.array is None for read in others):
        return None
    if not all(_goes_on(site, read) for read in moved):
        return None
    (perm,) = perms
    turned = lambda v: v.values[0] if v.array is None else site.constant(v.array.transpose(back(perm)))
    whole = site.call("concat", *map(turned, value.values), axis=perm[attributes_of(value)["axis"]])
    return site.attempt("transpose", whole, perm=perm)


def _side_by_side(builder: GraphBuilder) -> ModelValue:
    x, y = (builder.input(tensor((2, n, 4, 5)), f"x{n}") for n in (3, 6))
    parts = (builder.call("transpose", each, perm=(0, 2, 3, 1)) for each in (x, y))
    return builder.call("concat", *parts, axis=3)


IMAGE = {"x": "f32[2,3,4,5]", "p": (0, 2, 3, 1), "r": {}}
BEFORE = (
    "binary(transpose(x, perm=p), {0}) = transpose(binary(x, {1}), perm=p);"
    " binary({0}, transpose(x, perm=p)) = transpose(binary({1}, x), perm=p)"
)

TRANSPOSES = (
    move(
        "transpose what is one by one",
        "transpose(x, perm=p) = reshape(x, shape=s)",
        {"x": "f32[2,1,3]", "p": (1, 0, 2)},
        when=_still,
    ),
    strictly(
        "multiply before a transpose",
        "transpose(x, perm=p) * C = transpose(x * C, perm=p)",
        {"x": "f32[2,3]", "p": (1, 0), "C": 0.3},
        when=_is_number,
    ),
)

DOWN = (
    move(
        "transpose after a map",
        "unary(transpose(x, perm=p), **r) = transpose(unary(x, **r), perm=p)",
        IMAGE,
        when=_all_go_on,
    ),
    move(
        "transpose after a map of two",
        "binary(transpose(x, perm=p), transpose(y, perm=p)) = transpose(binary(x, y), perm=p)",
        IMAGE | {"y": "f32[2,3,1,1]"},
        when=_all_go_on,
    ),
    *(
        move("transpose after a map with what moves nothing", BEFORE.format(*names), *examples, when=when)
        for names, when, examples in (
            ("yz", _beside, (IMAGE | {"y": "f32[2,1,1,3]"}, IMAGE | {"y": "f32[1]"})),
            ("CC", _numbers, (IMAGE | {"C": 2},)),
        )
    ),
    move(
        "reduce before a transpose",
        "reduction(transpose(x, perm=p), axis=a, keepdims=True)"
        " = transpose(reduction(x, axis=b, keepdims=True), perm=p)",
        IMAGE | {"a": (1, 2)},
        when=_reduced,
    ),
    exactly(
        "pad after a transpose",
        "transpose(pad(x, before=a, after=b, **r), perm=p) = pad(transpose(x, perm=p), before=c, after=d, **r)",
        IMAGE | {"a": (0, 1, 0, 2), "b": (0, 1, 1, 0)},
        when=_padded,
    ),
    strictly(
        "move the rows of weights",
        "matmul(reshape(transpose(x, perm=p), shape=s), W) = matmul(reshape(x, shape=s), V)",
        IMAGE | {"s": (2, 60), "W": "f32[60,7]"},
        when=_rows,
        shared=None,
    ),
    Rule(
        "join before a transpose",
        "concat(transpose(x, p), transpose(y, p), axis=a) = transpose(concat(x, y, axis=p[a]), p)",
        joined,
        (_side_by_side,),
        ("concat",),
        within=ALWAYS,
    ),
)
