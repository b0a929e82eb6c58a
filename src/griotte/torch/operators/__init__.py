"""The operators of ATen, each one declaration: what it is in calls of the language."""

from ...readers.operators.complex import ComplexPair
from ...readers.tables import of_files
from . import (
    arithmetic,
    attention,
    complex,
    functions,
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
    windows,
)
from .complex import of_parts
from .declaring import REFUSED, full_name

FILES = (
    arithmetic,
    attention,
    complex,
    functions,
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
    windows,
)
"""Where they are declared."""
OPERATORS = of_files(FILES, full_name)
"""By name and overload, "add.Tensor"."""
COMPLEX = of_parts(OPERATORS) | of_files(FILES, full_name, "COMPLEX")
"""The same of operators that read or give complex numbers."""

__all__ = ["COMPLEX", "FILES", "OPERATORS", "REFUSED", "ComplexPair"]
