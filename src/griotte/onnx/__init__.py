"""Models from ONNX: `from_onnx` reads one as a graph of calls of the language. Needs the extra `onnx`."""

from __future__ import annotations

from .door import from_onnx

__all__ = ["from_onnx"]
