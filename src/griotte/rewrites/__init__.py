"""Every rewrite of the space, one file each, listed here. A rewrite is written once; the search, the hand schedule,
the counter and the oracle all read the same `edge`."""

from .accumulate import ToAccumulator, to_accumulator_edges
from .adding import Adding, at_sums
from .ahead import Ahead, ahead_edges, may_pack, places
from .apply import applied, banded, edge_node, fixed
from .batch import Batch, batch_edges, standing_whole
from .bufferize import Bufferize, bufferize_edges, early_edges
from .down import Down, sees_down
from .edge import GOAL, PART, SHARED, Child, DoesNotApply, Edge, Tiling
from .fuse import Factor, Finish, Fold, Inline, fuse_edges
from .halo import Halo, block_sizes, halo_edges
from .joint import Joint, as_one, joint_edges
from .known import Known, is_known, known_edges
from .move import Move, copy_family, move_edges
from .online import Online, asked_by_rounds, online_edges
from .pairs import Pairs, pairs_edges
from .parallel import Parallel, may_share, parallel_cost, shared_grids, shared_lines, shared_tiles
from .rest import is_resting, rest_edges, resting_edges
from .rewrite import Rewrite, Word, child_state
from .select import Select, select_edges
from .shard import Shard, shard_edges, shards_first
from .share import Share, around, share_edges
from .skip import Skip, part_sizes, skip_edges
from .split import PARTS, join_state
from .tile import Tile, accumulating, can_accumulate, loop_features, tilings
from .turn import turn_edges

REWRITES = (
    select_edges,
    move_edges,
    to_accumulator_edges,
    turn_edges,
    bufferize_edges,
    fuse_edges,
    online_edges,
    pairs_edges,
    rest_edges,
    shard_edges,
    joint_edges,
)
BUILT_IN = REWRITES
"""Those that griotte brings, whatever is declared beside them."""
RESTED = tuple(rewrite for rewrite in REWRITES if rewrite is not bufferize_edges)
ASKED: tuple = (asked_by_rounds,)
"""What size maps of children ask for: functions of an operation, a dimension and a size of it that give the sizes it
leads to."""


def edges(family, target) -> list[Edge]:
    """All edges of the space that leave `family`, in a fixed order: leaves alone, of nests that are met together.
    Before all else constants are placed and what is computed of them alone, then it is said whether few rows are cut
    into shards, then batch dimensions taken off, then it is said what of whole arrays is skipped, and by what rows they
    are cut into blocks."""
    if family.operation.together:
        return select_edges(family, target)
    first = (
        known_edges(family, target)
        or ahead_edges(family, target)
        or early_edges(family, target)
        or shards_first(family, target)
        or batch_edges(family, target)
        or skip_edges(family, target)
        or halo_edges(family, target)
        or resting_edges(family, target)
    )
    return first or [
        edge for rewrite in (RESTED if is_resting(family, target) else REWRITES) for edge in rewrite(family, target)
    ]


def asked(operation, dim: str, size: int) -> set[int]:
    """The sizes besides leftovers that a ladder must hold where it holds this one."""
    return {int(n) for ask in ASKED for n in ask(operation, dim, size) if n > 0}


def offered(step: str, family, target) -> list:
    """The rewrites among the edges of a family that a person may mean who takes that step of a hand schedule."""
    return [edge.rewrite for edge in edges(family, target) if edge.rewrite.step == step]


def is_outermost(family, target) -> bool:
    """Whether nothing leaves a family but what stands above a program's first choice: it has no loops of its own
    yet."""
    found = edges(family, target)
    return bool(found) and all(edge.rewrite.outer for edge in found)


__all__ = [
    "ASKED",
    "Adding",
    "Ahead",
    "Batch",
    "Bufferize",
    "Child",
    "DoesNotApply",
    "Down",
    "Edge",
    "Factor",
    "Finish",
    "Fold",
    "GOAL",
    "Halo",
    "Inline",
    "Joint",
    "Known",
    "Move",
    "Online",
    "PART",
    "PARTS",
    "Pairs",
    "Parallel",
    "BUILT_IN",
    "REWRITES",
    "Rewrite",
    "SHARED",
    "Select",
    "Shard",
    "Share",
    "Skip",
    "Tile",
    "Tiling",
    "ToAccumulator",
    "Word",
    "accumulating",
    "applied",
    "as_one",
    "around",
    "asked",
    "at_sums",
    "banded",
    "block_sizes",
    "can_accumulate",
    "child_state",
    "copy_family",
    "edge_node",
    "edges",
    "fixed",
    "is_known",
    "is_outermost",
    "join_state",
    "loop_features",
    "may_pack",
    "may_share",
    "offered",
    "parallel_cost",
    "part_sizes",
    "places",
    "sees_down",
    "share_edges",
    "shared_grids",
    "shared_lines",
    "shared_tiles",
    "standing_whole",
    "tilings",
]
