"""griotte learn show: what is in a model's file."""

from __future__ import annotations

import click

from ....engine.learned.known import named
from ...learn import shown
from .. import options
from ..output import echo, print_json


@click.command()
@click.argument("model", metavar="M.gtm")
@options.as_json
def show(model: str, as_json: bool) -> None:
    """Tell what a model was made of, its largest terms and what it earned."""
    found = named(model)
    if as_json:
        print_json({"model": model} | shown.facts(found))
        return
    echo("\n".join(shown.shown(found)))
