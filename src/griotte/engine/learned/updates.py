"""Which programs of a Spec to time next, and what their times say of the others.

The belief is normal: the mean is the corrected price as a logarithm, and of the variance a part is shared by programs
that are alike (C. E. Rasmussen, C. K. I. Williams, *Gaussian processes for machine learning*, 2006, eq. 2.22 to 2.24).
The next program timed has the largest expected improvement over the best that is known (D. R. Jones, M. Schonlau,
W. J. Welch, *Efficient global optimization of expensive black-box functions*, 1998, eq. 15); of a batch each counts on
those before it to be as believed (D. Ginsbourger, R. Le Riche, L. Carraro, *Kriging is well-suited to parallelize
optimization*, 2010).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...support.errors import GriotteError
from .model import PerformanceModel

BATCH = 4
"""Programs that are timed together."""
_LEVEL = 10.0  # standard deviation of what all programs of a Spec share: the clock, and what the price leaves out
_ALIKE = 0.95  # of the variance of a program, what others that are alike share
_PRICE, _NOISE = 0.1, 0.005  # without a model: how far prices of a Spec are off, and the clock


class Updated:
    """A belief about the programs of one Spec, which times correct.

    Args:
        model: the belief before any time; None: the price.
        features: [programs, features].
        price: [programs], cycles.
        trees: [programs], where the model takes them.
        noise: the clock's, relative (the model's own when left out).
    """

    def __init__(
        self,
        model: PerformanceModel | None,
        features: ArrayLike,
        price: ArrayLike,
        trees: Sequence[bytes] = (),
        noise: float | None = None,
    ):
        rows, cycles = np.asarray(features, np.float64), np.asarray(price, np.float64)
        if model is None:
            self._prior, spread = np.log(cycles), np.full(len(cycles), _PRICE)
            self.noise = _NOISE if noise is None else noise
        else:
            prediction = model.predict(rows, cycles, trees)
            self._prior, spread = prediction.logarithm(cycles), prediction.spread
            self.noise = max(1e-4, model.accuracy.noise) if noise is None else noise
        self._covariance = _LEVEL**2 + np.outer(spread, spread) * (_ALIKE * _alike(rows, model, cycles))
        self._covariance[np.diag_indices(len(cycles))] = _LEVEL**2 + spread**2
        self._rows: list[int] = []
        self._logs: list[float] = []

    def tell(self, rows: Sequence[int], times: Sequence[float]) -> None:
        """Times that were measured.

        Args:
            rows: numbers of programs; one may be told again.
            times: of each, microseconds or any other unit.

        Raises:
            GriotteError: a row that there is not, or a time that is not above 0.
        """
        if len(rows) != len(times) or any(not 0 <= row < len(self._prior) for row in rows):
            raise GriotteError(
                f"expected a time of each row from 0 to {len(self._prior) - 1}, found rows {list(rows)[:8]} and"
                f" {len(times)} times; tell each with its own"
            )
        if any(not 0 < time < float("inf") for time in times):
            raise GriotteError(f"expected times above 0, found {min(times)}; leave out what did not run")
        self._rows += [int(row) for row in rows]
        self._logs += np.log(np.asarray(times, np.float64)).tolist()

    def next(self, batch: int = BATCH, least: float | None = None) -> list[int]:
        """The programs to time next, the most promising first; fewer than `batch`, or none, where no other is expected
        to gain more than `least` (the clock's noise when left out)."""
        least = self.noise if least is None else least
        rows, logs = list(self._rows), list(self._logs)
        found: list[int] = []
        while len(found) < min(batch, len(self._prior)):
            mean, deviation = self._belief(rows, logs)
            gain = _improvement(mean, deviation, rows) if rows else -mean
            gain[rows] = -np.inf
            best = int(np.argmax(gain))
            if rows and gain[best] <= least:
                break
            found.append(best)
            rows.append(best)
            logs.append(float(mean[best]))
        return found

    def believed(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The natural logarithm of each program's time and the standard deviation of that: [programs] each. Up to a
        constant as long as nothing was told."""
        return self._belief(self._rows, self._logs)

    def gain(self) -> float:
        """The largest expected improvement of a program that was not timed, relative to the best that was: what another
        run is worth. Infinite as long as nothing was told, 0 where all were timed."""
        if not self._rows:
            return float("inf")
        gain = _improvement(*self.believed(), self._rows)
        gain[self._rows] = 0.0  # a program that was timed gains nothing
        return float(gain.max())

    def best(self) -> int:
        """The program of the least time that was told. GriotteError where none was."""
        if not self._rows:
            raise GriotteError("expected times first, found none; tell one or more")
        return self._rows[int(np.argmin(self._logs))]

    def _belief(self, rows: list[int], logs: list[float]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        if not rows:
            return self._prior.copy(), np.sqrt(self._covariance.diagonal() - _LEVEL**2)
        across = self._covariance[:, rows]
        within = across[rows] + self.noise**2 * np.eye(len(rows))
        solved = np.linalg.solve(within, np.column_stack([np.array(logs) - self._prior[rows], across.T]))
        mean = self._prior + across @ solved[:, 0]
        variance = self._covariance.diagonal() - np.einsum("ij,ji->i", across, solved[:, 1:])
        return mean, np.sqrt(np.maximum(1e-12, variance))


def _improvement(mean: NDArray[np.float64], deviation: NDArray[np.float64], rows: list[int]) -> NDArray[np.float64]:
    """By how much each program is expected to be faster than the best of those rows, as a difference of logarithms."""
    below = (mean[rows].min() - mean) / deviation
    return deviation * (below * _normal(below) + np.exp(-(below**2) / 2) / np.sqrt(2 * np.pi))


def _normal(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of a normal distribution below x, to 2e-7 (M. Abramowitz, I. Stegun, *Handbook of mathematical
    functions*, 26.2.17)."""
    t = 1 / (1 + 0.2316419 * np.abs(x))
    powers = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    tail = powers * np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)
    return np.where(x < 0, tail, 1 - tail)


def _alike(
    features: NDArray[np.float64], model: PerformanceModel | None, price: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How alike programs are, from 0 to 1: [programs, programs]. By their standardised features, in terms of how far
    they are from each other in the middle; those of one point are 1."""
    standard = model.seen.standard(features) if model else features - features.mean(0)
    if not model:
        deviation = standard.std(0)
        standard = standard[:, deviation > 1e-9] / deviation[deviation > 1e-9]
    squares = (standard**2).sum(1)
    apart = np.maximum(0, squares[:, None] + squares - 2 * standard @ standard.T)
    middle = np.median(apart[apart > 1e-9]) if (apart > 1e-9).any() else 1.0
    return np.exp(-apart / middle)
