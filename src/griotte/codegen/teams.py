"""Threads in C: loops that a team shares out, and regions of several."""

from __future__ import annotations

from ..program.nodes import Alias, Loop, written_by
from ..program.view import View, one_part, parts_view
from ..rewrites import PARTS
from .dynamic import left_over
from .emitter import APART, LAST, SERIES, Emitter
from .text import indent


def parallel(emitter: Emitter, node: Loop, views: list[View]) -> list[str]:
    """All tiles, leftovers included, as one loop over a team of threads."""
    emitter.threads = max(emitter.threads, node.threads)
    if node.even:
        return shares(emitter, node, views)
    if node.join is not None:
        return split(emitter, node, views)
    return team(emitter, node, views)


def region(emitter: Emitter, node: Alias, views: list[View]) -> list[str]:
    """A parallel region around loops over its threads, and what one of them does alone, one after the other, with a
    barrier between. Each thread declares its pointers to the buffers that the function began with."""
    emitter.threads = max(emitter.threads, node.threads)
    with emitter.running(LAST):
        inner = emitter.node(node.body, [views[i] for i in node.sees])
    return [f"#pragma omp parallel num_threads({node.threads})", "{", *indent(emitter.begun(inner)), "}"]


def split(emitter: Emitter, node: Loop, views: list[View]) -> list[str]:
    """The parts of a shared reduction lie in scratch of the calling thread, each on cache lines of its own; then they
    are joined."""
    dtype, name = node.state.family.accumulator, emitter.fresh("parts_")
    parts, pitch = parts_view(name, node, views[-1])
    with emitter.room(dtype, name, pitch * node.join.state.size[PARTS]) as room:
        with emitter.followed():
            shared = team(emitter, node, [*views[:-1], one_part(parts, node, views[-1])], pitch)
        return [
            "{",
            *indent(
                [
                    f"{emitter.library.scalar(dtype)} *const {name} = {room};",
                    *shared,
                    *emitter.node(node.join, [parts, views[-1]]),
                ]
            ),
            "}",
        ]


def team(emitter: Emitter, node: Loop, views: list[View], pitch: int = 0) -> list[str]:
    """The loop over threads; `pitch` elements from the output of one part of a reduction to the next."""
    counts = [f"{node.trips(i) + (node.leftover(i) > 0)}" for i in range(len(node.dims))]
    whole, left = [f"{node.trips(i)}" for i in range(len(node.dims))], ""
    before: list[str] = []
    if node.open is not None:
        i = node.dims.index(node.open)
        before, whole[i], left = emitter.counted_of(node)
        counts[i] = f"({whole[i]} + ({left} > 0))" if left else whole[i]
    flat = emitter.fresh("tile_")
    names = [emitter.fresh(f"{d}_") for d in node.dims]
    inner = [f"const int64_t {names[0]} = {flat}{f' / {counts[1]}' if len(counts) > 1 else ''};"]
    inner += [f"const int64_t {names[1]} = {flat} % {counts[1]};"] if len(counts) > 1 else []
    moved, inside = emitter.advanced(node, views, {d: (n, t) for d, n, t in zip(node.dims, names, node.tiles)})
    inner += moved
    if pitch:
        index = next(n for d, n in zip(node.dims, names) if d in node.state.family.operation.reduction)
        inside[-1] = emitter.declared(inside[-1], True, [(index, pitch)], inner)
    for mask, body in enumerate(node.bodies):
        if body is not None:
            tests = [
                f"{n} {'==' if mask >> i & 1 else '<'} {whole[i]}"
                for i, n in enumerate(names)
                if _has_left(node, i, left)
            ]
            with emitter.running(SERIES):
                lines = (
                    left_over(emitter, left, body, inside)
                    if left and mask >> node.dims.index(node.open) & 1
                    else emitter.node(body, inside)
                )
            inner += [f"if ({' && '.join(tests)}) {{", *indent(lines), "}"] if tests else lines
    total = " * ".join(counts)
    return [
        *before,
        *_team(
            emitter, node.threads, [f"for (int64_t {flat} = 0; {flat} < {total}; {flat}++) {{", *indent(inner), "}"]
        ),
    ]


def _team(emitter: Emitter, threads: int, loop: list[str]) -> list[str]:
    """A loop shared out over threads, each with buffers of its own; each begins and ends what it uses of kernels that
    ask for it. In a region that is around more, no thread goes on before all are done."""
    loop = [loop[0], *emitter.scratch.opened(loop[1:-1]), loop[-1]]
    if emitter.where != APART:
        return ["#pragma omp for schedule(static)" + " nowait" * (emitter.where == LAST), *loop]
    if not emitter.unbegun:
        return [f"#pragma omp parallel for num_threads({threads}) schedule(static)", *loop]
    inner = emitter.begun(["#pragma omp for schedule(static)", *loop])
    return [f"#pragma omp parallel num_threads({threads})", "{", *indent(inner), "}"]


def shares(emitter: Emitter, node: Loop, views: list[View]) -> list[str]:
    """The dynamic size in equal parts, one for each of a team of threads."""
    share, index, size = emitter.fresh("share_"), emitter.fresh("tile_"), emitter.fresh("left_")
    terms = [(f"{index} * {share}", view.step(node.open, 1)) for view in views]
    moved: list[str] = []
    inside = [
        emitter.declared(view, i in written_by(node), [term], moved) for i, (view, term) in enumerate(zip(views, terms))
    ]
    left = f"{emitter.extent} - {index} * {share}"
    with emitter.running(SERIES):
        inner = [
            *moved,
            f"const int64_t {size} = {left} < {share} ? {left} : {share};",
            *emitter.within(size, node.bodies[0], inside),
        ]
    loop = [
        f"for (int64_t {index} = 0; {index} < ({emitter.extent} + {share} - 1) / {share}; {index}++) {{",
        *indent(inner),
        "}",
    ]
    return [
        f"const int64_t {share} = ({emitter.extent} + {node.threads - 1}) / {node.threads};",
        *_team(emitter, node.threads, loop),
    ]


def _has_left(node: Loop, i: int, left: str) -> bool:
    return bool(left) if node.dims[i] == node.open else node.leftover(i) > 0
