"""Cycles of many kernels, measured in turns.

Cycles are counted by a chain of dependent additions that takes its turn right before and after each kernel: one
addition takes one cycle on every core that griotte knows. So the figures are free of the clock's drift, and of the time
that another guest of the machine takes evenly. Kernels are called from C, over and over on the same arrays: they find
in caches only the data that their last call left there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import cffi
import numpy as np

from ...lang.calls.spec import Spec
from ...lang.types.dtypes import dtype
from .. import placing, toolchain
from .source import text

CHAIN = 32_000  # additions in one turn of the clock: some 10 us
LEAST = 0.0005  # seconds of a kernel's turn, if one call does not take more
ATTEMPTS = 3  # at each turn that is wanted
MOST_CALLS = 1 << 16

_HEADER = "double turn(void *, void **, int, int64_t, int64_t, double *);"


class Stopwatch:
    """Times C functions of up to four pointers."""

    def __init__(self) -> None:
        self._ffi = cffi.FFI()
        self._ffi.cdef(_HEADER)
        self._library = self._ffi.dlopen(str(toolchain.compile_shared(text("now.c") + text("stopwatch.c"))))

    def cycles(self, kernel: Any, arrays: Sequence[np.ndarray], samples: int = 3) -> list[float]:
        """Cycles of one call of a kernel (a cffi function), in a few turns after two calls that do not count. Turns in
        which the system took a core away are repeated, up to a point: there may be fewer, or none."""
        ffi = self._ffi
        pointers = [ffi.from_buffer(array.view(np.uint8)) for array in arrays]
        held = ffi.new("void *[]", [ffi.cast("void *", pointer) for pointer in pointers])
        address, clock = ffi.cast("void *", ffi.cast("intptr_t", kernel)), ffi.new("double *")

        def turn(calls: int) -> float:
            return self._library.turn(address, held, len(pointers), calls, CHAIN, clock)

        turn(1)
        calls = int(min(MOST_CALLS, max(1, LEAST / max(turn(1), 1e-9))))
        found: list[float] = []
        for _ in range(ATTEMPTS * samples):
            before = _interruptions()
            cycles = turn(calls) / calls / clock[0] * CHAIN
            if _interruptions() == before:
                found.append(cycles)
            if len(found) == samples:
                break
        return found


def _interruptions() -> int:
    """How often the system has put a thread of this process aside for another; 0 where it does not say."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw


def arrays_of(spec: Spec, rng: np.random.Generator) -> list[np.ndarray]:
    """The memory of a Spec's inputs, as NumPy gives it to a user, and of its output, which begins as those do that
    kernels make. It holds small positive numbers; in large tensors a random stretch repeats."""
    found = []
    for tensor in spec.tensors:
        stretch = rng.integers(1, 5, min(tensor.elements, 1 << 16)).astype(dtype(tensor.dtype).numpy)
        found.append(np.resize(stretch, tensor.elements))
    room = np.empty(found[-1].nbytes + placing.span(found[-1].nbytes), np.uint8)
    start = placing.start(room.ctypes.data, found[-1].nbytes)
    found[-1] = room[start : start + found[-1].nbytes].view(found[-1].dtype)
    found[-1][...] = 1
    return found


def opened(library: Path, function: str, count: int) -> Any:
    """The kernel of a shared library, as a cffi function; it keeps the library loaded."""
    ffi = cffi.FFI()
    ffi.cdef(f"void {function}({', '.join(['void *'] * count)});")
    return getattr(ffi.dlopen(str(library)), function)


def undisturbed(cycles: Iterable[float], quantile: float) -> float:
    """The quantile of those cycles that have a number; NaN where none has."""
    known = [x for x in cycles if not np.isnan(x)]
    return float(np.quantile(known, quantile)) if known else float("nan")
