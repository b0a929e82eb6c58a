"""Normalisations, with what torch leaves out."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from ...readers.operators import norms
from ...readers.operators.array import call, rsqrt
from ...readers.operators.kinds import in_f32
from ...readers.tables import OperatorTable


def with_moments(node, found, x, axes, epsilon: float):
    """A norm, the mean of x along axes, and one over the deviation."""
    mean, variance = norms.moments(x.astype("f64" if x.dtype == "f64" else "f32"), axes)
    both = mean, rsqrt(variance + float(epsilon))
    return [found, *(each.reshape(told.shape) for each, told in zip(both, node.gives[1:]))]


def of_channels(x, gain, shift, shape):
    """Times and plus: what is given, or 1 and 0."""
    told = lambda given, number: x.of(np.full(shape, number, x.numpy)) if given is None else given
    return told(gain, 1), told(shift, 0)


class WeightAndBias(NamedTuple):
    """What comes after a norm: times and plus."""

    weight: Any
    bias: Any


class RunningMoments(NamedTuple):
    mean: Any
    variance: Any


def batch_norm(node, x, affine: WeightAndBias, moments: RunningMoments, *momentum, eps, training=False):
    """Where it does not train, what stands for moments has no elements."""
    if training:
        node.only(0)
        return [of_batch(x, *affine, eps)]
    gain, shift = of_channels(x, *affine, x.shape[1])
    found = norms.batch_norm(x, gain, shift, *moments, eps)
    return [found, *(np.zeros(told.shape, np.float32) for told in node.gives[1:] if 0 in told.shape)]


def batch_norm_of_batch(node, x, weight, bias, *how, eps):
    return with_moments(node, of_batch(x, weight, bias, eps), x, (0, *range(2, x.ndim)), eps)


@in_f32
def of_batch(x, weight, bias, epsilon):
    """By the mean and the deviation of x itself, of each channel."""
    n, c, *inner = x.shape
    if n == 1:  # rows that lie densely, as of instance norms
        found = norms.plain_norm(x.reshape((c, prod(inner))), epsilon).reshape(x.shape)
    else:
        found = norms.standardised(x, (0, *range(2, x.ndim)), epsilon)
    for called, each in (("mul", weight), ("add", bias)):
        if each is not None:
            found = call(called, found, each.reshape((c, *[1] * len(inner))))
    return found


def layer_norm(node, x, normalized_shape, weight, bias, eps):
    count, (gain, shift) = len(normalized_shape), of_channels(x, weight, bias, normalized_shape)
    found = norms.layer_norm(x, gain, shift, -count, eps)
    return with_moments(node, found, x, tuple(range(x.ndim - count, x.ndim)), eps)


def group_norm(node, x, weight, bias, *sizes, eps):
    n, c, inner, groups = sizes
    gain, shift = of_channels(x, weight, bias, c)
    found = norms.group_norm(x, groups, gain, shift, eps)
    return with_moments(node, found, x.reshape((n, groups, c // groups * inner)), (2,), eps)


OPERATORS: OperatorTable = (
    ("_native_batch_norm_legit_no_training native_batch_norm _native_batch_norm_legit", batch_norm),
    ("_native_batch_norm_legit.no_stats", batch_norm_of_batch),
    ("native_layer_norm", layer_norm),
    ("native_group_norm", group_norm),
)
