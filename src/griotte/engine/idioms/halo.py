"""Windows that slide over a tensor between the nests of a graph: which rows of every tensor a block of rows of the
output needs, found from accesses alone.

    e[o y x] = sum_c w[o c] x[c y x] ; y[o u v] = sum_ij k[o i j] e[o u+i-1 v+j-1]        rows a .. b of the output need
      rows a-1 .. b+1 of e: the tile and its halo

From the output to the inputs: a nest that is needed at rows first .. last reads rows `first * step - before` .. `last *
step + span - before` of a tensor, and of a tensor that several nests read all that any of them needs. So strides,
dilations, padding, halos of halos, and a tensor that is read by windows and as it is are one rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import prod

from ...lang.nests.access import Access, Border
from ...lang.nests.builder import NestBuilder, by_use, uses_of
from ...lang.nests.family import Held
from ...lang.nests.graph import Graph
from ...lang.nests.operation import Nest
from ...lang.nests.pending import AsOne, Near, WholeExtents

BLOCK = "block"  # the dimension of blocks that are alike
ROWS = "rows"  # and, with a number, those of rows within a block


def is_rows(dim: str) -> bool:
    """Whether a dimension is of rows within a block, or of blocks."""
    return dim == BLOCK or dim.removeprefix(ROWS).isdigit()


Range = tuple[int, int]  # the first row, and the one after the last


@dataclass(frozen=True)
class Needs:
    """For rows a .. b of the output a nest gives rows `a * step - before` .. `b * step + after`, along its dimension
    `dim`."""

    dim: str
    step: int = 1
    before: int = 0
    after: int = 0

    def joined(self, other: Needs) -> Needs | None:
        """The needs that cover both; None where they drift apart."""
        if (self.dim, self.step) != (other.dim, other.step):
            return None
        return replace(self, before=max(self.before, other.before), after=max(self.after, other.after))


@dataclass(frozen=True)
class Run:
    """`count` blocks that are alike, and follow each other: the rows of each nest in the first of them."""

    count: int
    ranges: tuple[Range | None, ...]

    @property
    def first(self) -> int:
        """The first row of the output."""
        found = self.ranges[-1]
        assert found is not None
        return found[0]

    def rows(self, nest: int) -> int:
        """Those that a nest gives in a block; 0 where it has none."""
        found = self.ranges[nest]
        return 0 if found is None else found[1] - found[0]


@dataclass(frozen=True)
class HaloRows:
    """The rows of a graph of whole arrays, along a dimension of its output; `needs` are those of each nest, None of one
    that gives no rows."""

    graph: Graph
    needs: tuple[Needs | None, ...]

    @property
    def dim(self) -> str:
        found = self.needs[-1]
        assert found is not None
        return found.dim

    @cached_property
    def size(self) -> dict[str, int]:
        return dict(zip(self.graph.dims, WholeExtents.of(self.graph)))

    @property
    def extent(self) -> int:
        """Rows of the output."""
        return self.size[self.dim]

    @cached_property
    def names(self) -> dict[Needs, str]:
        """The dimension of rows within a block for each way in which nests need them."""
        every = dict.fromkeys(need for need in reversed(self.needs) if need is not None)
        return {need: f"{ROWS}{i}" for i, need in enumerate(every)}

    def ranges(self, first: int, last: int) -> tuple[Range | None, ...]:
        """The rows of each nest that rows first .. last (that one not) of the output need, of those that there are."""
        graph = self.graph
        found: list[Range | None] = [None] * len(graph.nests)
        found[-1] = first, last
        for nest, need, given in reversed([*zip(graph.nests, self.needs, range(len(graph.nests)))]):
            rows = found[given]
            if rows is None or need is None:
                continue
            for t, access in nest.uses:
                if not graph.comes_in(t) and need.dim in access.dims:
                    low, high = _read(access, need.dim, rows, self.size)
                    j = graph.number(t)
                    other, old = self.needs[j], found[j] or (high, low)
                    assert other is not None
                    found[j] = max(0, min(low, old[0])), min(self.size[other.dim], max(high, old[1]))
        return tuple(found)

    def runs(self, rows: int) -> list[Run]:
        """The blocks of so many rows, those that are alike as one."""
        found: list[tuple[tuple, Run]] = []
        for first in range(0, self.extent, rows):
            ranges = self.ranges(first, min(first + rows, self.extent))
            form = tuple(
                None if need is None or given is None else (given[0] - first * need.step, given[1] - given[0])
                for need, given in zip(self.needs, ranges)
            )
            if found and found[-1][0] == form:
                found[-1] = form, replace(found[-1][1], count=found[-1][1].count + 1)
            else:
                found.append((form, Run(1, ranges)))
        return [run for _, run in found]

    def is_sound(self, rows: int) -> bool:
        """Whether in every block each nest gives rows, and those that share a dimension the same."""
        for run in self.runs(rows):
            given = [(need, r) for need, r in zip(self.needs, run.ranges) if need is not None]
            if any(r is None or r[0] >= r[1] for _, r in given) or len({*given}) > len(self.names):
                return False
        return True

    def again(self, rows: int) -> tuple[float, ...]:
        """How much of the work of each nest is done a second time by blocks of so many rows, at their seams."""
        total = [sum(run.count * run.rows(j) for run in self.runs(rows)) for j in range(len(self.needs))]
        return tuple(
            0.0 if need is None else max(0.0, n / self.size[need.dim] - 1) for need, n in zip(self.needs, total)
        )

    # ---- a block as a graph ------------------------------------------------------------------------------------------

    def block(self, run: Run, rows: int) -> RowBlock:
        """What `run` computes, of blocks of so many rows: a graph that has a dimension BLOCK, and dimensions of its own
        for rows."""
        graph = self.graph
        nests = by_use({graph.tensor(j): self._nest(j, run, rows) for j in range(len(graph.nests))})
        came = sorted(dict.fromkeys(t for t, _ in uses_of(nests) if t not in nests), key=lambda use: use[0])
        builder = NestBuilder()
        for use in came:
            builder.input(use, use[1], 0)
        for t, nest in nests.items():
            builder.nest(t, nest, None if t == graph.last else self._held(graph.number(t)), 0)
        dims = (BLOCK, *dict.fromkeys(d for nest in nests.values() for d in nest.operation.dims if d != BLOCK))
        counts = [use for use in came if use[0] in graph.counts]
        found = builder.graph(graph.name, dims, pending=[AsOne(True), Near(True)], counts=counts)
        sizes = {
            **self.size,
            **{self.names[need]: run.rows(j) for j, need in enumerate(self.needs) if need is not None},
            BLOCK: run.count,
        }
        return RowBlock(found, tuple(t for t, *_ in came), {d: sizes[d] for d in dims}, self._starts(run))

    def _starts(self, run: Run) -> dict[str, int]:
        return {
            self.names[need]: given[0]
            for need, given in zip(self.needs, run.ranges)
            if need is not None and given is not None
        }

    def _moved(self, j: int, access: Access, rows: int) -> Access:
        """How nest j meets a whole array, block by block."""
        need = self.needs[j]
        if need is None or need.dim not in access.dims:
            return access
        axes = (
            tuple(
                ((BLOCK, c * need.step * rows), (self.names[need], c)) if d == need.dim else ((d, c),) for d, c in axis
            )
            for axis in access.axes
        )
        return replace(access, axes=tuple(tuple(term for terms in axis for term in terms) for axis in axes))

    def _nest(self, j: int, run: Run, rows: int) -> Nest:
        """Nest j over tensors of a block."""
        graph, nest, need = self.graph, self.graph.nests[j], self.needs[j]
        if need is None:
            return nest
        op = nest.operation
        own = {BLOCK: BLOCK} | {d: self.names[need] if d == need.dim else d for d in op.dims}
        between = lambda t, access: self._between(j, graph.number(t), access, run).renamed(own)
        inputs = tuple(
            self._moved(j, access, rows) if graph.comes_in(t) else between(t, access) for t, access in nest.uses
        )
        last = j == len(graph.nests) - 1
        output = self._moved(j, op.output, rows) if last else _by_block(op.output.renamed(own))
        renamed = op.renamed(own)
        return replace(nest, operation=replace(renamed, dims=(BLOCK, *renamed.dims), inputs=inputs, output=output))

    def _between(self, j: int, writer: int, access: Access, run: Run) -> Access:
        """How nest j reads what `writer` gives of a block. Elements beyond that are beyond the whole tensor too."""
        need, given, there = self.needs[j], run.ranges[j], run.ranges[writer]
        if self.needs[writer] is None:
            return access
        assert need is not None and given is not None and there is not None
        low, high = _read(access, need.dim, given, self.size)
        along = access.axis_of(need.dim)
        sides = tuple(
            (there[0] - low, high - there[1]) if axis == along else access.reaches(axis)
            for axis in range(len(access.axes))
        )
        fill = access.border.fill if access.border else 0.0
        return _by_block(replace(access, border=Border(sides, fill) if any(map(any, sides)) else None))

    def _held(self, j: int) -> Held:
        held = self.graph.held[j]
        return (
            held
            if self.needs[j] is None
            else replace(held, layout=replace(held.layout, order=(*(axis + 1 for axis in held.layout.order), 0)))
        )


@dataclass(frozen=True)
class RowBlock:
    """Blocks that are alike as one graph, whose input i is tensor `sees[i]` of the whole; `starts` is where the first
    of them begins along its dimensions."""

    graph: Graph
    sees: tuple[int, ...]
    sizes: dict[str, int]
    starts: dict[str, int]

    @property
    def one(self) -> Graph:
        """It at one block."""
        return self.graph.without(BLOCK)


def _by_block(access: Access) -> Access:
    """The access to a tensor that each block has for itself: along an axis before the others."""
    border = access.border and replace(access.border, sides=((0, 0), *access.border.sides))
    return Access((((BLOCK, 1),), *access.axes), border)


def _read(access: Access, dim: str, rows: Range, size: Mapping[str, int]) -> Range:
    """The rows of a tensor, along the axis that `dim` moves, that an access meets at these of `dim`."""
    axis = access.axis_of(dim)
    step, span = _along(access, dim, size)
    before = access.reaches(axis)[0]
    return rows[0] * step - before, (rows[1] - 1) * step + span - before + 1


def _along(access: Access, dim: str, size: Mapping[str, int]) -> tuple[int, int]:
    """(elements of a step along `dim`, elements that the other dimensions of its axis span beyond one)."""
    terms = access.axes[access.axis_of(dim)]
    return sum(c for d, c in terms if d == dim), sum((size[d] - 1) * c for d, c in terms if d != dim)


@lru_cache(1 << 12)
def halo(graph: Graph, order: tuple[int, ...]) -> HaloRows | None:
    """The rows by which a graph of whole arrays may be cut into blocks, each with the rows of intermediates that its
    windows meet. `order` is that of the axes of its output, fastest first. None where it has no such rows, or a loop
    can cut it there. Along the axis of neighbours it is not cut: there vectors lie."""
    if not WholeExtents.of(graph) or graph.placed or graph.inside or not graph.unplaced:
        return None
    slowest = [axis for axis in reversed(order[1:]) if graph.output.is_plain(axis)]
    found = (_along_rows(graph, graph.output.axes[axis][0][0]) for axis in slowest)
    return next((rows for rows in found if rows is not None), None)


def _along_rows(graph: Graph, dim: str) -> HaloRows | None:
    size = dict(zip(graph.dims, WholeExtents.of(graph)))
    needs: list[Needs | None] = [None] * len(graph.nests)
    needs[-1] = Needs(dim)
    whole: set[int] = set()  # nests that are needed as a whole, whatever the rows
    for j in reversed(range(len(graph.nests))):
        nest, need = graph.nests[j], needs[j]
        if need is not None and not _gives_rows(nest, need.dim):
            return None
        for t, access in nest.uses:
            if graph.comes_in(t):
                if need is not None and len([axis for axis in access.axes if any(d == need.dim for d, _ in axis)]) > 1:
                    return None
                continue
            if need is None or need.dim not in access.dims:
                whole.add(graph.number(t))
                continue
            found = _need(access, need, graph.access(t), size)
            old = needs[graph.number(t)]
            met = found if old is None or found is None else old.joined(found)
            if met is None:
                return None
            needs[graph.number(t)] = met
    # a reduction is not done for each block anew
    is_again = any(needs[j] is None and graph.nests[j].operation.combine for j in range(len(needs)))
    moves = any(need is not None and need != replace(Needs(need.dim)) for need in needs)
    clash = any(needs[j] is not None for j in whole)
    return None if is_again or clash or not moves else HaloRows(graph, tuple(needs))


def _gives_rows(nest: Nest, dim: str) -> bool:
    op = nest.operation
    axis = op.output.axis_of(dim)
    return (
        axis >= 0
        and op.output.is_plain(axis)
        and op.output.is_apart(dim)
        and dim not in (*op.reduction, *op.picked)
        and not any(dim in op.inputs[i].dims for _, i in op.picks)
    )


def _need(access: Access, need: Needs, written: Access, size: Mapping[str, int]) -> Needs | None:
    """What a nest that is needed so needs of a tensor that it reads; None where that has no rows."""
    along = [axis for axis, terms in enumerate(access.axes) if any(d == need.dim for d, _ in terms)]
    if len(along) != 1 or not written.is_plain(along[0]):
        return None
    step, span = _along(access, need.dim, size)
    before = access.reaches(along[0])[0]
    return Needs(
        written.axes[along[0]][0][0], step * need.step, step * need.before + before, step * need.after + span - before
    )


def scaled(graph: Graph, size: Mapping[str, int], block: RowBlock) -> tuple[int, ...]:
    """How large the tensors of a block are, of a graph whose are of these sizes."""
    ones = {**block.sizes, BLOCK: 1}
    old = [*block.sees, *map(graph.tensor, range(len(graph.nests)))]
    at_one = ((t, prod(new.shape(ones))) for t, new in zip(old, block.graph.tensors))
    return tuple(-(-graph.bytes[t] * new // prod(graph.access(t).shape(size))) for t, new in at_one)
