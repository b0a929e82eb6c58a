"""Operations that take elements one by one: functions of one, arithmetic, comparisons, choices."""

from __future__ import annotations

from functools import reduce
from math import inf

import numpy as np

from ...readers import numbers
from ...readers.moving import broadcast
from ...readers.numbers import converted, wrapped, wrapping
from .declaring import OPERATORS, Unsupported, bits, in_f32, kind, operator, over_u8

UNARY = {name: name for name in numbers.ALIKE} | {"logistic": "sigmoid"}
"""Calls of the language of the same meaning."""
OPERATORS |= {name: lambda node, x, c=call, **how: node.call(c, x) for name, call in UNARY.items()}
SHARED = {
    "acosh": numbers.acosh,
    "asinh": numbers.asinh,
    "atan2": numbers.atan2,
    "atanh": numbers.atanh,
    "cosh": numbers.cosh,
    "sinh": numbers.sinh,
    "tan": numbers.tan,
}
"""What all readers have."""
OPERATORS |= {name: lambda node, *x, r=read, **how: r(node, *x) for name, read in SHARED.items()}
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


@operator(*SAME)
def same(node, *x, exponent_bits=None, mantissa_bits=None, **how):
    """Of one that rounds to fewer bits what a float of those has, if there is one."""
    if node.operator != "reduce_precision":
        return list(x)
    narrow = {(8, 7): "bf16", (5, 10): "f16", (8, 23): "f32", (11, 52): "f64"}.get((exponent_bits, mantissa_bits))
    if narrow is None:
        raise Unsupported(f"floats of {exponent_bits} bits of exponent and {mantissa_bits} of fraction")
    return node.cast(x[0], narrow) if bits(narrow) < bits(node.dtype(x[0])) else x[0]


@operator("floor", "ceil")
def rounded_to_one_side(node, x):
    return node.call(node.operator, x) if kind(node.dtype(x)) == "float" else x


@operator("round")
def rounded(node, x, rounding_method=0):
    """To the nearest, of two the even one (1), or the one away from zero (0)."""
    if int(rounding_method) == 1:
        return node.call("round", x)
    size = node.call("abs", x)
    whole = node.call("floor", size)
    is_up = node.call("greater_equal", node.call("sub", size, whole), 0.5)
    found = node.call("where", is_up, node.call("add", whole, 1.0), whole)
    return node.call("where", node.call("less", x, 0.0), node.call("neg", found), found)


@operator("abs")
def absolute(node, x):
    return x if kind(node.dtype(x)) == "unsigned" else wrapping(node, "abs", x)


@operator("neg")
def negative(node, x):
    if kind(node.dtype(x)) == "unsigned":
        return wrapping(node, "sub", node.number(0, x), node.value(x))
    return wrapping(node, "neg", x)


@operator("sign")
def sign(node, x):
    return numbers.sign(node, x)


@operator("not")
def inverted(node, x):
    return node.call("logical_not", x) if node.dtype(x) == "pred" else numbers.bitwise_not(node, x)


@operator("is_finite")
def is_finite(node, x):
    return node.call("less", node.call("abs", x), inf)


@operator("cbrt")
@in_f32
def cbrt(node, x, **how):
    root = node.call("power", node.call("abs", x), 1 / 3)
    return node.call("where", node.call("less", x, 0.0), node.call("neg", root), root)


@operator("exp2")
@in_f32
def exp2(node, x, **how):
    return node.call("power", 2.0, x)


@operator("erfc")
@in_f32
def erfc(node, x):
    """By erf: right to a rounding of 1, also where it is small."""
    return node.call("sub", 1.0, node.call("erf", x))


@operator("square")
def square(node, x):
    return wrapping(node, "mul", x, x)


@operator("integer_pow")
def integer_power(node, x, y):
    """By products of squares."""
    if y < 0:
        return in_f32(lambda own, t: own.call("reciprocal", _powered(own, t, -y)))(node, x)
    if y == 0:
        return np.ones(node.sizes(x), node.numpy(node.dtype(x)))
    return in_f32(_powered)(node, x, y)


def _powered(node, x, y: int):
    found = None
    while True:
        if y & 1:
            found = x if found is None else wrapping(node, "mul", found, x)
        y >>= 1
        if not y:
            return found
        x = wrapping(node, "mul", x, x)


@operator("pow")
def power(node, x, y):
    dtype = node.dtype(x)
    if kind(dtype) == "float":
        return node.call("power", x, node.cast(y, dtype))
    wide = dtype if bits(dtype) >= 32 else "s32"
    return wrapped(node, node.as_onnx("Pow", node.cast(x, wide), node.cast(y, wide)), dtype)


ARITHMETIC = {"add": "add", "add_any": "add", "sub": "sub", "mul": "mul", "div": "div"}
OF_PRED = {"add": "logical_or", "mul": "logical_and", "max": "logical_or", "min": "logical_and"}


@operator(*ARITHMETIC)
def arithmetic(node, x, y, **how):
    """Integers wrap."""
    if node.dtype(x) == "pred":
        return node.call(OF_PRED[ARITHMETIC[node.operator]], x, y)
    return wrapping(node, ARITHMETIC[node.operator], node.value(x), node.value(y))


@operator("mulhi")
def high_half(node, x, y):
    """The upper half of the bits of a product."""
    dtype, width = node.dtype(x), bits(node.dtype(x))
    if width > 32:
        raise Unsupported("the upper half of a product of 128 bits")
    wide = f"{'s' if kind(dtype) == 'signed' else 'u'}{max(2 * width, 32)}"
    whole = node.call("mul", node.cast(x, wide), node.cast(y, wide))
    shift = "shift_right_arithmetic" if kind(dtype) == "signed" else "shift_right_logical"
    return node.cast(node.again(shift, whole, np.asarray(width, node.numpy(wide))), dtype)


@operator("rem")
def remainder(node, x, y):
    return node.call("fmod", x, y)


@operator("max", "min")
def extreme(node, x, y):
    if node.dtype(x) == "pred":
        return node.call(OF_PRED[node.operator], x, y)
    for one, other in ((x, y), (y, x)):
        if node.operator == "max" and not node.is_value(one) and np.ndim(one) == 0 and one == -inf:
            return other  # as a softmax begins
    return node.call({"max": "maximum", "min": "minimum"}[node.operator], x, y)


@operator("and", "or", "xor")
def logic(node, x, y):
    return node.call(f"{'logical' if node.dtype(x) == 'pred' else 'bitwise'}_{node.operator}", x, y)


COMPARISONS = {
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
}


@operator(*COMPARISONS)
def compared(node, x, y):
    return over_u8(lambda own, a, b: own.call(COMPARISONS[node.operator], a, b))(node, x, y)


@operator("shift_left", "shift_right_logical", "shift_right_arithmetic")
def shifted(node, x, y):
    """By as many places as there are, or more, all are lost; the sign stays of what is shifted arithmetically."""
    dtype = node.dtype(x)
    is_left = node.operator == "shift_left"
    of = "s" if node.operator == "shift_right_arithmetic" else "u"
    same_bits = f"{of}{bits(dtype)}"
    found = node.as_onnx(
        "BitShift",
        converted(node, x, same_bits),
        converted(node, y, same_bits),
        direction="LEFT" if is_left else "RIGHT",
    )
    return converted(node, found, dtype)


@operator("population_count")
def population_count(node, x):
    return converted(node, _ones(node, _unsigned(node, x)), node.dtype(x))


def _unsigned(node, x):
    """The bits of x as a whole number of 32 or 64 bits."""
    return converted(node, converted(node, x, f"u{bits(node.dtype(x))}"), _wide(node, x))


def _wide(node, x) -> str:
    return "u64" if bits(node.dtype(x)) > 32 else "u32"


def _ones(node, x):
    """How many bits are 1, counted in pairs, then in fours, and so on."""
    dtype = node.dtype(x)
    width, at = bits(dtype), 1
    whole = node.numpy(dtype).type
    while at < width:
        mask = whole(sum(((1 << at) - 1) << k for k in range(0, width, 2 * at)))
        low = node.call("bitwise_and", x, mask)
        high = node.call("bitwise_and", node.call("div", x, whole(1 << at)), mask)
        x, at = node.call("add", low, high), 2 * at
    return x


@operator("clz")
def count_leading_zeros(node, x):
    dtype = node.dtype(x)
    unsigned, whole, at = _unsigned(node, x), node.numpy(_wide(node, x)).type, 1
    while at < bits(dtype):  # all below the first 1 become 1
        unsigned = node.call("bitwise_or", unsigned, node.call("div", unsigned, whole(1 << at)))
        at *= 2
    return converted(node, node.call("sub", whole(bits(dtype)), _ones(node, unsigned)), dtype)


@operator("select_n")
def select_n(node, which, *cases):
    """Of a condition the second case where it holds."""
    if len(cases) == 1:
        return cases[0]
    which = broadcast(node, which, node.shape) if node.sizes(which) == () else which
    if node.dtype(which) == "pred":
        return over_u8(lambda own, a, b: own.call("where", which, b, a))(node, *cases)
    numbered = list(enumerate(cases))
    choose = lambda own, rest, each: own.call("where", own.call("equal", which, each[0]), each[1], rest)
    return over_u8(
        lambda own, *all_: reduce(lambda rest, n: choose(own, rest, (n, all_[n])), range(1, len(numbered)), all_[0])
    )(node, *cases)


@operator("clamp")
def clamp(node, low, x, high):
    return node.call("minimum", node.call("maximum", x, low), high)


@operator("convert_element_type")
def convert_element_type(node, x, **how):
    return converted(node, x, node.dtype_given)
