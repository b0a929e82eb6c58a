"""Leaves that copy: into panels, between layouts whose fastest axes differ, and tiles of any size. codegen has the same
cases."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.dtypes import dtype
from ..ir.expr import Arg
from ..ir.family import Family
from .conditions import Condition, of_one

LEAST_BYTES = 16
"""Of a vector."""


def block_lanes(element: int, target) -> int:
    """Rows and columns of the largest square block of elements of so many bytes that is turned in registers: as many as
    a vector has lanes, or `Writing.block`."""
    return min(target.writing.block, target.vector_bytes // element)


@dataclass(frozen=True)
class TurnedBlock:
    """A block that a transpose turns in registers: as many rows of the source as a vector that is written has lanes,
    and so many columns. A square one is turned whole; of another each vector is joined of parts of LEAST_BYTES of rows,
    and turned within these: what is inserted from memory is not shuffled."""

    rows: int
    columns: int
    is_square: bool

    @property
    def parts(self) -> int:
        """Rows that a vector is joined of."""
        return 1 if self.is_square else self.rows // self.columns

    def rows_of(self, extent: int) -> int:
        """Rows of the blocks along so many rows, of which there may be fewer."""
        return self.rows if self.is_square else min(self.rows, 1 << (extent - 1).bit_length())

    def rows_over(self, left: int, rows: int) -> int:
        """Rows of a last block, of which so many are left over blocks of `rows`: it ends where they do."""
        return rows if self.is_square else max(self.columns, 1 << (left - 1).bit_length())


def turned_block(family: Family, target, rows: int | None = None) -> TurnedBlock:
    """The blocks of a transpose, of so many rows where that is told. What is converted on its way is turned in squares,
    and what has fewer rows than a part has lanes."""
    source, to = family.operands
    element = max(dtype(source.dtype).bytes, dtype(to.dtype).bytes)
    lanes, columns = block_lanes(element, target), LEAST_BYTES // element
    is_thin = rows is not None and rows < columns
    if source.dtype != to.dtype or is_thin or columns > target.writing.block or columns < 2:
        return TurnedBlock(lanes, lanes, True)
    return TurnedBlock(target.vector_bytes // element, columns, False)


def turned_lanes(width: int, element: int, target) -> int:
    """Rows of the square blocks that are turned into a panel `width` elements wide, of `element` bytes: the largest, or
    the most that are no more than the panel; 0 for none."""
    whole = block_lanes(element, target)
    rows = min(whole, 1 << (width.bit_length() - 1))
    return rows if rows == whole or rows * element >= LEAST_BYTES else 0


def is_pack(op) -> bool:
    """Whether a map only brings elements to where they lie in panels; one that reads them otherwise than it writes them
    (a broadcast, what is picked) computes like any other."""
    return isinstance(op.body, Arg) and op.inputs == (op.output,) and not op.picks


def turns(family: Family) -> bool:
    """Whether the copy's fastest axis is another than its source's."""
    source, to = family.operands
    return source.layout.order[0] != to.layout.order[0]


def refuses_pack(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot pack the copy at any size; empty when it can."""
    panelled = family.output.layout.panel is not None
    return (
        ""
        if panelled and is_pack(family.operation)
        else f"{kernel.name} expects a copy into panels, of a tensor that is read as it is written"
    )


def opens_pack(kernel, lane: str, family: Family, dim: str) -> bool:
    """Whether the C of a pack may be of any length along a dimension: one that every panel holds all of, and no group a
    part."""
    layout, access = family.output.layout, family.operation.output
    axis = access.axis_of(dim)
    return access.is_plain(axis) and axis not in (layout.panel[0], layout.group and layout.group[0])


def opens_transpose(kernel, lane: str, family: Family, dim: str) -> bool:
    """Whether the C of a turn may be of any length along a dimension: that of the source's neighbours."""
    return dim == family.unit_dim(0)


def refuses_transpose(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot turn the copy at any size; empty when it can."""
    source, to = family.operands
    units = family.unit_dim(0), family.unit_dim(1)
    if (
        source.layout.panel
        or to.layout.panel
        or None in units
        or units[0] == units[1]
        or len(family.access(0).dims) != len(family.operation.dims)
    ):
        return f"{kernel.name} expects a copy between layouts whose fastest axes differ"
    return ""


def transpose_conditions(kernel, lane: str, family: Family, target, size) -> list[Condition]:
    """Of the two dimensions that are turned any size."""
    return of_one(
        [d for d in family.operation.dims if d not in (family.unit_dim(0), family.unit_dim(1))],
        size,
        f"{kernel.name} turns two dimensions",
    )


def refuses_window(kernel, lane: str, family: Family, target) -> str:
    """It copies what no row of a map does: a tile that reaches beyond its tensor, or overlaps others."""
    op = family.operation
    if len(family.operands) != 2 or op.combine or op.inputs[0] != op.output:
        return f"{kernel.name} expects a copy"
    source, to = family.operands
    if (
        to.layout.panel
        or source.layout.panel
        or to.layout.beyond
        or not op.output.axes
        or to.layout.order[0] in source.layout.beyond
        and turns(family)
    ):
        return (
            f"{kernel.name} expects layouts without panels, and a fastest axis that is all in memory where it is"
            " another than before"
        )
    skips = turns(family) and family.unit_dim(0) is None
    return (
        ""
        if source.layout.beyond or skips or not all(op.output.is_apart(d) for d in op.dims)
        else f"{kernel.name} expects tiles that overlap, or reach beyond the tensor"
    )
