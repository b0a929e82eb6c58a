"""Loops: one dimension by a tile size, the leftover as its own smaller Spec.

before  matmul m n k
after   loop m by 6 { matmul 6 n k }  then  matmul (m mod 6) n k
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ...lang.functions.combiners import RUN
from ...lang.nests.family import Family, State
from ..cost import views
from ..leaves.reduce.serve import is_in_runs
from ..program.nodes import Loop, Node
from .edge import Parts, Rewrite, Tiling, require
from .halo import slides
from .skip import skips
from .steps import step_of, steps


@dataclass(frozen=True)
class Tile(Rewrite):
    """A serial loop over `dim` in steps of `size` elements."""

    dim: str
    size: int

    def check(self, family: Family, sizes: dict[str, int]) -> None:
        """Raises DoesNotApply, saying why, when this loop is not in the space of the family at these sizes."""
        require(
            self.dim in family.operation.dims,
            f"expected a dimension of {family.operation.name} ({' '.join(family.operation.dims)}), found {self.dim!r}",
        )
        require(
            self.dim in (*family.operation.parallel, *family.operation.splits),
            f"expected a dimension of which a tile can be computed alone ({' '.join(family.operation.parallel)}), found"
            f" {self.dim!r}",
        )
        require(
            family.operation.output.is_apart(self.dim),
            f"expected a dimension whose tiles do not overlap, found {self.dim!r} of {family.operation.output}; copy"
            " all of it",
        )
        require(
            family.output.level > 0,
            "expected an output in memory, found one in registers; a kernel takes those whole: select one",
        )
        extent = sizes[self.dim]
        require(extent > 1, f"expected a dimension longer than 1, found {self.dim} = 1")
        require(
            0 < self.size < extent, f"expected a tile of 1..{extent - 1} for {self.dim} = {extent}, found {self.size}"
        )
        step = step_of(family, self.dim, extent)
        require(
            self.size % step == 0,
            f"expected a tile of {self.dim} that is a multiple of {step} (a packed operand), found {self.size}",
        )
        if self.dim in family.operation.reduction:
            require(
                not _rounds(family) or extent <= RUN * self.size,
                f"expected {RUN} tiles of {self.dim} at most, whose sums are added up, found {extent // self.size}",
            )
        if self.dim in family.operation.reduction and not family.accumulate:
            require(
                can_accumulate(family),
                f"expected an output of {family.accumulator}, the accumulator's dtype, to split {self.dim}; move it"
                " first",
            )

    def allow(self, hole) -> None:
        require(not hole.is_outermost, hole.steps_offered)
        self.check(hole.family, hole.size)

    def terms(self, state: State, target) -> tuple[dict, tuple[int, ...]]:
        trips = state.size[self.dim] // self.size
        return loop_features(state.family, self.dim, self.size, target, state.size), (
            trips - self._splits(state.family),
            1,
            1,
        )

    def leaves(self, state: State, target=None) -> tuple[State | None, ...]:
        """The body, the tail and the first iteration: a split has one, and no body where that is its only whole
        tile."""
        family, splits = state.family, self._splits(state.family)
        later = accumulating(family) if splits else family
        trips, rest = divmod(state.size[self.dim], self.size)
        at = lambda family, n: State(family, tuple(n if d == self.dim else s for d, s in state.size.items()))
        return (
            at(later, self.size) if trips > splits else None,
            at(later, rest) if rest else None,
            at(family, self.size) if splits else None,
        )

    def _splits(self, family: Family) -> bool:
        return self.dim in family.operation.reduction and not family.accumulate

    def node(self, state: State, parts: Parts, cost: float | None) -> Loop:
        body, tail, first = parts
        return Loop(state, (self.dim,), (self.size,), (body, tail), first, cost=cost, rewrite=self)

    def parts(self, node: Node) -> Parts:
        assert isinstance(node, Loop)
        return *node.bodies, node.first

    def critical_path(self, parts: tuple) -> int | None:
        return 0 if parts[0] is not None else 2

    def words(self, target) -> str:
        return f"tile of {self.dim} by {self.size}"


def can_accumulate(family: Family) -> bool:
    """A result that is not yet in the accumulator's dtype, or is finished as it is stored, must not be read back and
    added to; one that is folded is finished before."""
    return family.output.dtype == family.accumulator and bool(family.operation.splits)


def tilings(family: Family) -> list[Tiling]:
    """Every loop of the family, a Tiling per dimension."""
    if (
        family.output.level == 0
        or family.batch
        or family.ahead
        or family.operation.pending
        and (skips(family) or slides(family))
    ):
        return []
    found = []
    op = family.operation
    packed = [i for i, operand in enumerate(family.operands) if operand.layout.panel or operand.layout.group]
    for dim in (d for d in op.dims if (d in op.parallel or d in op.splits) and op.output.is_apart(d)):
        split = dim in family.operation.reduction and not family.accumulate
        if split and not can_accumulate(family):
            continue
        key = tuple(sorted({k for i in packed for k in steps(family, i, dim)}))
        most = RUN if dim in family.operation.reduction and _rounds(family) else 0
        found.append(Tiling(dim, _allows(key, most), (*key, most), rest=accumulating(family) if split else None))
    return found


def _rounds(family: Family) -> bool:
    """Whether the values added to an output are rounded."""
    return is_in_runs(family.operation.joins, family.accumulator)


def loop_features(family: Family, dim: str, tile: int, target, size) -> dict:
    """What a serial loop itself counts: its whole tiles, and `views.later_steps` at each step but the first."""
    trips, rest = np.divmod(size[dim], tile)
    steps = trips + (rest > 0)
    return {"loop": trips} | {
        name: (steps - 1) * count for name, count in views.later_steps(family, dim, target, size).items()
    }


def accumulating(family: Family) -> Family:
    """The same family, adding to its output in place of overwriting it."""
    return Family(family.operation, True, family.operands, family.accumulator)


@lru_cache(1 << 10)
def _allows(key: tuple[tuple[int, int], ...], most: int):
    """Tiles that steps of packed operands allow, and that are no more than `most`; 0: any number."""
    return lambda extent, tile: (
        (not most or extent <= most * tile) and all(extent <= free or tile % step == 0 for free, step in key)
    )
