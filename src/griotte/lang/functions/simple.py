"""Functions of one argument that are an instruction or two: signs, bounds, whole numbers, roots."""

from __future__ import annotations

import numpy as np

from .formats import FORMATS
from .function import Function, slots
from .kit import Kit, is_float
from .polynomials import constant


def abs_(kit: Kit) -> str:
    if is_float(kit.dtype):
        return f"return ({kit.V})(({kit.U})x & ~{FORMATS[kit.dtype].sign});"
    if kit.dtype[0] == "u":
        return "return x;"
    return f"{kit.V} sign = x >> {8 * kit.bytes // kit.lanes - 1};\nreturn (x ^ sign) - sign;"


def relu(kit: Kit) -> str:
    if kit.dtype[0] == "u":
        return "return x;"
    return f"return {kit('at_least' if is_float(kit.dtype) else 'maximum')}(x, ({kit.V}){{0}});"


def round_(kit: Kit) -> str:
    """To the nearest whole number, half to even: what is below 2**fraction_bits takes the place of whole numbers in a
    sum with that."""
    form = FORMATS[kit.dtype]
    far = constant(kit, 2.0**form.fraction_bits)
    return (
        f"const {kit.V} far = {far}, size = {kit('abs')}(x);\n"
        f"const {kit.V} near = {kit('select_lt')}(size, far, (size + far) - far, size);\n"
        f"return ({kit.V})(({kit.U})near | (({kit.U})x & {form.sign}));"
    )


def sqrt(kit: Kit) -> str:
    function = "__builtin_sqrtf" if kit.dtype == "f32" else "__builtin_sqrt"
    return f"return ({kit.V}){{{', '.join(f'{function}(x[{i}])' for i in range(kit.lanes))}}};"


def rsqrt(kit: Kit) -> str:
    return f"return {kit.literal(1)} / {kit('sqrt')}(x);"


COPY = Function("copy", ("x",), lambda x: x, slots(0), "{}", ulps=0.0)
AS = Function("as", ("x",), lambda x: x, slots(1), "{}")  # a conversion within a body: expr.As
NEG = Function("neg", ("x",), np.negative, slots(1), "-({})", lambda kit: "return -x;", ulps=0.0)
ABS = Function("abs", ("x",), np.abs, slots(1), "({0} < 0 ? -({0}) : ({0}))", abs_, ulps=0.0)
RELU = Function(
    "relu",
    ("x",),
    lambda x: np.maximum(x, 0),
    slots(2, avx2=(1, 1), avx512=1),
    "({0} < 0 ? 0 : ({0}))",
    relu,
    ulps=0.0,
)
ROUND = Function(
    "round",
    ("x",),
    np.rint,
    slots(9, avx2=1, avx512=1),
    "rint({})",
    round_,
    floats_only=True,
    ulps=0.0,
    samples=(0.5, -0.5, 1.5, 2.5, 8388607.5, -4194304.5, 4503599627370495.5),
)
SQRT = Function(
    "sqrt",
    ("x",),
    np.sqrt,
    slots(10, avx2=18, avx512=18),
    "sqrt({})",
    sqrt,
    floats_only=True,
    ulps=0.5,
    samples=(1.0, 4.0, 2.0),
)
RSQRT = Function(
    "rsqrt",
    ("x",),
    lambda x: 1 / np.sqrt(x),
    slots(18, avx2=26, avx512=(14, 7)),
    "1 / sqrt({})",
    rsqrt,
    floats_only=True,
    is_held=True,
    samples=(1.0, 4.0, 0.25),
)
FUNCTIONS = (COPY, AS, NEG, ABS, RELU, SQRT, RSQRT, ROUND)
