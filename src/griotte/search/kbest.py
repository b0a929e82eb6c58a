"""The k cheapest programs of a solved problem, in order of cost, found one after the other from the table of the best.

Lazy enumeration of the derivations of a hypergraph (L. Huang, D. Chiang, "Better k-best parsing", IWPT 2005, algorithm 3):
a point's programs are a choice and, for each part that it leaves, a rank among the programs of that part. The first program
of each point is the table's; the next ones are the cheapest of the other choices with all parts at rank 0, and of those that
came before with one rank raised by one. Nothing is priced before it could be the next.

The table's costs are float32: within some 1e-6 of each other two programs may come in either order.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from ..errors import NoProgramError
from ..program.nodes import Node
from ..rewrites import rewrite_of
from ..spec.family import Family
from . import limits
from .rebuild import Rebuild
from .space import Choice, Left, Point, Sizes, Space


@dataclass(frozen=True, slots=True)
class Derivation:
    """A choice and the rank of each of its parts' programs. Only ranks from `raised` on may still be raised, so that each
    combination is met once: from the one whose last rank above 0 is less by one."""

    choice: Choice
    parts: tuple["Ranking | None", ...]
    ranks: tuple[int, ...]
    raised: int = 0

    def programs(self) -> tuple[Node | None, ...]:
        return tuple(part and part.at(rank) for part, rank in zip(self.parts, self.ranks))

    def cost(self) -> float:
        costs = zip(self.choice.parts, self.programs())
        return self.choice.own + sum(part[0] * program.cost for part, program in costs if part is not None)

    def successors(self) -> Iterable["Derivation"]:
        """With one rank raised. A part that is run 0 times does not count in the cost: its best program stands for all."""
        for i in range(self.raised, len(self.parts)):
            part, rank = self.parts[i], self.ranks[i] + 1
            if part is not None and self.choice.parts[i][0] and part.at(rank) is not None:
                yield Derivation(self.choice, self.parts, (*self.ranks[:i], rank, *self.ranks[i + 1 :]), i)


class Ranking:
    """The programs of one point from the cheapest on, as far as they were asked for. Equal costs come in the order in
    which they were met: that of the choices, then of their ranks."""

    def __init__(self, best: Node, derivations: Callable[[], Iterable[Derivation]]):
        """`derivations` are those of every choice with all ranks 0; none is priced before a second program is asked for."""
        self._found = [best]
        self._more = _after(best, derivations)

    def at(self, rank: int) -> Node | None:
        """The program of a rank, None where there are fewer."""
        while len(self._found) <= rank:
            program = next(self._more, None)
            if program is None:
                return None
            self._found.append(program)
        return self._found[rank]


def _after(best: Node, derivations: Callable[[], Iterable[Derivation]]) -> Iterator[Node]:
    """The programs of a point but the best."""
    taken = rewrite_of(best)
    heap: list[tuple[float, int, Derivation]] = []
    number = count()
    push = lambda derivation: heapq.heappush(heap, (derivation.cost(), next(number), derivation))  # noqa: E731
    for derivation in derivations():
        if derivation.choice.rewrite == taken:
            last = derivation
        else:
            push(derivation)
    while True:
        for derivation in last.successors():
            push(derivation)
        if not heap:
            return
        cost, _, last = heapq.heappop(heap)
        yield last.choice.rewrite.node(best.state, last.programs(), cost)


class KBest:
    """The ranked programs of every point that was met, over one table."""

    def __init__(self, rebuild: Rebuild, space: Space):
        self.rebuild, self.space = rebuild, space
        self._rankings: dict[Point, Ranking | None] = {}

    def goal(self, root: Node, threads: int) -> Ranking:
        """The programs of the goal that `root` meets, itself first: in series and, with several threads, over them."""
        state = root.state
        point = state.family, state.sizes, self.space.free(state.family)

        def choices():
            yield from self.space.choices(*point)
            if threads > 1:
                yield from self.space.parallel(state.family, state.size, threads)

        return Ranking(root, lambda: self._derivations(choices()))

    def ranking(self, point: Point) -> Ranking | None:
        """The programs of a point; None where it has none."""
        if point not in self._rankings:
            best = self._best(*point)
            self._rankings[point] = best and Ranking(best, lambda: self._derivations(self.space.choices(*point)))
        return self._rankings[point]

    def _best(self, family: Family, sizes: Sizes, left: Left) -> Node | None:
        """The table's program of a point. The table is asked only where operands fit: it need not know of other points."""
        if not self.space.holds(family, sizes):
            return None
        try:
            return self.rebuild.at(family, dict(zip(family.operation.dims, sizes)), limits.index(left))
        except NoProgramError:
            return None

    def _derivations(self, choices: Iterable[Choice]) -> Iterable[Derivation]:
        """Each choice whose parts all have programs, with the best of each."""
        for choice in choices:
            parts = tuple(part and self.ranking(part[1]) for part in choice.parts)
            if all(there is not None for wanted, there in zip(choice.parts, parts) if wanted is not None):
                yield Derivation(choice, parts, (0,) * len(parts))
