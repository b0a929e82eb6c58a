"""What a call costs: small squares from Python, a parallel region, and what a second thread brings.

Turns, medians and checks are those of speed.py.
"""

from __future__ import annotations

import functools

import child
import speed
from row import Result, Row, Run

SMALL, SMALL_RATIO = (8, 16, 32), 3.0
SQUARES, SPEED_UP = (128, 256, 512, 1024), 1.8
MANY = 100  # calls in one of bind_many
_REGION = """
static void nothing(void *context, int64_t share) { __asm__ volatile("" :: "r"(context), "r"(share) : "memory"); }
void region(const void *x, void *y) { griotte_share_out(2, 2, nothing, 0); }
"""


def rows() -> list[Row]:
    small = [
        Row(
            f"small-{size}",
            f"f32 {size}^3, bound / NumPy's call",
            f">= {SMALL_RATIO:g}",
            functools.partial(_small, size),
        )
        for size in SMALL
    ]
    threads = [
        Row(f"threads-{size}", f"f32 {size}^3, 2 threads / 1", f">= {SPEED_UP}", functools.partial(_threads, size))
        for size in SQUARES
    ]
    return [*small, Row("fork", "an empty parallel region, 2 threads", "none", _fork), *threads]


def _small(size: int, run: Run) -> Result:
    found = child.call(
        "calls:beside_numpy",
        size,
        speed.saved(speed.square(size), 1),
        speed.rounds_of(run),
        env={"OPENBLAS_NUM_THREADS": "1"},
    )
    ratio, us = found["ratio"]["median"], found["median_us"]
    times = (
        f"{1e3 * us['griotte']:.0f} / {1e3 * us['numpy']:.0f} ns; {1e3 * found['many_us']:.0f} each of {MANY} at once"
    )
    return Result(f"{ratio:.2f} ({times}){speed.noise(found)}", ratio >= SMALL_RATIO, found)


def _fork(run: Run) -> Result:
    found = child.call("calls:region", speed.rounds_of(run))
    return Result(f"{1e3 * found['median_us']['region']:.0f} ns", None, found)


def _threads(size: int, run: Run) -> Result:
    folders = [speed.saved(speed.square(size), threads) for threads in (2, 1)]
    found = child.call("calls:beside_one_thread", size, *folders, speed.rounds_of(run))
    ratio, us = found["ratio"]["median"], found["median_us"]
    return Result(f"{ratio:.2f} ({us['two']:.1f} / {us['one']:.1f} us){speed.noise(found)}", ratio >= SPEED_UP, found)


# In a child
# --------------------------------------------------------------------------------------------------------------


def beside_numpy(size: int, folder: str, rounds: int) -> dict:
    """A bound kernel and numpy.matmul(a, b, out=c), each called from Python; ratio = NumPy's time / ours."""
    import numpy as np
    from griotte.runtime import load

    kernel, (a, b, c) = load(folder), speed.matrices(size)
    contestants = {"griotte": kernel.bind(a, b, out=c), "numpy": functools.partial(np.matmul, a, b, out=c)}
    for call in contestants.values():
        c.fill(np.nan)
        call()
        speed.check_square(a, b, c)
    found = speed.turns(contestants, rounds, 1)
    many = kernel.bind_many([a] * MANY, b, out=[c] * MANY)
    both = speed.turns({"many": many, "one": contestants["griotte"]}, rounds, 1)
    return {"size": size, **found, "many_us": both["median_us"]["many"] / MANY}


def region(rounds: int) -> dict:
    """A region that does nothing; beside it the same call without one."""
    import cffi
    from griotte.codegen.teams import DECLARED
    from griotte.runtime import direct_calls
    from griotte.runtime.team import load_team
    from griotte.runtime.toolchain import compile_shared

    ffi = cffi.FFI()
    ffi.cdef("void region(const void *, void *);")
    load_team()
    library = ffi.dlopen(str(compile_shared(DECLARED + _REGION)))
    call = direct_calls.bound(library.region, [(ffi.NULL, ffi.NULL)], None, 0.0, library)
    return speed.turns(
        {"region": call, "nothing": direct_calls.bound(library.region, [], None, 0.0, library)}, rounds, 2
    )


def beside_one_thread(size: int, two: str, one: str, rounds: int) -> dict:
    """The kernel for two threads and the one for one, on the same arrays; ratio = one thread's time / two's."""
    import numpy as np
    from griotte.runtime import load

    a, b, c = speed.matrices(size)
    contestants = {name: load(folder).bind(a, b, out=c) for name, folder in (("two", two), ("one", one))}
    for call in contestants.values():
        c.fill(np.nan)
        call()
        speed.check_square(a, b, c)
    return {"size": size, **speed.turns(contestants, rounds, 2)}
