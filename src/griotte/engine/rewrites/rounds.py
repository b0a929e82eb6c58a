"""Rounds: what the parts of a softmax by blocks of columns see, and where the values that live from block to block lie
(`online`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ...lang.nests.family import Family, Layout, Operand
from ...lang.nests.graph import Graph, lone
from ...lang.nests.operation import Operation
from ...lang.nests.parts import Part, before
from ...lang.types.tensor import row_major
from ..cost import views
from ..cost.traffic import added
from ..footprint import pages, resident
from ..idioms.online import Chain
from ..program.nodes import Room, Rounds
from .bufferize import of_part


def may_go_round(family: Family) -> bool:
    """Whether nests of a family may be computed in rounds: one search covers its graph, which has one output, that is
    not added to, and no batch dimension is left."""
    graph = family.operation
    return not (graph.is_large or graph.placed or family.batch or family.accumulate)


@dataclass(frozen=True)
class Plan:
    """The makings of a chain's rounds. Rooms: the source where it is computed, the exponentials where they are not
    `kept` in the output, and what the old sums are worth. The maximum and each sum have two, which swap. Where
    exponentials are kept, the maximum of each round stays."""

    chain: Chain
    of: Family
    level: int
    kept: bool = False

    @property
    def computes_source(self) -> bool:
        return not self.chain.graph.comes_in(self.chain.source)

    @property
    def states(self) -> tuple[int, ...]:
        """The nests whose results live from round to round."""
        return self.chain.high, *self.chain.sums

    @cached_property
    def rooms(self) -> tuple[Room, ...]:
        found, power = self.chain, self.chain.tensor(self.chain.power)
        return (
            *([self._room(found.source, self._held(found.source))] if self.computes_source else []),
            *([] if self.kept else [self._room(power, self._held(power))]),
            replace(self._room(found.tensor(found.high), "f32"), name="worth"),
            *(
                replace(self._room(found.tensor(j), "f32"), swaps=j not in self.stays, stays=j in self.stays)
                for j in self.states
            ),
        )

    @property
    def stays(self) -> tuple[int, ...]:
        """The nests of whose results that of each round is read again."""
        return (self.chain.high,) * self.kept

    @property
    def viewed(self) -> tuple[int, ...]:
        """The operands whose tile in a round is viewed at the level of the rooms, since it is read there again."""
        again = (*[self.chain.source] * (not self.computes_source), *[self._output] * self.kept)
        return tuple(i for i in again if self.of.operands[i].level > self.level)

    def operand(self, i: int) -> Operand:
        """An operand as a round sees it, or a room."""
        if i < 0:
            return self.rooms[Rounds.room(i)].operand
        found = self.of.operands[i]
        return replace(found, level=self.level) if i in self.viewed else found

    def uses(self, tile: int, target) -> tuple[int, Any, tuple]:
        """The lines of the rooms' level that are taken while a round runs: by the rooms, twice by those that stay, and
        by the tiles that are viewed."""
        dim, rooms, viewed = (
            self.chain.dim,
            self.rooms,
            tuple((self.of.access(i), self.operand(i)) for i in self.viewed),
        )

        def lines(size):
            at = {**size, dim: tile}
            return sum(
                resident(room.access, room.operand, at, target.occupied) * (1 + (room.swaps or room.stays))
                for room in rooms
            ) + sum(resident(access, operand, at, target.occupied) for access, operand in viewed)

        return self.level, lines, ("rounds", rooms, viewed, dim, tile)

    def brought_near(self, target, size) -> dict:
        """The counts of the tiles of all rounds on their way near, less the part that rounds hide, and their pages."""
        of = self.of
        crossing = added(
            self.brought_again(target, size), *(views.brought(of, i, target, size, 1, self.level) for i in self.viewed)
        )
        share = views.left_of_rounds(of, target, size, target.cost(crossing))
        return {name: share * count for name, count in crossing.items()} | {
            "pages": sum(
                pages(of.access(i), of.operands[i], of.touched(i, size, target.spans.line), target.spans)
                for i in self.viewed
            )
        }

    def brought_again(self, target, size) -> dict:
        """What kept exponentials count on their way near once more: from the nearest level beyond that holds so much of
        the output, though nothing is counted there, or from where that is."""
        if not self.kept or self._output not in self.viewed:
            return {}
        i, far, found, free = self._output, self.of.output, [], 1
        for level in (*(level for level in target.rooms(far.level) if level > self.level), far.level):
            rests = free * (
                level == far.level
                or (
                    resident(self.of.access(i), replace(far, level=level), size, target.spans)
                    <= target.capacity_lines(level)
                )
                * 1
            )
            way, free = (
                views.brought(self.of.with_operand(i, replace(far, level=level)), i, target, size, 1, self.level),
                free - rests,
            )
            found.append({name: rests * count for name, count in way.items()})
        return added(*found)

    def _held(self, tensor: int) -> str:
        return self.chain.graph.between(tensor).dtype

    def _room(self, tensor: int, dtype: str) -> Room:
        return room_of(self.chain.graph, tensor, dtype, self.level)

    @property
    def _output(self) -> int:
        return self.chain.graph.operand(self.chain.graph.last)

    @property
    def _powers(self) -> int:
        """The exponentials, as a part sees them."""
        return self._output if self.kept else Rounds.new(self.computes_source)

    @property
    def _worth(self) -> int:
        return Rounds.new(self.computes_source + (not self.kept))

    @property
    def _source(self) -> int:
        return Rounds.new(0) if self.computes_source else self.chain.source

    def _state(self, j: int) -> int:
        """The room of a nest's result."""
        return Rounds.room(self._worth) + 1 + self.states.index(j)

    def steps(self, again: bool) -> Iterator[tuple[Any, tuple[int, ...]]]:
        """What a round runs, the first or a later one: (a family, given the target; what it sees: operands, and rooms
        by number)."""
        found, graph = self.chain, self.chain.graph
        old, new, powers, worth = Rounds.old, Rounds.new, self._powers, self._worth
        high = self._state(found.high)
        if self.computes_source:
            part = before(graph, found.source)
            yield self._part(part, self.sees(part, self._source))
        yield self._nest(
            found.again(found.high) if again else found.first(found.high),
            (self._source, *[old(high)] * again, new(high)),
        )
        if again:
            yield self._nest(found.rescale, (old(high), new(high), worth))
        yield self._nest(found.powers, (self._source, new(high), powers))
        for j in found.sums:
            own = tuple(powers if t == found.tensor(found.power) else t for t in graph.nests[j].reads)
            yield self._nest(
                found.again(j) if again else found.first(j),
                (*own, *[old(self._state(j)), worth] * again, new(self._state(j))),
            )

    @property
    def last(self) -> Iterator[tuple[Any, tuple[int, ...]]]:
        """What comes after the rounds, in the same terms; for exponentials that are kept, in each of them."""
        found, high = self.chain, self._state(self.chain.high)
        if not self.kept:
            sees = self.sees(found.after)
            yield (
                (
                    lambda target: of_part(
                        found.after, tuple(self.of.operands[i] if i >= 0 else self.operand(i) for i in sees), target
                    )
                ),
                sees,
            )
            return
        assert found.kept is not None
        yield self._nest(found.rescale, (Rounds.new(high), Rounds.old(high), self._worth))
        yield self._part(
            found.kept, self.sees(found.kept, there={found.source: self._powers, found.tensor(found.high): self._worth})
        )

    def _nest(self, operation: Operation, sees: tuple[int, ...]):
        return self._part(Part(lone(operation, "f32"), sees), sees)

    def _part(self, part: Part, sees: tuple[int, ...]):
        return (lambda target: of_part(part, tuple(map(self.operand, sees)), target)), sees

    def sees(self, part: Part, output: int | None = None, there: Mapping[int, int] | None = None) -> tuple[int, ...]:
        """What a part of the graph sees, with some tensors replaced by those of `there`; it writes the graph's output,
        or a room."""
        count = self._output
        rooms = (
            {self.chain.tensor(j): Rounds.new(self._state(j)) for j in self.states}
            | {t: t for t in range(count)}
            | dict(there or {})
        )
        return (*(rooms[t] for t in part.sees[:-1]), count if output is None else output)


def room_of(graph: Graph, tensor: int, dtype: str, level: int) -> Room:
    """A row-major room at a level for what a nest of a graph gives."""
    access = graph.access(tensor)
    return Room(graph.names[tensor], Operand(dtype, level, Layout(row_major(len(access.axes)))), access)
