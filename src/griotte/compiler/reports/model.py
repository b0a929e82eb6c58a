"""A solved model as a report: its parts in order, what each costs, what binds it, and what its atoms apart would have
cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .explain import cycles, plural, roofline, unit

MOST = 12  # parts of which is told what timing them took
TITLE = 66  # characters of what a part is, in the text


@dataclass(frozen=True)
class PartRow:
    """A part of a model as reports show it.

    Attributes:
        number: from 1, in the order in which parts run.
        part: what it computes.
        cycles: of a call, by the model; None of a view, which nothing runs for.
        share: of the whole.
        apart: cycles of its atoms as parts of their own, calls included.
        flops: of a call.
        bytes: of what it reads and gives; of a loop, of what its parts do.
        bound: the least cycles by the roofline.
        binding: "arithmetic" or "memory".
        us: microseconds, as measured within the model; None where they were not.
    """

    number: int
    part: Any
    cycles: float | None = None
    share: float = 0.0
    apart: float = 0.0
    flops: int = 0
    bytes: int = 0
    bound: float = 0.0
    binding: str = ""
    us: float | None = None

    def facts(self) -> dict[str, Any]:
        """The keys of JSON: the language's calls in order, the nodes of the reader's file, and the constants."""
        known = {key: value for key, value in vars(self).items() if key not in ("number", "part") and value is not None}
        return {"number": self.number, "calls": self.part.words, "nodes": self.part.names, **known}


def rows(program, measured=None) -> list[PartRow]:
    """A row for each part; with what was `measured` of each."""
    return [_row(program, number, each, measured) for number, each in enumerate(program.parts)]


def _row(program, number: int, each, measured) -> PartRow:
    if each.program is None:
        return PartRow(number + 1, each.part)
    whole, cost = program.cost, each.program.cost + program.target.cost({"call": 1})
    inner = [(one, turns) for one, turns in each.each() if one.program is not None]
    bounds = [(roofline(own), turns) for one, turns in inner for own in one.program.searched]
    arithmetic = sum(turns * bound.arithmetic for bound, turns in bounds)
    memory = sum(turns * bound.memory for bound, turns in bounds)
    return PartRow(
        number + 1,
        each.part,
        cost,
        cost / whole if whole else 0.0,
        each.apart,
        sum(turns * one.part.flops for one, turns in inner),
        sum(turns * one.part.bytes for one, turns in inner),
        max(arithmetic, memory),
        "arithmetic" if arithmetic >= memory else "memory",
        None if measured is None else measured.parts[number],
    )


def explain(program, measured=None, name: str = "a model") -> str:
    """The report as text."""
    found = rows(program, measured)
    return "\n".join([headline(program, name), "", *_table(found, measured), "", *paragraph(program, measured)])


def headline(program, name: str = "a model") -> str:
    """`m.onnx: 215 calls in 73 parts, 1 thread, native   cost 1.97 M cycles`"""
    called, bound = sum(each.program is not None for each in program.parts), program.graph.bound
    size = "" if bound is None else f" at size {bound}, the bound"
    return (
        f"{name}: {plural(len(program.simple.calls), 'call')} in {plural(called, 'part')},"
        f" {plural(program.threads, 'thread')}, {program.target.name}   cost {cycles(program.cost)}{size}"
    )


def _table(found: list[PartRow], measured) -> Iterator[str]:
    us = f"{'us':>9}" if measured is not None else ""
    yield f"part{'cycles':>10}{'share':>8}{us}{'apart':>8}{'roofline':>19}   of"
    for row in found:
        title = shortened(row.part.title, TITLE)
        if row.cycles is None:
            yield f"{row.number:>4}{'-':>10}{'':8}{'' if not us else ' ' * 9}{'':8}{'':19}   {title}"
            continue
        took = f"{row.us:>9.1f}" if row.us is not None else ""
        yield (
            f"{row.number:>4}{cycles(row.cycles).removesuffix(' cycles'):>10}{100 * row.share:>6.1f} %{took}"
            f"{apart(row):>8}{bound(row):>19}   {title}"
        )


def apart(row: PartRow) -> str:
    """What its calls apart would cost, by its own cost; nothing of a copy, which has none."""
    return f"{row.apart / row.cycles:.2f} x" if row.apart and row.cycles else ""


def bound(row: PartRow) -> str:
    """Its cost by the roofline's, and which side of that binds."""
    return f"{row.cycles / row.bound:.2f} x {row.binding}" if row.bound > 0 and row.cycles else ""


def shortened(title: str, most: int) -> str:
    return title if len(title) <= most else title[: most - 2] + ".."


def tuned(stats: Mapping[str, Any]) -> list[str]:
    """The results of timing parts and the whole, a line each; none where none was timed."""
    found, lines = stats.get("tuned", {}), []
    if found.get("parts"):
        runs = f" of {found['runs']} programs" if "runs" in found else ""
        lines.append(
            f"tuned: {plural(found['parts'], 'part')}, timed apart, take {found['median_us']:.4g} us"
            f" a call{runs}; {found['model_us']:.4g} by price alone, on {found['machine']}"
        )
    if "whole_us" in found:
        lines.append(
            f"tuned: the whole takes {found['whole_us']:.4g} us a call, {found['whole_by_price_us']:.4g} by price"
            f" alone, in turns; the one {'that was tuned' if found['taken'] == 'tuned' else 'by price'} is taken"
        )
    elif found.get("taken") == "by price":
        lines.append("tuned: the whole was faster by price alone, as the table remembers; so that one is taken")
    if found.get("by_part"):
        lines.append(f"tuned: {found['spent_s']:.1f} s were spent, and of them")
        lines += [
            f"  {each['seconds']:6.1f} s on {100 * each['share']:.1f} % of a call, {plural(each['runs'], 'run')}, which"
            f" saved {100 * each['gain']:.1f} % of it{_doubt(each['doubt'])}: {each['part']}"
            for each in found["by_part"][:MOST]
        ]
    return lines


def _doubt(doubt: float | None) -> str:
    return "" if doubt is None else f", and may save {100 * doubt:.2f} % more"


def ordered(stats: Mapping[str, Any]) -> list[str]:
    """By which model of times parts were taken, in a line; none without one."""
    found = stats.get("model")
    if not found:
        return []
    return [
        f"model {found['digest']}: it has seen the like of {found['known']} of {found['parts']} searched parts, and"
        f" takes {found['others']} by another program than the first by price"
    ]


def paragraph(program, measured=None) -> list[str]:
    """What the columns are, how good the cut is, and the whole beside the sums of parts."""
    stats, found = program.stats, [row for row in rows(program) if row.cycles is not None]
    whole, least = sum(row.apart for row in found), sum(row.bound for row in found)
    lines = [
        (
            f"apart: what the calls of a part would cost that are not fused, {cycles(whole)} in all; roofline: a part's"
            f" cost by the least it can, {cycles(least)} in all"
        ),
        cut(stats),
        (
            f"in all: {unit(sum(row.flops for row in found), 'flop')}, {workspace(program.held)},"
            f" {unit(sum(v.type.bytes for v in program.constants), 'B')} of constants"
        ),
    ]
    lines += [*tuned(stats), *ordered(stats)]
    if measured is not None:
        inside, model = sum(us or 0.0 for us in measured.parts), program.cost / measured.ghz / 1e3
        lines.append(
            f"measured: {measured.whole:.1f} us a call, {inside:.1f} in parts, at {measured.ghz:.2f} GHz; by the model"
            f" {model:.1f} us"
        )
    return lines


def workspace(held: Mapping[str, Any]) -> str:
    """How much room what lies between parts takes: `356 kB between parts (1.00 x the most at once; apart 1.2 MB)`"""
    placed, needed, arrays = (held[f"{key}_bytes"] for key in ("workspace", "live", "intermediates"))
    if not placed:
        return "nothing between parts"
    return f"{unit(placed, 'B')} between parts ({placed / needed:.2f} x the most at once; apart {unit(arrays, 'B')})"


def cut(stats: dict[str, Any]) -> str:
    """How good the cut is, in a line."""
    tried = f"{stats['parts_tried']:,} of {stats['parts_possible']:,} parts that it may have were solved"
    gap = stats["gap"]
    proof = f"no other is more than {100 * gap:.2g} % cheaper" if 0 < gap < 1 else "no other is cheaper"
    if stats.get("cut_in_order"):
        proof += " of those that take parts in one order"
    known = f"{stats['parts_solved']} solved now, {stats['parts_from_table']} from the table"
    return f"cut: {tried}, and {proof}; {known}, {stats['synthesis_s']:.1f} s"
