"""A contestant's process: `python -m racing MODULE[:MEMBER] THREADS`. The protocol is in turns.py.

It runs in a rival's own environment: nothing here needs more than NumPy. A rival's module has

    ways(problem, a, b, threads)     of products: yields Way after Way, or raises Skip; a: [m, k] (or batches), b: [k,
                                     n] with the strides of its layout
    graphs(problem, arrays, threads) of graphs, where it has that: the same; `problem.call` says what is to be computed
      (calls.py)
    versions()                       what is running, for the report

The arrays begin where the heat says (BEGINS), and so does every result: a way computes into `output(problem)`, or says
that it allocates its own. Every way is checked, tried for a moment, and the quickest right one takes the turns.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import repeat
from types import SimpleNamespace
from typing import Any

import numpy as np

from racing import calls

BATCH = 20e-6  # seconds that a sample takes at least: shorter calls are timed several at once
TRIAL = 0.06  # seconds for which a way is tried
LINE = 64  # bytes
BEGINS = {"line": 0, "numpy": 16}  # bytes into a line at which arrays begin; 16: NumPy's allocator leaves them there


class Skip(Exception):
    """This rival does not compute this problem; the text says why."""


@dataclass
class Way:
    """`run()` computes once; `result()` is the array it computed into; `loop(n)` runs n times within C, where there is
    such a loop.

    `rounds_to_bf16`: the result was rounded to bf16, and is checked against that. `allocates`: the library makes the
    result at each call, wherever it likes. `work`: of a probe, which has no result. `release()` gives memory back that
    Python does not know of.
    """

    name: str
    run: Callable[[], Any]
    result: Callable[[], np.ndarray] | None
    loop: Callable[[int], Any] | None = None
    rounds_to_bf16: bool = False
    allocates: bool = False
    work: float | None = None
    release: Callable[[], Any] = lambda: None


def aligned(shape: tuple[int, ...], dtype, begin: str = "line") -> np.ndarray:
    """Uninitialised, C-contiguous, from that place of a cache line on."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    room = np.empty(size + LINE, np.uint8)
    start = (BEGINS[begin] - room.ctypes.data) % LINE
    return room[start : start + size].view(dtype).reshape(shape)


def placed(array: np.ndarray, begin: str) -> np.ndarray:
    """A copy that begins there, C-contiguous."""
    mine = aligned(array.shape, array.dtype, begin)
    mine[...] = array
    return mine


def output(problem, dtype=None) -> np.ndarray:
    """Where a way computes into: the result's shape and dtype, beginning as the heat says. `dtype` where a library has
    another."""
    return aligned(
        tuple(problem.shape), dtype or {"u8s8": np.int32, "u8": np.uint8}.get(problem.dtype, np.float32), problem.begin
    )


def as_bf16(array: np.ndarray) -> np.ndarray:
    """Bits of bf16, kept as uint16, as f32."""
    return (array.astype(np.uint32) << 16).view(np.float32)


class Runner:
    """Answers the coordinator."""

    def __init__(self, module, threads: int) -> None:
        self.module, self.threads = module, threads
        self.way: Way | None = None
        self.call: Callable[[int], Any] | None = None
        self.held: dict[str, dict[str, tuple[Way, Callable[[int], Any]]]] = {}
        self.count = 1

    def hello(self) -> dict:
        return {"versions": self.module.versions()}

    def prepare(self, problem: dict, data: str, begin: str = "line") -> dict:
        self.drop()
        problem = SimpleNamespace(**problem, begin=begin)
        tried, wrong, kept = {}, [], None
        try:
            for way, call in self._right(problem, data, wrong):
                count = _batch(call)
                tried[way.name] = _timed(call, count, TRIAL)
                kept, other = ((way, call, count), kept) if tried[way.name] == min(tried.values()) else (kept, (way,))
                if other:
                    other[0].release()
        except (Skip, calls.NoForm) as skip:
            return {"skip": str(skip)}
        except Exception as error:  # of a library: what it did well until then still counts
            wrong.append(f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}")
        if kept is None:
            return {
                "skip": (
                    f"failed: {'; '.join(wrong)}"
                    if wrong
                    else "no way in from C"
                    if problem.door == "c"
                    else "nothing fits"
                )
            }
        self.way, self.call, self.count = kept
        return {
            "way": self.way.name,
            "tried": tried,
            "wrong": wrong,
            "work": self.way.work,
            "allocates": self.way.allocates,
        }

    def hold(self, problem: dict, data: str, begin: str = "line", without: str = "") -> dict:
        """Every right way of a problem, but the one of that name, ready for turns beside those of others: for a race
        of many problems whose preparing is not to fall into its rounds."""
        name, problem, wrong = problem["name"], SimpleNamespace(**problem, begin=begin), []
        held = self.held[name] = {}
        try:
            for way, call in self._right(problem, data, wrong, without):
                held[way.name] = way, call
        except (Skip, calls.NoForm) as skip:
            wrong.append(str(skip))
        except Exception as error:  # of a library, as in `prepare`
            wrong.append(f"{type(error).__name__}: {str(error).strip().splitlines()[:1]}")
        return {"ways": list(held), "wrong": wrong}

    def held_turn(self, problem: str, way: str, seconds: float, warm: float) -> dict:
        """A turn of one that is held."""
        self.call = self.held[problem][way][1]
        self.count = _batch(self.call)
        return self.turn(seconds, warm)

    def _right(
        self, problem, data: str, wrong: list[str], without: str = ""
    ) -> Iterator[tuple[Way, Callable[[int], Any]]]:
        """Ways whose results are right, each with what calls it so many times; complaints go into `wrong`."""
        for way in self._ways(problem, data):
            if way.name == without:
                continue
            complaint = _complaint(way, data) or _misplaced(way, problem.begin)
            if complaint:
                wrong.append(f"{way.name}: {complaint}")
            is_c = problem.door == "c" and way.work is None  # a probe is the same from either
            if complaint or (is_c and way.loop is None):
                way.release()
                continue
            yield way, way.loop if is_c else _repeated(way.run)

    def _ways(self, problem, data: str):
        if not hasattr(problem, "call"):
            return self.module.ways(problem, *(_taken(data, name, problem.begin) for name in "ab"), self.threads)
        if not hasattr(self.module, "graphs"):
            raise Skip("products alone")
        problem.inputs = tuple(calls.Input(x["dtype"], tuple(x["shape"]), x["const"]) for x in problem.inputs)
        return self.module.graphs(
            problem, [_taken(data, f"x{i}", problem.begin) for i in range(len(problem.inputs))], self.threads
        )

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


def _taken(folder: str, name: str, begin: str) -> np.ndarray:
    """Our own copy, in the file's order."""
    mine = placed(np.load(os.path.join(folder, f"{name}.npy"), mmap_mode="r"), begin)
    return mine.swapaxes(-1, -2) if os.path.exists(os.path.join(folder, f"{name}.swapped")) else mine


def _complaint(way: Way, folder: str) -> str:
    """What is wrong with its result; nothing where it lies within what rounding allows."""
    if way.result is None:
        return ""
    way.result().fill(77)
    way.run()
    expected, allowed = (
        np.load(os.path.join(folder, f"{name}.npy"), mmap_mode="r") for name in ("expected", "allowed")
    )
    found = way.result()
    found = as_bf16(found) if found.dtype == np.uint16 else found
    allowed = allowed + 2.0**-8 * np.abs(expected) if way.rounds_to_bf16 else allowed
    error = np.abs(found.astype(np.float64) - expected)
    bad = ~(error <= allowed)
    if not bad.any():
        return ""
    at = np.unravel_index(np.argmax(np.where(np.isnan(error), np.inf, error - allowed)), error.shape)
    return (
        f"expected {expected[at]:g} at {list(map(int, at))}, found {found[at]:g}; {int(bad.sum())} of {bad.size} are"
        " wrong"
    )


def _misplaced(way: Way, begin: str) -> str:
    """Nothing where its result begins as everyone's does."""
    if way.result is None or way.allocates:
        return ""
    found = way.result().ctypes.data % LINE
    return (
        ""
        if found == BEGINS[begin]
        else f"expected its result to begin {BEGINS[begin]} bytes into a line, found {found}"
    )


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
