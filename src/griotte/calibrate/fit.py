"""Coefficients from samples: non-negative least squares on relative error, held to what was known before.

    least over w >= 0 of   mean of h_i (count_i . w / measured_i - 1)^2  +  RIDGE * mean of ((w_j - before_j) / scale_j)^2

Weights h bound what an outlier can do (P. J. Huber, "Robust estimation of a location parameter", 1964), by iterated re-weighting. The
second term leaves a coefficient that the samples hardly see where it was. `scipy.optimize.nnls` solves each step.

What is priced by memory level never gets cheaper from a level to the next slower one: solved for are the steps from each to the next.
Else a move to a faster level, which trades the one's lines for the other's, could cost less than nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..errors import GriotteError

HUBER = 0.15  # relative error from which a sample counts linearly
RIDGE = 1e-4
STEPS = 20
SCALE = 1.0  # cycles: small coefficients move as easily as one of this size


def fit(counts: Sequence[Mapping[str, float]], measured: Sequence[float], before: Mapping[str, float]) -> dict[str, float]:
    """The coefficients, cycles for each feature. `counts` are those of each program, `measured` their cycles."""
    names = list(before)
    upward = _sums(names)
    old = np.maximum(0.0, np.linalg.solve(upward, [before[name] for name in names]))
    rows = np.array([[count.get(name, 0.0) for name in names] for count in counts]) / np.asarray(measured)[:, None] @ upward
    scale = np.maximum(old, SCALE)
    penalty = np.sqrt(RIDGE / len(names)) * np.eye(len(names))
    weights, found = np.ones(len(rows)), old
    for _ in range(STEPS):
        root = np.sqrt(weights / len(rows))[:, None]
        left = np.vstack([root * rows * scale, penalty])
        right = np.concatenate([root[:, 0], penalty @ (old / scale)])
        found = _nnls(left, right) * scale
        weights = np.minimum(1.0, HUBER / np.maximum(np.abs(rows @ found - 1), 1e-12))
    return dict(zip(names, map(float, upward @ found)))


def _sums(names: list[str]) -> np.ndarray:
    """The matrix that makes coefficients of their steps: one priced by level is the sum of those of the faster levels, named before it."""
    kinds = [name.partition(".")[0] for name in names]
    return np.array([[float(i == j or ("." in names[i] and kinds[i] == kinds[j] and j < i)) for j in range(len(names))] for i in range(len(names))])


def _nnls(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    try:
        from scipy.optimize import nnls
    except ImportError:
        raise GriotteError("expected SciPy to fit coefficients, found none; install it: pip install 'griotte[calibrate]'") from None
    return nnls(left, right)[0]
