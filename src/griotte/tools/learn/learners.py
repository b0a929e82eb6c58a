"""Learners of prices' errors: ridge regression (A. E. Hoerl, R. W. Kennard, 1970), and boosted trees by LightGBM (the
extra `learn`), which is imported only here, and only to fit. Each fits several members, each to other groups."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engine.learned.learners import Forest, Ridge
from ...support.errors import GriotteError
from .pairs import TimedPairs
from .splits import MEMBERS, folds, member
from .training import Training

ROUNDS = 240
"""Trees of a member."""
PAIRS = 0.2
"""What the order of pairs counts beside squares."""
PARAMETERS = {
    "num_leaves": 15,
    "max_depth": 6,
    "learning_rate": 0.03,
    "min_data_in_leaf": 20,
    "lambda_l2": 10.0,
    "feature_fraction": 0.5,
    "max_bin": 63,
    "use_missing": False,
    "boost_from_average": False,
    "num_threads": 1,
    "deterministic": True,
    "verbosity": -1,
}


def is_installed() -> bool:
    """Whether LightGBM is."""
    return find_spec("lightgbm") is not None


def fit_trees(training: Training, seed: int = 0, members: int = MEMBERS) -> Forest:
    """The members, each of the groups that `splits.member` draws. GriotteError without LightGBM."""
    try:
        import lightgbm
    except ImportError:
        raise GriotteError(
            "expected LightGBM to fit trees, found none; pip install 'griotte[learn]', or fit --learner ridge"
        ) from None
    held = np.bincount(training.group, minlength=training.groups) > 0
    nodes = _Nodes()
    for number in range(members):
        part = training.of(member(training, held, seed, number))
        parameters = PARAMETERS | {"objective": _objective(part), "seed": 1000 * seed + number}
        booster = lightgbm.train(parameters, lightgbm.Dataset(part.wide, part.value), ROUNDS)
        for tree in booster.dump_model()["tree_info"]:
            nodes.tree(tree["tree_structure"], number)
    return nodes.forest()


def _objective(training: Training):
    """Gradient and curvature of half the sum of squares of `training.parted`, and of the loss of pairs in the wrong
    order."""
    share = 1 - (1 - training.theta[training.group]) ** 2
    pairs = TimedPairs.of(training.value + training.log, training.weight, training.group)

    def objective(found: NDArray[np.float64], data: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        error, lost = found - training.value, pairs.lost(found + training.log)
        gradient = training.weight * (error - share * training.mean(error)[training.group])
        return gradient + PAIRS * lost.gradient, training.weight + PAIRS * lost.curvature

    return objective


class _Nodes:
    """Trees as arrays, each node before those below it."""

    def __init__(self) -> None:
        self.rows: list[list[float]] = []
        self.roots: list[tuple[int, int]] = []

    def tree(self, structure: dict[str, Any], member: int) -> None:
        self.roots.append((len(self.rows), member))
        self._add(structure)

    def _add(self, node: dict[str, Any]) -> int:
        number = len(self.rows)
        if "split_feature" not in node:
            self.rows.append([-1, node["leaf_value"], 0])
            return number
        self.rows.append([node["split_feature"], node["threshold"], 0])
        self._add(node["left_child"])
        self.rows[number][2] = self._add(node["right_child"])
        return number

    def forest(self) -> Forest:
        feature, number, right = np.array(self.rows, np.float64).T
        root, member = np.array(self.roots, np.int64).T
        whole = lambda column: column.astype(np.int64)
        return Forest(whole(feature), number, whole(right), root, member)


STRENGTHS = tuple(10.0**power for power in np.arange(-4, 2.1, 0.5))
"""Strengths of the penalty on squared weights of standardised features, times the weight of all rows."""


def fit_ridge(training: Training, seed: int = 0, members: int = MEMBERS) -> Ridge:
    """The members, each of the groups that `splits.member` draws, with the strength that predicts held-out Specs
    best."""
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
