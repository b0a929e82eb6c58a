"""A performance model: by how much the price of a program errs, and whether the model has seen anything like it. It
holds where in the space of features its training programs lie, and how far a program is from the nearest of them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...support.errors import GriotteError
from .learners import Forest, Ridge, beside
from .network import Network
from .text import LARGEST, Section, read, rounded

FORMAT = 1
"""Version of the file's form."""
Learner = Ridge | Forest | Network
LEARNERS: dict[str, type[Ridge] | type[Forest] | type[Network]] = {
    learner.word: learner for learner in (Ridge, Forest, Network)
}
_MOST_FEATURES, _MOST_WORDS = 1024, 256
_MOST_POINTS, _MOST_AXES = 1024, 64
_AT_ONCE = 4096  # rows
_FAR = 1e6  # of a feature, scales from the mean: further is as far
_MOST = float(np.log(4))  # a correction: a price that errs by more is another matter than order


class Prediction(NamedTuple):
    """What a model says of programs.

    Attributes:
        correction: [n], natural logarithm of time over price, up to a constant of the machine; 0 where not known.
        spread: [n], its standard deviation: by how far the members of the ensemble are apart, or, where a program is
            not known, by how far prices are off.
        known: [n] bool, whether the training programs were like it.
        caution: as `Accuracy` has it.
    """

    correction: NDArray[np.float64]
    spread: NDArray[np.float64]
    known: NDArray[np.bool_]
    caution: float = 1.0

    def logarithm(self, price: ArrayLike) -> NDArray[np.float64]:
        """The corrected price of programs of *one* Spec, as its natural logarithm: [n].

        Programs that are not known have the mean correction of those that are, so that the price decides among them;
        where fewer than half of them are known, it decides among all. The first by price stays the first unless another
        one is promised to gain more than `caution` times what the model is uncertain of it. For most of the price's
        error no feature tells (docs/lab/learned/README.md, First by price).

        Args:
            price: [n], cycles.
        """
        price = np.asarray(price, np.float64)
        if not len(price) or self.known.mean() < 0.5:
            return np.log(price)
        found = np.log(price) + np.where(self.known, self.correction, self.correction[self.known].mean())
        first, best = price.argmin(), found.argmin()
        if found[first] - found[best] < self.caution * self.spread[best]:
            found[first] = np.nextafter(found[best], -np.inf)
        return found


class Accuracy(NamedTuple):
    """How far held-out programs were off, as natural logarithms within a Spec.

    Attributes:
        scale, floor: a prediction's standard deviation is the root of (scale * spread of the members)^2 + floor^2.
        limit: the spread of the members up to which a program is known.
        price: the price's own standard deviation.
        noise: the clock's.
        caution: what another program than the first by price must be promised to gain, in spreads of it: what lost
            least of held-out Specs.
    """

    scale: float
    floor: float
    limit: float
    price: float
    noise: float
    caution: float = 1.0


@dataclass(frozen=True)
class Origin:
    """What a model was made of.

    Attributes:
        digest: of the timed programs.
        programs: how many, by operation.
        groups: how many Specs on so many threads.
        targets, machines: their names.
        clock: natural logarithm of microseconds a cycle of the price, by machine.
        griotte: its version.
        earned: what held-out programs said: a table of numbers by what they are of.
    """

    digest: str
    programs: Mapping[str, int]
    groups: int
    targets: tuple[str, ...]
    machines: tuple[str, ...]
    clock: Mapping[str, float]
    griotte: str
    earned: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class PerformanceModel:
    """A correction of prices that was fitted to timed programs.

    Attributes:
        version: of the features.
        names: of the features.
        learner: what says the correction.
        shrink: the share of the correction that counts, from 0, where the price alone does, to 1.
        seen: what was seen.
        accuracy: how far it was off.
        origin: what it was made of.
    """

    version: int
    names: tuple[str, ...]
    learner: Learner
    shrink: float
    seen: Covered
    accuracy: Accuracy
    origin: Origin

    def predict(self, features: ArrayLike, price: ArrayLike, trees: Sequence[bytes] = ()) -> Prediction:
        """What the model says of programs of *one* Spec: it looks at how each differs from the one of least price.

        Args:
            features: [n, features].
            price: [n], cycles.
            trees: [n], the programs' trees (tree.py), where the learner `takes_trees`.

        Raises:
            GriotteError: the features are others than those of the model, or there are no trees that it takes.
        """
        found, cycles = np.asarray(features, np.float64), np.asarray(price, np.float64)
        if found.ndim != 2 or found.shape[1] != len(self.names) or cycles.shape != found.shape[:1]:
            raise GriotteError(
                f"expected {len(self.names)} features and a price of each program, found arrays of {found.shape} and"
                f" {cycles.shape}; make them by griotte.engine.learned.features"
            )
        if self.learner.takes_trees and (len(trees) != len(found) or not all(trees)):
            raise GriotteError(
                f"expected the tree of each of {len(found)} programs, found {sum(map(bool, trees))}; a network over"
                " trees takes them: collect the programs anew"
            )
        is_sound = np.isfinite(found).all(1) & np.isfinite(cycles) & (cycles > 0)
        found = np.where(is_sound[:, None], found, 0.0)
        members = self.learner.members(beside(found, np.where(is_sound, cycles, np.inf)), trees)
        apart = members.std(0, ddof=1) if len(members) > 1 else np.zeros(len(found))
        known = is_sound & (apart <= self.accuracy.limit) & (self.seen.distance(found) <= self.seen.limit)
        correction = np.where(known, np.clip(self.shrink * members.mean(0), -_MOST, _MOST), 0.0)
        spread = np.where(known, np.hypot(self.accuracy.scale * apart, self.accuracy.floor), self.accuracy.price)
        return Prediction(correction, spread, known, self.accuracy.caution)

    def must_have(self, version: int, names: tuple[str, ...]) -> None:
        """Raises GriotteError unless the model is of these features."""
        if (self.version, self.names) != (version, names):
            raise GriotteError(
                f"expected a performance model of version {version} of the features, found one of version"
                f" {self.version} with {len(self.names)} of them; fit it anew with griotte learn fit"
            )

    # ---- the file ----------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the model as a file, whole or not at all. GriotteError where that does not go."""
        content = self.text().encode()
        if len(content) > LARGEST:
            raise GriotteError(
                f"expected a performance model of at most {LARGEST} bytes, found {len(content)}; fit fewer or smaller"
                " trees"
            )
        path = Path(path)
        part = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            part.write_bytes(content)
            part.replace(path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise GriotteError(
                f"expected to write {path}, found {error.strerror or error}; name a file in a folder that can be"
                " written"
            ) from None

    def text(self) -> str:
        """The file's text: JSON, a key a line, a list in one."""
        origin = asdict(self.origin)
        data = {
            "format": "griotte performance model",
            "version": FORMAT,
            "features": {"version": self.version, "names": list(self.names)},
            "origin": origin,
            "accuracy": self.accuracy._asdict(),
            "shrink": self.shrink,
            "learner": self.learner.word,
            self.learner.word: self.learner.data(),
            "seen": self.seen.data(),
        }
        indented = json.dumps(data, indent=1, allow_nan=False)
        return re.sub(r"\[[^][{}]*\]", lambda found: re.sub(r"\n *", "", found[0]), indented) + "\n"

    @staticmethod
    def load(path: str | Path) -> PerformanceModel:
        """The model of a file that `save` wrote. The file is data: nothing of it is run.

        Raises:
            GriotteError: there is no such file, or it is another, damaged or too large.
        """
        part = read(path)
        if part.data.get("format") != "griotte performance model":
            part.refuse("", "a performance model", "another JSON file")
        if part.count("version", 1 << 30) != FORMAT:
            part.refuse("version", f"{FORMAT}", f"{part.data['version']}")
        about = part.part("features")
        names = about.texts("names", _MOST_FEATURES)
        if not names:
            part.refuse("features.names", "one feature or more", "none")
        word = part.text("learner")
        if word not in LEARNERS:
            part.refuse("learner", " or ".join(LEARNERS), word)
        accuracy = part.part("accuracy")
        return PerformanceModel(
            about.count("version", 1 << 30),
            names,
            LEARNERS[word].read(part.part(word), len(names)),
            part.number("shrink", 0.0, 1.0),
            Covered.read(part.part("seen"), len(names)),
            Accuracy(*(accuracy.number(name, 0.0, 1e6) for name in Accuracy._fields)),
            _origin(part.part("origin")),
        )


def _origin(part: Section) -> Origin:
    programs, clock, earned = part.part("programs"), part.part("clock"), part.part("earned")
    return Origin(
        part.text("digest"),
        {key: programs.count(key, 1 << 40) for key in programs.items(_MOST_WORDS)},
        part.count("groups", 1 << 40),
        part.texts("targets", _MOST_WORDS),
        part.texts("machines", _MOST_WORDS),
        {key: clock.number(key, -100.0, 100.0) for key in clock.items(_MOST_WORDS)},
        part.text("griotte"),
        {
            key: {name: earned.part(key).number(name) for name in earned.part(key).items(_MOST_WORDS)}
            for key in earned.items(_MOST_WORDS)
        },
    )


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
        """How far each row is from the nearest point, with its part outside the axes: [rows], in scales."""
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
