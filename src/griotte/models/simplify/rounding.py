"""What is known beforehand is rounded once: within the normal numbers, where that is all that it loses."""

from __future__ import annotations

import ml_dtypes
import numpy as np


def product(one: np.ndarray, other: np.ndarray, own: np.dtype) -> np.ndarray | None:
    """Two arrays of f64 multiplied and rounded; None where an element is beyond the normal numbers, but for products
    with 0, which are exact."""
    with np.errstate(all="ignore"):
        found = (one * other).astype(own)
        size = np.abs(found.astype(np.float64))
        is_exact = (one == 0) | (other == 0)
    return found if np.all(np.isfinite(size)) and np.all((size >= least(own)) | is_exact) else None


def least(own: np.dtype) -> float:
    """The least normal number."""
    return float(ml_dtypes.finfo(own).tiny)


def most(own: np.dtype) -> float:
    """The largest number."""
    return float(ml_dtypes.finfo(own).max)


def unit(own: np.dtype) -> float:
    """Half a step at 1: what one rounding changes at most, relatively."""
    return float(ml_dtypes.finfo(own).eps) / 2


def span(own: np.dtype) -> float:
    """A quarter of the binary orders of magnitude above 1: what passes a factor up to that, or one over that, comes as
    near to the end of what there is only where it was near before."""
    return 2.0 ** (ml_dtypes.finfo(own).maxexp // 4)


def is_wide(own: np.dtype) -> bool:
    """Whether sums are rounded as their terms are: those of 16 bits are in f32."""
    return own.itemsize > 2


def is_moderate(factor: np.ndarray, own: np.dtype) -> bool:
    """Whether all factors are 0 or between 1 / span and span."""
    size, bound = np.abs(factor), span(own)
    return bool(np.all((size == 0) | ((size >= 1 / bound) & (size <= bound))))


def is_harmless(term: np.ndarray, own: np.dtype) -> bool:
    """Whether adding a term makes nothing overflow that does not by rounding."""
    return bool(np.all(np.abs(term) <= most(own) * unit(own) / 4))
