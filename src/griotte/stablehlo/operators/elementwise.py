"""Operations that take elements one by one: functions of one, arithmetic, comparisons, choices."""

from __future__ import annotations

from functools import partial, reduce
from math import inf
from operator import invert

import numpy as np

from ...operators import integers
from ...operators.array import (
    ALIKE,
    bits,
    call,
    erf,
    floor,
    fmod,
    kind,
    maximum,
    minimum,
    numpy_of,
    reciprocal,
    round_,
    where,
    wrapped,
    wrapping,
)
from ...operators.calls import Unsupported
from ...operators.kinds import in_f32, over_u8
from ...operators.numbers import acosh, asinh, atan2, atanh, converted, cosh, sign, sinh, tan
from ...readers.tables import OperatorTable


def plain(function):
    """A function of arrays of which nothing else that is told changes the meaning."""
    return lambda *x, **how: function(*x)


SAME = (
    "copy",
    "copy_p",
    "device_put",
    "name",
    "optimization_barrier",
    "real",
    "conj",
    "reduce_precision",
    "sharding_constraint",
    "stop_gradient",
)
"""Operations that give what they take."""


def same(node, *x, exponent_bits=None, mantissa_bits=None, **how):
    """Of one that rounds to fewer bits what a float of those has, if there is one."""
    if node.operator != "reduce_precision":
        return list(x)
    narrow = {(8, 7): "bf16", (5, 10): "f16", (8, 23): "f32", (11, 52): "f64"}.get((exponent_bits, mantissa_bits))
    if narrow is None:
        raise Unsupported(f"floats of {exponent_bits} bits of exponent and {mantissa_bits} of fraction")
    return x[0].astype(narrow) if bits(narrow) < bits(x[0].dtype) else x[0]


def rounded_to_one_side(node, x):
    return call(node.operator, x) if kind(x.dtype) == "float" else x


def rounded(x, rounding_method=0):
    """To the nearest, of two the even one (1), or the one away from zero (0)."""
    if int(rounding_method) == 1:
        return round_(x)
    size = abs(x)
    whole = floor(size)
    is_up = size - whole >= 0.5
    found = where(is_up, whole + 1.0, whole)
    return where(x < 0.0, -found, found)


def absolute(x):
    return x if kind(x.dtype) == "unsigned" else abs(x)


def negative(x):
    if kind(x.dtype) == "unsigned":
        return x.number(0) - x
    return -x


def is_finite(x):
    return abs(x) < inf


@in_f32
def cbrt(x, **how):
    root = abs(x) ** (1 / 3)
    return where(x < 0.0, -root, root)


@in_f32
def exp2(x, **how):
    return 2.0**x


@in_f32
def erfc(x):
    """By erf: right to a rounding of 1, also where it is small."""
    return 1.0 - erf(x)


def square(x):
    return x * x


def integer_power(node, x, y):
    """By products of squares."""
    if y < 0:
        return in_f32(lambda t: reciprocal(integers.powered(t, -y)))(x)
    if y == 0:
        return np.ones(x.shape, x.numpy)
    return in_f32(integers.powered)(x, y)


def power(node, x, y):
    dtype = x.dtype
    if kind(dtype) == "float":
        return x ** y.astype(dtype)
    wide = dtype if bits(dtype) >= 32 else "s32"
    return wrapped(integers.power(x.astype(wide), y.astype(wide)), dtype)


ARITHMETIC = {"add": "add", "add_any": "add", "sub": "sub", "mul": "mul", "div": "div"}
OF_PRED = {"add": "logical_or", "mul": "logical_and", "max": "logical_or", "min": "logical_and"}


def arithmetic(node, x, y, **how):
    """Integers wrap."""
    if x.dtype == "pred":
        return call(OF_PRED[ARITHMETIC[node.operator]], x, y)
    return wrapping(ARITHMETIC[node.operator], x, y)


def high_half(node, x, y):
    """The upper half of the bits of a product."""
    dtype, width = x.dtype, bits(x.dtype)
    if width > 32:
        raise Unsupported("the upper half of a product of 128 bits")
    wide = f"{'s' if kind(dtype) == 'signed' else 'u'}{max(2 * width, 32)}"
    whole = x.astype(wide) * y.astype(wide)
    shift = "shift_right_arithmetic" if kind(dtype) == "signed" else "shift_right_logical"
    return node.again(shift, whole, np.asarray(width, numpy_of(wide))).astype(dtype)


def remainder(x, y):
    return fmod(x, y)


def extreme(node, x, y):
    if x.dtype == "pred":
        return call(OF_PRED[node.operator], x, y)
    for one, other in ((x, y), (y, x)):
        if node.operator == "max" and one.is_known and one.ndim == 0 and np.asarray(one) == -inf:
            return other  # as a softmax begins
    return call({"max": "maximum", "min": "minimum"}[node.operator], x, y)


def logic(node, x, y):
    return call(f"{'logical' if x.dtype == 'pred' else 'bitwise'}_{node.operator}", x, y)


COMPARISONS = {
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
}


def compared(node, x, y):
    return over_u8(lambda a, b: call(COMPARISONS[node.operator], a, b))(x, y)


def shifted(node, x, y):
    """By as many places as there are, or more, all are lost; the sign stays of what is shifted arithmetically."""
    dtype = x.dtype
    is_left = node.operator == "shift_left"
    of = "s" if node.operator == "shift_right_arithmetic" else "u"
    same_bits = f"{of}{bits(dtype)}"
    found = integers.shifted(converted(x, same_bits), converted(y, same_bits), is_left)
    return converted(found, dtype)


def population_count(node, x):
    return converted(_ones(_unsigned(node, x)), x.dtype)


def _unsigned(node, x):
    """The bits of x as a whole number of 32 or 64 bits."""
    return converted(converted(x, f"u{bits(x.dtype)}"), _wide(x))


def _wide(x) -> str:
    return "u64" if bits(x.dtype) > 32 else "u32"


def _ones(x):
    """How many bits are 1, counted in pairs, then in fours, and so on."""
    dtype = x.dtype
    width, at = bits(dtype), 1
    whole = numpy_of(dtype).type
    while at < width:
        mask = whole(sum(((1 << at) - 1) << k for k in range(0, width, 2 * at)))
        low = x & mask
        high = x / whole(1 << at) & mask
        x, at = low + high, 2 * at
    return x


def count_leading_zeros(node, x):
    dtype = x.dtype
    unsigned, whole, at = _unsigned(node, x), numpy_of(_wide(x)).type, 1
    while at < bits(dtype):  # all below the first 1 become 1
        unsigned = unsigned | unsigned / whole(1 << at)
        at *= 2
    return converted(whole(bits(dtype)) - _ones(unsigned), dtype)


def select_n(node, which, *cases):
    """Of a condition the second case where it holds."""
    if len(cases) == 1:
        return cases[0]
    which = which.broadcast_to(node.shape) if which.shape == () else which
    if which.dtype == "pred":
        return over_u8(lambda a, b: where(which, b, a))(*cases)
    numbered = list(enumerate(cases))
    choose = lambda rest, each: where(which == each[0], each[1], rest)
    return over_u8(lambda *all_: reduce(lambda rest, n: choose(rest, (n, all_[n])), range(1, len(numbered)), all_[0]))(
        *cases
    )


def clamp(low, x, high):
    return minimum(maximum(x, low), high)


def convert_element_type(node, x, **how):
    return converted(x, node.dtype_given)


OPERATORS: OperatorTable = (
    (" ".join(SAME), same),
    ("floor ceil", rounded_to_one_side),
    ("integer_pow", integer_power),
    ("pow", power),
    (" ".join(ARITHMETIC), arithmetic),
    ("mulhi", high_half),
    ("max min", extreme),
    ("and or xor", logic),
    (" ".join(COMPARISONS), compared),
    ("shift_left shift_right_logical shift_right_arithmetic", shifted),
    ("population_count", population_count),
    ("clz", count_leading_zeros),
    ("select_n", select_n),
    ("convert_element_type", convert_element_type),
)


FUNCTIONS: OperatorTable = (
    *((name, plain(partial(call, name))) for name in ALIKE),
    ("logistic", plain(partial(call, "sigmoid"))),
    ("acosh", plain(acosh)),
    ("asinh", plain(asinh)),
    ("atan2", plain(atan2)),
    ("atanh", plain(atanh)),
    ("cosh", plain(cosh)),
    ("sinh", plain(sinh)),
    ("tan", plain(tan)),
    ("round", rounded),
    ("abs", absolute),
    ("neg", negative),
    ("sign", sign),
    ("not", invert),
    ("is_finite", is_finite),
    ("cbrt", cbrt),
    ("exp2", exp2),
    ("erfc", erfc),
    ("square", square),
    ("rem", remainder),
    ("clamp", clamp),
)
