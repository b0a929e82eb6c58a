"""What timing the K best programs brings: the winner of `tune=K` beside the model's best, both run anew in a process of
their own.

    tuning.py                       the Specs below, K = 20: a table
    tuning.py --k 5 SPEC@2 ...      others, on two threads
    tuning.py --folder DIR          keeps the kernels there, and takes those that are there; --prepare stops when they
                                    are

Not a row of run.py: it has no bar. A round of `griotte --tune` may be won by noise; the figures here are of a later
run.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from pathlib import Path

import child

SQUARES = [f"matmul(f32[{n},{n}], f32[{n},{n}])" for n in (64, 128, 256, 512, 1024)]
ODD = [f"matmul(f32[{m},{k}], f32[{k},{n}])" for m, k, n in ((100, 300, 77), (777, 513, 129), (33, 1000, 250))]
SMALL_TYPES = [
    "matmul(bf16[512,512], bf16[512,512]) -> f32[512,512]",
    "matmul(u8[512,512], s8[512,512]) -> s32[512,512]",
]
THIN = [
    "matmul(f32[1,4096], f32[4096,4096])",
    "matmul(f32[1,4096], f32[4096,4096]{0,1})",
    "matmul(f32[4,4096], f32[4096,4096])",
]
GOALS = [f"{spec}@1" for spec in (*SQUARES, *ODD, *SMALL_TYPES, *THIN)] + [
    f"{spec}@2" for spec in (*SQUARES[2:], SMALL_TYPES[0], THIN[0])
]
SECONDS, TURNS = 1.4, 7  # that two run beside each other; and the turns whose median ratio counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("goals", nargs="*", default=GOALS, metavar="SPEC@THREADS")
    parser.add_argument("--k", type=int, default=20)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--prepare", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        found = [
            row for goal in asked.goals if (row := _one(goal, asked.k, asked.folder or Path(temporary), asked.prepare))
        ]
    if found:
        ratios = [row["ratio"] for row in found]
        faster, slower = sum(r > 1.02 for r in ratios), sum(r < 0.98 for r in ratios)
        print(
            f"\n{faster} of {len(found)} faster by more than 2 %, {slower} slower by more; median"
            f" {statistics.median(ratios):.3f}, geometric mean {statistics.geometric_mean(ratios):.3f}"
        )


def _one(goal: str, k: int, root: Path, prepare_only: bool) -> dict | None:
    text, _, threads = goal.rpartition("@")
    folder = root / "".join(c if c.isalnum() else "_" for c in f"{goal}_{k}")
    if not (folder / "made.json").exists():
        made = child.call("tuning:prepare", text, int(threads), k, str(folder))
        (folder / "made.json").write_text(json.dumps(made))
    made = json.loads((folder / "made.json").read_text())
    if prepare_only:
        print(
            f"{goal:60} {made['kernels']} kernels, {made['seconds']:.1f} s, the last costs"
            f" {made['costs'][-1] / made['costs'][0]:.4f} x the first",
            flush=True,
        )
        return None
    found = child.call("tuning:measure", text, str(folder), made["kernels"])
    which = (
        f"number {found['winner'] + 1} of {made['kernels']}, {made['costs'][found['winner']] / made['costs'][0]:.4f} x"
        " the cost"
    )
    print(
        f"{goal:60} {found['model_us']:9.1f} us  {found['tuned_us']:9.1f} us  {found['ratio']:.3f} x  {which}",
        flush=True,
    )
    return found


def prepare(text: str, threads: int, k: int, folder: str) -> dict:
    """In a child: the candidates, compiled and saved."""
    import time

    import griotte as gt
    from griotte.compiler.tuning import candidates

    program = gt.synthesize(text, threads=threads, table="none")
    started = time.perf_counter()
    found = candidates(program, program._search, k)
    for number, candidate in enumerate(found):
        candidate.compile().save(f"{folder}/{number}")
    return {
        "kernels": len(found),
        "costs": [candidate.cost for candidate in found],
        "seconds": time.perf_counter() - started,
    }


def measure(text: str, folder: str, kernels: int) -> dict:
    """In a child: the race of the candidates, as `tune` runs it; then its winner beside the model's best, from new."""
    from griotte.compiler.tuning import race

    runs = bound(text, folder, range(kernels))
    winner, *_ = race(runs)
    model, tuned = beside(runs[0], runs[winner], SECONDS)
    # one program beside itself: the noise
    ratio = statistics.median(m / t for m, t in zip(model, tuned)) if winner else 1.0
    return {
        "winner": winner,
        "model_us": statistics.median(model),
        "tuned_us": statistics.median(tuned),
        "ratio": ratio,
    }


def bound(text: str, folder: str, names, begin: int = 16) -> dict:
    """The kernels that are saved in a folder by name, bound to the same arrays, which begin so many bytes into a line
    (16, as NumPy's do), and found to be right."""
    import griotte as gt
    import numpy as np
    from griotte.lang.meaning.agreement import compare, tolerance
    from griotte.lang.meaning.reference import empty
    from griotte.lang.meaning.samples import timed_arrays
    from griotte.runtime import load

    spec = gt.parse(text)
    arrays, out = (
        [_begun(array, begin) for array in timed_arrays(spec, np.random.default_rng(0))],
        _begun(empty(spec.output), begin),
    )
    bounds, runs = tolerance(spec, arrays, random=True), {}
    for name in names:
        out.fill(1)
        runs[name] = load(f"{folder}/{name}").bind(*arrays, out=out)
        assert compare(spec, arrays, runs[name](), bounds)[1], f"{text}: {name} is wrong"
    return runs


def _begun(array, begin: int):
    """A copy in the same order that begins `begin` bytes into a line."""
    import numpy as np

    room = np.empty(array.nbytes + 128, np.uint8)
    copy = np.ndarray(array.shape, array.dtype, room, (begin - room.ctypes.data) % 64, array.strides)
    copy[...] = array
    return copy


def beside(first, second, seconds: float) -> tuple[list[float], list[float]]:
    """The median microseconds of two bound kernels in each of TURNS turns, `seconds` in all."""
    from griotte.runtime import timing

    turns = [timing.interleaved({"first": first, "second": second}, seconds / TURNS) for _ in range(TURNS)]
    return tuple([turn[name].median_us for turn in turns] for name in ("first", "second"))


if __name__ == "__main__":
    main()
