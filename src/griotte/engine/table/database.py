"""A table as an SQLite database: how it is opened and made, and what SQLite's complaints mean."""

from __future__ import annotations

import errno
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from ...support.errors import TableError
from . import claims

SCHEMA = 1
APPLICATION = int.from_bytes(b"grio", "big")  # SQLite's application_id of a griotte table
FAILURES = sqlite3.DatabaseError, UnicodeDecodeError  # the latter of a message that quotes damaged bytes

_TABLES = """
CREATE TABLE IF NOT EXISTS context (id INTEGER PRIMARY KEY, target TEXT NOT NULL, space TEXT NOT NULL,
    name TEXT NOT NULL, UNIQUE (target, space));
CREATE TABLE IF NOT EXISTS family (context INTEGER NOT NULL, key TEXT NOT NULL, operation TEXT NOT NULL,
    text TEXT NOT NULL, PRIMARY KEY (context, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS patch (id INTEGER PRIMARY KEY, context INTEGER NOT NULL, key TEXT NOT NULL,
    points INTEGER NOT NULL, boxes INTEGER NOT NULL,
    digest TEXT NOT NULL, data BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS patch_of ON patch (context, key);
CREATE TABLE IF NOT EXISTS choice (context INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
    digest TEXT NOT NULL, PRIMARY KEY (context, key)) WITHOUT ROWID;
"""


class Connection(sqlite3.Connection):
    """A connection that waits for other processes in Python (claims.py), and not in SQLite, where no Ctrl-C ends
    it."""

    path: Path
    tell: Callable[[str], None]

    def execute(self, *words: Any) -> sqlite3.Cursor:
        found: list[sqlite3.Cursor] = []
        last: list[sqlite3.OperationalError] = []

        def attempt() -> bool:
            try:
                found.append(sqlite3.Connection.execute(self, *words))
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                    raise
                last[:] = [error]
            return bool(found)

        if not claims.patiently(attempt, self._holder, lambda who: self.tell(_waiting(who, self.path))):
            raise last[0]
        return found[0]

    def _holder(self) -> int | None:
        return claims.holder(Path(f"{self.path}-shm")) or claims.holder(self.path)


def _waiting(who: str, table: Path) -> str:
    return (
        f"expected the table {table} free to use within {claims.TELL_S:.0f} s, found {who} at it; it is waited for up"
        f" to {claims.BOUND_S:.0f} s, then what is solved now is not kept; let that process go on, or end it"
    )


def connect(
    path: Path, tell: Callable[[str], None] = lambda message: None
) -> tuple[Connection, sqlite3.OperationalError | None]:
    """(connection, why it cannot write or None); a new table where there is no file. `tell` is called with the line
    that says who is waited for. TableError where the path holds something else; one of FAILURES where the table is
    damaged, or where there is no room for a new one."""
    check_kind(path)
    try:
        return _connect(path, "rwc", tell), None
    except sqlite3.OperationalError as error:
        refused = error
    if not path.exists():
        if _lacks_room(path.parent):
            raise _full()
        raise TableError(
            f"expected a place for a table, found none at {path} ({refused}); name a file in a folder that can be"
            " written"
        )
    last = refused
    for mode in ("ro", "ro&immutable=1"):  # immutable: a folder where the log's index cannot be made either
        try:
            db = _connect(path, mode, tell)
        except sqlite3.OperationalError as error:
            last = error
            continue
        if _version(db):
            return db, refused
        db.close()
        raise refused  # begun, and not made for want of room
    raise last


def _connect(path: Path, mode: str, tell: Callable[[str], None]) -> Connection:
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=0,
        isolation_level=None,
        check_same_thread=False,
        factory=Connection,
    )
    db.path, db.tell = path, tell
    try:
        if _version(db) > SCHEMA:
            raise TableError(
                f"expected a table of schema {SCHEMA} or before, found {_version(db)}: a later griotte wrote {path};"
                " use that one, or name another file"
            )
        if mode == "rwc":
            _prepare(db)
        if _version(db):
            db.execute("SELECT count(*) FROM context").fetchone()
        return db
    except BaseException:
        db.close()
        raise


def _version(db: sqlite3.Connection) -> int:
    """The schema of a table; 0 where it is not made yet."""
    return db.execute("PRAGMA user_version").fetchone()[0]


def _prepare(db: sqlite3.Connection) -> None:
    """Make the tables where there are none. Changes nothing in a table that is as it should be."""
    db.execute("PRAGMA synchronous = NORMAL")
    version = _version(db)
    if version < SCHEMA:
        db.execute("PRAGMA auto_vacuum = INCREMENTAL")  # before there is a page
    db.execute("PRAGMA journal_mode = WAL")
    if version < SCHEMA:
        with transaction(db):
            for statement in _TABLES.split(";")[:-1]:
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION}")
            db.execute(f"PRAGMA user_version = {SCHEMA}")


def _lacks_room(folder: Path) -> bool:
    """Whether a folder takes no new file for want of room, or of quota."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return False
    except OSError as error:
        return error.errno in (errno.ENOSPC, errno.EDQUOT)


def _full() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


@contextmanager
def transaction(db: sqlite3.Connection):
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def check_kind(path: Path) -> None:
    """TableError where the file is something else than a table (a damaged table is none of these)."""
    if path.is_dir():
        raise TableError(f"expected a table file, found a folder: {path}; name a file in it")
    try:
        with open(path, "rb") as file:
            head = file.read(72)
    except FileNotFoundError:
        return
    except OSError as error:
        raise TableError(
            f"expected a table that can be read, found {error.strerror}: {path}; check its permissions"
        ) from None
    signs = (head[:16] == b"SQLite format 3\0") + (head[68:72] == APPLICATION.to_bytes(4, "big"))
    if head and signs == 0 or len(head) >= 72 and signs == 1 and not _has_tables(path):
        raise TableError(f"expected a griotte table, found another kind of file: {path}; name a table or a new file")


def _has_tables(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            names = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
            return not names or "patch" in names
    except FAILURES:
        return True


def only_writing_fails(error: Exception) -> bool:
    return _is_of(error, _UNWRITABLE | _WRITE_FAILURES)


def may_pass(error: Exception) -> bool:
    """Whether what cannot be written now may be later: there is no room, or another process is at the file."""
    return _is_of(error, {sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY} | _WRITE_FAILURES)


def is_damage(error: Exception) -> bool:
    """Whether the file is at fault, rather than a disk, a permission, or another process that has it."""
    return not _is_of(error, _UNWRITABLE | _OUTSIDE) and not isinstance(error, sqlite3.ProgrammingError)


def _is_of(error: Exception, codes: set[int]) -> bool:
    """Whether an error's code is among these, or what it is a case of; one that has none is not."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and (code in codes or code & 0xFF in codes)


_UNWRITABLE = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_BUSY}
_OUTSIDE = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_PROTOCOL,
}
_WRITE_FAILURES = {
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
    sqlite3.SQLITE_IOERR_SHMSIZE,
    sqlite3.SQLITE_IOERR_SHMOPEN,
    sqlite3.SQLITE_IOERR_SHMMAP,
}
