"""Rotary embeddings: pairs of elements that are turned by angles, as exporters write them.

A pair is an element of each half, or two neighbours. Pairs are turned element by element, or all at once with an array
that is turned by a right angle. Angles are [s, d], of rows beside heads that come before the rows or after them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import ModelValue
from .law import law, move
from .pattern import Match
from .rule import attributes_of, known

FIRST, SECOND = (f"slice(x, starts={a}, limits={b}, steps=c)" for a, b in ("ab", "de"))
REAL, IMAGINARY = "{0} * cos - {1} * sin", "{1} * cos + {0} * sin"
AS_ROWS = "transpose(rope(y, C, S, interleaved=i), perm=q)"
STACKED = "reshape(concat({}, {}, axis=k), shape=t)"
AT_LAST = "reshape({}, shape=u)"
ASIDE = STACKED.format(AT_LAST.format(f"neg({SECOND})"), AT_LAST.format(FIRST))


def _turned(m: Match) -> dict[str, Any] | None:
    """The operands of a rope whose tables are [.., s, d/2], beside each element of a pair."""
    pairs = _pairs(m)
    if pairs is None:
        return None
    interleaved, starts, limits = pairs
    x = m["x"]
    is_whole = limits == x.type.shape and not any(starts)
    y = x if is_whole else m.site.call("slice", x, starts=starts, limits=limits)
    return _by_rows(m, y, m["cos"], m["sin"], interleaved)


def _by_itself(m: Match) -> dict[str, Any] | None:
    """The same for tables [.., s, d], which are alike for both elements of a pair."""
    pairs, x = _pairs(m), m["x"]
    if pairs is None:
        return None
    interleaved, *within = pairs
    if within != ([m["f"], m["g"]] if "f" in m.holes else [(0,) * x.type.rank, x.type.shape]):
        return None
    y = m.site.call("slice", x, starts=m["f"], limits=m["g"]) if "f" in m.holes else x
    cos, sin = (_once(m, m[name], interleaved) for name in ("cos", "sin"))
    return None if cos is None or sin is None else _by_rows(m, y, cos, sin, interleaved)


def _with_pairs(m: Match) -> dict[str, Any] | None:
    """The same for sines that lie beside pairs along an axis of their own."""
    sin = m["sin"].type.shape
    if sin[-1:] != (2,) or m["t"] != m["x"].type.shape or len(sin) < 2:
        return None
    array, shape = m["sin"].array, (*sin[:-2], 2 * sin[-2])
    joined = m.site.call("reshape", m["sin"], shape=shape) if array is None else m.site.constant(array.reshape(shape))
    return _by_itself(Match(m.site, {**m.holes, "sin": joined}, m.calls))


def _pairs(m: Match) -> tuple[bool, tuple[int, ...], tuple[int, ...]] | None:
    """Whether pairs are neighbours, and the bounds of the part of x that holds them."""
    steps, (starts, limits), (others, ends) = m["c"], (m["a"], m["b"]), (m["d"], m["e"])
    has_axis = "u" in m.holes or "v" in m.holes
    axis = m["k"] - has_axis
    if axis != len(starts) - 1 or starts[:-1] != others[:-1] or limits[:-1] != ends[:-1]:
        return None
    if steps is None:
        is_half = limits[-1] == others[-1] and limits[-1] - starts[-1] == ends[-1] - others[-1]
        return (False, starts, ends) if is_half and not has_axis else None
    count = (limits[-1] - starts[-1] + 1) // 2
    is_beside = others[-1] == starts[-1] + 1 and (ends[-1] - others[-1] + 1) // 2 == count
    if steps != (*(1,) * (len(starts) - 1), 2) or not is_beside or not has_axis:
        return None
    return True, starts, (*limits[:-1], starts[-1] + 2 * count)


def _by_rows(m: Match, y: ModelValue, cos: ModelValue, sin: ModelValue, interleaved: bool) -> dict[str, Any] | None:
    """The operands of a rope of y, whose rows become the last axis but one."""
    rank, half = y.type.rank, y.type.shape[-1] // 2
    places = {_rows(each.type.shape[: -1 if "v" in m.holes else None], y, half) for each in (cos, sin)}
    axis = places.pop()
    if rank < 2 or places or axis is None:
        return None
    perm = list(range(rank))
    perm[axis], perm[-2] = perm[-2], perm[axis]
    flat = lambda each: m.site.call("reshape", each, shape=(y.type.shape[axis], half))
    moved = y if axis == rank - 2 else m.site.call("transpose", y, perm=tuple(perm))
    return {"y": moved, "C": flat(cos), "S": flat(sin), "i": interleaved, "q": tuple(perm)}


def _rows(shape: tuple[int, ...], y: ModelValue, half: int) -> int | None:
    """The axis of y along which the rows of a table lie: the last but one, or before heads."""
    sizes = (1,) * (y.type.rank - len(shape)) + shape
    if sizes[-1:] != (half,) or len(sizes) != y.type.rank:
        return None
    for axis in range(y.type.rank - 2, max(-1, y.type.rank - 4), -1):
        rest = [n for i, n in enumerate(sizes[:-1]) if i != axis]
        if sizes[axis] == y.type.shape[axis] and all(n == 1 for n in rest):
            return axis
    return None


UNARY = ("cos", "sin", "copy")


def _once(m: Match, value: ModelValue, interleaved: bool) -> ModelValue | None:
    """The half of a table that is the same for both elements of each pair; None of other tables."""
    site, (*front, size) = m.site, value.type.shape or (0,)
    if size % 2 or not size:
        return None
    again = lambda read: _once(m, read, interleaved) if isinstance(read, ModelValue) else None
    if value.array is not None:
        pairs = value.array.reshape(*front, *((size // 2, 2) if interleaved else (2, size // 2)))
        one, other = np.moveaxis(pairs, -1 if interleaved else -2, 0)
        return site.constant(one) if np.array_equal(one, other) else None
    if value.call == "concat" and not interleaved and value.reads[0] is value.reads[1] and len(value.reads) == 2:
        return value.values[0] if attributes_of(value)["axis"] == value.type.rank - 1 else None
    if value.call in UNARY:
        half = again(value.values[0])
        return None if half is None else site.call(value.call, half, **dict(value.attributes))
    if value.call == "mul" and (factor := known(value.reads[1])) is not None and factor.size == 1:
        half = again(value.reads[0])
        return None if half is None else site.call("mul", half, value.reads[1])
    if value.call == "reshape":
        return _once_reshaped(m, value, interleaved)
    return None


def _once_reshaped(m: Match, value: ModelValue, interleaved: bool) -> ModelValue | None:
    """The same for a table that is reshaped: from one with fewer axes of 1, or from a broadcast to two of each."""
    (x,), (*front, size) = value.values, value.type.shape
    if x.type.shape[-1:] == (size,):
        half = _once(m, x, interleaved)
        return None if half is None else m.site.call("reshape", half, shape=(*front, size // 2))
    if interleaved and x.call == "broadcast":
        given, wide = x.values[0].type.shape, x.type.shape
        twice = [i for i, (n, w) in enumerate(zip(given, wide)) if n != w]
        is_last = len(given) == len(wide) and len(twice) == 1 and all(n == 1 for n in given[twice[0] + 1 :])
        if is_last and wide[twice[0]] == 2 and all(n == 1 for n in wide[twice[0] + 1 :]):
            return m.site.call("reshape", x.values[0], shape=(*front, size // 2))
    return None


def _one_of_two(m: Match) -> dict[str, Any] | None:
    """The bounds of every other element of x, whose pairs have an axis of their own."""
    apart, starts, limits = m["g"], m["a"], m["b"]
    if apart[-1:] != (2,) or len(apart) < 2 or limits[-1] - starts[-1] != 1:
        return None
    side, (first, last) = starts[-1], (starts[-2], limits[-2])
    return {
        "h": (*apart[:-2], 2 * apart[-2]),
        "d": (*starts[:-2], 2 * first + side),
        "e": (*limits[:-2], 2 * last - 1 + side),
        "c": (*(1,) * (len(apart) - 2), 2),
        "t": m.site.value.type.shape,
    }


ANGLES = np.linspace(-1, 1, 16, dtype=np.float32).reshape(4, 4)
TABLES = {"cos": ANGLES, "sin": ANGLES[None] + 1}
BEFORE = {"cos": ANGLES[:3, None], "sin": ANGLES[1:, None]}  # of 3 rows, beside 4 heads
LAST = {name: table[..., None] for name, table in TABLES.items()}
TWICE = {"cos": np.tile(ANGLES, 2), "sin": np.tile(ANGLES[None] + 1, 2)}
EACH_TWICE = {"cos": np.repeat(ANGLES, 2, -1), "sin": np.repeat(ANGLES[None] + 1, 2, -1)}
WITH_PAIRS = {"cos": EACH_TWICE["cos"], "sin": np.repeat(ANGLES[..., None], 2, -1)}
X, WHOLE = {"x": "f32[2,3,4,8]", "a": (0, 0, 0, 0)}, (2, 3, 4, 8)
HALVES = X | {"b": (2, 3, 4, 4), "d": (0, 0, 0, 4), "e": WHOLE, "c": None, "k": 3}
STEPS = X | {"b": WHOLE, "d": (0, 0, 0, 1), "e": WHOLE, "c": (1, 1, 1, 2), "k": 4, "t": WHOLE}
NEIGHBOURS, OF_AXIS = STEPS | {"u": (2, 3, 4, 4, 1)}, STEPS | {"v": (2, 3, 4, 4, 1)}
PART = {"x": "f32[2,3,4,12]"}
WITHIN = PART | {"f": (0, 0, 0, 0), "g": WHOLE}
PAIR, PAIR_WITH_AXIS = (FIRST, SECOND), (f"reshape({FIRST}, shape=v)", f"reshape({SECOND}, shape=v)")

RULES = (
    move(
        "pick every other element",
        "slice(reshape(x, shape=g), starts=a, limits=b)"
        " = reshape(slice(reshape(x, shape=h), starts=d, limits=e, steps=c), shape=t)",
        {"x": "f32[3,8]", "g": (3, 4, 2), "a": (1, 0, 1), "b": (3, 3, 2)},
        when=_one_of_two,
    ),
    law(
        "turn pairs of halves",
        f"concat({REAL.format(*PAIR)}, {IMAGINARY.format(*PAIR)}, axis=k) = {AS_ROWS}",
        HALVES | TABLES,
        HALVES | BEFORE,
        HALVES | PART | TABLES,
        when=_turned,
    ),
    law(
        "turn pairs of neighbours",
        f"{STACKED.format(*(AT_LAST.format(each.format(*PAIR)) for each in (REAL, IMAGINARY)))}"
        f" = reshape({AS_ROWS}, shape=t)",
        NEIGHBOURS | TABLES,
        NEIGHBOURS | BEFORE | {"t": (2, 3, 32)},
        when=_turned,
    ),
    law(
        "turn pairs of neighbours that have an axis",
        f"{STACKED.format(*(each.format(*PAIR_WITH_AXIS) for each in (REAL, IMAGINARY)))}"
        f" = reshape({AS_ROWS}, shape=t)",
        OF_AXIS | LAST,
        when=_turned,
    ),
    *(
        law(name, f"{y} * cos + {turned} * sin = {AS_ROWS}", given | more, when=_by_itself)
        for y, more in (("x", {}), ("slice(x, starts=f, limits=g)", WITHIN))
        for name, turned, given in (
            ("turn halves at once", f"concat(neg({SECOND}), {FIRST}, axis=k)", HALVES | TWICE),
            ("turn neighbours at once", ASIDE, NEIGHBOURS | EACH_TWICE),
        )
    ),
    law(
        "turn neighbours that have an axis at once",
        f"x * cos + reshape({ASIDE.removesuffix(', shape=t)').removeprefix('reshape(')} * sin, shape=t) = {AS_ROWS}",
        NEIGHBOURS | WITH_PAIRS,
        when=_with_pairs,
    ),
)
