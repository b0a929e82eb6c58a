"""Timed programs as arrays: a model is fitted to them, and judged by them.

A *group* holds programs that are compared: of one Spec, for one target and number of threads, timed on one machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

COLUMNS = ("group", "features", "price", "warm", "cold", "spread")
"""The arrays of `Samples` that have a row for each program."""


class Group(NamedTuple):
    """What programs of a group have in common.

    Attributes:
        spec: its text.
        operation: its kind, by which samples are held out: the name of its call, or of a graph's dearest one with
            `graph:` before it.
        threads: how many a call runs on.
        target: the name of the target that the programs were made for.
        machine: the fingerprint of the CPU that ran them, and of its compiler.
        network: the name of the network that the Spec is a part of; empty where it was drawn.
    """

    spec: str
    operation: str
    threads: int
    target: str
    machine: str
    network: str = ""


@dataclass(frozen=True)
class Samples:
    """Timed programs, a row each.

    Attributes:
        version: the version of the features.
        groups: the groups.
        group: [rows] int64, the number of a row's group.
        features: [rows, features] float64.
        price: [rows] float64, cycles by the target's prices.
        warm: [rows] float64, microseconds of a call whose operands lie where the call before left them.
        cold: [rows] float64, the same with operands in memory; nan where it was not taken.
        spread: [rows] float64, how far two halves of a row's rounds are apart, relative to the lesser.
        trees: [rows], the programs' trees as bytes (tree.py); empty ones where they were not kept.
    """

    version: int
    groups: tuple[Group, ...]
    group: NDArray[np.int64]
    features: NDArray[np.float64]
    price: NDArray[np.float64]
    warm: NDArray[np.float64]
    cold: NDArray[np.float64]
    spread: NDArray[np.float64]
    trees: tuple[bytes, ...] = ()

    def __len__(self) -> int:
        return len(self.group)

    def of(self, rows: NDArray[Any] | Sequence[int]) -> Samples:
        """Those rows (a mask or numbers); all groups stay."""
        columns = {name: getattr(self, name)[rows] for name in COLUMNS}
        numbers = np.arange(len(self))[rows].tolist() if self.trees else []
        return replace(self, **columns, trees=tuple(self.trees[number] for number in numbers))

    def of_groups(self, numbers: Sequence[int]) -> Samples:
        """The rows of those groups."""
        return self.of(np.isin(self.group, np.asarray(numbers, np.int64)))
