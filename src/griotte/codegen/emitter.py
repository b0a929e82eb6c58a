"""A Program walked once: C statements, and the leaf functions and buffers that they need.

Every distinct leaf (kernel, sizes, strides) is one static function; loops and copies are written out around their calls.
All index arithmetic is int64_t.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from math import gcd

from ..errors import NoProgramError
from ..program.nodes import BUFFER, Alias, Bands, Block, BySize, Hole, KernelCall, Loop, Move, Node, Pipeline, Rounds, Shards, shares_out
from ..program.printer import ranges, runs_of
from ..program.view import View, as_stated, one_part, packed_view, parts_view
from ..rewrites import PARTS
from ..spec.dtypes import DTYPES
from ..spec.expr import numbers
from ..spec.family import Operand
from ..spec.operation import Border
from ..spec.tensor import TensorType
from ..targets.target import Target
from .map_rows import map_leaf
from .matrix import MatrixLeaf
from .pack import PackLeaf
from .pairs import PairsLeaf
from .reduce import ReduceLeaf
from .rounds import rounds, shards
from .scratch import ScratchPool
from .text import indent, offset, plus
from .transpose import TransposeLeaf
from .vector import VectorLibrary, literal
from .window import WindowLeaf

APART, JOINED, LAST, SERIES = "apart", "joined", "last", "series"
"""Where what is written runs: around loops over threads, each a region of its own; on all threads of a region, before more or as the last of it; on one thread."""
Computed = tuple[Pipeline, list[View], View, int]  # its producer, of the operands at these views, makes this buffer, of so many elements
LEAVES = {"map": map_leaf, "pack": PackLeaf, "window": WindowLeaf, "transpose": TransposeLeaf, "matrix": MatrixLeaf, "pairs": PairsLeaf}


def written_by(node: Node) -> set[int]:
    """The operands of a node that it writes."""
    family = node.state.family
    return {len(family.operands) - 1, *(i for _, i in family.operation.placed)}


@dataclass(frozen=True)
class Sized:
    """The function of a BySize with its switch: what a call of it needs besides, the same at each place; the node, for it is known by its id."""

    node: BySize
    name: str
    threads: int
    unbegun: dict[tuple[str, str], None]


@dataclass
class Emitter:
    """Walks a program once, collecting leaf functions and scratch buffers; `threads` is the widest loop met, `extent` the C
    expression of the dynamic size here, `rows` that of how many rows there are bands of, where that is less."""

    target: Target
    library: VectorLibrary
    leaves: dict[tuple, tuple[str, str]] = field(default_factory=dict)
    scratch: ScratchPool = field(default_factory=ScratchPool)
    by_sizes: dict[tuple, Sized] = field(default_factory=dict)
    sized: list[str] = field(default_factory=list)  # the text of each function of a dynamic size, after those that it calls
    extent: str = "m"
    rows: str = ""
    numbers: list[str] = field(default_factory=list)  # what follows from the dynamic size of the call, which functions of a BySize and leaves that compute with it take
    headers: set[str] = field(default_factory=set)
    preambles: set[str] = field(default_factory=set)
    unbegun: dict[tuple[str, str], None] = field(default_factory=dict)  # statements that begin and end the use of kernels met, not yet written
    ahead: dict[str, tuple[Move, View]] = field(default_factory=dict)  # constants that are packed ahead of the call, by name, as they are given
    computed: dict[str, list[Computed]] = field(default_factory=dict)  # what is computed of a constant ahead of the call, by the name of one
    threads: int = 1
    where: str = APART
    _count: int = 0

    def fresh(self, stem: str) -> str:
        self._count += 1
        return f"{stem}{self._count}"

    def iota(self, tensor: TensorType) -> str:
        """The name of a constant array that holds 0, 1, 2, .., written once for all tensors of this dtype and length."""
        name = f"iota_{tensor.dtype}_{tensor.elements}"
        values = ", ".join(literal(tensor.dtype, float(i)) for i in range(tensor.elements))
        self.preambles.add(f"static const {self.library.scalar(tensor.dtype)} {name}[{tensor.elements}] = {{{values}}};")
        return name

    def node(self, node: Node, views: list[View]) -> list[str]:
        """C statements that run `node` on the tiles at `views`, one per operand of its Spec."""
        if self.where != SERIES and not shares_out(node):
            return self.single(node, views)
        views = [view.through(access) for view, access in zip(views, node.state.family.operation.accesses)]
        match node:
            case Loop(threads=1):
                return self.loop(node, views)
            case Loop():
                return self.parallel(node, views)
            case Move():
                return self.move(node, views)
            case Block():
                return self.block(node, views)
            case Pipeline():
                return self.pipeline(node, views)
            case Rounds():
                return rounds(self, node, views)
            case Shards():
                return shards(self, node, views)
            case Alias(threads=threads) if threads > 1:
                return self.region(node, views)
            case Alias():
                return self.node(node.body, [views[i] for i in node.sees])
            case KernelCall():
                return self.call(node, LEAVES[self._kernel(node).form](node, self._formal(views), self.target, self.library), node, views)
            case BySize():
                return self.by_size(node, views)
            case Bands():
                return self.bands(node, views)
            case Hole():
                raise NoProgramError(f"expected a complete program, found a hole for {node.state}; `synthesize` fills it")
        raise AssertionError(node)

    # ---- loops ------------------------------------------------------------------------------------------------------

    def loop(self, node: Loop, views: list[View]) -> list[str]:
        return self.open_loop(node, views) if node.open is not None else self._counted_loop(node, views)

    def _counted_loop(self, node: Loop, views: list[View]) -> list[str]:
        dim, tile = node.dims[0], node.tiles[0]
        trips, lines = node.trips(), []
        start = 0
        if node.first is not None:
            lines += self.node(node.first, views)
            start = 1
        if trips - start > 1:
            index = self.fresh(f"{dim}_")
            moved, inside = self.advanced(node, views, {dim: (index, tile)})
            inner = [*moved, *self.node(node.bodies[0], inside)]
            lines += [f"for (int64_t {index} = {start}; {index} < {trips}; {index}++) {{", *indent(inner), "}"]
        elif trips - start == 1:
            lines += self.at_offset(views, {dim: start * tile}, node.bodies[0])
        if node.bodies[1] is not None:
            lines += self.at_offset(views, {dim: trips * tile}, node.bodies[1])
        return lines

    def open_loop(self, node: Loop, views: list[View]) -> list[str]:
        """Trips and leftover are counted when it runs."""
        dim, tile = node.dims[0], node.tiles[0]
        lines, trips, left = self._counted(node)
        if node.first is not None:
            lines += self.node(node.first, views)
        if node.bodies[0] is not None:
            index, start = self.fresh(f"{dim}_"), int(node.first is not None)
            moved, inside = self.advanced(node, views, {dim: (index, tile)})
            lines += [f"for (int64_t {index} = {start}; {index} < {trips}; {index}++) {{", *indent([*moved, *self.node(node.bodies[0], inside)]), "}"]
        if node.bodies[1] is not None:
            moved, inside = self.advanced(node, views, {dim: (trips, tile)})
            lines += [f"if ({left}) {{", *indent([*moved, *self._within(left, node.bodies[1], inside)]), "}"]
        return lines

    def _counted(self, node: Loop) -> tuple[list[str], str, str]:
        """`counted`, of an open loop."""
        i = node.dims.index(node.open)
        return self.counted(node.tiles[i], any(body is not None and mask >> i & 1 for mask, body in enumerate(node.bodies)))

    def counted(self, tile: int, has_left: bool) -> tuple[list[str], str, str]:
        """C that divides the dynamic size by a tile: the statements, the names of quotient and remainder (where that may be any)."""
        trips, left = self.fresh("trips_"), self.fresh("left_")
        lines = [f"const int64_t {trips} = {self.extent} / {tile}" + (f", {left} = {self.extent} % {tile};" if has_left else ";")]
        return lines, trips, left if has_left else ""

    def _within(self, extent: str, node: Node, views: list[View]) -> list[str]:
        """`node` where the dynamic size is `extent`."""
        return self.within(extent, lambda: self.node(node, views))

    def bands(self, node: Bands, views: list[View]) -> list[str]:
        """A loop for each height, each from where the one before it ended."""
        index, rows, before = self.fresh(f"{node.dim}_"), self.rows or self.extent, self.rows
        lines, self.rows = [f"int64_t {index} = 0;"], ""
        for height, body in zip(node.heights, node.bodies):
            moved, inside = self.advanced(node, views, {node.dim: (index, 1)})
            lines += [f"for (; {index} + {height} <= {rows}; {index} += {height}) {{", *indent([*moved, *self._within(f"{index} + {height}" if node.down else self.extent, body, inside)]), "}"]
        self.rows = before
        return ["{", *indent(lines), "}"]

    def _left_over(self, left: str, node: Node, views: list[View]) -> list[str]:
        """What a loop leaves of the dynamic size, or of the rows that have it too."""
        if isinstance(node, BySize):
            return self._within(left, node, views)
        self.rows = left
        lines = self.node(node, views)
        self.rows = ""
        return lines

    def within(self, extent: str, write: Callable[[], list[str]]) -> list[str]:
        """What is written where the dynamic size is `extent`."""
        before, self.extent = self.extent, extent
        lines = write()
        self.extent = before
        return lines

    def parallel(self, node: Loop, views: list[View]) -> list[str]:
        """All tiles, leftovers included, as one loop over a team of threads."""
        self.threads = max(self.threads, node.threads)
        if node.even:
            return self.shares(node, views)
        if node.join is not None:
            return self.split(node, views)
        return self.team(node, views)

    def region(self, node: Alias, views: list[View]) -> list[str]:
        """A parallel region around loops over its threads, and what one of them does alone, one after the other, with a barrier between. Each thread declares its pointers to the buffers that
        the function began with."""
        self.threads = max(self.threads, node.threads)
        with self._running(LAST):
            inner = self.node(node.body, [views[i] for i in node.sees])
        return [f"#pragma omp parallel num_threads({node.threads})", "{", *indent(self.begun(inner)), "}"]

    def single(self, node: Node, views: list[View]) -> list[str]:
        """What nothing of is shared out."""
        with self._running(SERIES):
            lines = self.node(node, views)
        return self.begun(lines) if self.where == APART else self.alone(lines)

    def alone(self, lines: list[str]) -> list[str]:
        """What the calling thread does, in a region while the others wait for it."""
        if not lines or self.where not in (JOINED, LAST):
            return lines
        return ["#pragma omp master", "{", *indent(lines), "}", *["#pragma omp barrier"] * (self.where == JOINED)]

    def followed(self):
        """Where what is written is not the last of a region."""
        return self._running(JOINED if self.where == LAST else self.where)

    @contextmanager
    def _running(self, where: str):
        before, self.where = self.where, where
        yield
        self.where = before

    def split(self, node: Loop, views: list[View]) -> list[str]:
        """The parts of a shared reduction lie in scratch of the calling thread, each on cache lines of its own; then they
        are joined."""
        dtype, name = node.state.family.accumulator, self.fresh("parts_")
        parts, pitch = parts_view(name, node, views[-1])
        with self.room(dtype, name, pitch * node.join.state.size[PARTS]) as room:
            with self.followed():
                team = self.team(node, [*views[:-1], one_part(parts, node, views[-1])], pitch)
            return ["{", *indent([f"{self.library.scalar(dtype)} *const {name} = {room};", *team, *self.node(node.join, [parts, views[-1]])]), "}"]

    def team(self, node: Loop, views: list[View], pitch: int = 0) -> list[str]:
        """The loop over threads; `pitch` elements from the output of one part of a reduction to the next."""
        counts = [f"{node.trips(i) + (node.leftover(i) > 0)}" for i in range(len(node.dims))]
        whole, left = [f"{node.trips(i)}" for i in range(len(node.dims))], ""
        before: list[str] = []
        if node.open is not None:
            i = node.dims.index(node.open)
            before, whole[i], left = self._counted(node)
            counts[i] = f"({whole[i]} + ({left} > 0))" if left else whole[i]
        flat = self.fresh("tile_")
        names = [self.fresh(f"{d}_") for d in node.dims]
        inner = [f"const int64_t {names[0]} = {flat}{f' / {counts[1]}' if len(counts) > 1 else ''};"]
        inner += [f"const int64_t {names[1]} = {flat} % {counts[1]};"] if len(counts) > 1 else []
        moved, inside = self.advanced(node, views, {d: (n, t) for d, n, t in zip(node.dims, names, node.tiles)})
        inner += moved
        if pitch:
            index = next(n for d, n in zip(node.dims, names) if d in node.state.family.operation.reduction)
            inside[-1] = self.declared(inside[-1], True, [(index, pitch)], inner)
        for mask, body in enumerate(node.bodies):
            if body is not None:
                tests = [f"{n} {'==' if mask >> i & 1 else '<'} {whole[i]}" for i, n in enumerate(names) if self._has_left(node, i, left)]
                with self._running(SERIES):
                    lines = self._left_over(left, body, inside) if left and mask >> node.dims.index(node.open) & 1 else self.node(body, inside)
                inner += [f"if ({' && '.join(tests)}) {{", *indent(lines), "}"] if tests else lines
        total = " * ".join(counts)
        return [*before, *self._team(node.threads, [f"for (int64_t {flat} = 0; {flat} < {total}; {flat}++) {{", *indent(inner), "}"])]

    def _team(self, threads: int, loop: list[str]) -> list[str]:
        """A loop shared out over threads, each with buffers of its own; each begins and ends what it uses of kernels that ask for it. In a region that is around more, no thread goes on before all are done."""
        loop = [loop[0], *self.scratch.opened(loop[1:-1]), loop[-1]]
        if self.where != APART:
            return ["#pragma omp for schedule(static)" + " nowait" * (self.where == LAST), *loop]
        if not self.unbegun:
            return [f"#pragma omp parallel for num_threads({threads}) schedule(static)", *loop]
        inner = self.begun(["#pragma omp for schedule(static)", *loop])
        return [f"#pragma omp parallel num_threads({threads})", "{", *indent(inner), "}"]

    def begun(self, lines: list[str]) -> list[str]:
        """`lines` between the statements that begin and end the use of the kernels met so far."""
        around, self.unbegun = list(self.unbegun), {}
        return [*(begin for begin, _ in around if begin), *lines, *(end for _, end in reversed(around) if end)]

    def shares(self, node: Loop, views: list[View]) -> list[str]:
        """The dynamic size in equal parts, one for each of a team of threads."""
        share, index, size = self.fresh("share_"), self.fresh("tile_"), self.fresh("left_")
        terms = [(f"{index} * {share}", view.step(node.open, 1)) for view in views]
        moved: list[str] = []
        inside = [self.declared(view, i in written_by(node), [term], moved) for i, (view, term) in enumerate(zip(views, terms))]
        left = f"{self.extent} - {index} * {share}"
        with self._running(SERIES):
            inner = [*moved, f"const int64_t {size} = {left} < {share} ? {left} : {share};", *self._within(size, node.bodies[0], inside)]
        loop = [f"for (int64_t {index} = 0; {index} < ({self.extent} + {share} - 1) / {share}; {index}++) {{", *indent(inner), "}"]
        return [f"const int64_t {share} = ({self.extent} + {node.threads - 1}) / {node.threads};", *self._team(node.threads, loop)]

    @staticmethod
    def _has_left(node: Loop, i: int, left: str) -> bool:
        return bool(left) if node.dims[i] == node.open else node.leftover(i) > 0

    def by_size(self, node: BySize, views: list[View]) -> list[str]:
        """A call of the function that has a switch over the dynamic size, and one function for each case."""
        key = (id(node), tuple(v.geometry for v in views))
        if key not in self.by_sizes:
            self.by_sizes[key] = self._switch(node, self._formal(views))
        met = self.by_sizes[key]
        self.threads = max(self.threads, met.threads)
        self.unbegun.update(met.unbegun)
        return [f"{met.name}({', '.join([self.extent, *self.numbers, *self._reached(views), *(v.name for v in views)])});"]

    def _switch(self, node: BySize, formal: list[View]) -> Sized:
        """The function that has the switch, written to `sized`."""
        name = self.fresh("by_size_")
        unit = gcd(*(n for sizes, _ in node.cases for n in sizes))
        threads, unbegun = self.threads, self.unbegun
        self.threads, self.unbegun = 1, {}
        with self.scratch.apart():
            cases = [self._case(f"{name}_{i}", sizes, unit, part, formal) for i, (sizes, part) in enumerate(node.cases)]
        met = Sized(node, name, self.threads, self.unbegun)
        self.threads, self.unbegun = threads, unbegun
        switch = [f"switch (size{f' / {unit}' if unit > 1 else ''}) {{", *indent([line for case in cases for line in case]), "}"]
        self.sized.append(self._sized(name, f"{node.dim} up to {node.state.size[node.dim]}", node, formal, switch))
        return met

    def _case(self, name: str, sizes: tuple[int, ...], unit: int, node: Node, views: list[View]) -> list[str]:
        """The labels of one case and what it does: in place for a single size or statement, else in a function, put into
        `sized`. Labels count in `unit`."""
        lines = self._within("size", node, views)
        steps = tuple(n // unit for n in sizes)
        labels = [f"case {a}{f' ... {b}' if b > a else ''}:" for a, b in runs_of(steps)]
        if len(sizes) > 1 and len(lines) > 1:
            served = ranges(steps) if unit == 1 else f"{unit} times {ranges(steps)}"
            self.sized.append(self._sized(name, f"{node.state}, for {served}", node, views, lines))
            lines = [f"{name}({', '.join(['size', *self.numbers, *self._reached(views), *(v.name for v in views)])});"]
        return [*labels[:-1], labels[-1] + " {", *indent([*lines, "break;"]), "}"]

    def _sized(self, name: str, what: str, node: Node, views: list[View], lines: list[str]) -> str:
        """A static function of the dynamic size and an operand's pointers."""
        formals = ["int64_t size", *(f"double {number}" for number in self.numbers), *self._reaches(views), *(f"{'' if i in written_by(node) else 'const '}{self.library.scalar(v.dtype)} *{v.name}" for i, v in enumerate(views))]
        return "\n".join([f"/* {what} */", f"static void {name}({', '.join(formals)})", "{", *indent(self.scratch.opened(lines)), "}"])

    def advanced(self, node: Node, views: list[View], moves: dict[str, tuple[str, int]]) -> tuple[list[str], list[View]]:
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
        found, last = [], len(node.children) - 1
        for number, (part, seen, start) in enumerate(node.parts):
            with nullcontext() if number == last else self.followed():
                found += self.at_offset([views[i].through(access) for i, access in zip(seen, part.state.family.operation.accesses)], start, part)
        return found

    # ---- moves ------------------------------------------------------------------------------------------------------

    def move(self, node: Move, views: list[View]) -> list[str]:
        if node.to.level == 0:
            assert isinstance(node.body, KernelCall)
            return self.call(node, ReduceLeaf(node, node.body, self._formal(views), self.target, self.library), node.body, views)
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
            with self.followed():
                copy = self.node(node.copy, [buffer, view] if node.copies_out else [view, buffer])
        note = f"/* {'copy out of' if node.copies_out else 'copy into'} {node.to.layout}, {self.target.levels[node.to.level].name} */"
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
            with self.followed():
                opened = [f"{self.library.scalar(node.to.stored)} *const {buffer.name} = {room};", *self.alone(self._padding(buffer, node.to, extents))]
            return self._piped(node, views, buffer, opened)

    def _piped(self, node: Pipeline, views: list[View], buffer: View, opened: list[str]) -> list[str]:
        """The two parts of a pipeline, with `buffer` between them."""
        extents = node.access.shape(node.state.size)
        with self.followed():
            lines = self.node(node.producer, as_stated(node.producer.state, [buffer if i == node.place else views[i] for i in node.sees[0]]))
        buffer = replace(buffer, inside=buffer.inside or node.place == len(views) - 1)
        seen = self._after(node, views, buffer, extents, lines)
        lines += self.node(node.consumer, as_stated(node.consumer.state, seen))
        return ["{", *indent([*opened, *lines]), "}"]

    def _after(self, node: Pipeline, views: list[View], buffer: View, extents: tuple[int, ...], lines: list[str]) -> list[View]:
        """What the consumer sees."""
        return [self._read(buffer, border, extents, lines) if i == node.place else views[i] for i, border in zip(node.sees[1], node.borders)]

    @staticmethod
    def _padding(buffer: View, to: Operand, extents: tuple[int, ...]) -> list[str]:
        """Zeros in the last panel where it is padded: lanes that nobody wants are computed with them."""
        axis, width = to.layout.panel or (0, 1)
        whole, left = divmod(extents[axis], width) if to.layout.panel else (0, 0)
        return [f"__builtin_memset({plus(buffer.name, whole * buffer.panel)}, 0, {buffer.panel * DTYPES[to.stored].bytes});"] if left else []

    def room(self, dtype: str, name: str, elements: int):
        """A buffer of the pool for what is called `name`, as long as that is needed."""
        return self.scratch.room(self.library.scalar(dtype), name, elements, DTYPES[dtype].bytes)

    def _read(self, buffer: View, border: Border | None, extents: tuple[int, ...], lines: list[str]) -> View:
        """A buffer as it is read with a border."""
        if border is None:
            return buffer
        view, start = buffer.within(border, extents)
        return self.declared(view, False, [start], lines)

    # ---- leaves -----------------------------------------------------------------------------------------------------

    def _kernel(self, node: KernelCall):
        return next(k for k in self.target.kernels if k.name == node.kernel)

    @staticmethod
    def _formal(views: list[View]) -> list[View]:
        """The views with the names that pointers, and what their tiles reach, have inside a leaf function."""
        named = [v.at("y" if i == len(views) - 1 else f"p{i}") for i, v in enumerate(views)]
        return [replace(v, beyond=tuple(replace(reach, start=((f"{v.name}_{reach.axis}", 1),)) for reach in v.beyond)) for v in named]

    def call(self, node: Node, leaf, call: KernelCall, views: list[View]) -> list[str]:
        family = node.state.family
        sizes = tuple("any" if d == call.open else n for d, n in node.state.size.items())
        key = (call.kernel, call.lane, family.operation, family.accumulate, sizes, getattr(leaf, "form", None) if call.open else None, tuple(v.geometry for v in views), call.supplies)
        kernel, known = self._kernel(call), [self.library.number(number) for number in numbers(family.operation)]
        if kernel.begin or kernel.end:
            self.unbegun[kernel.begin, kernel.end] = None
        if kernel.preamble:
            self.preambles.add(kernel.preamble)
        if key not in self.leaves:
            self.headers.update(kernel.headers)
            name = f"{call.kernel}_{'x'.join(map(str, sizes))}_{len(self.leaves)}"
            formals = ["int64_t size"] * bool(call.open) + [f"double {number}" for number in known]
            self.leaves[key] = (name, self._function(name, self._meaning(node, call), leaf, self._formal(views), written_by(node), formals))
        return [f"{self.leaves[key][0]}({', '.join([self.extent] * bool(call.open) + known + self._reached(views) + [v.name for v in views])});"]

    @staticmethod
    def _reached(views: list[View]) -> list[str]:
        """What a call passes of where tiles begin that may reach beyond their tensors."""
        return [offset(*reach.start) or "0" for v in views for reach in v.beyond]

    @staticmethod
    def _reaches(views: list[View]) -> list[str]:
        """The parameters of a function for that, of formal views."""
        return [f"int64_t {offset(*reach.start)}" for v in views for reach in v.beyond]

    @staticmethod
    def _meaning(node: Node, call: KernelCall) -> str:
        """What a leaf computes, for a reader: "y[m n] += mul(p0[m k], p1[k n]), m=6 n=64 k=128, lanes along n"."""
        op = call.state.family.operation
        if op.together:
            return f"{', '.join(f'p{i}' for i in op.written)}, y = {', '.join(nest.operation.name for nest in op.nests)} of p0, {' '.join(f'{d}={s}' for d, s in call.state.size.items())}, lanes along {call.lane}"
        terms = str(op.body)
        for i, access in reversed(list(enumerate(op.inputs))):
            terms = terms.replace(f"x{i}", f"p{i}[{access}]")
        terms = f"{op.combine} of {terms}" if op.fold else terms
        sign = "=" if not op.joins else {"add": "+="}.get(op.joins, f"{op.joins}=") if node.state.family.accumulate else f"= {op.joins} of"
        sizes = " ".join(f"{d}={'size' if d == call.open else s}" for d, s in call.state.size.items())
        sizes += "".join(f", {d} = p{i}[{op.inputs[i]}]" for d, i in op.picks)
        return f"y[{op.output}] {sign} {terms}, {sizes}" + (f", lanes along {call.lane}" if call.lane else "")

    def _function(self, name: str, what: str, leaf, views: list[View], written: set[int], first: list[str]) -> str:
        first = [*first, *self._reaches(views)]
        apart = ["" if v.inside and views[-1].inside else "restrict " for v in views]
        formals = [*first, *(f"{'' if i in written else 'const '}{self.library.scalar(v.dtype)} *{apart[i]}{v.name}" for i, v in enumerate(views))]
        head = f"static {'__attribute__((noinline)) ' * getattr(leaf, 'apart', False)}void {name}({', '.join(formals)})"
        return "\n".join([f"/* {what} */", head, "{", *indent(leaf.statements()), "}"])
