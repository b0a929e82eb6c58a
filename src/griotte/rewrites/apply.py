"""A rewrite applied to one Spec: the Program node over its parts, and its price.

The search rebuilds its program with these functions, a hand schedule grows one whose parts are Holes: so both come to the
same cost. A node over a part without a cost (a Hole) has none either.
"""

from __future__ import annotations

from dataclasses import replace

from ..program.nodes import BySize, Loop, Node, Rounds
from ..spec.family import State
from .edge import Edge
from .rewrite import Parts, Rewrite


def applied(rewrite: Rewrite, state: State, target, parts: Parts) -> Node:
    """`parts` are programs of what the rewrite leaves of the Spec, in that order."""
    return _node(rewrite, state, target, parts, rewrite.terms(state, target))


def edge_node(edge: Edge, state: State, target, parts: Parts) -> Node:
    """`applied`, for a rewrite whose edge is known."""
    return _node(edge.rewrite, state, target, parts, edge.terms(state.size))


def _node(rewrite: Rewrite, state: State, target, parts: Parts, terms: tuple[dict, tuple[int, ...]]) -> Node:
    features, times = terms
    costs = [(n, part.cost) for n, part in zip(times, parts) if part is not None]
    own = float(target.cost(features))
    return rewrite.node(state, parts, None if any(cost is None for _, cost in costs) else own + sum(n * cost for n, cost in costs))


def fixed(node: Node, dim: str, size: int, target) -> Node:
    """The program of a BySize, or of what is under one, for one size of its dimension."""
    if dim not in node.state.family.operation.dims:
        return node
    if isinstance(node, BySize):
        sizes, case = node.of(size)
        return case if len(sizes) == 1 else fixed(case, dim, size, target)
    state = State(node.state.family, tuple(size if d == dim else s for d, s in node.state.size.items()))
    at = lambda part, n=size: part and fixed(part, dim, n, target)  # noqa: E731
    rewrite = node.rewrite
    if isinstance(node, Loop) and node.open:
        node = replace(node, **_fixed_bodies(node, size, at))
        if node.even:
            rewrite = replace(rewrite, tiles=node.tiles)
        return applied(rewrite, state, target, rewrite.parts(node))
    if isinstance(node, Rounds) and node.open:
        return applied(rewrite, state, target, rewrite.parts(replace(node, **_fixed_rounds(node, size, at))))
    return applied(rewrite, state, target, tuple(map(at, rewrite.parts(node))))


def _fixed_bodies(node: Loop, size: int, at) -> dict:
    """The tiles and bodies of an open loop for one size: those which are no BySize are of one size already."""
    i = node.dims.index(node.open)
    tiles = (-(-size // node.threads),) if node.even else node.tiles
    bodies = []
    for mask, body in enumerate(node.bodies):
        part = size % tiles[i] if mask >> i & 1 else tiles[i]
        bodies.append(at(body, part) if part and isinstance(body, BySize) else body if part else None)
    if node.first is not None and size // tiles[i] == 1:
        bodies[0] = None
    return {"tiles": tiles, "bodies": tuple(bodies)}


def _fixed_rounds(node: Rounds, size: int, at) -> dict:
    """The parts of open rounds for one size that are not of a whole round; where none is left over, those of what another size leaves, which do not run."""
    left = size % node.tile
    over = lambda steps: tuple((at(part, left or max(part.cases[-1][0])) if isinstance(part, BySize) else part, sees) for part, sees in steps)  # noqa: E731
    last = node.last if node.rest else tuple((at(part), sees) for part, sees in node.last)
    return {"left": over(node.left), "rest": over(node.rest), "last": last}
