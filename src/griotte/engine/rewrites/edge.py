"""What every rewrite is made of: an Edge, one rewrite seen from a family.

    parent[p] <- w . features(p) + sum_i times_i * child_i[p']

`features` and `uses` are functions of sizes: a mapping from dimension to an int (one Spec: a hand schedule, the oracle)
or to an array (a block of Specs: the search). They are written once for both.

A Rewrite answers for itself all that is asked of it, so that nothing outside this room tells one from another. It is a
frozen dataclass with these methods, in a file of its own. What most have in common is written here. Tile and Parallel
are no edges; they say `terms` and `leaves` themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVar

from ...lang.nests.family import Family, State
from ...lang.nests.graph import Graph
from ...support.errors import NoProgramError
from ..program.nodes import Alias, Node, children

Sizes = Mapping[str, Any]


class Role(Enum):
    """What a child is: a Spec like any other; a goal again, in series or over threads; one that threads share out."""

    PART, GOAL, SHARED = "part", "goal", "shared out"


PART, GOAL, SHARED = Role


class DoesNotApply(NoProgramError):
    """A rewrite was asked of a Spec it does not fit. The message says what was expected and what was found."""


def require(condition: bool, why: str | Callable[[], str]) -> None:
    """DoesNotApply without a condition; why is worked out then, where it is a function: a search requires much."""
    if not condition:
        raise DoesNotApply(why if isinstance(why, str) else why())


@dataclass(frozen=True)
class Child:
    """A smaller Spec an edge leaves to be solved.

    `family` at the parent's sizes (those of its own dimensions), or at what `sizes` makes of them. A child that
    `carries` inherits the memory limits less what it `uses`, all that lives beside it while it runs; the others run
    before or after and see the caches free.
    """

    family: Family
    carries: bool = True
    times: Callable[[Sizes], Any] | None = None  # how often it runs; None is once
    ahead: bool = False  # it runs before any call, 0 times in one: it costs nothing there, but must have a program
    # (level, lines(sizes), key) taken from the limits it inherits
    uses: tuple[int, Callable[[Sizes], Any], tuple] | None = None
    role: Role = PART
    sizes: Callable[[Sizes], Sizes] | None = None  # from the parent's sizes to its own; equal maps are worked out once

    def at(self, size: Sizes) -> Sizes:
        """Its sizes where those of the parent are `size`."""
        return size if self.sizes is None else self.sizes(size)

    def runs(self, size: Sizes) -> int:
        """How often it runs in one call of one Spec."""
        return 0 if self.ahead else 1 if self.times is None else int(self.times(size))


@dataclass(frozen=True)
class Edge:
    """One rewrite of one family. `key` names own cost and fit among all families: equal keys, equal arrays."""

    rewrite: Rewrite
    features: Callable[[Sizes], dict]
    key: tuple
    children: tuple[Child, ...] = ()
    fits: Callable[[Sizes], Any] | None = None

    def fit(self, size: dict[str, int]) -> bool:
        """Whether one Spec of the family fits."""
        return self.fits is None or bool(self.fits(size))

    def terms(self, size: dict[str, int]) -> tuple[dict, tuple[int, ...]]:
        """Its own features at one Spec, and how often each child runs."""
        return self.features(size), tuple(child.runs(size) for child in self.children)

    @property
    def carrying(self) -> tuple[Child, ...]:
        return tuple(c for c in self.children if c.carries)

    @property
    def body(self) -> Child:
        """The child that carries, of an edge that has one."""
        (body,) = self.carrying
        return body


@dataclass(frozen=True)
class Tiling:
    """The closure of a family under loops over one dimension: self[n] <- q * self[t] + self[n mod t] + `loop_features`.

    With `rest`, the first iteration is of this family and all later ones of `rest`: first[t] + (q - 1) * rest[t] +
    rest[n mod t]. That is a split of a reduction whose result must not be read before it is written.
    """

    dim: str
    allowed: Callable[[int, int], bool] = field(compare=False)  # (size, tile) -> may this loop be
    key: tuple = ()  # equal keys (and ladders) allow the same loops
    rest: Family | None = None


Parts = tuple[Node | None, ...]
T = TypeVar("T")


@dataclass(frozen=True, order=True)
class Word:
    """A rewrite in the legend of a map: `kind` and `order` say where, `text` what, `short` the same in a small box."""

    kind: str
    order: tuple[int, ...]
    text: str
    short: str


class Rewrite:
    """A way to meet a Spec by smaller ones. Two of one class with equal fields are the same."""

    # above a program's first choice: it places a constant, or shares work out over threads or batches
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

    # ---- words about it ----------------------------------------------------------------------------------------------

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
        sizes: (dimension, size) that goals which it leaves have, where those of no loop are among them.
        annotates: what it says of a goal over whole arrays of these sizes, for so many threads: the goal with what may
            be decided of it alone there.
        large: whether it is for graphs that are cut at whole arrays first, and for those alone, where it is True; None:
            for every graph.
        several: the same of graphs of several nests.
        undecided: whether it is for such families alone as still have something to decide: where constants are placed,
            which batch dimensions are taken off, which decisions of a graph are pending.
    """

    edges: Callable[[Family, Any], list[Edge]]
    steps: tuple[Callable[..., Any], ...] = ()
    asked: Callable[[Any, str, int], Iterable[int]] | None = None
    sizes: Callable[[Family], Iterable[tuple[str, int]]] | None = None
    annotates: Callable[[Family, Sizes, Any, int], Family] | None = None
    large: bool | None = None
    several: bool | None = None
    undecided: bool = False

    def serves(self, graph: Graph) -> bool:
        """Whether it is for such a graph."""
        return self.several in (None, len(graph.nests) > 1) and self.large in (None, graph.is_large)

    def leaving(self, family: Family, target) -> list[Edge]:
        """Its edges, where it is for such a family."""
        return self.edges(family, target) if self.serves(family.operation) else []


def needed(found: T | None, why: str) -> T:
    """What a rewrite needs of a family; DoesNotApply without."""
    require(found is not None, why)
    return found


def annotating(rewrite: Rewrite, family: Family) -> Edge:
    """The edge of a rewrite that only annotates a goal: it leads to `family`, and costs nothing."""
    return Edge(rewrite, lambda size: {}, ("free",), (Child(family, role=GOAL),))


def same(state: State, parts: Parts, cost: float | None, rewrite: Rewrite) -> Node:
    """The node of a rewrite that only annotates a goal: it has no code of its own."""
    (body,) = parts
    return Alias(state, body, tuple(range(len(state.family.operands))), cost, rewrite)


@dataclass(frozen=True)
class Resized:
    """A size map: sizes with these set."""

    own: tuple[tuple[str, int], ...]

    def __call__(self, size: Sizes) -> Sizes:
        return {**size, **dict(self.own)}


def resized(own: Mapping[str, int]) -> Resized:
    return Resized(tuple(own.items()))


def extents_are(extents: Iterable[tuple[str, int]]) -> Callable[[Sizes], Any]:
    """What fits sizes that are these alone, of ints or of arrays."""
    own = tuple(extents)

    def fits(size: Sizes) -> Any:
        holds: Any = True
        for dim, extent in own:
            holds = (size[dim] == extent) & holds
        return holds

    return fits


def child_state(child: Child, state: State) -> State:
    """The Spec that a child of an edge of `state` must meet."""
    size = child.at(state.size)
    return State(child.family, tuple(int(size[d]) for d in child.family.operation.dims))
