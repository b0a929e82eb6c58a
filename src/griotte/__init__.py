"""griotte: exact search for the fastest CPU kernel of a small tensor program.

import griotte as gt
kernel = gt.compile("matmul(f32[512,512], f32[512,512])")
c = kernel(a, b)
"""

from typing import TYPE_CHECKING

from .errors import GriotteError, NoProgramError, SpecError, TableError, TableWarning, TargetError, ToolchainError
from .frontends.given import interpret
from .frontends.text import parse
from .ir.compose import outputs
from .ir.composites import argmax, attention, batch_norm, layer_norm, log_softmax, mean, rms_norm, rope, softmax
from .ir.elementwise import (
    abs,
    add,
    div,
    erf,
    exp,
    gelu,
    log,
    maximum,
    minimum,
    mul,
    neg,
    relu,
    round,
    rsqrt,
    sigmoid,
    silu,
    sqrt,
    sub,
    tanh,
    where,
)
from .ir.operations import cast, copy, matmul, transpose
from .ir.picking import take
from .ir.quantised import dequantize, group_matmul, qconv2d, qmatmul, quantize, requantize
from .ir.reductions import max, min, sum
from .ir.shapes import broadcast, reshape
from .ir.spec import Spec
from .ir.tensor import TensorType, tensor
from .ir.windows import avg_pool2d, concat, conv2d, max_pool2d, slice
from .models import ModelGraph, compile, synthesize
from .onnx import from_onnx
from .programs import Program
from .schedule import Schedule, schedule
from .targets import Target

if TYPE_CHECKING:
    from .runtime.kernel import Kernel

__version__ = "0.1.0"
__all__ = [
    "GriotteError",
    "Kernel",
    "ModelGraph",
    "NoProgramError",
    "Program",
    "Schedule",
    "Spec",
    "SpecError",
    "TableError",
    "TableWarning",
    "Target",
    "TargetError",
    "TensorType",
    "ToolchainError",
    "abs",
    "add",
    "argmax",
    "attention",
    "avg_pool2d",
    "batch_norm",
    "broadcast",
    "cast",
    "compile",
    "concat",
    "conv2d",
    "copy",
    "dequantize",
    "div",
    "erf",
    "exp",
    "from_onnx",
    "gelu",
    "group_matmul",
    "interpret",
    "layer_norm",
    "log",
    "log_softmax",
    "matmul",
    "max",
    "max_pool2d",
    "maximum",
    "mean",
    "min",
    "minimum",
    "mul",
    "neg",
    "outputs",
    "parse",
    "qconv2d",
    "qmatmul",
    "quantize",
    "relu",
    "requantize",
    "reshape",
    "rms_norm",
    "rope",
    "round",
    "rsqrt",
    "schedule",
    "sigmoid",
    "silu",
    "slice",
    "softmax",
    "sqrt",
    "sub",
    "sum",
    "synthesize",
    "take",
    "tanh",
    "tensor",
    "transpose",
    "where",
]


def __dir__() -> list[str]:
    """The public names alone."""
    return sorted(__all__)


if not TYPE_CHECKING:  # which else takes every name for public

    def __getattr__(name: str) -> type:
        """`Kernel` is loaded when it is first asked for: a command that calls none needs no cffi."""
        if name != "Kernel":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from .runtime.kernel import Kernel

        return Kernel
