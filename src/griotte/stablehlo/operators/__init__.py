"""XLA's operations, each one declaration: what it is in calls of the language."""

from . import bits, chosen, control, elementwise, indexing, moving, products, reductions, refusing, special, windows
from .declaring import OPERATORS, REFUSED

FILES = (bits, chosen, control, elementwise, indexing, moving, products, reductions, special, windows)
"""Where they are declared; in `refusing` is why others are not."""

__all__ = ["FILES", "OPERATORS", "REFUSED", "refusing"]
