"""Graphs drawn by rule (racing/graphs.py) beside torch, torch compiled and onnxruntime, all installed in this Python.

    drawn_graphs.py                  the decoder's step and 20 graphs of seed 0, 1 and 2 threads
    drawn_graphs.py --seed 1         others
    drawn_graphs.py --only softmax   those whose names have this; may be given again
    drawn_graphs.py --go FILE        when everyone is ready, time whenever FILE is there, then remove it; each time with
                                     the kernels of griotte that are kept then. What is in FILE is a part of names;
                                     `end` ends

Everyone is prepared first, each problem in each of a rival's ways: found, compiled, checked. The rounds come after, all
at once, so that what they need is a quiet machine for a minute. In the first round all ways take a turn, in the others
the quickest of each rival. `RACE_AUTOTUNED=1` has torch compile products with max-autotune too, `RACE_EAGER=1` nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import child
from racing import data, entries, graphs, kept, programs, stats
from racing.stated import Stated
from racing.turns import Contestant

RIVALS = {"torch": "pytorch", "onnxruntime": "ort"}
OURS = "griotte"
WITHOUT = "compiled, into the output"  # of torch: the same code again, which then copies
REST = {1: 0.0, 2: 0.05}  # seconds before a turn: threads that wait spin for a while after a call
SECONDS, WARM = 0.02, 0.006


def main() -> None:
    options = _options()
    drawn = graphs.drawn(options.drawn, options.seed)
    chosen = [p for p in drawn if not options.only or any(part in p.name for part in options.only)]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for problem in chosen:
            data.write_stated(problem, folder / problem.name)
        teams = [Team(count, folder, options.kernels, stack) for count in options.threads or (1, 2)]
        for team in teams:
            for name, module in RIVALS.items():
                team.hold(name, module, chosen)
        for team in teams if not options.made else ():
            team.make(chosen, options.target, options.anew)
        for part in _asked(options.go):
            found = []
            for team in teams:
                asked = [p for p in chosen if part in p.name]
                team.hold(OURS, "griotte_kernel", asked)
                found += [team.timed(problem, options.rounds) for problem in asked]
            if options.go:
                options.go.unlink(missing_ok=True)
            _tell(found)
            if options.out:
                options.out.write_text(json.dumps(found))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--drawn", type=int, default=20, metavar="N", help="so many graphs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help="graphs whose names have it")
    parser.add_argument("--threads", type=int, action="append")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--kernels", type=Path, default=kept.SCRATCH / "graphs", help="where griotte's are kept")
    parser.add_argument("--target", default="native", help="griotte's; `like:FILE.toml` as priced.py has it")
    parser.add_argument("--anew", action="store_true", help="make griotte's kernels again")
    parser.add_argument("--made", action="store_true", help="make none: those that are kept take part")
    parser.add_argument("--go", type=Path, help="a file that says when to time")
    parser.add_argument("--out", type=Path, help="a file for the figures")
    return parser.parse_args()


@dataclass
class Team:
    """All contestants at one thread count."""

    threads: int
    folder: Path
    kernels: Path
    stack: ExitStack
    runners: dict[str, Contestant] = field(default_factory=dict)
    ways: dict[str, dict[str, list[str]]] = field(default_factory=dict)  # of a problem, of a contestant

    def make(self, chosen: list[Stated], target: str, anew: bool) -> None:
        """Griotte's kernels, those that are not there."""
        of = self.kernels / f"{self.threads}t"
        wanted = [
            {"name": p.name, "spec": p.spec} for p in chosen if anew or not (of / p.name / "kernel.json").exists()
        ]
        for made in programs.make(wanted, self.threads, str(of), target):
            _note(f"{self.threads} threads, {made['name']}: {made.get('error') or round(made['cost'])}")

    def hold(self, name: str, module: str, chosen: list[Stated]) -> None:
        """A contestant that has these problems ready."""
        counts = {f"{of}_NUM_THREADS": str(self.threads) for of in ("OMP", "MKL", "OPENBLAS")}
        path = os.pathsep.join([str(kept.HERE), os.environ.get("PYTHONPATH", "")])
        own = {**entries.NO_WORKERS, "RACE_KERNELS": str(self.kernels / f"{self.threads}t"), "PYTHONPATH": path}
        command = [sys.executable, "-m", "racing", module, str(self.threads)]
        cpus = frozenset(sorted(os.sched_getaffinity(0), reverse=True)[: self.threads])
        if name in self.runners:
            self.runners[name].close()
        environment = {**child.clean_environment(), **counts, **own}
        runner = Contestant(name, command, environment, patience=3600.0, cpus=cpus)
        self.runners[name] = runner
        self.stack.callback(runner.close)
        runner.start()
        for problem in chosen:
            where = str(self.folder / problem.name)
            held = runner.ask({"do": "hold", "problem": problem.as_json(), "data": where, "without": WITHOUT})
            self.ways.setdefault(problem.name, {})[name] = held["ways"]
            if held["wrong"] or name != OURS:
                told = f"{', '.join(held['ways'])} {held['wrong'] or ''}"
                _note(f"{self.threads} threads, {problem.name}, {name}: {told}")

    def timed(self, problem: Stated, rounds: int) -> dict:
        """Median microseconds of each in turns, and how many of ours each rival took, round by round."""
        first = {
            name: {way: self._turn(problem, name, way).us for way in each}
            for name, each in self.ways[problem.name].items()
        }
        best = {name: min(each, key=lambda way: each[way]) for name, each in first.items() if each}
        turns: dict[str, list[stats.Turn]] = {name: [] for name in best}
        for i in range(rounds):
            for name in list(best)[:: -1 if i % 2 else 1]:
                turns[name].append(self._turn(problem, name, best[name]))
        rivals = {name: each for name, each in turns.items() if name != OURS and OURS in turns}
        return {
            "name": problem.name,
            "spec": problem.spec,
            "threads": self.threads,
            "us": {name: stats.median_us(each) for name, each in turns.items()},
            "ways": best,
            "ratios": {name: stats.ratio(each, turns[OURS]).median for name, each in rivals.items()},
        }

    def _turn(self, problem: Stated, name: str, way: str) -> stats.Turn:
        time.sleep(REST[self.threads])
        asked = {"do": "held_turn", "problem": problem.name, "way": way, "seconds": SECONDS, "warm": WARM}
        answer = self.runners[name].ask(asked)
        return stats.Turn(answer["us"], answer["disturbed"])


def _asked(go: Path | None) -> Iterator[str]:
    """Parts of the names of what is to be timed: once all, or whenever the file is there what is in it."""
    if go is None:
        yield ""
        return
    while True:
        _note("ready")
        while not go.exists():
            time.sleep(0.1)
        part = go.read_text().strip()
        if part == "end":
            return
        yield part


def _tell(found: list[dict]) -> None:
    """A line for each, the worst first, and what they come to."""
    least = lambda row: min(row["ratios"].values(), default=float("nan"))
    for row in sorted(found, key=least):
        us = ", ".join(f"{name} {us:.1f} ({row['ways'][name]})" for name, us in row["us"].items())
        print(f"{least(row):5.2f}  {row['threads']}t  {row['name']}: {us}")
    for count in sorted({row["threads"] for row in found}):
        told = [least(row) for row in found if row["threads"] == count]
        won = sum(x >= 1 for x in told)
        print(f"{count} threads: {won} of {len(told)} at 1.0, worst {min(told):.2f}, mean {statistics.fmean(told):.2f}")
    sys.stdout.flush()


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
