"""Norms of groups of channels, of channels, and by neighbours' channels, against NumPy."""

import griotte as gt
import numpy as np
import pytest
from checked import check
from griotte.support.errors import SpecError


def normed(x, groups, gain, bias, epsilon=1e-5):
    rows = x.reshape(len(x), groups, -1)
    rows = (rows - rows.mean(-1, keepdims=True)) / np.sqrt(rows.var(-1, keepdims=True) + epsilon)
    of_channels = (-1, *(1,) * (x.ndim - 2))
    return rows.reshape(x.shape) * gain.reshape(of_channels) + bias.reshape(of_channels)


def by_neighbours(x, size, alpha=1e-4, beta=0.75, bias=1.0):
    c, before, after = x.shape[1], (size - 1) // 2, size // 2
    sums = [(x[:, max(0, k - before) : min(c, k + after + 1)] ** 2).sum(1) for k in range(c)]
    return x / (bias + alpha / size * np.stack(sums, 1)) ** beta


@pytest.mark.parametrize(
    "text, meaning",
    [
        ("group_norm(f64[2,6,3,5], 2, f64[6], f64[6])", lambda x, g, b: normed(x, 2, g, b)),
        ("group_norm(f64[3,4], 2, f64[4], f64[4], epsilon=0.5)", lambda x, g, b: normed(x, 2, g, b, 0.5)),
        ("instance_norm(f64[2,6,3,5], f64[6], f64[6])", lambda x, g, b: normed(x, 6, g, b)),
        ("lrn(f64[2,6,3,5], size=3)", lambda x: by_neighbours(x, 3)),
        (
            "lrn(f64[2,6,3,5], size=4, alpha=0.5, beta=0.6, bias=2)",
            lambda x: by_neighbours(x, 4, 0.5, 0.6, 2),
        ),
        ("lrn(f64[1,6,2,2], size=2, beta=0.5)", lambda x: by_neighbours(x, 2, beta=0.5)),
    ],
)
def test_it_is_numpys(text, meaning):
    check(text, meaning, 1e-9, kinds=(False,))


@pytest.mark.parametrize("text", ["group_norm(bf16[2,6,7], 3, bf16[6], f32[6])", "lrn(f32[2,6,3,5], size=5)"])
def test_it_compiles_for_hostile_numbers(text):
    check(text)


@pytest.mark.parametrize(
    "text, message",
    [
        ("group_norm(f32[2,6,3], 4, f32[6], f32[6])", r"expects x \[n, c, ..\], groups that divide c"),
        ("group_norm(f32[2,6,3], 2, f32[3], f32[6])", r"and gain and bias \[c\], found"),
        ("instance_norm(f32[2,6], f32[6], f32[6])", "expects several elements in each group"),
        ("lrn(f32[2,6,3], size=3)", r"lrn expects \[n, c, h, w\]"),
        ("lrn(f32[2,6,3,3], size=0)", "lrn expects size to be a number of 1 or more"),
    ],
)
def test_what_does_not_go_together_is_said(text, message):
    with pytest.raises(SpecError, match=message):
        gt.parse(text)
