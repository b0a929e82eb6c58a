"""sin and cos over vectors: x is n quarter turns and a rest; the C library does what has no exact rest in few steps."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .formats import FORMATS
from .function import Function, Helper, slots
from .kit import Kit, by_halves
from .polynomials import constant, horner


@dataclass(frozen=True)
class _Circle:
    """Of one format: (sin(r) / r - 1) / r**2 and (cos(r) - 1 + r**2 / 2) / r**4 in r**2 on |r| <= pi / 4 (Cephes,
    fdlibm); up to the size `far` of x, and down to a rest of `near`, the rest is right to its last bits."""

    sine: tuple[float, ...]
    cosine: tuple[float, ...]
    far: float
    near: float


_NUMBERS = {
    "f32": _Circle(
        sine=(-1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4),
        cosine=(4.166664568298827e-2, -1.388731625493765e-3, 2.443315711809948e-5),
        far=1e8,
        near=0.0,
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
    ),
}
_QUARTER = {
    "f32": (1.57079631090164184570e00, 1.58932547735281966916e-08),
    "f64": (1.57079632673412561417e00, 6.07710050630396597660e-11, 2.02226624879595063154e-21),
}
"""pi / 2 in parts, of so few bits that their products with any n that is met are exact, but the last (fdlibm)."""


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
            f"{kit.V} z = r * r, cube = z * r;\n"
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
