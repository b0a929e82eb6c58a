"""A table as an SQLite database: how it is opened and made, and what SQLite's complaints mean."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing, contextmanager
from pathlib import Path

from ..errors import TableError

SCHEMA = 1
APPLICATION = int.from_bytes(b"grio", "big")  # SQLite's application_id of a griotte table
BUSY_S = 60.0
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


def connect(path: Path) -> tuple[sqlite3.Connection, bool]:
    """(connection, whether it can write); a new table where there is no file. TableError where the path holds something
    else; one of FAILURES where the table is damaged."""
    check_kind(path)
    try:
        return _patiently(lambda: _connect(path, "rwc")), True
    except sqlite3.OperationalError as error:
        if not path.exists():
            raise TableError(
                f"expected a place for a table, found none at {path} ({error}); name a file in a folder that can be"
                " written"
            ) from None
    for mode in ("ro", "ro&immutable=1"):  # immutable: a folder where the log's index cannot be made either
        try:
            return _connect(path, mode), False
        except sqlite3.OperationalError as error:
            last = error
    raise last


def _patiently(act):
    """`act()`, again while another process makes the table: SQLite waits for no lock when it first turns to its log."""
    until = time.monotonic() + BUSY_S
    while True:
        try:
            return act()
        except sqlite3.OperationalError as error:
            if (
                error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
                or time.monotonic() > until
            ):
                raise
            time.sleep(0.005)


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_S,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        if mode == "rwc":
            _prepare(db)
        elif db.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
            raise TableError(f"expected a table of schema {SCHEMA}, found another in {path}; write a new one")
        db.execute("SELECT count(*) FROM context").fetchone()
        return db
    except BaseException:
        db.close()
        raise


def _prepare(db: sqlite3.Connection) -> None:
    """Make the tables where there are none. Changes nothing in a table that is as it should be."""
    db.execute("PRAGMA synchronous = NORMAL")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA:
        raise TableError(
            f"expected a table of schema {SCHEMA} or before, found {version}: a later griotte wrote it; use that one,"
            " or name another file"
        )
    db.execute("PRAGMA journal_mode = WAL")
    if version < SCHEMA:
        with transaction(db):
            for statement in _TABLES.split(";")[:-1]:
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION}")
            db.execute(f"PRAGMA user_version = {SCHEMA}")


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
    code = getattr(error, "sqlite_errorcode", None) or 0
    return code & 0xFF in _UNWRITABLE or code in _WRITE_FAILURES


def is_damage(error: Exception) -> bool:
    """Whether the file is at fault, rather than a disk, a permission, or another process that has it."""
    code = getattr(error, "sqlite_errorcode", None) or 0
    return code & 0xFF not in _UNWRITABLE | _OUTSIDE and not isinstance(error, sqlite3.ProgrammingError)


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
    getattr(sqlite3, name, -1)
    for name in (
        "SQLITE_IOERR_WRITE",
        "SQLITE_IOERR_FSYNC",
        "SQLITE_IOERR_TRUNCATE",
        "SQLITE_IOERR_SHMSIZE",
        "SQLITE_IOERR_SHMOPEN",
        "SQLITE_IOERR_SHMMAP",
    )
}
