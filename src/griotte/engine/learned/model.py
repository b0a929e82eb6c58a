"""A performance model: by how much the price of a program errs, and whether the model has seen anything like it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...support.errors import GriotteError
from .learners import Forest, Ridge
from .seen import Covered
from .text import LARGEST, Section, read

FORMAT = 1
"""Version of the file's form."""
LEARNERS: dict[str, type[Ridge] | type[Forest]] = {learner.word: learner for learner in (Ridge, Forest)}
_MOST_FEATURES, _MOST_WORDS = 1024, 256
_MOST = float(np.log(4))  # a correction: a price that errs by more is another matter than order


class Prediction(NamedTuple):
    """What a model says of programs.

    Attributes:
        correction: [n], natural logarithm of time over price, up to a constant of the machine; 0 where not known.
        spread: [n], its standard deviation: by how far the members of the ensemble are apart, or, where a program is
            not known, by how far prices are off.
        known: [n] bool, whether the training programs were like it.
    """

    correction: NDArray[np.float64]
    spread: NDArray[np.float64]
    known: NDArray[np.bool_]

    def logarithm(self, price: ArrayLike) -> NDArray[np.float64]:
        """The corrected price of programs of *one* Spec, as its natural logarithm: [n].

        Programs that are not known have the mean correction of those that are, so that the price decides among them;
        where fewer than half of them are known, it decides among all. The first by price stays the first unless another
        one is promised to gain more than the model is uncertain of it: what the price errs by is mostly what no feature
        tells (docs/lab/learned/README.md, First by price).

        Args:
            price: [n], cycles.
        """
        price = np.asarray(price, np.float64)
        if not len(price) or self.known.mean() < 0.5:
            return np.log(price)
        found = np.log(price) + np.where(self.known, self.correction, self.correction[self.known].mean())
        first, best = price.argmin(), found.argmin()
        if found[first] - found[best] < self.spread[best]:
            found[first] = np.nextafter(found[best], -np.inf)
        return found


class Accuracy(NamedTuple):
    """How far held-out programs were off, as natural logarithms within a Spec.

    Attributes:
        scale, floor: a prediction's standard deviation is the root of (scale * spread of the members)^2 + floor^2.
        limit: the spread of the members up to which a program is known.
        price: the price's own standard deviation.
        noise: the clock's.
    """

    scale: float
    floor: float
    limit: float
    price: float
    noise: float


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
        shrink: what of it counts, from 0, where the price alone does, to 1.
        seen: what was seen.
        accuracy: how far it was off.
        origin: what it was made of.
    """

    version: int
    names: tuple[str, ...]
    learner: Ridge | Forest
    shrink: float
    seen: Covered
    accuracy: Accuracy
    origin: Origin

    def predict(self, features: ArrayLike, price: ArrayLike) -> Prediction:
        """What the model says of programs.

        Args:
            features: [n, features].
            price: [n], cycles.

        Raises:
            GriotteError: the features are others than those of the model.
        """
        found, cycles = np.asarray(features, np.float64), np.asarray(price, np.float64)
        if found.ndim != 2 or found.shape[1] != len(self.names) or cycles.shape != found.shape[:1]:
            raise GriotteError(
                f"expected {len(self.names)} features and a price of each program, found arrays of {found.shape} and"
                f" {cycles.shape}; make them by griotte.engine.learned.features"
            )
        is_sound = np.isfinite(found).all(1) & np.isfinite(cycles) & (cycles > 0)
        found = np.where(is_sound[:, None], found, 0.0)
        members = self.learner.members(found)
        apart = members.std(0, ddof=1) if len(members) > 1 else np.zeros(len(found))
        known = is_sound & (apart <= self.accuracy.limit) & (self.seen.distance(found) <= self.seen.limit)
        correction = np.where(known, np.clip(self.shrink * members.mean(0), -_MOST, _MOST), 0.0)
        spread = np.where(known, np.hypot(self.accuracy.scale * apart, self.accuracy.floor), self.accuracy.price)
        return Prediction(correction, spread, known)

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
