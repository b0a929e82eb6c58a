"""The shipped table as a search sees it: opened when something is first asked for, in each process once.

Whatever is wrong with the file costs time, never an answer: one line says so, and all is solved as if there were none.
A file of another version of the space, or for other machines, is no fault: it answers nothing.
"""

from __future__ import annotations

import os
import warnings
from functools import cache
from pathlib import Path

from ....machine.target import Target
from ....support.errors import TableWarning
from ....support.forks import ForkLock
from ..keys import space
from ..patch import Damaged, Patch
from .keys import choice_key, goal_key, seen_key
from .layout import RecordFile, patches_of, read

OWN = Path(__file__).with_name("shipped.table")
VARIABLE = "GRIOTTE_SHIPPED"


class Shipped:
    """The shipped table of a path. Safe for threads; it is read alone."""

    def __init__(self, path: Path):
        self.path = path
        self._lock = ForkLock()
        self._layout: RecordFile | None = None
        self._is_open = False

    @property
    def layout(self) -> RecordFile | None:
        """What the file holds; None where there is none, or it is not whole."""
        with self._lock:
            if not self._is_open:
                self._is_open = True
                try:
                    self._layout = read(self.path.read_bytes())
                except FileNotFoundError:
                    pass
                except (Damaged, OSError, ValueError, KeyError, TypeError) as why:
                    self._tell(why)
            return self._layout

    @property
    def is_current(self) -> bool:
        """Whether there is one, of this version of the space."""
        return self.layout is not None and self.layout.header.get("space") == space()

    def patches(self, family, home: int, target) -> tuple[Patch, ...]:
        """What it holds of a family."""
        record = self._record(lambda: seen_key(family, home, target))
        try:
            return () if record is None else patches_of(record)
        except Damaged as why:
            self.doubt(why)
            return ()

    def choice(self, key: str, target) -> str | None:
        """A small answer that is no family's, for a target."""
        record = self._record(lambda: choice_key(key, target))
        return None if record is None else record.decode(errors="replace")

    def answers(self, spec: str, threads: int, target) -> bool:
        """Whether a Spec, as text, was solved into it for such a target."""
        homes = range(1, len(target.levels))
        return any(self._record(lambda: goal_key(spec, threads, home, target)) is not None for home in homes)

    def doubt(self, why: Exception) -> None:
        """Use nothing of it from here on, and tell why."""
        with self._lock:
            self._layout = None
            self._tell(why)

    def _record(self, key) -> bytes | None:
        layout = self.layout if self.is_current else None
        try:
            return None if layout is None else layout.record(key())
        except Damaged as why:
            self.doubt(why)
            return None

    def _tell(self, why: Exception) -> None:
        warnings.warn(
            f"expected a whole table beside griotte's code, found a damaged one: {self.path} ({why}); it is left out,"
            " and all is solved; install griotte again",
            TableWarning,
            stacklevel=4,
        )


class Beneath:
    """The shipped table beneath one search; `of` another machine than that of the search, where that is given.
    `was_read`: whether something came from there."""

    def __init__(self, table: Shipped, of: Target | None = None):
        self._table, self._of = table, of
        self._is_left_out = self.was_read = False

    def patches(self, family, home: int, target) -> tuple[Patch, ...]:
        """What it holds of a family, for an answer."""
        found = () if self._is_left_out else self._table.patches(family, home, self._of or target)
        self.was_read |= bool(found)
        return found

    def left_out(self, why: Damaged | None) -> bool:
        """Whether an answer may have been wrong because of it: then it is left out of this search from here on, and
        with a reason of all."""
        is_to_be = self.was_read and not self._is_left_out
        if is_to_be and why is not None:
            self.doubt(why)
        self._is_left_out |= is_to_be
        return is_to_be

    def doubt(self, why: Damaged) -> None:
        """Report its fault."""
        self._table.doubt(why)


class OfNear:
    """In place of a store: what the shipped table holds of another machine, to be priced by one's own. A program read
    so is one like others, and need not be the best."""

    selects = False

    def __init__(self, table: Shipped, machine: Target):
        self._beneath = Beneath(table, machine)

    def beneath(self) -> Beneath:
        return self._beneath

    def load(self, key: str, asked: bool = True) -> list[Patch]:
        return []

    def choice(self, key: str) -> None:
        return None


@cache
def _of(path: Path) -> Shipped:
    return Shipped(path)


def shipped() -> Shipped | None:
    """The table that comes with griotte, or that GRIOTTE_SHIPPED names; None where it says "none"."""
    named = os.environ.get(VARIABLE)
    return None if named == "none" else _of(Path(named) if named else OWN)
