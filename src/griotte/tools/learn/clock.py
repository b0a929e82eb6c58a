"""Programs of a Spec timed side by side on this machine: warm, in turns; and cold (elsewhere/turns.py)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import partial
from itertools import repeat
from math import nan
from typing import Any

import cffi
import numpy as np

from ...machine.eviction import EVICTION
from ...runtime.toolchain import compile_shared
from .elsewhere import turns
from .elsewhere.turns import Pace, Seconds, Times

FULL = Pace()

TimedCall = Callable[[], Any]


def warm(runs: list[TimedCall], threads: int, pace: Pace) -> list[Times]:
    """Each run timed in turns, operands where the call before left them; those whose halves differ run once more."""
    return turns.warm(_timed(runs, threads), pace)


def cold(runs: list[TimedCall], threads: int, pace: Pace, arrays: Iterable[np.ndarray]) -> list[tuple[float, float]]:
    """(a low quantile, median) of single calls in turns, in microseconds, each after all lines of `arrays` were put out
    of all caches by the instruction for that; nan where there is none. (A walk through a buffer larger than the last
    cache, which here is some hundred mebibytes, would take longer than all else, and put the code out too.)"""
    flush, spans = _flush(), [_span(array) for array in arrays]
    if flush is None or not all(flush(*span) for span in spans):
        return [(nan, nan)] * len(runs)
    return turns.cold(_timed(runs, threads), lambda: [flush(*span) for span in spans], pace)


def _timed(runs: list[TimedCall], threads: int) -> list[Seconds]:
    """Of one thread the time that it ran, which others on the machine disturb less."""
    clock = time.thread_time if threads == 1 else time.perf_counter
    return [partial(_seconds, run, clock) for run in runs]


def _seconds(run: TimedCall, clock: Callable[[], float], count: int) -> float:
    calls = repeat(None, count)
    started = clock()
    for _ in calls:
        run()
    return (clock() - started) / count


_ffi = cffi.FFI()
_ffi.cdef("int flush(const char *from, size_t bytes);")


def _flush() -> Callable[..., int] | None:
    library = _ffi.dlopen(str(compile_shared(EVICTION)))
    _loaded.append(library)
    return library.flush


_loaded: list[Any] = []  # a function dies with its library


def _span(array: np.ndarray) -> tuple[Any, int]:
    """Where an array's memory begins, and its bytes."""
    return _ffi.cast("const char *", array.ctypes.data), array.nbytes
