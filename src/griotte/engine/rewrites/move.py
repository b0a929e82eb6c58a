"""Moves: one operand to a faster level, or into another layout, or both; or the output into registers.

view      before  matmul(a@L3)    after  a is now counted as resident in L1; no code is emitted, its lines are fetched
          once
copy      before  matmul(b@L3)    after  copy b@L3 -> b'@L2 in panels of 64 ; matmul(b'@L2)
registers before  matmul(c@L1)    after  c in named vector registers { matmul(c@registers) } and written back
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from ...lang.nests.access import Access
from ...lang.nests.family import Family, Layout, Operand, Spans, State, Vector
from ...lang.nests.graph import family_of
from ...lang.nests.operation import Operation
from ...lang.nests.parts import passes_into_output
from ...lang.types.expr import Arg
from ..cost import traffic, views
from ..footprint import pages, resident
from ..leaves.conditions import reaches_beyond
from ..leaves.reduce.price import accumulator_features
from ..leaves.reduce.serve import accumulator_vectors
from ..program import nodes
from .by_hand import OpenHole, given
from .edge import Child, Edge, Rewrite, RewriteRule, Word, require
from .lanes import lane_dims
from .places import again, as_the_result, input_copies, lies_across, near_levels


@dataclass(frozen=True)
class Move(Rewrite):
    """Bring operand `operand` to the place `to`."""

    operand: int
    to: Operand

    def edge(self, family: Family, target) -> Edge:
        require(
            0 <= self.operand < len(family.operands),
            lambda: f"expected an operand 0..{len(family.operands) - 1}, found {self.operand}",
        )
        old = family.operands[self.operand]
        same_place = self.to.layout == old.layout and self.to.dtype == old.dtype
        names = target.levels
        require(
            self.to.level < old.level or (self.to.level == old.level and not same_place),
            lambda: (
                f"expected a level faster than {names[old.level].name}, or another layout, found"
                f" {names[self.to.level].name}"
            ),
        )
        return _edge(self, family, target)

    def infeasibility(self, family: Family, target, size) -> str:
        """What one Spec of the family lacks for the move to fit; empty when it fits."""
        vectors = 0 if self.to.vector is None else int(accumulator_vectors(family.nest, self.to.vector, size))
        return (
            ""
            if vectors <= target.registers
            else (
                f"expected accumulators in {target.registers} registers, found {vectors} needed; tile the output"
                " smaller"
            )
        )

    def node(self, state: State, parts: tuple[nodes.Node, ...], cost: float | None) -> nodes.Move:
        copy, body = parts if len(parts) == 2 else (None, parts[0])
        return nodes.Move(state, self.operand, self.to, body, copy, cost, self)

    def emits(self, family: Family) -> bool:
        """A view emits no code: same layout and dtype, not into registers."""
        old = family.operands[self.operand]
        return self.to.level == 0 or self.to.layout != old.layout or self.to.dtype != old.dtype

    def verb(self) -> str:
        return f"move {self.operand}"

    def words(self, target) -> str:
        return f"move of {self.operand} to {target.levels[self.to.level].name}"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        i, to = self.operand, self.to
        if to.vector is not None:
            return Word(
                "registers",
                (i,),
                f"registers {family.operation.operand_name(i)}, lanes along {to.vector.dim}",
                f"registers {to.vector.dim}",
            )
        text = f"{family.operation.operand_name(i)} -> {levels[to.level]}"
        if not self.emits(family):
            return Word(f"view {min(i, 3)}", (i, to.level), f"view {text}", text)
        form = f", {family.form(i, to.layout)}" + (f" as {to.dtype}" if to.dtype != family.operands[i].dtype else "")
        width = to.layout.panel[1] if to.layout.panel else 0
        return Word("copy", (i, width, to.level), f"copy {text}{form}", f"copy {text}" + f" /{width}" * bool(width))


def _edge(move: Move, family: Family, target) -> Edge:
    """A move that is one of the space out of a family."""
    old, to = family.operands[move.operand], move.to
    if to.level == 0:
        return _into_registers(move, family, old, target)
    is_view = to.layout == old.layout and to.dtype == old.dtype
    return _view(move, family, old, target) if is_view else _copy(move, family, old, target)


def _view(move: Move, family: Family, old: Operand, target) -> Edge:
    """What crosses is counted where it comes from, and taken off where the leaves below first read it."""
    i, access = move.operand, family.access(move.operand)
    # to be added to, and back; that of a map is only written, which `store` has both ways of
    twice = move.operand == len(family.operands) - 1 and traffic.use(family, i) == "result"
    trips = 2 if twice else 1

    child = family.with_operand(move.operand, move.to)
    uses = _uses_beside(family, i, move.to, target) or _uses(family, i, move.to, target)
    return Edge(
        move,
        partial(_view_features, move, family, target, trips),
        ("view", access, old, move.to.level, trips, traffic.kinds(family, i), views.seen(family, i, move.to, target)),
        (Child(child, uses=uses),),
    )


def _view_features(move: Move, family: Family, target, trips: int, size) -> dict:
    i, old = move.operand, family.operands[move.operand]
    crossing = views.brought(family, i, target, size, trips, move.to.level)
    share = views.left(family, i, move.to, target, size, target.cost(crossing))
    return {name: share * count for name, count in crossing.items()} | {
        "pages": trips * pages(family.access(i), old, family.touched(i, size, target.spans.line), target.spans)
    }


def _uses(family: Family, i: int, operand: Operand, target):
    return _room(family.access(i), operand, family.reduced(i), target.occupied)


@lru_cache(1 << 12)
def _room(access: Access, operand: Operand, reduced: bool, spans: Spans):
    """What an operand takes of its level: of many families, one object."""
    return (
        operand.level,
        lambda size: resident(access, operand, size, spans, reduced),
        ("resident", access, operand, reduced),
    )


def _uses_beside(family: Family, i: int, to: Operand, target):
    """What an input of a graph takes beside the last output that is viewed at the same level, or that output beside the
    input. If the input is read for the last time, element by element, as the output is written, they need no more room
    than the larger of them. None where it is not so, or a third operand is there too."""
    if family.operation.is_lone:
        return None
    last = len(family.operands) - 1
    there = [j for j, operand in enumerate(family.operands) if operand.level == to.level < family.slowest]
    if (
        len(there) != 1
        or (i == last) is (there[0] == last)
        or not passes_into_output(family.operation, min(i, there[0]))
    ):
        return None
    access, other, beside, spans = family.access(i), family.access(there[0]), family.operands[there[0]], target.occupied
    more = lambda size: np.maximum(0, resident(access, to, size, spans) - resident(other, beside, size, spans))
    return (to.level, more, ("beside", access, to, other, beside))


def _copy(move: Move, family: Family, old: Operand, target) -> Edge:
    access = family.access(move.operand)
    body = Child(family.with_operand(move.operand, move.to), uses=_uses(family, move.operand, move.to, target))
    if move.operand == len(family.operands) - 1:
        require(
            not family.accumulate,
            "expected an output that is overwritten; one that is added to cannot change its dtype",
        )
        extra = Child(copy_family(access, move.to, old), carries=False)
    else:
        extra = Child(copy_family(access, old, move.to), carries=False)
    return Edge(move, _called, ("call",), (extra, body))


def _called(size) -> dict:
    """A copy costs its call beside itself."""
    return {"call": 1}


@lru_cache(1 << 12)
def copy_family(access, source: Operand, to: Operand) -> Family:
    """The copy (with relayout and cast) that a move runs: a Spec like any other."""
    dims = tuple(sorted(access.dims))
    return family_of(Operation("copy", dims, (access,), access, Arg(0)), (source, to), source.dtype)


def _into_registers(move: Move, family: Family, old: Operand, target) -> Edge:
    op, vector = family.nest, move.to.vector
    require(
        move.operand == len(family.operands) - 1 and bool(op.combine),
        "expected the output of a reduction: only accumulators live in registers",
    )
    require(
        vector is not None and vector.dim in op.dims,
        lambda: f"expected a vector form along one of {' '.join(op.dims)}",
    )
    return Edge(
        move,
        partial(accumulator_features, family, vector, target),
        ("registers", op, old, vector, family.accumulate),
        (Child(family.with_operand(move.operand, move.to)),),
        fits=partial(_are_enough, op, vector, target.registers),
    )


def _are_enough(op: Operation, vector: Vector, registers: int, size):
    """Where accumulators are in so many registers."""
    return accumulator_vectors(op, vector, size) <= registers


def view_edges(family: Family, target) -> list[Edge]:
    """The views of operands of a graph of several nests."""
    return [
        _edge(Move(i, family.operands[i].at(level)), family, target)
        for i in range(len(family.operands))
        for level in near_levels(family, i, target)
    ]


def move_edges(family: Family, target) -> list[Edge]:
    """Every move of the space out of a family of one nest: while an operand reaches beyond its tensor, those that give
    it its border."""
    if family.output.level == 0:
        return []
    if reaches_beyond(family):
        return [
            _edge(m, family, target)
            for i, operand in enumerate(family.operands)
            if operand.layout.beyond
            for m in _copies(family, i, target)
        ]
    moves = [m for i in range(len(family.operands)) for m in (*_views(family, i, target), *_copies(family, i, target))]
    return [_edge(m, family, target) for m in (*moves, *_registers(family, target))]


def _views(family: Family, i: int, target):
    operand = family.operands[i]
    op, access = family.nest, family.access(i)
    if (
        not access.axes
        or not (op.combine or op.output.axes)
        or i < len(op.inputs)
        and not op.combine
        and not again(op, access)
        and not _turned(family, i)
    ):
        return []
    levels = target.places(operand.level)
    # an operand of a finish, once for each tile that is stored: its lines are met again soon or not at all
    at_the_end = op.streamed <= i < len(op.inputs)
    return [Move(i, operand.at(level)) for level in (levels[:1] if at_the_end else levels)]


def _copies(family: Family, i: int, target):
    """Relayouts: inputs of reductions, and what reaches beyond its tensor, once each; outputs only to hold an
    accumulator wider than the result."""
    operand = family.operands[i]
    op = family.nest
    is_copy = op.combine is None and isinstance(op.body, Arg)
    if not op.combine and not is_copy and operand.layout.given and lies_across(family, i):
        return [
            Move(i, Operand(operand.dtype, level, as_the_result(family, i))) for level in target.places(operand.level)
        ]
    if (
        not (operand.layout.given or operand.layout.beyond)
        or not (op.combine or operand.layout.beyond and not is_copy)
        or not family.access(i).dims
    ):
        return []
    if i == len(family.operands) - 1:
        wide = Operand(family.accumulator, 0, Layout(operand.layout.order))
        changes = operand.dtype != family.accumulator and (op.finish is None or op.fold is not None)
        return [Move(i, wide.at(level)) for level in (*target.places(operand.level), operand.level)] if changes else []
    return [Move(i, to.at(level)) for to in input_copies(family, i, target) for level in target.rooms(operand.level)]


def _turned(family: Family, i: int) -> bool:
    """Whether neighbours in an input are not neighbours in the result: its lines are met again by the next row of a
    tile."""
    of_input, of_result = (
        family.access(j).axes[family.operands[j].layout.order[0]] for j in (i, len(family.operands) - 1)
    )
    return of_input != of_result


def _registers(family: Family, target):
    op, last = family.nest, len(family.operands) - 1
    if not op.combine:
        return []
    lanes = target.lanes(family.accumulator)
    place = Operand(family.accumulator, 0, family.output.layout)
    return [Move(last, replace(place, vector=Vector(dim, lanes))) for dim in lane_dims(family)]


def move(
    hole: OpenHole,
    operand: int | str,
    level: str,
    panel: int | None = None,
    group: int | None = None,
    dtype: str | None = None,
    compact: bool | str = False,
    lanes: str | None = None,
) -> Rewrite:
    """Bring an operand to a faster level of the target.

    Args:
        operand: 0, 1, ..: the inputs, then the output; or its printed name.
        level: "L1", "L2", ..; of "registers" a kernel must follow.
        panel: copies it into blocks of that width. Without any layout it is a view: no code, its lines count as
            held.
        group: neighbours along the reduction that stand together in a panel.
        dtype: what it is cast to on the way.
        compact: copies it row by row, or, a dimension, into rows along that.
        lanes: the dimension along the vectors, in registers.

    Examples:
        >>> s = gt.schedule("matmul(f32[64,48], f32[48,32])", "portable")
        >>> "panels of 16" in str(s.move(1, "L1", panel=16))
        True
    """
    what = f"move of {operand} to {level}"
    wanted = given(panel=panel, group=group, dtype=dtype, compact=compact, lanes=lanes)
    i, to = hole.operand(what, operand), hole.level(what, level)
    moves = [edge.rewrite for edge in hole.edges if isinstance(edge.rewrite, Move)]
    offered = [found for found in moves if (found.operand, found.to.level) == (i, to)]
    if not offered:
        return Move(i, hole.family.operands[i].at(to))  # whose edge says why
    if to == 0 and not wanted and len(offered) == 1:
        return offered[0]
    return hole.of_form(what, offered, wanted, "no layout (a view)" if to else "no lanes")


MOVE = RewriteRule(move_edges, steps=(move,), several=False)
VIEW = RewriteRule(view_edges, large=False, several=True)
