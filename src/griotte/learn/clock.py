"""Programs of a Spec timed side by side: warm, in turns, so that drift hits all alike; and cold, with what they read
and write put out of all caches before each call."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import repeat
from math import nan
from typing import Any

import cffi
import numpy as np

from ..runtime.toolchain import compile_shared
from ..targets.eviction import EVICTION

QUANTILE = 0.2  # of a program's turns: what disturbs a turn makes it longer
APART = 0.03  # two halves that differ by more are run anew, once

TimedCall = Callable[[], Any]


@dataclass(frozen=True)
class Pace:
    """How long programs are timed: `turn` seconds of one's turn, of calls that are shorter; so many `rounds` of turns,
    in two halves; so many calls with operands in memory (`cold`)."""

    turn: float = 0.8e-3
    rounds: int = 24
    cold: int = 5


FULL = Pace()


@dataclass(frozen=True)
class Times:
    """Of a call, in microseconds; `spread`: how far the two halves of its turns are apart, relative to the lesser."""

    low: float
    median: float
    spread: float


def warm(runs: list[TimedCall], threads: int, pace: Pace) -> list[Times]:
    """Each run timed in turns, operands where the call before left them; those whose halves differ run once more."""
    found = _turns(runs, threads, pace)
    again = [i for i, times in enumerate(found) if times.spread > APART]
    for i, times in zip(again, _turns([runs[i] for i in again], threads, pace)):
        found[i] = min(found[i], times, key=lambda times: times.spread)
    return found


def _turns(runs: list[TimedCall], threads: int, pace: Pace) -> list[Times]:
    clock = _clock(threads)
    counts = [_count(run, clock, pace.turn) for run in runs]
    halves: list[list[list[float]]] = [[[] for _ in runs] for _ in range(2)]
    for number in range(pace.rounds):
        half = halves[2 * number // pace.rounds]
        for i in range(len(runs)) if number % 2 else reversed(range(len(runs))):
            if counts[i] > 1:
                runs[i]()  # its code, and what another program left of the caches
            half[i].append(_seconds(runs[i], counts[i], clock))
    return [_times(first, second) for first, second in zip(*halves)]


def _clock(threads: int) -> Callable[[], float]:
    """Of one thread the time that it ran, which others on the machine disturb less."""
    return time.thread_time if threads == 1 else time.perf_counter


def _times(first: list[float], second: list[float]) -> Times:
    both = [float(np.quantile(half, QUANTILE)) for half in (first, second)]
    low, median = np.quantile(first + second, (QUANTILE, 0.5))
    return Times(float(low) * 1e6, float(median) * 1e6, max(both) / min(both) - 1)


def _count(run: TimedCall, clock: Callable[[], float], turn: float) -> int:
    """Calls in a turn."""
    run()
    count = 1
    while (taken := _seconds(run, count, clock)) * count < turn / 4 and count < 1 << 16:
        count *= 4
    return max(1, round(turn / max(taken, 1e-9)))


def _seconds(run: TimedCall, count: int, clock: Callable[[], float]) -> float:
    calls = repeat(None, count)
    started = clock()
    for _ in calls:
        run()
    return (clock() - started) / count


def cold(runs: list[TimedCall], threads: int, pace: Pace, arrays: Iterable[np.ndarray]) -> list[tuple[float, float]]:
    """(a low quantile, median) of single calls in turns, in microseconds, each after all lines of `arrays` were put out
    of all caches by the instruction for that; nan where there is none. (A walk through a buffer larger than the last
    cache, which here is some hundred mebibytes, would take longer than all else, and put the code out too.)"""
    flush, spans = _flush(), [_span(array) for array in arrays]
    if flush is None or not all(flush(*span) for span in spans):
        return [(nan, nan)] * len(runs)
    found: list[list[float]] = [[] for _ in runs]
    clock = _clock(threads)
    for _ in range(pace.cold):
        for times, run in zip(found, runs):
            for span in spans:
                flush(*span)
            started = clock()
            run()
            times.append(clock() - started)
    return [(float(np.quantile(t, QUANTILE)) * 1e6, float(np.median(t)) * 1e6) for t in found]


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
