"""Softmax by one reading before the last: its maximum and the sum of its exponentials at once, of numbers that are not
yet less the maximum.

    high = max_n x      total = sum_n exp(x - high)        both of one pass over x

Each exponential is a pair, m 2^n with a whole n, and so is what is summed so far: sums of pairs are aligned by their
exponents (M. Dukhan, A. Ablavatski, "Two-Pass Softmax Algorithm", arXiv 2001.04438). The maximum comes along, so that
total is exact to the digits that the graph asks for: total = M 2^N / exp(high), and exp(high) is a pair too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ...lang.nests.access import Access
from ...lang.nests.builder import NestBuilder
from ...lang.nests.family import Held, Layout
from ...lang.nests.graph import Graph
from ...lang.nests.operation import Nest, Operation
from ...lang.nests.parts import Part, part
from ...lang.nests.pending import AsOne, OneLeaf, WholeExtents
from ...lang.types.expr import Arg, Call, Expr, substitute
from ...lang.types.tensor import row_major
from .online import unfinished

POWER = Call("exp", (Call("sub", (Arg(0), Arg(1))),))  # of x and the maximum


@dataclass(frozen=True)
class SoftmaxPairs:
    """Nests of `graph`, by number: `high` is the maximum of input `source` along `dim`, `total` the sum of its
    exponentials less that. `first` gives both, the maximum as an operand before the last; `after` is what is left
    then."""

    graph: Graph
    dim: str
    source: int
    high: int
    total: int
    first: Part
    after: Part

    def tensor(self, nest: int) -> int:
        return self.graph.tensor(nest)


@lru_cache(1 << 12)
def pairs(graph: Graph) -> SoftmaxPairs | None:
    """The maximum and the sum in a graph that one reading may give; None where there are none."""
    return next((found for j in range(len(graph.nests)) if (found := _from(graph, j)) is not None), None)


def _from(graph: Graph, high: int) -> SoftmaxPairs | None:
    """Those whose maximum nest `high` is."""
    nest = graph.nests[high]
    op = nest.operation
    if (
        not op.is_maximum
        or op.body != Arg(0)
        or op.finish is not None
        or len(op.reduction) != 1
        or nest.accumulator != "f32"
        or not graph.comes_in(nest.reads[0])
    ):
        return None
    source, dim, x = nest.reads[0], op.reduction[0], op.inputs[0]
    axis = x.axis_of(dim)
    if not (x.is_apart(dim) and x.is_plain(axis) and x.border is None) or set(op.dims) != x.dims:
        return None
    total = next((j for j, other in enumerate(graph.nests) if _sums(graph, other, source, high)), None)
    if total is None:
        return None
    graph, (total,) = unfinished(graph, [total])
    both = graph.tensor(high), graph.tensor(total)
    if any(graph.is_rounded(t) for t in both if t != graph.last):
        return None
    nests = graph.needs(graph.last, known=both)
    return (
        SoftmaxPairs(
            graph,
            dim,
            source,
            high,
            total,
            _first(graph, source, high, total),
            part(graph.annotated(WholeExtents(())), nests, graph.last),
        )
        if nests
        else None
    )


def _sums(graph: Graph, nest: Nest, source: int, high: int) -> bool:
    """Whether a nest is the sum of the exponentials of `source` less the maximum that nest `high` is, over what that
    runs over."""
    op, most = nest.operation, graph.nests[high].operation
    is_sum = (
        op.is_sum
        and not op.fold
        and op.reduction == most.reduction
        and op.output.dims == most.output.dims
        and nest.accumulator == "f32"
    )
    return is_sum and _computed(graph, nest, source, high) == POWER


def _computed(graph: Graph, nest: Nest, source: int, high: int) -> Expr | None:
    """The body of a nest over `source` (x0) and the maximum (x1), maps between written out; None where it is of
    something else, or of elements at other places."""
    most, values = graph.nests[high].operation, []
    known: dict[int, tuple[Expr | None, Access]] = {
        source: (Arg(0), most.inputs[0]),
        graph.tensor(high): (Arg(1), most.output),
    }
    for t, access in list(zip(nest.reads, nest.operation.inputs))[: nest.operation.streamed]:
        value, there = known[t] if t in known else (_of_map(graph, t, source, high), graph.access(t))
        if value is None or there != access:
            return None
        values.append(value)
    return substitute(nest.operation.body, tuple(values))


def _of_map(graph: Graph, tensor: int, source: int, high: int) -> Expr | None:
    """The same of what gives a tensor; None where that is no map of f32 numbers between nests."""
    nest = None if graph.comes_in(tensor) else graph.writer(tensor)
    is_map = (
        nest is not None
        and nest.operation.combine is None
        and nest.accumulator == "f32"
        and not nest.operation.picks
        and not graph.is_rounded(tensor)
    )
    return _computed(graph, nest, source, high) if is_map and nest is not None else None


def _first(graph: Graph, source: int, high: int, total: int) -> Part:
    """What gives both, met by one leaf: the maximum goes out as a copy."""
    most, sums = graph.nests[high].operation, graph.nests[total].operation
    x, row = most.inputs[0], most.output
    rows = tuple(d for d in most.dims if d in row.dims)
    wide, few = graph.bytes[source], graph.bytes[graph.tensor(high)]
    builder = NestBuilder()
    builder.input("x", x, wide)
    builder.nest(
        "max", Nest(Operation("max", most.dims, (x,), row, Arg(0), most.combine), ("x",), "f32"), _wide(row), few
    )
    builder.nest("copy", Nest(Operation("copy", rows, (row,), row, Arg(0)), ("max",), "f32"), _wide(row), few)
    builder.nest("e", Nest(Operation("map", most.dims, (x, row), x, POWER), ("x", "max"), "f32"), _wide(x), wide)
    total_of = Operation("sum", most.dims, (x,), sums.output, Arg(0), sums.combine)
    builder.nest("sum", Nest(total_of, ("e",), "f32"), None, few)
    found = builder.graph("pairs", most.dims, outputs=("copy",), pending=[AsOne(True), OneLeaf(True)])
    return Part(found, (source, graph.tensor(high), graph.tensor(total)))


def _wide(access: Access) -> Held:
    return Held("f32", Layout(row_major(len(access.axes))))
