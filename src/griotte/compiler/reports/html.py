"""Pages of HTML that need nothing else, and of one program the tree with bars for its costs, and the roofline."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from ...engine.program import printer
from ...support.errors import SpecError, ToolchainError
from ...support.folders import write_atomically
from ...support.markup import number, table
from .ceilings import ceilings, plot
from .drawing import png, svg
from .explain import cycles, paragraph
from .graph import picture
from .listing import Listing
from .tree import Line, compared, tree

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #222;
    background: #fff; overflow-wrap: anywhere }
h1 { font-size: 1.25rem } h2 { font-size: 1.05rem; margin-top: 2rem } a { color: #9b1b3b }
    code, pre, .row { font-family: ui-monospace, monospace; font-size: 13px }
pre { overflow-x: auto; background: #f5f3f4; padding: 1rem; border-radius: 6px }
details { margin-left: 1.1rem } .leaf { margin-left: 2.2rem } summary { cursor: pointer; display: flex;
    list-style: none }
summary::before { content: "\\25be"; width: 1.1rem } details:not([open]) > summary::before { content: "\\25b8" }
.row { display: grid; grid-template-columns: 1fr 9rem 4.5rem 4.5rem; gap: .6rem; flex: 1; align-items: center }
.bar { background: #eee; height: .7rem; border-radius: 3px; overflow: hidden; display: block }
.bar i { float: left; height: 100%; background: #e3b7c1 } .bar i.own { background: #9b1b3b }
.bar.none { visibility: hidden } .number { text-align: right }
.graph { overflow-x: auto } svg.roofline { width: 100%; max-width: 44rem; height: auto; display: block }
.row a { color: inherit; text-decoration: none } .row:hover { background: #8882 }
.beside { display: grid; gap: 2rem; grid-template-columns: minmax(0, 1fr) } .beside > div { min-width: 0 }
.listing span:target { outline: 1px solid #9b1b3b } .scroll { overflow-x: auto }
@media (min-width: 1200px) {
  body:has(.beside) { max-width: 120rem } .beside { grid-template-columns: minmax(0, 6fr) minmax(0, 5fr) }
  .beside .row { grid-template-columns: 1fr 5rem 3.6rem 4rem; font-size: 12px }
  .beside > aside pre { position: sticky; top: 1rem; max-height: calc(100vh - 4rem); overflow: auto; margin: 0 } }
@media (max-width: 700px) {
  body { margin: 1rem auto } details { margin-left: .35rem } .leaf { margin-left: .9rem }
  summary::before { width: .55rem } .row { grid-template-columns: 1fr 3.6rem 3.6rem; gap: .3rem; font-size: 11px }
  .row > .bar { display: none } }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
    th, td { padding: .15rem 1.2rem .15rem 0; text-align: left; white-space: nowrap }
.alternatives td { vertical-align: top } .alternatives td:last-child { white-space: normal; min-width: 16rem }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #1b191a } a { color: #e0567d } pre { background: #262324 } .bar { background: #333 }
      .bar i { background: #6d3a48 } .bar i.own { background: #e0567d } }
"""
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,
    initial-scale=1"><title>{title}</title>
<style>{style}</style></head><body>
<h1>{headline}</h1>
<p><code>{code}</code></p>
{body}
</body></html>
"""
_ENDING = """{body}
<h2>Search</h2>
{search}
<h2>C</h2>
{source}"""
_BESIDE = """<div class="beside"><div>{body}<h2>Search</h2>
{search}</div>
<aside><h2>C</h2>
{listing}</aside></div>"""


_PROGRAM = """{graph}<h2>Program</h2>
<div class="leaf"><span class="row"><span></span><span class="bar none"></span><span class="number">in all</span><span
    class="number">by itself</span></span></div>
{tree}
<h2>Roofline</h2>
{plot}<p>{roofline}</p>
"""


def write_picture(program, path: str | os.PathLike[str]) -> None:
    """Write the drawing of a program to `path`, .svg or .png. Raises SpecError for another name, ToolchainError where
    it cannot be written or drawn."""
    suffix = Path(path).suffix
    if suffix not in (".svg", ".png"):
        raise SpecError(f"expected a picture's name that ends in .svg or .png, found {path}; name such a file")
    if suffix == ".png":
        content = png(picture(program))
    else:
        content = svg(picture(program), dark=False).encode()
    write(path, content)


def write(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a page or a picture. Raises ToolchainError where it cannot be written."""
    try:
        write_atomically(Path(path), content)
    except OSError as error:
        raise ToolchainError(
            f"expected to write {path}, found {error.strerror or error}; name a file in a directory that can be written"
        ) from None


def frame(page: str, title: str) -> str:
    """A page as a part of another, a notebook's: neither's styles reach the other."""
    style = "width: 100%; height: 36rem; border: 0"
    return f'<iframe srcdoc="{escape(page)}" title="{escape(title)}" style="{style}"></iframe>'


def document(title: str, headline: str, code: str, body: str, style: str = "") -> str:
    """A page of HTML: its title, a headline, what it computes, a body; with more styles."""
    return _PAGE.format(title=title, style=_STYLE + style, headline=headline, code=code, body=body)


def ended(body: str, search: str, source: str) -> str:
    """The body of a page whose last sections are of the search and the C."""
    return _ENDING.format(body=body, search=search, source=source)


def beside(body: str, search: str, listing: Listing) -> str:
    """The body of a page whose C stands beside its trees, where the page is wide enough."""
    return _BESIDE.format(body=body, search=search, listing=listing.html())


def alternatives(programs: Sequence[Any]) -> str:
    """Programs of one goal side by side, the best first; nothing where there is none."""
    if not programs:
        return ""
    head, *rows = compared(programs)
    cells = ["".join(f"<th>{escape(cell)}</th>" for cell in head)]
    cells += ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    lines = "".join(f"<tr>{each}</tr>" for each in cells)
    return f'<h2>Alternatives</h2>\n<div class="scroll"><table class="alternatives">{lines}</table></div>\n'


def statistics(stats: Mapping[str, object]) -> str:
    """A table of the statistics that are known."""
    rows = table([(key, number(value)) for key, value in stats.items() if value is not None])
    return f'<div class="scroll">{rows}</div>'


def spaced(line: str) -> str:
    """A line of a report in HTML, which makes one of several blanks."""
    return escape(line.replace("   ", ", "))


def program_section(program, listing: Listing | None = None) -> str:
    """The drawing, the tree and the roofline of a program of one search; of leaves that the listing has, each line
    leads there."""
    largest = program.largest
    lines, found = tree(largest.root, program.target, names=printer.names_in(program.canonical)), ceilings(largest)
    return _PROGRAM.format(
        graph=_graph(program),
        tree=_Tree(program.cost, listing).node(lines),
        plot=plot(found) if found else "",
        roofline=escape(" ".join(line.strip() for line in paragraph(program))),
    )


def _graph(program) -> str:
    """The drawing of a graph of nests; one nest needs none."""
    if program.canonical.operation.is_lone:
        return ""
    return f'<h2>Graph</h2>\n<div class="graph">{svg(picture(program))}</div>\n'


@dataclass(frozen=True)
class _Tree:
    """Lines of a program of so many cycles, beside a listing of its C."""

    whole: float
    listing: Listing | None

    def node(self, line: Line) -> str:
        if not line.children:
            return f'<div class="leaf">{self._row(line)}</div>'
        below = "".join(map(self.node, line.children))
        return f"<details open><summary>{self._row(line)}</summary>{below}</details>"

    def _row(self, line: Line) -> str:
        number = None if line.children or self.listing is None else self.listing.number(line.text)
        words, to = escape(line.text), "" if number is None else f" to-{number}"
        words = words if number is None else f'<a href="#c-{number}">{words}</a>'
        if line.total is None or not self.whole:
            return f'<span class="row{to}"><span>{words}</span></span>'
        total, own = 100 * line.total / self.whole, 100 * max(line.own or 0.0, 0.0) / self.whole
        told = f"{cycles(line.total)} in {line.times:,.0f} executions"
        return (
            f'<span class="row{to}" title="{told}"><span>{words}</span>{_bar(total, own)}{_numbers(total, own)}</span>'
        )


def _bar(total: float, own: float) -> str:
    rest = f'<i style="width:{max(total - own, 0):.2f}%"></i>'
    return f'<span class="bar"><i class="own" style="width:{own:.2f}%"></i>{rest}</span>'


def _numbers(total: float, own: float) -> str:
    return f'<span class="number">{total:.1f} %</span><span class="number">{own:.1f} %</span>'
