"""tanh and sigmoid over vectors, and what x is gated by them: silu, and gelu's tanh form."""

from __future__ import annotations

import math

import numpy as np

from .exponential import RANGES, is_below, lifted, plain
from .function import Function, Helper, slots
from .kit import Kit, constant, polynomial

_NEAR = 0.6  # where tanh goes from one formula to the other
_TANH = {
    "f32": (-0.333333, 0.13331936, -0.053784717, 0.020798624, -0.005897961),
    "f64": (
        -0.33333333333333126,
        0.13333333333299763,
        -0.053968253949332544,
        0.021869488003276805,
        -0.008863226785681601,
        0.003592037439210934,
        -0.001455215645918255,
        0.0005871892694004627,
        -0.00023039845672883272,
        7.931572951101543e-05,
        -1.717955831425897e-05,
    ),
}
"""(tanh(x) / x - 1) / x**2 in x**2, up to there (benchmarks/fits.py)."""
_HALF_HIGH = {"f32": 20.0, "f64": 40.0}  # tanh(x) rounds to 1 from here on, for half of it
_FAINT = {"f32": -43.0, "f64": -350.0}  # from here down exp is nothing beside 1; its square is a normal number above
_SQRT_2_OVER_PI = 0.7978845608028654
_CUBIC = 0.044715


def tanh(kit: Kit) -> str:
    """Near 0 an odd polynomial, else 1 - 2 / (exp(2|x|) + 1) with the sign put back."""
    high = constant(kit, _HALF_HIGH[kit.dtype])
    return (
        f"{kit.V} t = {kit('abs')}(x), z = {kit('square')}(t);\n"
        f"{kit.V} near = ({polynomial(kit, _TANH[kit.dtype], 'z', '(z * z)')} * z) * t + t;\n"
        f"{kit.V} e = {kit('exp_near')}({kit('at_most')}(t * {kit.literal(2)}, {high}));\n"
        f"{kit.V} far = {kit.literal(1)} - {kit.literal(2)} * {kit('reciprocal')}(e + {kit.literal(1)});\n"
        f"return {kit('with_sign')}({kit('select_lt')}(t, {constant(kit, _NEAR)}, near, far), x);"
    )


def sigmoid(kit: Kit) -> str:
    """1 / (1 + z) or z / (1 + z) with z = exp(-|x|) <= 1: no overflow, gradual underflow; what 1 + z loses is made
    good."""
    return (
        f"{kit.V} given = x;\n"
        f"x = {kit('minus')}(x);\n"
        f"if ({is_below(kit, 'x', _FAINT[kit.dtype])}) return {kit('sigmoid_wide')}(given);\n"
        f"{plain(kit, is_fine=True)}"
        f"{_share(kit, 'z')}return share;"
    )


def _share(kit: Kit, small: str) -> str:
    """Statements for `share`: the quotient of z, or of 1, and 1 and `small`."""
    one = kit.literal(1)
    return (
        f"{kit.V} whole = {small} + {one}, lost = {small} - (whole - {one});\n"
        f"{kit.V} share = {kit('quotient')}({kit('select_lt')}(given, {constant(kit, 0)}, z, {constant(kit, 1)}),"
        " whole, lost);\n"
    )


def sigmoid_wide(kit: Kit) -> str:
    """Where z is less than what 1 + z holds, and its square might be a denormal, it is lifted, and lowered at last."""
    return (
        f"{kit.V} given = x;\n"
        f"x = {kit('at_least')}({kit('minus')}(x), {constant(kit, RANGES[kit.dtype].low)});\n"
        f"{kit.S} deep = ({kit.S})(x < {constant(kit, _FAINT[kit.dtype])});\n"
        f"{lifted(kit, 'deep', is_fine=True)}"
        f"{kit.V} small = {kit('cleared')}(deep, z);\n"
        f"{_share(kit, 'small')}"
        f"return {kit('settle')}(share, deep & ({kit.S})(given < {constant(kit, 0)}));"
    )


def gated(kit: Kit) -> str:
    """x * sigmoid(y) for y of the sign of x; -0 for x = -inf (the limit), where a plain product would be NaN."""
    return (
        f"{kit.V} given = x;\n"
        f"x = {kit('minus')}(y);\n"
        f"if ({is_below(kit, 'x', -RANGES[kit.dtype].plain)}) return {kit('gated_wide')}(given, y);\n"
        f"{plain(kit, is_fine=True)}"
        f"return {kit('select_lt')}(given, {constant(kit, 0)}, given * z, given) / (z + {kit.literal(1)});"
    )


def gated_wide(kit: Kit) -> str:
    """x is in the product before it is lowered, so that it is rounded once where it is denormal."""
    own = RANGES[kit.dtype]
    return (
        f"{kit.V} factor = {kit('at_least')}(x, {constant(kit, own.low * 2)}), given = x;\n"
        f"x = {kit('at_least')}({kit('minus')}(y), {constant(kit, own.low)});\n"
        f"{kit.S} deep = ({kit.S})(x < {constant(kit, -own.plain)});\n"
        f"{lifted(kit, 'deep', is_fine=True)}"
        f"{kit.V} whole = {kit('cleared')}(deep, z) + {kit.literal(1)};\n"
        f"{kit.V} found = {kit('select_lt')}(given, {constant(kit, 0)}, factor * z, given) / whole;\n"
        f"return {kit('settle')}(found, deep & ({kit.S})(given < {constant(kit, 0)}));"
    )


def silu(kit: Kit) -> str:
    return f"return {kit('gated')}(x, x);"


def gelu_tanh(kit: Kit) -> str:
    """x (1 + tanh y) / 2 = x sigmoid(2 y), y = sqrt(2 / pi) (x + 0.044715 x**3)."""
    linear, cubic = 2 * _SQRT_2_OVER_PI, 2 * _SQRT_2_OVER_PI * _CUBIC
    return f"return {kit('gated')}(x, x * ({kit('square')}(x) * {kit.literal(cubic)} + {kit.literal(linear)}));"


def _sigmoid(x: np.ndarray) -> np.ndarray:
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + small), small / (1 + small))


def _silu(x: np.ndarray) -> np.ndarray:
    return np.where(np.isneginf(x), 0.0, x * _sigmoid(x))


def _gelu_tanh(x: np.ndarray) -> np.ndarray:
    """x (1 + tanh y) / 2, as x sigmoid(2 y): the sum of 1 and a tanh near -1 would lose the tail."""
    return np.where(np.isneginf(x), 0.0, x * _sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


TANH = Function(
    "tanh",
    ("x",),
    np.tanh,
    slots((58, 21), avx2=(36, 19), avx512=(42, 21)),
    "tanh({})",
    tanh,
    floats_only=True,
    samples=(0.6, -0.6, 10.0, -10.0, 20.0),
)
SIGMOID = Function(
    "sigmoid",
    ("x",),
    _sigmoid,
    slots((55, 15), avx2=(35, 13), avx512=(33, 16.5)),
    "1 / (1 + exp(-({})))",
    sigmoid,
    floats_only=True,
    helpers={"sigmoid_wide": Helper("{V}", "{V} x", sigmoid_wide)},
    samples=(-104.0, -87.4, -43.0, 43.0, -350.0, 350.0, -746.0, -708.5),
)
GELU_TANH = Function(
    "gelu_tanh",
    ("x",),
    _gelu_tanh,
    slots((62, 21), avx2=(33, 13), avx512=(35, 17.5)),
    "0.5f * ({0}) * (1 + tanh(0.79788456f * (({0}) + 0.044715f * ({0}) * ({0}) * ({0}))))",
    gelu_tanh,
    floats_only=True,
    cancels=True,
)
SILU = Function(
    "silu",
    ("x",),
    _silu,
    slots((58, 18), avx2=(30, 10), avx512=(31, 15.5)),
    "({0}) / (1 + exp(-({0})))",
    silu,
    floats_only=True,
    helpers={
        "gated": Helper("{V}", "{V} x, {V} y", gated),
        "gated_wide": Helper("{V}", "{V} x, {V} y", gated_wide),
    },
    samples=(-107.0, -104.0, -87.4, -83.0, 83.0, -746.0, -708.5),
)
FUNCTIONS = (TANH, SIGMOID, GELU_TANH, SILU)
