"""The tree of a program as arrays: a row of numbers for each node, and the edges from nodes to their parts.

A node that stands in several places is one row, with as many edges. A count is taken as often as the node runs, as the
price takes it (sums.py). Shares are of the price, so those of all nodes' own cycles add up to 1.
VERSION of the features counts for these as well.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from math import log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...lang.types.dtypes import dtype
from ...machine.target import Target
from ...support.errors import GriotteError
from ..program.nodes import Alias, Block, KernelCall, Loop, Move, Node, Pipeline, Rounds, Shards, children
from .sums import AT, FORMS, LEVELS, OF_LEAVES, TERMS, Walk

KINDS = {Loop: "loop", Block: "block", Pipeline: "pipeline", Rounds: "rounds", Shards: "shards", Alias: "alias"}
PLACES = ("registers", *LEVELS)
COLUMNS = (
    *("share", "below", "runs", "leftover", "loop", "block", "pipeline", "rounds", "shards", "alias", "view", "copy"),
    *(f"form {form}" for form in FORMS),
    *(f"cycles {term}" for term in TERMS),
    *(f"cycles at {level}" for level in LEVELS),
    *("trips", "tile", "reduced", "threads", "moved"),
    *(f"to {level}" for level in PLACES),
    *(f"bytes in {level}" for level in PLACES),
    *("of L1", "of L2", "of L3"),
    *(f"leaf {name}" for name in OF_LEAVES),
)
"""The columns of a row. `share` of the price that is the node's own, `below` with its parts; log2 of 1 + how often it
`runs`; whether it is a loop's `leftover`. Its kind, and what its cycles are. A loop has log2 of its iterations and of
its tile, a move its bytes and where to, a leaf its tile (sums.py). Then bytes of its operands by where they lie, and of
all of them by capacity."""
_AT = {name: place for place, name in enumerate(COLUMNS)}
_SUMS = [(AT[name], _AT[name]) for name in COLUMNS if name.startswith("cycles ")]
_FARTHEST = 12.0  # log2 of bytes over a capacity, either way


class Tree(NamedTuple):
    """A program.

    Attributes:
        nodes: [nodes, len(COLUMNS)] float32, a node before those below it.
        edges: [edges, 2] int32, a node and one of its parts.
    """

    nodes: NDArray[np.float32]
    edges: NDArray[np.int32]


def trees(roots: Sequence[Node], target: Target) -> list[Tree]:
    """The trees of priced programs that were found for `target`. What programs of one Spec share is worked out once."""
    rows = _Rows(target)
    return [rows.tree(root) for root in roots]


class _Rows:
    """Rows of nodes of a target, as far as they do not depend on how often a node runs."""

    def __init__(self, target: Target):
        self.target, self.walk = target, Walk(target)
        self._known: dict[int, tuple[Node, NDArray[np.float64], tuple[tuple[Node, float, bool], ...]]] = {}

    def tree(self, root: Node) -> Tree:
        order = _in_order(root, self._parts)
        places = {id(node): place for place, node in enumerate(order)}
        runs, leftover = np.zeros(len(order)), np.ones(len(order))
        runs[0], leftover[0] = 1.0, 0.0
        edges = []
        for place, node in enumerate(order):
            for part, times, left in self._parts(node):
                at = places[id(part)]
                runs[at] += times * runs[place]
                leftover[at] = min(leftover[at], max(leftover[place], float(left)))
                edges.append((place, at))
        price = root.cost or 1.0
        found = np.array([self._own(node) for node in order])
        counted = [_AT["share"], *(column for _, column in _SUMS)]
        found[:, counted] *= runs[:, None] / price
        found[:, _AT["below"]] = [(node.cost or 0.0) * n / price for node, n in zip(order, runs)]
        found[:, _AT["runs"]] = np.log2(1 + runs)
        found[:, _AT["leftover"]] = leftover
        return Tree(found.astype(np.float32), np.array(edges, np.int32).reshape(-1, 2))

    def _parts(self, node: Node) -> tuple[tuple[Node, float, bool], ...]:
        return self._entry(node)[2]

    def _own(self, node: Node) -> NDArray[np.float64]:
        return self._entry(node)[1]

    def _entry(self, node: Node):
        found = self._known.get(id(node))
        if found is None:
            found = self._known[id(node)] = (node, *self._made(node))
        return found

    def _made(self, node: Node):
        row = np.zeros(len(COLUMNS))
        if node.rewrite is None:  # by size: the largest
            return row, ((children(node)[-1], 1.0, False),)
        own, times = self.walk.terms(node)
        sums = np.zeros(len(AT))
        for slot, value in own:
            sums[slot] += value
        for slot, column in _SUMS:
            row[column] = sums[slot]
        row[_AT["share"]] = sum(sums[AT[f"cycles {term}"]] for term in TERMS)
        left = node.bodies[1:] if isinstance(node, Loop) else ()
        parts = tuple(
            (part, float(n), any(part is each for each in left))
            for n, part in zip(times, node.rewrite.parts(node))
            if part is not None
        )
        self._kind(node, row, sums)
        self._operands(node, row)
        return row, parts

    def _kind(self, node: Node, row: NDArray[np.float64], sums: NDArray[np.float64]) -> None:
        if isinstance(node, KernelCall):
            leaf = sums[AT["leaf"]] or 1.0
            for form in FORMS:
                row[_AT[f"form {form}"]] = float(sums[AT[f"form {form}"]] > 0)
            for name in OF_LEAVES:
                row[_AT[f"leaf {name}"]] = sums[AT[f"leaf {name}"]] / leaf
        elif isinstance(node, Move):
            copies = node.copy is not None
            row[_AT["copy" if copies else "view"]] = 1.0
            row[_AT[f"to {self._place(node.to.level)}"]] = 1.0
            row[_AT["moved"]] = log2(1 + self._bytes(node, node.operand))
        elif type(node) in KINDS:
            row[_AT[KINDS[type(node)]]] = 1.0
        if isinstance(node, Pipeline):
            row[_AT[f"to {self._place(node.to.level)}"]] = 1.0
        if isinstance(node, Loop):
            trips, tile = 1, 1
            for i, each in enumerate(node.tiles):
                trips, tile = trips * max(1, node.trips(i)), tile * each
            reduced = set(node.dims) - set(node.state.family.operation.parallel)
            row[[_AT["trips"], _AT["tile"]]] = log2(trips), log2(tile)
            row[[_AT["reduced"], _AT["threads"]]] = float(bool(reduced)), log2(node.threads)

    def _operands(self, node: Node, row: NDArray[np.float64]) -> None:
        total = 0.0
        for i, operand in enumerate(node.state.family.operands):
            found = self._bytes(node, i)
            total += found
            row[_AT[f"bytes in {self._place(operand.level)}"]] += found
        of_places = [_AT[f"bytes in {place}"] for place in PLACES]
        row[of_places] = np.log2(1 + row[of_places])
        for name, level in zip(LEVELS[:-1], self.target.levels[1:-1]):
            if level.capacity:
                row[_AT[f"of {name}"]] = min(_FARTHEST, max(-_FARTHEST, log2(max(1.0, total) / level.capacity)))

    def _place(self, level: int) -> str:
        return LEVELS[self.walk.level(level)] if level else PLACES[0]

    def _bytes(self, node: Node, i: int) -> float:
        """The bytes of an operand of a node."""
        family = node.state.family
        elements = 1.0
        for axis in family.access(i).shape(node.state.size):
            elements *= int(axis)
        return elements * dtype(family.operands[i].dtype).bytes


def _in_order(root: Node, parts) -> list[Node]:
    """All nodes, each once, before those that are below it."""
    found: list[Node] = []
    met: set[int] = set()
    waiting: list[tuple[Node, Iterator]] = [(root, iter(parts(root)))]
    met.add(id(root))
    while waiting:
        node, rest = waiting[-1]
        part = next(rest, None)
        if part is None:
            found.append(node)
            waiting.pop()
        elif id(part[0]) not in met:
            met.add(id(part[0]))
            waiting.append((part[0], iter(parts(part[0]))))
    return found[::-1]


# ---- as bytes --------------------------------------------------------------------------------------------------------

_MOST = 1 << 15  # nodes, edges


def packed(tree: Tree) -> bytes:
    """A tree as bytes: half of a float's digits are kept, which is more than prices have."""
    most = float(np.finfo(np.float16).max)
    nodes, edges = np.clip(tree.nodes, -most, most).astype("<f2"), tree.edges.astype("<u2")
    if max(len(nodes), len(edges)) >= _MOST:
        raise GriotteError(f"expected a program of fewer than {_MOST} nodes, found {len(nodes)}; leave it out")
    counts = np.array([len(nodes), len(edges)], "<u2")
    return zlib.compress(b"".join((counts.tobytes(), nodes.T.tobytes(), edges.T.tobytes())), 6)


def unpacked(data: bytes) -> Tree:
    """What `packed` made bytes of. GriotteError where they are something else."""
    reader = zlib.decompressobj()
    try:
        found = reader.decompress(data, 4 + _MOST * 2 * (len(COLUMNS) + 2))
    except zlib.error:
        found = b""
    if len(found) >= 4 and reader.eof:
        n, e = np.frombuffer(found, "<u2", 2).tolist()
        if n and len(found) == 4 + 2 * (n * len(COLUMNS) + 2 * e):
            nodes = np.frombuffer(found, "<f2", n * len(COLUMNS), 4).reshape(-1, n).T.astype(np.float32)
            edges = np.frombuffer(found, "<u2", 2 * e, 4 + 2 * n * len(COLUMNS)).reshape(2, e).T.astype(np.int32)
            if np.isfinite(nodes).all() and (edges[:, 0] < edges[:, 1]).all() and (edges < n).all():
                return Tree(np.ascontiguousarray(nodes), np.ascontiguousarray(edges))
    raise GriotteError("expected the tree of a program, found other bytes; collect the programs anew")
