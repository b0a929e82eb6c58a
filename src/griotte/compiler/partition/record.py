"""What the table remembers of how the calls of a Spec are cut."""

from __future__ import annotations

import json
from functools import lru_cache

from ...engine.table import alike, digest
from ...lang.calls.calls import CallGraph
from ...lang.calls.spec import Spec
from ..session import Session
from .calls import Steps


class CutRecord:
    """The groups that the calls of a Spec were cut into, and why they are not one search, in the table of a session;
    nothing without one."""

    def __init__(self, spec: Spec, calls: CallGraph, session: Session):
        self._spec, self._calls, self._session = spec, calls, session

    def refusal(self) -> str | None:
        """Why the calls are not one search; None where that is not known."""
        return self._read("one")

    def refuse(self, why: str) -> None:
        """Remember that the calls are not one search."""
        if self._session.store is not None:
            self._session.store.choose(self._key("one"), why)

    def groups(self) -> list[Steps] | None:
        """The groups of calls; None where there are none, or all calls were one."""
        text = self._read("parts")
        if text is None:
            return None
        try:
            found = [tuple(map(int, steps)) for steps in json.loads(text)]
        except (ValueError, TypeError):
            return None
        is_all = sorted(s for steps in found for s in steps) == list(range(len(self._calls.calls)))
        return found if is_all and len(found) > 1 and self._is_in_order(found) else None

    def note(self, groups: list[Steps]) -> None:
        """Remember the groups of calls, where they are several."""
        if self._session.store is not None and len(groups) > 1:
            text = json.dumps(groups)
            if self._read("parts") != text:
                self._session.store.choose(self._key("parts"), text)

    def _read(self, what: str) -> str | None:
        return self._session.store.choice(self._key(what)) if self._session.store is not None else None

    def _key(self, what: str) -> str:
        calls = self._calls
        counted = [value for value in self._spec.graph.calls if value not in calls.number]
        number = calls.number | {value: -1 - n for n, value in enumerate(counted)}
        of = lambda values: tuple(number[value.key] for value in values)
        steps = alike(repr([(v.spec.operation, v.spec.sizes, of(v.values)) for v in (*calls.calls, *counted)]))
        types = [(str(t), t.constant) for t in calls.types]
        asked = f"{self._session.threads} {self._session.effort}"
        if self._session.work is not None:
            asked += f" {self._session.work}"
        return digest(f"{what} {steps} {types} {calls.numbers(calls.gives)} {asked}")

    def _is_in_order(self, groups: list[Steps]) -> bool:
        """Whether each group reads what comes in, or those before it give."""
        there = {*self._calls.inputs}
        for steps in groups:
            own = [self._calls.calls[s] for s in steps]
            if not own or list(steps) != sorted(steps) or not set(self._calls.read_by(own)) <= there:
                return False
            there.update(own)
        return True


@lru_cache(1 << 10)
def searched_as(spec: Spec) -> str:
    """A name of a Spec's search, equal for all that differ by numbers alone that no search tells apart: the table
    answers for all of them once one is solved."""
    graph = spec.graph
    steps = [(value.spec.operation, value.spec.sizes, graph.numbers(value.values)) for value in graph.calls]
    types = [(str(t), t.constant) for t in graph.types]
    return digest(f"{alike(repr(steps))} {types} {graph.numbers(graph.gives)} {spec.dynamic}")
