"""From decisions to a Program: top-down from the goal's point, one node per decision; equal Specs share one node."""

from __future__ import annotations

import numpy as np

from ..errors import NoProgramError
from ..program.nodes import Block, KernelCall, Loop, Move, Node
from ..rewrites import Move as MoveRewrite
from ..rewrites import Select, ToAccumulator
from ..spec.family import Family, State
from . import limits
from .kernels import TILE_CODE, TILE_SPAN
from .solve import Solver


class Rebuild:
    """Reads programs out of a solver's table, replaying costs from the decisions."""

    def __init__(self, solver: Solver):
        self.solver, self.table, self.target = solver, solver.table, solver.target
        self._nodes: dict[tuple, Node] = {}

    def best(self, family: Family, sizes: dict[str, int]) -> Node:
        """The program of least cost with all memory free; NoProgramError when the space has none."""
        block = self.table.blocks[family]
        return self.node(family, block.grid.point(sizes), limits.count(block.axes) - 1)

    def node(self, family: Family, point: int, limit: int) -> Node:
        key = (family, point, limit)
        if key not in self._nodes:
            self._nodes[key] = self._make(family, point, limit)
        return self._nodes[key]

    def _make(self, family: Family, point: int, limit: int) -> Node:
        block = self.table.blocks[family]
        state = State(family, block.grid.sizes_at(point))
        row = block.slot[point]
        code = int(block.decision[row, limit]) if row >= 0 else -1
        if code < 0:
            raise NoProgramError(f"expected a program for {state}, found none in the space of target {self.target.name}; more registers or kernels are needed")
        if code >= TILE_CODE:
            return self._loop(block, state, point, limit, *divmod(code - TILE_CODE, TILE_SPAN))
        return self._edge(block, state, block.node.edges[code], point, limit)

    def _loop(self, block, state: State, point: int, limit: int, d: int, j: int) -> Node:
        grid, dim = block.grid, state.family.operation.dims[d]
        ladder = grid.ladders[d]
        base = point - int(grid.coordinates[point, d]) * int(grid.strides[d])
        at = lambda family, index: self.node(family, base + index * int(grid.strides[d]), limit)  # noqa: E731
        tile, extent = int(ladder.sizes[j]), state.size[dim]
        tiling = next(t for t in block.node.tilings if t.dim == dim)
        trips, left = extent // tile, extent % tile
        family = tiling.rest or state.family
        body = at(family, j)
        tail = at(family, ladder.index[left]) if left else None
        first = at(state.family, j) if tiling.rest else None
        cost = trips * (body.cost + self.target.coefficient["loop"]) + (tail.cost if tail else 0.0)
        cost += first.cost - body.cost if first else 0.0
        return Loop(state, (dim,), (tile,), (body, tail), first, cost=cost)

    def _edge(self, block, state: State, edge, point: int, limit: int) -> Node:
        own = float(self.target.cost(edge.features(state.size)))
        parts = [self._child(block, edge, child, point, limit) for child in edge.children]
        cost = own + sum(p.cost for p in parts)
        match edge.rewrite:
            case Select(kernel, lane):
                return KernelCall(state, kernel, lane, cost)
            case MoveRewrite(operand, to):
                copy, body = parts if len(parts) == 2 else (None, parts[0])
                return Move(state, operand, to, body, copy, cost)
            case ToAccumulator():
                last = len(state.family.operands) - 1
                return Block(state, tuple(parts), ((last,), tuple(range(last + 1))), cost)
        raise AssertionError(f"no node for {edge.rewrite}")

    def _child(self, block, edge, child, point: int, limit: int) -> Node:
        other = self.table.blocks[child.family]
        to = point if other.grid is block.grid else int(block.grid.projection(other.grid)[point])
        if not child.carries:
            return self.node(child.family, to, limits.count(other.axes) - 1)
        kind, table = self.solver._transition(block, other, edge)
        return self.node(child.family, to, int(table[kind[point], limit]))


def parallel_best(rebuild: Rebuild, family: Family, sizes: dict[str, int], threads: int) -> Node:
    """The goal over threads: every grid of one or two parallel dimensions, priced as the largest share of a thread in
    whole tiles, against running it in series."""
    serial = rebuild.best(family, sizes)
    block = rebuild.table.blocks[family]
    grid, target = block.grid, rebuild.target
    at = limits.count(block.axes) - 1
    best, choice = serial.cost, None
    dims = [d for d in family.operation.parallel if sizes[d] > 1]
    for i, a in enumerate(dims):
        for b in (None, *dims[i + 1 :]):
            value, tiles = _cheapest_grid(block, grid, target, sizes, a, b, threads, at)
            if value < best:
                best, choice = value, ((a,) if b is None else (a, b), tiles)
    if choice is None:
        return serial
    return _parallel_loop(rebuild, family, sizes, *choice, threads, best)


def _cheapest_grid(block, grid, target, sizes, a, b, threads, at):
    point = grid.point(sizes)
    axes = [grid.dims.index(d) for d in (a, b) if d]
    options = [[grid.ladders[x].index[t] for t in grid.ladders[x].tiles if t <= sizes[grid.dims[x]]] for x in axes]
    mesh = np.stack([m.reshape(-1) for m in np.meshgrid(*options, indexing="ij")], axis=1)
    points = point + sum((mesh[:, k] - int(grid.coordinates[point, x])) * int(grid.strides[x]) for k, x in enumerate(axes))
    tiles = [grid.ladders[x].sizes[mesh[:, k]] for k, x in enumerate(axes)]
    count = np.ones(len(mesh), np.int64)
    for x, t in zip(axes, tiles):
        count *= -(-sizes[grid.dims[x]] // t)
    share = -(-count // threads)
    cost = np.where(block.slot[points] >= 0, block.decision_cost(points, at), np.inf)
    value = target.coefficient["fork"] + share * (cost + target.coefficient["loop"])
    value = np.where(count > 1, value, np.inf)
    k = int(np.argmin(value))
    return float(value[k]), tuple(int(t[k]) for t in tiles)


def _parallel_loop(rebuild: Rebuild, family: Family, sizes, dims, tiles, threads: int, cost: float) -> Node:
    grid = rebuild.table.blocks[family].grid
    state = State(family, tuple(sizes[d] for d in grid.dims))
    bodies: list[Node | None] = []
    for mask in range(1 << len(dims)):
        part = dict(sizes)
        for i, (d, t) in enumerate(zip(dims, tiles)):
            part[d] = sizes[d] % t if mask >> i & 1 else t
        bodies.append(rebuild.best(family, part) if all(part[d] for d in dims) else None)
    return Loop(state, dims, tiles, tuple(bodies), threads=threads, cost=cost)
