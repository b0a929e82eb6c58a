"""What a model has seen: where in the space of features its training programs lie, and how far a program is from the
nearest of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .text import Section, rounded

_MOST_POINTS, _MOST_AXES = 1024, 64
_AT_ONCE = 4096  # rows
_FAR = 1e6  # of a feature, scales from the mean: further is as far


@dataclass(frozen=True)
class Covered:
    """Points among the training programs, in the principal axes of their standardised features.

    Attributes:
        mean, scale: [features], by which features are standardised.
        axes: [axes, features], orthonormal.
        points: [points, axes].
        limit: the distance from the nearest point within which a program is known.
    """

    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    axes: NDArray[np.float64]
    points: NDArray[np.float64]
    limit: float

    def distance(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far each row is from the nearest point, with what of it lies outside the axes: [rows], in scales."""
        blocks = [features[at : at + _AT_ONCE] for at in range(0, len(features), _AT_ONCE)]
        return np.concatenate([self._block(block) for block in blocks]) if blocks else np.zeros(0)

    def _block(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        standard = self.standard(features)
        along = standard @ self.axes.T
        outside = np.maximum(0, (standard**2).sum(1) - (along**2).sum(1))
        squares = (along**2).sum(1)[:, None] + (self.points**2).sum(1) - 2 * along @ self.points.T
        return np.sqrt(np.maximum(0, squares.min(1)) + outside)

    def standard(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """Features less their means, in scales."""
        return np.clip((features - self.mean) / self.scale, -_FAR, _FAR)

    def data(self) -> dict[str, Any]:
        """What a file has of it."""
        return {
            "axis_count": len(self.axes),
            "point_count": len(self.points),
            "limit": self.limit,
            "mean": rounded(self.mean),
            "scale": rounded(self.scale),
            "axes": rounded(self.axes, 4),
            "points": rounded(self.points, 4),
        }

    @staticmethod
    def read(part: Section, features: int) -> Covered:
        """From a file, of so many features. GriotteError where it is not that."""
        axes, points = part.count("axis_count", _MOST_AXES), part.count("point_count", _MOST_POINTS)
        if not points:
            part.refuse("seen.point_count", "one point or more", "none")
        scale = part.numbers("scale", features, most=1e12)
        if (scale <= 0).any():
            part.refuse("seen.scale", "scales above 0", f"{scale.min():g}")
        return Covered(
            part.numbers("mean", features, most=1e12),
            np.maximum(scale, 1e-9),
            part.numbers("axes", axes, features, most=2.0),
            part.numbers("points", points, axes, most=1e9),
            part.number("limit", 0.0, 1e12),
        )


def covering(features: NDArray[np.float64], axes: int = 16, points: int = 256) -> Covered:
    """What training programs cover: principal axes, and points no program is far from (farthest first, T. F.
    Gonzalez, *Clustering to minimize the maximum intercluster distance*, 1985). Its limit is 0, to be set.

    Args:
        features: [rows, features] of the training programs.
        axes: how many, at most.
        points: how many, at most.
    """
    mean, scale = features.mean(0), features.std(0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    standard = (features - mean) / scale
    _, vectors = np.linalg.eigh(standard.T @ standard)
    chosen = vectors[:, ::-1][:, : min(axes, features.shape[1])].T
    along = standard @ chosen.T
    first = int(np.argmin((along**2).sum(1)))
    numbers, nearest = [first], ((along - along[first]) ** 2).sum(1)
    while len(numbers) < points and nearest.max() > 1e-9:
        numbers.append(int(np.argmax(nearest)))
        nearest = np.minimum(nearest, ((along - along[numbers[-1]]) ** 2).sum(1))
    return Covered(mean, scale, chosen, along[numbers], 0.0)
