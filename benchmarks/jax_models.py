"""Networks in plain JAX through `griotte.jax.jit` beside `jax.jit`, in turns, on as many threads.

    python benchmarks/jax_models.py OUT.jsonl [NAME ..] [--threads 1,2] [--effort 2]
    python benchmarks/jax_models.py OUT.jsonl --only-table [--docs docs/lab/jax/README.md]

NAMEs are those of `jax_zoo.ZOO`, all where none is given. Each is a process of its own for each number of threads, and
a line of OUT.jsonl; a run goes on behind the last one. XLA's pool has as many threads as its process has CPUs when jax
starts, so the process is given so many then, and again where the two race; the search has all. What is found is not
kept. Right is within 1e-4 of the largest of each result. A turn is calls for `SPAN` seconds, each waited for, of which
the lower quartile counts; the ratio is XLA's time over griotte's, the median of rounds. Needs jax.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sampled import into_page

WITHIN, ROUNDS, SPAN = 1e-4, 11, 0.1
BEGIN = "<!-- by benchmarks/jax_models.py -->\n"
NAMES = ("mlp", "lenet", "bert_layer", "gpt2_step", "llama_block", "resnet18", "mobilenet_v3")


def apart(found: list[np.ndarray], wanted: list[np.ndarray]) -> float:
    """The largest error, in the largest of its result; infinite where results are of another kind."""
    if [(x.shape, x.dtype) for x in found] != [(x.shape, x.dtype) for x in wanted]:
        return float("inf")
    off = (np.abs(x - y).max(initial=0) / np.abs(y).max(initial=1e-30) for x, y in zip(found, wanted))
    return max(map(float, off))


def turn(call: Callable[[], Any]) -> float:
    """Seconds of a call: the lower quartile of as many as there is time for, which other work spoils less."""
    times: list[float] = []
    end = time.perf_counter() + SPAN
    while (start := time.perf_counter()) < end or len(times) < 4:
        call()
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 4]


def raced(name: str, threads: int, effort: int) -> dict[str, Any]:
    """One network by both, within this process."""
    every = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, every[-threads:])
    import griotte.jax
    import jax
    from jax_zoo import ZOO, results

    function, arrays = ZOO[name]()
    jax.block_until_ready(jax.jit(function)(*arrays))
    os.sched_setaffinity(0, every)
    fast = griotte.jax.jit(function, threads=threads, table="none", effort=effort)
    start = time.perf_counter()
    jax.block_until_ready(fast(*arrays))
    searched = time.perf_counter() - start
    plain = jax.jit(partial(function))  # another function, which is compiled anew
    start = time.perf_counter()
    wanted = results(plain(*arrays))
    compiled = time.perf_counter() - start
    (row,) = fast.rows
    os.sched_setaffinity(0, every[-threads:])
    calls = {key: lambda f=f: jax.block_until_ready(f(*arrays)) for key, f in (("griotte", fast), ("xla", plain))}
    times: dict[str, list[float]] = {key: [] for key in calls}
    for number in range(ROUNDS + 1):
        for key in list(calls)[:: 1 if number % 2 else -1]:
            times[key].append(turn(calls[key]))
    us = {key: statistics.median(each[1:]) * 1e6 for key, each in times.items()}
    ratios = sorted(b / a for a, b in zip(times["griotte"][1:], times["xla"][1:]))
    return {
        "name": name,
        "threads": threads,
        "taken": row.taken,
        "why": row.why,
        "off": apart(results(fast(*arrays)), wanted),
        "search_s": round(searched, 1),
        "xla_s": round(compiled, 1),
        "us": us,
        "ratio": statistics.median(ratios),
        "quartiles": [ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]],
        "load": os.getloadavg()[0],
    }


def run(given: argparse.Namespace) -> None:
    """Each network that is not done, a process for each number of threads."""
    done = {(row["name"], row["threads"]) for row in read(given.out)}
    for name in given.names or NAMES:
        for threads in map(int, given.threads.split(",")):
            if (name, threads) in done:
                continue
            told = [__file__, str(given.out), name, "--threads", str(threads), "--effort", str(given.effort), "--one"]
            made = subprocess.run([sys.executable, *told], capture_output=True, text=True)
            if made.returncode:
                print(name, threads, made.stderr[-2000:], flush=True)
                continue
            row = made.stdout.splitlines()[-1]
            with given.out.open("a") as file:
                file.write(row + "\n")
            print(row, flush=True)


def read(out: Path) -> list[dict[str, Any]]:
    return list(map(json.loads, out.read_text().splitlines())) if out.exists() else []


def table(rows: list[dict[str, Any]]) -> str:
    lines = [
        "| network | threads | right | griotte | XLA | ratio | quartiles | found in | XLA's compilation | load |",
        "|---|---:|---|---:|---:|---:|---|---:|---:|---:|",
    ]
    for row in sorted(rows, key=lambda row: (NAMES.index(row["name"]), row["threads"])):
        right = "yes" if row["off"] <= WITHIN else f"{row['off']:.1e}"
        ours, theirs = (f"{row['us'][key]:,.0f} us" for key in ("griotte", "xla"))
        lines.append(
            f"| {row['name']} | {row['threads']} | {right if row['taken'] else 'XLA: ' + row['why'][:60]} | {ours} |"
            f" {theirs} | {row['ratio']:.2f} | {row['quartiles'][0]:.2f}, {row['quartiles'][1]:.2f} |"
            f" {row['search_s']:.0f} s | {row['xla_s']:.1f} s | {row['load']:.0f} |"
        )
    for threads in sorted({row["threads"] for row in rows}):
        own = [row["ratio"] for row in rows if row["threads"] == threads]
        lines.append(f"| geometric mean | {threads} | | | | {statistics.geometric_mean(own):.2f} | | | | |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path, help="what was measured, a line each")
    parser.add_argument("names", nargs="*", help=", ".join(NAMES))
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--effort", type=int, default=2)
    parser.add_argument("--one", action="store_true", help="measure here, and print it")
    parser.add_argument("--only-table", action="store_true", help="run nothing")
    parser.add_argument("--docs", type=Path, help="a page that the table is written into")
    given = parser.parse_args()
    if given.one:
        print(json.dumps(raced(given.names[0], int(given.threads), given.effort)))
        return
    if not given.only_table:
        run(given)
    rows = read(given.out)
    print(table(rows))
    if given.docs:
        into_page(given.docs, BEGIN, table(rows))


if __name__ == "__main__":
    main()
