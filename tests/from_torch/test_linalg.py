"""Inverses, systems, determinants and factors beside torch's."""

from __future__ import annotations

import numpy as np
import pytest
from torch_models import Of, agree_all, drawn, read, torch

linalg = torch.linalg


def of(x):
    """A symmetric matrix that is far from having no inverse."""
    return x @ x.mT + torch.eye(x.shape[-1], dtype=x.dtype)


TABLE = {
    "inv": lambda x, b: linalg.inv(x),
    "inv of one": lambda x, b: torch.inverse(x[1, :1, :1]),
    "inv_ex": lambda x, b: linalg.inv_ex(x),
    "inv_ex of none": lambda x, b: linalg.inv_ex(x - x)[1],
    "solve": linalg.solve,
    "solve of a vector": lambda x, b: linalg.solve(x[0], b[0, :, 0]),
    "solve from the right": lambda x, b: linalg.solve(x, b.mT, left=False),
    "det": lambda x, b: linalg.det(x),
    "det of one": lambda x, b: x[0].det(),
    "slogdet": lambda x, b: linalg.slogdet(x),
    "logdet": lambda x, b: torch.logdet(of(x)),
    "power": lambda x, b: linalg.matrix_power(x, -2),
    "cholesky": lambda x, b: linalg.cholesky(of(x)),
    "cholesky, upper": lambda x, b: linalg.cholesky(of(x), upper=True),
    "cholesky_ex of none": lambda x, b: linalg.cholesky_ex(of(x) * torch.tensor([-1.0, 1.0, 1.0, 1.0, 1.0]))[1],
    "cholesky_solve": lambda x, b: torch.cholesky_solve(b, linalg.cholesky(of(x))),
    "cholesky_solve, upper": lambda x, b: torch.cholesky_solve(b, linalg.cholesky(of(x), upper=True), upper=True),
    "cholesky_inverse": lambda x, b: torch.cholesky_inverse(linalg.cholesky(of(x))),
    "lower": lambda x, b: linalg.solve_triangular(of(x), b, upper=False),
    "upper": lambda x, b: linalg.solve_triangular(of(x), b, upper=True),
    "of ones": lambda x, b: linalg.solve_triangular(x / 9, b, upper=True, unitriangular=True),
    "lower, from the right": lambda x, b: linalg.solve_triangular(of(x), b.mT, upper=False, left=False),
    "triangular_solve": lambda x, b: torch.triangular_solve(b, of(x), transpose=True),
    "factors": lambda x, b: linalg.lu_factor_ex(x),
    "factors of what is wide": lambda x, b: linalg.lu_factor_ex(x[:, :3])[:2],
    "factors of what is tall": lambda x, b: linalg.lu_factor_ex(x[:, :, :3])[:2],
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_systems(dtype):
    """The first matrix begins with 0, so that rows are exchanged."""
    x = drawn(3, 5, 5, dtype=dtype)
    x[0, 0, 0] = 0
    table = {name: each for name, each in TABLE.items() if dtype == torch.float32 or "none" not in name}
    agree_all(table, x, drawn(3, 5, 2, dtype=dtype, seed=1))


def test_an_inverse_is_compiled():
    import griotte as gt

    x = drawn(2, 6, 6)
    graph = read(Of(linalg.inv), x)
    np.testing.assert_allclose(gt.compile(graph, table="none")(x.numpy()), linalg.inv(x).numpy(), rtol=2e-4, atol=2e-5)
