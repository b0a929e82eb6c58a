"""A part of a graph that is cut at whole arrays, as a Spec of its own: runs of dimensions that are neighbours in every
tensor are joined, and dimensions are named by their place and extent. So parts that are alike (the projections of q, k
and v, two layers of a network) are one problem, solved once.

    matmul(s i, i h d) over s=128 h=12 d=64 i=768   ->   matmul(j128 k768, k768 l768)

A dimension of a dynamic size is joined with no other, and has the name that it is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from typing import Any

from ...lang.nests.access import Access
from ...lang.nests.builder import SizedBuilder, uses_of
from ...lang.nests.family import Family, Held, Operand, given_layout
from ...lang.nests.operation import Operation
from ...lang.types.tensor import TensorType
from .runs import join_runs

# with a number none is a dimension of a stated operation (those have i0, i1, .. and d0, d1, ..)
LETTERS = "jklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Joined:
    """From the sizes of a part as it was to those of its own dimensions: each is the product of what was joined."""

    terms: tuple[tuple[str, tuple[str, ...]], ...]

    def __call__(self, size: Mapping[str, Any]) -> dict[str, Any]:
        return {name: prod((size[d] for d in olds[1:]), start=size[olds[0]]) for name, olds in self.terms}


Renaming = tuple[tuple[str, str], ...]  # of dimensions that stay as they are: what they are called, and are to be


@lru_cache(1 << 10)
def extracted(family: Family, extents: tuple[int, ...], named: Renaming = ()) -> tuple[Family, Joined]:
    """A family whose operands are whole arrays, over dimensions of its own, and how its sizes come from those it had,
    which were `extents`. It has no batch dimensions yet. One with windows, or of several outputs, stays as it is but
    for the dimensions that are `named`."""
    op, given = family.operation, dict(named)
    if (
        op.placed
        or not all(map(_is_plain, (*op.accesses, *(a for each in op.operations for a in each.accesses))))
        or any(o.layout.beyond for o in family.operands)
    ):
        names = {d: given.get(d, d) for d in op.dims}
        return replace(family, operation=op.renamed(names)) if named else family, Joined(
            tuple((names[d], (d,)) for d in op.dims)
        )
    size = dict(zip(op.dims, extents))
    known = {op.tensor(j): (h.dtype, h.layout) for j, h in enumerate(op.held)}
    known |= {op.last if i == len(op.inputs) else i: (o.dtype, o.layout) for i, o in enumerate(family.operands)}
    builder = SizedBuilder(size)
    builder.types = {
        t: TensorType(dtype, op.access(t).shape(size), layout.order) for t, (dtype, layout) in known.items()
    }
    builder.nests = {op.tensor(j): nest for j, nest in enumerate(op.nests)}
    _, olds = join_runs(builder, apart=given.keys())
    order = dict.fromkeys(d for nest in reversed(builder.nests.values()) for d in nest.operation.dims)
    names = {d: given.get(d, f"{LETTERS[i]}{builder.sizes[d]}") for i, d in enumerate(order)}
    return _over(family, builder, names), Joined(tuple((name, olds[d]) for d, name in names.items()))


def _is_plain(access: Access) -> bool:
    return access.border is None and all(map(access.is_plain, range(len(access.axes))))


def _over(family: Family, joined: SizedBuilder, names: dict[str, str]) -> Family:
    """The family over the joined dimensions, under these names."""
    op, types = family.operation, joined.types
    nests = {t: replace(nest, operation=_plain(nest.operation.renamed(names))) for t, nest in joined.nests.items()}
    read = dict(reversed([*uses_of(nests)]))
    operation = replace(
        op,
        name=" ".join(nest.operation.name for nest in nests.values()),
        dims=tuple(names.values()),
        inputs=tuple(read[t] for t in range(len(op.inputs))),
        nests=tuple(nests.values()),
        held=tuple(Held(types[t].dtype, given_layout(types[t])) for t in op.unplaced),
    )
    operands = tuple(
        Operand(o.dtype, o.level, given_layout(types[t], o.layout.uncached))
        for t, o in zip((*range(len(op.inputs)), op.last), family.operands)
    )
    return replace(family, operation=operation, operands=operands, batch=())


def _plain(op: Operation) -> Operation:
    """A map is called one, whatever it was stated as."""
    return op if op.combine else replace(op, name="map")
