"""The Program: a tree that meets a Spec. The whole language is on this page.

    Program := Loop(dims, tiles, bodies)     serial: one dimension; over threads: one or two. bodies[mask] is the body
                                             where the dimensions in the bit mask are at their leftover; None where
                                             there is none. `first` (a split of a reduction) runs in place of the first
                                             iteration's body. Where threads share a reduction, each part of it has an
                                             output of its own, and `join` makes one of them. One that runs `inwards`
                                             takes its first half as they lie, then the others from the last one back
                                             (`prefetch.py` says which do)
             | Move(operand, to, body)       a view, or with `copy` (a Program) before the body, or after it for an
                                             output; into registers: the body is a KernelCall. One that is `ahead`,
                                             above all else, tells how a constant reaches the call: its copy runs once,
                                             before any call
             | Block(children)               one after the other, over the same operands (`sees` names each child's), or
                                             over parts of them. Parts begin at an index along dimensions of theirs
                                             (`starts`)
             | Pipeline(tensor, to, producer, consumer)   an unplaced tensor of a graph gets its place `to`: what writes
                                                          it, then what reads it. `sees` names the operands of each,
                                                          BUFFER the tensor (or the operand that it is put into). One
                                                          that is `ahead`, above all else: the tensor is computed of a
                                                          constant, once, before any call
             | Rounds(dim, tile, rooms)      a loop whose rounds hand on buffers: the parts of the `first`, then
                                             `again`, then of the leftover, `left`, and `last` what comes after, once.
                                             Or, where there is a `rest`: `last` for each round, and `rest` for the
                                             leftover. Each sees operands and rooms. Without an `again` it is one round,
                                             of all elements
             | Shards(dim, each, count, rooms, parts, join)   the elements of a dimension in shards, which have a
                                                              dimension of their own, SHARD: programs of all whole
                                                              shards, and of the leftover, which leave results in
                                                              rooms; `join` makes of these what the node gives
             | Alias(body)                   nests made one: the body is over the operands that `sees` names; no code is
                                             emitted
             | KernelCall(kernel, lane)      a leaf. `supplies`, one for each operand, tell what it asks for before it
                                             needs it (`prefetch.py` adds them; without them it asks for nothing).
                                             `chains`: of how many partial sums it makes each of its own (0: as many
                                             as suit it best); leaves of one sum agree on that (`prefetch.py`)
             | BySize(dim, cases)            by the size of a dynamic dimension: (sizes, Program) each. There, a node
                                             that is `open` along that dimension learns its size when it runs. It may be
                                             a Loop and Rounds, whose leftover is a BySize, or a KernelCall on one row
                                             along it, that sums over it, or copies. An `even` Loop gives each thread an
                                             equal share: its bodies are the same BySize. So may a copy, and a part of a
                                             Pipeline, be one
             | Bands(dim, heights, bodies)   in a BySize whose size a second dimension has as well. Along that one, so
                                             many bands of the first height as there are, then of the next, and so on.
                                             Each body is a BySize; where they go `down`, each at the size that its band
                                             ends at
             | Hole()                        a Spec not yet scheduled; `synthesize` fills it

Every node has `state`, the Spec it meets, and `cost`, its cycles with all that is under it (None over a Hole). It has
the `rewrite` that made it (None in a BySize and a Hole): with those of its children, all that tells two programs of one
Spec apart. In a BySize states are those of the largest size of their case; a node over an open loop has no cost of its
own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...lang.nests.access import Access, Border
from ...lang.nests.family import Operand, State
from ..idioms.shards import SHARD

Seen = tuple[int, ...]  # operands of a node that a part of it sees
BUFFER = -1  # among the operands that a part of a Pipeline sees: the tensor that it places


@dataclass(frozen=True, eq=False)
class Loop:
    state: State
    dims: tuple[str, ...]
    tiles: tuple[int, ...]
    bodies: tuple[MaybeNode, ...]
    first: MaybeNode = None
    threads: int = 1
    cost: Cost = None
    open: str | None = None
    even: bool = False
    join: MaybeNode = None
    rewrite: Any = None
    inwards: bool = False

    def trips(self, i: int = 0) -> int:
        """Whole tiles along dims[i]."""
        return self.state.size[self.dims[i]] // self.tiles[i]

    def leftover(self, i: int = 0) -> int:
        return self.state.size[self.dims[i]] % self.tiles[i]


@dataclass(frozen=True, eq=False)
class Move:
    state: State
    operand: int
    to: Operand
    body: Node
    copy: MaybeNode = None
    cost: Cost = None
    rewrite: Any = None

    @property
    def copies_out(self) -> bool:
        """The copy runs after the body: the operand moved is the output."""
        return self.operand == len(self.state.family.operands) - 1

    @property
    def ahead(self) -> bool:
        """The copy, where there is one, runs once and before any call; without one the constant is taken as it is
        given."""
        return bool(self.state.family.ahead)

    @property
    def shared(self) -> bool:
        """The copy is made once, for all threads."""
        return self.copy is not None and not self.ahead and over_threads(self.body)


@dataclass(frozen=True, eq=False)
class Block:
    state: State
    children: tuple[Node, ...]
    sees: tuple[tuple[int, ...], ...]
    cost: Cost = None
    rewrite: Any = None
    starts: tuple[dict[str, int], ...] = ()

    @property
    def parts(self):
        """(child, the operands that it sees, where it begins along its dimensions)."""
        return zip(self.children, self.sees, self.starts or ({},) * len(self.children))


@dataclass(frozen=True, eq=False)
class Pipeline:
    state: State
    to: Operand
    producer: Node
    consumer: Node
    sees: tuple[tuple[int, ...], tuple[int, ...]]
    borders: tuple[Border | None, ...]  # with which the consumer's operands are read, of those that are the tensor
    cost: Cost = None
    rewrite: Any = None
    ahead: bool = False  # the producer runs once, before any call

    @property
    def place(self) -> int:
        """The operand that the tensor is put into, an output of the graph; BUFFER where there is none."""
        return self.sees[0][-1]

    @property
    def access(self) -> Access:
        """How the graph writes the tensor."""
        return self.state.family.operation.access(self.rewrite.tensor)


@dataclass(frozen=True)
class Room:
    """A buffer of rounds, a tile of `access`; with `swaps` two of it: what one round writes the next reads. One that
    `stays` is there for each round, and read again by what comes after."""

    name: str
    operand: Operand
    access: Access
    swaps: bool = False
    stays: bool = False


@dataclass(frozen=True, eq=False)
class Rounds:
    state: State
    dim: str
    tile: int
    rooms: tuple[Room, ...]
    first: RoundSteps
    again: RoundSteps
    left: RoundSteps
    rest: RoundSteps
    last: RoundSteps
    cost: Cost = None
    rewrite: Any = None
    open: str | None = None

    @staticmethod
    def new(room: int) -> int:
        """Among what a part sees: a room, of several the one that this round writes."""
        return -1 - 2 * room

    @staticmethod
    def old(room: int) -> int:
        """Of a room's buffers the one that the round before wrote; `last` sees the one that the last round wrote."""
        return -2 - 2 * room

    @staticmethod
    def room(seen: int) -> int:
        return (-1 - seen) // 2

    @property
    def trips(self) -> int:
        return self.state.size[self.dim] // self.tile

    @property
    def leftover(self) -> int:
        return self.state.size[self.dim] % self.tile

    @property
    def count(self) -> int:
        """How many rounds there are, with that of the leftover."""
        return self.trips + (self.leftover > 0)

    def shape(self, room: Room) -> tuple[int, ...]:
        """The shape of a room, in elements."""
        return room.access.shape({**self.state.size, self.dim: self.tile})


@dataclass(frozen=True, eq=False)
class Shards:
    """`parts` are (Program, its first shard) each, over what `sees` names: operands, those that move along `dim` with
    an axis for the shards before the others; room i is -1 - i."""

    state: State
    dim: str
    each: int
    count: int
    rooms: tuple[Room, ...]
    parts: tuple[tuple[Node, int], ...]
    sees: Seen
    join: Node
    joins: Seen
    cost: Cost = None
    rewrite: Any = None

    def shape(self, room: Room) -> tuple[int, ...]:
        """The shape of a room, in elements: it has the results of all shards."""
        return room.access.shape({**self.state.size, SHARD: self.count})


def round_parts(
    parts, sees: tuple[tuple[Seen, ...], ...]
) -> tuple[RoundSteps, RoundSteps, RoundSteps, RoundSteps, RoundSteps]:
    """Programs as the parts of Rounds: of the first one, of the later ones, of the leftover, what comes after the
    leftover, and what comes after. The fourth is none where it is not done by rounds. `sees` is what each of them
    sees."""
    each = iter(parts)
    first, again, left, rest, last = (tuple((next(each), seen) for seen in steps) for steps in sees)
    return first, again, left, rest, last


@dataclass(frozen=True, eq=False)
class Alias:
    """The same tensors as another operation takes them: nests made one. No code is emitted."""

    state: State
    body: Node
    sees: tuple[int, ...]
    cost: Cost = None
    rewrite: Any = None


ROW = "row"  # in the row that is read, so many bytes on
NEXT_ROWS = "next rows"  # in the rows after these, the same place: so many bytes on
LATER_ROW = "later row"  # the row that is read so many steps of the reduction on
PANEL = "panel"  # in a panel, so many bytes on
RESULT = "result"  # the lines that the leaf stores to, as it begins


@dataclass(frozen=True)
class Request:
    """Lines of an operand that a leaf asks for before it needs them, into the cache at `level`. `form` says which, and
    in what `distance` counts."""

    form: str
    distance: int = 0
    level: int = 1


@dataclass(frozen=True)
class Supply:
    """How an operand comes to a leaf: where from, as far as the requests for it depend on that, and these. `alone`: it
    streams in in order of memory, and the core is left to see that by itself."""

    place: str
    requests: tuple[Request, ...] = ()
    alone: bool = False


@dataclass(frozen=True, eq=False)
class KernelCall:
    state: State
    kernel: str
    lane: str
    cost: Cost = None
    open: str | None = None
    rewrite: Any = None
    supplies: tuple[Supply, ...] = ()
    chains: int = 0

    def requests(self, i: int) -> tuple[Request, ...]:
        """Those for operand i."""
        return self.supplies[i].requests if self.supplies else ()


@dataclass(frozen=True, eq=False)
class BySize:
    state: State
    dim: str
    cases: tuple[tuple[tuple[int, ...], Node], ...]
    cost: Cost = None
    rewrite: Any = None

    def of(self, size: int) -> tuple[tuple[int, ...], Node]:
        """The case that has this size."""
        return next(case for case in self.cases if size in case[0])


@dataclass(frozen=True, eq=False)
class Bands:
    state: State
    dim: str
    heights: tuple[int, ...]
    bodies: tuple[BySize, ...]
    down: bool = False
    cost: Cost = None
    rewrite: Any = None


@dataclass(frozen=True, eq=False)
class Hole:
    state: State
    cost: Cost = None
    rewrite: Any = None


Node = Loop | Move | Block | Pipeline | Rounds | Shards | Alias | KernelCall | BySize | Bands | Hole
RoundSteps = tuple[tuple[Node, Seen], ...]  # parts of Rounds, with what each sees
MaybeNode = Node | Any  # or None where there is none: Any, since the form of the program says where
Cost = float | Any  # or None, likewise


def children(node: Node) -> tuple[Node, ...]:
    match node:
        case Loop():
            return tuple(n for n in (node.first, *node.bodies, node.join) if n is not None)
        case Move():
            return tuple(n for n in (node.copy, node.body) if n is not None)
        case Block():
            return node.children
        case Pipeline():
            return node.producer, node.consumer
        case Rounds():
            return tuple(part for part, _ in (*node.first, *node.again, *node.left, *node.rest, *node.last))
        case Shards():
            return (*(part for part, _ in node.parts), node.join)
        case Alias():
            return (node.body,)
        case BySize():
            return tuple(part for _, part in node.cases)
        case Bands():
            return node.bodies
    return ()


def over_threads(node: Node) -> bool:
    """Whether the work of a program is shared out over threads: by a parallel loop, with nothing around it but copies
    made for all of them."""
    return isinstance(node, Loop) and node.threads > 1 or isinstance(node, Move) and node.shared


def written_by(node: Node) -> set[int]:
    """The operands of a node that it writes."""
    family = node.state.family
    return {len(family.operands) - 1, *(i for _, i in family.operation.placed)}


def shares_out(node: Node) -> bool:
    """Whether a program, or some part of it, is shared out over threads."""
    return isinstance(node, Loop) and node.threads > 1 or any(map(shares_out, children(node)))


def team(node: Node) -> int:
    """The threads that a program `over_threads` is shared out over."""
    while isinstance(node, Move):
        node = node.body
    assert isinstance(node, Loop)
    return node.threads


def of_call(node: Node) -> tuple[tuple[Move, ...], Node]:
    """The moves that are ahead of the call, and the program of the call."""
    moves = []
    while isinstance(node, Move | Pipeline) and node.ahead:
        moves += [node] if isinstance(node, Move) else []
        node = node.body if isinstance(node, Move) else node.consumer
    return tuple(moves), node


def goals_of_call(root: Node) -> tuple[Node, ...]:
    """The programs of a call that may be shared out over threads: it, or, where an input is first copied at its own
    level, that copy and what comes after it."""
    node, found = of_call(root)[1], []
    while (
        isinstance(node, Move)
        and node.copy is not None
        and not node.copies_out
        and node.to.level == node.state.family.operands[node.operand].level
    ):
        found.append(node.copy)
        node = node.body
    return (*found, node)


def walk(node: Node):
    """Every node of the tree, parents first."""
    yield node
    for child in children(node):
        yield from walk(child)


def critical_path(node: Node) -> Iterator[Node]:
    """The nodes on the way from the root to the leaf that does most of the work. The way goes through loops by their
    whole tiles, and through a move or a fill by what it was made for."""
    yield node
    while node.rewrite is not None:
        parts = node.rewrite.parts(node)
        place = node.rewrite.critical_path(parts)
        if place is None:
            return
        node = parts[place]
        yield node
