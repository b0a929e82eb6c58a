"""Programs for every size of a large graph: it is divided into parts, each solved as a Spec of its own, and run one after the other.

Which way to divide it is chosen by what all parts cost together at the bound, by dynamic programming over what is left; it is the same for all sizes. A constant may so be packed ahead of the call.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from ..program.nodes import Node
from ..rewrites import Bufferize, fixed
from ..rewrites.bufferize import buffers
from ..rewrites.move import home_of
from ..spec.division import Cut, cuts, is_divided, stands
from ..spec.dynamic import in_bands
from ..spec.family import Family, State
from ..spec.spec import Spec
from ..spec.standing import standing
from ..spec.tensor import TensorType
from .memory import Memory
from .problem import resting
from .solved import Solved
from .statistics import Statistics

BETWEEN = 1 << 20  # in place of the number of an input: a tensor that one part leaves to another


class Divided:
    """A canonical Spec of a dynamic size that is divided. As `Solved`, it is solved when first asked for something."""

    def __init__(self, spec: Spec, target, threads: int = 1, store=None, memory: Memory | None = None):
        assert spec.dynamic is not None
        self.spec, self.target, self.threads, self.dynamic = spec, target, threads, spec.dynamic
        self._store, self._memory = store, memory
        self._whole = resting(spec, target, spec.size)
        self._known: dict[tuple, tuple[float, Node]] = {}
        self._solved: dict[tuple[Spec, Family], Solved] = {}

    @cached_property
    def best(self) -> Node:
        """The programs of all sizes; NoProgramError when the space has none."""
        return self._cheapest(self._whole, tuple(range(len(self.spec.inputs))))[1]

    @property
    def parts(self) -> tuple[Solved, ...]:
        """What is solved each by itself: those that some way to divide it has."""
        self.best  # noqa: B018  which meets them
        return tuple(self._solved.values())

    @property
    def statistics(self) -> Statistics:
        found = [part.statistics for part in self.parts]
        return Statistics(*(sum(getattr(one, name) for one in found) for name in ("specs_solved", "specs_known", "families", "synthesis_s")), max(one.peak_rss_mb for one in found))

    def _cheapest(self, family: Family, came: tuple[int, ...]) -> tuple[float, Node]:
        """What a graph, or what is left of one, costs at the bound, and its programs; `came` tells of each operand but the output which input it is, or that it is BETWEEN parts."""
        key = family, came
        if key not in self._known:
            ways = [self._as_part(family, came)] if stands(family.operation, self.dynamic.dims) else []
            ways += [self._cut(family, came, cut) for cut in cuts(family.operation, self.dynamic.dims)]
            self._known[key] = min(ways, key=lambda way: way[0])
        return self._known[key]

    def _cut(self, family: Family, came: tuple[int, ...], cut: Cut) -> tuple[float, Node]:
        """It as a part, and what is left after that."""
        to = next(place for place, operand in reversed(buffers(family, cut.tensor, self.target)) if operand == cut.operand and place.level == home_of(family))
        rewrite, graph = Bufferize(cut.tensor, to, cut.operand), family.operation
        children = rewrite.edge(family, self.target).children
        sources = [tuple(came[t] if t < len(came) else BETWEEN for t in part.sees[:-1]) for part in cut.parts(graph)]
        (first, producer), (rest, consumer) = self._as_part(children[0].family, sources[0]), self._cheapest(children[1].family, sources[1])
        state = State(family, tuple(self.spec.size[d] for d in graph.dims))
        return first + rest + self.target.cost({"call": 1}), rewrite.node(state, (producer, consumer), None)

    def _as_part(self, family: Family, came: tuple[int, ...]) -> tuple[float, Node]:
        """What a part costs at the bound, and its programs."""
        spec, at_rest = self._stated(family, came)
        key = spec, at_rest
        if key not in self._solved:
            self._solved[key] = Solved(spec, self.target, self.threads, self._store, self._memory, at_rest)
        node, dynamic = self._solved[key].best, self.dynamic
        size = dynamic.bound * dynamic.unit
        return fixed(node, dynamic.dim, size, self.target, None if dynamic.rows is None else (dynamic.rows, size)).cost, node

    def _stated(self, family: Family, came: tuple[int, ...]) -> tuple[Spec, Family]:
        """A part as a Spec, over its arrays where they rest."""
        along = tuple(d for d in self.dynamic.dims if d in family.operation.dims)
        own = replace(in_bands(family.operation, along, self.dynamic.bound), unit=self.dynamic.unit) if along else None
        names = dict(zip(own.dims, self.dynamic.dims)) if own else {}
        family, sizes = standing(family, tuple(self.spec.size[d] for d in family.operation.dims), tuple(names.items()))
        size, op = sizes(self.spec.size), family.operation
        types = [TensorType(o.dtype, access.held(size), o.layout.order, t != BETWEEN and self._is_fixed(t)) for o, access, t in zip(family.operands, op.accesses, (*came, BETWEEN))]
        sources = tuple(i if t == BETWEEN else min(i, self._source(t)) for i, t in enumerate(came))
        return Spec(op, tuple(size[d] for d in op.dims), tuple(types[:-1]), types[-1], self.spec.operation.name, own and own.renamed(names), sources), family

    def _source(self, i: int) -> int:
        """Which input of the stated Spec operand i is; below 0 one that the program itself has, or an output."""
        return i if self.spec.sources is None else self.spec.sources[i]

    def _is_fixed(self, i: int) -> bool:
        """Whether input i is a constant, of which all is read."""
        access = self.spec.operation.inputs[i]
        return self.spec.inputs[i].constant and not (access.border and any(access.border.starts))


def solving(spec: Spec, target, threads: int = 1, store=None, memory: Memory | None = None) -> Solved | Divided:
    """The problem of a canonical Spec, whole or, of a large graph of a dynamic size, divided."""
    return (Divided if is_divided(spec.operation, spec.dynamic) else Solved)(spec, target, threads, store, memory)
