"""A table file: one SQLite connection a path and process, and what to do when it fails.

SQLite's write-ahead log keeps each transaction whole through a kill at any moment; the log is not forced to the disk,
so a power cut may cost the last transactions, never the file. Whatever goes wrong with a file costs time, never an
answer: the user is told once (`TableWarning`), and the search goes on with less.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import warnings
from contextlib import closing, contextmanager
from pathlib import Path

from ..errors import TableError, TableWarning
from .claims import Claims

SCHEMA = 1
APPLICATION = int.from_bytes(b"grio", "big")  # SQLite's application_id of a griotte table
BUSY_S = 60.0

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


_open: dict[Path, File] = {}
_opening = threading.Lock()


def opened(path: str | os.PathLike[str]) -> File:
    """The file of this path, open: the same object for every caller of the process, as long as it is the same file.

    One connection a process, for SQLite's locks are the process's: a second one, closed, would take the first one's
    away. TableError where the path holds something else than a table; that is left as it is.
    """
    path = Path(path).absolute()
    with _opening:
        file = _open.get(path)
        if file is None or not file.current():
            if file is not None:
                file.close()
            file = _open[path] = File(path)
        return file


class File:
    """An open table file. Safe for threads."""

    def __init__(self, path: Path):
        self.path, self.claims = path, Claims(path)
        self._told: set[str] = set()
        self._lock, self._owner = threading.RLock(), os.getpid()
        self._db, self.writable, self._warned_unkept, self._doubted = None, False, False, False
        try:
            self._db, self.writable = connect(path)
        except sqlite3.DatabaseError as error:
            self._give_up(error)
        self._identity = _identity(path)

    def current(self) -> bool:
        """Whether this is still what the path holds, and this process opened it."""
        return self._db is not None and self._owner == os.getpid() and self._identity == _identity(self.path)

    @property
    def bytes(self) -> int:
        """Size of the file, its log included."""
        return sum(p.stat().st_size for p in (self.path, Path(f"{self.path}-wal")) if p.exists())

    def rows(self, query: str, values: tuple = ()) -> list[tuple]:
        """What the query finds; nothing where the file is damaged or gone."""
        with self._lock:
            if self._db is None:
                return []
            try:
                return self._db.execute(query, values).fetchall()
            except sqlite3.DatabaseError as error:
                self._give_up(error)
                return []

    def write(self, act) -> None:
        """`act(connection)` in one transaction; nothing is written where the file cannot be."""
        with self._lock:
            if self._db is None:
                return
            if not self.writable:
                self._not_kept("attempt to write a readonly database")
                return
            try:
                with transaction(self._db):
                    act(self._db)
            except sqlite3.DatabaseError as error:
                self._give_up(error)

    def settle(self) -> None:
        """Write the log back into the file and onto the disk, and empty it, as far as other processes let it."""
        with self._lock:
            if self._db is not None and self.writable:
                try:
                    self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                except sqlite3.DatabaseError as error:
                    self._give_up(error)

    def tell(self, message: str) -> None:
        """Warn, once."""
        with self._lock:
            is_new = message not in self._told
            self._told.add(message)
        if is_new:
            warnings.warn(message, TableWarning, stacklevel=2)

    def doubt(self, why: Exception) -> None:
        """Warn of a row that is not to be believed; of the first that is met."""
        with self._lock:
            is_first, self._doubted = not self._doubted, True
        if is_first:
            self.tell(
                f"expected whole rows in the table {self.path}, found a damaged one ({why}); what leans on it is solved"
                f" again; find others with griotte table verify --repair {self.path}"
            )

    def close(self) -> None:
        with self._lock:
            if self._db is not None and self._owner == os.getpid():
                self._db.close()
            self._db = None
        self.claims.close()

    def _not_kept(self, why: str) -> None:
        if not self._warned_unkept:
            self._warned_unkept = True
            self.tell(
                f"expected to write the table {self.path}, found: {why}; what is solved now is not kept; make it"
                " writable, or make room, or name another file"
            )

    def _give_up(self, error: sqlite3.DatabaseError) -> None:
        """Say what is wrong, and go on with less: without writing where that alone fails, else without the file."""
        code = getattr(error, "sqlite_errorcode", None) or 0
        if (
            code & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_BUSY)
            or code in _WRITE_FAILURES
        ):
            self.writable = False
            self._not_kept(str(error))
            return
        if self._db is not None:
            with closing(self._db):
                self._db = None
        self.tell(
            f"expected a whole table, found a damaged one: {self.path} ({error}); it is left out, and all is solved"
            f" again; mend it with griotte table verify --repair {self.path}"
        )


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
        return found.st_dev, found.st_ino
    except OSError:
        return None


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


def connect(path: Path) -> tuple[sqlite3.Connection, bool]:
    """(connection, whether it can write); a new table where there is no file. TableError where the path holds something
    else; sqlite3.DatabaseError where the table is damaged."""
    _check_kind(path)
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


def _check_kind(path: Path) -> None:
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
    except sqlite3.DatabaseError:
        return True
