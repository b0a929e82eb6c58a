"""Who solves a family: a lock on one byte of a file beside the table, which the system takes back when its owner dies.
One more byte is for who opens the table, or sets it aside.

Two processes that solve the same problem share its families out by this, and wait for each other at most for one. Where
locks are missing (no fcntl, a folder that cannot be written) every claim succeeds: work may be done twice, never wrong.
"""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_PLACES = 1 << 60


class Claims:
    """Claims on the keys of one table. They hold between processes, not between the threads of one."""

    def __init__(self, table: Path):
        self._path = Path(f"{table}-claims")
        self._file: int | None = None
        self._opening = threading.Lock()

    @contextmanager
    def claim(self, key: str, wait: bool):
        """Hold the claim on `key`; yields False, at once, where another process has it and `wait` is not set."""
        with self._locked(int(key[:15], 16) % _PLACES, wait) as is_held:
            yield is_held

    def alone(self):
        """Be the one process that opens the table, or sets it aside."""
        return self._locked(_PLACES, wait=True)

    @contextmanager
    def _locked(self, place: int, wait: bool):
        file = self._opened()
        if file is None:
            yield True
            return
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB), 1, place)
        except BlockingIOError:
            yield False
            return
        except OSError:  # a file system without locks
            yield True
            return
        try:
            yield True
        finally:
            fcntl.lockf(file, fcntl.LOCK_UN, 1, place)

    def _opened(self) -> int | None:
        """The file, opened by the first thread that asks: the others wait for it, and do not go on without a claim."""
        if fcntl is not None and self._file is None:
            with self._opening:
                if self._file is None:
                    with suppress(OSError):
                        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        return self._file

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
        self._file = None
