"""Answers: from the table where it knows, else by a search that first adds to the table."""

from __future__ import annotations

import time
from typing import Callable, TypeVar

from ..spec.family import Family
from ..table import Table
from .memory import Memory
from .rebuild import Rebuild, Unsolved
from .statistics import Statistics, peak_rss_mb

Found = TypeVar("Found")


def answer(table: Table, goals: tuple[Family, ...], find: Callable[[Rebuild], Found], memory: Memory | None = None) -> tuple[Found, Statistics]:
    """What `find` makes of the table; the goals are solved first if it meets a Spec that the table does not hold."""
    started = time.perf_counter()
    try:
        return find(Rebuild(table)), Statistics(synthesis_s=time.perf_counter() - started, peak_rss_mb=peak_rss_mb())
    except Unsolved:
        from .solve import Solver  # and with it Numba: an answer from the table does without

        solver = Solver(table, memory=memory)
        solver.solve(*goals)
    found = find(Rebuild(table))
    solver.statistics.synthesis_s = time.perf_counter() - started
    return found, solver.statistics

