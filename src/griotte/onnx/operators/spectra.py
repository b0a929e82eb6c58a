"""Fourier transforms of numbers whose parts, one or two, lie along the last axis."""

from __future__ import annotations

import numpy as np

from ...readers.operators.array import integer, known, sliced
from ...readers.operators.calls import Unsupported
from ...readers.operators.complex import ComplexPair, fft, irfft, rfft
from ...readers.operators.kinds import placed
from ...readers.operators.moving import padded, stacked
from ...readers.tables import OperatorTable


def dft(node, x, length=None, along=None, *, inverse=0, onesided=0):
    """Until ONNX 20 the axis is an attribute."""
    given = node.attribute("axis", 1) if node.opset < 20 else (-2 if along is None else integer(along, "the axis"))
    axis = placed(given, x.ndim)
    if inverse and not onesided:
        raise Unsupported("the inverse of a whole spectrum, of which ONNX's tests hold the noise of a transform in f32")
    count = x.shape[axis] if length is None else integer(length, "the length")
    if not inverse:
        return _transformed(_fitted(x, axis, count), axis, bool(onesided))
    count = 2 * (count - 1) if length is None else count
    x = _fitted(x, axis, count // 2 + 1)
    imag = x[..., 1] if x.shape[-1] > 1 else x.of(np.zeros(x.shape[:-1], x.numpy))
    return stacked([irfft(ComplexPair(x[..., 0], imag), axis, count) * (1 / count)], x.ndim - 1)


def stft(signal, step, window=None, length=None, *, onesided=1):
    """Of parts of a signal, as far apart as told, each times a window."""
    step = integer(step, "the step from frame to frame")
    window = known(window, "a window")
    count = None if length is None else integer(length, "the length of a frame")
    size = count if window is None else len(window)
    if size is None or count is not None and count < size:
        raise Unsupported("a frame without a length, or shorter than its window")
    if signal.ndim == 2:
        signal = signal.reshape((*signal.shape, 1))
    starts = np.arange(1 + (signal.shape[1] - size) // step) * step
    signal.reserve(len(starts), size)
    frames = signal.take((starts[:, None] + np.arange(size)).astype(np.int32), 1)
    frames = frames if window is None else frames * window.reshape(-1, 1)
    return _transformed(frames, 2, bool(onesided))


def _fitted(x, axis: int, size: int):
    """x with so many elements along an axis: cut, or zeros behind."""
    if size < x.shape[axis]:
        x = sliced(x, {axis: (0, size)})
    return padded(x, [0] * x.ndim, [size - n if i == axis else 0 for i, n in enumerate(x.shape)])


def _transformed(x, axis: int, onesided: bool):
    """The spectrum along an axis, or half of it."""
    if x.shape[-1] == 1:
        found = rfft(x[..., 0], axis, onesided)
    else:
        found = fft(ComplexPair(x[..., 0], x[..., 1]), axis)
        found = found.map(lambda part: sliced(part, {axis: (0, x.shape[axis] // 2 + 1)}) if onesided else part)
    return stacked([found.real, found.imag], x.ndim - 1)


OPERATORS: OperatorTable = (
    ("DFT", dft),
    ("STFT", stft),
)
