"""Parts of a program that hand on buffers: rounds of a loop, and shards of a dimension that are joined."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from ..engine.idioms.shards import SHARD
from ..engine.program.nodes import BySize, Node, Room, Rounds, Seen, Shards
from ..engine.program.view import View, packed_view, within_part
from ..engine.vectors.text import indent
from ..lang.nests.family import LINE
from .emitter import Emitter


@dataclass(frozen=True)
class HeldRoom:
    """A room of rounds in C: as a round sees it and what the one before wrote, and the statements that open it, that
    run before each round but the first, before what comes after and, where that is done by rounds, behind each of
    them."""

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
        """Parts of all whole rounds from `begin` on, then those of what is left over."""
        found = []
        if node.trips > begin:
            index = emitter.fresh(f"{node.dim}_")
            moved, inside = emitter.advanced(node, views, {node.dim: (index, node.tile)})
            found += [
                f"for (int64_t {index} = {begin}; {index} < {trips}; {index}++) {{",
                *indent([*before, *moved, *steps(parts, inside), *behind]),
                "}",
            ]
        if over or not node.open and node.leftover:
            moved, inside = emitter.advanced(node, views, {node.dim: (trips, node.tile)})
            found += [
                f"if ({over}) {{" if over else "{",
                *indent([*before, *moved, *emitter.where_size(over or emitter.extent, lambda: steps(left, inside))]),
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
        return ["{", *indent([*lines, *steps(node.last, views)]), "}"]
    within = [*views[:-1], replace(views[-1], inside=True)]  # what is kept in the output is read where that is written
    return ["{", *indent([*lines, *back, *every(0, node.last, node.rest, within, [], onward)]), "}"]


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
    return [
        "{",
        *indent([*lines, *emitter.node(node.join, [views[i] if i >= 0 else rooms[-1 - i] for i in node.joins])]),
        "}",
    ]


def _parts(emitter: Emitter, node: Shards, cut: list[View], rooms: list[View]) -> list[str]:
    lines = []
    for part, first in node.parts:
        lines += emitter.at_offset(
            [within_part(cut[i] if i >= 0 else rooms[-1 - i], part, at) for at, i in enumerate(node.sees)],
            {SHARD: first},
            part,
        )
    return lines
