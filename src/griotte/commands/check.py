"""griotte check: synthesise, compile, run on random, whole-number and hostile data, compare with the reference."""

from __future__ import annotations

import sys
import time
from itertools import product
from typing import Any

import click
import numpy as np

from ..frontends.text import parse
from ..ir.agreement import compare, tolerance
from ..ir.reference import as_parts
from ..ir.samples import sample
from ..printable import printable
from ..session import SearchArguments, Session, session_of
from ..synthesis import program_of
from ..targets import runnable
from . import options
from .facts import facts
from .models.check import examine_model, show_model
from .models.reading import ModelFile, refuse
from .output import echo, for_each, status

RUNS = ("random", "whole-number", "hostile", "hostile")  # the data of each
MOST_SIZES = 40  # of a dynamic size, that are run


@click.command()
@options.specs
@click.option("--seed", default=0, type=options.Count(0, 2**32 - 1), help="Of the data  [0]")
@options.target
@options.threads
@options.table
@options.memory
@options.effort
@options.math
@options.shapes
@options.constants
@options.host
@options.as_json
@options.gathered
def check(
    specs: tuple[str, ...],
    seed: int,
    asked: SearchArguments,
    shapes: tuple[str, ...],
    constants: tuple[str, ...],
    host: str | None,
    as_json: bool,
) -> None:
    """Compile each SPEC and compare its results with the reference, on random, whole-number and hostile data.

    One with a dynamic size is run at several sizes, the bound among them. Of a
    model onnx's reference and onnxruntime are asked too, where they are installed.
    Exit status 1 where a result is wrong.
    """
    session = session_of(**asked)
    runnable(session.target)

    def one(spec) -> dict[str, Any]:
        if isinstance(spec, ModelFile):
            refuse("a model", memory=session.memory)
            return examine_model(spec, session, seed, host, as_json)
        refuse("a Spec", host=host)
        with status("checking", as_json):
            return examine(spec, session, seed)

    results = for_each(options.parse_all(specs, shapes, constants), one, show, as_json)
    if any("error" in r and "ok" not in r for r in results):
        sys.exit(2)
    if not all(r["ok"] for r in results):
        sys.exit(1)


def examine(spec, session: Session, seed: int) -> dict[str, Any]:
    """The result of one check; `error` says what is wrong where `ok` is false, `total_s` is text to kernel."""
    started = time.perf_counter()
    spec = parse(spec) if isinstance(spec, str) else spec
    options.require_memory(spec)
    program = program_of(spec, session)
    kernel = program.compile()
    found = {**facts(program, kernel), "total_s": time.perf_counter() - started, "max_rel_err": 0.0, "ok": True}
    rng = np.random.default_rng(seed)
    for one, kind in product(_with_fixed_sizes(program), RUNS):
        arrays = sample(kind, one, rng)
        error, ok, complaint = compare(
            one, arrays, _run(kernel, spec, as_parts(spec, arrays)), tolerance(one, arrays, random=kind == "random")
        )
        found["max_rel_err"] = max(found["max_rel_err"], error)
        if not ok:
            return {**found, "ok": False, "error": f"{kind} data: {complaint}"}
    return found


def _run(kernel, spec, arrays):
    """The kernel's result with constants bound, as they are packed, and the rest passed."""
    fixed = kernel.bind(*(a if t.constant else None for a, t in zip(arrays, spec.inputs)))
    return fixed(*(a for a, t in zip(arrays, spec.inputs) if not t.constant))


def _with_fixed_sizes(program) -> list:
    """The Spec; of a dynamic size: at every size up to a few, else at the ends of each group, and at some between."""
    if program.largest is program:
        return [program.spec]
    bound = program.spec.dynamic.bound
    ends = sorted({n for sizes, _ in program.groups for n in (sizes[0], sizes[-1])} | {1, bound - bound // 3, bound})
    sizes = range(1, bound + 1) if bound <= MOST_SIZES else [*ends[:: -(-len(ends) // MOST_SIZES)], bound]
    return [program.spec.at(n) for n in sizes]


def show(result: dict[str, Any]) -> None:
    """The result in a line."""
    if "references" in result:
        show_model(result)
    elif result["ok"]:
        echo(f"ok     {result['spec']}   largest relative error {result['max_rel_err']:.1e}, {result['total_s']:.2f} s")
    else:
        echo(f"WRONG  {result['spec']}   {printable(result.get('error', ''))}")
