"""What is lost of what was asked for ahead, where a step takes whole lines of rows that begin on one set of L1: max
along rows, by tiles of rows.

    PYTHONPATH=benchmarks .venv/bin/python docs/lab/prices/lost.py

In cycles of a chain of dependent additions, timed in turn with each; medians of 40 rounds. These are the figures behind
`lost` (docs/explanation/cost.md, *Rows on one set*): rows of 1024 f32 begin on one set of L1, those of 512 on two, of
768 on four. Not a row of run.py: it has no bar.
"""

from __future__ import annotations

import statistics
import time

import griotte as gt
import numpy as np
import probe

COUNT, LENGTHS, TILES = 96, (512, 768, 1024), (1, 2, 4, 8, 12, 16, 24)
ROUNDS, CALLS = 40, 20


def kernel(length: int, rows: int):
    """max along rows, so many of them side by side."""
    schedule = gt.schedule(gt.parse(f"max(f32[{COUNT},{length}], axis=1)"))
    rows_dim, along = schedule.spec.operation.dims
    return gt.compile(schedule.tile(rows_dim, rows).move(1, "registers", lanes=along).select("combine"))


def main() -> None:
    library = probe.build("", ())
    rng = np.random.default_rng(0)
    calls = {
        (length, rows): kernel(length, rows).bind(rng.random((COUNT, length), np.float32))
        for length in LENGTHS
        for rows in TILES
    }
    taken: dict[tuple[int, int], list[float]] = {case: [] for case in calls}
    for _ in range(ROUNDS):
        for case, call in calls.items():
            call()
            start = time.perf_counter()
            for _ in range(CALLS):
                call()
            seconds = (time.perf_counter() - start) / CALLS
            taken[case].append(seconds / probe.cycle(library) / (COUNT * case[0] * 4 / 64))
    print(f"{'cycles a line':14}", *(f"{f'{rows} rows':>8}" for rows in TILES))
    for length in LENGTHS:
        print(f"rows of {length:5} ", *(f"{statistics.median(taken[length, rows]):8.2f}" for rows in TILES))


if __name__ == "__main__":
    main()
