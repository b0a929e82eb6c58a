"""Normalisations, with what torch leaves out."""

from __future__ import annotations

from math import prod

import numpy as np

from ...operators import norms
from ...operators.array import call, rsqrt
from ...operators.kinds import in_f32
from ...readers.tables import OperatorTable


def with_moments(node, found, x, axes, epsilon: float):
    """A norm, and where they are read the mean and one over the deviation that it has of x along axes."""
    if not set(node.asked) - {0}:
        return [found]
    x = x.astype("f64" if x.dtype == "f64" else "f32")
    mean, variance = norms.moments(x, axes)
    both = mean, rsqrt(variance + float(epsilon))
    return [found, *(each.reshape(told.shape) for each, told in zip(both, node.gives[1:]))]


def of_channels(x, given, count: int, number: float):
    """A number for each channel: what is given, or this one."""
    if given is not None:
        return given
    return x.of(np.full(count, number, x.numpy))


def batch_norm(node, x, weight, bias, mean, variance, *how):
    """(.., momentum, epsilon), or (.., training, momentum, epsilon). Where it does not train, what stands for moments
    has no elements."""
    trains, epsilon = (False, how[1]) if len(how) == 2 else (how[0], how[2])
    if trains:
        node.only(0)
        return [of_batch(x, weight, bias, epsilon)]
    count = x.shape[1]
    gain, shift = of_channels(x, weight, count, 1), of_channels(x, bias, count, 0)
    found = norms.batch_norm(x, gain, shift, mean, variance, epsilon)
    return [found, *(np.zeros(told.shape, np.float32) for told in node.gives[1:] if 0 in told.shape)]


def batch_norm_of_batch(node, x, weight, bias, training, momentum, eps):
    axes = (0, *range(2, x.ndim))
    return with_moments(node, of_batch(x, weight, bias, eps), x, axes, eps)


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


def layer_norm(node, x, normalized_shape, weight=None, bias=None, eps=1e-5, cudnn_enable=True):
    found = in_f32(of_last)(node, x, normalized_shape, weight, bias, eps)
    if not node.operator.startswith("native"):
        return found
    rank = x.ndim
    return with_moments(node, found, x, tuple(range(rank - len(normalized_shape), rank)), eps)


def of_last(node, x, normalized_shape, weight, bias, eps):
    """By the mean and the deviation along the last axes."""
    count = prod(normalized_shape)
    gain, shift = of_channels(x, weight, count, 1), of_channels(x, bias, count, 0)
    if weight is None:
        gain = gain.reshape(normalized_shape)
    if bias is None:
        shift = shift.reshape(normalized_shape)
    return norms.layer_norm(x, gain, shift, -len(normalized_shape), eps)


@in_f32
def rms_norm(node, x, normalized_shape, weight=None, eps=None):
    node.only(0)
    gain = of_channels(x, weight, prod(normalized_shape), 1)
    if weight is None:
        gain = gain.reshape(normalized_shape)
    epsilon = float(np.finfo(np.float32).eps) if eps is None else eps
    found = norms.rms_norm(x, gain, -len(normalized_shape), epsilon)
    return [found] if node.operator.startswith("_fused") else found


def native_group_norm(node, x, weight, bias, n, c, inner, groups, eps):
    rows = x.reshape((n, groups, c // groups * inner))
    return with_moments(node, of_groups(node, x, groups, weight, bias, eps), rows, (2,), eps)


def group_norm(node, x, num_groups, weight=None, bias=None, eps=1e-5, cudnn_enabled=True):
    return of_groups(node, x, num_groups, weight, bias, eps)


def of_groups(node, x, groups, weight, bias, epsilon):
    count = x.shape[1]
    gain, shift = of_channels(x, weight, count, 1), of_channels(x, bias, count, 0)
    return norms.group_norm(x, groups, gain, shift, epsilon)


OPERATORS: OperatorTable = (
    (
        ("_native_batch_norm_legit_no_training native_batch_norm batch_norm cudnn_batch_norm _native_batch_norm_legit"),
        batch_norm,
    ),
    ("_native_batch_norm_legit.no_stats", batch_norm_of_batch),
    ("native_layer_norm layer_norm", layer_norm),
    ("rms_norm _fused_rms_norm", rms_norm),
    ("native_group_norm", native_group_norm),
    ("group_norm", group_norm),
)
