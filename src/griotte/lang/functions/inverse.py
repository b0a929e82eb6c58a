"""asin, acos and atan over vectors: a polynomial near 0, to which an identity takes what lies further off."""

from __future__ import annotations

import math

import numpy as np

from .function import Function, slots
from .kit import Kit
from .polynomials import constant, polynomial

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
        f"{kit.V} z = {kit('select_lt')}({half}, size, far, x * x);\n"
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
        f"{kit.V} size = {kit('abs')}(x);\n"
        f"{kit.V} over = {by_size(f'-{one}', f'size - {one}', 'size')};\n"
        f"{kit.V} under = {by_size('size', f'size + {one}', one)};\n"
        f"{kit.V} turn = {by_size(*turns)};\n"
        f"{kit.V} lost = turn * {kit.literal(low / quarter)}, t = over / under, z = t * t;\n"
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
FUNCTIONS = (ASIN, ACOS, ATAN)
