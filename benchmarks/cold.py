"""Where the time goes that a cold model takes: one fresh process for each model, with workers as a user has them, and
an empty cache.

    python benchmarks/cold.py [--models NAME ..] [--nets FOLDER] [--zoo FOLDER] [--effort 2] [--jobs N] [--threads 1]
                              [--json FILE] [--functions 5] [--shipped] [--traces FOLDER]
    python benchmarks/cold.py --compare BEFORE.json AFTER.json

NAME is one of `networks.toml`, whose packages are installed or lie unzipped in the folder of nets, a model that
benchmarks/model_zoo.py left in the zoo, or a file. Of each: parts, and what was searched for them; seconds of CPU by
phase, of all processes, by sampling (phases/); the memory that all processes hold together at most, each page counted
once, and the sum of their resident pages. A figure of CPU is good on a machine that others use too, within some
percent; the wall clock is not. With --jobs 1 all is in one process. --functions lists, for each phase, the functions of
griotte that take most; with --shipped the table that comes with griotte is read, which is left out else; --traces keeps
what the forecast of the time left was told of each model, on the clock of a quiet machine (phases/traced.py).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from child import Watched

HERE = Path(__file__).parent
PHASES = HERE / "phases"
sys.path.insert(0, str(PHASES))

from rules import MEANS, NUMBA, OTHER_NUMBA  # noqa: E402
from traced import Trace  # noqa: E402

MACHINE = (*NUMBA.values(), OTHER_NUMBA, "C compiler")  # phases that are no Python


def located(nets: Path, zoo: Path) -> dict[str, tuple[Path, dict[str, list[int]]]]:
    """The models that are there: their files, and the sizes of inputs that they leave open."""
    found: dict[str, tuple[Path, dict[str, list[int]]]] = {}
    for name, network in tomllib.loads((HERE / "networks.toml").read_text()).items():
        package, inside = network["file"].split("/", 1)
        spec = importlib.util.find_spec(package)
        installed = Path(next(iter(spec.submodule_search_locations or []), "")) if spec else Path()
        for file in (nets / network["file"], installed / inside):
            if file.is_file():
                found[name] = file, network.get("shapes", {})
                break
    return found | {path.stem: (path, {}) for path in sorted(zoo.glob("*.onnx"))}


# ---- in the process of a model ---------------------------------------------------------------------------------------


def cold(path: str, shapes: str, effort: str, jobs: str, threads: str) -> None:
    """Compile a model and call it once; print what it took and its statistics."""
    started = float(os.environ["STARTED"])
    import griotte as gt
    import numpy as np
    from griotte.compiler.session import session_of
    from griotte.models import pool
    from griotte.models.hosting import compiled
    from griotte.models.reference import arrays_of

    if int(jobs):
        pool.usable = lambda: int(jobs)  # type: ignore[attr-defined]
    graph = gt.from_onnx(path, shapes={name: tuple(sizes) for name, sizes in json.loads(shapes).items()})
    if refused := graph.unsupported():
        print(json.dumps({"error": f"{len(refused)} nodes refused: {refused[0]}"}))
        return
    traced = Trace() if os.environ.get("COLD_TRACE") else None
    session = session_of(threads=int(threads), effort=int(effort))
    kernel = compiled(graph, session, None if traced is None else lambda progress: None)
    if traced is not None:
        Path(os.environ["COLD_TRACE"]).write_text(json.dumps(traced.quiet(), separators=(",", ":")))
    kernel(*arrays_of(graph, "timed", np.random.default_rng(0)))
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = {"wall_s": time.time() - started, "own_s": own.ru_utime + own.ru_stime}
    seconds["others_s"] = others.ru_utime + others.ru_stime
    time.sleep(0.5)  # until the samples are written
    print(json.dumps({**seconds, "calls": len(graph.calls), "pid": os.getpid(), **kernel.stats}, default=float))


# ---- around it -------------------------------------------------------------------------------------------------------


def measured(name: str, path: Path, shapes: dict[str, list[int]], asked: argparse.Namespace) -> dict[str, Any]:
    """A row: a model in a process of its own."""
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as samples:
        code = f"import sys; sys.path.insert(0, {str(HERE)!r}); import cold; cold.cold(*sys.argv[1:])"
        paths = os.pathsep.join((str(PHASES), *filter(None, (os.environ.get("PYTHONPATH"),))))
        around = {"GRIOTTE_CACHE": cache, "COLD_SAMPLES": samples, "PYTHONPATH": paths, "STARTED": str(time.time())}
        around |= {} if asked.shipped else {"GRIOTTE_SHIPPED": "none"}
        if asked.traces:
            around["COLD_TRACE"] = str(asked.traces.resolve() / f"{name}.json")
        given = map(str, (path, json.dumps(shapes), asked.effort, asked.jobs, asked.threads))
        command, pipe = [sys.executable, "-c", code, *given], subprocess.PIPE
        process = subprocess.Popen(command, env=os.environ | around, stdout=pipe, stderr=pipe, text=True)
        with process, Watched(process.pid) as watched:
            out, errors = process.communicate()
        if process.returncode or not out.strip():
            return {"error": (errors.strip().splitlines() or ["no word"])[-1][:300]}
        told = json.loads(out.strip().splitlines()[-1])
        return told if "error" in told else row(told, watched, Path(samples))


def row(told: dict[str, Any], watched: Watched, samples: Path) -> dict[str, Any]:
    """What a process told, and the sums of its samples and of its workers'."""
    processes = [json.loads(file.read_text()) for file in samples.glob("*.json")]
    phases, functions = Counter[str](), Counter[str]()
    for process in processes:
        for phase, function, seconds in process["rows"]:
            phases[phase] += seconds
            functions[f"{phase}|{function}"] += seconds
    workers = sum(process["cpu_s"] for process in processes if process["worker"])
    sampler = phases.pop("sampler", 0.0)
    phases["C compiler"] = max(0.0, told["others_s"] - workers)
    cpu = told["own_s"] + told["others_s"] - sampler
    phases["other"] += cpu - sum(phases.values())
    return {
        **{name: told[name] for name in ("calls", "parts", "parts_tried", "families", "edges", "specs_solved")},
        "dominated": told["parts_possible"] - told["parts_tried"],
        "searches": told["parts_solved"] + told["parts_from_table"],
        "gap": told["gap"],
        "cost": told["cost"],
        "in_order": bool(told["cut_in_order"]),
        "wall_s": told["wall_s"],
        "cpu_s": cpu,
        "workers_s": workers,
        "peak_mb": watched.peak,
        "held_mb": watched.held,
        "python": 1 - sum(phases[name] for name in MACHINE) / cpu,
        "phases": dict(phases),
        "functions": dict(functions.most_common(200)),
    }


# ---- what is printed -------------------------------------------------------------------------------------------------


def listed(rows: dict[str, dict[str, Any]]) -> str:
    """A line for each model, as a table of Markdown."""
    head = ["model", "calls", "tried", "taken", "dominated", "searches", "families", "edges", "numbers, M"]
    head += ["CPU s", "wall s", "Python", "MB", "resident", "gap"]
    lines = [head, ["---", *["--:"] * (len(head) - 1)]]
    for name, each in rows.items():
        if "error" in each:
            lines.append([name, each["error"].replace("|", "/")])
            continue
        counts = [each[key] for key in ("calls", "parts_tried", "parts", "dominated", "searches", "families", "edges")]
        lines.append(
            [
                name + (" *" if each["in_order"] else ""),
                *(f"{count:,.0f}" for count in counts),
                f"{each['specs_solved'] / 1e6:.1f}",
                *(f"{each[key]:.1f}" for key in ("cpu_s", "wall_s")),
                f"{each['python']:.0%}",
                f"{each['held_mb']:.0f}",
                f"{each['peak_mb']:.0f}",
                f"{each['gap']:.1%}",
            ]
        )
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def summed(rows: Iterable[dict[str, Any]]) -> Counter[str]:
    """Seconds of all models by phase."""
    total = Counter[str]()
    for each in rows:
        total.update(each["phases"])
    return total


def phases_of(rows: dict[str, dict[str, Any]], functions: int) -> str:
    """The phases of all models together, and of the functions those that take most."""
    told = [each for each in rows.values() if "error" not in each]
    total, own = summed(told), Counter[str]()
    for each in told:
        own.update(each["functions"])
    everything = sum(total.values()) or 1.0
    searches = sum(each["searches"] for each in told) or 1
    lines = ["| phase | CPU s | share | ms a search | what |", "|---|--:|--:|--:|---|"]
    for phase in sorted(MEANS, key=lambda name: -total[name]):
        seconds = total[phase]
        per = f"{1e3 * seconds / searches:.1f}"
        lines.append(f"| {phase} | {seconds:.1f} | {seconds / everything:.1%} | {per} | {MEANS[phase]} |")
        inside = ((key.split("|", 1)[1], s) for key, s in own.most_common() if key.startswith(f"{phase}|"))
        lines += [f"| | {s:.1f} | | | `{name}` |" for (name, s), _ in zip(inside, range(functions))]
    lines.append(f"| all | {everything:.1f} | | {1e3 * everything / searches:.1f} | |")
    return "\n".join(lines)


def compared(before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]]) -> str:
    """Two files of results side by side, of the models that both have."""
    both = [name for name in before if name in after and not {"error"} & {*before[name], *after[name]}]
    lines = ["| model | CPU s | | times | searches | | MB | | gap | |", f"|---|{'--:|' * 9}"]
    pair = lambda key, form: [form.format(side[name][key]) for side in (before, after)]
    for name in both:
        times = f"{before[name]['cpu_s'] / after[name]['cpu_s']:.2f}"
        cpu, searches = pair("cpu_s", "{:.1f}"), pair("searches", "{:.0f}")
        cells = [name, *cpu, times, *searches, *pair("held_mb", "{:.0f}"), *pair("gap", "{:.1%}")]
        lines.append(f"| {' | '.join(cells)} |")
    sums = [summed(side[name] for name in both) for side in (before, after)]
    lines += ["", "| phase | CPU s before | after | times |", "|---|--:|--:|--:|"]
    for phase in sorted({*sums[0], *sums[1]}, key=lambda name: -sums[0][name]):
        one, other = sums[0][phase], sums[1][phase]
        lines.append(f"| {phase} | {one:.1f} | {other:.1f} | {one / other if other else float('inf'):.2f} |")
    one, other = (sum(each.values()) for each in sums)
    lines.append(f"| all | {one:.1f} | {other:.1f} | {one / other if other else 1.0:.2f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--nets", type=Path, default=HERE / "scratch/nets", help="where wheels are unzipped")
    parser.add_argument("--zoo", type=Path, default=HERE / "scratch/zoo")
    parser.add_argument("--effort", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=0, help="workers; as many as CPUs where this is left out")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--functions", type=int, default=0)
    parser.add_argument("--shipped", action="store_true", help="with the table that comes with griotte")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--traces", type=Path, help="a folder for what the forecast of the time left was told")
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("BEFORE", "AFTER"))
    given = parser.parse_args()
    if given.compare:
        print(compared(*(json.loads(file.read_text()) for file in given.compare)))
        return
    known = located(given.nets, given.zoo)
    rows: dict[str, dict[str, Any]] = {}
    for name in given.models or known:
        path, shapes = known.get(name, (Path(name), {}))
        rows[name] = measured(name, path, shapes, given)
        print(listed({name: rows[name]}).splitlines()[-1], file=sys.stderr, flush=True)
        if given.json:
            given.json.write_text(json.dumps(rows, indent=1))
    print(listed(rows), "", phases_of(rows, given.functions), sep="\n")


if __name__ == "__main__":
    main()
