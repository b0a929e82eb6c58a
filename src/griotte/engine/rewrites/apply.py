"""A rewrite applied to one Spec: the Program node over its parts, and its price.

The search rebuilds its program with these functions, a hand schedule grows one whose parts are Holes: so both come to
the same cost. A node over a part without a cost (a Hole) has none either.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import accumulate

from ...lang.nests.family import State
from ...lang.types.dynamic import Dynamic
from ..program.nodes import Bands, BySize, Loop, Node, Rounds
from .edge import Edge, Parts, Rewrite
from .skip import Down
from .tile import Tile

Rows = tuple[str, int]  # a dimension and a size of it


def applied(rewrite: Rewrite, state: State, target, parts: Parts) -> Node:
    """`parts` are programs of the Specs that the rewrite leaves, in that order."""
    return _node(rewrite, state, target, parts, rewrite.terms(state, target))


def edge_node(edge: Edge, state: State, target, parts: Parts) -> Node:
    """`applied`, for a rewrite whose edge is known."""
    return _node(edge.rewrite, state, target, parts, edge.terms(state.size))


def _node(rewrite: Rewrite, state: State, target, parts: Parts, terms: tuple[dict, tuple[int, ...]]) -> Node:
    features, times = terms
    costs = [(n, part.cost) for n, part in zip(times, parts) if part is not None]
    own = float(target.cost(features))
    return rewrite.node(
        state, parts, None if any(cost is None for _, cost in costs) else own + sum(n * cost for n, cost in costs)
    )


def fixed(node: Node, dynamic: Dynamic, n: int, target) -> Node:
    """The program of a BySize, or of a node under or above some, where a dynamic size is n."""
    return _fixed(node, dynamic.dim, n * dynamic.unit, target, None if dynamic.rows is None else (dynamic.rows, n))


def _fixed(node: Node, dim: str, size: int, target, rows: Rows | None) -> Node:
    """The program for one size of a dimension; above the bands of a second dimension of that size, `rows` is that, and
    how far it goes here."""
    dims = node.state.family.operation.dims
    rows = rows if rows and rows[0] in dims else None
    if dim not in dims and rows is None:
        return node
    at = lambda part, n=size, rows=rows: part and _fixed(part, dim, n, target, rows)
    if isinstance(node, BySize):
        sizes, case = node.of(size)
        return case if len(sizes) == 1 and rows is None else at(case)
    sizes_here = {dim: size} if rows is None else {dim: size, rows[0]: rows[1]}
    if isinstance(node, Bands):
        if node.down:
            return _fixed_down(node, dim, sizes_here, rows[1], target, at)
        return _fixed_bands(node, sizes_here, rows[1], target, at)
    state = _resized(node.state, sizes_here)
    rewrite = node.rewrite
    if rows is not None and isinstance(node, Loop) and node.open:
        return applied(rewrite, state, target, _fixed_over_threads(node, rows, at))
    if isinstance(node, Loop) and node.open:
        node = replace(node, **_fixed_bodies(node, size, at))
        if node.even:
            rewrite = replace(rewrite, tiles=node.tiles)
        return applied(rewrite, state, target, rewrite.parts(node))
    if isinstance(node, Rounds) and node.open:
        return applied(rewrite, state, target, rewrite.parts(replace(node, **_fixed_rounds(node, size, at))))
    return applied(rewrite, state, target, tuple(map(at, rewrite.parts(node))))


def _resized(state: State, sizes: dict[str, int]) -> State:
    return State(state.family, tuple(sizes.get(d, n) for d, n in state.size.items()))


def _fixed_bands(node: Bands, sizes: dict[str, int], rows: int, target, at) -> Node:
    """Bands of so many rows: a loop by the first height that they have, and what that leaves over by lower ones."""
    (height, body), *lower = ((h, b) for h, b in zip(node.heights, node.bodies) if h <= rows)
    band, left = at(body, rows=None), rows % height
    if rows == height:
        return band
    rest = (
        _fixed_bands(
            replace(node, heights=tuple(h for h, _ in lower), bodies=tuple(b for _, b in lower)),
            sizes,
            left,
            target,
            at,
        )
        if left
        else None
    )
    return applied(Tile(node.dim, height), _resized(node.state, {**sizes, node.dim: rows}), target, (band, rest, None))


def _fixed_down(node: Bands, dim: str, sizes: dict[str, int], rows: int, target, at) -> Node:
    """Bands of so many rows, each at the size that it ends at."""
    heights = banded(node.heights, rows)
    bodies = dict(zip(node.heights, node.bodies))
    parts = tuple(at(bodies[height], end, None) for height, end in zip(heights, accumulate(heights)))
    return (
        parts[0]
        if len(parts) == 1
        else applied(Down(node.dim, dim, heights), _resized(node.state, sizes), target, parts)
    )


def banded(heights: Iterable[int], rows: int) -> tuple[int, ...]:
    """The heights of the bands that so many rows are, where there are such heights, the highest first."""
    found: tuple[int, ...] = ()
    for height in heights:
        found += (height,) * (rows // height)
        rows %= height
    return found


def _fixed_over_threads(node: Loop, rows: Rows, at) -> Parts:
    """The bodies of bands that threads share, and of the rows that these leave over."""
    i = node.dims.index(rows[0])
    left = rows[1] % node.tiles[i]
    return tuple(
        (
            None
            if body is None
            else at(body, rows=None)
            if not mask >> i & 1
            else at(body, rows=(rows[0], left))
            if left
            else None
        )
        for mask, body in enumerate(node.bodies)
    )


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
    """The parts of open rounds for one size that are not of a whole round. Where the size has no leftover, those for
    the leftover of another size, which do not run."""
    left = size % node.tile
    over = lambda steps: tuple(
        (at(part, left or max(part.cases[-1][0])) if isinstance(part, BySize) else part, sees) for part, sees in steps
    )
    last = node.last if node.rest else tuple((at(part), sees) for part, sees in node.last)
    return {"left": over(node.left), "rest": over(node.rest), "last": last}
