"""Programs for every size of a large graph. The graph is divided into parts, each solved as a Spec of its own, which
run one after the other.

The division is the one whose parts cost least together at the bound, by dynamic programming over the rest of the graph.
It is the same for all sizes. So a constant may be packed ahead of the call.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from ...lang.calls.spec import Spec, over
from ...lang.nests.family import Family, Operand, State
from ...lang.types.dynamic import in_bands
from ...lang.types.tensor import TensorType
from ...support.errors import NoProgramError
from ...support.memory import Memory
from ..canonical.division import Cut, cuts, extracted, is_divided, stands
from ..program.nodes import Node
from ..rewrites import Bufferize, fixed
from ..rewrites.bufferize import buffers
from .problem import resting
from .solved import Solved
from .work import SearchWork, Statistics

BETWEEN = -1  # in place of the number of an input: a tensor that one part leaves to another

# a graph, or the rest of one; and of each operand but the output which input it is, or that it is BETWEEN parts
Remainder = tuple[Family, tuple[int, ...]]
PartSpec = tuple[Spec, Family]  # a Spec, over its arrays where they rest


@dataclass(frozen=True)
class CutWay:
    """One way to go on: all of the rest as one part; or one part, cut off by a rewrite, and the rest after it."""

    part: PartSpec
    rewrite: Bufferize | None = None
    rest: Remainder | None = None


class Divided:
    """A canonical Spec of a dynamic size that is divided. Like `Solved`, it solves its parts when it is first asked for
    something."""

    def __init__(self, spec: Spec, target, threads: int = 1, store=None, memory: Memory | None = None):
        assert spec.dynamic is not None
        self.spec, self.target, self.dynamic = spec, target, spec.dynamic
        self._ways: dict[Remainder, list[CutWay]] = {}
        self._found: dict[Remainder, tuple[float, Node]] = {}
        whole = resting(spec, target, spec.size), tuple(range(len(spec.inputs)))
        self._meet(whole)
        known = dict.fromkeys(way.part for ways in self._ways.values() for way in ways)
        self._solved = {
            (part, at_rest): Solved(part, target, threads, store, memory, at_rest) for part, at_rest in known
        }
        self._whole = whole

    @cached_property
    def best(self) -> Node:
        """The programs of all sizes; NoProgramError when the space has none."""
        return self._cheapest(self._whole)[1]

    @property
    def parts(self) -> tuple[Solved, ...]:
        """The goals that are solved each by itself: all parts that some way to divide it has."""
        return tuple(self._solved.values())

    @property
    def is_known(self) -> bool:
        """Whether the table holds the programs of all parts."""
        return all(part.is_known for part in self.parts)

    def work(self, most: float) -> SearchWork:
        """How much the searches of all parts are; TooMuch where that is more than `most`."""
        total = SearchWork(0, 0, 0)
        for part in self.parts:
            total += part.work(most - total.total)
        return total

    @property
    def statistics(self) -> Statistics:
        return Statistics.of_all(part.statistics for part in self.parts)

    # ---- the ways to divide it ---------------------------------------------------------------------------------------

    def _meet(self, left: Remainder) -> None:
        """List the ways to divide a graph, or the rest of one, and those of what they leave."""
        (family, came), dims = left, self.dynamic.dims
        if left not in self._ways:
            self._ways[left] = [CutWay(self._stated(*left))] if stands(family.operation, dims) else []
            placed = ((cut, self._place(family, cut)) for cut in cuts(family.operation, dims))
            self._ways[left] += [self._cut(family, came, cut, to) for cut, to in placed if to is not None]

    def _place(self, family: Family, cut: Cut) -> Operand | None:
        """Where the tensor of a cut lies as a whole array. None where it would be made the last output in place, as it
        may be in a graph that is not large."""
        return next(
            (
                place
                for place, operand in reversed(buffers(family, cut.tensor, self.target))
                if operand == cut.operand and place.level == family.slowest
            ),
            None,
        )

    def _cut(self, family: Family, came: tuple[int, ...], cut: Cut, to: Operand) -> CutWay:
        rewrite = Bufferize(cut.tensor, to, cut.operand)
        families = [child.family for child in rewrite.edge(family, self.target).children]
        part, rest = (
            (found, tuple(came[t] if t < len(came) else BETWEEN for t in cut_off.sees[:-1]))
            for found, cut_off in zip(families, cut.parts(family.operation))
        )
        self._meet(rest)
        return CutWay(self._stated(*part), rewrite, rest)

    def _stated(self, family: Family, came: tuple[int, ...]) -> PartSpec:
        """A part as a Spec. What has the dynamic size is called alike in all parts."""
        along = tuple(d for d in self.dynamic.dims if d in family.operation.dims)
        own = replace(in_bands(family.operation, along, self.dynamic.bound), unit=self.dynamic.unit) if along else None
        names = dict(zip(own.dims, self.dynamic.dims)) if own else {}
        family, sizes = extracted(
            family, tuple(self.spec.size[d] for d in family.operation.dims), self.target.spans, tuple(names.items())
        )
        size, op = sizes(self.spec.size), family.operation
        constant = (*(t != BETWEEN and self._is_fixed(t) for t in came), False)
        types = [
            TensorType(o.dtype, access.held(size), o.layout.order, fixed)
            for o, access, fixed in zip(family.operands, op.accesses, constant)
        ]
        sources = tuple(i if t == BETWEEN else min(i, self._source(t)) for i, t in enumerate(came))
        return (
            over(
                op,
                size,
                tuple(types[:-1]),
                types[-1],
                self.spec.operation.name,
                own and own.renamed(names),
                sources,
            ),
            family,
        )

    def _source(self, i: int) -> int:
        """Which input of the stated Spec operand i is; below 0 one that the program itself has, or an output."""
        return i if self.spec.sources is None else self.spec.sources[i]

    def _is_fixed(self, i: int) -> bool:
        """Whether input i is a constant that is read as a whole."""
        access = self.spec.operation.inputs[i]
        return self.spec.inputs[i].constant and not (access.border and any(access.border.starts))

    # ---- the cheapest of them ----------------------------------------------------------------------------------------

    def _cheapest(self, left: Remainder) -> tuple[float, Node]:
        """(cost at the bound, programs) of a graph, or of the rest of one."""
        if left not in self._found:
            if not self._ways[left]:
                raise NoProgramError(
                    f"expected a way to divide {left[0].operation.name} at whole arrays, found none; write the bound as"
                    " the size"
                )
            self._found[left] = min((self._along(left[0], way) for way in self._ways[left]), key=lambda found: found[0])
        return self._found[left]

    def _along(self, family: Family, way: CutWay) -> tuple[float, Node]:
        first, node = self._of_part(way.part)
        if way.rewrite is None or way.rest is None:
            return first, node
        after, consumer = self._cheapest(way.rest)
        state = State(family, tuple(self.spec.size[d] for d in family.operation.dims))
        cost = first + after + self.target.cost({"call": 1})
        return cost, way.rewrite.node(
            state, (node, consumer), cost if set(self.dynamic.dims).isdisjoint(family.operation.dims) else None
        )

    def _of_part(self, part: PartSpec) -> tuple[float, Node]:
        node = self._solved[part].best
        return fixed(node, self.dynamic, self.dynamic.bound, self.target).cost, node


def solving(spec: Spec, target, threads: int = 1, store=None, memory: Memory | None = None) -> Solved | Divided:
    """The problem of a canonical Spec: whole or, of a large graph of a dynamic size, divided."""
    return (Divided if is_divided(spec) else Solved)(spec, target, threads, store, memory)
