"""A program's tree as lines with their costs, and programs of one Spec side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...engine.program import nodes, printer


@dataclass(frozen=True)
class Line:
    """A node as printed: `total` cycles over all its executions with the nodes under it, `own` without. None: a
    heading."""

    text: str
    times: float
    total: float | None = None
    own: float | None = None
    children: tuple[Line, ...] = ()


def tree(node: nodes.Node, target, times: float = 1.0, names: printer.Names | None = None) -> Line:
    """The lines of a node that is executed `times`, which calls its operands `names`; over threads: by the thread with
    the largest share."""
    names = names or printer.names_of(node)
    children = tuple(_children(node, target, times, names))
    below = sum(
        line.total if line.total is not None else sum(c.total or 0.0 for c in line.children) for line in children
    )
    text = printer.describe(node, target, names)
    if isinstance(node, nodes.Move) and node.to.level == 0:
        text += "  " + printer.describe(node.body, target)
    if node.cost is None:
        return Line(text, times, None, None, children)
    return Line(text, times, node.cost * times, node.cost * times - below, children)


def _children(node: nodes.Node, target, times: float, names: printer.Names) -> Iterator[Line]:
    match node:
        case nodes.Loop():
            yield from _bodies(node, target, times, names)
        case nodes.Move(to=to) if to.level == 0:
            return
        case nodes.Move():
            if node.copy is not None:
                yield tree(node.copy, target, 0 if node.ahead else times)
            yield tree(node.body, target, times, names)
        case nodes.Rounds():
            for _, steps, often in printer.round_steps(node):
                for part, sees in steps if often else ():
                    yield tree(
                        part,
                        target,
                        times * often,
                        tuple(names[i] if i >= 0 else printer.room_name(node, i) for i in sees),
                    )
        case nodes.Shards():
            for (part, _), word in zip(node.parts, printer.shard_words(node)):
                yield Line(f"{word}:", times, children=(tree(part, target, times, printer.shard_names(node, names)),))
            yield Line(
                "joined:",
                times,
                children=(tree(node.join, target, times, printer.shard_names(node, names, node.joins)),),
            )
        case nodes.Pipeline(ahead=True):
            producer, consumer = printer.passed(node, names)
            yield tree(node.producer, target, 0, producer)
            yield tree(node.consumer, target, times, consumer)
        case nodes.Block() | nodes.Pipeline() | nodes.Alias():
            for child, called in zip(nodes.children(node), printer.passed(node, names)):
                yield tree(child, target, times, called)


def _bodies(node: nodes.Loop, target, times: float, names: printer.Names) -> Iterator[Line]:
    trips = 1
    for i in range(len(node.dims)):
        trips *= node.trips(i) + (node.threads > 1 and node.leftover(i) > 0)
    trips = -(-trips // node.threads)
    if node.first is not None:
        yield Line("first:", times, children=(tree(node.first, target, times, names),))
        trips -= 1
    for mask, body in enumerate(node.bodies):
        if body is None:
            continue
        if not mask:
            yield tree(body, target, times * trips, names)
            continue
        left = ", ".join(f"{d} {node.leftover(i)}" for i, d in enumerate(node.dims) if mask >> i & 1)
        # Over threads a leftover is priced as a whole tile: its cost is in the body's.
        yield Line(f"leftover {left}:", times, children=(tree(body, target, times if node.threads == 1 else 0, names),))


# ---- programs side by side -------------------------------------------------------------------------------------------


def side_by_side(programs) -> list[str]:
    """A heading and a line for each Program: what it costs beside the first, and where it first differs from it."""
    rows = compared(programs)
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [
        "  ".join([*(f"{cell:>{width}}" for cell, width in zip(row, widths[:-1])), row[-1]]).rstrip() for row in rows
    ]


def compared(programs) -> list[tuple[str, ...]]:
    """The cells of those lines, the heading first; the last column is words."""
    best = programs[0]
    is_predicted = "model" in best.stats
    rows = [("", "cycles", "x best", *["predicted"] * is_predicted, "where it first differs")]
    for number, p in enumerate(programs, 1):
        predicted = [f"{p.stats['model']['predicted']:,.0f}"] if is_predicted else []
        rows.append(
            (
                f"{number}",
                f"{p.cost:,.0f}",
                f"{p.cost / best.cost:.7f}" if best.cost else "",
                *predicted,
                difference(best.root, p.root, p.target),
            )
        )
    return rows


def difference(one: nodes.Node, other: nodes.Node, target) -> str:
    """The first place, from the top down, where `other` takes another choice than `one`; empty where it takes none."""
    if one.rewrite != other.rewrite:
        return f"{other.state}: {_headline(other, target)} in place of {_headline(one, target)}"
    pairs = zip(nodes.children(one), nodes.children(other))
    return next((found for a, b in pairs if (found := difference(a, b, target))), "")


def _headline(node: nodes.Node, target) -> str:
    lanes = f", lanes along {node.to.vector.dim}" if isinstance(node, nodes.Move) and node.to.vector else ""
    return printer.describe(node, target) + lanes
