"""The Specs of timed programs whose first choice by price loses most to the fastest program, and what differs.

    python docs/lab/learned/worst.py list DATA .. [--count 10]     of records, or of a pruned file
    python docs/lab/learned/worst.py make FOLDER RECORDS .. [--count 10]
    python docs/lab/learned/worst.py time FOLDER                   on a quiet machine

`list` tells of each: times and prices of the two, and the features that differ most. `make` rebuilds the two of each
Spec, compiles each alone as a kernel is, and writes what they do beside it (N-chosen.txt, N-fastest.txt); `time` calls
them in turns, so that what is luck of one record shows.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from griotte.engine.learned.features import NAMES
from griotte.engine.learned.samples import Samples
from griotte.lang.meaning.reference import empty_outputs
from griotte.lang.meaning.samples import timed_arrays
from griotte.lang.text.text import parse
from griotte.runtime import load
from griotte.tools.commands.learn.models import timed
from griotte.tools.learn import timing
from griotte.tools.learn.drafts import SpecSpace
from griotte.tools.learn.elsewhere.turns import Pace
from griotte.tools.learn.records import Records, target_of

PACE = Pace(2e-3, 30, 0)
SHOWN = 5  # features


def worst(samples: Samples, count: int) -> list[tuple[float, np.ndarray, int, int]]:
    """Of so many Specs: what is lost, the rows of its programs, which is chosen and which the fastest."""
    found = []
    for number in range(len(samples.groups)):
        rows = np.flatnonzero(samples.group == number)
        if len(rows) > 1:
            chosen, fastest = int(samples.price[rows].argmin()), int(samples.warm[rows].argmin())
            found.append((samples.warm[rows[chosen]] / samples.warm[rows[fastest]] - 1, rows, chosen, fastest))
    return sorted(found, key=lambda each: -each[0])[:count]


def listed(paths: list[str], count: int) -> None:
    samples, _ = timed(tuple(paths))
    for lost, rows, chosen, fastest in worst(samples, count):
        one, other = rows[chosen], rows[fastest]
        apart = samples.features[other] - samples.features[one]
        differ = np.argsort(-np.abs(apart) / (np.std(samples.features, 0) + 1e-9), kind="stable")[:SHOWN]
        rank = np.argsort(np.argsort(samples.price[rows], kind="stable"))[fastest]
        times = f"{samples.warm[one]:.4g} us, {samples.warm[other]:.4g} us"
        price = samples.price[other] / samples.price[one]
        print(f"{100 * lost:4.0f} %  {samples.groups[samples.group[one]].spec}\n        {times}; the fastest is number")
        print(f"        {rank + 1} of {len(rows)} by price, {price:.2f} times the least")
        print("        " + ", ".join(f"{NAMES[n]} {samples.features[one, n]:.3g} > {apart[n]:+.3g}" for n in differ))


def make(folder: Path, paths: list[str], count: int) -> None:
    goals = {}
    for path in paths:
        with Records(path, writable=False) as records:
            goals |= {goal.spec: goal for goal in records.read()}
    samples, _ = timed(tuple(paths))
    about = []
    folder.mkdir(parents=True, exist_ok=True)
    for place, (lost, rows, chosen, fastest) in enumerate(worst(samples, count)):
        goal = goals[samples.groups[samples.group[rows[0]]].spec]
        space = SpecSpace(parse(goal.spec), target_of(goal.target), goal.threads)
        for name, number in (("chosen", chosen), ("fastest", fastest)):
            program = space.program(space.rebuilt(goal.programs[number].decisions))
            program.compile().save(str(folder / f"{place}-{name}"))
            (folder / f"{place}-{name}.txt").write_text(str(program))
        about.append({"spec": goal.spec, "lost": float(lost)})
    (folder / "about.json").write_text(json.dumps(about))


def time_both(folder: Path) -> None:
    for place, each in enumerate(json.loads((folder / "about.json").read_text())):
        spec = parse(each["spec"])
        arrays = [timing.on_a_line(array) for array in timed_arrays(spec, np.random.default_rng(1))]
        outs = [timing.as_result(array) for array in timing.as_tuple(empty_outputs(spec))]
        out = tuple(outs) if len(outs) > 1 else outs[0]
        runs = [load(str(folder / f"{place}-{name}")).bind(*arrays, out=out) for name in ("chosen", "fastest")]
        chosen, fastest = (found.low for found in timing.timed_warm(runs, 1, PACE))
        lost = f"{100 * (chosen / fastest - 1):4.0f} % (recorded {100 * each['lost']:.0f} %)"
        print(f"{lost}  {each['spec']}  {chosen:.4g}, {fastest:.4g} us", flush=True)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("what", choices=("list", "make", "time"))
    asked.add_argument("paths", nargs="+")
    asked.add_argument("--count", type=int, default=10)
    given = asked.parse_args()
    match given.what:
        case "list":
            listed(given.paths, given.count)
        case "make":
            make(Path(given.paths[0]), given.paths[1:], given.count)
        case _:
            time_both(Path(given.paths[0]))


if __name__ == "__main__":
    main()
