"""griotte learn eval: models judged by programs that were held out."""

from __future__ import annotations

import click

from ....engine.learned.known import named
from ....support.errors import GriotteError
from ...learn import evaluate, plot, tables
from .. import options
from ..output import echo, print_json, progress
from .reading import timed

BY = ("spec", "operation", "target", "machine", "random")


@click.command()
@click.argument("data", metavar="DATA...", nargs=-1)
@click.option("--model", metavar="M.gtm", help="Judge this one, by programs that it was not fitted to.")
@click.option("--by", default=None, type=options.WordChoice(*BY), help="What is held out in turn  [spec]")
@click.option("--learner", default="auto", type=options.WordChoice("auto", "ridge", "trees"), help="  [auto]")
@click.option("--seeds", default=None, type=options.Count(1, 100), help="Times, each with other parts  [3]")
@click.option("--plot", "drawing", metavar="FILE", help="Draw predicted and measured times: .html or .png.")
@click.option("--docs", metavar="PAGE", help="Write the tables into a page, between its marks.")
@options.as_json
def eval(
    data: tuple[str, ...],
    model: str | None,
    by: str | None,
    learner: str,
    seeds: int | None,
    drawing: str | None,
    docs: str | None,
    as_json: bool,
) -> None:
    """Judge models of programs' times beside the price.

    Models are fitted to a part of the timed programs of DATA, and order the others:
    what the first choice and the best of five lose to the best of all, Kendall's
    tau, errors of predicted times, and runs until the best is found.
    """
    if model is not None and (by is not None or seeds is not None):
        raise GriotteError("expected --model or --by and --seeds, found both; a model that is there is judged once")
    samples, names = timed(data)
    if model is not None:
        loaded = named(model)
        loaded.must_have(samples.version, names)
        found = evaluate.against(samples, loaded)
    else:
        by, seeds = by or "spec", seeds or 3
        with progress(evaluate.fits(samples, by, seeds), "fitting", as_json) as advance:
            found = evaluate.evaluate(samples, names, by, seeds, learner, advance)
    text = tables.tables(found)
    if drawing:
        plot.write(drawing, found)
    if docs:
        tables.write_between(docs, found.by, text)
    if as_json:
        print_json(tables.facts(found) | {"files": [file for file in (drawing, docs) if file]})
        return
    echo("\n".join([text, *(f"wrote {file}" for file in (drawing, docs) if file)]))
