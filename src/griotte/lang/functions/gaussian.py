"""What follows from the normal distribution, over vectors: erf, and gelu, x Phi(x)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .exponential import SQUARED, is_below, lifted, plain, seen
from .function import Function, Helper, slots
from .kit import Kit, constant, polynomial

_NEAR = 1.0  # where both go from one formula to the other
_ERF = {
    "f32": (0.12837917, -0.37612626, 0.11283579, -0.026853347, 0.005187162, -0.0007997853, 7.806903e-05),
    "f64": (
        0.1283791670955126,
        -0.37612638903183754,
        0.11283791670955119,
        -0.026866170645129733,
        0.005223977625422089,
        -0.0008548327021853434,
        0.00012055332899367076,
        -1.4925647465360264e-05,
        1.646204341226093e-06,
        -1.6364614478746305e-07,
        1.4792146254357396e-08,
        -1.216304478231175e-09,
        8.703799457893029e-11,
        -4.22291057019854e-12,
    ),
}
"""erf(x) / x - 1 in x**2, up to there (benchmarks/fits.py)."""
_ERF_FAR = {
    "f32": (1.8496056, 2.6389627, 0.84317315, 0.041256778, -0.009441436, 0.0014724471, -8.791635e-05),
    "f64": (
        1.8496055099332482,
        2.6389675142347957,
        0.8431072563582047,
        0.04156109805334975,
        -0.010033825519558608,
        0.0019779036537557492,
        -0.00023732774884224745,
        -2.6260351883864087e-05,
        2.711758663068752e-05,
        -9.53695004476713e-06,
        1.9670142965712163e-06,
        -5.295377408186401e-08,
        -1.6339049218462057e-07,
        8.839215641076575e-08,
        -2.991541853356585e-08,
        7.41021208040533e-09,
        -1.3476679092140688e-09,
        1.7055329982846056e-10,
        -1.3369679191841184e-11,
        4.865554637972336e-13,
    ),
}
"""-log(1 - erf(x)) in x - 1, from there to _ERF_HIGH, where erf(x) rounds to 1."""
_ERF_HIGH = {"f32": 4.0, "f64": 6.0}
_PHI = {
    "f32": (0.3989423, -0.06649054, 0.009974163, -0.0011880201, 0.00011501915, -8.167606e-06),
    "f64": (
        0.3989422804014327,
        -0.06649038006690702,
        0.009973557010066162,
        -0.0011873282157525214,
        0.00011543468896604775,
        -9.44466027970087e-06,
        6.659767626809808e-07,
        -4.12350123838714e-08,
        2.278765007990017e-09,
        -1.1423765499465841e-10,
        4.7396314653969486e-12,
    ),
}
"""(Phi(x) - 1/2) / x in x**2, up to there."""
_TAIL = {
    "f32": (
        0.36454186,
        0.109875865,
        -0.13965735,
        0.09137673,
        -0.028858317,
        -0.0017380117,
        0.0039657666,
        -3.968175e-05,
        -0.0005460223,
    ),
    "f64": (
        0.3845965248750315,
        0.05190527343000302,
        -0.08503844346004191,
        0.0908862296493495,
        -0.0742563952503327,
        0.04795086373153465,
        -0.024161785956748266,
        0.008900845023539218,
        -0.0018956230346886306,
        -0.00012648525617332403,
        0.00024276126510114105,
        -5.456870509007818e-05,
        -1.6538804991697825e-05,
        1.0328712974095393e-05,
        5.996616553663969e-07,
        -1.5465733071659683e-06,
        5.991169039412217e-08,
        2.2676967778086983e-07,
        -2.4456703065896483e-08,
        -2.6833456512638768e-08,
        5.686205125110483e-09,
    ),
}
"""t exp(t**2 / 2) Phi(-t) in u = (t - center) / (t + center), from there on."""


@dataclass(frozen=True)
class _Gelu:
    center: float
    plain: float  # up to here exp(-t**2 / 2) is far from the end of the normal range, and nothing beside t from here on
    high: float  # from here on gelu(-t) rounds to -0
    head_mask: str  # keeps so many leading bits that their square is exact


_GELU = {"f32": _Gelu(3.0, 12.8, 15.0, "0xfffff000u"), "f64": _Gelu(5.0, 37.5, 40.0, "0xfffffffff8000000ull")}


def erf(kit: Kit) -> str:
    """Up to 1 an odd polynomial, beyond it 1 - exp(-P(|x|)) with the sign put back."""
    near, far = _ERF[kit.dtype], _ERF_FAR[kit.dtype]
    return (
        f"{kit.V} t = {kit('at_most')}({kit('abs')}(x), {constant(kit, _ERF_HIGH[kit.dtype])});\n"
        f"{kit.V} z = {kit('square')}(t), v = t - {kit.literal(_NEAR)};\n"
        f"{kit.V} near = {polynomial(kit, near, 'z', '(z * z)')} * t + t;\n"
        f"{kit.V} far = {kit.literal(1)} - {kit('exp_near')}(-{polynomial(kit, far, 'v', '(v * v)')});\n"
        f"return {kit('with_sign')}({kit('select_lt')}(t, {constant(kit, _NEAR)}, near, far), x);"
    )


def gelu(kit: Kit) -> str:
    """Near 0 an odd polynomial and 1/2, times x; else max(x, -0) - t Phi(-t), t = |x|, where t Phi(-t) = exp(-t**2 / 2)
    R(u), u = (t - k) / (t + k).

    t**2 is taken in two parts, since its rounding error would be magnified by the exponential; so the far tail stays
    accurate.
    """
    form = _GELU[kit.dtype]
    return (
        f"if ({is_below(kit, 'x', -form.plain)}) return {kit('gelu_wide')}(x);\n"
        f"{_halves(kit, form.plain)}"
        f"{plain(kit, ' + low', is_fine=True)}"
        f"{_joined(kit)}return found;"
    )


def gelu_wide(kit: Kit) -> str:
    """Where t is large exp(-t**2 / 2) is lifted. t Phi(-t) is lowered at last, and left out where x is above 0."""
    form = _GELU[kit.dtype]
    return (
        f"{_halves(kit, form.high)}"
        f"{kit.S} deep = ({kit.S})(t > {constant(kit, form.plain)});\n"
        f"{kit.S} above = deep & ({kit.S})(given > {constant(kit, 0)});\n"
        f"{lifted(kit, 'deep', ' + low', is_fine=True)}"
        f"z = {kit('cleared')}(above, z);\n"
        f"{_joined(kit)}return {kit('settle')}(found, deep & ~above);"
    )


def _halves(kit: Kit, most: float) -> str:
    """Statements for t, its square `s`, and x + low, the exponent."""
    half = kit.literal(-0.5)
    return (
        f"{kit.V} given = x, t = {kit('at_most')}({kit('abs')}(x), {constant(kit, most)}), s = {kit('square')}(t);\n"
        f"{kit.V} low = {kit('square_low')}(t, s) * {half};\n"
        f"x = s * {half};\n"
    )


def _joined(kit: Kit) -> str:
    """Statements for `found`, of both formulas."""
    center, tail = kit.literal(_GELU[kit.dtype].center), polynomial(kit, _TAIL[kit.dtype], "u", "(u * u)")
    near = f"given * ({polynomial(kit, _PHI[kit.dtype], 's', '(s * s)')} * given + {kit.literal(0.5)})"
    return (
        f"{kit.V} near = {near};\n"
        f"{kit.V} u = {kit('ratio')}(t - {center}, t + {center});\n"
        f"{kit.V} far = {kit('at_least')}(given, -({kit.V}){{0}}) - {tail} * z;\n"
        f"{kit.V} found = {kit('select_lt')}(t, {constant(kit, _NEAR)}, near, far);\n"
    )


def square_low(kit: Kit) -> str:
    """x * x - s, where s is x * x rounded."""
    return (
        f"{seen(kit, 2.0 ** -(SQUARED[kit.dtype] // 2))}"
        f"{kit.V} head = ({kit.V})(({kit.U})seen & {_GELU[kit.dtype].head_mask});\n"
        "return (head * head - s) + (seen - head) * (seen + head);"
    )


_erf = np.vectorize(math.erf, otypes=[np.float64])
_erfc = np.vectorize(math.erfc, otypes=[np.float64])


def _gelu(x: np.ndarray) -> np.ndarray:
    return np.where(np.isneginf(x), 0.0, 0.5 * x * _erfc(-x / math.sqrt(2)))


ERF = Function(
    "erf",
    ("x",),
    _erf,
    slots((64, 28), avx2=(35, 26), avx512=(46, 23)),
    "erf({})",
    erf,
    floats_only=True,
    samples=(1.0, -1.0, 4.0, -4.0, 6.0),
)
GELU = Function(
    "gelu",
    ("x",),
    _gelu,
    slots((103, 39), avx2=(54, 33), avx512=(57, 28.5)),
    "0.5f * ({0}) * (1 + erf(({0}) * 0.70710678f))",
    gelu,
    floats_only=True,
    helpers={
        "square_low": Helper("{V}", "{V} x, {V} s", square_low),
        "gelu_wide": Helper("{V}", "{V} x", gelu_wide),
    },
    cancels=True,
    samples=(-0.75, 1.0, -1.0, -12.8, 12.8, -13.2, -14.5, -15.0, 17.0, -37.5, -39.0),
)
FUNCTIONS = (ERF, GELU)
