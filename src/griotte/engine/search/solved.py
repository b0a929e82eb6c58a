"""One solved problem: its table, and the programs read out of it.

An answer comes from the table where that knows it, else from a search that first adds to the table. What a file says is
checked on the way (rebuild.py). Where it is impossible, or denies a program, the goals are solved again from nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from copy import copy
from functools import cached_property
from itertools import count, islice
from typing import TypeVar

from ...lang.calls.spec import Spec
from ...lang.nests.family import Family
from ...support.errors import NoProgramError
from ...support.memory import Memory
from ..program.nodes import Node
from ..table import Damaged, Table
from ..table.shipped.reading import OfNear
from .bands import BandPrograms
from .goals import Goals
from .graph import FamilyGraph
from .kbest import EVERY_CHOICE, KINDS, DedupKey, KBest, Ranking
from .problem import problem
from .rebuild import Rebuild, Unsolved
from .sizes import SizePrograms
from .work import SearchWork, Statistics, peak_rss_mb, work_of

Result = TypeVar("Result")


class Solved:
    """A canonical Spec on a target and a number of threads, with its table. It is solved when first asked for
    something."""

    def __init__(
        self,
        spec: Spec,
        target,
        threads: int = 1,
        store=None,
        memory: Memory | None = None,
        at_rest: Family | None = None,
    ):
        self.target, self.threads, self.dynamic = target, threads, spec.dynamic
        self._memory = memory
        self._rankings: dict[DedupKey, Ranking] = {}
        self.start = problem(spec, target, threads, at_rest)
        self._beside: tuple[Solved, ...] = ()
        self.table = Table(target, self.start.home, self.start.ladders, store)

    @property
    def parts(self) -> tuple[Solved, ...]:
        """The goals that are solved each by itself: this."""
        return (self,)

    @cached_property
    def _answer(self) -> tuple[Node, Statistics]:
        beside = tuple(dict.fromkeys(each.start.goal for each in self._beside))
        return answer(self.table, (self.start.goal,), self._with_beside, self._memory, beside=beside)

    def joined(self, others: Iterable[Solved]) -> Solved:
        """This, whose search, if there is one, solves others too: those that have its ladders and its home level, and
        that the table does not know. Most families of goals that differ by the layouts of their operands are the same,
        and each is solved once. The table answers for the others then. So the table must be one that keeps solutions at
        the end of a search alone."""
        if self.table.writes_late and not self.is_known:
            like = (each for each in others if each.table.answers_alike(self.table) and not each.is_known)
            self._beside = tuple(each for each in like if each.start.goal != self.start.goal)
        return self

    def _with_beside(self, rebuild: Rebuild) -> Node:
        """The best program; the table remembers how goals beside it begin, for which it must hold their costs."""
        best = self._best(rebuild)
        for each in self._beside:
            with suppress(NoProgramError, Unsolved):  # there was no room, or its own search tells why
                each._best(rebuild)
        return best

    @property
    def is_known(self) -> bool:
        """Whether the table holds its program, so that nothing is left to solve."""
        try:
            self._best(Rebuild(self.table))
        except (Unsolved, Damaged, NoProgramError):
            return False
        return True

    def work(self, most: float) -> SearchWork:
        """How much the search is, counted before it is done; TooMuch where that is more than `most`."""
        return work_of(self.start, self.target, most, FamilyGraph.of(self.target))

    @property
    def best(self) -> Node:
        """The program of least cost, of a dynamic size those of every size; NoProgramError when the space has none."""
        return self._answer[0]

    @property
    def statistics(self) -> Statistics:
        return self._answer[1]

    def _best(self, rebuild: Rebuild) -> Node:
        goal, sizes = self.start.goal, self.start.sizes
        if self.dynamic and self.dynamic.rows:
            return BandPrograms(rebuild, self.dynamic, self.start.heights, self.threads).goal(goal, sizes)
        if self.dynamic:
            return SizePrograms(rebuild, self.dynamic.dim, self.threads).goal(goal, sizes, self.dynamic.extents)
        return Goals(rebuild).of(goal, sizes, self.threads)

    def apart(self) -> Solved:
        """The same problem, with a table that no file keeps."""
        found = copy(self)
        found.__dict__.pop("_answer", None)
        found._rankings, found.table = {}, Table(self.target, self.start.home, self.start.ladders, None)
        return found

    def borrow(self, stores: Iterable[OfNear]) -> bool:
        """Take for the best program the cheapest of those that stand in tables of other machines, priced by this one's:
        whether there is any. It need not be the best."""
        found = []
        for store in stores:
            with suppress(Unsolved, Damaged, NoProgramError):
                found.append(self._best(Rebuild(Table(self.target, self.start.home, self.start.ladders, store))))
        if found:
            statistics = Statistics(peak_rss_mb=peak_rss_mb())
            self.__dict__["_answer"] = min(found, key=lambda node: node.cost), statistics
        return bool(found)

    def reread(self, table: Table) -> Node:
        """The best program, as a table that knows it has it."""
        return self._best(Rebuild(table))

    def cheapest(self, k: int) -> list[Node]:
        """The k cheapest programs, `best` first; fewer where the space has fewer. The others are in order of their
        costs in float64: one may be cheaper than `best` by what float32 does not tell apart."""
        best, others = self.best, islice(self.ranked(EVERY_CHOICE), 1, max(1, k))
        return [best, *sorted(others, key=lambda program: program.cost)]

    def kinds(self) -> Iterator[Node]:
        """The cheapest programs after each first choice, one of each kind, `best` first, found as they are asked
        for."""
        return self.ranked(KINDS)

    def read(self, find: Callable[[Rebuild], Result]) -> Result:
        """What `find` makes of the solved table; the goal is solved first where that holds the best program alone."""
        return answer(self.table, (self.start.goal,), find, self._memory)[0]

    def ranked(self, key: DedupKey) -> Iterator[Node]:
        """The programs of the goal from the cheapest on, one of each `key`."""
        for rank in count():
            program = self.read(lambda _: self._ranked(key, rank))
            if program is None:
                return
            yield program

    def _ranked(self, key: DedupKey, rank: int) -> Node | None:
        try:
            return self._ranking(key).at(rank)
        except Exception:
            self._rankings.clear()  # stopped half-way: to be found anew when the table holds more
            raise

    def _ranking(self, key: DedupKey) -> Ranking:
        if key not in self._rankings:
            rebuild = Rebuild(self.table, FamilyGraph.of(self.target))
            self._rankings[key] = KBest(rebuild, key).goal(self._best(rebuild), self.threads)
        return self._rankings[key]


def answer(
    table: Table,
    goals: tuple[Family, ...],
    find: Callable[[Rebuild], Result],
    memory: Memory | None = None,
    met: FamilyGraph | None = None,
    beside: tuple[Family, ...] = (),
) -> tuple[Result, Statistics]:
    """The result of `find` on the table. The goals are solved first if it meets a Spec that the table does not hold,
    and those `beside` with them. `met` are families that were met before."""
    started, statistics, denied, waited = time.perf_counter(), None, False, False
    met = met or FamilyGraph.of(table.target)
    while True:
        believed = table.believed
        try:
            found = find(Rebuild(table, met))
            break
        except Unsolved:
            if statistics is not None and not believed:
                raise
            if statistics is not None:
                table.doubt()
        except Damaged as why:
            if not believed:
                raise
            table.doubt(why)
        except NoProgramError:
            if not believed or statistics is not None and not statistics.specs_known:
                raise
            denied = True
            table.doubt()
        with table.searching(goals, wait=False) as is_alone:
            if is_alone or waited:
                statistics = _solve(table, goals, memory, met, beside)
                continue
        with table.searching(goals, wait=True):  # another process is at it, and writes what it finds
            waited = True
            table.forget()
    if denied:
        table.tell(Damaged("a Spec without a program that has one"))
    statistics = statistics or Statistics(peak_rss_mb=peak_rss_mb())
    statistics.synthesis_s = time.perf_counter() - started
    return found, statistics


def _solve(
    table: Table,
    goals: tuple[Family, ...],
    memory: Memory | None,
    met: FamilyGraph,
    beside: tuple[Family, ...] = (),
) -> Statistics:
    from .solve import HERE, Solver  # and with it Numba: an answer from the table does without

    workers = HERE if table.target.breadth.is_narrow else None
    return Solver(table, workers, memory=memory, met=met).solve(*goals, beside=beside)
