"""A Program as standalone C: one exported function (and one for each constant that is packed ahead of it), static leaf functions, thread-local scratch, OpenMP for threads.

Strides and sizes are constants of the text. Where a size is dynamic it is the exported function's first argument, and a
BySize is a static function with a switch over it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..program.nodes import Move, Node, of_call
from ..program.printer import form
from ..spec.spec import Spec
from ..targets.target import Target
from .emitter import Emitter
from .text import indent
from .vector import VectorLibrary
from .view import View, packed_view


@dataclass(frozen=True)
class Unit:
    """A compilation unit: C source, its header, the exported function's name, the functions that pack constants for it."""

    source: str
    header: str
    function: str
    packs: tuple["Pack", ...] = ()


@dataclass(frozen=True)
class Pack:
    """C: void function(const T *x1, void *packed_x1). Of input `operand`; `bytes` is the packed size."""

    operand: int
    function: str
    prototype: str
    bytes: int
    source: str


def emit(program: Node, spec: Spec, target: Target, name: str, title: str) -> tuple[Unit, int]:
    """The unit for a program of `spec` (canonical), and the number of threads it asks for. `title` heads the source as a comment."""
    library = VectorLibrary(target.features)
    emitter = Emitter(target, library)
    tensors = spec.tensors
    last = len(tensors) - 1
    names = ["y" if i == last else f"x{i}" for i in range(last + 1)]
    family = program.state.family
    emitter.home = max(operand.level for operand in family.operands)
    emitter.extent = _extent(spec)
    views = [View(n, t.dtype, family.access(i), family.operands[i].layout, t.strides(), family.operands[i].level) for i, (n, t) in enumerate(zip(names, tensors))]
    formals = [f"{'' if i == last else 'const '}{library.scalar(t.dtype)} *{n}" for i, (n, t) in enumerate(zip(names, tensors))]
    moves, call = of_call(program)
    packs, opened = [], []
    for move in moves:
        if move.copy is not None:
            i, n = move.operand, names[move.operand]
            pack, views[i] = _pack(emitter, move, name, formals[i], views[i])
            packs.append(pack)
            formals[i] = f"const void *packed_{n}"
            opened.append(f"const {library.scalar(move.to.dtype)} *const {n} = packed_{n};")
    body = [*opened, *emitter.begun(emitter.node(call, views))]
    prototype = f"void {name}({', '.join(['int64_t m'] * bool(spec.dynamic) + formals)})"
    comment = "\n".join(["/*", *(f" * {line}".rstrip() for line in title.splitlines()), " */"])
    functions = [text + "\n" for _, text in (*emitter.leaves.values(), *emitter.by_sizes.values())]
    includes = [f"#include <{header}>" for header in sorted(emitter.headers)]
    source = "\n".join([comment, *includes, library.definitions(), "", *sorted(emitter.preambles), *map(str, emitter.scratch.buffers), "", *functions, *(pack.source for pack in packs), prototype, "{", *indent(body), "}", ""])
    sizes = [f"#define {name.upper()}_{n.upper()}_BYTES {t.bytes}" for n, t in zip(names, tensors)]
    for pack in packs:
        sizes += _packed(pack, names[pack.operand], name)
    return Unit(source, _header(prototype, name, f"/* {spec} */", [*sizes, *_dynamic(spec, names, name)]), name, tuple(packs)), emitter.threads


def _pack(emitter: Emitter, move: Move, name: str, formal: str, given: View) -> tuple[Pack, View]:
    """The function that packs a constant ahead of the function `name`, and the view of what it makes."""
    x, i = given.name, move.operand
    buffer, elements = packed_view(x, move.to, given.access, given.access.shape(move.state.size))
    prototype = f"void {name}_pack_{x}({formal}, void *packed_{x})"
    lines = [f"{emitter.library.scalar(move.to.dtype)} *const packed = packed_{x};", *emitter.begun(emitter.node(move.copy, [given, buffer.at("packed")]))]
    source = "\n".join([f"/* {x} in {form(move)}, for {name} */", prototype, "{", *indent(lines), "}", ""])
    return Pack(i, f"{name}_pack_{x}", prototype, elements * move.to.bytes, source), buffer


def _packed(pack: Pack, operand: str, name: str) -> list[str]:
    """What a header says of a constant that is packed ahead of the call."""
    return [
        f"/* packed_{operand}: {operand} as {pack.function} makes it, once; of PACKED_BYTES, best on a cache line. */",
        f"#define {name.upper()}_{operand.upper()}_PACKED_BYTES {pack.bytes}",
        f"{pack.prototype};",
    ]


def _extent(spec: Spec) -> str:
    """C for the size of the dynamic dimension, from the exported function's argument."""
    return "m" if spec.dynamic is None or spec.dynamic.unit == 1 else f"m * {spec.dynamic.unit}"


def _dynamic(spec: Spec, names: list[str], name: str) -> list[str]:
    """What a header says of a dynamic size."""
    if spec.dynamic is None:
        return []
    having = [n for n, access in zip(names, spec.operation.accesses) if spec.dynamic.dim in access.dims]
    return [
        f"/* m: rows along the slowest axis of {', '.join(having)}, 1 to {name.upper()}_M; other values do nothing. BYTES are those of the largest m. */",
        f"#define {name.upper()}_M {spec.dynamic.bound}",
    ]


def _header(prototype: str, name: str, comment: str, sizes: list[str]) -> str:
    guard = f"GRIOTTE_{name.upper()}_H"
    return "\n".join([
        comment, f"#ifndef {guard}", f"#define {guard}", "#include <stdint.h>", "#ifdef __cplusplus", 'extern "C" {', "#endif",
        "/* Arrays are dense, in the layouts of the comment above. Safe to call from many threads at once. */",
        *sizes, prototype + ";", "#ifdef __cplusplus", "}", "#endif", "#endif", "",
    ])  # fmt: skip
