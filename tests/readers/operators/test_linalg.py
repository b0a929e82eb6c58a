"""Linear algebra beside NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from griotte.readers.operators import linalg
from on_arrays import agree, floats, of_inputs
from scipy.linalg import lu_factor


def square(count: int = 3, n: int = 4) -> np.ndarray:
    """Matrices, of which the first begins with 0, so that rows are exchanged."""
    x = floats(count, n, n)
    x[0, 0, 0] = 0
    return x


def symmetric(x: np.ndarray) -> np.ndarray:
    return x @ x.transpose(0, 2, 1) + np.eye(x.shape[-1], dtype=x.dtype)


def test_systems_and_inverses():
    x, b = square(), floats(3, 4, 2)
    found, pivots = of_inputs(linalg.solve, x, b)
    agree(found, np.linalg.solve(x, b), 1e-3, 1e-4)
    agree(of_inputs(lambda a: linalg.solve(a, linalg.unit(a))[0], x), np.linalg.inv(x), 1e-3, 1e-4)
    assert (pivots != 0).all()


def test_what_has_no_inverse_says_where():
    x = square()
    x[1, :, 2] = x[1, :, 1]
    failed = of_inputs(lambda a: linalg.failed(linalg.solve(a, linalg.unit(a))[1] == 0), x * 0)
    assert failed.tolist() == [1, 1, 1]


def test_determinants():
    x = square()
    agree(of_inputs(linalg.det, x), np.linalg.det(x), 1e-4, 1e-4)
    agree(of_inputs(lambda a: list(linalg.slogdet(a)), x), list(np.linalg.slogdet(x)), 1e-4, 1e-4)


@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (5, 3)])
def test_factors(shape):
    x = floats(*shape)
    agree(of_inputs(lambda a: linalg.eliminated(a, False)[0], x[None]), lu_factor(x)[0][None], 1e-3, 1e-4)


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("unit_diagonal", [False, True])
def test_triangles(lower, unit_diagonal):
    x, b = symmetric(square()), floats(3, 4, 2)
    one = (np.tril if lower else np.triu)(x)
    if unit_diagonal:
        one[:, np.arange(4), np.arange(4)] = 1
    agree(of_inputs(linalg.solve_triangular, x, b, lower, unit_diagonal), np.linalg.solve(one, b), 1e-3, 1e-3)


def test_cholesky():
    x, b = symmetric(square()), floats(3, 4, 2)
    agree(of_inputs(lambda a: linalg.cholesky(a)[0], x), np.linalg.cholesky(x), 1e-4, 1e-4)
    agree(of_inputs(lambda a, b: linalg.cho_solve(linalg.cholesky(a)[0], b), x, b), np.linalg.solve(x, b), 1e-3, 1e-3)
