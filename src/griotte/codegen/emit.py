"""A Program as standalone C: exported functions, static leaf functions, scratch on the stack or thread-local, and the
code that runs the shares of loops over threads (teams.py). Exported are the program, one function for each constant
that is packed ahead of it, and one that says whether a CPU runs them.

Strides and sizes are constants of the text. Where a size is dynamic it is the exported function's first argument, and a
BySize is a static function with a switch over it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace

from ..engine.leaves.prefetch import prefetched
from ..engine.program.nodes import Node, written_by
from ..engine.program.sequence_parts import Stage
from ..engine.program.view import View, given_views
from ..engine.vectors.library import VectorLibrary, literal
from ..engine.vectors.text import braced, in_comment
from ..lang.calls.spec import Spec
from ..lang.functions import FUNCTIONS
from ..lang.types.dynamic import is_pitched, numbers
from ..lang.types.expr import Call, Const, Expr
from ..lang.types.tensor import TensorType
from ..machine import architectures
from ..machine.architectures import FLUSHING
from ..machine.target import Target
from ..support.errors import SpecError
from ..support.floats import FLUSH, KEEP, require_denormals
from . import ahead
from .ahead import Pack
from .emitter import AheadOfCall, SizeHere
from .header import SHARE_BY, Header, rules
from .header import comment as commented
from .pieces import dealt, declared, public
from .scratch import Buffer
from .teams import HOST, TEAM, THREADS_BY, forked, given_host, sharing
from .writers import emitter_for

_SHARE = re.compile(r"(static void \w+\(void \*context, int64_t share\)\n\{\n)")
_FLUSHED = "unsigned denormals __attribute__((cleanup(griotte_restored), unused)) = griotte_flushed();"
"""Denormals within a call are zeros, as operands and as results, by the thread's control register, which is as it was
when the call returns. Each share flushes as well, whichever thread runs it."""


@dataclass(frozen=True)
class Unit:
    """A compilation unit: C source, its header, the exported function's name and the functions that pack constants for
    it. `thread_bytes`: bytes of the buffers that each thread has of its own. `pieces`: the same C in pieces that are
    linked, where several were asked for."""

    source: str
    header: str
    function: str
    packs: tuple[Pack, ...] = ()
    thread_bytes: int = 0
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True)
class EmittedFunction:
    """A function of a unit that is being written: its header where it is exported, the functions that pack its
    constants, the threads it asks for."""

    name: str
    header: Header | None
    packs: tuple[Pack, ...]
    threads: int


@dataclass(frozen=True)
class ExportedFunction:
    """An exported function before it is written: the functions that pack its constants, its lines of C, and what it
    computes (`title`)."""

    name: str
    prototype: str
    packs: list[Pack]
    body: list[str]
    title: str


class UnitWriter:
    """A unit of one program or several for a target: helpers, leaves, preambles and buffers are written once for all.
    Loops over threads run on the threads of `threads_by` (teams.py); `denormals` says what becomes of denormals."""

    def __init__(self, target: Target, threads_by: str = TEAM, denormals: str = KEEP):
        require_denormals(denormals)
        if threads_by not in THREADS_BY:
            raise SpecError(
                f"expected {' or '.join(THREADS_BY)} for threads_by, found {threads_by!r}; write one of them"
            )
        self.target, self.threads_by = target, threads_by
        self.library = VectorLibrary(target.features, divides=target.is_strict, line=target.spans.line)
        self.flushes = denormals == FLUSH
        self._emitter = emitter_for(target, self.library)
        self._functions: list[str] = []
        self._kept: list[str] = []
        self._kept_bytes = 0
        self._shares_out = False
        self._requested: dict[int, tuple[Node, Node]] = {}
        self._begun = 0  # leaves, in order, that pieces have which were begun before all was written

    def add(
        self, program: Node, spec: Spec, name: str, exported: bool = True, in_place: Container[int] = ()
    ) -> EmittedFunction:
        """Write a program of `spec` (canonical) as the function `name`, with the requests of its leaves. A function
        that is not exported is static, and so are those that pack for it. Operands that are `in_place` lie where each
        other do."""
        # the same one added twice shares its functions
        program = self._requested.setdefault(id(program), (program, prefetched(program, spec, self.target)))[1]
        emitter, library, tensors, family = self._emitter, self.library, spec.tensors, program.state.family
        names = ahead.called([n or emitter.iota(t) for n, t in zip(spec.operand_names, tensors)], program)
        written = written_by(program)
        known = {library.number(number): number for number in numbers(spec.operation)}
        emitter.size, emitter.ahead, emitter.threads = SizeHere(_extent(spec), numbers=list(known)), AheadOfCall(), 1
        opened = [f"const double {n} = {_formula(number.formula)};" for n, number in known.items()]
        views = [_begun(view, start, opened, library) for view, start in given_views(spec, family, names)]
        views = [replace(view, inside=i in in_place) for i, view in enumerate(views)]
        formals = [
            f"{'' if i in written else 'const '}{library.scalar(t.dtype)} *{n}"
            for i, (n, t) in enumerate(zip(names, tensors))
        ]
        lines = emitter.node(program, views)
        packs, read, stated = [], ahead.read(program, names), dict(zip(names, spec.operand_names))
        for n in sorted({stated[own] for own in (*emitter.ahead.packed, *emitter.ahead.computed)}):
            parts = [
                (own, t, emitter.ahead.packed.get(own))
                for own, t in zip(names, tensors)
                if stated[own] == n and own in read
            ]
            computed = [each for own, found in emitter.ahead.computed.items() if stated[own] == n for each in found]
            packs.append(
                ahead.pack(emitter, ahead.PackedConstant(name, n, formals[names.index(n)]), parts, computed, exported)
            )
            formals[names.index(n)] = f"const void *packed_{n}"
        body = [*(line for pack in packs for line in pack.begins), *opened, *emitter.unit.scratch.opened(lines)]
        in_order = [formals[names.index(n)] for n in _in_order(spec)]
        prototype = f"void {name}({', '.join(['int64_t m'] * bool(spec.dynamic) + in_order)})"
        self._shares_out = self._shares_out or emitter.threads > 1
        if not exported:
            texts = [*(pack.source for pack in packs), f"static {prototype}", *braced(body), ""]
            self._functions.append("\n".join(texts))
            return EmittedFunction(name, None, tuple(packs), emitter.threads)
        named = [(n, t) for n, t in zip(spec.operand_names, tensors) if n]
        function = ExportedFunction(name, prototype, packs, body, str(spec))
        header = self.export(function, named, _dynamic(spec, names, name))
        return EmittedFunction(name, header, tuple(packs), emitter.threads)

    def add_new(self, add: Callable[[UnitWriter], EmittedFunction], met: set[str]) -> EmittedFunction | None:
        """What `add` writes, where its text, whatever it is called, is none of those that were `met`; then that is one
        of them. Else it is left out, and None."""
        made = add(self)
        text = self._functions[-1].replace(made.name, "")
        if text in met:
            self._functions.pop()
            return None
        met.add(text)
        return made

    def add_stage(self, stage: Stage, name: str) -> EmittedFunction:
        """Write a stage as the static function `name`."""
        self._functions.append(stage.source(self.library, self.target, name))
        self._shares_out = self._shares_out or stage.threads > 1
        return EmittedFunction(name, None, (), stage.threads)

    def add_fork(self, name: str, given: Mapping[str, str], branches: list[list[str]]) -> list[str]:
        """The lines that run branches at the same time, each on a thread; they may read the variables `given`, by name
        with their C types."""
        function, lines = forked(name, given, branches)
        self._functions.append(f"{function}\n")
        self._shares_out = True
        return lines

    def export(
        self, written: ExportedFunction, tensors: Iterable[tuple[str, TensorType]], more: Iterable[str] = ()
    ) -> Header:
        """Write an exported function and the functions beside it: those that pack constants for it, one that says
        whether a CPU runs it, and one that gives its header's number. Returns that header, with the bytes of its
        `tensors`, each with its name."""
        name = written.name
        headers, check = architectures.check(_check(name), self.target.features)
        self._emitter.unit.headers.update(headers)
        by_host, text = given_host(name) if self._shares_out and self.threads_by == HOST else ("", "")
        sizes = list(dict.fromkeys(f"#define {name.upper()}_{n.upper()}_BYTES {t.bytes}" for n, t in tensors))
        for pack in written.packs:
            sizes += pack.declared(name)
        sizes += [
            commented(
                "NULL where this CPU runs the code here, else the first feature of those it needs that is missing; may"
                " be called on any CPU."
            ),
            f"{_check(name)};",
        ]
        sizes += [commented(SHARE_BY), f"{by_host};"] * bool(by_host)
        header = Header(name, written.title, written.prototype, (*sizes, *more))
        texts = [
            *(pack.source for pack in written.packs),
            check,
            "",
            f"{header.asked}\n{{\n    return {header.abi:#x};\n}}\n",
            *[text] * bool(text),
            written.prototype,
            *braced([*[_FLUSHED] * self.flushes, *written.body]),
            "",
        ]
        self._functions.append("\n".join(texts))
        return header

    def keep(self, declaration: str, thread_bytes: int = 0) -> None:
        """Declare something that functions share; so many bytes of it are each thread's own."""
        self._kept.append(declaration)
        self._kept_bytes += thread_bytes

    def unit(self, function: EmittedFunction, title: str, pieces: int = 1) -> Unit:
        """All of it, under `title` as a comment, and the header of an exported function; in so many `pieces` besides,
        or fewer."""
        source, held = self.source(title), self._thread_bytes(self._buffers())
        return Unit(source, self.header(function), function.name, function.packs, held, self._in_pieces(title, pieces))

    def header(self, function: EmittedFunction) -> str:
        """The header of an exported function, once all is written."""
        assert function.header is not None
        whose, held = self.threads_by if self._shares_out else "", self._thread_bytes(self._buffers())
        return function.header.text(rules(whose, function.threads, held), held)

    def _thread_bytes(self, buffers: list[Buffer]) -> int:
        return self._kept_bytes + sum(buffer.bytes for buffer in buffers)

    @property
    def _leaves(self) -> list[str]:
        """The static functions of leaves."""
        return [f"{text}\n" for _, text in self._emitter.unit.leaves.values()]

    @property
    def _shares(self) -> list[str]:
        """Those of shares."""
        return [f"{text}\n" for text in self._emitter.unit.functions]

    def _buffers(self) -> list[Buffer]:
        """The buffers that functions take from their thread."""
        return self._emitter.unit.scratch.thread_local([*self._leaves, *self._shares, *self._functions])

    def source(self, title: str) -> str:
        """All of it, under `title` as a comment."""
        return self._assembled(title, self._leaves)

    def _assembled(self, title: str, leaves: list[str]) -> str:
        """All of it, with these functions of leaves, or what declares them."""
        text = "\n".join(
            [
                *self._begin(title),
                *[sharing(self.threads_by)] * self._shares_out,
                *sorted(self._emitter.unit.preambles),
                *map(str, self._buffers()),
                *self._kept,
                *[FLUSHING] * self.flushes,
                "",
                *leaves,
                *self._shares,
                *self._functions,
            ]
        )
        return _SHARE.sub(lambda head: f"{head[1]}    {_FLUSHED}\n", text) if self.flushes else text

    def _begin(self, title: str) -> list[str]:
        """What every piece begins with: `title` as a comment, and the helpers."""
        comment = "\n".join(["/*", *(f" * {in_comment(line)}".rstrip() for line in title.splitlines()), " */"])
        includes = [f"#include <{header}>" for header in sorted(self._emitter.unit.headers)]
        return [comment, *includes, self.library.definitions(), ""]

    def _in_pieces(self, title: str, count: int) -> tuple[str, ...]:
        """All of it, but for pieces that were begun, in so many pieces, or fewer; none where it would be one."""
        rest = sum(map(len, (*self._shares, *self._functions)))
        begun, left = self._leaves[: self._begun], self._leaves[self._begun :]
        own, *others = dealt(left, rest, count)
        if not others and not begun:
            return ()
        elsewhere = [*begun, *(leaf for each in others for leaf in each)]
        first = self._assembled(title, [*map(declared, elsewhere), *own])
        return first, *(self._piece(title, each) for each in others)

    def _piece(self, title: str, leaves: list[str]) -> str:
        """A piece of leaves alone."""
        return "\n".join([*self._begin(title), *sorted(self._emitter.unit.preambles), *map(public, leaves)])


def emit(program: Node, spec: Spec, target: Target, name: str, title: str) -> Unit:
    """The unit of one program of `spec` (canonical), as the function `name`."""
    return unit_of(lambda writer: writer.add(program, spec, name), target, title)


def unit_of(
    add: Callable[[UnitWriter], EmittedFunction],
    target: Target,
    title: str,
    threads_by: str = TEAM,
    denormals: str = KEEP,
    pieces: int = 1,
) -> Unit:
    """The unit of one exported function, which `add` writes. Threads of `threads_by` run the loops over threads.
    `title` heads the source as a comment. The source is in so many `pieces` besides, or fewer."""
    writer = UnitWriter(target, threads_by, denormals)
    return writer.unit(add(writer), title, pieces)


def _formula(number: Expr) -> str:
    """What follows from the dynamic size, in C, as a double, from the exported function's argument."""
    match number:
        case Const(value):
            return literal("f64", value)
        case Call(function, (x, y)):
            return FUNCTIONS[function].scalar.format(_formula(x), _formula(y))
    return "(double)m"


def _begun(view: View, start: int, opened: list[str], library: VectorLibrary) -> View:
    """The view of the part of a tensor that a Spec touches; its first element is `start` after the tensor's."""
    if not start:
        return view
    # as no name that a loop makes of it: those end in a number of their own after an underscore
    name = f"from_{start}_of_{view.name}"
    line = f"const {library.scalar(view.dtype)} *const {name} = {view.name} + {start};"
    opened += [line] * (line not in opened)
    return view.at(name)


def _in_order(spec: Spec) -> list[str]:
    """The names of a canonical Spec's operands in the order in which its function takes them: inputs as stated, then
    outputs as stated."""
    sources = set(spec.operand_sources) - {-1}
    known = dict(zip(spec.operand_sources, spec.operand_names))
    return [
        known[i] for i in (*sorted(i for i in sources if i >= 0), *sorted((i for i in sources if i < 0), reverse=True))
    ]


def _check(name: str) -> str:
    """The prototype of the function that says whether a CPU runs the function `name`."""
    return f"const char *{name}_check(void)"


def _extent(spec: Spec) -> str:
    """C for the size of the dynamic dimension, from the exported function's argument."""
    return "m" if spec.dynamic is None or spec.dynamic.unit == 1 else f"m * {spec.dynamic.unit}"


def _dynamic(spec: Spec, names: list[str], name: str) -> list[str]:
    """What a header says of a dynamic size."""
    if spec.dynamic is None:
        return []
    having: dict[str, tuple[TensorType, list[int]]] = {}
    for n, stated, t, access in zip(names, spec.operand_names, spec.tensors, spec.operation.accesses):
        if stated and (axes := [access.axis_of(d) for d in spec.dynamic.dims if d in access.dims]):
            having.setdefault(n, (t, axes))
    apart = [n for n, (t, axes) in having.items() if is_pitched(t.shape, t.minor_to_major, *axes)]
    along = (
        f"the {'dynamic' if apart else 'slowest'}"
        f" {'axes' if any(len(axes) > 1 for _, axes in having.values()) else 'axis'} of {', '.join(having)}"
    )
    bound = f"{name.upper()}_M"
    return [
        (
            f"/* m: rows along {along}, 1 to {bound}; other values do nothing. BYTES are those of the largest"
            f" m.{lying(apart, bound)} */"
        ),
        f"#define {bound} {spec.dynamic.bound}",
    ]


def lying(apart: list[str], bound: str) -> str:
    """What a header says of arrays that lie as those of the bound do."""
    if not apart:
        return ""
    return (
        f" Whatever m, {', '.join(apart)} {'lies as an array' if len(apart) == 1 else 'lie as arrays'} of {bound}; of"
        " other rows than the first m nothing is read or written."
    )
