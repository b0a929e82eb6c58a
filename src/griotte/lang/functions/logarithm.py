"""log and powers over vectors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .exponential import seen
from .function import Function, Helper, slots
from .kit import FORMATS, Kit, constant, polynomial


@dataclass(frozen=True)
class _Bits:
    tiny: float  # smallest normal number
    lift: int  # 2**lift brings denormals into the normal range
    three_quarters: str  # bits of 3/4


_BITS = {
    "f32": _Bits(1.17549435e-38, 25, "0x3f400000"),
    "f64": _Bits(2.2250738585072014e-308, 54, "0x3fe8000000000000ll"),
}
_LOG = {
    "f32": (
        0.3333334,
        -0.25000164,
        0.19999604,
        -0.16655298,
        0.14276247,
        -0.12727773,
        0.11700583,
        -0.09116068,
        0.037672378,
    ),
    "f64": (
        0.6666666666667268,
        0.39999999996175867,
        0.2857142939305614,
        0.22222138663787708,
        0.18186350101270576,
        0.1525029673664801,
        0.15367423742037825,
    ),
}
"""f32: (log(1+f) - f + f**2/2) / f**3; f64: (log((1+s)/(1-s)) - 2s) / s**3 in s**2 (benchmarks/fits.py)."""


def log(kit: Kit) -> str:
    """x = 2**n (1 + f) with 3/4 <= 1 + f < 3/2; log(1 + f) as a polynomial in f (f32) or in f / (2 + f) (f64)."""
    return (
        f"{kit.V} n = {kit('log_exponent')}(x), f = {kit('log_fraction')}(x);\n"
        f"{_LOG_NEAR_ONE[kit.dtype](kit)}"
        f"return {kit('log_edges')}(x, y);"
    )


def _log_parts(kit: Kit) -> str:
    """The bits of x, lifted out of the denormals, above those of 3/4."""
    bits = _BITS[kit.dtype]
    return (
        f"{kit.S} denormal = ({kit.S})(x < {kit.literal(bits.tiny)});\n{kit.S} above ="
        f" ({kit.S}){kit('blend')}(denormal, x * {kit.literal(2.0**bits.lift)}, x) - {bits.three_quarters};\n"
    )


def log_exponent(kit: Kit) -> str:
    """n of x = 2**n m, 3/4 <= m < 3/2."""
    form, bits = FORMATS[kit.dtype], _BITS[kit.dtype]
    return (
        f"{_log_parts(kit)}"
        f"{kit.S} whole = (above >> {form.fraction_bits}) - (denormal & {bits.lift});\n"
        f"return ({kit.V})(whole + ({kit.S}){constant(kit, form.round)}) - {kit.literal(form.round)};"
    )


def log_fraction(kit: Kit) -> str:
    """m - 1 of x = 2**n m, 3/4 <= m < 3/2."""
    form, bits = FORMATS[kit.dtype], _BITS[kit.dtype]
    return (
        f"{_log_parts(kit)}"
        f"{kit.S} fraction = (above & {hex((1 << form.fraction_bits) - 1)}) + {bits.three_quarters};\n"
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
    form, rest = FORMATS[kit.dtype], polynomial(kit, _LOG[kit.dtype], "f", "square")
    return (
        f"{kit.V} square = f * f;\n"
        f"{kit.V} tail = square * f * {rest} + n * {kit.literal(form.ln2_low)};\n"
        f"{kit.V} y = n * {kit.literal(form.ln2_high)} + (f + (tail - {kit.literal(0.5)} * square));\n"
    )


def _log_f64(kit: Kit) -> str:
    """log(1 + f) = f - h + s (h + R(s**2)), h = f**2 / 2, s = f / (2 + f): the large terms stay exact (as in
    fdlibm)."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.V} s = f / (f + {kit.literal(2)}), z = s * s, h = {kit.literal(0.5)} * f * f;\n"
        f"{kit.V} rest = z * {polynomial(kit, _LOG[kit.dtype], 'z', '(z * z)')};\n"
        f"{kit.V} tail = s * (h + rest) + n * {kit.literal(form.ln2_low)};\n"
        f"{kit.V} y = n * {kit.literal(form.ln2_high)} + (f - (h - tail));\n"
    )


_LOG_NEAR_ONE = {"f32": _log_f32, "f64": _log_f64}
LOG = Function(
    "log",
    ("x",),
    np.log,
    slots((52, 19), avx2=(33, 22), avx512=(24, 12)),
    "log({})",
    log,
    floats_only=True,
    helpers={
        "log_exponent": Helper("{V}", "{V} x", log_exponent),
        "log_fraction": Helper("{V}", "{V} x", log_fraction),
        "log_edges": Helper("{V}", "{V} x, {V} y", log_edges),
    },
    samples=(0.75, 1.0, 1.5, -1.0),
)
FUNCTIONS = (LOG,)


@dataclass(frozen=True)
class _Power:
    """Of one format. `upper` has the bits of a number such that the product of two such numbers is exact. `two_thirds`
    is 2/3 in so few bits, and the rest of 2/3. A power of `most` and beyond is as one of it. A logarithm of more than
    `wide` has no exponential that is finite and not 0. A power of less than `least` is 1."""

    upper: str
    two_thirds: tuple[float, float]
    most: float
    wide: float
    least: float
    rest: tuple[float, ...]


_NUMBERS = {
    "f32": _Power(
        upper="0xfffff000u",
        two_thirds=(0.6665039, 0.00016276042),
        most=2.0**32,
        wide=200.0,
        least=2.0**-40,
        rest=(0.6, 0.42857137, 0.3333443, 0.2719674, 0.25203028),
    ),
    "f64": _Power(
        upper="0xfffffffff8000000ull",
        two_thirds=(0.6666666567325592, 9.934107462565104e-09),
        most=2.0**64,
        wide=1000.0,
        least=2.0**-70,
        rest=(
            0.6,
            0.42857142857142727,
            0.33333333333418047,
            0.2727272725108691,
            0.2307692584239272,
            0.19999801880771534,
            0.17655368248477207,
            0.15587685199202603,
            0.1688548564651995,
        ),
    ),
}
"""`rest` is (3 atanh(s) / s - 3 - z) / z**2 in z = s**2 up to 1/25: interpolated at the zeros of a Chebyshev
polynomial."""


def upper_bits(kit: Kit) -> str:
    """The upper half of the bits of each number."""
    return f"return ({kit.V})(({kit.U})x & {_NUMBERS[kit.dtype].upper});"


def _logarithm(kit: Kit) -> str:
    """Statements for `high`, of few bits, and `low`: together log(size), as in fdlibm's pow. With s = f / (2 + f) it is
    2 atanh(s) = 2/3 s (3 + s**2 + ..) for 1 + f, and n log(2) besides."""
    form, own = FORMATS[kit.dtype], _NUMBERS[kit.dtype]
    top, (third_high, third_low) = kit("upper_bits"), (kit.literal(x) for x in own.two_thirds)
    three = kit.literal(3)
    return (
        f"{kit.V} n = {kit('log_exponent')}(size), f = {kit('log_fraction')}(size);\n"
        f"{kit.V} under = f + {kit.literal(2)}, over = {kit.literal(1)} / under, s = f * over, s1 = {top}(s);\n"
        f"{kit.V} t1 = {top}(under), t2 = f - (t1 - {kit.literal(2)}), s2 = over * ((f - s1 * t1) - s1 * t2);\n"
        f"{kit.V} v = s * s, rest = v * v * {polynomial(kit, own.rest, 'v', '(v * v)')} + s2 * (s1 + s), square = s1 *"
        " s1;\n"
        f"{kit.V} u1 = {top}({three} + square + rest), u2 = rest - ((u1 - {three}) - square);\n"
        f"{kit.V} p = s1 * u1, q = s2 * u1 + u2 * s, p1 = {top}(p + q), p2 = q - (p1 - p);\n"
        f"{kit.V} whole = n * {kit.literal(form.ln2_high)}, part = {third_high} * p1;\n"
        f"{kit.V} little = {third_low} * p1 + p2 * ({third_high} + {third_low}) + n * {kit.literal(form.ln2_low)};\n"
        f"{kit.V} high = {top}(whole + (part + little)), low = little - ((high - whole) - part);\n"
    )


def _signed(kit: Kit) -> str:
    """Statements that give `z`, |x|**y, the sign of x where y is odd, and make it NaN where y is not whole."""
    form, zero, infinite = FORMATS[kit.dtype], constant(kit, 0), constant(kit, float("inf"))
    return (
        f"{kit.V} half = y * {kit.literal(0.5)};\n"
        f"{kit.S} is_whole = ({kit.S})({kit('round')}(y) == y), is_odd = is_whole & ({kit.S})({kit('round')}(half) !="
        " half);\n"
        f"z = ({kit.V})(({kit.U})z ^ (({kit.U})x & ({kit.U})is_odd & {form.sign}));\n"
        f"{kit.S} has_none = ({kit.S})(x < {zero}) & ({kit.S})(size < {infinite}) & ~is_whole;\n"
        f"z = {kit('blend')}(has_none, {constant(kit, float('nan'))}, z);\n"
    )


def power(kit: Kit) -> str:
    own, zero, one = _NUMBERS[kit.dtype], constant(kit, 0), constant(kit, 1)
    infinite, most = constant(kit, float("inf")), constant(kit, own.most)
    return (
        f"{kit.V} size = {kit('abs')}(x);\n"
        f"{_logarithm(kit)}"
        f"{kit.V} times = {kit('at_least')}({kit('at_most')}(y, {most}), -{most});\n"
        f"{seen(kit, own.least, 'times')}"
        f"{kit.V} y1 = {kit('upper_bits')}(seen);\n"
        f"{kit.V} by = y1 * high, more = (seen - y1) * high + seen * low, sum = by + more;\n"
        f"{kit.V} lost = {kit('select_lt')}({kit('abs')}(sum), {constant(kit, own.wide)}, more - (sum - by), {zero});\n"
        f"{kit.V} z = {kit('exp_sum')}(sum, lost);\n"
        f"{kit.S} is_end = ({kit.S})(size == {zero}) | ({kit.S})(size == {infinite});\n"
        f"{kit.S} grows = ~(({kit.S})(size > {one}) ^ ({kit.S})(y > {zero}));\n"
        f"z = {kit('blend')}(is_end, {kit('blend')}(grows, {infinite}, {zero}), z);\n"
        f"{_signed(kit)}"
        f"z = {kit('blend')}(({kit.S})(x != x) | ({kit.S})(y != y), x + y, z);\n"
        f"return {kit('blend')}(({kit.S})(x == {one}) | ({kit.S})(y == {zero}), {one}, z);"
    )


def _meaning(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """C's pow; np.power takes a root where one number, 0.5, is the exponent of all, and gives NaN at -inf."""
    return np.asarray(np.float_power(x, y), np.result_type(x, y))


POWER = Function(
    "power",
    ("x", "y"),
    _meaning,
    slots((185, 85), avx2=(135, 70), avx512=(120, 60)),
    "pow({}, {})",
    power,
    floats_only=True,
    helpers={"upper_bits": Helper("{V}", "{V} x", upper_bits)},
    samples=(0.75, 1.5, -1.0, 2.0, -2.0, 3.0, 0.5, -0.5, 1e4, -1e4, 1.0000001, 0.9999999),
)
POWERS = (POWER,)
