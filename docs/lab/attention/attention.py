"""Attention of long rows, one thread: scores as whole arrays, in rounds or by blocks of rows, predicted and measured.

    python docs/lab/attention/attention.py [--seconds 20] [--search]

`blocks` are three kernels one after the other for each block of rows of a head (scores, softmax, values), called from
Python: no point of the space, since their scores and exponentials together are more than a plan may have of L2.
`search` (minutes) is the program of least cost. Timed is the thread's own CPU time, the least and the median, in turns:
a machine that does other work still disturbs its caches and its clock.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import griotte as gt
import numpy as np
from griotte.lang.meaning.samples import random_arrays

HEADS, ROWS, WIDE = 12, 2048, 64
QUERIES = f"f32[{HEADS},{ROWS},{WIDE}]"
SPEC = f"attention({QUERIES}, {QUERIES}, {QUERIES})"


def whole(spec: gt.Spec) -> Any:
    """A head, all of its scores and their shares in whole arrays."""
    begun = gt.schedule(spec).tile("h", 1)
    far = begun.target.levels[begun.home].name
    return begun.bufferize("scores", far).at(1).bufferize("div", far)


def near(spec: gt.Spec) -> Any:
    """A head, 32 rows of scores and of their shares in L2."""
    return gt.schedule(spec).tile("h", 1).tile("m", 32).bufferize("scores", "L2").at(1).bufferize("div", "L2")


def rounds(spec: gt.Spec) -> Any:
    """A head, 128 rows in rounds of 256 keys."""
    return gt.schedule(spec).tile("h", 1).tile("m", 128).factor("div").online(256, "L2")


WAYS = {"scores whole": whole, "32 rows in L2": near, "128 rows in rounds": rounds}


def blocks(rows: int, q: np.ndarray, k: np.ndarray, v: np.ndarray, out: np.ndarray) -> Callable[[], None]:
    """Three kernels for each block of so many rows."""
    texts = (
        f"matmul(f32[{rows},{WIDE}], f32[{WIDE},{ROWS}]{{0,1}})",
        f"softmax(f32[{rows},{ROWS}])",
        f"matmul(f32[{rows},{ROWS}], f32[{ROWS},{WIDE}])",
    )
    scores, softmax, values = (gt.synthesize(gt.parse(text), threads=1).compile() for text in texts)
    raw, shares = np.zeros((2, rows, ROWS), np.float32)
    q, normalise, steps = q / np.float32(WIDE**0.5), softmax.bind(raw, out=shares), []
    for h in range(HEADS):
        for i in range(0, ROWS, rows):
            steps += [
                scores.bind(q[h, i : i + rows], k[h].T, out=raw),
                normalise,
                values.bind(shares, v[h], out=out[h, i : i + rows]),
            ]

    def run() -> None:
        for step in steps:
            step()

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0, help="for all ways")
    parser.add_argument("--search", action="store_true", help="the program of least cost too")
    options = parser.parse_args()
    spec = gt.parse(SPEC)
    q, k, v = random_arrays(spec, np.random.default_rng(0))
    calls: dict[str, Callable[[], Any]] = {}
    cost, outs = {}, {}
    for name, steps in (WAYS | ({"search": lambda spec: spec} if options.search else {})).items():
        program = gt.synthesize(steps(spec), threads=1)
        cost[name], outs[name] = program.cost, np.empty((HEADS, ROWS, WIDE), np.float32)
        calls[name] = program.compile().bind(q, k, v, out=outs[name])
    for rows in (64, 128):
        name = f"blocks of {rows} rows"
        outs[name] = np.empty((HEADS, ROWS, WIDE), np.float32)
        calls[name] = blocks(rows, q, k, v, outs[name])
    samples: dict[str, list[float]] = {name: [] for name in calls}
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        for name, call in calls.items():
            started = time.thread_time()
            call()
            samples[name].append(time.thread_time() - started)
    for name, taken in samples.items():
        assert np.allclose(outs[name], outs["scores whole"], atol=1e-5)
        predicted = f"{cost[name] / 1e6:.0f} M cycles predicted, " if name in cost else ""
        print(
            f"{name}: {predicted}{min(taken) * 1e3:.1f} ms least, {np.median(taken) * 1e3:.1f} median of {len(taken)}"
        )


if __name__ == "__main__":
    main()
