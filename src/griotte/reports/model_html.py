"""A solved model as one HTML page that needs nothing else: its parts drawn, a table of them, each part's own report,
and the C."""

from __future__ import annotations

from html import escape

from ..markup import number, source, table
from .explain import cycles, headline, unit
from .html import program_section, spaced, style
from .model import PartRow, apart, bound, rows
from .model import headline as heading
from .model import paragraph as whole
from .model_svg import Link, svg

LARGEST_C = 1 << 22  # characters of C that a page has

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,
    initial-scale=1"><title>{title}</title>
<style>{style}
body > details, section > details {{ margin-left: 0 }} summary h2 {{ margin: 0 }} body > details {{ margin-top: 2rem }}
body > details > div {{ margin-top: .8rem }} th {{ font-weight: 600; border-bottom: 1px solid #8886 }}
.number {{ text-align: right }} th:last-child, td:last-child {{ padding-right: 0 }}
section > details > summary {{ padding: .15rem 0 }} section > details > summary:hover {{ background: #8881 }}
.part {{ display: grid; grid-template-columns: 2.2rem 1fr 4.5rem 8rem; gap: .6rem; flex: 1 }}
section > details > div {{ border-left: 2px solid #8884; margin: .3rem 0 1.2rem .35rem; padding-left: 1.2rem }}
section h2 {{ font-size: .95rem; margin-top: 1.2rem }} section code {{ overflow-wrap: anywhere }}
</style></head><body>
<h1>{title}</h1>
<p><code>{inputs}</code></p>
<details open><summary><h2>Parts in order</h2></summary>
<div class="graph">{graph}</div></details>
<details open><summary><h2>What they cost</h2></summary>
<div class="graph">{table}</div>
{words}</details>
<h2>Parts</h2>
{parts}
<h2>Search</h2>
{stats}
<h2>C</h2>
{source}
</body></html>
"""


def page(program, measured=None, name: str = "a model") -> str:
    """The page's text."""
    found = rows(program, measured)
    text = program.to_c()
    stats = {"cost": program.cost, "threads": program.threads, "target": program.target.name}
    stats |= program.stats | program.held
    return _PAGE.format(
        title=spaced(heading(program, name)),
        style=style(),
        inputs=escape(_signature(program)),
        graph=svg(found, links(program)),
        table=_table(found),
        words="".join(f"<p>{escape(line)}</p>" for line in whole(program, measured)),
        parts="\n".join(_sections(program, found)),
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
            body += f"<p><code>{escape(each.part.text)}</code></p>{_own(each.program)}"
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


def _own(program) -> str:
    """The report of a part; of one that is cut, or is a loop, those of its parts; of one that no search found, text."""
    if hasattr(program, "loop"):
        inner = (each for each in program.parts if each.program is not None)
        return "".join(f"<p>{escape(each.part.title)}</p>\n{_own(each.program)}" for each in inner)
    if program.root is None and not program.is_partitioned:
        return f"<pre>{escape(program.explain())}</pre>"
    if not program.is_partitioned:
        return f"<p>{spaced(headline(program.largest))}</p>\n{program_section(program)}"
    return "".join(
        f"<p>{escape(program.title(part))}</p>\n{_own(part.program) if part.program is not None else ''}"
        for part in program.parts
    )
