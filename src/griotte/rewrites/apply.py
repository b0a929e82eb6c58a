"""A rewrite applied to one Spec: the Program node over its parts, and its price.

The search rebuilds its program with these functions, a hand schedule grows one whose parts are Holes: so both come to the
same cost. A node over a part without a cost (a Hole) has none either.
"""

from __future__ import annotations

import numpy as np

from ..program import nodes
from ..program.nodes import BySize, Loop, Node, children
from ..spec.family import Family, State, runs
from .accumulate import ToAccumulator
from .ahead import Ahead
from .batch import Batch
from .edge import Child, Edge
from .move import Move
from .select import Select
from .share import Share
from .tile import Parallel, Tile, loop_features


def child_state(child: Child, state: State) -> State:
    """The Spec that a child of an edge of `state` must meet."""
    return State(child.family, tuple(state.size[d] for d in child.family.operation.dims))


def edge_of(node: Node, target) -> Edge:
    """The edge that made a node other than a loop."""
    return rewrite_of(node).edge(node.state.family, target)


def edge_node(edge: Edge, state: State, target, parts: tuple[Node, ...]) -> Node:
    """`parts` meet the Specs of `edge.children`, in their order."""
    times = [child.runs(state.size) for child in edge.children]
    return edge.rewrite.node(state, parts, _total(float(target.cost(edge.features(state.size))), parts, times))


def loop_node(state: State, target, dim: str, tile: int, body: Node | None, tail: Node | None, first: Node | None = None) -> Loop:
    """A serial loop; `body` is None where the only whole tile is the `first`."""
    trips = state.size[dim] // tile
    own = float(target.cost(loop_features(state.family, dim, tile, target, state.size)))
    cost = _total(own, (body, tail, first), (trips - (first is not None), 1, 1))
    return Tile(dim, tile).node(state, (body, tail, first), cost)


def parallel_node(state: State, target, dims: tuple[str, ...], tiles: tuple[int, ...], threads: int, bodies: tuple[Node | None, ...]) -> Loop:
    """Tiles shared out over threads; `bodies` are the programs of `Parallel.parts`."""
    rewrite = Parallel(dims, tiles, threads)
    count = int(np.prod([-(-state.size[d] // t) for d, t in zip(dims, tiles)], dtype=np.int64))
    own, share = parallel_terms(target, count, threads, shared_lines(state.family, dims, tiles, state.size))
    join = bodies[-1] if rewrite.split(state.family.operation) else None
    return rewrite.node(state, bodies, _total(float(own), (bodies[0], join), (int(share), 1)))


def fixed(node: Node, dim: str, size: int, target) -> Node:
    """The program of a BySize, or of what is under one, for one size of its dimension."""
    if dim not in node.state.family.operation.dims:
        return node
    if isinstance(node, BySize):
        sizes, case = node.of(size)
        return case if len(sizes) == 1 else fixed(case, dim, size, target)
    state = State(node.state.family, tuple(size if d == dim else s for d, s in node.state.size.items()))
    at = lambda part, n=size: part and fixed(part, dim, n, target)  # noqa: E731
    if not isinstance(node, Loop):
        return edge_node(edge_of(node, target), state, target, tuple(at(part) for part in children(node)))
    tiles, bodies = _fixed_bodies(node, size, at) if node.open else (node.tiles, tuple(map(at, node.bodies)))
    if node.threads > 1:
        return parallel_node(state, target, node.dims, tiles, node.threads, bodies)
    return loop_node(state, target, *node.dims, *tiles, *bodies, at(node.first))


def _fixed_bodies(node: Loop, size: int, at) -> tuple[tuple[int, ...], tuple[Node | None, ...]]:
    """The tiles and bodies of an open loop for one size: those which are no BySize are of one size already."""
    i = node.dims.index(node.open)
    tiles = (-(-size // node.threads),) if node.even else node.tiles
    bodies = []
    for mask, body in enumerate(node.bodies):
        part = size % tiles[i] if mask >> i & 1 else tiles[i]
        bodies.append(at(body, part) if part and isinstance(body, BySize) else body if part else None)
    return tiles, tuple(bodies)


def parallel_cost(target, count, threads: int, cost, shared):
    """Cycles of `count` tiles (ints or arrays), leftovers priced as whole ones: what the thread with most of them takes.
    `shared` of a tile's lines are written by another thread too."""
    own, share = parallel_terms(target, count, threads, shared)
    return own + share * cost


def parallel_terms(target, count, threads: int, shared) -> tuple:
    """(own, share): `parallel_cost` is own + share * the cost of a whole tile."""
    features, share = parallel_features(count, threads, shared)
    return target.cost(features), share


def parallel_features(count, threads: int, shared) -> tuple[dict, object]:
    """The features of a parallel loop itself, and how many tiles the busiest thread runs. Tiles go out in equal runs of
    neighbours: lines are shared at the ends of a run, not within it."""
    share = -(-count // threads)
    return {"fork": 1, "loop": share, "seam": shared}, share


def shared_lines(family: Family, dims: tuple[str, ...], tiles, size):
    """64-byte lines of an output tile that its neighbours write too: one a row, where the split is along the dimension in
    which the output's neighbours lie. Rows begin anywhere: arrays are aligned to 16 bytes, and pitches are what they are."""
    along = family.unit_dim(len(family.operands) - 1)
    if along not in dims:
        return 0
    extent = dict(zip(dims, tiles))
    rows = runs(family.operation.output, family.output, {**size, **extent})
    return rows * (np.asarray(extent[along]) < size[along])


def rewrite_of(node: Node):
    """The rewrite that a node is; with those of its children, all that tells two programs of one Spec apart."""
    match node:
        case nodes.KernelCall():
            return Select(node.kernel, node.lane)
        case nodes.Move():
            return _placed(node)
        case nodes.Block():
            return ToAccumulator()
        case Loop(threads=1):
            return Batch(*node.dims) if node.state.family.batch else Tile(*node.dims, *node.tiles)
        case Loop():
            return Parallel(node.dims, node.tiles, node.threads)
    raise AssertionError(node)


def _placed(node: nodes.Move):
    if node.shared:
        return Share(node.operand, node.to, nodes.team(node.body))
    return (Ahead if node.ahead else Move)(node.operand, node.to)


def _total(own: float, parts, times=None) -> float | None:
    costs = [(n, part.cost) for n, part in zip(times or (1,) * len(parts), parts) if part is not None]
    return None if any(cost is None for _, cost in costs) else own + sum(n * cost for n, cost in costs)
