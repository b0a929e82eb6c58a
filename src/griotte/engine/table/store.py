"""The table on disk as one search sees it: the solutions of one target in one version of the space.

A row is believed only if its digest, of key and bytes, fits; one that does not is dropped, and solved again.

The table in the user's cache keeps the families that a later Spec would meet, notes when each was last used, and gives
up those that were not used for longest. A search writes every family as it is solved, so that others that run beside it
need not solve it. At its end those that no answer would read go again (engine/search/reached.py), and so they do where
room is wanted: unmet ones first.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakSet

from . import keys
from .file import File, opened
from .patch import Damaged, Patch
from .shipped.machines import near
from .shipped.reading import Beneath, OfNear, Shipped, shipped

GOALS = (
    "CREATE TABLE IF NOT EXISTS goal (context INTEGER NOT NULL, spec TEXT NOT NULL, threads INTEGER NOT NULL, PRIMARY"
    " KEY (context, spec, threads)) WITHOUT ROWID"
)
_DROP = "DELETE FROM patch WHERE context = ? AND key = ?"
_PATCHES = "SELECT id, digest, data FROM patch WHERE context = ? AND key = ? ORDER BY id DESC"

Kept = tuple[str, Any, Patch]  # key, family, and its known solutions

STAMP_S = 3600  # how old a note of use grows before it is written anew
LOG = 1 << 20  # bytes of the log of the cache's table, or a fifth of both, beyond which it goes back into the file
AT_ONCE = 500  # families of a transaction, and of a query

_noted: WeakSet[File] = WeakSet()  # open files in which use was seen to be noted

_USE = """CREATE TABLE IF NOT EXISTS use (context INTEGER NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL,
    met INTEGER NOT NULL, PRIMARY KEY (context, key)) WITHOUT ROWID"""
_NOTE = "INSERT INTO use VALUES (?, ?, ?, ?) ON CONFLICT (context, key) DO UPDATE SET at = excluded.at"
_NOTED = """SELECT ifnull(u.met, 0) = 1, CAST(ifnull(u.at, 0) AS INTEGER), sum(length(p.data)), p.context, p.key
    FROM patch p LEFT JOIN use u ON u.context = p.context AND u.key = p.key GROUP BY p.context, p.key"""
_UNNOTED = "SELECT 0, 0, sum(length(data)), context, key FROM patch GROUP BY context, key"
_HELD = ("patch", "family", "use")  # what goes with a family
_IS_MET = "EXISTS (SELECT 1 FROM use u WHERE u.context = ?1 AND u.key = ?2 AND u.met = 1)"
_IS_USED = "EXISTS (SELECT 1 FROM use u WHERE u.context = ?1 AND u.key = ?2 AND u.at > ?3)"


def row_digest(key: str, data: bytes) -> str:
    return keys.digest(key.encode() + b"\0" + data)


class Store:
    """The solutions in a table file that hold for a target. Safe for threads; any number of processes may share a
    file."""

    selects = False  # whether it keeps only what a later Spec meets

    def __init__(self, path: str | os.PathLike[str], target):
        self.file: File = opened(path)
        self.target, self.space, self._name = keys.target_key(target), keys.space(), target.name
        self._context: int | None = None

    def beneath(self) -> Beneath | None:
        """What lies beneath it, for one search."""
        return None

    def near(self, count: int, threads: int) -> list[OfNear]:
        """What lies beneath it of machines like its own, by their prices of a call that goes over so many bytes."""
        return []

    @property
    def claims(self):
        return self.file.claims

    def load(self, key: str, asked: bool = True) -> list[Patch]:
        """The patches of a family, newest first; `asked` for an answer, not for a search."""
        found = []
        for row, digest, data in self.file.rows(_PATCHES, (self._known_context(), key)):
            try:
                if not isinstance(data, bytes) or digest != row_digest(key, data):
                    raise Damaged("its digest does not fit")
                found.append(Patch.decode(data))
            except Damaged as why:
                self._drop(row, why)
        return found

    def keep(self, *kept: Kept, anew: bool = False) -> None:
        """Add patches in one transaction, in place of those that they cover; `anew`: of all that there is of these
        families."""
        if not kept:
            return
        context = self._own_context()
        rows = [(key, family, patch, patch.encode()) for key, family, patch in kept]

        def write(db) -> None:
            if anew:
                db.executemany(_DROP, [(context, key) for key, *_ in rows])
            db.executemany(
                "INSERT OR IGNORE INTO family VALUES (?, ?, ?, ?)",
                [(context, key, family.operation.name, keys.family_text(family)) for key, family, *_ in rows],
            )
            for key, _, patch, data in rows:
                # one with holes covers none
                others = [] if patch.holes else db.execute(_PATCHES, (context, key)).fetchall()
                for row, _, old in others:
                    if covered(patch, old):
                        db.execute("DELETE FROM patch WHERE id = ?", (row,))
                values = context, key, patch.points, len(patch.boxes.value), row_digest(key, data), data
                db.execute(
                    "INSERT INTO patch (context, key, points, boxes, digest, data) VALUES (?, ?, ?, ?, ?, ?)", values
                )
            self._kept(db, context, [(key, data) for key, _, _, data in rows])

        self.file.write(write)

    def _kept(self, db, context: int | None, rows: list[tuple[str, bytes]]) -> None:
        """In the transaction that keeps families as these bytes."""

    def choice(self, key: str) -> str | None:
        """A small answer that is no family's."""
        for value, digest in self.file.rows(
            "SELECT value, digest FROM choice WHERE context = ? AND key = ?", (self._known_context(), key)
        ):
            if isinstance(value, str) and digest == row_digest(key, value.encode()):
                return value
            self.file.doubt(Damaged("a choice whose digest does not fit"))
        return None

    def choose(self, key: str, value: str) -> None:
        self.choose_all({key: value})

    def choose_all(self, chosen: Mapping[str, str]) -> None:
        """Keep small answers, in one transaction."""
        context = self._own_context()
        rows = [(context, key, value, row_digest(key, value.encode())) for key, value in chosen.items()]
        self.file.write(lambda db: db.executemany("INSERT OR REPLACE INTO choice VALUES (?, ?, ?, ?)", rows))

    def unchoose(self, key: str) -> None:
        self.file.write(
            lambda db: db.execute("DELETE FROM choice WHERE context = ? AND key = ?", (self._own_context(), key))
        )

    def remember(self, spec: str, threads: int) -> None:
        """That this Spec, as text, was solved into the table: who checks the table solves it again."""
        row = (self._own_context(), spec, threads)

        def write(db) -> None:
            db.execute(GOALS)
            db.execute("INSERT OR IGNORE INTO goal VALUES (?, ?, ?)", row)

        self.file.write(write)

    def remembers(self, spec: str, threads: int) -> bool:
        """Whether that Spec was solved into the table."""
        if not self.file.rows("SELECT 1 FROM sqlite_master WHERE name = 'goal'"):
            return False
        return bool(
            self.file.rows(
                "SELECT 1 FROM goal WHERE context = ? AND spec = ? AND threads = ?",
                (self._known_context(), spec, threads),
            )
        )

    def settle(self, wrote: bool) -> int:
        """At the end of an answer; `wrote`: after a search. The bytes that were kept, of a file in the cache."""
        if wrote:
            self.file.kept_whole()
            self.file.settle()
        return 0

    def _drop(self, row: int, why: Damaged) -> None:
        self.file.doubt(why)
        self.file.write(lambda db: db.execute("DELETE FROM patch WHERE id = ?", (row,)))

    def _known_context(self) -> int | None:
        if self._context is None:
            rows = self.file.rows("SELECT id FROM context WHERE target = ? AND space = ?", (self.target, self.space))
            self._context = rows[0][0] if rows else None
        return self._context

    def _own_context(self) -> int | None:
        """The context's row, made if need be: in a transaction of its own, for another's failure would take it back."""
        if self._known_context() is None:
            self.file.write(
                lambda db: db.execute(
                    "INSERT OR IGNORE INTO context (target, space, name) VALUES (?, ?, ?)",
                    (self.target, self.space, self._name),
                )
            )
        return self._known_context()


def covered(patch: Patch, data: bytes) -> bool:
    """Whether `patch` answers all that the patch of these bytes does."""
    try:
        return not isinstance(data, bytes) or patch.covers(Patch.decode(data))
    except Damaged:
        return True


class CachedStore(Store):
    """The store of the user's cache."""

    selects = True

    def __init__(self, path, target):
        super().__init__(path, target)
        self.shipped: Shipped | None = shipped()
        self._of = target
        self._asked: set[str] = set()
        self._kept_bytes = 0

    def load(self, key: str, asked: bool = True) -> list[Patch]:
        found = super().load(key, asked)
        if asked and found:
            self._asked.add(key)
        return found

    def absent(self, families: Iterable[tuple[str, Any]]) -> set:
        """Those of some families, by their keys, that the file does not have."""
        if self._known_context() is None:
            return {family for _, family in families}
        by_key = dict(families)
        there = self._there("patch", by_key)
        return {family for key, family in by_key.items() if key not in there}

    def beneath(self) -> Beneath | None:
        return None if self.shipped is None else Beneath(self.shipped)

    def near(self, count: int, threads: int) -> list[OfNear]:
        table = self.shipped
        if table is None or not table.is_current:
            return []
        return [OfNear(table, machine.called(count, threads)) for machine in near(self._of)]

    def choice(self, key: str) -> str | None:
        own = super().choice(key)
        return own if own is not None or self.shipped is None else self.shipped.choice(key, self._of)

    def remembers(self, spec: str, threads: int) -> bool:
        own = super().remembers(spec, threads)
        return own or self.shipped is not None and self.shipped.answers(spec, threads, self._of)

    def _kept(self, db, context: int | None, rows: list[tuple[str, bytes]]) -> None:
        self._kept_bytes += sum(len(data) for _, data in rows)
        db.execute(_USE)
        db.executemany(_NOTE, [(context, key, _now(), 0) for key, _ in rows])

    def select(self, met: Mapping[str, tuple], others: Iterable[str]) -> None:
        """Keep the families that are met, also where another process dropped them meanwhile, and drop those of the
        others that no Spec met yet."""
        there = self._there("patch", met)
        self.keep(
            *(
                (key, family, patch)
                for key, (family, patches) in met.items()
                if key not in there
                for patch in reversed(patches)
            )
        )
        context, now = self._own_context(), _now()
        notes, unmet = [(context, key, now, 1) for key in met], [(context, key) for key in others]

        def write(db) -> None:
            db.execute(_USE)
            db.executemany(f"{_NOTE}, met = 1", notes)
            for table in _HELD:  # `use` last: it says which families are met
                db.executemany(f"DELETE FROM {table} WHERE context = ?1 AND key = ?2 AND NOT {_IS_MET}", unmet)

        self.file.write(write)

    def settle(self, wrote: bool) -> int:
        """Note what was asked for, where the last note is old."""
        context, now = self._known_context(), _now()
        fresh = (
            self._there("use", self._asked, f" AND met = 1 AND at > {now - STAMP_S}") if _notes(self.file) else set()
        )
        stale = [(context, key, now, 1) for key in self._asked - fresh]
        self._asked.clear()

        def write(db) -> None:
            db.execute(_USE)
            db.executemany(f"{_NOTE}, met = 1", stale)

        if stale and self.file.writable:
            self.file.write(write)
        if wrote:
            self.file.kept_whole()
            if self.file.log_bytes > min(LOG, self.file.bytes // 5):
                self.file.shrink()
        kept, self._kept_bytes = self._kept_bytes, 0
        return kept

    def _there(self, table: str, keys: Iterable[str], besides: str = "") -> set[str]:
        """Which of these families a table of the file has."""
        wanted, found, context = list(keys), set(), self._known_context()
        for first in range(0, len(wanted), AT_ONCE):
            part = wanted[first : first + AT_ONCE]
            marks = ", ".join("?" * len(part))
            query = f"SELECT key FROM {table} WHERE context = ? AND key IN ({marks}){besides}"
            found |= {key for (key,) in self.file.rows(query, (context, *part))}
        return found


@dataclass(frozen=True)
class HeldFamily:
    """A family that a table holds: whether any Spec met it, when it was last used (in seconds since 1970), its bytes
    in the file."""

    is_met: bool
    at: int
    bytes: int
    context: int
    key: str


def held_families(path: Path) -> list[HeldFamily]:
    """The families of a table in the cache."""
    file = opened(path)
    found = file.rows(_NOTED) if _notes(file) else file.rows(_UNNOTED)
    more = file.bytes / max(1, sum(row[2] for row in found))  # what pages take beyond the rows in them
    return [HeldFamily(bool(met), at, int(size * more), context, key) for met, at, size, context, key in found]


def _notes(file: File) -> bool:
    """Whether use was ever noted in a table."""
    if file not in _noted and file.rows("SELECT 1 FROM sqlite_master WHERE name = 'use'"):
        _noted.add(file)
    return file in _noted


def drop_families(path: Path, families: Iterable[HeldFamily]) -> None:
    """Drop families, but for those that were used meanwhile, and give the room back to the disk."""
    file, wanted = opened(path), [(family.context, family.key, family.at) for family in families]
    for first in range(0, len(wanted), AT_ONCE):  # others write in between

        def write(db, part=wanted[first : first + AT_ONCE]) -> None:
            db.execute(_USE)
            for table in _HELD:
                db.executemany(f"DELETE FROM {table} WHERE context = ?1 AND key = ?2 AND NOT {_IS_USED}", part)

        file.write(write)
    file.shrink(anew=True)


def _now() -> int:
    return int(time.time())
