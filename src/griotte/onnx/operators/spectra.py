"""Fourier transforms: products with matrices of roots of 1."""

from __future__ import annotations

import numpy as np

from ...operators.array import known, sliced
from ...operators.calls import Unsupported
from ...operators.kinds import placed
from ...operators.moving import padded
from ...operators.products import multiplied
from ...readers.tables import OperatorTable


def dft(node, x, length=None, axis=None):
    rank = x.ndim
    given = node.attribute("axis", 1) if node.opset < 20 else (-2 if axis is None else int(known(axis, "the axis")))
    axis = placed(given, rank)
    inverse, onesided = node.attribute("inverse", 0), node.attribute("onesided", 0)
    wanted, size = None if length is None else int(known(length, "the length")), x.shape[axis]
    if inverse and onesided:
        count = 2 * (size - 1) if wanted is None else wanted
        return _along(_fitted(x, axis, count // 2 + 1), axis, _whole(count, x.shape[-1]))
    if inverse:
        raise Unsupported("the inverse of a whole spectrum, of which ONNX's tests hold the noise of a transform in f32")
    count = size if wanted is None else wanted
    matrix = _roots(count, count // 2 + 1 if onesided else count, x.shape[-1])
    return _along(_fitted(x, axis, count), axis, matrix)


def stft(node, signal, step, window=None, length=None):
    """Of parts of a signal, as far apart as told, each times a window."""
    step = int(known(step, "the step from frame to frame"))
    window = known(window, "a window")
    count = None if length is None else int(known(length, "the length of a frame"))
    size = count if window is None else len(window)
    if size is None or count is not None and count < size:
        raise Unsupported("a frame without a length, or shorter than its window")
    if signal.ndim == 2:
        signal = signal.reshape((*signal.shape, 1))
    starts = np.arange(1 + (signal.shape[1] - size) // step) * step
    signal.room(len(starts), size)
    frames = signal.take((starts[:, None] + np.arange(size)).astype(np.int32), 1)
    matrix = _roots(size, size // 2 + 1 if node.attribute("onesided", 1) else size, signal.shape[2])
    if window is not None:
        matrix = matrix * window.reshape(-1, 1, 1, 1)
    return _along(frames, 2, matrix)


def _fitted(x, axis: int, size: int):
    """x with so many elements along an axis: cut, or zeros behind."""
    if size < x.shape[axis]:
        x = sliced(x, {axis: (0, size)})
    return padded(x, [0] * x.ndim, [size - n if i == axis else 0 for i, n in enumerate(x.shape)])


def _roots(size: int, count: int, parts: int, inverse: bool = False) -> np.ndarray:
    """[element, its part, place, part of the result]: real, and what is imaginary where there are two parts."""
    angles = np.outer(np.arange(size), np.arange(count)) % size * ((2 if inverse else -2) * np.pi / size)
    real, imaginary = np.cos(angles), np.sin(angles)
    rows = [[real, imaginary], [-imaginary, real]][:parts]
    found = np.stack([np.stack(row, -1) for row in rows], 1)
    return found / size if inverse else found


def _whole(size: int, parts: int) -> np.ndarray:
    """The same of the inverse of half a spectrum, of which the other half is the conjugate: the result is real."""
    half = size // 2 + 1
    twice = np.where((np.arange(half) == 0) | (2 * np.arange(half) == size), 1, 2)
    return _roots(size, size, parts, True)[:half, :, :, :1] * twice.reshape(-1, 1, 1, 1)


def _along(x, axis: int, matrix: np.ndarray):
    """x, its parts last, times a matrix along an axis."""
    size, parts, count, gives = matrix.shape
    x.room(*matrix.shape)
    last = x.ndim - 1
    rest = [a for a in range(last) if a != axis]
    lined = x.transpose([*rest, axis, last])
    lined = lined.reshape((*lined.shape[:-2], size * parts))
    weights = matrix.reshape(size * parts, count * gives).astype(x.numpy)
    found = multiplied(lined, weights)
    apart = found.reshape((*found.shape[:-1], count, gives))
    order = [*rest, axis]
    return apart.transpose([*(order.index(a) for a in range(last)), last])


OPERATORS: OperatorTable = (
    ("DFT", dft),
    ("STFT", stft),
)
