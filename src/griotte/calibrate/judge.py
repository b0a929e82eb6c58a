"""How well a model ranks the programs of a Spec: Kendall's tau, and what its choice loses.

    tau       Kendall's tau-b of price and time (M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 1945): 1 for the same order
    apart     the same over those pairs alone that the clock tells apart: by more than APART, and in the same order, in each half of the rounds
    pooled    tau of all programs of all Specs together
    regret k  the least time among the k programs of least price, over the least time of all, less one
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

APART = 0.05

Group = tuple[Sequence[float], Sequence[float], Sequence[tuple[float, float]]]
"""The programs of a Spec: prices, times, and their times in either half of the rounds."""


@dataclass(frozen=True)
class Verdict:
    """Means over Specs; the regrets are shares (0.05: five per cent slower). `error` is the median of |price / time - 1|,
    `repeated` the tau-b of the times of the one half of the rounds with those of the other: more than that no model can have."""

    specs: int
    programs: int
    tau: float
    apart: float
    pooled: float
    repeated: float
    regret_1: float
    regret_5: float
    error: float


def judge(groups: Sequence[Group]) -> Verdict:
    """A Spec with one program alone has no order: it is left out."""
    ranked = [(np.asarray(p, float), np.asarray(t, float), np.asarray(h, float)) for p, t, h in groups if len(p) > 1]
    if not ranked:
        return Verdict(0, 0, *[float("nan")] * 7)
    prices, times, _ = (np.concatenate(part) for part in zip(*ranked))
    clear = [tau(p, t, told) for p, t, h in ranked if (told := told_apart(h)).any()]
    means: list[Any] = [np.mean([tau(p, t) for p, t, _ in ranked]), np.mean(clear or np.nan), tau(prices, times), np.mean([tau(*h.T) for _, _, h in ranked])]
    means += [np.mean([regret(p, t, k) for p, t, _ in ranked]) for k in (1, 5)]
    return Verdict(len(ranked), len(times), *[float(mean) for mean in (*means, np.median(np.abs(prices / times - 1)))])


def tau(prices: np.ndarray, times: np.ndarray, told: np.ndarray | None = None) -> float:
    """Kendall's tau-b; 0 where all prices, or all times, are equal. `told` says which pairs count, those of
    `numpy.triu_indices(n, 1)`. O(n^2)."""
    i, j = np.triu_indices(len(prices), 1)
    p, t = np.sign(prices[i] - prices[j]), np.sign(times[i] - times[j])
    if told is not None:
        p, t = p[told], t[told]
    norm = np.sqrt(np.count_nonzero(p) * np.count_nonzero(t))
    return float(np.sum(p * t) / norm) if norm else 0.0


def told_apart(halves: np.ndarray) -> np.ndarray:
    """Of each pair, whether it is more than APART apart, and in the same order, in both halves [n, 2]."""
    i, j = np.triu_indices(len(halves), 1)
    ratio = np.log(halves[i] / halves[j])
    return (np.abs(ratio) > np.log1p(APART)).all(axis=1) & (np.sign(ratio[:, 0]) == np.sign(ratio[:, 1]))


def regret(prices: np.ndarray, times: np.ndarray, k: int) -> float:
    """What the best of the k programs of least price loses to the best of all."""
    return float(times[np.argsort(prices, kind="stable")[:k]].min() / times.min() - 1)
