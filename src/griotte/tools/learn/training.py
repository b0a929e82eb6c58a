"""The data that models are fitted to: by how much prices erred, for programs of a Spec beside each other, and, with
less weight, for Specs beside each other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from ...engine.learned.samples import Group, Samples
from ...support.errors import GriotteError

_LEAST = 20  # programs
_FLOOR = 0.03  # standard deviation of prices' errors within a group, below which it counts no more


@dataclass(frozen=True)
class Training:
    """Rows of timed programs.

    A group's mean counts as one observation beside the differences within it. A model is fitted to its errors less the
    share `theta` of their mean in the group (the random-effects estimator, J. M. Wooldridge, *Econometric analysis of
    cross section and panel data*, 10.4). With theta 1 that is the sum over all pairs of a group.

    Attributes:
        features: [rows, features].
        value: [rows], natural logarithm of time over price, less that of the machine's clock.
        weight: [rows], more for the fast ones of a group, for a choice is among them; and more for groups whose prices
            err little: a small difference counts there.
        group: [rows], from 0 to `groups` - 1.
        theta: [groups].
        fold: [groups], the number of the group's Spec: such groups are held out together.
        log: [rows], natural logarithm of the price.
        trees: [rows], as `Samples` has them.
        wide: [rows, 2 * features], as `learners.beside` has them of each group.
    """

    features: NDArray[np.float64]
    value: NDArray[np.float64]
    weight: NDArray[np.float64]
    group: NDArray[np.int64]
    theta: NDArray[np.float64]
    fold: NDArray[np.int64]
    log: NDArray[np.float64]
    trees: tuple[bytes, ...]

    @property
    def groups(self) -> int:
        return len(self.theta)

    @property
    def wide(self) -> NDArray[np.float64]:
        order = np.lexsort((self.log, self.group))[::-1]
        least = np.zeros(self.groups, np.int64)
        least[self.group[order]] = order  # of several the last, which is the cheapest
        return np.concatenate([self.features, self.features - self.features[least[self.group]]], 1)

    def of(self, groups: NDArray[np.bool_]) -> Training:
        """The rows of those groups (a mask over groups); the numbers of the groups stay."""
        rows = groups[self.group]
        taken = {name: getattr(self, name)[rows] for name in ("features", "value", "weight", "group", "log")}
        return replace(self, **taken, trees=self.trees_of(rows))

    def trees_of(self, rows: NDArray[np.bool_]) -> tuple[bytes, ...]:
        """The trees of the rows of a mask; none where there are none."""
        return tuple(compress(self.trees, rows.tolist()))

    def mean(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The weighted mean of [rows] or [rows, columns] in each group: [groups] or [groups, columns]."""
        return means(values, self.group, self.weight, self.groups)

    def apart(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values less their mean in the group: what an order within it depends on."""
        return values - self.mean(values)[self.group]

    def parted(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values less the share `theta` of that mean, times the root of the weight: a fit minimises their squares."""
        share, root = self.theta[self.group], np.sqrt(self.weight)
        if values.ndim == 2:
            share, root = share[:, None], root[:, None]
        return root * (values - share * self.mean(values)[self.group])


def training(samples: Samples) -> tuple[Training, dict[str, float]]:
    """What a model is fitted to, and the clocks: natural logarithm of microseconds a cycle of the price, by machine.

    Raises:
        GriotteError: there are too few programs, or some have no time or price.
    """
    if len(samples) < _LEAST:
        raise GriotteError(
            f"expected {_LEAST} timed programs or more, found {len(samples)}; time more with griotte learn collect"
        )
    sound = np.isfinite(samples.features).all(1) & (samples.price > 0) & (samples.warm > 0)
    sound &= np.isfinite(samples.price) & np.isfinite(samples.warm)
    if not sound.all():
        raise GriotteError(
            f"expected finite features and times and prices above 0, found {np.count_nonzero(~sound)} programs without;"
            " collect them anew"
        )
    group = samples.group
    value = np.log(samples.warm / samples.price)
    least = np.full(len(samples.groups), np.inf)
    np.minimum.at(least, group, samples.warm)
    weight = least[group] / samples.warm
    clock = clocks(samples, value)
    value = value - np.array([clock[samples.groups[g].machine] for g in group])
    count = len(samples.groups)
    off = means((value - means(value, group, weight, count)[group]) ** 2, group, weight, count)
    weight = weight * (1 / (off + _FLOOR**2))[group]
    weight = weight / weight.mean()
    texts = {text: number for number, text in enumerate(dict.fromkeys(g.spec for g in samples.groups))}
    found = Training(
        samples.features,
        value,
        weight,
        group,
        _theta(value, group, weight, count),
        np.array([texts[g.spec] for g in samples.groups]),
        np.log(samples.price),
        samples.trees,
    )
    return found, clock


def clocks(samples: Samples, value: NDArray[np.float64]) -> dict[str, float]:
    """By machine, the median over its groups of their median of `value`, by row."""
    found: dict[str, list[float]] = {}
    for number in np.unique(samples.group):
        found.setdefault(samples.groups[number].machine, []).append(float(np.median(value[samples.group == number])))
    return {machine: float(np.median(medians)) for machine, medians in found.items()}


def means(values: NDArray[np.float64], group: NDArray[np.int64], weight: NDArray[np.float64], count: int):
    """Weighted means by group: [groups], or [groups, columns]."""
    total = np.maximum(np.bincount(group, weight, count), 1e-300)
    if values.ndim == 1:
        return np.bincount(group, weight * values, count) / total
    found = np.zeros((count, values.shape[1]))
    np.add.at(found, group, weight[:, None] * values)
    return found / total[:, None]


def _theta(value: NDArray[np.float64], group: NDArray[np.int64], weight: NDArray[np.float64], count: int):
    """The share of a group's mean that is taken off: by the variance within groups and that of their means."""
    mean = means(value, group, weight, count)
    rows = np.bincount(group, minlength=count)
    within = float(np.sum((value - mean[group]) ** 2) / max(1, len(value) - np.count_nonzero(rows)))
    held = mean[rows > 0]
    between = max(0.0, float(held.var()) - within / max(1.0, float(rows[rows > 0].mean())))
    return 1 - np.sqrt(within / np.maximum(1e-12, within + np.maximum(1, rows) * between))


def digest(samples: Samples) -> str:
    """A digest that identifies timed programs."""
    found = hashlib.blake2b(repr((samples.version, samples.groups)).encode(), digest_size=16)
    for array in (samples.group, samples.features, samples.price, samples.warm):
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def joined(several: Sequence[Samples]) -> Samples:
    """Samples of several files, one after the other. GriotteError where their features are of other versions."""
    versions = sorted({samples.version for samples in several})
    if len(versions) != 1:
        raise GriotteError(
            f"expected features of one version, found versions {versions}; collect anew with this griotte"
        )
    numbers: dict[Group, int] = {}
    group = [
        np.array([numbers.setdefault(found, len(numbers)) for found in samples.groups], np.int64)[samples.group]
        for samples in several
    ]
    columns = {
        name: np.concatenate([getattr(samples, name) for samples in several])
        for name in ("features", "price", "warm", "cold", "spread")
    }
    trees = tuple(tree for samples in several for tree in samples.trees or [b""] * len(samples))
    return Samples(versions[0], tuple(numbers), np.concatenate(group), **columns, trees=trees)
