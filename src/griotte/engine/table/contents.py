"""The rows of a table file, over all targets and versions of the space: for the verbs that look at whole files.

A search reads a file through `Store`, which forgives; here TableError names the fault of a file.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ...support.errors import TableError
from . import keys
from .database import FAILURES, connect, is_damage
from .patch import Damaged, Patch
from .store import GOALS, row_digest
from .tuned import Tuned

OF_CONTEXT = ("family", "patch", "choice", "goal", "use")  # tables whose rows belong to a context


@dataclass(frozen=True)
class Context:
    """What the rows of a context hold for: a target, and a version of the space."""

    id: int
    target: str
    space: str
    name: str

    @property
    def current(self) -> bool:
        """Whether this griotte's space is the one that was searched."""
        return self.space == keys.space()


@dataclass(frozen=True)
class Row:
    """One patch as it is stored."""

    id: int
    context: int
    key: str
    points: int
    boxes: int
    digest: str
    data: bytes

    def patch(self) -> Patch:
        """Damaged where the digest does not fit, or the bytes are no patch."""
        if not (isinstance(self.key, str) and isinstance(self.data, bytes)):
            raise Damaged("it is no bytes under a key")
        if self.digest != row_digest(self.key, self.data):
            raise Damaged("its digest does not fit")
        return Patch.decode(self.data)


def _texts(*columns: str) -> str:
    return " AND ".join(f"typeof({column}) = 'text'" for column in columns)


_TYPES = {
    "context": _texts("target", "space", "name"),
    "family": f"typeof(context) = 'integer' AND {_texts('key', 'operation', 'text')}",
    "choice": f"typeof(context) = 'integer' AND {_texts('key', 'value', 'digest')}",
    "goal": f"typeof(context) = 'integer' AND {_texts('spec')} AND typeof(threads) = 'integer'",
}
"""What a row of each table is, as a condition on it; a patch's row is checked with its bytes."""


class DamagedTable(TableError):
    """A table that SQLite cannot read as a whole."""


class Contents:
    """The rows of an open table."""

    def __init__(self, path: Path, db: sqlite3.Connection, writable: bool):
        self.path, self.db, self.writable = path, db, writable

    def contexts(self) -> list[Context]:
        return [
            Context(*row)
            for row in self.db.execute(
                f"SELECT id, target, space, name FROM context WHERE {_texts('target', 'space', 'name')} ORDER BY id"
            )
        ]

    def rows(self, context: int | None = None) -> Iterator[Row]:
        """Patches in the order in which they were kept."""
        where, values = ("", ()) if context is None else ("WHERE context = ?", (context,))
        for (row,) in self.db.execute(f"SELECT id FROM patch {where} ORDER BY id", values).fetchall():
            yield from self.row(row)

    def row(self, id: int) -> list[Row]:
        """The patch of this id; none where it went meanwhile."""
        return [
            Row(*row)
            for row in self.db.execute(
                "SELECT id, context, key, points, boxes, digest, data FROM patch WHERE id = ?", (id,)
            )
        ]

    def families(self) -> list[tuple[int, str, str, str]]:
        """(context, key, operation, text)"""
        return self.db.execute(
            f"SELECT context, key, operation, text FROM family WHERE {_texts('key', 'operation', 'text')}"
        ).fetchall()

    def choices(self) -> list[tuple[int, str, str, str]]:
        """(context, key, value, digest)"""
        return self.db.execute(
            f"SELECT context, key, value, digest FROM choice WHERE {_texts('key', 'value', 'digest')}"
        ).fetchall()

    def tunings(self) -> list[tuple[int, Tuned]]:
        """(context, which of a goal's programs was the fastest on a machine), by Spec and threads."""
        found = [
            (context, Tuned.decode(value))
            for context, key, value, digest in self.choices()
            if digest == row_digest(key, value.encode())
        ]
        return sorted(
            ((context, tuned) for context, tuned in found if tuned is not None),
            key=lambda row: (row[0], row[1].spec, row[1].threads, row[1].machine),
        )

    def goals(self) -> list[tuple[int, str, int]]:
        """(context, Spec as text, threads) of each Spec that was solved into the file."""
        if not self.db.execute("SELECT 1 FROM sqlite_master WHERE name = 'goal'").fetchone():
            return []
        return self.db.execute(
            f"SELECT context, spec, threads FROM goal WHERE {_texts('spec')} AND typeof(threads) = 'integer'"
        ).fetchall()

    def mistyped(self) -> list[str]:
        """The faults of rows that all others pass over: a column holds another type than it should."""
        there = {name for (name,) in self.db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        found = []
        for table, wanted in _TYPES.items():
            count = (
                self.db.execute(f"SELECT count(*) FROM {table} WHERE NOT ({wanted})").fetchone()[0]
                if table in there
                else 0
            )
            found += [f"{table}: {count} rows with columns of other types"] if count else []
        return found

    @property
    def bytes(self) -> int:
        """Size of the file, its log included."""
        return sum(p.stat().st_size for p in (self.path, Path(f"{self.path}-wal")) if p.exists())


def existing(path: str | os.PathLike[str]) -> Path:
    """The path; TableError where there is no file."""
    path = Path(path).absolute()
    if not path.exists():
        raise TableError(f"expected a table, found no file at {path}; check the path")
    return path


@contextmanager
def reading(path: str | os.PathLike[str], new: bool = False) -> Iterator[Contents]:
    """The contents of a table file, made where there is none if `new`. TableError where it is damaged, or another kind
    of file."""
    path = Path(path).absolute() if new else existing(path)
    db = None
    try:
        db, refused = connect(path)
        yield Contents(path, db, refused is None)
    except FAILURES as error:
        raise failed(path, error) from None
    finally:
        if db is not None:
            db.close()


@contextmanager
def writing(path: str | os.PathLike[str], new: bool = False) -> Iterator[Contents]:
    """`reading`, of a file that can be written, and that has all tables."""
    with reading(path, new) as contents:
        if not contents.writable:
            raise TableError(
                f"expected a table that can be written, found a read-only one: {contents.path}; copy it, or change its"
                " permissions"
            )
        contents.db.execute(GOALS)
        yield contents


def failed(path: Path, error: Exception) -> TableError:
    """What SQLite's complaint means to a user."""
    if not is_damage(error):
        return TableError(
            f"expected a table that can be read and written, found: {error}: {path}; make room, or wait for the others"
            " that use it"
        )
    return DamagedTable(
        f"expected a whole table, found a damaged one: {path} ({error}); remove it, or leave it: the search that meets"
        " the damage sets it aside"
    )
