"""Elementwise functions over vectors: portable C bodies, free of branches, one text for f32 and f64.

Each follows the textbook scheme named in its docstring, with constants of our own: benchmarks/fits.py makes the
polynomials, minimax for the error that shows in the function's result, and benchmarks/vector_math.py measures what they
come to (docs/vector-math.md). A product and a sum may or may not fuse into an FMA: both are within the bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .vector_exp import (
    _beyond,
    _grown,
    _is_plain,
    _scaled,
    exp,
)
from .vector_formats import (
    ERF_NEAR,
    FORMATS,
    GELU_CUBIC,
    GELU_NEAR,
    SQRT_2_OVER_PI,
    TANH_NEAR,
    constant,
    is_float,
    polynomial,
)

if TYPE_CHECKING:
    from .vector_kit import Kit


def neg(kit: Kit) -> str:
    return "return -x;"


def abs_(kit: Kit) -> str:
    if is_float(kit):
        return f"return ({kit.V})(({kit.U})x & ~{FORMATS[kit.dtype].sign});"
    if kit.dtype[0] == "u":
        return "return x;"
    return f"{kit.V} sign = x >> {8 * kit.bytes // kit.lanes - 1};\nreturn (x ^ sign) - sign;"


def relu(kit: Kit) -> str:
    if kit.dtype[0] == "u":
        return "return x;"
    return f"return {kit('at_least' if is_float(kit) else 'maximum')}(x, ({kit.V}){{0}});"


def sqrt(kit: Kit) -> str:
    function = "__builtin_sqrtf" if kit.dtype == "f32" else "__builtin_sqrt"
    return f"return ({kit.V}){{{', '.join(f'{function}(x[{i}])' for i in range(kit.lanes))}}};"


def rsqrt(kit: Kit) -> str:
    return f"return {kit.literal(1)} / {kit('sqrt')}(x);"


def reciprocal(kit: Kit) -> str:
    """1 / x within an ulp, where x and 1 / x are far from the ends of the normal range."""
    return f"return {kit.literal(1)} / x;"


def log(kit: Kit) -> str:
    """x = 2**n (1 + f) with 3/4 <= 1 + f < 3/2; log(1 + f) as a polynomial in f (f32) or in f / (2 + f) (f64)."""
    return (
        f"{kit.V} n = {kit('log_exponent')}(x), f = {kit('log_fraction')}(x);\n"
        f"{_LOG_NEAR_ONE[kit.dtype](kit)}"
        f"return {kit('log_edges')}(x, y);"
    )


def _log_parts(kit: Kit) -> str:
    """The bits of x, lifted out of the denormals, above those of 3/4."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.S} denormal = ({kit.S})(x < {kit.literal(form.tiny)});\n{kit.S} above ="
        f" ({kit.S}){kit('blend')}(denormal, x * {kit.literal(2.0**form.lift)}, x) - {form.three_quarters};\n"
    )


def log_exponent(kit: Kit) -> str:
    """n of x = 2**n m, 3/4 <= m < 3/2."""
    form = FORMATS[kit.dtype]
    return (
        f"{_log_parts(kit)}"
        f"{kit.S} whole = (above >> {form.fraction_bits}) - (denormal & {form.lift});\n"
        f"return ({kit.V})(whole + ({kit.S}){constant(kit, form.round)}) - {kit.literal(form.round)};"
    )


def log_fraction(kit: Kit) -> str:
    """m - 1 of x = 2**n m, 3/4 <= m < 3/2."""
    form = FORMATS[kit.dtype]
    return (
        f"{_log_parts(kit)}"
        f"{kit.S} fraction = (above & {hex((1 << form.fraction_bits) - 1)}) + {form.three_quarters};\n"
        f"return ({kit.V})fraction - {kit.literal(1)};"
    )


def log_edges(kit: Kit) -> str:
    """y, or where x is 0, negative, infinite or NaN what log is there."""
    infinite = constant(kit, float("inf"))
    return (
        f"y = {kit('select_lt')}(x, {infinite}, y, x);\n"  # infinity and NaN pass through
        f"y = {kit('select_eq')}(x, {constant(kit, 0)}, -{infinite}, y);\n"
        f"return {kit('select_lt')}(x, {constant(kit, 0)}, {constant(kit, float('nan'))}, y);"
    )


def _log_f32(kit: Kit) -> str:
    form = FORMATS[kit.dtype]
    return (
        f"{kit.V} square = f * f;\n"
        f"{kit.V} tail = square * f * {polynomial(kit, form.log, 'f', 'square')} + n * {kit.literal(form.ln2_low)};\n"
        f"{kit.V} y = n * {kit.literal(form.ln2_high)} + (f + (tail - {kit.literal(0.5)} * square));\n"
    )


def _log_f64(kit: Kit) -> str:
    """log(1 + f) = f - h + s (h + R(s**2)), h = f**2 / 2, s = f / (2 + f): the large terms stay exact (as in
    fdlibm)."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.V} s = f / (f + {kit.literal(2)}), z = s * s, h = {kit.literal(0.5)} * f * f;\n"
        f"{kit.V} rest = z * {polynomial(kit, form.log, 'z', '(z * z)')};\n"
        f"{kit.V} tail = s * (h + rest) + n * {kit.literal(form.ln2_low)};\n"
        f"{kit.V} y = n * {kit.literal(form.ln2_high)} + (f - (h - tail));\n"
    )


_LOG_NEAR_ONE = {"f32": _log_f32, "f64": _log_f64}


def with_sign(kit: Kit) -> str:
    """x, which is not negative, with the sign of y."""
    return f"return ({kit.V})(({kit.U})x | (({kit.U})y & {FORMATS[kit.dtype].sign}));"


def minus(kit: Kit) -> str:
    """-|x|."""
    return f"return ({kit.V})(({kit.U})x | {FORMATS[kit.dtype].sign});"


def tanh(kit: Kit) -> str:
    """Near 0 an odd polynomial, else 1 - 2 / (exp(2|x|) + 1) with the sign put back."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.V} t = {kit('abs')}(x), z = t * t;\n"
        f"{kit.V} near = {polynomial(kit, form.tanh, 'z', '(z * z)')} * (z * t) + t;\n"
        f"{kit.V} e = {kit('exp_near')}({kit('at_most')}(t * {kit.literal(2)}, {constant(kit, form.tanh_high)}));\n"
        f"{kit.V} far = {kit.literal(1)} - {kit.literal(2)} * {kit('reciprocal')}(e + {kit.literal(1)});\n"
        f"return {kit('with_sign')}({kit('select_lt')}(t, {constant(kit, TANH_NEAR)}, near, far), x);"
    )


def erf(kit: Kit) -> str:
    """Up to 1 an odd polynomial, beyond it 1 - exp(-P(|x|)) with the sign put back."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.V} t = {kit('at_most')}({kit('abs')}(x), {constant(kit, form.erf_high)});\n"
        f"{kit.V} z = t * t, v = t - {kit.literal(ERF_NEAR)};\n"
        f"{kit.V} near = {polynomial(kit, form.erf, 'z', '(z * z)')} * t + t;\n"
        f"{kit.V} far = {kit.literal(1)} - {kit('exp_near')}(-{polynomial(kit, form.erf_far, 'v', '(v * v)')});\n"
        f"return {kit('with_sign')}({kit('select_lt')}(t, {constant(kit, ERF_NEAR)}, near, far), x);"
    )


def ratio(kit: Kit) -> str:
    """x / y within an ulp, where x, y and 1 / y are far from the ends of the normal range."""
    return "return x / y;"


def quotient(kit: Kit) -> str:
    """x / (y + low) where 1 <= y <= 2 and `low` is what y lost of a sum."""
    return "x /= y;\nreturn x - x * low;"


def sigmoid(kit: Kit) -> str:
    """1 / (1 + z) or z / (1 + z) with z = exp(-|x|) <= 1: no overflow, gradual underflow; what 1 + z loses is made
    good."""
    return (
        f"{kit.V} z = {kit('exp_fine')}({kit('minus')}(x)), whole = z + {kit.literal(1)}, lost = z - (whole -"
        f" {kit.literal(1)});\nreturn {kit('quotient')}({kit('select_lt')}(x, {constant(kit, 0)}, z,"
        f" {constant(kit, 1)}), whole, lost);"
    )


def gated(kit: Kit) -> str:
    """x * sigmoid(y) for y of the sign of x; -0 for x = -inf (the limit), where a plain product would be NaN."""
    if not _is_plain(kit):
        return gated_wide(kit)
    return (
        f"if ({_beyond(kit, 'y')}) return {kit('gated_wide')}(x, y);\n"
        f"{kit.V} given = x;\n"
        f"x = {kit('minus')}(y);\n"
        f"{_scaled(kit, is_fine=True)}"
        f"return {kit('select_lt')}(given, {constant(kit, 0)}, given * z, given) / (z + {kit.literal(1)});"
    )


def gated_wide(kit: Kit) -> str:
    """x is in the product before its power of 2 is, so that it is rounded once where it is denormal."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.V} factor = {kit('at_least')}(x, {constant(kit, form.exp_low * 2)}), given = x;\n"
        f"x = {kit('exp_bound')}({kit('minus')}(y));\n"
        f"{_grown(kit, is_fine=True)}"
        f"{kit.V} z = {kit('scale')}(grown, n, moved), product = {kit('scale')}(factor * grown, n, moved);\n"
        f"return {kit('select_lt')}(given, {constant(kit, 0)}, product, given) / (z + {kit.literal(1)});"
    )


def silu(kit: Kit) -> str:
    return f"return {kit('gated')}(x, x);"


def gelu_tanh(kit: Kit) -> str:
    """x (1 + tanh y) / 2 = x sigmoid(2 y), y = sqrt(2 / pi) (x + 0.044715 x**3)."""
    linear, cubic = 2 * SQRT_2_OVER_PI, 2 * SQRT_2_OVER_PI * GELU_CUBIC
    return f"return {kit('gated')}(x, x * ((x * x) * {kit.literal(cubic)} + {kit.literal(linear)}));"


def square_low(kit: Kit) -> str:
    """x * x - s, where s is x * x rounded."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.V} head = ({kit.V})(({kit.U})x & {form.head_mask});\nreturn (head * head - s) + (x - head) * (x + head);"
    )


def gelu(kit: Kit) -> str:
    """Near 0 an odd polynomial and 1/2, times x; else max(x, -0) - t Phi(-t), t = |x|, where t Phi(-t) = exp(-t**2 / 2)
    R(u), u = (t - k) / (t + k).

    t**2 is taken in two parts, since its rounding error would be magnified by the exponential; so the far tail stays
    accurate.
    """
    form = FORMATS[kit.dtype]
    center, half = kit.literal(form.tail_center), kit.literal(-0.5)
    return (
        f"{kit.V} t = {kit('at_most')}({kit('abs')}(x), {constant(kit, form.tail_high)}), s = t * t;\n"
        f"{kit.V} near = x * ({polynomial(kit, form.phi, 's', '(s * s)')} * x + {kit.literal(0.5)});\n"
        f"{kit.V} u = {kit('ratio')}(t - {center}, t + {center});\n"
        f"{kit.V} e = {kit('exp_sum')}(s * {half}, {kit('square_low')}(t, s) * {half});\n"
        f"{kit.V} far = {kit('at_least')}(x, -({kit.V}){{0}}) - {polynomial(kit, form.tail, 'u', '(u * u)')} * e;\n"
        f"return {kit('select_lt')}(t, {constant(kit, GELU_NEAR)}, near, far);"
    )


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


INTEGER_UNARY: dict[str, Callable[[Kit], str]] = {"neg": neg, "abs": abs_, "relu": relu}
UNARY: dict[str, Callable[[Kit], str]] = {
    **INTEGER_UNARY,
    "round": round_,
    "sqrt": sqrt,
    "rsqrt": rsqrt,
    "exp": exp,
    "log": log,
    "tanh": tanh,
    "erf": erf,
    "sigmoid": sigmoid,
    "silu": silu,
    "gelu": gelu,
    "gelu_tanh": gelu_tanh,
}
