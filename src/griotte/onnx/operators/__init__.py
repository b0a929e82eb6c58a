"""The operators of ONNX, each one declaration: what it is in calls of the language."""

from ...readers.tables import of_files
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
    shapes,
    spectra,
    training,
    windows,
)
from .declaring import REFUSED, by_domain

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
    shapes,
    spectra,
    training,
    windows,
)
"""Where they are declared."""
OPERATORS = of_files((*FILES, *microsoft.FILES), by_domain)
"""By domain and name."""

__all__ = ["FILES", "OPERATORS", "REFUSED"]
