"""Threads in C: loops that are shared out, each a static function of a share, and the function that runs the shares.

    struct run_3 { const float *x0; float *y; };
    static void run_3(void *context, int64_t share) { .. }
    ..
        struct run_3 given_4 = {x0, y};
        griotte_share_out(2, 2, run_3, &given_4);

One function of C runs the shares. There are three such functions: of a team of threads that all kernels of a process
share (team.c), of OpenMP, of the program that calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from math import prod

from ..engine.program.nodes import Loop, written_by
from ..engine.program.view import View, one_part, parts_view
from ..engine.rewrites import PARTS
from ..engine.vectors.text import braced, indent
from ..machine.architectures import PAUSE
from .dynamic import left_over
from .emitter import SERIES, Emitter
from .leaf_functions import reached

TEAM, OPENMP, HOST = THREADS_BY = ("team", "openmp", "host")
"""Whose threads run shares: those of griotte's own team, of OpenMP, of the program that calls."""

_WORD, _COMMENT = re.compile(r"\b[A-Za-z_]\w*"), re.compile(r"/\*.*?\*/")

_SHARE = "void (*run)(void *context, int64_t share), void *context"

_OPENMP = f"""static void griotte_share_out(int64_t threads, int64_t shares, {_SHARE})
{{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t share = 0; share < shares; share++)
        run(context, share);
}}
"""

_SHARE_BY = f"void (*parallel_for)(void *host, int64_t shares, {_SHARE}), void *host"

_HOST = f"""static void (*griotte_parallel_for)(void *host, int64_t shares, {_SHARE});
static void *griotte_host;

static void griotte_share_out(int64_t threads, int64_t shares, {_SHARE})
{{
    (void)threads;
    if (griotte_parallel_for) {{
        griotte_parallel_for(griotte_host, shares, run, context);
        return;
    }}
    for (int64_t share = 0; share < shares; share++)
        run(context, share);
}}
"""


def sharing(threads_by: str) -> str:
    """C of `griotte_share_out(threads, shares, run, context)`, which runs run(context, 0 .. shares - 1)."""
    return team_text() if threads_by == TEAM else {OPENMP: _OPENMP, HOST: _HOST}[threads_by]


@cache
def team_text() -> str:
    """C of the team of threads, which needs nothing else."""
    return files(__package__).joinpath("team.c").read_text(encoding="utf-8").replace("    @PAUSE@", PAUSE)


def share_out(function: str = "griotte_share_out") -> str:
    """The prototype of the function that runs shares."""
    return f"void {function}(int64_t threads, int64_t shares, {_SHARE})"


DECLARED = f"#include <stdint.h>\n{share_out()};\n"
"""For C that runs where the team is loaded."""


def is_shared_out(source: str) -> bool:
    """Whether some loop of a unit's C is shared out."""
    return "griotte_share_out(" in source


def shared_elsewhere(source: str, name: str, by: str) -> str:
    """The C of a unit, of the exported function `name`, whose shares the function `by` of another file runs."""
    renamed = f"#define griotte_share_out {by}\n" if by != "griotte_share_out" else ""
    for whose in THREADS_BY:
        source = source.replace(sharing(whose), f"{renamed}{share_out(by)};\n")
    return source.replace(given_host(name)[1], "")


def given_host(name: str) -> tuple[str, str]:
    """The prototype of the function by which the program that calls `name` gives its threads, and its C."""
    prototype = f"void {name}_share_by({_SHARE_BY})"
    return prototype, f"{prototype}\n{{\n    griotte_parallel_for = parallel_for;\n    griotte_host = host;\n}}\n"


def parallel(emitter: Emitter, node: Loop, views: list[View]) -> list[str]:
    """All tiles, leftovers included, as one loop over a team of threads."""
    emitter.threads = max(emitter.threads, node.threads)
    if node.even:
        return shares(emitter, node, views)
    if node.join is not None:
        return split(emitter, node, views)
    return team(emitter, node, views)


def split(emitter: Emitter, node: Loop, views: list[View]) -> list[str]:
    """The parts of a shared reduction lie in scratch of the calling thread, each on cache lines of its own; then they
    are joined."""
    dtype, name = node.state.family.accumulator, emitter.fresh("parts_")
    parts, pitch = parts_view(name, node, views[-1], emitter.library.line)
    with emitter.room(dtype, name, pitch * node.join.state.size[PARTS]) as room:
        shared = team(emitter, node, [*views[:-1], one_part(parts, node, views[-1])], pitch)
        return braced(
            [
                f"{emitter.library.scalar(dtype)} *const {name} = {room};",
                *shared,
                *emitter.node(node.join, [parts, views[-1]]),
            ]
        )


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
            inner += braced(lines, f"if ({' && '.join(tests)})") if tests else lines
    total = f"{prod(map(int, counts))}" if node.open is None else " * ".join(counts)
    return [*before, *_shared(emitter, node, views, (flat, total), inner, [*whole, left])]


def shares(emitter: Emitter, node: Loop, views: list[View]) -> list[str]:
    """The dynamic size in equal parts, one for each of a team of threads."""
    share, index, size = emitter.fresh("share_"), emitter.fresh("tile_"), emitter.fresh("left_")
    terms = [(f"{index} * {share}", view.step(node.open, 1)) for view in views]
    moved: list[str] = []
    inside = [
        emitter.declared(view, i in written_by(node), [term], moved) for i, (view, term) in enumerate(zip(views, terms))
    ]
    left = f"{emitter.size.extent} - {index} * {share}"
    with emitter.running(SERIES):
        inner = [
            *moved,
            f"const int64_t {size} = {left} < {share} ? {left} : {share};",
            *emitter.within(size, node.bodies[0], inside),
        ]
    return [
        f"const int64_t {share} = ({emitter.size.extent} + {node.threads - 1}) / {node.threads};",
        *_shared(emitter, node, views, (index, f"({emitter.size.extent} + {share} - 1) / {share}"), inner, [share]),
    ]


def _shared(
    emitter: Emitter, node: Loop, views: list[View], loop: tuple[str, str], body: list[str], counts: list[str]
) -> list[str]:
    """The call that shares out a loop (its index, how many tiles) in equal runs of neighbours, as many as threads; the
    body may read `counts`. Each share has buffers of its own; it runs the `begin` and `end` statements of the kernels
    that it uses."""
    (index, total), threads, before = loop, node.threads, []
    name, given = emitter.fresh("run_"), emitter.fresh("given_")
    if node.even or total.isdigit() and int(total) <= threads:
        number, lines = total, [f"const int64_t {index} = share;", *body]
    else:
        number = f"{threads}"
        if not total.isdigit():
            whole, number = emitter.fresh("tiles_"), emitter.fresh("shares_")
            before = [f"const int64_t {whole} = {total}, {number} = {whole} < {threads} ? {whole} : {threads};"]
            total, counts = whole, [*counts, whole, number]
        run = f"int64_t {index} = {total} * share / {number}; {index} < {total} * (share + 1) / {number}"
        lines = braced(body, f"for ({run}; {index}++)")
    lines = emitter.begun(lines)
    needs = _needs(emitter, node, views, lines, counts)
    emitter.unit.functions.append(_function(name, name, needs, emitter.unit.scratch.opened(lines)))
    return [
        *before,
        f"struct {name} {given} = {{{', '.join(needs)}}};",
        f"griotte_share_out({threads}, {number}, {name}, &{given});",
    ]


def _needs(emitter: Emitter, node: Loop, views: list[View], lines: list[str], counts: list[str]) -> dict[str, str]:
    """The variables around some lines that they read, and their types: pointers to operands, and numbers that follow
    from sizes."""
    starts = [reached([view])[n] for view in views for n in range(len(view.beyond))]
    integers = _WORD.findall(" ".join([emitter.size.extent, emitter.size.rows, *counts, *starts]))
    found = dict.fromkeys(integers, "int64_t") | dict.fromkeys(emitter.size.numbers, "double")
    for i, view in enumerate(views):
        const = "" if i in written_by(node) else "const "
        if not const or view.name not in found:
            found[view.name] = f"{const}{emitter.library.scalar(view.dtype)} *"
    used = set(_WORD.findall(_COMMENT.sub("", "\n".join(lines))))
    return {name: kind for name, kind in found.items() if name in used}


def _function(name: str, struct: str, needs: Mapping[str, str], lines: list[str]) -> str:
    """The function of a share, and the struct of its variables."""
    return "\n".join(
        [
            f"struct {struct} {{",
            *indent([f"{_variable(kind, n)};" for n, kind in needs.items()]),
            "};",
            "",
            f"static void {name}(void *context, int64_t share)",
            "{",
            *indent([f"const struct {struct} *const given = context;"]),
            *indent([f"{_variable(kind, n, 'const ')} = given->{n};" for n, kind in needs.items()]),
            *indent(lines),
            "}",
        ]
    )


def _variable(kind: str, name: str, const: str = "") -> str:
    return f"{kind}{const}{name}" if kind.endswith("*") else f"{const}{kind} {name}"


def _has_left(node: Loop, i: int, left: str) -> bool:
    return bool(left) if node.dims[i] == node.open else node.leftover(i) > 0


def forked(name: str, given: Mapping[str, str], branches: list[list[str]]) -> tuple[str, list[str]]:
    """The function whose shares are the branches, and the lines that run them all at the same time; branches may read
    the variables `given`, a C type for each name."""
    lines = [line for n, branch in enumerate(branches) for line in braced(branch, f"if (share == {n})")]
    used = set(_WORD.findall(_COMMENT.sub("", "\n".join(lines))))
    needs = {n: kind for n, kind in given.items() if n in used}
    own, count = f"given_{name}", len(branches)
    call = [
        f"struct {name} {own} = {{{', '.join(needs)}}};",
        f"griotte_share_out({count}, {count}, {name}, &{own});",
    ]
    return _function(name, name, needs, lines), call


def stage_function(
    name: str, given: Mapping[str, str], total: int | str, threads: int, loop: Callable[[str, str], list[str]]
) -> str:
    """A function of the variables `given` (a C type for each name, `const float *`) that runs `loop`, which writes the
    lines from an index to an end. It runs over `total` (a number, or a product in C of given variables), or over as
    many shares of it as there are threads."""
    head = f"static void {name}({', '.join(_variable(kind, n) for n, kind in given.items())})"
    if threads == 1:
        return "\n".join([head, *braced(loop("0", f"{total}")), ""])
    first, end = (f"{total} * {share} / {threads}" for share in ("share", "(share + 1)"))
    return "\n".join(
        [
            _function(f"{name}_share", f"{name}_given", given, loop(first, end)),
            "",
            head,
            "{",
            f"    struct {name}_given given = {{{', '.join(given)}}};",
            f"    griotte_share_out({threads}, {threads}, {name}_share, &given);",
            "}",
            "",
        ]
    )
