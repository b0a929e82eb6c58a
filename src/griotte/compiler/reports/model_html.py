"""A solved model as one HTML page that needs nothing else: its parts drawn, a table of them, each part's own report,
and the C."""

from __future__ import annotations

import os
from dataclasses import dataclass
from html import escape
from typing import Any

from ...support.errors import SpecError
from ...support.markup import source
from .explain import cycles, unit
from .html import document, ended, spaced, statistics
from .model import PartRow, apart, bound, explain, rows
from .model import headline as heading
from .model import paragraph as whole
from .model_svg import Link, svg
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

    def page(self) -> str:
        program, found, text = self.program, rows(self.program, self.measured), self.program.to_c()
        stats = {"cost": program.cost, "threads": program.threads, "target": program.target.name}
        body = _BODY.format(
            graph=svg(found, links(program)),
            table=_table(found),
            words="".join(f"<p>{escape(line)}</p>" for line in whole(program, self.measured)),
            parts=self.section(),
        )
        c = source(text) if len(text) <= LARGEST_C else f"<p>{len(text):,} characters: too much for a page</p>"
        body = ended(body, statistics(stats | program.stats | program.held), c)
        return document(spaced(self.title), spaced(self.title), escape(_signature(program)), body, _STYLE)

    def section(self) -> str:
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

    def section(self) -> str:
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
    cells = [*given, row.title]
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
        reads, gives = (", ".join(map(_told, values)) for values in (each.part.reads, each.part.gives))
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
    told = f"{number(row.number)}<span>{escape(row.title)}</span>{number(share)}{number(cost)}"
    return f'<span class="part">{told}</span>'


def _told(value) -> str:
    """What a part reads or gives: its name, or the call that gives it, and its type."""
    return f"{value.name or value.call} {value.type}".strip()
