"""The table in the user's cache: it keeps what a later Spec would meet, notes when that was last used, and gives up
what was not used for longest.

A search writes every family as it is solved, so that others that run beside it need not solve it. At its end those that
no answer would read go again (engine/search/reached.py), and so they do where room is wanted: unmet ones first.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakSet

from .file import File, opened
from .patch import Patch
from .store import Store

__all__ = ["CachedStore", "HeldFamily", "Store", "drop", "held"]

STAMP_S = 3600  # how old a note of use grows before it is written anew
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


class CachedStore(Store):
    """The store of the user's cache."""

    selects = True

    def __init__(self, path, target):
        super().__init__(path, target)
        self._asked: set[str] = set()
        self._kept_bytes = 0

    def load(self, key: str, asked: bool = True) -> list[Patch]:
        if asked:
            self._asked.add(key)
        return super().load(key, asked)

    def _kept(self, db, context: int | None, key: str, data: bytes) -> None:
        self._kept_bytes += len(data)
        db.execute(_USE)
        db.execute(_NOTE, (context, key, _now(), 0))

    def select(self, met: Mapping[str, tuple], others: Iterable[str]) -> None:
        """Keep the families that are met, also where another process dropped them meanwhile, and drop those of the
        others that no Spec met yet."""
        there = self._there("patch", met)
        for key, (family, patches) in met.items():
            for patch in [] if key in there else reversed(patches):
                self.keep(key, family, patch)
        context, now = self._own_context(), _now()
        notes, unmet = [(context, key, now, 1) for key in met], [(context, key) for key in others]

        def write(db) -> None:
            db.execute(_USE)
            db.executemany(f"{_NOTE}, met = 1", notes)
            for table in _HELD:  # `use` last: it says who is met
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


def held(path: Path) -> list[HeldFamily]:
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


def drop(path: Path, families: Iterable[HeldFamily]) -> None:
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
