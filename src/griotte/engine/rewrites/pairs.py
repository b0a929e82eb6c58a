"""Pairs: the maximum of a softmax and the sum of its exponentials by one reading, in place of one for each.

before  high = max_n x ; e = exp(x - high) ; total = sum_n e ; y = e / total
after   high, total of x by pairs ; y = exp(x - high) / total

Each exponential is a pair, m 2^n with a whole n, and so is the sum so far: sums of pairs are aligned by their exponents
(M. Dukhan, A. Ablavatski, "Two-Pass Softmax Algorithm", arXiv 2001.04438). The maximum comes along, so that
total is exact to the digits that the graph asks for: total = M 2^N / exp(high), and exp(high) is a pair too.

Both results lie in buffers at the nearest level. What gives them is a graph of two results that one leaf meets
(leaves/pairs): no nest of it has a program of its own, and nothing between them a place. What reads them is a Spec
that the space has anyhow, with exponentials computed again. Pages of x are counted as where a view or rounds bring it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ...lang.nests.access import Access
from ...lang.nests.builder import NestBuilder
from ...lang.nests.family import Family, Held, Layout, State
from ...lang.nests.graph import Graph
from ...lang.nests.operation import Nest, Operation
from ...lang.nests.parts import Part, part
from ...lang.nests.pending import AsOne, OneLeaf, WholeExtents
from ...lang.types.expr import Arg, Call, Expr, substitute
from ...lang.types.tensor import row_major
from ..footprint import pages, resident
from ..idioms.online import is_maximum_along, unfinished
from ..program.nodes import Node, Room, Rounds, round_parts
from .bufferize import of_part
from .by_hand import OpenHole
from .edge import Child, Edge, Parts, Rewrite, RewriteRule, Word, needed
from .rounds import may_go_round, room_of


@dataclass(frozen=True)
class Pairs(Rewrite):
    """A maximum and a sum at once, both in buffers at `level`."""

    level: int

    def edge(self, family: Family, target) -> Edge:
        found = needed(
            pairs_of(family),
            "expected a maximum of an f32 array along its rows and the sum of exponentials less it, found"
            f" {family.operation.name}",
        )
        rooms, x, access = self._rooms(found), family.operands[found.source], family.access(found.source)
        uses = (
            self.level,
            lambda size: sum(resident(room.access, room.operand, size, target.spans) for room in rooms),
            ("rooms", rooms),
        )
        operands = (x, *(room.operand for room in rooms))
        after = tuple(rooms[Rounds.room(i)].operand if i < 0 else family.operands[i] for i in _sees(found))
        parts = Family(found.first.operation, False, operands, "f32"), of_part(found.after, after, target)
        return Edge(
            self,
            lambda size: {"call": 1, "pages": pages(access, x, size, target.spans)},
            ("pages", access, x),
            tuple(Child(part, uses=uses) for part in parts),
        )

    def _rooms(self, found: SoftmaxPairs) -> tuple[Room, ...]:
        tensors = map(found.tensor, (found.high, found.total))
        return tuple(room_of(found.graph, tensor, "f32", self.level) for tensor in tensors)

    def node(self, state: State, parts: Parts, cost: float | None) -> Node:
        found = pairs_of(state.family)
        first = (found.source, Rounds.new(0), Rounds.new(1))
        steps = round_parts(parts, ((first,), (), (), (), (_sees(found),)))
        return Rounds(state, found.dim, state.size[found.dim], self._rooms(found), *steps, cost, self)

    def words(self, target) -> str:
        return f"pairs at {target.levels[self.level].name}"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        return Word("sequence", (self.level,), f"maximum and sum at once, by pairs, in {levels[self.level]}", "pairs")

    def line(self, node: Node, target) -> str:
        assert isinstance(node, Rounds)
        return f"{' and '.join(room.name for room in node.rooms)} at once, in {target.levels[self.level].name}"


def _sees(found: SoftmaxPairs) -> tuple[int, ...]:
    """What comes after sees: operands, and the rooms by number."""
    rooms = {found.tensor(found.high): Rounds.new(0), found.tensor(found.total): Rounds.new(1)}
    return tuple(rooms.get(t, found.graph.operand(t)) for t in found.after.sees)


def pairs_of(family: Family) -> SoftmaxPairs | None:
    """The maximum and sum that one reading may give, of a graph whose source is an array in its given place, with rows
    along the summed dimension. A source that was moved near is read again at little cost."""
    graph = family.operation
    found = softmax_pairs(graph) if may_go_round(family) and not OneLeaf.of(graph) else None
    if found is None:
        return None
    x = family.operands[found.source]
    is_given = (
        x.dtype == "f32"
        and x.level == family.slowest
        and x.layout.panel is None
        and not x.layout.beyond
        and family.unit_dim(found.source) == found.dim
    )
    return found if is_given else None


def pairs_edges(family: Family, target) -> list[Edge]:
    """At the nearest level alone: a number for each row and result."""
    return [
        Pairs(level).edge(family, target) for level in target.places(family.slowest)[:1] if pairs_of(family) is not None
    ]


def pairs(hole: OpenHole) -> Rewrite:
    """Do the maximum of a softmax and the sum of its exponentials by one reading of what came in.

    Examples:
        >>> s = gt.schedule("softmax(f32[64,4800])", "portable").pairs()
        >>> len(s.holes)
        2
    """
    return Pairs(hole.target.places(len(hole.levels) - 1)[0])


PAIRS = RewriteRule(pairs_edges, steps=(pairs,), several=True)


DIFFERENCE = (Call("sub", (Arg(0), Arg(1))),)  # of x and the maximum
POWER = Call("decay", DIFFERENCE)


@dataclass(frozen=True)
class SoftmaxPairs:
    """Nests of `graph`, by number: `high` is the maximum of input `source` along `dim`, `total` the sum of its
    exponentials less that. `first` gives both, the maximum as an operand before the last; `after` is the rest then."""

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
def softmax_pairs(graph: Graph) -> SoftmaxPairs | None:
    """The maximum and the sum in a graph that one reading may give; None where there are none."""
    return next((found for j in range(len(graph.nests)) if (found := _from(graph, j)) is not None), None)


def _from(graph: Graph, high: int) -> SoftmaxPairs | None:
    """Those whose maximum nest `high` is."""
    nest = graph.nests[high]
    op = nest.operation
    if not is_maximum_along(nest) or not graph.comes_in(nest.reads[0]):
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
    return is_sum and _computed(graph, nest, source, high) in (POWER, Call("exp", DIFFERENCE))


def _computed(graph: Graph, nest: Nest, source: int, high: int) -> Expr | None:
    """The body of a nest over `source` (x0) and the maximum (x1), maps between written out; None where it is of
    something else, or of elements at other places."""
    most, values = graph.nests[high].operation, []
    known: dict[int, tuple[Expr | None, Access]] = {
        source: (Arg(0), most.inputs[0]),
        graph.tensor(high): (Arg(1), most.output),
    }
    for t, access in nest.uses[: nest.operation.streamed]:
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
    (x,), row = most.inputs, most.output
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
