"""Models from ONNX: `from_onnx` reads one as a graph of calls of the language, `Backend` runs it as ONNX's tests ask.
Needs the extra `onnx`."""

from __future__ import annotations

from typing import Any

from .door import from_onnx

__all__ = ["Backend", "from_onnx"]


def __getattr__(name: str) -> Any:
    """`Backend` is loaded when it is first asked for: without the package onnx there is none."""
    if name != "Backend":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .backend import Backend

    return Backend
