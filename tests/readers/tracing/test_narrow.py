"""Sums and products of integers of 8 and 16 bits, which wrap as NumPy's do."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.models.reference import interpret

SUMS = {
    "sum": lambda x, d: x.sum(1, dtype=d),
    "sum of all": lambda x, d: np.sum(x, dtype=d),
    "nansum": lambda x, d: np.nansum(x, dtype=d),
    "prod": lambda x, d: x.prod(1, dtype=d),
    "cumsum": lambda x, d: x.cumsum(1, dtype=d),
    "cumprod": lambda x, d: np.cumprod(x, 1, dtype=d),
    "add.reduce": lambda x, d: np.add.reduce(x, 1, dtype=d),
    "multiply.reduce": lambda x, d: np.multiply.reduce(x, 0, dtype=d),
    "add.accumulate": lambda x, d: np.add.accumulate(x, 1, dtype=d),
    "multiply.accumulate": lambda x, d: np.multiply.accumulate(x, 1, dtype=d),
    "trace": lambda x, d: np.trace(x, dtype=d),
    "@": lambda x, d: x.astype(d) @ x.astype(d).T,
    "einsum": lambda x, d: np.einsum("ij,kj->ik", x.astype(d), x.astype(d)),
    "tensordot": lambda x, d: np.tensordot(x.astype(d), x.astype(d), ([1], [1])),
    "inner": lambda x, d: np.inner(x.astype(d), x.astype(d)),
    "outer": lambda x, d: np.outer(x[0].astype(d), x[1].astype(d)),
    "vdot": lambda x, d: np.vdot(x[0].astype(d), x[1].astype(d)),
    "diff": lambda x, d: np.diff(x.astype(d)),
}


@pytest.mark.parametrize("dtype", (np.int8, np.uint8, np.int16, np.uint16))
def test_they_wrap(dtype):
    x = np.random.default_rng(0).integers(-100, 100, (4, 70))
    for given in (x, x * 1000, x.astype(dtype)):
        for name, of in SUMS.items():
            (found,), wanted = interpret(gt.graph(lambda a, of=of: of(a, dtype), given), given), of(given, dtype)
            assert (found.dtype, found.tolist()) == (wanted.dtype, wanted.tolist()), name
