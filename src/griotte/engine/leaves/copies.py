"""What forms of leaves that copy share: which copies there are, blocks turned in registers, and what these cost."""

from __future__ import annotations

import numpy as np

from ...lang.nests.family import Family
from ...lang.types.dtypes import dtype
from ...lang.types.expr import Arg
from ..cost.ports import conversion, on_ports

LEAST_BYTES = 16
"""Bytes of the smallest vector."""


def block_lanes(element: int, target) -> int:
    """Rows and columns of the largest square block of elements of so many bytes that is turned in registers: as many as
    a vector has lanes, or `Writing.block`."""
    return min(target.writing.block, target.vector_bytes // element)


def turned_lanes(width: int, element: int, target) -> int:
    """Rows of the square blocks that are turned into a panel `width` elements wide, of `element` bytes: the largest, or
    the most that are no more than the panel; 0 for none."""
    whole = block_lanes(element, target)
    rows = min(whole, 1 << (width.bit_length() - 1))
    return rows if rows == whole or rows * element >= LEAST_BYTES else 0


def is_pack(op) -> bool:
    """Whether a map only brings elements to where they lie in panels; one that reads them otherwise than it writes them
    (a broadcast, picked elements) computes like any other."""
    return isinstance(op.body, Arg) and op.inputs == (op.output,) and not op.picks


def turns(family: Family) -> bool:
    """Whether the copy's fastest axis is another than its source's."""
    source, to = family.operands
    return source.layout.order[0] != to.layout.order[0]


def widest(family: Family) -> int:
    """Bytes of an element of the source or of the copy, whichever has more."""
    return max(dtype(operand.dtype).bytes for operand in family.operands)


def converted(family: Family, target) -> float:
    """Cycles of a vector's conversion: by the ports, or one for each operation where a file's packs were priced so."""
    slots = conversion(target, *(operand.dtype for operand in family.operands))
    return float(on_ports(target.ports, slots, 0.0)) if slots and target.ports.converting else slots


def turned_cycles(family: Family, target, lanes: int):
    """Cycles of a row of a square block of so many: log2(lanes) shuffles, and its conversion."""
    return np.log2(lanes) / target.ports.shuffle + converted(family, target)
