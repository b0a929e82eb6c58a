"""Every rewrite of the space, one file each, listed here. A rewrite is written once; the search, the hand schedule,
the counter and the oracle all read the same `edge`."""

from .accumulate import ToAccumulator, to_accumulator_edges
from .ahead import Ahead, ahead_edges, places
from .apply import child_state, edge_node, edge_of, fixed, loop_node, parallel_cost, parallel_features, parallel_node, parallel_terms, rewrite_of, shared_lines
from .batch import Batch, batch_dims, batch_edges
from .edge import Child, DoesNotApply, Edge, Tiling
from .move import Move, copy_family, move_edges
from .select import Select, select_edges
from .share import Share, share_edges
from .split import PARTS, join_state
from .tile import Parallel, Tile, accumulating, can_accumulate, loop_features, may_share, shared_grids, shared_tiles, tilings

REWRITES = (select_edges, move_edges, to_accumulator_edges)


def edges(family, target) -> list[Edge]:
    """All edges of the space that leave `family`, in a fixed order. Before all else constants are placed, then batch dimensions taken off."""
    return ahead_edges(family, target) or batch_edges(family, target) or [edge for rewrite in REWRITES for edge in rewrite(family, target)]


__all__ = [
    "Ahead", "Batch", "Child", "DoesNotApply", "Edge", "Move", "PARTS", "Parallel", "REWRITES", "Select", "Share", "Tile", "Tiling", "ToAccumulator",
    "accumulating", "batch_dims", "can_accumulate", "child_state", "copy_family", "edge_node", "edge_of", "edges", "fixed", "join_state", "loop_features", "loop_node",
    "may_share", "parallel_cost", "parallel_features", "parallel_node", "parallel_terms", "places", "rewrite_of", "share_edges", "shared_grids", "shared_lines", "shared_tiles", "tilings",
]  # fmt: skip
