"""The operators of ONNX, each one declaration: what it is in calls of the language."""

from . import (
    attention,
    control,
    elementwise,
    indexing,
    microsoft,
    norms,
    products,
    quantised,
    recurrences,
    reductions,
    resizing,
    sampling,
    shapes,
    spectra,
    training,
    windows,
)
from .declaring import OPERATORS, REFUSED

FILES = (
    attention,
    control,
    elementwise,
    indexing,
    microsoft,
    norms,
    products,
    quantised,
    recurrences,
    reductions,
    resizing,
    sampling,
    shapes,
    spectra,
    training,
    windows,
)
"""Where they are declared."""

__all__ = ["FILES", "OPERATORS", "REFUSED"]
