"""griotte learn fit, eval and show: models of programs' times, fitted to files of timed programs, judged, shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from ....engine.learned import features
from ....engine.learned.ranking import model_named
from ....engine.learned.samples import Samples
from ....runtime.leaves import resolved
from ....support.errors import GriotteError
from ...learn import compact, evaluate, plot, records, shown, tables, training
from ...learn import fit as fitting
from ...learn.prices import described, fit_prices
from .. import options
from ..output import progress, status, store
from ..output import show as tell

BY = ("spec", "operation", "target", "machine", "network", "random")
DATA = click.argument("data", metavar="DATA...", nargs=-1)
LEARNER = click.option(
    "--learner", default="auto", type=options.WordChoice("auto", "ridge", "trees", "network"), help="  [auto]"
)


def timed(paths: tuple[str, ...]) -> tuple[Samples, tuple[str, ...]]:
    """The timed programs of files that `griotte learn collect` wrote, and the names of their features."""
    if not paths:
        raise GriotteError(
            "expected files of timed programs as DATA, found none; griotte learn collect --out FILE writes one"
        )
    return training.joined([_samples(path) for path in paths]), features.NAMES


def _samples(path: str) -> Samples:
    if Path(path).suffix == compact.SUFFIX:
        return compact.read(path)
    with records.Records(path, writable=False) as found:
        return found.samples(features.VERSION)


@click.command()
@DATA
@click.option("-o", "to", metavar="FILE.npz", required=True, help="The file.")
@click.option("--flat", is_flag=True, help="Without trees, which a network takes: a tenth of the bytes.")
@options.as_json
def prune(data: tuple[str, ...], to: str, flat: bool) -> None:
    """Keep of timed programs what models are fitted to, in a small file.

    DATA are files of griotte learn collect, or pruned ones. FILE.npz has features,
    trees, prices and times of all of them, in a kilobyte a program; fit and eval take
    it as DATA. What it has not are the decisions that lead to a program:
    features of another version cannot be made of it.
    """
    samples, _ = timed(data)
    samples = replace(samples, trees=()) if flat else samples
    size = compact.write(samples, _npz(to))
    found = {"file": to, "programs": len(samples), "groups": len(samples.groups), "bytes": size}
    tell(found, f"{to}: {len(samples)} programs of {len(samples.groups)}, {size / 1e6:.2f} MB")


def _npz(path: str) -> str:
    if Path(path).suffix != compact.SUFFIX:
        raise GriotteError(f"expected a file of the name {compact.SUFFIX} with -o, found {path}; name it so")
    return path


@click.command()
@DATA
@click.option("-o", "to", metavar="M.gtm", required=True, help="The model's file.")
@LEARNER
@click.option("--seed", default=0, type=options.Count(0, 1 << 31), help="Of what is drawn  [0]")
@click.option("--prices", metavar="T.toml", help="Write a target with corrected prices as well.")
@options.as_json
def fit(data: tuple[str, ...], to: str, learner: str, seed: int, prices: str | None) -> None:
    """Fit a model of prices' errors to timed programs.

    DATA are files of griotte learn collect. The learner is ridge regression, or
    boosted trees (pip install 'griotte[learn]'); auto takes the simpler one where it
    orders held-out Specs as well. The model is used with --model M.gtm. With --prices
    the target's coefficients are corrected, for --target T.toml: the search itself
    goes by them.
    """
    samples, names = timed(data)
    with status("fitting"):
        model = fitting.fit(samples, names, learner, seed)
        written = [(prices, _target(samples, names))] if prices else []
    model.save(to)
    files = [to, *(store(Path(path), text) for path, text in written)]
    origin = model.origin
    found = {
        "files": files,
        "learner": model.learner.word,
        "shrink": model.shrink,
        "programs": sum(origin.programs.values()),
        "groups": origin.groups,
        "earned": origin.earned,
    }
    tell(found, "\n".join([*shown.shown(model), *(f"wrote {file}" for file in files)]))


def _target(samples, names: tuple[str, ...]) -> str:
    """The target that the programs were made for, with corrected prices, as TOML."""
    targets = {samples.groups[number].target for number in samples.group}
    if len(targets) != 1:
        raise GriotteError(
            f"expected programs of one target for --prices, found those of {' '.join(sorted(targets))}; fit to files of"
            " one"
        )
    return described(resolved(targets.pop()), fit_prices(samples, names))


@click.command()
@DATA
@click.option("--model", metavar="M.gtm", help="Judge this one, by programs that it was not fitted to.")
@click.option("--by", default=None, type=options.WordChoice(*BY), help="What is held out in turn  [spec]")
@LEARNER
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
) -> None:
    """Judge models of programs' times beside the price.

    Models are fitted to a part of the timed programs of DATA, and order the others.
    Printed are the loss of the first choice and of the best of five beside the
    best of all, Kendall's tau, errors of predicted times, and runs until the best
    is found.
    """
    if model is not None and (by is not None or seeds is not None):
        raise GriotteError("expected --model or --by and --seeds, found both; a model that is there is judged once")
    samples, names = timed(data)
    if model is not None:
        loaded = model_named(model)
        loaded.must_have(samples.version, names)
        found = evaluate.against(samples, loaded)
    else:
        by, seeds = by or "spec", seeds or 3
        with progress(evaluate.fits(samples, by, seeds), "fitting") as advance:
            found = evaluate.evaluate(samples, names, by, seeds, learner, advance)
    text = tables.tables(found)
    if drawing:
        plot.write(drawing, found)
    if docs:
        tables.write_between(docs, found.by, text)
    files = [file for file in (drawing, docs) if file]
    tell(tables.facts(found) | {"files": files}, "\n".join([text, *(f"wrote {file}" for file in files)]))


@click.command()
@click.argument("model", metavar="M.gtm")
@options.as_json
def show(model: str) -> None:
    """Tell what a model was made of, its largest terms and what it earned."""
    found = model_named(model)
    tell({"model": model} | shown.facts(found), "\n".join(shown.shown(found)))
