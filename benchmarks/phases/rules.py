"""Which phase a function of griotte is of: the rule of the innermost frame that has one. A prefix is of a file below
src/griotte; a longer one counts before a shorter. Rooms without a rule (`lang/`, `support/`, `engine/rewrites/`,
`engine/leaves/`) work for whoever calls them."""

from __future__ import annotations

RULES = {
    "onnx/": "reading",
    "torch/": "reading",
    "jax/": "reading",
    "readers/": "reading",
    "models/simplify": "simplify",
    "models/rules": "simplify",
    "models/sizes.py": "simplify",
    "models/": "asking",
    "models/pool.py": "pool",
    "models/worker.py": "pool",
    "models/kept.py": "load",
    "models/program.py": "C text",
    "engine/cutting/": "cutting",
    "compiler/partition/": "goals",
    "compiler/": "rebuild",
    "engine/canonical/": "goals",
    "engine/idioms/": "goals",
    "engine/search/": "structure",
    "engine/search/problem.py": "goals",
    "engine/search/ladder.py": "goals",
    "engine/search/goals.py": "goals",
    "engine/search/arrays.py": "prices",
    "engine/search/family.py": "prices",
    "engine/search/grid.py": "prices",
    "engine/search/limits.py": "prices",
    "engine/search/rebuild.py": "rebuild",
    "engine/search/replay.py": "rebuild",
    "engine/search/kbest.py": "rebuild",
    "engine/search/tree_costs.py": "rebuild",
    "engine/search/division.py": "rebuild",
    "engine/search/reached.py": "table",
    "engine/table/": "table",
    "engine/program/": "rebuild",
    "engine/learned/": "rebuild",
    "codegen/": "C text",
    "runtime/": "load",
}
ORDERED = sorted(RULES.items(), key=lambda rule: -len(rule[0]))

NUMBA = {"relax": "Numba relax", "close": "Numba close"}
OTHER_NUMBA = "Numba other"  # covers of decisions by boxes, and the like

PHASES = (
    "reading",
    "simplify",
    "asking",
    "cutting",
    "pool",
    "goals",
    "structure",
    "prices",
    "Numba relax",
    "Numba close",
    "Numba other",
    "table",
    "rebuild",
    "C text",
    "C compiler",
    "load",
    "imports",
    "other",
)
MEANS = {
    "reading": "the file as a graph of calls",
    "simplify": "rules over the graph",
    "asking": "atoms, layouts, the Specs of pieces, their kernels",
    "cutting": "pieces, their bounds, the cheapest cut of the moment",
    "pool": "Specs and programs to workers and back",
    "goals": "canonical Specs, goal families, ladders; whether one search covers them",
    "structure": "families, edges, limits that are met, in Python",
    "prices": "grids, own costs of edges, tables for the loops, in Python and NumPy",
    "Numba relax": "edges relaxed, as machine code",
    "Numba close": "blocks closed under loops, as machine code",
    "Numba other": "decisions covered by boxes, as machine code",
    "table": "what is kept of families, and read",
    "rebuild": "programs from decisions",
    "C text": "the C of all parts",
    "C compiler": "its processes",
    "load": "the library, its constants packed, the kernel",
    "imports": "modules, and Numba's code from its cache",
    "other": "of no phase, and what no sample saw",
}


def phase_of(path: str) -> str | None:
    """The phase of a file below src/griotte; None where its callers tell."""
    return next((phase for prefix, phase in ORDERED if path.startswith(prefix)), None)
