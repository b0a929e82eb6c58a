"""The network over programs' trees fitted to timed ones (engine/learned/network.py), by NumPy alone. It minimises the
squares that the other learners minimise, and beside them how often pairs of a Spec would be taken in the wrong
order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...engine.learned.network import (
    ROUNDS,
    WIDTH,
    Floats,
    MemberWeights,
    Network,
    Passed,
    TreeBatch,
    passed,
    shapes,
    standard,
)
from ...engine.learned.tree import COLUMNS, Tree, unpacked
from ...support.errors import GriotteError
from .pairs import TimedPairs
from .splits import MEMBERS, member
from .training import Training

EPOCHS, GROUPS, RATE, DECAY = 12, 12, 3e-3, 1e-4
"""Passes over all Specs, Specs of a step, its length at first (Adam: D. P. Kingma, J. Ba, 2015), the factor by which
weights shrink."""
BETA = (0.9, 0.99)
PAIRS = 0.02
"""What the order of pairs counts beside squares."""


def fit_network(training: Training, seed: int = 0, members: int = MEMBERS) -> Network:
    """The members, each of the groups that `splits.member` draws. GriotteError where programs have no trees."""
    if not training.trees or not all(training.trees):
        raise GriotteError("expected timed programs with their trees, found some without; collect them anew")
    trees = [unpacked(tree) for tree in training.trees]
    rows = np.concatenate([tree.nodes for tree in trees])
    mean, scale = rows.mean(0), rows.std(0)
    scale = np.where(scale > 1e-6, scale, 1.0).astype(np.float32)
    held = np.bincount(training.group, minlength=training.groups) > 0
    several = []
    for number in range(members):
        groups = np.flatnonzero(member(training, held, seed, number))
        several.append(_fitted(training, trees, groups, (mean, scale), np.random.default_rng((seed, number))))
    return Network(mean, scale, tuple(several))


class _Step(NamedTuple):
    """Groups of one step.

    Attributes:
        batch: their trees.
        rows: standardised.
        value, weight: [trees], as `Training` has them.
        log: [trees], of prices.
        share: [trees], the share of the group's mean error that is taken off.
        group: [trees], from 0 on.
        pairs: of the groups.
    """

    batch: TreeBatch
    rows: Floats
    value: NDArray[np.float64]
    weight: NDArray[np.float64]
    log: NDArray[np.float64]
    share: NDArray[np.float64]
    group: NDArray[np.int64]
    pairs: TimedPairs


def _fitted(training: Training, trees: Sequence[Tree], groups, scales, rng: np.random.Generator) -> MemberWeights:
    weights = begun(rng)
    first, second = ({name: np.zeros_like(x) for name, x in weights.items()} for _ in range(2))
    order = np.argsort(training.group, kind="stable")
    starts = np.searchsorted(training.group[order], np.arange(training.groups + 1))
    of_group = [order[starts[g] : starts[g + 1]] for g in range(training.groups)]
    steps = [_step(training, trees, [of_group[g] for g in some], scales) for some in _dealt(groups, rng)]
    total, n = EPOCHS * len(steps), 0
    for _ in range(EPOCHS):
        for number in rng.permutation(len(steps)):
            n += 1
            gradient = back(weights, steps[number].batch, *_slope(weights, steps[number]))
            rate = RATE * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * n / total)))
            for name, x in weights.items():
                first[name] += (1 - BETA[0]) * (gradient[name] - first[name])
                second[name] += (1 - BETA[1]) * (gradient[name] ** 2 - second[name])
                step = first[name] / (1 - BETA[0] ** n) / (np.sqrt(second[name] / (1 - BETA[1] ** n)) + 1e-8)
                x -= (rate * (step + DECAY * x / RATE)).astype(x.dtype)
    return weights


def _dealt(groups: NDArray[np.int64], rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    mixed = rng.permutation(groups)
    return (mixed[at : at + GROUPS] for at in range(0, len(mixed), GROUPS))


def begun(rng: np.random.Generator, columns: int = len(COLUMNS), width: int = WIDTH, type=np.float32) -> MemberWeights:
    """MemberWeights to begin with: the network reads out nothing."""
    found = {}
    for name, shape in shapes(columns, width).items():
        drawn = rng.normal(0, np.sqrt(2 / shape[0]) / (1 if name == "first" else 3), shape)
        found[name] = (drawn if len(shape) == 2 else np.zeros(shape)).astype(type)
    return found


def _step(training: Training, trees: Sequence[Tree], rows: list[NDArray[np.int64]], scales) -> _Step:
    every = np.concatenate(rows)
    batch = TreeBatch.of_trees([trees[n] for n in every])
    share = 1 - (1 - training.theta[training.group[every]]) ** 2
    group = np.repeat(np.arange(len(rows)), [len(each) for each in rows])
    value, weight, log = training.value[every], training.weight[every], training.log[every]
    pairs = TimedPairs.of(value + log, weight, group)
    return _Step(batch, standard(batch.rows, *scales), value, weight, log, share, group, pairs)


def _slope(weights: MemberWeights, step: _Step) -> tuple[Passed, Floats]:
    """A forward pass, and the gradient of the loss by its results."""
    found = passed(weights, step.batch, step.rows)
    return found, slope(found.found.astype(np.float64), step).astype(np.float32)


def loss(found: NDArray[np.float64], step: _Step) -> float:
    """The loss."""
    error = found - step.value
    mean = _means(error, step)[step.group]
    squares = float(np.sum(step.weight * (error**2 - step.share * mean * (2 * error - mean)))) / 2
    return (squares + PAIRS * step.pairs.lost(found + step.log).sum) / len(found)


def slope(found: NDArray[np.float64], step: _Step) -> NDArray[np.float64]:
    """The gradient of `loss`: [trees]."""
    error = found - step.value
    gradient = step.weight * (error - step.share * _means(error, step)[step.group])
    return (gradient + PAIRS * step.pairs.lost(found + step.log).gradient) / len(found)


def _means(values: NDArray[np.float64], step: _Step) -> NDArray[np.float64]:
    return np.bincount(step.group, step.weight * values) / np.bincount(step.group, step.weight)


def back(weights: MemberWeights, batch: TreeBatch, made: Passed, gradient: Floats) -> MemberWeights:
    """The gradient of each weight, from that of the results: [trees]."""
    found: MemberWeights = {}
    hidden, of = made.hidden, batch.of
    h, width = hidden[-1], hidden[-1].shape[1]
    found["all"], found["all bias"] = made.pooled.T @ gradient, gradient.sum(keepdims=True)
    of_pooled = gradient[:, None] * weights["all"]
    of_h = of_pooled[:, :width][of] * batch.share[:, None] + batch.tree.back(of_pooled[:, width:])
    of_factor = gradient[of] * made.ratio * (1 - made.factor**2)  # FACTOR tanh(x / FACTOR)
    found["node"], found["node bias"] = h.T @ of_factor, of_factor.sum(keepdims=True)
    of_h = of_h + of_factor[:, None] * weights["node"]
    for n in reversed(range(ROUNDS)):
        before, step = hidden[2 * n], hidden[2 * n + 1]
        of_said = of_h * (step > 0)
        below, above = made.around[n]
        found[f"own {n}"], found[f"bias {n}"] = before.T @ of_said, of_said.sum(0)
        found[f"parts {n}"], found[f"around {n}"] = below.T @ of_said, above.T @ of_said
        of_below = batch.parts.back(of_said @ weights[f"parts {n}"].T)
        of_above = batch.around.back(of_said @ weights[f"around {n}"].T)
        of_h = of_h + of_said @ weights[f"own {n}"].T
        of_h = of_h + batch.around.total(of_below) + batch.parts.total(of_above)
    of_first = of_h * (hidden[0] > 0)
    found["first"], found["first bias"] = made.standard.T @ of_first, of_first.sum(0)
    return found
