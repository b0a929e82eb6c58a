"""The operators of ATen, each one declaration: what it is in calls of the language."""

from . import (
    activations,
    arithmetic,
    attention,
    comparisons,
    complex,
    indexing,
    linalg,
    making,
    norms,
    ordering,
    products,
    recurrences,
    reductions,
    resizing,
    segments,
    shapes,
    special,
    spectra,
    windows,
)
from .complex import COMPLEX, ComplexPair
from .declaring import OPERATORS, PLAIN, REFUSED

FILES = (
    activations,
    arithmetic,
    attention,
    comparisons,
    complex,
    indexing,
    linalg,
    making,
    norms,
    ordering,
    products,
    recurrences,
    reductions,
    resizing,
    segments,
    shapes,
    special,
    spectra,
    windows,
)
"""Where they are declared."""

__all__ = ["COMPLEX", "FILES", "OPERATORS", "PLAIN", "REFUSED", "ComplexPair"]
