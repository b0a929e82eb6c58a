"""The operators of ONNX, each one declaration: what it is in calls of the language."""

from . import elementwise, norms, products, reductions, shapes, windows
from .declaring import OPERATORS, Unsupported

__all__ = ["OPERATORS", "Unsupported", "elementwise", "norms", "products", "reductions", "shapes", "windows"]
