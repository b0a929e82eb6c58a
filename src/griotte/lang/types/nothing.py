"""Results without elements: no kernel writes them, and their shapes are all that they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .dtypes import dtype


@dataclass(frozen=True)
class Empty:
    """A result without elements: its place among all results, its name, dtype and shape."""

    place: int
    name: str
    dtype: str
    shape: tuple[int, ...]

    def array(self) -> np.ndarray:
        """A new array of it."""
        return np.empty(self.shape, dtype(self.dtype).numpy)


def among(results: Iterable[Any], empty: Iterable[Empty]) -> tuple[Any, ...]:
    """All results in order: these, and those without elements in their places."""
    found = list(results)
    for each in sorted(empty, key=lambda e: e.place):
        found.insert(each.place, each.array())
    return tuple(found)


def besides(results: Iterable[Any], empty: Iterable[Empty]) -> tuple[Any, ...]:
    """Those of all results in order that have elements."""
    places = {each.place for each in empty}
    return tuple(result for place, result in enumerate(results) if place not in places)
