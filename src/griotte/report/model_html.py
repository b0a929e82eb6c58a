"""A solved model as one HTML page that needs nothing else: its parts drawn, a table of them, each part's own report,
and the C."""

from __future__ import annotations

from html import escape

from ..markup import number, source, table
from .explain import cycles, headline, unit
from .html import program_section, style
from .model import PartRow, apart, bound, cut, rows
from .model import headline as heading
from .model import paragraph as whole
from .model_svg import Link, svg

LARGEST_C = 1 << 22  # characters of C that a page has

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,
    initial-scale=1"><title>{title}</title>
<style>{style}
table.parts td:nth-child(n+2):nth-child(-n+7) {{ text-align: right }} section > details {{ margin-left: 0 }}
</style></head><body>
<h1>{title}</h1>
<p>{inputs}</p>
<details open><summary><h2>Parts in order</h2></summary>
<div class="graph">{graph}</div></details>
<details open><summary><h2>What they cost</h2></summary>
<div class="graph">{table}</div>
{words}</details>
<h2>Parts</h2>
{parts}
<h2>Search</h2>
<p>{cut}</p>
{stats}
<h2>C</h2>
{source}
</body></html>
"""


def page(program, measured=None, name: str = "a model") -> str:
    """The page's text."""
    found = rows(program, measured)
    text = program.to_c()
    stats = {"cost": program.cost, "threads": program.threads, "target": program.target.name, **program.stats}
    return _PAGE.format(
        title=escape(heading(program, name)),
        style=style(),
        inputs=escape(_signature(program)),
        graph=svg(found, links(program)),
        table=_table(found),
        words="".join(f"<p>{escape(line)}</p>" for line in whole(program, measured)),
        parts="\n".join(_sections(program, found)),
        cut=escape(cut(program.stats)),
        stats=table([(key, number(value)) for key, value in stats.items() if value is not None]),
        source=source(text) if len(text) <= LARGEST_C else f"<p>{len(text):,} characters: too much for a page</p>",
    )


def links(program) -> list[Link]:
    """From each part to those that read what it gives."""
    giver: dict[int, int] = {}
    found = set()
    for n, each in enumerate(program.parts):
        found |= {(giver[id(value)], n) for value in each.part.reads if id(value) in giver}
        giver |= {id(value): n for value in each.part.gives}  # a copy gives what it reads
    return sorted(found)


def _signature(program) -> str:
    given = ", ".join(f"{value.name}: {value.type}" for value in program.graph.inputs)
    results = ", ".join(f"{name}: {value.type}" for name, value in program.graph.results)
    return f"{given} -> {results}"


def _table(found: list[PartRow]) -> str:
    is_measured = any(row.us is not None for row in found)
    head = ["part", "cycles", "share", *["us"] * is_measured, "apart", "work", "bytes", "roofline", "of"]
    cells = "".join(f"<th>{word}</th>" for word in head)
    return f'<table class="parts"><tr>{cells}</tr>{"".join(_cells(row, is_measured) for row in found)}</table>'


def _cells(row: PartRow, is_measured: bool) -> str:
    link = f'<a href="#part-{row.number}">{row.number}</a>'
    if row.cycles is None:
        given = [""] * (6 + is_measured)
    else:
        given = [cycles(row.cycles).removesuffix(" cycles"), f"{100 * row.share:.1f} %"]
        given += [f"{row.us:.1f}" if row.us is not None else ""] * is_measured
        given += [apart(row), unit(row.flops, "flop"), unit(row.bytes, "B"), bound(row)]
    cells = "".join(f"<td>{escape(cell)}</td>" for cell in [*given, row.title])
    return f"<tr><td>{link}</td>{cells}</tr>"


def _sections(program, found: list[PartRow]):
    """Each part, folded: what it reads and gives, and its own report; of parts alike the first one's."""
    met: dict[int, int] = {}
    for row, each in zip(found, program.parts):
        reads = ", ".join(f"{value.name or value.call or 'constant'} {value.type}" for value in each.part.reads)
        gives = ", ".join(f"{value.name or value.call} {value.type}" for value in each.part.gives)
        body = f'<p id="part-{row.number}">{escape(reads)} &rarr; {escape(gives)}</p>'
        if each.program is None:
            body += "<p>a view: nothing moves</p>"
        elif id(each.program) in met:
            first = met[id(each.program)]
            body += f'<p>as <a href="#part-{first}">part {first}</a></p>'
        else:
            met[id(each.program)] = row.number
            body += f"<p><code>{escape(each.part.text)}</code></p>{_own(each.program)}"
        share = "" if row.cycles is None else f"{100 * row.share:.1f} %, {cycles(row.cycles)}"
        title = f"{row.number}  {row.title}   {share}"
        yield f"<section><details><summary>{escape(title)}</summary>{body}</details></section>"


def _own(program) -> str:
    """The report of a part; of one that is cut, or is a loop, those of its parts; of one that no search found, text."""
    if hasattr(program, "loop"):
        inner = (each for each in program.parts if each.program is not None)
        return "".join(f"<p>{escape(each.part.title)}</p>\n{_own(each.program)}" for each in inner)
    if program.root is None and not program.is_partitioned:
        return f"<pre>{escape(program.explain())}</pre>"
    if not program.is_partitioned:
        return f"<p>{escape(headline(program.largest))}</p>\n{program_section(program)}"
    return "".join(
        f"<p>{escape(program.title(part))}</p>\n{_own(part.program) if part.program is not None else ''}"
        for part in program.parts
    )
