"""What a budget of runs over a whole model's parts brings: the kernel by price and the tuned one, timed in turns in one
process on the same data.

    python benchmarks/tuned_models.py NAME .. [--tune 100] [--model M.gtm] [--threads 1] [--zoo FOLDER]
                                              [--table FOLDER] [--json FILE]
    python benchmarks/tuned_models.py NAME .. --seconds 30 60 120 [--equal]    a budget, and the rest of larger ones

NAME is as in models.py. Of each: the seconds that it takes to find and to tune, the runs that were used, what the parts
gained apart, and the median over turns of the kernel's time by price over the tuned one's. With --table the tables of
solved and tuned parts stay in a folder; what is there is tuned anew. Of seconds each is a row; a budget goes on from
the one before. --equal gives each part as many trials as any other, in place of those where a call gains the most; both
ways start alike with a GRIOTTE_CACHE of their own. --seconds without a number prepares: the model is solved and
compiled.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import griotte as gt
import numpy as np
from griotte.models import timed_parts, tuning
from griotte.models.allocation import equal
from griotte.runtime import timing
from models import arrays, models

TURNS, TURN_S = 15, 0.4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="+", metavar="NAME")
    parser.add_argument("--tune", type=int, default=100)
    parser.add_argument("--seconds", type=float, nargs="*")
    parser.add_argument("--equal", action="store_true")
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
            table = (asked.table or Path(temporary)) / f"{name}.griotte"
            for each in rows(name, path, shapes, table, asked):
                found.append(each)
                print(told(each), flush=True)
    if not found:
        return
    ratios = [each["ratio"] for each in found]
    print(f"\ngeometric mean {statistics.geometric_mean(ratios):.3f} of {len(ratios)}")
    if asked.file is not None:
        asked.file.write_text(json.dumps(found, indent=1) + "\n")


def rows(
    name: str, path: Path, shapes: dict[str, tuple[int, ...]], table: Path, asked: argparse.Namespace
) -> Iterator[dict]:
    """A model before and after each budget."""
    graph = gt.from_onnx(path, shapes=shapes)
    ways: dict[str, Any] = {"threads": asked.threads, "table": str(table), "effort": asked.effort}
    started = time.perf_counter()
    by_price = gt.compile(graph, tune=1, **ways)
    solve_s = time.perf_counter() - started
    if asked.equal:
        tuning.spend = partial(timed_parts.spend, pick=equal)
    budgets = [{"tune": asked.tune}] if asked.seconds is None else [{"tune_seconds": each} for each in asked.seconds]
    given = arrays(graph, path)
    for budget in budgets:
        began = time.perf_counter()
        tuned = gt.compile(graph, model=asked.model, **budget, **ways)
        tune_s = time.perf_counter() - began
        yield (
            {"name": name, "way": "equal" if asked.equal else "doubt", **budget, "solve_s": solve_s}
            | beside(by_price, tuned, given, asked.turns)
            | {"tune_s": tune_s, **tuned.stats["tuned"]}
        )


def beside(by_price: Any, tuned: Any, given: Any, turns: int) -> dict:
    """Both kernels on the same arrays, in turns."""
    outputs = [kernel(*given) for kernel in (by_price, tuned)]
    one, other = (list(each) if isinstance(each, tuple) else [each] for each in outputs)
    runs = {"price": by_price.bind(*given), "tuned": tuned.bind(*given)}
    times: dict[str, list[float]] = {each: [] for each in runs}
    for _ in range(turns):
        for each, turn in timing.interleaved(runs, TURN_S).items():
            times[each].append(turn.median_us)
    ratios = sorted(price / after for price, after in zip(times["price"], times["tuned"]))
    return {
        "price_us": statistics.median(times["price"]),
        "tuned_us": statistics.median(times["tuned"]),
        "ratio": statistics.median(ratios),
        "quartiles": [ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]],
        "apart": max(float(np.abs(a - b).max() / max(1e-30, np.abs(a).max())) for a, b in zip(one, other)),
    }


def told(found: dict) -> str:
    """A line."""
    low, high = found["quartiles"]
    parts = (
        f"{found['parts']} parts alone {found['model_us']:.1f} -> {found['median_us']:.1f} us"
        if "parts" in found
        else ""
    )
    return (
        f"{found['name']:14} {found['way']:5} {found.get('seconds', 0):6.1f} {found['price_us']:10.1f} ->"
        f" {found['tuned_us']:10.1f} us  {found['ratio']:.3f} x ({low:.3f} to {high:.3f})  {found.get('runs', 0)} runs,"
        f" {found['tune_s']:.1f} s; {parts}; results {found['apart']:.1g} apart"
    )


if __name__ == "__main__":
    main()
