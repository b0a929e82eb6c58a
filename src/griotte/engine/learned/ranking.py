"""Programs of one Spec as a performance model orders them, and why: a prediction beside each price, and the features
that part two of them.

Models come with griotte for the known machines (machine/machines) whose programs were timed, where they earn more than
the price does. `tests/engine/learned/test_known.py` holds what each earned of programs that it was not fitted to.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...machine import resolve
from ...machine.detect import detect, fingerprint
from ...machine.measured import nearest_shipped
from ...machine.target import Target
from ...support.errors import GriotteError, SpecError
from ..program.nodes import Node
from .features import NAMES, VERSION, features
from .model import PerformanceModel, Prediction
from .tree import packed, trees

GivenModel = str | os.PathLike[str] | PerformanceModel
TERMS = 4
"""Features that are told."""
_LITTLE = 5e-4  # of the time: what moves it by less is not told
_DIGEST = 12  # characters


def model_of(given: GivenModel | None) -> PerformanceModel | None:
    """The model that a `model` argument names: itself, that of a file, or of "known" the one that comes with griotte
    for machines like this; None for None.

    Raises:
        SpecError: it is neither a path nor a model.
        GriotteError: the file is none, or the model is of other features; there is none for machines like this.
    """
    if given is None:
        return None
    if isinstance(given, (str, os.PathLike)):
        given = model_named(os.fspath(given))
    if not isinstance(given, PerformanceModel):
        raise SpecError(
            f"expected a path or a PerformanceModel as model, found {given!r}; name a file that griotte learn fit wrote"
        )
    given.must_have(VERSION, NAMES)
    return given


def trees_for(model: PerformanceModel, roots: Sequence[Node], target: Target) -> list[bytes]:
    """The trees of those roots, where the model takes them; else none."""
    return [packed(tree) for tree in trees(roots, target)] if model.learner.takes_trees else []


@dataclass(frozen=True)
class Ranked:
    """Programs of one Spec on one target and number of threads, with what a model says of each.

    Attributes:
        model: the model.
        features: [programs, features].
        price: [programs], cycles.
        prediction: of each.
    """

    model: PerformanceModel
    features: NDArray[np.float64]
    price: NDArray[np.float64]
    prediction: Prediction

    @staticmethod
    def of(model: PerformanceModel, roots: Sequence[Node], target: Target, threads: int) -> Ranked:
        """The programs of those roots."""
        found = features(roots, target, threads)
        price = np.maximum(1e-9, np.array([root.cost for root in roots], np.float64))
        given = trees_for(model, roots, target)
        return Ranked(model, found, price, model.predict(found, price, given))

    @cached_property
    def logarithm(self) -> NDArray[np.float64]:
        """The natural logarithm of each corrected price, in cycles."""
        return self.prediction.logarithm(self.price)

    @property
    def order(self) -> list[int]:
        """The places of the programs, the best first; of equal ones the first given."""
        return np.argsort(self.logarithm, kind="stable").tolist()

    @property
    def decides(self) -> bool:
        """Whether the model knows enough of the programs to order them; else the price does."""
        return bool(self.prediction.known.mean() >= 0.5)

    def facts(self, place: int, first: int = 0) -> dict[str, Any]:
        """The report on the program at a place, beside that of least price.

        Returns:
            digest: of the model's data.
            known: whether the model has seen programs like it.
            decides: whether the model orders these programs, or the price.
            predicted: the corrected price, in cycles; predicted_us: in microseconds, where the model knows the machine.
            uncertainty: the prediction's standard deviation, relative.
            of: how many programs were ordered; place: the program's own, by price, from 0.
            terms: what parts it from the first by price: feature, its value here and there, and by how much that alone
            changes the predicted time, relative.
        """
        log = float(self.logarithm[place])
        clock = _clock(self.model)
        return {
            "digest": self.model.origin.digest[:_DIGEST],
            "known": bool(self.prediction.known[place]),
            "decides": self.decides,
            "predicted": exp(log),
            "predicted_us": None if clock is None else exp(log + clock),
            "uncertainty": float(self.prediction.spread[place]),
            "of": len(self.price),
            "place": int(np.count_nonzero(self.price < self.price[place])),
            "terms": self.terms(place, first) if self.decides else [],
        }

    def terms(self, place: int, first: int, most: int = TERMS) -> list[dict[str, Any]]:
        """The features that set the prediction of one program furthest apart from that of another. Each is changed
        alone in either of them, and the mean is taken (of a linear model its weight times the difference)."""
        here, there = self.features[place], self.features[first]
        differ = np.flatnonzero(here != there)
        if not len(differ) or self.model.learner.takes_trees:
            return []
        one, other = np.tile(there, (len(differ), 1)), np.tile(here, (len(differ), 1))
        rows = np.arange(len(differ))
        one[rows, differ], other[rows, differ] = here[differ], there[differ]
        cheapest = self.features[self.price.argmin()]
        rows_of = lambda features: np.concatenate([features, features - cheapest], 1)
        says = lambda features: self.model.shrink * self.model.learner.members(rows_of(features)).mean(0)
        low, high = says(np.stack([there, here]))
        effects = (says(one) - low + high - says(other)) / 2
        order = np.argsort(-np.abs(effects), kind="stable")[:most]
        return [
            {
                "feature": self.model.names[differ[n]],
                "chosen": float(here[differ[n]]),
                "first": float(there[differ[n]]),
                "effect": float(np.expm1(effects[n])),
            }
            for n in order
            if abs(effects[n]) >= _LITTLE
        ]


def _clock(model: PerformanceModel) -> float | None:
    """The logarithm of microseconds a cycle on this machine; None where the model has not seen it."""
    here = fingerprint()
    return next((log for machine, log in model.origin.clock.items() if machine.startswith(here)), None)


KNOWN = "known"
"""Names the model of the machine that is most like this one."""
FOLDER = Path(__file__).with_name("known")


def known_machines() -> list[str]:
    """The machines that have one."""
    return sorted(path.stem for path in FOLDER.glob("*.gtm"))


def model_named(word: str) -> PerformanceModel:
    """The model of a file, or the one that comes with griotte for machines like this; GriotteError where there is none,
    or the file is no model."""
    return known_model() if word == KNOWN else PerformanceModel.load(word)


def known_model() -> PerformanceModel:
    """The model of the known machine whose prices this one has; GriotteError where that has none."""
    name = nearest_shipped(detect(), resolve("native").vector_bytes).name
    machines = known_machines()
    if name not in machines:
        raise GriotteError(
            f"expected a machine like one with a model of its own ({', '.join(machines)}), found one like {name}; fit"
            " a model here: griotte learn collect, griotte learn fit"
        )
    return PerformanceModel.load(str(FOLDER / f"{name}.gtm"))
