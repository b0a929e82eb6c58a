"""Constants that are packed ahead of the call, in C: each gets a function, which the caller runs once, if some operand
takes it packed or something is computed of it.

A constant may be several operands: the weights of a product, and those that are summed. One buffer holds all that the
call reads of a constant, part by part, each on a line of its own. First comes the constant, packed, or as given for an
operand that takes it so; then the results computed from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..engine.program.nodes import BUFFER, Alias, Block, Move, Node, Pipeline, children
from ..engine.program.printer import form, passed
from ..engine.program.view import View, as_stated, packed_view
from ..engine.vectors.text import braced
from ..lang.nests.family import LINE
from ..lang.nests.operation import label
from ..lang.types.dtypes import dtype
from ..lang.types.tensor import TensorType
from .emitter import Computed, Emitter

# an operand's name in C, its type, and, where it is packed, by which move
PackedOperand = tuple[str, TensorType, tuple[Move, View] | None]


@dataclass(frozen=True)
class Pack:
    """C: void function(const T *x1, void *packed_x1). Of input `operand` of the Spec as stated; `bytes` is the packed
    size; the call `begins` with pointers to its parts."""

    operand: int
    function: str
    prototype: str
    bytes: int
    source: str
    begins: tuple[str, ...]

    def declared(self, name: str) -> list[str]:
        """What the header of the function `name` says of it."""
        x = f"x{self.operand}"
        return [
            f"/* packed_{x}: {x} as {self.function} makes it, once; of PACKED_BYTES, best on a cache line. */",
            f"#define {name.upper()}_{x.upper()}_PACKED_BYTES {self.bytes}",
            f"{self.prototype};",
        ]


def called(names: list[str], program: Node) -> list[str]:
    """The names of operands in C. Where several operands are one input, and some of them are packed ahead of the call,
    each has a name of its own."""
    packed = set(_packed(program, tuple(names)))  # or summed
    return [
        f"{n}{'bcdefgh'[names[:i].count(n) - 1]}" if n in packed and n in names[:i] else n for i, n in enumerate(names)
    ]


def _packed(node: Node, names: tuple[str, ...]) -> Iterator[str]:
    """The operands that a program, or some part of it, packs ahead of the call."""
    if isinstance(node, Move) and node.ahead:
        yield from [names[node.operand]] * (node.copy is not None)
        yield from _packed(node.body, names)
    elif isinstance(node, Pipeline) and node.ahead:
        producer, consumer = passed(node, names)
        yield from producer[:-1]
        yield from _packed(node.consumer, consumer)
    elif isinstance(node, Block | Pipeline | Alias):
        for child, seen in zip(children(node), passed(node, names)):
            yield from _packed(child, seen)


def read(program: Node, names: list[str]) -> set[str]:
    """The operands, by name, that a call reads. Of an operand it may read only results that were computed ahead."""
    node, seen = program, tuple(names)
    while isinstance(node, Move | Pipeline) and node.ahead:
        node, seen = (node.body, seen) if isinstance(node, Move) else (node.consumer, passed(node, seen)[1])
    return set(seen)


@dataclass(frozen=True)
class PackedConstant:
    """A constant of a function, and how a function declares it."""

    of: str
    name: str
    formal: str


def pack(
    emitter: Emitter,
    constant: PackedConstant,
    parts: list[PackedOperand],
    computed: list[Computed],
    exported: bool = True,
) -> Pack:
    """How a constant is packed ahead of its function."""
    name, x = constant.of, constant.name
    size, forms, lines, begins = 0, [], [], []
    for own, tensor, packed in parts:
        size = -(-size // LINE) * LINE
        T = emitter.library.scalar(packed[0].to.stored if packed else tensor.dtype)
        begins.append(f"const {T} *const {own} = {_at(f'packed_{x}', size, 'const ')};")
        if packed is None:
            forms.append("as given")
            lines.append(f"__builtin_memcpy({_at(f'packed_{x}', size)}, {x}, {tensor.bytes});")
            size += tensor.bytes
            continue
        move, given = packed
        buffer, elements = packed_view(own, move.to, given.access, given.access.shape(move.state.size))
        to = "packed" if own == x else f"packed_{own}"
        forms.append(f"in {form(move)}")
        lines += [
            f"{T} *const {to} = {_at(f'packed_{x}', size)};",
            *emitter.node(move.copy, [given.at(x), buffer.at(to)]),
        ]
        size += elements * dtype(move.to.stored).bytes
    for node, views, buffer, elements in computed:
        size, T = -(-size // LINE) * LINE, emitter.library.scalar(node.to.stored)
        begins.append(f"const {T} *const {buffer.name} = {_at(f'packed_{x}', size, 'const ')};")
        forms.append(f"{label(node.producer.state.family.nest)} of it")
        there = [buffer if i == BUFFER else views[i].at(x) for i in node.sees[0]]
        lines += [
            f"{T} *const {buffer.name} = {_at(f'packed_{x}', size)};",
            *emitter.node(node.producer, as_stated(node.producer.state, there)),
        ]
        size += elements * dtype(node.to.stored).bytes
    prototype = f"void {name}_pack_{x}({constant.formal}, void *packed_{x})"
    source = "\n".join(
        [
            f"/* {x} {', and '.join(forms)}, for {name} */",
            prototype if exported else f"static {prototype}",
            *braced(emitter.unit.scratch.opened(lines)),
            "",
        ]
    )
    return Pack(int(x.removeprefix("x")), f"{name}_pack_{x}", prototype, size, source, tuple(begins))


def _at(pointer: str, bytes: int, const: str = "") -> str:
    return f"({const}void *)(({const}char *){pointer} + {bytes})" if bytes else pointer
