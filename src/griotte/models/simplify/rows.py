"""Rows by number: products that pick them; and those alone are computed that are read, of a last block one token."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...lang.constructors.forms import form_of
from ...lang.types.dtypes import dtype
from ...lang.types.tensor import tensor
from ..graph import GraphBuilder, ModelValue
from .axes import groups_of
from .folding import MOST
from .law import law, strictly
from .pattern import Match
from .rule import ALWAYS, MAPS_OF_TWO, UNARY, Rule, Site, attributes_of


def _picked(m: Match) -> dict[str, Any] | None:
    """Rows of W by number, with one of zeros on either side for the numbers that stand for none."""
    numbers, rows, i = m.array("N"), m.array("W"), m["i"].type
    if dtype(i.dtype).kind not in ("signed", "unsigned") or dtype(i.dtype).bits < 32 or i.shape[-1:] != (1,):
        return None
    if numbers.size != numbers.shape[-1] or not np.array_equal(numbers.reshape(-1), np.arange(numbers.size)):
        return None
    if rows.ndim != 2 or len(rows) != numbers.size or not np.all(np.isfinite(rows.astype(np.float64))):
        return None
    return {"V": np.pad(rows, ((1, 1), (0, 0))), "s": i.shape[:-1], "ONE": np.ones((), dtype(i.dtype).numpy)}


def _small(m: Match) -> bool:
    """Whether a table is no more than may be computed ahead."""
    return m.array("W").nbytes <= MOST


def _row(m: Match) -> dict[str, Any] | None:
    """A constant that is the same beside each row of a table."""
    row, table = m.array("C"), m.array("W")
    is_row = row.size == (row.shape[-1] if row.ndim else 1)
    return {"D": m["C"] if row.size == 1 else row.reshape(-1)} if is_row and _small(m) and table.ndim == 2 else None


ROWS = {"W": "f32[5,4]", "i": "s32[2,3]"}

RULES = (
    strictly(
        "take rows by number",
        "matmul(cast(equal(i, N) | equal(N, i), dtype=d), W) = take(V, reshape(i, shape=s) + ONE)",
        {"i": "s32[2,3,1]", "N": np.arange(5, dtype=np.int32), "d": "f32", "W": "f32[5,4]"},
        when=_picked,
    ),
    strictly(
        "a map of rows that are known",
        "unary_of_floats(take(W, i), **r) = take(unary_of_floats(W, **r), i)",
        ROWS | {"r": {}},
        when=_small,
    ),
    law(
        "a sum with rows that are known",
        "(add | mul)(take(W, i), C) = take((add | mul)(W, D), i)",
        ROWS | {"C": "f32[1,4]"},
        ROWS | {"C": 0.5},
        when=_row,
    ),
)


Span = tuple[int, int]
AxisSpans = tuple[Span, ...]  # of each axis from where to where

NORMS = ("layer_norm", "rms_norm")
BY_AXES = ("softmax", "log_softmax")
WORTH = ("matmul", "attention", *NORMS, *BY_AXES)  # calls that take long, and that no other call stores a part of


def whole(value: ModelValue) -> AxisSpans:
    """The bounds of a whole tensor."""
    return tuple((0, n) for n in value.type.shape)


def narrowed(site: Site) -> ModelValue | None:
    """A slice moved before calls that compute each row by itself."""
    value, given = site.value, attributes_of(site.value)
    inner = value.values[0]
    box = tuple(zip(given["starts"], given["limits"]))
    if given["steps"] is not None or not site.is_read_once(inner) or not _of_worth(site, inner, box):
        return None
    found = _part(site, inner, box)
    return found if found.type == value.type and found is not value else None


def _of_worth(site: Site, value: ModelValue, box: AxisSpans) -> bool:
    """Whether a call that takes long is computed for the part alone, behind maps and moves."""
    operands = _operands(value, box)
    if operands is None or box == whole(value) or not site.is_read_once(value):
        return False
    return value.call in WORTH or any(_of_worth(site, read, part) for read, part in zip(value.values, operands))


def _part(site: Site, value: ModelValue, box: AxisSpans) -> ModelValue:
    if box == whole(value):
        return value
    operands = _operands(value, box) if value.call and site.is_read_once(value) else None
    if operands is None:
        starts, limits = (tuple(span[i] for span in box) for i in (0, 1))
        return site.call("slice", value, starts=starts, limits=limits)
    boxes = iter(operands)
    reads = [_part(site, read, next(boxes)) if isinstance(read, ModelValue) else read for read in value.reads]
    given = dict(value.attributes)
    if value.call == "reshape":
        given["shape"] = tuple(limit - start for start, limit in box)
    return site.call(value.call, *reads, **given)


def _operands(value: ModelValue, box: AxisSpans) -> list[AxisSpans] | None:
    """The part of each operand from which a part of a call is computed; None where it is unknown, or all."""
    call, given = value.call, attributes_of(value) if form_of(value.call) else {}  # loops and array calls have none
    full = [span == (0, n) for span, n in zip(box, value.type.shape)]
    if call in UNARY or call in MAPS_OF_TWO or call == "where":
        return [_beside(read, box) for read in value.values]
    if call in NORMS and full[-1] or call in BY_AXES and all(full[axis] for axis in given["axis"]):
        return [_beside(read, box) for read in value.values]
    if call == "matmul":
        return _of_product(value, box, full)
    if call == "attention":
        return _of_attention(value, box, full, given["causal"])
    if call == "transpose":
        return [tuple(box[given["perm"].index(axis)] for axis in range(len(box)))]
    if call == "reshape":
        return _of_reshape(value, box)
    return None


def _beside(read: ModelValue, box: AxisSpans) -> AxisSpans:
    """The part of an operand that is broadcast."""
    return tuple(span if n != 1 else (0, 1) for span, n in zip(box[len(box) - read.type.rank :], read.type.shape))


def _of_product(value: ModelValue, box: AxisSpans, full: list[bool]) -> list[AxisSpans] | None:
    x, weights = value.values
    if not full[-1] or x.type.rank != value.type.rank or x.type.rank < 2:
        return None
    within = (*box[:-1], (0, x.type.shape[-1]))
    if weights.type.rank == 2:
        return [_beside(x, within), whole(weights)]
    inner = ((0, n) for n in weights.type.shape[-2:])
    return [_beside(x, within), _beside(weights, (*box[:-2], *inner))]


def _of_attention(value: ModelValue, box: AxisSpans, full: list[bool], causal: bool) -> list[AxisSpans] | None:
    q, k, v, *masks = value.values
    is_last = box[-2][1] == q.type.shape[-2]
    if not (full[-1] and full[-3]) or causal and not is_last:
        return None
    ends = lambda read: ((0, n) for n in read.type.shape[-2:])
    heads = lambda read: (0, read.type.shape[-3])
    queries = (*box[:-1], (0, q.type.shape[-1]))
    others = [(*box[:-3], heads(read), *ends(read)) for read in (k, v)]
    return [queries, *others, *(_beside(mask, (*box[:-1], (0, k.type.shape[-2]))) for mask in masks)]


def _of_reshape(value: ModelValue, box: AxisSpans) -> list[AxisSpans] | None:
    """The part before a reshape that keeps the axes which are cut."""
    (x,) = value.values
    groups = groups_of(x.type.shape, value.type.shape)
    if groups is None:
        return None
    found = list(whole(x))
    for own, wide in groups:
        is_cut = any(box[axis] != (0, value.type.shape[axis]) for axis in wide)
        if is_cut and not len(own) == len(wide) == 1:
            return None
        if is_cut:
            found[own[0]] = box[wide[0]]
    return [tuple(found)]


def _first_row(builder: GraphBuilder, head: str) -> ModelValue:
    """The first row of a block, or the last."""
    x = builder.input(tensor((2, 5, 8)), "x")
    if head == "attention":
        apart = builder.call("reshape", builder.call("exp", x), shape=(2, 5, 2, 4))
        rows = builder.call("transpose", apart, perm=(0, 2, 1, 3))
        found = builder.call("attention", rows, rows, rows, causal=True)
        block = builder.call("reshape", builder.call("transpose", found, perm=(0, 2, 1, 3)), shape=(2, 5, 8))
    else:
        weights = builder.input(tensor((8, 8) if head == "matmul" else (2, 8, 8)), "w")
        normed = builder.call("softmax", x, axis=2)
        block = builder.call("add", x, builder.call("matmul", normed, weights))
    return builder.call("slice", block, starts=(0, 4, 0), limits=(2, 5, 8))


NARROWING = (
    Rule(
        "compute rows that are read",
        "slice(f(x), a, b) = f(slice(x, a, b))",
        narrowed,
        tuple(partial(_first_row, head=head) for head in ("matmul", "products", "attention")),
        ("slice",),
        within=ALWAYS,
    ),
)
