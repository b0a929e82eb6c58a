"""A model as the subject of a verb: compiled, checked against all references that there are, timed beside runtimes of
others."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import click
import numpy as np
from griotte_peers import MODEL_CONTESTANTS, quickest

from ... import onnx
from ...compiler.reports.explain import cycles, plural, unit
from ...compiler.reports.model import ordered, rows, tuned, workspace
from ...compiler.reports.model_html import ModelReport
from ...compiler.session import Session, TablePath
from ...lang.meaning.reference import part
from ...machine import runnable, runs_here
from ...models.hosting import compiled_hosted
from ...models.kept import compiled
from ...models.measuring import measured
from ...models.program import ModelProgram
from ...models.reference import KINDS, arrays_of
from ...models.sizes import at
from ...models.tuning import program_of
from ...models.watching import Observer
from ...runtime import timing
from ...runtime.compilers import find_compiler
from ...support.errors import SpecError
from ...support.printable import printable
from .output import echo, status
from .progress import watched
from .reading import ModelFile
from .references import Verdict, apart, available, fed, tolerance
from .subject import BenchOptions, Built, Rivals, Subject, refuse

TRYING = 0.3  # of the seconds for each contestant, in which its settings are tried
KEYS = (
    *("target", "threads", "cost", "cost_bound", "gap", "synthesis_s", "specs_solved"),
    *("parts", "parts_solved", "parts_from_table", "parts_possible", "parts_tried", "peak_rss_mb"),
    *("workspace_bytes", "live_bytes", "intermediates_bytes", "constants_bytes", "compile_s", "tuned", "model"),
)
"""Statistics of a model that go into --json, where they are known."""


def facts(file: ModelFile, stats: Mapping[str, Any], table: TablePath = None) -> dict[str, Any]:
    """The keys that every verb knows of a model."""
    found = {"spec": file.word, **{key: stats[key] for key in KEYS if stats.get(key) is not None}}
    if file.graph.bound is not None:
        found["bound"] = file.graph.bound
    if table is not None and os.path.isfile(table):
        found["table_bytes"] = os.path.getsize(table)
    return found


def headline(found: Mapping[str, Any]) -> str:
    """`m.onnx: 12 parts, 1 thread, native   cost 1.97 M cycles`"""
    size = f" at size {found['bound']}, the bound" if "bound" in found else ""
    return (
        f"{found['spec']}: {plural(found['parts'], 'part')}, {plural(found['threads'], 'thread')}, {found['target']}"
        f"   cost {cycles(found['cost'])}{size}"
    )


def paragraph(found: Mapping[str, Any]) -> list[str]:
    """What solving took, and what a call holds."""
    cut = f"of {found['parts_possible']:,} parts that a cut may have {found['parts_tried']:,} were tried"
    if 0 < found["gap"] < 1:
        cut += f"; another cut is at most {100 * found['gap']:.2g} % cheaper"
    solved = f"{found['parts_solved']} solved, {found['parts_from_table']} from the table"
    return [
        f"cut: {cut}; {solved}, {found['synthesis_s']:.1f} s",
        f"holds: {workspace(found)}, {unit(found['constants_bytes'], 'B')} of packed constants",
        *tuned(found),
        *ordered(found),
    ]


@dataclass(frozen=True, eq=False)
class ModelSubject(Subject):
    """A model that a file, or a text, has."""

    file: ModelFile
    kind: ClassVar[str] = "a model"
    unfit: ClassVar[frozenset[str]] = frozenset({"threads_by", "memory", "alternatives", "picture", "prefetch"})
    rivals: ClassVar[Rivals] = Rivals(tuple(MODEL_CONTESTANTS), "onnxruntime", " of a model", 11)

    def __str__(self) -> str:
        return str(self.file)

    def program(self, session: Session) -> ModelProgram:
        with watched(session.table) as observer:
            return program_of(self.file.graph, session, observer)

    def build(self, session: Session, threads_by: str) -> Built:
        """Its kernel, perhaps of the cache; for another machine its library. Its constants are packed here."""
        if not (runs_here(session.target) and find_compiler().is_for_here):
            return self._elsewhere(session, threads_by)
        with watched(session.table) as observer:
            kernel = compiled(self.file.graph, session, observer)
        found = facts(self.file, kernel.stats, session.table)
        lines = [headline(found), "", *paragraph(found), f"compiled in {found['compile_s']:.2f} s"]
        to = lambda directory, options: kernel.save(directory, **vars(options))
        return Built(kernel.signature.function, to, found, "\n".join(lines))

    def _elsewhere(self, session: Session, threads_by: str) -> Built:
        """Its library for a CPU that is not this one."""
        if session.tuning.is_timed:
            runnable(session.target)
        program = self.program(session)
        with status("compiling"):
            library = program.build(threads_by, session.denormals)
        found = self.facts(program, session, library)
        lines = [headline(found), "", *paragraph(found), f"compiled in {found['compile_s']:.2f} s"]
        to = lambda directory, options: program.save(directory, denormals=session.denormals, **vars(options))
        return Built(program.function, to, found, "\n".join(lines))

    def count(self, program: ModelProgram) -> None:
        """A model's are not counted."""

    def facts(self, program: ModelProgram, session: Session, built: Any = None) -> dict[str, Any]:
        more = {"cost": program.cost, "threads": program.threads, "target": program.target.name}
        stats = program.stats | more | program.held | ({} if built is None else built.metadata)
        return facts(self.file, stats, session.table)

    def report(self, program: ModelProgram, measure: bool) -> ModelReport:
        found = None
        if measure:
            arrays = arrays_of(self.file.graph, "timed", np.random.default_rng(0))
            with status("measuring"):
                found = measured(program, arrays)
        return ModelReport(program, found, Path(self.file.word.removeprefix("@")).name)

    def explained(self, report: ModelReport) -> dict[str, Any]:
        program, times = report.program, report.measured
        each = [
            row.facts() | ({} if part.program is None else {"program": str(part.program)})
            for row, part in zip(rows(program, times), program.parts)
        ]
        found: dict[str, Any] = {"parts_in_order": each}
        return found if times is None else found | {"median_us": times.whole, "ghz": times.ghz}

    def save_custom_ops(self, session: Session, directory: str | None) -> list[str]:
        if directory is None:
            raise click.UsageError("expected a directory for a model and its libraries, found none; add -o DIR")
        runnable(session.target)
        with watched(session.table) as observer:
            asked = session.target, session.threads, session.table, session.effort
            return list(map(str, onnx.save_custom_ops(self.file.graph, directory, *asked, observer)))

    def _kernel(self, session: Session, host: str | None, observer: Observer) -> Any:
        """The kernel, with `host` one that may need it: then nothing is asked of times."""
        if host is None:
            return compiled(self.file.graph, session, observer)
        refuse(
            "a model with a host",
            tune=session.tuning.runs,
            tune_seconds=session.tuning.seconds,
            model=session.tuning.model,
        )
        return compiled_hosted(self.file.graph, session, host, observer)

    def check(self, session: Session, seed: int, host: str | None) -> dict[str, Any]:
        """`references`: how far the kernel is from each; `not_compared`: why one is not there."""
        file, started = self.file, time.perf_counter()
        with watched(session.table) as observer:
            kernel = self._kernel(session, host, observer)
        found = facts(file, kernel.stats, session.table) | {"total_s": time.perf_counter() - started}
        told = Verdict(file, available(file), tolerance(file))
        rng = np.random.default_rng(seed)
        for size, kind in product(_sizes(file.graph.bound), KINDS):
            arrays = arrays_of(file.graph, kind, rng, size)
            results = kernel(*arrays)
            data = f"{kind} data" if size is None else f"{kind} data of size {size}"
            told.compare(data, arrays, results if isinstance(results, tuple) else (results,))
        return found | told.keys()

    def show_check(self, found: dict[str, Any]) -> None:
        told = ", ".join(f"{name} {error:.1e}" for name, error in found["references"].items())
        if found["ok"]:
            echo(
                f"ok     {found['spec']}   apart from {told}; within {found['tolerance']:.2g}; {found['total_s']:.2f} s"
            )
        else:
            echo(f"WRONG  {found['spec']}   {printable(found['error'])}; {told}")
        for name, why in found.get("not_compared", {}).items():
            echo(f"       not compared with {name}: {why}")

    def bench(self, session: Session, names: list[str], how: BenchOptions) -> dict[str, Any]:
        """The kernel's results are compared with those of every contestant; where there is none, or one differs, with
        the references'. `settings`: those of a contestant that were the quickest."""
        file, size, bound = self.file, how.size, self.file.graph.bound
        if size is not None and not (bound and size <= bound):
            told = f"one up to {bound}" if bound else "a model with a dynamic size"
            raise SpecError(f"expected {told} beside --size, found {size}, for {file}; leave --size out")
        size = size or bound
        if names and file.path is None:
            raise SpecError(
                f"expected an .onnx file to bench against {', '.join(names)}, found the text {file}; write --against"
                " none"
            )
        with watched(session.table) as observer:
            kernel = self._kernel(session, how.host, observer)
        arrays = arrays_of(file.graph, "timed", np.random.default_rng(0), size)
        out = tuple(part(value.type, size or 0) for _, value in file.graph.results)
        with status("measuring"):
            call = kernel.bind(*arrays, out=out)
            call()
            chosen, missing = _contestants(file, arrays, session.threads, names, TRYING * how.seconds)
            verdict = _verdict(file, arrays, out, {name: each.results() for name, (_, each) in chosen.items()})
            runs: dict[str, Any] = {"griotte": call}
            times = timing.interleaved(runs | {name: each.run for name, (_, each) in chosen.items()}, how.seconds)
        ours, flops = times["griotte"], at(file.graph, size or 0).flops
        return {
            **facts(file, kernel.stats, session.table),
            **({} if size is None else {"size": size}),
            **verdict,
            "median_us": ours.median_us,
            "min_us": ours.min_us,
            "gflops": flops / ours.median_us / 1e3,
            "against": {
                name: {
                    "median_us": times[name].median_us,
                    "min_us": times[name].min_us,
                    "ratio": times[name].median_us / ours.median_us,
                    "settings": words,
                }
                for name, (words, _) in chosen.items()
            },
            **({"not_measured": missing} if missing else {}),
        }


def _sizes(bound: int | None) -> list[Any]:
    """The sizes at which a model is run: of a dynamic one the least, the bound, and a few between."""
    return [None] if bound is None else sorted({1, min(2, bound), min(3, bound), bound - bound // 3, bound})


def _verdict(file: ModelFile, arrays: list[np.ndarray], out: Any, given: dict[str, Any]) -> dict[str, Any]:
    """The verdict on results, as JSON keys: right where those of all contestants are near enough. Else, as one of them
    may be wrong as well, the references are asked as by `check`."""
    within = tolerance(file)
    errors = {name: max(map(apart, out, found)) for name, found in given.items()}
    if errors and all(error <= within for error in errors.values()):
        return {"max_rel_err": max(errors.values()), "tolerance": within, "ok": True, "references": errors}
    verdict = Verdict(file, available(file), within)
    verdict.compare("the data that was timed", arrays, out)
    found = verdict.keys()
    far = {name: error for name, error in errors.items() if not error <= verdict.within}
    return found | ({"apart": far} if far else {})


def _contestants(
    file: ModelFile, arrays: list[np.ndarray], threads: int, names: list[str], seconds: float
) -> tuple[dict[str, Any], dict[str, str]]:
    """Contestants at their best settings, by name, each with the words of those; and why others are not there."""
    found, missing = {}, {}
    outputs = [name for name, _ in file.graph.results]
    for name in names:
        assert file.path is not None
        try:
            ways = MODEL_CONTESTANTS[name](file.path, fed(file, arrays), outputs, threads)
            if ways:
                found[name] = quickest(ways, seconds)
            else:
                missing[name] = "not installed"
        except Exception as error:  # of another library: it has no such operator, or dtype
            missing[name] = printable(f"{type(error).__name__}: {' '.join(str(error).split())[:200]}")
    return found, missing
