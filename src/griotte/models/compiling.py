"""A model as a kernel: from the user's cache where it was compiled before."""

from __future__ import annotations

import time
import weakref
from dataclasses import replace
from typing import TYPE_CHECKING

from ..compiler.session import NOTHING, Session, Tuning
from ..engine.table.keys import declared, digest, emitted, target_key
from ..machine import runnable
from ..machine.target import Target
from ..runtime.model import ModelKernel
from ..runtime.saved import Library
from ..support.errors import SpecError
from . import kept
from .custom.winograd import filters
from .graph import ModelGraph

if TYPE_CHECKING:
    from .program import ModelProgram
    from .watching import Observer

MODEL = 13  # raised where what becomes of a model changes: simplifying, cutting, its C


def compiled(graph: ModelGraph, session: Session, progress: Observer | None = None) -> ModelKernel:
    """The kernel of a model, which is made for other targets as long as the graph is there. Only with the user's own
    table whole models are kept as well."""
    graph.require_covered()
    kernel = _kernel(graph, session, progress)
    kept_graph = weakref.ref(graph)

    def other(target: Target) -> Library:
        known = kept_graph()
        if known is None:
            raise SpecError(
                "expected a model whose graph is still there, to be compiled for another target, found none; hold the"
                " graph that gt.compile took"
            )
        program = _solved(known, replace(session, target=runnable(target), tuning=NOTHING))
        return replace(program.build(denormals=session.denormals), constants=program.arrays)

    kernel.others = other
    return kernel


def _kernel(graph: ModelGraph, session: Session, progress: Observer | None) -> ModelKernel:
    tuning, denormals = session.tuning, session.denormals
    if session.table is not None:
        return _solved(graph, session, progress).compile(denormals)
    started = time.perf_counter()
    asked = f"{session.threads} {session.effort} {filters()} {denormals}{_order(tuning)}"
    asked += "" if session.work is None else f" {session.work}"
    key = digest(f"{graph.digest} {target_key(session.target)} {asked} model {MODEL} {declared()} {emitted()}")
    kernel = kept.found(key)
    if kernel is not None and (not tuning.is_timed or (tuning.runs or 0) <= kernel.stats.get("tuned", {}).get("of", 0)):
        parts = kernel.stats.get("parts_solved", 0) + kernel.stats.get("parts_from_table", 0)
        seconds = time.perf_counter() - started
        kernel.stats |= {"parts_solved": 0, "parts_from_table": parts, "synthesis_s": seconds, "compile_s": 0.0}
        kernel.stats["specs_solved"] = 0
        return kernel
    program = _solved(graph, session, progress)
    return kept.keep(key, program.build(denormals=denormals), program.arrays)


def _order(tuning: Tuning) -> str:
    """Which model of times orders the parts' programs, where none is timed; whether what was timed counts."""
    if tuning.is_timed:
        return ""
    order = "" if tuning.model is None else f" by {digest(tuning.model.text())}"
    return order + " untuned" * (tuning.runs == 1)


def _solved(graph: ModelGraph, session: Session, progress: Observer | None = None) -> ModelProgram:
    from .tuning import program_of  # a kernel that was kept is loaded without a search

    return program_of(graph, session, progress)
