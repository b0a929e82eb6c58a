"""Compiled drafts of a Spec checked and timed, warm and cold (elsewhere/turns.py): in this process, or in one of their
own, which many Specs share.

A loaded library stays for as long as its process, and no process may map some ten thousand. So a process that times
serves a number of Specs, and then a new one does. Should one die of a program, that Spec is reported, and the next one
taken.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from math import nan
from multiprocessing.connection import wait
from typing import Any

import cffi
import numpy as np

from ...lang.calls.spec import Spec
from ...lang.meaning.agreement import compare, tolerance
from ...lang.meaning.reference import empty_outputs
from ...lang.meaning.samples import timed_arrays
from ...lang.nests.family import LINE
from ...machine.architectures import EVICTION
from ...runtime import placing
from ...runtime.kernel import kernel_of
from ...runtime.saved import Library
from ...runtime.toolchain import compile_shared
from ...support.errors import ToolchainError
from .elsewhere import turns
from .elsewhere.turns import Pace, Seconds, Times

SPECS = 100  # that a process serves


@dataclass(frozen=True)
class TimedLibraries:
    """Of each library: whether its result is right. Of those with right results, in order: the times. Of all: how long
    timing took, in seconds, the machine's load average before it, and when that was, in seconds since 1970."""

    right: tuple[bool, ...]
    warm: tuple[Times, ...]
    cold: tuple[tuple[float, float], ...]
    seconds: float
    load: float
    at: float


def measured(spec: Spec, libraries: Sequence[Library], threads: int, seed: int, pace: Pace) -> TimedLibraries:
    """Check the libraries of one Spec on random arrays, and time the right ones on these: `on_a_line`, and
    `as_result`."""
    arrays = list(map(on_a_line, timed_arrays(spec, np.random.default_rng(seed))))
    outs = list(map(as_result, as_tuple(empty_outputs(spec))))
    out = tuple(outs) if len(outs) > 1 else outs[0]
    bounds, runs, right = tolerance(spec, arrays, random=True), [], []
    for library in libraries:
        run = kernel_of(library).bind(*arrays, out=out)
        for array in outs:
            array.fill(1)  # not the result of the one before
        right.append(bool(compare(spec, arrays, run(), bounds)[1]))
        runs += [run] * right[-1]
    load, at, started = os.getloadavg()[0], time.time(), time.perf_counter()
    warm, cold = timed_warm(runs, threads, pace), timed_cold(runs, threads, pace, [*arrays, *outs])
    return TimedLibraries(tuple(right), tuple(warm), tuple(cold), time.perf_counter() - started, load, at)


def as_tuple(results: Any) -> tuple[np.ndarray, ...]:
    """The results of a Spec, one or several."""
    return results if isinstance(results, tuple) else (results,)


def on_a_line(array: np.ndarray) -> np.ndarray:
    """An array with the same layout and numbers, that begins on a cache line wherever the allocator is: as programs
    elsewhere have theirs, and as prices take it to be."""
    return _begun_at(array, LINE, lambda address: -address % LINE)


def as_result(array: np.ndarray) -> np.ndarray:
    """The same, that begins where a kernel's own results do. Whole pages from an input it would hold up loads, which
    calls do not meet (runtime/placing.py)."""
    return _begun_at(array, placing.span(array.nbytes), lambda address: placing.start(address, array.nbytes))


def _begun_at(array: np.ndarray, span: int, start: Callable[[int], int]) -> np.ndarray:
    """An array with the same layout and numbers, so many bytes, fewer than `span`, behind the address that it gets."""
    axes = sorted(range(array.ndim), key=lambda axis: -array.strides[axis])
    room = np.empty(array.nbytes + span, np.uint8)
    begin = start(room.ctypes.data)
    found = room[begin : begin + array.nbytes].view(array.dtype).reshape([array.shape[axis] for axis in axes])
    found[...] = array.transpose(axes)
    return found.transpose(np.argsort(axes)) if axes else found


class OwnProcess:
    """A process of its own, that ends with this one. It is a new one after so many calls, and after one that it died
    of."""

    def __init__(self) -> None:
        self._pool = _pool()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def run(self, function: Callable[..., Any], spec: Any, *given: Any) -> Any:
        """What a function says of a Spec, or of a Spec's data. ToolchainError where the process dies."""
        try:
            return self._pool.submit(function, spec, *given).result()
        except BrokenProcessPool:
            self._pool.shutdown(wait=False)
            self._pool = _pool()
            raise ToolchainError(
                f"expected programs that run, found that the process died which timed those of {_words(spec)}; please"
                " report it"
            ) from None


class TimingProcess(OwnProcess):
    """`measured`, in a process of its own."""

    def measured(self, spec: Spec, libraries: Sequence[Library], threads: int, seed: int, pace: Pace) -> TimedLibraries:
        """As the function of this name. ToolchainError where the process dies."""
        found: TimedLibraries = self.run(measured, spec, list(libraries), threads, seed, pace)
        return found


def _words(spec: Any) -> str:
    return str(spec.get("spec") if isinstance(spec, dict) else spec)


def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=_begun, max_tasks_per_child=SPECS)


def _begun() -> None:
    """A stop is for the process that asked: this one ends with it, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asked = multiprocessing.parent_process()
    if asked is not None:
        threading.Thread(target=_end_with, args=(asked.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


FULL = Pace()

TimedCall = Callable[[], Any]


def timed_warm(runs: list[TimedCall], threads: int, pace: Pace) -> list[Times]:
    """Each run timed in turns, operands where the call before left them; those whose halves differ run once more."""
    return turns.warm(_on_a_clock(runs, threads), pace)


def timed_cold(
    runs: list[TimedCall], threads: int, pace: Pace, arrays: Iterable[np.ndarray]
) -> list[tuple[float, float]]:
    """(a low quantile, median) of single calls in turns, in microseconds. Before each call an instruction puts all
    lines of `arrays` out of all caches; nan where the machine has none. (A walk through a buffer larger than the last
    cache, which here is some hundred mebibytes, would take longer than all else, and put the code out too.)"""
    flush, spans = _flush(), [_span(array) for array in arrays]
    if flush is None or not all(flush(*span) for span in spans):
        return [(nan, nan)] * len(runs)
    return turns.cold(_on_a_clock(runs, threads), lambda: [flush(*span) for span in spans], pace)


def _on_a_clock(runs: list[TimedCall], threads: int) -> list[Seconds]:
    """Calls on a clock. For one thread it is the time that the thread ran, which others on the machine disturb less."""
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
