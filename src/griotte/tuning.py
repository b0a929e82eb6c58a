"""The K best programs timed on this machine, and the fastest of them kept in the table.

    synthesize(spec, tune=20)      -> candidates: the cheapest programs after each first choice, one of each kind
                                   (search/kinds.py) -> compiled, checked, timed in turns; the slower half leaves after
                                   each round -> the winner against the model's best, timed anew: what the table
                                   remembers

What is remembered holds for a goal and a number of threads, for this machine, and for the C that is emitted now.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from typing import Any

from .cpus import usable
from .errors import SpecError, TableWarning, ToolchainError
from .program.nodes import Node
from .programs import Program
from .search.path import Misfit, along, path_of
from .search.solved import Solved
from .table import digest
from .table.keys import emitted
from .table.tuned import Tuned
from .targets import runnable
from .targets.detect import fingerprint

ROUND = 0.6  # seconds that the candidates of a round share
NEAR = 1e-9  # relative; costs of one program, priced twice


def tuned(program: Program, solved: Solved, tune: int | None) -> Program:
    """The fastest of the `tune` best programs, as the table remembers it or timed now; with None, what the table
    remembers, else the program itself."""
    if tune == 1:
        return program
    known = _remembered(program, solved)
    if known is not None and (tune is None or tune <= known[0].of):
        return _with(program, *known)
    return program if tune is None else _timed(program, solved, tune)


def check(tune: object, spec: Any) -> None:
    """SpecError where the argument `tune` is no number of programs, or the goal is one that has no candidates."""
    if tune is None:
        return
    if not isinstance(tune, int) or isinstance(tune, bool) or tune < 1:
        raise SpecError(
            f"expected a number of programs of 1 or more to tune, found {tune!r}; ask for a few, such as tune=20"
        )
    if tune > 1 and isinstance(spec, Program):
        raise SpecError(
            "expected a Spec to tune, found a schedule; leave tune out: what is scheduled by hand stays as it is"
        )
    if tune > 1 and spec.dynamic is not None:
        raise SpecError(f"expected a Spec of fixed sizes to tune, found {spec}; leave tune out, or give a size")


def _with(program: Program, found: Tuned, root: Node) -> Program:
    return replace(program, root=root, stats={**program.stats, "tuned": found.facts()})


# What the table remembers
# ------------------------------------------------------------------------------------------------


def _key(solved: Solved) -> str:
    start, table = solved.start, solved.table
    return digest(
        f"tuned {table.key(start.goal)} {start.sizes} {table.axes(start.goal)} {solved.threads} {fingerprint()}"
        f" {emitted()}"
    )


def _remembered(program: Program, solved: Solved) -> tuple[Tuned, Node] | None:
    """The tuning of this goal on this machine, and its program; a record that leads to none is told and left out."""
    table, key = solved.table, _key(solved)
    text = table.choice(key)
    if text is None:
        return None
    found = Tuned.decode(text)
    try:
        if not found:
            raise Misfit("a record that is none")
        root = solved.read(lambda rebuild: along(found.path, program.root.state, rebuild, solved.threads))
        if abs(root.cost - found.cost) > NEAR * root.cost:
            raise Misfit(f"a program of {root.cost:.6g} cycles, not {found.cost:.6g}")
    except Misfit as why:
        place = f"the table {table.store.file.path}" if table.store is not None else "the table"
        told = (
            f"expected the choices of a tuned program in {place}, found {why}; the model's best stands for it: tune"
            " again"
        )
        warnings.warn(told, TableWarning, stacklevel=4)
        table.unchoose(key)
        return None
    return found, root


# Candidates and their times
# ----------------------------------------------------------------------------------------------


def _timed(program: Program, solved: Solved, count: int) -> Program:
    runnable(program.target)
    among = candidates(program, solved, count)
    winner, median, model = race(_checked(program, among))
    root = among[winner].root
    path = path_of(root, solved.read(lambda rebuild: rebuild.space), program.threads)
    found = Tuned(str(program.spec), program.threads, fingerprint(), count, path, root.cost, median, model)
    solved.table.choose(_key(solved), found.encode())
    return _with(program, found, root)


def candidates(program: Program, solved: Solved, count: int) -> list[Program]:
    """The cheapest programs after each first choice, one of each kind, the model's best first; of those with the same
    C, one."""
    found: dict[str, Program] = {}
    for root in islice(solved.kinds(), count):
        candidate = replace(program, root=root)
        found.setdefault(candidate.to_c().partition("*/")[2], candidate)  # the title differs
    return list(found.values())


def _checked(program: Program, among: list[Program]) -> dict[int, Callable[[], Any]]:
    """A call of each candidate, by its place, on the same arrays; those with a wrong result are told and left out."""
    import numpy as np

    from .ir.agreement import compare, tolerance
    from .ir.reference import empty_outputs
    from .ir.samples import random_arrays

    with ThreadPoolExecutor(usable()) as pool:
        kernels = list(pool.map(lambda candidate: candidate.compile(), among))
    arrays, out = random_arrays(program.spec, np.random.default_rng(0)), empty_outputs(program.spec)
    bounds, runs = tolerance(program.spec, arrays, random=True), {}
    for place, kernel in enumerate(kernels):
        out.fill(1)  # not the result of the one before
        run = kernel.bind(*arrays, out=out)
        _, right, complaint = compare(program.spec, arrays, run(), bounds)
        if right:
            runs[place] = run
        else:
            warnings.warn(
                f"expected the right result of a program for {program.spec}, found another: {complaint}; it is left"
                " out: please report it",
                RuntimeWarning,
                stacklevel=5,
            )
    if 0 not in runs:
        raise ToolchainError(
            f"expected the right result of the model's best program for {program.spec}, found another; please report"
            " it, with what griotte doctor says"
        )
    return runs


def race(runs: dict[int, Callable[[], Any]]) -> tuple[int, float, float]:
    """(the winner's place, its median in microseconds, that of place 0): the faster half goes on after each round. Who
    is left runs once more beside place 0, and wins if it is faster then too: the last round alone tells by how much."""
    from .runtime import timing

    left = list(runs)
    while len(left) > 1:
        times = timing.interleaved({str(place): runs[place] for place in left}, ROUND / len(left))
        left = sorted(left, key=lambda place: times[str(place)].median_us)[: len(left) // 2]
    times = timing.interleaved({str(place): runs[place] for place in dict.fromkeys((0, left[0]))}, ROUND / 2)
    winner = min(times, key=lambda place: times[place].median_us)
    return int(winner), times[winner].median_us, times["0"].median_us
