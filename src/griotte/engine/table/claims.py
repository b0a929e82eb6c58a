"""Who solves a family: a lock on one byte of a file beside the table, which the system takes back when its owner dies.
One more byte is for who opens the table, or sets it aside.

Two processes that solve the same problem share its families out by this, and wait for each other at most for one, up to
a bound: then both solve it. Where locks are missing (no fcntl, a folder that cannot be written) every
claim succeeds: work may be done twice, never wrong.

A wait for another process is made of short sleeps in Python, so Ctrl-C ends it. After a while one line says who is
waited for; after a bound it is waited for no more, so a process that is stopped, or hangs, holds up nobody for ever. It
gets a moment alone from then on, until it lets go of something.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from pathlib import Path

from ...support.forks import ForkLock

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

TELL_S = 2.0  # until a message names the process that is waited for
BOUND_S = 30.0  # until a process is waited for no more
MOMENT_S = 0.1  # until it is asked who it is; and all that one is waited for that passed the bound before
_LONGEST_STEP_S = 0.05

_passed: set[int | None] = set()  # processes that were waited for up to the bound
_PLACES = 1 << 60


class Claims:
    """Claims on the keys of one table. They hold between processes, not between the threads of one. `tell` is called
    with the line that says who is waited for."""

    def __init__(self, table: Path, tell: Callable[[str], None] = lambda message: None):
        self._table, self._path, self._tell = table, Path(f"{table}-claims"), tell
        self._file: int | None = None
        self._opening = ForkLock()

    @contextmanager
    def claim(self, key: str, wait: bool, stopped: Callable[[], bool] = lambda: False):
        """Hold the claim on `key`; yields False, at once, where another process has it and `wait` is not set, or where
        the wait is `stopped`. True without a claim where it was waited for up to the bound."""
        with self._locked(int(key[:15], 16) % _PLACES, wait, stopped) as is_held:
            yield is_held

    def alone(self):
        """Be the one process that opens the table, or sets it aside."""
        return self._locked(_PLACES, wait=True)

    @contextmanager
    def _locked(self, place: int, wait: bool, stopped: Callable[[], bool] = lambda: False):
        file = self._opened()
        try:
            is_held = file is not None and _try(file, place)
        except OSError:  # a file system without locks
            file = None
        if file is None:
            yield True
            return
        if not is_held and wait:
            is_held = patiently(
                lambda: _try(file, place),
                lambda: holder(self._path, place),
                lambda who: self._tell(_waiting(who, self._table)),
                stopped,
            )
        try:
            yield is_held or wait and not stopped()
        finally:
            if is_held:
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


def _try(file: int, place: int) -> bool:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
    except BlockingIOError:
        return False
    return True


def _waiting(who: str, table: Path) -> str:
    return (
        f"expected a part of the search within {TELL_S:.0f} s, found {who} at it, in the table {table}; it is"
        f" waited for up to {BOUND_S:.0f} s, then the part is solved here too; let that process go on, or end"
        " it"
    )


def patiently(
    attempt: Callable[[], bool],
    holder: Callable[[], int | None],
    tell: Callable[[str], None],
    stopped: Callable[[], bool] = lambda: False,
) -> bool:
    """`attempt()` until it succeeds; False where it does not within the bound, or the caller is `stopped` meanwhile.

    `holder` gives the process that is in the way, or None; `tell` is called once with its name.
    """
    started, step, told = time.monotonic(), 0.001, False
    who: int | None = 0
    while not attempt():
        waited = time.monotonic() - started
        if stopped():
            return False
        if waited > MOMENT_S:
            who = holder()
            if waited > (MOMENT_S if who in _passed else BOUND_S):
                _passed.add(who)
                return False
        if waited > TELL_S and not told:
            told = True
            tell("another process" if who is None else f"process {who}")
        time.sleep(step)
        step = min(2 * step, _LONGEST_STEP_S)
    _passed.discard(who)
    return True


def holder(file: Path, place: int | None = None) -> int | None:
    """The other process that has a file locked for itself, or one place of it; None where Linux does not say."""
    try:
        inode, locks = str(file.stat().st_ino), Path("/proc/locks").read_text().splitlines()
    except OSError:
        return None
    for line in locks:
        words = line.split()
        if "->" in words or len(words) < 8 or words[3] != "WRITE" or words[5].rpartition(":")[2] != inode:
            continue  # who waits has an arrow
        pid, first, last = int(words[4]), int(words[6]), words[7]
        here = place is None or first <= place and (last == "EOF" or place <= int(last))
        if here and pid > 0 and pid != os.getpid():
            return pid
    return None
