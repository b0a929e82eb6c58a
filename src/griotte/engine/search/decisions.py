"""What a table says at a point, checked before it is used: a file is data from outside.

Each function takes what was read and gives what it means there; Damaged where it is none of the space's choices. (A
solver checks a whole family at once: it replays the costs, and a decision that comes to none cannot be.)
"""

from __future__ import annotations

from ...lang.nests.family import State
from ..rewrites import Edge, Tiling, child_state
from ..table import TILE_CODE, TILE_SPAN, Damaged
from . import limits
from .space import Space


def edge_at(space: Space, state: State, limit: int, code: int) -> tuple[Edge, list[tuple[State, int]]]:
    """The edge that a decision names, and what it leaves: the Spec of each child, and its limit index."""
    edges = space.leaving(state.family)[0]
    if not 0 <= code < len(edges):
        raise Damaged(f"decision {code} for {state}, which has {len(edges)} edges")
    edge = edges[code]
    if not edge.fit(state.size):
        raise Damaged(f"an edge that does not fit {state}")
    left = [
        (child_state(child, state), limits.below(space.target, space.home, state.family, child, state.size, limit))
        for child in edge.children
    ]
    if not all(below >= 0 and space.holds(part.family, part.sizes) for part, below in left):
        raise Damaged(f"an edge that takes more memory than is left, for {state}")
    return edge, left


def loop_at(space: Space, state: State, code: int) -> tuple[Tiling, int]:
    """The loop that a decision names, and its tile."""
    d, t = divmod(code - TILE_CODE, TILE_SPAN)
    dim = dict(enumerate(state.family.operation.dims)).get(d)
    tiling = next((tiling for tiling in space.leaving(state.family)[1] if tiling.dim == dim), None)
    tiles = space.ladders[dim].tiles if tiling is not None else ()
    if t >= len(tiles) or tiles[t] >= state.size[dim] or not tiling.allowed(state.size[dim], tiles[t]):
        raise Damaged(f"decision {code} for {state}, a loop that it does not have")
    return tiling, tiles[t]
