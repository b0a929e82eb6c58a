"""A stated Spec, solved: as one search or, where that is too much or has no program, cut at whole arrays.

What is joined is told by counted work alone (search/work.py), so the same Spec always gives the same program. Where one
search covers all, nothing is cut here: it makes its own choice of what lies at whole arrays. Else the calls are taken
in groups (cuts.py); each that is counted too much, or of which the space has no program, is refused, and they are cut
anew, until all that are left are solved. A call is always a group. Groups alike are one problem.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from ..errors import GriotteError, NoProgramError, SpecError
from ..ir.canonical import canonical_form
from ..ir.spec import Spec
from ..search.division import Divided, solving
from ..search.memory import Memory
from ..search.rebuild import Unsolved
from ..search.solved import Solved
from ..search.work import TooMuch
from ..table import digest
from .bounds import bound
from .calls import CallGroup, Calls
from .cuts import Cutter, Steps
from .views import flat_copy, is_view


@dataclass(frozen=True)
class SolvedGroup:
    """Calls that were searched as one."""

    calls: CallGroup
    canonical: Spec
    solved: Solved | Divided | None  # None: a view


@dataclass(frozen=True)
class Refusal:
    """Why calls are not searched as one."""

    steps: Steps
    why: str


class Partition:
    """The groups of a Spec's calls, solved, and why they are not fewer."""

    def __init__(self, spec: Spec, target, threads: int, effort: int, store=None, memory: Memory | None = None):
        self.calls, self._target, self._threads = Calls(spec), target, threads
        self._effort, self._store, self._memory = effort, store, memory
        self._problems: dict[Spec, Solved | Divided | Refusal] = {}
        self.refusals: list[Refusal] = []
        self.groups = self._solved()

    # ---- what is joined ----------------------------------------------------------------------------------------------

    def _solved(self) -> list[SolvedGroup]:
        whole = tuple(range(len(self.calls)))
        if len(whole) == 1:
            return [self._alone(whole)]
        known = self._known()
        if known is None and (found := self._together([whole])) is not None:
            return self._noted(found)
        cutter = Cutter(self.calls)
        cutter.refuse(whole)
        groups = known or cutter.cheapest()
        while (found := self._together(groups)) is None:
            cutter.refuse(self.refusals[-1].steps)
            groups = cutter.cheapest()
        return self._noted(found)

    def _together(self, groups: list[Steps]) -> list[SolvedGroup] | None:
        """All of these groups, solved; None where one is refused. All are counted before any is solved."""
        for steps in sorted(groups, key=len, reverse=True):
            if len(steps) > 1 and isinstance(why := self._problem(steps), Refusal):
                return self._refused(steps, why)
        found = []
        for steps in groups:
            if len(steps) == 1:
                found.append(self._alone(steps))
                continue
            try:
                found.append(self._group(steps))
            except (NoProgramError, Unsolved) as why:
                return self._refused(steps, Refusal(steps, f"no program as one: {why}"))
        return found

    def _refused(self, steps: Steps, why: Refusal) -> None:
        self.refusals.append(Refusal(steps, why.why))

    def _problem(self, steps: Steps) -> Solved | Divided | Refusal:
        """The search of calls as one, counted; or why there is none."""
        spec = self.calls.group(steps).spec
        if spec not in self._problems:
            self._problems[spec] = self._counted(steps, spec)
        return self._problems[spec]

    def _counted(self, steps: Steps, spec: Spec) -> Solved | Divided | Refusal:
        try:
            canonical = canonical_form(spec)
            found = solving(canonical, self._target, self._threads, self._store, self._memory)
            if not found.is_known:
                found.work(bound(self._effort, len(getattr(canonical.operation, "nests", ())) or 1))
        except TooMuch as much:
            return Refusal(steps, f"more than {much.work.families:,} families for one search of effort {self._effort}")
        except (SpecError, NoProgramError) as why:
            if len(steps) == len(self.calls) and isinstance(why, SpecError):
                raise
            return Refusal(steps, f"no program as one: {why}")
        return found

    def _group(self, steps: Steps) -> SolvedGroup:
        group, solved = self.calls.group(steps), self._problem(steps)
        assert not isinstance(solved, Refusal)
        solved.best
        return SolvedGroup(group, canonical_form(group.spec), solved)

    def _alone(self, steps: Steps) -> SolvedGroup:
        """A call by itself, whatever its search is."""
        group = self.calls.group(steps)
        if len(self.calls) > 1 and is_view(group.spec):
            if not set(group.gives) & set(self.calls.results):
                return SolvedGroup(group, group.spec, None)
            group = replace(group, spec=flat_copy(group.spec))
        canonical = canonical_form(group.spec)
        found = self._problems.get(group.spec)
        if not isinstance(found, (Solved, Divided)):
            found = solving(canonical, self._target, self._threads, self._store, self._memory)
            self._problems[group.spec] = found
        found.best
        return SolvedGroup(group, canonical, found)

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
        calls = self.calls
        steps = [(step.spec.operation, step.spec.sizes, step.reads) for step in calls.steps]
        types = [(str(t), t.constant) for t in calls.types]
        return digest(f"cut {steps!r} {types} {calls.results} {self._threads} {self._effort}")

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
