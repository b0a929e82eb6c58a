"""Programs of which one size is open up to a bound, beside the same of a number in its place: refused, or right.

Each is called at size 1, a few and the bound, its arrays between guard zones (guarded.py); what it means is computed by
the reference of the closed program. All programs of a group are one unit of C.

    python -m open_sizes calls       all of them, from this folder, and what came of each
    python -m open_sizes nodes --every 7 --only test_add
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from batch import model_kernels_of
from griotte.lang.types.dtypes import dtype
from griotte.machine import resolve
from griotte.models import synthesize
from griotte.models.graph import ModelGraph
from griotte.models.program import ModelProgram
from griotte.models.reference import interpret
from griotte.support.errors import GriotteError
from guarded import guarded

RIGHT, REFUSED, WRONG = "right", "refused", "WRONG"
UNIT = 24  # programs of a compilation
MOST = 60  # calls of a graph that is compiled: of more what it means is compared alone
FEW = 20  # calls, of which it is searched which are one part; of more each is one
WITHIN = {"f64": 1e-9, "f32": 1e-4, "f16": 1e-2, "bf16": 5e-2}
"""How far a result may be from the reference's, by the largest of them; floats of 8 bits and fewer one step."""

Arrays = Sequence[np.ndarray]


@dataclass(frozen=True)
class Opened:
    """A program with an open size.

    Attributes:
        name: of the program, and which axes are open.
        graph: makes it; GriotteError where it is refused.
        given: the arrays of a size.
        means: what it gives of them, by the closed program; GriotteError where there is none of that size.
        bound: of the size.
    """

    name: str
    graph: Callable[[], ModelGraph]
    given: Callable[[int], Arrays]
    means: Callable[[int], Arrays]
    bound: int


@dataclass(frozen=True)
class Found:
    """What came of a program, and what is to be said of it."""

    name: str
    verdict: str
    why: str = ""


def examined(opened: Iterable[Opened], target: str = "avx2") -> Iterator[Found]:
    """Each program solved, compiled and called at its sizes. What is not griotte's error is wrong."""
    left, met = iter(opened), set[str]()
    while group := list(islice(left, UNIT)):
        solved: list[tuple[Opened, ModelProgram]] = []
        for each in group:
            try:
                graph = each.graph()
                graph.require_covered()
                if graph.bound is None or not graph.results:
                    yield Found(each.name, REFUSED, "the size does not count")
                    continue
                if graph.digest in met or len(graph.calls) > MOST:  # here it is that it means the same
                    yield _verdict(each, graph, by_reference(graph))
                    continue
                met.add(graph.digest)
                effort = 2 if len(graph.calls) <= FEW else 1
                solved.append((each, synthesize(graph, resolve(target), table="none", effort=effort)))
            except GriotteError as error:
                yield Found(each.name, REFUSED, str(error))
            except Exception as error:
                yield Found(each.name, WRONG, f"{type(error).__name__}: {error}")
        for (each, program), kernel in zip(solved, model_kernels_of([program for _, program in solved])):
            yield _verdict(each, program.graph, kernel)


def by_reference(graph: ModelGraph) -> Callable[..., Any]:
    """What is called as a kernel is, by the reference."""

    def run(*arrays: np.ndarray, out: Any) -> None:
        for one, other in zip(out if isinstance(out, tuple) else (out,), interpret(graph, *arrays), strict=True):
            one[...] = other

    return run


def _verdict(opened: Opened, graph: ModelGraph, kernel: Callable[..., Any]) -> Found:
    why = complaint_of(opened, graph, kernel)
    return Found(opened.name, WRONG if why else RIGHT, why)


def complaint_of(opened: Opened, graph: ModelGraph, kernel: Callable[..., Any]) -> str:
    """What is wrong at some size; empty where nothing is."""
    takes, gives = ([value.type for value in values] for values in (graph.inputs, graph.outputs))
    for size in sorted({1, min(3, opened.bound), opened.bound - 1, opened.bound}):
        if size < graph.least:
            continue
        try:
            meant = opened.means(size)
        except GriotteError as error:
            return f"at {size} the closed program is refused, the open one is not: {error}"
        try:
            found = guarded(kernel, takes, gives, opened.given(size), size)
        except Exception as error:
            return f"at {size}: {type(error).__name__}: {error}"
        for type_, one, other in zip(gives, found, meant, strict=True):
            if why := apart(type_.dtype, one, np.asarray(other)):
                return f"at {size}, {type_}: {why}"
    return ""


def apart(kind: str, found: np.ndarray, meant: np.ndarray) -> str:
    """How a result differs from what it should be; empty where it is near."""
    if found.shape != meant.shape:
        return f"shape {found.shape} for {meant.shape}"
    if dtype(kind).kind != "float":
        return "" if np.array_equal(found, meant) else f"{np.count_nonzero(found != meant)} elements differ"
    one, other = found.astype(np.float64), meant.astype(np.float64)
    finite = np.isfinite(other)
    if not np.array_equal(one[~finite], other[~finite], equal_nan=True) or not np.isfinite(one[finite]).all():
        return "other elements are NaN or infinite"
    most = np.abs(other[finite]).max(initial=1e-3)
    far = np.abs(one[finite] - other[finite]).max(initial=0) / most
    return "" if far <= WITHIN.get(kind, 0.3) else f"{far:.1e} of the largest apart"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=("calls", "nodes"))
    parser.add_argument("--only", default="", help="those in whose name this pattern is found")
    parser.add_argument("--every", type=int, default=1, help="one of so many")
    options = parser.parse_args()
    if options.kind == "nodes":
        from open_nodes import opened
    else:
        from open_calls import opened
    started, count = time.perf_counter(), Counter[str]()
    for found in examined(each for each in opened(options.every) if re.search(options.only, each.name)):
        count[found.verdict] += 1
        print(f"{found.verdict:8} {found.name}: {found.why}"[:400], flush=True)
    told = ", ".join(f"{count[verdict]} {verdict}" for verdict in (RIGHT, REFUSED, WRONG))
    print(f"{told}; {time.perf_counter() - started:.0f} s")
    sys.exit(count[WRONG] > 0)


if __name__ == "__main__":
    main()
