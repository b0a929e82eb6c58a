"""Batch: a dimension that moves every operand of a contraction is a plain loop around the rest.

before  matmul(a [b m k], b [b k n]) b m n k
after   loop b by 1 { matmul(a [. m k], b [. k n]) m n k }

Nothing is used twice across such a dimension, so a block of it saves no traffic but where operands share lines along it;
unless it can carry the lanes of vectors it is taken off first, whole, and the search sees the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..program.nodes import Loop, Node
from ..spec.family import Family, State
from ..spec.operation import Access, Operation
from .edge import Child, Edge, require


def batch_dims(family: Family, size: dict[str, int], lanes: int) -> tuple[str, ...]:
    """Parallel dimensions that every operand has, in an operation where some input lacks some parallel dimension; but
    not one that can carry the lanes: neighbours lie along it in the output and in some input, enough for a vector."""
    op = family.operation
    shares = any(d not in access.dims for d in op.parallel for access in op.inputs)
    if not op.combine or not shares:
        return ()
    units = [family.unit_dim(i) for i in range(len(family.operands))]
    lane = units[-1] if units[-1] in units[:-1] and size[units[-1]] >= lanes else None
    return tuple(d for d in op.parallel if d != lane and all(d in access.dims for access in op.accesses))


def without(op: Operation, dim: str) -> Operation:
    """`op` at one index of `dim`: the axes that it moved stay, at extent 1."""
    accesses = [Access(tuple(tuple(t for t in axis if t[0] != dim) for axis in access.axes)) for access in op.accesses]
    return replace(op, dims=tuple(d for d in op.dims if d != dim), inputs=tuple(accesses[:-1]), output=accesses[-1])


def off(family: Family, dim: str) -> Family:
    """The family at one index of a batch dimension."""
    return replace(family, operation=without(family.operation, dim), batch=tuple(d for d in family.batch if d != dim))


@dataclass(frozen=True)
class Batch:
    """Loop over `dim`, one index at a time."""

    dim: str

    def edge(self, family: Family, target) -> Edge:
        require(self.dim in family.batch, f"expected a batch dimension ({' '.join(family.batch) or 'there is none'}), found {self.dim!r}")
        child = Child(off(family, self.dim), times=lambda size: size[self.dim])
        return Edge(self, lambda size: {"loop": size[self.dim]}, ("batch", self.dim), (child,))

    def node(self, state: State, parts: tuple[Node, ...], cost: float | None) -> Node:
        return Loop(state, (self.dim,), (1,), (parts[0], None), cost=cost)


def batch_edges(family: Family, target) -> list[Edge]:
    return [Batch(dim).edge(family, target) for dim in family.batch[:1]]
