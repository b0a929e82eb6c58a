"""A Spec as the subject of a verb: compiled; checked against the reference on random, whole-number and hostile data;
timed beside contestants."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from griotte_peers import CONTESTANTS

from ...compiler.programs import Program
from ...compiler.reports.report import ProgramReport
from ...compiler.session import Session
from ...compiler.synthesis import program_of
from ...lang.calls.spec import Spec
from ...lang.meaning.agreement import compare, tolerance
from ...lang.meaning.reference import as_parts, empty_outputs
from ...lang.meaning.samples import SPREADS, called_functions, sample, spread_arrays, timed_arrays
from ...lang.text.text import parse
from ...runtime import timing
from ...runtime.packages import save
from ...support.errors import SpecError
from ...support.printable import printable
from .output import echo, status, wants_json
from .subject import BenchOptions, Built, Rivals, Subject

BRIEF = 0.02  # share of the cost below which parts are left out; `griotte explain` shows all
PEAK = "peak"  # not a contestant: what the machine's registers and memory allow
RUNS = ("random", "whole-number", "hostile", "hostile")  # the data of each run of a check
LEAST = 4.0  # slots of a function, from which what it takes may depend on its data
MOST_SIZES = 40  # of a dynamic size, that are run
KEYS = (
    *("specs_solved", "specs_known", "families", "synthesis_s", "programs_log10"),
    *("rectangles", "compression", "peak_rss_mb", "table_bytes"),
)
"""Statistics of a program that go into --json, where they are known."""


def facts(program, built=None) -> dict[str, Any]:
    """The keys that every verb knows of a program, and of what was built of it, a Kernel or a Library."""
    found = {
        "spec": str(program.spec),
        "target": program.target.name,
        "math": program.target.math,
        "threads": program.threads,
        "cost": program.cost,
    }
    found |= {k: program.stats[k] for k in KEYS if program.stats.get(k) is not None}
    found |= {"tuned": program.stats["tuned"]} if "tuned" in program.stats else {}
    if told := program.stats.get("model"):
        apart = ("predicted", "predicted_us", "uncertainty")
        found |= {"model": {key: value for key, value in told.items() if key not in apart}}
        found |= {key: told[key] for key in apart if told[key] is not None}
    if program.largest is not program:
        found["groups"] = len(program.groups)
    if where := program.report.cuts:
        found["cuts"] = [{key: value for key, value in asdict(cut).items() if value != ""} for cut in where]
    if built is not None:
        found["compile_s"] = built.metadata["compile_s"]
    return found


@dataclass(frozen=True, eq=False)
class SpecSubject(Subject):
    """A Spec."""

    spec: Spec
    kind: ClassVar[str] = "a Spec"
    unfit: ClassVar[frozenset[str]] = frozenset({"weights", "ort_custom_op", "host", "measure", "part"})
    rivals: ClassVar[Rivals] = Rivals((*CONTESTANTS, PEAK), "numpy")

    def __str__(self) -> str:
        return str(self.spec)

    @status("searching")
    def program(self, session: Session) -> Program:
        return program_of(self.spec, session)

    def build(self, session: Session, threads_by: str) -> Built:
        program = self.program(session)
        with status("compiling"):
            library = program.build(threads_by, session.denormals)
        if wants_json():
            program.count()
        text = f"{program.report.text(BRIEF)}\ncompiled in {library.metadata['compile_s']:.2f} s"
        to = lambda directory, options: save(library, directory, options)
        return Built(program.function, to, self.facts(program, session, library), text)

    @status("counting programs")
    def count(self, program: Program) -> None:
        program.count()

    def facts(self, program: Program, session: Session, built: Any = None) -> dict[str, Any]:
        return facts(program, built)

    def report(self, program: Program, measure: bool) -> ProgramReport:
        return program.report

    def explained(self, report: ProgramReport) -> dict[str, Any]:
        return {"program": str(report.program)}

    @status("checking")
    def check(self, session: Session, seed: int, host: str | None) -> dict[str, Any]:
        return examine(self.spec, session, seed)

    def show_check(self, found: dict[str, Any]) -> None:
        if found["ok"]:
            error = f"largest relative error {found['max_rel_err']:.1e}"
            echo(f"ok     {found['spec']}   {error}, {found['total_s']:.2f} s")
        else:
            echo(f"WRONG  {found['spec']}   {printable(found.get('error', ''))}")

    @status("measuring")
    def bench(self, session: Session, names: list[str], how: BenchOptions) -> dict[str, Any]:
        """The kernel is checked on the data it is timed on. A dynamic size is that of the options, or its bound."""
        spec, size = self.spec, how.size
        require_memory(spec)
        if size is not None and spec.dynamic is None:
            raise SpecError(
                f"expected a SPEC with a dynamic size, such as f32[<=512,8], beside --size, found {spec}; leave --size"
                " out"
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
            runs |= {
                n: run for n in names if n != PEAK and (run := CONTESTANTS[n](program.spec, arrays, target, threads))
            }
        if PEAK in names:
            runs |= {
                "fma": timing.fma_peak(target, threads),
                "read": timing.read_bandwidth(program.spec.bytes, target, threads),
            }
        with np.errstate(all="ignore"):
            times = timing.interleaved(runs, how.seconds)
        ours = times["griotte"]
        found = {
            **facts(program, kernel),
            "max_rel_err": error,
            "ok": ok,
            "median_us": ours.median_us,
            "min_us": ours.min_us,
        }
        found |= {} if ok else {"error": complaint}
        found |= {
            "gflops": program.spec.flops / ours.median_us / 1e3,
            "gbps": program.spec.bytes / ours.median_us / 1e3,
        }
        found["against"] = {
            n: {
                "median_us": times[n].median_us,
                "min_us": times[n].min_us,
                "ratio": times[n].median_us / ours.median_us,
            }
            for n in CONTESTANTS
            if n in times
        }
        slots = target.function
        if any(slots[name].all >= LEAST for name in called_functions(program.spec) if name in slots):
            bound = lambda arrays: kernel.bind(*as_parts(spec, arrays), out=out)
            found |= _over_magnitudes(program.spec, bound, how.seconds)
        missing = {n: _why_not(n, spec) for n in names if n not in times and n != PEAK}
        found |= {"not_measured": missing} if missing else {}
        if PEAK in names:
            found["peak_gflops"] = runs["fma"].rate(times["fma"].median_us)
            found["peak_gbps"] = runs["read"].rate(times["read"].median_us)
        return found


def _why_not(name: str, spec: Spec) -> str:
    """Why a contestant was not timed."""
    if name == "torch" and importlib.util.find_spec(name) is None:
        return "not installed"
    if spec.is_composed:
        return "it is compared in single operations alone, such as matmul, exp or sum"
    return "it has no such operation, or not in these dtypes"


def _over_magnitudes(spec: Spec, bound: Callable[[list[np.ndarray]], Any], seconds: float) -> dict[str, Any]:
    """Microseconds on normal data of each spread, in turns; and the slowest over the first, which is moderate."""
    with np.errstate(all="ignore"):
        runs = {f"{spread:g}": bound(spread_arrays(spec, np.random.default_rng(0), spread)) for spread in SPREADS}
        times = timing.interleaved(runs, seconds / len(runs))
    taken = {name: found.median_us for name, found in times.items()}
    return {"magnitudes": taken, "slowest_ratio": max(taken.values()) / next(iter(taken.values()))}


def examine(spec, session: Session, seed: int) -> dict[str, Any]:
    """The result of one check; `error` names the fault where `ok` is false, `total_s` is text to kernel."""
    started = time.perf_counter()
    spec = parse(spec) if isinstance(spec, str) else spec
    require_memory(spec)
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


def require_memory(spec) -> None:
    """SpecError where the arrays of `spec`, and the reference's in f64, would not fit the memory that is free."""
    needed = spec.bytes + 8 * (sum(t.elements for t in spec.tensors) + sum(t.elements for t in spec.outputs))
    free = _free_memory()
    if free is not None and needed > free:
        raise SpecError(
            f"expected {needed / 2**30:.3g} GiB of free memory to run and check {spec}, found {free / 2**30:.3g}; use a"
            " smaller SPEC, or compile it without running it"
        )


def _free_memory() -> int | None:
    """Bytes that Linux says a new program may take; None where it does not say."""
    try:
        rows = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines() if ":" in line)
        return int(rows["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None
