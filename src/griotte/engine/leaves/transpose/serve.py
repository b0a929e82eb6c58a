"""A transpose copies between layouts whose fastest axes differ; those two dimensions are of any size, others are 1."""

from __future__ import annotations

from dataclasses import dataclass

from ....lang.nests.family import Family
from ....lang.types.dtypes import dtype
from ..conditions import Condition, of_one
from ..copies import LEAST_BYTES, block_lanes


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


def refuses(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot turn the copy at any size; empty when it can."""
    source, to = family.operands
    units = family.unit_dim(0), family.unit_dim(1)
    if (
        source.layout.panel
        or to.layout.panel
        or None in units
        or units[0] == units[1]
        or len(family.access(0).dims) != len(family.nest.dims)
    ):
        return f"{kernel.name} expects a copy between layouts whose fastest axes differ"
    return ""


def conditions(kernel, lane: str, family: Family, target, size) -> list[Condition]:
    """Of the two dimensions that are turned any size."""
    return of_one(
        [d for d in family.nest.dims if d not in (family.unit_dim(0), family.unit_dim(1))],
        size,
        f"{kernel.name} turns two dimensions",
    )


def opens(kernel, lane: str, family: Family, dim: str) -> bool:
    """Whether the C of a turn may be of any length along a dimension: that of the source's neighbours."""
    return dim == family.unit_dim(0)
