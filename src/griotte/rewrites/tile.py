"""Loops: one dimension by a tile size, the leftover as its own smaller Spec; in series, or over threads.

before  matmul m n k
after   loop m by 6 { matmul 6 n k }  then  matmul (m mod 6) n k
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..cost import traffic
from ..program.nodes import Loop, Node
from ..spec.family import Family, State
from ..spec.operation import Operation
from .batch import off
from .edge import Tiling, require
from .split import join_state


@dataclass(frozen=True)
class Tile:
    """A serial loop over `dim` in steps of `size` elements."""

    dim: str
    size: int

    def check(self, family: Family, sizes: dict[str, int]) -> None:
        """Raises DoesNotApply, saying why, when this loop is not in the space of the family at these sizes."""
        require(self.dim in family.operation.dims, f"expected a dimension of {family.operation.name} ({' '.join(family.operation.dims)}), found {self.dim!r}")
        require(family.output.level > 0, "expected an output in memory, found one in registers; a kernel takes those whole: select one")
        extent = sizes[self.dim]
        require(extent > 1, f"expected a dimension longer than 1, found {self.dim} = 1")
        require(0 < self.size < extent, f"expected a tile of 1..{extent - 1} for {self.dim} = {extent}, found {self.size}")
        step = _step(family, self.dim, extent)
        require(self.size % step == 0, f"expected a tile of {self.dim} that is a multiple of {step} (a packed operand), found {self.size}")
        if self.dim in family.operation.reduction and not family.accumulate:
            require(can_accumulate(family), f"expected an output of {family.accumulator}, the accumulator's dtype, to split {self.dim}; move it first")

    def node(self, state: State, parts: tuple[Node | None, ...], cost: float | None) -> Loop:
        """`parts` are the body, the tail and the first iteration, None where there is none."""
        body, tail, first = parts
        return Loop(state, (self.dim,), (self.size,), (body, tail), first, cost=cost)


def can_accumulate(family: Family) -> bool:
    """A result that is not yet in the accumulator's dtype must not be read back and added to."""
    return family.output.dtype == family.accumulator


def shared_grids(family: Family, sizes: dict[str, int], joins: bool) -> list[tuple[str, ...]]:
    """The one or two dimensions that threads may share: those of the output and, where there are `joins` and the output can be added to, one
    reduction; none before all constants are placed."""
    op = family.operation
    joins = joins and can_accumulate(family)
    dims = [d for d in op.dims if sizes[d] > 1 and (d in op.parallel or joins) and not family.ahead]
    return [grid for count in (1, 2) for grid in combinations(dims, count) if sum(d in op.reduction for d in grid) <= 1]


def shared_tiles(family: Family, dim: str, size: int, tiles: list[int], threads: int) -> list[int]:
    """The tiles of `dim` that threads may share: of a batch dimension 1, of a reduction those that cut it into a part for
    each thread at most; never one that cuts a packed operand's panels."""
    if dim in family.batch:
        return [1]
    return [t for t in tiles if t <= size and may_share(family, dim, size, t) and (dim in family.operation.parallel or 1 < -(-size // t) <= threads)]


def tilings(family: Family) -> list[Tiling]:
    """Every loop of the family, a Tiling per dimension."""
    if family.output.level == 0 or family.batch or family.ahead:
        return []
    found = []
    for dim in family.operation.dims:
        split = dim in family.operation.reduction and not family.accumulate
        if split and not can_accumulate(family):
            continue
        key = tuple(sorted({k for i in range(len(family.operands)) for k in _steps(family, i, dim)}))
        found.append(Tiling(dim, _allows(key), key, rest=accumulating(family) if split else None))
    return found


def loop_features(family: Family, dim: str, tile: int, target, size) -> dict:
    """What a serial loop itself counts: its whole tiles, and at each step but the first the panels that it cuts."""
    trips, rest = np.divmod(size[dim], tile)
    steps = trips + (rest > 0)
    return {"loop": trips} | {name: (steps - 1) * count for name, count in traffic.cut(family, dim, target, size).items()}


def accumulating(family: Family) -> Family:
    """The same family, adding to its output in place of overwriting it."""
    return Family(family.operation, True, family.operands, family.accumulator)


def _steps(family: Family, i: int, dim: str) -> list[tuple[int, int]]:
    """(free, step): tiles of `dim` are multiples of `step` wherever the size is above `free`, for operand i. A tile may be
    a part of one panel where the operand is read; a copy writes whole panels, padding included."""
    access, layout = family.access(i), family.operands[i].layout
    is_output = i == len(family.operands) - 1
    found = []
    if layout.panel and access.axis_of(dim) == layout.panel[0]:
        found.append((0 if is_output else layout.panel[1], layout.panel[1]))
    if layout.group and access.axis_of(dim) == layout.group[0]:
        found.append((0, layout.group[1]))
    return found


def _allows(key: tuple[tuple[int, int], ...]):
    return lambda extent, tile: all(extent <= free or tile % step == 0 for free, step in key)


def may_share(family: Family, dim: str, extent: int, tile: int) -> bool:
    """Whether threads may each take tiles of `dim`: they do not cut a packed operand's panels."""
    return tile == extent or tile % _step(family, dim, extent) == 0


def _step(family: Family, dim: str, extent: int) -> int:
    steps = [step for i in range(len(family.operands)) for free, step in _steps(family, i, dim) if extent > free]
    return max(steps, default=1)


@dataclass(frozen=True)
class Parallel:
    """One or two loops whose tiles are shared out over `threads`, in equal runs, leftovers included.

    before  matmul m n k
    after   parallel m by 512, n by 256 over 2 threads { matmul 512 256 k }

    One of the dimensions may be a reduction, cut into at most as many parts as there are threads: see `split`.
    Priced as the largest share of a thread in whole tiles: `apply.parallel_cost`.
    """

    dims: tuple[str, ...]
    tiles: tuple[int, ...]
    threads: int

    def check(self, family: Family, sizes: dict[str, int]) -> None:
        """Raises DoesNotApply, saying why, when these loops are not in the space of a goal's family at these sizes."""
        op = family.operation
        require(not family.ahead, f"expected constants placed ahead of the call before all else, found {' '.join(f'x{i}' for i in family.ahead)} open")
        require(1 <= len(set(self.dims)) == len(self.dims) <= 2, f"expected one dimension or two, found {' '.join(self.dims) or 'none'}")
        require(len(self.tiles) == len(self.dims), f"expected a tile for each of {' '.join(self.dims)}, found {len(self.tiles)} tiles")
        require(self.threads > 1, f"expected 2 threads or more, found {self.threads}")
        for dim, tile in zip(self.dims, self.tiles):
            require(dim in op.dims, f"expected a dimension of {op.name} ({' '.join(op.dims)}), found {dim!r}")
            largest = 1 if dim in family.batch else sizes[dim]
            require(0 < tile <= largest, f"expected a tile of 1..{largest} for {dim} = {sizes[dim]}, found {tile}")
            require(may_share(family, dim, sizes[dim], tile), f"expected a tile of {dim} that is a multiple of {_step(family, dim, sizes[dim])} (a packed operand), found {tile}")
            if dim in op.reduction:
                self._check_split(family, dim, -(-sizes[dim] // tile))
        require(sum(dim in op.reduction for dim in self.dims) <= 1, f"expected one reduction at most, found {' '.join(self.dims)}")
        require(any(tile < sizes[dim] for dim, tile in zip(self.dims, self.tiles)), "expected two tiles or more to share out, found one; take a smaller tile")

    def _check_split(self, family: Family, dim: str, parts: int) -> None:
        require(can_accumulate(family), f"expected an output of {family.accumulator}, the accumulator's dtype, to share out {dim}, found {family.output.dtype}")
        require(1 < parts <= self.threads, f"expected {dim} in 2..{self.threads} parts, one for each thread at most, found {parts}; take another tile")

    def split(self, op: Operation) -> str | None:
        """The reduction that is shared out, if one is."""
        return next((d for d in self.dims if d in op.reduction), None)

    def inside(self, family: Family) -> Family:
        """The family of a tile: batch dimensions that the loops step through one by one are gone from it."""
        for dim in self.dims:
            if dim in family.batch:
                family = off(family, dim)
        return family

    def parts(self, state: State) -> tuple[State | None, ...]:
        """The Spec of a tile by the mask of dimensions at their leftover, None where there is none; after them, where a
        reduction is shared out, the Spec that joins its parts."""
        family, found = self.inside(state.family), []
        for mask in range(1 << len(self.dims)):
            size = dict(state.size)
            for i, (d, t) in enumerate(zip(self.dims, self.tiles)):
                size[d] = size[d] % t if mask >> i & 1 else t
            found.append(State(family, tuple(size[d] for d in family.operation.dims)) if all(size[d] for d in self.dims) else None)
        dim = self.split(state.family.operation)
        return (*found, join_state(state, -(-state.size[dim] // dict(zip(self.dims, self.tiles))[dim]))) if dim else tuple(found)

    def node(self, state: State, parts: tuple[Node | None, ...], cost: float | None) -> Loop:
        """`parts` are the programs of `self.parts(state)`."""
        masks = 1 << len(self.dims)
        return Loop(state, self.dims, self.tiles, parts[:masks], threads=self.threads, cost=cost, join=next(iter(parts[masks:]), None))
