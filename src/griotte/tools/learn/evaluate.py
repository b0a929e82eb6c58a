"""A performance model's worth on programs that it was not fitted to, beside the price."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...engine.learned.model import PerformanceModel
from ...engine.learned.samples import Samples
from ...engine.learned.updates import BATCH, Updated
from ...support.errors import GriotteError
from .fit import AUTO, fit
from .prices import fit_prices, repriced
from .scores import judge, summary
from .splits import splits
from .training import clocks, digest

ALL, GRAPHS = "all", "graphs"
_GRAPH = "graph:"

Figures = dict[str, list[dict[str, float]]]
"""Figures by operation, ALL and GRAPHS among them: of each seed those of `scores.summary`."""


@dataclass
class Said:
    """Predictions for each row by models that were not fitted to it.

    Attributes:
        price, model, prices: [rows], natural logarithm of microseconds by the price, by the model, by corrected prices.
        updates: [rows], the place of each among its Spec's in the order in which updates of the model time them.
        known: [rows], whether the model knew it.
        stopped: runs after which updates of a Spec see nothing to gain, and what they had lost by then, by group.
        learners: which were taken.
    """

    price: NDArray[np.float64]
    model: NDArray[np.float64]
    prices: NDArray[np.float64]
    updates: NDArray[np.float64]
    known: NDArray[np.bool_]
    stopped: dict[int, tuple[int, float]] = field(default_factory=dict)
    learners: list[str] = field(default_factory=list)

    @staticmethod
    def nothing(rows: int) -> Said:
        price, model, prices, updates = np.full((4, rows), np.nan)
        return Said(price, model, prices, updates, np.zeros(rows, bool))


@dataclass(frozen=True)
class Evaluation:
    """Figures of one way to hold out.

    Attributes:
        by: the way.
        samples: the timed programs.
        said: of each seed.
        ways: figures by who gives the order: `price`, `model`, `updates`, `prices`; without `updates` where Specs were
            not held out whole.
    """

    by: str
    samples: Samples
    said: list[Said]
    ways: dict[str, Figures]

    @property
    def known(self) -> float:
        """The share of held-out programs that models knew."""
        return float(np.mean([one.known.mean() for one in self.said]))

    @property
    def stopped(self) -> tuple[float, float]:
        """Runs of a Spec after which updates see nothing to gain, and the regret by then, in the mean."""
        found = [pair for one in self.said for pair in one.stopped.values()] or [(0, 0.0)]
        runs, lost = np.mean(found, 0)
        return float(runs), float(lost)


def evaluate(
    samples: Samples,
    names: tuple[str, ...],
    by: str = "spec",
    seeds: int = 3,
    learner: str = AUTO,
    advance: Callable[[], None] = lambda: None,
) -> Evaluation:
    """Models fitted to parts of the programs, judged by the others.

    Args:
        samples: timed programs.
        names: of their features.
        by: the way to hold samples out: one of `splits.SPLITS`.
        seeds: how often, each with other parts and other members.
        learner: as `fit` has it.
        advance: called after each fit; there are `fits` of them.
    """
    said = []
    for seed in range(seeds):
        found = Said.nothing(len(samples))
        for split in splits(samples, by, seed):
            model = fit(samples.of(~split.out), names, learner, seed)
            found.learners.append(model.learner.word)
            _say(found, samples, np.flatnonzero(split.out), model, _Prices.fitted(samples.of(~split.out), names))
            advance()
        said.append(found)
    return _evaluation(by, samples, said)


def fits(samples: Samples, by: str, seeds: int) -> int:
    """How many models `evaluate` fits."""
    return sum(len(splits(samples, by, seed)) for seed in range(seeds))


def against(samples: Samples, model: PerformanceModel) -> Evaluation:
    """A model that is there, judged by programs that it was not fitted to. GriotteError where it was."""
    if digest(samples) == model.origin.digest:
        raise GriotteError(
            "expected timed programs that the model was not fitted to, found those that it was; collect others, or hold"
            " some out with --by"
        )
    found = Said.nothing(len(samples))
    found.learners.append(model.learner.word)
    _say(found, samples, np.arange(len(samples)), model, _Prices({}, dict(model.origin.clock)))
    return _evaluation("model", samples, [found])


class _Prices(NamedTuple):
    """Factors of corrected prices, and the clocks by these."""

    factors: dict[str, float]
    clock: dict[str, float]

    @staticmethod
    def fitted(samples: Samples, names: tuple[str, ...]) -> _Prices:
        factors = fit_prices(samples, names)
        logs = repriced(samples.features, samples.price, names, factors)
        return _Prices(factors, clocks(samples, np.log(samples.warm) - logs))


def _say(said: Said, samples: Samples, rows: NDArray[np.int64], model: PerformanceModel, prices: _Prices) -> None:
    """What model and prices say of those rows, group by group. The clock of a machine that was not fitted to is taken
    by these rows, as one run would show it."""
    part = samples.of(rows)
    seen = clocks(part, np.log(part.warm / part.price))
    for number in np.unique(part.group):
        here = rows[part.group == number]
        one = samples.of(here)
        prediction, log = model.predict(one.features, one.price, one.trees), np.log(one.price)
        machine = samples.groups[number].machine
        clock = model.origin.clock.get(machine, seen[machine])
        said.price[here], said.model[here] = log + clock, prediction.logarithm(one.price) + clock
        corrected = repriced(one.features, one.price, model.names, prices.factors)
        said.prices[here] = corrected + prices.clock.get(machine, clock)
        said.known[here] = prediction.known
        if len(here) == np.count_nonzero(samples.group == number):  # all of a Spec: what is timed next is among them
            order, stop = updated(model, one)
            said.updates[here[order]] = np.arange(len(order))
            said.stopped[int(number)] = (stop, float(one.warm[order[:stop]].min() / one.warm.min() - 1))


def updated(model: PerformanceModel, samples: Samples, batch: int = BATCH) -> tuple[NDArray[np.int64], int]:
    """The order in which updates of a model time the programs of one Spec, given the times that are known: their
    numbers, and after how many it sees nothing to gain."""
    belief, stop = Updated(model, samples.features, samples.price, samples.trees), None
    order: list[int] = []
    while len(order) < len(samples):
        chosen = belief.next(batch)
        if stop is None and len(chosen) < batch:
            stop = len(order) + len(chosen)
        chosen = chosen or belief.next(batch, least=-1.0)
        belief.tell(chosen, samples.warm[chosen].tolist())
        order += chosen
    return np.array(order), max(1, len(order) if stop is None else stop)


def _evaluation(by: str, samples: Samples, said: list[Said]) -> Evaluation:
    ways: dict[str, Figures] = {}
    for way in ("price", "model", "updates", "prices"):
        if np.isnan([getattr(one, way) for one in said]).any():
            continue
        ways[way] = {}
        for one in said:
            judged = judge(samples, getattr(one, way))
            parts = {ALL: judged}
            if graphs := [each for each in judged if each.operation.startswith(_GRAPH)]:
                parts[GRAPHS] = graphs
            for operation in sorted({each.operation for each in judged}):
                parts[operation] = [each for each in judged if each.operation == operation]
            for operation, several in parts.items():
                ways[way].setdefault(operation, []).append(summary(several))
    return Evaluation(by, samples, said, ways)
