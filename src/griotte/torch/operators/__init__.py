"""The operators of ATen, each one declaration: what it is in calls of the language."""

from . import (
    activations,
    arithmetic,
    attention,
    comparisons,
    indexing,
    making,
    norms,
    ordering,
    products,
    recurrences,
    reductions,
    resizing,
    shapes,
    special,
    windows,
)
from .declaring import OPERATORS, PLAIN, REFUSED

FILES = (
    activations,
    arithmetic,
    attention,
    comparisons,
    indexing,
    making,
    norms,
    ordering,
    products,
    recurrences,
    reductions,
    resizing,
    shapes,
    special,
    windows,
)
"""Where they are declared."""

__all__ = ["FILES", "OPERATORS", "PLAIN", "REFUSED"]
