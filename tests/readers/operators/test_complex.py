"""Complex numbers and Fourier transforms beside NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from griotte.readers.operators import complex
from griotte.readers.operators.complex import ComplexPair, polar
from on_arrays import agree, floats, of_inputs


def parts(found: np.ndarray) -> list[np.ndarray]:
    return [found.real, found.imag]


def of_pairs(function, *numbers: np.ndarray):
    """What a function gives of complex numbers, whose parts are inputs: real numbers, or parts."""

    def on_parts(*given):
        found = function(*(ComplexPair(*given[n : n + 2]) for n in range(0, len(given), 2)))
        return [found.real, found.imag] if isinstance(found, ComplexPair) else [found]

    return of_inputs(on_parts, *(part.copy() for each in numbers for part in parts(each)))


ARITHMETIC = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "conj": lambda x, y: x.conj(),
}


@pytest.mark.parametrize("name", ARITHMETIC)
def test_arithmetic(name):
    x, y = (floats(2, 3, 4, seed=seed).view(np.complex64) for seed in (0, 1))
    agree(of_pairs(ARITHMETIC[name], x, y), parts(ARITHMETIC[name](x, y)))


def test_functions():
    x = floats(3, 4).view(np.complex64)
    agree(of_pairs(abs, x), [np.abs(x)])
    agree(of_pairs(ComplexPair.angle, x), [np.angle(x)])
    agree(of_pairs(ComplexPair.exp, x), parts(np.exp(x)))
    agree(of_pairs(ComplexPair.log, x), parts(np.log(x)))
    agree(of_pairs(ComplexPair.reciprocal, x), parts(1 / x))
    agree(of_pairs(lambda x: polar(abs(x), x.angle()), x), parts(x))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("size", [1, 6, 7])
def test_transforms(axis, size):
    x = floats(size, size, 2).view(np.complex64)[..., 0]
    agree(of_pairs(lambda x: complex.fft(x, axis), x), parts(np.fft.fft(x, axis=axis)), atol=1e-4)
    agree(of_pairs(lambda x: complex.fft(x, axis, 1), x), parts(np.fft.ifft(x, axis=axis, norm="forward")), atol=1e-4)
    real = x.real.copy()
    half = np.fft.rfft(real, axis=axis)
    pair = lambda x, onesided: [*vars(complex.rfft(x, axis, onesided)).values()]
    agree(of_inputs(pair, real, True), parts(half), atol=1e-4)
    agree(of_inputs(pair, real, False), parts(np.fft.fft(real, axis=axis)), atol=1e-4)
    found = of_pairs(lambda x: complex.irfft(x, axis, size), half.astype(np.complex64))
    agree(found, [np.fft.irfft(half, size, axis=axis, norm="forward")], atol=1e-4)
