"""griotte explain: the program with the cost of every node, its roofline, the search's size."""

from __future__ import annotations

import click

from ..reports.alternatives import table as side_by_side
from ..session import SearchArguments, session_of
from ..synthesis import program_of
from . import options
from .facts import facts
from .models.explain import explain_model
from .models.reading import ModelFile, refuse
from .output import echo, print_json, status


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
@options.target
@options.threads
@options.table
@options.memory
@options.effort
@options.math
@options.tune
@options.model
@options.shapes
@options.constants
@options.as_json
@options.gathered
def explain(
    spec: str,
    alternatives: int | None,
    html: str | None,
    picture: str | None,
    prefetch: bool,
    measure: bool,
    part: int | None,
    asked: SearchArguments,
    shapes: tuple[str, ...],
    constants: tuple[str, ...],
    as_json: bool,
) -> None:
    """Show the best program for SPEC, or for a model's file, and what each part of it costs."""
    (parsed,) = options.parse_all((spec,), shapes, constants)
    session = session_of(**asked)
    if isinstance(parsed, ModelFile):
        unfit = {"alternatives": alternatives, "picture": picture, "prefetch": prefetch, "memory": session.memory}
        refuse("a model", **unfit)
        explain_model(parsed, session, html, measure, part, as_json)
        return
    refuse("a Spec", measure=measure, part=part)
    with status("searching", as_json):
        program = program_of(parsed, session)
    with status("counting programs", as_json):
        program.count()
    found = program.alternatives(alternatives, session.tuning.model) if alternatives else []
    for write, path in ((program.to_html, html), (program.to_picture, picture)):
        if path is not None:
            write(path)
    files = [path for path in (html, picture) if path is not None]
    if as_json:
        more: dict = {"alternatives": [_alternative(p) for p in found]} if found else {}
        more |= {"prefetch": program.requests()} if prefetch else {}
        print_json(
            {
                **facts(program),
                "program": str(program),
                "explanation": program.explain(),
                **more,
                **({"files": files} if files else {}),
            }
        )
        return
    echo(program.explain())
    if prefetch:
        echo(f"\n{program.requests()}")
    if found:
        echo("\n".join(["", *side_by_side(found)]))
    if files:
        echo(f"\nwrote {' and '.join(files)}")


def _alternative(program) -> dict:
    told = program.stats.get("model")
    predicted = {"predicted": told["predicted"], "uncertainty": told["uncertainty"]} if told else {}
    return {"cost": program.cost, **predicted, "program": str(program)}
