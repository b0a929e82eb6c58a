"""python -m drawn N, from tests/: N Specs, or models, drawn at random, each checked as griotte check does."""

from __future__ import annotations

import sys

import click
import numpy as np
from griotte.compiler.session import Session
from griotte.support.errors import GriotteError
from griotte.tools.commands import options
from griotte.tools.commands.models import ModelSubject
from griotte.tools.commands.output import progress, show, wants_json
from griotte.tools.commands.reading import parse_all
from griotte.tools.commands.specs import SpecSubject

from .dynamic import with_dynamic
from .graphs import random_graph, random_outputs
from .models import random_models
from .specs import random_spec

WITH_OUTPUTS = 8  # of so many graphs one has several outputs


@click.command("python -m drawn")
@click.argument("count", metavar="N", type=options.Count(1, 1_000_000))
@click.option("--graphs", is_flag=True, help="Draw graphs of up to 8 calls, one in eight of several outputs.")
@click.option("--models", is_flag=True, help="Draw models, of calls of every kind; --effort is 1.")
@click.option("--dynamic", is_flag=True, help="Make a size of what is drawn dynamic, where it may be.")
@click.option("--seed", default=0, type=options.Count(0, 2**32 - 1), help="Of the drawing and of the data  [0]")
@options.target
@options.threads
@options.table
@options.memory
@options.as_json
def main(
    count: int,
    graphs: bool,
    models: bool,
    dynamic: bool,
    seed: int,
    target: str,
    threads: int,
    table: str | None,
    memory: str | None,
) -> None:
    """Compile N random Specs or models and compare them with the reference. Exit status 1 where one is wrong."""
    try:
        goal = options.runnable(target)
    except GriotteError as error:
        raise click.ClickException(str(error)) from None
    results = []
    with progress(count, "checking") as advance:
        for text in random_models(count, seed) if models else texts(count, graphs, dynamic, seed):
            try:
                (parsed,) = parse_all((text,))
                if models:
                    subject, session = ModelSubject(parsed), Session(goal, threads, table, effort=1)
                else:
                    subject, session = SpecSubject(parsed), Session(goal, threads, table, memory)
                results.append(subject.check(session, seed, None))
            except GriotteError as error:  # what is drawn is supported: any refusal is a failure
                results.append({"spec": text, "ok": False, "error": str(error)})
            advance()
            if not results[-1]["ok"] and not wants_json():
                subject.show_check(results[-1])
    _tell(results, seed)
    sys.exit(0 if all(result["ok"] for result in results) else 1)


def texts(count: int, graphs: bool, dynamic: bool, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    kinds = [random_spec] if not graphs else [random_graph] * (WITH_OUTPUTS - 1) + [random_outputs]
    plain = [kinds[i % len(kinds)](rng) for i in range(count)]
    return [with_dynamic(text, rng) if dynamic else text for text in plain]


def _tell(results: list[dict], seed: int) -> None:
    seconds = [r["total_s"] for r in results if "total_s" in r]
    summary = {"right": sum(r["ok"] for r in results), "wrong": sum(not r["ok"] for r in results), "seed": seed}
    if seconds:
        summary |= {"median_s": float(np.median(seconds)), "p95_s": float(np.percentile(seconds, 95))}
    times = (
        f"; text to kernel {summary['median_s']:.2f} s median, {summary['p95_s']:.2f} s 95th percentile"
        if seconds
        else ""
    )
    show({"results": results, **summary}, f"{summary['right']} of {len(results)} right (seed {seed}){times}")


if __name__ == "__main__":
    main()
