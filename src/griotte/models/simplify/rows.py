"""Products that pick rows: those with a one at one place."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...lang.types.dtypes import dtype
from .folding import MOST
from .law import law
from .pattern import Match
from .rule import ALWAYS


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


def _small(m: Match) -> bool:
    """Whether a table is no more than may be computed ahead."""
    return m.array("W").nbytes <= MOST


def _row(m: Match) -> dict[str, Any] | None:
    """A table beside each row of which stands the same row."""
    row, table = m.array("C"), m.array("W")
    is_row = row.size == (row.shape[-1] if row.ndim else 1)
    return {"D": m["C"] if row.size == 1 else row.reshape(-1)} if is_row and _small(m) and table.ndim == 2 else None


ROWS = {"W": "f32[5,4]", "i": "s32[2,3]"}

RULES = (
    law(
        "take rows by number",
        "matmul(cast(equal(i, N) | equal(N, i), dtype=d), W) = take(V, reshape(i, shape=s) + ONE)",
        {"i": "s32[2,3,1]", "N": np.arange(5, dtype=np.int32), "d": "f32", "W": "f32[5,4]"},
        when=_picked,
        within=ALWAYS,
    ),
    law(
        "a map of rows that are known",
        "unary_of_floats(take(W, i), **r) = take(unary_of_floats(W, **r), i)",
        ROWS | {"r": {}},
        when=_small,
        within=ALWAYS,
    ),
    law(
        "a sum with rows that are known",
        "(add | mul)(take(W, i), C) = take((add | mul)(W, D), i)",
        ROWS | {"C": "f32[1,4]"},
        ROWS | {"C": 0.5},
        when=_row,
    ),
)
