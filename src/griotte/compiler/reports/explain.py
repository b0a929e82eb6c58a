"""A Program as a report: one line a node with its share of the cost, the roofline, the size of the search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, prod

from ...engine.program import nodes, printer
from ...engine.rewrites.worth import nests_of, quickest
from ...lang.types.dtypes import dtype
from .tree import Line, tree


def explain(program, least: float = 0.0) -> str:
    """The report as text. Nodes under a line that takes less than `least` of the cost are left out. Of a dynamic size:
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
    if spec.operation.is_lone:
        goal = f"{spec.operation.name} {'x'.join(map(str, spec.sizes))}"
    else:
        goal = " ".join([program.spec.operation.name, *(f"{d}={n}" for d, n in spec.size.items())])
    what = f"{goal} {dtypes}, {plural(program.threads, 'thread')}, {program.target.name}"
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
    return [f"cut into {len(cuts) + 1} parts at {', '.join(cut.words for cut in cuts)}"] if cuts else []


def space(program) -> str:
    """The size of the search in one line; that there was none, of a program without holes that is by hand or that a
    record was read as."""
    stats = program.stats
    if "synthesis_s" not in stats:
        return "space: not searched"
    programs = f"10^{stats['programs_log10']:.0f} programs, " if stats.get("programs_log10") is not None else ""
    return f"space: {programs}{_specs(stats)}, peak memory {stats['peak_rss_mb']:.0f} MiB"


def tuned(program) -> list[str]:
    """The results of timing the best programs, in a line; none where they were not timed."""
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


def plural(count: int, word: str) -> str:
    """`1 thread`, `2 threads`"""
    return f"{count} {word}{'s' * (count != 1)}"


def cycles(value: float) -> str:
    return f"{_count(value)} cycles"


def unit(value: float, unit: str) -> str:
    """268 Mflop, 512 B"""
    return _count(value) + (" " if _count(value)[-1].isdigit() else "") + unit


def _count(value: float) -> str:
    """Three digits and a prefix: `4.81 M`, `512`."""
    for unit, name in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= 0.9995 * unit:  # three digits of less are not 1e+03 of the prefix below
            return f"{value / unit:.3g} {name}"
    return f"{value:.3g}"


@dataclass(frozen=True)
class Roofline:
    """Cycles on each side, over all threads; `kernel` is the one with the most work a cycle, `level` where data
    rests."""

    arithmetic: float
    memory: float
    kernel: str
    level: str
    flops: int
    bytes: int

    @property
    def bound(self) -> float:
        return max(self.arithmetic, self.memory)

    @property
    def binding(self) -> str:
        return "arithmetic" if self.arithmetic >= self.memory else "memory"


def roofline(program) -> Roofline:
    """The least that the cost model lets a Program take: by arithmetic, and by the bytes that must move. A graph has
    the arithmetic of all its nests, and the bytes of its inputs and output.

    Williams, Waterman, Patterson, "Roofline" (CACM 2009), in cycles of the model: a program costs this much or more.
    """
    spec, target, family = program.canonical, program.target, program.root.state.family
    found = [quickest(nest, size, target) for nest, size in nests_of(spec.operation, family, spec.size)]
    kernel, arithmetic = " ".join(dict.fromkeys(kernel for kernel, _ in found)), sum(cycles for _, cycles in found)
    level = target.levels[family.output.level].name
    way = "stream" if target.crossing.outlasting else "line"  # in full, or what shows beside arithmetic by hand
    moved = sum(ceil(n / target.spans.line) for n in spec.moved) * target.coefficient.get(f"{way}.{level}", 0.0)
    vectors = [ceil(n / target.vector_bytes) for n in spec.moved]
    memory = max(moved, sum(vectors[:-1]) / target.ports.load, vectors[-1] / target.ports.store)
    return Roofline(
        arithmetic / program.threads, memory / program.threads, kernel, level, program.spec.flops, program.spec.bytes
    )


@dataclass(frozen=True)
class CutTensor:
    """A tensor at which a large graph is cut: it is a whole array between parts that run one after the other.

    It has the name by which the printed program calls it, its extents in elements, its bytes, and perhaps a reason.
    """

    tensor: str
    shape: tuple[int, ...]
    bytes: int
    why: str = ""

    @property
    def words(self) -> str:
        """`t0 512x512 (1.05 MB)`"""
        return f"{self.tensor} {'x'.join(map(str, self.shape)) or 'scalar'} ({unit(self.bytes, 'B')})"


def cuts(program) -> list[CutTensor]:
    """The tensors that the graph of a program of one search is cut at, in the order in which they are computed."""
    return list(_cuts(program.root, printer.names_in(program.canonical)))


def _cuts(node: nodes.Node, names: printer.Names) -> Iterator[CutTensor]:
    if isinstance(node, nodes.Alias):
        yield from _cuts(node.body, *printer.passed(node, names))
    if not isinstance(node, nodes.Pipeline) or not node.state.family.operation.is_large:
        return
    producer, consumer = printer.passed(node, names)
    yield from _cuts(node.producer, producer)
    shape = node.access.shape(node.state.size)
    yield CutTensor(
        printer.between_name(node, names) if node.place == nodes.BUFFER else names[node.place],
        shape,
        prod(shape) * dtype(node.to.dtype).bytes,
    )
    yield from _cuts(node.consumer, consumer)
