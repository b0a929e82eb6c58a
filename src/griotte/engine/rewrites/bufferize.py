"""Bufferize: an unplaced tensor of a graph gets a place: what computes it comes first, what reads it after.

before  softmax(x) -> y
after   t @ L1 : max(x) -> t ; then exp_sum, normalise (x, t) -> y

        w @ L2 in panels of 16 : where one product alone reads w, what computes it writes it as that wants it, and
          nothing is packed

        t @ x : an output whose value is t takes it in place. What reads t reads that operand
        t @ y : the output holds t until it is written over it, element by element

Where one product alone reads a tensor, its nest may store it in the panels that a copy for that product would have. A
reduction stores its tile. A map stores a row panel by panel, or as many rows at once as stand side by side in slivers
and in groups.

Both parts stand at the sizes of the whole, so inside a loop the tensor is as large as a tile of it. Where it is placed,
and around which loops, decides whether a graph is fused, and how. What both parts need is computed in each.

Tensors computed of constants alone, and smaller than those (sums of weights), come before all else and are whole
arrays: no loop computes them anew.

A graph that is more than one search covers is only cut at whole arrays, into parts that one search covers. Each part
has the first nest that is left, so that every way to cut it comes once. Dynamic programming over the rest finds the
cheapest.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache

from ...lang.nests.family import WORD, Family, Layout, Operand, State
from ...lang.nests.graph import Graph
from ...lang.nests.operation import Nest, Operation, is_contraction
from ...lang.nests.parts import Part, after, before, operands_for, parts_at
from ...lang.nests.pending import BlockRows, Early, Near, ShardCount, WholeExtents
from ..canonical.division import extracted, tensors, whole_cuts
from ..cost.traffic import at
from ..footprint import padded, resident
from ..idioms.causal import at_whole
from ..program.nodes import BUFFER, Pipeline
from .batch import batch_dims, standing_whole
from .by_hand import OpenHole, given
from .edge import GOAL, PART, Child, DoesNotApply, Edge, Parts, Rewrite, RewriteRule, Role, Word, require
from .joint import as_one, at_sums
from .places import outputs_for, places, worthwhile


@dataclass(frozen=True)
class Bufferize(Rewrite):
    """Place tensor number `tensor` of the graph at `to`: in a buffer, or in `operand`, an output of the graph that is
    to hold it."""

    tensor: int
    to: Operand
    operand: int | None = None

    def edge(self, family: Family, target) -> Edge:
        graph = family.operation
        require(not graph.is_lone, f"expected a graph of nests, found {graph.name}")
        if not (self.tensor in graph.unplaced or self.operand in operands_for(graph, self.tensor)):
            raise DoesNotApply(
                f"expected a tensor between the nests ({' '.join(f't{t}' for t in graph.unplaced)}), found"
                f" t{self.tensor}"
            )
        require(
            parts_at(graph, self.tensor, self.operand),
            f"expected a tensor at which no reduction would be computed in both parts, found t{self.tensor}",
        )
        if (self.to, self.operand) not in buffers(family, self.tensor, target):
            raise DoesNotApply(
                f"expected t{self.tensor} compact, or as its reader wants it, at a level within"
                f" {target.levels[family.slowest].name}, or as a whole array there, found {self.to}"
            )
        access, spans = graph.access(self.tensor), target.occupied
        uses = (
            (self.to.level, lambda size: resident(access, self.to, size, spans), ("resident", access, self.to))
            if self.operand is None
            else None
        )
        role = GOAL if self.to.level == family.slowest else PART
        parts = self.cut(graph)
        children = tuple([self._child(family, part, target, uses, role) for part in parts])
        if not self.to.layout.panel:
            return Edge(self, lambda size: {"call": 1}, ("call",), children)
        return Edge(
            self,
            lambda size: {"call": 1} | at(target, self.to.level, {"store": padded(access, self.to, size, spans.line)}),
            ("padded", access, self.to),
            children,
        )

    def cut(self, graph: Graph) -> tuple[Part, Part]:
        """The nests that write the tensor, and those after it."""
        return before(graph, self.tensor), after(graph, self.tensor, self.operand)

    def _child(self, family: Family, part: Part, target, uses: tuple | None, role: Role) -> Child:
        """The Spec of a part; a part of a large graph is a problem of its own."""
        found, graph = self._family(family, part, target), family.operation
        extents = dict(zip(graph.dims, WholeExtents.of(graph)))
        if not graph.is_large or not extents:
            return Child(found, uses=uses, role=role)
        if found.operation.is_large or any(access.border for access in part.operation.accesses):
            return Child(as_one(found, extents, target), uses=uses, role=role)
        found, sizes = extracted(found, tuple(extents[d] for d in found.operation.dims), target.spans)
        size = sizes(extents)
        found = replace(found, operation=at_whole(found.operation, size))
        return Child(at_sums(standing_whole(found, size, target), size, target), uses=uses, role=role, sizes=sizes)

    def _family(self, family: Family, part: Part, target) -> Family:
        graph = family.operation
        operands = tuple(self.to if t == self.tensor else family.operands[graph.operand(t)] for t in part.sees)
        found = of_part(part, operands, target, family.accumulate and part.sees[-1] == graph.last)
        if self.outer or self.tensor in Early.of(graph):  # the rest is the same over whole arrays
            left = (kind(kind.of(graph)) for kind in (ShardCount, BlockRows))
            found = replace(found, operation=found.operation.annotated(*left))
        ahead = tuple(i for i, t in enumerate(part.sees[:-1]) if t in family.ahead)
        return replace(found, ahead=ahead) if ahead else found

    def node(self, state: State, parts: Parts, cost: float | None) -> Pipeline:
        graph = state.family.operation
        cut = self.cut(graph)
        place = BUFFER if self.operand is None else self.operand
        sees = [tuple(place if t == self.tensor else graph.operand(t) for t in part.sees) for part in cut]
        borders = tuple(access.border for access in cut[1].operation.accesses)
        producer, consumer = parts
        return Pipeline(state, self.to, producer, consumer, (sees[0], sees[1]), borders, cost, self)

    def verb(self) -> str:
        return f"bufferize {self.tensor}"

    def words(self, target) -> str:
        form = f" in {self.to.layout}" if self.to.layout.panel else ""
        return (
            f"bufferize t{self.tensor} at {target.levels[self.to.level].name}{form}"
            if self.operand is None
            else f"put t{self.tensor} into operand {self.operand}"
        )

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        names = family.operation.names
        if self.operand is not None:
            return Word(
                "sequence",
                (self.tensor, self.operand),
                f"{names[self.tensor]} in {names[self.operand]}",
                names[self.operand],
            )
        what, panel = f"{names[self.tensor]} -> {levels[self.to.level]}", self.to.layout.panel
        return Word(
            "copy",
            (self.tensor, panel[1] if panel else 0, self.to.level),
            f"buffer {what}" + f", {self.to.layout}" * bool(panel),
            what + (f" /{panel[1]}" if panel else ""),
        )


@lru_cache(1 << 14)  # many families lead to one part
def of_part(part: Part, operands: tuple[Operand, ...], target, accumulate: bool = False) -> Family:
    """The family of a part of a graph with its operands at these places, each with the border of its access around
    it."""
    bordered = tuple(operand.within(access.border) for operand, access in zip(operands, part.operation.accesses))
    return with_batch(Family(part.operation.bare, accumulate, bordered, part.accumulator), target)


def with_batch(family: Family, target) -> Family:
    batch = batch_dims(family, _LARGE, target.lanes(family.accumulator))
    return replace(family, batch=batch) if batch != family.batch else family


_LARGE: dict = defaultdict(lambda: 1 << 30)  # a size of each dimension for which it may carry the lanes


Placing = tuple[Operand, int | None]  # where a tensor is put, and the operand that this is; None: a buffer


@lru_cache(1 << 8)  # each of them is asked whether it is one
def buffers(family: Family, tensor: int, target) -> tuple[Placing, ...]:
    """The places of a tensor between nests, or of an output: compact at each level nearer than the arrays, or an array
    like them. A tensor that no loop makes smaller goes only to levels that hold all of it. A tensor that is an output
    goes there, and into no other array."""
    graph, home = family.operation, family.slowest
    given = tuple((family.operands[i], i) for i in outputs_for(family, tensor))
    found = tuple((to, None) for to in _buffers(graph, tensor, home, target)) if tensor in graph.unplaced else ()
    packed = tuple((to, None) for to in panels(family, tensor, [to.level for to, _ in found], target))
    near = sum(to.level < home for to, _ in found)
    return (*found[:near], *packed, *(given or found[near:]))


@lru_cache(1 << 12)
def _buffers(graph: Graph, tensor: int, home: int, target) -> tuple[Operand, ...]:
    held, size, access = graph.between(tensor), graph.bytes[tensor], graph.access(tensor)
    levels, is_cut = worthwhile(size, home, target), bool(access.dims & set(graph.cut))
    if (Near.of(graph) or all(access.axes)) and not is_cut:
        levels = [level for level in levels if size / target.spans.line <= target.capacity_lines(level)]
    near = [Operand(held.dtype, level, Layout(held.layout.order)) for level in levels]
    return (
        tuple(near)
        if Near.of(graph) and levels and (is_cut or size / target.spans.line <= target.capacity_lines(levels[-1]))
        else (*near, Operand(held.dtype, home, held.layout))
    )


def early_edges(family: Family, target) -> list[Edge]:
    """The first of the tensors that come before all else."""
    graph = family.operation
    return [Bufferize(t, *buffers(family, t, target)[-1]).edge(family, target) for t in Early.of(graph)[:1]]


def bufferize_edges(family: Family, target) -> list[Edge]:
    graph = family.operation
    found = {t: buffers(family, t, target) for t in tensors(graph)}
    places = {t: [Bufferize(t, *to) for to in all_of if parts_at(graph, t, to[1])] for t, all_of in found.items()}
    cuts = [t for t, there in places.items() if there]
    if graph.is_large:  # into a part that one search covers, and the rest
        cuts = whole_cuts(graph, cuts, lambda part: not part.operation.is_large) or cuts
        places = {t: places[t][-1:] for t in cuts}
    return [place.edge(family, target) for t in cuts for place in places[t]]


def bufferize(
    hole: OpenHole, tensor: int | str, level: str, panel: int | None = None, group: int | None = None
) -> Rewrite:
    """Give a tensor between the nests of a graph a place; what computes it comes before what reads it.

    Args:
        tensor: its number, or its printed name.
        level: of the target, or an output of the graph (y0, y1, ..) that is to hold it.
        panel: puts it into panels of that width, as the product that reads it wants it.
        group: as of `move`.

    Examples:
        >>> s = gt.schedule("softmax(f32[64,48])", "portable")
        >>> len(s.bufferize("max", "L1").holes)
        2
    """
    number, wanted = hole.tensor(f"bufferize of {tensor}", tensor), (level, given(panel=panel, group=group))
    places = [e.rewrite for e in hole.edges if type(e.rewrite) is Bufferize and e.rewrite.tensor == number]
    named = {place: _named(place, hole) for place in places}
    found = next((place for place in places if named[place] == wanted), None)
    if found is None:
        expected = " or ".join(_said(*name) for name in named.values()) or "a tensor at which the graph may be cut"
        hole.refuse(f"bufferize of {tensor} at {level}", f"expected {expected}, found {_said(repr(level), wanted[1])}")
    return found


def _named(place: Bufferize, hole: OpenHole) -> tuple[str, dict[str, int]]:
    """The arguments of `bufferize` that mean a place: its level or its output, and its layout."""
    layout = place.to.layout
    return (
        hole.levels[place.to.level] if place.operand is None else hole.names[place.operand],
        {k: v[1] for k, v in (("panel", layout.panel), ("group", layout.group)) if v},
    )


def _said(name: str, layout: dict[str, int]) -> str:
    return ", ".join((name, *(f"{k}={v}" for k, v in layout.items())))


BUFFERIZE = RewriteRule(bufferize_edges, steps=(bufferize,), several=True)
EARLY = RewriteRule(early_edges, undecided=True)


def panels(family: Family, tensor: int, levels: list[int], target) -> list[Operand]:
    """Panels at those of `levels` that the tensor may have a buffer at; the last of `levels` is that of whole arrays.
    Panels lie in the slowest near level (a nearer panel is a compact tile as wide as it). Panels along the lanes lie
    among the whole arrays too, where a copy may lie there."""
    graph = family.operation
    reader = _product(graph, tensor) if levels and not graph.is_large else None
    if reader is None:
        return []
    found, lanes = _written(family, tensor, target), target.lanes(reader.accumulator)
    rooms = [level for level in levels[-2:] if level in target.rooms(levels[-1])]
    return [
        to.at(level)
        for level in rooms
        for to in found
        if not to.layout.is_sliver(lanes) or level == rooms[0] and not _is_of_product(graph, tensor)
    ]


def _product(graph: Graph, tensor: int) -> Nest | None:
    """The one nest that reads a tensor, where it is a reduction of several inputs that reads it as it is written."""
    readers = graph.readers(tensor)
    op = graph.nests[readers[0]].operation
    return (
        graph.nests[readers[0]]
        if len(readers) == 1 and op.combine and op.streamed > 1 and graph.access(tensor) in op.inputs
        else None
    )


def _written(family: Family, tensor: int, target) -> list[Operand]:
    """The copies of the tensor that its own nest may write, in its own dtype."""
    graph, own = family.operation, family.operation.number(tensor)
    return [
        to
        for to in places(family, tensor, target)
        if to.dtype == graph.held[own].dtype and _may_write(graph.nests[own].operation, to)
    ]


def _may_write(writer: Operation, to: Operand) -> bool:
    """Groups are for maps alone, those within a word: they interleave vectors of as many rows."""
    return (
        to.layout.group is None
        or writer.combine is None
        and to.packed == 1
        and to.layout.group[1] * to.bytes <= WORD // 8
    )


def _is_of_product(graph: Graph, tensor: int) -> bool:
    """Whether a product is among what computes a tensor: turning its tiles into slivers costs what these save, and
    another search for that product."""
    return any(is_contraction(graph.nests[j].operation) for j in graph.needs(tensor))
