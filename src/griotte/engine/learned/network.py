"""A small network over a program's tree that says by how much its price errs. Nodes with their rows (tree.py) take up,
twice, the values of their parts and of the nodes around them. Each node gets a factor on its own cycles, and the
program one on all of them:

    h   = relu(rows W + b)
    h   = h + relu(h W + mean of parts' h W' + mean of h around W'' + b)       ROUNDS times
    log(time / price) = log(sum of share exp(h v)) + (sum of share h, mean of h) u + c

as learned performance models have it for graphs of operations (S. Kaufman and others, *A learned performance model for
tensor processing units*, arXiv 2008.01040), with the price's own sum in the place of their pooling. NumPy alone
evaluates it; tools/learn/fit_network.py fits it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .learners import MOST_MEMBERS
from .text import Section, rounded
from .tree import COLUMNS, Tree, unpacked

ROUNDS, WIDTH = 2, 24
FACTOR = 2.0  # of a logarithm of a node's factor, at most
_FAR = 6.0  # of a number, scales from its mean: further is as far
_SHARE = COLUMNS.index("share")
_AT_ONCE = 256  # trees

Floats = NDArray[np.floating[Any]]
MemberWeights = dict[str, Floats]


def shapes(columns: int, width: int) -> dict[str, tuple[int, ...]]:
    """The shapes of a member's weights."""
    found: dict[str, tuple[int, ...]] = {"first": (columns, width), "first bias": (width,)}
    for n in range(ROUNDS):
        found |= {f"{word} {n}": (width, width) for word in ("own", "parts", "around")} | {f"bias {n}": (width,)}
    return found | {"node": (width,), "node bias": (1,), "all": (2 * width,), "all bias": (1,)}


class Means:
    """Means of rows by index: [count, ..], 0 where there are none; and their gradient."""

    def __init__(self, index: NDArray[np.int64], count: int):
        self._index, self._order = index, np.argsort(index, kind="stable")
        self._met, self._starts, counts = np.unique(index[self._order], return_index=True, return_counts=True)
        self._one = np.zeros(count, np.float32)
        self._one[self._met] = 1 / counts

    def __call__(self, rows: Floats) -> Floats:
        found = np.zeros((len(self._one), *rows.shape[1:]), rows.dtype)
        if len(self._starts):
            found[self._met] = np.add.reduceat(rows[self._order], self._starts, axis=0)
        return found * (self._one[:, None] if rows.ndim == 2 else self._one)

    def back(self, gradient: Floats) -> Floats:
        """The gradient of each row, from that of the means."""
        return (gradient * (self._one[:, None] if gradient.ndim == 2 else self._one))[self._index]

    def total(self, rows: Floats) -> Floats:
        """Sums in place of means."""
        found = np.zeros((len(self._one), *rows.shape[1:]), rows.dtype)
        if len(self._starts):
            found[self._met] = np.add.reduceat(rows[self._order], self._starts, axis=0)
        return found


class TreeBatch(NamedTuple):
    """Trees side by side.

    Attributes:
        rows: [nodes, columns], as they are.
        share: [nodes], of its program's price.
        parent, part: [edges], numbers of nodes.
        parts: means over edges by parent.
        around: means over edges by part.
        tree: means over nodes by tree.
        of: [nodes], its tree.
    """

    rows: Floats
    share: Floats
    parent: NDArray[np.int64]
    part: NDArray[np.int64]
    parts: Means
    around: Means
    tree: Means
    of: NDArray[np.int64]

    @staticmethod
    def of_trees(trees: Sequence[Tree]) -> TreeBatch:
        counts = [len(tree.nodes) for tree in trees]
        starts = np.concatenate([[0], np.cumsum(counts)])
        rows = np.concatenate([tree.nodes for tree in trees]).astype(np.float32)
        edges = np.concatenate([tree.edges.astype(np.int64) + at for tree, at in zip(trees, starts)])
        of, parent, part = np.repeat(np.arange(len(trees)), counts), edges[:, 0], edges[:, 1]
        found = np.maximum(rows[:, _SHARE], 0)
        total = np.maximum(np.bincount(of, found, len(trees)), 1e-6)
        share = (found / total[of]).astype(np.float32)
        nodes = len(rows)
        return TreeBatch(rows, share, parent, part, Means(parent, nodes), Means(part, nodes), Means(of, len(trees)), of)


class Passed(NamedTuple):
    """What a forward pass leaves for the one back: standardised rows, the output of each layer, and each node's share
    of the total."""

    standard: Floats
    hidden: list[Floats]
    around: list[tuple[Floats, Floats]]
    factor: Floats
    ratio: Floats
    pooled: Floats
    found: Floats


def standard(rows: Floats, mean: Floats, scale: Floats) -> Floats:
    """Rows less their means, in scales."""
    return np.clip((rows - mean) / scale, -_FAR, _FAR).astype(rows.dtype)


def passed(weights: MemberWeights, batch: TreeBatch, rows: Floats) -> Passed:
    """What a member says of trees whose standardised rows are given: `found` [trees], log(time / price)."""
    h = np.maximum(rows @ weights["first"] + weights["first bias"], 0)
    hidden, around = [h], []
    for n in range(ROUNDS):
        below, above = batch.parts(h[batch.part]), batch.around(h[batch.parent])
        said = h @ weights[f"own {n}"] + below @ weights[f"parts {n}"] + above @ weights[f"around {n}"]
        step = np.maximum(said + weights[f"bias {n}"], 0)
        h = h + step
        around.append((below, above))
        hidden += [step, h]
    factor = np.tanh((h @ weights["node"] + weights["node bias"]) / FACTOR)
    parts = batch.share * np.exp(FACTOR * factor)
    total = np.maximum(batch.tree.total(parts), 1e-12)
    pooled = np.concatenate([batch.tree.total(batch.share[:, None] * h), batch.tree(h)], 1)
    found = np.log(total) + pooled @ weights["all"] + weights["all bias"]
    return Passed(rows, hidden, around, factor, parts / total[batch.of], pooled, found)


@dataclass(frozen=True)
class Network:
    """Members of an ensemble.

    Attributes:
        mean, scale: [columns], by which rows are standardised.
        weights: of each member, by name (`shapes`).
    """

    mean: Floats
    scale: Floats
    weights: tuple[MemberWeights, ...]
    word = "network"
    takes_trees = True

    def members(self, features: NDArray[np.float64], trees: Sequence[bytes] = ()) -> NDArray[np.float64]:
        """What each member says of each program, by its tree (`tree.packed`): [members, rows]."""
        found = np.zeros((len(self.weights), len(features)))
        for at in range(0, len(features), _AT_ONCE):
            some = trees[at : at + _AT_ONCE]
            batch = TreeBatch.of_trees([unpacked(tree) for tree in some])
            rows = standard(batch.rows, self.mean, self.scale)
            for n, weights in enumerate(self.weights):
                found[n, at : at + len(some)] = passed(weights, batch, rows).found
        return found

    def terms(self, scale: NDArray[np.float64]) -> NDArray[np.float64]:
        """No feature moves it: [features]."""
        return np.zeros(len(scale))

    def data(self) -> dict[str, Any]:
        """What a file has of it."""
        numbers = [np.concatenate([np.ravel(each[name]) for name in each]) for each in self.weights]
        return {
            "members": len(self.weights),
            "width": len(self.weights[0]["node"]),
            "mean": rounded(self.mean.astype(np.float64)),
            "scale": rounded(self.scale.astype(np.float64)),
            "weights": rounded(np.concatenate(numbers).astype(np.float64), 6),
        }

    @staticmethod
    def read(part: Section, features: int) -> Network:
        """From a file. GriotteError where it is not that."""
        members, width, columns = part.count("members", MOST_MEMBERS), part.count("width", 256), len(COLUMNS)
        if not members or not width:
            part.refuse("network.members", "one member or more, of some width", "none")
        wanted = shapes(columns, width)
        sizes = [int(np.prod(shape)) for shape in wanted.values()]
        numbers = part.numbers("weights", members, sum(sizes), most=1e6).astype(np.float32)
        scale = part.numbers("scale", columns, most=1e12)
        if (scale <= 0).any():
            part.refuse("network.scale", "scales above 0", f"{scale.min():g}")
        cut = lambda row: np.split(row, np.cumsum(sizes)[:-1])
        weights = [{name: x.reshape(wanted[name]) for name, x in zip(wanted, cut(row))} for row in numbers]
        mean = part.numbers("mean", columns, most=1e12).astype(np.float32)
        return Network(mean, np.maximum(scale, 1e-9).astype(np.float32), tuple(weights))
