"""griotte learn collect: programs of many Specs, timed on this machine into a file of records."""

from __future__ import annotations

import time
from dataclasses import asdict
from itertools import islice
from typing import Any

import click

from ...errors import SpecError
from ...ir.spec import Spec
from ...printable import printable
from .. import options
from ..output import echo, print_json, progress


@click.command()
@click.argument("specs", metavar="[SPEC ...]", nargs=-1)
@click.option(
    "--specs", "count", default=40, type=options.Count(1, 100_000), help="How many are drawn, without SPEC  [40]"
)
@click.option("--seed", default=0, type=options.Count(0, 1 << 31), help="That they are drawn by  [0]")
@click.option("--minutes", default=None, type=options.Count(0.01, 10_000, float), help="No Spec begins later  [none]")
@options.threads
@options.target
@click.option("--out", metavar="FILE", default="records.gtr", help="The file, which goes on where it is  [records.gtr]")
@options.as_json
def collect(
    specs: tuple[str, ...],
    count: int,
    seed: int,
    minutes: float | None,
    threads: int,
    target: str,
    out: str,
    as_json: bool,
) -> None:
    """Time diverse programs of many Specs on this machine.

    Of each Spec, of those given or of COUNT drawn by SEED, some twenty programs of
    the space are compiled, checked and timed in turns, with operands where the
    caches leave them and with operands in memory. What is in FILE already is not
    timed again: start it anew after an interruption, and it goes on. It is best run
    on a machine that does nothing else.
    """
    from ...learn import collecting
    from ...learn.problems import drawn
    from ...learn.records import Records

    machine = options.runnable(target)
    wanted = options.parse_all(specs) if specs else list(islice(drawn(count, seed), count))
    for spec in wanted:
        if not isinstance(spec, Spec):
            raise SpecError(f"expected Specs to time programs of, found a model, {spec}; write its parts as Specs")
    started, reports, how = time.perf_counter(), [], collecting.Collecting(apart=True)
    until, stopped = None if minutes is None else time.monotonic() + 60 * minutes, False
    with Records(out) as records, progress(len(wanted), "timing", as_json) as advance:
        try:
            for report in collecting.collect(wanted, machine, threads, records, seed, until, how):
                reports.append(report)
                advance()
                if not as_json:
                    _show(report)
        except KeyboardInterrupt:
            stopped = True
        found = _total(out, reports, len(records), records.goals, time.perf_counter() - started)
    if as_json:
        print_json({**found, "stopped": stopped, "results": [asdict(report) for report in reports]})
    else:
        echo(
            f"{out}: {found['timed']} programs of {found['specs']} Specs timed in {found['seconds']:.0f} s,"
            f" {found['known']} Specs known, {found['failed']} failed; it has {found['programs']} programs of"
            f" {found['goals']}"
        )
    if stopped:
        raise KeyboardInterrupt


def _total(out: str, reports: list[Any], programs: int, goals: int, seconds: float) -> dict[str, Any]:
    timed = [report for report in reports if report.programs]
    return {
        "records": out,
        "specs": len(timed),
        "timed": sum(report.programs for report in timed),
        "known": sum(report.known for report in reports),
        "failed": sum(bool(report.error) for report in reports),
        "wrong": sum(report.wrong for report in reports),
        "programs": programs,
        "goals": goals,
        "seconds": seconds,
    }


def _show(report: Any) -> None:
    if report.error:
        echo(f"griotte: {printable(report.error)}", err=True)
    elif report.known:
        echo(f"known    {printable(report.spec)}")
    else:
        wrong = f", {report.wrong} wrong" * bool(report.wrong)
        echo(
            f"timed    {printable(report.spec)}   {report.programs} programs{wrong} in {report.seconds:.1f} s, beside a"
            f" load of {report.load:.1f}"
        )
