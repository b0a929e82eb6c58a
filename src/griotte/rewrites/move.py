"""Moves: one operand to a faster level, or into another layout, or both; or the output into registers.

view      before  matmul(a@L3)    after  a is now counted as resident in L1; no code is emitted, its lines are fetched once
copy      before  matmul(b@L3)    after  copy b@L3 -> b'@L2 in panels of 64 ; matmul(b'@L2)
registers before  matmul(c@L1)    after  c in named vector registers { matmul(c@registers) } and written back
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..cost import traffic
from ..cost.leaf import accumulator_features, accumulator_vectors, takes
from ..program import nodes
from ..spec.dtypes import dtype
from ..spec.expr import Arg
from ..spec.family import Family, Layout, Operand, State, Vector, pages, resident
from ..spec.operation import Operation
from .edge import Child, Edge, require
from .select import computes, serves


@dataclass(frozen=True)
class Move:
    """Bring operand `operand` to the place `to`."""

    operand: int
    to: Operand

    def edge(self, family: Family, target) -> Edge:
        require(0 <= self.operand < len(family.operands), f"expected an operand 0..{len(family.operands) - 1}, found {self.operand}")
        old = family.operands[self.operand]
        same_place = self.to.layout == old.layout and self.to.dtype == old.dtype
        names = target.levels
        require(
            self.to.level < old.level or (self.to.level == old.level and not same_place),
            f"expected a level faster than {names[old.level].name}, or another layout, found {names[self.to.level].name}",
        )
        if self.to.level == 0:
            return _into_registers(self, family, old, target)
        return _view(self, family, old, target) if same_place else _copy(self, family, old, target)

    def misfit(self, family: Family, target, size) -> str:
        """What one Spec of the family lacks for the move to fit; empty when it fits."""
        vectors = 0 if self.to.vector is None else int(accumulator_vectors(family.operation, self.to.vector, size))
        return "" if vectors <= target.registers else f"expected accumulators in {target.registers} registers, found {vectors} needed; tile the output smaller"

    def node(self, state: State, parts: tuple[nodes.Node, ...], cost: float | None) -> nodes.Node:
        copy, body = parts if len(parts) == 2 else (None, parts[0])
        return nodes.Move(state, self.operand, self.to, body, copy, cost)


def _is_output(move: Move, family: Family) -> bool:
    return move.operand == len(family.operands) - 1


def _view(move: Move, family: Family, old: Operand, target) -> Edge:
    """What crosses is counted where it comes from, and taken off where the leaves below first read it."""
    i, access = move.operand, family.access(move.operand)
    trips, slow, fast = 2 if _is_output(move, family) else 1, target.levels[old.level].name, target.levels[move.to.level].name

    def features(size):
        counts = traffic.counts(family, i, old, size, trips)
        less = traffic.at(fast, {name: -count for name, count in counts.items()})
        return traffic.at(slow, counts) | less | {"pages": trips * pages(access, old, size)}

    child = family.with_operand(move.operand, move.to)
    return Edge(move, features, ("view", access, old, move.to.level, trips, traffic.kinds(family, i)), (Child(child),), uses=_uses(family, i, move.to))


def _uses(family: Family, i: int, operand: Operand):
    access, reduced = family.access(i), family.reduced(i)
    return (operand.level, lambda size: resident(access, operand, size, reduced), ("resident", access, operand, reduced))


def _copy(move: Move, family: Family, old: Operand, target) -> Edge:
    access = family.access(move.operand)
    body = Child(family.with_operand(move.operand, move.to))
    if _is_output(move, family):
        require(not family.accumulate, "expected an output that is overwritten; one that is added to cannot change its dtype")
        extra = Child(copy_family(access, move.to, old), carries=False)
    else:
        extra = Child(copy_family(access, old, move.to), carries=False)
    return Edge(move, lambda size: {"call": 1}, ("call",), (extra, body), uses=_uses(family, move.operand, move.to))


def copy_family(access, source: Operand, to: Operand) -> Family:
    """The copy (with relayout and cast) that a move runs: a Spec like any other."""
    dims = tuple(sorted(access.dims))
    return Family(Operation("copy", dims, (access,), access, Arg(0)), False, (source, to), source.dtype)


def _into_registers(move: Move, family: Family, old: Operand, target) -> Edge:
    op, vector = family.operation, move.to.vector
    require(_is_output(move, family) and bool(op.combine), "expected the output of a reduction: only accumulators live in registers")
    require(vector is not None and vector.dim in op.dims, f"expected a vector form along one of {' '.join(op.dims)}")
    return Edge(
        move,
        lambda size: accumulator_features(family, vector, target, size),
        ("registers", op, old, vector, family.accumulate),
        (Child(family.with_operand(move.operand, move.to)),),
        fits=lambda size: accumulator_vectors(op, vector, size) <= target.registers,
    )


def move_edges(family: Family, target) -> list[Edge]:
    """Every move of the space out of this family."""
    if family.output.level == 0:
        return []
    moves = [m for i in range(len(family.operands)) for m in (*_views(family, i, target), *_copies(family, i, target))]
    return [m.edge(family, target) for m in (*moves, *_registers(family, target))]


def _views(family: Family, i: int, target):
    operand = family.operands[i]
    return [Move(i, operand.at(level)) for level in target.places(operand.level)] if family.access(i).axes else []


def _copies(family: Family, i: int, target):
    """Relayouts: inputs of reductions, once each; outputs only to hold an accumulator wider than the result."""
    operand = family.operands[i]
    op, places = family.operation, (*target.places(operand.level), operand.level)
    if not operand.layout.given or not op.combine or not family.access(i).axes:
        return []
    if i == len(family.operands) - 1:
        wide = Operand(family.accumulator, 0, Layout(operand.layout.order))
        changes = operand.dtype != family.accumulator
        return [Move(i, wide.at(level)) for level in places] if changes else []
    return [Move(i, to.at(level)) for to in input_copies(family, i, target) for level in places]


def input_copies(family: Family, i: int, target) -> list[Operand]:
    """What input i may be copied into, at its own level."""
    copies = (Operand(d, family.operands[i].level, layout) for d, layout in _input_layouts(family, i, target))
    return [to for to in copies if _leads_on(family.with_operand(i, to), target)]


def _leads_on(family: Family, target) -> bool:
    """Whether some kernel takes the inputs that are copied together; where none does, no program follows."""
    return any(takes(kernel, family) for kernel in target.kernels if computes(kernel, family))


def _input_layouts(family: Family, i: int, target):
    """(dtype, layout) that input i may be copied into: compact rows, or panels along the output's unit dimension."""
    operand, access = family.operands[i], family.access(i)
    lane = family.unit_dim(len(family.operands) - 1)
    axis = access.axis_of(lane) if lane else -1
    dtypes = {operand.dtype, family.accumulator} if casts_on_copy(operand.dtype, family.accumulator) else {operand.dtype}
    if axis < 0 or not access.is_plain(axis):
        compact = Layout(operand.layout.order)
        return [(d, compact) for d in sorted(dtypes) if d != operand.dtype or len(access.axes) > 1] + _blocks(family, i, target)
    lanes = target.lanes(family.accumulator)
    order = (axis, *(a for a in operand.layout.order if a != axis))
    found, groups = [], _groups(family, i, target)
    dtypes -= dtypes if groups and any(k.matrix and serves(k, family) for k in target.kernels) else set()  # matrix registers eat groups alone
    for vectors in target.panel_vectors:
        plain = Layout(order, panel=(axis, vectors * lanes))
        found += [(d, plain) for d in sorted(dtypes)]
        found += [(operand.dtype, replace(plain, group=group)) for group in groups]
    return found


def _blocks(family: Family, i: int, target) -> list[tuple[str, Layout]]:
    """(dtype, layout) of the whole blocks that matrix registers take input i in: rows along a dimension of the output."""
    operand, access = family.operands[i], family.access(i)
    kernels = [k for k in target.kernels if k.matrix and k.columns != i and serves(k, family)]
    shapes = sorted({(k.matrix.rows, k.matrix.depth(operand.dtype)) for k in kernels})
    along = [access.axis_of(d) for d in family.operation.parallel if d in access.dims and access.is_plain(access.axis_of(d))]
    across = [access.axis_of(d) for d in family.operation.reduction if d in access.dims and access.is_plain(access.axis_of(d))]
    others = lambda axis: tuple(a for a in operand.layout.order if a != axis)  # noqa: E731
    return [(operand.dtype, Layout((a, *others(a)), panel=(a, rows), group=(k, depth))) for a in along for k in across for rows, depth in shapes]


def casts_on_copy(source: str, to: str) -> bool:
    """Whether a copy of an input may widen it to the accumulator's dtype: where that at most doubles its bytes."""
    return dtype(to).bytes <= 2 * dtype(source).bytes


def _groups(family: Family, i: int, target) -> list[tuple[int, int]]:
    """The k-pair and k-quad interleavings that some kernel of the target eats for this operation."""
    access = family.access(i)
    axes = [access.axis_of(d) for d in family.operation.reduction if d in access.dims and access.is_plain(access.axis_of(d))]
    counts = sorted({k.group for k in target.kernels if k.group > 1 and serves(k, family)})
    return [(axis, count) for axis in axes for count in counts]


def _registers(family: Family, target):
    op, last = family.operation, len(family.operands) - 1
    if not op.combine:
        return []
    lanes = target.lanes(family.accumulator)
    place = Operand(family.accumulator, 0, family.output.layout)
    return [Move(last, replace(place, vector=Vector(dim, lanes))) for dim in lane_dims(family)]


def lane_dims(family: Family) -> list[str]:
    """Dimensions whose neighbours may share a register: the output's unit dimension, and the reductions that lie
    together in some input (all of them when nothing else is left)."""
    op, last = family.operation, len(family.operands) - 1
    unit = family.unit_dim(last)
    reductions = [r for r in op.reduction if any(family.unit_dim(i) == r and not family.operands[i].layout.panel for i in range(last))]
    found = ([unit] if unit else []) + reductions
    return found or list(op.reduction[-1:])
