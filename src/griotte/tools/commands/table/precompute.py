"""griotte table precompute: many Specs solved into a table ahead of time."""

from __future__ import annotations

import sys
import time
from typing import Any

import click

from ....compiler.session import SearchArguments, Session, session_of
from ....engine.table.contents import reading
from ....support.errors import SpecError, ToolchainError
from ....support.printable import printable
from ...scale import fill, goals
from ...scale.models import fill_model
from .. import options
from ..models import facts
from ..output import complain, echo, many, number, progress, show, wants_json
from ..progress import watched
from ..reading import ModelFile, is_model, parse_all
from ..subject import refuse


@click.command()
@options.file
@click.argument("specs", metavar="SPECS")
@options.target
@click.option("--threads", default=1, type=options.Count(), help="For Specs that name none  [1]")
@click.option("--workers", default=1, type=options.Count(), help="Processes on this machine  [1]")
@click.option("--scheduler", metavar="ADDRESS", help="Of a running Dask cluster, such as tcp://host:8786.")
@click.option("--memory", metavar="SIZE", help="Bound on the memory of each worker's search  [none]")
@options.effort
@options.shapes
@options.constants
@options.as_json
@options.gathered
def precompute(file: str, named: options.Named, workers: int, scheduler: str | None, asked: SearchArguments) -> None:
    """Solve many Specs into a table.

    SPECS is a TOML file of [[spec]] text = "...", threads = [1, 2], one of the
    presets small and matmul-2048, or an .onnx file, whose parts are solved. What
    the table holds is not solved again: start it anew after an interruption, and it
    goes on. A scheduler, or more than one worker for Specs, needs Dask: pip install
    'griotte[scale]'
    """
    if scheduler is not None and workers > 1:
        raise ToolchainError(
            "expected --workers or --scheduler, found both; the cluster has its own workers: leave out --workers"
        )
    asked["table"] = file
    session, (specs,) = session_of(**asked), named.words
    if is_model(specs) or specs.startswith("@"):
        (model,) = parse_all(*named)
        if not isinstance(model, ModelFile):
            raise SpecError(f"expected a model's text after @, found a Spec, {model}; write it into a list of Specs")
        _solve_model(model, session, workers, scheduler)
        return
    refuse("a list of Specs", shape=named.shapes or None, constant=named.constants or None)
    wanted = goals(specs, session.threads)
    started, results = time.perf_counter(), []
    with progress(len(wanted), "solving") as advance:
        for report in fill(wanted, session, workers, scheduler):
            results.append(_result(report, session.target.name))
            advance()
            if not wants_json():
                _show(results[-1])
    found = _total(file, results, time.perf_counter() - started)
    text = f"{many(found['solved'], 'Spec')} solved, {number(found['known'])} known"
    show({**found, "workers": workers, "results": results}, f"{file}: {text}; {_points(found)}")
    sys.exit(2 if found["failed"] else 0)


def _solve_model(file: ModelFile, session: Session, workers: int, scheduler: str | None) -> None:
    """Solve all parts that the model's cut asks for, and show how many there were."""
    started, path = time.perf_counter(), session.table
    with watched(path) as observer:
        program = fill_model(file.graph, session, workers, scheduler, observer)
    stats = program.stats | {"cost": program.cost, "threads": session.threads, "target": session.target.name}
    found = {"table": path, **facts(file, stats, path), "seconds": time.perf_counter() - started, "workers": workers}
    text = f"{number(found['parts_solved'])} parts solved, {number(found['parts_from_table'])} known"
    show(found, f"{path}: {file}: {text}; {_points(found)}")


def _points(found: dict[str, Any]) -> str:
    points = number(found["specs_solved"])
    return f"{points} points in {found['seconds']:.1f} s, {found['table_bytes'] / 1e6:.1f} MB"


def _result(report, target: str) -> dict[str, Any]:
    found = {"spec": report.goal.spec, "target": target, "threads": report.goal.threads, "seconds": report.seconds}
    if report.error is not None:
        return {**found, "error": report.error}
    return {
        **found,
        "known": report.skipped,
        "families": report.families,
        "specs_solved": report.specs_solved,
        "specs_known": report.specs_known,
    }


def _total(file: str, results: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
    with reading(file) as contents:
        contents.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = contents.bytes
    whole = [r for r in results if "error" not in r]
    found = {
        "table": file,
        "solved": sum(not r["known"] for r in whole),
        "known": sum(r["known"] for r in whole),
        "failed": len(results) - len(whole),
    }
    return {
        **found,
        **{key: sum(r[key] for r in whole) for key in ("specs_solved", "specs_known", "families")},
        "seconds": seconds,
        "table_bytes": size,
    }


def _show(found: dict[str, Any]) -> None:
    threads = f", {found['threads']} threads" if found["threads"] > 1 else ""
    spec = printable(found["spec"])
    if "error" in found:
        complain([found["error"]])
    elif found["known"]:
        echo(f"known    {spec}{threads}")
    else:
        echo(
            f"solved   {spec}{threads}   {number(found['specs_solved'])} points, {number(found['specs_known'])}"
            f" known before, {found['seconds']:.1f} s"
        )
