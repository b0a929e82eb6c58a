"""How many CPUs this process may use for its own work: searches, compilations."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import GriotteError

# cgroup v2: microseconds that all may run in a period, "max" or a number, and the period
QUOTA = Path("/sys/fs/cgroup/cpu.max")


def usable(quota: Path = QUOTA) -> int:
    """The CPUs that it may run on, and no more than its control group gives time for, rounded up; at least one. A
    container on a large host sees all of its CPUs. GRIOTTE_WORKERS says another number. GriotteError where that is
    none."""
    if asked := os.environ.get("GRIOTTE_WORKERS"):
        if not asked.isascii() or not asked.isdigit() or int(asked) < 1:
            raise GriotteError(
                f"expected a number of 1 or more in GRIOTTE_WORKERS, found {asked!r}; write one, or unset it"
            )
        return int(asked)
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        given, period = quota.read_text(encoding="ascii").split()
        return max(1, min(allowed, -(-int(given) // int(period))))
    except (OSError, ValueError, ZeroDivisionError):  # no such group, or no limit
        return allowed
