"""A solved model as one HTML page that needs nothing else: its parts drawn, a table of them, each part's own report,
and the C."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from ...support.errors import SpecError
from ...support.markup import source
from .explain import cycles, unit
from .html import document, ended, spaced, statistics
from .listing import Listing
from .model import PartRow, apart, bound, explain, rows, shortened
from .model import headline as heading
from .model import paragraph as whole
from .report import ProgramReport, TextReport

LARGEST_C = 1 << 22  # characters of C that a page has

_STYLE = """
body > details, section > details { margin-left: 0 } summary h2 { margin: 0 } body > details { margin-top: 2rem }
body > details > div { margin-top: .8rem } th { font-weight: 600; border-bottom: 1px solid #8886 }
.number { text-align: right } th:last-child, td:last-child { padding-right: 0 }
section > details > summary { padding: .15rem 0 } section > details > summary:hover { background: #8881 }
.part { display: grid; grid-template-columns: 2.2rem 1fr 4.5rem 8rem; gap: .6rem; flex: 1 }
section > details > div { border-left: 2px solid #8884; margin: .3rem 0 1.2rem .35rem; padding-left: 1.2rem }
section h2 { font-size: .95rem; margin-top: 1.2rem } section code { overflow-wrap: anywhere }
"""
_BODY = """<details open><summary><h2>Parts in order</h2></summary>
<div class="graph">{graph}</div></details>
<details open><summary><h2>What they cost</h2></summary>
<div class="graph">{table}</div>
{words}</details>
<h2>Parts</h2>
{parts}"""


@dataclass(frozen=True)
class ModelReport(ProgramReport):
    """Of a model: its parts, with what was `measured` of each; by the `name` of its file."""

    measured: Any = None
    name: str = "a model"

    @property
    def title(self) -> str:
        return heading(self.program, self.name)

    def text(self, least: float = 0.0) -> str:
        return explain(self.program, self.measured, self.name)

    def page(self, others: Sequence[Any] = ()) -> str:
        program, found, text = self.program, rows(self.program, self.measured), self.program.to_c()
        stats = {"cost": program.cost, "threads": program.threads, "target": program.target.name}
        body = _BODY.format(
            graph=drawing(found, links(program)),
            table=_table(found),
            words="".join(f"<p>{escape(line)}</p>" for line in whole(program, self.measured)),
            parts=self.section(),
        )
        c = source(text) if len(text) <= LARGEST_C else f"<p>{len(text):,} characters: too much for a page</p>"
        body = ended(body, statistics(stats | program.stats | program.held), c)
        return document(spaced(self.title), spaced(self.title), escape(_signature(program)), body, _STYLE)

    def section(self, listing: Listing | None = None) -> str:
        return "\n".join(_sections(self.program, rows(self.program, self.measured)))

    def part(self, number: int) -> str:
        """A part as text, with the report of its program."""
        chosen = self.program.parts[number - 1]
        own = "nothing moves" if chosen.program is None else chosen.program.explain()
        return f"part {number}, {chosen.part.title}\n{chosen.part.text}\n\n{own}"

    def draw(self, path: str | os.PathLike[str]) -> None:
        raise SpecError(
            "expected a Spec that one search covers to draw, found a model; program.to_html(path) has its parts drawn"
        )


class LoopReport(TextReport):
    """Of a loop within a model: what its parts say."""

    def section(self, listing: Listing | None = None) -> str:
        inner = (each for each in self.program.parts if each.program is not None)
        return "".join(f"<p>{escape(each.part.title)}</p>\n{each.program.report.section()}" for each in inner)


def links(program) -> list[Link]:
    """From each part to those that read what it gives."""
    giver: dict[int, int] = {}
    found = set()
    for n, each in enumerate(program.parts):
        found |= {(giver[value], n) for value in each.part.reads if value in giver}
        giver |= dict.fromkeys(each.part.gives, n)  # a copy gives what it reads
    return sorted(found)


def _signature(program) -> str:
    given = ", ".join(f"{value.name}: {value.type}" for value in program.graph.inputs)
    results = ", ".join(f"{name}: {value.type}" for name, value in program.graph.results)
    return f"{given} -> {results}"


def _table(found: list[PartRow]) -> str:
    is_measured = any(row.us is not None for row in found)
    head = ["part", "cycles", "share", *["us"] * is_measured, "apart", "work", "bytes", "roofline", "of"]
    cells = "".join(_cell(word, n, len(head), "th") for n, word in enumerate(head))
    return f'<table class="parts"><tr>{cells}</tr>{"".join(_cells(row, is_measured) for row in found)}</table>'


def _cells(row: PartRow, is_measured: bool) -> str:
    link = f'<a href="#part-{row.number}">{row.number}</a>'
    if row.cycles is None:
        given = [""] * (6 + is_measured)
    else:
        given = [cycles(row.cycles).removesuffix(" cycles"), f"{100 * row.share:.1f} %"]
        given += [f"{row.us:.1f}" if row.us is not None else ""] * is_measured
        given += [apart(row), unit(row.flops, "flop"), unit(row.bytes, "B"), bound(row)]
    cells = [*given, row.part.title]
    told = "".join(_cell(escape(cell), n, 1 + len(cells)) for n, cell in enumerate(cells, 1))
    return f"<tr>{_cell(link, 0, 1 + len(cells))}{told}</tr>"


def _cell(text: str, place: int, count: int, kind: str = "td") -> str:
    """A cell of the table: numbers at the right, words, which the last two columns are, at the left."""
    number = ' class="number"' if place < count - 2 else ""
    return f"<{kind}{number}>{text}</{kind}>"


def _sections(program, found: list[PartRow]):
    """Each part, folded: what it reads and gives, and its own report; of parts alike the first one's."""
    met: dict[int, int] = {}
    for row, each in zip(found, program.parts):
        reads, gives = (", ".join(map(_tensor, values)) for values in (each.part.reads, each.part.gives))
        body = f"<p><code>{escape(reads)} &rarr; {escape(gives)}</code></p>"
        if each.program is None:
            body += "<p>a view: nothing moves</p>"
        elif id(each.program) in met:
            first = met[id(each.program)]
            body += f'<p>as <a href="#part-{first}">part {first}</a></p>'
        else:
            met[id(each.program)] = row.number
            body += f"<p><code>{escape(each.part.text)}</code></p>{each.program.report.section()}"
        yield (
            f'<section id="part-{row.number}"><details><summary>{_summary(row)}</summary><div>{body}</div></details>'
            "</section>"
        )


def _summary(row: PartRow) -> str:
    share, cost = ("", "") if row.cycles is None else (f"{100 * row.share:.1f} %", cycles(row.cycles))
    number = lambda text: f'<span class="number">{text}</span>'
    told = f"{number(row.number)}<span>{escape(row.part.title)}</span>{number(share)}{number(cost)}"
    return f'<span class="part">{told}</span>'


def _tensor(value) -> str:
    """What a part reads or gives: its name, or the call that gives it, and its type."""
    return f"{value.name or value.call} {value.type}".strip()


# ---- the parts as a drawing ------------------------------------------------------------------------------------------

ROW, BOX, LANE, LEFT = 26, 20, 9, 14  # heights of a row and of its box; widths of a line's lane, and beside the last
WIDE, BAR, TEXT = 640, 170, 13  # widths of a box and of its bar at most; a letter's height
LETTERS = 60  # of a title, at most
MOST_LANES = 12  # lines beside each other; more lie on each other

Link = tuple[int, int]  # from a part to a later one, by place

_DRAWING = """
text { font: 12px ui-monospace, monospace; fill: #222 } .note { fill: #666 } a:hover .box { stroke-width: 2 }
.box { fill: #f7ecef; stroke: #9b1b3b } .view { fill: none; stroke: #999; stroke-dasharray: 3 3 }
.bar { fill: #9b1b3b } .link { fill: none; stroke: #9b1b3b; stroke-width: 1.1 } .tip { fill: #9b1b3b }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .note { fill: #aaa } .box { fill: #3a2229; stroke: #e0567d }
    .bar, .tip { fill: #e0567d } .link { stroke: #e0567d } }
"""


def drawing(rows: list[PartRow], links: Iterable[Link]) -> str:
    """The drawing's text; a box leads to the section `#part-N` of its page."""
    lanes = _lanes(sorted(links))
    width = min(MOST_LANES, max(lanes.values(), default=-1) + 1) * LANE + LEFT
    most = max((row.share for row in rows), default=0.0) or 1.0
    shapes = [_link(link, lane, width) for link, lane in lanes.items()]
    shapes += [_box(n, row, width, most) for n, row in enumerate(rows)]
    across, down = width + WIDE + BAR + 110, ROW * len(rows) + 8
    head = f'width="{across}" height="{down}" viewBox="0 0 {across} {down}"'
    drawn = "\n".join(shapes)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {head}>\n<style>{_DRAWING}</style>\n{drawn}\n</svg>\n'


def _lanes(links: list[Link]) -> dict[Link, int]:
    """A lane for each link that passes others by, the short ones nearest; -1 for one to the next part."""
    found: dict[Link, int] = {}
    taken: list[list[Link]] = []
    for link in sorted(links, key=lambda link: (link[1] - link[0], link)):
        if link[1] - link[0] == 1:
            found[link] = -1
            continue
        free = (i for i, lane in enumerate(taken) if all(b <= link[0] or link[1] <= a for a, b in lane))
        lane = next(free, len(taken))
        if lane == len(taken):
            taken.append([])
        taken[lane].append(link)
        found[link] = lane
    return found


def _link(link: Link, lane: int, left: float) -> str:
    start, end = (4 + ROW * place + BOX / 2 for place in link)
    if lane < 0:
        x, top, tip = left + 16, start + BOX / 2, end - BOX / 2
        return f'<path class="link" d="M{x} {top} V{tip}"/><path class="tip" d="M{x - 3} {tip - 4} h6 l-3 4 z"/>'
    x = max(4.0, left - LEFT / 2 - (lane % MOST_LANES) * LANE)
    start, end = start + 4, end - 4
    return (
        f'<path class="link" d="M{left} {start} H{x} V{end} H{left}"/>'
        f'<path class="tip" d="M{left - 4} {end - 3} v6 l4 -3 z"/>'
    )


def _box(place: int, row: PartRow, left: float, most: float) -> str:
    y, kind = 4 + ROW * place, "view" if row.cycles is None else "box"
    title = shortened(row.part.title, LETTERS)
    found = (
        f'<a href="#part-{row.number}"><title>{escape(row.part.title)}</title><rect class="{kind}" x="{left}" y="{y}"'
        f' width="{WIDE - 60}" height="{BOX}" rx="4"/><text x="{left + 8}" y="{y + TEXT + 1}">{row.number:>3}'
        f"  {escape(title)}</text></a>"
    )
    if row.cycles is None:
        return found
    at, long = left + WIDE - 50, max(1.0, BAR * row.share / most)
    words = f"{100 * row.share:.1f} % · {cycles(row.cycles)}"
    return (
        f'{found}<rect class="bar" x="{at}" y="{y + 5}" width="{long:.1f}" height="{BOX - 10}"/>'
        f'<text class="note" x="{at + long + 6:.1f}" y="{y + TEXT + 1}">{words}</text>'
    )
