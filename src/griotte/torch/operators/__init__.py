"""The operators of ATen, each one declaration: what it is in calls of the language."""

from ...readers.operators.complex import ComplexPair
from ...readers.tables import of_files
from . import complex, elementwise, images, indexing, layers, products, reductions, shapes
from .complex import of_parts
from .declaring import REFUSED, full_name

FILES = (complex, elementwise, images, indexing, layers, products, reductions, shapes)
"""Where they are declared."""
OPERATORS = of_files(FILES, full_name)
"""By name and overload, "add.Tensor"."""
COMPLEX = of_parts(OPERATORS) | of_files(FILES, full_name, "COMPLEX")
"""The same of operators that read or give complex numbers."""

__all__ = ["COMPLEX", "FILES", "OPERATORS", "REFUSED", "ComplexPair"]
