"""Elementwise functions over vectors: portable C bodies, free of branches, one text for f32 and f64.

Each follows the textbook scheme named in its docstring, with constants of our own: polynomials are minimax fits (Remez
exchange in 60-digit arithmetic on the interval given, weighted for relative error of the function's result, then rounded),
and a test measures what they come to. A product and a sum may or may not fuse into an FMA: both are within the bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .vector_kit import Kit


@dataclass(frozen=True)
class Format:
    """What the bodies need to know of one floating-point format and the fits made for it; polynomials lowest power first."""

    sign: str  # mask of the sign bit
    fraction_bits: int
    bias: int
    round: float  # 1.5 * 2**fraction_bits: adding it rounds to a whole number, held in the low bits
    exp_low: float  # below, exp is 0; above exp_high, infinite
    exp_high: float
    ln2_high: float  # few enough bits that its product with any exponent is exact
    ln2_low: float
    exp: tuple[float, ...]  # (exp(r) - 1 - r) / r**2 on |r| <= ln(2) / 2
    log: tuple[float, ...]  # f32: (log(1+f) - f + f**2/2) / f**3; f64: (log((1+s)/(1-s)) - 2s) / s**3 in s**2
    tiny: float  # smallest normal number
    lift: int  # 2**lift brings denormals into the normal range
    sqrt_half: str  # bits of sqrt(1/2)
    tanh_high: float  # tanh(x) rounds to 1 from here on, for half of it
    tail_center: float  # k of u = (t - k) / (t + k)
    tail: tuple[float, ...]  # (t + k) * exp(t**2/2) * Phi(-t) in u
    tail_high: float  # from here on t * Phi(-t) is 0
    head_mask: str  # keeps so many leading bits that their square is exact


FORMATS = {
    "f32": Format(
        sign="0x80000000u",
        fraction_bits=23,
        bias=127,
        round=12582912.0,
        exp_low=-104.0,
        exp_high=89.0,
        ln2_high=0.693359375,
        ln2_low=-2.1219444e-4,
        exp=(0.5, 0.16666518, 0.041666206, 0.008368918, 0.001395054),
        log=(0.3333331, -0.24999987, 0.20002224, -0.16669263, 0.14218706, -0.123841666, 0.11872525, -0.11790663, 0.06917227),
        tiny=1.17549435e-38,
        lift=25,
        sqrt_half="0x3f3504f3",
        tanh_high=20.0,
        tail_center=3.5,
        tail=(
            0.74441606, -0.5655618, 0.31542504, -0.11605304, 0.017406378, 0.006493116, -0.0031753094,
            -0.00049494294, 0.00042189597, 0.00011068807,
        ),
        tail_high=14.5,
        head_mask="0xfffff000u",
    ),
    "f64": Format(
        sign="0x8000000000000000ull",
        fraction_bits=52,
        bias=1023,
        round=6755399441055744.0,
        exp_low=-746.0,
        exp_high=710.0,
        ln2_high=6.93147180369123816490e-01,
        ln2_low=1.90821492927058770002e-10,
        exp=(
            0.5000000000000013, 0.166666666666667, 0.041666666666515056, 0.008333333333306967, 0.0013888888947132035,
            0.00019841269917899063, 2.480148980340827e-05, 2.7557215850263647e-06, 2.7631335519030444e-07, 2.5117999496507457e-08,
        ),
        log=(
            0.6666666666666734, 0.399999999994158, 0.2857142874215141, 0.22222198595259693, 0.1818356330842166,
            0.1531407324404656, 0.1479575439916896,
        ),
        tiny=2.2250738585072014e-308,
        lift=54,
        sqrt_half="0x3fe6a09e667f3bcdll",
        tanh_high=40.0,
        tail_center=5.0,
        tail=(
            0.769193049750063, -0.6653825028900567, 0.4953056159699773, -0.3135331566712962, 0.1650203661703374,
            -0.0691186387065699, 0.020795066800837567, -0.0029933767667071035, -0.0007978694080081306, 0.0005448990334023176,
            -5.9375674802410036e-05, -4.97626549673169e-05, 1.6681041254307386e-05, 3.980384877239123e-06, -2.7689525271190042e-06,
            -3.3553753775827767e-07, 4.328841092299802e-07, 4.0880912072596215e-08, -6.601144255922949e-08, -8.295108758338106e-09,
            7.942066243494148e-09, 1.4320680154495168e-09, -3.0284899040362985e-10,
        ),
        tail_high=39.0,
        head_mask="0xfffffffff8000000ull",
    ),
}  # fmt: skip
LOG2_E = 1.4426950408889634
SQRT_2_OVER_PI = 0.7978845608028654
GELU_CUBIC = 0.044715


def _is_float(kit: Kit) -> bool:
    return kit.dtype in FORMATS


def _horner(kit: Kit, coefficients: tuple[float, ...], variable: str) -> str:
    """The polynomial as nested products: one (fused) step per coefficient."""
    text = f"(({kit.V}){{0}} + {kit.literal(coefficients[-1])})"
    for value in reversed(coefficients[:-1]):
        text = f"({text} * {variable} + {kit.literal(value)})"
    return text


def _constant(kit: Kit, value: float) -> str:
    return f"(({kit.V}){{0}} + {kit.literal(value)})"


def neg(kit: Kit) -> str:
    return "return -x;"


def abs_(kit: Kit) -> str:
    if _is_float(kit):
        return f"return ({kit.V})(({kit.U})x & ~{FORMATS[kit.dtype].sign});"
    if kit.dtype[0] == "u":
        return "return x;"
    return f"{kit.V} sign = x >> {8 * kit.bytes // kit.lanes - 1};\nreturn (x ^ sign) - sign;"


def relu(kit: Kit) -> str:
    if kit.dtype[0] == "u":
        return "return x;"
    return f"return {kit('at_least' if _is_float(kit) else 'maximum')}(x, ({kit.V}){{0}});"


def sqrt(kit: Kit) -> str:
    function = "__builtin_sqrtf" if kit.dtype == "f32" else "__builtin_sqrt"
    return f"return ({kit.V}){{{', '.join(f'{function}(x[{i}])' for i in range(kit.lanes))}}};"


def rsqrt(kit: Kit) -> str:
    return f"return {kit.literal(1)} / {kit('sqrt')}(x);"


def scale(kit: Kit) -> str:
    """x * 2**n in two steps, so that neither power leaves the normal range and only the last step can round."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.S} whole = ({kit.S})(n + {kit.literal(form.round)}) - ({kit.S}){_constant(kit, form.round)};\n"
        f"{kit.S} first = whole >> 1, second = whole - first;\n"
        f"{kit.V} power = ({kit.V})(({kit.U})(first + {form.bias}) << {form.fraction_bits});\n"
        f"return x * power * ({kit.V})(({kit.U})(second + {form.bias}) << {form.fraction_bits});"
    )


def exp(kit: Kit) -> str:
    return _exp_text(kit, "")


def exp_sum(kit: Kit) -> str:
    """exp(x + low) for a small correction `low`, which would be lost in the sum."""
    return _exp_text(kit, " + low")


def _exp_text(kit: Kit, correction: str) -> str:
    """x = n ln(2) + r with ln(2) in two parts (Cody and Waite), then 2**n * P(r)."""
    form = FORMATS[kit.dtype]
    return (
        f"x = {kit('at_most')}({kit('at_least')}(x, {_constant(kit, form.exp_low)}), {_constant(kit, form.exp_high)});\n"
        f"{kit.V} n = (x * {kit.literal(LOG2_E)} + {kit.literal(form.round)}) - {kit.literal(form.round)};\n"
        f"{kit.V} r = (x - n * {kit.literal(form.ln2_high)}) - n * {kit.literal(form.ln2_low)}{correction};\n"
        f"{kit.V} p = {_horner(kit, form.exp, 'r')};\n"
        f"return {kit('scale')}((p * (r * r) + r) + {kit.literal(1)}, n);"
    )


def expm1_positive(kit: Kit) -> str:
    """exp(x) - 1 for 0 <= x <= 40, accurate for small x too: 2**n * (P(r) - 1) + (2**n - 1)."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.V} moved = x * {kit.literal(LOG2_E)} + {kit.literal(form.round)};\n"
        f"{kit.V} n = moved - {kit.literal(form.round)};\n"
        f"{kit.V} r = (x - n * {kit.literal(form.ln2_high)}) - n * {kit.literal(form.ln2_low)};\n"
        f"{kit.V} p = {_horner(kit, form.exp, 'r')};\n"
        f"{kit.V} power = ({kit.V})((({kit.U})moved << {form.fraction_bits}) + ({kit.U}){_constant(kit, 1)});\n"
        f"return power * (p * (r * r) + r) + (power - {kit.literal(1)});"
    )


def log(kit: Kit) -> str:
    """x = 2**n (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2); log(1 + f) as a polynomial in f (f32) or in f / (2 + f) (f64)."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.S} denormal = ({kit.S})(x < {kit.literal(form.tiny)});\n"
        f"{kit.S} all = ({kit.S}){kit('blend')}(denormal, x * {kit.literal(2.0**form.lift)}, x);\n"
        f"{kit.S} above = all - {form.sqrt_half};\n"
        f"{kit.S} whole = (above >> {form.fraction_bits}) - (denormal & {form.lift});\n"
        f"{kit.V} n = ({kit.V})(whole + ({kit.S}){_constant(kit, form.round)}) - {kit.literal(form.round)};\n"
        f"{kit.S} fraction = (above & {hex((1 << form.fraction_bits) - 1)}) + {form.sqrt_half};\n"
        f"{kit.V} f = ({kit.V})fraction - {kit.literal(1)};\n"
        f"{_LOG_NEAR_ONE[kit.dtype](kit)}"
        f"{kit.V} infinite = {_constant(kit, float('inf'))};\n"
        f"y = {kit('blend')}(({kit.S})(x < infinite), y, x);\n"  # infinity and NaN pass through
        f"y = {kit('blend')}(({kit.S})(x == 0), -infinite, y);\n"
        f"return {kit('blend')}(({kit.S})(x < 0), {_constant(kit, float('nan'))}, y);"
    )


def _log_f32(kit: Kit) -> str:
    form = FORMATS[kit.dtype]
    half = f"({kit.literal(0.5)} * f * f)"
    return (
        f"{kit.V} tail = f * f * f * {_horner(kit, form.log, 'f')} + n * {kit.literal(form.ln2_low)};\n"
        f"{kit.V} y = n * {kit.literal(form.ln2_high)} + (f + (tail - {half}));\n"
    )


def _log_f64(kit: Kit) -> str:
    """log(1 + f) = f - h + s (h + R(s**2)), h = f**2 / 2, s = f / (2 + f): the large terms stay exact (as in fdlibm)."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.V} s = f / (f + {kit.literal(2)}), z = s * s, h = {kit.literal(0.5)} * f * f;\n"
        f"{kit.V} rest = z * {_horner(kit, form.log, 'z')};\n"
        f"{kit.V} tail = s * (h + rest) + n * {kit.literal(form.ln2_low)};\n"
        f"{kit.V} y = n * {kit.literal(form.ln2_high)} + (f - (h - tail));\n"
    )


_LOG_NEAR_ONE = {"f32": _log_f32, "f64": _log_f64}


def tanh(kit: Kit) -> str:
    """e / (e + 2) with e = exp(2|x|) - 1, the sign put back: no cancellation near 0, no overflow."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.V} twice = {kit('at_most')}({kit('abs')}(x) * {kit.literal(2)}, {_constant(kit, form.tanh_high)});\n"
        f"{kit.V} e = {kit('expm1_positive')}(twice);\n"
        f"{kit.V} y = e / (e + {kit.literal(2)});\n"
        f"return ({kit.V})(({kit.U})y | (({kit.U})x & {form.sign}));"
    )


def sigmoid(kit: Kit) -> str:
    """1 / (1 + z) or z / (1 + z) with z = exp(-|x|) <= 1: no overflow, gradual underflow."""
    return (
        f"{kit.V} z = {kit('exp')}(-{kit('abs')}(x));\n"
        f"return {kit('blend')}(({kit.S})(x < 0), z, {_constant(kit, 1)}) / (z + {kit.literal(1)});"
    )


def gated(kit: Kit) -> str:
    """x * sigmoid(y) for y of the sign of x; -0 for x = -inf (the limit), where a plain product would be NaN."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.V} z = {kit('exp')}(-{kit('abs')}(y));\n"
        f"{kit.V} bounded = {kit('at_least')}(x, {_constant(kit, form.exp_low * 2)});\n"
        f"return {kit('blend')}(({kit.S})(x < 0), bounded * z, x) / (z + {kit.literal(1)});"
    )


def silu(kit: Kit) -> str:
    return f"return {kit('gated')}(x, x);"


def gelu_tanh(kit: Kit) -> str:
    """x (1 + tanh y) / 2 = x sigmoid(2 y), y = sqrt(2 / pi) (x + 0.044715 x**3)."""
    linear, cubic = 2 * SQRT_2_OVER_PI, 2 * SQRT_2_OVER_PI * GELU_CUBIC
    return f"return {kit('gated')}(x, x * ((x * x) * {kit.literal(cubic)} + {kit.literal(linear)}));"


def gelu(kit: Kit) -> str:
    """max(x, 0) - t Phi(-t), t = |x|, where Phi(-t) = exp(-t**2 / 2) Q(u) / (t + k), u = (t - k) / (t + k).

    t**2 is taken in two parts, since its rounding error would be magnified by the exponential; so the far tail stays accurate.
    """
    form = FORMATS[kit.dtype]
    center = kit.literal(form.tail_center)
    return (
        f"{kit.V} t = {kit('at_most')}({kit('abs')}(x), {_constant(kit, form.tail_high)});\n"
        f"{kit.V} w = {kit.literal(1)} / (t + {center}), u = (t - {center}) * w;\n"
        f"{kit.V} q = {_horner(kit, form.tail, 'u')} * w;\n"
        f"{kit.V} head = ({kit.V})(({kit.U})t & {form.head_mask});\n"
        f"{kit.V} low = (t - head) * (t + head) * {kit.literal(-0.5)};\n"
        f"{kit.V} e = {kit('exp_sum')}(head * head * {kit.literal(-0.5)}, low);\n"
        f"return {kit('relu')}(x) - t * q * e;"
    )


INTEGER_UNARY: dict[str, Callable[[Kit], str]] = {"neg": neg, "abs": abs_, "relu": relu}
UNARY: dict[str, Callable[[Kit], str]] = {
    **INTEGER_UNARY,
    "sqrt": sqrt,
    "rsqrt": rsqrt,
    "exp": exp,
    "log": log,
    "tanh": tanh,
    "sigmoid": sigmoid,
    "silu": silu,
    "gelu": gelu,
    "gelu_tanh": gelu_tanh,
}
