"""Which part of a model is worth the next trial, by numbers alone. A part's worth is its share of a call, times the
time that a better program of it may be expected to save, for the cost of the trial.

    doubt of a part that was not timed = what such parts gained on this machine, beside `PRIOR`
    doubt of one that was timed        = the expected improvement of its next draft (engine/learned/updates.py)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

PRIOR = 0.04  # of its time: what a part is expected to gain of which, and of whose like, nothing was timed
TIMES = 2.0  # how many parts the prior counts as, beside those that were timed
LEAST = 2e-4  # of a call: what is expected to gain less is not worth a trial


class Prospect(NamedTuple):
    """The figures of a part before its next trial.

    Attributes:
        us: microseconds of a call of the model that are spent in it.
        doubt: what a trial is expected to gain, relative to its time.
        cost: of a trial, in what the budget is counted in: seconds, or runs.
        trials: how many it had.
    """

    us: float
    doubt: float
    cost: float = 1.0
    trials: int = 0


def next_part(prospects: Sequence[Prospect], left: float = inf) -> int | None:
    """The place of the part whose next trial is expected to gain the most of a call for what it costs; None where none
    that `left` allows is worth one."""
    whole = sum(each.us for each in prospects)
    fit = [
        place
        for place, each in enumerate(prospects)
        if each.cost <= left and each.us * each.doubt >= LEAST * whole and each.doubt > 0
    ]
    return max(
        fit, key=lambda place: prospects[place].us * prospects[place].doubt / prospects[place].cost, default=None
    )


def equal(prospects: Sequence[Prospect], left: float = inf) -> int | None:
    """The place of the part that had the fewest trials, whatever it may gain: what `next_part` is measured beside."""
    fit = [place for place, each in enumerate(prospects) if each.cost <= left and each.doubt > 0]
    return min(fit, key=lambda place: prospects[place].trials, default=None)


def expected(gains: float, count: int) -> float:
    """The doubt of a part that was not timed, where `count` parts of its sort gained `gains` in all, each relative to
    its time: their mean, drawn towards `PRIOR`."""
    return (TIMES * PRIOR + gains) / (TIMES + count)
