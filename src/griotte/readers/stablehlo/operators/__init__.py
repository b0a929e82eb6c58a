"""XLA's operations, each one declaration: what it is in calls of the language."""

from ...tables import with_node
from . import control, elementwise, indexing, moving, products, reductions, windows
from .declaring import REFUSED, XlaOperator

FILES = (control, elementwise, indexing, moving, products, reductions, windows)
"""Where they are declared."""
ROWS = [XlaOperator(names, with_node(function), *more) for f in FILES for names, function, *more in f.OPERATORS]
OPERATORS = {name: row for row in ROWS for name in row.every_name}
"""By JAX's name, and by StableHLO's."""

__all__ = ["FILES", "OPERATORS", "REFUSED"]
