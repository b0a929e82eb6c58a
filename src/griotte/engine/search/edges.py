"""The edges of a family as the loops take them: rows of numbers, among them the addresses of arrays.

A family has few edges with many children, or many with few, and each child's arrays are shaped as its own block is.
Passed one by one to a compiled loop, they would be looked at and unpacked in Python longer than the loop takes. As two
tables of numbers all edges of a family are relaxed in one call, which holds no interpreter lock. Whoever fills the
tables keeps the arrays alive.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic

# Columns of an edge: its own cost (float32), at all points of the grid or at these (int64; 0: all), and how many those
# are. Then its children, from the one of a number to before another.
OWN, PLACES, COUNT, BEGIN, END = range(5)
# Columns of a child: its costs (float32 [rows, limits]), and how many limits. The row (int32) of each point of its
# grid. The point there (int64) of each of the parent's, 0 where they are the same. How often it runs at each (float32),
# 0 for once. The kind of each (int32), 0 where all are of one. Its limit (int32) by kind and parent's limit. How it
# counts.
COST, LIMITS, SLOT, POINT, TIMES, KIND, TABLE, COUNTS = range(8)
# How a child counts: it carries the limits; it finds the caches free; it must be there, and costs nothing.
CARRIES, ALONE, AHEAD = range(3)

INF = np.float32(np.inf)
BYTES = np.dtype(np.float32).itemsize  # of a cost, and of an index


def _from_address(context, address):
    """An address as a pointer."""

    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], cgutils.voidptr_t)

    return types.voidptr(address), generate


_pointer: Any = intrinsic(_from_address)


def _number_at(kind: Any) -> Any:
    """Reads the number of a type at some place from an address on. An array of it would be ten times the code."""

    def read(context, address, place):
        def generate(context, builder, signature, arguments):
            address, place = arguments
            width = place.type(kind.bitwidth // 8)
            value = context.get_value_type(kind)
            return builder.load(builder.inttoptr(builder.add(address, builder.mul(place, width)), value.as_pointer()))

        return kind(types.int64, types.int64), generate

    return intrinsic(read)


float_at = _number_at(types.float32)
short_at = _number_at(types.int16)
index_at = _number_at(types.int32)
point_at = _number_at(types.int64)


@numba.njit(inline="always")
def floats(address, count):
    """The float32 at an address."""
    return numba.carray(_pointer(address), (count,), np.float32)


@numba.njit(inline="always")
def shorts(address, count):
    """The int16 at an address."""
    return numba.carray(_pointer(address), (count,), np.int16)


@numba.njit(inline="always")
def indices(address, count):
    """The int32 at an address."""
    return numba.carray(_pointer(address), (count,), np.int32)


@numba.njit(inline="always")
def points(address, count):
    """The int64 at an address."""
    return numba.carray(_pointer(address), (count,), np.int64)


class EdgeView(NamedTuple):
    """An edge: its children, from one to before another; its own cost, at all points or, `is_part`, at `places`."""

    begin: Any
    end: Any
    own: Any
    places: Any
    is_part: Any


@numba.njit(inline="always")
def edge_at(edges, e):
    """A row of the table of edges."""
    count, places = edges[e, COUNT], edges[e, PLACES]
    return EdgeView(edges[e, BEGIN], edges[e, END], floats(edges[e, OWN], count), points(places, count), places != 0)


@numba.njit(inline="always")
def costs_of(children, c, row):
    """The costs of a row of a child, under each of its limits."""
    limits = children[c, LIMITS]
    return floats(children[c, COST] + BYTES * row * limits, limits)


@numba.njit(inline="always")
def limits_of(children, c, point, limits):
    """The limit of a child at each of the parent's, where the parent is at a point; -1 where it has no program."""
    kind = index_at(children[c, KIND], point) if children[c, KIND] else 0
    return indices(children[c, TABLE] + BYTES * limits * kind, limits)


@numba.njit(inline="always")
def found(children, begin, end, point, price, rows):
    """`price` and what the children cost at a point that find the caches free, inf where one of all has no program; and
    whether the sizes of all are on their ladders. The `rows` of the children are filled in."""
    for c in range(begin, end):
        if not price < INF:
            break
        there = point_at(children[c, POINT], point) if children[c, POINT] else point
        if there < 0:
            return price, False
        row = index_at(children[c, SLOT], there)
        if row < 0:
            return INF, True
        rows[c - begin] = row
        if children[c, COUNTS] != CARRIES:
            cost = float_at(children[c, COST], (row + 1) * children[c, LIMITS] - 1)
            price += cost if children[c, COUNTS] == ALONE or not cost < INF else np.float32(0)
    return price, True


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]
