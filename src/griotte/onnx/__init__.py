"""Models from ONNX: `from_onnx` reads one as a graph of calls of the language, `Backend` runs it as ONNX's tests ask.
Needs the extra `onnx`."""

from typing import TYPE_CHECKING

from ..later import later
from .door import from_onnx

if TYPE_CHECKING:
    from .backend import Backend

__all__ = ["Backend", "from_onnx"]

if not TYPE_CHECKING:  # without the package onnx there is no Backend
    __getattr__ = later(__name__, {"backend": "Backend"})
