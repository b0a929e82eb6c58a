"""What the guard of large numbers costs, and by how much results move that do not meet one.

.venv/bin/python docs/lab/winograd/guard.py [--turns 40]

Six convolutions in a row are compiled with the guard and without it, and both are timed in turns, by the CPU's clock,
on one thread: the median of the turns' ratios, and its quartiles. Then of one convolution one element at a time is set
to a large number; where that one is not filtered, nothing moves.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import griotte as gt
import numpy as np
from griotte.models.graph import GraphBuilder, ModelGraph

SHAPES = ((64, 56, 64), (128, 28, 128), (256, 14, 256), (32, 112, 32), (3, 28, 16))  # channels, side, kernels
DEPTH = 6
LARGE = (100.0, 1000.0, -9999.0, 65504.0, 1e30)
TURN_S = 0.05


def stack(channels: int, side: int, kernels: int, depth: int = DEPTH) -> ModelGraph:
    """Convolutions of 3x3 in a row, so that copies at the ends count little."""
    build, rng = GraphBuilder(), np.random.default_rng(5)
    h = build.input(gt.tensor((1, channels, side, side)), "x")
    for n in range(depth):
        planes = channels if n == 0 else kernels
        weights = rng.standard_normal((kernels, planes, 3, 3)) / np.sqrt(9 * planes)
        h = build.call("conv2d", h, build.constant(weights.astype(np.float32)), padding=1)
    return build.graph({"y": h})


def unguarded(graph: ModelGraph) -> Any:
    no = lambda filtering: False
    with (
        patch("griotte.models.custom.winograd.code.guarded", no),
        patch("griotte.models.custom.winograd.program.guarded", no),
    ):
        return gt.compile(graph, table="none")


def seconds(call: Callable[[], object], calls: int) -> float:
    started = time.process_time()
    for _ in range(calls):
        call()
    return time.process_time() - started


def costs(plain, guarded, arrays: list[np.ndarray], turns: int) -> list[float]:
    """The ratios of the turns, guarded over plain."""
    out = [kernel(*arrays) for kernel in (plain, guarded)]
    calls = [lambda k=kernel, o=o: k(*arrays, out=o) for kernel, o in zip((plain, guarded), out)]
    number = max(1, round(TURN_S / (seconds(calls[0], 20) / 20)))
    ratios = []
    for turn in range(turns):
        order = (0, 1) if turn % 2 else (1, 0)
        took = {k: seconds(calls[k], number) for k in order}
        ratios.append(took[1] / took[0])
    return ratios


def moved(kernel, arrays: list[np.ndarray], value: float) -> float:
    """By how much of the largest result those move whose windows do not meet it; the most of 25 places."""
    plain, most = kernel(*arrays), 0.0
    for n in range(25):
        x, y = 4 + n % 5, 4 + n // 5
        changed = arrays[0].copy()
        changed[0, n % changed.shape[1], y, x] = value
        apart = np.abs(kernel(changed, *arrays[1:]) - plain)
        apart[:, :, y - 1 : y + 2, x - 1 : x + 2] = 0
        most = max(most, float(apart.max() / np.abs(plain).max()))
    return most


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--turns", type=int, default=40)
    asked = parser.parse_args()
    for channels, side, count in SHAPES:
        graph = stack(channels, side, count)
        plain, guarded = unguarded(graph), gt.compile(graph, table="none")
        x = np.random.default_rng(6).standard_normal((1, channels, side, side)).astype(np.float32)
        low, middle, high = statistics.quantiles(costs(plain, guarded, [x], asked.turns), n=4)
        one = gt.compile(stack(channels, side, count, 1), table="none")
        moves = "  ".join(f"{moved(one, [x], value):.1e}" for value in LARGE)
        name = f"1x{channels}x{side}x{side} by {count}"
        print(f"{name:<24} {middle:.3f} ({low:.3f} to {high:.3f})   {moves}", flush=True)


if __name__ == "__main__":
    main()
