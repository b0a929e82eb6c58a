"""Where the CPU seconds of one search go, in a process whose loops are compiled.

    python docs/lab/quick/solving.py "matmul(f32[136,768], f32[768,3072])" ...

For each Spec: seconds of all threads, those of each loop of the search, of the prices of edges and of the tables that
the loops read; families, rows, numbers (costs), and what was relaxed. `--rows` adds the families by their limits;
`--after` solves another Spec before, as of another size of a known structure; `--cache` searches as a model's workers
do, into the table of the user's cache (name an empty GRIOTTE_CACHE, and GRIOTTE_SHIPPED=none).
"""

from __future__ import annotations

import argparse
import collections
import time

import griotte as gt
from griotte.engine.search import arrays, family, solve
from griotte.engine.table import Table

SPENT: collections.Counter = collections.Counter()
COUNTS: collections.Counter = collections.Counter()
ROWS: collections.Counter = collections.Counter()
WARM = "matmul(f32[9,7], f32[7,20])", "conv2d(f32[1,4,9,9], f32[4,4,3,3])"


def timed(owner, name: str, said: str) -> None:
    """Count the CPU seconds of a function, those of its thread alone."""
    inner = getattr(owner, name)

    def outer(*args, **named):
        begun = time.thread_time()
        try:
            return inner(*args, **named)
        finally:
            SPENT[said] += time.thread_time() - begun

    setattr(owner, name, outer)


def counted(solver, node, inner) -> object:
    block = inner(solver, node)
    COUNTS["families"] += 1
    COUNTS["rows"] += len(block.rows)
    COUNTS["numbers"] += block.cost.size
    COUNTS["edges"] += len(node.edges)
    ROWS[len(node.family.operation.dims), block.limits] += len(block.rows)
    return block


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("specs", nargs="+")
    parser.add_argument("--rows", action="store_true")
    parser.add_argument("--after", action="append", default=[])
    parser.add_argument("--cache", action="store_true")
    parser.add_argument("--target", default=None)
    given = parser.parse_args()
    if hasattr(family, "relax"):
        timed(family.FamilySolver, "_relax_edges", "relax")
    timed(family.FamilySolver, "_close_block", "close")
    timed(family.FamilySolver, "_keep", "keep")
    timed(family.FamilySolver, "_tables", "tables")
    timed(family.FamilySolver, "_block", "block")
    timed(arrays.SearchArrays, "_price", "(prices)")
    timed(solve, "reach", "reach")
    timed(solve, "met", "met")
    timed(Table, "settle", "settle")
    inner = family.FamilySolver._solve_family
    family.FamilySolver._solve_family = lambda solver, node: counted(solver, node, inner)
    kwargs = {"target": given.target} if given.target else {}
    kwargs |= {} if given.cache else {"table": "none"}
    for spec in (*WARM, *given.after):
        gt.synthesize(spec, **kwargs)
    for spec in given.specs:
        for counter in (SPENT, COUNTS, ROWS):
            counter.clear()
        begun = time.process_time(), time.perf_counter()
        program = gt.synthesize(spec, threads=1, **kwargs)
        cpu, wall = time.process_time() - begun[0], time.perf_counter() - begun[1]
        SPENT["rest"] = cpu - sum(spent for said, spent in SPENT.items() if said[0] != "(")
        print(f"{spec}: {cpu:.2f} s CPU, {wall:.2f} s; cost {program.cost!r}")
        print("   " + ", ".join(f"{said} {count:,}" for said, count in COUNTS.items()))
        print("   " + ", ".join(f"{said} {spent:.2f}" for said, spent in SPENT.most_common()))
        if given.rows:
            print("   " + ", ".join(f"{d} dims x {n} limits: {rows:,}" for (d, n), rows in ROWS.most_common(12)))


if __name__ == "__main__":
    main()
