"""Every rewrite of the space, one file each, listed here. A rewrite is written once; the search, the hand schedule,
the counter and the oracle all read the same `edge`."""

from .accumulate import ToAccumulator, to_accumulator_edges
from .apply import child_state, edge_node, edge_of, fixed, loop_node, parallel_cost, parallel_features, parallel_node, parallel_terms, rewrite_of, shared_lines
from .batch import Batch, batch_dims, batch_edges
from .edge import Child, DoesNotApply, Edge, Tiling
from .move import Move, copy_family, move_edges
from .select import Select, select_edges
from .tile import Parallel, Tile, accumulating, tilings

REWRITES = (select_edges, move_edges, to_accumulator_edges)


def edges(family, target) -> list[Edge]:
    """All edges of the space that leave `family`, in a fixed order. A batch dimension is taken off before all else."""
    return batch_edges(family, target) or [edge for rewrite in REWRITES for edge in rewrite(family, target)]


__all__ = [
    "Batch", "Child", "DoesNotApply", "Edge", "Move", "Parallel", "REWRITES", "Select", "Tile", "Tiling", "ToAccumulator",
    "accumulating", "batch_dims", "child_state", "copy_family", "edge_node", "edge_of", "edges", "fixed", "loop_node",
    "parallel_cost", "parallel_features", "parallel_node", "parallel_terms", "rewrite_of", "shared_lines", "tilings",
]  # fmt: skip
