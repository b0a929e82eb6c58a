"""`make race`: griotte beside every rival at its best setting, in turns; figures, tables and programs in
benchmarks/scratch/.

    race.py                     every set, every rival, 1 and 2 threads, both beginnings of arrays: hours
    race.py --publish           the same and the rows of run.py; writes results/: this machine's JSON, and every table
                                from it
    race.py --resume            goes on where the same run was stopped
    race.py --tables            results/*.md anew from the JSON that is kept; runs nothing
    race.py --quick             fewer rounds
    race.py --only squares      one set, or the problems whose names start with that; `rows`: those of run.py; may be
                                given again
    race.py --drawn 40          so many f32 products of random sizes, in place of the sets; --seed 1: others
    race.py --rivals numpy,mkl  these rivals alone
    race.py --threads 1         one thread count; may be given again
    race.py --begin line        arrays begin on a 64-byte line (or `numpy`: 16 bytes in, as NumPy's do), not both in
                                turn
    race.py --programs          only find the programs and say which changed
    race.py --kernels DIR       griotte's kernels stay in DIR, and are made where they are not there: with --programs
                                first, a short quiet time is for turns alone
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import child
import machine
import row
import run
from racing import entries, heats, kept, problems, programs, report, turns
from racing.anew import RULE
from racing.contestant import BEGINS
from racing.entries import ENTRIES, Entry
from racing.kept import SCRATCH, NotKept
from racing.problems import Problem
from racing.turns import Contestant, Died

ROUNDS, QUICK_ROUNDS = 21, 7
ROWS = "rows"  # of run.py, among the names that --only takes


def main() -> int:
    options = _options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: what was run is kept, and told
    try:
        if options.tables:
            kept.make_tables(kept.RESULTS)
            return 0
        chosen = problems.drawn(options.drawn, options.seed) if options.drawn else _chosen(options.only)
        field = _field(options.rivals)
        if options.list:
            print("\n".join(p.name for p in chosen))
            return 0
        path = SCRATCH / f"race{_mark(options)}.json"
        found = _begun(options, path)
        print("\n".join(found["machine_lines"]))
        if options.programs:
            return _programs_alone(found, chosen, options.kernels)
        return _run(options, found, chosen, field, path)
    except (NotKept, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:  # before anything was timed
        print("\nstopped: nothing was timed yet", file=sys.stderr)
        return 130


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--publish", action="store_true", help="measure the rows of run.py too, write results/")
    parser.add_argument("--resume", action="store_true", help="go on where the same run was stopped")
    parser.add_argument("--tables", action="store_true", help="write results/*.md from the JSON there; run nothing")
    parser.add_argument(
        "--only",
        metavar="SET|NAME",
        action="append",
        default=[],
        help=f"a set, the start of problems' names, or {ROWS}; may be given again",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help=f"{QUICK_ROUNDS} rounds in place of {ROUNDS}, and rows as by run.py --quick",
    )
    parser.add_argument("--rounds", type=int, help="so many rounds")
    parser.add_argument(
        "--drawn", type=int, default=0, metavar="N", help="so many f32 products of random sizes, in place of the sets"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of what is drawn")
    parser.add_argument("--rivals", metavar="NAMES", help="commas between; all where it is left out")
    parser.add_argument("--threads", type=int, action="append", help="1 and 2 where it is left out")
    parser.add_argument(
        "--begin",
        choices=(*BEGINS, "both"),
        default="both",
        help="where arrays begin: on a line, 16 bytes in, or one after the other",
    )
    parser.add_argument(
        "--target",
        default="native",
        help="griotte's target: a name, a TOML file, or `like:` and a machine's file, as priced.py has them",
    )
    parser.add_argument(
        "--wait",
        type=float,
        default=0.0,
        metavar="MINUTES",
        help="before each problem, until the machine is quiet, at most so long",
    )
    parser.add_argument("--programs", action="store_true", help="find the programs, time nothing")
    parser.add_argument("--kernels", metavar="DIR", type=Path, help="where griotte's kernels stay between runs")
    parser.add_argument("--name", help="of the files: race-NAME.json and so on")
    parser.add_argument("--list", action="store_true", help="print the names of the problems")
    return parser.parse_args()


def _mark(options: argparse.Namespace) -> str:
    """What tells the files of this run from those of others."""
    is_part = (
        options.only
        or options.drawn
        or options.rivals
        or options.quick
        or options.rounds
        or options.threads
        or options.begin != "both"
    )
    name = options.name or ("publish" if options.publish else "part" if is_part else "")
    return f"-{name}" if name else ""


def _chosen(only: list[str]) -> list[Problem]:
    names = [name for name in only if name != ROWS]
    return problems.chosen(names) if names or not only else []


def _field(names: str | None) -> list[Entry]:
    """Ourselves, the probes and the rivals asked for."""
    all_rivals = [e.name for e in ENTRIES if e.kind == "rival"]
    rivals = [n.strip() for n in names.split(",") if n.strip()] if names is not None else all_rivals
    for name in rivals:
        if name not in all_rivals:
            raise ValueError(f"expected rivals of {', '.join(all_rivals)}, found {name!r}")
    return [e for e in ENTRIES if e.kind != "rival" or e.name in rivals]


def _begun(options: argparse.Namespace, path: Path) -> dict:
    """A run without heats, or the one that was stopped."""
    here = machine.describe()
    asked = {
        "only": [f"{options.drawn} drawn with seed {options.seed}"] if options.drawn else options.only,
        "rivals": options.rivals,
        "threads": options.threads or [1, 2],
        "begins": list(BEGINS) if options.begin == "both" else [options.begin],
        "rounds": options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS),
        "quick": options.quick,
        "target": options.target,
        "publish": options.publish,
    }
    found = {
        "format": kept.FORMAT,
        "slug": kept.slug(here),
        "commit": here["commit"],
        "asked": asked,
        "partial": True,
        "machine": here,
        "machine_lines": machine.lines(here),
    }
    found |= {
        "rule": asdict(RULE),
        "begun": [],
        "finished": "",
        "took_s": 0.0,
        "load": [here["load_at_start"][0]] * 2,
        "titles": problems.titles(),
    }
    found |= {"entries": {}, "rows": [], "heats": [], "programs": []}
    found = kept.resumed(path, found) if options.resume else found
    found["begun"].append(_now())
    return found


def _run(options: argparse.Namespace, found: dict, chosen: list[Problem], field: list[Entry], path: Path) -> int:
    """All that was asked for; what was run counts, even if the rest was not."""
    before, started = found["took_s"], time.monotonic()

    def save() -> None:
        found["took_s"] = round(before + time.monotonic() - started, 1)
        found["load"][1], found["finished"] = round(os.getloadavg()[0], 2), _now()
        kept.write(path, kept.dumps(found))

    save()
    try:
        if chosen:
            for count in found["asked"]["threads"]:
                _race(chosen, field, count, found, options, save)
        if ROWS in options.only or (options.publish and not options.only):
            _measure_rows(found, save)
        found["partial"] = False
        save()
    except KeyboardInterrupt:
        print(
            f"\nstopped: {len(found['heats'])} heats and {len(found['rows'])} rows are in {_told(path)}, marked"
            " partial; the same command with --resume goes on",
            file=sys.stderr,
        )
        return 130
    finally:
        _write_views(path, found)
    _show(kept.condensed(found))
    print(
        f"load average {found['load'][0]:.2f} at the start, {found['load'][1]:.2f} now; written to {_told(path)}, .md,"
        " .png"
    )
    if options.publish:
        print(f"published: {_told(kept.publish(found, kept.RESULTS))}, its .md and README.md")
    return 0


# Before the race
# ----------------------------------------------------------------------------------------------------------


def _programs_alone(found: dict, chosen: list[Problem], kept_in: Path | None) -> int:
    for count in found["asked"]["threads"]:
        with _room() as room:
            _find_programs(chosen, count, _kernels(kept_in, room, count), found)
    return 0


def _kernels(kept_in: Path | None, room: Path, threads: int) -> Path:
    return kept_in.resolve() / f"{threads}t" if kept_in else room / "kernels"


def _find_programs(chosen: list[Problem], threads: int, kernels: Path, found: dict) -> None:
    """Those that are not there yet, in one process of their own, before anything is timed; texts that differ from the
    last run's are named."""
    by_name, changed = {p.name: p for p in chosen if not (kernels / p.name).exists()}, []
    wanted = [{"name": p.name, "spec": p.spec} for p in by_name.values()]
    known = {(p["name"], p["threads"]): i for i, p in enumerate(found["programs"])}
    for i, made in enumerate(
        child.stream(
            "racing.programs:make", wanted, threads, str(kernels), found["asked"]["target"], env=_own_environment()
        )
        if wanted
        else ()
    ):
        problem = by_name[made["name"]]
        _note(f"program {i + 1} of {len(wanted)}, {threads} threads: {problem.name}")
        text = programs.text_of(problem.spec, threads, made)
        if programs.keep(SCRATCH / "programs" / f"{threads}t" / f"{problem.name}.txt", text):
            changed.append(problem.name)
        if (problem.name, threads) not in known:
            found["programs"].append({"threads": threads, **{k: v for k, v in made.items() if k != "text"}})
    _note("")
    if changed:
        print(f"programs that changed, {threads} thread{'s' * (threads > 1)}: {', '.join(changed)}")


def _own_environment() -> dict[str, str]:
    return {name: os.environ[name] for name in ("GRIOTTE_CACHE", "GRIOTTE_CPU") if name in os.environ}


@contextmanager
def _room() -> Iterator[Path]:
    """A folder for kernels and data, in memory where that can be had."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        yield Path(folder)


@contextmanager
def _contestants(field: list[Entry], threads: int, kernels: Path, told: dict) -> Iterator[list[Contestant]]:
    """Started and greeted; who takes part, or why one is not there, goes into `told`."""
    base = {**child.clean_environment(), **_own_environment(), "RACE_KERNELS": str(kernels)}
    cpus = (
        frozenset(sorted(os.sched_getaffinity(0), reverse=True)[:threads]) if hasattr(os, "sched_setaffinity") else None
    )
    ready = []
    for entry in field:
        told[entry.name] = {"kind": entry.kind, "tiles": entry.tiles, "setting": entry.setting}
        try:
            command = [entries.python(entry), "-m", "racing", entry.module, str(threads)]
            contestant = Contestant(
                entry.name, command, entries.environment(entry, threads, base), str(kept.HERE), cpus=cpus
            )
            contestant.start()
        except (entries.NotInstalled, Died) as error:
            told[entry.name]["why_not"] = str(error)
            print(f"{entry.name} does not take part: {error}", file=sys.stderr)
            continue
        told[entry.name]["versions"] = contestant.versions
        ready.append(contestant)
    try:
        yield ready
    finally:
        for contestant in ready:
            contestant.close()
        _note("")


# The race
# -----------------------------------------------------------------------------------------------------------------


def _race(
    chosen: list[Problem],
    field: list[Entry],
    threads: int,
    found: dict,
    options: argparse.Namespace,
    save: Callable[[], None],
) -> None:
    """Every heat at one thread count, then those that are run anew."""
    by_name, every, done = {p.name: p for p in chosen}, found["heats"], {heats.key(h) for h in found["heats"]}
    left = [p for p in chosen if any((p.name, threads, begin) not in done for begin in found["asked"]["begins"])]
    if not left and all(len(h["runs"]) > 1 for h in heats.named(every, threads)):
        return
    with _room() as room:
        kernels = _kernels(options.kernels, room, threads)
        _find_programs(left, threads, kernels, found)
        with _contestants(field, threads, kernels, found["entries"]) as runners:
            measure = _measure(runners, threads, found["asked"]["rounds"], 60 * options.wait, room / "data")
            heats.first_runs(every, left, found["asked"]["begins"], threads, measure, lambda heat: _saved(heat, save))
            _find_programs(
                [by_name[h["problem"]["name"]] for h in heats.named(every, threads) if len(h["runs"]) < 2],
                threads,
                kernels,
                found,
            )
            heats.again(every, threads, measure, lambda heat: _saved(heat, save))


def _measure(
    runners: list[Contestant], threads: int, rounds: int, wait_s: float, folder: Path
) -> Callable[[dict], dict]:
    """A run of a heat. Heats of one problem that follow each other share its files."""
    last, rest = None, turns.REST if threads > 1 else 0.0

    def measure(heat: dict) -> dict:
        nonlocal last
        problem = heat["problem"]
        _note(
            f"{threads} threads: {problem['name']}, arrays {report.WHERE[heat['begin']]}{', anew' * bool(heat['anew'])}"
        )
        if last != problem["name"]:
            shutil.rmtree(folder, ignore_errors=True)
            child.call("racing.data:write_json", problem, str(folder))
            last = problem["name"]
        heats.wait_for_quiet(wait_s, RULE.busy)
        return heats.run(problem, heat["begin"], runners, rounds, rest, folder)

    return measure


def _saved(heat: dict, save: Callable[[], None]) -> None:
    save()
    if not sys.stderr.isatty():
        print(_line(heats.figures(heat)), file=sys.stderr, flush=True)


def _measure_rows(found: dict, save: Callable[[], None]) -> None:
    """Those of run.py that are not there yet."""
    done = {each["name"] for each in found["rows"]}
    for each in run.chosen([]):
        if each.name not in done:
            found["rows"].append(run.as_json(each, *run.measured(each, row.Run(found["asked"]["quick"], _note))))
            save()
    _note("")


# After the race
# -----------------------------------------------------------------------------------------------------------


def _line(heat: dict) -> str:
    name, best = f"{heat['threads']}t {heat['problem']['name']}, {report.WHERE[heat['begin']]}", report.best_rival(heat)
    if best is None:
        return f"{name}: {heat['absent'].get(heats.OURS, 'no rival')}"
    part, ratio = report.share(heat), heat["ratio"][best]["median"]
    anew = f"; anew ({', '.join(heat['anew'])})" if heat["anew"] else ""
    return (
        f"{name}: {report.number(heat['us'][heats.OURS])} us, {f'{part:.0%}' if part else '-'}, {best}"
        f" {ratio:.2f}{anew}"
    )


def _show(found: dict) -> None:
    print("\nratio = best rival's time / griotte's, below 1 griotte is slower\n")
    print(
        f"{'set':10} {'threads':>7} {'arrays':>11} {'shapes':>6} {'mean':>6} {'vectors':>8} {'won':>4}"
        f" {f'<{report.LOW}':>5} {'anew':>5}  worst"
    )
    for r in report.summary(found["heats"], found["entries"]):
        print(
            f"{r['set']:10} {r['threads']:7} {report.WHERE[r['begin']]:>11} {r['shapes']:6} {r['mean']:6.2f}"
            f" {r['mean_vectors']:8.2f} {r['won']:4} {r['low']:5} {r['anew']:5}  {r['worst']:.2f} at {r['worst_at']}"
        )
    for each in found["rows"]:
        print(f"{each['verdict']:7} {each['name']}: {each['measured']}")
    noisy = [h for h in found["heats"] if h["foreign"] > RULE.busy]
    if noisy:
        print(
            f"\nthe machine did other work ({RULE.busy:g} cores or more) during {len(noisy)} of {len(found['heats'])}"
            " heats: their figures are worth little"
        )


def _write_views(path: Path, found: dict) -> None:
    """Tables and a picture beside the JSON."""
    condensed = kept.condensed(found)
    kept.write(path.with_suffix(".md"), report.markdown(condensed))
    try:
        from racing.plot import plot

        if condensed["heats"]:
            plot(condensed["heats"], path.with_suffix(".png"))
    except ImportError as error:
        print(f"no plot: {error}", file=sys.stderr)


def _told(path: Path) -> str:
    return str(path.relative_to(kept.HERE.parent))


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _note(text: str) -> None:
    """One line of progress, on a terminal only."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text[:100]}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
