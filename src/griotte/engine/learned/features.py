"""The features of a program: a row of numbers from its tree alone, nothing being compiled.

Each is declared once, with its meaning: the table in docs/reference/features.md is checked against FEATURES. A count is
taken as often as the thing counted runs in a call, over threads on the one with the largest share. Counts are
logarithms, log2(1 + count), so that programs of any size compare. A feature that a program lacks is 0. VERSION is
raised with any change of what a number means: samples of another version are made anew from the programs' decisions
(tools/learn/records.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log2, prod

import numpy as np
from numpy.typing import NDArray

from ...lang.types.dtypes import dtype
from ...machine.target import Target
from ..program.nodes import Loop, Node, critical_path
from .sums import AT, FORMS, LEVELS, TERMS, Walk

VERSION = 1


@dataclass(frozen=True, slots=True)
class SeenProgram:
    """What the features of a program are made of."""

    root: Node
    target: Target
    threads: int
    sums: list[float]
    critical_path: list[Node]

    def __getitem__(self, name: str) -> float:  # a sum
        return self.sums[AT[name]]

    def share(self, name: str) -> float:
        """The share of the price."""
        return self[name] / self.root.cost if self.root.cost else 0.0

    def mean(self, name: str) -> float:
        """Over leaves, by their cycles."""
        leaf = self["leaf"]
        return self[f"leaf {name}"] / leaf if leaf else 0.0

    def log(self, name: str) -> float:
        return log2(1 + max(0.0, self[name]))


@dataclass(frozen=True)
class Feature:
    """`of` gives the number; `meaning` is a phrase, for people."""

    name: str
    meaning: str
    of: Callable[[SeenProgram], float]


def _sum(name: str) -> Callable[[SeenProgram], float]:
    return lambda seen: seen[name]


def _log(name: str, slot: str, meaning: str) -> Feature:
    return Feature(name, f"log2 of 1 + {meaning}", lambda seen: seen.log(slot))


def _share(name: str, slot: str, meaning: str) -> Feature:
    return Feature(name, f"share of the price: {meaning}", lambda seen: seen.share(slot))


def _mean(name: str, meaning: str) -> Feature:
    return Feature(f"leaf_{name.replace(' ', '_')}", f"of leaves: {meaning}", lambda seen: seen.mean(name))


# ---- features of the problem and of the root -------------------------------------------------------------------------


def _extents(seen: SeenProgram, of: str) -> list[int]:
    """The sizes of the root's parallel dimensions, or of the others, the largest first."""
    op, size = seen.root.state.family.operation, seen.root.state.size
    parallel = set(op.parallel)
    return sorted((size[d] for d in op.dims if (d in parallel) == (of == "parallel")), reverse=True)


def _extent(of: str, place: int) -> Callable[[SeenProgram], float]:
    def extent(seen: SeenProgram) -> float:
        found = _extents(seen, of)
        return log2(found[place]) if place < len(found) else 0.0

    return extent


def _bytes(seen: SeenProgram) -> float:
    family, size = seen.root.state.family, seen.root.state.size
    shapes = (family.access(i).shape(size) for i in range(len(family.operands)))
    return sum(prod(map(int, s)) * dtype(o.dtype).bytes for s, o in zip(shapes, family.operands))


def _bits(place: int) -> Callable[[SeenProgram], float]:
    return lambda seen: float(dtype(seen.root.state.family.operands[place].dtype).bits)


def _nests(seen: SeenProgram) -> float:
    return float(len(seen.root.state.family.operation.operations))


def _loops(seen: SeenProgram) -> list[Loop]:
    return [node for node in seen.critical_path if isinstance(node, Loop)]


def _trips(place: int) -> Callable[[SeenProgram], float]:
    """log2 of the iterations of a loop of the critical path, from the outermost or (below 0) the innermost."""

    def trips(seen: SeenProgram) -> float:
        loops = _loops(seen)
        at = place if place >= 0 else len(loops) + place
        return log2(_runs(loops[at])) if 0 <= at < len(loops) else 0.0

    return trips


def _runs(loop: Loop) -> int:
    return max(1, prod(-(-loop.state.size[d] // t) for d, t in zip(loop.dims, loop.tiles)))


def _uneven(seen: SeenProgram) -> float:
    """The work above an even share of the thread with the most tiles, in loops over threads."""
    for loop in _loops(seen):
        if loop.threads > 1:
            tiles = _runs(loop)
            return -(-tiles // loop.threads) * loop.threads / tiles - 1
    return 0.0


def _capacity(place: int) -> Callable[[SeenProgram], float]:
    def capacity(seen: SeenProgram) -> float:
        levels = seen.target.levels
        size = levels[place].capacity if place < len(levels) - 1 else None
        return log2(size) if size else 0.0

    return capacity


def _home(seen: SeenProgram) -> float:
    return float(max(operand.level for operand in seen.root.state.family.operands))


_MEANINGS = {
    "cycles": "arithmetic of reductions",
    "map": "arithmetic of maps",
    "pack": "packing and transposing",
    "registers": "accumulators set up and stored",
    "call": "entering leaves",
    "loop": "loops around leaves",
    "fork": "waking a team of threads",
    "seam": "lines that two threads write",
    "handover": "lines handed from thread to thread",
    "pages": "translations that miss",
    "line": "lines that products read",
    "stream": "lines that maps read",
    "store": "lines that maps write",
    "result": "lines that reductions write",
    "late": "results that nothing hides",
    "run": "first lines of stretches, of maps",
    "start": "first lines of stretches, of products and packs",
    "strip": "stretches that reductions write",
    "panel": "panels that are cut",
    "piece": "pieces of packs through a view",
    "crowded": "rows read beside many others",
    "aliased": "rows that share sets",
    "nontemporal": "lines written past the caches",
}

FEATURES: tuple[Feature, ...] = (
    Feature("price", "log2 of the price in cycles", lambda seen: log2(max(1.0, seen.root.cost))),
    _log("points", "points", "how often a body is computed"),
    Feature(
        "price_of_point",
        "log2 of cycles a point",
        lambda seen: log2(max(1.0, seen.root.cost) / max(1.0, seen["points"])),
    ),
    Feature("bytes", "log2 of the bytes of all operands", lambda seen: log2(max(1, _bytes(seen)))),
    *(
        Feature(f"{of}_{place}", f"log2 of the {word} {of} dimension's size", _extent(of, place))
        for of, words in (("parallel", ("longest", "second", "third")), ("reduced", ("longest", "second")))
        for place, word in enumerate(words)
    ),
    Feature("bits_in", "bits of an element of the first input", _bits(0)),
    Feature("bits_out", "bits of an element of the last output", _bits(-1)),
    Feature("home", "the number of the level where arrays rest", _home),
    Feature("threads", "how many a call runs on", lambda seen: float(seen.threads)),
    Feature("uneven", "what the busiest thread has over an even share", _uneven),
    Feature("vector_bytes", "of the target", lambda seen: float(seen.target.vector_bytes)),
    Feature("registers", "vector registers of the target", lambda seen: float(seen.target.registers)),
    *(
        Feature(
            f"capacity_{place}",
            f"log2 of the bytes of the target's cache {place}, 0 where it is the last level",
            _capacity(place),
        )
        for place in (1, 2, 3)
    ),
    *(_share(f"share_{term}", f"cycles {term}", _MEANINGS[term]) for term in TERMS),
    *(_share(f"share_from_{level}", f"cycles at {level}", f"lines of {level}") for level in LEVELS),
    *(_share(f"form_{form}", f"form {form}", f"leaves of the form {form}") for form in FORMS),
    _share("leftover", "leftover", "what loops leave over"),
    _share("copied", "copied", "copies within the call"),
    _log("calls", "count call", "leaves and copies that are entered"),
    _log("iterations", "count loop", "iterations of loops around leaves"),
    _log("pages", "count pages", "pages met anew"),
    _log("stretches", "stretches", "runs of lines that begin"),
    *(_log(f"lines_read_{level}", f"lines read {level}", f"lines that cross from {level}") for level in LEVELS[1:]),
    *(_log(f"lines_written_{level}", f"lines written {level}", f"lines written to {level}") for level in LEVELS[1:]),
    *(_log(f"bytes_read_{level}", f"bytes read {level}", f"bytes that leaves take from {level}") for level in LEVELS),
    *(_log(f"bytes_written_{level}", f"bytes written {level}", f"bytes of results in {level}") for level in LEVELS),
    _mean("rows", "log2 of the rows of the tile of results"),
    _mean("vectors", "log2 of its vectors along the lanes"),
    _mean("filled", "how full these are, 0 to 1"),
    _mean("steps", "log2 of the points of the reduction"),
    _mean("held", "registers of accumulators, of all that the target has"),
    _mean("chains", "log2 of accumulators that do not wait for each other"),
    _mean("along", "share whose lanes lie along the reduction"),
    _mean("grouped", "share of dot instructions"),
    _mean("panels", "share with an input in panels"),
    _mean("wide", "share with panels wider than 32"),
    _mean("given", "share with rows as given"),
    _mean("split", "share with rows as given that begin within a line"),
    _mean("aliased", "share with rows as given a kibibyte or more apart by a power of two"),
    _mean("pieces", "share whose rows of results begin within a line"),
    *(_mean(f"input {level}", f"share whose slowest input lies in {level}") for level in LEVELS),
    *(_mean(f"output {level}", f"share whose output lies in {level}") for level in LEVELS),
    Feature("spine_loops", "loops around the leaf that does most", lambda seen: float(len(_loops(seen)))),
    *(
        Feature(f"trips_{word}", f"log2 of the iterations of the {word} loop of these", _trips(place))
        for word, place in (("first", 0), ("second", 1), ("third", 2), ("last", -1))
    ),
    Feature("nests", "nests of the graph", _nests),
    Feature("fused", "nests made one, without a buffer between them", lambda seen: seen["aliases"]),
    Feature("loops", "loops in the text, without leftovers", lambda seen: seen["loops"]),
    Feature("leaves", "leaves in the text, without leftovers", lambda seen: seen["leaves"]),
    Feature("views", "views in the text", lambda seen: seen["views"]),
    Feature("rounds", "loops that hand buffers on", lambda seen: seen["rounds"]),
    Feature("ahead", "constants placed ahead of the call", lambda seen: seen["ahead"]),
    Feature("shared_copies", "copies for all threads", lambda seen: seen["shared"]),
    *(Feature(f"copies_{level}", f"copies for {level}", _sum(f"copy {level}")) for level in LEVELS),
    *(Feature(f"buffers_{level}", f"buffers between nests in {level}", _sum(f"buffer {level}")) for level in LEVELS),
    *(_log(f"buffered_{level}", f"room {level}", f"bytes of buffers between nests in {level}") for level in LEVELS),
    *(_log(f"viewed_{level}", f"viewed {level}", f"bytes of tiles that are viewed in {level}") for level in LEVELS[:2]),
)
NAMES: tuple[str, ...] = tuple(feature.name for feature in FEATURES)


def features(roots: Sequence[Node], target: Target, threads: int) -> NDArray[np.float64]:
    """The features of programs, from their trees alone; of the same Spec, what several share is counted once.

    Args:
        roots: the roots of programs that were found for `target`, priced.
        target: the machine that they are for.
        threads: how many a call of each runs on.

    Returns:
        [programs, len(NAMES)] float64, finite.
    """
    walk = Walk(target)
    found = np.zeros((len(roots), len(FEATURES)))
    for row, root in zip(found, roots):
        seen = SeenProgram(root, target, threads, walk.sums(root).tolist(), list(critical_path(root)))
        row[:] = [feature.of(seen) for feature in FEATURES]
    return found
