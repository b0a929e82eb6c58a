"""How near results are to those of another framework."""

from __future__ import annotations

from typing import Any

import numpy as np

WITHIN = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 2e-5, "float64": 1e-12}
"""How far results of a dtype may be apart, by the largest of them."""


def require_near(found: Any, wanted: Any, told: str) -> None:
    """That a result is of the dtype and the shape of another framework's, and near it."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), told
    if wanted.dtype.name not in WITHIN:
        assert np.array_equal(found, wanted), f"{told}: {found} and not {wanted}"
        return
    one, other = found.astype(np.float64), wanted.astype(np.float64)
    finite = np.isfinite(other)
    assert np.array_equal(np.isnan(one), np.isnan(other)), told
    assert np.array_equal(one[~finite], other[~finite], equal_nan=True), told
    most = np.abs(other[finite]).max(initial=1e-3)
    apart = np.abs(one[finite] - other[finite]).max(initial=0) / most
    assert apart <= WITHIN[wanted.dtype.name], f"{told}: {apart:.1e} of the largest"
