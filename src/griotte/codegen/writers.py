"""What each node of a Program is in C: a table of writers, one for each kind. Here are copies, buffers between parts,
rounds of a loop that hand on buffers, and shards that are joined. Leaves, loops of dynamic sizes and loops over threads
have files of their own."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from ..engine.idioms.shards import SHARD
from ..engine.program.nodes import (
    BUFFER,
    Alias,
    Bands,
    Block,
    BySize,
    Hole,
    KernelCall,
    Loop,
    Move,
    Node,
    Pipeline,
    Room,
    Rounds,
    Seen,
    Shards,
)
from ..engine.program.view import View, as_stated, packed_view, within_part
from ..engine.vectors.library import VectorLibrary
from ..engine.vectors.text import braced, for_loop, indent, plus
from ..lang.nests.access import Border
from ..lang.nests.family import LINE, Operand
from ..lang.types.dtypes import DTYPES
from ..machine.target import Target
from ..support.errors import NoProgramError
from .dynamic import bands, by_size, open_loop
from .emitter import Emitter, NodeWriter, UnitParts
from .leaf_functions import call_of_leaf, leaf
from .scratch import ScratchPool
from .teams import parallel


def move(emitter: Emitter, node: Move, views: list[View]) -> list[str]:
    """A copy before or after what reads or writes it; of a result in registers, the call of its leaf."""
    if node.to.level == 0:
        assert isinstance(node.body, KernelCall)
        return call_of_leaf(emitter, node, node.body, views)
    if node.copy is None:
        return emitter.node(node.body, views)
    view = views[node.operand]
    if node.ahead:
        emitter.ahead.packed[view.name] = node, view
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
    return braced([*lines, *([*body, note, *copy] if node.copies_out else [note, *copy, *body])])


def pipeline(emitter: Emitter, node: Pipeline, views: list[View]) -> list[str]:
    """What a graph's tensor is computed by, into a buffer, and then what reads it."""
    extents = node.access.shape(node.state.size)
    if node.place != BUFFER:
        return _piped(emitter, node, views, views[node.place], [])
    buffer, elements = packed_view(emitter.fresh("known_" if node.ahead else "buffer_"), node.to, node.access, extents)
    if node.ahead:
        emitter.ahead.computed.setdefault(views[node.sees[0][0]].name, []).append((node, views, buffer, elements))
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
        node.producer, as_stated(node.producer.state, [buffer if i == node.place else views[i] for i in node.sees[0]])
    )
    buffer = replace(buffer, inside=buffer.inside or node.place == len(views) - 1)
    seen = _after(emitter, node, views, buffer, lines)
    lines += emitter.node(node.consumer, as_stated(node.consumer.state, seen))
    return braced([*opened, *lines])


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
    if left:
        return [
            f"__builtin_memset({plus(buffer.name, whole * buffer.panel)}, 0, {buffer.panel * DTYPES[to.stored].bytes});"
        ]
    return []


def _read(emitter: Emitter, buffer: View, border: Border | None, extents: tuple[int, ...], lines: list[str]) -> View:
    """A buffer as it is read with a border."""
    if border is None:
        return buffer
    view, start = buffer.within(border, extents)
    return emitter.declared(view, False, [start], lines)


@dataclass(frozen=True)
class HeldRoom:
    """A buffer of rounds in C (`Room`). `views`: the buffer as a round sees it, and the one that the round before
    wrote. `opened`: statements that open it. `turned`: those before each round but the first. `back`: those before the
    part after the rounds. `onward`: where that part goes by rounds too, those behind each of its rounds."""

    views: tuple[View, View]
    opened: list[str]
    turned: list[str] = field(default_factory=list)
    back: list[str] = field(default_factory=list)
    onward: list[str] = field(default_factory=list)


def rounds(emitter: Emitter, node: Rounds, views: list[View]) -> list[str]:
    """A loop whose rounds hand on buffers: of each that swaps two pointers, which do so before each round but the
    first; of each that stays two that step through it."""
    with ExitStack() as held:
        return _rounds(emitter, node, views, [_held_room(emitter, node, room, held) for room in node.rooms])


def _rounds(emitter: Emitter, node: Rounds, views: list[View], rooms: list[HeldRoom]) -> list[str]:
    def steps(parts: tuple[tuple[Node, Seen], ...], inside: list[View]) -> list[str]:
        return [
            line
            for part, sees in parts
            for line in emitter.node(
                part, [inside[i] if i >= 0 else rooms[node.room(i)].views[i == node.old(node.room(i))] for i in sees]
            )
        ]

    def every(begin: int, parts, left, views: list[View], before: list[str], behind: list[str]) -> list[str]:
        """Parts of all whole rounds from `begin` on, then those of the remainder."""
        found = []
        if node.trips > begin:
            index = emitter.fresh(f"{node.dim}_")
            moved, inside = emitter.advanced(node, views, {node.dim: (index, node.tile)})
            found += for_loop(index, trips, [*before, *moved, *steps(parts, inside), *behind], start=begin)
        if over or not node.open and node.leftover:
            moved, inside = emitter.advanced(node, views, {node.dim: (trips, node.tile)})
            found += [
                f"if ({over}) {{" if over else "{",
                *indent(
                    [*before, *moved, *emitter.where_size(over or emitter.size.extent, lambda: steps(left, inside))]
                ),
                "}",
            ]
        return found

    counted, trips, over = (
        emitter.counted(node.tile, any(isinstance(part, BySize) for part, _ in node.left))
        if node.open
        else ([], f"{node.trips}", "")
    )
    opened, turned, back, onward = (
        [line for room in rooms for line in lines(room)]
        for lines in (lambda r: r.opened, lambda r: r.turned, lambda r: r.back, lambda r: r.onward)
    )
    lines = [*counted, *opened, *steps(node.first, views), *every(1, node.again, node.left, views, turned, [])]
    if not node.rest:
        return braced([*lines, *steps(node.last, views)])
    within = [*views[:-1], replace(views[-1], inside=True)]  # what is kept in the output is read where that is written
    return braced([*lines, *back, *every(0, node.last, node.rest, within, [], onward)])


def _held_room(emitter: Emitter, node: Rounds, room: Room, held: ExitStack) -> HeldRoom:
    name = emitter.fresh("room_")
    view, elements = packed_view(name, room.operand, room.access, node.shape(room))
    scalar, pitch = emitter.library.scalar(room.operand.stored), elements if room.stays else -(-elements // LINE) * LINE
    place = held.enter_context(
        emitter.room(room.operand.stored, name, pitch * (node.count if room.stays else 1 + room.swaps))
    )
    views, old = (view, view.at(f"{name}_old")), f"{name}_old"
    if room.stays:
        return HeldRoom(
            views,
            [f"{scalar} *{name} = {place}, *{old} = {place};"],
            [f"{old} = {name};", f"{name} += {pitch};"],
            [f"{old} = {name};", f"{name} = {place};"],
            [f"{name} += {pitch};"],
        )
    if room.swaps:
        return HeldRoom(
            views,
            [f"{scalar} *{name} = {place}, *{old} = {place} + {pitch};"],
            [f"{{ {scalar} *const swapped = {name}; {name} = {old}; {old} = swapped; }}"],
        )
    return HeldRoom(views, [f"{scalar} *{name} = {place};"])


def shards(emitter: Emitter, node: Shards, views: list[View]) -> list[str]:
    """Programs over shards of a dimension, which leave results in rooms, and what joins them."""
    with ExitStack() as held:
        return _shards(emitter, node, views, held)


def _shards(emitter: Emitter, node: Shards, views: list[View], held: ExitStack) -> list[str]:
    rooms, lines = [], []
    for room in node.rooms:
        view, elements = packed_view(emitter.fresh("room_"), room.operand, room.access, node.shape(room))
        place = held.enter_context(emitter.room(room.operand.stored, view.name, elements))
        lines.append(f"{emitter.library.scalar(room.operand.stored)} *const {view.name} = {place};")
        rooms.append(view)
    cut = [view.cut(node.dim, node.each) for view in views]
    lines += _parts(emitter, node, cut, rooms)
    return braced([*lines, *emitter.node(node.join, [views[i] if i >= 0 else rooms[-1 - i] for i in node.joins])])


def _parts(emitter: Emitter, node: Shards, cut: list[View], rooms: list[View]) -> list[str]:
    lines = []
    for part, first in node.parts:
        lines += emitter.at_offset(
            [within_part(cut[i] if i >= 0 else rooms[-1 - i], part, at) for at, i in enumerate(node.sees)],
            {SHARD: first},
            part,
        )
    return lines


def emitter_for(target: Target, library: VectorLibrary) -> Emitter:
    """An emitter that has met nothing yet."""
    return Emitter(target, library, WRITERS, unit=UnitParts(scratch=ScratchPool(library.line)))


def _loop(emitter: Emitter, node: Loop, views: list[View]) -> list[str]:
    if node.threads > 1:
        return parallel(emitter, node, views)
    return open_loop(emitter, node, views) if node.open is not None else emitter.counted_loop(node, views)


def _alias(emitter: Emitter, node: Alias, views: list[View]) -> list[str]:
    return emitter.node(node.body, [views[i] for i in node.sees])


def _hole(emitter: Emitter, node: Hole, views: list[View]) -> list[str]:
    raise NoProgramError(f"expected a complete program, found a hole for {node.state}; `synthesize` fills it")


WRITERS: dict[type, NodeWriter] = {
    Loop: _loop,
    Move: move,
    Block: Emitter.block,
    Pipeline: pipeline,
    Rounds: rounds,
    Shards: shards,
    Alias: _alias,
    KernelCall: leaf,
    BySize: by_size,
    Bands: bands,
    Hole: _hole,
}
