"""What a table says at a point, checked before it is used: a file is data from outside.

Each function takes what was read and gives what it means there; Damaged where it is none of the space's choices. (A
solver checks a whole family at once: it replays the costs, and a decision that comes to none cannot be.)
"""

from __future__ import annotations

import json

from ...lang.nests.family import Family, State
from ..rewrites import Edge, Parallel, Tiling, child_state, share_edges
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


def shared_at(space: Space, family: Family, sizes: dict[str, int], threads: int, text: str) -> Parallel | int:
    """The way to share out a goal that a choice names: loops over threads (of no dimensions where there are none), or
    the number of a copy that comes first."""
    try:
        named = json.loads(text)
    except (ValueError, RecursionError):
        named = None
    match named:
        case int() if (
            type(named) is int and space.joins and 0 <= named < len(share_edges(family, space.target, threads))
        ):
            return named
        case [[*dims], [*tiles]]:
            loops = Parallel(tuple(dims), tuple(tiles), threads)
            if not dims and not tiles or space.may_share(family, sizes, loops):
                return loops
    raise Damaged("a choice of loops over threads that there are not")


def split_at(ways: list[int], text: str) -> int | None:
    """Which of the ways to take a graph apart a choice names; None for none of them."""
    found = next((code for code in ways if text == str(code)), None)
    if found is None and text != "none":
        raise Damaged("a choice of a way to take a graph apart that there is not")
    return found


def placed_at(options: tuple[Edge, ...], text: str) -> int:
    """The number of the place of a constant that a choice names."""
    found = next((code for code in range(len(options)) if text == str(code)), None)
    if found is None:
        raise Damaged("a choice of a constant's place that there is not")
    return found
