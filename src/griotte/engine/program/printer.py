"""A Program as a person reads it: one line a node, outer first, with its share of the cost."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from ..idioms.shards import SHARD
from .nodes import (
    BUFFER,
    LATER_ROW,
    RESULT,
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
    Request,
    Rounds,
    Seen,
    Shards,
)

Names = tuple[str, ...]  # of a node's operands


def lines(node: Node, target, names: Names | None = None, depth: int = 0) -> list[tuple[str, float | None]]:
    """(text, cost in cycles of one execution) for each printed node."""
    pad, names = "  " * depth, names or names_of(node)
    found = [(pad + describe(node, target, names), node.cost)]
    below = lambda child, deeper, called=names: lines(child, target, called, depth + deeper)
    match node:
        case Loop():
            if node.first is not None:
                found.append((pad + "  first:", None))
                found += below(node.first, 2)
            for mask, body in enumerate(node.bodies):
                if body is not None:
                    if isinstance(body, BySize):
                        found += below(body, 1)
                        continue
                    if mask:
                        found.append(
                            (
                                pad
                                + "  leftover "
                                + ", ".join(f"{d} {node.leftover(i)}" for i, d in enumerate(node.dims) if mask >> i & 1)
                                + ":",
                                None,
                            )
                        )
                    found += below(body, 2 if mask or node.first is not None else 1)
            if node.join is not None:
                found += [(pad + "  join:", None), *below(node.join, 2, None)]
        case Move(to=to) if to.level == 0:
            found[0] = (f"{found[0][0]}  {describe(node.body, target)}", node.cost)
            found += [(f"{pad}  {line}", None) for line in requested(node.body, target, names)]
        case Move():
            if node.copy is not None:
                found += below(node.copy, 2, None)
            found += below(node.body, 1)
        case Block():
            for child, called in zip(node.children, passed(node, names)):
                found += below(child, 1, called)
        case Pipeline():
            producer, consumer = passed(node, names)
            found += [*below(node.producer, 2, producer), *below(node.consumer, 1, consumer)]
        case Rounds():
            for word, steps, often in round_steps(node):
                if often:
                    found.append((f"{pad}  {word}:", None))
                    for part, sees in steps:
                        found += below(part, 2, tuple(names[i] if i >= 0 else room_name(node, i) for i in sees))
        case Shards():
            for (part, _), word in zip(node.parts, shard_words(node)):
                found += [(f"{pad}  {word}:", None), *below(part, 2, shard_names(node, names))]
            found += [(f"{pad}  joined:", None), *below(node.join, 2, shard_names(node, names, node.joins))]
        case Alias():
            found += below(node.body, 1, *passed(node, names))
        case KernelCall():
            found += [(f"{pad}  {line}", None) for line in requested(node, target, names)]
        case Bands():
            for height, body in zip(node.heights, node.bodies):
                found += [(f"{pad}  of {height}:", None), *below(body, 2)]
        case BySize():
            for sizes, case in node.cases:
                found += [(f"{pad}  {node.dim} = {ranges(sizes)}:", None), *below(case, 2)]
    return found


def names_of(node: Node) -> Names:
    """x0, x1, .. for inputs, y for the output, or y0, y1, .. for several."""
    return tuple(name(node, i) for i in range(len(node.state.family.operands)))


def names_in(spec) -> Names:
    """Those of a canonical Spec: inputs by their place among its operands, outputs as in C."""
    return tuple(name if name.startswith("y") else f"x{i}" for i, name in enumerate(spec.operand_names))


def passed(node: Block | Pipeline | Alias, names: Names) -> tuple[Names, ...]:
    """What each child of a node calls its operands."""
    sees = node.sees if isinstance(node, (Block, Pipeline)) else (node.sees,)
    between = between_name(node, names) if isinstance(node, Pipeline) else ""
    return tuple(tuple(between if i == BUFFER else names[i] for i in each) for each in sees)


def round_steps(node: Rounds) -> Iterator[tuple[str, tuple[tuple[Node, Seen], ...], int]]:
    """(heading, steps, how often they run) of each part of rounds."""
    left, whole = int(node.leftover > 0), node.trips if node.rest else 1
    words = (
        "first",
        "again",
        f"leftover {node.dim} {node.leftover}",
        "after, each" if node.rest else "after",
        f"after, leftover {node.dim} {node.leftover}",
    )
    yield from zip(
        words,
        (node.first, node.again, node.left, node.last, node.rest),
        (1, node.trips - 1, left, whole, left * bool(node.rest)),
    )


def room_name(node: Rounds, seen: int) -> str:
    """The name of a room of rounds: by what it holds. A mark follows for its contents from the round before, or for
    `last` those from the last round."""
    room = node.room(seen)
    return node.rooms[room].name + "'" * (seen == node.old(room))


def shard_words(node: Shards) -> tuple[str, ...]:
    """The heading of each part: the whole shards, the leftover."""
    return "each", f"leftover {node.dim} {node.state.size[node.dim] - node.each * node.parts[-1][1]}"


def shard_names(node: Shards, names: Names, sees: tuple[int, ...] | None = None) -> Names:
    """The names in each shard, or (`sees`) where they are joined: rooms by what they hold."""
    return tuple(names[i] if i >= 0 else node.rooms[-1 - i].name for i in sees or node.sees)


def between_name(node: Pipeline | Alias, names: Names) -> str:
    """What the tensor between nests that a node is about is called: by what computes it, and not as one of `names`."""
    word = node.state.family.operation.names[node.rewrite.tensor]
    return word if word not in names else next(found for n in count(2) if (found := f"{word} {n}") not in names)


def describe(node: Node, target, names: Names | None = None) -> str:
    names = names or names_of(node)
    size = " ".join(f"{d}={s}" for d, s in node.state.size.items())
    if node.rewrite is not None and (said := node.rewrite.line(node, target)):
        return said
    match node:
        case Loop(dims=dims, tiles=tiles, threads=threads):
            what = ", ".join(f"{d} by {t}" for d, t in zip(dims, tiles))
            if threads == 1:
                return f"loop {what}" + ", inwards" * node.inwards
            return f"parallel {what} over {threads} threads"
        case Move(operand=i, to=to) if to.level == 0:
            return f"registers {names[i]} {shape(node, i)}"
        case Move(operand=i, ahead=True):
            return f"ahead {names[i]} {shape(node, i)}, " + ("as given" if node.copy is None else f"{form(node)}, once")
        case Move(operand=i, to=to):
            where = target.levels[to.level].name
            verb = "view" if node.copy is None else "copy"
            return (
                f"{verb} {names[i]} {shape(node, i)} -> {where}"
                + (f", {form(node)}" if node.copy is not None else "")
                + ", for all threads" * node.shared
            )
        case Block():
            return "in sequence"
        case Pipeline(to=to):
            if node.place != BUFFER:
                return f"{between_name(node, names)} in {names[node.place]}"
            extents = "x".join(map(str, node.access.shape(node.state.size)))
            if node.ahead:
                return f"ahead {between_name(node, names)} {extents or 'scalar'} {to.dtype}, once"
            where = f"{target.levels[to.level].name}" + f", {to.layout}" * bool(to.layout.panel)
            return f"buffer {between_name(node, names)} {extents or 'scalar'} {to.dtype} in {where}"
        case Shards(dim=dim, each=each, parts=parts):
            return f"shards of {dim}, {parts[0][0].state.size[SHARD]} by {each}"
        case Alias():
            said = node.rewrite.said
            return said.format(between_name(node, names)) if said else node.rewrite.verb()
        case BySize(dim=dim):
            return f"by {dim}"
        case Bands(dim=dim, heights=heights):
            return f"bands of {dim} by {', '.join(map(str, heights))}"
        case KernelCall(kernel=kernel, lane=lane):
            op = node.state.family.nest
            return (
                f"{kernel} {size}"
                + (f", lanes along {lane}" if lane else "")
                + (f", {op.fold} across {' '.join(op.across)}" if op.fold else "")
            )
        case Hole():
            return f"? {node.state.family.operation.name} {size}{' added to y' if node.state.family.accumulate else ''}"
    raise AssertionError(node)


def requested(leaf: Node, target, names: Names) -> list[str]:
    """The requests of a leaf (or of the hole in its place), a line an operand: `prefetch x1 (memory):
    panel 16 KiB into L2, panel 1 KiB into L1`."""
    found = []
    for name, supply in zip(names, leaf.supplies if isinstance(leaf, KernelCall) else ()):
        said = ["left to the core"] * supply.alone + [_request(request, target) for request in supply.requests]
        found += [f"prefetch {name} ({supply.place}): {', '.join(said)}"] * bool(said)
    return found


def _request(request: Request, target) -> str:
    """`row 512 B into L1`"""
    counted = {RESULT: "", LATER_ROW: f" {request.distance} steps"}.get(request.form, f" {_bytes(request.distance)}")
    return f"{request.form}{counted} into {target.levels[request.level].name}"


def _bytes(count: int) -> str:
    return f"{count} B" if count % 1024 else f"{count // 1024} KiB"


def form(node: Move) -> str:
    """What a copy makes of its operand: `panels of 64 as f32`."""
    return node.state.family.form(node.operand, node.to.layout) + (
        f" as {node.to.dtype}" if node.to.dtype != node.state.family.operands[node.operand].dtype else ""
    )


def ranges(numbers: tuple[int, ...]) -> str:
    """Ascending numbers as a person writes them: `1..4, 7`."""
    return ", ".join(str(a) if a == b else f"{a}..{b}" for a, b in runs_of(numbers))


def runs_of(numbers: tuple[int, ...]) -> list[tuple[int, int]]:
    """The first and last of each run of neighbours among ascending numbers."""
    found: list[tuple[int, int]] = []
    for n in numbers:
        if found and n == found[-1][1] + 1:
            found[-1] = found[-1][0], n
        else:
            found.append((n, n))
    return found


def name(node: Node, i: int) -> str:
    """x0, x1, .. for inputs, y for the output, or y0, y1, .. for several."""
    return node.state.family.operation.operand_name(i)


def shape(node: Node, i: int) -> str:
    return "x".join(str(e) for e in node.state.family.access(i).shape(node.state.size)) or "scalar"


def text(node: Node, target, names: Names | None = None) -> str:
    """The whole program, costs as shares of the root's."""
    rows = lines(node, target, names)
    return "\n".join(line for line, _ in rows)
