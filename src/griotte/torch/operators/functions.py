"""Functions of one array, element by element."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf, pi
from operator import invert, neg
from typing import Any

import numpy as np

from ...readers.operators import special
from ...readers.operators.array import (
    ALIKE,
    call,
    expm1,
    kind,
    log,
    maximum,
    minimum,
    reciprocal,
    round_,
    where,
)
from ...readers.operators.kinds import in_f32
from ...readers.operators.numbers import acosh, asinh, atanh, cosh, erfc, exp2, sign, sinh, tan, trunc
from ...readers.tables import OperatorTable


def in_own_dtype(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of one array in the dtype of the result: integers are floats there."""
    return lambda node, x: function(x.astype(node.dtype_given))


def holds(x):
    """Where x is not 0."""
    return x if x.dtype == "pred" else x != 0


def rounded(called: str, x):
    return call(called, x) if kind(x.dtype) == "float" else x


@in_f32
def rounded_at(x, decimals=0):
    by = 10.0 ** abs(decimals)
    return round_(x * by) / by if decimals > 0 else round_(x / by) * by


def signbit(node, x):
    """Of floats also where they are -0, of which the reciprocal is less."""
    if kind(x.dtype) != "float":
        return x < 0 if kind(x.dtype) == "signed" else np.zeros(node.shape, bool)
    return (x < 0) | (reciprocal(x) < 0)


def angle(x):
    return where(x != x, x, where(x < 0, x.number(pi), x.number(0)))


@in_f32
def elu(x, alpha=1.0, scale=1.0, input_scale=1.0):
    if scale == input_scale == 1:
        return call("elu", x, alpha=float(alpha))
    below = expm1(x * float(input_scale)) * (float(alpha) * float(scale))
    return where(x > 0, x * float(scale), below)


def isinf(node, x):
    return abs(x) == inf if kind(x.dtype) == "float" else np.zeros(node.shape, bool)


IN_OWN_DTYPE: tuple[tuple[str, Callable[..., Any]], ...] = (
    *((name, partial(call, name)) for name in (*ALIKE, "reciprocal", "relu", "sigmoid")),
    ("acosh", acosh),
    ("angle", angle),
    ("asinh", asinh),
    ("atanh", atanh),
    ("cosh", cosh),
    ("digamma", special.digamma),
    ("erfc", erfc),
    ("erfinv", special.erf_inv),
    ("exp2", exp2),
    ("i0 special_modified_bessel_i0", special.bessel_i0),
    ("lgamma", special.lgamma),
    ("log2", lambda x: log(x) * 1.4426950408889634),
    ("log10", lambda x: log(x) * 0.4342944819032518),
    ("sinh", sinh),
    ("special_i0e", partial(special.bessel_i0, scaled=True)),
    ("special_i1 special_modified_bessel_i1", special.bessel_i1),
    ("special_i1e", partial(special.bessel_i1, scaled=True)),
    ("tan", tan),
)
"""Functions of floats: of integers they are in the dtype of the result."""

OPERATORS: OperatorTable = (
    *((names, in_own_dtype(function)) for names, function in IN_OWN_DTYPE),
    ("isinf", isinf),
    ("polygamma", lambda node, n, x: special.polygamma(n, x.astype(node.dtype_given))),
    ("signbit", signbit),
    ("abs", abs),
    ("bitwise_not", invert),
    *((name, partial(rounded, name)) for name in ("ceil", "floor", "round")),
    ("elu", elu),
    ("gelu", lambda x, approximate="none": call("gelu", x, approximate="tanh" if approximate == "tanh" else None)),
    ("hardtanh", lambda x, min_val=-1.0, max_val=1.0: minimum(maximum(x, min_val), max_val)),
    ("isnan", lambda x: x != x),
    ("leaky_relu", lambda x, negative_slope=0.01: call("leaky_relu", x, alpha=negative_slope)),
    ("logical_not", lambda x: ~holds(x)),
    ("neg", neg),
    ("round.decimals", rounded_at),
    ("sign", sign),
    ("trunc", trunc),
)
