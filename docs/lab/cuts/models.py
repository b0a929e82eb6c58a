"""How long a model takes to be cut, beside the searches of its parts: cold, without a table.

    PYTHONPATH=src python docs/lab/cuts/models.py MODEL.onnx [--shape NAME=1,3,224,224 ..] [--effort 2] [--workers 2]

A line of JSON: atoms, sets of atoms that may be a part, seconds of reading, searching and cutting, rounds of searches,
parts solved beyond atoms, cost and gap.
"""

from __future__ import annotations

import argparse
import json
import time
from functools import partial

import griotte as gt
from griotte.compiler.session import Session
from griotte.machine import resolve
from griotte.models.pool import Pool
from griotte.models.simplify import simplify
from griotte.models.sizes import for_any_size
from griotte.models.solving import Solving, closed


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--shape", action="append", default=[])
    parser.add_argument("--target", default="native")
    parser.add_argument("--effort", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    begun = time.perf_counter()
    shapes = {name: tuple(map(int, sizes.split(","))) for name, sizes in (each.split("=") for each in given.shape)}
    target = resolve(given.target)
    graph = gt.from_onnx(given.model, shapes=shapes)
    simple = closed(for_any_size(graph, partial(simplify, math=target.math)))
    read, spent = time.perf_counter(), []
    with Pool(Session(target, 2, "none", effort=given.effort), workers=given.workers) as pool:
        solving = Solving(simple, pool)
        price = solving.price

        def timed(pieces) -> None:
            start = time.perf_counter()
            price(pieces)
            spent.append(time.perf_counter() - start)

        solving.price = timed  # type: ignore[method-assign]
        found = solving.cut()
    whole = time.perf_counter() - read
    print(
        json.dumps(
            {
                "calls": len(simple.calls),
                "atoms": len(solving.pieces.atoms),
                "sets": len(solving.pieces.plain),
                "read_s": round(read - begun, 1),
                "search_s": round(sum(spent), 1),
                "cut_s": round(whole - sum(spent), 1),
                "rounds": len(spent),
                "solved": found.solved,
                "cycles": found.cut.cost,
                "gap": round(found.gap, 4),
                "in_order": found.in_order,
            }
        )
    )


if __name__ == "__main__":
    main()
