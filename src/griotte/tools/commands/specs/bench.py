"""griotte bench of a Spec: its kernel and contestants, timed in turns in one process on the same data."""

from __future__ import annotations

from typing import Any

import numpy as np
from griotte_peers import CONTESTANTS

from ....compiler.session import Session
from ....compiler.synthesis import program_of
from ....lang.meaning.agreement import compare, tolerance
from ....lang.meaning.reference import as_parts, empty_outputs
from ....lang.meaning.timed import timed_arrays
from ....machine import detect
from ....runtime import timing
from ....support.errors import SpecError
from .. import options
from ..output import duration, echo
from .facts import facts

PEAK = "peak"  # not a contestant: what the machine's registers and memory allow


def measure(spec, session: Session, names: list[str], seconds: float = 1.0, size: int | None = None) -> dict[str, Any]:
    """One result of the bench: the kernel is checked on the data it is timed on. A dynamic size is `size`, or its
    bound."""
    options.require_memory(spec)
    if size is not None and spec.dynamic is None:
        raise SpecError(
            f"expected a SPEC with a dynamic size, such as f32[<=512,8], beside --size, found {spec}; leave --size out"
        )
    program: Any = program_of(spec, session)
    kernel, target, threads = program.compile(), session.target, session.threads
    program = program.largest if size is None else program.at(size)
    arrays = timed_arrays(program.spec, np.random.default_rng(0))
    out = empty_outputs(spec, size or (spec.dynamic.bound if spec.dynamic else 0))
    call = kernel.bind(*as_parts(spec, arrays), out=out)
    error, ok, complaint = compare(program.spec, arrays, call(), tolerance(program.spec, arrays, random=True))
    runs: dict[str, Any] = {"griotte": call}
    with np.errstate(all="ignore"):
        runs |= {n: run for n in names if n != PEAK and (run := CONTESTANTS[n](program.spec, arrays, target, threads))}
    if PEAK in names:
        runs |= {
            "fma": timing.fma_peak(target, threads),
            "read": timing.read_bandwidth(program.spec.bytes, target, threads),
        }
    with np.errstate(all="ignore"):
        times = timing.interleaved(runs, seconds)
    ours = times["griotte"]
    found = {
        **facts(program, kernel),
        "max_rel_err": error,
        "ok": ok,
        "median_us": ours.median_us,
        "min_us": ours.min_us,
    }
    found |= {} if ok else {"error": complaint}
    found |= {"gflops": program.spec.flops / ours.median_us / 1e3, "gbps": program.spec.bytes / ours.median_us / 1e3}
    found["against"] = {
        n: {"median_us": times[n].median_us, "min_us": times[n].min_us, "ratio": times[n].median_us / ours.median_us}
        for n in CONTESTANTS
        if n in times
    }
    missing = [n for n in names if n not in times and n != PEAK]
    found |= {"not_measured": missing} if missing else {}
    found |= (
        {
            "peak_gflops": runs["fma"].rate(times["fma"].median_us),
            "peak_gbps": runs["read"].rate(times["read"].median_us),
        }
        if PEAK in names
        else {}
    )
    return found


def names_of(against: str | None) -> list[str]:
    """The contestants that --against names; numpy where it is left out."""
    names = [n.strip() for n in (against or "numpy").split(",") if n.strip() and n.strip() != "none"]
    known = (*CONTESTANTS, PEAK)
    for name in names:
        if name not in known:
            raise SpecError(f"expected {', '.join(known)} or none after --against, found {name!r}; leave it out")
    return list(dict.fromkeys(names))


def show(found: dict[str, Any]) -> None:
    """The result, a line for each contestant."""
    threads = f"{found['threads']} thread{'s' * (found['threads'] > 1)}"
    echo(f"{found['spec']}   {threads}, {found['target']}, {detect().name}")
    echo(
        f"  {'griotte':8} {duration(found['median_us']):>10} median {duration(found['min_us']):>10} least  "
        f" {found['gflops']:.1f} GFLOP/s, {found['gbps']:.1f} GB/s"
    )
    for name, other in found["against"].items():
        echo(
            f"  {name:8} {duration(other['median_us']):>10} median {duration(other['min_us']):>10} least  "
            f" {other['ratio']:.2f} x griotte's time"
        )
    for name in found.get("not_measured", ()):
        echo(f"  {name:8} not measured: not installed, or it has no such operation")
    if "peak_gflops" in found:
        echo(f"  peak     {found['peak_gflops']:.1f} GFLOP/s of f32 in registers, {found['peak_gbps']:.1f} GB/s read")
    if not found["ok"]:
        echo(f"  WRONG    {found['error']}")
