"""griotte: exact search for the fastest CPU kernel of a small tensor program.

import griotte as gt
kernel = gt.compile("matmul(f32[512,512], f32[512,512])")
c = kernel(a, b)
"""

from typing import TYPE_CHECKING

from . import forks as forks  # what is imported later is waited for by forks
from .errors import GriotteError, NoProgramError, SpecError, TableError, TableWarning, TargetError, ToolchainError
from .later import later

if TYPE_CHECKING:
    from . import jax as jax
    from . import onnx as onnx
    from . import torch as torch
    from .frontends.given import interpret
    from .frontends.text import parse
    from .ir.activations import clip, elu, hard_sigmoid, hard_swish, leaky_relu, prelu, softplus
    from .ir.arithmetic import (
        acos,
        asin,
        atan,
        bitwise_and,
        bitwise_or,
        bitwise_xor,
        ceil,
        cos,
        expm1,
        floor,
        fmod,
        log1p,
        mod,
        power,
        reciprocal,
        sign,
        sin,
    )
    from .ir.attention import attention, rope
    from .ir.comparisons import (
        equal,
        greater,
        greater_equal,
        less,
        less_equal,
        logical_and,
        logical_not,
        logical_or,
        logical_xor,
        not_equal,
    )
    from .ir.compose import outputs
    from .ir.composites import argmax, batch_norm, layer_norm, log_softmax, mean, rms_norm, softmax
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
    from .ir.groups import group_matmul
    from .ir.norms import group_norm, instance_norm, lrn
    from .ir.operations import cast, copy, matmul, transpose
    from .ir.padding import pad
    from .ir.picking import take
    from .ir.pools import avg_pool2d, max_pool2d
    from .ir.quantised import dequantize, qconv2d, qmatmul, quantize, requantize
    from .ir.reductions import max, min, prod, sum
    from .ir.resizing import resize
    from .ir.running import cumsum
    from .ir.shapes import broadcast, reshape
    from .ir.slicing import concat, slice
    from .ir.spec import Spec
    from .ir.tensor import TensorType, tensor
    from .ir.transposed import conv_transpose2d
    from .ir.windows import conv2d
    from .jax import from_jax
    from .models import ModelGraph, compile, synthesize
    from .onnx import from_onnx
    from .programs import Program
    from .runtime.kernel import Kernel
    from .runtime.team import get_num_threads, set_num_threads
    from .scheduling import Schedule, schedule
    from .stablehlo import from_stablehlo
    from .targets import Target
    from .torch import from_torch
    from .tracing import graph, jit, report

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
            "frontends.given": "interpret",
            "frontends.text": "parse",
            "ir.activations": "clip elu hard_sigmoid hard_swish leaky_relu prelu softplus",
            "ir.arithmetic": "acos asin atan bitwise_and bitwise_or bitwise_xor ceil cos expm1 floor fmod log1p mod"
            " power reciprocal sign sin",
            "ir.comparisons": "equal greater greater_equal less less_equal not_equal"
            " logical_and logical_not logical_or logical_xor",
            "ir.compose": "outputs",
            "ir.attention": "attention rope",
            "ir.composites": "argmax batch_norm layer_norm log_softmax mean rms_norm softmax",
            "ir.elementwise": "abs add div erf exp gelu log maximum minimum mul neg relu round rsqrt sigmoid silu sqrt"
            " sub tanh where",
            "ir.norms": "group_norm instance_norm lrn",
            "ir.operations": "cast copy matmul transpose",
            "ir.padding": "pad",
            "ir.picking": "take",
            "ir.groups": "group_matmul",
            "ir.pools": "avg_pool2d max_pool2d",
            "ir.slicing": "concat slice",
            "ir.quantised": "dequantize qconv2d qmatmul quantize requantize",
            "ir.reductions": "max min prod sum",
            "ir.resizing": "resize",
            "ir.running": "cumsum",
            "ir.shapes": "broadcast reshape",
            "ir.spec": "Spec",
            "ir.tensor": "TensorType tensor",
            "ir.transposed": "conv_transpose2d",
            "ir.windows": "conv2d",
            "jax": "from_jax",
            "models": "ModelGraph compile synthesize",
            "onnx": "from_onnx",
            "programs": "Program",
            "runtime.kernel": "Kernel",
            "runtime.team": "get_num_threads set_num_threads",
            "scheduling": "Schedule schedule",
            "stablehlo": "from_stablehlo",
            "targets": "Target",
            "torch": "from_torch",
            "tracing": "graph jit report",
        },
    )
