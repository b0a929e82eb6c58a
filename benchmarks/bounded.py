"""How long searches take, and what they hold: random graphs, or small networks of ordinary layers, each solved from
nothing in a process of its own.

    python benchmarks/bounded.py --graphs 2000 --networks 500 --run 300 -o found.jsonl
    python benchmarks/bounded.py --plot found.jsonl -o times.png

Each line of the file is one Spec at one number of threads: seconds and MiB of its search, families, parts, and, of
those that are run, whether the result is right. Exit status 1 where one has no program, is wrong, or is over a bar.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import numpy as np
from drawing import random_graph, random_network, random_outputs

SECONDS, MIB = 20.0, 1024.0  # the bars of one search
GIVEN_UP = 120.0  # seconds
SLOWEST = 12  # that are told
SIZES = (12, 40, 100, 300)  # the largest size of a graph


def main() -> None:
    options = _options()
    if options.plot:
        return _plot(options.plot, options.output)
    import griotte.engine.search.solve  # noqa: F401  what every child needs is loaded once, before they fork
    from griotte.tools.commands import specs  # noqa: F401

    texts = list(_drawn(options))
    known = _known(options.output)
    context = multiprocessing.get_context("fork")
    cores = sorted(os.sched_getaffinity(0))
    each = options.cores
    slots = [cores[i : i + each] for i in range(0, len(cores) + 1 - each, each)][: options.jobs]

    def one(task: tuple[int, str, str, int]) -> dict:
        number, kind, text, threads = task
        slot = slots.pop()
        found = _in_child(context, (text, threads, _is_run(options, kind, number), options), slot)
        slots.append(slot)
        return {"kind": kind, "number": number, "threads": threads, "spec": text, **found}

    tasks = [
        (n, kind, text, threads)
        for n, kind, text in texts
        for threads in ([n % 2 + 1] if not options.both else [1, 2])
        if (kind, n, threads) not in known
    ]
    with ThreadPoolExecutor(len(slots)) as pool, open(options.output, "a") as file:
        for done in as_completed([pool.submit(one, task) for task in tasks]):
            found = done.result()
            print(json.dumps(found), file=file, flush=True)
            if _is_bad(found):
                print(f"{_complaint(found)}\n  {found['spec']}", flush=True)
    sys.exit(_tell(list(_lines(options.output))))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", type=int, default=0)
    parser.add_argument("--networks", type=int, default=0)
    parser.add_argument("--run", type=int, default=0, help="so many graphs are run as well; networks all are")
    parser.add_argument("--search-only", action="store_true", help="networks are not run either")
    parser.add_argument("--both", action="store_true", help="each on 1 and on 2 threads, in place of by turns")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", default="native")
    parser.add_argument("--effort", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=1, help="processes at once")
    parser.add_argument("--cores", type=int, default=2, help="of each process")
    parser.add_argument("--plot", help="draw what this file holds")
    parser.add_argument("-o", "--output", default="bounded.jsonl", help="added to; what it has is not done again")
    return parser.parse_args()


def _drawn(options: argparse.Namespace) -> Iterator[tuple[int, str, str]]:
    """(number, kind, text): each by a generator of its own, so that more of them are the same and others."""
    for n in range(options.graphs):
        rng = np.random.default_rng((options.seed, n))
        draw, most = random_outputs if n % 8 == 7 else random_graph, int(rng.integers(1, 12, endpoint=True))
        yield n, "graph", draw(rng, int(rng.choice(SIZES)), most)
    for n in range(options.networks):
        yield n, "network", random_network(np.random.default_rng((options.seed, 1, n)))


def _is_run(options: argparse.Namespace, kind: str, number: int) -> bool:
    if kind == "network":
        return not options.search_only
    return options.run > 0 and number % max(1, options.graphs // options.run) == 0


def _in_child(context, task: tuple, cores: list[int]) -> dict:
    """What one search came to, in a process of its own on these cores."""
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(sender, task, cores))
    child.start()
    sender.close()
    found = {"error": f"given up after {GIVEN_UP:.0f} s", "seconds": GIVEN_UP}
    if receiver.poll(GIVEN_UP):
        try:
            found = receiver.recv()
        except EOFError:
            found = {"error": "the process died"}
    child.kill()
    child.join()
    return found


def _child(sender, task: tuple, cores: list[int]) -> None:
    import griotte
    from griotte.lang.meaning.agreement import compare, tolerance
    from griotte.lang.meaning.samples import sample
    from griotte.tools.commands.specs import RUNS

    text, threads, runs, options = task
    os.sched_setaffinity(0, cores)
    found: dict = {}
    try:
        spec, started = griotte.parse(text), time.perf_counter()
        program = griotte.synthesize(spec, options.target, threads, table="none", effort=options.effort)
        found = {
            "seconds": time.perf_counter() - started,
            "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            "families": program.stats["families"],
            "calls": len(spec.graph.calls),
            "parts": program.stats.get("parts", 1),
            "cost": program.cost,
        }
        if runs:
            kernel, rng = program.compile(), np.random.default_rng(0)
            for data in dict.fromkeys(RUNS):
                arrays = sample(data, spec, rng)
                _, right, complaint = compare(
                    spec, arrays, kernel(*arrays), tolerance(spec, arrays, random=data == "random")
                )
                if not right:
                    found["error"] = f"WRONG, {data} data: {complaint}"
                    break
            found["run"] = True
    except Exception as error:
        found["error"] = f"{type(error).__name__}: {error}"[:600]
    sender.send(found)


def _lines(path: str) -> Iterator[dict]:
    if Path(path).exists():
        with open(path) as file:
            yield from map(json.loads, file)


def _known(path: str) -> set[tuple[str, int, int]]:
    return {(line["kind"], line["number"], line["threads"]) for line in _lines(path)}


def _is_bad(found: dict) -> bool:
    return "error" in found or found["seconds"] > SECONDS or found["mib"] > MIB


def _complaint(found: dict) -> str:
    return found.get("error") or f"{found['seconds']:.1f} s, {found['mib']:.0f} MiB"


def _tell(lines: list[dict]) -> int:
    """The figures; 1 where something is bad."""
    for kind in dict.fromkeys(line["kind"] for line in lines):
        own = [line for line in lines if line["kind"] == kind]
        solved = [line for line in own if "cost" in line]
        seconds = sorted(line["seconds"] for line in solved)
        wrong = sum("WRONG" in line.get("error", "") for line in own)
        print(
            f"{len(own)} of kind {kind}: {len(solved)} solved, {sum('run' in line for line in own)} run, {wrong} wrong,"
            f" {sum(line['parts'] > 1 for line in solved)} cut; median {seconds[len(seconds) // 2]:.2f} s, 99 % within"
            f" {seconds[int(len(seconds) * 0.99)]:.1f} s, longest {seconds[-1]:.1f} s; largest"
            f" {max(line['mib'] for line in solved):.0f} MiB"
        )
    for line in sorted(lines, key=lambda line: -line.get("seconds", 0))[:SLOWEST]:
        print(f"{line.get('seconds', 0):8.1f} s {line.get('mib', 0):6.0f} MiB  {line['spec'][:150]}")
    return int(any(map(_is_bad, lines)))


def _plot(path: str, output: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    lines = [line for line in _lines(path) if "cost" in line]
    for kind in dict.fromkeys(line["kind"] for line in lines):
        seconds = np.sort([line["seconds"] for line in lines if line["kind"] == kind])
        axes.plot(seconds, np.linspace(100, 0, len(seconds)), label=f"{len(seconds)} of kind {kind}")
    axes.axvline(SECONDS, color="grey", linestyle=":")
    axes.set(xscale="log", yscale="symlog", xlabel="seconds of a search", ylabel="% that take longer")
    axes.legend()
    figure.savefig(output, dpi=120)


if __name__ == "__main__":
    main()
