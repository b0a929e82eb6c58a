"""Operators of ATen beside torch, by the language's reference: many of them in one module, which is exported once."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from named import named
from torch_models import Of, agree, agree_all, drawn, read, torch

F = torch.nn.functional
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]

UNARY = {
    "acos": lambda x: torch.acos(x.clamp(-0.9, 0.9)),
    "acosh": lambda x: torch.acosh(x.abs() + 1.5),
    "asin": lambda x: torch.asin(x.clamp(-0.9, 0.9)),
    **named(torch, "asinh atan cos cosh erf exp exp2 expm1 sigmoid sin sinh tan tanh"),
    "atanh": lambda x: torch.atanh(x.clamp(-0.9, 0.9)),
    **named(F, "elu gelu hardsigmoid hardswish hardtanh mish relu6 selu silu softplus softsign tanhshrink"),
    "gelu of tanh": lambda x: F.gelu(x, approximate="tanh"),
    "leaky_relu": lambda x: F.leaky_relu(x, 0.2),
    "log": lambda x: x.abs().log(),
    "log10": lambda x: (x.abs() + 1).log10(),
    "log1p": lambda x: x.abs().log1p(),
    "log2": lambda x: (x.abs() + 1).log2(),
    "log_sigmoid": F.logsigmoid,
    "reciprocal": lambda x: 1 / (x.abs() + 1),
    "rsqrt": lambda x: (x.abs() + 1).rsqrt(),
    "celu": lambda x: F.celu(x, 0.5),
    "softplus of 2": lambda x: F.softplus(x, 2.0, 3.0),
    "sqrt": lambda x: x.abs().sqrt(),
    "threshold": lambda x: F.threshold(x, 0.1, 20.0),
}


SPECIAL = {
    "digamma": torch.digamma,
    "erfinv": lambda x: torch.erfinv(x / 4),
    "i0": torch.i0,
    "i0 afar": lambda x: torch.i0(x * 20),
    "i0e": lambda x: torch.special.i0e(x * 9),
    "i1": torch.special.i1,
    "i1e": lambda x: torch.special.i1e(x * 9),
    "lgamma": lambda x: torch.lgamma(x * 3),
    "mvlgamma": lambda x: torch.mvlgamma(x.abs() + 2, 2),
    "polygamma of 0": lambda x: torch.polygamma(0, x),
    "polygamma of 1": lambda x: torch.polygamma(1, x),
    "polygamma of 2": lambda x: torch.polygamma(2, x.abs() + 0.1),
    "polygamma of 3": lambda x: torch.polygamma(3, x * 2),
    "polygamma at a pole": lambda x: torch.polygamma(2, x.round().clamp(max=0)),
}


@pytest.mark.parametrize("name", SPECIAL)
def test_special_functions(name):
    agree_all({name: SPECIAL[name]}, drawn(4, 5))


@pytest.mark.parametrize("dtype", FLOATS)
def test_functions_of_one_element(dtype):
    agree_all(UNARY, drawn(3, 5, dtype=dtype))


ROUNDED = {
    **named(torch, "abs ceil floor frac neg round sign trunc isnan"),
    "round at": lambda x: torch.round(x, decimals=1),
    "isinf": lambda x: torch.isinf(1 / x.trunc()),
    "isfinite": lambda x: torch.isfinite(1 / x.trunc()),
    "nan_to_num": lambda x: torch.nan_to_num(1 / x.trunc(), nan=2.0, posinf=3.0, neginf=4.0),
    "logical_not": lambda x: torch.logical_not(x.trunc()),
    "to int": lambda x: x.to(torch.int32),
    "to bool": lambda x: x.trunc().to(torch.bool),
    "to u8": lambda x: x.abs().to(torch.uint8),
    "to half": lambda x: x.to(torch.float16),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_parts_of_numbers(dtype):
    agree_all(ROUNDED, drawn(4, 5, dtype=dtype) * 3)


BINARY = {
    "add": lambda x, y: x + y,
    "add of a part": lambda x, y: torch.add(x, y, alpha=3),
    "sub": lambda x, y: x - y,
    "rsub": lambda x, y: 2 - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / (y.abs() + 1),
    "div by number": lambda x, y: x / 3,
    "floor": lambda x, y: x // (y.abs() + 1),
    "floor of a negative": lambda x, y: x // -(y.abs() + 1),
    "trunc": lambda x, y: torch.div(x, y.abs() + 1, rounding_mode="trunc"),
    "remainder": lambda x, y: x % -(y.abs() + 1),
    "fmod": lambda x, y: torch.fmod(x, y.abs() + 1),
    **named(torch, "maximum minimum logical_and logical_or logical_xor"),
    "clamp": lambda x, y: x.clamp(-1, 2),
    "clamp by tensors": lambda x, y: torch.clamp(x, y - 1, y + 1),
    "clamp from below": lambda x, y: x.clamp(min=0),
    "square": lambda x, y: x**2,
    "cube": lambda x, y: x**3,
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= 1,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
    "where": lambda x, y: torch.where(x < y, x, y),
    "where of a number": lambda x, y: torch.where(x < y, x, 1),
    "masked_fill": lambda x, y: x.masked_fill(y > 0, 3),
    "mixed": lambda x, y: x * (y > 0),
    "to double": lambda x, y: x.double() + y,
}


@pytest.mark.parametrize("dtype", [*FLOATS, torch.int64, torch.int32, torch.int8])
def test_two_operands(dtype):
    """The second broadcasts. Floats of 16 bits are whole numbers here: elsewhere quotients are rounded otherwise."""
    x, y = drawn(4, 5, dtype=torch.int32), drawn(5, dtype=torch.int32, seed=1)
    agree_all(BINARY, x.to(dtype), y.to(dtype))


OF_FLOATS = {
    "pow": lambda x, y: torch.pow(x.abs() + 0.1, y),
    "pow by number": lambda x, y: (x.abs() + 0.1) ** 1.5,
    "root": lambda x, y: x.abs() ** 0.5,
    "number by tensor": lambda x, y: 2.0**y,
    **named(torch, "atan2 fmax hypot"),
    "lerp": lambda x, y: torch.lerp(x, y, 0.3),
    "addcmul": lambda x, y: torch.addcmul(x, y, x, value=2.0),
    "addcdiv": lambda x, y: torch.addcdiv(x, y, x.abs() + 1),
    "hypot of what has no end": lambda x, y: torch.hypot(x / (x > 0), y / 0),
    "true_divide": lambda x, y: x / y,
    "half": lambda x, y: x.half() * 2 + y,
    "prelu": lambda x, y: F.prelu(x, y[:1]),
}


def test_two_operands_of_floats():
    agree_all(OF_FLOATS, drawn(4, 5), drawn(5, seed=1))


BITS = {
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | 5,
    "xor": lambda x, y: x ^ y,
    "not": lambda x, y: ~x,
    "left": lambda x, y: x << 2,
    "right": lambda x, y: x >> 1,
    "power": lambda x, y: x**5,
    "sum": lambda x, y: x.sum(),
    "mean": lambda x, y: x.float().mean(0),
    "quotient": lambda x, y: x / 4,
}


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.uint8])
def test_bits_of_integers(dtype):
    agree_all(BITS, drawn(4, 5, dtype=torch.int32).abs().to(dtype), drawn(5, dtype=torch.int32, seed=1).abs().to(dtype))


BOOLS = {
    "and": lambda p, q: p & q,
    "or": lambda p, q: p | q,
    "xor": lambda p, q: p ^ q,
    "not": lambda p, q: ~p,
    "add": lambda p, q: p + q,
    "mul": lambda p, q: p * q,
    "eq": lambda p, q: p == q,
    "lt": lambda p, q: p < q,
    "sum": lambda p, q: p.sum(1),
    "any": lambda p, q: p.any(),
    "all": lambda p, q: p.all(1),
    "cat": lambda p, q: torch.cat([p, q]),
    "where": lambda p, q: torch.where(p, q, ~q),
    "pad": lambda p, q: F.pad(p, (1, 2), value=True),
    "float": lambda p, q: p.float() * 2,
    "flip": lambda p, q: p.flip(1),
}


def test_conditions():
    agree_all(BOOLS, drawn(4, 5) > 0, drawn(4, 5, seed=1) > 0)


SHAPES = {
    "view": lambda x: x.view(4, -1),
    "permute": lambda x: x.permute(2, 0, 1),
    "transpose": lambda x: x.transpose(0, 2),
    "mT": lambda x: x.mT,
    "unsqueeze": lambda x: x.unsqueeze(1),
    "squeeze": lambda x: x[:, :1].squeeze(1),
    "expand": lambda x: x[:1].expand(3, 3, 6),
    "repeat": lambda x: x.repeat(2, 1, 1, 2),
    "repeat_interleave": lambda x: x.repeat_interleave(2, dim=1),
    "slice": lambda x: x[1:, ::2, -3:],
    "select": lambda x: x[:, 1],
    "split": lambda x: x.split([2, 4], dim=2),
    "chunk": lambda x: x.chunk(2, dim=2),
    "unbind": lambda x: x.unbind(1),
    "unfold of a scalar": lambda x: (x[0, 0, 0] + 1).unfold(0, 1, 1),
    "unbind, of equal sizes": lambda x: torch.unbind_copy(x[:, :4, :4], 1),
    "cat": lambda x: torch.cat([x, x + 1], dim=-1),
    "stack": lambda x: torch.stack([x, x * 2], dim=1),
    "flip": lambda x: x.flip((0, 2)),
    "roll": lambda x: x.roll((1, -2), (0, 2)),
    "roll of all": lambda x: x.roll(5),
    "diagonal": lambda x: x.diagonal(1, 1, 2),
    "tril": torch.tril,
    "triu": lambda x: x.triu(1),
    "pad": lambda x: F.pad(x, (1, 2, 0, 1), value=0.5),
    "crop": lambda x: F.pad(x, (-1, 1)),
    "reflect": lambda x: F.pad(x, (2, 1), mode="reflect"),
    "replicate": lambda x: F.pad(x, (2, 1), mode="replicate"),
    "circular": lambda x: F.pad(x, (2, 1), mode="circular"),
    "unfold": lambda x: x.unfold(2, 3, 2),
    "as_strided": lambda x: x.as_strided((2, 5), (3, 4), 1),
    "movedim": lambda x: x.movedim(0, -1),
    "flatten": lambda x: x.flatten(1),
    "contiguous": lambda x: x.transpose(1, 2).contiguous().view(2, -1),
    "arange": lambda x: x + torch.arange(6),
    "linspace": lambda x: x + torch.linspace(0, 1, 6),
    "ones_like": lambda x: x + torch.ones_like(x),
    "full": lambda x: torch.full((3,), 2.5) * x[0, :, 0],
    "new_zeros": lambda x: x.new_zeros(2, 3),
    "select_scatter": lambda x: x.select_scatter(x[:, 0] * 2, 1, 2),
    "slice_scatter": lambda x: x.slice_scatter(x[:, :1], 1, 2, 3),
    "einsum": lambda x: torch.einsum("abc,dbc->ad", x, x),
    "meshgrid": lambda x: torch.meshgrid(x[0, 0], x[0, 1], indexing="ij"),
    "outer": lambda x: torch.outer(x[0, 0], x[0, 1]),
    "kron": lambda x: torch.kron(x[0], x[1]),
}


def test_shapes():
    agree_all(SHAPES, drawn(4, 3, 6))


IMAGES = {
    "pixel_shuffle": lambda x: F.pixel_shuffle(x, 2),
    "pixel_unshuffle": lambda x: F.pixel_unshuffle(x, 2),
    "channel_shuffle": lambda x: F.channel_shuffle(x, 2),
    "max_pool2d": lambda x: F.max_pool2d(x, 3, 2, 1),
    "max_pool2d, dilated": lambda x: F.max_pool2d(x, 2, 1, dilation=2),
    "max_pool2d, up": lambda x: F.max_pool2d(x, 3, 2, ceil_mode=True),
    "places": lambda x: F.max_pool2d(x, 2, return_indices=True),
    "avg_pool2d": lambda x: F.avg_pool2d(x, (2, 3), (2, 1), (1, 1)),
    "avg_pool2d of what is there": lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False),
    "avg_pool2d by 5": lambda x: F.avg_pool2d(x, 2, divisor_override=5),
    "avg_pool2d, up": lambda x: F.avg_pool2d(x, 3, 2, ceil_mode=True),
    "avg_pool1d": lambda x: F.avg_pool1d(x[0], 2),
    "max_pool1d": lambda x: F.max_pool1d(x[0], 2),
    "lp_pool2d": lambda x: F.lp_pool2d(x, 2.0, 2),
    "adaptive to 1": lambda x: F.adaptive_avg_pool2d(x, 1),
    "adaptive": lambda x: F.adaptive_avg_pool2d(x, (4, 2)),
    "adaptive, uneven": lambda x: F.adaptive_avg_pool2d(x, (3, 5)),
    "adaptive of one axis": lambda x: F.adaptive_avg_pool1d(x[0], 3),
    "adaptive_max": lambda x: F.adaptive_max_pool2d(x, (4, 2)),
    "nearest": lambda x: F.interpolate(x, scale_factor=2),
    "nearest to": lambda x: F.interpolate(x, size=(5, 12)),
    "bilinear": lambda x: F.interpolate(x, scale_factor=2.0, mode="bilinear"),
    "bilinear to": lambda x: F.interpolate(x, size=(5, 11), mode="bilinear"),
    "bilinear of corners": lambda x: F.interpolate(x, size=(5, 11), mode="bilinear", align_corners=True),
    "bicubic": lambda x: F.interpolate(x, scale_factor=2.0, mode="bicubic"),
    "linear": lambda x: F.interpolate(x[0], scale_factor=2.0, mode="linear"),
    "reflect": lambda x: F.pad(x, (1, 2, 3, 0), mode="reflect"),
    "replicate": lambda x: F.pad(x, (1, 2, 3, 0), mode="replicate"),
    "im2col": lambda x: F.unfold(x, 3, padding=1),
    "col2im": lambda x: F.fold(F.unfold(x, 2, stride=2), (8, 6), 2, stride=2),
    "grid_sample": lambda x: F.grid_sample(x, x.view(2, -1, 12, 2)[:, :3], align_corners=False),
    "instance_norm": F.instance_norm,
    "group_norm": lambda x: F.group_norm(x, 2),
    "local_response_norm": lambda x: F.local_response_norm(x, 3),
}


def test_images():
    agree_all(IMAGES, drawn(2, 4, 8, 6))


def test_volumes():
    table = {
        "max_pool3d": lambda x: F.max_pool3d(x, 2),
        "avg_pool3d": lambda x: F.avg_pool3d(x, 2, padding=1),
        "adaptive": lambda x: F.adaptive_avg_pool3d(x, (2, 3, 1)),
        "nearest": lambda x: F.interpolate(x, scale_factor=2),
        "trilinear": lambda x: F.interpolate(x, scale_factor=2, mode="trilinear"),
        "reflect": lambda x: F.pad(x, (1, 1, 1, 1, 1, 1), mode="reflect"),
    }
    agree_all(table, drawn(1, 2, 4, 6, 4))


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


INDICES = {
    "embedding": lambda x, i: F.embedding(i, x),
    "index_select": lambda x, i: x.index_select(0, i[0]),
    "take": lambda x, i: x.take(i),
    "gather": lambda x, i: x.gather(1, i),
    "index": lambda x, i: x[i],
    "index of the last": lambda x, i: x[:, i],
    "index of both": lambda x, i: x[i, i],
    "index apart": lambda x, i: x[:, None][i, :, i],
    "index of known": lambda x, i: x[:, [3, 1, 2]],
    "negative": lambda x, i: x[i - 6],
    "scatter": lambda x, i: x.scatter(1, i[:, :1], x * 2),
    "scatter of a number": lambda x, i: x.scatter(1, i, 7.0),
    "scatter_add": lambda x, i: x.scatter_add(0, i, x),
    "amax": lambda x, i: x.scatter_reduce(0, i, x, "amax"),
    "index_put": lambda x, i: x.index_put((i[0],), x[:4]),
    "added": lambda x, i: x.index_put((i[:, 0], i[:, 1]), x[:, 0], accumulate=True),
    "index_add": lambda x, i: x.index_add(0, i[0], x[:4]),
    "one_hot": lambda x, i: F.one_hot(i, 6).float(),
    "of a scalar": lambda x, i: (x[0, 0] + 1).index_select(0, i[0, 0] * 0),
    "put": lambda x, i: x.put(i[0, :1], x[0, :1]),
    "put of nothing": lambda x, i: x.put(i[:0], x[:0]) + 1,
    "put, added": lambda x, i: x.put(i - 6, x, accumulate=True),
    "masked_scatter": lambda x, i: x.masked_scatter(i > 1, x.flip(0)),
    "masked_scatter of conditions": lambda x, i: (x > 0).masked_scatter(i > 1, x > 1),
    "multiplied": lambda x, i: x.scatter(1, i, 3.0, reduce="multiply"),
    "to a scalar": lambda x, i: (x[0, 0] + 1).scatter(0, i[0, 0] * 0, x[0, 1]),
}
for how in ("sum", "prod", "mean", "amax", "amin"):
    for own in (True, False):
        INDICES[f"scatter_reduce, {how}, {own}"] = lambda x, i, how=how, own=own: x.scatter_reduce(
            0, i, x, how, include_self=own
        )
        if how != "sum":
            INDICES[f"index_reduce, {how}, {own}"] = lambda x, i, how=how, own=own: x.index_reduce(
                1, i[0], x, how, include_self=own
            )


def test_indices():
    indices = torch.from_numpy(np.random.default_rng(3).integers(0, 4, (6, 4)))
    agree_all(INDICES, drawn(6, 4), indices)


attention = F.scaled_dot_product_attention
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


@pytest.mark.parametrize("module, shape", CONVOLUTIONS.values(), ids=CONVOLUTIONS)
def test_convolutions(module, shape):
    agree(module, drawn(*shape))


def trained(norm):
    """A norm whose running numbers are not those that it begins with."""
    with torch.no_grad():
        for n, each in enumerate([*norm.parameters(), *norm.buffers()]):
            if each.is_floating_point():
                each.copy_(drawn(*each.shape, seed=n).abs() + 0.5)
    return norm


NORMS = {
    "batch": (torch.nn.BatchNorm2d(4), (2, 4, 5, 3)),
    "batch of rows": (torch.nn.BatchNorm1d(4), (6, 4)),
    "batch, plain": (torch.nn.BatchNorm2d(4, affine=False), (2, 4, 5, 3)),
    "batch of its own": (torch.nn.BatchNorm2d(4, track_running_stats=False), (2, 4, 5, 3)),
    "group": (torch.nn.GroupNorm(2, 4), (2, 4, 5, 3)),
    "instance": (torch.nn.InstanceNorm2d(4, affine=True), (2, 4, 5, 3)),
    "layer": (torch.nn.LayerNorm((5, 3)), (2, 4, 5, 3)),
    "RMS": (torch.nn.RMSNorm(3), (2, 4, 5, 3)),
}


@pytest.mark.parametrize("module, shape", NORMS.values(), ids=NORMS)
def test_norms(module, shape):
    agree(trained(module), drawn(*shape))


RECURRENCES = {
    "LSTM": torch.nn.LSTM(3, 4, batch_first=True),
    "LSTM of two layers": torch.nn.LSTM(3, 4, num_layers=2),
    "LSTM in two directions": torch.nn.LSTM(3, 4, bidirectional=True, bias=False),
    "GRU": torch.nn.GRU(3, 4, num_layers=2, batch_first=True, bidirectional=True),
    "RNN": torch.nn.RNN(3, 4),
}


@pytest.mark.parametrize("module", RECURRENCES.values(), ids=RECURRENCES)
def test_recurrences(module):
    agree(module, drawn(6, 5, 3))


def test_a_long_recurrence_is_a_loop():
    graph = read(torch.nn.LSTM(3, 4), drawn(50, 1, 3))
    assert len(graph.calls) < 40 and "scan" in {value.call for value in graph.calls}


def test_attention_of_several_heads():
    agree(torch.nn.MultiheadAttention(8, 2, batch_first=True), *[drawn(2, 5, 8, seed=n) for n in range(3)])


def test_an_encoder_of_a_transformer():
    layer = torch.nn.TransformerEncoderLayer(8, 2, 16, activation="gelu", batch_first=True)
    agree(torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), drawn(2, 5, 8))


def test_draws_are_refused():
    import griotte as gt

    graph = gt.from_torch(Of(lambda x: F.dropout(x, 0.5, training=True), torch.exp), drawn(4, 5))
    (refused,) = graph.unsupported()
    assert "drawn by chance; call module.eval() first" in refused.why and len(graph.outputs) == 1


def test_an_axis_of_a_scalar():
    """Torch takes 0 and -1 for the axis of what has none."""
    one = {"topk": lambda x: torch.topk(x, 1)[0] + 1, "sum": lambda x: torch.sum(x, 0) + 1}
    first = torch.zeros((), dtype=torch.int64)
    one |= {"softmax": lambda x: torch.softmax(x, -1), "gather": lambda x: torch.gather(x + 1, 0, first)}
    agree_all(one, drawn())
    agree_all({"by a scalar": lambda x: torch.gather(x, 0, first)}, drawn(3))


def test_what_has_no_elements_is_given_as_it_is():
    graph = gt.from_torch(Of(lambda x: x[:0] * 2, lambda x: x + 1), drawn(3, 4))
    assert graph.unsupported() == []
    assert [tuple(empty.shape) for empty in graph.empty] == [(0, 4)]
