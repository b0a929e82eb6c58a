"""griotte: exact search for the fastest CPU kernel of a small tensor program.

import griotte as gt
kernel = gt.compile("matmul(f32[512,512], f32[512,512])")
c = kernel(a, b)
"""

from typing import TYPE_CHECKING

from .support import forks as forks  # what is imported later is waited for by forks
from .support.errors import (
    GriotteError,
    NoProgramError,
    SpecError,
    TableError,
    TableWarning,
    TargetError,
    ToolchainError,
)
from .support.later import later

if TYPE_CHECKING:
    from . import jax as jax
    from . import onnx as onnx
    from . import torch as torch
    from .compiler.programs import Program
    from .compiler.scheduling import Schedule, schedule
    from .jax import from_jax
    from .lang.calls.compose import outputs
    from .lang.calls.spec import Spec
    from .lang.constructors.arithmetic import (
        acos,
        asin,
        atan,
        bitwise_and,
        bitwise_or,
        bitwise_xor,
        ceil,
        clip,
        cos,
        elu,
        expm1,
        floor,
        fmod,
        hard_sigmoid,
        hard_swish,
        leaky_relu,
        log1p,
        mod,
        power,
        prelu,
        reciprocal,
        sign,
        sin,
        softplus,
    )
    from .lang.constructors.attention import attention, rope
    from .lang.constructors.composites import argmax, log_softmax, mean, softmax
    from .lang.constructors.elementwise import (
        abs,
        add,
        div,
        equal,
        erf,
        exp,
        gelu,
        greater,
        greater_equal,
        less,
        less_equal,
        log,
        logical_and,
        logical_not,
        logical_or,
        logical_xor,
        maximum,
        minimum,
        mul,
        neg,
        not_equal,
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
    from .lang.constructors.norms import batch_norm, group_norm, instance_norm, layer_norm, lrn, rms_norm
    from .lang.constructors.operations import broadcast, cast, copy, matmul, reshape, transpose
    from .lang.constructors.picking import pad, take
    from .lang.constructors.quantised import dequantize, group_matmul, quantize, requantize
    from .lang.constructors.quantised_products import qconv2d, qmatmul
    from .lang.constructors.reductions import cumsum, max, min, prod, sum
    from .lang.constructors.resizing import resize
    from .lang.constructors.slicing import concat, slice
    from .lang.constructors.transposed import conv_transpose2d
    from .lang.constructors.windows import avg_pool2d, conv2d, max_pool2d
    from .lang.text.text import interpret, parse
    from .lang.types.tensor import TensorType, tensor
    from .machine import Target
    from .models import ModelGraph, compile, synthesize
    from .onnx import from_onnx
    from .readers.stablehlo import from_stablehlo
    from .readers.tracing import graph, jit, report
    from .runtime.kernel import Kernel
    from .runtime.team import get_num_threads, set_num_threads
    from .torch import from_torch

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
    "acos",
    "add",
    "argmax",
    "asin",
    "atan",
    "attention",
    "avg_pool2d",
    "batch_norm",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "broadcast",
    "cast",
    "ceil",
    "clip",
    "compile",
    "concat",
    "conv2d",
    "conv_transpose2d",
    "copy",
    "cos",
    "cumsum",
    "dequantize",
    "div",
    "elu",
    "equal",
    "erf",
    "exp",
    "expm1",
    "floor",
    "fmod",
    "from_jax",
    "from_onnx",
    "from_stablehlo",
    "from_torch",
    "gelu",
    "get_num_threads",
    "graph",
    "greater",
    "greater_equal",
    "group_matmul",
    "group_norm",
    "hard_sigmoid",
    "hard_swish",
    "instance_norm",
    "interpret",
    "jit",
    "layer_norm",
    "leaky_relu",
    "less",
    "less_equal",
    "log",
    "log1p",
    "log_softmax",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "lrn",
    "matmul",
    "max",
    "max_pool2d",
    "maximum",
    "mean",
    "min",
    "minimum",
    "mod",
    "mul",
    "neg",
    "not_equal",
    "outputs",
    "pad",
    "parse",
    "power",
    "prelu",
    "prod",
    "qconv2d",
    "qmatmul",
    "quantize",
    "reciprocal",
    "relu",
    "report",
    "requantize",
    "reshape",
    "resize",
    "rms_norm",
    "rope",
    "round",
    "rsqrt",
    "schedule",
    "set_num_threads",
    "sigmoid",
    "sign",
    "silu",
    "sin",
    "slice",
    "softmax",
    "softplus",
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
    __getattr__ = later(
        __name__,
        {
            "": "jax onnx torch",
            "lang.text.text": "interpret parse",
            "lang.calls.compose": "outputs",
            "lang.calls.spec": "Spec",
            "lang.constructors.arithmetic": "acos asin atan bitwise_and bitwise_or bitwise_xor ceil clip cos elu"
            " expm1 floor fmod hard_sigmoid hard_swish leaky_relu log1p mod power prelu reciprocal sign sin"
            " softplus",
            "lang.constructors.attention": "attention rope",
            "lang.constructors.composites": "argmax log_softmax mean softmax",
            "lang.constructors.elementwise": "abs add div equal erf exp gelu greater greater_equal less"
            " less_equal log logical_and logical_not logical_or logical_xor maximum minimum mul neg not_equal relu"
            " round rsqrt sigmoid silu sqrt sub tanh where",
            "lang.constructors.norms": "batch_norm group_norm instance_norm layer_norm lrn rms_norm",
            "lang.constructors.operations": "broadcast cast copy matmul reshape transpose",
            "lang.constructors.picking": "pad take",
            "lang.constructors.quantised": "dequantize group_matmul quantize requantize",
            "lang.constructors.quantised_products": "qconv2d qmatmul",
            "lang.constructors.reductions": "cumsum max min prod sum",
            "lang.constructors.resizing": "resize",
            "lang.constructors.slicing": "concat slice",
            "lang.constructors.transposed": "conv_transpose2d",
            "lang.constructors.windows": "avg_pool2d conv2d max_pool2d",
            "lang.types.tensor": "TensorType tensor",
            "jax": "from_jax",
            "models": "ModelGraph compile synthesize",
            "onnx": "from_onnx",
            "compiler.programs": "Program",
            "runtime.kernel": "Kernel",
            "runtime.team": "get_num_threads set_num_threads",
            "compiler.scheduling": "Schedule schedule",
            "readers.stablehlo": "from_stablehlo",
            "machine": "Target",
            "torch": "from_torch",
            "readers.tracing": "graph jit report",
        },
    )
