"""How the drafts of a Spec can be compiled in less time, and by how much they then take longer or shorter than alone.

    python docs/lab/learned/agree.py make FOLDER [SPECS] [SEED] [STEP]   drafts and compiles; tells seconds of CPU time
    python docs/lab/learned/agree.py time FOLDER                    on a quiet machine

The ways: each by itself as a kernel is (`alone`, and once more at another place: `again`), each by itself with less
optimisation, all of a Spec in one unit, whose leaves they share. `time` tells of each way the ratios to `alone`, less
their mean in the Spec: what an order within it sees.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import numpy as np
from griotte.codegen.emit import UnitWriter
from griotte.compiler.session import Session
from griotte.lang.meaning.reference import empty_outputs
from griotte.lang.meaning.samples import timed_arrays
from griotte.lang.text.text import parse
from griotte.machine import resolve
from griotte.runtime.compilers import find_compiler
from griotte.runtime.kernel import kernel_of
from griotte.support.errors import GriotteError
from griotte.tools.learn import timing
from griotte.tools.learn.collecting import operation, unit_alone
from griotte.tools.learn.drafts import Drafting
from griotte.tools.learn.elsewhere.turns import Pace
from griotte.tools.learn.problems import drawn
from griotte.tools.learn.ready import library_at

WAYS = {
    "alone": (False, ()),
    "again": (False, ("-falign-functions=128",)),
    "alone -O1": (False, ("-O1",)),
    "one unit": (True, ()),
    "one unit -O2": (True, ("-O2",)),
    "one unit -O1": (True, ("-O1",)),
    "one unit -O1, expensive": (True, ("-O1", "-fexpensive-optimizations")),
}
Called = tuple[str, list[tuple[int, str, int]], str]  # a function, what packs for it, its library
MOST, STEP = 12, 4  # drafts of a Spec; of the kinds of Specs each fourth
PACE = Pace(0.5e-3, 12, 0)


def at(spec, name: str, packs: list, path: str):
    return library_at(spec, Path(path), name, packs)


def spent() -> float:
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def shared(source: str, flags: tuple[str, ...], path: Path) -> Path:
    path.with_suffix(".c").write_text(source)
    command = [*find_compiler().command, *flags, str(path.with_suffix(".c")), "-o", str(path), "-lm", "-w"]
    subprocess.run(command, check=True)
    return path


def libraries(programs, one_unit: bool, more: tuple[str, ...], folder: Path) -> list[Called]:
    target = programs[0].target
    flags = (*find_compiler().flags(target.flags), *more)
    called = lambda name, packs, path: (name, [(p.operand, p.function, p.bytes) for p in packs], str(path))
    if not one_unit:
        units = [unit_alone(program) for program in programs]
        with ThreadPoolExecutor(2) as pool:
            paths = list(pool.map(lambda n: shared(units[n].source, flags, folder / f"{n}.so"), range(len(units))))
        return [called(unit.function, unit.packs, path) for unit, path in zip(units, paths)]
    writer = UnitWriter(target)
    made = [program.written(writer, f"{program.function}_{n}") for n, program in enumerate(programs)]
    path = shared(writer.source(str(programs[0].spec)), flags, folder / "all.so")
    return [called(each.name, each.packs, path) for each in made]


def make(folder: Path, count: int, seed: int = 5, step: int = STEP) -> None:
    folder.mkdir(parents=True)
    session, found, totals = Session(resolve("native")), [], dict.fromkeys(WAYS, 0.0)
    programs = 0
    for number, spec in enumerate(islice(drawn(step * count, seed), 0, None, step)):
        try:
            drafts = Drafting(spec, session, 0, MOST, sparing=True).drafts()
        except GriotteError as why:
            print(why)
            continue
        programs += len(drafts)
        here = {}
        for place, (way, (one_unit, more)) in enumerate(WAYS.items()):
            room = folder / f"{number}_{place}"
            room.mkdir()
            began = spent()
            here[way] = libraries([draft.program for draft in drafts], one_unit, more, room)
            totals[way] += spent() - began
        found.append((str(spec), operation(spec), here))
        print(number, spec, {way: round(t, 1) for way, t in totals.items()}, programs, flush=True)
        (folder / "made.json").write_text(json.dumps(found))
    for way, seconds in totals.items():
        print(f"{way:14} {1e3 * seconds / programs:7.1f} ms of CPU time a program")


def time(folder: Path) -> None:
    every: dict[str, list[tuple[str, float]]] = {way: [] for way in WAYS}
    for text, kind, here in json.loads((folder / "made.json").read_text()):
        spec = parse(text)
        arrays = list(map(timing.on_a_line, timed_arrays(spec, np.random.default_rng(0))))
        outs = list(map(timing.as_result, timing.as_tuple(empty_outputs(spec))))
        out = tuple(outs) if len(outs) > 1 else outs[0]
        count = len(here["alone"])
        logs = {way: np.zeros(count) for way in here}
        for n in range(count):  # the ways of a program beside each other
            runs = [kernel_of(at(spec, *each[n])).bind(*arrays, out=out) for each in here.values()]
            for way, times in zip(here, timing.timed_warm(runs, 1, PACE)):
                logs[way][n] = np.log(times.low)
        for way in here:
            off = logs[way] - logs["alone"]
            every[way] += [(kind, float(each)) for each in off - np.median(off)]
        told = {way: f"{np.exp(np.median(logs[way] - logs['alone'])):.3f}" for way in here}
        print(kind, told, flush=True)
    for way, found in every.items():
        off = np.abs([each for _, each in found])
        print(
            f"{way:14} {len(off)} programs: middle {100 * np.median(off):.2f} %,"
            f" 90 % within {100 * np.quantile(off, 0.9):.2f} %"
        )
        kinds = sorted({kind for kind, _ in found})
        print("   ", {kind: f"{100 * np.quantile([abs(x) for k, x in found if k == kind], 0.9):.1f}" for kind in kinds})


if __name__ == "__main__":
    what, folder, *rest = sys.argv[1:]
    if what == "make":
        make(Path(folder), *(int(each) for each in rest or [5]))
    else:
        time(Path(folder))
