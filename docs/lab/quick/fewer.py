"""How many numbers of a search are the same under several limits, how many it would have with all memory free, and what
layouts of one Spec are as one search.

    python docs/lab/quick/fewer.py "matmul(f32[136,768], f32[768,3072])" ...
    python docs/lab/quick/fewer.py --layouts "matmul(f32[6,1500,64]{0}, f32[6,64,1500]{1})"

With --layouts `{0}` and `{1}` become each of three orders of axes: two layouts, then all, each by itself and as one.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections import Counter
from typing import Any

import griotte as gt
import numpy as np
from griotte.compiler.session import session_of
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search import family, limits
from griotte.engine.search.graph import FamilyGraph
from griotte.engine.search.solve import HERE, Solver
from griotte.engine.search.solved import Solved
from griotte.engine.table import Table

COUNTS: Counter = Counter()
ORDERS = "", "{2,0,1}", "{0,2,1}"


def counted(solver: family.FamilySolver, block: Any, keep: Any) -> None:
    """Rows, numbers, and the least boxes of limits that have all that differ."""
    keep(solver, block)
    cost, steps = block.cost, block.steps
    COUNTS["rows"] += len(cost)
    COUNTS["numbers"] += cost.size
    box = np.ones(len(cost), np.int64)
    for axis, count in enumerate(steps):
        along = np.moveaxis(cost.reshape(len(cost), *steps), axis + 1, 1).reshape(len(cost), count, -1)
        box *= (along[:, 1:] != along[:, :-1]).any(axis=2).sum(axis=1) + 1
    COUNTS["in boxes"] += int(box.sum())


def told(text: str, what: str) -> None:
    COUNTS.clear()
    started = time.process_time()
    cost = gt.synthesize(text, threads=1, table="none").cost
    spent = time.process_time() - started
    numbers = ", ".join(f"{name} {count / 1e6:.1f} M" for name, count in COUNTS.items())
    print(f"{text}, {what}: {spent:.2f} s CPU with counting; cost {cost!r}; {numbers}")


def in_layouts(text: str) -> None:
    """Two layouts of a Spec, and all of them, alone and as one search."""
    target = session_of(threads=1).target
    every = [text.replace("{0}", a).replace("{1}", b) for a, b in itertools.product(ORDERS, repeat=2)]
    searches = [Solved(canonical_form(gt.parse(each)), target) for each in dict.fromkeys(every)]
    start = searches[0].start
    goals = [each.start.goal for each in searches if each.table.answers_alike(searches[0].table)]
    for count in (2, len(goals)):
        for groups in ([[goal] for goal in goals[:count]], [goals[:count]]):
            numbers, started = 0, time.process_time()
            for first, *others in groups:
                solver = Solver(Table(target, start.home, start.ladders), HERE, met=FamilyGraph())
                numbers += solver.solve(first, beside=tuple(others)).specs_solved
            spent = time.process_time() - started
            print(f"{count} layouts, {len(groups)} searches: {numbers / 1e6:.1f} M numbers, {spent:.2f} s CPU")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("specs", nargs="+")
    parser.add_argument("--layouts", action="store_true")
    given = parser.parse_args()
    if given.layouts:
        for text in given.specs:
            in_layouts(text)
        return
    keep, axes = family.FamilySolver._keep, limits.axes
    family.FamilySolver._keep = lambda solver, block: counted(solver, block, keep)  # type: ignore[method-assign]
    for text in given.specs:
        limits.axes = axes
        told(text, "as it is")
        limits.axes = lambda target, home, of: ()
        told(text, "all memory free")


if __name__ == "__main__":
    main()
