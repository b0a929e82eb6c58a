"""The window leaf in C: a copy of a tile of any size, row by row, where rows may begin before their tensor and end after it."""

from __future__ import annotations

import numpy as np

from ..program.nodes import KernelCall
from ..program.view import View
from ..spec.dtypes import DTYPES, convert, dtype
from ..targets.target import Target
from .text import indent, offset, plus
from .vector import VectorLibrary
from .vector_kit import element, literal


class WindowLeaf:
    def __init__(self, call: KernelCall, views: list[View], target: Target, library: VectorLibrary):
        self.source, self.to = views
        self.library = library
        self.extents = self.source.access.shape(call.state.size)
        self.unit = self.to.layout.order[0]
        self.reach = {reach.axis: reach for reach in self.source.beyond}
        self.lanes = target.vector_bytes // max(DTYPES[v.dtype].bytes for v in views)

    def statements(self) -> list[str]:
        """A loop along each axis but the fastest around one row."""
        found = self._row()
        for axis in self.to.layout.order[1:]:
            found = [f"for (int64_t i{axis} = 0; i{axis} < {self.extents[axis]}; i{axis}++) {{", *indent(found), "}"]
        return found

    def _row(self) -> list[str]:
        """One row: all of it is border where another axis is outside of the tensor, else what comes before the tensor and after it."""
        others = self.to.layout.order[1:]
        S, T = self.library.scalar(self.source.dtype), self.library.scalar(self.to.dtype)
        lines = [f"{T} *const t = {plus(self.to.name, *((f'i{a}', self.to.strides[a]) for a in others))};"]
        within = [f"{self._at(a)} >= 0 && {self._at(a)} < {self.reach[a].size}" for a in others if a in self.reach]
        source = [(self._at(a) if a in self.reach else f"i{a}", self.source.strides[a]) for a in others]
        copied = [f"const {S} *const s = {plus(self.source.name, *source)};", *self._columns()]
        if within:
            copied = [f"if ({' && '.join(within)}) {{", *indent(copied), "} else {", *indent(self._filled("0", str(self.extents[self.unit]))), "}"]
        return lines + copied

    def _at(self, axis: int) -> str:
        """Where in the tensor index i of an axis is."""
        return f"({offset(*self.reach[axis].start, (f'i{axis}', 1))})"

    def _columns(self) -> list[str]:
        extent = self.extents[self.unit]
        if self.unit not in self.reach:
            whole = extent - extent % self.lanes
            return [*self._vectors("0", str(whole)), *self._vector(str(whole), extent - whole)]
        start, size = offset(*self.reach[self.unit].start), self.reach[self.unit].size
        return [
            f"const int64_t first = {start} < 0 ? (-({start}) < {extent} ? -({start}) : {extent}) : 0;",
            f"const int64_t there = {size} - ({start}) < {extent} ? {size} - ({start}) : {extent};",
            "const int64_t last = there > first ? there : first;",
            f"const int64_t whole = first + (last - first) / {self.lanes} * {self.lanes};",
            *self._filled("0", "first"), *self._vectors("first", "whole", start), f"if (whole < last) {{ {' '.join(self._vector('whole', '(int)(last - whole)', start))} }}", *self._filled("last", str(extent)),
        ]  # fmt: skip

    def _vectors(self, first: str, end: str, start: str = "") -> list[str]:
        if first == end:
            return []
        return [f"for (int64_t j = {first}; j < {end}; j += {self.lanes}) {{ {' '.join(self._vector('j', self.lanes, start))} }}"]

    def _vector(self, at: str, count: int | str, start: str = "") -> list[str]:
        """Elements from `at` on of a row that begins at element `start` of the tensor's."""
        if count == 0:
            return []
        library, whole = self.library, count == self.lanes
        source, to = f"s + {at}" + (f" + ({start})" if start else ""), f"t + {at}"
        value = f"{library.load(self.source.dtype, self.lanes)}({source})" if whole else f"{library.load_tail(self.source.dtype, self.lanes)}({source}, {count})"
        turn = library.convert(self.source.dtype, self.to.dtype, self.lanes)
        value = f"{turn}({value})" if turn else value
        return [f"{library.store(self.to.dtype, self.lanes)}({to}, {value});" if whole else f"{library.store_tail(self.to.dtype, self.lanes)}({to}, {value}, {count});"]

    def _filled(self, first: str, end: str) -> list[str]:
        """The border's value, as an element of the tensor is converted."""
        fill = convert(convert(np.asarray(self.source.layout.fill), self.source.dtype), self.to.dtype)
        held = element(self.to.dtype)
        return [f"for (int64_t j = {first}; j < {end}; j++) t[j] = {literal(held, fill.view(dtype(held).numpy).item())};"]
