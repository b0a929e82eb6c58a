"""Products of few rows by tiles of 2, 3, 4 and 6 rows, whose second operand a view brings to L1 sixteen rows at a time:
cycles from L3 and from L2, and what a target predicts (README.md, Rows of the first pass).

    PYTHONPATH=benchmarks python docs/lab/products/passes.py KEPT like:FILE.toml     schedules, compiled; kept in KEPT
    python docs/lab/products/passes.py KEPT --time                                   in turns: cycles, predicted to them

Two steps, so that nothing but kernels runs while kernels are timed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import griotte as gt
import numpy as np
from griotte.lang.text.text import parse
from griotte.runtime.calibrate.timing import Stopwatch, arrays_of, opened, undisturbed
from griotte.runtime.toolchain import compile_shared
from griotte.support.errors import GriotteError

ROWS = (6, 12)
DEPTHS = (1472, 240)  # of 256 columns: 1.5 MB, in L3; 240 KiB, in L2
TILES = {"2x32": "combine", "2x16": "combine", "3x24": "multiply_add", "4x16": "multiply_add", "6x16": "multiply_add"}
TURNS = 9


def scheduled(text: str, target, tile: str, kernel: str):
    """The program: the first operand and the result in L2, and the same tile in every hole; a step that does not apply
    to a hole is left out."""
    rows, columns = map(int, tile.split("x"))
    steps = [
        lambda s: s.move(0, "L2"),
        lambda s: s.move("y", "L2"),
        lambda s: s.split("k", 16),
        lambda s: s.move(1, "L1"),
        lambda s: s.tile("m", rows),
        lambda s: s.tile("n", columns),
        lambda s: s.move("y", "registers", lanes="n"),
        lambda s: s.select(kernel),
    ]
    found, left = gt.schedule(text, target=target), [steps]
    while found.holes:
        first, *others = left
        for at, step in enumerate(first):
            try:
                after = step(found.at(0))
            except GriotteError:
                continue
            left = [first[at + 1 :]] * (len(after.holes) - len(others)) + others
            found = after
            break
        else:
            raise SystemExit(f"no step of {tile} applies to a hole of {text}")
    return gt.synthesize(found)


def prepare(kept: Path, name: str) -> None:
    from priced import target_named

    target, found = target_named(name), {}
    for text in (f"matmul(f32[{rows},{k}], f32[{k},256])" for k in DEPTHS for rows in ROWS):
        found[text] = {}
        for tile, kernel in TILES.items():
            program = scheduled(text, target, tile, kernel)
            made = {"c": program.to_c(), "flags": target.flags, "function": program.function, "price": program.cost}
            compile_shared(made["c"], tuple(made["flags"]))
            found[text][tile] = made
    kept.write_text(json.dumps(found))


def report(kept: Path) -> None:
    rng, watch = np.random.default_rng(0), Stopwatch()
    for text, tiles in json.loads(kept.read_text()).items():
        arrays = arrays_of(parse(text), rng)
        kernels = {
            tile: opened(compile_shared(made["c"], tuple(made["flags"])), made["function"], len(arrays))
            for tile, made in tiles.items()
        }
        turns = [{tile: watch.cycles(kernel, arrays) for tile, kernel in kernels.items()} for _ in range(TURNS)]
        print(text)
        for tile, made in tiles.items():
            cycles = undisturbed((each for turn in turns for each in turn[tile]), 0.5)
            print(f"  {tile:6}{cycles:10.0f} cycles, predicted {made['price'] / cycles:.2f}", flush=True)


if __name__ == "__main__":
    (report if sys.argv[2] == "--time" else lambda kept: prepare(kept, sys.argv[2]))(Path(sys.argv[1]))
