"""griotte bench: a kernel and its contestants, timed in turns in one process on the same data."""

from __future__ import annotations

import sys
from typing import Any

import click

from ...compiler.session import SearchArguments, session_of
from . import options
from .output import for_each
from .subjects import BenchOptions, Subject, subjects


@click.command()
@options.specs
@click.option(
    "--against",
    metavar="NAMES",
    help="Of numpy, torch, naive, peak, none; commas between  [numpy]; of a model: onnxruntime, openvino, none"
    "  [onnxruntime]",
)
@click.option("--seconds", default=1.0, type=options.Count(0.05, 600, float), help="For each contestant  [1]")
@click.option("--size", type=options.Count(1, 2**62), help="Of a dynamic size  [its bound]")
@options.of_search(options.host)
@options.as_one("how", BenchOptions)
def bench(named: options.Named, against: str | None, how: BenchOptions, asked: SearchArguments, as_json: bool) -> None:
    """Time each SPEC's kernel, or that of a model's file, beside others.

    All run in turns, in one process, on the same data and threads. numpy computes
    bf16 and f16 from f32 copies made ahead; naive is a plain loop nest in C on one
    thread; peak measures multiply-adds in registers and a sum over the same bytes.
    A const input is packed ahead for griotte; the others take it as it is.
    Exit status 1 where the kernel's result is wrong.
    """
    found = subjects(named)
    names = {subject: subject.contestants(against) for subject in found}
    asked["target"] = options.runnable(asked["target"], asked.pop("math"))

    def one(subject: Subject) -> dict[str, Any]:
        subject.refuse(memory=asked["memory"], host=how.host)
        return subject.bench(session_of(**asked), names[subject], how, as_json)

    results = for_each(found, one, lambda subject, told: subject.show_bench(told), as_json)
    if any("ok" not in r for r in results):
        sys.exit(2)
    if not all(r["ok"] for r in results):
        sys.exit(1)
