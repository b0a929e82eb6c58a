"""What lines that two threads write cost: f32 256^3 over 2 threads, split along columns or rows, output on a line or
not.

    .venv/bin/python docs/lab/prices/seams.py

Medians of 40 rounds, the four cases in turn. Not a row of run.py: it has no bar.
"""

from __future__ import annotations

import statistics
import time

import griotte as gt
import numpy as np

SIZE, ROUNDS, CALLS = 256, 40, 50


def output(offset: int) -> np.ndarray:
    """A SIZE x SIZE f32 array that begins `offset` bytes after a page's start."""
    nbytes = SIZE * SIZE * 4
    base = np.empty(nbytes + 2 * 4096, np.uint8)
    start = -base.ctypes.data % 4096 + offset
    return base[start : start + nbytes].view(np.float32).reshape(SIZE, SIZE)


def main() -> None:
    spec = gt.parse(f"matmul(f32[{SIZE},{SIZE}], f32[{SIZE},{SIZE}])")
    a, b = np.random.default_rng(0).random((2, SIZE, SIZE), np.float32)
    calls, taken = {}, {}
    for dim, what in (("n", "columns"), ("m", "rows")):
        kernel = gt.compile(gt.schedule(spec).tile(dim, SIZE // 2, parallel=2))
        for offset in (0, 16):
            calls[what, offset] = kernel.bind(a, b, out=output(offset))
            taken[what, offset] = []
    for _ in range(ROUNDS):
        for case, call in calls.items():
            for _ in range(CALLS // 2):
                call()
            start = time.perf_counter()
            for _ in range(CALLS):
                call()
            taken[case].append((time.perf_counter() - start) / CALLS)
    for (what, offset), seconds in taken.items():
        print(
            f"split along {what:7}  output at {offset:2} mod 64  {2 * SIZE**3 / statistics.median(seconds) / 1e9:5.0f}"
            " GFLOP/s"
        )


if __name__ == "__main__":
    main()
