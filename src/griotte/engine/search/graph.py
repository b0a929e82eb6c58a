"""The families reachable from a goal, and the edges between them. Python, a few thousand objects at most."""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ...lang.nests.family import Family, State
from ..rewrites import GOAL, child_state, edges, is_known, tilings
from ..rewrites import rules as declared_rules
from ..rewrites.edge import Edge, Tiling


@dataclass(frozen=True)
class FamilyNode:
    """A family with all that leaves it; `children` are the families its edges and splits need solved first."""

    family: Family
    edges: tuple[Edge, ...]
    tilings: tuple[Tiling, ...]

    @cached_property
    def children(self) -> tuple[Family, ...]:
        found = dict.fromkeys(child.family for edge in self.edges for child in edge.children)
        return tuple(found | dict.fromkeys(t.rest for t in self.tilings if t.rest is not None))


MOST = 1 << 12  # families that are kept from search to search, of some 5 KB each; as many again of before


@dataclass
class FamilyGraph:
    """The families that were met, kept for the next walk. Equal families are one object, so that they compare at
    once. Those of `before` are moved here as they are met again."""

    nodes: dict[Family, FamilyNode] = field(default_factory=dict)
    same: dict[Family, Family] = field(default_factory=dict)
    before: FamilyGraph | None = None

    @staticmethod
    def of(target) -> FamilyGraph:
        """The families that searches for a target have met in this process, under the rules that are declared. A
        family's edges follow from it, the target and the rules, whatever the sizes. So nothing is found anew for
        further sizes of a problem searched before."""
        rules = declared_rules()
        kept, of = _met.get(target, (None, None))
        if kept is None or of is None or of[0] is not rules[0] or of[1] is not rules[1]:
            kept = FamilyGraph()
            if len(_met) >= TARGETS:
                _met.clear()
        elif len(kept.nodes) > MOST:
            kept.before = None
            kept = FamilyGraph(before=kept)
        _met[target] = kept, rules
        return kept

    def node(self, family: Family, target) -> FamilyNode:
        """A family with all that leaves it."""
        found = self.nodes.get(family)
        if found is None:
            before = self.before  # which another thread may forget
            found = before.nodes.get(family) if before else None
            found = self.nodes.setdefault(family, found or self._leaving(family, target))
        return found

    def _leaving(self, family: Family, target) -> FamilyNode:
        node = FamilyNode(family, tuple(edges(family, target)), tuple(tilings(family)))
        for edge in node.edges:
            for child in edge.children:
                object.__setattr__(child, "family", self.one(child.family))
        for tiling in node.tilings:
            if tiling.rest is not None:
                object.__setattr__(tiling, "rest", self.one(tiling.rest))
        return node

    def one(self, family: Family) -> Family:
        """The family equal to this one that was met first."""
        found = self.same.get(family)
        if found is None:
            before = self.before
            found = before.same.get(family, family) if before else family
            found = self.same.setdefault(family, found)
        return found


TARGETS = 4  # targets whose families are kept
_met: dict[Any, tuple[FamilyGraph, tuple]] = {}


def subgoals(target, goal: State, met: FamilyGraph) -> list[State]:
    """A goal, and all goals that may replace it or be parts of it. These have constants placed, are without batch
    dimensions, or have nests made one; or they are the parts of a graph that is cut at a whole array."""
    found, stack = {goal: None}, [goal]
    while stack:
        state = stack.pop()
        family = state.family
        is_begun = family.ahead or family.batch
        for edge in met.node(family, target).edges:
            if is_split(edge) or is_begun:
                fresh = [part for child in edge.carrying if (part := child_state(child, state)) not in found]
                found.update(dict.fromkeys(fresh))
                stack += fresh
    return list(found)


def is_split(edge: Edge) -> bool:
    """Whether all that an edge leaves are goals again."""
    return bool(edge.children) and all(child.role == GOAL for child in edge.children)


def is_placed(family: Family) -> bool:
    """Whether the constants of a goal are placed. Those of a large graph are, in the parts that read them, except for
    tensors computed of one."""
    return not family.ahead or family.operation.is_large and not is_known(family)


def reach(
    target, *goals: Family, met: FamilyGraph | None = None, note: Callable[[FamilyNode], None] | None = None
) -> list[FamilyNode]:
    """The nodes that the goals need, children first, and those of one family close together. The family graph has no
    cycle, because moves lead to faster levels and a relayout is never undone. `met` keeps families from one call to the
    next; `note` is called once for each family, and may end the walk by an exception."""
    met, found, noted = met or FamilyGraph(), dict[Family, FamilyNode](), set[Family]()
    stack = [met.one(goal) for goal in dict.fromkeys(goals)]
    with uncollected():
        while stack:
            family = stack[-1]
            node = met.node(family, target)
            if note and family not in noted:
                noted.add(family)
                note(node)
            missing = () if family in found else [child for child in node.children if child not in found]
            if missing:
                stack.extend(missing)
            else:
                found[stack.pop()] = node
    return list(found.values())


@contextmanager
def uncollected():
    """Without collection of cyclic garbage: a search makes none, and a collector would go over all families again and
    again."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
