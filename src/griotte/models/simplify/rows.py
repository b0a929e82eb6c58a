"""Products that pick rows: those with a one at one place."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ir.dtypes import dtype
from .pattern import Match, laws


def _picked(m: Match) -> dict[str, Any] | None:
    """Rows of W by number, with one of zeros on either side for the numbers that stand for none."""
    numbers, rows, i = m.array("N"), m.array("W"), m["i"].type
    if dtype(i.dtype).kind not in ("signed", "unsigned") or dtype(i.dtype).bits < 32 or i.shape[-1:] != (1,):
        return None
    if numbers.size != numbers.shape[-1] or not np.array_equal(numbers.reshape(-1), np.arange(numbers.size)):
        return None
    if rows.ndim != 2 or len(rows) != numbers.size or not np.all(np.isfinite(rows.astype(np.float64))):
        return None
    return {"V": np.pad(rows, ((1, 1), (0, 0))), "s": i.shape[:-1], "ONE": np.ones((), dtype(i.dtype).numpy)}


RULES = laws(
    "take rows by number",
    ("matmul(cast(equal(i, N), dtype=d), W)", "matmul(cast(equal(N, i), dtype=d), W)"),
    "take(V, reshape(i, shape=s) + ONE)",
    {"i": "s32[2,3,1]", "N": np.arange(5, dtype=np.int32), "d": "f32", "W": "f32[5,4]"},
    when=_picked,
)
