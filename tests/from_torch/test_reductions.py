"""Reductions, running sums and what follows from the order of elements, beside torch."""

from __future__ import annotations

import pytest
from torch_models import agree_all, drawn, torch

F = torch.nn.functional
INF = float("inf")
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]


REDUCTIONS = {
    "sum": lambda x: x.sum(),
    "sum of axes": lambda x: x.sum((0, 2)),
    "sum kept": lambda x: x.sum(1, keepdim=True),
    "mean": lambda x: x.mean(-1),
    "mean of all": lambda x: x.mean(),
    "prod": lambda x: x.prod(1),
    "amax": lambda x: x.amax((1, 2)),
    "amin": lambda x: x.amin(0),
    "max": lambda x: x.max(),
    "max along": lambda x: x.max(1),
    "min along": lambda x: x.min(2, keepdim=True),
    "values alone": lambda x: x.max(1).values,
    "var": lambda x: x.var(1),
    "var of all": lambda x: x.var(unbiased=False),
    "std": lambda x: x.std((0, 1)),
    "var_mean": lambda x: torch.var_mean(x, 1),
    "argmax": lambda x: x.argmax(1),
    "argmax of all": lambda x: x.argmax(),
    "argmin": lambda x: x.argmin(2, keepdim=True),
    "norm": lambda x: x.norm(dim=1),
    "norm 1": lambda x: x.norm(p=1, dim=(0, 1)),
    "norm 3": lambda x: torch.linalg.vector_norm(x, 3, dim=0),
    "normalize": lambda x: F.normalize(x, dim=1),
    "logsumexp": lambda x: x.logsumexp(1),
    "softmax": lambda x: x.softmax(1),
    "softmin": lambda x: F.softmin(x, 2),
    "log_softmax": lambda x: x.log_softmax(-1),
    "cumsum": lambda x: x.cumsum(1),
    "cumprod": lambda x: x.cumprod(2),
    "topk": lambda x: x.topk(2, dim=1),
    "searchsorted by an order": lambda x: torch.searchsorted(x[0], x[1], sorter=x[0].argsort(1)),
    "max_pool's gradient": lambda x: torch.ops.aten.max_pool2d_with_indices_backward(
        x[:, :2, :3], x, [2, 2], [2, 2], [0, 0], [1, 1], False, F.max_pool2d(x, 2, return_indices=True)[1]
    ),
    "mode": lambda x: x.round().mode(1)[0],
    "mode's place": lambda x: x.round().gather(2, x.round().mode(2, keepdim=True)[1]),
    "smallest": lambda x: x.topk(3, dim=2, largest=False),
    "sort": lambda x: x.sort(2),
    "sort down": lambda x: x.sort(1, descending=True).values,
    "argsort": lambda x: x.argsort(1),
    "any": lambda x: (x > 1).any(1),
    "all": lambda x: (x > -1).all(2),
    "count_nonzero": lambda x: (x > 0).sum((1, 2)),
    "layer_norm": lambda x: F.layer_norm(x, (6,)),
    "layer_norm of two": lambda x: F.layer_norm(x, (5, 6), x[0], x[1]),
    "rms_norm": lambda x: F.rms_norm(x, (6,), x[0, 0], 1e-6),
    "cosine": lambda x: F.cosine_similarity(x, x.flip(0), dim=2),
    "cdist": lambda x: torch.cdist(x, x.flip(1)),
    "mse": lambda x: F.mse_loss(x, x * 2),
    "smooth_l1": lambda x: F.smooth_l1_loss(x, x * 2),
    "kl_div": lambda x: F.kl_div(x.log_softmax(1), x.flip(1).softmax(1), reduction="batchmean"),
    "triplet": lambda x: F.triplet_margin_loss(x[0], x[1], x[2]),
    "cross_entropy": lambda x: F.cross_entropy(x[0], torch.tensor([0, 2, 1, 5, 3])),
    "huber": lambda x: F.huber_loss(x, x * 2),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_reductions(dtype):
    agree_all(REDUCTIONS, drawn(4, 5, 6, dtype=dtype))


ORDERED = {
    "largest": lambda x: x.topk(4, dim=1)[0],
    "smallest": lambda x: x.topk(4, dim=1, largest=False)[0],
    "sort": lambda x: x.sort(dim=1, stable=True),
    "sort down": lambda x: x.sort(dim=0, stable=True, descending=True),
    "argsort": lambda x: x.argsort(dim=1, stable=True),
    "msort": torch.msort,
    "kthvalue": lambda x: x.kthvalue(5, 1)[0],
    "median": lambda x: x.median(1),
    "max": lambda x: x.max(1),
    "min": lambda x: x.min(1),
    "argmax": lambda x: x.argmax(1),
    "argmin": lambda x: x.argmin(),
}


@pytest.mark.parametrize("dtype", FLOATS)
def test_nan_counts_as_the_largest(dtype):
    nan, inf = float("nan"), float("inf")
    rows = [3, nan, 1, -nan, inf, 3], [nan, nan, nan, nan, nan, -inf], [2, -1, 0, 5, 1, nan], [nan] * 6, [1, 2, 3] * 2
    agree_all(ORDERED, torch.tensor(rows, dtype=dtype))


def test_an_axis_of_a_scalar():
    """Torch takes 0 and -1 for the axis of what has none."""
    one = {"topk": lambda x: torch.topk(x, 1)[0] + 1, "sum": lambda x: torch.sum(x, 0) + 1}
    first = torch.zeros((), dtype=torch.int64)
    one |= {"softmax": lambda x: torch.softmax(x, -1), "gather": lambda x: torch.gather(x + 1, 0, first)}
    agree_all(one, drawn())
    agree_all({"by a scalar": lambda x: torch.gather(x, 0, first)}, drawn(3))


RUNNING = {
    "logcumsumexp": lambda x: x.logcumsumexp(1),
    "logcumsumexp of what has no end": lambda x: torch.where(x > 0, -INF, x * 90).logcumsumexp(0),
    "histc": lambda x: x.histc(7),
    "histc of a range": lambda x: x.histc(4, -1, 1),
    "histc of one number": lambda x: (x * 0 + 2).histc(3),
    "pdist": F.pdist,
    "pdist of 1": lambda x: F.pdist(x, 1.0),
    "renorm": lambda x: x.renorm(2, 0, 1.0),
    "renorm of 16 bits": lambda x: x.bfloat16().renorm(1, 1, 1.0),
    "_safe_softmax": lambda x: torch.ops.aten._safe_softmax(torch.where(x[:1] > 0, x, -INF), 0),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_what_is_met_less_often(dtype):
    agree_all(RUNNING, drawn(5, 6, dtype=dtype))
