"""Operations that take elements one by one: functions of one, arithmetic, comparisons, choices, bits."""

from __future__ import annotations

from functools import partial, reduce
from math import inf
from operator import add, and_, invert, mul, or_, sub, truediv, xor

import numpy as np

from ...operators import numbers, special
from ...operators.array import (
    COMPARED,
    bits,
    call,
    cos,
    exp,
    expm1,
    floor,
    kind,
    log1p,
    maximum,
    minimum,
    numpy_of,
    reciprocal,
    round_,
    sin,
    where,
)
from ...operators.calls import Unsupported
from ...operators.kinds import in_f32, in_s32, over_u8
from ...operators.numbers import converted
from ...tables import OperatorTable
from ..attributes import bits_of


def plain(function):
    """A function of arrays, whatever parameters the primitive has."""
    return lambda *x, **how: function(*x)


def of_two(function):
    """The same of two arrays."""
    return lambda x, y, **how: function(x, y)


def reduce_precision(x, exponent_bits, mantissa_bits):
    """What a float of fewer bits has, if there is one."""
    narrow = {(8, 7): "bf16", (5, 10): "f16", (8, 23): "f32", (11, 52): "f64"}.get((exponent_bits, mantissa_bits))
    if narrow is None:
        raise Unsupported(f"floats of {exponent_bits} bits of exponent and {mantissa_bits} of fraction")
    return x.astype(narrow) if bits(narrow) < bits(x.dtype) else x


def rounded(x, rounding_method=0):
    """To the nearest, of two the even one (1), or the one away from zero (0)."""
    return round_(x) if int(rounding_method) == 1 else rounded_away(x)


def rounded_away(x):
    """To the nearest, of two the one away from zero."""
    size = abs(x)
    whole = floor(size)
    result = where(size - whole >= 0.5, whole + 1.0, whole)
    return where(x < 0.0, -result, result)


def negative(x):
    return x.number(0) - x if kind(x.dtype) == "unsigned" else -x


@in_f32
def cbrt(x, **how):
    root = abs(x) ** (1 / 3)
    return where(x < 0.0, -root, root)


def integer_power(x, y):
    """By products of squares."""
    if y < 0:
        return in_f32(lambda t: reciprocal(numbers.powered(t, -y)))(x)
    return in_f32(numbers.powered)(x, y) if y else np.ones(x.shape, x.numpy)


def power(x, y):
    dtype = x.dtype
    if kind(dtype) == "float":
        return x ** y.astype(dtype)
    return in_s32(lambda x, y: numbers.power(x, y.astype(x.dtype)))(x, y)


def largest(x, y, **how):
    if x.dtype == "pred":
        return x | y
    for one, other in ((x, y), (y, x)):
        if one.is_known and one.ndim == 0 and np.asarray(one) == -inf:
            return other  # as a softmax begins
    return maximum(x, y)


def smallest(x, y, **how):
    return x & y if x.dtype == "pred" else minimum(x, y)


JOINS = {"add": add, "mul": mul, "max": largest, "min": smallest, "and": and_, "or": or_, "xor": xor}
"""By the primitive, what joins two arrays."""


def high_half(x, y):
    """The upper half of the bits of a product."""
    dtype, width = x.dtype, bits(x.dtype)
    if width > 32:
        raise Unsupported("the upper half of a product of 128 bits")
    wide = f"{'s' if kind(dtype) == 'signed' else 'u'}{max(2 * width, 32)}"
    whole = x.astype(wide) * y.astype(wide)
    return shifted(wide[0], False)(whole, x.of(np.asarray(width, numpy_of(wide)))).astype(dtype)


def compared(called: str):
    return over_u8(lambda x, y: call(called, x, y))


def compared_in_order(called: str):
    """Floats in the order of all of them, in which -0 is before 0."""

    def compare(x, y):
        dtype = x.dtype
        if kind(dtype) != "float":
            return compared(called)(x, y)
        return call(called, *(numbers.in_order(numbers.whole(each), dtype) for each in (x, y)))

    return compare


def shifted(of: str, is_left: bool):
    """By as many places as there are, or more, all are lost; the sign of a number shifted as signed stays."""

    def shift(x, y):
        own = f"{of}{bits(x.dtype)}"
        return converted(numbers.shifted(converted(x, own), converted(y, own), is_left), x.dtype)

    return shift


def population_count(x):
    return converted(_ones(_unsigned(x)), x.dtype)


def _unsigned(x):
    """The bits of x as a whole number of 32 or 64 bits."""
    return converted(converted(x, f"u{bits(x.dtype)}"), "u64" if bits(x.dtype) > 32 else "u32")


def _ones(x):
    """How many bits are 1, counted in pairs, then in fours, and so on."""
    width, at, whole = bits(x.dtype), 1, x.numpy.type
    while at < width:
        mask = whole(sum(((1 << at) - 1) << k for k in range(0, width, 2 * at)))
        low = x & mask
        high = x / whole(1 << at) & mask
        x, at = low + high, 2 * at
    return x


def count_leading_zeros(x):
    dtype, unsigned, at = x.dtype, _unsigned(x), 1
    whole = unsigned.numpy.type
    while at < bits(dtype):  # all below the first 1 become 1
        unsigned = unsigned | unsigned / whole(1 << at)
        at *= 2
    return converted(whole(bits(dtype)) - _ones(unsigned), dtype)


def bitcast_convert_type(node, x, **how):
    """Integers as wide are those that wrapping gives; that is computed with the calls around it."""
    given, wanted = x.dtype, node.dtype_given
    if "float" not in (kind(given), kind(wanted)) and bits(given) == bits(wanted):
        return converted(x, wanted)
    return numbers.bits_as(x, wanted)


def select_n(which, *cases):
    """Of a condition the second case where it holds."""
    if len(cases) == 1:
        return cases[0]
    which = which.broadcast_to(cases[0].shape) if which.shape == () else which
    if which.dtype == "pred":
        return over_u8(lambda a, b: where(which, b, a))(*cases)
    choose = lambda rest, each: where(which == each[0], each[1], rest)
    return over_u8(lambda first, *others: reduce(choose, enumerate(others, 1), first))(*cases)


def clamp(low, x, high):
    return minimum(maximum(x, low), high)


OPERATORS: OperatorTable = (
    ("bitcast_convert_type", bitcast_convert_type, "bitcast_convert"),
    ("convert_element_type", lambda node, x, **how: converted(x, node.dtype_given), "convert"),
    *((name, plain(partial(call, name))) for name in "acos asin atan erf log rsqrt sqrt tanh".split()),
    ("cos", plain(cos), "cosine"),
    ("exp", plain(exp), "exponential"),
    ("expm1", plain(expm1), "exponential_minus_one"),
    ("log1p", plain(log1p), "log_plus_one"),
    ("sin", plain(sin), "sine"),
    *((name, plain(getattr(numbers, name))) for name in "acosh asinh atan2 atanh cosh sinh tan".split()),
    (
        "copy copy_p device_put name optimization_barrier real conj sharding_constraint stop_gradient",
        lambda *x, **how: list(x),
    ),
    (
        "reduce_precision",
        reduce_precision,
        "",
        {"exponent_bits": bits_of("e", "exponent_bits"), "mantissa_bits": bits_of("m", "mantissa_bits")},
    ),
    ("logistic", plain(partial(call, "sigmoid"))),
    ("floor", lambda x: call("floor", x) if kind(x.dtype) == "float" else x),
    ("ceil", lambda x: call("ceil", x) if kind(x.dtype) == "float" else x),
    ("round", rounded),
    ("", plain(round_), "round_nearest_even"),
    ("", rounded_away, "round_nearest_afz"),
    ("abs", abs),
    ("neg", negative, "negate"),
    ("sign", numbers.sign),
    ("not", invert),
    ("is_finite", lambda x: abs(x) < inf),
    ("cbrt", cbrt),
    ("exp2", plain(numbers.exp2)),
    ("erfc", numbers.erfc),
    ("square", lambda x: x * x),
    ("integer_pow", integer_power),
    ("pow", power, "power"),
    ("add add_any", of_two(add)),
    ("sub", of_two(sub), "subtract"),
    ("mul", of_two(mul), "multiply"),
    ("div", of_two(truediv), "divide"),
    ("mulhi", high_half),
    ("rem", lambda x, y: call("fmod", x, y), "remainder"),
    ("max", largest, "maximum"),
    ("min", smallest, "minimum"),
    ("clamp", clamp),
    ("and", of_two(and_)),
    ("or", of_two(or_)),
    ("xor", of_two(xor)),
    *((name, compared(called)) for name, called in COMPARED.items()),
    *((f"{name}_to", compared_in_order(COMPARED[name])) for name in ("eq", "le", "lt")),
    ("shift_left", shifted("u", True)),
    ("shift_right_logical", shifted("u", False)),
    ("shift_right_arithmetic", shifted("s", False)),
    ("population_count", population_count, "popcnt"),
    ("clz", count_leading_zeros, "count_leading_zeros"),
    ("nextafter", numbers.next_after, "next_after"),
    ("select_n", select_n),
    ("", lambda which, there, elsewhere: select_n(which, elsewhere, there), "select"),
    ("digamma", special.digamma),
    ("erf_inv", special.erf_inv),
    ("lgamma", special.lgamma),
    ("bessel_i0e", lambda x: special.bessel_i0(x, scaled=True)),
    ("bessel_i1e", lambda x: special.bessel_i1(x, scaled=True)),
    ("regularized_incomplete_beta", special.betainc),
    ("igamma", special.igamma),
    ("igammac", special.igammac),
)
