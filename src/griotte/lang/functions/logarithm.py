"""log over vectors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .formats import FORMATS
from .function import Function, Helper, slots
from .kit import Kit
from .polynomials import constant, polynomial


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
