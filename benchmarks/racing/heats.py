"""Heats: one problem at one thread count, its arrays beginning in one way; run once, or anew, and what all its runs
together say.

    {"problem": {...}, "threads": 1, "begin": "line", "anew": [why], "runs": [run, ...]}

A *run* is what was measured at one time: {"turns": {name: [us, ...]}, "disturbed": {name: [rounds]}, "absent", "ways",
"work", "foreign"}. Figures come from the rounds of all runs together: a heat that is run anew has more rounds, never
others.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from . import anew, stats, turns
from .problems import Problem
from .stats import Turn
from .turns import Contestant

OURS = "griotte"


def key(heat: dict) -> tuple[str, int, str]:
    return heat["problem"]["name"], heat["threads"], heat["begin"]


# Running
# -----------------------------------------------------------------------------------------------------------------


def run(problem: dict, begin: str, runners: Sequence[Contestant], rounds: int, rest: float, folder: Path) -> dict:
    """Everyone prepared, then all take turns; the data of the problem are in `folder`."""
    ready, absent, ways, work = [], {}, {}, {}
    for runner in runners:
        said = turns.prepare(runner, {"problem": problem, "data": str(folder), "begin": begin})
        if said.way is None:
            absent[runner.name] = said.why_not
            continue
        ready.append(runner)
        ways[runner.name] = {k: v for k, v in said.details.items() if k in ("way", "tried", "wrong", "allocates") and v}
        if said.details.get("work"):
            work[runner.name] = said.details["work"]
    if rest:
        time.sleep(rest)
    before = clocks(ready)
    taken, lost = turns.take_turns(ready, rounds, rest)
    after = clocks(ready)
    for runner in ready:
        if runner.name not in lost:
            runner.ask({"do": "drop"})
    return {
        "turns": {name: [round(t.us, 4) for t in each] for name, each in taken.items()},
        "disturbed": {name: [i for i, t in enumerate(each) if t.disturbed] for name, each in taken.items()},
        "absent": {**absent, **lost},
        "ways": ways,
        "work": work,
        "foreign": foreign(before, after),
    }


def clocks(runners: Sequence[Contestant]) -> tuple[float, float, float]:
    """(wall clock, CPU seconds of the whole machine, those of the contestants)."""
    try:
        fields = [int(x) for x in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
        busy = (sum(fields[:3]) + sum(fields[5:8])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        busy = 0.0
    return time.monotonic(), busy, sum(r.cpu_seconds() for r in runners)


def foreign(before: tuple, after: tuple) -> float:
    """Cores that were busy with something that is not in the race (stolen time included)."""
    wall, busy, ours = (b - a for a, b in zip(before, after))
    return max(0.0, (busy - ours) / wall) if wall else 0.0


def wait_for_quiet(seconds: float, busy: float) -> None:
    """Until the cores were idle for a second (contestants all sleep now), or the time is over."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        before = clocks([])
        time.sleep(1)
        if foreign(before, clocks([])) < busy:
            return


def first_runs(
    found: list[dict],
    problems: Iterable[Problem],
    begins: Sequence[str],
    threads: int,
    measure: Callable[[dict], dict],
    save: Callable[[dict], None],
) -> None:
    """Every heat that `found` has not yet, added to it as it comes; `measure(heat)` is a run."""
    done = {key(heat) for heat in found}
    for problem in problems:
        for begin in begins:
            heat = {"problem": problem.as_json(), "threads": threads, "begin": begin, "anew": [], "runs": []}
            if key(heat) not in done:
                heat["runs"].append(measure(heat))
                found.append(heat)
                save(heat)


def again(found: list[dict], threads: int, measure: Callable[[dict], dict], save: Callable[[dict], None]) -> None:
    """Once more whoever the rule names, once every first run of this thread count is there."""
    for heat in named(found, threads):
        if len(heat["runs"]) < 2:
            heat["runs"].append(measure(heat))
            save(heat)


def named(found: list[dict], threads: int) -> list[dict]:
    """The heats that are run anew, each with the reasons."""
    judged = [heat for heat in found if heat["threads"] == threads]
    for heat, why in zip(judged, anew.reasons([first(heat) for heat in judged])):
        heat["anew"] = why
    return [heat for heat in judged if heat["anew"]]


# What it says
# ------------------------------------------------------------------------------------------------------------


def figures(heat: dict) -> dict:
    """What is published of a heat: medians and spreads over the rounds of all its runs.

    {"us": {name: median}, "ratio": {rival: {"median", "low", "high", "rounds"}}, "rates": {probe: work in a
    microsecond}, ...}; of a heat that was run anew, `first` has the ratios that its first run gave.
    """
    runs = heat["runs"]
    probes = {name for each in runs for name in each["work"]}
    names = list(dict.fromkeys(name for each in runs for name in each["turns"]))
    last = {name: each["ways"][name] for each in runs for name in each["turns"]}
    found = {
        "problem": heat["problem"],
        "threads": heat["threads"],
        "begin": heat["begin"],
        "rounds": sum(max(map(len, each["turns"].values()), default=0) for each in runs),
        "us": {name: _digits(stats.median_us(_turns(runs, name))) for name in names if name not in probes},
        "ratio": _ratios(runs, [n for n in names if n not in probes]),
        "rates": {
            name: _digits(1 / stats.median_us(_turns(runs, name, per_work=True))) for name in names if name in probes
        },
        "absent": {name: why for each in runs for name, why in each["absent"].items() if name not in names},
        "ways": {name: way["way"] for name, way in last.items()},
        "allocates": [name for name, way in last.items() if way.get("allocates")],
        "disturbed": {
            name: count for name in names if (count := sum(len(each["disturbed"].get(name, ())) for each in runs))
        },
        "foreign": round(max(each["foreign"] for each in runs), 3),
        "anew": heat["anew"],
    }
    if len(runs) > 1:
        found["first"] = {
            name: ratio["median"] for name, ratio in _ratios(runs[:1], names).items() if name not in probes
        }
    return found


def first(heat: dict) -> dict:
    """The figures of its first run alone, by which the rule of anew.py judges."""
    return figures({**heat, "runs": heat["runs"][:1], "anew": []})


def _ratios(runs: list[dict], names: list[str]) -> dict[str, dict]:
    """{rival: ...}, over the runs in which both it and griotte took turns."""
    found = {}
    for name in names:
        both = [each for each in runs if name in each["turns"] and OURS in each["turns"]]
        if both and name != OURS:
            ratio = stats.ratio(_turns(both, name), _turns(both, OURS))
            found[name] = {
                "median": _digits(ratio.median),
                "low": _digits(ratio.low),
                "high": _digits(ratio.high),
                "rounds": ratio.rounds,
            }
    return found


def _turns(runs: list[dict], name: str, per_work: bool = False) -> list[Turn]:
    """Of all runs in which it took part, one after the other."""
    return [
        Turn(us / (each["work"][name] if per_work else 1.0), i in each["disturbed"].get(name, ()))
        for each in runs
        if name in each["turns"]
        for i, us in enumerate(each["turns"][name])
    ]


def _digits(value: float) -> float:
    """Five of them: no timing has more."""
    return float(f"{value:.5g}")
