"""What of a solved Spec a later one meets, and whether the rest is worth keeping: time to solve against time to read.

    .venv/bin/python docs/lab/cache/met.py                          five Specs, avx2, one thread (a minute)
    .venv/bin/python docs/lab/cache/met.py "sum(f32[50,60], axis=0)"

Solved: from nothing into a table file, on one thread, in seconds of CPU. Read: the same search again, for which every
family comes from the file and its costs are replayed. Met: the families that an answer at any size on the ladders is
read from. Least of three rounds each.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search.graph import reach
from griotte.engine.search.problem import problem
from griotte.engine.search.reached import Reaching
from griotte.engine.search.solve import Solver
from griotte.engine.table import Table
from griotte.engine.table.file import opened
from griotte.engine.table.store import Store, held_families
from griotte.lang.text.text import parse
from griotte.machine import named

SPECS = (
    "matmul(f32[128,128], f32[128,128])",
    "matmul(f32[100,77], f32[77,51])",
    "matmul(f32[256,256], f32[256,256])",
    "matmul(f32[128,128], const f32[128,128])",
    "softmax(f32[64,128])",
)
ROUNDS = 3
TARGET = named("avx2")


def search(text: str, path: Path) -> tuple[float, Solver, Table]:
    """Seconds of CPU of a search into a table, by a process that opens it anew."""
    start = problem(canonical_form(parse(text)), TARGET)
    began = time.process_time()
    table = Table(TARGET, start.home, start.ladders, Store(path, TARGET))
    solver = Solver(table, workers=1)
    solver.solve(start.goal)
    took = time.process_time() - began
    opened(path).close()
    return took, solver, table


def study(text: str, folder: Path) -> str:
    solved, read = [], []
    for round_ in range(ROUNDS):
        path = folder / f"{round_}.griotte"
        solved.append(search(text, path)[0])
        took, solver, table = search(text, path)
        assert solver.statistics.specs_solved == 0
        read.append(took)
    goals = (problem(canonical_form(parse(text)), TARGET).goal,)
    states = [state for goal in goals for state in solver._kept(solver._largest(goal))]
    nodes = reach(TARGET, *goals, *solver._joins(states))
    began = time.process_time()
    wanted = {*goals, *(state.family for state in states)}
    met = {table.key(family) for family in Reaching(table, solver.arrays).reached(nodes, wanted)}
    found = time.process_time() - began
    sizes = {family.key: family.bytes for family in held_families(path)}
    opened(path).close()
    kept = sum(size for key, size in sizes.items() if key in met)
    return (
        f"| {text} | {min(solved):.2f} s | {min(read):.2f} s | {len(sizes)} | {sum(sizes.values()) / 1e3:.0f} kB |"
        f" {len(met)} | {kept / 1e3:.0f} kB | {found:.2f} s |"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        search("exp(f32[9])", Path(folder) / "first.griotte")  # loads the search
        print("| | solved | read and replayed | families | bytes | met | bytes of those | to find them |")
        print("|---|---|---|---|---|---|---|---|")
        for place, text in enumerate(sys.argv[1:] or SPECS):
            (Path(folder) / str(place)).mkdir()
            print(study(text, Path(folder) / str(place)), flush=True)


if __name__ == "__main__":
    main()
