"""Online: the maximum and the sums of a softmax by one pass, block by block: what was summed is made smaller where a later block has a larger maximum.

before  s = q k' ; high = max_n s ; e = exp(s - high) ; total = sum_n e ; o = sum_n e v ; y = o / total
after   rounds of n by 256 { s, high', e, r = exp(high - high'), total' = total r + sum e, o' = o r + sum e v } ; y = o / total

All that lives from round to round, and what a round makes, lies at one level: scores are never whole. Each part is a Spec like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ..program.nodes import Node, Room, Rounds, rounds_of
from ..spec.family import Family, Layout, Operand, State, resident
from ..spec.graph import Graph, Part, before
from ..spec.online import Chain, chain
from ..spec.operation import Operation
from .bufferize import of_part
from .edge import Child, Edge, require
from .move import home_of
from .rewrite import Parts, Rewrite, Word

TILES = (64, 256, 1024)
PLACES = 2  # the nearest levels that rounds may have their buffers at


@dataclass(frozen=True)
class _At:
    """The sizes of a part of a round: `left`, of what the last one leaves."""

    dim: str
    tile: int
    left: bool

    def __call__(self, size: Mapping[str, Any]) -> dict[str, Any]:
        left = size[self.dim] % self.tile
        return {**size, self.dim: left + (left == 0) * self.tile if self.left else self.tile + 0 * left}


@dataclass(frozen=True)
class Online(Rewrite):
    """Rounds of `tile` columns, with buffers at `level`."""

    tile: int
    level: int

    def edge(self, family: Family, target) -> Edge:
        found = softmax_of(family)
        require(found is not None, f"expected a maximum, exponentials less it and sums of these along one dimension, found {family.operation.name}")
        assert found is not None
        plan, dim, tile = Plan(found, family, self.level), found.dim, self.tile
        rooms = plan.rooms

        def lines(size):
            at = {**size, dim: tile}
            return sum(resident(room.access, room.operand, at) * (1 + room.swaps) for room in rooms)

        uses = (self.level, lines, ("rounds", rooms, dim, tile))
        first, again, last = list(plan.steps(False)), list(plan.steps(True)), found.after
        part = lambda each, times, left: Child(each[0](target), times=times, uses=uses, sizes=_At(dim, tile, left))  # noqa: E731
        children = [part(each, None, False) for each in first]
        children += [part(each, lambda size: size[dim] // tile - 1, False) for each in again]
        children += [part(each, lambda size: (size[dim] % tile > 0) * 1, True) for each in again]
        children.append(Child(plan.family(last, target), uses=uses))
        return Edge(self, lambda size: {"loop": size[dim] // tile}, ("rounds", dim, tile), tuple(children), lambda size: size[dim] > tile)

    def misfit(self, family: Family, target, size) -> str:
        found = softmax_of(family)
        return f"expected more than {self.tile} of {found.dim}, found {size[found.dim]}" if found else ""

    def node(self, state: State, parts: Parts, cost: float | None) -> Node:
        found = softmax_of(state.family)
        assert found is not None
        plan = Plan(found, state.family, self.level)
        return rounds_of(state, found.dim, self.tile, plan.rooms, parts, [sees for _, sees in plan.steps(False)], [sees for _, sees in plan.steps(True)], plan.sees(found.after), cost, self)

    @property
    def about(self) -> object:
        return self.tile

    def verb(self) -> str:
        return f"online by {self.tile}"

    def words(self, target) -> str:
        return f"online by {self.tile} at {target.levels[self.level].name}"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        return Word("sequence", (self.tile, self.level), f"rounds of {self.tile} in {levels[self.level]}", f"rounds {self.tile}")


@dataclass(frozen=True)
class Plan:
    """What a chain's rounds are made of. Rooms: the source where it is computed, the exponentials, what the old sums are worth; of the maximum and of each sum two, which swap."""

    chain: Chain
    of: Family
    level: int

    @property
    def computes_source(self) -> bool:
        return self.chain.source >= len(self.chain.graph.inputs)

    @property
    def states(self) -> tuple[int, ...]:
        """The nests whose results live from round to round."""
        return self.chain.high, *self.chain.sums

    @cached_property
    def rooms(self) -> tuple[Room, ...]:
        found, power = self.chain, self.chain.tensor(self.chain.power)
        return (
            *([self._room(found.source, self._held(found.source))] if self.computes_source else []),
            self._room(power, self._held(power)),
            replace(self._room(found.tensor(found.high), "f32"), name="worth"),
            *(replace(self._room(found.tensor(j), "f32"), swaps=True) for j in self.states),
        )

    def _held(self, tensor: int) -> str:
        return self.chain.graph.held[tensor - len(self.chain.graph.inputs)].dtype

    def _room(self, tensor: int, dtype: str) -> Room:
        access = self.chain.graph.access(tensor)
        return Room(self.chain.graph.names[tensor], Operand(dtype, self.level, Layout(tuple(reversed(range(len(access.axes)))))), access)

    @property
    def _powers(self) -> int:
        return int(self.computes_source)

    def _source(self) -> int:
        return Rounds.new(0) if self.computes_source else self.chain.source

    def _state(self, j: int) -> int:
        """The room of a nest's result."""
        return self._powers + 2 + self.states.index(j)

    def steps(self, again: bool) -> Iterator[tuple[Any, tuple[int, ...]]]:
        """What a round runs, the first or a later one: (a family, given the target; what it sees: operands, and rooms by number)."""
        found, graph = self.chain, self.chain.graph
        old, new, powers, worth = Rounds.old, Rounds.new, Rounds.new(self._powers), Rounds.new(self._powers + 1)
        high = self._state(found.high)
        if self.computes_source:
            part = before(graph, found.source)
            yield (lambda target: self.family(part, target, self._source())), self.sees(part, self._source())
        yield self._nest(found.again(found.high) if again else found.first(found.high), (self._source(), *[old(high)] * again, new(high)))
        if again:
            yield self._nest(found.rescale, (old(high), new(high), worth))
        yield self._nest(found.powers, (self._source(), new(high), powers))
        for j in found.sums:
            own = tuple(powers if t == found.tensor(found.power) else t for t in graph.nests[j].reads)
            yield self._nest(found.again(j) if again else found.first(j), (*own, *[old(self._state(j)), worth] * again, new(self._state(j))))

    def _nest(self, operation: Operation, sees: tuple[int, ...]):
        return (lambda target: of_part(Part(operation, sees, "f32", ()), self._operands(sees), target)), sees

    def _operands(self, sees: tuple[int, ...]) -> tuple[Operand, ...]:
        return tuple(self.of.operands[i] if i >= 0 else self.rooms[Rounds.room(i)].operand for i in sees)

    def sees(self, part: Part, output: int | None = None) -> tuple[int, ...]:
        """What a part of the graph sees; it writes the graph's output, or a room."""
        count, rooms = len(self.chain.graph.inputs), {self.chain.tensor(j): Rounds.new(self._state(j)) for j in self.states}
        return (*(t if t < count else rooms[t] for t in part.sees[:-1]), count if output is None else output)

    def family(self, part: Part, target, output: int | None = None) -> Family:
        return of_part(part, self._operands(self.sees(part, output)), target)


def softmax_of(family: Family) -> Chain | None:
    """The chain of a graph whose source is computed, or as it came: what was placed near is read again at little cost."""
    graph = family.operation
    if not isinstance(graph, Graph) or graph.is_large or graph.placed or family.batch:
        return None
    found = chain(graph)
    is_near = found is not None and found.source < len(graph.inputs) and family.operands[found.source].level < home_of(family)
    return None if is_near else found


def online_edges(family: Family, target) -> list[Edge]:
    if softmax_of(family) is None:
        return []
    return [Online(tile, level).edge(family, target) for level in target.places(home_of(family))[:PLACES] for tile in TILES]
