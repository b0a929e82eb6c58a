"""NumPy's time over that of the programs of several files of prices, on the same arrays, in turns: the race's sets
`products` and `held` (README.md).

    export PYTHONPATH=benchmarks OPENBLAS_NUM_THREADS=1
    python docs/lab/products/files.py native like:FILE.toml [--threads 2] --prepare   searches and compiles
    python docs/lab/products/files.py native like:FILE.toml [--threads 2]             times

Files are targets as benchmarks/priced.py names them. OPENBLAS_NUM_THREADS is as many as --threads.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import griotte as gt
import numpy as np
from priced import target_named
from racing import problems

WARM, TURN, ROUNDS = 0.004, 0.015, 7  # seconds of a turn that do not count and that do, and turns
REST = 0.05  # seconds before a turn: threads of another library spin for up to 25 ms
TIE = 0.995


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="+", metavar="TARGET")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--prepare", action="store_true")
    options = parser.parse_args()
    found: dict[str, list[float]] = {name: [] for name in options.files}
    for m, k, n in ((each.m, each.k, each.n) for each in problems.chosen(["products", "held"])):
        text = f"matmul(f32[{m},{k}], f32[{k},{n}])"
        kernels = {f: gt.compile(text, target=target_named(f), threads=options.threads) for f in options.files}
        if options.prepare:
            continue
        a, b, y = (np.random.rand(*shape).astype(np.float32) for shape in ((m, k), (k, n), (m, n)))
        runs = {"numpy": lambda a=a, b=b, y=y: np.matmul(a, b, out=y)}
        runs |= {name: kernel.bind(a, b, out=y) for name, kernel in kernels.items()}
        ratios = compared(runs, REST if options.threads > 1 else 0.0)
        for name, ratio in ratios.items():
            found[name].append(ratio)
        print(f"{m}x{k}x{n}", *(f"{ratio:.2f}" for ratio in ratios.values()), flush=True)
    for name, ratios in found.items():
        if ratios:
            print(f"{name}: {sum(r >= TIE for r in ratios)} of {len(ratios)} at {TIE} or more,", end=" ")
            print(f"worst {min(ratios):.2f}, mean {statistics.mean(ratios):.2f}")


def compared(runs: dict[str, Callable], rest: float) -> dict[str, float]:
    """NumPy's time over each other's, the median of the turns; every other turn goes backwards."""
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(ROUNDS):
        for name in list(runs)[:: 1 if turn % 2 else -1]:
            time.sleep(rest)
            seconds[name].append(of_a_turn(runs[name]))
    return {
        name: statistics.median(n / s for n, s in zip(seconds["numpy"], taken))
        for name, taken in seconds.items()
        if name != "numpy"
    }


def of_a_turn(run: Callable) -> float:
    """Seconds of a call."""
    calls(run, WARM)
    began = time.perf_counter()
    count = calls(run, TURN)
    return (time.perf_counter() - began) / count


def calls(run: Callable, seconds: float) -> int:
    """So many calls took so many seconds, or a little more."""
    count, began = 0, time.perf_counter()
    while not count or time.perf_counter() - began < seconds:
        run()
        count += 1
    return count


if __name__ == "__main__":
    main()
