"""XLA's operations, each one declaration: what it is in calls of the language."""

from ...tables import of_files
from . import chosen, control, elementwise, indexing, moving, products, reductions, refusing, windows
from .refusing import REFUSED

FILES = (chosen, control, elementwise, indexing, moving, products, reductions, windows)
"""Where they are declared; in `refusing` is why others are not."""
OPERATORS = of_files(FILES)
"""By the primitive's name."""

__all__ = ["FILES", "OPERATORS", "REFUSED", "refusing"]
