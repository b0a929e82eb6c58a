"""A stated Spec, solved: as one search or, where that is too much or has no program, cut at whole arrays.

What is joined is told by counted work alone (search/work.py), so the same Spec always gives the same program. Where one
search covers all, nothing is cut here: it makes its own choice of what lies at whole arrays. Else the calls are taken
in groups (cuts.py). All together they may be as much as one search: while they are more, of the largest no more than
three calls in five stay together; what the space has no program for as one is taken apart. So it goes on until all that
is left is solved. A call is always a group, whatever its search is. Groups alike are one problem.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..errors import NoProgramError, SpecError
from ..ir.canonical import canonical_form
from ..ir.graph import is_joined
from ..ir.spec import Spec
from ..program.nodes import Node
from ..search.division import Divided, solving
from ..search.graph import uncollected
from ..search.memory import Memory
from ..search.rebuild import Unsolved
from ..search.solved import Solved
from ..search.work import GRAPH, SearchWork, TooMuch
from ..table import digest
from .bounds import EFFORTS, NESTS
from .calls import CallGroup, CallList
from .cuts import LONGEST, Cutter, Steps
from .views import flat_copy, is_view

FEW = 4  # calls that are cut at one of them where they have no program as one
LEAST = 0.1  # of the bound: so much each group may be


@dataclass(frozen=True)
class SolvedGroup:
    """Calls that were searched as one, and their best program; a view has neither."""

    calls: CallGroup
    canonical: Spec
    solved: Solved | Divided | None = None
    best: Node | None = None


@dataclass(frozen=True)
class Counted:
    """A search that may be done, and how much it is."""

    canonical: Spec
    solved: Solved | Divided
    work: SearchWork


@dataclass(frozen=True)
class Unjoined:
    """Why calls are not searched as one; `shrinks` where fewer of them may be."""

    why: str
    shrinks: bool = False


@dataclass(frozen=True)
class Refusal:
    """Why calls are not searched as one."""

    steps: Steps
    why: str


class Partition:
    """The groups of a Spec's calls, solved, and why they are not fewer."""

    def __init__(
        self,
        spec: Spec,
        target,
        threads: int,
        effort: int,
        store=None,
        memory: Memory | None = None,
        as_one: bool = False,
    ):
        self.calls, self._target, self._threads = CallList(spec), target, threads
        self._effort, self._store, self._memory = effort, store, memory
        self._bound = EFFORTS[effort]
        self._wasted = 0.0  # work that went into counting what was then not solved
        self._cutter = Cutter(self.calls)
        self._problems: dict[Spec, Counted | Unjoined] = {}
        self._singles: dict[Spec, tuple[Spec, Solved | Divided]] = {}
        self.refusals: list[Refusal] = []
        with uncollected():
            self.groups = self._as_one() if as_one else self._solved()

    # ---- what is joined ----------------------------------------------------------------------------------------------

    def _solved(self) -> list[SolvedGroup]:
        whole = tuple(range(len(self.calls)))
        if len(whole) == 1:
            return [self._alone(whole)]
        groups = self._known() or ([whole] if self._may_be_one() else self._cutter.cheapest())
        while (found := self._together(groups)) is None:
            groups = self._cutter.cheapest()
        return self._noted(found)

    def _as_one(self) -> list[SolvedGroup]:
        """All calls as one search; NoProgramError where they are none, which the table remembers."""
        whole = tuple(range(len(self.calls)))
        if len(whole) == 1:
            return [self._alone(whole)]
        key = self._key_of("one")
        found = self._store.choice(key) if self._store is not None else None
        if found is None:
            found = self._sole(whole)
            if isinstance(found, SolvedGroup):
                return [found]
            if self._store is not None:
                self._store.choose(key, found)
        raise NoProgramError(f"expected calls that one search covers, found {len(whole)} that are not one: {found}")

    def _sole(self, whole: Steps) -> SolvedGroup | str:
        """All calls as one search, or why they are none."""
        if not self._may_be_one():
            return self.refusals[-1].why
        problem = self._problem(whole, self._bound)
        if isinstance(problem, Unjoined):
            return problem.why
        try:
            return self._group(whole)
        except (NoProgramError, Unsolved) as why:
            return f"no program as one: {why}"

    def _may_be_one(self) -> bool:
        """Whether all calls are tried as one search: where they have so many nests that it may be one, or no more of
        what is costly to join than a group has. The bound of others grows with their nests."""
        try:
            nests = len(getattr(canonical_form(self.calls.spec).operation, "nests", ()))
        except SpecError:
            return True  # which says why
        whole = tuple(range(len(self.calls)))
        if nests <= NESTS or not self._cutter.is_crowded(whole):
            return True
        self._bound *= nests / NESTS
        self.refusals.append(Refusal(whole, f"too much for one search: {nests} nests, {self._cutter.crowd(whole)}"))
        return False

    def _together(self, groups: list[Steps]) -> list[SolvedGroup] | None:
        """All of these groups, solved; None where some are not searched as one. All are counted before any is
        solved."""
        counted: list[tuple[int, Steps, float]] = []
        for steps in sorted((g for g in groups if len(g) > 1), key=len, reverse=True):
            problem = self._problem(steps, max(self._left(counted), self._bound * LEAST))
            if isinstance(problem, Unjoined):
                self._refuse(steps, problem)
                return None
            counted.append((problem.work.total, steps, problem.work.counting))
            work, largest, counting = max(counted)
            if self._left(counted) < 0 and work > self._bound * LEAST:
                self._wasted += counting
                self._refuse(largest, Unjoined(_too_much(work), shrinks=True))
                return None
        found = []
        for steps in groups:
            if len(steps) == 1:
                found.append(self._alone(steps))
                continue
            try:
                found.append(self._group(steps))
            except (NoProgramError, Unsolved) as why:
                self._refuse(steps, Unjoined(f"no program as one: {why}"))
                return None
        return found

    def _left(self, counted: list[tuple[int, Steps, float]]) -> float:
        """The work that is left to others."""
        return self._bound - self._wasted - sum(work for work, *_ in counted)

    def _refuse(self, steps: Steps, why: Unjoined) -> None:
        """Note that calls are not searched as one: those of them that keep them from it, where it can be told which, or
        as many."""
        pairs = [] if why.shrinks else [pair for pair in self._pairs(steps) if pair != steps and self._fails(pair)]
        for pair in pairs:
            self._cutter.refuse(pair, 1)
        if not pairs:
            fewer = why.shrinks and len(steps) < len(self.calls) or len(steps) > FEW
            self._cutter.refuse(steps, max(1, len(steps) * 3 // 5 if fewer else len(steps) - 1))
        self.refusals += [Refusal(each, why.why) for each in pairs or [steps]]

    def _pairs(self, steps: Steps) -> Iterator[Steps]:
        """Each of these calls with each that reads what it gives."""
        own, calls = set(steps), self.calls
        for s in steps:
            yield from ((s, r) for r in calls.readers[calls.inputs + s] if r in own)

    def _fails(self, pair: Steps) -> bool:
        """Whether there is no program of two calls as one."""
        if isinstance(self._problem(pair, EFFORTS[1]), Unjoined):
            return True
        try:
            self._group(pair)
        except (NoProgramError, Unsolved):
            return True
        return False

    def _problem(self, steps: Steps, most: float) -> Counted | Unjoined:
        """The search of calls as one, counted; or why there is none."""
        spec = self.calls.group(steps).spec
        if spec not in self._problems:
            self._problems[spec] = self._count(steps, spec, most)
        return self._problems[spec]

    def _count(self, steps: Steps, spec: Spec, most: float) -> Counted | Unjoined:
        if len(steps) > LONGEST:
            return Unjoined(f"too much for one search: {len(steps)} calls", shrinks=True)
        try:
            canonical = canonical_form(spec)
            if not is_joined(canonical.operation):
                return Unjoined("its values are read along other axes than they are written")
            found = solving(canonical, self._target, self._threads, self._store, self._memory)
            return Counted(canonical, found, SearchWork(0, 0, 0) if found.is_known else found.work(most))
        except TooMuch as much:
            self._wasted += much.work.counting
            return Unjoined(_too_much(much.work.total), shrinks=True)
        except SpecError as why:
            if len(steps) == len(self.calls):
                raise
            return Unjoined(f"no program as one: {why}")
        except NoProgramError as why:
            return Unjoined(f"no program as one: {why}")

    def _group(self, steps: Steps) -> SolvedGroup:
        counted = self._problems[self.calls.group(steps).spec]
        assert isinstance(counted, Counted)
        return SolvedGroup(self.calls.group(steps), counted.canonical, counted.solved, counted.solved.best)

    def _alone(self, steps: Steps) -> SolvedGroup:
        """A call by itself, whatever its search is."""
        group = self.calls.group(steps)
        if self.calls.is_view(steps):
            return SolvedGroup(group, group.spec)
        if len(self.calls) > 1 and is_view(group.spec):
            group = replace(group, spec=flat_copy(group.spec))
        if group.spec not in self._singles:
            canonical = canonical_form(group.spec)
            found = solving(canonical, self._target, self._threads, self._store, self._memory)
            self._singles[group.spec] = canonical, found
        canonical, found = self._singles[group.spec]
        return SolvedGroup(group, canonical, found, found.best)

    @property
    def cuts(self) -> list[dict[str, Any]]:
        """Each tensor between groups: its number, shape and bytes, and why what it is between is not one."""
        calls, found = self.calls, []
        for t in (t for group in self.groups for t in group.calls.gives if t not in calls.results):
            ends = {calls.step_of(t), *calls.readers[t]}
            why = next((r.why for r in reversed(self.refusals) if len(ends & set(r.steps)) > 1), "")
            tensor = calls.types[t]
            found.append({"tensor": f"t{t}", "shape": tensor.shape, "bytes": tensor.bytes, "why": why})
        return found

    # ---- what the table remembers ------------------------------------------------------------------------------------

    @property
    def _key(self) -> str:
        return self._key_of("cut")

    def _key_of(self, what: str) -> str:
        calls = self.calls
        steps = [(step.spec.operation, step.spec.sizes, step.reads) for step in (*calls.steps, *calls.counted)]
        types = [(str(t), t.constant) for t in calls.types]
        return digest(f"{what} {steps!r} {types} {calls.results} {self._threads} {self._effort}")

    def _known(self) -> list[Steps] | None:
        """The groups that the table remembers; None where there are none, or all calls were one."""
        text = self._store.choice(self._key) if self._store is not None else None
        if text is None:
            return None
        try:
            found = [tuple(map(int, steps)) for steps in json.loads(text)]
        except (ValueError, TypeError):
            return None
        every = sorted(s for steps in found for s in steps)
        return found if every == list(range(len(self.calls))) and len(found) > 1 and self._is_in_order(found) else None

    def _is_in_order(self, groups: list[Steps]) -> bool:
        """Whether each group reads what comes in, or those before it give."""
        there = set(range(self.calls.inputs))
        for steps in groups:
            if not steps or list(steps) != sorted(steps) or not set(self.calls.reads(steps)) <= there:
                return False
            there.update(self.calls.inputs + s for s in steps)
        return True

    def _noted(self, groups: list[SolvedGroup]) -> list[SolvedGroup]:
        if self._store is not None and len(groups) > 1:
            text = json.dumps([group.calls.steps for group in groups])
            if self._store.choice(self._key) != text:
                self._store.choose(self._key, text)
        return groups


def _too_much(work: float) -> str:
    return f"too much for one search: more than {work / GRAPH:,.0f} families, or as much work"
