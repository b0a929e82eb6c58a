"""Softmax of arrays that were reshaped or transposed on the way, as einsum leaves them, and their masks.

Moves that leave the last axis where it is move rows. They go after the softmax of these rows, so that the products
before and behind it meet it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...lang.types.tensor import tensor
from ..graph import GraphBuilder, ModelValue
from .axes import before, before_reshape
from .law import exactly, law, move, strictly
from .magnitudes import is_wide
from .pattern import Match
from .rule import ALWAYS, Rule, Site, attributes_of, behind

MOST_ROWS = 1 << 22  # that are followed


def _source(value: ModelValue, keeps_last: bool) -> tuple[ModelValue, list[ModelValue]]:
    """The array behind reshapes and transposes, and these, the last one first; with `keeps_last` only moves of rows."""
    moves = []
    while value.call in ("reshape", "transpose"):
        (before,) = value.values
        stays = before.type.shape[-1:] == value.type.shape[-1:] and before.type.rank > 0
        if value.call == "transpose":
            stays = attributes_of(value)["perm"][-1] == before.type.rank - 1
        if keeps_last and not stays:
            break
        moves.append(value)
        value = before
    return value, moves


def _followed(numbers: np.ndarray, moves: list[ModelValue], size: int) -> np.ndarray:
    """Numbers of rows after these moves; the last axis has `size`, or with 0 that of each move."""
    for each in reversed(moves):
        perm = attributes_of(each)["perm"] if each.call == "transpose" else None
        shape = (*each.type.shape[:-1], size) if size else each.type.shape
        numbers = numbers.reshape(shape) if perm is None else numbers.transpose(perm)
    return numbers


def _is_largest(m: Match) -> bool:
    """Whether b is the maximum of each row of x: of the same rows, each maximum moved to the place of its row."""
    x, b = m["x"], m["b"]
    if m["a"] != (x.type.rank - 1,) or b.type.shape != (*x.type.shape[:-1], 1) or not is_wide(m.dtype):
        return False
    largest, after = _source(b, False)
    if largest.call != "max" or attributes_of(largest)["axis"] != (largest.values[0].type.rank - 1,):
        return False
    own, before = _source(x, True)
    other, within = _source(largest.values[0], True)
    if own is not other or b.type.elements > MOST_ROWS:
        return False
    rows = np.arange(b.type.elements).reshape(*own.type.shape[:-1], 1)
    found = _followed(_followed(rows, within, 1).reshape(largest.type.shape), after, 0)
    return np.array_equal(_followed(rows, before, 1), found)


def _moved_largest(builder: GraphBuilder) -> ModelValue:
    """A softmax whose maxima were taken before its rows moved."""
    x = builder.input(tensor((2, 3, 4), "f32"), "x")
    moved = builder.call("reshape", builder.call("transpose", x, perm=(1, 0, 2)), shape=(1, 6, 4))
    largest = builder.call("max", x, axis=2, keepdims=True)
    there = builder.call("reshape", builder.call("transpose", largest, perm=(1, 0, 2)), shape=(1, 6, 1))
    power = builder.call("exp", builder.call("sub", moved, there))
    return builder.call("div", power, builder.call("sum", power, axis=2, keepdims=True))


def _last_stays(m: Match) -> dict[str, Any] | None:
    """The last axis of x, where the softmax is along it and the reshape keeps it."""
    shape = m["x"].type.shape
    stays = shape and m["a"] == (len(m["s"]) - 1,) and m["s"][-1] == shape[-1]
    return {"b": (len(shape) - 1,)} if stays else None


def _last_unmoved(m: Match) -> dict[str, Any] | None:
    last = m["x"].type.rank - 1
    return {"b": (last,)} if m["a"] == (last,) and m["p"][-1] == last else None


def _as_it_is(x: tuple[int, ...], reshaped: tuple[int, ...], beside: tuple[int, ...]) -> tuple[int, ...] | None:
    """The shape beside x of an operand beside x reshaped, where no broadcast is needed for that."""
    found = before_reshape(x, reshaped, beside)
    return found[0] if found is not None and found[1] == beside else None


def _beside(m: Match) -> dict[str, Any] | None:
    """Whether y had the shape that it needs beside x."""
    own = _as_it_is(m["x"].type.shape, m["s"], m["t"])
    return None if own is None or own != m["y"].type.shape or m["s"] == m["t"] else {}


def _choice(m: Match) -> dict[str, Any] | None:
    """The condition as it lies beside x; where it does not hold, one number is taken."""
    shape = _as_it_is(m["x"].type.shape, m["s"], m["p"].type.shape)
    return None if shape is None or m.number("N") is None else {"q": m.site.call("reshape", m["p"], shape=shape)}


def _unmoved_choice(m: Match) -> dict[str, Any] | None:
    """The condition before a transpose: a known one, or one whose elements do not move."""
    if m.number("N") is None or m["c"].type.rank != len(m["p"]):
        return None
    found = before(m.site, m["c"], m["p"])
    return None if found is None else {"q": found}


def _columns(site: Site) -> ModelValue | None:
    """A product by weights whose columns were reordered: with the columns as they were, and the columns of its result
    reordered."""
    x, joined = site.value.values
    moved = joined.values[0] if joined.call == "reshape" else joined
    lead, perm = joined.type.rank - 1, attributes_of(moved)["perm"] if moved.call == "transpose" else ()
    if joined.call != "reshape" or moved.type.shape[:lead] != joined.type.shape[:-1]:
        return None
    tail, own = perm[lead:], moved.values[0] if perm else None
    if own is None or list(tail) == sorted(tail) or not _are_weights(own) or not site.is_read_once(joined):
        return None
    order = tuple(sorted(tail))
    apart = site.call("transpose", own, perm=(*perm[:lead], *order))
    product = site.call(
        "matmul", x, site.call("reshape", apart, shape=joined.type.shape), **dict(site.value.attributes)
    )
    rows = product.type.shape[:-1]
    wide = site.call("reshape", product, shape=(*rows, *(own.type.shape[axis] for axis in order)))
    turned = (*range(len(rows)), *(len(rows) + order.index(axis) for axis in tail))
    return site.attempt("reshape", site.call("transpose", wide, perm=turned), shape=site.value.type.shape)


def _are_weights(value: ModelValue) -> bool:
    """Whether a value is a softmax, reshaped."""
    return behind(value, "reshape", "cast").call == "softmax"


def _columns_moved(builder: GraphBuilder) -> ModelValue:
    x, w = builder.input(tensor((2, 4, 5), "f32"), "x"), builder.input(tensor((2, 6, 5), "f32"), "w")
    apart = builder.call("reshape", builder.call("softmax", w, axis=2), shape=(2, 2, 3, 5))
    joined = builder.call("reshape", builder.call("transpose", apart, perm=(0, 3, 2, 1)), shape=(2, 5, 6))
    return builder.call("matmul", x, joined)


def _spread(m: Match) -> dict[str, Any] | None:
    """The shape of p reshaped, before it is broadcast."""
    own = (1,) * (len(m["s"]) - m["p"].type.rank) + m["p"].type.shape
    shape = _as_it_is(m["t"], m["s"], own)
    return None if shape is None else {"u": shape}


def _holds(m: Match) -> dict[str, Any] | None:
    return {"s": m.site.value.type.shape} if bool(np.all(m.array("C"))) else None


LARGEST = "exp(x - b) / sum(exp(x - b), axis=a, keepdims=True) = softmax(x, axis=a)"
COUNTED = "exp(where(p, x, N) - max(where(p, x, N), axis=a, keepdims=True))"
SOFTMAX = "(softmax | log_softmax)"
CHOSEN = {"p": "pred[2,3,4]", "x": "f32[2,3,4]", "N": -np.inf, "a": (2,)}
MOVED = {"x": "f32[2,3,4]", "p": (1, 0, 2), "N": -3.0}

RULES: tuple[Rule, ...] = (
    law("softmax of rows that moved", LARGEST, _moved_largest, when=_is_largest),
    strictly(
        "softmax before rows are reshaped",
        f"{SOFTMAX}(reshape(x, shape=s), axis=a) = reshape({SOFTMAX}(x, axis=b), shape=s)",
        {"x": "f32[2,3,4]", "a": (2,), "s": (6, 1, 4)},
        when=_last_stays,
    ),
    strictly(
        "softmax before rows move",
        f"{SOFTMAX}(transpose(x, perm=p), axis=a) = transpose({SOFTMAX}(x, axis=b), perm=p)",
        MOVED | {"a": (2,)},
        when=_last_unmoved,
    ),
    law(
        "softmax of what counts",
        f"where(p, {COUNTED} / sum(where(p, {COUNTED}, 0) | {COUNTED}, axis=a, keepdims=True), 0)"
        " = where(p, softmax(where(p, x, N), axis=a), 0)",
        CHOSEN,
        when=lambda m: m.number("N") == -np.inf and is_wide(m.dtype),
    ),
    exactly(
        "reshape after a map of two, of which one is of fewer",
        "binary(reshape(x, shape=s), reshape(y, shape=t)) = reshape(binary(x, y), shape=s);"
        " binary(reshape(y, shape=t), reshape(x, shape=s)) = reshape(binary(y, x), shape=s)",
        {"x": "f32[2,3,4]", "y": "f32[2,1,4]", "s": (1, 2, 3, 4), "t": (1, 2, 1, 4)},
        when=_beside,
    ),
    Rule(
        "columns of weights in their order",
        "matmul(x, reshape(transpose(w, p), s)) = reshape(transpose(reshape(matmul(x, reshape(w, s))), p), s)",
        _columns,
        (_columns_moved,),
        ("matmul",),
        within=ALWAYS,
    ),
    strictly(
        "reshape after a choice",
        "where(p, reshape(x, shape=s), N) = reshape(where(q, x, N), shape=s)",
        {"p": "pred[1,2,1,4]", "x": "f32[2,3,4]", "s": (1, 2, 3, 4), "N": -3.0},
        {"p": "pred[3,2,4]", "x": "f32[6,4]", "s": (3, 2, 4), "N": -3.0},
        when=_choice,
    ),
    strictly(
        "transpose after a choice",
        "where(c, transpose(x, perm=p), N) = transpose(where(q, x, N), perm=p)",
        MOVED | {"c": "pred[3,1,1]"},
        MOVED | {"c": np.tri(3, 2, dtype=bool)[..., None]},
        when=_unmoved_choice,
    ),
    exactly(
        "a condition that holds",
        "logical_and(C, p) = broadcast(p, shape=s)",
        {"C": np.ones((2, 3), bool), "p": "pred[2,1]"},
        when=_holds,
    ),
    exactly(
        "broadcast after a reshape",
        "reshape(broadcast(p, shape=s), shape=t) = broadcast(reshape(p, shape=u), shape=t)",
        {"p": "pred[1,2,1,4]", "s": (1, 2, 3, 4), "t": (2, 3, 4)},
        when=_spread,
    ),
    move(
        "choose by what is broadcast",
        "where(broadcast(p, shape=s), x, y) = where(p, x, y); where(broadcast(p, shape=s), x, N) = where(p, x, N)",
        {"p": "pred[2,1]", "s": (2, 3), "x": "f32[2,3]", "y": "f32[2,3]", "N": -3.0},
    ),
)
