"""Fourier transforms along an axis: products with matrices of roots of 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .array import Array, sliced
from .complex import ComplexPair
from .moving import joined
from .products import multiplied


def roots(size: int, count: int, sign: int) -> tuple[np.ndarray, np.ndarray]:
    """cos and sin [element, place] of the angles of a transform."""
    angles = np.outer(np.arange(size), np.arange(count)) % size * (2 * np.pi / size)
    return np.cos(angles), sign * np.sin(angles)


def twice_in_whole(size: int) -> np.ndarray:
    """How often each part of half a spectrum stands in the whole one."""
    part = np.arange(size // 2 + 1)
    return np.where((part == 0) | (2 * part == size), 1, 2)


def _along(parts: Sequence[Array], axis: int, matrix: np.ndarray, count: int) -> list[Any]:
    """Parts of numbers along an axis, one behind the other, times a matrix [theirs, those of the result]: its parts."""
    parts[0].room(*matrix.shape)
    rank = parts[0].ndim
    order = [*(a for a in range(rank) if a != axis), axis]
    x = joined([part.transpose(order) for part in parts], rank - 1)
    found = multiplied(x, matrix.astype(x.numpy))
    each = [sliced(found, {rank - 1: (first, first + count)}) for first in range(0, found.shape[-1], count)]
    return [part.transpose(np.argsort(order)) for part in each]


def fft(x: ComplexPair, axis: int, sign: int = -1) -> ComplexPair:
    """Of complex numbers; of sign 1 the inverse, which is not divided by their number."""
    size = x.real.shape[axis]
    x.real.room(size, size, 4)
    cos, sin = roots(size, size, sign)
    return ComplexPair(*_along([x.real, x.imag], axis, np.block([[cos, sin], [-sin, cos]]), size))


def rfft(x: Array, axis: int, onesided: bool = True) -> ComplexPair:
    """Of real numbers: half of the spectrum, or all of it."""
    size = x.shape[axis]
    count = size // 2 + 1 if onesided else size
    x.room(size, count, 2)
    return ComplexPair(*_along([x], axis, np.hstack(roots(size, count, -1)), count))


def irfft(x: ComplexPair, axis: int, size: int) -> Array:
    """The real numbers of half a spectrum, of which the other half is the conjugate; not divided by their number."""
    twice = twice_in_whole(size)[:, None]
    cos, sin = (each[: len(twice)] * twice for each in roots(size, size, -1))
    parts = [sliced(part, {axis: (0, len(twice))}) for part in (x.real, x.imag)]
    return _along(parts, axis, np.vstack([cos, sin]), size)[0]
