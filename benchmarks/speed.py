"""How fast kernels are: beside NumPy, beside the FMA peak, beside a plain sum over the headline's bytes.

Contestants take turns of 20 ms in one process, on the same data; a figure is the median over the rounds of the ratio
within a round, so that drift of the machine hits both sides of it.
"""

from __future__ import annotations

import functools
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import child
import machine
from row import Result, Row, Run
from synthesis import HEADLINE

if TYPE_CHECKING:
    from griotte.runtime.timing import Timing

SIZES = (256, 512, 1024)
NUMPY_RATIO, READ_SHARE = 1.4, 0.85
PEAK_SHARES = {256: 0.75, 512: 0.75, 1024: 0.7}
VARIANTS = {"installed": None, "haswell": "Haswell", "skylakex": "SkylakeX"}  # -> OPENBLAS_CORETYPE
ROUNDS, QUICK_ROUNDS = 31, 7
PATIENCE, FEWEST_QUIET = 3, 5
NOISY = 0.15  # spread of the quartiles, relative to the median, that the table mentions
WARM = 0.004  # seconds of uncounted calls at the start of a turn
# Threads of OpenMP and of OpenBLAS spin for up to 25 ms after a call, on the core that the other one's thread needs.
REST = 0.05  # seconds without a call before a turn, where there is more than one thread


def rows() -> list[Row]:
    against = [
        Row(
            f"numpy-{variant}-{size}-{threads}t",
            f"f32 {size}^3 / NumPy {variant}, {threads} thread{'s' * (threads > 1)}",
            bar,
            functools.partial(_against_numpy, size, threads, variant),
        )
        for variant, bar in (
            ("installed", f">= {NUMPY_RATIO}"),
            ("haswell", f">= {NUMPY_RATIO} (AVX2 kernels)"),
            ("skylakex", "none (AVX-512 kernels)"),
        )
        for size in SIZES
        for threads in (1, 2)
    ]
    peak = [
        Row(f"peak-{size}", f"f32 {size}^3 / FMA peak, 1 thread", f">= {share}", functools.partial(_of_peak, size))
        for size, share in PEAK_SHARES.items()
    ]
    read = [
        Row(
            f"headline-{threads}t",
            f"bf16 1x2048x16384 / plain read, {threads} thread{'s' * (threads > 1)}",
            f">= {READ_SHARE}",
            functools.partial(_of_read, threads),
        )
        for threads in (1, 2)
    ]
    return [*against, *peak, *read]


def _against_numpy(size: int, threads: int, variant: str, run: Run) -> Result:
    core_type = VARIANTS[variant]
    if core_type == "SkylakeX" and not machine.has_avx512():
        return Result("cannot run on this CPU", None)
    env = {"OPENBLAS_NUM_THREADS": str(threads), **({"OPENBLAS_CORETYPE": core_type} if core_type else {})}
    found = child.call("speed:beside_numpy", size, threads, saved(square(size), threads), rounds_of(run), env=env)
    picked, ratio = found["blas"]["architecture"], found["ratio"]["median"]
    if core_type and picked != core_type:
        return Result(f"not measured: BLAS runs {picked} kernels", None, found)
    measured = (
        f"{ratio:.2f} ({_gflops(size, found, 'griotte')} / {_gflops(size, found, 'numpy')} GFLOP/s,"
        f" {picked}){noise(found)}"
    )
    return Result(measured, None if variant == "skylakex" else ratio >= NUMPY_RATIO, found)


def _of_peak(size: int, run: Run) -> Result:
    found = child.call("speed:beside_peak", size, saved(square(size), 1), rounds_of(run))
    share = found["ratio"]["median"]
    return Result(
        f"{share:.2f} ({_gflops(size, found, 'griotte')} of {found['peak_gflops']:.0f} GFLOP/s){noise(found)}",
        share >= PEAK_SHARES[size],
        found,
    )


def _of_read(threads: int, run: Run) -> Result:
    found = child.call("speed:beside_read", threads, saved(HEADLINE, threads), rounds_of(run))
    share = found["ratio"]["median"]
    measured = f"{share:.2f} ({found['griotte_gbps']:.1f} of {found['read_gbps']:.1f} GB/s){noise(found)}"
    return Result(measured, share >= READ_SHARE, found)


def rounds_of(run: Run) -> int:
    return QUICK_ROUNDS if run.quick else ROUNDS


def noise(found: dict) -> str:
    """What a reader must know before believing the figure; nothing on a quiet machine."""
    (low, high), rounds = found["ratio"]["quartiles"], found["rounds"]
    text = f"; quartiles {low:.2f} to {high:.2f}" if high - low > NOISY * found["ratio"]["median"] else ""
    if rounds["undisturbed"] < FEWEST_QUIET:
        text += f"; only {rounds['undisturbed']} of {rounds['run']} rounds undisturbed"
    return text and f"{text}; of least times {found['ratio']['of_least_times']:.2f}"


def _gflops(size: int, found: dict, name: str) -> str:
    return f"{2 * size**3 / found['median_us'][name] / 1e3:.0f}"


def square(size: int) -> str:
    return f"matmul(f32[{size},{size}], f32[{size},{size}])"


# Kernels
# -----------------------------------------------------------------------------------------------------------------


@functools.cache
def saved(text: str, threads: int) -> str:
    """The directory of the saved kernel; made in a process of its own, once a run."""
    folder = str(Path(_folder().name) / f"kernel{saved.cache_info().misses}")
    child.call("speed:save", text, threads, folder)
    return folder


@functools.cache
def _folder() -> tempfile.TemporaryDirectory:
    """Removed when the run ends."""
    return tempfile.TemporaryDirectory()


def save(text: str, threads: int, folder: str) -> None:
    """In a child: synthesise from nothing, compile, save."""
    import griotte as gt

    gt.compile(text, threads=threads, table="none").save(folder)


# Taking turns
# ------------------------------------------------------------------------------------------------------------


def beside_numpy(size: int, threads: int, folder: str, rounds: int) -> dict:
    """In a child: kernel(a, b, out=c) and numpy.matmul(a, b, out=c), checked and timed; ratio = NumPy's time / ours."""
    import numpy as np
    from griotte.runtime import load

    kernel, (a, b, c) = load(folder), matrices(size)
    contestants = {"griotte": lambda: kernel(a, b, out=c), "numpy": lambda: np.matmul(a, b, out=c)}
    for run in contestants.values():
        c.fill(np.nan)
        run()
        check_square(a, b, c)
    return {"size": size, "threads": threads, "blas": machine.blas(), **turns(contestants, rounds, threads)}


def beside_peak(size: int, folder: str, rounds: int) -> dict:
    """In a child: the kernel, and multiply-adds in registers; ratio = share of their rate."""
    import numpy as np
    from griotte.machine import resolve
    from griotte.runtime import load
    from griotte.runtime.timing import fma_peak

    kernel, (a, b, c) = load(folder), matrices(size)
    c.fill(np.nan)
    kernel(a, b, out=c)
    check_square(a, b, c)
    probe = fma_peak(resolve("native"))
    found = turns(
        {"griotte": kernel.bind(a, b, out=c), "peak": probe},
        rounds,
        1,
        work={"griotte": 2.0 * size**3, "peak": probe.work},
    )
    return {"size": size, **found, "peak_gflops": probe.work / found["median_us"]["peak"] / 1e3}


def beside_read(threads: int, folder: str, rounds: int) -> dict:
    """In a child: the headline's kernel, and a sum over as many bytes as its weights have; ratio = share of its
    rate."""
    import griotte as gt
    import numpy as np
    from griotte.lang.meaning.samples import timed_arrays
    from griotte.machine import resolve
    from griotte.runtime import load
    from griotte.runtime.timing import read_bandwidth

    spec, kernel = gt.parse(HEADLINE), load(folder)
    x, weights = timed_arrays(spec, np.random.default_rng(0))
    y = np.full(spec.output.shape, np.nan, np.float32)
    kernel(x, weights, out=y)
    _check_headline(spec, (x, weights), y)
    probe = read_bandwidth(weights.nbytes, resolve("native"), threads)
    contestants = {"griotte": kernel.bind(x, weights, out=y), "read": probe}
    found = turns(contestants, rounds, threads, work={"griotte": float(weights.nbytes), "read": probe.work})
    gbps = {f"{name}_gbps": weights.nbytes / us / 1e3 for name, us in found["median_us"].items()}
    return {"threads": threads, "bytes": weights.nbytes, **found, **gbps}


def turns(contestants: dict[str, Callable], rounds: int, threads: int, work: dict[str, float] | None = None) -> dict:
    """Medians in microseconds, and the rate of the first contestant over that of the second, whoever comes beside them:
    median and quartiles.

    The order alternates; `work` is what one call does, 1 of the same unit where left out. A round in which the system
    took a core away from either is repeated, up to thrice as many in all; where few are left then, all count.
    """
    names, taken = list(contestants), []
    least = dict.fromkeys(names, float("inf"))
    for i in range(PATIENCE * rounds):
        order = names if i % 2 else names[::-1]
        turns = {name: _turn(contestants[name], threads) for name in order}
        taken.append(([turns[name][0].median_us for name in names], any(turns[name][1] for name in names)))
        least = {name: min(least[name], turns[name][0].min_us) for name in names}
        if sum(not was_disturbed for _, was_disturbed in taken) == rounds:
            break
    quiet = [pair for pair, was_disturbed in taken if not was_disturbed]
    used = quiet if len(quiet) >= FEWEST_QUIET else [pair for pair, _ in taken]
    scale = work[names[0]] / work[names[1]] if work else 1.0
    low, median, high = statistics.quantiles((scale * theirs / ours for ours, theirs, *_ in used), n=4)
    columns = dict(zip(names, zip(*used)))
    return {
        "rounds": {"run": len(taken), "undisturbed": len(quiet), "used": len(used)},
        "median_us": {name: statistics.median(column) for name, column in columns.items()},
        "min_us": least,
        "ratio": {
            "median": median,
            "quartiles": [low, high],
            "of_least_times": scale * least[names[1]] / least[names[0]],
        },
    }


def _turn(run: Callable, threads: int) -> tuple[Timing, bool]:
    """(times of a call, whether another process ran on our core meanwhile)."""
    from griotte.runtime.timing import interleaved

    if threads > 1:
        time.sleep(REST)
    _warm(run)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw
    timing = interleaved({"it": run}, seconds=0.0)["it"]
    return timing, resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw > before


def _warm(run: Callable) -> None:
    until = time.perf_counter() + WARM
    while True:
        run()
        if time.perf_counter() >= until:
            return


# Data and checks
# ---------------------------------------------------------------------------------------------------------


def matrices(size: int):
    import numpy as np

    rng = np.random.default_rng(0)
    return [rng.standard_normal((size, size), np.float32) for _ in range(3)]


def check_square(a, b, c) -> None:
    """Against float64: (k + 8) units of 2**-24 of the sum of |terms|."""
    import numpy as np

    a, b = a.astype(np.float64), b.astype(np.float64)
    allowed = (a.shape[1] + 8) * 2.0**-24 * (np.abs(a) @ np.abs(b))
    if not (np.abs(c - a @ b) <= allowed).all():
        raise ArithmeticError(
            "expected the product of the matrices, found something else: the timing would mean nothing"
        )


def _check_headline(spec, arrays, result) -> None:
    from griotte.lang.meaning.agreement import compare, tolerance

    complaint = compare(spec, arrays, result, tolerance(spec, arrays, random=True))[2]
    if complaint:
        raise ArithmeticError(complaint)
