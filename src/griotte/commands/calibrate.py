"""griotte calibrate: measure this machine's cost coefficients, and write them as a target file."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from ..errors import TargetError
from . import options
from .output import print_json


@click.command()
@click.option("-o", "output", metavar="FILE", default="calibrated.toml", help="The target file to write  [calibrated.toml]")
@click.option("--threads", default=None, type=options.Count(), help="Most threads that programs run on  [this process's cores]")
@click.option("--minutes", default=10.0, type=options.Count(0.01, 600, float), help="About how long it may take  [10]")
@click.option("--seed", default=0, type=options.Count(0, 2**32), help="Of the random programs  [0]")
@click.option("--samples", metavar="FILE", help="Keep what was measured in FILE, and add to what is there.")
@options.target
@options.as_json
def calibrate(output: str, threads: int | None, minutes: float, seed: int, samples: str | None, target: str, as_json: bool) -> None:
    """Measure this machine's cost coefficients.

    Draws programs from the space, near the best and up to six times slower, times
    them in turns, fits the coefficients, and writes a target for --target. Prints
    how well the model ranks programs of Specs that were not fitted, before and
    after. Run it on a machine that does nothing else. One round of the three is
    always done, whatever --minutes says.
    """
    from ..calibrate import samples as files
    from ..calibrate.rounds import Calibration, changed
    from ..targets import description, detect

    path, keep, goal = Path(output), Path(samples) if samples else None, options.runnable(target)
    _require_place(path)
    known = files.read(keep) if keep is not None and keep.exists() else []
    with _told(as_json) as step:
        found = Calibration(goal, threads or detect().cores, seed, known, step).run(minutes, keep)
    written = replace(found.target, name=_name(path))
    try:
        files.write_atomically(path, description.text(written).encode())
    except OSError as error:
        raise TargetError(f"expected to write a target file, found {error.strerror or error}: {path}; name another place after -o") from None
    report = {"target": str(path), "threads": threads or detect().cores, "samples": len(found.samples), "changed": changed(goal, written)}
    report |= {"before": {k: asdict(v) for k, v in found.before.items()}, "after": {k: asdict(v) for k, v in found.after.items()}}
    print_json(report) if as_json else _show(report)


def _require_place(path: Path) -> None:
    """TargetError before anything is measured where the target file could not be written or named."""
    if path.suffix != ".toml":
        raise TargetError(f"expected a file that ends in .toml after -o, found {path}; --target takes no other")
    if not os.access(path.parent, os.W_OK):
        raise TargetError(f"expected a folder that can be written for {path}, found none; name another place after -o")


def _name(path: Path) -> str:
    return "".join(c if c.isalnum() and c.isascii() or c in "_.+-" else "_" for c in path.stem)[:64] or "calibrated"


@contextlib.contextmanager
def _told(as_json: bool) -> Iterator[Callable[[str], None]]:
    """Counts what was done, on a terminal only."""
    if as_json or not sys.stderr.isatty():
        yield lambda word: None
        return
    from rich.console import Console

    done: dict[str, int] = {}
    with Console(stderr=True).status("drawing programs") as status:

        def step(word: str) -> None:
            done[word] = done.get(word, 0) + 1
            status.update(", ".join(f"{n} x {name}" for name, n in done.items()))

        yield step


_COLUMNS = (("tau", 1, 2, ""), ("apart", 1, 2, ""), ("regret_1", 100, 1, " %"), ("regret_5", 100, 1, " %"), ("error", 100, 0, " %"))
"""Of the table: a verdict's field, its scale, digits, unit."""


def _show(report: dict[str, Any]) -> None:
    click.echo(f"{report['samples']} programs. Of Specs that were not fitted, before -> after (docs/cost.md#calibration):")
    click.echo(f"  {'':20}{'Specs':>6}{'programs':>9}  {'tau':>12}  {'tau, apart':>12}  {'repeated':>8}  {'regret 1':>15}  {'regret 5':>15}  {'error':>13}")
    for part, after in report["after"].items():
        if not after["specs"]:
            continue
        before = report["before"][part]
        shown = (f"{before[key] * scale:.{digits}f} -> {after[key] * scale:.{digits}f}{unit}" for key, scale, digits, unit in _COLUMNS)
        tau, apart, first, five, error = shown
        click.echo(f"  {part:20}{after['specs']:6}{after['programs']:9}  {tau:>12}  {apart:>12}  {after['repeated']:8.2f}  {first:>15}  {five:>15}  {error:>13}")
    for name, (old, new) in report["changed"].items():
        click.echo(f"  {name:14}{old:>10.4g} -> {new:.4g} cycles")
    click.echo(f"wrote {report['target']}: use it as --target {report['target']}")
