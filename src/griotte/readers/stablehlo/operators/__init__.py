"""XLA's operations, each one declaration: what it is in calls of the language."""

from ...tables import with_node
from . import chosen, control, elementwise, indexing, moving, products, reductions, refusing, windows
from .declaring import XlaOperator
from .refusing import REFUSED

FILES = (chosen, control, elementwise, indexing, moving, products, reductions, windows)
"""Where they are declared; in `refusing` is why others are not."""
ROWS = [XlaOperator(names, with_node(function), *more) for f in FILES for names, function, *more in f.OPERATORS]
OPERATORS = {name: row for row in ROWS for name in row.every_name}
"""By JAX's name, and by StableHLO's."""

__all__ = ["FILES", "OPERATORS", "REFUSED", "refusing"]
