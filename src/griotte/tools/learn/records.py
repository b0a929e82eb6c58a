"""Timed programs on record: one SQLite file, a transaction for each Spec, so that a run that was stopped goes on.

    target   the targets, as the TOML text that an equal Target is made of
    goal     a Spec on a number of threads, a target, a machine and a compiler; when, and beside what load
    program  its programs: decisions, how each was come by, features and their version, price, times

Files are data from outside. A file that holds anything but these tables is refused. A row's data are checked where they
are read. Its decisions are followed choice by choice (engine/search/recorded.py), and no code comes out of it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from math import isfinite, nan
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiler.pricing import of_call
from ...engine.learned.features import NAMES, VERSION, features
from ...engine.learned.samples import Group, Samples
from ...engine.search.recorded import Misfit
from ...lang.text.text import parse
from ...machine import description
from ...machine.target import Target
from ...support.errors import GriotteError, TableError, TargetError
from ...support.folders import temporary_folder
from .drafts import SpecSpace

APPLICATION = int.from_bytes(b"grlr", "big")  # SQLite's application_id of such a file
SCHEMA = 2  # 1: without trees
LONGEST = 1 << 20  # characters of a text
NEAR = 1e-6  # relative; the price of one program, worked out twice

_TABLES = (
    "CREATE TABLE target (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)",
    "CREATE TABLE goal (id INTEGER PRIMARY KEY, spec TEXT NOT NULL, operation TEXT NOT NULL, threads INTEGER NOT NULL,"
    " target INTEGER NOT NULL, machine TEXT NOT NULL, compiler TEXT NOT NULL, load REAL NOT NULL, at REAL NOT NULL,"
    " seconds REAL NOT NULL, network TEXT NOT NULL, UNIQUE (spec, threads, target, machine, compiler))",
    "CREATE TABLE program (goal INTEGER NOT NULL, place INTEGER NOT NULL, decisions TEXT NOT NULL, source TEXT NOT"
    " NULL, version INTEGER NOT NULL, features BLOB NOT NULL, tree BLOB NOT NULL, price REAL NOT NULL, warm REAL NOT"
    " NULL, warm_median REAL NOT NULL, cold REAL, cold_median REAL, spread REAL NOT NULL, PRIMARY KEY (goal, place))"
    " WITHOUT ROWID",
)
_GOAL = ("spec", "operation", "threads", "target", "machine", "compiler", "load", "at", "seconds", "network")
_PROGRAM = (
    *("decisions", "source", "version", "features", "price"),
    *("warm", "warm_median", "cold", "cold_median", "spread", "tree"),
)


@dataclass(frozen=True)
class Timed:
    """A timed program. Times are microseconds of a call: a low quantile and the median, operands warm, and in memory
    (nan where that was not taken). `spread` is as in `Samples`; `tree` are its nodes (engine/learned/tree.py), none
    where they were not kept."""

    decisions: str
    source: str
    features: NDArray[np.float64]
    price: float
    warm: float
    warm_median: float
    cold: float
    cold_median: float
    spread: float
    version: int = VERSION
    tree: bytes = b""


@dataclass(frozen=True)
class TimedGoal:
    """The timed programs of a Spec, of one run. `target` is its TOML text, `load` the machine's load average before it,
    `at` seconds since 1970. `seconds` is the time of all of it; `network` is as in `Group`."""

    spec: str
    operation: str
    threads: int
    target: str
    machine: str
    compiler: str
    load: float
    at: float
    seconds: float
    programs: tuple[Timed, ...]
    network: str = ""

    @property
    def key(self) -> tuple:
        """The identity of a goal, which is timed once."""
        return self.spec, self.threads, self.target, self.machine, self.compiler


class Records:
    """A file of records; a new one where there is none. TableError where the path holds something else, or cannot be
    read or written."""

    def __init__(self, path: str | os.PathLike[str], writable: bool = True):
        self.path = Path(path)
        self._db: sqlite3.Connection | None = None
        if not writable and not self.path.exists():
            raise self._wrong("no such file")
        try:
            self._db = sqlite3.connect(
                f"{self.path.absolute().as_uri()}?mode={'rwc' if writable else 'ro'}", uri=True, isolation_level=None
            )
            self._db.execute("PRAGMA trusted_schema = OFF")
            self._prepare(writable)
        except sqlite3.Error as error:
            self.close()
            raise self._wrong(str(error)) from None

    @property
    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            raise self._wrong("one that was closed")
        return self._db

    def __enter__(self) -> Records:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Done with the file."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def __len__(self) -> int:
        return self._ask("SELECT count(*) FROM program")[0][0]

    @property
    def goals(self) -> int:
        """How many Specs, each on a number of threads, a target and a machine."""
        return self._ask("SELECT count(*) FROM goal")[0][0]

    def __contains__(self, key: object) -> bool:
        """Whether a goal of this key is there."""
        return isinstance(key, tuple) and bool(
            self._ask(
                "SELECT 1 FROM goal JOIN target ON target.id = goal.target WHERE spec = ? AND threads = ? AND text = ?"
                " AND machine = ? AND compiler = ?",
                key,
            )
        )

    def add(self, goal: TimedGoal) -> bool:
        """Keep the programs of a goal, all of them or none; whether they were not there already."""
        try:
            self._open.execute("BEGIN IMMEDIATE")
            try:
                is_new = goal.key not in self
                if is_new:
                    self._insert(goal)
                self._open.execute("COMMIT")
            except BaseException:
                self._open.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise self._wrong(str(error)) from None
        return is_new

    def merge(self, paths: Iterable[str | os.PathLike[str]]) -> int:
        """Take over the goals of other files that are not here; how many."""
        added = 0
        for path in paths:
            with Records(path, writable=False) as other:
                for goal in other.read():
                    added += self.add(goal)
        return added

    def read(self) -> Iterator[TimedGoal]:
        """All goals, in the order in which they were kept."""
        rows = self._ask(
            f"SELECT goal.id, {', '.join(_GOAL).replace('target', 'text')} FROM goal JOIN target"
            " ON target.id = goal.target ORDER BY goal.id"
        )
        for number, *values in rows:
            programs = self._ask(f"SELECT {', '.join(_PROGRAM)} FROM program WHERE goal = ? ORDER BY place", (number,))
            yield self._goal(values, [self._timed(row) for row in programs])

    def samples(self, version: int = VERSION) -> Samples:
        """All timed programs as arrays. Features of another version are made anew, of programs rebuilt from their
        decisions. TableError where `version` is none that can be made, or a program differs from its record."""
        groups, parts = [], []
        for goal in self.read():
            target = self._target(goal.target)
            found = self._features(goal, target, version)
            machine = f"{goal.machine}, {goal.compiler}"
            groups.append(Group(goal.spec, goal.operation, goal.threads, target.name, machine, goal.network))
            parts.append((goal.programs, found))
        programs = [timed for of_goal, _ in parts for timed in of_goal]
        column = lambda name: np.array([getattr(timed, name) for timed in programs], np.float64)
        return Samples(
            version,
            tuple(groups),
            np.repeat(np.arange(len(groups)), [len(of_goal) for of_goal, _ in parts]).astype(np.int64),
            np.concatenate([found for _, found in parts]) if parts else np.zeros((0, len(NAMES))),
            column("price"),
            column("warm"),
            column("cold"),
            column("spread"),
            tuple(timed.tree for timed in programs),
        )

    # ---- the file ----------------------------------------------------------------------------------------------------

    def _prepare(self, writable: bool) -> None:
        found = self._ask("SELECT sql FROM sqlite_master WHERE type != 'index' OR sql IS NOT NULL ORDER BY rowid")
        (application,), (schema,) = self._ask("PRAGMA application_id")[0], self._ask("PRAGMA user_version")[0]
        if not found and application == 0 and writable:
            self._open.execute("BEGIN IMMEDIATE")
            for table in _TABLES:
                self._open.execute(table)
            self._open.execute(f"PRAGMA application_id = {APPLICATION}")
            self._open.execute(f"PRAGMA user_version = {SCHEMA}")
            self._open.execute("COMMIT")
        elif application != APPLICATION:
            raise self._wrong("another database")
        elif schema != SCHEMA:
            raise self._wrong(f"records of schema {schema}, of another griotte")
        elif [text for (text,) in found] != list(_TABLES):
            raise self._wrong("other tables")

    def _ask(self, query: str, values: Sequence[Any] = ()) -> list[tuple]:
        try:
            with closing(self._open.execute(query, values)) as cursor:
                return cursor.fetchall()
        except (sqlite3.Error, UnicodeDecodeError, OverflowError) as error:
            raise self._wrong(str(error)) from None

    def _insert(self, goal: TimedGoal) -> None:
        execute = self._open.execute
        execute("INSERT OR IGNORE INTO target (text) VALUES (?)", (goal.target,))
        ((target,),) = execute("SELECT id FROM target WHERE text = ?", (goal.target,)).fetchall()
        values = [target if name == "target" else getattr(goal, name) for name in _GOAL]
        number = execute(f"INSERT INTO goal ({', '.join(_GOAL)}) VALUES ({_holes(_GOAL)})", values).lastrowid
        self._open.executemany(
            f"INSERT INTO program (goal, place, {', '.join(_PROGRAM)}) VALUES (?, ?, {_holes(_PROGRAM)})",
            [
                (number, place, *(_stored(getattr(timed, name)) for name in _PROGRAM))
                for place, timed in enumerate(goal.programs)
            ],
        )

    def _wrong(self, what: str) -> TableError:
        return TableError(
            f"expected a file of records that griotte learn collect wrote, found {what}: {self.path}; name another file"
        )

    # ---- what rows say -----------------------------------------------------------------------------------------------

    def _goal(self, values: list[Any], programs: list[Timed]) -> TimedGoal:
        spec, operation, threads, target, machine, compiler, *numbers, network = values
        texts = (spec, operation, target, machine, compiler, network)
        if not all(isinstance(x, str) and len(x) <= LONGEST for x in texts):
            raise self._wrong("a goal without its texts")
        if type(threads) is not int or not 1 <= threads <= 1 << 20 or not all(map(_is_number, numbers)):
            raise self._wrong("a goal without its numbers")
        load, at, seconds = numbers
        return TimedGoal(
            *(spec, operation, threads, target, machine, compiler, load, at, seconds),
            programs=tuple(programs),
            network=network,
        )

    def _timed(self, row: tuple) -> Timed:
        decisions, source, version, found, *numbers, tree = row
        if not all(isinstance(x, str) and len(x) <= LONGEST for x in (decisions, source)) or type(version) is not int:
            raise self._wrong("a program without its texts")
        if not isinstance(found, bytes) or len(found) % 8 or len(found) > LONGEST:
            raise self._wrong("a program without its features")
        if not isinstance(tree, bytes) or len(tree) > LONGEST:
            raise self._wrong("a program without its tree")
        price, warm, warm_median, cold, cold_median, spread = (nan if x is None else x for x in numbers)
        known = all(_is_number(x) and x > 0 for x in (price, warm, warm_median)) and _is_number(spread) and spread >= 0
        if not known or not all(x != x or _is_number(x) and x > 0 for x in (cold, cold_median)):
            raise self._wrong("a program without its times")
        array = np.frombuffer(found, "<f8").astype(np.float64)
        if not np.isfinite(array).all() or version == VERSION and len(array) != len(NAMES):
            raise self._wrong("a program with other features")
        return Timed(decisions, source, array, price, warm, warm_median, cold, cold_median, spread, version, tree)

    def _features(self, goal: TimedGoal, target: Target, version: int) -> NDArray[np.float64]:
        if all(timed.version == version for timed in goal.programs):
            return np.array([timed.features for timed in goal.programs]).reshape(len(goal.programs), -1)
        if version != VERSION:
            raise TableError(
                f"expected features of version {VERSION}, or as they were kept, found version {version} asked of"
                f" {self.path}; ask for {VERSION}"
            )
        roots = self._rebuilt(goal, target)
        return features(roots, of_call(target, parse(goal.spec), goal.threads), goal.threads)

    def _rebuilt(self, goal: TimedGoal, target: Target) -> list[Any]:
        try:
            of_spec = SpecSpace(parse(goal.spec), target, goal.threads)
            roots = [of_spec.rebuilt(timed.decisions) for timed in goal.programs]
        except (Misfit, GriotteError) as why:
            raise self._wrong(f"a program that is none ({why})") from None
        for root, timed in zip(roots, goal.programs):
            if abs(root.cost - timed.price) > NEAR * timed.price:
                raise self._wrong(f"a program of {timed.price:.6g} cycles that has {root.cost:.6g}")
        return roots

    def _target(self, text: str) -> Target:
        try:
            return target_of(text)
        except TargetError as why:
            raise self._wrong(f"a target that is none ({why})") from None


_targets: dict[str, Target] = {}


def target_of(text: str) -> Target:
    """The Target of a TOML text; TargetError where it is none."""
    if text not in _targets:
        with temporary_folder() as folder:
            path = Path(folder) / "target.toml"
            path.write_text(text, encoding="utf-8")
            _targets[text] = description.load(path)
    return _targets[text]


def _holes(columns: Sequence[str]) -> str:
    return ", ".join("?" * len(columns))


def _stored(x: Any) -> Any:
    """A field as a column has it: features as bytes, nan as NULL."""
    if isinstance(x, np.ndarray):
        return np.ascontiguousarray(x, "<f8").tobytes()
    return None if isinstance(x, float) and not isfinite(x) else x


def _is_number(x: object) -> bool:
    return isinstance(x, (int, float)) and not isinstance(x, bool) and isfinite(x)
