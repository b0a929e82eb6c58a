"""A contestant's process: `python -m racing MODULE[:MEMBER] THREADS`. The protocol is in turns.py.

It runs in a rival's own environment: nothing here needs more than NumPy. A rival's module has

    ways(problem, a, b, threads)  yields Way after Way, or raises Skip; a: [m, k] (or batches), b: [k, n] with the strides of its layout
    versions()                    what is running, for the report

Every way is checked, tried for a moment, and the quickest right one takes the turns.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import repeat
from types import SimpleNamespace
from typing import Any

import numpy as np

BATCH = 20e-6  # seconds that a sample takes at least: shorter calls are timed several at once
TRIAL = 0.06  # seconds for which a way is tried
ALIGNMENT = 64  # bytes, of every array


class Skip(Exception):
    """This rival does not compute this problem; the text says why."""


@dataclass
class Way:
    """`run()` computes once; `result()` is the array it computed into; `loop(n)` runs n times within C, where there is such a loop.

    `rounds_to_bf16`: the result was rounded to bf16, and is checked against that. `work`: of a probe, which has no result. `release()`
    gives memory back that Python does not know of.
    """

    name: str
    run: Callable[[], Any]
    result: Callable[[], np.ndarray] | None
    loop: Callable[[int], Any] | None = None
    rounds_to_bf16: bool = False
    work: float | None = None
    release: Callable[[], Any] = lambda: None


def aligned(shape: tuple[int, ...], dtype, order: str = "C") -> np.ndarray:
    """Uninitialised, on a cache line."""
    count = int(np.prod(shape))
    room = np.empty(count * np.dtype(dtype).itemsize + ALIGNMENT, np.uint8)
    start = -room.ctypes.data % ALIGNMENT
    return room[start : start + count * np.dtype(dtype).itemsize].view(dtype).reshape(shape, order=order)


def as_bf16(array: np.ndarray) -> np.ndarray:
    """Bits of bf16, kept as uint16, as f32."""
    return (array.astype(np.uint32) << 16).view(np.float32)


class Runner:
    """Answers the coordinator."""

    def __init__(self, module, threads: int) -> None:
        self.module, self.threads = module, threads
        self.way: Way | None = None
        self.call: Callable[[int], Any] | None = None
        self.count = 1

    def hello(self) -> dict:
        return {"versions": self.module.versions()}

    def prepare(self, problem: dict, data: str) -> dict:
        self.drop()
        problem = SimpleNamespace(**problem, is_matvec=problem["m"] == 1)
        a, b = _taken(data, "a"), _taken(data, "b")
        tried, wrong, kept = {}, [], None
        try:
            for way in self.module.ways(problem, a, b, self.threads):
                complaint = _complaint(way, data)
                if complaint:
                    wrong.append(f"{way.name}: {complaint}")
                is_c = problem.door == "c" and way.work is None  # a probe is the same from either
                if complaint or (is_c and way.loop is None):
                    way.release()
                    continue
                call = way.loop if is_c else _repeated(way.run)
                count = _batch(call)
                tried[way.name] = _timed(call, count, TRIAL)
                kept, other = ((way, call, count), kept) if tried[way.name] == min(tried.values()) else (kept, (way,))
                if other:
                    other[0].release()
        except Skip as skip:
            return {"skip": str(skip)}
        except Exception as error:  # of a library: what it did well until then still counts
            wrong.append(f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}")
        if kept is None:
            return {"skip": f"failed: {'; '.join(wrong)}" if wrong else "no way in from C" if problem.door == "c" else "nothing fits"}
        self.way, self.call, self.count = kept
        return {"way": self.way.name, "tried": tried, "wrong": wrong, "work": self.way.work}

    def turn(self, seconds: float, warm: float) -> dict:
        until = time.perf_counter() + warm
        self.call(1)
        while time.perf_counter() < until:
            self.call(self.count)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw
        us = _timed(self.call, self.count, seconds)
        return {"us": us, "disturbed": resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw > before}

    def drop(self) -> dict:
        if self.way:
            self.way.release()
        self.way = self.call = None
        return {}


def _repeated(run: Callable) -> Callable[[int], None]:
    def calls(count: int) -> None:
        for _ in repeat(None, count):
            run()

    return calls


def _batch(call: Callable[[int], Any]) -> int:
    """Calls in one sample."""
    call(1)
    count = 1
    while True:
        started = time.perf_counter()
        call(count)
        if time.perf_counter() - started >= BATCH or count >= 1 << 20:
            return count
        count *= 2


def _timed(call: Callable[[int], Any], count: int, seconds: float) -> float:
    """Median microseconds of one call; at least one sample."""
    clock, samples, spent = time.perf_counter, [], 0.0
    while not samples or spent < seconds:
        started = clock()
        call(count)
        taken = clock() - started
        samples.append(taken / count)
        spent += taken
    return statistics.median(samples) * 1e6


def _taken(folder: str, name: str) -> np.ndarray:
    """Our own copy, on a cache line, in the file's order."""
    stored = np.load(os.path.join(folder, f"{name}.npy"), mmap_mode="r")
    mine = aligned(stored.shape, stored.dtype)
    mine[...] = stored
    return mine.swapaxes(-1, -2) if os.path.exists(os.path.join(folder, f"{name}.swapped")) else mine


def _complaint(way: Way, folder: str) -> str:
    """What is wrong with its result; nothing where it lies within what rounding allows."""
    if way.result is None:
        return ""
    way.result().fill(77)
    way.run()
    expected, allowed = (np.load(os.path.join(folder, f"{name}.npy"), mmap_mode="r") for name in ("expected", "allowed"))
    found = way.result()
    found = as_bf16(found) if found.dtype == np.uint16 else found
    allowed = allowed + 2.0**-8 * np.abs(expected) if way.rounds_to_bf16 else allowed
    error = np.abs(found.astype(np.float64) - expected)
    bad = ~(error <= allowed)
    if not bad.any():
        return ""
    at = np.unravel_index(np.argmax(np.where(np.isnan(error), np.inf, error - allowed)), error.shape)
    return f"expected {expected[at]:g} at {list(map(int, at))}, found {found[at]:g}; {int(bad.sum())} of {bad.size} are wrong"


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no answer
    module, _, member = sys.argv[1].partition(":")
    module = importlib.import_module(f"racing.rivals.{module}")
    runner = Runner(getattr(module, member) if member else module, int(sys.argv[2]))
    for line in sys.stdin:
        message = json.loads(line)
        answer = getattr(runner, message.pop("do"))(**message)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
