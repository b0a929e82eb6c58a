"""Measuring: functions timed in turns, so that drift of the machine hits all alike; and the machine's peak rates.

Not here: the choice of comparisons, and any verdict.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import cffi
import numpy as np

from ..codegen.teams import DECLARED
from ..machine import runnable
from .team import load_team
from .toolchain import compile_shared

SLICE = 0.02  # seconds that a contestant runs before the next has its turn
BATCH = 20e-6  # seconds that a sample takes at least: shorter calls are timed several at once
FEWEST = 3  # samples of each contestant, however slow it is


@dataclass(frozen=True)
class Timing:
    """The time of one call, in microseconds; `runs` counts the samples behind the median."""

    median_us: float
    min_us: float
    runs: int


@dataclass(frozen=True)
class RateProbe:
    """A C function that does nothing but `work` (flop or bytes) as fast as the machine can."""

    run: Callable[[], Any]
    work: float

    def __call__(self) -> None:
        self.run()

    def rate(self, microseconds: float) -> float:
        """GFLOP/s or GB/s of a call that takes so long."""
        return self.work / microseconds / 1e3


def interleaved(
    functions: dict[str, Callable[[], Any]], seconds: float = 1.0, clock: Callable[[], float] = time.perf_counter
) -> dict[str, Timing]:
    """Time each function for about `seconds`, by `clock`: in turns of 20 ms, the order reversed at each round.

    Each is called once before, uncounted.  Functions that take more than `seconds` still
    run three times.
    """
    batches = {name: _batch(function, clock) for name, function in functions.items()}
    samples: dict[str, list[float]] = {name: [] for name in functions}
    spent = dict.fromkeys(functions, 0.0)
    order = list(functions)
    while order:
        for name in order:
            spent[name] += _slice(functions[name], batches[name], samples[name], clock)
        order = [n for n in reversed(order) if spent[n] < seconds or len(samples[n]) < FEWEST]
    return {n: Timing(statistics.median(s) * 1e6, min(s) * 1e6, len(s)) for n, s in samples.items()}


def _batch(function: Callable[[], Any], clock: Callable[[], float]) -> int:
    """Calls in one sample."""
    function()
    count = 1
    while True:
        taken = _timed(function, count, clock)
        if taken >= BATCH or count >= 1 << 20:
            return count
        count *= 2


def _slice(function: Callable[[], Any], count: int, samples: list[float], clock: Callable[[], float]) -> float:
    """One turn: adds to `samples`, in seconds a call; gives the seconds it took."""
    spent = 0.0
    while spent < SLICE:
        taken = _timed(function, count, clock)
        samples.append(taken / count)
        spent += taken
    return spent


def _timed(function: Callable[[], Any], count: int, clock: Callable[[], float]) -> float:
    if count == 1:
        started = clock()
        function()
        return clock() - started
    turns = repeat(None, count)
    started = clock()
    for _ in turns:
        function()
    return clock() - started


# What the machine can do ----------------------------------------------------------------

_FMA = """
typedef float vector __attribute__((vector_size({width}), aligned({width})));
static void run(void *context, int64_t share)
{{
    vector sum[{count}], x, y;
    for (int i = 0; i < {lanes}; i++) {{ x[i] = 0.999f; y[i] = 0.001f; }}
    __asm__ volatile("" : "+m"(x), "+m"(y));  /* not known to the compiler */
    {start}
    for (long n = 0; n < {trips}; n++) {{
        {steps}
    }}
    vector all = {total};
    __asm__ volatile("" :: "m"(all));
}}

void probe(void) {{ griotte_share_out({threads}, {threads}, run, 0); }}
"""

_READ = """
typedef int64_t vector __attribute__((vector_size({width}), aligned({width})));
struct given {{ const vector *x; int64_t vectors; }};

static void run(void *context, int64_t share)
{{
    const struct given *const given = context;
    const vector *x = given->x;
    const int64_t to = given->vectors * (share + 1) / {threads};
    int64_t i = given->vectors * share / {threads};
    {start}
    for (; i + 8 <= to; i += 8) {{
        {steps}
    }}
    for (; i < to; i++) s0 += x[i];
    vector sum = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7;
    __asm__ volatile("" :: "m"(sum));
}}

void probe(const void *data, int64_t vectors)
{{
    struct given given = {{data, vectors}};
    griotte_share_out({threads}, {threads}, run, &given);
}}
"""
_TRIPS = 20_000


def fma_peak(target: Any, threads: int = 1) -> RateProbe:
    """Multiply-adds of f32 vectors in registers, on every thread; `work` is in flop.

    As many accumulators as hide the latency: 16, or as many as the registers hold.
    """
    width, count = target.vector_bytes, min(16, target.registers - 4)
    lanes = width // 4
    source = _FMA.format(
        width=width,
        lanes=lanes,
        trips=_TRIPS,
        count=count,
        threads=threads,
        start=f"for (int i = 0; i < {count}; i++) sum[i] = x * (float)i;",
        steps=" ".join(f"sum[{i}] = sum[{i}] * x + y;" for i in range(count)),
        total=" + ".join(f"sum[{i}]" for i in range(count)),
    )
    run = _function(source, "void probe(void);", target)
    return RateProbe(run, 2.0 * lanes * count * _TRIPS * threads)


def read_bandwidth(size: int, target: Any, threads: int = 1) -> RateProbe:
    """A sum over `size` bytes (rounded to whole vectors), read in order; `work` is in bytes."""
    width = target.vector_bytes
    source = _READ.format(
        width=width,
        threads=threads,
        start="vector " + ", ".join(f"s{i} = {{0}}" for i in range(8)) + ";",
        steps=" ".join(f"s{i} += x[i + {i}];" for i in range(8)),
    )
    vectors = max(1, size // width)
    room = np.ones(vectors * width + 64, np.uint8)
    start = -room.ctypes.data % 64
    data = cffi.FFI().from_buffer(room[start : start + vectors * width])
    probe = _function(source, "void probe(const void *, int64_t);", target)
    return RateProbe(lambda: probe(data, vectors), float(vectors * width))


def _function(source: str, declaration: str, target: Any) -> Callable[..., None]:
    ffi = cffi.FFI()
    ffi.cdef(declaration)
    load_team()
    library = ffi.dlopen(str(compile_shared(DECLARED + source, runnable(target).flags)))
    probe = library.probe

    def run(*values: Any) -> None:
        probe(*values)

    run.library = library  # type: ignore[attr-defined] # the function dies with it
    return run
