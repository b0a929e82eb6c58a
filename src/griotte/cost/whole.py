"""Arithmetic on counts, for ints and arrays alike."""

from __future__ import annotations

import numpy as np


def ceil_div(a, b):
    return -(-np.asarray(a) // b)


def longest(values):
    result = 1
    for value in values:
        result = np.maximum(result, value)
    return result
