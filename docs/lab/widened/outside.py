"""What programs outside of the space (docs/explanation/space.md) could gain at most, by programs inside it.

    PYTHONPATH=benchmarks python docs/lab/widened/outside.py carried [--rounds 31]

carried   results kept in registers from one block of a reduction to the next: a leaf of all steps beside two of half
          of them, in the same loops. Between two blocks of a tile nothing else is computed, so what is saved is the
          storing and loading of accumulators
turned    an operand of a map copied into the order of the others first: beside the copy and the map as two kernels,
          and the map of what lies right
past      a product's result written past the caches: beside a map that writes as much so

By CPU time, one thread, in turns of 15 ms. Not a row of run.py: it has no bar.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import griotte as gt
import numpy as np
from griotte.lang.meaning.reference import empty
from griotte.lang.meaning.samples import random_arrays
from griotte.machine import resolve
from ladder import Blocking, blockings, leaf
from priced import calls
from priced import seconds as timed

TILES = 4  # tiles of registers along m and along n
Times = dict[str, list[float]]
STEPS = (64, 128, 256, 512)  # of a block of the reduction


def carried(rounds: int) -> Iterator[str]:
    """Rows of x0 and panels of x1, packed ahead, come from L2 either way."""
    yield (
        "| tile | steps of a block | once, least us | twice by once | of the least times | priced"
        " |\n|---|---|---|---|---|---|"
    )
    for b in blockings(resolve("native")):
        for steps in STEPS:
            once, twice = split(b, steps)
            times = turns({"once": once, "twice": twice}, rounds)
            yield (
                f"| {b.rows}x{b.columns} | {steps} | {min(times['once']):.2f} | {ratio(times, 'twice', 'once')} |"
                f" {twice.cost / once.cost:.3f} |"
            )


def split(b: Blocking, steps: int) -> tuple[Any, Any]:
    """A product of few tiles of registers, each in one leaf, and each in two of half the steps."""
    spec = gt.parse(f"matmul(f32[{TILES * b.rows},{2 * steps}], const f32[{2 * steps},{TILES * b.columns}])")
    tile = gt.schedule(spec).ahead(1, panel=b.columns).tile("n", b.columns).tile("m", b.rows)
    return gt.synthesize(leaf(tile, b, tiled=True)), gt.synthesize(
        leaf(leaf(tile.split("k", steps), b, tiled=True), b, tiled=True)
    )


def turned(rounds: int) -> Iterator[str]:
    yield (
        "| n | map, least us | by copy and map | of the least times | by the map of what lies right | of the least"
        " times |\n|---|---|---|---|---|---|"
    )
    for n in (64, 256, 1000, 1024, 4000):
        ways = {
            "map": f"add(f32[{n},{n}], f32[{n},{n}]{{0,1}})",
            "right": f"add(f32[{n},{n}], f32[{n},{n}])",
            "copy": f"copy(f32[{n},{n}]{{0,1}}) -> f32[{n},{n}]",
        }
        times = turns({name: gt.synthesize(text) for name, text in ways.items()}, rounds)
        times["both"] = [copy + right for copy, right in zip(times["copy"], times["right"])]
        yield f"| {n} | {min(times['map']):.1f} | {ratio(times, 'map', 'both')} | {ratio(times, 'map', 'right')} |"


def past(rounds: int) -> Iterator[str]:
    yield "| steps of the reduction | product, least us | by the map | of the least times |\n|---|---|---|---|"
    for k in (1, 4, 16, 64):
        ways = {"product": f"matmul(f32[4096,{k}], f32[{k},4096])", "map": "mul(f32[4096,1], f32[1,4096])"}
        times = turns({name: gt.synthesize(text) for name, text in ways.items()}, rounds)
        yield f"| {k} | {min(times['product']):.0f} | {ratio(times, 'product', 'map')} |"


def turns(programs: dict[str, Any], rounds: int) -> Times:
    """Microseconds of a call of each program, turn after turn."""
    runs = {name: bound(program) for name, program in programs.items()}
    counts = {name: calls(run, time.process_time) for name, run in runs.items()}
    found: Times = {name: [] for name in runs}
    for number in range(rounds):
        for name in sorted(runs, reverse=number % 2 > 0):
            found[name].append(1e6 * timed(runs[name], counts[name], time.process_time))
    return found


def bound(program: Any) -> Callable[[], Any]:
    """A program over arrays of its own."""
    return program.compile().bind(
        *random_arrays(program.spec, np.random.default_rng(0)), out=empty(program.spec.output)
    )


def ratio(times: Times, one: str, other: str) -> str:
    """Of the medians, and of the least."""
    return " | ".join(f"{of(times[one]) / of(times[other]):.3f}" for of in (statistics.median, min))


def main() -> None:
    ways = {way.__name__: way for way in (carried, turned, past)}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("way", choices=ways)
    parser.add_argument("--rounds", type=int, default=31)
    asked = parser.parse_args()
    for row in ways[asked.way](asked.rounds):
        print(row, flush=True)


if __name__ == "__main__":
    main()
