"""Rows of maps in C, each one leaf whose operands are in L1, as programs have them, for calibrate.functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from ..engine.canonical.canonical import canonical_form
from ..engine.program.nodes import Node
from ..engine.program.view import View, packed_view
from ..engine.rewrites import Select, applied
from ..engine.search.problem import resting
from ..engine.vectors.library import VectorLibrary
from ..engine.vectors.text import braced
from ..lang.nests.family import LINE, Family, State
from ..lang.text.text import parse
from ..machine.target import Target
from .writers import emitter_for

LENGTH = 1024
MAP = "map"
"""Elements of a row: three such rows of f32 lie in every L1. And the kernel that maps."""


@dataclass(frozen=True)
class MapNest:
    """The map of one row that a Spec is, its arrays one after the other in L1."""

    spec: str

    def family(self, target: Target) -> tuple[Family, dict[str, int]]:
        canonical = canonical_form(parse(self.spec))
        return resting(canonical, target, canonical.size), dict(canonical.size)

    def lane(self, target: Target) -> str:
        """The only dimension."""
        (found,) = self.family(target)[1]
        return found

    def program(self, target: Target) -> Node:
        family, size = self.family(target)
        return applied(Select(MAP, self.lane(target)), State(family, tuple(size.values())), target, ())

    def views(self, target: Target) -> list[View]:
        """Its arrays: `x0` and further inputs, `y`."""
        family, size = self.family(target)
        names = [*(f"x{i}" for i in range(len(family.operands) - 1)), "y"]
        return [
            packed_view(name, operand, family.access(i), family.access(i).shape(size))[0]
            for i, (name, operand) in enumerate(zip(names, family.operands))
        ]

    def starts(self, target: Target) -> list[int]:
        """Bytes from the first array to each, and to the end of the last one; each begins on a line."""
        family, size = self.family(target)
        counts = [-(-operand.bytes * size[self.lane(target)] // LINE) * LINE for operand in family.operands]
        return [0, *accumulate(map(int, counts))]


def source(nests: Sequence[MapNest], target: Target) -> str:
    """Static functions map_0, map_1, .. of a room in which the arrays of each lie, and all that they need."""
    library = VectorLibrary(target.features, divides=target.is_strict, line=target.spans.line)
    emitter, functions = emitter_for(target, library), []
    for number, nest in enumerate(nests):
        views, starts = nest.views(target), nest.starts(target)
        *inputs, output = views
        named = [
            *(
                f"const {library.scalar(v.dtype)} *{v.name} = (const void *)(room + {at});"
                for v, at in zip(inputs, starts)
            ),
            f"{library.scalar(output.dtype)} *{output.name} = (void *)(room + {starts[-2]});",
        ]
        body = emitter.node(nest.program(target), views)
        functions.append("\n".join([f"static void map_{number}(char *room)", *braced([*named, *body]), ""]))
    includes = [f"#include <{header}>" for header in sorted(emitter.unit.headers)]
    leaves = [text + "\n" for _, text in emitter.unit.leaves.values()]
    return "\n".join([*includes, library.definitions(), "", *sorted(emitter.unit.preambles), *leaves, *functions])
