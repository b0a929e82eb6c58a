"""How far the searches are that a thread asks for, told while they go on.

A listener hears of work that is done and of work that is known, of one search after the other in sum. The work of a
search is known once its families are met. It is counted as in work.py, at the limits that are met.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from .graph import FamilyNode
from .work import COUNTED, FAMILY, GRAPH

EVERY_S = 0.2  # between two reports to a listener, at least


class SearchProgress(NamedTuple):
    """So much is `done` of the work that is `known`, in relaxations of cells."""

    done: float
    known: float


Listener = Callable[[SearchProgress], None]


class WorkTold:
    """Adds up the work of searches, and tells a listener. Not for several threads at once.

    Args:
        listener: who hears it.
        clock: seconds.
    """

    def __init__(self, listener: Listener, clock: Callable[[], float] = time.monotonic):
        self._listener, self._clock = listener, clock
        self._done = self._known = self._at = 0.0

    def begins(self, nodes: Iterable[tuple[FamilyNode, int]]) -> None:
        """A search has met these families, each with its number of costs."""
        for node, costs in nodes:
            self._done += _met(node)
            self._known += _met(node) + _solved(node, costs)
        self._tell()

    def solved(self, node: FamilyNode, costs: int) -> None:
        """It has solved a family."""
        self._done += _solved(node, costs)
        if self._clock() - self._at >= EVERY_S:
            self._tell()

    def _tell(self) -> None:
        self._at = self._clock()
        self._listener(SearchProgress(self._done, self._known))


_told: ContextVar[WorkTold | None] = ContextVar("_told", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Let a listener be told of the searches that this thread asks for within."""
    token = _told.set(WorkTold(listener))
    try:
        yield
    finally:
        _told.reset(token)


def told() -> WorkTold | None:
    """What tells of this thread's searches; None where nobody listens."""
    return _told.get()


def _met(node: FamilyNode) -> float:
    """What it takes to find all that leaves a family."""
    is_single = node.family.operation.is_lone
    return FAMILY * COUNTED[0] if is_single else GRAPH * COUNTED[1]


def _solved(node: FamilyNode, costs: int) -> float:
    """What it takes to solve it."""
    whole = FAMILY if node.family.operation.is_lone else GRAPH
    return whole - _met(node) + costs * (len(node.edges) + len(node.tilings))
