"""The table on disk as one search sees it: the solutions of one target in one version of the space.

A row is believed only if its digest, of key and bytes, fits; one that does not is dropped, and solved again.
"""

from __future__ import annotations

import os

from . import keys
from .file import File, opened
from .patch import Damaged, Patch

GOALS = (
    "CREATE TABLE IF NOT EXISTS goal (context INTEGER NOT NULL, spec TEXT NOT NULL, threads INTEGER NOT NULL, PRIMARY"
    " KEY (context, spec, threads)) WITHOUT ROWID"
)
_PATCHES = "SELECT id, digest, data FROM patch WHERE context = ? AND key = ? ORDER BY id DESC"


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

    def keep(self, key: str, family, patch: Patch) -> None:
        """Add a patch, in place of those that it covers."""
        data, context = patch.encode(), self._own_context()
        digest = row_digest(key, data)

        def write(db) -> None:
            db.execute(
                "INSERT OR IGNORE INTO family VALUES (?, ?, ?, ?)",
                (context, key, family.operation.name, keys.family_text(family)),
            )
            # one with holes covers none
            others = [] if patch.holes else db.execute(_PATCHES, (context, key)).fetchall()
            for row, _, old in others:
                if covered(patch, old):
                    db.execute("DELETE FROM patch WHERE id = ?", (row,))
            values = (context, key, patch.points, len(patch.boxes.value), digest, data)
            db.execute(
                "INSERT INTO patch (context, key, points, boxes, digest, data) VALUES (?, ?, ?, ?, ?, ?)", values
            )
            self._kept(db, context, key, data)

        self.file.write(write)

    def _kept(self, db, context: int | None, key: str, data: bytes) -> None:
        """In the transaction that keeps a family as these bytes."""

    def drop(self, key: str) -> None:
        """Forget a family."""
        self.file.write(
            lambda db: db.execute("DELETE FROM patch WHERE context = ? AND key = ?", (self._own_context(), key))
        )

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
        row = (self._own_context(), key, value, row_digest(key, value.encode()))
        self.file.write(lambda db: db.execute("INSERT OR REPLACE INTO choice VALUES (?, ?, ?, ?)", row))

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
