"""Arithmetic on counts, for ints and arrays alike."""

from __future__ import annotations

from typing import Any

import numpy as np


def ceil_div(a, b):
    return -(-np.asarray(a) // b)


def product(values):
    result: Any = 1
    for value in values:
        result = result * np.asarray(value)
    return result


def longest(values):
    result = 1
    for value in values:
        result = np.maximum(result, value)
    return result
