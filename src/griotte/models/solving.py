"""A model, solved: cut into parts, each searched as one."""

from __future__ import annotations

import time
from typing import Any

from ..ir.spec import Spec
from ..programs import Program
from ..synthesis import synthesize
from ..targets.target import Target
from .atoms import atoms_of, moves_nothing
from .graph import ModelGraph
from .parts import part_of
from .program import ModelProgram, SolvedPart


def solve(graph: ModelGraph, target: Target, threads: int, table: Any, effort: int) -> ModelProgram:
    """The program of a model."""
    started = time.perf_counter()
    programs: dict[Spec, Program] = {}
    parts = []
    for atom in atoms_of(graph):
        part = part_of(graph, atom)
        if len(atom) == 1 and moves_nothing(graph, atom[0]):
            parts.append(SolvedPart(part, None))
            continue
        if part.spec not in programs:
            programs[part.spec] = synthesize(part.spec, target, threads, table, effort=effort)
        parts.append(SolvedPart(part, programs[part.spec]))
    stats = {"parts": len(parts), "parts_solved": len(programs), "synthesis_s": time.perf_counter() - started}
    return ModelProgram(graph, graph, tuple(parts), target, threads, stats)
