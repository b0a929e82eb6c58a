"""griotte check: synthesise, compile, run on data, compare with references."""

from __future__ import annotations

import sys
from typing import Any

import click

from ...compiler.session import SearchArguments, session_of
from ...machine import runnable
from . import options
from .output import for_each
from .subjects import Subject, subjects


@click.command()
@options.specs
@click.option("--seed", default=0, type=options.Count(0, 2**32 - 1), help="Of the data  [0]")
@options.of_search(options.host, timed=False)
def check(named: options.Named, seed: int, asked: SearchArguments, host: str | None, as_json: bool) -> None:
    """Compile each SPEC and compare its results with the reference, on random, whole-number and hostile data.

    One with a dynamic size is run at several sizes, the bound among them. Of a
    model onnx's reference and onnxruntime are asked too, where they are installed.
    Exit status 1 where a result is wrong.
    """
    session = session_of(**asked)
    runnable(session.target)

    def one(subject: Subject) -> dict[str, Any]:
        subject.refuse(memory=session.memory, host=host)
        return subject.check(session, seed, host, as_json)

    results = for_each(subjects(named), one, lambda subject, found: subject.show_check(found), as_json)
    if any("error" in r and "ok" not in r for r in results):
        sys.exit(2)
    if not all(r["ok"] for r in results):
        sys.exit(1)
