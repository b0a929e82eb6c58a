"""A damaged table mended: its whole rows in a new file, in its place. The damaged file is kept beside it."""

from __future__ import annotations

import os
import secrets
import sqlite3
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import TableError
from .carve import records
from .contents import Contents, Context, Row, existing, writing
from .file import connect
from .merge import Merged, add_contexts, add_rows, add_small

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_SQLITE_SHARED = 0x40000002, 510  # offset and length of the lock that every open connection of a table shares


@dataclass
class Salvaged:
    """Rows out of a damaged file; it reads like `Contents`."""

    path: Path
    found_contexts: dict[int, Context] = field(default_factory=dict)
    found_rows: dict[tuple, Row] = field(default_factory=dict)
    found_small: dict[str, set[tuple]] = field(
        default_factory=lambda: {"family": set(), "choice": set(), "goal": set()}
    )
    lost: list[str] = field(default_factory=list)

    def add(self, row: Row) -> None:
        self.found_rows.setdefault((row.context, row.key, row.digest), row)

    def families(self):
        return sorted(self.found_small["family"])

    def choices(self):
        return sorted(self.found_small["choice"])

    def goals(self):
        return sorted(self.found_small["goal"])


def repair(path: str | os.PathLike[str], without: Collection[tuple[int, str]] = ()) -> tuple[Merged, Path]:
    """Put the whole rows of a damaged table into a new file in its place: (what it holds, where the damaged file is
    now). The families `without`, (context, key), are left out.

    TableError where another process has it open, for what that one writes would be lost, and where no row of a table is
    in it.
    """
    path = existing(path)
    with _alone(path) as data:
        log = Path(f"{path}-wal")
        found = _salvage(path, data, log.read_bytes() if log.exists() else b"")
        temporary = path.parent / f".{path.name}.{secrets.token_hex(8)}"
        try:
            if not found.found_rows:
                raise TableError(f"expected a table, found no whole row of one in {path}; it is left as it is")
            done = _write(temporary, found, without)
            return done, _replace(path, temporary)
        finally:
            for leftover in (temporary, Path(f"{temporary}-wal"), Path(f"{temporary}-shm")):
                leftover.unlink(missing_ok=True)


@contextmanager
def _alone(path: Path) -> Iterator[bytes]:
    """The file's bytes, while no other process has it open. Its one descriptor: closing any would give the lock
    back."""
    file = os.open(path, os.O_RDWR)
    try:
        if fcntl is not None:
            offset, length = _SQLITE_SHARED
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, length, offset)
            except BlockingIOError:
                raise TableError(
                    f"expected a table that no other process has open, found one at work on {path}; let it end first"
                ) from None
        with os.fdopen(os.dup(file), "rb", closefd=False) as stream:
            yield stream.read()
    finally:
        os.close(file)


def _salvage(path: Path, data: bytes, log: bytes) -> Salvaged:
    found = Salvaged(path)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        copy = Path(folder) / "copy"
        copy.write_bytes(data)
        if log:
            Path(f"{copy}-wal").write_bytes(log)
        whole = _through_sqlite(copy, found)
    if not whole:
        _carved(data, log, found)
    return found


def _through_sqlite(copy: Path, found: Salvaged) -> bool:
    """Whether SQLite could read all of it."""
    try:
        db, _ = connect(copy)
    except (sqlite3.DatabaseError, TableError) as error:
        found.lost.append(str(error))
        return False
    whole = True
    try:
        contents = Contents(copy, db, True)
        for part in (_contexts_of, _small_of, _rows_of):
            try:
                part(contents, found)
            except sqlite3.DatabaseError as error:
                found.lost.append(str(error))
                whole = False
        return whole and [row[0] for row in db.execute("PRAGMA integrity_check(1)")] == ["ok"]
    except sqlite3.DatabaseError:
        return False
    finally:
        db.close()


def _contexts_of(contents: Contents, found: Salvaged) -> None:
    found.found_contexts |= {context.id: context for context in contents.contexts()}


def _small_of(contents: Contents, found: Salvaged) -> None:
    found.found_small["family"] |= set(contents.families())
    found.found_small["choice"] |= set(contents.choices())
    found.found_small["goal"] |= set(contents.goals())


def _rows_of(contents: Contents, found: Salvaged) -> None:
    for row in contents.rows():
        found.add(row)


def _carved(data: bytes, log: bytes, found: Salvaged) -> None:
    """Add the rows that the file's pages hold, whoever owns the page; damaged ones are dropped here."""
    for rowid, values in records(data, log):
        match values:
            case [None, int(context), str(key), int(points), int(boxes), str(digest), bytes(blob)]:
                row = Row(rowid, context, key, points, boxes, digest, blob)
                if row.whole:
                    found.add(row)
            case [None, str(target), str(space), str(name)] if len(target) == len(space) == 32:
                found.found_contexts.setdefault(rowid, Context(rowid, target, space, name))
            case [int(context), str(key), str(first), str(second)] if len(key) == 32:
                found.found_small["choice" if len(second) == 32 else "family"].add((context, key, first, second))
            case [int(context), str(spec), int(threads)] if "(" in spec:
                found.found_small["goal"].add((context, spec, threads))


def _write(temporary: Path, found: Salvaged, without) -> Merged:
    done = Merged()
    with writing(temporary, new=True) as target:
        place = add_contexts(target, found.found_contexts.values())
        rows = sorted(
            (row for row in found.found_rows.values() if (row.context, row.key) not in without), key=lambda row: row.id
        )
        add_rows(target, rows, place, done)
        add_small(target, found, place)
    return done


def _replace(path: Path, temporary: Path) -> Path:
    """The new file takes the place of the damaged one, which gets another name first. A log that stayed would be read
    into the new file."""
    kept, number = path.with_name(f"{path.name}.damaged"), 1
    while kept.exists():
        number += 1
        kept = path.with_name(f"{path.name}.damaged{number}")
    os.link(path, kept)
    for suffix in ("-wal", "-shm"):
        if Path(f"{path}{suffix}").exists():
            os.replace(f"{path}{suffix}", f"{kept}{suffix}")
    os.replace(temporary, path)
    return kept
