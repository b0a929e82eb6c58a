"""A model's parts, timed where they run: one after the other in one call, with in the caches what the parts before
leave there."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cffi
import numpy as np

from ..lang.meaning.reference import empty
from ..machine import runnable
from ..machine.target import Target
from ..runtime.arguments import from_buffer
from ..runtime.model import Weights, kernel_of, packed
from ..runtime.team import load_team
from ..runtime.toolchain import compile_shared
from .program import ModelProgram

FEWEST = 5  # calls

_CLOCK = r"""
#include <stdint.h>
#include <time.h>
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}
/* Nanoseconds of an addition that waits for the one before, a cycle; and of a look at the clock. */
void probe(double *cycle, double *look)
{
    double start = now();
    int64_t x = 1;
    for (int64_t i = 0; i < 320000; i += 16) {
#define ADD x += i; __asm__ volatile("" : "+r"(x));
        ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD
    }
    *cycle = (now() - start) / 320000;
    start = now();
    for (int i = 0; i < 1000; i++) now();
    *look = (now() - start) / 1001;
}
"""


@dataclass(frozen=True)
class PartTimes:
    """Medians of calls, in microseconds.

    Attributes:
        parts: of each part, in order; None of a view.
        whole: of a call, without time stamps in it.
        ghz: the clock of the core meanwhile.
    """

    parts: tuple[float | None, ...]
    whole: float
    ghz: float


def measured(program: ModelProgram, arrays: Sequence[np.ndarray], seconds: float = 1.0) -> PartTimes:
    """Time each part of a model on this machine, on these arrays; of a dynamic size on arrays of the bound.

    Raises:
        TargetError: this CPU does not run the target's code.
        ToolchainError: there is no C compiler, or it failed.
    """
    target, library = runnable(program.target), program.build()
    weights = packed(library, program.arrays())
    call = kernel_of(library, weights).bind(*arrays)
    run, ticks = _timed(program, arrays, weights)
    cycle, look = _probe(target)
    samples: list[np.ndarray] = []
    whole: list[float] = []
    until = time.perf_counter() + seconds
    call()
    run()
    while len(samples) < FEWEST or time.perf_counter() < until:
        started = time.perf_counter()
        call()
        whole.append(time.perf_counter() - started)
        run()
        samples.append(np.diff(ticks) - look)
        cycle = min(cycle, _probe(target)[0]) if len(samples) < FEWEST else cycle
    each = np.median(np.asarray(samples), axis=0) / 1e3
    parts: list[float | None] = [None if part.program is None else 0.0 for part in program.parts]
    for owner, us in zip(program.owners, each):
        parts[owner] = (parts[owner] or 0.0) + max(0.0, float(us))
    return PartTimes(tuple(parts), statistics.median(whole) * 1e6, 1 / cycle)


def _timed(
    program: ModelProgram, arrays: Sequence[np.ndarray], weights: Weights
) -> tuple[Callable[[], None], np.ndarray]:
    """A call that fills an array with time stamps; and that."""
    if program.threads > 1:
        load_team()
    unit = program.timed()
    ticks = np.zeros(len(program.owners) + 1, np.int64)
    outputs = [empty(value.type) for _, value in program.graph.results]
    given = [from_buffer(weights), *map(_pointer, [*arrays, *outputs, ticks])]
    words, bound = ["void *"] * len(given), program.graph.bound
    if bound is not None:
        given, words = [bound, *given], ["int64_t", *words]
    ffi = cffi.FFI()
    ffi.cdef(f"void {unit.function}({', '.join(words)});")
    library = ffi.dlopen(str(compile_shared(unit.source, program.target.flags)))
    function, kept = getattr(library, unit.function), (library, arrays, outputs, ticks)
    return (lambda kept=kept: function(*given)), ticks


def _pointer(array: np.ndarray) -> Any:
    return cffi.FFI().cast("void *", array.ctypes.data)


def _probe(target: Target) -> tuple[float, float]:
    """Nanoseconds of a cycle, and of a look at the clock."""
    ffi = cffi.FFI()
    ffi.cdef("void probe(double *cycle, double *look);")
    library = ffi.dlopen(str(compile_shared(_CLOCK, target.flags)))
    found = np.zeros(2)
    library.probe(ffi.cast("double *", from_buffer(found[:1])), ffi.cast("double *", from_buffer(found[1:])))
    return float(found[0]), float(found[1])
