"""The ways to run a jitted function at a class of arguments: a kernel, or the function itself; races of the two. And
the report of parts taken over, parts not taken, and why."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any
from weakref import WeakSet

import numpy as np

from ...runtime.direct_calls import neither
from .arguments import as_array, layout_of

ClassRunner = Callable[..., Any]
ROUNDS, ENOUGH_S = 9, 0.05  # of a race: turns of each at most, and seconds after which no other begins
JITTED: WeakSet[Any] = WeakSet()
"""Functions that are jitted and in use."""


@dataclass
class ClassRow:
    """What became of a class of arguments.

    Attributes:
        function: its name.
        arguments: the class.
        taken: whether a kernel runs it.
        why: where none does, why.
        compile_s: seconds until there was a kernel.
        kernel_us: microseconds of a call that the kernel runs, where both were timed: all of the call.
        plain_us: microseconds of a call of the plain function.
        calls: how many there were.
        other: what runs it where no kernel does.
    """

    function: str
    arguments: str
    taken: bool = False
    why: str = ""
    compile_s: float | None = None
    kernel_us: float | None = None
    plain_us: float | None = None
    calls: int = 0
    other: str = "plain"

    @property
    def saved_s(self) -> float | None:
        """Seconds that the plain function would have taken longer for these calls; None where it was not timed."""
        if self.kernel_us is None or self.plain_us is None:
            return None
        return self.calls * (self.plain_us - self.kernel_us) * 1e-6 if self.taken else 0.0

    def __str__(self) -> str:
        told = [f"{self.function}({self.arguments})", "griotte" if self.taken else self.other]
        if self.kernel_us is not None:
            told.append(f"{self.kernel_us:.1f} us, {self.other} {self.plain_us:.1f} us")
        if self.saved_s:
            told.append(f"saved {self.saved_s:.3g} s in {self.calls} calls")
        return ": ".join([*told, *([self.why] if self.why else [])])


class JitReport(list[ClassRow]):
    """The rows of a report; printed, a line each."""

    @property
    def saved_s(self) -> float:
        """Seconds that all calls saved, of classes that were timed."""
        return sum(row.saved_s or 0.0 for row in self)

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "no call of a jitted function yet"

    __repr__ = __str__


def report() -> JitReport:
    """What became of each class of arguments that jitted functions were called with.

    A row says who runs the class, why not griotte where that is so, how many calls there were, and, where they were
    measured, the times of both and what was saved.

    Raises:
        SpecError: never.

    Examples:
        >>> @gt.jit(fallback=True)
        ... def tidied(x):
        ...     return np.sort(x)
        >>> tidied(np.array([2, 1], np.int32)).tolist()
        [1, 2]
        >>> [(row.taken, "order" in row.why) for row in gt.report() if row.function == "tidied"]
        [(False, True)]
    """
    every = sorted(JITTED, key=lambda each: str(getattr(each, "__qualname__", "")))
    return JitReport(row for each in every for row in tuple(each.rows))


class KernelRun:
    """A class that its kernel runs."""

    def __init__(self, kernel: Any, result: Any, row: ClassRow) -> None:
        self.kernel, self.result, self.row = kernel, result, row

    def of_leaves(self, leaves: list[np.ndarray], args: Any, named: Any, out: Any) -> Any:
        """A call, of its arrays."""
        if out is not None and _share(out, leaves):
            leaves = [np.array(leaf, order="K") for leaf in leaves]
        found = self.kernel(*map(_dense, leaves), out=out)
        return found if self.result.is_plain else self.result.build(found if isinstance(found, tuple) else (found,))

    def of_call(self, args: tuple[Any, ...]) -> ClassRunner:
        """What runs calls whose arguments look like these: the kernel itself, where nothing else is to be done."""
        places = [n for n, item in enumerate(args) if type(item) is np.ndarray]
        has_gaps = any(layout_of(args[n]) is None for n in places)
        if self.result.is_plain and not has_gaps:
            kernel: ClassRunner = self.kernel
            if len(places) == len(args):
                return kernel
            return lambda *given, out=None: kernel(*[given[n] for n in places], out=out)
        return lambda *given, out=None: self.of_leaves([given[n] for n in places], given, {}, out)

    def at_once(self, args: tuple[Any, ...]) -> ClassRunner:
        """What runs just such calls, and gives NotImplemented of others: of arrays alone, that a kernel takes."""
        is_whole = self.result.is_plain and all(type(item) is np.ndarray for item in args)
        found: ClassRunner = self.kernel.at_once if is_whole else neither
        return found


class PlainRun:
    """A class that the plain function runs."""

    def __init__(self, function: Callable[..., Any], row: ClassRow) -> None:
        self.function, self.row = function, row

    def of_leaves(self, leaves: Any, args: tuple[Any, ...], named: dict[str, Any], out: Any) -> Any:
        """A call."""
        found = self.function(*args, **named)
        if out is None:
            return found
        for to, array in zip(out, found) if isinstance(out, (tuple, list)) else [(out, found)]:
            to[...] = array
        return out

    def at_once(self, args: tuple[Any, ...]) -> ClassRunner:
        """As of KernelRun."""
        return neither

    def of_call(self, args: tuple[Any, ...]) -> ClassRunner:
        """What runs calls whose arguments look like these."""
        return lambda *given, out=None: self.of_leaves((), given, {}, out)


def _dense(array: np.ndarray) -> np.ndarray:
    """An array as a kernel takes it: one with gaps, or at an odd address, is copied."""
    if layout_of(array) is None:
        return np.array(array, order="C")
    return array if array.flags.aligned else np.array(array, order="K")


def _share(out: Any, leaves: list[np.ndarray]) -> bool:
    """Whether a result goes where an argument lies."""
    every = [as_array(to) for to in (out if isinstance(out, (tuple, list)) else (out,))]
    return any(np.may_share_memory(to, leaf) for to in every if to is not None for leaf in leaves)


def race(*runs: Callable[[], Any]) -> list[float]:
    """Microseconds of each, run in turns."""
    times: list[list[float]] = [[] for _ in runs]
    began = time.perf_counter()
    for run in runs:
        run()
    while len(times[0]) < ROUNDS and (not times[0] or time.perf_counter() - began < ENOUGH_S):
        for of, run in zip(times, runs):
            started = time.perf_counter()
            run()
            of.append(time.perf_counter() - started)
    return [median(of) * 1e6 for of in times]
