"""Complex numbers, two arrays of real ones of one shape; Fourier transforms, which are products with matrices of roots
of 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Any

import numpy as np

from .array import Array, cos, exp, log, sin, sliced
from .moving import joined
from .numbers import atan2, hypot
from .products import multiplied


@dataclass(frozen=True)
class ComplexPair:
    """An array of complex numbers: its real part and its imaginary one, both known or both values."""

    real: Any
    imag: Any

    @property
    def is_known(self) -> bool:
        return isinstance(self.real, np.ndarray) and isinstance(self.imag, np.ndarray)

    def map(self, function: Callable[[Any], Any]) -> ComplexPair:
        """What a function gives of each part."""
        return ComplexPair(function(self.real), function(self.imag))

    def times(self, other: ComplexPair, by: Callable[[Any, Any], Any]) -> ComplexPair:
        """A product by one of real numbers."""
        return ComplexPair(
            by(self.real, other.real) - by(self.imag, other.imag),
            by(self.real, other.imag) + by(self.imag, other.real),
        )

    def conj(self) -> ComplexPair:
        return ComplexPair(self.real, -self.imag)

    def reciprocal(self) -> ComplexPair:
        square = self.real * self.real + self.imag * self.imag
        return ComplexPair(self.real / square, -self.imag / square)

    def angle(self) -> Any:
        return atan2(self.imag, self.real)

    def exp(self) -> ComplexPair:
        return polar(exp(self.real), self.imag)

    def log(self) -> ComplexPair:
        return ComplexPair(log(abs(self)), self.angle())

    def __abs__(self) -> Any:
        return hypot(self.real, self.imag)

    def __add__(self, other: ComplexPair) -> ComplexPair:
        return ComplexPair(self.real + other.real, self.imag + other.imag)

    def __sub__(self, other: ComplexPair) -> ComplexPair:
        return ComplexPair(self.real - other.real, self.imag - other.imag)

    def __mul__(self, other: ComplexPair) -> ComplexPair:
        return self.times(other, mul)

    def __truediv__(self, other: ComplexPair) -> ComplexPair:
        return self * other.reciprocal()


def polar(size: Any, angle: Any) -> ComplexPair:
    """The numbers of these sizes and angles."""
    return ComplexPair(size * cos(angle), size * sin(angle))


def roots(size: int, count: int, sign: int) -> tuple[np.ndarray, np.ndarray]:
    """cos and sin [element, place] of the angles of a transform."""
    angles = np.outer(np.arange(size), np.arange(count)) % size * (2 * np.pi / size)
    return np.cos(angles), sign * np.sin(angles)


def _along(parts: Sequence[Array], axis: int, matrix: np.ndarray, count: int) -> list[Any]:
    """Parts of numbers along an axis, one behind the other, times a matrix [theirs, those of the result]: its parts."""
    parts[0].reserve(*matrix.shape)
    rank = parts[0].ndim
    order = [*(a for a in range(rank) if a != axis), axis]
    x = joined([part.transpose(order) for part in parts], rank - 1)
    found = multiplied(x, matrix.astype(x.numpy))
    each = [sliced(found, {rank - 1: (first, first + count)}) for first in range(0, found.shape[-1], count)]
    return [part.transpose(np.argsort(order)) for part in each]


def fft(x: ComplexPair, axis: int, sign: int = -1) -> ComplexPair:
    """Of complex numbers; sign 1 gives the inverse, not divided by the size."""
    size = x.real.shape[axis]
    x.real.reserve(size, size, 4)
    cos, sin = roots(size, size, sign)
    return ComplexPair(*_along([x.real, x.imag], axis, np.block([[cos, sin], [-sin, cos]]), size))


def rfft(x: Array, axis: int, onesided: bool = True) -> ComplexPair:
    """Of real numbers: half of the spectrum, or all of it."""
    size = x.shape[axis]
    count = size // 2 + 1 if onesided else size
    x.reserve(size, count, 2)
    return ComplexPair(*_along([x], axis, np.hstack(roots(size, count, -1)), count))


def irfft(x: ComplexPair, axis: int, size: int) -> Array:
    """The real numbers whose half spectrum this is; not divided by the size."""
    part = np.arange(size // 2 + 1)
    twice = np.where((part == 0) | (2 * part == size), 1, 2)[:, None]  # how often each part stands in the whole
    cos, sin = (each[: len(twice)] * twice for each in roots(size, size, -1))
    parts = [sliced(part, {axis: (0, len(twice))}) for part in (x.real, x.imag)]
    return _along(parts, axis, np.vstack([cos, sin]), size)[0]
