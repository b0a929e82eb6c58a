"""Complex numbers: two arrays of real ones, of one shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import mul
from typing import Any

import numpy as np

from .array import cos, exp, log, sin
from .numbers import atan2, hypot


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
