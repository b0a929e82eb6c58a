"""300 Specs drawn at random: whether their kernels are right, and how long it takes from text to the first result."""

from __future__ import annotations

import collections
import functools
import statistics
import tempfile
import time
from collections.abc import Iterator
from itertools import repeat

import child
from row import Result, Row, Run

COUNT, QUICK_COUNT, SEED, LARGEST_SIZE = 300, 30, 20, 300
MEDIAN_SECONDS, P95_SECONDS = 2.0, 8.0
KINDS = ("random", "whole-number", "hostile")
SHOWN = 3  # failures named in the table; the JSON file has all


def rows() -> list[Row]:
    return [
        Row("check-300", f"{COUNT} random Specs: random, whole-number, hostile data", "all right", _check),
        Row(
            "latency-300",
            "the same, text -> running kernel",
            f"median <= {MEDIAN_SECONDS:g} s, p95 <= {P95_SECONDS:g} s",
            _latency,
        ),
    ]


def _check(run: Run) -> Result:
    found = _measured(run)
    wrong = [f for f in found if f["wrong"]]
    by_kind = collections.Counter(f["spec"].split("(")[0] for f in wrong)
    text = f"{len(found) - len(wrong)} of {len(found)} right"
    for failure in wrong[:SHOWN]:
        text += f"\n{failure['spec']}: {failure['wrong']}"
    return Result(text, not wrong, {"seed": SEED, "count": len(found), "wrong_by_operation": by_kind, "wrong": wrong})


def _latency(run: Run) -> Result:
    found = _measured(run)
    times = sorted(f["seconds"] for f in found if f["seconds"] is not None)
    if len(times) < 2:
        return Result("no kernel ran", False)
    median, p95 = statistics.median(times), statistics.quantiles(times, n=20, method="inclusive")[-1]
    unmade = len(found) - len(times)
    slowest = sorted((f for f in found if f["seconds"] is not None), key=lambda f: -f["seconds"])[:10]
    text = f"median {median:.2f} s, p95 {p95:.2f} s, longest {times[-1]:.1f} s" + (
        f"; {unmade} made no kernel" if unmade else ""
    )
    stages = {
        stage: statistics.median(f[stage] for f in found if f["seconds"] is not None)
        for stage in ("synthesis_s", "emit_s", "compile_s", "call_s")
    }
    is_ok = median <= MEDIAN_SECONDS and p95 <= P95_SECONDS and not unmade
    return Result(
        text,
        is_ok,
        {
            "median_s": median,
            "p95_s": p95,
            "longest_s": times[-1],
            "median_of_stage": stages,
            "slowest": slowest,
            "times": times,
        },
    )


@functools.cache
def _measured(run: Run) -> list[dict]:
    """One process runs them all, with an empty cache of kernels and no table; where a kernel kills it, another goes
    on."""
    count = QUICK_COUNT if run.quick else COUNT
    found: list[dict] = []
    with tempfile.TemporaryDirectory() as cache:
        while len(found) < count:
            try:
                for one in child.stream("random_specs:check_and_time", len(found), count, env={"GRIOTTE_CACHE": cache}):
                    found.append(one)
                    run.note(f"{len(found)} of {count}: {one['spec']}")
            except child.ChildFailed as failure:
                found.append(
                    {
                        "spec": child.call("random_specs:drawn", count)[len(found)],
                        "seconds": None,
                        "wrong": str(failure),
                    }
                )
    return found


def drawn(count: int) -> list[str]:
    """The first `count` distinct Specs of the seed."""
    import numpy as np
    from drawing import random_spec

    rng, specs = np.random.default_rng(SEED), {}
    while len(specs) < count:
        specs[random_spec(rng, LARGEST_SIZE)] = None
    return list(specs)


def check_and_time(start: int, count: int) -> Iterator[dict]:
    """In a child: the Specs from number `start` on, one answer each.

    Times: text -> Program, Program -> C, C -> Kernel, first call; the arrays are made outside of them.
    """
    for index, text in enumerate(drawn(count)):
        if index >= start:
            yield {"spec": text, **_one(text, index)}


def _one(text: str, index: int) -> dict:
    import griotte as gt
    import numpy as np
    from griotte.lang.meaning.samples import sample

    rng = np.random.default_rng((SEED, index))
    try:
        spec = gt.parse(text)
        usual, *others = (sample(kind, spec, rng) for kind in KINDS)
        out = _garbage(spec)
        clock = [time.perf_counter()]
        program = gt.synthesize(text, table="none")
        clock.append(time.perf_counter())
        program.to_c()
        clock.append(time.perf_counter())
        kernel = program.compile()
        clock.append(time.perf_counter())
        kernel(*usual, out=out)
        clock.append(time.perf_counter())
    except Exception as error:  # a Spec that cannot be made is a finding, not the end of the run
        return {"seconds": None, "wrong": f"{type(error).__name__}: {error}"}
    stages = dict(zip(("synthesis_s", "emit_s", "compile_s", "call_s"), np.diff(clock).tolist()))
    results = (out, *(kernel(*arrays, out=_garbage(spec)) for arrays in others))
    wrong = next(filter(None, map(_complaint, KINDS, repeat(spec), (usual, *others), results)), "")
    return {"seconds": clock[-1] - clock[0], **stages, "specs_solved": program.stats["specs_solved"], "wrong": wrong}


def _garbage(spec):
    """An output full of bytes that no kernel writes by chance, so that what is left out shows."""
    import numpy as np
    from griotte.lang.meaning.reference import empty

    out = empty(spec.output)
    out.transpose(spec.output.minor_to_major[::-1]).view(np.uint8 if out.ndim else out.dtype)[...] = 0x5B
    return out


def _complaint(kind: str, spec, arrays, result) -> str:
    from griotte.lang.meaning.agreement import compare, tolerance

    return compare(spec, arrays, result, tolerance(spec, arrays, random=kind == "random"))[2]
