"""The best programs of a Spec timed on this machine, the fastest kept in the table; or the best of many by a model of
their times.

    synthesize(spec, tune=20)   -> candidates: the cheapest programs after each first choice, one of each kind
                                (engine/search/kbest.py) -> race: the slower half leaves after each round. The winner
                                against the first, timed anew, goes into the table
    .. model=m                  -> drafts: the candidates, more first choices, the k best -> the first by the model
    .. model=m, tune=20         -> four times as many drafts -> Picking: batches of the most promising; their times
                                correct the beliefs about those that were not timed

A remembered result holds for a goal and a number of threads, for this machine, and for the C that is emitted now.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, takewhile
from typing import Any

import numpy as np

from ..engine.learned.features import features
from ..engine.learned.model import PerformanceModel
from ..engine.learned.ranking import Ranked, trees_for
from ..engine.learned.updates import BATCH, Updated
from ..engine.program.nodes import Node
from ..engine.search.kbest import FIRST_CHOICES
from ..engine.search.recorded import Misfit, along, path_of
from ..engine.search.solved import Solved
from ..engine.table import digest
from ..engine.table.keys import emitted
from ..engine.table.tuned import Tuned
from ..lang.meaning.agreement import compare, tolerance
from ..lang.meaning.reference import empty_outputs
from ..lang.meaning.samples import timed_arrays
from ..machine import runnable
from ..machine.detect import fingerprint
from ..runtime import timing
from ..support.cpus import usable
from ..support.errors import NoProgramError, SpecError, TableWarning, ToolchainError
from .programs import Program
from .session import Tuning

DRAFTS = 40  # programs that a model orders, where none is timed
DRAFTED = 4  # for each that is timed
CHEAPEST = 8  # of the drafts: on the spines of the k best
DEAREST = 3.0  # times the least price: no model makes up for more
NEAR = 1e-9  # relative; costs of one program, priced twice
ROUND = 0.6  # seconds that the candidates of a round share
FINALISTS = 3  # of the picked, beside the first
_WRONG = 4.0  # times the first one's time: what a program counts as whose result is wrong

Run = Callable[[], Any]
Late = Callable[[], bool]  # whether there is no time for more


def never() -> bool:
    """There is time."""
    return False


def tuned(program: Program, solved: Solved, tuning: Tuning) -> Program:
    """The fastest of so many best programs, as the table remembers it or timed now; with None, what the table
    remembers, else the program itself, or the first by a model."""
    tune, model, _ = tuning
    known = _remembered(program, solved) if tune != 1 else None
    if known is not None and (tune is None or tune <= known[0].of):
        found = _with(program, *known)
        return found if model is None else _predicted(model, [program, found], 1)
    if tune is None or tune == 1:
        return program if model is None else _predicted(model, drafts(program, solved, DRAFTS))
    return _timed(program, solved, tune, model)


def check(spec: Any, tune: object, model: object = None, seconds: object = None) -> None:
    """SpecError where the argument `tune` is no number of programs, or the goal is one that has no candidates."""
    if seconds is not None:
        raise SpecError(
            f"expected no tune_seconds for a Spec, found {seconds!r}; ask for a few programs, such as tune=20"
        )
    if model is not None:
        _must_have_drafts(spec)
    if tune is None:
        return
    if not isinstance(tune, int) or isinstance(tune, bool) or tune < 1:
        raise SpecError(
            f"expected a number of programs of 1 or more to tune, found {tune!r}; ask for a few, such as tune=20"
        )
    if tune > 1 and isinstance(spec, Program):
        raise SpecError(
            "expected a Spec to tune, found a schedule; leave tune out: what is scheduled by hand stays as it is"
        )
    if tune > 1 and spec.dynamic is not None:
        raise SpecError(f"expected a Spec of fixed sizes to tune, found {spec}; leave tune out, or give a size")


def _must_have_drafts(spec: Any) -> None:
    if isinstance(spec, Program):
        raise SpecError(
            "expected a Spec beside model, found a schedule; leave model out: what is scheduled by hand stays as it is"
        )
    if spec.dynamic is not None:
        raise SpecError(f"expected a Spec of fixed sizes beside model, found {spec}; leave model out, or give a size")


def _with(program: Program, found: Tuned, root: Node) -> Program:
    return replace(program, root=root, stats={**program.stats, "tuned": found.facts(), "least_cost": program.cost})


# What the table remembers ------------------------------------------------------------------


def _key(solved: Solved) -> str:
    start, table = solved.start, solved.table
    return digest(
        f"tuned {table.key(start.goal)} {start.sizes} {table.axes(start.goal)} {solved.threads} {fingerprint()}"
        f" {emitted()}"
    )


def _remembered(program: Program, solved: Solved) -> tuple[Tuned, Node] | None:
    """The tuning of this goal on this machine, and its program; a record that leads to none is reported and left
    out."""
    table, key = solved.table, _key(solved)
    text = table.choice(key)
    if text is None:
        return None
    found = Tuned.decode(text)
    try:
        if not found:
            raise Misfit("a record that is none")
        root = solved.read(lambda rebuild: along(found.path, program.root.state, rebuild, solved.threads))
        if abs(root.cost - found.cost) > NEAR * root.cost:
            raise Misfit(f"a program of {root.cost:.6g} cycles, not {found.cost:.6g}")
    except Misfit as why:
        place = f"the table {table.store.file.path}" if table.store is not None else "the table"
        told = (
            f"expected the choices of a tuned program in {place}, found {why}; the model's best stands for it: tune"
            " again"
        )
        warnings.warn(told, TableWarning, stacklevel=4)
        table.unchoose(key)
        return None
    return found, root


# Candidates and their times ----------------------------------------------------------------


def _timed(program: Program, solved: Solved, count: int, model: PerformanceModel | None) -> Program:
    runnable(program.target)
    if model is None:
        among = candidates(program, solved, count)
        winner, median, first = race(Bench(program).runs(dict(enumerate(among))))
    else:
        among = drafts(program, solved, DRAFTED * count)
        picking = Picking(among, model)
        while picking.timed < count and (places := picking.next(count - picking.timed)):
            picking.time(places)
        winner, median, first = picking.winner()
    found = keep(program, solved, among[winner].root, count, median, first)
    if model is None:
        return found
    told = _predicted(model, among, winner)
    return replace(found, stats={**found.stats, "model": told.stats["model"] | {"runs": picking.timed}})


def keep(program: Program, solved: Solved, root: Node, count: int, median: float, first: float) -> Program:
    """The winner among `count` as a program, which the table remembers; the medians are its own and that of the best by
    price, in microseconds."""
    path = path_of(root, solved.read(lambda rebuild: rebuild.space), program.threads)
    found = Tuned(str(program.spec), program.threads, fingerprint(), count, path, root.cost, median, first)
    solved.table.choose(_key(solved), found.encode())
    return _with(program, found, root)


@dataclass(frozen=True)
class Drafted:
    """The drafts of a goal without what they were found in, and what a table remembers a winner by.

    Attributes:
        programs: the best by price first.
        paths: what leads to each.
        key: of the winner's record.
    """

    programs: tuple[Program, ...]
    paths: tuple[tuple[int, ...], ...]
    key: str

    @classmethod
    def of(cls, program: Program, is_late: Late = never) -> Drafted:
        """The drafts of a program that was just searched, those that are found before it is late; none where it is not
        of one search."""
        solved = program._search
        if not isinstance(solved, Solved):
            return cls((), (), "")
        found = [replace(draft, _search=None) for draft in drafts(program, solved, DRAFTS, is_late)]
        space = solved.read(lambda rebuild: rebuild.space)
        paths = tuple(path_of(draft.root, space, program.threads) for draft in found)
        return cls(tuple(found), paths, _key(solved))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of each draft, what trials are kept by."""
        return tuple(digest(str(path))[:16] for path in self.paths)

    def record(self, place: int, count: int, median: float, first: float) -> str:
        """What a table keeps under `key` where the program of a place won among `count`."""
        program = self.programs[place]
        found = Tuned(
            str(program.spec),
            program.threads,
            fingerprint(),
            count,
            self.paths[place],
            program.root.cost,
            median,
            first,
        )
        return found.encode()


def _predicted(model: PerformanceModel, among: list[Program], place: int | None = None) -> Program:
    """The program at a place, or the first by the model, with what the model says of it beside the first by price."""
    ranked = Ranked.of(model, [each.root for each in among], among[0].target, among[0].threads)
    place = ranked.order[0] if place is None else place
    told = {"model": ranked.facts(place), "least_cost": among[0].cost}
    return replace(among[place], stats={**among[place].stats, **told})


def candidates(program: Program, solved: Solved, count: int) -> list[Program]:
    """The cheapest programs after each first choice, one of each kind, the model's best first; of those with the same
    C, one."""
    return _distinct(program, islice(solved.kinds(), count), count)


def drafts(program: Program, solved: Solved, count: int, is_late: Late = never) -> list[Program]:
    """At most so many programs that a model may order, the best by price first. They are the candidates, then the k
    best, then the cheapest after each further first choice. A path of choices leads to each, so that the table can
    remember it. Of programs with the same C it gives one. Once it is late, it looks for no more."""
    return _distinct(program, _drafted(program, solved, count), count, is_late)


def _distinct(program: Program, roots: Iterator[Node], most: int, is_late: Late = never) -> list[Program]:
    """At most so many programs of these roots whose C differs."""
    found: dict[str, Program] = {}
    for root in roots:
        other = replace(program, root=root)
        found.setdefault(other.to_c().partition("*/")[2], other)  # the title differs
        if len(found) >= most or is_late():
            break
    return list(found.values())


def _drafted(program: Program, solved: Solved, count: int) -> Iterator[Node]:
    is_near = lambda root: root.cost <= DEAREST * program.cost
    yield from islice(takewhile(is_near, solved.kinds()), count)
    yield from (led for root in solved.cheapest(CHEAPEST) if (led := _led_to(program, solved, root)) is not None)
    yield from islice(takewhile(is_near, solved.ranked(FIRST_CHOICES)), count)


def _led_to(program: Program, solved: Solved, root: Node) -> Node | None:
    """The program that the path of another leads to: all but its critical path is the table's best. None where it is
    none."""
    try:
        path = path_of(root, solved.read(lambda rebuild: rebuild.space), program.threads)
        return solved.read(lambda rebuild: along(path, program.root.state, rebuild, solved.threads))
    except (Misfit, NoProgramError, StopIteration):
        return None


# Races -------------------------------------------------------------------------------------


class Bench:
    """The arrays of a Spec that candidates run on."""

    def __init__(self, program: Program):
        self.spec = program.spec
        self._arrays, self._out = timed_arrays(self.spec, np.random.default_rng(0)), empty_outputs(self.spec)
        self._bounds = tolerance(self.spec, self._arrays, random=True)

    def runs(self, among: Mapping[int, Program], is_late: Late = never) -> dict[int, Run]:
        """A call of each candidate, by its place; those with a wrong result are told and left out, but for place 0:
        ToolchainError. Once it is late none but place 0 is compiled."""
        compiled = lambda place: among[place].compile() if not place or not is_late() else None
        with ThreadPoolExecutor(usable()) as pool:
            kernels = dict(zip(among, pool.map(compiled, among)))
        found = {}
        for place, kernel in kernels.items():
            if kernel is None:
                continue
            self._out.fill(1)  # not the result of the one before
            run = kernel.bind(*self._arrays, out=self._out)
            _, right, complaint = compare(self.spec, self._arrays, run(), self._bounds)
            if right:
                found[place] = run
            elif place == 0:
                raise ToolchainError(
                    f"expected the right result of the model's best program for {self.spec}, found another; please"
                    " report it, with what griotte doctor says"
                )
            else:
                warnings.warn(
                    f"expected the right result of a program for {self.spec}, found another: {complaint}; it is left"
                    " out: please report it",
                    RuntimeWarning,
                    stacklevel=5,
                )
        return found


def race(runs: dict[int, Run]) -> tuple[int, float, float]:
    """(the winner's place, its median in microseconds, that of place 0): the faster half goes on after each round. Who
    is left runs once more beside place 0, and wins if it is faster then too: the last round alone tells by how much."""
    left = list(runs)
    while len(left) > 1:
        times = timing.interleaved({str(place): runs[place] for place in left}, ROUND / len(left))
        left = sorted(left, key=lambda place: times[str(place)].median_us)[: len(left) // 2]
    times = timing.interleaved({str(place): runs[place] for place in dict.fromkeys((0, left[0]))}, ROUND / 2)
    winner = min(times, key=lambda place: times[place].median_us)
    return int(winner), times[winner].median_us, times["0"].median_us


class Picking:
    """The candidates of a Spec, some of them timed, the first of them always.

    Args:
        candidates: the best by price first.
        model: predicts their times before they are timed; None: the price.
        known: what some of them took in an earlier run, as often as the first, by their places.
        first_us: microseconds of the first in that run.

    Attributes:
        timed: how many were, now.
        first_us: microseconds of the first; None before it was timed.
        took: how often the time of the first each took that was timed, by its place.
    """

    def __init__(
        self,
        candidates: Sequence[Program],
        model: PerformanceModel | None,
        known: Mapping[int, float] | None = None,
        first_us: float | None = None,
    ):
        first = candidates[0]
        self.candidates, self._bench = candidates, Bench(first)
        roots = [each.root for each in candidates]
        rows, prices = features(roots, first.target, first.threads), [max(1e-9, each.cost) for each in candidates]
        given = trees_for(model, roots, first.target) if model else ()
        self._belief = Updated(model, rows, prices, given)
        self._runs: dict[int, Run] = {}
        self.timed, self.first_us, self.took = 0, first_us, dict(known or {})
        if first_us is not None:
            self._belief.tell(list(self.took), [time * first_us for time in self.took.values()])

    def next(self, most: int = BATCH) -> list[int]:
        """The places of those to be timed now; none where no other is expected to gain more than the clock tells."""
        if self.took:
            return self._belief.next(min(most, BATCH))
        return list(dict.fromkeys((0, *self._belief.next(BATCH, least=-1.0))))[: min(most, BATCH)]

    def time(self, places: Sequence[int], is_late: Late = never) -> int:
        """Time candidates in turns, with the first beside them: by it, what the machine did meanwhile is taken out.
        How many were; those that are not compiled before it is late are left for another time."""
        runs = self._runs_of(dict.fromkeys((0, *places)), is_late)
        places = [place for place in places if place in runs or not is_late()]
        turns = {str(place): run for place, run in runs.items()}
        times = {place: each.median_us for place, each in timing.interleaved(turns, ROUND / len(turns)).items()}
        now = times["0"]
        self.first_us = self.first_us or now
        took = {place: times.get(str(place), _WRONG * now) / now for place in places}
        self._belief.tell(list(took), [time * self.first_us for time in took.values()])
        self.took |= took
        self.timed += len(places)
        return len(places)

    def _runs_of(self, places: Iterable[int], is_late: Late = never) -> dict[int, Run]:
        """A call of each of these, but of those whose result is wrong, or which it was too late for."""
        wanted = list(places)
        left = {place: self.candidates[place] for place in wanted if place not in self._runs}
        self._runs |= self._bench.runs(left, is_late)
        return {place: self._runs[place] for place in wanted if place in self._runs}

    def gain(self) -> float:
        """What the next run is expected to gain, relative to the best that was timed; infinite before any was."""
        return self._belief.gain()

    def winner(self) -> tuple[int, float, float]:
        """(the winner's place, its median in microseconds, that of the first), of a race of the best that were timed;
        where that is the first, there is no race."""
        assert self.first_us is not None
        mean, _ = self._belief.believed()
        best = sorted(self.took, key=lambda place: float(mean[place]))[:FINALISTS]
        if best[0] == 0:
            return 0, self.first_us, self.first_us
        return race(self._runs_of(dict.fromkeys((0, *best))))
