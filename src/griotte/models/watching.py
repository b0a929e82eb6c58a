"""Progress of a model while it is solved, for the one who watches: the verbs of the command line."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..engine.search.progress import SearchProgress
from ..lang.calls.spec import Spec
from .forecast import Atom, Forecast, SearchKind
from .parts import ModelPart


@dataclass(frozen=True)
class Progress:
    """How far a model is.

    Attributes:
        done: parts that are solved.
        known: parts that are to be solved, as far as is known: results may ask for more.
        working: what those in work are of, the oldest first.
        of: the things that are counted.
        left: seconds until all is done, as far as can be told; None: nobody tells.
    """

    done: int
    known: int
    working: tuple[str, ...] = ()
    of: str = "parts"
    left: float | None = None


Observer = Callable[[Progress], None]


class Watch:
    """Counts searches as they are asked for, begin and are done, and tells an observer; from several threads.

    Args:
        observer: gets the progress.
        workers: searches at the same time.
        clock: seconds.
    """

    def __init__(self, observer: Observer | None = None, workers: int = 1, clock: Callable[[], float] = time.monotonic):
        self._observer, self._lock = observer, threading.Lock()
        self._done = self._known = 0
        self._searches: dict[Spec, tuple[str, SearchKind]] = {}
        self._working: dict[Spec, str] = {}
        self._numbers: dict[Spec, int] = {}
        self.forecast = Forecast(workers, clock)

    @property
    def is_told(self) -> bool:
        """Whether anybody is."""
        return self._observer is not None

    def atom(self, spec: Spec, heavy: bool) -> Atom:
        """The atom that is this Spec by itself."""
        return Atom(self._numbers.setdefault(spec, len(self._numbers)), heavy)

    def begins(self, cut: object, atoms: int, kinds: Iterable[SearchKind]) -> None:
        """A cut of so many atoms begins, for which these may be asked."""
        with self._lock:
            self.forecast.begins(cut, atoms, kinds)

    def may_ask(self, cut: object, kinds: Iterable[SearchKind], short: float) -> None:
        """By the bounds of the moment these may make a cut cheaper, by `short` of all it costs."""
        with self._lock:
            self.forecast.may_ask(cut, kinds, short)

    def ends(self, cut: object) -> None:
        """A cut asks for no more."""
        with self._lock:
            self.forecast.ends(cut)
            self._tell()

    def asked(self, cut: object, spec: Spec, part: ModelPart, kind: SearchKind) -> None:
        """A Spec is to be solved, for a part."""
        with self._lock:
            self._known += 1
            self._searches[spec] = part.title, kind
            self.forecast.asked(cut, kind)

    def began(self, spec: Spec) -> None:
        """It is in work."""
        with self._lock:
            self._working[spec], kind = self._searches.get(spec, ("", ()))
            self.forecast.began(spec, kind)
            self._tell()

    def went_on(self, spec: Spec, progress: SearchProgress) -> None:
        """It is so far."""
        with self._lock:
            self.forecast.went_on(spec, *progress)
            self._tell()

    def done(self, spec: Spec) -> None:
        """It is solved, or has no program."""
        with self._lock:
            self._working.pop(spec, None)
            self.forecast.done(spec)
            self._done += 1
            self._tell()

    def _tell(self) -> None:
        if self._observer is not None:
            left = self.forecast.left()
            self._observer(Progress(self._done, self._known, tuple(self._working.values()), left=left))
