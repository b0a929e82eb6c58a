"""griotte learn collect: programs of many Specs, timed into a file of records: on this machine, or elsewhere."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import click

from ....compiler.session import SearchArguments, session_of
from ....lang.calls.spec import Spec
from ....machine import runnable
from ....support.cpus import usable
from ....support.errors import SpecError
from ....support.printable import printable
from ...learn import batches, collecting, problems, records, returned
from ...learn import ready as making
from ...learn.elsewhere.turns import Pace
from ...learn.networks import parts_of
from .. import options
from ..output import complain, echo, progress, show, wants_json
from ..reading import parse_all

ELSEWHERE = "take it there, run python {folder}/measure.py, bring it back, and read it with --read {folder}"
READY = "time it with --time {folder}"
BRISK = collecting.Collecting(pace=Pace(turn=0.5e-3, rounds=12, cold=0))
"""Shorter turns, and none with operands in memory."""


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
@click.option("--ready", metavar="FOLDER", help="Time nothing: make programs ready, which --time times.")
@click.option("--time", "of_ready", metavar="FOLDER", help="Time what is ready, into FILE; no SPEC.")
@click.option("--most", default=24, type=options.Count(2, 200), help="Programs of a Spec  [24]")
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
    ready: str | None,
    of_ready: str | None,
    most: int,
    out: str,
) -> None:
    """Time diverse programs of many Specs on this machine.

    Some twenty programs of the space are compiled for each Spec, of those given or
    of COUNT drawn by SEED. They are checked and timed in turns, with operands where
    the caches leave them and with operands in memory. A program in FILE is not
    timed again: start it anew after an interruption, and it goes on. It is best run
    on a machine that does nothing else. For another machine --prepare writes a batch
    of programs; there python FOLDER/measure.py times it; here --read takes it back.
    """
    until = None if minutes is None else time.monotonic() + 60 * minutes
    asked_for = {"--prepare": prepare, "--read": back, "--ready": ready, "--time": of_ready}
    ways = [way for way, folder in asked_for.items() if folder is not None]
    if len(ways) > 1:
        raise SpecError(f"expected one of {', '.join(asked_for)}, found {' and '.join(ways)}; do one after the other")
    if specs and ways and ways[0] in ("--read", "--time"):
        raise SpecError(f"expected no SPEC beside {ways[0]}, found {specs[0]}; the folder has its own")
    if of_ready is not None:
        count = len(list(Path(of_ready).glob("*.json")))
        _fill(records.Records(out), lambda into: making.time_ready(of_ready, into, until, BRISK), count, "timing")
        return
    session = session_of(**asked)
    if back is not None:
        batch = returned.Returned(back)
        _fill(records.Records(out), batch.into, batch.count, "reading")
        return
    wanted, networks = _wanted(specs, count, seed, session)
    how = collecting.Collecting(most=most, seed=seed, apart=True, networks=networks)
    if prepare is not None:
        _prepare(batches.prepare(wanted, session, prepare, until, how), wanted, prepare, ELSEWHERE)
        return
    runnable(session.target)
    if ready is not None:
        _prepare(making.make_ready(wanted, session, ready, usable(), until, how), wanted, ready, READY)
        return
    timing = lambda into: collecting.collect(wanted, session, into, until, how)
    _fill(records.Records(out), timing, len(wanted), "timing")


def _wanted(specs: tuple[str, ...], count: int, seed: int, session: Any) -> tuple[list[Spec], dict[str, str]]:
    """Specs, for a model those of its parts; and to which model each belongs, by their texts."""
    if not specs:
        return list(islice(problems.drawn(count, seed), count)), {}
    wanted: list[Spec] = []
    networks: dict[str, str] = {}
    for found in parse_all(specs):
        parts = [found] if isinstance(found, Spec) else list(parts_of(found.graph, session))
        if not isinstance(found, Spec):
            name = Path(found.word.removeprefix("@")).stem
            networks |= {text: name for text in map(str, parts) if text not in networks}
        wanted += parts
    wanted = list(dict.fromkeys(wanted))
    if networks:
        random.Random(seed).shuffle(wanted)  # a run that is stopped has some of each
    return wanted, networks


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


def _prepare(made: Iterator[Any], wanted: list[Spec], folder: str, then: str) -> None:
    """Write a batch, or make programs ready, and show a report of each Spec, and what comes next."""
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
    text = f"{folder}: {programs} programs of {specs} Specs, {failed} failed; {then.format(folder=folder)}"
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
