"""A Program walked once: C statements, and the leaf functions and buffers that they need. What each node is in C stands
in a table of writers (writers.py).

Every distinct leaf is one static function (leaf_functions.py); loops and copies are written out around their calls. All
index arithmetic is int64_t.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ..engine.program.nodes import Block, BySize, Loop, Move, Node, Pipeline, shares_out, written_by
from ..engine.program.view import View
from ..engine.vectors.library import VectorLibrary, literal
from ..engine.vectors.text import braced, for_loop, plus
from ..lang.types.dtypes import DTYPES
from ..lang.types.tensor import TensorType
from ..machine.target import Target
from .scratch import ScratchPool

# its producer, of the operands at these views, makes this buffer, of so many elements
Computed = tuple[Pipeline, list[View], View, int]
NodeWriter = Callable[["Emitter", Any, list[View]], list[str]]
"""A node at the views of its operands, in C."""

APART, SERIES = "apart", "series"
"""Where the code being written runs: around loops over threads; on one thread."""


@dataclass(frozen=True)
class Sized:
    """The function of a BySize with its switch, and the variables that a call of it needs besides, the same at each
    place. `node` is held because its id identifies it."""

    node: BySize
    name: str
    threads: int
    unbegun: dict[tuple[str, str], None]


@dataclass
class UnitParts:
    """What a unit has beside the functions of its programs, each once.

    leaves     names and texts of leaf functions, by what tells them apart
    by_sizes   functions of the nodes that have a switch over the dynamic size
    functions  texts of functions of a dynamic size or of a share, after those that they call
    headers    that its kernels need
    preambles  C at file scope that they need
    scratch    buffers for copies
    """

    leaves: dict[tuple, tuple[str, str]] = field(default_factory=dict)
    by_sizes: dict[tuple, Sized] = field(default_factory=dict)
    functions: list[str] = field(default_factory=list)
    headers: set[str] = field(default_factory=set)
    preambles: set[str] = field(default_factory=set)
    scratch: ScratchPool = field(default_factory=ScratchPool)


@dataclass
class SizeHere:
    """The dynamic size where something is written. `extent` is the size in C; `rows` is how many rows there are bands
    of, where that is less. `numbers` follow from the size of the call; functions that compute with them take them."""

    extent: str = "m"
    rows: str = ""
    numbers: list[str] = field(default_factory=list)


@dataclass
class AheadOfCall:
    """Constants that are packed ahead of the call, by name, as they are given; results computed from constants, by the
    name of one."""

    packed: dict[str, tuple[Move, View]] = field(default_factory=dict)
    computed: dict[str, list[Computed]] = field(default_factory=dict)


@dataclass
class Emitter:
    """Walks a program once, collecting leaf functions and scratch buffers; `threads` is the widest loop met, `unbegun`
    the statements that begin and end the use of kernels met, not yet written."""

    target: Target
    library: VectorLibrary
    writers: Mapping[type, NodeWriter]
    unit: UnitParts = field(default_factory=UnitParts)
    size: SizeHere = field(default_factory=SizeHere)
    ahead: AheadOfCall = field(default_factory=AheadOfCall)
    unbegun: dict[tuple[str, str], None] = field(default_factory=dict)
    threads: int = 1
    where: str = APART
    _count: int = 0

    def fresh(self, stem: str) -> str:
        self._count += 1
        return f"{stem}{self._count}"

    def iota(self, tensor: TensorType) -> str:
        """The name of a constant array that holds 0, 1, 2, .., written once for all tensors of this dtype and
        length."""
        name = f"iota_{tensor.dtype}_{tensor.elements}"
        values = ", ".join(literal(tensor.dtype, float(i)) for i in range(tensor.elements))
        self.unit.preambles.add(
            f"static const {self.library.scalar(tensor.dtype)} {name}[{tensor.elements}] = {{{values}}};"
        )
        return name

    def node(self, node: Node, views: list[View]) -> list[str]:
        """C statements that run `node` on the tiles at `views`, one per operand of its Spec."""
        if self.where != SERIES and not shares_out(node):
            return self.single(node, views)
        views = [view.through(access) for view, access in zip(views, node.state.family.operation.accesses)]
        return self.writers[type(node)](self, node, views)

    # ---- loops -------------------------------------------------------------------------------------------------------

    def counted_loop(self, node: Loop, views: list[View]) -> list[str]:
        """A loop whose trips are known."""
        dim, tile = node.dims[0], node.tiles[0]
        trips, lines = node.trips(), []
        start = 0
        if node.first is not None:
            lines += self.node(node.first, views)
            start = 1
        if trips - start > 1:
            lines += self.repeated(node, views, start, str(trips))
        elif trips - start == 1:
            lines += self.at_offset(views, {dim: start * tile}, node.bodies[0])
        if node.bodies[1] is not None:
            lines += self.at_offset(views, {dim: trips * tile}, node.bodies[1])
        return lines

    def repeated(self, node: Loop, views: list[View], start: int, trips: str) -> list[str]:
        """The loop over whole tiles, from the one at `start` on."""
        index, turned = self.fresh(f"{node.dims[0]}_"), []
        step = index
        if node.inwards:
            step = self.fresh("turn_")
            turned = [f"const int64_t {index} = {step} < {trips} / 2 ? {step} : {trips} / 2 + {trips} - 1 - {step};"]
        moved, inside = self.advanced(node, views, {node.dims[0]: (index, node.tiles[0])})
        return for_loop(step, trips, [*turned, *moved, *self.node(node.bodies[0], inside)], start=start)

    def counted_of(self, node: Loop) -> tuple[list[str], str, str]:
        """`counted`, of an open loop."""
        i = node.dims.index(node.open)
        return self.counted(
            node.tiles[i], any(body is not None and mask >> i & 1 for mask, body in enumerate(node.bodies))
        )

    def counted(self, tile: int, has_left: bool) -> tuple[list[str], str, str]:
        """C that divides the dynamic size by a tile: the statements, the names of quotient and remainder (where that
        may be any)."""
        trips, left = self.fresh("trips_"), self.fresh("left_")
        lines = [
            f"const int64_t {trips} = {self.size.extent} / {tile}"
            + (f", {left} = {self.size.extent} % {tile};" if has_left else ";")
        ]
        return lines, trips, left if has_left else ""

    def within(self, extent: str, node: Node, views: list[View]) -> list[str]:
        """`node` where the dynamic size is `extent`."""
        return self.where_size(extent, lambda: self.node(node, views))

    def where_size(self, extent: str, write: Callable[[], list[str]]) -> list[str]:
        """The lines that are written where the dynamic size is `extent`."""
        before, self.size.extent = self.size.extent, extent
        lines = write()
        self.size.extent = before
        return lines

    def single(self, node: Node, views: list[View]) -> list[str]:
        """A node that no thread shares."""
        with self.running(SERIES):
            lines = self.node(node, views)
        return self.begun(lines)

    @contextmanager
    def running(self, where: str):
        before, self.where = self.where, where
        yield
        self.where = before

    def begun(self, lines: list[str]) -> list[str]:
        """`lines` between the statements that begin and end the use of the kernels met so far."""
        around, self.unbegun = list(self.unbegun), {}
        return [*(begin for begin, _ in around if begin), *lines, *(end for _, end in reversed(around) if end)]

    def advanced(
        self, node: Node, views: list[View], moves: dict[str, tuple[str, int]]
    ) -> tuple[list[str], list[View]]:
        """Pointers to the tile at loop indices: declarations for the operands that move, and the views from there."""
        lines: list[str] = []
        inside = []
        for i, view in enumerate(views):
            terms = [(name, view.step(dim, tile)) for dim, (name, tile) in moves.items() if view.step(dim, tile)]
            for dim, (name, tile) in moves.items():
                view = view.reaching(dim, tile, name)
            inside.append(self.declared(view, i in written_by(node), terms, lines))
        return lines, inside

    def at_offset(self, views: list[View], offsets: dict[str, int], body: Node) -> list[str]:
        lines: list[str] = []
        inside = []
        for i, view in enumerate(views):
            moved = sum(view.step(d, n) for d, n in offsets.items())
            for d, n in offsets.items():
                view = view.reaching(d, n)
            inside.append(self.declared(view, i in written_by(body), [moved], lines))
        inner = self.node(body, inside)
        return braced([*lines, *inner]) if lines else inner

    def declared(self, view: View, output: bool, terms: list, lines: list[str]) -> View:
        moved = plus(view.name, *terms)
        if moved == view.name:
            return view
        name = self.fresh(view.name.rstrip("0123456789_") + "_")
        lines.append(f"{'' if output else 'const '}{self.library.scalar(view.dtype)} *{name} = {moved};")
        return view.at(name)

    def block(self, node: Block, views: list[View]) -> list[str]:
        """Its children, one after the other."""
        lines = []
        for part, seen, start in node.parts:
            lines += self.at_offset(
                [views[i].through(access) for i, access in zip(seen, part.state.family.operation.accesses)], start, part
            )
        return lines

    def room(self, dtype: str, name: str, elements: int):
        """A buffer of the pool for the array called `name`, as long as that is needed."""
        return self.unit.scratch.room(self.library.scalar(dtype), name, elements, DTYPES[dtype].bytes)
