"""How good an order of programs is: regret, Kendall's tau and errors of predicted times, Spec by Spec."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...engine.learned.samples import Samples

LEAST = 5
"""A Spec with fewer programs is not judged."""
NEAR = 0.01
"""What a program may lose to the best, to be as good as it."""
BUDGETS = (1, 5, 10, 20, 50)
"""Numbers of runs after which the loss of the fastest so far to the best is reported."""
_APART = 0.02  # times differ by that much at least, or by what halves of the rounds do


@dataclass(frozen=True)
class Judged:
    """One Spec's programs in an order.

    Attributes:
        operation: its kind.
        lost: what the best of the first programs of the order, as many as each of BUDGETS, loses to the best of all.
        chosen, best: microseconds of the first and of the best.
        runs: programs timed in that order until one is `NEAR` the best.
        random: the same in a random order, in the mean.
        pairs: pairs that the clock tells apart, in the right order and in another.
        halves: the same of one half of the rounds against the other.
        errors: the sum over programs of |predicted time over measured - 1|, and how many there are.
    """

    operation: str
    lost: tuple[float, ...]
    chosen: float
    best: float
    runs: int
    random: float
    pairs: tuple[int, int]
    halves: tuple[int, int]
    errors: tuple[float, int]


def judge(samples: Samples, predicted: NDArray[np.float64]) -> list[Judged]:
    """A result for each group with `LEAST` programs or more.

    Args:
        samples: the timed programs.
        predicted: [rows], natural logarithm of microseconds, or of anything that grows with them.
    """
    found = []
    for number in np.unique(samples.group):
        rows = np.flatnonzero(samples.group == number)
        if len(rows) >= LEAST:
            operation, part = samples.groups[number].operation, samples.of(rows)
            found.append(_judged(operation, part.warm, part.spread, predicted[rows], int(number)))
    return found


def _judged(
    operation: str, times: NDArray[np.float64], spread: NDArray[np.float64], predicted: NDArray[np.float64], seed: int
) -> Judged:
    order, best = np.argsort(predicted, kind="stable"), float(times.min())
    near = times <= best * (1 + NEAR)
    logs, signs = np.log(times), np.random.default_rng(seed).choice((-0.5, 0.5), len(times))
    apart = np.abs(logs[:, None] - logs) > np.maximum(_APART, spread[:, None] + spread)
    pairs = apart & np.tri(len(times), k=-1, dtype=bool)
    return Judged(
        operation,
        tuple(float(times[order[:runs]].min() / best - 1) for runs in BUDGETS),
        float(times[order[0]]),
        best,
        int(np.flatnonzero(near[order])[0]) + 1,
        (len(times) + 1) / (np.count_nonzero(near) + 1),
        _concord(pairs, predicted, logs),
        _concord(pairs, logs + signs * spread, logs - signs * spread),
        (float(np.sum(np.abs(np.exp(np.minimum(50, predicted - logs)) - 1))), len(times)),
    )


def _concord(pairs: NDArray[np.bool_], one: NDArray[np.float64], other: NDArray[np.float64]) -> tuple[int, int]:
    """Pairs that both order alike, and the others."""
    same = ((one[:, None] < one) == (other[:, None] < other))[pairs]
    return int(np.count_nonzero(same)), int(np.count_nonzero(~same))


def tau(pairs: Sequence[tuple[int, int]]) -> float:
    """Kendall's tau over all pairs; 1 where there are none."""
    same, others = sum(p[0] for p in pairs), sum(p[1] for p in pairs)
    return (same - others) / (same + others) if same + others else 1.0


def summary(found: Sequence[Judged]) -> dict[str, float]:
    """Figures of several Specs, as shares but for the runs and Specs.

    `first` and `five` are the mean regret of the first and of the best of five, `worst` the largest of the first,
    `after N` the mean after so many runs. `ape` is the error of the chosen and `mape` the mean error of predicted
    times, as arXiv 2008.01040 has them (section 6.1). `tau` and its `ceiling` are by the clock. `runs`, and `random`,
    are those until one is near the best; `holds` is the Specs whose first five hold one that is.
    """
    if not found:
        return {"specs": 0}
    lost = np.array([one.lost for one in found])
    off, programs = np.sum([one.errors for one in found], 0)
    after = {f"after {runs}": float(mean) for runs, mean in zip(BUDGETS, lost.mean(0))}
    return after | {
        "specs": len(found),
        "first": float(lost[:, 0].mean()),
        "five": float(lost[:, 1].mean()),
        "worst": float(lost[:, 0].max()),
        "ape": sum(abs(one.chosen - one.best) for one in found) / sum(one.best for one in found),
        "mape": float(off / programs),
        "tau": tau([one.pairs for one in found]),
        "ceiling": tau([one.halves for one in found]),
        "runs": float(np.mean([one.runs for one in found])),
        "random": float(np.mean([one.random for one in found])),
        "holds": float(np.mean(lost[:, 1] <= NEAR)),
    }
