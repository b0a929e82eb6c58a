"""Which groups are held out together, and which a member of an ensemble is fitted to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .training import Training

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
