"""The settings of a search: one object, which each public function makes and all below take."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypedDict, Unpack

from ..machine.target import Target
from ..runtime.calibrate.unasked import before_search
from ..runtime.leaves import resolved
from ..support.errors import SpecError, TableError, ToolchainError
from ..support.floats import require_denormals
from ..support.folders import writable_dir
from ..support.memory import Memory, nbytes

if TYPE_CHECKING:
    from ..engine.learned.model import PerformanceModel
    from ..engine.learned.ranking import GivenModel
    from ..engine.table.store import Store
    from ..lang.calls.spec import Spec

TablePath = str | os.PathLike[str] | None

WORK = {0: inf, 1: 2.4e9, 2: 1.2e10, 3: 6.0e10}
"""By effort: how much one search may be, in relaxations of cells (engine/search/work.py), all searches of a Spec
together. Effort 2 is what two cores do in about 20 s. At 0 it is the space that is small (`Target.narrowed`)."""


class Arguments(TypedDict, total=False):
    """The arguments that `griotte.jit` shares with `griotte.compile`, which says what they are."""

    target: str | Target
    threads: int
    table: TablePath
    effort: int
    math: str | None
    first: str | None


class SearchArguments(Arguments, total=False):
    """The arguments of `griotte.compile` beside the Spec or model and its host."""

    memory: int | str | None
    tune: int | None
    tune_seconds: float | None
    model: GivenModel | None
    denormals: str


class Tuning(NamedTuple):
    """How programs are timed. `runs`: how many are timed; None: the table's tuned program; 1: not even that. `model`:
    orders the programs that are taken, or timed. `seconds`: how long timing a model's parts may take, in place of
    `runs`."""

    runs: int | None = None
    model: PerformanceModel | None = None
    seconds: float | None = None

    @property
    def is_timed(self) -> bool:
        """Whether anything is timed."""
        return self.seconds is not None or (self.runs is not None and self.runs > 1)


NOTHING = Tuning()


@dataclass(frozen=True)
class Session:
    """What programs are searched for, and what a search may take. It pickles without its open table.

    Attributes:
        target: the machine that they are for, with what they promise of floats.
        threads: how many a call runs on.
        table: the file that keeps solutions; None: the user's own; "none": none.
        memory: a bound on what the process holds while it searches, in bytes or as a text; None: no bound.
        effort: how much one search may be, 0 to 3.
        tuning: which programs are timed, and who orders them.
        denormals: what becomes of them within a call.
        work: how much one search may be, in relaxations of cells; None: as `effort` says.
    """

    target: Target
    threads: int = 1
    table: TablePath = None
    memory: int | str | None = None
    effort: int = 2
    tuning: Tuning = NOTHING
    denormals: str = "keep"
    work: float | None = None

    def __post_init__(self) -> None:
        require_asked(self.threads, self.effort)
        require_denormals(self.denormals)

    def __getstate__(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def of_call(self, spec: Spec) -> Self:
        """The session with the target's prices of a call of a Spec; SpecError where that is none."""
        if not self.target.prices_calls:
            return self
        from .pricing import of_call  # and with it the search, which a kernel that was kept needs none of

        target = of_call(self.target, spec, self.threads)
        if target is self.target:
            return self
        if id(target) not in self._of_calls:
            self._of_calls[id(target)] = replace(self, target=target)
        return self._of_calls[id(target)]

    def remembers(self, spec: Spec) -> bool:
        """Whether the table has the answer to a Spec."""
        store = self.of_call(spec).store
        return store is not None and store.remembers(str(spec), self.threads)

    @cached_property
    def _of_calls(self) -> dict[int, Self]:
        """Sessions with prices of calls, by their targets, which these hold: each opens its table once."""
        return {}

    @property
    def most(self) -> float:
        """How much one search may be, in relaxations of cells."""
        return WORK[self.effort] if self.work is None else self.work

    @cached_property
    def store(self) -> Store | None:
        """The table, opened for the target; None where there is none. TableError where the file is no table."""
        path = os.environ.get("GRIOTTE_TABLE") or None if self.table is None else self.table
        if path == "none":
            return None
        from ..engine.table.store import CachedStore, Store
        from ..runtime.cache_size import limit

        if path is None:
            limit()  # a wrong one is told before there is work to lose
            try:
                return CachedStore(writable_dir("tables") / "default.griotte", self.target)
            except ToolchainError:  # nothing can be written, and that was told: it is solved in memory
                return None
        if not isinstance(path, (str, os.PathLike)):
            raise TableError(f"expected a path, None or 'none' as table, found {path!r}; name a file")
        return Store(path, self.target)

    @cached_property
    def costs(self) -> Memory:
        """Where searches hold their costs, within the bound; scratch files lie in the cache. GriotteError where the
        bound is none."""
        if self.memory is None:
            return Memory()
        return Memory(nbytes(self.memory), str(writable_dir("scratch")))


def session_of(**asked: Unpack[SearchArguments]) -> Session:
    """The session of a door's arguments: the target found, the model of times read.

    Raises:
        SpecError: an argument is none.
        TargetError: there is no such target.
        GriotteError: the file of the model holds none.
    """
    effort, model = asked.get("effort", 2), asked.get("model")
    _require_seconds(asked.get("tune"), asked.get("tune_seconds"))
    target = target_of(asked.get("target", "native"), asked.get("math"))
    if model is not None:
        from ..engine.learned.ranking import (
            model_of,  # and with it programs, which a kernel that was kept needs none of
        )

        model = model_of(model)
    return Session(
        target,
        asked.get("threads", 1),
        asked.get("table"),
        asked.get("memory"),
        effort,
        Tuning(asked.get("tune"), model, asked.get("tune_seconds")),
        asked.get("denormals", "keep"),
        _work() if effort == 2 else None,
    )


def target_of(target: str | Target, math: str | None = None) -> Target:
    """The Target of a door's argument that is to be searched for; TargetError where there is none.

    A machine that no file fits is measured before, where that is to be."""
    before_search(target)
    return resolved(target, math)


def _work() -> float | None:
    """The most that GRIOTTE_WORK allows one search, where no effort is asked for."""
    given = os.environ.get("GRIOTTE_WORK")
    if not given:
        return None
    try:
        work = float(given)
    except ValueError:
        work = 0.0
    if not work > 0:
        raise SpecError(
            f"expected relaxations of cells such as 1.2e9 in GRIOTTE_WORK, found {given!r}; write a number, or unset it"
        )
    return work


def _require_seconds(tune: object, seconds: object) -> None:
    """SpecError where `seconds` is no time, or stands beside a number of runs."""
    if seconds is None:
        return
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or not 0 < seconds < inf:
        raise SpecError(f"expected tune_seconds above 0, found {seconds!r}; ask for some, such as tune_seconds=60")
    if tune is not None:
        raise SpecError(f"expected tune or tune_seconds, found both, {tune!r} and {seconds!r}; leave one of them out")


def require_asked(threads: int, effort: int) -> None:
    """SpecError unless a search is for one thread or more, at an effort that there is."""
    if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
        raise SpecError(f"expected a number of threads of 1 or more, found {threads!r}")
    if isinstance(effort, bool) or effort not in WORK:
        raise SpecError(f"expected an effort of 0, 1, 2 or 3, found {effort!r}; 2 is the default, 3 joins more")
