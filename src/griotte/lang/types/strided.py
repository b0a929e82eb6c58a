"""Views of arrays by strides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.lib.stride_tricks import as_strided

from .dtypes import DTYPES

_NAMELESS = DTYPES["f8e5m2"].numpy  # ml_dtypes declares it as a float of NumPy's, of which that has none of a byte


def strided(array: np.ndarray, shape: Sequence[int], strides: Sequence[int], writeable: bool = True) -> np.ndarray:
    """NumPy's as_strided, of all dtypes."""
    if array.dtype != _NAMELESS:
        return as_strided(array, shape, strides, writeable=writeable)
    return as_strided(array.view(np.uint8), shape, strides, writeable=writeable).view(array.dtype)
