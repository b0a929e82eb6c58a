"""A model as a kernel: from the user's cache where it was compiled before, its packed constants mapped.

Of each model, under the digest of all that it follows from, `KEY.json` tells what it is, `KEY.c` and `KEY.h` are its C
and `KEY.bin` are its constants. Its library lies with the other kernels.
"""

from __future__ import annotations

import json
import secrets
import time
import weakref
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..compiler.session import NOTHING, Session, Tuning
from ..engine.table.keys import declared, digest, emitted, target_key
from ..machine.target import Target
from ..runtime.model import ModelKernel, Weights, kernel_of, mapped, packed, packed_into
from ..runtime.saved import Library, described, library_of
from ..support.errors import GriotteError, SpecError
from ..support.folders import base_dir, cache_dir, is_private, note_use, private_dir, write_atomically
from .custom.winograd import filters
from .graph import ModelGraph

ROOM = "models"


def loaded(key: str) -> ModelKernel | None:
    """The kernel of a model that was kept; None where it is not there, or not whole."""
    return next(filter(None, (_found(folder / ROOM / key) for folder in (cache_dir(), base_dir()))), None)


def _found(base: Path) -> ModelKernel | None:
    told, weights = base.with_suffix(".json"), base.with_suffix(".bin")
    try:
        if not is_private(told) or not is_private(weights):
            return None
        description = json.loads(told.read_bytes())
        source, header = (base.with_suffix(suffix).read_text(encoding="utf-8") for suffix in (".c", ".h"))
        if weights.stat().st_size != max(1, description["weights"]):
            return None
        library = library_of(source, header, description)
        if library.weights is None:
            return None
        kernel = kernel_of(library, mapped(weights))
    except (OSError, ValueError, KeyError, TypeError, GriotteError):
        return None
    note_use(told)
    return kernel


def keep(key: str, library: Library, constants: Callable[[], Iterable[np.ndarray]]) -> ModelKernel:
    """Keep a model, and load it; where there is no room for it, its constants are in this process alone."""
    from ..runtime.cache_size import wrote  # and with it the table

    base = private_dir(ROOM) / key
    temporary = base.with_name(f".{key}.{secrets.token_hex(8)}")
    try:
        packed_into(temporary, library, constants()).close()
        temporary.replace(base.with_suffix(".bin"))
        write_atomically(base.with_suffix(".c"), library.source.encode())
        write_atomically(base.with_suffix(".h"), library.header.encode())
        told = described(library)
        write_atomically(base.with_suffix(".json"), json.dumps(told, default=str).encode())
        weights: Weights = mapped(base.with_suffix(".bin"))
        wrote((library.weights or 0) + len(library.source) + len(library.header))
    except OSError:
        weights = packed(library, constants())
    finally:
        temporary.unlink(missing_ok=True)
    return kernel_of(library, weights)


if TYPE_CHECKING:
    from .program import ModelProgram
    from .watching import Observer

MODEL = 15  # raised where what becomes of a model changes: simplifying, cutting, its C


def compiled(graph: ModelGraph, session: Session, progress: Observer | None = None) -> ModelKernel:
    """The kernel of a model, which is made for other targets as long as the graph is there. Only with the user's own
    table whole models are kept as well."""
    graph.require_covered()
    return for_others(_kernel(graph, session, progress), graph, session)


def for_others(kernel: ModelKernel, graph: ModelGraph, session: Session) -> ModelKernel:
    """A kernel that is made for other targets as long as the graph is there."""
    kept_graph = weakref.ref(graph)

    def other(target: Target) -> Library:
        known = kept_graph()
        if known is None:
            raise SpecError(
                "expected a model whose graph is still there, to be compiled for another target, found none; hold the"
                " graph that gt.compile took"
            )
        program = _solved(known, replace(session, target=target, tuning=NOTHING))
        return replace(program.unbuilt(denormals=session.denormals), constants=program.arrays)

    kernel.others = other
    return kernel


def known(graph: ModelGraph, session: Session) -> ModelKernel | None:
    """The kernel of a model that was kept, and tuned as much as is asked for; None where there is none, and with
    another table than the user's own."""
    if session.table is not None:
        return None
    kernel, tuning = loaded(_key(graph, session)), session.tuning
    if kernel is None or not tuning.is_timed:
        return kernel
    spent = kernel.stats.get("tuned", {})
    is_enough = (tuning.runs or 0) <= spent.get("of", 0) and (tuning.seconds or 0) <= spent.get("seconds", 0) + 1e-3
    return kernel if is_enough else None


def _key(graph: ModelGraph, session: Session) -> str:
    """The digest of all that a kernel follows from."""
    asked = f"{session.threads} {session.effort} {filters()} {session.denormals}{_order(session.tuning)}"
    asked += "" if session.work is None else f" {session.work}"
    return digest(f"{graph.digest} {target_key(session.target)} {asked} model {MODEL} {declared()} {emitted()}")


def _kernel(graph: ModelGraph, session: Session, progress: Observer | None) -> ModelKernel:
    denormals = session.denormals
    if session.table is not None:
        return _solved(graph, session, progress).compile(denormals)
    started = time.perf_counter()
    kernel = known(graph, session)
    if kernel is not None:
        parts = kernel.stats.get("parts_solved", 0) + kernel.stats.get("parts_from_table", 0)
        seconds = time.perf_counter() - started
        kernel.stats |= {"parts_solved": 0, "parts_from_table": parts, "synthesis_s": seconds, "compile_s": 0.0}
        kernel.stats["specs_solved"] = 0
        return kernel
    program = _solved(graph, session, progress)
    return keep(_key(graph, session), program.build(denormals=denormals), program.arrays)


def _order(tuning: Tuning) -> str:
    """Which model of times orders the parts' programs, where none is timed; whether what was timed counts."""
    if tuning.is_timed:
        return ""
    order = "" if tuning.model is None else f" by {digest(tuning.model.text())}"
    return order + " untuned" * (tuning.runs == 1)


def _solved(graph: ModelGraph, session: Session, progress: Observer | None = None) -> ModelProgram:
    from .tuning import program_of  # a kernel that was kept is loaded without a search

    return program_of(graph, session, progress)
