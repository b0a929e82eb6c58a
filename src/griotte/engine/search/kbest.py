"""The k cheapest programs of a solved problem, in order of cost, found one after the other from the table of the best.

Lazy enumeration of the derivations of a hypergraph (L. Huang, D. Chiang, "Better k-best parsing", IWPT 2005, algorithm
3): a point's programs are a choice and, for each part that it leaves, a rank among the programs of that part. The first
program of each point is the table's; the next ones are the cheapest of the other choices with all parts at rank 0, and
of those that came before with one rank raised by one. Nothing is priced before it could be the next.

Where less tells programs apart than every choice (kinds.py), each point gives the cheapest program of each key alone,
and only some parts are varied.

The table's costs are float32: within some 1e-6 of each other two programs may come in either order.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count

from ...lang.nests.family import Family
from ...support.errors import NoProgramError
from ..program.nodes import Node
from ..rewrites import GOAL, SHARED
from . import limits
from .kinds import EVERY_CHOICE, Apart
from .parallel import Team
from .rebuild import Rebuild
from .space import Choice, Extents, Limits, Point


@dataclass(frozen=True, slots=True)
class Derivation:
    """A choice and the rank of each of its parts' programs. Only those of the parts `varied` may still be raised, so
    that each combination is met once: from the one whose last rank above 0 is less by one."""

    choice: Choice
    parts: tuple[Ranking | None, ...]
    ranks: tuple[int, ...]
    varied: tuple[int, ...]

    def programs(self) -> tuple[Node | None, ...]:
        return tuple(part.at(rank) if part else None for part, rank in zip(self.parts, self.ranks))

    def cost(self) -> float:
        return self.choice.cost(self.programs())

    def successors(self) -> Iterable[Derivation]:
        """With one rank raised."""
        for n, i in enumerate(self.varied):
            rank = self.ranks[i] + 1
            if self.parts[i].at(rank) is not None:
                yield Derivation(
                    self.choice, self.parts, (*self.ranks[:i], rank, *self.ranks[i + 1 :]), self.varied[n:]
                )


class Ranking:
    """The programs of one point from the cheapest on, as far as they were asked for: of those that are not told apart,
    the cheapest. Equal costs come in the order in which they were met: that of the choices, then of their ranks."""

    def __init__(self, best: Node, derivations: Callable[[], Iterable[Derivation]], key: Callable[[Node], object]):
        """`derivations` are those of every choice with all ranks 0; none is priced before a second program is asked
        for."""
        self._found = [best]
        self._more = _after(best, derivations, key)

    def at(self, rank: int) -> Node | None:
        """The program of a rank, None where there are fewer."""
        while len(self._found) <= rank:
            program = next(self._more, None)
            if program is None:
                return None
            self._found.append(program)
        return self._found[rank]


def _after(
    best: Node, derivations: Callable[[], Iterable[Derivation]], key: Callable[[Node], object]
) -> Iterator[Node]:
    """The programs of a point but the best. What has a key that was met is passed over, but not what comes after it."""
    taken, met = best.rewrite, {key(best)}
    heap: list[tuple[float, int, Derivation]] = []
    number = count()
    push = lambda derivation: heapq.heappush(heap, (derivation.cost(), next(number), derivation))
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
        last = heapq.heappop(heap)[-1]
        program = last.choice.node(best.state, last.programs())
        if (found := key(program)) not in met:
            met.add(found)
            yield program


class KBest:
    """The ranked programs of every point that was met, over one table."""

    def __init__(self, rebuild: Rebuild, apart: Apart = EVERY_CHOICE):
        self.rebuild, self.space, self.apart = rebuild, rebuild.space, apart
        self._rankings: dict[Point, Ranking | None] = {}

    def goal(self, root: Node, threads: int) -> Ranking:
        """The programs of the goal that `root` meets, itself first: in series and, with several threads, over them."""
        state, ranking = root.state, partial(self._of_goal, threads=threads)
        return Ranking(root, lambda: self.derivations(self.space.whole(state, threads), ranking), self.apart.key)

    def _over(self, root: Node, threads: int) -> Ranking:
        """The programs that share out the goal that `root` meets over threads, itself first."""
        return Ranking(
            root,
            lambda: self.derivations(self.space.over(root.state, threads), partial(self._of_goal, threads=threads)),
            self.apart.key,
        )

    def _of_goal(self, choice: Choice, i: int, threads: int) -> Ranking | None:
        """The programs of a part of a goal's choice."""
        point = choice.parts[i][1]
        size = dict(zip(point[0].operation.dims, point[1]))
        if choice.role(i) == SHARED:
            best = Team(self.rebuild, threads).shared(point[0], size)
            return self._over(best, threads) if best else None
        if choice.role(i) == GOAL:
            return self._goal(point[0], size, threads)
        return self.ranking(point)

    def _goal(self, family: Family, size: dict[str, int], threads: int) -> Ranking | None:
        """The programs of what a choice leaves that is a goal again: in series and over threads."""
        try:
            return self.goal(Team(self.rebuild, threads).best(family, size), threads)
        except NoProgramError:
            return None

    def begun(self, choices: Iterable[Choice], threads: int) -> Iterable[Derivation]:
        """Each of some choices whose parts all have programs, with the best of each; parts that are goals again are for
        so many threads, where there are several."""
        return self.derivations(choices, partial(self._of_goal, threads=threads) if threads > 1 else None)

    def ranking(self, point: Point) -> Ranking | None:
        """The programs of a point; None where it has none."""
        if point not in self._rankings:
            best = self._best(*point)
            self._rankings[point] = (
                Ranking(best, lambda: self.derivations(self.space.choices(*point)), self.apart.key) if best else None
            )
        return self._rankings[point]

    def _best(self, family: Family, sizes: Extents, left: Limits) -> Node | None:
        """The table's program of a point. The table is asked only where operands fit: it need not know of other
        points."""
        if not self.space.holds(family, sizes):
            return None
        try:
            return self.rebuild.at(family, dict(zip(family.operation.dims, sizes)), limits.index(left))
        except NoProgramError:
            return None

    def derivations(
        self, choices: Iterable[Choice], ranking: Callable[[Choice, int], Ranking | None] | None = None
    ) -> Iterable[Derivation]:
        """Each choice whose parts all have programs, with the best of each."""
        ranking = ranking or (lambda choice, i: self.ranking(choice.parts[i][1]))
        for choice in choices:
            parts = tuple(part and ranking(choice, i) for i, part in enumerate(choice.parts))
            if all(there is not None for wanted, there in zip(choice.parts, parts) if wanted is not None):
                yield Derivation(choice, parts, (0,) * len(parts), tuple(self.apart.parts(choice)))
