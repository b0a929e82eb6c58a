"""Corrections by a linear function of the features: several, each fitted to other groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .text import Section, rounded

MOST_MEMBERS = 32


@dataclass(frozen=True)
class Ridge:
    """Members of an ensemble.

    Attributes:
        intercept: [members].
        weights: [members, features] of the features as they are.
    """

    intercept: NDArray[np.float64]
    weights: NDArray[np.float64]
    word = "ridge"

    def members(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """What each member says of each row: [members, rows]."""
        return self.intercept[:, None] + self.weights @ features.T

    def terms(self, scale: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far the mean of the members moves with a feature that moves by its `scale`: [features]."""
        return self.weights.mean(0) * scale

    def data(self) -> dict[str, Any]:
        """What a file has of it."""
        return {
            "members": len(self.intercept),
            "intercept": rounded(self.intercept, 9),
            "weights": rounded(self.weights, 9),
        }

    @staticmethod
    def read(part: Section, features: int) -> Ridge:
        """From a file, of so many features. GriotteError where it is not that."""
        members = part.count("members", MOST_MEMBERS)
        if not members:
            part.refuse("ridge.members", "one member or more", "none")
        return Ridge(
            part.numbers("intercept", members, most=1e6), part.numbers("weights", members, features, most=1e12)
        )
