"""Rows joined in segments that follow one another."""

from __future__ import annotations

from typing import Any

import numpy as np

from .array import Array, data
from .indexing import put_rows
from .kinds import NEUTRAL


def segments_ended(ends: Array, size: int) -> Array:
    """Of so many rows in each line of `ends` how many segments have ended: [.., segments] to [.., rows]."""
    rows = np.arange(size, dtype=np.int32)
    if ends.is_known:
        ends.room(*ends.shape, size)
        return ends.of((np.asarray(ends)[..., None, :] <= rows[:, None]).sum(-1).astype(np.int32))
    ends = ends.astype("s32")
    has_ended = ends.reshape((*ends.shape[:-1], 1, ends.shape[-1])) <= rows[:, None]
    return has_ended.astype("s32").sum(axis=has_ended.ndim - 1)


def in_segments(rows: Array, segment: Any, count: int, how: str, first: float | None = None) -> Array:
    """[rows, inner] to [count, inner]: the rows of each segment, joined with a number."""
    inner = rows.shape[1:]
    rows.room(count, *inner)
    into = np.full((count, *inner), NEUTRAL[how](rows.dtype) if first is None else first, rows.numpy)
    at = rows.of(data(rows.of(segment).reshape((rows.shape[0], 1))))
    return put_rows(rows.of(into), at, rows, how)
