"""Online: the maximum and the sums of a softmax by one pass, block by block: what was summed is made smaller where a
later block has a larger maximum.

before  s = q k' ; high = max_n s ; e = exp(s - high) ; total = sum_n e ; o = sum_n e v ; y = o / total
after   rounds of n by 256 { s, high', e, r = exp(high - high'), total' = total r + sum e, o' = o r + sum e v } ; y = o
        / total

        rounds of n by 256 { high_i, e in y, r, total' } ; rounds of n by 256 { w = exp(high_i - high), y = e w / total
          }

All that lives from round to round, and what a round makes, lies at one level: scores are never whole; what a round has
read or written before is read there again. Each part is a Spec like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ..cost import views
from ..cost.traffic import added
from ..footprint import pages, resident
from ..functions.combiners import RUN
from ..ir.family import Family, Layout, Operand, State
from ..ir.online import Chain, chain
from ..ir.operation import Operation
from ..ir.parts import Part, before
from ..program.nodes import Node, Room, Rounds, rounds_of
from .bufferize import of_part
from .by_hand import OpenHole, integer
from .edge import Child, Edge, require
from .move import home_of
from .rewrite import Parts, Rewrite, RewriteRule, Word
from .steps import cuts

TILES = (64, 256, 1024)
PLACES = 2  # the nearest levels that rounds may have their buffers at


@dataclass(frozen=True)
class _RoundSizes:
    """The sizes of a part of a round: `left`, of what the last one leaves."""

    dim: str
    tile: int
    left: bool

    def __call__(self, size: Mapping[str, Any]) -> dict[str, Any]:
        left = size[self.dim] % self.tile
        return {**size, self.dim: left + (left == 0) * self.tile if self.left else self.tile + 0 * left}


def asked_by_rounds(operation, dim: str, size: int) -> set[int]:
    """The sizes of a dimension that rounds over it have, where there may be some: of a graph in which a maximum is
    taken along one dimension, for its parts name theirs anew."""
    may_be = not operation.is_lone and any(
        nest.operation.is_maximum and len(nest.operation.reduction) == 1 for nest in operation.nests
    )
    return {n for tile in TILES if may_be and tile < size for n in (tile, size % tile)}


@dataclass(frozen=True)
class Online(Rewrite):
    """Rounds of `tile` columns, with buffers at `level`; with exponentials that are `kept` where the output goes, each
    round's less the maximum so far, and made what that asks for by rounds too."""

    tile: int
    level: int
    kept: bool = False

    def edge(self, family: Family, target) -> Edge:
        found = softmax_of(family)
        require(
            found is not None,
            "expected a maximum, exponentials less it and sums of these along one dimension, found"
            f" {family.operation.name}",
        )
        assert found is not None
        require(
            not self.kept or may_keep(found, family),
            "expected exponentials that may lie where the output goes, element by element, found others",
        )
        plan, dim, tile = self._plan(found, family), found.dim, self.tile
        require(
            not cuts(family, dim, tile),
            f"expected rounds that begin where panels of a packed operand do, found {tile} of {dim}",
        )

        def features(size):
            return added({"loop": (1 + self.kept) * (size[dim] // tile)}, plan.brought_near(target, size))

        return Edge(
            self,
            features,
            ("rounds", tile, self.level, self.kept, family),
            tuple(self._children(plan, target)),
            lambda size: (size[dim] > tile) & (size[dim] <= RUN * tile),
        )

    def _children(self, plan: Plan, target) -> list[Child]:
        dim, tile, uses = plan.chain.dim, self.tile, plan.uses(self.tile)
        first, again, last = list(plan.steps(False)), list(plan.steps(True)), list(plan.last)
        each = lambda steps, times, left: [
            Child(family(target), times=times, uses=uses, sizes=_RoundSizes(dim, tile, left)) for family, _ in steps
        ]
        whole, is_left = (lambda size: size[dim] // tile), lambda size: (size[dim] % tile > 0) * 1
        found = [
            *each(first, None, False),
            *each(again, lambda size: size[dim] // tile - 1, False),
            *each(again, is_left, True),
        ]
        return (
            [*found, *each(last, is_left, True), *each(last, whole, False)]
            if self.kept
            else [*found, *(Child(family(target), uses=uses) for family, _ in last)]
        )

    def _plan(self, found: Chain, family: Family) -> Plan:
        return Plan(found, family, self.level, self.kept)

    def misfit(self, family: Family, target, size) -> str:
        found = softmax_of(family)
        expected = f"expected more than {self.tile} and at most {RUN * self.tile}"
        return f"{expected} of {found.dim}, found {size[found.dim]}" if found else ""

    def node(self, state: State, parts: Parts, cost: float | None) -> Node:
        found = softmax_of(state.family)
        assert found is not None
        plan = self._plan(found, state.family)
        first, again, last = (
            tuple(sees for _, sees in steps) for steps in (plan.steps(False), plan.steps(True), plan.last)
        )
        return rounds_of(
            state,
            found.dim,
            self.tile,
            plan.rooms,
            parts,
            (first, again, again, last if self.kept else (), last),
            cost,
            self,
        )

    def verb(self) -> str:
        return f"online by {self.tile}" + ", kept" * self.kept

    def words(self, target) -> str:
        return f"online by {self.tile} at {target.levels[self.level].name}" + ", kept" * self.kept

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        return Word(
            "sequence",
            (self.tile, self.level, self.kept),
            f"rounds of {self.tile} in {levels[self.level]}" + ", kept in y" * self.kept,
            f"rounds {self.tile}" + " kept" * self.kept,
        )

    def line(self, node: Node, target) -> str:
        assert isinstance(node, Rounds)
        return (
            f"rounds of {node.dim} by {self.tile}, buffers in {target.levels[self.level].name}"
            + ", exponentials in y" * self.kept
        )


@dataclass(frozen=True)
class Plan:
    """What a chain's rounds are made of. Rooms: the source where it is computed, the exponentials where they are not
    `kept` in the output, what the old sums are worth; of the maximum and of each sum two, which swap. Where
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
        """The operands of which a round's tile is viewed at the level of the rooms, since it is met again there."""
        again = (*[self.chain.source] * (not self.computes_source), *[self._output] * self.kept)
        return tuple(i for i in again if self.of.operands[i].level > self.level)

    def operand(self, i: int) -> Operand:
        """An operand as a round sees it, or a room."""
        if i < 0:
            return self.rooms[Rounds.room(i)].operand
        found = self.of.operands[i]
        return replace(found, level=self.level) if i in self.viewed else found

    def uses(self, tile: int) -> tuple[int, Any, tuple]:
        """What of the level of the rooms lives there while a round runs: the rooms, of what stays that of two rounds,
        and the tiles that are viewed."""
        dim, rooms, viewed = (
            self.chain.dim,
            self.rooms,
            tuple((self.of.access(i), self.operand(i)) for i in self.viewed),
        )

        def lines(size):
            at = {**size, dim: tile}
            return sum(
                resident(room.access, room.operand, at) * (1 + (room.swaps or room.stays)) for room in rooms
            ) + sum(resident(access, operand, at) for access, operand in viewed)

        return self.level, lines, ("rounds", rooms, viewed, dim, tile)

    def brought_near(self, target, size) -> dict:
        """What the tiles of all rounds count on their way near, as far as rounds do not hide it, and their pages."""
        of = self.of
        crossing = added(
            self.brought_again(target, size), *(views.brought(of, i, target, size, 1, self.level) for i in self.viewed)
        )
        share = views.left_of_rounds(of, target, size, target.cost(crossing))
        return {name: share * count for name, count in crossing.items()} | {
            "pages": sum(pages(of.access(i), of.operands[i], of.touched(i, size)) for i in self.viewed)
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
                or (resident(self.of.access(i), replace(far, level=level), size) <= target.capacity_lines(level)) * 1
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
        access = self.chain.graph.access(tensor)
        return Room(
            self.chain.graph.names[tensor],
            Operand(dtype, self.level, Layout(tuple(reversed(range(len(access.axes)))))),
            access,
        )

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
        return self._part(Part(operation, sees, "f32", ()), sees)

    def _part(self, part: Part, sees: tuple[int, ...]):
        return (lambda target: of_part(part, tuple(map(self.operand, sees)), target)), sees

    def sees(self, part: Part, output: int | None = None, there: Mapping[int, int] | None = None) -> tuple[int, ...]:
        """What a part of the graph sees, of some tensors what is `there` in their place; it writes the graph's output,
        or a room."""
        count = self._output
        rooms = (
            {self.chain.tensor(j): Rounds.new(self._state(j)) for j in self.states}
            | {t: t for t in range(count)}
            | dict(there or {})
        )
        return (*(rooms[t] for t in part.sees[:-1]), count if output is None else output)


def softmax_of(family: Family) -> Chain | None:
    """The chain of a graph whose source is computed, or as it came: what was placed near is read again at little
    cost."""
    graph = family.operation
    if graph.is_lone or graph.is_large or graph.placed or family.batch or family.accumulate:
        return None
    found = chain(graph)
    is_near = (
        found is not None and graph.comes_in(found.source) and family.operands[found.source].level < home_of(family)
    )
    return None if is_near else found


def may_keep(found: Chain, family: Family) -> bool:
    """Whether the exponentials of a family may lie in the memory of its output."""
    held, output = found.graph.held[found.power], family.output
    return (
        found.kept is not None and held.dtype == output.dtype and not output.layout.panel and not output.layout.beyond
    )


def keeps(family: Family) -> tuple[bool, ...]:
    found = softmax_of(family)
    return () if found is None else (False, True) if may_keep(found, family) else (False,)


def online_edges(family: Family, target) -> list[Edge]:
    found, near = softmax_of(family), target.places(home_of(family))
    tiles = [] if found is None else [tile for tile in TILES if not cuts(family, found.dim, tile)]
    return [
        Online(tile, level, kept).edge(family, target)
        for kept in keeps(family)
        for level in near[: 1 if kept else PLACES]
        for tile in tiles
    ]


def online(hole: OpenHole, tile: int, level: str, kept: bool = False) -> Rewrite:
    """Do the maximum and the sums of a softmax, and the product with it, in rounds of columns.

    Args:
        tile: columns of a round.
        level: of the target, for all that a round makes or hands on.
        kept: whether exponentials are kept where the output goes, and made the output by rounds too: those of
            softmax alone.

    Example:
        >>> s = gt.schedule("softmax(f32[70,310])", "portable").tile("i0", 8)
        >>> len(s.online(64, "L1").holes) > len(s.holes)
        True
    """
    at = hole.level(f"online at {level}", level)
    return Online(integer("a number of columns", tile), at, bool(kept))


ONLINE = RewriteRule(online_edges, steps=(online,), asked=asked_by_rounds)
