"""Answers: from the table where it knows, else by a search that first adds to the table.

What a file says is checked on the way (decisions.py). Where it cannot be, or says that there is no program, the goals
are solved again from nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from ...lang.nests.family import Family
from ...support.errors import NoProgramError
from ...support.memory import Memory
from ..table import Damaged, Table
from .graph import FamilyGraph
from .rebuild import Rebuild, Unsolved
from .statistics import Statistics, peak_rss_mb

Found = TypeVar("Found")


def answer(
    table: Table,
    goals: tuple[Family, ...],
    find: Callable[[Rebuild], Found],
    memory: Memory | None = None,
    met: FamilyGraph | None = None,
) -> tuple[Found, Statistics]:
    """What `find` makes of the table; the goals are solved first if it meets a Spec that the table does not hold. `met`
    are families that were met before."""
    started, statistics, denied = time.perf_counter(), None, False
    met = met or FamilyGraph()
    while True:
        believed = table.believed
        try:
            found = find(Rebuild(table, met))
            break
        except Unsolved:
            if statistics is not None and not believed:
                raise
            if statistics is not None:
                table.doubt()
        except Damaged as why:
            if not believed:
                raise
            table.doubt(why)
        except NoProgramError:
            if not believed or statistics is not None and not statistics.specs_known:
                raise
            denied = True
            table.doubt()
        statistics = _solve(table, goals, memory, met)
    if denied:
        table.tell(Damaged("a Spec without a program that has one"))
    statistics = statistics or Statistics(peak_rss_mb=peak_rss_mb())
    statistics.synthesis_s = time.perf_counter() - started
    return found, statistics


def _solve(table: Table, goals: tuple[Family, ...], memory: Memory | None, met: FamilyGraph) -> Statistics:
    from .solve import Solver  # and with it Numba: an answer from the table does without

    return Solver(table, memory=memory, met=met).solve(*goals)
