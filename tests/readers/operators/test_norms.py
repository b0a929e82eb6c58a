"""Normalisations, against their definitions in NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from griotte.readers.operators import norms
from griotte.readers.operators.calls import Unsupported
from on_arrays import agree, floats, of_inputs

EPSILON = 1e-3


def standard(x: np.ndarray, axes) -> np.ndarray:
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + EPSILON)


@pytest.mark.parametrize("shape", [(2, 3), (2, 5, 7), (1, 4, 3, 5)])
def test_batch_norms(shape):
    x, c = floats(*shape), shape[1]
    gain, shift, mean, variance = (floats(c, seed=n) for n in range(4))
    variance = np.abs(variance)
    wide = lambda t: t.reshape(-1, *[1] * (len(shape) - 2))
    expected = (x - wide(mean)) / np.sqrt(wide(variance) + EPSILON) * wide(gain) + wide(shift)
    agree(of_inputs(norms.batch_norm, x, gain, shift, mean, variance, EPSILON), expected)
    known = lambda x: norms.batch_norm(x, *map(x.of, (gain, shift, mean, variance)), EPSILON)
    agree(of_inputs(known, x), expected)
    axes = (0, *range(2, len(shape)))
    own = [standard(x, axes) * wide(gain) + wide(shift), x.mean(axes), x.var(axes)]
    agree(of_inputs(norms.batch_norm_of_batch, x, gain, shift, EPSILON), own)
    agree(of_inputs(norms.standardised, x, axes, EPSILON), standard(x, axes))


@pytest.mark.parametrize("axis", [-1, 1])
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_norms_of_the_last_axes(axis, dtype):
    x, inner = floats(3, 4, 5), (5,) if axis == -1 else (4, 5)
    axes, (gain, shift) = tuple(range(3 - len(inner), 3)), (floats(*inner, seed=n) for n in (1, 2))
    given = [t.astype(dtype) for t in (x, gain, shift)]
    rtol = 1e-5 if dtype == np.float32 else 1e-2
    agree(of_inputs(norms.layer_norm, *given, axis, EPSILON), standard(x, axes) * gain + shift, rtol, rtol)
    agree(of_inputs(norms.layer_norm, *given[:2], None, axis, EPSILON), standard(x, axes) * gain, rtol, rtol)
    root = np.sqrt((x * x).mean(axes, keepdims=True) + EPSILON)
    agree(of_inputs(norms.rms_norm, *given[:2], axis, EPSILON), x / root * gain, rtol, rtol)


def test_a_scale_goes_with_the_axes():
    with pytest.raises(Unsupported, match=r"a scale \[4\] of \[5\]"):
        of_inputs(norms.layer_norm, floats(3, 5), floats(4))


@pytest.mark.parametrize("groups", [1, 3, 6])
def test_group_norms(groups):
    x, gain, shift = floats(2, 6, 3, 5), floats(6, seed=1), floats(6, seed=2)
    rows = standard(x.reshape(2, groups, -1), 2).reshape(x.shape)
    expected = rows * gain[:, None, None] + shift[:, None, None]
    agree(of_inputs(norms.group_norm, x, groups, gain, shift, EPSILON), expected)


@pytest.mark.parametrize("p", [1, 2])
def test_lp_norms(p):
    x = floats(4, 7)
    x[1] = 0
    size = np.linalg.norm(x, p, axis=1, keepdims=True)
    agree(of_inputs(norms.lp_norm, x, axis=1, p=p), x / np.where(size == 0, 1, size))


def test_mean_variance_norms():
    x = floats(3, 4, 5)
    agree(
        of_inputs(norms.mean_variance_norm, x, axes=(0, 2)),
        (x - x.mean((0, 2), keepdims=True)) / x.std((0, 2), keepdims=True),
    )
