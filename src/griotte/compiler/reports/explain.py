"""A Program as a report: one line a node with its share of the cost, the roofline, the size of the search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...engine.program import nodes, printer
from .cuts import CutTensor, cuts
from .roofline import Roofline, roofline


@dataclass(frozen=True)
class Line:
    """A node as printed: `total` cycles over all its executions with what is under it, `own` without. None: a
    heading."""

    text: str
    times: float
    total: float | None = None
    own: float | None = None
    children: tuple[Line, ...] = ()


def explain(program, least: float = 0.0) -> str:
    """The report as text; what is under a line that takes less than `least` of the cost is left out. Of a dynamic size:
    its groups, and the rest at the bound."""
    groups, program = _groups(program), program.largest
    rows = list(
        _rows(tree(program.root, program.target, names=printer.names_in(program.canonical)), least * program.cost)
    )
    width = max(len("  " * depth + line.text) for depth, line in rows)
    table = [f"{'':{width}}   with all under it   by itself"]
    for depth, line in rows:
        shares = (
            "" if line.total is None else f"{_share(line.total, program):>20}{_share(line.own, program):>12}".rstrip()
        )
        table.append(f"{'  ' * depth + line.text:{width}}{shares}".rstrip())
    return "\n".join(
        [
            headline(program),
            "",
            *groups,
            *table,
            "",
            *paragraph(program),
            *parts(cuts(program)),
            space(program),
            *tuned(program),
            *predicted(program),
        ]
    )


def _groups(program) -> list[str]:
    """The sizes that share a program, with the costs of the least and the largest of them."""
    if program.largest is program:
        return []
    found = [
        (printer.ranges(sizes), cycles(program.at(sizes[0]).cost), cycles(one.cost)) for sizes, one in program.groups
    ]
    least, most = (max(len(row[i]) for row in found) for i in (1, 2))
    rows = [
        (
            f"  {costs[0]:>{least}}  to  {costs[1]:>{most}}   m = {sizes}"
            if costs[0] != costs[1]
            else f"  {'':{least}}      {costs[1]:>{most}}   m = {sizes}"
        )
        for sizes, *costs in found
    ]
    return [f"{len(found)} groups of sizes:", *rows, "", f"at m = {program.canonical.dynamic.bound}:"]


def headline(program) -> str:
    """`matmul 512x512x512 f32, 1 thread, native   cost 4.8 M cycles, 1.15 x the arithmetic bound`"""
    spec, bound = program.canonical, roofline(program)
    inputs = list(dict.fromkeys(t.dtype for t in spec.inputs))
    dtypes = (
        " ".join(inputs)
        if inputs == [spec.output.dtype]
        else f"{' '.join(t.dtype for t in spec.inputs)} -> {spec.output.dtype}"
    )
    threads = f"{program.threads} thread{'s' * (program.threads > 1)}"
    extents = (
        " ".join(f"{d}={n}" for d, n in spec.size.items()) if spec.operation.held else "x".join(map(str, spec.sizes))
    )
    what = (
        f"{(program.spec if spec.operation.held else spec).operation.name} {extents} {dtypes},"
        f" {threads}, {program.target.name}"
    )
    times = f", {program.cost / bound.bound:.2f} x the {bound.binding} bound" if bound.bound > 0 else ""
    return f"{what}   cost {cycles(program.cost)}{times}"


def paragraph(program) -> list[str]:
    """The roofline in words."""
    bound = roofline(program)
    return [
        (
            f"roofline: {unit(bound.flops, 'flop')} take {cycles(bound.arithmetic)} at best ({bound.kernel});"
            f" {unit(bound.bytes, 'B')} from {bound.level} take {cycles(bound.memory)};"
        ),
        f"          {_verdict(bound, program.cost)}",
    ]


def _verdict(bound: Roofline, cost: float) -> str:
    if bound.bound <= 0:
        return "neither binds in this model"
    other = min(bound.arithmetic, bound.memory) / bound.bound
    return (
        f"{bound.binding} binds (the other side: {other:.0%} of it); the program costs {cost / bound.bound:.2f} x that"
    )


def parts(cuts: list[CutTensor]) -> list[str]:
    """Where a large graph is cut, in a line; none where it is not."""
    found = [f"{cut.tensor} {'x'.join(map(str, cut.shape)) or 'scalar'} ({unit(cut.bytes, 'B')})" for cut in cuts]
    return [f"cut into {len(found) + 1} parts at {', '.join(found)}"] if found else []


def space(program) -> str:
    """The size of the search in one line; that there was none, of a program without holes that is by hand or that a
    record was read as."""
    stats = program.stats
    if "synthesis_s" not in stats:
        return "space: not searched"
    programs = f"10^{stats['programs_log10']:.0f} programs, " if stats.get("programs_log10") is not None else ""
    return f"space: {programs}{_specs(stats)}, peak memory {stats['peak_rss_mb']:.0f} MiB"


def tuned(program) -> list[str]:
    """What timing the best programs told, in a line; none where they were not timed."""
    found = program.stats.get("tuned")
    if not found:
        return []
    against = f", against {found['model_us']:.3g} us" if found["speedup"] != 1 else ""
    return [
        f"tuned: {found['speedup']:.2f} x the speed of the model's best, of {found['of']}; {found['median_us']:.3g}"
        f" us{against}, on {found['machine']}"
    ]


def predicted(program) -> list[str]:
    """What a performance model says of the program beside its price, and why it took it; none without a model."""
    found = program.stats.get("model")
    if not found:
        return []
    if not found["decides"]:
        return [
            f"model {found['digest']}: it has not seen such programs (uncertain by {found['uncertainty']:.1%}); the"
            " price decides"
        ]
    time = f", {found['predicted_us']:.3g} us" if found["predicted_us"] is not None else ""
    place = (
        f"number {found['place'] + 1} of {found['of']} by price" if found["place"] else f"the first of {found['of']}"
    )
    known = "" if found["known"] else "; it has not seen such a program: the price stands for it"
    return [
        f"model {found['digest']}: {cycles(found['predicted'])} predicted{time}, uncertain by"
        f" {found['uncertainty']:.1%}, where the price is {cycles(program.cost)}; {place}{known}",
        *(
            f"  {term['feature']} {term['chosen']:.4g}, of the first by price {term['first']:.4g}:"
            f" {term['effect']:+.1%} of the time"
            for term in found["terms"]
        ),
    ]


def _specs(stats: dict) -> str:
    """`5.53 M Specs in 614 families, 0.6 s`; what a table knew is said."""
    if not stats["specs_solved"] and not stats["families"]:
        return f"from the table, {stats['synthesis_s']:.3f} s"
    known = stats.get("specs_known", 0)
    total = f"{_count(stats['specs_solved'] + known)} Specs in {stats['families']:,} families"
    return (
        total
        + (f", {_count(known)} of them known and {_count(stats['specs_solved'])} solved" if known else "")
        + f", {stats['synthesis_s']:.1f} s"
    )


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


def _rows(line: Line, least: float, depth: int = 0) -> Iterator[tuple[int, Line]]:
    total = sum(c.total or 0.0 for c in line.children) if line.total is None else line.total
    if line.children and total < least:
        yield depth, Line(f"{line.text} ...", line.times, total, None)
        return
    yield depth, line
    for child in line.children:
        yield from _rows(child, least, depth + 1)


def _share(value: float | None, program) -> str:
    if value is None:
        return ""
    share = value / program.cost if program.cost else 0.0
    return f"{100 * share:.1f} %" if share >= 0.0005 else "-"


def cycles(value: float) -> str:
    return f"{_count(value)} cycles"


def unit(value: float, unit: str) -> str:
    """268 Mflop, 512 B"""
    return _count(value) + (" " if _count(value)[-1].isdigit() else "") + unit


def _count(value: float) -> str:
    """Three digits and a prefix: `4.81 M`, `512`."""
    for unit, name in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= unit:
            return f"{value / unit:.3g} {name}"
    return f"{value:.3g}"
