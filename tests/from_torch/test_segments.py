"""Rows joined in segments, and what else is met less often, beside torch."""

from __future__ import annotations

import pytest
from torch_models import Of, agree, agree_all, drawn, torch

F = torch.nn.functional
INF = float("inf")


def bags(**how):
    return lambda w, i, o: F.embedding_bag(i, w, o, **how)


BAGS = {
    **{mode: bags(mode=mode) for mode in ("sum", "mean", "max")},
    **{f"{mode}, padded": bags(mode=mode, padding_idx=2) for mode in ("sum", "mean", "max")},
    "weighed": lambda w, i, o: F.embedding_bag(i, w, o, mode="sum", per_sample_weights=w[:7, 0]),
    "with the last": lambda w, i, o: F.embedding_bag(i, w, o[[0, 1, 2, 4]], include_last_offset=True),
    "of two axes": lambda w, i, o: F.embedding_bag(i[:6].view(2, 3), w, mode="max"),
    "of two axes, padded": lambda w, i, o: F.embedding_bag(i[:6].view(2, 3), w, mode="mean", padding_idx=2),
    "of known places": lambda w, i, o: F.embedding_bag(i, w, torch.tensor([0, 2, 2, 5]), mode="max"),
    "of one bag": lambda w, i, o: F.embedding_bag(i, w, torch.tensor([0])),
}


def test_bags_of_embeddings():
    """The second bag has nothing in it."""
    agree_all(BAGS, drawn(8, 3), torch.tensor([1, 2, 2, 7, 0, 3, 2]), torch.tensor([0, 2, 2, 3, 7]))


REDUCED = {
    f"{how}, {start}": lambda x, n, o, how=how, start=start: torch.segment_reduce(x, how, lengths=n, initial=start)
    for how in ("sum", "mean", "max", "min", "prod")
    for start in (None, 1.5)
}
REDUCED |= {
    "of lines": lambda x, n, o: torch.segment_reduce(x.t(), "sum", lengths=n.expand(3, -1), axis=1),
    "of known lengths": lambda x, n, o: torch.segment_reduce(x, "mean", lengths=torch.tensor([1, 0, 6])),
    "by ends": lambda x, n, o: torch.segment_reduce(x, "max", offsets=o),
    "less than all": lambda x, n, o: torch.segment_reduce(x, "sum", lengths=n[:2], unsafe=True),
}


def test_segments():
    agree_all(REDUCED, drawn(7, 3), torch.tensor([2, 0, 5]), torch.tensor([0, 2, 2, 7]))


def test_repeated_places():
    table = {"rows": lambda x, n: x.repeat_interleave(n, dim=0, output_size=7)}
    agree_all(table, drawn(3, 2), torch.tensor([2, 0, 5]))


def test_how_many_places_are_repeated_has_to_be_told():
    import griotte as gt

    refused = gt.from_torch(Of(torch.repeat_interleave), torch.tensor([2, 0, 5])).unsupported()
    assert "tell output_size" in refused[0].why


IMAGES = {
    "smaller": lambda x: F.interpolate(x, size=(3, 4), mode="bilinear", antialias=True),
    "larger": lambda x: F.interpolate(x, size=(11, 15), mode="bilinear", antialias=True),
    "by a factor": lambda x: F.interpolate(x, scale_factor=0.45, mode="bilinear", antialias=True),
    "of corners": lambda x: F.interpolate(x, size=(4, 3), mode="bilinear", antialias=True, align_corners=True),
    "to one": lambda x: F.interpolate(x, size=(1, 1), mode="bilinear", antialias=True, align_corners=True),
    "cubic": lambda x: F.interpolate(x, size=(3, 4), mode="bicubic", antialias=True),
    "cubic, larger": lambda x: F.interpolate(x, size=(9, 8), mode="bicubic", antialias=True),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_resizing_by_filters(dtype):
    agree_all(IMAGES, drawn(2, 3, 9, 8, dtype=dtype))


@pytest.mark.parametrize("mode", ["bilinear", "nearest"])
@pytest.mark.parametrize("beyond", ["zeros", "border", "reflection"])
def test_samples_of_volumes(mode, beyond):
    agree(Of(lambda x, g: F.grid_sample(x, g, mode, beyond, False)), drawn(2, 3, 4, 5, 3), drawn(2, 3, 2, 4, 3, seed=1))


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
