"""`make mutants`: small faults are planted in griotte, one at a time, and the tests run that should notice.

    mutants.py                      200 faults of the rooms below, drawn with seed 0, in a process at a time
    mutants.py --resume FILE        goes on where FILE ends (benchmarks/scratch/mutants.jsonl by default)
    mutants.py --jobs N             so many processes at a time
    mutants.py --minutes M          gives up what is not done by then; the next run goes on
    mutants.py --count N --seed S   others
    mutants.py --rooms engine/search,engine/cost  these rooms alone
    mutants.py --budget S           tests of at most so many seconds for each fault (0: all that enter its function)
    mutants.py --only NAME          this fault ("engine/search/solve.py:12") anew; may be given again
    mutants.py --again              those that survived anew, say with a larger budget or a new test
    mutants.py --list               what is in FILE, runs nothing

First every test of these rooms, and of END_TO_END, runs once without a fault: how long it takes, and which functions it
enters, go to FILE.tests; a test that fails then is left out. (Remove FILE.tests where much of the tests or the tree
changed.) A fault is killed by the first test that fails, hangs or dies: those that enter its function run, of the file
that mirrors its own first, then of its room, then of the others; the short ones first. No file of the working tree is
written: the faults are planted in copies.
"""

from __future__ import annotations

import argparse
import collections
import itertools
import json
import os
import signal
import sys
import time
from pathlib import Path

from mutating import faults, processes
from mutating.faults import Fault
from mutating.watch import Entered, Watch

ROOT = Path(__file__).parents[1]
SOURCE = "src/griotte"
ENGINE = ("search", "table", "rewrites", "cost", "vectors", "leaves")
ROOMS = (*(f"engine/{room}" for room in ENGINE), "codegen", "runtime")
END_TO_END = (
    *("tests/engine/leaves", "tests/engine/program", "tests/compiler/reports"),
    *("tests/compiler/test_tuning.py", "tests/tools/test_cli.py"),
    *("tests/drawn", "tests/test_schedule.py", "tests/test_table_verbs.py"),
)
OPTIONS = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly", "--no-header", "--tb=line"]
FIRST = 10  # seconds of tests whose files are collected by themselves, before the others
COMPILES = "import numba", "inner_loops import"  # in a file that has functions which Numba compiles
REPEATS = 2  # tests of one function with other parameters, but in the file of the fault's own, before all others


def main() -> int:
    asked = arguments()
    results, tests = asked.resume, asked.resume.with_suffix(".tests")
    if not asked.list:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: copies and processes go
        processes.load()
        until = time.monotonic() + 60 * asked.minutes
        with processes.Trees(ROOT, asked.jobs) as trees:
            survey(tests, trees, until)
            trial(wanted(asked), read(tests), asked.budget, results, trees, until)
    return report(read(results))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--resume", type=Path, default=ROOT / "benchmarks/scratch/mutants.jsonl", metavar="FILE")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    parser.add_argument("--minutes", type=float, default=float("inf"), metavar="M")
    parser.add_argument("--count", type=int, default=200, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument("--rooms", type=lambda text: text.split(","), default=ROOMS, metavar="NAMES")
    parser.add_argument("--budget", type=float, default=60, metavar="S")
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args()


def read(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def write(path: Path, row: dict) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.write(json.dumps(row) + "\n")


# ---- without a fault -------------------------------------------------------------------------------------------------


def survey(path: Path, trees: list[Path], until: float) -> None:
    """Every test file once, the longest text first; a row for each goes to `path`."""
    done = {row["file"] for row in read(path)}
    places = [ROOT / "tests" / room for room in ROOMS] + [ROOT / place for place in END_TO_END]
    files = [file for place in places for file in (place.glob("test_*.py") if place.is_dir() else [place])]
    names = [str(file.relative_to(ROOT)) for file in sorted(files, key=lambda file: -file.stat().st_size)]
    left = [name for name in names if name not in done]
    for at, (name, answer, seconds) in enumerate(processes.each(left, looked_over, trees, until), 1):
        write(path, {"file": name, "seconds": round(seconds, 1), **answer})
        tests = answer.get("tests", {})
        bad = [test for test, row in tests.items() if row["failed"]] + [
            answer[key] for key in ("signal",) if key in answer
        ]
        print(f"{at}/{len(left)} {name}: {len(tests)} tests, {seconds:.0f} s {' '.join(bad)[:300]}", flush=True)


def looked_over(tree: Path, file: str) -> dict:
    import pytest

    watch = Watch(limits=collections.defaultdict(lambda: 600.0), entered=Entered(tree / SOURCE))
    pytest.main([*OPTIONS, file], plugins=[watch])
    return {"tests": watch.tests}


# ---- with one --------------------------------------------------------------------------------------------------------


def wanted(asked) -> list[Fault]:
    """The faults that are drawn, or named, but for those that FILE has."""
    source, rows = ROOT / SOURCE, {row["name"]: row for row in read(asked.resume)}
    if asked.only:
        return [faults.faults(source, name.split(":")[0])[int(name.split(":")[1])] for name in asked.only]
    found = faults.drawn(source, list(asked.rooms), asked.count, asked.seed)
    if asked.again:
        return [fault for fault in found if rows.get(fault.name, {}).get("outcome") == "survived"]
    return [fault for fault in found if fault.name not in rows]


def trial(found: list[Fault], surveyed: list[dict], budget: float, path: Path, trees: list[Path], until: float) -> None:
    """Each fault against its tests; a row for each goes to `path`, and a line to the terminal."""
    there = [file for file in surveyed if (ROOT / file["file"]).exists()]  # one that is gone would end all
    tests = {test: row for file in there for test, row in file.get("tests", {}).items() if not row["failed"]}
    tasks = ((fault, *within(meeting(fault, tests), tests, budget), tests) for fault in found)
    for at, ((fault, chosen, left, _), answer, seconds) in enumerate(processes.each(tasks, tried, trees, until), 1):
        by = answer.get("signal") or answer["by"]
        outcome = "killed" if by else "survived" if chosen else "not met"
        more = {"tests": answer.get("run", len(chosen)), "left": 0 if by else left, "seconds": round(seconds, 1)}
        write(path, {"name": fault.name, **vars(fault), "outcome": outcome, "by": by, **more})
        print(f"{at}/{len(found)} {outcome}, {seconds:.0f} s: {fault} {by and f'[{by}]'}", flush=True)


def meeting(fault: Fault, tests: dict[str, dict]) -> list[str]:
    """The tests that enter a fault's function, likely ones first, then the others of their files, for what is kept is
    made by the first that asks; where none does (a constant, or what processes that tests start enter), those that
    enter its file, then those of its room. What Numba compiles is not entered: where a file has that, the tests of its
    room and of tables, which tell costs and decisions to the bit, are among them."""
    room, _, module = fault.file.removesuffix(".py").rpartition("/")
    of_file = [
        test for test, row in tests.items() if any(f"{at} ".startswith(f"{fault.file} ") for at in row["entered"])
    ]
    entered = f"{fault.file} {fault.function}"
    met = fault.function and [test for test in of_file if entered in tests[test]["entered"]]
    of_room = [test for test in tests if test.startswith(f"tests/{room}/")]
    if is_compiled(fault):
        tables = [test for test in tests if test.startswith("tests/engine/table/")]
        met = list(dict.fromkeys([*of_file, *of_room, *tables]))
    first = set(met or of_file or of_room)
    files = {test.partition("::")[0] for test in met or of_room}
    found = [test for test in tests if test in first or test.partition("::")[0] in files]
    times_before: dict[str, int] = collections.Counter()

    def rank(test: str):
        file, _, name = test.partition("::")
        repeats = times_before[name := f"{file}::{name.partition('[')[0]}"]
        times_before[name] += 1
        near = 0 if file == f"tests/{room}/test_{module}.py" else 1 if file.startswith(f"tests/{room}/") else 2
        return test not in first, near > 0 and repeats >= REPEATS, near, tests[test]["seconds"]

    return sorted(found, key=rank)


def is_compiled(fault: Fault) -> bool:
    """Whether Numba may compile a fault's function."""
    path = ROOT / SOURCE / fault.file
    return path.exists() and any(words in path.read_text() for words in COMPILES)


def within(found: list[str], tests: dict[str, dict], budget: float) -> tuple[list[str], int]:
    """As many of these tests as fit the seconds, at least one, and how many are left."""
    spent = list(itertools.accumulate(tests[test]["seconds"] for test in found))
    count = sum(1 for seconds in spent if not budget or seconds <= budget)
    count = max(count, min(1, len(found)))
    return found[:count], len(found) - count


def tried(tree: Path, task: tuple) -> dict:
    """The test that noticed a fault, "" if none did, and how many ran."""
    fault, chosen, _, tests = task
    path = tree / SOURCE / fault.file
    kept, stamp = path.read_text(), path.stat()
    path.write_text(faults.planted(kept, fault.number))
    os.utime(path, (stamp.st_mtime + 2 + fault.number,) * 2)  # bytecode goes by size and second
    if not fault.function or is_compiled(fault):  # what is compiled holds constants, and is kept by file
        processes.numba_keeps_in(tree.parent / "cache/numba")
    run = 0
    try:
        for part in parts(chosen, tests):
            watch = Watch(part, {test: 20 + 5 * tests[test]["cpu"] for test in part})
            import pytest

            pytest.main(["-x", *OPTIONS, *dict.fromkeys(test.partition("::")[0] for test in part)], plugins=[watch])
            run += len(watch.tests)
            if watch.failed:
                return {"by": watch.failed, "run": run}
        return {"by": "", "run": run}
    finally:
        path.write_text(kept)
        os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))


def parts(chosen: list[str], tests: dict[str, dict]) -> list[list[str]]:
    """The first seconds of tests, and the others: to collect a file takes time as well."""
    spent = list(itertools.accumulate(tests[test]["seconds"] for test in chosen))
    first = sum(1 for seconds in spent if seconds <= FIRST)
    return [part for part in (chosen[:first], chosen[first:]) if part]


def report(rows: list[dict]) -> int:
    """How many were killed, of each room, and what was not; 1 if anything lives."""
    last = {row["name"]: row for row in rows}
    counts: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    for row in last.values():
        for room in (row["file"].rpartition("/")[0], "all"):
            counts[room][row["outcome"]] += 1
    for room, count in sorted(counts.items()):
        print(f"{room}: {count['killed']} of {count.total()} killed ({count['killed'] / count.total():.0%})")
    living = [row for row in last.values() if row["outcome"] != "killed"]
    for row in sorted(living, key=lambda row: (row["file"], row["line"])):
        text = f"{row['file']}:{row['line']} ({row['number']}) {row['kind']}: {row['before']}  ->  {row['after']}"
        print(f"{row['outcome']} ({row['tests']} tests, {row['left']} left): {text}")
    return bool(living)


if __name__ == "__main__":
    sys.exit(main())
