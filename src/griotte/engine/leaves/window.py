"""Windows copy, row by row, what no row of a map does: a tile of any size that overlaps others, or whose rows begin
before their tensor or end after it. Into a layout whose fastest axis is another, as many rows at once as a vector has
lanes, in squares turned in registers."""

from __future__ import annotations

import numpy as np

from ...lang.functions.kit import element, literal
from ...lang.nests.family import Family, ceil_div, product
from ...lang.types.dtypes import DTYPES, convert, dtype
from ...machine.target import Target
from ..program.nodes import KernelCall
from ..program.view import View
from ..vectors.library import VectorLibrary
from ..vectors.squares import BlockLines, block
from ..vectors.text import braced, call_of, for_loop, indent, offset, plus
from . import copies
from .conditions import first_dim, no_index, to_memory
from .copies import block_lanes, converted, turned_cycles, turns, widest
from .form import LeafCode, LeafForm, Price, Serving


def refuses(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot copy the tile at any size; empty when it can."""
    op = family.nest
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
    if source.layout.beyond or skips or not all(op.output.is_apart(d) for d in op.dims):
        return ""
    return f"{kernel.name} expects tiles that overlap, or reach beyond the tensor"


def cycles(kernel, lane: str, family: Family, target, size):
    """Rows of whole vectors and a part of one, or of square blocks that are turned; where rows may reach beyond the
    tensor, what it takes to see how far."""
    source, to = family.operands
    extents = family.access(0).shape(size)
    length = np.asarray(extents[source.layout.order[0]])
    rows, width = product(extents) / length, target.vector_bytes / widest(family)
    each = target.ports.copied + converted(family, target)
    if turns(family):
        across, width = np.asarray(extents[to.layout.order[0]]), block_lanes(widest(family), target)
        rows, each = rows / across * ceil_div(across, width), width * turned_cycles(family, target, width)
    return rows * (ceil_div(length, width) * each + _row(family, target))


def _row(family: Family, target) -> float:
    """Cycles of a row of a window, beside what it moves."""
    source, handling = family.operands[0].layout, target.handling
    if not source.beyond:
        return handling.row
    is_known = source.order[0] not in source.beyond and not turns(family)
    return handling.known if is_known else 2 * handling.row


class WindowLeaf(LeafCode):
    def __init__(self, call: KernelCall, views: list[View], target: Target, library: VectorLibrary):
        self.source, self.to = views
        self.library = library
        self.extents = self.source.access.shape(call.state.size)
        self.unit, self.across = self.source.layout.order[0], self.to.layout.order[0]
        self.reach = {reach.axis: reach for reach in self.source.beyond}
        wide = max(DTYPES[v.dtype].bytes for v in views)
        self.lanes = (
            target.vector_bytes // wide if self.across == self.unit else self._square(copies.block_lanes(wide, target))
        )

    def _square(self, most: int) -> int:
        """Rows and columns of a square: no more than there ever are of a row."""
        there = min(
            self.extents[self.unit], self.reach[self.unit].size if self.unit in self.reach else self.extents[self.unit]
        )
        return 1 << (min(most, there).bit_length() - 1)

    def statements(self) -> list[str]:
        """A loop along each axis but the fastest around one row, or around all rows that are turned."""
        lines = self._row()
        for axis in self._others:
            lines = for_loop(f"i{axis}", self.extents[axis], lines)
        return lines

    @property
    def _others(self) -> list[int]:
        return [a for a in self.to.layout.order if a not in (self.unit, self.across)]

    def _row(self) -> list[str]:
        """One row, or all that are turned: all of it is border where another axis is outside of the tensor, else what
        comes before the tensor and after it."""
        others = self._others
        S, T = self.library.scalar(self.source.dtype), self.library.scalar(self.to.dtype)
        lines = [f"{T} *const t = {plus(self.to.name, *((f'i{a}', self.to.strides[a]) for a in others))};"]
        within = [f"{self._at(a)} >= 0 && {self._at(a)} < {self.reach[a].size}" for a in others if a in self.reach]
        source = [(self._at(a) if a in self.reach else f"i{a}", self.source.strides[a]) for a in others]
        copied = [f"const {S} *const s = {plus(self.source.name, *source)};", *self._columns()]
        if within:
            copied = [
                f"if ({' && '.join(within)}) {{",
                *indent(copied),
                *braced(self._filled("0", str(self.extents[self.unit])), "} else"),
            ]
        return lines + copied

    def _at(self, axis: int) -> str:
        """Where in the tensor index i of an axis is."""
        return f"({offset(*self.reach[axis].start, (f'i{axis}', 1))})"

    def _columns(self) -> list[str]:
        extent = self.extents[self.unit]
        if self.across != self.unit:
            return self._squares(extent)
        if self.unit not in self.reach:
            whole = extent - extent % self.lanes
            return [*self._vectors("0", str(whole)), *self._vector(str(whole), extent - whole)]
        start = offset(*self.reach[self.unit].start)
        return [
            *self._there(extent),
            f"const int64_t whole = first + (last - first) / {self.lanes} * {self.lanes};",
            *self._filled("0", "first"),
            *self._vectors("first", "whole", start),
            f"if (whole < last) {{ {' '.join(self._vector('whole', '(int)(last - whole)', start))} }}",
            *self._filled("last", str(extent)),
        ]

    def _there(self, extent: int) -> list[str]:
        """Which elements of a row are in the tensor: from `first` on, before `last`."""
        start, size = offset(*self.reach[self.unit].start), self.reach[self.unit].size
        return [
            f"const int64_t first = {start} < 0 ? (-({start}) < {extent} ? -({start}) : {extent}) : 0;",
            f"const int64_t there = {size} - ({start}) < {extent} ? {size} - ({start}) : {extent};",
            "const int64_t last = there > first ? there : first;",
        ]

    # ---- a copy whose fastest axis is another: the rows along it side by side ----------------------------------------

    def _squares(self, extent: int) -> list[str]:
        """Strips of as many rows as a square has; the last one of rows that are left."""
        reaches = self.unit in self.reach
        bounds = self._there(extent) if reaches else [f"const int64_t first = 0, last = {extent};"]
        whole, left = divmod(self.extents[self.across], self.lanes)
        strips = for_loop("r", whole, self._strip(("r", self.lanes), self.lanes)) if whole else []
        strips += self._strip(whole * self.lanes, left) if left else []
        if reaches:
            return [*bounds, *self._filled("0", "first"), *strips, *self._filled("last", str(extent))]
        return [*bounds, *strips]

    def _strip(self, at, rows: int) -> list[str]:
        """So many rows, which begin at the row `at`, square by square: the last one begins where it ends with them.
        Rows shorter than a square go element by element."""
        row, lanes, column = self.source.strides[self.across], self.lanes, self.to.strides[self.unit]
        source, to = (at * row, at) if isinstance(at, int) else ((at[0], at[1] * row), at)
        start = offset(*self.reach[self.unit].start) if self.unit in self.reach else "0"
        S, T = self.library.scalar(self.source.dtype), self.library.scalar(self.to.dtype)
        turn = self.library.convert_scalar(self.source.dtype, self.to.dtype)
        value = f"own[i * {row} + j]"
        square = block(
            self.library,
            BlockLines(self.source.dtype, "u", row, rows),
            BlockLines(self.to.dtype, "v", column, lanes),
            lanes,
        )
        return braced(
            [
                f"const {S} *const own = {plus('s', source)} + ({start});",
                f"{T} *const strip = {plus('t', to)};",
                f"if (last - first < {lanes}) {{",
                (
                    f"    for (int64_t j = first; j < last; j++) for (int64_t i = 0; i < {rows}; i++) strip[j *"
                    f" {column} + i] = {call_of(turn, value)};"
                ),
                "} else {",
                f"    for (int64_t j = first; j < last; j += {lanes}) {{",
                f"        const int64_t k = j + {lanes} <= last ? j : last - {lanes};",
                f"        const {S} *const u = own + k;",
                f"        {T} *const v = strip + k * {column};",
                *indent(indent(square)),
                "    }",
                "}",
            ]
        )

    # ---- rows as they are --------------------------------------------------------------------------------------------

    def _vectors(self, first: str, end: str, start: str = "") -> list[str]:
        if first == end:
            return []
        return [
            f"for (int64_t j = {first}; j < {end}; j += {self.lanes}) {{"
            f" {' '.join(self._vector('j', self.lanes, start))} }}"
        ]

    def _vector(self, at: str, count: int | str, start: str = "") -> list[str]:
        """Elements from `at` on of a row that begins at element `start` of the tensor's."""
        if count == 0:
            return []
        source, to = f"s + {at}" + (f" + ({start})" if start else ""), f"t + {at}"
        value = self.loaded(self.source.dtype, self.lanes, source, count)
        value = call_of(self.library.convert(self.source.dtype, self.to.dtype, self.lanes), value)
        return [self.stored(self.to.dtype, self.lanes, to, value, count)]

    def _filled(self, first: str, end: str) -> list[str]:
        """The border's value, as an element of the tensor is converted."""
        fill = convert(convert(np.asarray(self.source.layout.fill), self.source.dtype), self.to.dtype)
        held = element(self.to.dtype)
        value = literal(held, fill.view(dtype(held).numpy).item())
        if self.across != self.unit:
            return [
                f"for (int64_t j = {first}; j < {end}; j++) for (int64_t i = 0; i < {self.extents[self.across]}; i++)"
                f" t[j * {self.to.strides[self.unit]} + i] = {value};"
            ]
        return [f"for (int64_t j = {first}; j < {end}; j++) t[j] = {value};"]


WINDOW = LeafForm("window", Serving(first_dim, (no_index, to_memory), refuses), Price("map", cycles), WindowLeaf)
