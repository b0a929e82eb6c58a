"""What every rewrite answers for itself, so that nothing outside this room tells one from another.

A rewrite is a frozen dataclass with these methods, in a file of its own. What most of them have in common is written
here: those that are edges of a family say the rest by their `edge`. Tile and Parallel are no edges; they say `terms`
and `leaves` themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ...lang.nests.family import Family, State
from ...lang.nests.graph import name_of
from ..program.nodes import Alias, Node, children
from .edge import Child, Edge, require

Parts = tuple[Node | None, ...]


@dataclass(frozen=True, order=True)
class Word:
    """A rewrite in the legend of a map: `kind` and `order` say where, `text` what, `short` the same in a small box."""

    kind: str
    order: tuple[int, ...]
    text: str
    short: str


class Rewrite:
    """A way to meet a Spec by smaller ones. Two of one class with equal fields are the same."""

    # above a program's first choice: what places a constant, and what is shared out over threads or batches
    outer = False
    # in a printed program, of the tensor that an Alias of it does without; empty where that is none
    said = ""

    # ---- what it does ------------------------------------------------------------------------------------------------

    def edge(self, family: Family, target) -> Edge:
        """The rewrite as it leaves `family`; DoesNotApply, saying why, where it does not."""
        raise NotImplementedError

    def infeasibility(self, family: Family, target, size) -> str:
        """What one Spec of the family lacks for the rewrite to fit; empty when it fits."""
        return ""

    def terms(self, state: State, target) -> tuple[dict, tuple[int, ...]]:
        """The features of the rewrite itself at a Spec, and how often each of its parts counts."""
        return self.edge(state.family, target).terms(state.size)

    def leaves(self, state: State, target) -> tuple[State | None, ...]:
        """The Specs that its parts meet, None where there is none."""
        return tuple(child_state(child, state) for child in self.edge(state.family, target).children)

    def node(self, state: State, parts: Parts, cost: float | None) -> Node:
        """The Program node that it becomes over programs of what it `leaves`; the node keeps the rewrite."""
        raise NotImplementedError

    def parts(self, node: Node) -> Parts:
        """The programs that such a node was made of: `node` undone."""
        return children(node)

    def made_of(self, graph) -> tuple[tuple[int, ...], ...]:
        """The nests of the graph in each nest that is left: of one that cuts whole arrays, each by itself."""
        return tuple((j,) for j in range(len(graph.nests)))

    def critical_path(self, parts: tuple) -> int | None:
        """Which of its parts (None where there is none) does most of the work; None for a leaf."""
        return len(parts) - 1 if parts else None

    # ---- by hand -----------------------------------------------------------------------------------------------------

    def allow(self, hole) -> None:
        """DoesNotApply, saying why, where a hand schedule may not take it at an open hole (`by_hand`): for most, where
        it is no edge of the space."""
        edge = self.edge(hole.family, hole.target)
        require(any(other.rewrite == self for other in hole.edges), hole.steps_offered)
        require(edge.fit(hole.size), lambda: self.infeasibility(hole.family, hole.target, hole.size))

    def over(self, threads: int) -> int:
        """How many threads a call runs on with it, where it ran on so many without."""
        return threads

    # ---- what is said of it ------------------------------------------------------------------------------------------

    def emits(self, family: Family) -> bool:
        """Whether there is C for it, besides that of its parts."""
        return True

    def verb(self) -> str:
        """As a step that a hand schedule may take."""
        return type(self).__name__.lower()

    def words(self, target) -> str:
        """As a step that a hand schedule was asked for."""
        return self.verb()

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        """On a map of a table; `levels` are the names of the target's."""
        return Word("other", (), str(self), type(self).__name__)

    def line(self, node: Node, target) -> str:
        """In a printed program; empty where the node's own words say it."""
        return ""


@dataclass(frozen=True)
class RewriteRule:
    """What a kind of rewrite declares, all that makes it part of the space.

    Attributes:
        edges: those that leave a family on a target.
        steps: the methods of a hand schedule that take them, see `by_hand`.
        asked: the sizes that the size maps of its children lead to, of an operation, a dimension and a size of it.
        large: whether it is for graphs that are cut at whole arrays first, and for those alone, where it is True; None:
            for every graph.
    """

    edges: Callable[[Family, Any], list[Edge]]
    steps: tuple[Callable[..., Any], ...] = ()
    asked: Callable[[Any, str, int], Iterable[int]] | None = None
    large: bool | None = None

    def leaving(self, family: Family, target) -> list[Edge]:
        """Its edges, where it is for such a family."""
        return self.edges(family, target) if self.large in (None, family.operation.is_large) else []


def same(state: State, parts: Parts, cost: float | None, rewrite: Rewrite) -> Node:
    """The node of a rewrite that says more of the same operands: it has no code of its own."""
    (body,) = parts
    return Alias(state, body, tuple(range(len(state.family.operands))), cost, rewrite)


def child_state(child: Child, state: State) -> State:
    """The Spec that a child of an edge of `state` must meet."""
    size = child.at(state.size)
    return State(child.family, tuple(int(size[d]) for d in child.family.operation.dims))


def name(i: int, family: Family) -> str:
    """x0, x1, .. for inputs, y for the output, or y0, y1, .. for several."""
    return name_of(family.operation, i)
