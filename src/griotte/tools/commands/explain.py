"""griotte explain: the program with the cost of every node, its roofline, the search's size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

from ...compiler.reports.html import write
from ...compiler.reports.tree import side_by_side
from ...compiler.session import SearchArguments, session_of
from ...machine import runnable
from ...support.errors import SpecError
from . import options
from .output import echo, print_json
from .subjects import subjects


@dataclass(frozen=True)
class Shown:
    """What is shown of a program beside its report."""

    alternatives: int | None
    html: str | None
    picture: str | None
    prefetch: bool
    measure: bool
    part: int | None


@click.command()
@options.one_spec
@click.option(
    "--alternatives", metavar="K", type=options.Count(1, 1000), help="Also the K cheapest programs, the best first."
)
@click.option("--html", metavar="FILE", help="Write it as a page, with the graph drawn.")
@click.option("--picture", metavar="FILE", help="Draw the graph: FILE.svg or FILE.png.")
@click.option("--prefetch", is_flag=True, help="Also what each leaf asks for before it needs it.")
@click.option("--measure", is_flag=True, help="Of a model: also what each part takes on this machine.")
@click.option("--part", metavar="N", type=options.Count(1, 10**6), help="Of a model: also the program of part N.")
@options.of_search()
@options.as_one("shown", Shown)
def explain(named: options.Named, shown: Shown, asked: SearchArguments, as_json: bool) -> None:
    """Show the best program for SPEC, or for a model's file, and what each part of it costs."""
    (subject,) = subjects(named)
    session, part = session_of(**asked), shown.part
    subject.refuse(**vars(shown), memory=session.memory)
    if shown.measure:
        runnable(session.target)
    program: Any = subject.program(session, as_json)
    if part is not None and part > len(program.parts):
        raise SpecError(f"expected a part from 1 to {len(program.parts)} for --part, found {part}; write one of them")
    subject.count(program, as_json)
    report = subject.report(program, shown.measure, as_json)
    found = program.alternatives(shown.alternatives, session.tuning.model) if shown.alternatives else []
    if shown.html is not None:
        write(shown.html, report.page().encode())
    if shown.picture is not None:
        report.draw(shown.picture)
    files = [path for path in (shown.html, shown.picture) if path is not None]
    if as_json:
        more: dict[str, Any] = {"alternatives": [_alternative(p) for p in found]} if found else {}
        more |= {"prefetch": program.requests()} if shown.prefetch else {}
        more |= {"files": files} if files else {}
        print_json(subject.facts(program, session) | {"explanation": report.text()} | subject.told(report) | more)
        return
    echo(report.text())
    if part is not None:
        echo(f"\n{report.part(part)}")
    if shown.prefetch:
        echo(f"\n{program.requests()}")
    if found:
        echo("\n".join(["", *side_by_side(found)]))
    if files:
        echo(f"\nwrote {' and '.join(files)}")


def _alternative(program) -> dict:
    told = program.stats.get("model")
    predicted = {"predicted": told["predicted"], "uncertainty": told["uncertainty"]} if told else {}
    return {"cost": program.cost, **predicted, "program": str(program)}
