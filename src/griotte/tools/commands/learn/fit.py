"""griotte learn fit: a model of timed programs, and corrected prices."""

from __future__ import annotations

from pathlib import Path

import click

from ....runtime.leaves import resolved
from ....support.errors import GriotteError
from ...learn import fit as fitting
from ...learn import shown
from ...learn.prices import described, fit_prices
from .. import options
from ..output import echo, print_json, status, store
from .reading import timed


@click.command()
@click.argument("data", metavar="DATA...", nargs=-1)
@click.option("-o", "to", metavar="M.gtm", required=True, help="The model's file.")
@click.option("--learner", default="auto", type=options.WordChoice("auto", "ridge", "trees"), help="  [auto]")
@click.option("--seed", default=0, type=options.Count(0, 1 << 31), help="Of what is drawn  [0]")
@click.option("--prices", metavar="T.toml", help="Write a target with corrected prices as well.")
@options.as_json
def fit(data: tuple[str, ...], to: str, learner: str, seed: int, prices: str | None, as_json: bool) -> None:
    """Fit a model of prices' errors to timed programs.

    DATA are files of griotte learn collect. The learner is ridge regression, or
    boosted trees (pip install 'griotte[learn]'); auto takes the simpler one where it
    orders held-out Specs as well. The model is used with --model M.gtm. With --prices
    the target's coefficients are corrected, for --target T.toml: the search itself
    goes by them.
    """
    samples, names = timed(data)
    with status("fitting", as_json):
        model = fitting.fit(samples, names, learner, seed)
        written = [(prices, _target(samples, names))] if prices else []
    model.save(to)
    files = [to, *(store(Path(path), text) for path, text in written)]
    if as_json:
        print_json({"files": files, "learner": model.learner.word, "shrink": model.shrink} | _figures(model))
        return
    echo("\n".join([*shown.shown(model), *(f"wrote {file}" for file in files)]))


def _figures(model) -> dict:
    origin = model.origin
    return {"programs": sum(origin.programs.values()), "groups": origin.groups, "earned": origin.earned}


def _target(samples, names: tuple[str, ...]) -> str:
    """The target that the programs were made for, with corrected prices, as TOML."""
    targets = {samples.groups[number].target for number in samples.group}
    if len(targets) != 1:
        raise GriotteError(
            f"expected programs of one target for --prices, found those of {' '.join(sorted(targets))}; fit to files of"
            " one"
        )
    return described(resolved(targets.pop()), fit_prices(samples, names))
