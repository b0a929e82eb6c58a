"""Footprints: the lines, stretches and pages of a tile, and what it takes up of a cache. Costs and limits are
made of them.

Each is a function of an access, an operand and sizes: numbers of one tile, or arrays of many. Functions that count
lines or pages take the bytes of a line, or the spans of the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

import numpy as np

from ..lang.nests.access import Access, Mesh
from ..lang.nests.family import SHORT, Layout, Occupied, Operand, Spans, product


def once(count: Callable[..., Any]) -> Callable[..., Any]:
    """A count that keeps each of its answers over a mesh there: many families have the same operand. Nobody writes to
    it."""

    @wraps(count)
    def kept(access: Access, operand: Operand, size, *more):
        return known(size, (count, access, operand, *more), lambda: count(access, operand, size, *more))

    return kept


def known(size, key: tuple, count: Callable[[], Any]) -> Any:
    """The count at `size`; over a mesh it is kept there by its key. Nobody writes to it."""
    if not isinstance(size, Mesh):
        return count()
    found = size.known.get(key)
    if found is None:
        found = size.known[key] = count()
    return found


def latest(size, what: str, key: tuple, count: Callable[[], Any]) -> Any:
    """As `known`, but of each `what` the last key alone is kept: where few others come in between, and an array of each
    would be more than they save."""
    if not isinstance(size, Mesh):
        return count()
    found = size.known.get((what,))
    if found is None or found[0] != key:
        found = size.known[(what,)] = key, count()
    return found[1]


@once
def lines(access: Access, operand: Operand, size, line: int) -> np.ndarray:
    """Lines that hold the operand's tile of `size` (dimension -> int or array)."""
    extents = access.shape(size)
    layout, width = operand.layout, operand.bytes
    if not extents:
        return np.asarray(1.0)
    if layout.panel is not None:
        return _panel_lines(extents, layout, width, line)
    if layout.given:
        return _lines_of_rows(extents, operand, line)
    return np.ceil(product(extents) * (width / line))


def _lines_of_rows(extents, operand: Operand, line: int) -> np.ndarray:
    """Lines of a tile of a given tensor, stretch by stretch."""
    layout, width = operand.layout, operand.bytes
    rows, length = stretches(extents, layout)
    in_line = length * (width / line)
    return rows * (in_line + (line - width) / line if layout.split else np.ceil(in_line))


def stretches(extents, layout: Layout) -> tuple[np.ndarray, np.ndarray]:
    """How many stretches of neighbours a tile of a given tensor is, and the elements of each. A stretch is a row; rows
    that are taken whole are one."""
    first, *others = layout.order
    rows, length = np.asarray(product(extents[axis] for axis in others)), np.asarray(extents[first])
    if not layout.row or not others:
        return rows, length
    whole, joined = length >= layout.row, extents[others[0]]
    return np.where(whole, product(extents[axis] for axis in others[1:]), rows), np.where(
        whole, length * joined, length
    )


@once
def runs(access: Access, operand: Operand, size) -> np.ndarray:
    """Stretches of consecutive lines in the tile: rows of a given tensor, one of short ones that are taken whole, or of
    a part of one panel. Each begins with a miss that no stream prefetcher foresaw, but for long rows that are taken
    whole (`abreast`)."""
    layout, extents = operand.layout, access.shape(size)
    if layout.row * operand.bytes > SHORT:
        layout = replace(layout, row=0)
    if layout.panel is not None:
        axis, width = layout.panel
        rows = product(extent for i, extent in enumerate(extents) if i != axis) / (
            layout.group[1] if layout.group else 1
        )
        return np.where(np.asarray(extents[axis]) < width, rows, 1.0)
    if not layout.given or len(extents) < 2:
        return np.asarray(1.0)
    return stretches(extents, layout)[0] * 1.0


@once
def begun(access: Access, operand: Operand, size) -> np.ndarray:
    """Stretches of a tile that begin a way of their own: not those of long rows that are taken whole, for each of these
    begins where the row before ended."""
    return runs(access, operand, size) - abreast(access, operand, size)


@once
def abreast(access: Access, operand: Operand, size) -> np.ndarray:
    """Long rows of a given tensor's tile that are taken whole."""
    layout, extents = operand.layout, access.shape(size)
    if layout.row * operand.bytes <= SHORT or len(extents) < 2:
        return np.asarray(0.0)
    return np.where(np.asarray(extents[layout.order[0]]) >= layout.row, runs(access, operand, size), 0.0)


@once
def rows(access: Access, operand: Operand, size) -> np.ndarray:
    """Stretches of a tile where several rows are read side by side, so that those of a given tensor are no stretch
    though they lie one after the other."""
    return runs(
        access, replace(operand, layout=replace(operand.layout, row=0)) if operand.layout.row else operand, size
    )


@once
def crowded(access: Access, operand: Operand, size, streams: float, line: int):
    """Lines of a tile of many far rows that are read side by side: the share of its rows above `streams`, in lines."""
    if not operand.layout.far or len(operand.layout.order) < 2:
        return 0.0
    return lines(access, operand, size, line) * np.maximum(0.0, 1 - streams / runs(access, operand, size))


@once
def unkept(access: Access, operand: Operand, size, room: float, spans: Spans):
    """The share of the stretches of a given tensor's tile that L1, of `room` lines, does not keep. The stretches are
    read side by side, part after part. L1 loses a line before the next part is read where the rows begin on few sets.
    Parts begin and end within lines, so the last line of one is the first of the next."""
    layout = operand.layout
    if not layout.alias or len(layout.order) < 2:
        return 0.0
    rows = runs(access, operand, size)
    return np.maximum(0.0, 1 - room * positions(layout, rows, 1, spans) / (rows * (spans.page // spans.line)))


@once
def passing(access: Access, operand: Operand, size, room: float, streams: float, line: int):
    """Lines of a given tensor's tile that come in no order which the core foresees. This is where each element is used
    once, all of the tile is more than `room` lines, and its rows are more than `streams`. Parts of the rows are then
    walked down: the lines that the core fetches on along a row are gone before their turn. The result is the share of
    the rows above `streams`, in lines."""
    if not operand.layout.given or len(operand.layout.order) < 2:
        return 0.0
    extents, (unit, *_) = access.shape(size), operand.layout.order
    rows = np.asarray(product(extent for axis, extent in enumerate(extents) if axis != unit))
    found = lines(access, operand, size, line)
    return np.where(used_once(access, size) & (found > room), found * np.maximum(0.0, 1 - streams / rows), 0.0)


def _panel_lines(extents, layout: Layout, width: int, line: int):
    assert layout.panel is not None
    axis, panel = layout.panel
    others: Any = 1
    for i, extent in enumerate(extents):
        if i != axis:
            others = others * (
                np.ceil(np.asarray(extent) / layout.group[1]) * layout.group[1]
                if layout.group and layout.group[0] == i
                else extent
            )
    n = np.asarray(extents[axis])
    inside = (
        np.ceil(n * (width * (layout.group[1] if layout.group else 1) / line))
        * others
        / (layout.group[1] if layout.group else 1)
    )
    whole = np.ceil(np.ceil(n / panel) * panel * others * width / line)
    return np.where(n < panel, np.minimum(inside, whole), whole)


def padded(access: Access, operand: Operand, size, line: int) -> np.ndarray:
    """Lines of an operand's last panel where that is padded; 0 where its panels are whole."""
    axis, width = operand.layout.panel or (0, 1)
    extents = access.shape(size)
    panel = product(width if i == axis else extent for i, extent in enumerate(extents)) * (operand.bytes / line)
    return np.where(np.asarray(extents[axis]) % width > 0, np.ceil(panel), 0.0)


def resident(access: Access, operand: Operand, size, spans: Spans, reduced: bool = False) -> np.ndarray:
    """Lines of cache the tile takes up while it is worked on: `lines`, or more where a power-of-two pitch folds its
    rows onto few sets. A given tensor that is `reduced` takes a line of each row, if its elements are each used once
    (it has all dimensions of `size`). Whatever the order of the loops, no more lie between their first use and their
    last.

    A page of 4 KiB has 64 line positions. Rows whose pitch shares a factor `alias` with it, or nearly so, start at
    little more than page/alias of them, so the rows of a tile pile up on `run` positions each. Their cost in ways is as
    if whole pages were taken.
    """
    layout, extents, line = operand.layout, access.shape(size), spans.line
    if not layout.given or not extents:
        return lines(access, operand, size, line)
    unit, length = layout.order[0], np.asarray(extents[layout.order[0]])
    if reduced:
        length = np.where(used_once(access, size), np.minimum(length, line // operand.bytes), length)
    tile = [length if axis == unit else extent for axis, extent in enumerate(extents)]
    plain = _lines_of_rows(tile, operand, line)
    if isinstance(spans, Occupied) and operand.level == 1 and len(layout.order) > 1:
        return np.maximum(_folded(plain, length, operand, spans), spans.part * _with_beside(tile, operand, spans))
    return _folded(plain, length, operand, spans)


def _with_beside(tile, operand: Operand, spans: Occupied) -> np.ndarray:
    """Lines of a tile in L1 where each of its stretches begins within a line, with what it takes up besides. They are
    no more than the rows in full."""
    count, length = stretches(tile, operand.layout)
    found = count * ((length * operand.bytes + spans.line - operand.bytes) / spans.line + spans.beside)
    whole = operand.layout.row * operand.bytes / spans.line
    return np.minimum(found, count * whole) if whole else found


def _folded(plain, length, operand: Operand, spans: Spans) -> np.ndarray:
    """Lines of a tile of rows of a given tensor, as if they were more where its pitch folds them onto few sets."""
    layout, line, page = operand.layout, spans.line, spans.page
    if not layout.alias or len(layout.order) < 2:
        return plain
    run = np.ceil(length * (operand.bytes / line))
    rows = plain / run
    found = positions(layout, rows, run, spans)
    shared = plain > found if layout.drift else rows > 1
    return np.maximum(plain, np.where(shared, plain * (page // line) / found, plain))


def positions(layout: Layout, rows, run, spans: Spans):
    """Line positions of a page that so many rows of a given tensor meet, each of `run` lines, where their pitch folds
    them. Rows that begin at the same place but for `drift` meet more, the more they are."""
    reach = run + np.maximum(0.0, rows - 1) * (layout.drift / spans.line)
    return np.minimum(
        spans.page // spans.line, spans.page // layout.alias * np.minimum(reach, layout.alias // spans.line)
    )


def used_once(access: Access, size):
    """Whether each element of an operand's tile is used once, at each size."""
    plain = all(access.is_plain(axis) for axis in range(len(access.axes)))
    return plain & (np.asarray(product(extent for dim, extent in size.items() if dim not in access.dims)) == 1)


@once
def pages(access: Access, operand: Operand, size, spans: Spans) -> np.ndarray:
    """Pages the tile touches."""
    plain = lines(access, operand, size, spans.line)
    if not operand.layout.far or len(operand.layout.order) < 2:
        return np.ceil(plain * spans.line / spans.page)
    extents = access.shape(size)
    run = np.asarray(extents[operand.layout.order[0]]) * operand.bytes
    rows = plain / np.ceil(run / spans.line)
    return rows * np.ceil(run / spans.page)
