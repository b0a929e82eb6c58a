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
from collections.abc import Callable

import griotte as gt
import numpy as np
from in_turns import seconds_in_turns
from priced import target_named
from racing import problems

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
    """NumPy's time over each other's, the median of the turns."""
    seconds = seconds_in_turns(runs, rest=rest)
    return {
        name: statistics.median(n / s for n, s in zip(seconds["numpy"], taken))
        for name, taken in seconds.items()
        if name != "numpy"
    }


if __name__ == "__main__":
    main()
