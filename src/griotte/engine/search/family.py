"""One family solved as a block, from its children's: every edge relaxed over it, closed under loops, its decisions
covered by boxes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...lang.nests.family import Family
from ...support.memory import Memory
from ..rewrites.edge import Child, DoesNotApply, Tiling
from ..table import NONE, UNKNOWN, Damaged, Patch, Table, cover
from ..table.runs import Runs
from . import limits
from .arrays import SearchArrays
from .closing import BlockAddresses, close
from .edges import AHEAD, ALONE, CARRIES, INF, address
from .graph import FamilyNode
from .grid import FamilyRows, Grid, first
from .kernels import relax


@dataclass
class SolvedBlock(FamilyRows):
    """A family while it is solved: `cost` [rows, limits], freed once no parent needs it. While its own edges are
    relaxed: `decision` beside the costs, and which rows were `known` (on which `products` of coordinates)."""

    cost: np.ndarray
    specs_known: int
    products: list
    known: np.ndarray | None
    decision: np.ndarray | None

    @cached_property
    def columns(self) -> tuple[int, int, int]:
        """Its columns in the table of children: its costs, how many limits, its slots."""
        return address(self.cost), self.cost.shape[1], address(self.slot)

    def cost_at(self, points: np.ndarray, limit: int) -> np.ndarray:
        """Costs at grid points under one limit index, inf where nothing fits; only while the block's costs are held."""
        return np.where(self.slot[points] >= 0, self.cost[np.maximum(self.slot[points], 0), limit], INF)


class FamilySolver:
    """Solves families whose children are solved. `_met`: the steps of each limit that a family is solved at, where
    those are not all."""

    def __init__(self, table: Table, memory: Memory | None = None):
        self.table, self.target, self.home, self.ladders = table, table.target, table.home, table.ladders
        self.memory = memory or Memory()
        self.blocks: dict[Family, SolvedBlock] = {}
        self.arrays = SearchArrays(table)
        self._met: limits.Met = {}

    def _solve_family(self, node: FamilyNode) -> SolvedBlock:
        rows = self._rows(node)
        with self.memory.working(_working_set(rows), node.family.operation.name):
            block = self._block(rows)
            self._relax(block)
            self._close(block)
            self._check(block)
            self._keep(block)
        block.known = block.decision = None
        return block

    def _rows(self, node: FamilyNode) -> FamilyRows:
        return self.arrays.rows(node, self._met.get(node.family))

    def _block(self, rows: FamilyRows) -> SolvedBlock:
        """The block of these rows, with the decisions that the table has for them."""
        shape = (len(rows.rows), rows.limits)
        known, decision, products = np.zeros(shape[0], bool), np.full(shape, NONE, np.int16), []
        found = self._found(rows)
        if found is not None:
            dense, products = found
            decision = np.ascontiguousarray(first(dense[rows.rows], limits.whole(rows.axes), rows.steps))
            known = (decision != UNKNOWN).all(axis=1)
            decision[~known] = NONE
        specs_known = int(np.count_nonzero(known)) * shape[1]
        return SolvedBlock(
            **vars(rows),
            cost=self.memory.full(shape, INF),
            specs_known=specs_known,
            products=products,
            known=known,
            decision=decision,
        )

    def _check(self, block: SolvedBlock) -> None:
        """Damaged where a known decision, replayed, comes to no cost: it does not fit, or leaves what has no
        program."""
        if not block.known.any():
            return
        for part in self.memory.slabs(block.cost):
            lost = (block.decision[part] != NONE) & ~(block.cost[part] < INF)
            self.memory.settle(block.cost)
            if lost[block.known[part]].any():
                self.memory.free(block.cost)
                raise Damaged("a decision that cannot be taken")

    def _keep(self, block: SolvedBlock) -> None:
        """Put into the table what it did not have."""
        family, slot = block.node.family, block.slot
        holes, held = [], np.zeros(len(block.rows), bool)
        for product in block.products:
            rows = block.within(product)
            if block.known[rows].all():
                holes.append(product)
                held[rows] = True
        fresh = block.rows[~held]
        if not len(fresh) and self.table.patches(family):
            return
        if holes:
            slot = slot.copy()
            slot[block.rows[held]] = -1
        shape = block.grid.shape + block.steps
        # a cover takes ten times as long as runs, and a third of their memory
        late = self.table.writes_late and not self.memory.bounded
        is_kept_small = self.table.store is not None and not late or self.memory.bounded
        boxes = cover(fresh, slot, block.decision, shape) if is_kept_small else Runs.of(slot, block.decision, shape)
        sizes, tiles = self.table.axes(family)
        points = len(fresh) * block.limits
        patch = Patch(sizes, tiles, block.axes, len(limits.SHARES), points, boxes, tuple(holes))
        self.table.keep(family, patch, late)

    # ---- edges -------------------------------------------------------------------------------------------------------

    def _relax(self, block: SolvedBlock) -> None:
        """Relax all edges in one call; where costs may be in the scratch file one by one, a slab at a time."""
        edges, children, kept = self._tables(block)
        bounded, count = self.memory.bounded, len(edges)
        for begin in range(count) if bounded else (0,):
            end = begin + 1 if bounded else count
            costs = [self.blocks[c.family].cost for c in block.node.edges[begin].children] if bounded else []
            for part in self.memory.slabs(block.cost, *costs):
                off = self._relax_edges(block, edges, begin, end, children, part)
                if off >= 0:
                    raise DoesNotApply(_off_ladders(block.node, off))
                self.memory.settle(block.cost, *costs)
        del kept  # which the tables have the addresses of

    def _tables(self, block: SolvedBlock) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
        """The tables of a family's edges and of their children, and the arrays that must live as long as these."""
        edges, children, kept = [], list[tuple[int, ...]](), list[np.ndarray]()
        for edge in block.node.edges:
            begin = len(children)
            children += [self._child(child, block, kept) for child in edge.children]
            edges.append((*self.arrays.own(edge, block.grid).columns, begin, len(children)))
        return np.array(edges, np.int64).reshape(-1, 5), np.array(children, np.int64).reshape(-1, 8), kept

    def _child(self, child: Child, block: SolvedBlock, kept: list[np.ndarray]) -> tuple[int, ...]:
        """A child as it is seen from the parent's block, a row of the table of children."""
        body = self.blocks[child.family]
        points = self.arrays.points(child, block.grid, body.grid)
        seen = *body.columns, 0 if points is None else points.address
        if not child.carries:
            return *seen, 0, 0, 0, AHEAD if child.ahead else ALONE
        kinds, table = self.arrays.limits_of(block, body, child)
        return *seen, self._times(child, block.grid, kept), kinds.address if kinds else 0, table.address, CARRIES

    @staticmethod
    def _times(child: Child, grid: Grid, kept: list[np.ndarray]) -> int:
        """Where it says how often a child runs at each point; 0: once."""
        if child.times is None:
            return 0
        times = grid.flat(np.asarray(child.times(grid.size), np.float32))
        kept.append(times)
        return address(times)

    # ---- loops -------------------------------------------------------------------------------------------------------

    def _close(self, block: SolvedBlock) -> None:
        tilings = [t for t in block.node.tilings if len(self.ladders[t.dim]) > 1]
        if not tilings or not len(block.rows):
            return
        loops = self.arrays.loops(block.grid, tilings)
        cuts = self.arrays.cuts(block.node.family, block.grid, tilings)
        self._close_block(block, loops, self._rest(block, tilings), cuts)

    def _rest(self, block: SolvedBlock, tilings: list[Tiling]) -> np.ndarray:
        """The costs of the rest of a split reduction, at the limits of the block."""
        rest = next((self.blocks[t.rest] for t in tilings if t.rest is not None), block)
        return (
            rest.cost if rest.steps == block.steps else np.ascontiguousarray(first(rest.cost, rest.steps, block.steps))
        )

    # ---- the semiring: least cost, and which choice gives it; and where known rows come from, and go -----------------

    def _found(self, rows: FamilyRows):
        return self.table.known(rows.node.family, rows.axes, len(rows.node.edges))

    def _relax_edges(self, block: SolvedBlock, edges, first: int, last: int, children, part: slice) -> int:
        arrays = block.cost, block.decision, block.known, block.rows, block.slot
        return relax(arrays, (part.start, part.stop), edges, (first, last), children)

    def _close_block(
        self, block: SolvedBlock, loops: tuple[np.ndarray, ...], rest: np.ndarray, cuts: np.ndarray
    ) -> None:
        dims, *tables, has_rest = loops
        loop, place = np.float32(self.target.coefficient["loop"]), (block.grid.coordinates, block.grid.strides)
        addressed = BlockAddresses.of((block.cost, block.decision, rest), block.slot, tuple(tables), cuts, loop)
        for part in self.memory.slabs(block.cost, rest):
            close(addressed, (block.rows, block.known), (part.start, part.stop), place, (dims, has_rest))
            self.memory.settle(block.cost, rest)


def _working_set(block: FamilyRows) -> int:
    """Bytes that solving a family takes beside its costs: decisions (and a dense copy to cover them), and some arrays
    of a number for each point."""
    return len(block.rows) * block.limits * 2 + block.grid.points * (2 * block.limits + 48)


def _off_ladders(node: FamilyNode, edge: int) -> str:
    """That an edge of a family has a child whose sizes are not on its ladders."""
    name = next((child.family.operation.name for child in node.edges[edge].children if child.sizes), "a part")
    return f"expected sizes of {name} on its ladders, found others; name them in `asked` of its rule"
