"""Parts of tensors: of several one, or none; and of products the products of parts of their weights.

Queries, keys and values of attention are often one product; parts of it are taken after a reshape and a transpose.
Parts of weights are known; so three products give what attention reads as it lies, and nothing is taken apart.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from ...lang.types.tensor import tensor
from ..graph import GraphBuilder, ModelValue
from .law import move
from .pattern import Match
from .rule import ALWAYS, Rule, Site, attributes_of


def _within(m: Match) -> dict[str, Any]:
    """The bounds of a part of a part, from the start of the whole."""
    starts = tuple(a + c for a, c in zip(m["a"], m["c"]))
    return {"e": starts, "f": tuple(a + d for a, d in zip(m["a"], m["d"]))}


def joined(site: Site) -> ModelValue | None:
    """A concat with parts of one tensor that follow each other as one part, and with the operands of concats within as
    its own."""
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
    """Two parts of a tensor as one, where one begins along an axis where the other ends."""
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
    """A part of a concat that lies within one operand, as a part of that."""
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


def _is_taken_apart(site: Site, value: ModelValue) -> bool:
    """Whether a tensor is read by slices alone, which together are no larger than it."""
    parts = site.readers(value)
    return all(part is not None and part.call == "slice" for part in parts) and (
        sum(part.type.elements for part in parts if part is not None) <= value.type.elements
    )


def _product(site: Site, value: ModelValue) -> tuple[ModelValue, ModelValue | None] | None:
    """A product of several rows with known weights, and the known term that is added to it."""
    term = None
    if value.call == "add" and len(value.values) == 2:
        value, term = sorted(value.values, key=lambda read: read.array is not None)
        if term.array is None or not site.is_read_once(value):
            return None
    is_known = value.call == "matmul" and value.values[1].array is not None and value.values[1].type.rank == 2
    is_one_row = prod(value.type.shape[:-1]) == 1  # parts of which are stretches of memory
    return None if not is_known or is_one_row else (value, term)


def columns(site: Site) -> ModelValue | None:
    """Some columns of a product, or a part of an axis made of them, as a product with some columns of the weights."""
    value, given = site.value, attributes_of(site.value)
    whole = inner = value.values[0]
    if inner.call == "reshape":
        (inner,) = inner.values
    found = _product(site, inner)
    if found is None or not _is_taken_apart(site, whole) or whole is not inner and not site.is_read_once(inner):
        return None
    product, term = found
    rows = inner.type.rank - 1
    apart = whole.type.shape[rows:]
    if whole.type.shape[:rows] != inner.type.shape[:-1] or prod(apart) != inner.type.shape[-1]:
        return None
    box = tuple(zip(given["starts"], given["limits"], given["steps"] or (1,) * whole.type.rank))
    if any(each != (0, n, 1) for each, n in zip(box[:rows], whole.type.shape)):
        return None
    picked = np.arange(prod(apart)).reshape(apart)[tuple(slice(*each) for each in box[rows:])].reshape(-1)
    x, weights = product.values
    result = site.call("matmul", x, _columns(site, weights, picked), **dict(product.attributes))
    if term is not None:
        result = site.call("add", result, term if term.type.shape[-1:] in ((), (1,)) else _columns(site, term, picked))
    return site.attempt("reshape", result, shape=value.type.shape)


def _columns(site: Site, known: ModelValue, picked: np.ndarray) -> ModelValue:
    assert known.array is not None
    return site.constant(known.array[..., picked])


def before_transpose(site: Site) -> ModelValue | None:
    """A part of a product whose axes moved, taken before they move."""
    value, given = site.value, attributes_of(site.value)
    moved = value.values[0]
    if moved.call != "transpose" or not _is_taken_apart(site, moved):
        return None
    (x,) = moved.values
    inner = x.values[0] if x.call == "reshape" else x
    if _product(site, inner) is None:
        return None
    perm = attributes_of(moved)["perm"]
    place = lambda name: None if given[name] is None else tuple(given[name][perm.index(i)] for i in range(len(perm)))
    part = site.call("slice", x, starts=place("starts"), limits=place("limits"), steps=place("steps"))
    return site.attempt("transpose", part, perm=perm)


def _of_product(builder: GraphBuilder, moved: bool) -> ModelValue:
    """Keys of queries, keys and values that are one product."""
    numbers = np.linspace(-1, 1, 8 * 36, dtype=np.float32)
    weights, bias = builder.constant(numbers.reshape(8, 36)), builder.constant(numbers[:36])
    product = builder.call("add", builder.call("matmul", _x(builder, 2, 5, 8), weights), bias)
    apart = builder.call("reshape", product, shape=(2, 5, 3, 4, 3))
    if not moved:
        return builder.call("slice", apart, starts=(0, 0, 0, 0, 1), limits=(2, 5, 3, 4, 2))
    turned = builder.call("transpose", apart, perm=(2, 0, 3, 1, 4))
    return builder.call("slice", turned, starts=(1, 0, 0, 0, 0), limits=(2, 2, 4, 5, 3))


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
        ("concat",),
        within=ALWAYS,
    ),
    Rule(
        "take a part of one of several",
        "slice(concat(x, y), a, b) = slice(y, a - size of x, b - size of x)",
        part_of_one,
        tuple(partial(_part, cut=cut) for cut in ((0, 3), (5, 7), (8, 10))),
        ("slice",),
        within=ALWAYS,
    ),
)

OF_PRODUCTS = (
    Rule(
        "take a part of weights",
        "slice(x W + b, a, b) = x slice(W) + slice(b)",
        columns,
        (partial(_of_product, moved=False),),
        ("slice",),
        within=ALWAYS,
    ),
    Rule(
        "take a part before a transpose",
        "slice(transpose(x, p), a, b) = transpose(slice(x, a[p], b[p]), p)",
        before_transpose,
        (partial(_of_product, moved=True),),
        ("slice",),
        within=ALWAYS,
    ),
)
