"""What a search did."""

from __future__ import annotations

import resource
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass
class Statistics:
    """What a solve did: Specs are (point, limits) pairs of all families, those that the table knew not counted as
    solved; memory is the process's peak in MiB."""

    specs_solved: int = 0
    specs_known: int = 0
    families: int = 0
    synthesis_s: float = 0.0
    peak_rss_mb: float = 0.0

    @classmethod
    def of_all(cls, parts: Iterable[Statistics]) -> Statistics:
        """Those of several solves, one after the other."""
        found = list(parts)
        total = {
            name: sum(getattr(one, name) for one in found)
            for name in ("specs_solved", "specs_known", "families", "synthesis_s")
        }
        return cls(**total, peak_rss_mb=max(one.peak_rss_mb for one in found))


def peak_rss_mb() -> float:
    """The most memory this process has held, in MiB: where Linux tells it, of this program alone (getrusage counts what
    the process held before it became this program, its parent's memory)."""
    try:
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM:")) / 1024
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
