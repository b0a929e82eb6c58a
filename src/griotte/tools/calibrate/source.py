"""The C of all probes: short functions, each of which does one thing over and over.

It is in vectors of the target's width and for its compiler flags; no instruction is named. Each function gives the
cycles of one unit of its work, by a chain of dependent additions that is timed right before and after it: one addition
takes one cycle on every core that griotte knows. It gives no number (NaN) where the two differ.
"""

from __future__ import annotations

from ...lang.nests.family import LINE
from ...machine.target import Target
from .clock import CLOCK
from .core import CORE, shuffle
from .far import MEMORY
from .probes import BESIDE, ROWS
from .products import STRIDED, beside, rows_by
from .team import TEAM


def source(target: Target, threads: int = 1) -> str:
    """The C of all probes; those that take two threads where they are asked for."""
    lanes = target.vector_bytes // 4
    settings = f"#define BYTES {target.vector_bytes}\n#define PER_LINE {max(1, LINE // target.vector_bytes)}\n"
    return (
        settings
        + CLOCK
        + CORE
        + shuffle(lanes)
        + MEMORY
        + "".join(beside(count) for count in BESIDE)
        + "".join(rows_by(rows) for rows in ROWS)
        + STRIDED
        + (TEAM if threads > 1 else "")
    )


def header(threads: int = 1) -> str:
    """The declarations of the functions, for cffi."""
    names = [
        "multiply_add",
        "chain",
        "mixed",
        "load",
        "broadcast",
        "store",
        "shuffle",
        "issue",
        "read",
        "copy",
        "stretches",
        "strided",
        "pages",
        "leaf",
        "chase",
        *(f"beside{count}" for count in BESIDE),
        *(f"rows{rows}" for rows in ROWS),
    ]
    names += ["fork_join", "transfer", "own"] if threads > 1 else []
    return "\n".join(f"double {name}(char *, int64_t, int64_t);" for name in ("warmth", *names))
