"""A table file: one SQLite connection a path and process, and what to do when it fails.

SQLite's write-ahead log keeps each transaction whole through a kill at any moment. The log is not forced to the disk,
so a power cut may cost the last transactions, never the file. Whatever goes wrong with a file costs time, never an
answer: the user is warned once (`TableWarning`), and the search goes on with less. A damaged file is set aside: it gets
another name, and whoever opens the table next begins a new one.
"""

from __future__ import annotations

import os
import sqlite3
import warnings
from contextlib import closing, suppress
from pathlib import Path

from ...support.errors import TableWarning
from ...support.forks import ForkLock
from .claims import Claims
from .database import FAILURES, check_kind, connect, is_damage, may_pass, only_writing_fails, transaction

PAGES = 4096  # given back in one transaction

_open: dict[Path, File] = {}
_opening = ForkLock()
_inherited: list[
    sqlite3.Connection
] = []  # of the parent of a fork: never closed here, for SQLite's locks are the parent's


def opened(path: str | os.PathLike[str]) -> File:
    """The file of this path, open: the same object for every caller of the process, as long as it is the same file.

    One connection a process, for SQLite's locks are the process's: a second one, closed, would take the first one's
    away. TableError where the path holds something else than a table; that is left as it is.
    """
    path = Path(path).absolute()
    with _opening:
        file = _open.get(path)
        if file is None or not file.current():
            unkept = file is not None and file.unkept
            if file is not None:
                file.close()
            file = _open[path] = File(path, unkept)
        return file


class File:
    """An open table file, safe for threads. `unkept`: a warning said that nothing is kept, and no search was kept whole
    since; on a full disk the first small rows may still find room."""

    def __init__(self, path: Path, unkept: bool = False):
        self.path, self.claims, self.unkept = path, Claims(path, self.tell), unkept
        self._told: set[str] = set()
        self._lock, self._owner = ForkLock(), os.getpid()
        self._db: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self.writable = self._doubted = False
        self._may_pass = False  # writing failed for a reason that may be gone when the file is next asked for
        self._refused = "attempt to write a readonly database"
        check_kind(path)  # before there is a file of claims beside it
        if not self._open():
            self._open()  # a new file, in place of a damaged one

    def current(self) -> bool:
        """Whether this is still what the path holds, this process opened it, and it can be written, or never could."""
        is_own = self._db is not None and self._owner == os.getpid()
        return is_own and not self._may_pass and self._identity == _identity(self.path)

    @property
    def bytes(self) -> int:
        """Size of the file, its log included."""
        return self.log_bytes + (self.path.stat().st_size if self.path.exists() else 0)

    def rows(self, query: str, values: tuple = ()) -> list[tuple]:
        """What the query finds; nothing where the file is damaged or gone."""
        with self._lock:
            if self._db is None:
                return []
            try:
                return self._db.execute(query, values).fetchall()
            except FAILURES as error:
                self._give_up(error)
                return []

    def write(self, act) -> None:
        """`act(connection)` in one transaction; nothing is written where the file cannot be."""
        with self._lock:
            if self._db is None:
                return
            if not self.writable:
                self._not_kept(self._refused)
                return
            try:
                with transaction(self._db):
                    act(self._db)
            except FAILURES as error:
                self._give_up(error)

    def kept_whole(self) -> None:
        """After a search: all was kept, where the file can be written, and a failure from here on is reported."""
        with self._lock:
            if self._db is not None and self.writable:
                self.unkept = False

    @property
    def log_bytes(self) -> int:
        log = Path(f"{self.path}-wal")
        return log.stat().st_size if log.exists() else 0

    def settle(self) -> None:
        """Write the log back into the file and onto the disk, and empty it, as far as other processes let it."""
        with self._lock:
            if self._db is not None and self.writable:
                try:
                    self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                except FAILURES as error:
                    self._give_up(error)

    def shrink(self, anew: bool = False) -> None:
        """Give free pages of the file back to the disk. A file that was made before tables could shrink in place must
        be rewritten, which happens only if `anew`."""
        ((may_shrink,),) = self.rows("PRAGMA auto_vacuum") or ((False,),)
        if may_shrink:
            ((free,),) = self.rows("PRAGMA freelist_count") or ((0,),)
            for first in range(0, free, PAGES):  # others write in between
                pages = min(PAGES, free - first)
                self.write(lambda db: [db.execute("PRAGMA incremental_vacuum") for _ in range(pages)])  # a page each
        elif anew:
            self._rewrite()
        self.settle()

    def _rewrite(self) -> None:
        with self._lock:
            if self._db is not None and self.writable:
                try:
                    self._db.execute("PRAGMA auto_vacuum = INCREMENTAL")
                    self._db.execute("VACUUM")
                except FAILURES as error:
                    self._give_up(error)

    def tell(self, message: str) -> None:
        """Warn, once."""
        with self._lock:
            is_new = message not in self._told
            self._told.add(message)
        if is_new:
            warnings.warn(message, TableWarning, stacklevel=2)

    def doubt(self, why: Exception) -> None:
        """Warn of a row that is not to be believed; only of the first one."""
        with self._lock:
            is_first, self._doubted = not self._doubted, True
        if is_first:
            self.tell(
                f"expected whole rows in the table {self.path}, found a damaged one ({why}); what leans on it is solved"
                f" again; find others with griotte table verify {self.path}"
            )

    def close(self) -> None:
        with self._lock:
            if self._db is not None and self._owner == os.getpid():
                with self.claims.alone():  # SQLite removes the log by its name, which must still be this file's
                    self._db.close()
            elif self._db is not None:
                _inherited.append(self._db)
            self._db, self.unkept = None, False
            self.claims.close()

    def _open(self) -> bool:
        """False where the file was damaged, and is set aside."""
        try:
            with self.claims.alone():
                try:
                    self._db, refused = connect(self.path, self.tell)
                finally:
                    self._identity = _identity(self.path)
        except FAILURES as error:
            return not self._give_up(error)
        self.writable = refused is None
        if refused is not None and may_pass(refused):
            self._may_pass, self._refused = True, str(refused)
        return True

    def _not_kept(self, why: str) -> None:
        if not self.unkept:
            self.unkept = True
            self.tell(
                f"expected to write the table {self.path}, found: {why}; what is solved now is not kept; make it"
                " writable, or make room, or name another file"
            )

    def _give_up(self, error: Exception) -> bool:
        """Name the fault, and go on with less: without writing if only that fails, else without the file. Returns
        whether the file was damaged, and is set aside."""
        if only_writing_fails(error):
            self.writable, self._may_pass, self._refused = False, may_pass(error), str(error)
            self._not_kept(self._refused)
            return False
        if not is_damage(error):
            self._leave_out()
            self.tell(
                f"expected to read the table {self.path}, found: {error}; it is left out, and all is solved again; let"
                " the file be read, or name another"
            )
            return False
        damaged = f"expected a whole table, found a damaged one: {self.path} ({error})"
        try:
            kept = self._set_aside()
        except OSError as why:
            self.tell(
                f"{damaged}; it is left out, and all is solved again; it cannot be renamed ({why.strerror}): name"
                " another file"
            )
            return False
        self.tell(f"{damaged}; it is set aside as {kept}, and all is solved again")
        return True

    def _set_aside(self) -> Path:
        """Close the file and give it another name: the name. Once, however many processes find it damaged: whoever
        comes later finds another file in its place, or none, and leaves that alone. OSError where it may not be."""
        path = Path(os.path.realpath(self.path))
        kept = path.with_name(f"{path.name}.damaged")
        with self.claims.alone():
            self._leave_out()
            if self._identity is not None and self._identity == _identity(path):
                for suffix in ("-shm", "-wal", ""):  # a log that stayed would be read into the new file
                    Path(f"{kept}{suffix}").unlink(missing_ok=True)
                    with suppress(FileNotFoundError):
                        os.replace(f"{path}{suffix}", f"{kept}{suffix}")
        return kept

    def _leave_out(self) -> None:
        if self._db is not None:
            with closing(self._db):
                self._db = None


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
        return found.st_dev, found.st_ino
    except OSError:
        return None
