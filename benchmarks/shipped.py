"""The table that comes with griotte, made anew, and the list of what is in it.

    benchmarks/shipped.py                            solve the list and write the table: `make table`
    benchmarks/shipped.py --models NAME ..           add to the list what these models ask for, named as for cold.py
    benchmarks/shipped.py --specs TEXT ..            add Specs

The list is benchmarks/shipped.jsonl. What was solved is kept under build/shipped, so a run that is stopped goes on from
there; what is shipped is the same whoever solved it.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

from cold import located
from griotte.compiler.session import Session
from griotte.engine.table.shipped import PackedAnswers
from griotte.engine.table.shipped.reading import OWN
from griotte.lang.text.text import parse
from griotte.models.layouts import Copying
from griotte.models.pool import Pool
from griotte.models.tuning import program_of
from griotte.support.cpus import usable
from griotte.support.errors import SpecError
from griotte.tools.scale.shipping import MACHINES, Asked, listed, listing, ship, solve, told_of

HERE = Path(__file__).parent
LIST = HERE / "shipped.jsonl"
WORK = HERE.parent / "build/shipped"


def asked_by(model: Path, shapes: dict[str, list[int]], machine: str) -> list[Asked]:
    """What a model asks for on a machine, in order."""
    from griotte.onnx import from_onnx

    found: dict[Asked, None] = {}

    def note(spec, effort: int, as_one: bool) -> None:
        try:
            if parse(str(spec)) == spec:
                found[Asked(str(spec), effort, as_one, (machine,))] = None
        except SpecError:
            pass

    solved, copied = Pool.solve, Copying.program

    def solving(self, jobs, *others):
        jobs = list(jobs)
        for job in jobs:
            note(job.spec, job.effort, job.as_one)
        return solved(self, jobs, *others)

    def copying(self, spec):
        note(spec, 2, False)
        return copied(self, spec)

    Pool.solve, Copying.program = solving, copying  # type: ignore[method-assign]
    try:
        program_of(
            from_onnx(str(model), shapes={name: tuple(sizes) for name, sizes in shapes.items()}),
            Session(MACHINES[machine].target),
        )
    finally:
        Pool.solve, Copying.program = solved, copied  # type: ignore[method-assign]
    return list(found)


def merged(lists: Iterable[Asked]) -> list[Asked]:
    """Each Spec once, with all machines that it is for."""
    found: dict[Asked, tuple[str, ...]] = {}
    for each in lists:
        key = replace(each, machines=())
        found[key] = tuple(sorted({*found.get(key, ()), *each.machines}))
    return [replace(each, machines=machines) for each, machines in found.items()]


def _solved(asked: Asked, machine: str) -> float:
    started = time.process_time()
    solve(asked, MACHINES[machine].target)
    return time.process_time() - started


def make(to: Path, workers: int) -> None:
    """Solve the list, several at a time, and pack it."""
    every = listed(LIST)
    jobs = [(each, machine) for machine in MACHINES for each in every if machine in each.machines]
    with ProcessPoolExecutor(workers) as pool:
        for n, _ in enumerate(pool.map(_solved, *zip(*jobs), chunksize=8), 1):
            print(f"\r{n} of {len(jobs)} solved", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    answers = PackedAnswers()
    for machine, shape in MACHINES.items():
        for each, why in ship((e for e in every if machine in e.machines), shape.target, answers):
            if why:
                raise SystemExit(
                    f"expected an answer to {each.spec} for {machine}, found: {why}; take it off {LIST.name}"
                )
    about = {
        "machines": {name: told_of(shape, sum(name in e.machines for e in every)) for name, shape in MACHINES.items()}
    }
    to.write_bytes(answers.packed(about))
    spent = sum(
        getattr(resource.getrusage(who), at)
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        for at in ("ru_utime", "ru_stime")
    )
    cells = sum(map(len, answers.cells.values()))
    what = f"{len(jobs)} Specs, {len(answers.cells)} families, {cells} points"
    print(f"{to}: {to.stat().st_size:,} bytes, {what}; {spent:.0f} s of CPU")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", metavar="NAME")
    parser.add_argument("--nets", type=Path, default=HERE / "scratch/nets")
    parser.add_argument("--zoo", type=Path, default=HERE / "scratch/zoo")
    parser.add_argument("--specs", nargs="+", metavar="TEXT")
    parser.add_argument("--machines", default=",".join(MACHINES))
    parser.add_argument("--workers", type=int, default=usable())
    parser.add_argument("-o", "--to", type=Path, default=OWN)
    given = parser.parse_args()
    machines, more = given.machines.split(","), []
    os.environ |= {"GRIOTTE_CACHE": str(WORK), "GRIOTTE_SHIPPED": "none"}
    known = located(given.nets, given.zoo) if given.models else {}
    for name in given.models or ():
        if name not in known:
            raise SystemExit(f"expected one of {', '.join(known)}, found {name}; give the folder that it is in")
        for machine in machines:
            more += asked_by(*known[name], machine)
    more += [Asked(str(parse(text)), machines=tuple(machines)) for text in given.specs or ()]
    if more:
        LIST.write_text(listing(merged([*(listed(LIST) if LIST.exists() else ()), *more])), encoding="utf-8")
    else:
        make(given.to, given.workers)


if __name__ == "__main__":
    main()
