"""What several forms of leaves ask: of a kernel's declaration, of a family at any size, and of sizes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from ...lang.nests.family import Family
from ...lang.nests.graph import Graph
from ...lang.nests.operation import Operation
from ...lang.nests.pending import OneLeaf
from ...lang.types.expr import Expr
from .operands import reaches_beyond

Condition = tuple[object, str]
"""Whether a size, or each of an array of them, will do; what is expected."""


@lru_cache(1 << 10)
def _written(body: Expr) -> str:
    return str(body)


def declares(kernel, op: Operation, accumulator: str, body: Expr | None = None) -> bool:
    """Whether the kernel's declaration matches an operation of one nest, computed as `body` where that is another."""
    if op.combine not in kernel.combine or kernel.compute is not None and accumulator not in kernel.compute:
        return False
    return kernel.body is None or kernel.body == _written(op.body if body is None else body)


def computes(kernel, op: Graph, accumulator: str) -> bool:
    """Whether the kernel's declaration matches an operation that is not folded and not computed with others."""
    return not OneLeaf.of(op) and not op.nest.fold and declares(kernel, op.nest, accumulator)


# ---- of a family at any size: why the kernel cannot serve it, empty when it can ------------------------------------


def no_index(kernel, family: Family) -> str:
    return f"{kernel.name} expects no input that is read at an index" if family.nest.picks else ""


def no_border(kernel, family: Family) -> str:
    return f"{kernel.name} expects tensors that are in memory, border and all" if reaches_beyond(family) else ""


def apart(kernel, family: Family) -> str:
    """That tiles of an output in memory do not overlap."""
    access = family.access(len(family.operands) - 1)
    overlaps = family.output.level > 0 and not all(access.is_apart(d) for d in family.operation.dims)
    return f"{kernel.name} expects tiles of its output that do not overlap" if overlaps else ""


def to_memory(kernel, family: Family) -> str:
    return f"{kernel.name} expects its output in memory" if family.output.level == 0 else ""


def to_registers(kernel, family: Family) -> str:
    return f"{kernel.name} expects its output in registers; move it there first" if family.output.level > 0 else ""


def a_map(kernel, family: Family) -> str:
    return f"{kernel.name} expects a map" if family.nest.combine else ""


# ---- of sizes ------------------------------------------------------------------------------------------------------


def of_one(dims: Iterable[str], size, why: str) -> list[Condition]:
    """That each of these dimensions is 1."""
    return [(np.asarray(size[d]) == 1, f"{d} = 1, for {why}; tile {d} by 1") for d in dims]


def within_panel(family: Family, i: int, size) -> Condition:
    """That the tile of operand i, which lies in panels, is of one of them."""
    axis, width = family.operands[i].layout.panel or (0, 1)
    return (
        np.asarray(family.access(i).extent(axis, size)) <= width,
        f"operand {i} within one panel; tile by {width} or less",
    )
