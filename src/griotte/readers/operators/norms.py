"""Normalisations: x without its mean, by its deviation, times and plus numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from .array import Array, call, rsqrt, sqrt, where
from .calls import Unsupported
from .convolutions import channels
from .kinds import in_f32, placed


@in_f32
def batch_norm(x: Array, scale: Array, bias: Array, mean: Array, variance: Array, epsilon: float) -> Array:
    """x [n, c, ..] by a mean and a variance of its channel: times and plus known numbers where all these are known."""
    if all(t.is_known for t in (scale, bias, mean, variance)):
        gain, shift, centre, spread = (np.asarray(t, np.float64) for t in (scale, bias, mean, variance))
        factor = gain / np.sqrt(spread + epsilon)
        shape, own = (-1, *[1] * (x.ndim - 2)), x.numpy
        wide = lambda array: array.astype(own).reshape(shape)
        return x * wide(factor) + wide(shift - centre * factor)
    return _normalised(x, epsilon, *(channels(t, x.ndim) for t in (scale, bias, mean, variance)))


def _normalised(x: Array, epsilon: float, scale: Any, bias: Any, mean: Any, variance: Any) -> Array:
    """(x - mean) / sqrt(variance + epsilon) * scale + bias."""
    root = sqrt(variance + epsilon)
    apart = (x - mean) / root
    return apart * scale + bias


@in_f32
def batch_norm_of_batch(x: Array, scale: Array, bias: Array, epsilon: float) -> list[Array]:
    """x [n, c, ..] by the mean and the variance of its channel that it has itself; these."""
    mean, variance = moments(x, (0, *range(2, x.ndim)))
    gain, shift = (channels(t, x.ndim) for t in (scale, bias))
    found = _normalised(x, epsilon, gain, shift, mean, variance)
    return [found, *(t.reshape((t.size,)) for t in (mean, variance))]


def moments(x: Array, axes: tuple[int, ...]) -> tuple[Array, Array]:
    """The mean and the variance along axes, which stay."""
    mean = x.mean(axis=axes, keepdims=True)
    apart = x - mean
    return mean, (apart * apart).mean(axis=axes, keepdims=True)


def standardised(x: Array, axes: tuple[int, ...], epsilon: float) -> Array:
    """x without its mean, times 1 / sqrt(variance + epsilon), along axes."""
    apart = x - x.mean(axis=axes, keepdims=True)
    return apart * rsqrt((apart * apart).mean(axis=axes, keepdims=True) + epsilon)


@in_f32
def layer_norm(x: Array, scale: Array, bias: Array | None = None, axis: int = -1, epsilon: float = 1e-5) -> Array:
    """Along all axes from one on."""
    rows, gain = _rows(x, scale, axis)
    shift = np.zeros(gain.shape, x.numpy) if bias is None else _rows(x, bias, axis)[1]
    return call("layer_norm", rows, gain, shift, epsilon=epsilon).reshape(x.shape)


@in_f32
def rms_norm(x: Array, scale: Array, axis: int = -1, epsilon: float = 1e-5) -> Array:
    """x by the root of the mean of its squares, times a scale."""
    rows, gain = _rows(x, scale, axis)
    return call("rms_norm", rows, gain, epsilon=epsilon).reshape(x.shape)


def _rows(x: Array, scale: Array, axis: int) -> tuple[Array, Array]:
    """x with all axes from one on as one, and what goes with them."""
    axis = placed(axis, x.ndim)
    inner = x.shape[axis:]
    if scale.size not in (1, prod(inner)) or scale.shape != inner[len(inner) - scale.ndim :]:
        raise Unsupported(f"a scale {list(scale.type.shape)} of {list(inner)}")
    return x.reshape((*x.shape[:axis], prod(inner))), scale.reshape((scale.size,))


@in_f32
def group_norm(x: Array, groups: int, scale: Array, bias: Array, epsilon: float = 1e-5) -> Array:
    """x [n, c, ..] by the moments of its group of channels; of as many groups as channels an instance norm."""
    found = plain_norm(x.reshape((x.shape[0], groups, x.size // (x.shape[0] * groups))), epsilon).reshape(x.shape)
    return found * channels(scale, x.ndim) + channels(bias, x.ndim)


def plain_norm(rows: Array, epsilon: float) -> Array:
    """A layer norm along the last axis, without a scale and a bias."""
    one, none = (np.full((rows.shape[-1],), n, rows.numpy) for n in (1, 0))
    return call("layer_norm", rows, one, none, epsilon=epsilon)


@in_f32
def lp_norm(x: Array, *, axis: int = -1, p: int = 2) -> Array:
    """x by the norm of its rows; 0 where that is 0."""
    axis = placed(axis, x.ndim)
    powers = abs(x) if p == 1 else x * x
    total = powers.sum(axis=axis, keepdims=True)
    norm = total if p == 1 else sqrt(total)
    is_none = norm == 0.0
    return where(is_none, x.number(0), x / norm)


@in_f32
def mean_variance_norm(x: Array, *, axes: Sequence[int] = (0, 2, 3)) -> Array:
    """x without its mean, by its deviation plus a little."""
    axes = tuple(axes)
    apart = x - x.mean(axis=axes, keepdims=True)
    spread = sqrt((apart * apart).mean(axis=axes, keepdims=True))
    return apart / (spread + 1e-9)


@in_f32
def local_response_norm(x: Array, *, size: int, alpha: float = 1e-4, beta: float = 0.75, bias: float = 1.0) -> Array:
    """x / (bias + alpha / size * the sum of squares of neighbours along channels) ** beta."""
    if x.ndim == 4:
        return call("lrn", x, size=size, alpha=alpha, beta=beta, bias=bias)
    low, (n, c, *inner) = (size - 1) // 2, x.shape
    rows = (x * x).reshape((n, 1, c, prod(inner)))
    mean = call("avg_pool2d", rows, window=(size, 1), stride=1, padding=((low, size - 1 - low), (0, 0))).reshape(
        x.shape
    )
    return x / (mean * alpha + bias) ** beta
