"""Models from ONNX. `from_onnx` reads one as a graph of calls of the language, `Backend` runs it as ONNX's tests ask.
`save_custom_ops` writes one whose nodes are kernels, for a plain session of onnxruntime. Needs the extra `onnx`."""

from typing import TYPE_CHECKING

from ..support.later import later
from .from_onnx import from_onnx

if TYPE_CHECKING:
    from .backend import Backend
    from .custom_op import save_custom_ops

__all__ = ["Backend", "from_onnx", "save_custom_ops"]

if not TYPE_CHECKING:  # without the package onnx there is no Backend
    __getattr__ = later(__name__, {"backend": "Backend", "custom_op": "save_custom_ops"})
