"""What the best programs cost at every size of one dimension, from a solved table.

The table's decisions are followed with arrays in place of numbers. Sizes of one decision go on together, so that a
family is followed once for each decision that it has, not once for each size. Costs are those of `Rebuild` to the bit,
and decisions are checked as it checks them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...lang.nests.access import Mesh
from ...lang.nests.family import Family, State
from ...support.errors import NoProgramError
from ..rewrites import Child, loop_features
from ..table import NONE, TILE_CODE, UNKNOWN, Damaged
from . import limits
from .rebuild import Rebuild, Unsolved, edge_of, loop_at

AlikeSizes = tuple[
    np.ndarray, dict[str, int], int
]  # which of some sizes, what other dimensions have there, and the limit


class CostsAlong:
    """The costs of programs of least cost at sizes of `dim`, each worked out once."""

    def __init__(self, rebuild: Rebuild, dim: str):
        self.rebuild, self.dim = rebuild, dim
        self.target, self.table, self.home = rebuild.target, rebuild.table, rebuild.table.home
        self._known: dict[tuple, np.ndarray] = {}  # cycles by size, nan where they are not known
        self._meshes: dict[tuple, Mesh] = {}

    def at(self, family: Family, size: Mapping[str, Any], sizes: np.ndarray, limit: int) -> np.ndarray:
        """Cycles at each of `sizes` under the memory limits of index `limit`: inf where the space has no program.

        Args:
            family: the operation, with where its operands lie.
            size: the sizes of its other dimensions.
            sizes: those of the dimension, from 1 on.
            limit: as of `Rebuild.at`.

        Raises:
            Unsolved: the table does not know.
            Damaged: it holds a decision that cannot be.
        """
        if self.dim not in family.operation.dims:
            return np.full(len(sizes), self._one(family, size, limit))
        others = {d: size[d] for d in family.operation.dims if d != self.dim}
        key = family, tuple(others.values()), limit
        known = self._known.get(key)
        if known is None or len(known) <= sizes.max(initial=0):
            fresh = np.full(int(sizes.max(initial=0)) + 1, np.nan)
            fresh[: 0 if known is None else len(known)] = () if known is None else known
            known = self._known[key] = fresh
        unknown = np.unique(sizes[np.isnan(known[sizes])])
        if len(unknown):
            known[unknown] = self._made(family, others, unknown, limit)
        return known[sizes]

    def _one(self, family: Family, size: Mapping[str, Any], limit: int) -> float:
        """The same of a family without the dimension."""
        try:
            return self.rebuild.at(family, size, limit).cost
        except NoProgramError:
            return np.inf

    def _made(self, family: Family, others: dict[str, int], sizes: np.ndarray, limit: int) -> np.ndarray:
        codes, found = np.full(len(sizes), NONE, np.int16), np.full(len(sizes), np.inf)
        mesh = self._mesh(family, others, sizes)
        holds = np.full(len(sizes), True)  # decisions may lie where nothing fits
        for need in limits.needs(self.home, family):
            holds &= limits.fits(self.target, need, mesh)
        levels = limits.axes(self.target, self.home, family)
        codes[holds] = self.table.decisions(family, others, (self.dim, sizes[holds]), levels, limit)
        if (unknown := codes == UNKNOWN).any():
            raise Unsolved(str(self._state(family, others, int(sizes[unknown][0]))))
        for code in np.unique(codes[codes != NONE]).tolist():
            which = codes == code
            of = mesh if which.all() else self._mesh(family, others, sizes[which])
            make = self._looped if code >= TILE_CODE else self._stepped
            with np.errstate(invalid="ignore"):  # packs ahead of a call run 0 times
                found[which] = cost = make(self._state(family, others, int(sizes[which][0])), of, limit, code)
            if not np.isfinite(cost).all():
                raise Damaged(f"a decision for {family.operation.name} that leaves what has no program")
        return found

    def _mesh(self, family: Family, others: dict[str, int], sizes: np.ndarray) -> Mesh:
        """Sizes by dimension, one object for all families that meet them: counts of an operand are kept there."""
        dims = family.operation.dims
        key = dims, tuple(others.values()), sizes.tobytes()
        if key not in self._meshes:
            self._meshes[key] = Mesh((d, sizes if d == self.dim else others[d]) for d in dims)
        return self._meshes[key]

    def _state(self, family: Family, others: Mapping[str, int], n: int) -> State:
        return State(family, tuple(n if d == self.dim else others[d] for d in family.operation.dims))

    # ---- what one decision makes -------------------------------------------------------------------------------------

    def _stepped(self, first: State, size: Mesh, limit: int, code: int) -> np.ndarray:
        """The costs where an edge comes first; `first` is the Spec of the first size."""
        edge = edge_of(self.rebuild.space, first, code)
        if edge.fits is not None and not np.all(edge.fits(size)):
            raise Damaged(f"an edge that does not fit {first}")
        total = np.zeros(len(size[self.dim]))
        for child in edge.children:
            times = 0 if child.ahead else 1 if child.times is None else np.asarray(child.times(size)).astype(np.int64)
            total = total + times * self._of_child(first, child, size, limit)
        return self.target.cost(edge.features(size)) + total

    def _of_child(self, first: State, child: Child, size: Mesh, limit: int) -> np.ndarray:
        count = len(size[self.dim])
        below = limits.below_each(self.target, self.home, first.family, child, size, [limit] * count)
        if min(below) < 0:
            raise Damaged(f"an edge that takes more memory than is left, for {first}")
        at, found = child.at(size), np.empty(count)
        along = np.broadcast_to(at[self.dim] if self.dim in child.family.operation.dims else 0, count)
        for which, others, left in self._groups(child.family, at, np.array(below)):
            found[which] = self.at(child.family, others, along[which], left)
        return found

    def _groups(self, family: Family, size: Mapping[str, Any], below: np.ndarray) -> Iterator[AlikeSizes]:
        """Sizes at which the other dimensions, and the limit, are alike."""
        dims = [d for d in family.operation.dims if d != self.dim]
        rows = np.array([below, *(np.broadcast_to(size[d], len(below)) for d in dims)], np.int64)
        if (rows == rows[:, :1]).all():
            kinds, of = rows[:, :1], np.zeros(len(below), np.int64)
        else:
            kinds, of = np.unique(rows, axis=1, return_inverse=True)
        for i, (left, *others) in enumerate(kinds.T.tolist()):
            yield of.reshape(-1) == i, dict(zip(dims, others)), left

    def _looped(self, first: State, size: Mesh, limit: int, code: int) -> np.ndarray:
        """The costs where a loop comes first."""
        tiling, tile = loop_at(self.rebuild.space, first, code)
        sizes, others = size[self.dim], {d: n for d, n in size.items() if d != self.dim}
        if tiling.dim == self.dim and not all(tile < n and tiling.allowed(n, tile) for n in sizes.tolist()):
            raise Damaged(f"decision {code} for {first}, a loop that not all of its sizes have")
        splits, later = tiling.rest is not None, tiling.rest or first.family
        trips, rest = np.divmod(np.broadcast_to(size[tiling.dim], len(sizes)), tile)
        own = self.target.cost(loop_features(first.family, tiling.dim, tile, self.target, size))

        def part(family: Family, lengths: np.ndarray, runs: np.ndarray) -> np.ndarray:
            """What a part of these lengths costs, where it `runs`."""
            found = np.zeros(len(sizes))
            if runs.any():
                along, extent = (lengths, {}) if tiling.dim == self.dim else (sizes, {tiling.dim: int(lengths[0])})
                found[runs] = self.at(family, {**others, **extent}, along[runs], limit)
            return found

        whole = np.full(len(sizes), tile)
        total = (trips - splits) * part(later, whole, trips > splits) + part(later, rest, rest > 0)
        return own + (total + part(first.family, whole, whole > 0) if splits else total)
