"""What is told of a model while it is solved, to the one who watches: the verbs of the command line."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from ..lang.calls.spec import Spec
from .parts import ModelPart


@dataclass(frozen=True)
class Progress:
    """How far a model is.

    Attributes:
        done: parts that are solved.
        known: parts that are to be solved, as far as is known: what is found may ask for more.
        working: what those in work are of, the oldest first.
        of: what is counted.
    """

    done: int
    known: int
    working: tuple[str, ...] = ()
    of: str = "parts"


Observer = Callable[[Progress], None]


class Watch:
    """Counts parts as they are asked for, begin and are done, and tells an observer; from several threads."""

    def __init__(self, observer: Observer | None = None):
        self._observer, self._lock = observer, threading.Lock()
        self._done = self._known = 0
        self._titles: dict[Spec, str] = {}
        self._working: dict[Spec, str] = {}

    def asked(self, part: ModelPart) -> None:
        """It is to be solved."""
        with self._lock:
            self._known += 1
            self._titles[part.spec] = part.title

    def began(self, spec: Spec) -> None:
        """It is in work."""
        with self._lock:
            self._working[spec] = self._titles.get(spec, "")
            self._tell()

    def done(self, spec: Spec) -> None:
        """It is solved, or has no program."""
        with self._lock:
            self._working.pop(spec, None)
            self._done += 1
            self._tell()

    def _tell(self) -> None:
        if self._observer is not None:
            self._observer(Progress(self._done, self._known, tuple(self._working.values())))
