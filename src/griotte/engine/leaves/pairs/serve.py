"""Leaves that find the maximum of a row and the sum of its exponentials less that at once."""

from __future__ import annotations

from ....lang.nests.family import Family
from ....lang.nests.graph import Graph
from ....lang.nests.pending import OneLeaf
from ..conditions import Condition, of_one
from ..operands import unit_step

TOGETHER = 4  # vectors that are aligned with what is summed so far at once


def computes(kernel, op: Graph, accumulator: str) -> bool:
    """It serves what is computed together, and nothing else."""
    return OneLeaf.of(op)


def lanes(kernel, family: Family) -> list[str]:
    """The dimension that it runs along."""
    return [family.operation.nests[0].operation.reduction[0]]


def refuses(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot serve the family at any size; empty when it can."""
    x = family.operands[0]
    return (
        ""
        if x.dtype == "f32" and x.layout.panel is None and unit_step(family, 0, lane)
        else f"{kernel.name} expects rows of f32 along {lane}"
    )


def conditions(kernel, lane: str, family: Family, target, size) -> list[Condition]:
    """A single row."""
    return of_one([d for d in family.operation.dims if d != lane], size, f"{kernel.name} runs along {lane} alone")


def opens(kernel, lane: str, family: Family, dim: str) -> bool:
    """Whether the C of the leaf may be of any length along a dimension: that of its row."""
    return dim == lane
