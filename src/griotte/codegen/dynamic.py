"""Dynamic sizes in C: loops that count their trips when they run, bands of rows, and functions with a switch over the
size."""

from __future__ import annotations

from math import gcd

from ..engine.program.nodes import Bands, BySize, Loop, Node, written_by
from ..engine.program.printer import ranges, runs_of
from ..engine.program.view import View
from ..engine.vectors.text import braced, indent
from .emitter import Emitter, Sized
from .leaf_functions import formal, reached, reaches


def open_loop(emitter: Emitter, node: Loop, views: list[View]) -> list[str]:
    """Trips and leftover are counted when it runs."""
    dim, tile = node.dims[0], node.tiles[0]
    lines, trips, left = emitter.counted_of(node)
    if node.first is not None:
        lines += emitter.node(node.first, views)
    if node.bodies[0] is not None:
        lines += emitter.repeated(node, views, int(node.first is not None), trips)
    if node.bodies[1] is not None:
        moved, inside = emitter.advanced(node, views, {dim: (trips, tile)})
        lines += braced([*moved, *emitter.within(left, node.bodies[1], inside)], f"if ({left})")
    return lines


def bands(emitter: Emitter, node: Bands, views: list[View]) -> list[str]:
    """A loop for each height, each from where the one before it ended."""
    index, rows, before = emitter.fresh(f"{node.dim}_"), emitter.size.rows or emitter.size.extent, emitter.size.rows
    lines, emitter.size.rows = [f"int64_t {index} = 0;"], ""
    for height, body in zip(node.heights, node.bodies):
        moved, inside = emitter.advanced(node, views, {node.dim: (index, 1)})
        lines += braced(
            [*moved, *emitter.within(f"{index} + {height}" if node.down else emitter.size.extent, body, inside)],
            f"for (; {index} + {height} <= {rows}; {index} += {height})",
        )
    emitter.size.rows = before
    return braced(lines)


def left_over(emitter: Emitter, left: str, node: Node, views: list[View]) -> list[str]:
    """What a loop leaves of the dynamic size, or of the rows that have it too."""
    if isinstance(node, BySize):
        return emitter.within(left, node, views)
    before, emitter.size.rows = emitter.size.rows, left
    lines = emitter.node(node, views)
    emitter.size.rows = before
    return lines


def by_size(emitter: Emitter, node: BySize, views: list[View]) -> list[str]:
    """A call of the function that has a switch over the dynamic size, and one function for each case."""
    key = (id(node), tuple(v.geometry for v in views))
    if key not in emitter.unit.by_sizes:
        emitter.unit.by_sizes[key] = _switch(emitter, node, formal(views))
    met = emitter.unit.by_sizes[key]
    emitter.threads = max(emitter.threads, met.threads)
    emitter.unbegun.update(met.unbegun)
    args = [emitter.size.extent, *emitter.size.numbers, *reached(views), *(v.name for v in views)]
    return [f"{met.name}({', '.join(args)});"]


def _switch(emitter: Emitter, node: BySize, formal: list[View]) -> Sized:
    """The function that has the switch, written to `sized`."""
    name = emitter.fresh("by_size_")
    unit = gcd(*(n for sizes, _ in node.cases for n in sizes))
    threads, unbegun = emitter.threads, emitter.unbegun
    emitter.threads, emitter.unbegun = 1, {}
    with emitter.unit.scratch.apart():
        cases = [_case(emitter, f"{name}_{i}", sizes, unit, part, formal) for i, (sizes, part) in enumerate(node.cases)]
    met = Sized(node, name, emitter.threads, emitter.unbegun)
    emitter.threads, emitter.unbegun = threads, unbegun
    switch = braced([line for case in cases for line in case], f"switch (size{f' / {unit}' if unit > 1 else ''})")
    emitter.unit.functions.append(
        _sized(emitter, name, f"{node.dim} up to {node.state.size[node.dim]}", node, formal, switch)
    )
    return met


def _case(emitter: Emitter, name: str, sizes: tuple[int, ...], unit: int, node: Node, views: list[View]) -> list[str]:
    """The labels of one case and what it does: in place for a single size or statement, else in a function, put into
    `sized`. Labels count in `unit`."""
    lines = emitter.within("size", node, views)
    steps = tuple(n // unit for n in sizes)
    labels = [f"case {a}{f' ... {b}' if b > a else ''}:" for a, b in runs_of(steps)]
    if len(sizes) > 1 and len(lines) > 1:
        served = ranges(steps) if unit == 1 else f"{unit} times {ranges(steps)}"
        emitter.unit.functions.append(_sized(emitter, name, f"{node.state}, for {served}", node, views, lines))
        lines = [f"{name}({', '.join(['size', *emitter.size.numbers, *reached(views), *(v.name for v in views)])});"]
    return [*labels[:-1], labels[-1] + " {", *indent([*lines, "break;"]), "}"]


def _sized(emitter: Emitter, name: str, what: str, node: Node, views: list[View], lines: list[str]) -> str:
    """A static function of the dynamic size and an operand's pointers."""
    formals = [
        "int64_t size",
        *(f"double {number}" for number in emitter.size.numbers),
        *reaches(views),
        *(
            f"{'' if i in written_by(node) else 'const '}{emitter.library.scalar(v.dtype)} *{v.name}"
            for i, v in enumerate(views)
        ),
    ]
    return "\n".join(
        [f"/* {what} */", f"static void {name}({', '.join(formals)})", *braced(emitter.unit.scratch.opened(lines))]
    )
