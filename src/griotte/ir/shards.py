"""A softmax whose columns are cut into shards of equal length, which are computed apart and then joined.

    of each shard p:  high_p = max_n x      e = exp(x - high_p)      total_p = sum_n e      out_p = sum_n e v
    joined:           high = max_p high_p   w_p = exp(high_p - high)   total = sum_p w_p total_p   out = sum_p w_p out_p

Shards are a dimension of their own, so that threads may share them. Exponentials are taken less a finite number at
least, as in rounds (online.py): of a shard of -inf alone they are 0, and so is what it is worth.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod

from .dtypes import dtype
from .expr import PRODUCT, Arg
from .family import given_layout
from .graph import Graph, Held, Nest, renamed
from .merging import factored, may_factor
from .online import Chain, chain
from .operation import Access, Operation
from .parts import Part
from .stairs import stairs
from .tensor import TensorType, row_major

SHARD = "shard"  # the dimension
LEAST = 64  # columns of a shard: of fewer a team costs more than it saves
WIDE = "f32"  # what shards leave: the accumulator's dtype


def marked(graph: Graph, size: Mapping[str, int], threads: int) -> Graph:
    """A graph of whole arrays of these sizes that is told to be cut into a shard for each thread, where it has a
    softmax of fewer rows than threads."""
    if not any(_has_few_rows(nest.operation, size, threads) for nest in graph.nests):
        return graph
    found = told(graph, size, threads)
    return found if graph.is_large or shards(found) is not None and stairs(found) is None else graph


def told(graph: Graph, size: Mapping[str, int], count: int) -> Graph:
    """A graph that is told to be of whole arrays of these sizes, and to be cut into so many shards."""
    return replace(graph, extents=tuple(size[d] for d in graph.dims), shards=count)


def _has_few_rows(op: Operation, size: Mapping[str, int], threads: int) -> bool:
    return (
        op.combine == "maximum"
        and prod(size[d] for d in op.output.dims) < threads
        and all(size[d] >= LEAST * threads for d in op.reduction)
    )


@dataclass(frozen=True)
class SoftmaxShards:
    """The softmax of `chain`, cut along its dimension of `extent` elements into `count` shards of `each`, and one of
    what is `left`."""

    chain: Chain
    count: int
    size: tuple[tuple[str, int], ...]

    @property
    def dim(self) -> str:
        return self.chain.dim

    @property
    def inside(self) -> str:
        """The dimension of a shard's own columns."""
        return f"{self.dim}_{SHARD}"

    @property
    def each(self) -> int:
        return dict(self.size)[self.dim] // self.count

    @property
    def left(self) -> int:
        return dict(self.size)[self.dim] % self.count

    @property
    def all(self) -> int:
        """How many shards there are, with that of what is left."""
        return self.count + (self.left > 0)

    @property
    def results(self) -> tuple[int, ...]:
        """The nests whose results each shard has: the maximum, and the sums."""
        return self.chain.high, *self.chain.sums

    def access(self, nest: int) -> Access:
        """Of what shards leave of a result: an axis for the shards, before its own."""
        return sharded(self.chain.graph.nests[nest].operation.output)

    @property
    def nests(self) -> tuple[int, ...]:
        """The nests of the graph that are done in each shard."""
        return tuple(sorted({*self.chain.graph.needs(self.chain.source), self.chain.power, *self.results}))

    @property
    def kept(self) -> tuple[int, ...]:
        """For each nest of `part` the nest of the graph that it is: the maximum goes out as a copy."""
        place = self.nests.index(self.chain.high) + 1
        return (*self.nests[:place], self.chain.high, *self.nests[place:])

    @property
    def part(self) -> Part:
        """What is computed of a shard: a graph of several outputs. Among the tensors that it sees result i is -1 -
        i."""
        found, graph = self.chain, self.chain.graph
        came = sorted({t for j in self.nests for t in graph.nests[j].reads if t < len(graph.inputs)})
        first = len(came) + len(self.results) - 1  # of the tensors that nests write
        number = {t: i for i, t in enumerate(came)} | {
            found.tensor(j): first + i for i, j in reversed(list(enumerate(self.kept)))
        }
        nests = [self._nest(j, number) for j in self.kept]
        copy = first + self.nests.index(found.high) + 1
        nests[copy - first] = _copy(nests[copy - first - 1].operation.output, copy - 1)
        placed = (
            (copy, len(came)),
            *((number[found.tensor(j)], len(came) + 1 + i) for i, j in enumerate(found.sums[:-1])),
        )
        names = {d: self.inside if d == self.dim else d for d in (SHARD, *graph.dims)}
        nests = [replace(nest, operation=renamed(nest.operation, names)) for nest in nests]
        inputs = (*(self._seen(t).renamed(names) for t in came), *map(self.access, self.results[:-1]))
        dtypes = [WIDE if j in self.results else graph.held[j].dtype for j in self.kept]
        whole = self._graph(
            "softmax of a shard", inputs, nests, dtypes, {**dict(self.size), SHARD: 1, self.inside: self.each}, placed
        )
        return Part(whole, (*came, *(-1 - i for i in range(len(self.results)))), WIDE, ())

    def _nest(self, j: int, number: dict[int, int]) -> Nest:
        found, nest = self.chain, self.chain.graph.nests[j]
        op, reads = (
            (found.powers, (found.source, found.tensor(found.high)))
            if j == found.power
            else (nest.operation, nest.reads)
        )
        inputs = tuple(self._seen(t, access) for t, access in zip(reads, op.inputs))
        return replace(
            nest,
            operation=replace(op, dims=(SHARD, *op.dims), inputs=inputs, output=sharded(op.output)),
            reads=tuple(number[t] for t in reads),
        )

    def _seen(self, tensor: int, access: Access | None = None) -> Access:
        """How a shard sees a tensor: along its own part of it."""
        access = access or self.chain.graph.access(tensor)
        return sharded(access) if tensor >= len(self.chain.graph.inputs) or self.dim in access.dims else access

    @property
    def join(self) -> Part:
        """What makes the results of all columns out of those of the shards, and what comes after the softmax."""
        found, graph, count = self.chain, self.chain.graph, len(self.results)
        others = [t for t in found.after.sees[:-1] if t < len(graph.inputs)]
        first = count + len(others)
        number = (
            {t: count + i for i, t in enumerate(others)}
            | {found.tensor(found.high): first}
            | {found.tensor(j): first + 2 + i for i, j in enumerate(found.sums)}
        )
        nests = [*self._joins(first), *_numbered(found.after, number, first + 1 + count)]
        inputs = (*map(self.access, self.results), *(graph.inputs[t] for t in others))
        dtypes = [WIDE] * (1 + count) + [held.dtype for held in getattr(found.after.operation, "held", ())]
        whole = self._graph("softmax of shards", inputs, nests, dtypes, {**dict(self.size), SHARD: self.all})
        return Part(
            whole, (*(-1 - i for i in range(count)), *others, found.after.sees[-1]), found.after.accumulator, ()
        )

    def _joins(self, first: int) -> Iterable[Nest]:
        """The maximum, what each shard is worth, the sums: tensors `first`, `first` + 1, .."""
        found = self.chain
        worth, high = self.access(found.high), found.rescale.output
        rows = found.rescale.dims
        yield Nest(Operation("max", (*rows, SHARD), (worth,), high, Arg(0), "maximum"), (0,), WIDE)
        yield Nest(replace(found.rescale, dims=(SHARD, *rows), inputs=(worth, high), output=worth), (0, first), WIDE)
        for i, j in enumerate(found.sums):
            op = found.first(j)
            dims = tuple(d for d in op.dims if d in op.output.dims)
            yield Nest(
                Operation("sum", (*dims, SHARD), (self.access(j), worth), op.output, PRODUCT, "add"),
                (1 + i, first + 1),
                WIDE,
            )

    def _graph(
        self,
        name: str,
        inputs: tuple[Access, ...],
        nests: list[Nest],
        dtypes: list[str],
        size: Mapping[str, int],
        placed: tuple[tuple[int, int], ...] = (),
    ) -> Graph:
        """Nests as a graph that is searched as one; `dtypes` are those of what they write, `size` that of which it is
        told how large its tensors are."""
        used = {d for nest in nests for d in nest.operation.dims}
        dims = tuple(d for d in (SHARD, *(d for d, _ in self.size), self.inside) if d in used)
        written = [
            TensorType(n, nest.operation.output.shape(size), row_major(len(nest.operation.output.axes)))
            for n, nest in zip([*dtypes, WIDE], nests)
        ]
        came = [prod(access.shape(size)) * dtype(WIDE).bytes for access in inputs]
        held = tuple(Held(t.dtype, given_layout(t)) for t in written[:-1])
        return Graph(
            name, dims, inputs, tuple(nests), held, (*came, *(t.bytes for t in written)), joint=True, placed=placed
        )


def sharded(access: Access) -> Access:
    """With an axis for the shards before all others."""
    return Access((((SHARD, 1),), *access.axes))


def _copy(access: Access, tensor: int) -> Nest:
    dims = tuple(d for axis in access.axes for d, _ in axis)
    return Nest(Operation("copy", dims, (access,), access, Arg(0)), (tensor,), WIDE)


def _numbered(part: Part, number: Mapping[int, int], first: int) -> list[Nest]:
    """The nests of a part, whose operands are tensors of these numbers and whose results are `first`, `first` + 1,
    .."""
    if not isinstance(part.operation, Graph):
        return [Nest(part.operation, tuple(number[t] for t in part.sees[:-1]), part.accumulator)]
    count = len(part.operation.inputs)
    return [
        replace(nest, reads=tuple(number[part.sees[t]] if t < count else first + t - count for t in nest.reads))
        for nest in part.operation.nests
    ]


@lru_cache(1 << 10)
def shards(graph: Graph) -> SoftmaxShards | None:
    """How a graph that is told to be of whole arrays may be cut; None where it is not to be."""
    if not graph.shards or graph.placed or not graph.extents:
        return None
    size = tuple(zip(graph.dims, graph.extents))
    found = next((each for whole in _forms(graph) if (each := chain(whole)) is not None and _is_plain(each)), None)
    if (
        found is None
        or dict(size)[found.dim] < LEAST * graph.shards
        or graph.is_large
        and found.source < len(graph.inputs)
    ):
        return None
    return SoftmaxShards(found, graph.shards, size)


def _forms(graph: Graph) -> Iterable[Graph]:
    """The graph, and it with the shares of a total divided after the sum of products that reads them."""
    yield graph
    for tensor in graph.unplaced:
        if may_factor(graph, tensor):
            part = factored(graph, tensor)
            if part.sees[:-1] == tuple(range(len(graph.inputs))) and isinstance(part.operation, Graph):
                yield part.operation


def _is_plain(found: Chain) -> bool:
    """Whether all that a shard computes is along the columns, and no tensor is read with a border or at an index."""
    graph = found.graph
    own = {*graph.needs(found.source), found.high, found.power, *found.sums}
    is_along = all(found.dim in graph.nests[j].operation.dims for j in own)
    return is_along and not any(
        nest.operation.picks or any(access.border for access in nest.operation.accesses) for nest in graph.nests
    )
