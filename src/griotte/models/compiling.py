"""A model as a kernel: from the user's cache where it was compiled before."""

from __future__ import annotations

import time
import weakref
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..denormals import require
from ..errors import SpecError
from ..runtime.model import ModelKernel
from ..runtime.saved import Library
from ..table.keys import declared, digest, emitted, target_key
from ..targets import runnable
from ..targets.target import Target
from . import kept
from .graph import ModelGraph
from .timing import NOTHING, TimesAsked
from .winograd import filters

if TYPE_CHECKING:
    from .program import ModelProgram
    from .watching import Observer

MODEL = 13  # raised where what becomes of a model changes: simplifying, cutting, its C


def compiled(
    graph: ModelGraph,
    target: Target,
    threads: int,
    table: Any,
    effort: int,
    progress: Observer | None = None,
    denormals: str = "keep",
    timing: TimesAsked = NOTHING,
) -> ModelKernel:
    """The kernel of a model, which is made for other targets as long as the graph is there. Only with the user's own
    table whole models are kept as well."""
    graph.require_covered()
    require(denormals)
    kernel = _kernel(graph, target, threads, table, effort, progress, denormals, timing)
    kept_graph = weakref.ref(graph)

    def other(target: Target) -> Library:
        known = kept_graph()
        if known is None:
            raise SpecError(
                "expected a model whose graph is still there, to be compiled for another target, found none; hold the"
                " graph that gt.compile took"
            )
        program = _solved(known, runnable(target), threads, table, effort, None)
        return replace(program.build(denormals), constants=program.arrays)

    kernel.others = other
    return kernel


def _kernel(
    graph: ModelGraph,
    target: Target,
    threads: int,
    table: Any,
    effort: int,
    progress: Observer | None,
    denormals: str,
    timing: TimesAsked,
) -> ModelKernel:
    if table is not None:
        return _solved(graph, target, threads, table, effort, progress, timing).compile(denormals)
    started = time.perf_counter()
    asked = f"{threads} {effort} {filters()} {denormals}{_order(timing)}"
    key = digest(f"{graph.digest} {target_key(target)} {asked} model {MODEL} {declared()} {emitted()}")
    kernel = kept.found(key)
    if kernel is not None and (
        not timing.are_taken or (timing.runs or 0) <= kernel.stats.get("tuned", {}).get("of", 0)
    ):
        parts = kernel.stats.get("parts_solved", 0) + kernel.stats.get("parts_from_table", 0)
        seconds = time.perf_counter() - started
        kernel.stats |= {"parts_solved": 0, "parts_from_table": parts, "synthesis_s": seconds, "compile_s": 0.0}
        kernel.stats["specs_solved"] = 0
        return kernel
    program = _solved(graph, target, threads, table, effort, progress, timing)
    return kept.keep(key, program.build(denormals), program.arrays)


def _order(timing: TimesAsked) -> str:
    """Which model of times orders the parts' programs, where none is timed; whether what was timed counts."""
    if timing.are_taken:
        return ""
    order = "" if timing.model is None else f" by {digest(timing.model.text())}"
    return order + " untuned" * (timing.runs == 1)


def _solved(
    graph: ModelGraph,
    target: Target,
    threads: int,
    table: Any,
    effort: int,
    progress: Observer | None,
    timing: TimesAsked = NOTHING,
) -> ModelProgram:
    from .tuning import program_of  # a kernel that was kept is loaded without a search

    return program_of(graph, target, threads, table, effort, timing, progress)
