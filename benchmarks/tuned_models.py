"""What a budget of runs over a whole model's parts brings: the kernel by price and the tuned one, timed in turns in one
process on the same data.

    python benchmarks/tuned_models.py NAME .. [--tune 100] [--model M.gtm] [--threads 1] [--zoo FOLDER]
                                              [--table FOLDER] [--json FILE]
    python benchmarks/tuned_models.py NAME .. --seconds 30 60 120 [--ways doubt equal]    a budget, and what larger
                                                                                          ones have more

NAME is as in models.py. Of each: the seconds that it takes to find and to tune, the runs that were used, what the parts
gained apart, and the median over turns of the kernel's time by price over the tuned one's. With --table the tables of
solved and tuned parts stay in a folder; what is there is tuned anew. Of seconds each is a row; a budget goes on from
the one before. Ways: doubt gives the next trial to the part where a call gains the most, equal gives each part as many
as any other. Each way begins with what the model is by price, with a table and a cache of its own, and takes as many
seconds; afterwards the kernels of all ways and the one by price run in turns. --seconds without a number prepares: the
model is solved and compiled.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import griotte as gt
import numpy as np
from griotte.models import timed_parts, tuning
from griotte.models.allocation import equal, next_part
from griotte.runtime import timing
from models import arrays, models

TURNS, TURN_S = 15, 0.4
WAYS = {"doubt": next_part, "equal": equal}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="+", metavar="NAME")
    parser.add_argument("--tune", type=int, default=100)
    parser.add_argument("--seconds", type=float, nargs="*")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=["doubt"])
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--model", metavar="M.gtm")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--effort", type=int, default=2)
    parser.add_argument("--zoo", type=Path, default=Path("zoo"))
    parser.add_argument("--table", type=Path)
    parser.add_argument("--json", type=Path, dest="file")
    asked = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory() as temporary:
        for name, (path, shapes) in models(asked.names, asked.zoo).items():
            for each in rows(name, path, shapes, asked.table or Path(temporary), asked):
                found.append(each)
                print(told(each), flush=True)
    if not found:
        return
    ratios = [each["ratio"] for each in found if each["way"] != "both"]
    print(f"\ngeometric mean {statistics.geometric_mean(ratios):.3f} of {len(ratios)}")
    if asked.file is not None:
        asked.file.write_text(json.dumps(found, indent=1) + "\n")


def rows(
    name: str, path: Path, shapes: dict[str, tuple[int, ...]], folder: Path, asked: argparse.Namespace
) -> Iterator[dict]:
    """A model before and after each budget, by each way."""
    graph = gt.from_onnx(path, shapes=shapes)
    solved, given = folder / f"{name}.griotte", arrays(graph, path)
    ways: dict[str, Any] = {"threads": asked.threads, "effort": asked.effort}
    started = time.perf_counter()
    gt.synthesize(graph, tune=1, table=str(solved), **ways)
    solve_s = time.perf_counter() - started
    own = {way: folder / f"{name}.{way}" for way in asked.ways}
    kernels = {}
    for cache in own.values():
        cache.mkdir(exist_ok=True)
        if not (cache / "table").exists():
            copied(solved, cache / "table")
        with cached(cache):
            kernels["price"] = gt.compile(graph, tune=1, table=str(cache / "table"), **ways)
    budgets = [{"tune": asked.tune}] if asked.seconds is None else [{"tune_seconds": each} for each in asked.seconds]
    for budget in budgets:
        spent = {}
        for way, cache in own.items():
            tuning.spend = partial(timed_parts.spend, pick=WAYS[way])
            began = time.perf_counter()
            with cached(cache):
                kernels[way] = gt.compile(graph, model=asked.model, table=str(cache / "table"), **budget, **ways)
            spent[way] = time.perf_counter() - began
        times = timed(kernels, given, asked.turns)
        for way in own:
            facts = {"name": name, "way": way, **budget, "solve_s": solve_s, "tune_s": spent[way]}
            yield facts | beside(times, "price", way) | kernels[way].stats["tuned"]
        if len(own) > 1:
            yield {"name": name, "way": "both", **budget} | beside(times, "equal", "doubt")


def copied(table: Path, to: Path) -> None:
    """A table as it is now, also where a process has it open."""
    with closing(sqlite3.connect(table)) as one, closing(sqlite3.connect(to)) as other:
        one.backup(other)


@contextmanager
def cached(folder: Path) -> Iterator[None]:
    """A cache of its own for what is compiled within."""
    before = os.environ.get("GRIOTTE_CACHE")
    os.environ["GRIOTTE_CACHE"] = str(folder)
    try:
        yield
    finally:
        os.environ.pop("GRIOTTE_CACHE") if before is None else os.environ.update(GRIOTTE_CACHE=before)


def timed(kernels: dict[str, Any], given: Any, turns: int) -> dict[str, list[float]]:
    """Microseconds of each kernel on the same arrays, turn by turn; ArithmeticError where results are far apart."""
    outputs = {way: [*each] if isinstance(each := kernel(*given), tuple) else [each] for way, kernel in kernels.items()}
    for way, found in outputs.items():
        for a, b in zip(outputs["price"], found):
            if np.abs(a - b).max() > 1e-3 * np.abs(a).max():
                raise ArithmeticError(f"expected the result by price of the kernel of {way}, found another")
    runs = {way: kernel.bind(*given) for way, kernel in kernels.items()}
    times: dict[str, list[float]] = {way: [] for way in runs}
    for _ in range(turns):
        for way, turn in timing.interleaved(runs, TURN_S).items():
            times[way].append(turn.median_us)
    return times


def beside(times: dict[str, list[float]], before: str, after: str) -> dict:
    """The median over turns of one kernel's time over another's."""
    ratios = sorted(one / other for one, other in zip(times[before], times[after]))
    return {
        "before_us": statistics.median(times[before]),
        "after_us": statistics.median(times[after]),
        "ratio": statistics.median(ratios),
        "quartiles": [ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]],
    }


def told(found: dict) -> str:
    """A line."""
    low, high = found["quartiles"]
    line = (
        f"{found['name']:14} {found['way']:5} {found.get('tune_seconds', 0):6.1f} {found['before_us']:10.1f} ->"
        f" {found['after_us']:10.1f} us  {found['ratio']:.3f} x ({low:.3f} to {high:.3f})"
    )
    if found["way"] == "both":
        return f"{line}, equal effort before"
    return f"{line}  {found['runs']} runs, {found['spent_s']:.1f} s"


if __name__ == "__main__":
    main()
