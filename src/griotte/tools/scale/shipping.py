"""The table that comes with griotte, made: Specs of a list are solved for known machines, and what their programs read
is packed (engine/table/shipped).

A list has a line for each Spec, JSON: its text, the effort, whether it is asked for as one search or not at all, and
the machines that it is for. What was solved lies in the table of the cache, so that it can be stopped, and goes on from
there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ...compiler.partition import Partition
from ...compiler.session import Session
from ...engine.table.shipped import PackedAnswers
from ...engine.table.shipped.keys import scope
from ...engine.table.shipped.machines import ShippedMachine, machines
from ...engine.table.store import CachedStore
from ...lang.text.text import parse
from ...machine.target import Target
from ...support.errors import GriotteError, NoProgramError
from ...support.folders import writable_dir

MACHINES = machines()


def told_of(machine: ShippedMachine, specs: int) -> dict[str, Any]:
    """What the file says of a machine: how many Specs it has for it, and where arrays of f32 may rest, as digests."""
    target = machine.target
    return {"specs": specs, "scopes": [scope(target, level, "f32") for level in range(1, len(target.levels))]}


@dataclass(frozen=True, order=True)
class Asked:
    """A Spec that models ask for, and how they do."""

    spec: str
    effort: int = 2
    as_one: bool = False
    machines: tuple[str, ...] = tuple(MACHINES)


def listed(path: Path) -> list[Asked]:
    """The Specs of a list."""
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [Asked(spec, effort, as_one, tuple(machines)) for spec, effort, as_one, machines in rows]


def listing(asked: Iterable[Asked]) -> str:
    """The text of a list."""
    rows = ((each.spec, each.effort, each.as_one, each.machines) for each in asked)
    return "".join(f"{json.dumps(row, separators=(',', ':'))}\n" for row in rows)


class _Noting(CachedStore):
    """The table that is solved into, that of the user's cache. It notes which small answers are read, and has nothing
    beneath it."""

    def __init__(self, target: Target):
        super().__init__(writable_dir("tables") / "default.griotte", target)
        self.shipped = None
        self.read: dict[str, str] = {}

    def choice(self, key: str) -> str | None:
        found = super().choice(key)
        if found is not None:
            self.read[key] = found
        return found


class ShippingSession(Session):
    """A session that solves what ships, each Spec by the prices of its call."""

    @cached_property
    def store(self) -> _Noting:
        return _Noting(self.target)


def solve(asked: Asked, target: Target) -> tuple[ShippingSession, Partition | None]:
    """Solve a Spec into the user's table, by the prices of its call: in which session, and None where it has no program
    as it is asked for."""
    spec = parse(asked.spec)
    session = ShippingSession(target, effort=asked.effort).of_call(spec)
    try:
        return session, Partition(spec, session, asked.as_one)
    except NoProgramError:
        return session, None


def ship(asked: Iterable[Asked], target: Target, answers: PackedAnswers) -> Iterator[tuple[Asked, str]]:
    """Add the answers of Specs, solved where the table lacks them; of each what went wrong, or nothing."""
    for each in asked:
        try:
            solve(each, target)
            session, found = solve(each, target)  # again: now all is read
        except GriotteError as error:
            yield each, str(error)
            continue
        homes = [1]
        for part in () if found is None else found.searches:
            part.reread(answers.reading(part.table))
            homes.append(part.start.home)
        for key, value in session.store.read.items():
            answers.add_choice(key, value, session.target)
        answers.add_goal(each.spec, session.threads, max(homes), session.target)
        yield each, ""
