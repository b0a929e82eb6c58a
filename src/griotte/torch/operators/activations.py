"""Activations, and functions of one element that are no arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ...operators.array import ALIKE, call, erf, exp, expm1, log, maximum, minimum, reciprocal, softplus, tanh, where
from ...operators.kinds import in_f32
from ...operators.numbers import acosh, asinh, atanh, cosh, sinh, tan
from ...readers.tables import OperatorTable

SAME = (*ALIKE, "relu", "sigmoid", "silu")
"""Calls of the language that they are, by name; of integers in the dtype of the result."""


def in_own_dtype(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of one array in the dtype of the result."""
    return lambda node, x: function(x.astype(node.dtype_given))


def reciprocal_(node, x):
    return reciprocal(x.astype(node.dtype_given))


@in_f32
def erfc(node, x):
    return 1.0 - erf(x.astype(node.dtype_within))


@in_f32
def exp2(x):
    return exp(x * 0.6931471805599453)


@in_f32
def log_of(node, x):
    base = {"log2.default": 1.4426950408889634, "log10.default": 0.4342944819032518}[node.operator]
    return log(x.astype(node.dtype_given)) * base


def gelu(x, approximate="none"):
    return call("gelu", x, approximate="tanh" if approximate == "tanh" else None)


def leaky_relu(x, negative_slope=0.01):
    return call("leaky_relu", x, alpha=negative_slope)


def prelu(x, weight):
    return call("prelu", x, weight)


@in_f32
def elu(x, alpha=1.0, scale=1.0, input_scale=1.0):
    if scale == input_scale == 1:
        return call("elu", x, alpha=float(alpha))
    below = expm1(x * float(input_scale)) * (float(alpha) * float(scale))
    return where(x > 0, x * float(scale), below)


def hardtanh(x, min_val=-1.0, max_val=1.0):
    return minimum(maximum(x, min_val), max_val)


def hardsigmoid(x):
    return call("hard_sigmoid", x, alpha=1 / 6, beta=0.5)


@in_f32
def softplus_(x, beta=1.0, threshold=20.0):
    grown = x * float(beta) if beta != 1 else x
    found = softplus(grown)
    found = found / float(beta) if beta != 1 else found
    return where(grown > float(threshold), x, found)


@in_f32
def mish(x):
    return x * tanh(softplus(x))


@in_f32
def log_sigmoid(node, x):
    node.only(0)
    return [-softplus(-x)]


OPERATORS: OperatorTable = (
    *((name, in_own_dtype(partial(call, name))) for name in SAME),
    ("hardswish", in_own_dtype(partial(call, "hard_swish"))),
    ("acosh", in_own_dtype(acosh)),
    ("asinh", in_own_dtype(asinh)),
    ("atanh", in_own_dtype(atanh)),
    ("cosh", in_own_dtype(cosh)),
    ("sinh", in_own_dtype(sinh)),
    ("tan", in_own_dtype(tan)),
    ("reciprocal", reciprocal_),
    ("erfc", erfc),
    ("log2 log10", log_of),
    ("log_sigmoid_forward", log_sigmoid),
)


FUNCTIONS: OperatorTable = (
    ("exp2", exp2),
    ("gelu", gelu),
    ("leaky_relu", leaky_relu),
    ("prelu _prelu_kernel", prelu),
    ("elu", elu),
    ("hardtanh", hardtanh),
    ("hardsigmoid", hardsigmoid),
    ("softplus", softplus_),
    ("mish", mish),
)
