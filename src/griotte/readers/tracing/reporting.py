"""What was taken over of the functions that are jitted, what was not, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakSet

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

    Example:
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
