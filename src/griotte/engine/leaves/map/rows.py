"""The map leaf in C where rows stand side by side in the output: those of panels across which its lanes lie, and of the
groups that dot instructions eat. A vector of each row is computed, and they are turned as they are stored."""

from __future__ import annotations

from ....lang.types.dtypes import DTYPES
from ....machine.target import Target
from ...program.nodes import KernelCall
from ...program.view import View
from ...vectors.library import VectorLibrary
from ...vectors.squares import turned
from ...vectors.text import indent, plus
from .code import MapLeaf
from .serve import map_rows


def map_leaf(call: KernelCall, views: list[View], target: Target, library: VectorLibrary) -> MapLeaf:
    """The leaf of a map: by rows side by side, or one."""
    return (RowsLeaf if map_rows(call.state.family, call.lane) else MapLeaf)(call, views, target, library)


class RowsLeaf(MapLeaf):
    """`side` rows along dimension `across` stand side by side; what is not there of them is zero."""

    def __init__(self, call: KernelCall, views: list[View], target: Target, library: VectorLibrary):
        super().__init__(call, views, target, library)
        rows = map_rows(self.family, self.lane)
        assert rows is not None
        self.across, self.side = rows
        self.picked_by_row: list[str] = []  # dimensions whose index is another one in each row
        if self.views[-1].layout.group:
            self.lanes = min(self.lanes, target.vector_bytes // (self.side * DTYPES[self.views[-1].dtype].bytes))

    def _vector(self, at, count: int | str, store: str = "store") -> list[str]:
        assert isinstance(count, int), "a row in panels has a fixed length"
        V, real = self.library.type(self.views[-1].dtype, self.lanes), self.size[self.across]
        lines = [line for r in range(real) for line in self._computed_row(r, V, at, count)]
        names = [f"r{r}" if r < real else f"({V}){{0}}" for r in range(self.side)]
        view, step = self.views[-1], self.views[-1].step(self.lane, 1)
        there = plus(view.name, at * step if isinstance(at, int) else (at[0], at[1] * step))
        return [
            *lines,
            *(self._interleaved(names, there, count) if view.layout.group else self._turned(names, there, step, count)),
        ]

    def _picked(self, dim: str, i: int) -> list[str]:
        """The index of each row, where rows have their own."""
        index = self.views[i]
        if not index.step(self.across, 1):
            return super()._picked(dim, i)
        self.picked_by_row.append(dim)
        return [
            self._index(f"at_{dim}_{r}", dim, f"({plus(index.name, r * index.step(self.across, 1))})")
            for r in range(self.size[self.across])
        ]

    def _computed_row(self, r: int, V: str, at, count: int) -> list[str]:
        before, lines = self.views, []
        self.views = list(before)
        for i, view in enumerate(before[:-1]):
            if i in self.family.nest.indices and self.lane not in view.access.dims:  # read before the row
                continue
            picked = [(f"at_{dim}_{r}", view.step(dim, 1)) for dim in self.picked_by_row if view.step(dim, 1)]
            if picked or r * view.step(self.across, 1):
                self.views[i] = view.at(f"{view.name}_r")
                lines.append(self._begins(view, self.views[i].name, r * view.step(self.across, 1), *picked))
        computed, value = self._computed(at, count)
        self.views = before
        return [f"{V} r{r};", "{", *indent([*lines, *computed, f"r{r} = {value};"]), "}"]

    def _turned(self, names: list[str], there: str, step: int, count: int) -> list[str]:
        """Squares turned. A column that is shorter than a vector is stored whole, for the next one is written over what
        is too much; the last one is not."""
        name, lanes, found = self.views[-1].dtype, self.lanes, []
        V, blocks = self.library.type(name, lanes), range(0, self.side, lanes)
        for first in blocks:
            rows = names[first : first + lanes]
            shuffles, columns = turned(rows + [f"({V}){{0}}"] * (lanes - len(rows)), V, count)
            for j, value in enumerate(columns):
                to = plus(there, j * step + first)
                whole = (
                    len(rows) == lanes
                    or len(blocks) == 1
                    and (count - 1 - j) * step >= lanes - len(rows)
                    and step >= len(rows)
                )
                shuffles.append(
                    f"{self.library.store(name, lanes)}({to}, {value});"
                    if whole
                    else f"{self.library.store_tail(name, lanes)}({to}, {value}, {len(rows)});"
                )
            found += ["{", *indent(shuffles), "}"]
        return found

    def _interleaved(self, names: list[str], there: str, count: int) -> list[str]:
        """The members of each group side by side: two by two, those half a group apart first."""
        bits, lanes, lines = f"u{8 * DTYPES[self.views[-1].dtype].bytes}", self.lanes, []
        rows = [f"({self.library.type(bits, lanes)}){name}" for name in names]
        while len(rows) > 1:
            half, order = len(rows) // 2, ", ".join(f"{j}, {lanes + j}" for j in range(lanes))
            lanes *= 2
            made = [f"g{lanes}_{i}" for i in range(half)]
            lines += [
                f"const {self.library.type(bits, lanes)} {name} = __builtin_shufflevector({rows[i]}, {rows[i + half]},"
                f" {order});"
                for i, name in enumerate(made)
            ]
            rows = made
        if count == self.lanes:
            return [*lines, f"{self.library.store(bits, lanes)}((void *)({there}), {rows[0]});"]
        return [*lines, f"{self.library.store_tail(bits, lanes)}((void *)({there}), {rows[0]}, {count * self.side});"]
