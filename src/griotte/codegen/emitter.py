"""A Program walked once: C statements, and the leaf functions and buffers that they need. What each node is in C stands
in a table of writers (writers.py).

Every distinct leaf (kernel, sizes, strides) is one static function; loops and copies are written out around their
calls. All index arithmetic is int64_t.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from ..functions import COMBINERS
from ..ir.dtypes import DTYPES
from ..ir.expr import numbers
from ..ir.family import Operand
from ..ir.operation import Border
from ..ir.tensor import TensorType
from ..leaves.forms import form_of
from ..leaves.leaf_code import LeafCode
from ..program.nodes import (
    BUFFER,
    Block,
    BySize,
    KernelCall,
    Loop,
    Move,
    Node,
    Pipeline,
    shares_out,
    written_by,
)
from ..program.view import View, as_stated, packed_view
from ..targets.target import Target
from ..vectors.library import VectorLibrary, literal
from ..vectors.text import indent, offset, plus
from .scratch import ScratchPool

# its producer, of the operands at these views, makes this buffer, of so many elements
Computed = tuple[Pipeline, list[View], View, int]
NodeWriter = Callable[["Emitter", Any, list[View]], list[str]]
"""A node at the views of its operands, in C."""

APART, SERIES = "apart", "series"
"""Where what is written runs: around loops over threads; on one thread."""


@dataclass(frozen=True)
class Sized:
    """The function of a BySize with its switch: what a call of it needs besides, the same at each place; the node, for
    it is known by its id."""

    node: BySize
    name: str
    threads: int
    unbegun: dict[tuple[str, str], None]


@dataclass
class Emitter:
    """Walks a program once, collecting leaf functions and scratch buffers; `threads` is the widest loop met, `extent`
    the C expression of the dynamic size here, `rows` that of how many rows there are bands of, where that is less."""

    target: Target
    library: VectorLibrary
    writers: Mapping[type, NodeWriter]
    leaves: dict[tuple, tuple[str, str]] = field(default_factory=dict)
    scratch: ScratchPool = field(default_factory=ScratchPool)
    by_sizes: dict[tuple, Sized] = field(default_factory=dict)
    # the text of each function of a dynamic size or of a share, after those that it calls
    sized: list[str] = field(default_factory=list)
    extent: str = "m"
    rows: str = ""
    # what follows from the dynamic size of the call, which functions of a BySize and leaves that compute with it take
    numbers: list[str] = field(default_factory=list)
    headers: set[str] = field(default_factory=set)
    preambles: set[str] = field(default_factory=set)
    # statements that begin and end the use of kernels met, not yet written
    unbegun: dict[tuple[str, str], None] = field(default_factory=dict)
    # constants that are packed ahead of the call, by name, as they are given
    ahead: dict[str, tuple[Move, View]] = field(default_factory=dict)
    # what is computed of a constant ahead of the call, by the name of one
    computed: dict[str, list[Computed]] = field(default_factory=dict)
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
        self.preambles.add(
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
        return [
            f"for (int64_t {step} = {start}; {step} < {trips}; {step}++) {{",
            *indent([*turned, *moved, *self.node(node.bodies[0], inside)]),
            "}",
        ]

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
            f"const int64_t {trips} = {self.extent} / {tile}"
            + (f", {left} = {self.extent} % {tile};" if has_left else ";")
        ]
        return lines, trips, left if has_left else ""

    def within(self, extent: str, node: Node, views: list[View]) -> list[str]:
        """`node` where the dynamic size is `extent`."""
        return self.where_size(extent, lambda: self.node(node, views))

    def where_size(self, extent: str, write: Callable[[], list[str]]) -> list[str]:
        """What is written where the dynamic size is `extent`."""
        before, self.extent = self.extent, extent
        lines = write()
        self.extent = before
        return lines

    def single(self, node: Node, views: list[View]) -> list[str]:
        """What nothing of is shared out."""
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
        return ["{", *indent([*lines, *inner]), "}"] if lines else inner

    def declared(self, view: View, output: bool, terms: list, lines: list[str]) -> View:
        moved = plus(view.name, *terms)
        if moved == view.name:
            return view
        name = self.fresh(view.name.rstrip("0123456789_") + "_")
        lines.append(f"{'' if output else 'const '}{self.library.scalar(view.dtype)} *{name} = {moved};")
        return view.at(name)

    def block(self, node: Block, views: list[View]) -> list[str]:
        """Its children, one after the other."""
        found = []
        for part, seen, start in node.parts:
            found += self.at_offset(
                [views[i].through(access) for i, access in zip(seen, part.state.family.operation.accesses)],
                start,
                part,
            )
        return found

    def leaf(self, node: KernelCall, views: list[View]) -> list[str]:
        return self.call(node, node, views)

    # ---- moves -------------------------------------------------------------------------------------------------------

    def move(self, node: Move, views: list[View]) -> list[str]:
        if node.to.level == 0:
            assert isinstance(node.body, KernelCall)
            return self.call(node, node.body, views)
        if node.copy is None:
            return self.node(node.body, views)
        view = views[node.operand]
        if node.ahead:
            self.ahead[view.name] = node, view
            there = packed_view(view.name, node.to, view.access, view.access.shape(node.state.size))[0]
            return self.node(node.body, [there if i == node.operand else v for i, v in enumerate(views)])
        extents = view.access.shape(node.state.size)
        stem = "packed_" if node.to.layout.panel else "local_"
        buffer, elements = packed_view(self.fresh(stem), node.to, view.access, extents)
        inside = [buffer if i == node.operand else v for i, v in enumerate(views)]
        with self.room(node.to.stored, buffer.name, elements) as room:
            lines = [f"{self.library.scalar(node.to.stored)} *const {buffer.name} = {room};"]
            body = self.node(node.body, inside)
            copy = self.node(node.copy, [buffer, view] if node.copies_out else [view, buffer])
        note = (
            f"/* {'copy out of' if node.copies_out else 'copy into'} {node.to.layout},"
            f" {self.target.levels[node.to.level].name} */"
        )
        return ["{", *indent([*lines, *([*body, note, *copy] if node.copies_out else [note, *copy, *body])]), "}"]

    def pipeline(self, node: Pipeline, views: list[View]) -> list[str]:
        """What a graph's tensor is computed by, into a buffer, and then what reads it."""
        extents = node.access.shape(node.state.size)
        if node.place != BUFFER:
            return self._piped(node, views, views[node.place], [])
        buffer, elements = packed_view(self.fresh("known_" if node.ahead else "buffer_"), node.to, node.access, extents)
        if node.ahead:
            self.computed.setdefault(views[node.sees[0][0]].name, []).append((node, views, buffer, elements))
            opened: list[str] = []
            seen = self._after(node, views, buffer, extents, opened)
            return [*opened, *self.node(node.consumer, as_stated(node.consumer.state, seen))]
        with self.room(node.to.stored, buffer.name, elements) as room:
            opened = [
                f"{self.library.scalar(node.to.stored)} *const {buffer.name} = {room};",
                *self._padding(buffer, node.to, extents),
            ]
            return self._piped(node, views, buffer, opened)

    def _piped(self, node: Pipeline, views: list[View], buffer: View, opened: list[str]) -> list[str]:
        """The two parts of a pipeline, with `buffer` between them."""
        extents = node.access.shape(node.state.size)
        lines = self.node(
            node.producer,
            as_stated(node.producer.state, [buffer if i == node.place else views[i] for i in node.sees[0]]),
        )
        buffer = replace(buffer, inside=buffer.inside or node.place == len(views) - 1)
        seen = self._after(node, views, buffer, extents, lines)
        lines += self.node(node.consumer, as_stated(node.consumer.state, seen))
        return ["{", *indent([*opened, *lines]), "}"]

    def _after(
        self, node: Pipeline, views: list[View], buffer: View, extents: tuple[int, ...], lines: list[str]
    ) -> list[View]:
        """What the consumer sees."""
        return [
            self._read(buffer, border, extents, lines) if i == node.place else views[i]
            for i, border in zip(node.sees[1], node.borders)
        ]

    @staticmethod
    def _padding(buffer: View, to: Operand, extents: tuple[int, ...]) -> list[str]:
        """Zeros in the last panel where it is padded: lanes that nobody wants are computed with them."""
        axis, width = to.layout.panel or (0, 1)
        whole, left = divmod(extents[axis], width) if to.layout.panel else (0, 0)
        return (
            [
                f"__builtin_memset({plus(buffer.name, whole * buffer.panel)}, 0,"
                f" {buffer.panel * DTYPES[to.stored].bytes});"
            ]
            if left
            else []
        )

    def room(self, dtype: str, name: str, elements: int):
        """A buffer of the pool for what is called `name`, as long as that is needed."""
        return self.scratch.room(self.library.scalar(dtype), name, elements, DTYPES[dtype].bytes)

    def _read(self, buffer: View, border: Border | None, extents: tuple[int, ...], lines: list[str]) -> View:
        """A buffer as it is read with a border."""
        if border is None:
            return buffer
        view, start = buffer.within(border, extents)
        return self.declared(view, False, [start], lines)

    # ---- leaves ------------------------------------------------------------------------------------------------------

    def _kernel(self, node: KernelCall):
        return next(k for k in self.target.kernels if k.name == node.kernel)

    @staticmethod
    def formal(views: list[View]) -> list[View]:
        """The views with the names that pointers, and what their tiles reach, have inside a leaf function."""
        named = [v.at("y" if i == len(views) - 1 else f"p{i}") for i, v in enumerate(views)]
        return [
            replace(v, beyond=tuple(replace(reach, start=((f"{v.name}_{reach.axis}", 1),)) for reach in v.beyond))
            for v in named
        ]

    def call(self, node: KernelCall | Move, call: KernelCall, views: list[View]) -> list[str]:
        """The call of a leaf's function; `node` is the leaf, or the move that takes its result into registers."""
        family, kernel = node.state.family, self._kernel(call)
        leaf = form_of(kernel).code(node, self.formal(views), self.target, self.library)
        sizes = tuple("any" if d == call.open else n for d, n in node.state.size.items())
        key = (
            call.kernel,
            call.lane,
            family.operation,
            family.accumulate,
            sizes,
            leaf.follows if call.open else None,
            tuple(v.geometry for v in views),
            call.supplies,
            call.chains,
        )
        known = [self.library.number(number) for number in numbers(family.operation)]
        if kernel.begin or kernel.end:
            self.unbegun[kernel.begin, kernel.end] = None
        if kernel.preamble:
            self.preambles.add(kernel.preamble)
        if key not in self.leaves:
            self.headers.update(kernel.headers)
            name = f"{call.kernel}_{'x'.join(map(str, sizes))}_{len(self.leaves)}"
            formals = ["int64_t size"] * bool(call.open) + [f"double {number}" for number in known]
            self.leaves[key] = (
                name,
                self._function(name, self._meaning(node, call), leaf, self.formal(views), written_by(node), formals),
            )
        args = [self.extent] * bool(call.open) + known + self.reached(views) + [v.name for v in views]
        return [f"{self.leaves[key][0]}({', '.join(args)});"]

    @staticmethod
    def reached(views: list[View]) -> list[str]:
        """What a call passes of where tiles begin that may reach beyond their tensors."""
        return [offset(*reach.start) or "0" for v in views for reach in v.beyond]

    @staticmethod
    def reaches(views: list[View]) -> list[str]:
        """The parameters of a function for that, of formal views."""
        return [f"int64_t {offset(*reach.start)}" for v in views for reach in v.beyond]

    @staticmethod
    def _meaning(node: Node, call: KernelCall) -> str:
        """What a leaf computes, for a reader: "y[m n] += mul(p0[m k], p1[k n]), m=6 n=64 k=128, lanes along n"."""
        op = call.state.family.operation
        if op.together:
            return (
                f"{', '.join(f'p{i}' for i in op.written)}, y = {', '.join(nest.operation.name for nest in op.nests)}"
                f" of p0, {' '.join(f'{d}={s}' for d, s in call.state.size.items())}, lanes along {call.lane}"
            )
        terms = str(op.body)
        for i, access in reversed(list(enumerate(op.inputs))):
            terms = terms.replace(f"x{i}", f"p{i}[{access}]")
        terms = f"{op.combine} of {terms}" if op.fold else terms
        sign = (
            "="
            if not op.joins
            else (COMBINERS[op.joins].sign or f"{op.joins}=")
            if node.state.family.accumulate
            else f"= {op.joins} of"
        )
        sizes = " ".join(f"{d}={'size' if d == call.open else s}" for d, s in call.state.size.items())
        sizes += "".join(f", {d} = p{i}[{op.inputs[i]}]" for d, i in op.picks)
        return f"y[{op.output}] {sign} {terms}, {sizes}" + (f", lanes along {call.lane}" if call.lane else "")

    def _function(
        self, name: str, what: str, leaf: LeafCode, views: list[View], written: set[int], first: list[str]
    ) -> str:
        first = [*first, *self.reaches(views)]
        apart = ["" if v.inside and views[-1].inside else "restrict " for v in views]
        formals = [
            *first,
            *(
                f"{'' if i in written else 'const '}{self.library.scalar(v.dtype)} *{apart[i]}{v.name}"
                for i, v in enumerate(views)
            ),
        ]
        head = f"static {'__attribute__((noinline)) ' * leaf.apart}void {name}({', '.join(formals)})"
        return "\n".join([f"/* {what} */", head, "{", *indent(leaf.statements()), "}"])
