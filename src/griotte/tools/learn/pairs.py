"""Pairs of programs of a Spec that the clock tells apart, and the loss where they would be taken in the wrong order (a
logistic loss: C. Burges and others, *Learning to rank using gradient descent*, 2005)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

APART = 0.02
"""How far the logarithms of two times are apart at least."""
EVEN = 0.05
"""The difference of logarithms below which an order is not clear."""


class Lost(NamedTuple):
    """The loss in all, and its gradient and curvature (the diagonal of the Hessian) by each row's logarithm."""

    sum: float
    gradient: NDArray[np.float64]
    curvature: NDArray[np.float64]


class TimedPairs(NamedTuple):
    """The pairs of some groups.

    Attributes:
        slow, fast: [pairs], rows.
        weight: [pairs]: that of the faster one, times rows over pairs of the group, so a group counts by its rows.
        rows: how many rows there are.
    """

    slow: NDArray[np.int64]
    fast: NDArray[np.int64]
    weight: NDArray[np.float64]
    rows: int

    @staticmethod
    def of(log: NDArray[np.float64], weight: NDArray[np.float64], group: NDArray[np.int64]) -> TimedPairs:
        """Those of rows.

        Args:
            log: [rows], of their times.
            weight: [rows].
            group: [rows].
        """
        order = np.argsort(group, kind="stable")
        slow, fast, scale = [], [], []
        for rows in np.split(order, np.flatnonzero(np.diff(group[order])) + 1):
            one, other = np.nonzero(log[rows][:, None] - log[rows] > APART)
            slow.append(rows[one])
            fast.append(rows[other])
            scale.append(np.full(len(one), len(rows) / max(1, len(one))))
        faster = np.concatenate(fast)
        return TimedPairs(np.concatenate(slow), faster, np.concatenate(scale) * weight[faster], len(log))

    def lost(self, said: NDArray[np.float64]) -> Lost:
        """By the times said of the rows, as logarithms: [rows]."""
        apart = (said[self.slow] - said[self.fast]) / EVEN
        wrong = 1 / (1 + np.exp(np.minimum(apart, 50)))
        gradient, curvature = self.weight * wrong / EVEN, self.weight * wrong * (1 - wrong) / EVEN**2
        return Lost(
            float(np.sum(self.weight * np.logaddexp(0, -apart))),
            self._total(self.fast, gradient) - self._total(self.slow, gradient),
            self._total(self.fast, curvature) + self._total(self.slow, curvature),
        )

    def _total(self, rows: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum of the values of each row."""
        return np.asarray(np.bincount(rows, values, self.rows), np.float64)
