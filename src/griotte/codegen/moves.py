"""What lies between parts of a program, in C: copies of operands, and buffers of what one part gives another."""

from __future__ import annotations

from dataclasses import replace

from ..engine.program.nodes import BUFFER, KernelCall, Move, Pipeline
from ..engine.program.view import View, as_stated, packed_view
from ..engine.vectors.text import indent, plus
from ..lang.nests.border import Border
from ..lang.nests.family import Operand
from ..lang.types.dtypes import DTYPES
from .emitter import Emitter
from .leaf_functions import call_of_leaf


def move(emitter: Emitter, node: Move, views: list[View]) -> list[str]:
    """A copy before or after what reads or writes it; of a result in registers, the call of its leaf."""
    if node.to.level == 0:
        assert isinstance(node.body, KernelCall)
        return call_of_leaf(emitter, node, node.body, views)
    if node.copy is None:
        return emitter.node(node.body, views)
    view = views[node.operand]
    if node.ahead:
        emitter.ahead[view.name] = node, view
        there = packed_view(view.name, node.to, view.access, view.access.shape(node.state.size))[0]
        return emitter.node(node.body, [there if i == node.operand else v for i, v in enumerate(views)])
    extents = view.access.shape(node.state.size)
    stem = "packed_" if node.to.layout.panel else "local_"
    buffer, elements = packed_view(emitter.fresh(stem), node.to, view.access, extents)
    inside = [buffer if i == node.operand else v for i, v in enumerate(views)]
    with emitter.room(node.to.stored, buffer.name, elements) as room:
        lines = [f"{emitter.library.scalar(node.to.stored)} *const {buffer.name} = {room};"]
        body = emitter.node(node.body, inside)
        copy = emitter.node(node.copy, [buffer, view] if node.copies_out else [view, buffer])
    note = (
        f"/* {'copy out of' if node.copies_out else 'copy into'} {node.to.layout},"
        f" {emitter.target.levels[node.to.level].name} */"
    )
    return ["{", *indent([*lines, *([*body, note, *copy] if node.copies_out else [note, *copy, *body])]), "}"]


def pipeline(emitter: Emitter, node: Pipeline, views: list[View]) -> list[str]:
    """What a graph's tensor is computed by, into a buffer, and then what reads it."""
    extents = node.access.shape(node.state.size)
    if node.place != BUFFER:
        return _piped(emitter, node, views, views[node.place], [])
    buffer, elements = packed_view(emitter.fresh("known_" if node.ahead else "buffer_"), node.to, node.access, extents)
    if node.ahead:
        emitter.computed.setdefault(views[node.sees[0][0]].name, []).append((node, views, buffer, elements))
        opened: list[str] = []
        seen = _after(emitter, node, views, buffer, opened)
        return [*opened, *emitter.node(node.consumer, as_stated(node.consumer.state, seen))]
    with emitter.room(node.to.stored, buffer.name, elements) as room:
        opened = [
            f"{emitter.library.scalar(node.to.stored)} *const {buffer.name} = {room};",
            *_padding(buffer, node.to, extents),
        ]
        return _piped(emitter, node, views, buffer, opened)


def _piped(emitter: Emitter, node: Pipeline, views: list[View], buffer: View, opened: list[str]) -> list[str]:
    """The two parts of a pipeline, with `buffer` between them."""
    lines = emitter.node(
        node.producer,
        as_stated(node.producer.state, [buffer if i == node.place else views[i] for i in node.sees[0]]),
    )
    buffer = replace(buffer, inside=buffer.inside or node.place == len(views) - 1)
    seen = _after(emitter, node, views, buffer, lines)
    lines += emitter.node(node.consumer, as_stated(node.consumer.state, seen))
    return ["{", *indent([*opened, *lines]), "}"]


def _after(emitter: Emitter, node: Pipeline, views: list[View], buffer: View, lines: list[str]) -> list[View]:
    """What the consumer sees."""
    extents = node.access.shape(node.state.size)
    return [
        _read(emitter, buffer, border, extents, lines) if i == node.place else views[i]
        for i, border in zip(node.sees[1], node.borders)
    ]


def _padding(buffer: View, to: Operand, extents: tuple[int, ...]) -> list[str]:
    """Zeros in the last panel where it is padded: lanes that nobody wants are computed with them."""
    axis, width = to.layout.panel or (0, 1)
    whole, left = divmod(extents[axis], width) if to.layout.panel else (0, 0)
    return (
        [f"__builtin_memset({plus(buffer.name, whole * buffer.panel)}, 0, {buffer.panel * DTYPES[to.stored].bytes});"]
        if left
        else []
    )


def _read(emitter: Emitter, buffer: View, border: Border | None, extents: tuple[int, ...], lines: list[str]) -> View:
    """A buffer as it is read with a border."""
    if border is None:
        return buffer
    view, start = buffer.within(border, extents)
    return emitter.declared(view, False, [start], lines)
