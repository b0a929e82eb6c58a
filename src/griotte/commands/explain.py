"""griotte explain: the program with the cost of every node, its roofline, the search's size."""

from __future__ import annotations

import click

from . import options
from .output import facts, print_json, status


@click.command()
@options.one_spec
@options.target
@options.threads
@options.table
@options.as_json
def explain(spec: str, target: str, threads: int, table: str, as_json: bool) -> None:
    """Show the best program for SPEC and what each part of it costs."""
    from ..synthesis import synthesize
    from ..targets import resolve

    options.check_table(table)
    (parsed,) = options.parse_all((spec,))
    goal = resolve(target)
    with status("searching", as_json):
        program = synthesize(parsed, goal, threads, "none")
    with status("counting programs", as_json):
        program.count()
    if as_json:
        print_json({**facts(program), "program": str(program), "explanation": program.explain()})
    else:
        click.echo(program.explain())
