"""What torch refuses by the types of what is read, and the last bits of narrow integers: as eager has them."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.models.reference import interpret
from torch_models import Of, agree_all, drawn, torch

exporting = pytest.importorskip("griotte.torch.exporting")
backend = pytest.importorskip("griotte.torch.backend")

F = torch.nn.functional
OTHERS = (torch.float64, torch.bfloat16, torch.int64)
PLACES = torch.tensor([0, 1])

REFUSED = {  # an operator, and the sizes of what it reads: the last is of another dtype
    "mm": (torch.mm, (2, 3), (3, 2)),
    "matmul": (torch.matmul, (2, 2, 3), (3, 2)),
    "mv": (torch.mv, (2, 3), (3,)),
    "addmm": (torch.addmm, (2, 2), (2, 3), (3, 2)),
    "addmm by its bias": (lambda x, y, c: torch.addmm(c, x, y), (2, 3), (3, 2), (2,)),
    "addbmm by its bias": (lambda x, y, c: torch.addbmm(c, x, y), (2, 2, 3), (2, 3, 2), (2, 2)),
    "linear": (F.linear, (2, 3), (4, 3)),
    "linear by its bias": (F.linear, (2, 3), (4, 3), (4,)),
    "conv1d": (F.conv1d, (1, 2, 5), (2, 2, 2)),
    "conv2d": (F.conv2d, (1, 2, 4, 4), (2, 2, 3, 3)),
    "conv2d by its bias": (F.conv2d, (1, 2, 4, 4), (2, 2, 3, 3), (2,)),
    "conv_transpose2d": (F.conv_transpose2d, (1, 2, 4, 4), (2, 2, 3, 3)),
    "layer_norm": (lambda x, w: F.layer_norm(x, (3,), w), (2, 3), (3,)),
    "group_norm": (lambda x, w: F.group_norm(x, 1, w), (2, 4, 2), (4,)),
    "cdist": (torch.cdist, (2, 3), (2, 3)),
    "grid_sample": (F.grid_sample, (1, 1, 3, 3), (1, 2, 2, 2)),
    "cross": (torch.linalg.cross, (2, 3), (2, 3)),
    "heaviside": (torch.heaviside, (3,), (3,)),
    "binary_cross_entropy": (lambda x, y: F.binary_cross_entropy(x.sigmoid(), y * 0), (2, 3), (2, 3)),
    "nll_loss by its weights": (lambda x, w: F.nll_loss(x, PLACES, w), (2, 4), (4,)),
    "index_add": (lambda x, v: x.index_add(0, PLACES, v), (3, 2), (2, 2)),
    "index_reduce": (lambda x, v: x.index_reduce(0, PLACES, v, "prod"), (3, 2), (2, 2)),
    "embedding_bag by its shares": (
        lambda w, s: F.embedding_bag(PLACES.view(1, 2), w, mode="sum", per_sample_weights=s),
        (3, 2),
        (1, 2),
    ),
}


PAIRS = [(name, dtype) for name in REFUSED for dtype in OTHERS]


@pytest.mark.parametrize(
    "name, dtype",
    [pytest.param(*pair, marks=[pytest.mark.long] * (n // 3 % 3 != n % 3)) for n, pair in enumerate(PAIRS)],
    ids=str,
)
def test_what_is_read_is_of_one_dtype(name, dtype):
    """One dtype of each operator in its turn; all are long."""
    of, *sizes = REFUSED[name]
    inputs = [drawn(*each) for each in sizes[:-1]] + [drawn(*sizes[-1], dtype=dtype)]
    with pytest.raises(RuntimeError):
        of(*inputs)
    with pytest.raises(gt.SpecError):  # torch's tensors without data refuse some themselves
        gt.from_torch(Of(of), *inputs).require_covered()


BIASES = {
    "addmm": (torch.addmm, [(3,), (5, 5), (2, 2, 1)], (2, 3), (3, 2)),
    "addmv": (torch.addmv, [(3,), (5, 5), (1, 1)], (2, 3), (3,)),
    "baddbmm": (torch.baddbmm, [(3,), (5, 5)], (1, 2, 3), (1, 3, 2)),
}


@pytest.mark.parametrize("beta", (0, 1))
@pytest.mark.parametrize("name", BIASES)
def test_a_bias_can_be_expanded(name, beta):
    of, biases, *sizes = BIASES[name]
    module = Of(lambda *inputs: of(*inputs, beta=beta))
    for bias in biases:
        inputs = [drawn(*each) for each in (bias, *sizes)]
        with pytest.raises((RuntimeError, IndexError)):
            module(*inputs)
        with pytest.raises(gt.SpecError):
            gt.from_torch(module, *inputs)


@pytest.mark.parametrize("dtype", (torch.float16, torch.bfloat16), ids=str)
def test_norms_take_parameters_of_f32_beside_narrow_floats(dtype):
    agree_all({"layer_norm": lambda x, w: F.layer_norm(x, (5,), w, w)}, drawn(4, 5, dtype=dtype), drawn(5))


def test_torch_compile_raises_what_eager_raises(monkeypatch):
    monkeypatch.setenv("GRIOTTE_TORCH", "all")
    torch.compiler.reset()
    x, w = drawn(2, 3), drawn(4, 3, dtype=torch.float64)
    run = torch.compile(Of(F.linear), backend=gt.torch.griotte)
    with torch.no_grad():
        for _ in range(2):
            with pytest.raises(RuntimeError) as found:
                run(x, w)
            with pytest.raises(RuntimeError) as wanted:
                F.linear(x, w)
            assert str(found.value) == str(wanted.value)
    choice = gt.torch.report()[-1]
    assert choice.runs == "eager" and "operands of one dtype, found torch.float32 and torch.float64" in choice.why


@pytest.mark.parametrize("dtype", (torch.float32, torch.float64), ids=str)
def test_what_alpha_or_beta_takes_nothing_of_is_not_read(dtype):
    x, y, c = drawn(2, 3, dtype=dtype), drawn(3, 2, dtype=dtype), drawn(2, 2, dtype=dtype)
    x[0, 0] = c[1, 1] = torch.nan
    table = {}
    for alpha, beta in ((0, 1), (1, 0), (0, 0), (0, 2), (2, 3)):
        how = {"alpha": alpha, "beta": beta}
        table |= {
            f"addmm {how}": lambda c, x, y, how=how: torch.addmm(c, x, y, **how),
            f"addmv {how}": lambda c, x, y, how=how: torch.addmv(c[0], x, y[:, 0], **how),
            f"addbmm {how}": lambda c, x, y, how=how: torch.addbmm(c, x[None], y[None], **how),
        }
        if alpha:
            table[f"baddbmm {how}"] = lambda c, x, y, how=how: torch.baddbmm(c[None], x[None], y[None], **how)
    agree_all(table, c, x, y)
    with pytest.raises(gt.SpecError, match="expected an alpha that is not 0"):
        gt.from_torch(Of(lambda c, x, y: torch.baddbmm(c, x, y, alpha=0)), c[None], x[None], y[None])


def test_before_a_nan_come_all():
    x = torch.tensor([torch.nan, 1.0, -torch.nan, torch.inf, -torch.inf, 0.5])
    table = {
        f"{name} {right}": lambda x, b, of=of, right=right: of(x, b, right)
        for right in (True, False)
        for name, of in {
            "bucketize": lambda x, b, right: torch.bucketize(x, b, right=right),
            "searchsorted": lambda x, b, right: torch.searchsorted(b, x, right=right, out_int32=True),
        }.items()
    }
    agree_all(table, x, torch.tensor([0.0, 1.0, 2.0]))


NARROW = (torch.int8, torch.uint8, torch.int16)
SUMS = {
    "sum": lambda x, dtype: x.sum(1, dtype=dtype),
    "sum of all": lambda x, dtype: x.sum(dtype=dtype),
    "prod": lambda x, dtype: x.prod(1, dtype=dtype),
    "cumsum": lambda x, dtype: x.cumsum(1, dtype=dtype),
    "cumprod": lambda x, dtype: x.cumprod(1, dtype=dtype),
}
PRODUCTS = {
    "mm": lambda x: x @ x.t(),
    "matmul": lambda x: torch.matmul(x.view(2, 2, -1), x.t()),
    "addmm": lambda x: torch.addmm(x[:, :4], x, x.t(), alpha=3, beta=2),
    "einsum": lambda x: torch.einsum("ij,ij->i", x, x),
    "conv1d": lambda x: F.conv1d(x[None], x[:, None, :3], x[:, 0], groups=4),
    "as int8": lambda x: x.to(torch.int8),
    "floats as uint8": lambda x: (x.float() * 3.7).to(torch.uint8),
    "floats as int16": lambda x: (x.double() * 1000.5).to(torch.int16),
}


@pytest.mark.parametrize("dtype", NARROW, ids=str)
def test_sums_and_products_of_narrow_integers_wrap(dtype):
    x = torch.from_numpy(np.random.default_rng(0).integers(-100, 100, (4, 20)))
    table = {
        f"{name} {n}": lambda *given, of=of, n=n: of(given[n], dtype) for n in range(4) for name, of in SUMS.items()
    }
    agree_all(table, x, x * 1000, x * 0.9, x.to(dtype))
    agree_all(PRODUCTS, x.to(dtype))


def test_they_wrap_in_c():
    x = np.random.default_rng(0).integers(-100, 100, (4, 20)).astype(np.int8)
    graph = gt.from_torch(Of(*(lambda x, of=of: of(x, torch.int8) for of in SUMS.values())), torch.from_numpy(x))
    for found, wanted in zip(gt.compile(graph)(x), interpret(graph, x)):
        assert np.array_equal(found, wanted)
