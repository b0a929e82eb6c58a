"""A solved Spec with a dynamic size: a program for every size up to the bound, few of them written out.

program = gt.synthesize("matmul(f32[<=512,768], const f32[768,768])")
program.at(100)          # the Program for 100 rows
program.groups           # [((1,), Program), .., ((129, .., 512), Program)]
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ...engine.program.nodes import BySize, Node, Pipeline, of_call
from ...engine.program.printer import ranges
from ...engine.rewrites import fixed
from ...lang.types.dynamic import Dynamic, at_size, numbers
from ...support.errors import SpecError
from .program import Program

if TYPE_CHECKING:
    from ...engine.learned.ranking import GivenModel


@dataclass(frozen=True, eq=False, repr=False)
class DynamicProgram(Program):
    """Programs for all sizes; the root is a BySize. `cost` is that of the bound, and so are the figures of
    `explain`."""

    def at(self, size: int) -> Program:
        """The program for one size, 1 to the bound; SpecError for others."""
        dynamic = self._dynamic
        if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= dynamic.bound:
            raise SpecError(
                f"expected a size of 1 to {dynamic.bound} for {self.spec}, found {size!r}; make a Spec with a larger"
                " bound"
            )
        spec = self.spec.at(size)
        root = fixed(self.root, dynamic, size, self.target)
        root = at_size(root, size) if numbers(self.canonical.operation) else root
        return Program(spec, self.canonical.at(size), root, self.target, self.threads, self.stats)

    @property
    def _dynamic(self) -> Dynamic:
        assert self.canonical.dynamic is not None
        return self.canonical.dynamic

    def alternatives(self, k: int = 10, model: GivenModel | None = None) -> list[Program]:
        """Refused: they are of one size."""
        raise SpecError(
            f"expected a program of one size, found those of {self.spec};"
            f" griotte.synthesize(program.spec.at({self._dynamic.bound})).alternatives() has them for one"
        )

    @property
    def cost(self) -> float:
        return self.largest.cost

    @cached_property
    def largest(self) -> Program:
        return self.at(self._dynamic.bound)

    def __str__(self) -> str:
        """Every group: its sizes, and its program at the largest of them."""
        return "\n".join(
            f"m = {title(sizes)}:\n{textwrap.indent(str(program), '  ')}" for sizes, program in self.groups
        )

    @cached_property
    def groups(self) -> list[tuple[tuple[int, ...], Program]]:
        """(sizes, the program for the largest of them): those of a group differ in trips and leftovers of loops
        alone."""
        unit = self._dynamic.unit
        return [
            (tuple(n // unit for n in sizes), self.at(max(sizes) // unit))
            for sizes in _groups(self.root, self._dynamic.extents)
        ]


def _groups(node: Node, sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Those of the sizes that share the programs of each part, of a graph that is divided."""
    node = of_call(node)[1]
    if isinstance(node, Pipeline):
        return sorted(each for group in _groups(node.producer, sizes) for each in _groups(node.consumer, group))
    if not isinstance(node, BySize):
        return [sizes]
    shared = (tuple(n for n in case if n in sizes) for case, _ in node.cases)
    return sorted(group for group in shared if group)


def title(sizes: tuple[int, ...]) -> str:
    """`5`, or `12..128, at 128`."""
    return ranges(sizes) + (f", at {max(sizes)}" if len(sizes) > 1 else "")
