"""sin and cos over vectors: x is n quarter turns and a rest; the C library does what has no exact rest in few steps.

asin, acos and atan: a polynomial near 0, to which an identity takes what lies further off."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .exponential import seen
from .function import Function, Helper, slots
from .kit import FORMATS, Kit, by_halves, constant, horner, polynomial


@dataclass(frozen=True)
class _Circle:
    """Of one format: (sin(r) / r - 1) / r**2 and (cos(r) - 1 + r**2 / 2) / r**4 in r**2 on |r| <= pi / 4 (Cephes,
    fdlibm). The rest r is right to its last bits up to the size `far` of x, and down to a rest of `near`. Below `least`
    the cube of r is nothing beside it."""

    sine: tuple[float, ...]
    cosine: tuple[float, ...]
    far: float
    near: float
    least: float


_NUMBERS = {
    "f32": _Circle(
        sine=(-1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4),
        cosine=(4.166664568298827e-2, -1.388731625493765e-3, 2.443315711809948e-5),
        far=1e8,
        near=0.0,
        least=2.0**-18,
    ),
    "f64": _Circle(
        sine=(
            -1.66666666666666324348e-01,
            8.33333333332248946124e-03,
            -1.98412698298579493134e-04,
            2.75573137070700676789e-06,
            -2.50507602534068634195e-08,
            1.58969099521155010221e-10,
        ),
        cosine=(
            4.16666666666666019037e-02,
            -1.38888888888741095749e-03,
            2.48015872894767294178e-05,
            -2.75573143513906633035e-07,
            2.08757232129817482790e-09,
            -1.13596475577881948265e-11,
        ),
        far=1e6,
        near=2.0**-26,
        least=2.0**-40,
    ),
}
_QUARTER = {
    "f32": (1.57079631090164184570e00, 1.58932547735281966916e-08),
    "f64": (1.57079632673412561417e00, 6.07710050630396597660e-11, 2.02226624879595063154e-21),
}
"""pi / 2 in parts (fdlibm). All but the last have so few bits that their products with any n are exact."""


def _rest(kit: Kit) -> str:
    """Statements for `turns`, n as integers, `r`, the rest, and `lost`, what that is rounded by. f32 goes through
    f64."""
    round_, per_quarter, first, second, *third = (
        kit.with_("f64").literal(x) for x in (FORMATS["f64"].round, 2 / math.pi, *_QUARTER[kit.dtype])
    )
    if kit.dtype == "f32":
        wide = kit.with_("f64")
        return (
            f"{wide.V} exact = {kit.convert('f64')}(size), moved = exact * {per_quarter} + {round_}, n = moved -"
            f" {round_};\n"
            f"{kit.V} r = {wide.convert('f32')}((exact - n * {first}) - n * {second}), lost = {constant(kit, 0)};\n"
            f"{kit.S} turns = {wide.with_('s64').convert('s32')}(({wide.S})moved & 3);\n"
        )
    return (
        f"{kit.V} moved = size * {per_quarter} + {round_}, n = moved - {round_};\n"
        f"{kit.V} near = size - n * {first}, step = n * {second}, most = near - step;\n"
        f"{kit.V} less = n * {third[0]} - ((near - most) - step), r = most - less, lost = (most - r) - less;\n"
        f"{kit.S} turns = ({kit.S})moved & 3;\n"
    )


def _far(kit: Kit) -> str:
    """C that is true where a lane's rest would not be exact."""
    own = _NUMBERS[kit.dtype]
    is_near = f"({kit.S})(size < {constant(kit, own.far)})"
    if own.near:
        is_near += f" & (({kit.S})({kit('abs')}(r) > {constant(kit, own.near)}) | ({kit.S})(n == {constant(kit, 0)}))"
    return f"__builtin_expect({kit('any_negative')}(~({is_near})), 0)"


def _circular(name: str, quarters: int, sign: str) -> Callable[[Kit], str]:
    """sin of so many more quarter turns; `sign` is what the result's sign is turned by, in C."""

    def body(kit: Kit) -> str:
        own, form = _NUMBERS[kit.dtype], FORMATS[kit.dtype]
        one, half = kit.literal(1), kit.literal(0.5)
        return (
            f"{kit.V} size = {kit('abs')}(x);\n"
            f"{_rest(kit)}"
            f"if ({_far(kit)}) return {kit(f'{name}_far')}(x);\n"
            f"{seen(kit, own.least, 'r')}"
            f"{kit.V} z = seen * seen, cube = z * seen;\n"
            f"{kit.V} odd = r - ((z * ({half} * lost - cube * {horner(kit, own.sine[1:], 'z')}) - lost) - cube *"
            f" {kit.literal(own.sine[0])});\n"
            f"{kit.V} hz = {half} * z, w = {one} - hz;\n"
            f"{kit.V} even = w + ((({one} - w) - hz) + (z * z * {horner(kit, own.cosine, 'z')} - r * lost));\n"
            f"turns += {quarters};\n"
            f"{kit.V} y = {kit('blend')}(-(turns & 1), even, odd);\n"
            f"{kit.U} sign = (({kit.U})turns & 2) << {8 * kit.bytes // kit.lanes - 2};\n"
            f"return ({kit.V})(({kit.U})y ^ sign{sign.format(f'(({kit.U})x & {form.sign})')});"
        )

    return body


def _by_library(name: str) -> Callable[[Kit], str]:
    def body(kit: Kit) -> str:
        called = f"__builtin_{name}{'f' if kit.dtype == 'f32' else ''}"
        return f"return ({kit.V}){{{', '.join(f'{called}(x[{i}])' for i in range(kit.lanes))}}};"

    return body


_SAMPLES = (math.pi / 4, math.pi / 2, -math.pi, 2 * math.pi, 100.5 * math.pi, 1e5, 9.9e7, 1e8, 1e20, 6.3814e14)
SIN = Function(
    "sin",
    ("x",),
    np.sin,
    slots((170, 65), avx2=(152, 66), avx512=(94, 47)),
    "sin({})",
    by_halves("sin", ("x",), _circular("sin", 0, " ^ {}")),
    floats_only=True,
    helpers={"sin_far": Helper("{V}", "{V} x", _by_library("sin"), is_rare=True)},
    samples=_SAMPLES,
)
COS = Function(
    "cos",
    ("x",),
    np.cos,
    slots((170, 65), avx2=(152, 66), avx512=(94, 47)),
    "cos({})",
    by_halves("cos", ("x",), _circular("cos", 1, "")),
    floats_only=True,
    helpers={"cos_far": Helper("{V}", "{V} x", _by_library("cos"), is_rare=True)},
    samples=_SAMPLES,
)
FUNCTIONS = (SIN, COS)


_ASIN = {
    "f32": (0.16666752, 0.074953094, 0.045469154, 0.02418474, 0.042158406),
    "f64": (
        0.1666666666666676,
        0.07499999999970867,
        0.044642857174559666,
        0.030381942709922425,
        0.02237221493444361,
        0.017351612875128306,
        0.01398081111410547,
        0.01139898333253636,
        0.010779883480806707,
        0.003707706887995518,
        0.021704497608288156,
        -0.020995153587398157,
        0.03262632893124367,
    ),
}
"""(asin(x) / x - 1) / x**2 in x**2, up to 1/2 (benchmarks/fits.py)."""
_ATAN = {
    "f32": (-0.3333295, 0.19977729, -0.13877827, 0.08054074),
    "f64": (
        -0.333333333333332,
        0.1999999999995366,
        -0.14285714280197698,
        0.11111110783380895,
        -0.09090897753877851,
        0.07692060138990206,
        -0.06663103219035518,
        0.05847883926558828,
        -0.05039284454598011,
        0.03806416170669163,
        -0.01790690700123492,
    ),
}
"""(atan(x) / x - 1) / x**2 in x**2, up to tan(pi / 8)."""
_QUARTER_LOW = {"f32": -4.371139e-08, "f64": 6.123233995736766e-17}  # of pi / 2, what rounding it leaves


def _with(kit: Kit, coefficients: tuple[float, ...], x: str, square: str) -> str:
    """x + x**3 times a polynomial of its square."""
    return f"{x} + {x} * ({square} * {polynomial(kit, coefficients, square, f'({square} * {square})')})"


def _part(kit: Kit) -> str:
    """Statements for `is_far`, where |x| > 1/2, and `part`, the angle of x, there half the angle of what 1 - |x| is of
    the way: asin(x) = pi / 2 - 2 asin(sqrt((1 - x) / 2))."""
    half = constant(kit, 0.5)
    return (
        f"{kit.V} size = {kit('abs')}(x), far = ({kit.literal(1)} - size) * {kit.literal(0.5)};\n"
        f"{kit.V} z = {kit('select_lt')}({half}, size, far, {kit('square')}(x));\n"
        f"{kit.V} root = {kit('select_lt')}({half}, size, {kit('sqrt')}(far), size);\n"
        f"{kit.V} part = {_with(kit, _ASIN[kit.dtype], 'root', 'z')};\n"
    )


def asin(kit: Kit) -> str:
    half, low = constant(kit, 0.5), kit.literal(_QUARTER_LOW[kit.dtype])
    quarter = kit.literal(_quarter(kit))
    return (
        f"{_part(kit)}"
        f"{kit.V} turned = {quarter} - ({kit.literal(2)} * part - {low});\n"
        f"return {kit('with_sign')}({kit('select_lt')}({half}, size, turned, part), x);"
    )


def acos(kit: Kit) -> str:
    """pi / 2 - asin(x); near 1 twice the part, near -1 pi without it."""
    half, nothing, low = constant(kit, 0.5), constant(kit, 0), kit.literal(_QUARTER_LOW[kit.dtype])
    quarter, two = kit.literal(_quarter(kit)), kit.literal(2)
    return (
        f"{_part(kit)}"
        f"{kit.V} middle = {quarter} - ({kit('with_sign')}(part, x) - {low});\n"
        f"{kit.V} below = {two} * {quarter} - {two} * (part - {low});\n"
        f"{kit.V} end = {kit('select_lt')}(x, {nothing}, below, {two} * part);\n"
        f"return {kit('select_lt')}({half}, size, end, middle);"
    )


def atan(kit: Kit) -> str:
    """Of x above tan(3 pi / 8) the angle of -1 / x and a quarter turn; above tan(pi / 8) that of (x - 1) / (x + 1) and
    an eighth."""
    one, most, some = constant(kit, 1), constant(kit, math.tan(3 * math.pi / 8)), constant(kit, math.tan(math.pi / 8))
    quarter, low = _quarter(kit), _QUARTER_LOW[kit.dtype]
    by_size = lambda far, middle, near: (
        f"{kit('select_lt')}({most}, size, {far}, {kit('select_lt')}({some}, size, {middle}, {near}))"
    )
    turns = (constant(kit, turn) for turn in (quarter, quarter / 2, 0))
    return (
        f"{kit.V} size = {kit('at_most')}({kit('abs')}(x), {constant(kit, 2.0**60)});\n"
        f"{kit.V} over = {by_size(f'-{one}', f'size - {one}', 'size')};\n"
        f"{kit.V} under = {by_size('size', f'size + {one}', one)};\n"
        f"{kit.V} turn = {by_size(*turns)};\n"
        f"{kit.V} lost = turn * {kit.literal(low / quarter)}, t = over / under, z = {kit('square')}(t);\n"
        f"return {kit('with_sign')}(turn + (({_with(kit, _ATAN[kit.dtype], 't', 'z')}) + lost), x);"
    )


def _quarter(kit: Kit) -> float:
    """pi / 2 as the format has it."""
    return float(np.float32(math.pi / 2)) if kit.dtype == "f32" else math.pi / 2


_ENDS = (0.5, -0.5, 1.0, -1.0, 0.999, -0.999, 0.1, 1e-4, -1e-4, 1.5)
ASIN = Function(
    "asin",
    ("x",),
    np.arcsin,
    slots((45, 16), avx2=(33, 12), avx512=(29, 14)),
    "asin({})",
    asin,
    floats_only=True,
    samples=_ENDS,
)
ACOS = Function(
    "acos",
    ("x",),
    np.arccos,
    slots((48, 17), avx2=(37, 13), avx512=(33, 15)),
    "acos({})",
    acos,
    floats_only=True,
    samples=_ENDS,
)
ATAN = Function(
    "atan",
    ("x",),
    np.arctan,
    slots((50, 16), avx2=(38, 18), avx512=(31, 16)),
    "atan({})",
    atan,
    floats_only=True,
    samples=(0.41421357, -0.41421357, 1.0, 2.4142135, -2.4142135, 1e-4, 100.0, 1e30),
)
INVERSES = (ASIN, ACOS, ATAN)
