"""Fourier transforms: products with matrices of roots of 1."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod, sqrt
from typing import Any

import numpy as np

from ...operators.array import sliced
from ...operators.kinds import placed
from ...operators.moving import joined
from ...operators.products import multiplied
from ...readers.tables import OperatorTable
from .complex import ComplexPair


def roots(size: int, count: int, sign: int) -> tuple[np.ndarray, np.ndarray]:
    """cos and sin [element, place] of the angles of a transform."""
    angles = np.outer(np.arange(size), np.arange(count)) % size * (2 * np.pi / size)
    return np.cos(angles), sign * np.sin(angles)


def along(node, parts: Sequence[Any], axis: int, matrix: np.ndarray, count: int) -> list[Any]:
    """Parts of numbers along an axis, one behind the other, times a matrix [theirs, those of the result]: its parts."""
    node.room(*matrix.shape)
    rank = parts[0].ndim
    order = [*(a for a in range(rank) if a != axis), axis]
    x = joined([part.transpose(order) for part in parts], rank - 1)
    found = multiplied(x, matrix.astype(x.numpy))
    each = [sliced(found, {rank - 1: (first, first + count)}) for first in range(0, found.shape[-1], count)]
    return [part.transpose(np.argsort(order)) for part in each]


def turned(node, x: ComplexPair, axis: int, sign: int) -> ComplexPair:
    """Transformed along an axis."""
    size = x.real.shape[axis]
    node.room(size, size, 4)
    cos, sin = roots(size, size, sign)
    return ComplexPair(*along(node, [x.real, x.imag], axis, np.block([[cos, sin], [-sin, cos]]), size))


def scaled(parts: Sequence[Any], sizes: Sequence[int], how: int) -> list[Any]:
    """By nothing, by the root of how many elements were transformed, or by their number."""
    by = (1.0, 1 / sqrt(prod(sizes)), 1 / prod(sizes))[how]
    return [part if by == 1 else part * by for part in parts]


def of_real(node, x, dim, normalization, onesided):
    """Along the last of the axes that are told first."""
    *others, last = (placed(a, x.ndim) for a in dim)
    size = x.shape[last]
    count = size // 2 + 1 if onesided else size
    node.room(size, count, 2)
    found = ComplexPair(*along(node, [x], last, np.hstack(roots(size, count, -1)), count))
    for axis in others:
        found = turned(node, found, axis, -1)
    return ComplexPair(*scaled((found.real, found.imag), [x.shape[a] for a in (*others, last)], normalization))


def of_complex(node, x, dim, normalization, forward):
    axes = [placed(a, len(node.shape)) for a in dim]
    for axis in axes:
        x = turned(node, x, axis, -1 if forward else 1)
    return ComplexPair(*scaled((x.real, x.imag), [node.shape[a] for a in axes], normalization))


def to_real(node, x, dim, normalization, last_dim_size):
    """Of half a spectrum, of which the other half is the conjugate."""
    *others, last = (placed(a, len(node.shape)) for a in dim)
    for axis in others:
        x = turned(node, x, axis, 1)
    half = last_dim_size // 2 + 1
    twice = np.where((np.arange(half) == 0) | (2 * np.arange(half) == last_dim_size), 1, 2)[:, None]
    cos, sin = (each[:half] * twice for each in roots(last_dim_size, last_dim_size, -1))
    parts = [sliced(part, {last: (0, half)}) for part in (x.real, x.imag)]
    found = along(node, parts, last, np.vstack([cos, sin]), last_dim_size)
    return scaled(found, [node.shape[a] for a in (*others, last)], normalization)[0]


COMPLEX: OperatorTable = (
    ("_fft_r2c", of_real),
    ("_fft_c2c", of_complex),
    ("_fft_c2r", to_real),
)
