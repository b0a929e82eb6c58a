"""griotte learn collect: programs of many Specs, timed into a file of records: on this machine, or elsewhere."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import islice
from typing import Any

import click

from ....compiler.session import SearchArguments, session_of
from ....lang.calls.spec import Spec
from ....machine import runnable
from ....support.errors import SpecError
from ....support.printable import printable
from ...learn import batches, collecting, problems, records, returned
from .. import options
from ..output import complain, echo, progress, show, wants_json
from ..reading import parse_all


@click.command()
@click.argument("specs", metavar="[SPEC ...]", nargs=-1)
@click.option(
    "--specs", "count", default=40, type=options.Count(1, 100_000), help="How many are drawn, without SPEC  [40]"
)
@click.option("--seed", default=0, type=options.Count(0, 1 << 31), help="That they are drawn by  [0]")
@click.option("--minutes", default=None, type=options.Count(0.01, 10_000, float), help="No Spec begins later  [none]")
@options.threads
@options.target
@click.option("--prepare", metavar="FOLDER", help="Time nothing: write a batch, to be timed elsewhere.")
@click.option("--read", "back", metavar="FOLDER", help="Put what a batch found into FILE; no SPEC.")
@click.option("--out", metavar="FILE", default="records.gtr", help="The file, which goes on where it is  [records.gtr]")
@options.as_json
@options.gathered
def collect(
    specs: tuple[str, ...],
    count: int,
    seed: int,
    minutes: float | None,
    asked: SearchArguments,
    prepare: str | None,
    back: str | None,
    out: str,
) -> None:
    """Time diverse programs of many Specs on this machine.

    Of each Spec, of those given or of COUNT drawn by SEED, some twenty programs of
    the space are compiled, checked and timed in turns, with operands where the
    caches leave them and with operands in memory. What is in FILE already is not
    timed again: start it anew after an interruption, and it goes on. It is best run
    on a machine that does nothing else. For another machine --prepare writes a batch
    of programs; there python FOLDER/measure.py times it; here --read takes it back.
    """
    until = None if minutes is None else time.monotonic() + 60 * minutes
    if prepare is not None and back is not None:
        raise SpecError("expected --prepare or --read, found both; prepare a batch, time it, then read it")
    if back is not None and specs:
        raise SpecError(f"expected no SPEC beside --read, found {specs[0]}; a batch has its own")
    if prepare is not None:
        wanted = _wanted(specs, problems.drawn, count, seed)
        made = batches.prepare(wanted, session_of(**asked), prepare, until, collecting.Collecting(seed=seed))
        _prepare(made, wanted, prepare)
        return
    if back is not None:
        batch = returned.Returned(back)
        _fill(records.Records(out), batch.into, batch.count, "reading")
        return
    wanted, session = _wanted(specs, problems.drawn, count, seed), session_of(**asked)
    runnable(session.target)
    how = collecting.Collecting(seed=seed, apart=True)
    timing = lambda into: collecting.collect(wanted, session, into, until, how)
    _fill(records.Records(out), timing, len(wanted), "timing")


def _wanted(specs: tuple[str, ...], drawn: Callable[[int, int], Iterator[Spec]], count: int, seed: int) -> list[Spec]:
    wanted = parse_all(specs) if specs else list(islice(drawn(count, seed), count))
    for spec in wanted:
        if not isinstance(spec, Spec):
            raise SpecError(f"expected Specs to time programs of, found a model, {spec}; write its parts as Specs")
    return wanted


def _fill(records: Any, timing: Callable[[Any], Iterator[Any]], count: int, doing: str) -> None:
    """Put timed programs of so many Specs into records, and show a report of each."""
    started, reports, stopped, out = time.perf_counter(), [], False, str(records.path)
    with records, progress(count, doing) as advance:
        try:
            for report in timing(records):
                reports.append(report)
                advance()
                if not wants_json():
                    _show(report)
        except KeyboardInterrupt:
            stopped = True
        total = _total(out, reports, len(records), records.goals, time.perf_counter() - started)
    show(
        {**total, "stopped": stopped, "results": [asdict(report) for report in reports]},
        (
            f"{out}: {total['timed']} programs of {total['specs']} Specs timed in {total['seconds']:.0f} s,"
            f" {total['known']} Specs known, {total['failed']} failed; it has {total['programs']} programs of"
            f" {total['goals']}"
        ),
    )
    if stopped:
        raise KeyboardInterrupt


def _prepare(made: Iterator[Any], wanted: list[Spec], folder: str) -> None:
    """Write a batch, and show a report of each Spec."""
    reports = []
    with progress(len(wanted), "drafting") as advance:
        for report in made:
            reports.append(report)
            advance()
            if not wants_json():
                _show(report, "made")
    programs = sum(report.programs for report in reports)
    specs, failed = sum(bool(r.programs) for r in reports), sum(bool(r.error) for r in reports)
    results = [asdict(report) for report in reports]
    text = (
        f"{folder}: {programs} programs of {specs} Specs, {failed} failed; take it there, run python"
        f" {os.path.join(folder, 'measure.py')}, bring it back, and read it with --read {folder}"
    )
    show({"batch": folder, "specs": specs, "programs": programs, "failed": failed, "results": results}, text)


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


def _show(report: Any, word: str = "timed") -> None:
    if report.error:
        complain([report.error])
    elif report.known:
        echo(f"known    {printable(report.spec)}")
    else:
        wrong = f", {report.wrong} wrong" * bool(report.wrong)
        load = f", beside a load of {report.load:.1f}" if word == "timed" else ""
        echo(f"{word:8} {printable(report.spec)}   {report.programs} programs{wrong} in {report.seconds:.1f} s{load}")
