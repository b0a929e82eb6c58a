"""Parts of timed programs that are held out while a model is fitted, and that it is judged by."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...engine.learned.samples import Group, Samples
from ...support.errors import GriotteError
from .training import Training

PARTS = 5
"""Of Specs, or of programs, that are held out in turn."""


class Split(NamedTuple):
    """One fit: a word for the held-out group, and a mask of its rows; the model is fitted to the others."""

    name: str
    out: NDArray[np.bool_]


_NAMED: dict[str, Callable[[Group], str]] = {
    "operation": lambda group: group.operation,
    "target": lambda group: group.target,
    "machine": lambda group: group.machine,
    "network": lambda group: group.network or "drawn",
}
SPLITS = ("spec", *_NAMED, "random")
"""Ways to hold out. Specs in five parts, at random. Each operation, target, machine or network in turn. Programs in
five parts, at random, so that the fit has others of their Spec."""


def splits(samples: Samples, by: str, seed: int) -> list[Split]:
    """The fits of one way to hold out.

    Raises:
        GriotteError: the way is none, or there are not two groups to hold out in turn.
    """
    if by not in SPLITS:
        raise GriotteError(f"expected a way to hold out ({', '.join(SPLITS)}), found {by!r}; name one of them")
    if by == "random":
        part = np.random.default_rng(seed).permutation(len(samples)) % PARTS
        return [Split(f"part {number + 1}", part == number) for number in range(PARTS)]
    words = [_NAMED[by](group) if by in _NAMED else group.spec for group in samples.groups]
    held = sorted({words[number] for number in np.unique(samples.group)})
    if len(held) < 2:
        raise GriotteError(
            f"expected timed programs of two {by}s or more to hold one out, found {len(held)}; collect others, or hold"
            " out another way"
        )
    number = np.array([held.index(word) if word in held else -1 for word in words])[samples.group]
    if by in _NAMED:
        return [Split(word, number == place) for place, word in enumerate(held)]
    parts = min(PARTS, len(held))
    part = np.random.default_rng(seed).permutation(len(held)) % parts
    return [Split(f"part {place + 1}", part[number] == place) for place in range(parts)]


MEMBERS = 5
"""Of an ensemble."""
FOLDS = 4
"""Parts of the Specs that are held out in turn."""
_DRAWN = 0.8  # of the Specs, that a member sees


def folds(training: Training, seed: int, count: int = FOLDS) -> list[NDArray[np.bool_]]:
    """Masks over groups: Specs are dealt out at random, all groups of one together."""
    held = np.unique(training.fold[np.unique(training.group)])
    part = np.full(training.fold.max() + 1, -1)
    part[held] = np.random.default_rng(seed).permutation(len(held)) % min(count, max(2, len(held)))
    return [part[training.fold] == number for number in range(min(count, max(2, len(held))))]


def member(training: Training, groups: NDArray[np.bool_], seed: int, number: int) -> NDArray[np.bool_]:
    """A mask over groups: four fifths of the Specs among them, drawn by seed and number."""
    among = np.unique(training.fold[groups])
    drawn = np.random.default_rng((seed, number)).permutation(among)[: max(1, round(_DRAWN * len(among)))]
    return groups & np.isin(training.fold, drawn)
