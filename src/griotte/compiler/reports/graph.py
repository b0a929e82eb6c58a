"""A program of a graph as a drawing: nests in the order in which they run, tensors between them, and their places.

A box is a nest as it runs: the calls that are done in it at once, with the values between those in registers. An
outline is a loop that runs several boxes for each of its tiles: they are fused. At the left are the inputs that a box
reads. At the right are tensors that one box leaves to another: how large a piece at a time, where, and how often.
Sizes are pixels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import ceil, prod

from ...engine.program import nodes, printer
from ...lang.nests.family import Operand
from ...lang.nests.operation import label
from ...lang.types.dtypes import dtype
from ...machine.target import Target
from .drawing import Arrow, Picture, Rectangle, Shape, Text
from .explain import cycles

ROW, GAP, PAD, HEAD = 46, 26, 14, 22  # a box, between boxes, around what an outline holds, an outline's words
BOX, LANE = 280, 16  # widths: a box, a step of the lines of what is between
LINE = 14  # from an input of a box to the next: words are apart; a box of many is higher
DEPTH = 5  # outlines within each other that are drawn apart
LETTER = 7.0  # width of one


@dataclass(frozen=True)
class Between:
    """A tensor that one box leaves to others: `words` say what and where."""

    name: str
    words: tuple[str, str]


@dataclass(eq=False)
class Box:
    """A nest that runs: the `calls` done in it, the cycles of all its executions, what it reads and writes: an
    operand's name or a Between."""

    calls: tuple[str, ...]
    cycles: float
    reads: tuple[str | Between, ...]
    writes: str | Between


@dataclass(eq=False)
class Outline:
    """The boxes that run for each tile of a loop; without words, all of it. `moves`: the tensor that is brought nearer
    for several boxes at once, the level's name and the cycles of it."""

    words: str
    items: list[Box | Outline] = field(default_factory=list)
    moves: list[tuple[str | Between, str, float]] = field(default_factory=list)

    def boxes(self) -> Iterator[Box]:
        for item in self.items:
            yield from item.boxes() if isinstance(item, Outline) else (item,)


@dataclass(frozen=True)
class NodeContext:
    """A node as the drawing meets it: how often it runs, its operands, of a graph the calls in each of its nests, and
    the target. It runs `times` as it is paid for, `runs` in whole tiles, a leftover as part of one."""

    target: Target
    times: float
    runs: float
    operands: tuple[str | Between, ...]
    calls: tuple[tuple[str, ...], ...]


def outline(program) -> Outline:
    """What a program runs, from its tree; of a dynamic size at its bound."""
    program = program.largest
    op = program.canonical.operation
    calls = tuple((label(each),) for each in op.operations)
    found = Outline("")
    _walk(program.root, NodeContext(program.target, 1.0, 1.0, printer.names_in(program.canonical), calls), found)
    return found


def _walk(node: nodes.Node, seen: NodeContext, into: Outline) -> None:
    graph = node.state.family.operation
    if graph.is_lone:
        into.items.append(Box(seen.calls[0], node.cost * seen.times, seen.operands[:-1], seen.operands[-1]))
        return
    match node:
        case nodes.Pipeline():
            _pipeline(node, seen, into)
        case nodes.Alias():
            operands = tuple(seen.operands[i] for i in node.sees)
            _walk(node.body, replace(seen, operands=operands, calls=_joined(node, seen.calls)), into)
        case nodes.Loop():
            body = next(part for part in node.bodies if part is not None)
            tiles = ", ".join(f"{d} by {t}" for d, t in zip(node.dims, node.tiles))
            inner = Outline(f"for each {tiles}" + f", over {node.threads} threads" * (node.threads > 1))
            whole = prod(node.state.size[d] / tile for d, tile in zip(node.dims, node.tiles))
            times = seen.times * node.cost / body.cost if body.cost else seen.times
            _walk(body, replace(seen, times=times, runs=seen.runs * whole), inner)
            into.items += [inner] if len(list(inner.boxes())) > 1 else inner.items
            into.moves += inner.moves
        case nodes.Move(ahead=True):
            _walk(node.body, seen, into)
        case nodes.Move():
            level, spent = seen.target.levels[node.to.level].name, (node.cost - node.body.cost) * seen.times
            into.moves.append((seen.operands[node.operand], level, spent))
            _walk(node.body, seen, into)
        case nodes.Rounds():
            every = tuple(call for calls in seen.calls for call in calls)
            into.items.append(Box(every, node.cost * seen.times, seen.operands[:-1], seen.operands[-1]))
        case nodes.Shards():
            _shards(node, seen, into)
        case nodes.Block():
            last = node.children[-1]  # the largest of blocks that are alike
            inner = Outline(printer.describe(node, seen.target))
            times = seen.times * node.cost / last.cost if last.cost else seen.times
            operands = tuple(seen.operands[i] for i in node.sees[-1])
            _walk(last, replace(seen, operands=operands, times=times), inner)
            into.items.append(inner)
            into.moves += inner.moves
        case nodes.BySize():
            _walk(node.cases[-1][1], seen, into)


def _pipeline(node: nodes.Pipeline, seen: NodeContext, into: Outline) -> None:
    graph = node.state.family.operation
    last = graph.operand(graph.last)
    between = _between(node, seen) if node.place in (nodes.BUFFER, last) else seen.operands[node.place]
    for part, sees, child in zip(node.rewrite.cut(graph), node.sees, (node.producer, node.consumer)):
        reads = tuple(between if i == node.place else seen.operands[i] for i in sees[:-1])
        operands = (*reads, between if child is node.producer else seen.operands[sees[-1]])
        times = 0.0 if node.ahead and child is node.producer else seen.times
        calls = tuple(seen.calls[j] for j in part.nests)
        _walk(child, replace(seen, times=times, operands=operands, calls=calls), into)


def _shards(node: nodes.Shards, seen: NodeContext, into: Outline) -> None:
    """All whole shards, in an outline, and what joins them."""
    rooms = tuple(_piece(room.name, node.shape(room), room.operand, seen) for room in node.rooms)
    inner, whole = Outline(f"{printer.describe(node, seen.target)}"), node.parts[0][0]
    for part, sees, to in ((whole, node.sees, inner), (node.join, node.joins, into)):
        if to is into:
            into.items.append(inner)
        operands = tuple(seen.operands[i] if i >= 0 else rooms[-1 - i] for i in sees)
        calls = tuple((label(nest.operation),) for nest in part.state.family.operation.nests)
        _walk(part, replace(seen, operands=operands, calls=calls), to)
    into.moves += inner.moves


def _between(node: nodes.Pipeline, seen: NodeContext) -> Between:
    """The buffer of a tensor, or the output that it lies in, with words on it."""
    graph, tensor = node.state.family.operation, node.rewrite.tensor
    holder = "" if node.place == nodes.BUFFER else seen.operands[node.place]
    place = holder.name if isinstance(holder, Between) else holder
    return _piece(graph.names[tensor], node.access.shape(node.state.size), node.to, seen, place)


def _piece(name: str, extents: tuple[int, ...], to: Operand, seen: NodeContext, place: str = "") -> Between:
    size = prod(extents) * dtype(to.dtype).bytes
    where = f"{place or seen.target.levels[to.level].name}, {_bytes(size)}" + f", {ceil(seen.runs - 1e-6):,} times" * (
        seen.runs > 1
    )
    return Between(name, (f"{name} {'x'.join(map(str, extents)) or 'scalar'} {to.dtype}", f"in {where}"))


def _joined(node: nodes.Alias, calls: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """The calls in each nest of the body."""
    return tuple(
        tuple(call for j in nests for call in calls[j]) for nests in node.rewrite.made_of(node.state.family.operation)
    )


def _bytes(size: float) -> str:
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{size / unit:.3g} {name}"
    return f"{size:.0f} B"


def picture(program) -> Picture:
    """The drawing of a program."""
    found = outline(program)
    drawn = _Drawn(program, found.moves)
    drawn.place(found, 0, PAD)
    return drawn.joined()


class _Drawn:
    """Boxes one below the other, in the order in which they run."""

    def __init__(self, program, moves: list[tuple[str | Between, str, float]]) -> None:
        self.cost = program.largest.cost
        self.moved: dict[str | Between, str] = {}
        for tensor, level, spent in moves:
            self.moved[tensor] = f"{self.moved.get(tensor, '')}, to {level}: {cycles(spent)}"
        spec = program.spec
        canonical = program.canonical
        types = [
            spec.inputs[source] if source >= 0 else spec.outputs[-2 - source] if source < -1 else None
            for source in canonical.operand_sources
        ]
        self.types = {
            known: f"{name}: {t}" if name else "0, 1, 2, .."
            for known, name, t in zip(printer.names_in(canonical), canonical.operand_names, types)
        }
        self.types = {name: words + self.moved.get(name, "") for name, words in self.types.items()}
        self.left = max(map(len, self.types.values())) * LETTER + PAD * (DEPTH + 2)
        self.shapes: list[Shape] = []
        self.at: dict[Box, float] = {}
        self.deepest = 0

    def place(self, item: Outline, depth: int, y: float) -> float:
        """Draws what an outline holds from `y` on; the first free y below it."""
        self.deepest = max(self.deepest, depth)
        for each in item.items:
            if isinstance(each, Outline):
                top, shape = y, len(self.shapes)
                self.shapes.append(Text("note", self._edge(depth + 1) + 8, top + 15, each.words))
                y = self.place(each, depth + 1, top + HEAD + PAD / 2)
                self.shapes.insert(
                    shape,
                    Rectangle(
                        "outline", self._edge(depth + 1), top, BOX + 2 * (self.left - self._edge(depth + 1)), y - top
                    ),
                )
                y += GAP
            else:
                self._box(each, y)
                y += self._height(each) + GAP
        return y - GAP + PAD

    def _edge(self, depth: int) -> float:
        """Where outlines of this depth begin at the left."""
        return self.left - max(PAD * (DEPTH - depth), 4)

    @staticmethod
    def _given(box: Box) -> list[str]:
        """The inputs that a box reads."""
        return list(dict.fromkeys(name for name in box.reads if isinstance(name, str)))

    def _height(self, box: Box) -> float:
        return max(ROW, LINE * len(self._given(box)) + 4)

    def _box(self, box: Box, y: float) -> None:
        left, arrow = self.left, self.left - PAD * DEPTH
        height = self._height(box)
        middle = y + height / 2
        self.at[box] = y
        share = f" · {100 * box.cycles / self.cost:.1f} %" if self.cost else ""
        self.shapes += [
            Rectangle("box", left, y, BOX, height),
            Text("call", left + BOX / 2, middle - 4, " → ".join(box.calls), "middle"),
            Text("number", left + BOX / 2, middle + 14, cycles(box.cycles) + share, "middle"),
        ]
        given = self._given(box)
        for i, name in enumerate(given):
            line = middle + LINE * (i - (len(given) - 1) / 2)
            self.shapes += [
                Arrow("input", ((arrow, line), (left, line))),
                Text("note", arrow - 6, line + 4, self.types[name], "end"),
            ]

    def _end(self, box: Box) -> float:
        """Where a box ends, from the top."""
        return self.at[box] + self._height(box)

    def joined(self) -> Picture:
        """With the tensors between boxes: from the one that writes it, down its lane, to each that reads it."""
        order = list(self.at)
        found = [
            (writer, between, [box for box in order if between in box.reads])
            for writer in order
            if isinstance(between := writer.writes, Between)
        ]
        right, middle = self.left + BOX, self.left + BOX / 2
        x = right + PAD * DEPTH
        lanes: list[float] = []  # where each lane is free again
        notes = []
        for writer, between, readers in found:
            start, ends = self._end(writer) - ROW * 0.3, [self.at[box] + ROW * 0.3 for box in readers]
            lane = next((i for i, free in enumerate(lanes) if free < start), len(lanes))
            lanes[lane : lane + 1] = [max(ends)]
            across = x + LANE * lane
            for end in ends:
                self.shapes.append(Arrow("between", ((right, start), (across, start), (across, end), (right, end))))
            notes.append((start, (between.words[0], between.words[1] + self.moved.get(between, ""))))
        side = x + LANE * max(len(lanes), 1)
        for y, words in notes:
            self.shapes += [Text("number", side, y + 8, words[0]), Text("note", side, y + 24, words[1])]
        bottom, last = max(map(self._end, order)), order[-1]
        for box in order[:-1]:  # several outputs: all but the last go out at the side
            if isinstance(box.writes, str):
                out = self.at[box] + self._height(box) / 2
                self.shapes += [
                    Arrow("input", ((right, out), (side - 6, out))),
                    Text("note", side, out + 4, self.types[box.writes]),
                ]
                notes.append((out, (self.types[box.writes], "")))
        end = bottom + PAD * (self.deepest + 1) + 18
        self.shapes += [
            Arrow("input", ((middle, self._end(last)), (middle, end - 14))),
            Text("note", middle, end, self.types[str(last.writes)], "middle"),
        ]
        longest = max((len(text) for _, words in notes for text in words), default=0)
        return Picture(side + LETTER * longest + PAD, end + PAD, tuple(self.shapes))
