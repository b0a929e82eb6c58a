"""The operators of ONNX, each one declaration: what it is in calls of the language."""

from . import elementwise, norms, products, reductions, shapes, windows
from .declaring import OPERATORS, TooMuch, Unsupported

__all__ = ["OPERATORS", "TooMuch", "Unsupported", "elementwise", "norms", "products", "reductions", "shapes", "windows"]
