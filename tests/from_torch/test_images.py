"""Windows over images, and images of other sizes, beside torch."""

from __future__ import annotations

import numpy as np
import pytest
from griotte.models import reference
from torch_models import Of, agree_all, drawn, read, torch

F = torch.nn.functional


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


FILTERED = {
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
    agree_all(FILTERED, drawn(2, 3, 9, 8, dtype=dtype))


SAMPLES = {
    f"{mode}, {beyond}": lambda x, g, mode=mode, beyond=beyond: F.grid_sample(x, g, mode, beyond, False)
    for mode in ("bilinear", "nearest")
    for beyond in ("zeros", "border", "reflection")
}


def test_samples_of_volumes():
    agree_all(SAMPLES, drawn(2, 3, 4, 5, 3), drawn(2, 3, 2, 4, 3, seed=1))


PAIRS = [(n, m) for n in range(1, 65) for m in range(1, 65)]
APART = [(47, 47), (39, 33), (2, 47), (48, 37), (16, 48)]
"""Sizes at which f32 and fractions differ."""


def nearest(rank: int, mode: str, pairs, dtype, by=("size", "scale_factor")) -> None:
    """That interpolate gives torch's elements along the last axis, which torch counts in f32: from n to m of them, by
    size or by factor. Torch makes nothing of a product that is rounded below 1."""
    ones, table = (1,) * (rank - 3), {}
    for n, m in pairs:
        for name, each in {"size": (*ones, m), "scale_factor": (*map(float, ones), m / n)}.items():
            how = {name: each}
            if name in by and (name == "size" or int(n * (m / n)) > 0):
                table[f"{n} {how}"] = lambda x, n=n, how=how: F.interpolate(x[..., :n], mode=mode, **how)
    row = torch.arange(64).to(dtype).reshape((1,) * (rank - 1) + (64,))
    module = Of(*table.values())
    for told, found, wanted in zip(table, reference.interpret(read(module, row), row.numpy()), module(row)):
        np.testing.assert_array_equal(found, wanted.numpy(), err_msg=f"{rank} {mode} {told} {dtype}")


@pytest.mark.parametrize("rank", [3, 4, 5])
@pytest.mark.parametrize("mode", ["nearest", "nearest-exact"])
def test_the_nearest_elements_are_those_of_torch(rank, mode):
    nearest(rank, mode, [*PAIRS[rank::620], *APART], torch.float32)
    nearest(rank, mode, APART, torch.float64, by=("size",))


@pytest.mark.long
@pytest.mark.parametrize("rank", [3, 4, 5])
@pytest.mark.parametrize("mode", ["nearest", "nearest-exact"])
@pytest.mark.parametrize("by", ["size", "scale_factor"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_all_nearest_elements_are_those_of_torch(rank, mode, by, dtype):
    for first in range(8):
        nearest(rank, mode, PAIRS[first::8], dtype, (by,))
