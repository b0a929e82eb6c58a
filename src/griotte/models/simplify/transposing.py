"""Transposes go after what computes each element by itself, so that they meet those that take them back.

A reader of images with channels last writes one after each convolution, and one before the next. What lies between, be
it maps, numbers of channels, sums over an image or what is joined, is as well computed before the first; then the two
are none. Pads go the other way, for a convolution takes them. What is left stands where the model begins and ends.
"""

from __future__ import annotations

from math import prod
from typing import Any

from ...lang.types.tensor import tensor
from ..graph import GraphBuilder, ModelValue
from .law import exactly, law, move
from .pattern import Match
from .rule import ALWAYS, Rule, Site, attributes_of, known

Perm = tuple[int, ...]


def _still(m: Match) -> dict[str, Any] | None:
    """The shape of a transpose that leaves the elements in their order: it moves axes of size 1 alone."""
    shape = m["x"].type.shape
    moved = [axis for axis in m["p"] if shape[axis] != 1]
    return {"s": tuple(shape[axis] for axis in m["p"])} if moved == sorted(moved) else None


def back(perm: Perm) -> Perm:
    """What takes a transpose back."""
    return tuple(perm.index(axis) for axis in range(len(perm)))


def _moves_channels(perm: Perm) -> bool:
    """Whether a transpose is from channels first to channels last, or back."""
    rank = len(perm)
    last = (0, *range(2, rank), 1)
    return rank > 3 and perm in (last, back(last))


def _goes_on(site: Site, value: ModelValue) -> bool:
    """Whether a transpose is no more work after what reads it: that alone does, or each other takes it back as well."""
    return site.is_read_once(value) or _moves_channels(attributes_of(value)["perm"])


def _all_go_on(m: Match) -> bool:
    return all(_goes_on(m.site, value) for value in m.calls if value.call == "transpose")


def _beside(m: Match) -> dict[str, Any] | None:
    """What is read beside a transpose, as it is beside x: it is known, or no element of it moves."""
    value, x = m["y"], m["x"].type
    if value.type.rank > x.rank or not _all_go_on(m) or prod(x.shape) != m.site.value.type.elements:
        return None
    found = before(m.site, value, m["p"])
    return None if found is None else {"z": found}


def before(site: Site, value: ModelValue, perm: Perm) -> Any:
    """What lies beside a transpose, as it lies beside what that is of; None where elements of it would move."""
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
    """Pads of what has moved."""
    return {"c": tuple(m["a"][axis] for axis in m["p"]), "d": tuple(m["b"][axis] for axis in m["p"])}


def _rows(m: Match) -> dict[str, Any] | None:
    """Weights of which the rows are in the order of x, where its last axes are one for a product after they moved."""
    weights, perm, shape, x = m.array("W"), m["p"], m["s"], m["x"].type
    front = len(shape) - 1
    if weights.ndim != 2 or perm[:front] != tuple(range(front)) or x.shape[:front] != shape[:-1]:
        return None
    inner = [axis - front for axis in perm[front:]]
    sizes = [x.shape[axis] for axis in perm[front:]]
    apart = weights.reshape(*sizes, weights.shape[1]).transpose(*back(tuple(inner)), len(inner))
    return {"V": apart.reshape(weights.shape)}


def joined(site: Site) -> ModelValue | None:
    """Transposes side by side, and what is known beside them."""
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

RULES = (
    move(
        "transpose what is one by one",
        "transpose(x, perm=p) = reshape(x, shape=s)",
        {"x": "f32[2,1,3]", "p": (1, 0, 2)},
        when=_still,
    ),
    law(
        "multiply before a transpose",
        "transpose(x, perm=p) * C = transpose(x * C, perm=p)",
        {"x": "f32[2,3]", "p": (1, 0), "C": 0.3},
        when=_is_number,
        within=ALWAYS,
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
    law(
        "move the rows of weights",
        "matmul(reshape(transpose(x, perm=p), shape=s), W) = matmul(reshape(x, shape=s), V)",
        IMAGE | {"s": (2, 60), "W": "f32[60,7]"},
        when=_rows,
        shared=None,
        within=ALWAYS,
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
