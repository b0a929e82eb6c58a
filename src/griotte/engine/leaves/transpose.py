"""Transposes copy between two layouts whose fastest axes differ; these two dimensions are of any size, others are 1.
Blocks are turned in registers, a strip of columns at a time.

The rows of a block are as many as a vector has lanes, so that each vector that it writes is whole. A last block that
would reach beyond an edge lies at it, and writes again what the one before wrote. Down a strip each row that is written
goes on where the block before ended. Its line there is asked for a block ahead, for a store across two lines takes some
ten cycles if one of them is not in L1 (docs/lab/transposes). A strip has no more rows than have such a line there. Rows
are taken in parts, so that L2 keeps the lines in which one strip ends and the next begins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import gcd
from typing import Any

import numpy as np

from ...lang.nests.family import Family, ceil_div
from ...lang.types.dtypes import DTYPES, dtype
from ...machine.target import Target
from ..program.nodes import KernelCall
from ..program.view import View
from ..vectors.library import VectorLibrary
from ..vectors.squares import BlockLines, block, turned_in_parts
from ..vectors.text import braced, for_loop, indent, plus, request, scaled
from .conditions import Condition, a_map, apart, neighbours, no_border, no_index, of_one, to_memory
from .copies import LEAST_BYTES, block_lanes, turned_cycles
from .form import LeafCode, LeafForm, Price, Serving


@dataclass(frozen=True)
class TurnedBlock:
    """A block that a transpose turns in registers: as many rows of the source as a vector that is written has lanes,
    and so many columns. A square one is turned whole. In another, each vector is joined of parts of LEAST_BYTES of
    rows, and turned within these: elements inserted from memory are not shuffled."""

    rows: int
    columns: int
    is_square: bool

    @property
    def parts(self) -> int:
        """Rows that a vector is joined of."""
        return 1 if self.is_square else self.rows // self.columns

    def rows_of(self, extent: int) -> int:
        """Rows of each block along `extent` rows, which may be fewer."""
        return self.rows if self.is_square else min(self.rows, self.rows_over(extent, self.rows))

    def rows_over(self, left: int, rows: int) -> int:
        """Rows of the last block, where `left` rows are left over blocks of `rows`: it ends where they do."""
        return rows if self.is_square else max(self.columns, 1 << (left - 1).bit_length())


def turned_block(family: Family, target, rows: int | None = None) -> TurnedBlock:
    """The blocks of a transpose; `rows` says how many rows it has, if known. Squares turn sources that are converted on
    their way, and those that have fewer rows than a part has lanes."""
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
    """The two dimensions that are turned may have any size; others must have size 1."""
    return of_one(
        [d for d in family.nest.dims if d not in (family.unit_dim(0), family.unit_dim(1))],
        size,
        f"{kernel.name} turns two dimensions",
    )


def opens(kernel, lane: str, family: Family, dim: str) -> bool:
    """Whether the C of a turn may be of any length along a dimension: that of the source's neighbours."""
    return dim == family.unit_dim(0)


def cycles(kernel, lane: str, family: Family, target, size):
    """Blocks, each vector that they write joined of parts of rows, or square ones."""
    block = turned_block(family, target)
    across, down = ceil_div(size[family.unit_dim(0)], block.columns), ceil_div(size[family.unit_dim(1)], block.rows)
    joined = (np.log2(block.columns) + block.parts - 1) / target.ports.mixed
    return across * block.columns * down * np.maximum(joined, turned_cycles(family, target, block.columns))


KEPT, LEAST_STRIP, PASSING = 0.75, 8, 0.5
"""Of the lines that L1 keeps, the share that rows on few of its sets may take up, for other rows are there too. The
columns of the narrowest strip of such rows. And the share of L2 that all lines of a strip may take up before the next
one begins (docs/lab/transposes/README.md, Rows on few sets; Tall strips)."""


def strip_of(pitch: int, columns: int, target: Target, source: int = 0) -> int:
    """Columns, at most, of a strip of blocks that have so many. Rows of the result are `pitch` bytes apart; L1 keeps
    the line of each that the next block writes on. Where it keeps too few, L2 does. Rows of the source are `source`
    bytes apart: where they are not on few sets too, the result may have all lines of its own."""
    page = target.spans.page
    starts = page // gcd(pitch, page)
    for kept in (starts * target.ways, _kept_beyond(pitch, target)):
        found = int(KEPT * kept) // columns * columns
        if found >= LEAST_STRIP:
            return min(target.writing.strip, found)
        if kept >= LEAST_STRIP and gcd(source, page) * LEAST_STRIP < page:
            return LEAST_STRIP
    return target.writing.strip


def _kept_beyond(pitch: int, target: Target) -> int:
    """Lines so many bytes apart that L2 keeps: a power of two of rows begins on one set after the other, however many
    lines a set has."""
    capacity = (target.levels[2].capacity or 0) if len(target.levels) > 2 else 0
    return capacity // gcd(pitch, 1 << max(0, capacity.bit_length() - 1))


def rows_at_once(rows: int, step: int, strip: int, element: int, target: Target) -> int:
    """Rows of the source that strips go down before the next strip begins: parts of `rows` about as long as each other,
    in steps of a block. A strip reads `strip` elements of each row, and the line before and behind them. It writes as
    many. L2 keeps all of that until the next strip reads on in the same lines; L1 keeps lines that several strips
    read."""
    line = target.spans.line
    read = strip * element
    near, far = (target.levels[n].capacity or 0 if len(target.levels) > n + 1 else 0 for n in (1, 2))
    most = int(PASSING * far) // (2 * read + 2 * line)
    if read < line:
        most = min(most, int(KEPT * near) // (read + line))
    if most < step or rows <= most:
        return rows
    return ceil_div(ceil_div(rows, ceil_div(rows, most)), step) * step


class TransposeLeaf(LeafCode):
    """Parts of the rows; in each, strips of blocks: down each, along the rows that are written."""

    def __init__(self, call: KernelCall, views: list[View], target: Target, library: VectorLibrary):
        self.source, self.to = views
        self.library, self.target, family = library, target, call.state.family
        self.row, self.column = family.unit_dim(1), family.unit_dim(0)
        self.rows, self.columns = (call.state.size[d] for d in (self.row, self.column))
        self.is_open, self.block = call.open is not None, turned_block(family, target, self.rows)
        self.bytes = DTYPES[self.to.dtype].bytes
        pitch, source = self.to.step(self.column, 1) * self.bytes, self.source.step(self.row, 1) * self.bytes
        is_far = self.to.level > 1
        self.strip = strip_of(pitch, self.block.columns, target, source) if is_far else target.writing.strip
        # rows whole pages apart begin on one set of L1, which does not keep lines asked for so far ahead
        self.ahead = self.to.level > 1 and pitch % target.spans.page > 0

    def statements(self) -> list[str]:
        is_one = not self.is_open and self.columns <= self.strip  # no other strip reads on in its lines
        step = self.block.rows
        at_once = self.rows if is_one else rows_at_once(self.rows, step, self.strip, self.bytes, self.target)
        whole, left = divmod(self.rows, at_once)
        if whole == 1 and not left:
            return self._part()
        lines = for_loop("b", whole * at_once, self._moved("b", at_once), step=at_once)
        return lines + (braced(self._moved(whole * at_once, left)) if left else [])

    def _moved(self, first: int | str, rows: int) -> list[str]:
        """A part of so many rows from `first` on."""
        known = self.source, self.to, self.rows
        lines, moved = [], []
        for kind, name, view in (("const ", "p", self.source), ("", "q", self.to)):
            at = plus(view.name, scaled(first if isinstance(first, int) else (first, 1), view.step(self.row, 1)))
            lines.append(f"{kind}{self.library.scalar(view.dtype)} *{name} = {at};")
            moved.append(view.at(name))
        (self.source, self.to), self.rows = moved, rows
        lines += self._part()
        self.source, self.to, self.rows = known
        return lines

    def _part(self) -> list[str]:
        """All columns of the rows."""
        width = self.block.columns
        if not self.is_open:
            return self._strips(self.columns) if self.columns >= width else self._edge(self.columns)
        known, more = self._edge("(int)size"), self._strips("size")
        return [f"if (size < {width}) {{", *indent(known), *braced(more, "} else")]

    def _strips(self, columns: int | str) -> list[str]:
        """All strips of so many columns, a block's at least; in C where that is known when it runs."""
        width, even = self.block.columns, self.strip
        if isinstance(columns, int):
            even = ceil_div(columns, ceil_div(columns, self.strip))
        strip = ceil_div(even, width) * width
        if isinstance(columns, int) and columns <= strip:
            return self._down("0", str(columns), columns)
        return [
            f"for (int64_t k = 0; k < {columns}; k += {strip}) {{",
            f"    const int64_t end = k + {strip} < {columns} ? k + {strip} : {columns};",
            *indent(self._down("k", "end", columns)),
            "}",
        ]

    def _down(self, first: str, end: str, columns: int | str) -> list[str]:
        """The blocks of a strip of all columns."""
        width = self.block.columns
        is_whole = isinstance(columns, int) and columns % width == 0
        last = f"{columns} - {width}" if isinstance(columns, str) else str(columns - width)
        at = [] if is_whole else [f"    const int64_t at = j < {last} ? j : {last};"]

        def across(i, rows: int) -> list[str]:
            lines = self._block(i, ("j" if is_whole else "at", 1), rows, width)
            return [f"for (int64_t j = {first}; j < {end}; j += {width}) {{", *at, *indent(lines), "}"]

        return self._along_rows(across)

    def _edge(self, columns: int | str) -> list[str]:
        """Fewer columns than a block has."""
        return self._along_rows(lambda i, rows: braced(self._block(i, 0, rows, columns)))

    def _along_rows(self, blocks: Callable[[Any, int], list[str]]) -> list[str]:
        """`blocks(first row, rows)` for all rows: whole ones, and the last one, which ends with them."""
        lanes = self.block.rows_of(self.rows)
        whole, left = divmod(self.rows, lanes)
        if whole == 0:
            return blocks(0, self.rows)
        lines = for_loop("i", whole * lanes, blocks(("i", 1), lanes), step=lanes) if whole > 1 else blocks(0, lanes)
        rows = self.block.rows_over(left, lanes)
        return lines + (blocks(self.rows - rows, rows) if left else [])

    def _block(self, i, j, rows: int, columns: int | str) -> list[str]:
        """One block from row i and column j on, each a number or (a C variable, 1)."""
        lines = []
        for kind, name, view in (("const ", "s", self.source), ("", "t", self.to)):
            terms = [scaled(at, view.step(d, 1)) for at, d in ((i, self.row), (j, self.column))]
            lines.append(f"{kind}{self.library.scalar(view.dtype)} *{name} = {plus(view.name, *terms)};")
        if self.ahead and isinstance(i, tuple) and isinstance(columns, int):
            lines += self._requests(rows, columns)
        if self.block.is_square:
            across = BlockLines(self.source.dtype, "s", self.source.step(self.row, 1), rows)
            down = BlockLines(self.to.dtype, "t", self.to.step(self.column, 1), columns)
            return lines + block(self.library, across, down, self.block.rows)
        return lines + self._in_parts(rows, columns)

    def _requests(self, rows: int, columns: int) -> list[str]:
        """A request for the last line of the next block, in each row that is written."""
        end = max(2 * rows * self.bytes, rows * self.bytes + self.library.line) - 1
        rows_of_it = (plus("t", c * self.to.step(self.column, 1)) for c in range(columns))
        return [request(f"(const char *)({row}) + {end}", to_write=True) for row in rows_of_it]

    def _in_parts(self, rows: int, columns: int | str) -> list[str]:
        """A block of parts: each vector is joined of the beginnings of rows, and turned within them."""
        side, step = self.block.columns, self.source.step(self.row, 1)
        lanes = self.block.rows_of(rows)
        vector, lines = self.library.type(self.to.dtype, lanes), []
        for n in range(side):
            beginnings = [plus("s", row * step) if row < rows else "" for row in range(n, lanes, side)]
            lines.append(f"const {vector} r{n} = {self._joined(beginnings, columns)};")
        wanted = side if isinstance(columns, str) else columns
        shuffles, names = turned_in_parts([f"r{n}" for n in range(side)], vector, lanes, wanted)
        lines += shuffles
        for c, name in enumerate(names):
            test = f"if ({c} < {columns}) " * isinstance(columns, str)
            at = plus("t", c * self.to.step(self.column, 1))
            lines.append(test + self.stored(self.to.dtype, lanes, at, name, rows))
        return lines

    def _joined(self, beginnings: list[str], columns: int | str) -> str:
        """C of a vector of the first `columns` elements at each of so many places, one after the other; zeros where
        there is none."""
        side, dtype = self.block.columns, self.to.dtype
        if columns == side and all(beginnings):
            return f"{self.library.load_parts(dtype, side * len(beginnings), side)}({', '.join(beginnings)})"
        zeros = f"({self.library.type(dtype, side)}){{0}}"
        parts = [self.loaded(dtype, side, at, columns) if at else zeros for at in beginnings]
        while len(parts) > 1:
            join = self.library.join(dtype, side * len(beginnings) // len(parts) * 2)
            parts = [f"{join}({low}, {high})" for low, high in zip(parts[::2], parts[1::2])]
        return parts[0]


TRANSPOSE = LeafForm(
    "transpose",
    Serving(neighbours, (no_index, no_border, apart, to_memory, a_map), refuses, conditions, opens),
    Price("pack", cycles),
    TransposeLeaf,
)
