"""A performance model fitted to timed programs: which learner, the share of its corrections that counts, what it knows,
how far it is off. Programs that were held out decide all of that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...engine.learned.model import Accuracy, Learner, Origin, PerformanceModel, Prediction, covering
from ...engine.learned.samples import Samples
from ...support.errors import GriotteError
from . import learners
from .fit_network import fit_network
from .learners import fit_ridge, fit_trees
from .scores import Judged, judge, summary
from .splits import MEMBERS, folds
from .training import Training, digest, training

FITS: dict[str, Callable[[Training, int, int], Learner]] = {
    "ridge": fit_ridge,
    "trees": fit_trees,
    "network": fit_network,
}
"""Learners, the simplest first."""
AUTO = "auto"
_AS_GOOD = 1.05  # regret of a simpler learner over another's, up to which it is taken
_SEEN = 0.98  # of held-out programs, how many are taken to be known by their distance, and by their spread
_LEAST_NOISE = 2e-3
_MOST_OF_ONE = 4.0  # groups in the middle, that one counts for at most where it says how much of corrections counts
_LEAST_LOST = 1.02
_SURE = 1.64  # standard errors: nineteen in twenty, one way
CAUTIONS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0)
_MEMBERS = 3  # of what is judged by held-out programs: there is one more fit for each fold


class HeldOut(NamedTuple):
    """Predictions for each row by members that were not fitted to its Spec.

    Attributes:
        correction: [rows], the mean of the members.
        apart: [rows], their standard deviation.
        distance: [rows], from the nearest training program.
    """

    correction: NDArray[np.float64]
    apart: NDArray[np.float64]
    distance: NDArray[np.float64]

    @property
    def known(self) -> NDArray[np.bool_]:
        """[rows], whether a model would know each: by its distance and its members."""
        near = self.distance <= np.quantile(self.distance, _SEEN)
        return near & (self.apart <= np.quantile(self.apart, _SEEN))


def fit(samples: Samples, names: tuple[str, ...], learner: str = AUTO, seed: int = 0) -> PerformanceModel:
    """The model of timed programs.

    Args:
        samples: the programs.
        names: of their features.
        learner: one of FITS, or AUTO for the simplest that orders held-out Specs as well as another.
        seed: of the random numbers.

    Raises:
        GriotteError: there are too few programs or Specs, or LightGBM is not installed for `trees`.
    """
    found, clock = training(samples)
    if len(np.unique(found.fold[np.unique(found.group)])) < 2:
        raise GriotteError(
            "expected timed programs of two Specs or more, found one; time more with griotte learn collect"
        )
    held = {word: _Heard.of(samples, found, held_out(found, word, seed)) for word in _candidates(learner, samples)}
    earned = {"price": _earned(samples, np.log(samples.price))} | {word: one.earned for word, one in held.items()}
    word = chosen(earned)
    seen = covering(found.features)
    seen = replace(seen, limit=float(np.quantile(held[word].distance, _SEEN)))
    return PerformanceModel(
        samples.version,
        names,
        FITS[word](found, seed, MEMBERS),
        held[word].shrink,
        seen,
        held[word].accuracy,
        _origin(samples, clock, earned),
    )


def held_out(training: Training, word: str, seed: int) -> HeldOut:
    """What members of a learner say of rows whose Specs they have not seen, by parts of the Specs in turn."""
    rows = len(training.value)
    found, wide = HeldOut(np.zeros(rows), np.zeros(rows), np.zeros(rows)), training.wide
    for out in folds(training, seed):
        inside = training.of(~out)
        here = out[training.group]
        said = FITS[word](inside, seed, _MEMBERS).members(wide[here], training.trees_of(here))
        found.correction[here], found.apart[here] = said.mean(0), said.std(0, ddof=1)
        found.distance[here] = covering(inside.features).distance(training.features[here])
    return found


class _Heard(NamedTuple):
    """A learner's results on held-out Specs: the share of its corrections that counts, how far they are off, how far
    programs were from those fitted to, and figures of its order."""

    shrink: float
    accuracy: Accuracy
    distance: NDArray[np.float64]
    earned: dict[str, float]

    @staticmethod
    def of(samples: Samples, training: Training, held: HeldOut) -> _Heard:
        known = held.known
        shrink = shrunk(training, held.correction, known)
        correction = shrink * held.correction
        accuracy = _accuracy(samples, training, correction, held.apart, known)
        spread = np.hypot(accuracy.scale * held.apart, accuracy.floor)
        orders = {caution: _ordered(samples, correction, spread, known, caution) for caution in CAUTIONS}
        judged = {caution: judge(samples, order) for caution, order in orders.items()}
        most = cautious({caution: np.array([one.lost[0] for one in each]) for caution, each in judged.items()})
        return _Heard(shrink, accuracy._replace(caution=most), held.distance, _figures(judged[most]))


def cautious(lost: dict[float, NDArray[np.float64]]) -> float:
    """The largest caution whose first choices lose no more than those of the best one, within 2 % of that or within the
    difference's uncertainty. That is after the one-standard-error rule of L. Breiman and others (*Classification and
    regression trees*, 1984, 3.4.3). With few Specs one of them decides, and then the price's choice is as good.

    Args:
        lost: the loss of each Spec's first choice, by caution: [Specs].
    """
    best = min(lost, key=lambda caution: float(lost[caution].sum()))
    if not len(lost[best]):
        return max(lost)

    def is_as_good(caution: float) -> bool:
        more = lost[caution] - lost[best]
        error = float(more.std()) / np.sqrt(len(more))
        return bool(more.mean() <= max((_LEAST_LOST - 1) * lost[best].mean(), _SURE * error))

    return max(filter(is_as_good, lost))


def _ordered(
    samples: Samples,
    correction: NDArray[np.float64],
    spread: NDArray[np.float64],
    known: NDArray[np.bool_],
    caution: float,
) -> NDArray[np.float64]:
    """The numbers that order the programs of each Spec, by a model's predictions for them: [rows]."""
    found = np.zeros(len(samples))
    order = np.argsort(samples.group, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(samples.group[order])) + 1):
        said = Prediction(correction[rows], spread[rows], known[rows], caution)
        found[rows] = said.logarithm(samples.price[rows])
    return found


def chosen(earned: dict[str, dict[str, float]]) -> str:
    """The simplest learner whose order of held-out Specs loses no more than the best one's, within 5 %: regret of the
    first choice and of the best of five."""
    lost = {word: one.get("first", 0.0) + one.get("five", 0.0) for word, one in earned.items() if word in FITS}
    return next(word for word in FITS if word in lost and lost[word] <= _AS_GOOD * min(lost.values()))


def _candidates(learner: str, samples: Samples) -> list[str]:
    if learner == AUTO:
        there = {"trees": learners.is_installed(), "network": bool(samples.trees) and all(samples.trees)}
        return [word for word in FITS if there.get(word, True)]
    if learner not in FITS:
        raise GriotteError(f"expected a learner ({AUTO}, {', '.join(FITS)}), found {learner!r}; name one of them")
    return [learner]


def shrunk(training: Training, correction: NDArray[np.float64], known: NDArray[np.bool_]) -> float:
    """How much of a correction counts, from 0 to 1, by least squares within Specs over rows that were held out and
    would be known. No group counts for more than some: a linear function says anything of a group unlike all others,
    which would else take all of it away."""
    value, said, weight = training.apart(training.value), training.apart(correction), training.weight * known
    square = np.bincount(training.group, weight * said**2, training.groups)
    cross = np.bincount(training.group, weight * said * value, training.groups)
    if not (square > 0).any():
        return 0.0
    share = np.minimum(1, _MOST_OF_ONE * np.median(square[square > 0]) / np.maximum(square, 1e-300))
    return float(np.clip(np.sum(share * cross) / np.sum(share * square), 0.0, 1.0))


def _accuracy(
    samples: Samples,
    training: Training,
    correction: NDArray[np.float64],
    apart: NDArray[np.float64],
    known: NDArray[np.bool_],
) -> Accuracy:
    """How far corrections and prices were off within Specs, and how much of it the members' spread foretells, for
    programs that would be known."""
    rows = np.bincount(training.group, minlength=training.groups)[training.group]
    free = np.sqrt(rows / np.maximum(1, rows - 1))  # the mean took one degree of freedom
    off = (free * training.apart(training.value - correction)) ** 2
    noise = max(_LEAST_NOISE, float(np.sqrt(np.nanmean(samples.spread**2))) / 2)  # of the mean of both halves
    square, off = (apart**2)[known], off[known]
    varies = square - square.mean()
    slope = float(np.clip(np.sum(varies * off) / max(1e-30, np.sum(varies**2)), 0.0, 25.0))
    floor = np.sqrt(max(noise**2, float(off.mean()) - slope * float(square.mean())))
    return Accuracy(
        float(np.sqrt(slope)),
        float(floor),
        float(np.quantile(apart, _SEEN)) + 1e-9,
        float(np.sqrt(np.mean((free * training.apart(training.value)) ** 2))),
        noise,
    )


def _earned(samples: Samples, logs: NDArray[np.float64]) -> dict[str, float]:
    """Figures of an order of held-out Specs."""
    return _figures(judge(samples, logs))


def _figures(judged: list[Judged]) -> dict[str, float]:
    found = summary(judged)
    return {name: float(found[name]) for name in ("specs", "first", "five", "worst", "tau", "runs") if name in found}


def _origin(samples: Samples, clock: dict[str, float], earned: dict[str, dict[str, float]]) -> Origin:
    groups = [samples.groups[number] for number in np.unique(samples.group)]
    operations = [samples.groups[number].operation for number in samples.group]
    try:
        griotte = version("griotte")
    except PackageNotFoundError:
        griotte = "unknown"
    return Origin(
        digest(samples),
        {name: operations.count(name) for name in sorted(set(operations))},
        len(groups),
        tuple(sorted({group.target for group in groups})),
        tuple(sorted({group.machine for group in groups})),
        clock,
        griotte,
        earned,
    )
