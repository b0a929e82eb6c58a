"""What rows as given cost a leaf that reads them piece by piece: tiles of registers over a block in L2, by the width of
a tile and the pitch of rows.

    stretches.py                 everything at home in L2; then results that are added to in L2, k in short parts; then
                                 x1 in L2 by a view, while x0 and the result pass by from L3; then what shows of a line
                                 of x1 that a view brings from L3
    stretches.py --target FILE   as another target prices it

Cycles over those of the multiply-adds alone (each prints measured, and priced in brackets), by the least of 200 calls
at the clock of a chain of additions. Not a row of run.py: it has no bar.
"""

from __future__ import annotations

import argparse
import time

import child

NEAR = (
    (480, 256),
    (512, 256),
    (528, 256),
    (640, 192),
    (768, 160),
    (1024, 128),
    (1040, 128),
)  # columns and steps of what is all in L2
ADDED = (
    (448, 16),
    (512, 16),
    (960, 16),
    (1024, 16),
    (448, 64),
    (512, 64),
    (960, 64),
    (1024, 64),
)  # columns, and steps of a part, of 64 rows by 960 steps
PASSING = ((384, 128), (512, 128), (528, 128), (384, 256), (480, 256))  # of x1, beside 1008 rows
# rows and columns, by bytes of a vector
TILES = {64: ((4, 96), (6, 64), (8, 48), (14, 32)), 32: ((2, 40), (3, 24), (4, 24), (6, 16)), 16: ((2, 16), (4, 8))}
ADDED_TILES = {64: ((4, 64), (8, 32)), 32: ((4, 16), (2, 32)), 16: ((4, 8), (2, 16))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--target", default="native")
    parser.add_argument("--cpu", metavar="FEATURES", help="features hidden: GRIOTTE_CPU of the child")
    asked = parser.parse_args()
    for line in child.stream("stretches:measure", asked.target, env={"GRIOTTE_CPU": asked.cpu} if asked.cpu else {}):
        print(line, flush=True)


def measure(name: str):
    """In a child: a line of text for each problem."""
    from griotte import machine as targets

    target = targets.resolve(name)
    tiles, clock = TILES[target.vector_bytes], _clock()
    for columns, steps in NEAR:
        found = [_timed(target, clock, (8 * m, steps, columns // n * n), m, n, passing=False) for m, n in tiles]
        yield f"all in L2: pitch {4 * columns:5} bytes, k {steps:3}, {4 * columns * steps >> 10:3} KiB   " + "   ".join(
            found
        )
    for columns, part in ADDED:
        found = [_added(target, clock, part, m, n, columns) for m, n in ADDED_TILES[target.vector_bytes]]
        yield f"added to in L2: pitch {4 * columns:5} bytes, k in parts of {part:2}   " + "   ".join(found)
    for rows in (2, 4, 6, 8):
        far, near = _thin(target, rows, 1008), _thin(target, rows, 96)
        yield (
            f"from L3: {rows} rows by 1024 columns: {(far - near * 1008 / 96) * clock / (1008 * 64):.2f} cycles a line"
            " more than from L2"
        )
    for columns, steps in PASSING:
        found = [_timed(target, clock, (1008 // m * m, steps, columns // n * n), m, n, passing=True) for m, n in tiles]
        yield (
            f"passing by: pitch {4 * columns:4} bytes, k {steps:3}, {4 * columns * steps >> 10:3} KiB   "
            + "   ".join(found)
        )


def _thin(target, rows: int, steps: int) -> float:
    """Seconds of so many rows by 1024 columns, 48 steps and 48 columns at a time; x1 is at home in L3, or with few
    steps in L2."""
    import griotte as gt

    schedule = gt.schedule(gt.parse(f"matmul(f32[{rows},{steps}], f32[{steps},1024])"), target)
    schedule = schedule.move("y", "L2").split("k", 48).move("x1", "L2") if steps > 96 else schedule.split("k", 48)
    return _least(schedule.tile("n", 48).move("y", "registers", lanes="n").select("multiply_add"), (rows, steps, 1024))[
        0
    ]


def _added(target, clock: float, part: int, m: int, n: int, columns: int) -> str:
    import griotte as gt

    shape = rows, steps, columns = 64, 960, columns // n * n
    schedule = (
        gt.schedule(gt.parse(f"matmul(f32[{rows},{steps}], f32[{steps},{columns}])"), target)
        .move("y", "L2")
        .split("k", part)
        .move("x1", "L2")
    )
    least, cost = _least(
        schedule.tile("m", m).tile("n", n).move("y", "registers", lanes="n").select("multiply_add"), shape
    )
    alone = rows * steps * columns / (target.vector_bytes // 4) / target.ports.arithmetic
    return f"{m}x{n} {least * clock / alone:.3f} ({cost / alone:.3f})"


def _timed(target, clock: float, shape: tuple[int, int, int], m: int, n: int, passing: bool) -> str:
    import griotte as gt

    rows, steps, columns = shape
    schedule = gt.schedule(gt.parse(f"matmul(f32[{rows},{steps}], f32[{steps},{columns}])"), target)
    schedule = schedule.move("x1", "L2").tile("m", m).move("x0", "L1") if passing else schedule.tile("m", m)
    least, cost = _least(schedule.tile("n", n).move("y", "registers", lanes="n").select("multiply_add"), shape)
    alone = rows * steps * columns / (target.vector_bytes // 4) / target.ports.arithmetic
    return f"{m}x{n} {least * clock / alone:.3f} ({cost / alone:.3f})"


def _least(schedule, shape: tuple[int, int, int]) -> tuple[float, float]:
    """(seconds, cost) of a schedule's program."""
    import griotte as gt
    import numpy as np

    rows, steps, columns = shape
    program, rng = gt.synthesize(schedule), np.random.default_rng(0)
    run = program.compile().bind(
        rng.random((rows, steps), np.float32),
        rng.random((steps, columns), np.float32),
        out=np.empty((rows, columns), np.float32),
    )
    return min(_seconds(run) for _ in range(200)), program.cost


def _seconds(run) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def _clock() -> float:
    """Cycles a second, by a chain of dependent additions."""
    import probe

    library = probe.build("", ())
    return 1 / min(probe.cycle(library) for _ in range(50))


if __name__ == "__main__":
    main()
