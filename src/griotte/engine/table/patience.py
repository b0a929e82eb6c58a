"""Waiting for another process: after a while one line says for whom, after a bound it is waited for no more.

A wait is made of short sleeps in Python: Ctrl-C ends it, and a process that is stopped, or hangs, holds up nobody for
ever. One that was waited for up to the bound gets a moment alone from then on, until it lets go of something.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

TELL_S = 2.0  # until it is told who is waited for
BOUND_S = 30.0  # until a process is waited for no more
MOMENT_S = 0.1  # until it is asked who it is; and all that one is waited for that passed the bound before
_LONGEST_STEP_S = 0.05

_passed: set[int | None] = set()  # processes that were waited for up to the bound


def patiently(
    attempt: Callable[[], bool],
    holder: Callable[[], int | None],
    tell: Callable[[str], None],
    stopped: Callable[[], bool] = lambda: False,
) -> bool:
    """`attempt()` until it succeeds; False where it does not within the bound, or the caller is `stopped` meanwhile.

    `holder` says which process is in the way, None where that is not known; `tell` is given its name once.
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
