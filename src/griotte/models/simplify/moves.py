"""Calls that move elements: of several one, or none."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from math import prod
from typing import Any

import ml_dtypes

from ...ir import activations, arithmetic, comparisons, elementwise
from ...ir.dtypes import dtype, limits
from ...ir.tensor import tensor
from ..graph import GraphBuilder, ModelValue
from .pattern import Match, attributes_of, law
from .rule import Rule, Site, known

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


def joined(site: Site) -> ModelValue | None:
    """Of what stands side by side: parts of one tensor that follow each other as one part, tensors that stand side by
    side already each by itself."""
    value, axis = site.value, attributes_of(site.value)["axis"]
    found: list[ModelValue] = []
    for read in value.values:
        is_inner = read.call == "concat" and attributes_of(read)["axis"] == axis and site.is_read_once(read)
        inner = read.values if is_inner else (read,)  # one that others read is written once, in its place in this one
        for each in inner:
            whole = _one_part(site, found[-1], each, axis) if found else None
            found[-1:] = [whole] if whole is not None else [*found[-1:], each]
    if len(found) == len(value.reads):
        return None
    return site.attempt("concat", *found, axis=axis) if len(found) > 1 else found[0]


def _one_part(site: Site, first: ModelValue, second: ModelValue, axis: int) -> ModelValue | None:
    """Two parts of a tensor, of which one begins along an axis where the other ends."""
    if not first.call == second.call == "slice" or first.reads != second.reads:
        return None
    one, other = attributes_of(first), attributes_of(second)
    rest = lambda given, name: tuple(n for i, n in enumerate(given[name]) if i != axis)
    if one["steps"] is not None or other["steps"] is not None or one["limits"][axis] != other["starts"][axis]:
        return None
    if rest(one, "starts") != rest(other, "starts") or rest(one, "limits") != rest(other, "limits"):
        return None
    return site.call("slice", *first.reads, starts=one["starts"], limits=other["limits"])


def part_of_one(site: Site) -> ModelValue | None:
    """A part of tensors side by side that lies within one of them."""
    whole, given = site.value.values[0], attributes_of(site.value)
    if whole.call != "concat" or given["steps"] is not None:
        return None
    axis, before = attributes_of(whole)["axis"], 0
    for each in whole.values:
        size = each.type.shape[axis]
        if before <= given["starts"][axis] and given["limits"][axis] <= before + size:
            moved = lambda name, off=before: tuple(n - off * (i == axis) for i, n in enumerate(given[name]))
            return site.attempt("slice", each, starts=moved("starts"), limits=moved("limits"))
        before += size
    return None


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
move = partial(law, of_floats=False, of_moves=True)


def _x(builder: GraphBuilder, *shape: int) -> ModelValue:
    return builder.input(tensor(shape), f"x{len(builder.inputs)}")


def _side_by_side(builder: GraphBuilder, cuts: tuple[int, ...]) -> ModelValue:
    x, y = _x(builder, 4, 5), _x(builder, 4, 3)
    parts = (builder.call("slice", x, starts=(0, a), limits=(4, b)) for a, b in pairwise(cuts))
    return builder.call("concat", *parts, *([builder.call("concat", y, x, axis=1)] if len(cuts) == 4 else []), axis=1)


def _part(builder: GraphBuilder, cut: tuple[int, int]) -> ModelValue:
    whole = builder.call("concat", _x(builder, 4, 5), _x(builder, 4, 2), _x(builder, 4, 3), axis=1)
    return builder.call("slice", whole, starts=(1, cut[0]), limits=(4, cut[1]))


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
    Rule(
        "put parts together",
        "concat(slice(x, a, b), slice(x, b, c)) = slice(x, a, c); concat(concat(x, y), z) = concat(x, y, z)",
        joined,
        tuple(partial(_side_by_side, cuts=cuts) for cuts in ((0, 2, 5), (0, 2, 4, 5), (1, 2, 3))),
        "concat",
    ),
    Rule(
        "take a part of one of several",
        "slice(concat(x, y), a, b) = slice(y, a - size of x, b - size of x)",
        part_of_one,
        tuple(partial(_part, cut=cut) for cut in ((0, 3), (5, 7), (8, 10))),
        "slice",
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
        law(
            "reduce once",
            f"{call}({call}(x, axis=a, keepdims=True), axis=b, keepdims=True) = {call}(x, axis=c, keepdims=True)",
            {"x": "f32[2,3,4]", "a": (0,), "b": (2,)},
            when=lambda m: {"c": tuple(sorted({*m["a"], *m["b"]}))},
            of_floats=False,
        )
        for call in REDUCTIONS
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
