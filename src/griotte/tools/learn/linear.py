"""Ridge regression of prices' errors (A. E. Hoerl, R. W. Kennard, 1970): several members, each of other groups, with
the strength that predicts held-out Specs best."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...engine.learned.learners import Ridge
from .folds import MEMBERS, folds, member
from .training import Training

STRENGTHS = tuple(10.0**power for power in np.arange(-4, 2.1, 0.5))
"""Of the penalty on squared weights of standardised features, times the weight of all rows."""


def fit_ridge(training: Training, seed: int = 0, members: int = MEMBERS) -> Ridge:
    """The members, each of the groups that `folds.member` draws."""
    held = np.bincount(training.group, minlength=training.groups) > 0
    mean, scale = training.features.mean(0), training.features.std(0)
    varies = scale > 1e-9
    scale = np.where(varies, scale, 1.0)
    normal = _Normal(training, np.where(varies, (training.features - mean) / scale, 0.0))
    strength = _strength(training, normal, held, seed)
    found = np.array([normal.solved(member(training, held, seed, i), strength) for i in range(members)])
    weights = np.where(varies, found[:, :-1] / scale, 0.0)
    return Ridge(found[:, -1] - weights @ mean, weights)


class _Normal:
    """The normal equations, apart for each group: a sum over groups is those of a part of the rows."""

    def __init__(self, training: Training, standard: NDArray[np.float64]):
        columns = training.parted(np.column_stack([standard, np.ones(len(standard))]))
        value = training.parted(training.value)
        size = columns.shape[1]
        self.matrix = np.zeros((training.groups, size, size))
        self.vector = np.zeros((training.groups, size))
        self.square = np.bincount(training.group, value**2, training.groups)
        self.weight = np.bincount(training.group, training.weight, training.groups)
        order = np.argsort(training.group, kind="stable")
        for rows in np.split(order, np.flatnonzero(np.diff(training.group[order])) + 1):
            group = training.group[rows[0]]
            self.matrix[group] = columns[rows].T @ columns[rows]
            self.vector[group] = columns[rows].T @ value[rows]

    def solved(self, groups: NDArray[np.bool_], strength: float) -> NDArray[np.float64]:
        """Weights of standardised features, and the intercept last, which is not penalised."""
        penalty = np.full(self.matrix.shape[1], strength * self.weight[groups].sum() + 1e-9)
        penalty[-1] = 1e-6
        return np.linalg.solve(self.matrix[groups].sum(0) + np.diag(penalty), self.vector[groups].sum(0))

    def error(self, groups: NDArray[np.bool_], weights: NDArray[np.float64]) -> float:
        """The sum of squares that is minimised, of those groups."""
        matrix, vector = self.matrix[groups].sum(0), self.vector[groups].sum(0)
        return float(weights @ matrix @ weights - 2 * vector @ weights + self.square[groups].sum())


def _strength(training: Training, normal: _Normal, held: NDArray[np.bool_], seed: int) -> float:
    errors = np.zeros(len(STRENGTHS))
    for out in folds(training, seed):
        errors += [normal.error(out & held, normal.solved(held & ~out, strength)) for strength in STRENGTHS]
    return STRENGTHS[int(np.argmin(errors))]
