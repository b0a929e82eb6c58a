"""Products of matrices, convolutions, inverses, systems, determinants and factors beside torch."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from torch_models import Of, agree_all, agree_each, drawn, read, torch

F = torch.nn.functional
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
attention, linalg = F.scaled_dot_product_attention, torch.linalg


PRODUCTS = {
    "mm": lambda x, w: x @ w,
    "mm of no terms": lambda x, w: x[:, :0] @ w[:0] + x[:, :3],
    "addmm of no terms": lambda x, w: torch.addmm(x[:, :3], x[:, :0], w[:0], beta=2),
    "linear of no terms": lambda x, w: F.linear(x[:, :0], w.t()[:, :0], w[0]) + x[:, :3],
    "bmm": lambda x, w: torch.bmm(x[None], w[None]),
    "matmul": lambda x, w: x[None, None] @ w,
    "mv": lambda x, w: x @ w[:, 0],
    "dot": lambda x, w: x[0] @ w[:, 0],
    "addmm": lambda x, w: torch.addmm(x[:, :3], x, w, beta=2, alpha=3),
    "baddbmm": lambda x, w: torch.baddbmm(x[None, :, :3], x[None], w[None], alpha=2),
    "linear": lambda x, w: F.linear(x, w.t(), w[0]),
    "bilinear": lambda x, w: F.bilinear(x, x, w.t()[:, :, None] * w.t()[:, None]),
    "attention": lambda x, w: attention(x, x, x),
    "causal": lambda x, w: attention(x[:3], x, x, is_causal=True),
    "masked": lambda x, w: attention(x, x, x, attn_mask=x[:, :1] @ x[:, :1].t()),
    "seen": lambda x, w: attention(x, x, x, attn_mask=(x @ x.t()) > 0, scale=0.3),
    "of heads": lambda x, w: attention(*[x.view(1, 2, 3, 4)] * 3),
    "shared": lambda x, w: attention(x.view(1, 6, 1, 4), *[x.view(1, 2, 3, 4)] * 2, enable_gqa=True),
}


@pytest.mark.parametrize("dtype", FLOATS)
def test_products(dtype):
    agree_all(PRODUCTS, drawn(6, 4, dtype=dtype), drawn(4, 3, dtype=dtype, seed=1))


def test_products_of_integers():
    agree_all({"mm": lambda x, w: x @ w}, drawn(6, 4, dtype=torch.int64), drawn(4, 3, dtype=torch.int64, seed=1))


CONVOLUTIONS = {
    "of one axis": (torch.nn.Conv1d(4, 6, 3, padding=1), (2, 4, 9)),
    "of one axis, reaching far": (torch.nn.Conv1d(4, 6, 3, dilation=2, stride=2), (2, 4, 9)),
    "of two": (torch.nn.Conv2d(4, 6, (3, 2), stride=(2, 1), padding=(1, 0)), (2, 4, 8, 7)),
    "of groups": (torch.nn.Conv2d(4, 8, 3, groups=2, bias=False), (1, 4, 8, 7)),
    "of each channel": (torch.nn.Conv2d(4, 4, 3, groups=4, padding="same"), (1, 4, 8, 7)),
    "of three": (torch.nn.Conv3d(2, 3, 2), (1, 2, 4, 5, 6)),
    "of one image": (torch.nn.Conv2d(4, 6, 3), (4, 8, 7)),
    "reflecting": (torch.nn.Conv2d(4, 6, 3, padding=1, padding_mode="reflect"), (1, 4, 8, 7)),
    "transposed": (torch.nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1), (1, 4, 5, 6)),
    "transposed, of one axis": (torch.nn.ConvTranspose1d(4, 6, 4, stride=2), (1, 4, 5)),
    "transposed, of three": (torch.nn.ConvTranspose3d(2, 3, (2, 3, 2), 2, (0, 1, 0), (1, 0, 1)), (2, 2, 3, 4, 5)),
    "transposed, of three, apart": (
        torch.nn.ConvTranspose3d(4, 2, 2, padding=1, groups=2, dilation=2, bias=False),
        (1, 4, 3, 4, 5),
    ),
    "transposed, of groups": (torch.nn.ConvTranspose2d(4, 6, 2, groups=2), (1, 4, 5, 6)),
}


def test_convolutions():
    agree_each(CONVOLUTIONS)


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

    x = drawn(2, 6, 6)
    graph = read(Of(linalg.inv), x)
    np.testing.assert_allclose(gt.compile(graph, table="none")(x.numpy()), linalg.inv(x).numpy(), rtol=2e-4, atol=2e-5)
