"""Corrections of the price, from the features: linear functions, or sums of decision trees (J. H. Friedman, *Greedy
function approximation: a gradient boosting machine*, 2001). Each model has several members, fitted to other groups. The
trees are arrays, so whoever predicts needs no library of them. They ask for features as they are, and for how far these
are from those of the Spec's program of least price (`beside`): what parts two programs counts in an order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .text import Section, rounded

MOST_MEMBERS, _MOST_NODES, _MOST_TREES, _DEEPEST = 32, 1 << 16, 1 << 13, 32
_AT_ONCE = 4096  # rows


def beside(features: NDArray[np.float64], price: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows of programs of one Spec, and behind them how far each is from the row of least price:
    [rows, 2 * features]."""
    return np.concatenate([features, features - features[price.argmin()]], 1) if len(price) else np.tile(features, 2)


@dataclass(frozen=True)
class Ridge:
    """Members of an ensemble.

    Attributes:
        intercept: [members].
        weights: [members, features] of the features as they are.
    """

    intercept: NDArray[np.float64]
    weights: NDArray[np.float64]
    word = "ridge"
    takes_trees = False

    def members(self, features: NDArray[np.float64], trees: Sequence[bytes] = ()) -> NDArray[np.float64]:
        """What each member says of each row, by the features as they are: [members, rows]."""
        return self.intercept[:, None] + self.weights @ features[:, : self.weights.shape[1]].T

    def terms(self, scale: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far the mean of the members moves with a feature that moves by its `scale`: [features]."""
        return self.weights.mean(0) * scale

    def data(self) -> dict[str, Any]:
        """What a file has of it."""
        return {
            "members": len(self.intercept),
            "intercept": rounded(self.intercept, 9),
            "weights": rounded(self.weights, 9),
        }

    @staticmethod
    def read(part: Section, features: int) -> Ridge:
        """From a file, of so many features. GriotteError where it is not that."""
        members = part.count("members", MOST_MEMBERS)
        if not members:
            part.refuse("ridge.members", "one member or more", "none")
        return Ridge(
            part.numbers("intercept", members, most=1e6), part.numbers("weights", members, features, most=1e12)
        )


@dataclass(frozen=True)
class Forest:
    """Trees of all members, their nodes one after the other; below a node its left part comes first, so that begins
    right behind it.

    Attributes:
        feature: [nodes] that a node asks for, as `beside` has them; -1 at a leaf.
        number: [nodes], a leaf's value, or another node's threshold: up to it a row goes to the left.
        right: [nodes], the number of a node further behind this one; 0 at a leaf.
        root: [trees], its node.
        member: [trees], whose tree it is.
    """

    feature: NDArray[np.int64]
    number: NDArray[np.float64]
    right: NDArray[np.int64]
    root: NDArray[np.int64]
    member: NDArray[np.int64]
    word = "trees"
    takes_trees = False

    def members(self, features: NDArray[np.float64], trees: Sequence[bytes] = ()) -> NDArray[np.float64]:
        """What each member says of each row, that `beside` made: [members, rows]."""
        blocks = [features[at : at + _AT_ONCE] for at in range(0, len(features), _AT_ONCE)]
        return np.concatenate([self._block(block) for block in blocks], 1) if blocks else np.zeros((self._count, 0))

    def _block(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        node = np.broadcast_to(self.root, (len(features), len(self.root))).copy()
        row = np.arange(len(features))[:, None]
        while ((feature := self.feature[node]) >= 0).any():
            goes_left = features[row, feature] <= self.number[node]
            node = np.where(feature < 0, node, np.where(goes_left, node + 1, self.right[node]))
        found = np.zeros((self._count, len(features)))
        np.add.at(found, self.member, self.number[node].T)
        return found

    @property
    def _count(self) -> int:
        return int(self.member.max()) + 1

    def terms(self, scale: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far splits by a feature, as it is or beside others, part what lies below them, in the mean of the
        members: [features]."""
        mean, inner = self.number.copy(), np.flatnonzero(self.feature >= 0)
        for node in inner[::-1]:  # children lie behind their parents
            mean[node] = (mean[node + 1] + mean[self.right[node]]) / 2
        apart = np.abs(mean[inner + 1] - mean[self.right[inner]])
        return np.bincount(self.feature[inner] % len(scale), apart, len(scale)) / self._count

    def data(self) -> dict[str, Any]:
        """What a file has of it."""
        whole = {name: getattr(self, name).tolist() for name in ("feature", "root", "member")}
        return whole | {"right": self.right[self.feature >= 0].tolist(), "number": rounded(self.number)}

    @staticmethod
    def read(part: Section, features: int) -> Forest:
        """From a file, of so many features as they are. GriotteError where it is not that: nodes lead forwards alone,
        and not too deep."""
        nodes, trees = part.length("feature", _MOST_NODES), part.length("root", _MOST_TREES)
        feature, right = part.counts("feature", nodes, -1, 2 * features - 1), np.zeros(nodes, np.int64)
        inner = np.flatnonzero(feature >= 0)
        right[inner] = part.counts("right", len(inner), 0, nodes - 1)
        found = Forest(
            feature,
            part.numbers("number", nodes, most=1e12),
            right,
            part.counts("root", trees, 0, nodes - 1),
            part.counts("member", trees, 0, MOST_MEMBERS - 1),
        )
        if (right[inner] <= inner + 1).any():
            part.refuse("trees.right", "nodes that lead to nodes further behind them", "one that leads back")
        depth = np.zeros(nodes, np.int64)
        for node in inner:
            for child in (node + 1, right[node]):
                depth[child] = max(depth[child], depth[node] + 1)
        if depth.max() > _DEEPEST:
            part.refuse("trees", f"trees of at most {_DEEPEST} levels", f"{depth.max()}")
        return found
