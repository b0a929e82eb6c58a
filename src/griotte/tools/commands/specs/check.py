"""griotte check of a Spec: its kernel on random, whole-number and hostile data, against the reference."""

from __future__ import annotations

import time
from itertools import product
from typing import Any

import numpy as np

from ....compiler.session import Session
from ....compiler.synthesis import program_of
from ....lang.meaning.agreement import compare, tolerance
from ....lang.meaning.reference import as_parts
from ....lang.meaning.samples import sample
from ....lang.text.text import parse
from ....support.printable import printable
from .. import options
from ..output import echo
from .facts import facts

RUNS = ("random", "whole-number", "hostile", "hostile")  # the data of each
MOST_SIZES = 40  # of a dynamic size, that are run


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
    if result["ok"]:
        echo(f"ok     {result['spec']}   largest relative error {result['max_rel_err']:.1e}, {result['total_s']:.2f} s")
    else:
        echo(f"WRONG  {result['spec']}   {printable(result.get('error', ''))}")
