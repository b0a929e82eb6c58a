"""The statistics of the race. Nothing here measures."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

FEWEST_QUIET = 5  # rounds; with fewer that were left in peace, all count


@dataclass(frozen=True)
class Turn:
    """One contestant in one round: median microseconds of a call; whether the system took its core away meanwhile."""

    us: float
    disturbed: bool = False


@dataclass(frozen=True)
class Ratio:
    """Of a rival's time over ours, over the rounds."""

    median: float
    low: float
    high: float  # quartiles
    rounds: int


def median_us(turns: Sequence[Turn]) -> float:
    """The median of the rounds' medians, of those left in peace where there are enough."""
    return statistics.median(t.us for t in _quiet(turns))


def ratio(theirs: Sequence[Turn], ours: Sequence[Turn]) -> Ratio:
    """Round by round, so that what a whole round suffered cancels; rounds that disturbed either are left out where
    enough remain."""
    pairs = list(zip(theirs, ours, strict=True))
    quiet = [(t, o) for t, o in pairs if not (t.disturbed or o.disturbed)]
    used = quiet if len(quiet) >= FEWEST_QUIET else pairs
    values = [t.us / o.us for t, o in used]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return Ratio(middle, low, high, len(values))


def best(medians: dict[str, float]) -> str | None:
    """The name of the least; None of none."""
    return min(medians, key=medians.get, default=None)


def geometric_mean(values: Iterable[float]) -> float:
    """NaN of nothing."""
    logs = [math.log(v) for v in values]
    return math.exp(statistics.fmean(logs)) if logs else math.nan


def _quiet(turns: Sequence[Turn]) -> list[Turn]:
    quiet = [t for t in turns if not t.disturbed]
    return quiet if len(quiet) >= FEWEST_QUIET else list(turns)
