"""A softmax whose columns are cut into shards of equal length, which are computed apart and then joined.

    of each shard p:  high_p = max_n x      e = exp(x - high_p)      total_p = sum_n e      out_p = sum_n e v
    joined:           high = max_p high_p   w_p = exp(high_p - high)   total = sum_p w_p total_p   out = sum_p w_p out_p

ShardCount are a dimension of their own, so that threads may share them. Exponentials are taken less a finite number at
least, as in rounds (online.py): of a shard of -inf alone they are 0, and so is what it is worth.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from ...lang.nests.access import Access
from ...lang.nests.builder import Name, SizedBuilder
from ...lang.nests.graph import Graph
from ...lang.nests.merging import factored, may_factor
from ...lang.nests.operation import Nest, Operation
from ...lang.nests.parts import Part
from ...lang.nests.pending import AsOne, ShardCount, WholeExtents
from ...lang.types.expr import PRODUCT, Arg
from .online import Chain, chain

SHARD = "shard"  # the dimension
LEAST = 64  # columns of a shard: of fewer a team costs more than it saves
WIDE = "f32"  # what shards leave: the accumulator's dtype
COPY, WORTH = "copy of the maximum", "what a shard is worth"  # tensors of a shard, and of what joins them


def told(graph: Graph, size: Mapping[str, int], count: int) -> Graph:
    """A graph annotated as of whole arrays of these sizes, to be cut into so many shards."""
    return graph.annotated(WholeExtents(tuple(size[d] for d in graph.dims)), ShardCount(count))


@dataclass(frozen=True)
class SoftmaxShards:
    """The softmax of `chain`, cut along its dimension of `extent` elements into `count` shards of `each`, and one of
    the `left` elements."""

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
        """How many shards there are, with that of the leftover."""
        return self.count + (self.left > 0)

    @property
    def results(self) -> tuple[int, ...]:
        """The nests whose results each shard has: the maximum, and the sums."""
        return self.chain.high, *self.chain.sums

    def access(self, nest: int) -> Access:
        """The access to the partial results of shards: an axis for the shards, before the result's own."""
        return sharded(self.chain.graph.nests[nest].operation.output)

    @property
    def nests(self) -> tuple[int, ...]:
        """The nests of the graph that are done in each shard."""
        return tuple(sorted({*self.chain.graph.needs(self.chain.source), self.chain.power, *self.results}))

    @property
    def part(self) -> Part:
        """The computation of a shard: a graph of several outputs, the maximum goes out as a copy. Among the tensors
        that it sees result i is -1 - i."""
        found, graph = self.chain, self.chain.graph
        names = {d: self.inside if d == self.dim else d for d in (SHARD, *graph.dims)}
        size = {**dict(self.size), SHARD: 1, self.inside: self.each}
        came = sorted({t for j in self.nests for t in graph.nests[j].reads if graph.comes_in(t)})
        builder = SizedBuilder(size)
        for t in came:
            builder.come(t, self._seen(t).renamed(names), WIDE)
        for j in self.nests:
            nest = self._nest(j)
            whole = replace(nest, operation=nest.operation.renamed(names))
            builder.write(graph.tensor(j), whole, WIDE if j in self.results else graph.held[j].dtype)
            if j == found.high:
                builder.write(COPY, _copy(whole.operation.output, graph.tensor(j)), WIDE)
        outputs = (COPY, *map(graph.tensor, found.sums[:-1]))
        graph = self._graph("softmax of a shard", builder, outputs)
        return Part(graph, (*came, *(-1 - i for i in range(len(self.results)))))

    def _nest(self, j: int) -> Nest:
        found, nest = self.chain, self.chain.graph.nests[j]
        op, reads = (
            (found.powers, (found.source, found.tensor(found.high)))
            if j == found.power
            else (nest.operation, nest.reads)
        )
        inputs = tuple(self._seen(t, access) for t, access in zip(reads, op.inputs))
        own = replace(op, dims=(SHARD, *op.dims), inputs=inputs, output=sharded(op.output))
        return replace(nest, operation=own, reads=reads)

    def _seen(self, tensor: int, access: Access | None = None) -> Access:
        """How a shard sees a tensor: along its own part of it."""
        access = access or self.chain.graph.access(tensor)
        return sharded(access) if not self.chain.graph.comes_in(tensor) or self.dim in access.dims else access

    @property
    def join(self) -> Part:
        """The nests that make the results of all columns out of those of the shards, and those after the softmax."""
        found, graph = self.chain, self.chain.graph
        results = {-1 - i: self.access(j) for i, j in enumerate(self.results)}
        others = {t: graph.inputs[t] for t in found.after.sees[:-1] if graph.comes_in(t)}
        builder = SizedBuilder({**dict(self.size), SHARD: self.all})
        for t, access in (results | others).items():
            builder.come(t, access, WIDE)
        for name, nest in self._joins().items():
            builder.write(name, nest, WIDE)
        held = found.after.operation.held
        for (name, nest), written in zip(found.after.named("after").items(), [*(each.dtype for each in held), WIDE]):
            builder.write(name, nest, written)
        whole = self._graph("softmax of shards", builder)
        return Part(whole, (*results, *others, found.after.sees[-1]))

    def _joins(self) -> dict[Name, Nest]:
        """The maximum, what each shard is worth, the sums, of the results of shards."""
        found, top = self.chain, self.chain.tensor(self.chain.high)
        worth, high = self.access(found.high), found.rescale.output
        rows = found.rescale.dims
        each = replace(found.rescale, dims=(SHARD, *rows), inputs=(worth, high), output=worth)
        nests: dict[Name, Nest] = {
            top: Nest(
                Operation("max", (*rows, SHARD), (worth,), high, Arg(0), found.first(found.high).combine), (-1,), WIDE
            ),
            WORTH: Nest(each, (-1, top), WIDE),
        }
        for i, j in enumerate(found.sums):
            op = found.first(j)
            dims = tuple(d for d in op.dims if d in op.output.dims)
            total = Operation("sum", (*dims, SHARD), (self.access(j), worth), op.output, PRODUCT, op.combine)
            nests[found.tensor(j)] = Nest(total, (-2 - i, WORTH), WIDE)
        return nests

    def _graph(self, name: str, builder: SizedBuilder, outputs: tuple[Name, ...] = ()) -> Graph:
        """The graph that is searched as one."""
        used = {d for nest in builder.nests.values() for d in nest.operation.dims}
        dims = tuple(d for d in (SHARD, *(d for d, _ in self.size), self.inside) if d in used)
        return builder.graph(name, dims, outputs, [AsOne(True)])


def sharded(access: Access) -> Access:
    """With an axis for the shards before all others."""
    return Access((((SHARD, 1),), *access.axes))


def _copy(access: Access, tensor: int) -> Nest:
    dims = tuple(d for axis in access.axes for d, _ in axis)
    return Nest(Operation("copy", dims, (access,), access, Arg(0)), (tensor,), WIDE)


@lru_cache(1 << 10)
def shards(graph: Graph) -> SoftmaxShards | None:
    """How a graph of whole arrays that is annotated with shards may be cut; None where it may not."""
    count, extents = ShardCount.of(graph), WholeExtents.of(graph)
    if not count or graph.placed or not extents:
        return None
    size = tuple(zip(graph.dims, extents))
    found = next((each for whole in _forms(graph) if (each := chain(whole)) is not None and _is_plain(each)), None)
    if found is None or dict(size)[found.dim] < LEAST * count or graph.is_large and graph.comes_in(found.source):
        return None
    return SoftmaxShards(found, count, size)


def _forms(graph: Graph) -> Iterable[Graph]:
    """The graph, and it with the shares of a total divided after the sum of products that reads them."""
    yield graph
    for tensor in graph.unplaced:
        if may_factor(graph, tensor):
            part = factored(graph, tensor)
            if part.sees[:-1] == tuple(range(len(graph.inputs))):
                yield part.operation


def _is_plain(found: Chain) -> bool:
    """Whether all that a shard computes is along the columns, and no tensor is read with a border or at an index."""
    graph = found.graph
    own = {*graph.needs(found.source), found.high, found.power, *found.sums}
    is_along = all(found.dim in graph.nests[j].operation.dims for j in own)
    return is_along and not any(
        nest.operation.picks or any(access.border for access in nest.operation.accesses) for nest in graph.nests
    )
