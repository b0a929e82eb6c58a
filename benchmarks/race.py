"""`make race`: griotte beside every rival at its best setting, in turns; tables, figures and programs in benchmarks/results/.

    race.py                     every set, every rival, 1 and 2 threads: about an hour
    race.py --quick             fewer rounds
    race.py --only squares      one set, or the problems whose names start with that; may be given again
    race.py --rivals numpy,mkl  these rivals alone
    race.py --threads 1         one thread count; may be given again
    race.py --programs          only find the programs and say which changed
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import child
import machine
from racing import entries, problems, programs, report, stats, turns
from racing.entries import ENTRIES, Entry
from racing.problems import Problem
from racing.turns import Contestant, Died

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
ROUNDS, QUICK_ROUNDS = 21, 7
BUSY = 0.2  # cores that others used meanwhile, from which the table of a run warns


def main() -> int:
    options = _options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # with what was run until then written
    try:
        chosen, field = problems.chosen(options.only), _field(options.rivals)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(p.name for p in chosen))
        return 0
    load, threads = [os.getloadavg()[0]], options.threads or [1, 2]
    is_part = bool(options.only or options.rivals or options.quick or options.threads)
    found = {"machine": machine.describe(), "rounds": options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS), "quick": options.quick, "target": options.target, "wait_s": 60 * options.wait, "entries": {}, "heats": [], "programs": []}
    found["machine_lines"] = machine.lines(found["machine"])
    path = RESULTS / (f"race-{options.name}.json" if options.name else "race-part.json" if is_part else "race.json")
    path.parent.mkdir(exist_ok=True)
    print("\n".join(found["machine_lines"]))
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as room:
        for count in threads:
            kernels = Path(room) / f"kernels{count}"
            found["programs"] += _programs(chosen, count, kernels, options.target)
            if options.programs:
                continue
            try:
                for heat in _race(chosen, field, count, kernels, Path(room), found):
                    found["heats"].append(heat)
            finally:  # what was run counts, even if the rest was not
                _write(path, found, [*load, os.getloadavg()[0]])
            shutil.rmtree(kernels)
    if not options.programs:
        _show(found["heats"])
        print(f"load average {load[0]:.2f} at the start, {os.getloadavg()[0]:.2f} now; written to benchmarks/results/{path.stem}.json, .md, .png")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="SET|NAME", action="append", default=[], help="a set, or the start of problems' names; may be given again")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROUNDS} rounds in place of {ROUNDS}")
    parser.add_argument("--rounds", type=int, help="so many rounds")
    parser.add_argument("--rivals", metavar="NAMES", help="commas between; all where it is left out")
    parser.add_argument("--threads", type=int, action="append", help="1 and 2 where it is left out")
    parser.add_argument("--target", default="native", help="griotte's target: a name or a TOML file")
    parser.add_argument("--wait", type=float, default=0.0, metavar="MINUTES", help="before each problem, until the machine is quiet, at most so long")
    parser.add_argument("--programs", action="store_true", help="find the programs, time nothing")
    parser.add_argument("--name", help="of the files: race-NAME.json and so on")
    parser.add_argument("--list", action="store_true", help="print the names of the problems")
    return parser.parse_args()


def _field(names: str | None) -> list[Entry]:
    """Ourselves, the probes and the rivals asked for."""
    rivals = [n.strip() for n in names.split(",") if n.strip()] if names is not None else [e.name for e in ENTRIES if e.kind == "rival"]
    for name in rivals:
        if name not in report.RIVALS:
            raise ValueError(f"expected rivals of {', '.join(report.RIVALS)}, found {name!r}")
    return [e for e in ENTRIES if e.kind != "rival" or e.name in rivals]


# Before the race ----------------------------------------------------------------------------------------------------------


def _programs(chosen: list[Problem], threads: int, kernels: Path, target: str) -> list[dict]:
    """Found in one process of their own, before anything is timed; texts that differ from the last run's are named."""
    by_name, found, changed = {p.name: p for p in chosen}, [], []
    wanted = [{"name": p.name, "spec": p.spec} for p in chosen]
    for made in child.stream("racing.programs:make", wanted, threads, str(kernels), target, env=_own_environment()):
        problem = by_name[made["name"]]
        _note(f"program {len(found) + 1} of {len(chosen)}, {threads} threads: {problem.name}")
        text = programs.text_of(problem.spec, threads, made)
        if programs.keep(RESULTS / "programs" / f"{threads}t" / f"{problem.name}.txt", text):
            changed.append(problem.name)
        found.append({"threads": threads, **{k: v for k, v in made.items() if k != "text"}})
    _note("")
    if changed:
        print(f"programs that changed, {threads} thread{'s' * (threads > 1)}: {', '.join(changed)}")
    return found


def _own_environment() -> dict[str, str]:
    return {name: os.environ[name] for name in ("GRIOTTE_CACHE",) if name in os.environ}


def _contestants(field: list[Entry], threads: int, kernels: Path, told: dict) -> list[Contestant]:
    """Started and greeted; why one is not there goes into `told`."""
    base = {**child.clean_environment(), **_own_environment(), "RACE_KERNELS": str(kernels)}
    cpus = frozenset(sorted(os.sched_getaffinity(0), reverse=True)[:threads]) if hasattr(os, "sched_setaffinity") else None
    ready = []
    for entry in field:
        try:
            command = [entries.python(entry), "-m", "racing", entry.module, str(threads)]
            contestant = Contestant(entry.name, command, entries.environment(entry, threads, base), str(HERE), cpus=cpus)
            contestant.start()
        except (entries.NotInstalled, Died) as error:
            told[entry.name] = {"why_not": str(error)}
            print(f"{entry.name} does not take part: {error}", file=sys.stderr)
            continue
        told[entry.name] = {"versions": contestant.versions}
        ready.append(contestant)
    return ready


# The race -----------------------------------------------------------------------------------------------------------------


def _race(chosen: list[Problem], field: list[Entry], threads: int, kernels: Path, room: Path, found: dict) -> Iterator[dict]:
    runners, rest = _contestants(field, threads, kernels, found["entries"]), turns.REST if threads > 1 else 0.0
    try:
        for i, problem in enumerate(chosen):
            _note(f"{i + 1} of {len(chosen)}, {threads} threads: {problem.name}")
            folder = room / "data"
            child.call("racing.data:write_json", problem.as_json(), str(folder))
            _wait_for_quiet(found["wait_s"])
            heat = _heat(problem, runners, threads, found["rounds"], rest, folder)
            shutil.rmtree(folder)
            if not sys.stderr.isatty():
                print(_line(heat), file=sys.stderr, flush=True)
            yield heat
    finally:
        for runner in runners:
            runner.close()
        _note("")


def _heat(problem: Problem, runners: list[Contestant], threads: int, rounds: int, rest: float, folder: Path) -> dict:
    ready, absent, ways, work = [], {}, {}, {}
    for runner in runners:
        said = turns.prepare(runner, {"problem": problem.as_json(), "data": str(folder)})
        if said.way is None:
            absent[runner.name] = said.why_not
            continue
        ready.append(runner)
        ways[runner.name] = {k: v for k, v in said.details.items() if k in ("way", "tried", "wrong") and v}
        work[runner.name] = said.details.get("work")
    if rest:
        time.sleep(rest)
    before = _clocks(ready)
    taken, lost = turns.take_turns(ready, rounds, rest)
    after = _clocks(ready)
    for runner in ready:
        if runner.name not in lost:
            runner.ask({"do": "drop"})
    absent |= lost
    ratios = {}
    if "griotte" in taken:
        ratios = {name: vars(stats.ratio(theirs, taken["griotte"])) for name, theirs in taken.items() if name != "griotte"}
    return {
        "problem": problem.as_json(),
        "threads": threads,
        "us": {name: stats.median_us(each) for name, each in taken.items()},
        "ratio": ratios,
        "absent": absent,
        "ways": ways,
        "work": {name: w for name, w in work.items() if w},
        "foreign": _foreign(before, after),
        "turns": {name: [round(t.us, 4) for t in each] for name, each in taken.items()},
        "disturbed": {name: sum(t.disturbed for t in each) for name, each in taken.items()},
    }


def _clocks(runners: list[Contestant]) -> tuple[float, float, float]:
    """(wall clock, CPU seconds of the whole machine, those of the contestants)."""
    try:
        fields = [int(x) for x in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
        busy = (sum(fields[:3]) + sum(fields[5:8])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        busy = 0.0
    return time.monotonic(), busy, sum(r.cpu_seconds() for r in runners)


def _wait_for_quiet(seconds: float) -> None:
    """Until the cores were idle for a second (contestants all sleep now), or the time is over."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        before = _clocks([])
        time.sleep(1)
        if _foreign(before, _clocks([])) < BUSY:
            return


def _foreign(before: tuple, after: tuple) -> float:
    """Cores that were busy with something that is not in the race (stolen time included)."""
    wall, busy, ours = (b - a for a, b in zip(before, after))
    return max(0.0, (busy - ours) / wall) if wall else 0.0


# After the race -----------------------------------------------------------------------------------------------------------


def _line(heat: dict) -> str:
    best = report.best_rival(heat)
    if best is None:
        return f"{heat['threads']}t {heat['problem']['name']}: {heat['absent'].get('griotte', 'no rival')}"
    part, ratio = report.share(heat), heat["ratio"][best]["median"]
    return f"{heat['threads']}t {heat['problem']['name']}: {report.number(heat['us']['griotte'])} us, {f'{part:.0%}' if part else '-'}, {best} {ratio:.2f}"


def _show(heats: list[dict]) -> None:
    print("\nratio = best rival's time / griotte's, below 1 griotte is slower\n")
    print(f"{'set':10} {'threads':>7} {'shapes':>6} {'mean':>6} {'vectors':>8} {'won':>4} {'<0.9':>5}  worst")
    for r in report.summary(heats):
        print(f"{r['set']:10} {r['threads']:7} {r['shapes']:6} {r['mean']:6.2f} {r['mean_vectors']:8.2f} {r['won']:4} {r['below_0.9']:5}  {r['worst']:.2f} at {r['worst_at']}")
    noisy = [h["problem"]["name"] for h in heats if h["foreign"] > BUSY]
    if noisy:
        print(f"\nthe machine did other work ({BUSY:g} cores or more) during {len(noisy)} of {len(heats)} heats: their figures are worth little")


def _write(path: Path, found: dict, load: list[float]) -> None:
    found = {**found, "load": [round(x, 2) for x in load], "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
    path.write_text(json.dumps(found, indent=1) + "\n")
    path.with_suffix(".md").write_text(report.markdown(found, problems.titles()))
    try:
        report.plot(found["heats"], path.with_suffix(".png"))
    except ImportError as error:
        print(f"no plot: {error}", file=sys.stderr)


def _note(text: str) -> None:
    """One line of progress, on a terminal only."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text[:100]}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
