"""Operators that read or write at indices, and segments, beside torch."""

from __future__ import annotations

import griotte as gt
import numpy as np
from torch_models import Of, agree_all, drawn, torch

F = torch.nn.functional


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

    refused = gt.from_torch(Of(torch.repeat_interleave), torch.tensor([2, 0, 5])).unsupported()
    assert "tell output_size" in refused[0].why
