"""The k cheapest programs of a solved problem, in order of cost, found one after the other from the table of the best.

Lazy enumeration of the derivations of a hypergraph (L. Huang, D. Chiang, "Better k-best parsing", IWPT 2005, algorithm
3): a point's programs are a choice and, for each part that it leaves, a rank among the programs of that part. The first
program of each point is the table's. The next ones are the cheapest of two sorts: other choices with all parts at rank
0, and earlier programs with one rank raised by one. Nothing is priced before it could be the next.

A ranking may have a coarser key than every choice (`DedupKey`): then each point gives only the cheapest program
of each key, and only some parts are varied.

The *first choice* of a program is the one below its constants' places and its loops over threads and batches: a copy, a
view, a loop, a kernel. Every part after it takes its best program: thousands of loop orders and tile sizes differ by
less than 0.1 %, which no clock measures, and first choices lie further apart.

The *critical path* of a program is the way from its root to the leaf that does most of its work. It goes through the
whole tiles of a loop, and through what a move or a fill was made for. The *kind* of a program is what a machine sees of
that path. It holds the dimensions that threads share, the kernel, its lanes and its tile of the output. It also holds
the operands that are copied (into which layout and dtype, for which level, ahead, once for all threads or by each).
Programs of one kind differ in the order and the sizes of loops, in views (which emit no code), and off the critical
path: leftovers, fills, how a copy is made.

The table's costs are float32: within some 1e-6 of each other two programs may come in either order.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from ...support.errors import NoProgramError
from ..program.nodes import KernelCall, Loop, Move, Node, critical_path
from .goals import Goals
from .rebuild import Rebuild
from .space import Choice, SearchPlace


@dataclass(frozen=True)
class DedupKey:
    """Which programs of a place count as one: those with equal `key`s. The key is made of the choice and of the keys of
    some `parts` (places among those that the choice leaves). All other parts take their best program."""

    parts: Callable[[Choice], Iterable[int]]
    key: Callable[[Node], object]


def critical_part(choice: Choice) -> int | None:
    """The place of the part through which the critical path goes; None for a leaf."""
    return choice.rewrite.critical_path(choice.parts)


def kind(root: Node) -> tuple:
    """(dimensions over threads, copies, kernel, lanes, sizes of the leaf's output dimensions)"""
    shared: tuple[str, ...] = ()
    copies = []
    for node in critical_path(root):
        match node:
            case Loop(threads=threads) if threads > 1:
                shared = node.dims
            case Move(copy=copy) if copy is not None:
                copies.append((node.operand, node.to, node.ahead, node.shared))
    assert isinstance(node, KernelCall)
    return (
        shared,
        frozenset(copies),
        node.kernel,
        node.lane,
        tuple(node.state.size[d] for d in node.state.family.nest.results),
    )


def _all_that_run(choice: Choice) -> Iterable[int]:
    """A part that runs 0 times does not count in the cost."""
    return (i for i, part in enumerate(choice.parts) if part is not None and part[0])


def _outermost(choice: Choice) -> Iterable[int]:
    """Where the first choice is still to come: inside a loop over threads or batches, once a constant is placed or
    threads share a copy."""
    place = critical_part(choice)
    return (place,) if choice.rewrite.outer and place is not None else ()


EVERY_CHOICE = DedupKey(_all_that_run, lambda node: node)  # nodes are equal to themselves alone
FIRST_CHOICES = DedupKey(_outermost, lambda node: node)
KINDS = DedupKey(_outermost, kind)


@dataclass(frozen=True, slots=True)
class Derivation:
    """A choice and the rank of each of its parts' programs. Only those of the parts `varied` may still be raised, so
    that each combination comes once: from the one whose last rank above 0 is less by one."""

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
    """The programs of one place from the cheapest on, as far as they were asked for: the cheapest of each key. Equal
    costs come in the order in which they were met: that of the choices, then of their ranks."""

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
    """The programs of a point but the best. One whose key was met is passed over, but not those that come after it."""
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
    """The ranked programs of every place that was met, over one table."""

    def __init__(self, rebuild: Rebuild, dedup: DedupKey = EVERY_CHOICE):
        self.goals, self.space, self.dedup = Goals(rebuild), rebuild.space, dedup
        self._rankings: dict[SearchPlace, Ranking | None] = {}

    def goal(self, root: Node, threads: int) -> Ranking:
        """The programs of the goal that `root` meets, itself first: in series and, with several threads, over them."""
        return self._after(root, self.space.goal(root.state.family, root.state.size, threads))

    def ranking(self, place: SearchPlace) -> Ranking | None:
        """The programs of a place; None where it has none."""
        if place not in self._rankings:
            best = self._best(place)
            self._rankings[place] = self._after(best, place) if best else None
        return self._rankings[place]

    def _after(self, best: Node, place: SearchPlace) -> Ranking:
        return Ranking(best, lambda: self.begun(self.space.options(place)), self.dedup.key)

    def _best(self, place: SearchPlace) -> Node | None:
        """The table's program of a place. The table is asked only where operands fit: it need not know of other
        points."""
        if not self.space.holds(place[0], place[1]):
            return None
        try:
            return self.goals.best(place)
        except NoProgramError:
            return None

    def begun(self, choices: Iterable[Choice]) -> Iterable[Derivation]:
        """Each of some choices whose parts all have programs, with the best of each."""
        for choice in choices:
            parts = tuple(part and self.ranking(part[1]) for part in choice.parts)
            if all(there is not None for wanted, there in zip(choice.parts, parts) if wanted is not None):
                yield Derivation(choice, parts, (0,) * len(parts), tuple(self.dedup.parts(choice)))
