"""Diverse programs of a Spec, to be timed: each with the way that led to it, and the decisions to rebuild it from."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TypeVar

from ...codegen.emit import EmittedFunction, UnitWriter
from ...compiler.pricing import of_call
from ...compiler.programs import Program
from ...compiler.session import Session
from ...compiler.synthesis import searched
from ...engine.canonical.canonical import canonical_form
from ...engine.program.nodes import MaybeNode, Node, Pipeline
from ...engine.search.kbest import FIRST_CHOICES, KINDS, Derivation, KBest, Ranking
from ...engine.search.problem import problem
from ...engine.search.rebuild import Rebuild
from ...engine.search.recorded import Misfit, ProgramReader, decoded, written
from ...engine.search.solved import Solved
from ...engine.search.space import Choice, SearchPlace, Space
from ...engine.search.work import TooMuch
from ...engine.table import Table
from ...lang.calls.spec import Spec
from ...lang.nests.family import State
from ...machine.target import Target
from ...support.errors import SpecError

Found = TypeVar("Found")

MOST = 24  # programs of a Spec
CHEAPEST, FIRST, VARIED = 3, 10, 3  # of these: the k best, the best of each first choice, by other prices
FUSED = 5  # of each first choice of a graph: most of them are alike
QUICK = 2.0  # seconds of a search, beyond which none is done by other prices
SEARCHES = 1.5  # seconds of all searches by other prices
DRAWING = 3.0  # seconds of all draws
SPARING = 0.5  # of these seconds, where many Specs are wanted soon
SEARCHED = 3e9  # work of a search then (engine/search/work.py): some three seconds, or less
DEAREST = 5.0  # times the least price: dearer programs take the clock's time and tell little
HEATS = (0.05, 0.15, 0.4, 1.0)  # of draws, in turn
UNCERTAIN = {"cycles": 0.1, "map": 0.3, "pack": 0.4, "registers": 0.4, "call": 0.5, "loop": 0.5, "pages": 0.7}
"""The standard deviation of the logarithm of a price, by feature: how far machines of one price are apart."""
OTHERS = 0.5  # of all that count lines and stretches


@dataclass(frozen=True)
class Draft:
    """A program, the way that led to it, its decisions (engine/search/recorded.py), and its function in the unit of all
    drafts."""

    program: Program
    source: str
    decisions: str
    function: EmittedFunction | None = None

    @property
    def root(self) -> Node:
        return self.program.root


class SpecSpace:
    """A Spec on a target and a number of threads, whose programs are read back from their decisions."""

    def __init__(self, spec: Spec, target: Target, threads: int):
        target = of_call(target, spec, threads)
        self.spec, self.target, self.threads = spec, target, threads
        self.canonical = canonical_form(spec)
        start = problem(self.canonical, target, threads)
        goal = start.goal
        self.state = State(goal, tuple(start.sizes[d] for d in goal.operation.dims))
        self._reader = ProgramReader(Space(target, start.home, start.ladders), threads)

    def rebuilt(self, decisions: str) -> Node:
        """The program that a record's decisions lead to; Misfit where they lead to none."""
        return self._reader.program(decoded(decisions), self.state)

    def program(self, root: Node) -> Program:
        return Program(self.spec, self.canonical, root, self.target, self.threads)


class Drafting:
    """The drafts of a Spec; SpecError where it is not one search of fixed sizes. All are read out of one solved table,
    but for those by other prices. `sparing`: in less time, where many Specs are wanted soon. Then none is searched for
    by other prices, nor the next by cost (they differ little, and take the longest to find), and a Spec whose search is
    long is refused.

    Their C is written into one unit, `unit`, whose leaves they share: so programs of one C are told, and all that is
    there can be compiled at once.
    """

    def __init__(self, spec: Spec, session: Session, seed: int = 0, most: int = MOST, sparing: bool = False):
        session = session.of_call(spec)
        self.session = replace(session, table="none")
        self.spec, self.target, self.threads, self.most = spec, session.target, session.threads, most
        self.sparing = sparing
        self.rng = random.Random(f"{seed} {spec} {self.threads}")
        if sparing:
            _require_quick(spec, session)
        started = time.process_time()  # which others on the machine do not lengthen
        self.best = searched(spec, self.session)
        self.seconds = time.process_time() - started
        solved = self.best._search
        if not isinstance(solved, Solved) or self.best.is_partitioned or spec.dynamic is not None:
            raise SpecError(f"expected a Spec of fixed sizes that one search covers, found {spec}; give its parts")
        self.solved, self.space = solved, SpecSpace(spec, self.target, self.threads)
        self.unit = UnitWriter(self.target)

    def drafts(self) -> list[Draft]:
        """At most so many, the best first; each C once, none that costs far more than the best."""
        found: dict[str, Draft] = {}
        met: set[str] = set()
        texts: set[str] = set()
        for source, root in self._roots():
            if len(found) >= self.most:
                break
            decisions = written(root)
            if decisions in met or root.cost > DEAREST * self.best.cost:
                continue
            met.add(decisions)
            program = self.space.program(root)
            add = partial(program.written, name=f"{program.function}_{len(found)}")
            function = self.unit.add_new(add, texts)
            if function is not None:
                found[decisions] = Draft(program, source, decisions, function)
        return list(found.values())

    def _roots(self) -> Iterator[tuple[str, Node]]:
        yield "best", self.best.root
        for rank in range(1, FUSED if self._is_of_several else FIRST):
            root = self._draw(lambda draws, rank=rank: draws.first(self.best.root, rank))
            if root is None:
                break
            yield "first choice", root
        if self._is_of_several:
            yield "partly fused", self._draw(lambda draws: draws.unfused(self.best.root, 1))
            yield "unfused", self._draw(lambda draws: draws.unfused(self.best.root))
        if not self.sparing:
            yield from (("other prices", root) for root in self._by_other_prices())
            yield from (("cheapest", root) for root in self.solved.cheapest(CHEAPEST))
        until = time.process_time() + (SPARING if self.sparing else 1.0) * DRAWING
        for n in range(4 * self.most):
            if time.process_time() > until:
                return
            heat = HEATS[n % len(HEATS)]
            yield "drawn", self._draw(lambda draws, heat=heat: draws.drawn(self.best.root, heat))

    @cached_property
    def _is_of_several(self) -> bool:
        return not self.best.root.state.family.operation.is_lone

    def _draw(self, find: Callable[..., Found]) -> Found:
        return self.solved.read(lambda rebuild: find(self._draws(rebuild)))

    def _draws(self, rebuild: Rebuild) -> Draws:
        if self._kept is None or self._kept[0] is not rebuild.table:
            self._kept = rebuild.table, Draws(rebuild, self.threads, self.rng)
        return self._kept[1]

    _kept: tuple[Table, Draws] | None = None

    def _by_other_prices(self) -> Iterator[Node]:
        """The best programs by prices that are the target's times random factors, priced by the target's own."""
        if self.seconds > QUICK:
            return
        for _ in range(min(VARIED, int(SEARCHES / max(self.seconds, 0.01)))):
            other = searched(self.spec, replace(self.session, target=varied(self.target, self.rng)))
            try:
                yield self.space.rebuilt(written(other.root))
            except Misfit:  # a price may be what a choice leans on
                continue


def _require_quick(spec: Spec, session: Session) -> None:
    """SpecError where a search is more work than a sparing one may be. What was counted is not done again."""
    try:
        Solved(canonical_form(spec), session.target, session.threads).work(SEARCHED)
    except TooMuch as much:
        raise SpecError(f"expected a Spec whose search is quick, found {much} of {spec}; draw another one") from None


def varied(target: Target, rng: random.Random) -> Target:
    """The target with each price times a factor, log-normal: one for all levels of a feature, so that a nearer level
    stays the cheaper one."""
    factors: dict[str, float] = {}

    def factor(name: str, spread: float) -> float:
        return factors.setdefault(name, rng.lognormvariate(0, spread))

    names = [(name, name.partition(".")[0], value) for name, value in target.coefficients]
    ports = {
        name: getattr(target.ports, name) * factor(f"port {name}", 0.2)
        for name in ("load", "broadcast", "store", "issue", "shuffle")
    }
    return replace(
        target,
        coefficients=tuple((name, value * factor(term, UNCERTAIN.get(term, OTHERS))) for name, term, value in names),
        ports=replace(target.ports, **ports),
    )


BREADTH = 8  # choices of a point that are looked at
POINTS = 4  # of a program that are drawn
MOST_CUTS = 100  # tensors between nests: more than any graph of one search has
KEPT = 0.3  # the chance that a point keeps its choice


# ---- draws -----------------------------------------------------------------------------------------------------------


class Draws:
    """Programs drawn from the space of a solved goal, for so many threads, and those that fuse nothing.

    A program is drawn from its root on. At a point a few of the choices are drawn evenly, each with the best programs
    of its parts. They are the same whenever a draw comes by, so nothing is worked out twice. One of these is drawn with
    weight (least cost / cost) ** (1 / heat); or the point keeps the choice that it has. Then likewise at the
    parts that it leaves, until a few points were drawn. So a program may differ from the best anywhere, not along the
    critical path alone. (Of all programs, evenly drawn, nearly all differ from the best everywhere at once: there are
    10^60863309 of an 8-bit product of 256 x 512 x 256.)
    """

    def __init__(self, rebuild: Rebuild, threads: int, rng: random.Random):
        self.kbest, self.space, self.threads, self.rng = KBest(rebuild), rebuild.space, threads, rng
        self._choices: dict[SearchPlace, list[Choice]] = {}
        self._looked_at: dict[SearchPlace, list[Derivation]] = {}
        self._first: Ranking | None = None
        self._left = 0  # points that may still be drawn, or tensors that may still be cut at

    def first(self, best: Node, rank: int) -> Node | None:
        """The program of a rank among the best of each first choice: of a graph, or of each kind of a lone nest. None
        where there are fewer."""
        key = KINDS if best.state.family.operation.is_lone else FIRST_CHOICES
        try:
            self._first = self._first or KBest(self.kbest.goals.rebuild, key).goal(best, self.threads)
            return self._first.at(rank)
        except Exception:
            self._first = None  # stopped half-way: to be found anew when the table holds more
            raise

    def drawn(self, best: Node, heat: float) -> Node:
        """A program of the goal whose best is given."""
        self._left = POINTS
        return self._drawn(self._goal(best), best, heat)

    def unfused(self, best: Node, most: int = MOST_CUTS) -> Node:
        """The cheapest program of a graph with at most so many whole intermediates, where arrays rest: the first
        tensors that can be whole, as far as there is such a program."""
        self._left = most
        return self._unfused(self._goal(best), best)

    def _goal(self, best: Node) -> SearchPlace:
        return self.space.goal(best.state.family, best.state.size, self.threads)

    def _drawn(self, place: SearchPlace, best: Node, heat: float) -> Node:
        if not self._left:
            return best
        below = lambda place, best: self._drawn(place, best, heat)
        if self.rng.random() < KEPT:
            own = [choice for choice in self._at(place) if choice.rewrite == best.rewrite]
            return self._node(own[0], best.rewrite.parts(best), place, below) if own else best
        self._left -= 1
        derivations = self._some(place)
        if not derivations:
            return best
        costs = [max(derivation.cost(), 1e-9) for derivation in derivations]
        (taken,) = self.rng.choices(derivations, [(min(costs) / cost) ** (1 / heat) for cost in costs])
        return self._node(taken.choice, taken.programs(), place, below)

    def _unfused(self, place: SearchPlace, best: Node) -> Node:
        if place[0].operation.is_lone or not self._left:
            return best
        home, found = place[0].slowest, None
        for derivation in self.kbest.begun(self._at(place)):
            node = derivation.choice.node(State(place[0], place[1]), derivation.programs())
            is_whole = isinstance(node, Pipeline) and node.to.level == home or node.rewrite.outer
            if is_whole and (found is None or derivation.cost() < found.cost()):
                found = derivation
        if found is None:
            return best
        self._left -= not found.choice.rewrite.outer
        return self._node(found.choice, found.programs(), place, self._unfused)

    def _node(self, choice: Choice, parts: Iterable[MaybeNode], place: SearchPlace, below) -> Node:
        """The program that begins with a choice, and with what `below` makes of each part that runs."""
        programs = list(parts)
        for i, part in enumerate(choice.parts):
            program = programs[i]
            if part is not None and part[0] and program is not None:
                programs[i] = below(part[1], program)
        return choice.node(State(place[0], place[1]), tuple(programs))

    def _some(self, place: SearchPlace) -> list[Derivation]:
        """The choices of a place that draws look at."""
        if place not in self._looked_at:
            options = self._at(place)
            some = options if len(options) <= BREADTH else self.rng.sample(options, BREADTH)
            self._looked_at[place] = list(self.kbest.begun(some))
        return self._looked_at[place]

    def _at(self, place: SearchPlace) -> list[Choice]:
        """The choices of a place."""
        if place not in self._choices:
            self._choices[place] = list(self.space.options(place))
        return self._choices[place]
