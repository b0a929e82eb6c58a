"""The families reachable from a goal, and the edges between them. Python, a few thousand objects at most."""

from __future__ import annotations

from dataclasses import dataclass

from ..rewrites import edges, tilings
from ..rewrites.edge import Edge, Tiling
from ..spec.family import Family


@dataclass(frozen=True)
class Node:
    """A family with all that leaves it; `children` are the families its edges and splits need solved first."""

    family: Family
    edges: tuple[Edge, ...]
    tilings: tuple[Tiling, ...]

    @property
    def children(self) -> set[Family]:
        found = {child.family for edge in self.edges for child in edge.children}
        return found | {t.rest for t in self.tilings if t.rest is not None}


def reach(target, *goals: Family) -> list[list[Node]]:
    """What the goals need, in waves of nodes, children first: a node's children lie in earlier waves. The family graph has no cycle, because
    moves lead to faster levels and a relayout is never undone."""
    nodes: dict[Family, Node] = {}
    stack = list(goals)
    while stack:
        family = stack.pop()
        if family not in nodes:
            nodes[family] = Node(family, tuple(edges(family, target)), tuple(tilings(family)))
            stack.extend(nodes[family].children)
    height: dict[Family, int] = {}
    stack = list(goals)
    while stack:
        family = stack[-1]
        missing = [c for c in nodes[family].children if c not in height]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        height[family] = 1 + max((height[c] for c in nodes[family].children), default=-1)
    waves: list[list[Node]] = [[] for _ in range(max(height.values()) + 1)]
    for family, node in nodes.items():
        waves[height[family]].append(node)
    return waves
