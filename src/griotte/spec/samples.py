"""Arrays to run a Spec on: random ones, and hostile ones that look for what a kernel forgot."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from .dtypes import convert, dtype, limits
from .reference import empty
from .spec import Spec
from .tensor import TensorType


def random_arrays(spec: Spec, rng: np.random.Generator, hostile: bool = False) -> list[np.ndarray]:
    """One array per input, in its declared layout. Floats are normal, integers uniform over their range (32 and 64 bits:
    within +-1000, so that sums do not wrap); `hostile` mixes in zeros of both signs, denormals, infinities, NaN, extremes."""
    arrays = [empty(tensor) for tensor in spec.inputs]
    for array, tensor in zip(arrays, spec.inputs):
        array[...] = _random(tensor, rng)
        if hostile:
            rare = 0.5 / tensor.elements**0.5 if spec.operation.combine else 0.3  # few enough not to drown every sum
            _mix_in(array, rare_values(tensor.dtype), rare, rng)
            _mix_in(array, hostile_values(tensor.dtype), 0.3, rng)
    return arrays


def hostile_values(name: str) -> np.ndarray:
    """Values of dtype `name` that trip kernels, but leave a sum finite."""
    if dtype(name).kind != "float":
        low, high = limits(name)
        return convert(np.array([low, low + 1, -1 if low else 0, 0, 1, high - 1, high], np.int64), name)
    tiny = float(ml_dtypes.finfo(dtype(name).numpy).smallest_normal)
    return convert(np.array([0.0, -0.0, tiny, -tiny, tiny / 2, -tiny / 8, 0.5, -1.5, 2.5, 127.5, -128.5, 300.0]), name)


def rare_values(name: str) -> np.ndarray:
    """Infinities, NaN and what overflows or saturates: none for integers."""
    if dtype(name).kind != "float":
        return np.empty(0, dtype(name).numpy)
    largest = float(ml_dtypes.finfo(dtype(name).numpy).max)
    return convert(np.array([np.inf, -np.inf, np.nan, largest, -largest, 2147483648.0, -2147483904.0, 65504.0, 89.0, -104.0]), name)


def _random(tensor: TensorType, rng: np.random.Generator) -> np.ndarray:
    row = dtype(tensor.dtype)
    if row.kind == "float":
        return convert(np.asarray(rng.standard_normal(tensor.shape, np.float64 if row.bits == 64 else np.float32)), row.name)
    low, high = limits(row.name)
    low, high = (low, high) if row.bits < 32 else (-1000 if low else 0, 1000)
    return convert(np.asarray(rng.integers(low, high, tensor.shape, endpoint=True)), row.name)


def _mix_in(array: np.ndarray, values: np.ndarray, share: float, rng: np.random.Generator) -> None:
    chosen = np.asarray(rng.random(array.shape) < share)
    if len(values):
        array[chosen] = values[rng.integers(len(values), size=int(chosen.sum()))]
