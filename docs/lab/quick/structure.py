"""What a search finds of families and edges, and what of it is found anew at further sizes.

    python docs/lab/quick/structure.py "matmul(f32[200,160], f32[160,192])" "matmul(f32[100,224], f32[224,320])"

The Specs are searched one after the other, in one process and thread, with no table. For each: CPU seconds in all, of
families and edges that are worked out, of prices, of the two compiled loops; how many families were searched, how many
of those worked out, and how many costs of edges and leaves. Of a leaf also how many differ in what the ports see.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

import griotte as gt
from griotte.engine.leaves import price
from griotte.engine.search import arrays, family, graph, solve

SPENT: Counter = Counter()
COUNTED: Counter = Counter()
NEAR: set = set()
WARM = "matmul(f32[9,7], f32[7,20])", "conv2d(f32[1,4,9,9], f32[4,4,3,3])"


def timed(owner: type, name: str, said: str) -> None:
    """Count the CPU seconds, and the calls, of a method."""
    inner = owner.__dict__[name]

    def outer(*args):
        begun = time.process_time()
        try:
            return inner(*args)
        finally:
            SPENT[said] += time.process_time() - begun
            COUNTED[said] += 1

    setattr(owner, name, outer)


def seen(inner):
    """Note which leaves the ports tell apart."""

    def outer(kernel, lane, of, target, size):
        NEAR.add((kernel.name, lane, price.in_ports(kernel, of)))
        return inner(kernel, lane, of, target, size)

    return outer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", nargs="+")
    given = parser.parse_args()
    for text in WARM:
        gt.synthesize(text, table="none")
    timed(graph.FamilyGraph, "_leaving", "structure")
    timed(arrays.SearchArrays, "_price", "prices")
    timed(family.FamilySolver, "_relax_edges", "relax")
    timed(family.FamilySolver, "_close_block", "close")
    price.fits = seen(price.fits)
    solve.on_threads = lambda work, workers, stop: work()
    for text in given.specs:
        SPENT.clear(), COUNTED.clear(), NEAR.clear()
        begun = time.process_time()
        found = gt.synthesize(text, table="none").stats
        whole = time.process_time() - begun
        print(text)
        print(f"  {whole:.2f} s; " + ", ".join(f"{said} {seconds:.2f}" for said, seconds in SPENT.items()))
        print(
            f"  {found['families']} families, {COUNTED['structure']} worked out; {COUNTED['prices']} prices,"
            f" {len(NEAR)} leaves that the ports tell apart"
        )


if __name__ == "__main__":
    main()
