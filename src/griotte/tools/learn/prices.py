"""Corrected prices: a factor on each kind of a target's coefficients, so that the prices of timed programs err least.

The price is a sum of terms, each a coefficient times a count. So a factor on the coefficients of a kind, of all levels,
is a factor on their terms. A program's corrected price is its price times the sum over kinds of factor times share. The
logarithms of the factors minimise the squared errors of prices within Specs (Gauss and Newton's steps). A penalty draws
them to 0: a factor stays as it is where the programs tell nothing.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...engine.learned.samples import Samples
from ...machine import COEFFICIENTS, Target
from ...machine.coefficients import LEAST_FACTOR, MOST_FACTOR
from ...machine.described import text
from .splits import folds
from .training import Training, training

SHARE = "share_"
"""Features of this name and the kind of a coefficient are the shares of its terms in the price."""
KINDS = frozenset(name.partition(".")[0] for name in COEFFICIENTS) | {"aliased"}
_STRENGTHS = tuple(10.0**power for power in np.arange(-4, 1.1, 0.5))
_STEPS = 8


def terms(names: tuple[str, ...]) -> dict[str, int]:
    """The kinds of coefficients whose terms have a feature, and its number."""
    found = {name.removeprefix(SHARE): n for n, name in enumerate(names) if name.startswith(SHARE)}
    return {kind: n for kind, n in found.items() if kind in KINDS}


def repriced(
    features: NDArray[np.float64], price: NDArray[np.float64], names: tuple[str, ...], factors: dict[str, float]
) -> NDArray[np.float64]:
    """Natural logarithm of the corrected price: [rows]."""
    found, shares = terms(names), np.zeros(len(price))
    for name, factor in factors.items():
        shares = shares + (factor - 1) * features[:, found[name]]
    return np.log(price) + np.log(np.maximum(1e-3, 1 + shares))


def fit_prices(samples: Samples, names: tuple[str, ...], seed: int = 0) -> dict[str, float]:
    """Factors by kind of coefficient, those that are not 1; none where no feature is a share."""
    data, _ = training(samples)
    found = terms(names)
    shares = data.features[:, list(found.values())]
    if not found:
        return {}
    lost = np.zeros(len(_STRENGTHS))
    for out in folds(data, seed):
        inside, outside = data.of(~out), data.of(out)
        for i, strength in enumerate(_STRENGTHS):
            logs = _solved(inside, shares[(~out)[data.group]], strength)
            lost[i] += _error(outside, shares[out[data.group]], logs)
    logs = _solved(data, shares, _STRENGTHS[int(np.argmin(lost))])
    return {name: round(float(np.exp(log)), 4) for name, log in zip(found, logs) if abs(log) > 1e-3}


def described(target: Target, factors: dict[str, float]) -> str:
    """The target with corrected prices as TOML: as it is, and the factors of its coefficients, by their kind, as a
    table `[learned]`."""
    kind = lambda name: name.partition(".")[0]
    own = rising(target, {name: factors[kind(name)] for name in target.coefficient if kind(name) in factors})
    return text(target) + "\n[learned]\n" + "".join(f'"{name}" = {factor!r}\n' for name, factor in own.items())


def rising(target: Target, factors: dict[str, float]) -> dict[str, float]:
    """The factors, with those of further levels raised so far that no price falls from a level to the next where it did
    not before. Otherwise a view to the nearer level would be paid for."""
    found, price = dict(factors), target.coefficient
    for kind in {name.partition(".")[0] for name in factors}:
        names = [f"{kind}.{level.name}" for level in target.levels[1:] if f"{kind}.{level.name}" in price]
        for near, far in pairwise(names):
            least = price[near] * found.get(near, 1.0)
            if price[far] >= price[near] and price[far] * found.get(far, 1.0) < least:
                found[far] = round(min(MOST_FACTOR, least / price[far]), 4)
    return found


def _solved(data: Training, shares: NDArray[np.float64], strength: float) -> NDArray[np.float64]:
    """Logarithms of factors: [terms]."""
    logs = np.zeros(shares.shape[1])
    penalty = (strength * data.weight.sum() + 1e-9) * np.eye(len(logs))
    for _ in range(_STEPS):
        slopes, error = _linear(data, shares, logs)
        matrix = slopes.T @ slopes + penalty
        logs = logs + np.linalg.solve(matrix, slopes.T @ error - penalty @ logs)
        logs = np.clip(logs, np.log(LEAST_FACTOR), np.log(MOST_FACTOR))
    return logs


def _linear(
    data: Training, shares: NDArray[np.float64], logs: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How the corrected price moves with each factor's logarithm, and the errors that are left."""
    moved = shares * np.exp(logs)
    total = np.maximum(1e-3, 1 + (moved - shares).sum(1))
    within = lambda values: np.sqrt(data.weight) * data.apart(values)
    slopes = np.column_stack([within(column) for column in (moved / total[:, None]).T])
    return slopes, within(data.value - np.log(total))


def _error(data: Training, shares: NDArray[np.float64], logs: NDArray[np.float64]) -> float:
    return float(np.sum(_linear(data, shares, logs)[1] ** 2))
