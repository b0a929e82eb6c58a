"""Loops: one dimension by a tile size, the leftover as its own smaller Spec; in series, or over threads.

before  matmul m n k
after   loop m by 6 { matmul 6 n k }  then  matmul (m mod 6) n k
"""

from __future__ import annotations

from dataclasses import dataclass

from ..spec.family import Family
from .batch import batch_dims
from .edge import Tiling, require


@dataclass(frozen=True)
class Tile:
    """A serial loop over `dim` in steps of `size` elements."""

    dim: str
    size: int

    def check(self, family: Family, sizes: dict[str, int]) -> None:
        """Raises DoesNotApply, saying why, when this loop is not in the space of the family at these sizes."""
        require(self.dim in family.operation.dims, f"expected a dimension of {family.operation.name} ({' '.join(family.operation.dims)}), found {self.dim!r}")
        extent = sizes[self.dim]
        require(0 < self.size < extent, f"expected a tile of 1..{extent - 1} for {self.dim} = {extent}, found {self.size}")
        step = _step(family, self.dim, extent)
        require(self.size % step == 0, f"expected a tile of {self.dim} that is a multiple of {step} (a packed operand), found {self.size}")
        if self.dim in family.operation.reduction and not family.accumulate:
            require(can_accumulate(family), f"expected an output of {family.accumulator}, the accumulator's dtype, to split {self.dim}; move it first")


def can_accumulate(family: Family) -> bool:
    """A result that is not yet in the accumulator's dtype must not be read back and added to."""
    return family.output.dtype == family.accumulator


def tilings(family: Family) -> list[Tiling]:
    """Every loop of the family, a Tiling per dimension."""
    if family.parallel or family.output.level == 0 or batch_dims(family.operation):
        return []
    found = []
    for dim in family.operation.dims:
        split = dim in family.operation.reduction and not family.accumulate
        if split and not can_accumulate(family):
            continue
        key = tuple(sorted({k for i in range(len(family.operands)) for k in _steps(family, i, dim)}))
        found.append(Tiling(dim, _allows(key), key, rest=accumulating(family) if split else None))
    return found


def accumulating(family: Family) -> Family:
    """The same family, adding to its output in place of overwriting it."""
    return Family(family.operation, True, family.operands, family.accumulator, family.parallel)


def _steps(family: Family, i: int, dim: str) -> list[tuple[int, int]]:
    """(free, step): tiles of `dim` are multiples of `step` wherever the size is above `free`, for operand i."""
    access, layout = family.access(i), family.operands[i].layout
    found = []
    if layout.panel and access.axis_of(dim) == layout.panel[0]:
        found.append((layout.panel[1], layout.panel[1]))
    if layout.group and access.axis_of(dim) == layout.group[0]:
        found.append((0, layout.group[1]))
    return found


def _allows(key: tuple[tuple[int, int], ...]):
    return lambda extent, tile: all(extent <= free or tile % step == 0 for free, step in key)


def _step(family: Family, dim: str, extent: int) -> int:
    steps = [step for i in range(len(family.operands)) for free, step in _steps(family, i, dim) if extent > free]
    return max(steps, default=1)


@dataclass(frozen=True)
class Parallel:
    """One or two loops whose tiles are shared out over `threads`, in equal runs, leftovers included.

    before  matmul m n k
    after   parallel m by 512, n by 256 over 2 threads { matmul 512 256 k }

    Priced as the largest share of a thread in whole tiles: fork + ceil(tiles / threads) * tile.
    """

    dims: tuple[str, ...]
    tiles: tuple[int, ...]
    threads: int


@dataclass(frozen=True)
class Serial:
    """Run a Spec that could use threads on one."""
