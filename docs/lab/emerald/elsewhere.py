"""Programs made here for a machine that is elsewhere, timed there: for one that is at hand for minutes, which searches
would take up.

    elsewhere.py make POOL --cpuinfo FILE --caches 48,2048,307200 --by native --by there.toml [--spec SPEC ...]
    elsewhere.py time POOL [--seconds 2]
    elsewhere.py judge POOL

FILE is a copy of that machine's /proc/cpuinfo, the caches are in KiB, `native` the target that it would have; prices to
judge may also be files that `griotte calibrate` wrote there. *make* keeps the C of the programs of each Spec by each of
these prices and by prices varied at random (ranked.py), with the costs by each; *time* compiles and times them in
turns, and adds cycles; *judge* prints what ranked.py does. POOL is JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import priced
import ranked
from griotte import machine as targets
from griotte.lang.text.text import parse
from griotte.machine.detect import described
from griotte.runtime.calibrate.timing import Stopwatch, arrays_of, opened
from griotte.runtime.toolchain import compile_shared

DRAWS, FEWEST, QUIET = 7, 6, 0.05  # programs drawn of a Spec; rounds at least; the quantile of rounds that counts
LARGE = [
    "matmul(f32[768,768], f32[768,768])",
    "matmul(f32[512,512], f32[512,2048])",
    "matmul(f32[733,517], f32[517,301])",
    "matmul(f32[100,1000], f32[1000,700])",
    "layer_norm(f32[512,768], f32[768], f32[768])",
]
LEFT_OUT = ("exp", "transpose", "sum")  # of priced.py's: they have one program, or two
SPECS = [
    spec for spec, _, _ in (goal.rpartition("@") for goal in priced.SPECS) if not spec.startswith(LEFT_OUT)
] + LARGE


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    makes, times, judges = (verbs.add_parser(verb) for verb in ("make", "time", "judge"))
    for verb in (makes, times, judges):
        verb.add_argument("pool", type=Path)
    makes.add_argument("--spec", action="append", help="in place of its own; may be given again")
    makes.add_argument("--cpuinfo", type=Path, required=True)
    makes.add_argument("--caches", required=True, metavar="KIB,KIB,KIB")
    makes.add_argument("--by", action="append", required=True, metavar="TARGET")
    times.add_argument("--seconds", type=float, default=2.0, help="of a Spec's turns")
    asked = parser.parse_args()
    if asked.verb == "make":
        make(asked)
    elif asked.verb == "time":
        time_all(asked.pool, asked.seconds)
    else:
        judge(asked.pool)


def make(asked: argparse.Namespace) -> None:
    caches = {level: int(size) << 10 for level, size in enumerate(asked.caches.split(","), 1)}
    there = described(asked.cpuinfo.read_text(), caches)
    models = {
        name: targets.build(targets.best(there), there, "native") if name == "native" else targets.resolve(name)
        for name in asked.by
    }
    pool = {"flags": list(next(iter(models.values())).flags), "specs": []}
    for number, text in enumerate(asked.spec or SPECS):
        pool["specs"].append({"spec": text, **made(text, models, random.Random(number))})
        asked.pool.write_text(json.dumps(pool))
        print(f"{text}: {len(pool['specs'][-1]['programs'])} programs", flush=True)


def made(text: str, models: dict, rng: random.Random) -> dict:
    """The programs of a Spec, and what each costs by each of the prices judged."""
    found, costs = ranked.candidates(text, models, DRAWS, rng)
    return {
        "costs": costs,
        "programs": [{"c": program.to_c(), "function": program.function, "text": str(program)} for program in found],
    }


def time_all(path: Path, seconds: float) -> None:
    pool, watch, rng = json.loads(path.read_text()), Stopwatch(), np.random.default_rng(0)
    with ThreadPoolExecutor() as compilers:
        sources = [program["c"] for each in pool["specs"] for program in each["programs"]]
        libraries = compilers.map(lambda source: compile_shared(source, tuple(pool["flags"])), sources)
        for each in pool["specs"]:
            arrays = arrays_of(parse(each["spec"]), rng)
            kernels = [opened(next(libraries), program["function"], len(arrays)) for program in each["programs"]]
            each["cycles"] = rounds(kernels, arrays, watch, seconds)
            path.write_text(json.dumps(pool))
            print(f"{each['spec']}: {len(each['cycles'])} rounds", flush=True)


def rounds(kernels: list, arrays: list, watch: Stopwatch, seconds: float) -> list[list[float]]:
    """Cycles of each kernel, round after round; every other round goes backwards. NaN where a turn was disturbed."""
    found, until = [], time.monotonic() + seconds
    while len(found) < FEWEST or time.monotonic() < until:
        row = [float("nan")] * len(kernels)
        for i in range(len(kernels))[:: -1 if len(found) % 2 else 1]:
            row[i] = min(watch.cycles(kernels[i], arrays, 1), default=float("nan"))
        found.append(row)
    return found


def judge(path: Path) -> None:
    found = [
        each | {"times": halves(each["cycles"])} for each in json.loads(path.read_text())["specs"] if "cycles" in each
    ]
    models = list(found[0]["costs"])
    for each in found:
        print(
            f"{each['spec']:64} {len(each['programs']):3} programs, {ranked.spread(each):.2f} x  "
            + "  ".join(f"{m} {ranked.brief(ranked.judged(each, m))}" for m in models)
        )
    print("\n| prices | Specs | tau | clock | regret 1 | regret 5 | error |\n|---|---|---|---|---|---|---|")
    for model in models:
        print(ranked.summary(model, "all", [ranked.judged(each, model) for each in found]))


def halves(cycles: list[list[float]]) -> list[list[float]]:
    """Of the even and of the odd rounds, what counts of each program."""
    return [np.nanquantile(np.array(cycles[half::2]), QUIET, axis=0).tolist() for half in (0, 1)]


if __name__ == "__main__":
    main()
