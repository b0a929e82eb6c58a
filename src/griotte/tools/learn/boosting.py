"""Boosted trees of prices' errors, by LightGBM (the extra `learn`), which is imported only here, and only to fit."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engine.learned.learners import Forest
from ...support.errors import GriotteError
from .folds import MEMBERS, member
from .training import Training

ROUNDS = 120
"""Trees of a member."""
PARAMETERS = {
    "num_leaves": 15,
    "max_depth": 6,
    "learning_rate": 0.06,
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
    """The members, each of the groups that `folds.member` draws. GriotteError without LightGBM."""
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
        booster = lightgbm.train(parameters, lightgbm.Dataset(part.features, part.value), ROUNDS)
        for tree in booster.dump_model()["tree_info"]:
            nodes.tree(tree["tree_structure"], number)
    return nodes.forest()


def _objective(training: Training):
    """Gradient and curvature of half the sum of squares of `training.parted`."""
    share = 1 - (1 - training.theta[training.group]) ** 2

    def objective(found: NDArray[np.float64], data: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        error = found - training.value
        return training.weight * (error - share * training.mean(error)[training.group]), training.weight

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
