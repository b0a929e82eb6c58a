"""Every rewrite of the space, a file for each or for those alike, listed here. A rewrite is written once: the search,
the hand schedule, the counter and the oracle all read the same `edge`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ...lang.nests.family import Family
from ...lang.nests.pending import OneLeaf
from .accumulate import TO_ACCUMULATOR, ToAccumulator
from .ahead import AHEAD, Ahead, Share, around, share_edges
from .apply import applied, banded, edge_node, fixed
from .batch import BATCH, Batch, standing_whole
from .bufferize import BUFFERIZE, EARLY, Bufferize
from .by_hand import HolePath, OpenHole
from .edge import GOAL, PART, SHARED, Child, DoesNotApply, Edge, Rewrite, RewriteRule, Role, Tiling, Word, child_state
from .fuse import FINISH_FIRST, FUSE, Factor, Finish, Fold, Inline
from .halo import HALO, Halo
from .inputs import REST, RESTING, TURN, is_resting
from .joint import JOINT, Adding, Joint, at_sums, split
from .known import KNOWN, Known, is_known
from .move import MOVE, VIEW, Move, copy_family
from .online import ONLINE, Online
from .pairs import PAIRS, Pairs
from .parallel import (
    PARTS,
    Parallel,
    join_state,
    may_share,
    parallel_cost,
    shared_grids,
    shared_lines,
    shared_tiles,
    tile,
)
from .places import may_pack, places
from .select import SELECT, Select
from .shard import SHARD, SHARD_FIRST, Shard
from .skip import SKIP, Down, Skip, sees_down
from .tile import Tile, accumulating, can_accumulate, loop_features, tilings

FIRST: tuple[RewriteRule, ...] = (KNOWN, AHEAD, EARLY, SHARD_FIRST, BATCH, SKIP, HALO, RESTING, FINISH_FIRST)
"""The decisions that come before all else, in this order. Constants are placed, and tensors computed of them alone.
Then it is decided whether few rows are cut into shards. Then batch dimensions are taken off. Then it is decided what of
whole arrays is skipped, and by what rows they are cut into blocks. In a narrow space maps are done as reductions are
stored."""
RULES: tuple[RewriteRule, ...] = (
    SELECT,
    MOVE,
    VIEW,
    TO_ACCUMULATOR,
    TURN,
    BUFFERIZE,
    FUSE,
    ONLINE,
    PAIRS,
    REST,
    SHARD,
    JOINT,
)
BUILT_IN = RULES
"""Those that griotte brings, whatever is declared beside them."""


def edges(family, target) -> list[Edge]:
    """All edges of the space that leave `family`, in a fixed order: leaves alone, of nests that are met together."""
    if OneLeaf.of(family.operation):
        return SELECT.edges(family, target)
    first, others = _rules_for(family)
    for rule in first:
        if found := rule.edges(family, target):
            return found
    if not family.operation.is_lone and is_resting(family, target):  # then nothing is placed
        others = tuple(rule for rule in others if rule is not BUFFERIZE)
    return [edge for rule in others for edge in rule.edges(family, target)]


Rules = tuple[RewriteRule, ...]


def rules() -> tuple[Rules, Rules]:
    """All that are declared now: those that are decided first, and the others."""
    return FIRST, RULES


_serving: dict[tuple[bool, ...], tuple[tuple[Rules, Rules], tuple[Rules, Rules]]] = {}


def _rules_for(family: Family) -> tuple[Rules, Rules]:
    """The rules of FIRST and of RULES that may leave a family: few, and the same for most."""
    graph = family.operation
    is_decided = not (family.ahead or family.batch or graph.pending)
    kind = len(graph.nests) > 1, graph.is_large, is_decided
    of, found = _serving.get(kind, (None, None))
    if found is None or of is None or of[0] is not FIRST or of[1] is not RULES:
        serves = lambda rule: rule.serves(graph) and not (is_decided and rule.undecided)
        found = tuple(filter(serves, FIRST)), tuple(filter(serves, RULES))
        _serving[kind] = rules(), found
    return found


def asked(operation, dim: str, size: int) -> set[int]:
    """The sizes besides leftovers that a ladder must hold where it holds this one."""
    rules = [rule for rule in (*FIRST, *RULES) if rule.asked and rule.serves(operation)]
    return {int(n) for rule in rules for n in rule.asked(operation, dim, size) if n > 0}


def goal_sizes(family: Family) -> Iterator[tuple[str, int]]:
    """(dimension, size) that goals within a goal have, and that a ladder must hold."""
    for rule in (*FIRST, *RULES):
        yield from rule.sizes(family) if rule.sizes else ()


def annotated(goal: Family, size: Mapping[str, int], target, threads: int) -> Family:
    """A goal over whole arrays of these sizes, with what rewrites may decide of it there alone."""
    for rule in (*FIRST, *RULES):
        if rule.annotates:
            goal = rule.annotates(goal, size, target, threads)
    return goal


def steps() -> tuple[Callable[..., Any], ...]:
    """The methods of a hand schedule, as functions of an open hole that say which rewrite is meant."""
    return (tile, split, *(step for rule in (*FIRST, *RULES) for step in rule.steps))


@contextmanager
def declared(*rules: RewriteRule, first: tuple[RewriteRule, ...] = ()) -> Iterator[None]:
    """More rules, after those that there are, for a while; `first` before all else."""
    global FIRST, RULES
    before = FIRST, RULES
    try:
        FIRST, RULES = (*FIRST, *first), (*RULES, *rules)
        yield
    finally:
        FIRST, RULES = before
