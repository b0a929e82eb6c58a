"""Functions of two and three arguments: arithmetic, bounds, tests, the choice of two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .function import Function, Slots, slots
from .kit import Kit, is_float

X_Y = ("x", "y")


def _integer_divide(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Truncating division; x / 0 is all ones, the smallest value / -1 is itself (XLA's rules)."""
    safe = np.where(y == 0, 1, y)
    quotient = np.where(safe == -1, np.negative(x), 0) if x.dtype.kind == "i" else np.zeros_like(x)
    other = np.where((safe == -1) & (x.dtype.kind == "i"), 1, safe)
    exact = (x - np.fmod(x, other)) // other
    quotient = np.where(other != safe, quotient, exact)
    return np.where(y == 0, np.array(-1).astype(x.dtype), quotient).astype(x.dtype)


def _divide(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return x / y if np.result_type(x, y).kind == "f" else _integer_divide(x, y)


def divide(kit: Kit) -> str:
    """Floats: IEEE. Integers: toward zero, x / 0 is all ones, the lowest value / -1 wraps to itself."""
    if is_float(kit.dtype):
        return "return x / y;"
    zero = f"{kit.S} zero = ({kit.S})(y == 0);"
    if kit.dtype[0] == "u":
        return f"{zero}\nreturn (x / (y | (({kit.V})zero & 1))) | ({kit.V})zero;"
    return (
        f"{zero}\n{kit.S} minus = ({kit.S})(y == -1);\n{kit.V} safe = (y & ~(zero | minus)) | ((zero | minus) & 1);\n"
        "return ((x / safe) & ~(zero | minus)) | (minus & -x) | zero;"
    )


def _remainder(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.fmod(x, y) if np.result_type(x, y).kind == "f" else x - _integer_divide(x, y) * y


def remainder(kit: Kit) -> str:
    """Floats: exact, by the C library, for a quotient may be of any size. Integers: x / 0 leaves no rest but x - -y."""
    if not is_float(kit.dtype):
        return f"return x - {kit('div')}(x, y) * y;"
    called = "__builtin_fmodf" if kit.dtype == "f32" else "__builtin_fmod"
    return f"return ({kit.V}){{{', '.join(f'{called}(x[{i}], y[{i}])' for i in range(kit.lanes))}}};"


def _extreme(symbol: str) -> Callable[[Kit], str]:
    def body(kit: Kit) -> str:
        if not is_float(kit.dtype):
            return f"return {kit('blend')}(({kit.S})(x {symbol} y), x, y);"
        bound = "at_least" if symbol == ">" else "at_most"
        return f"return {kit('if_nan')}(y, y, {kit(bound)}(x, y));"  # a NaN in x comes through the bound

    return body


def _test(holds: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, y: holds(x, y).astype(np.result_type(x, y))


ADD = Function("add", X_Y, np.add, slots(1), "({} + {})", infix="+", commutes=True, ulps=0.5)
SUB = Function("sub", X_Y, np.subtract, slots(1), "({} - {})", infix="-", ulps=0.5)
MUL = Function(
    "mul",
    X_Y,
    np.multiply,
    slots(1, avx2=(1, 1), avx512=1),
    "({} * {})",
    infix="*",
    commutes=True,
    slots_of={
        "s32": {"avx2": Slots(3, 3), "avx512": Slots(2, 2)},
        "u32": {"avx2": Slots(3, 3), "avx512": Slots(2, 2)},
        "s64": {"avx2": Slots(8, 3), "avx512": Slots(3, 3)},
        "u64": {"avx2": Slots(8, 3), "avx512": Slots(3, 3)},
    },
    ulps=0.5,
)
WEIGH = Function(
    "weigh",
    X_Y,
    lambda x, y: np.where(x == 0, np.zeros_like(x), x * y),
    slots(4, avx2=(4, 2), avx512=(3, 2)),
    "({0} == 0 ? 0 : {0} * {1})",
    lambda kit: f"return {kit('select_eq')}(x, ({kit.V}){{0}}, ({kit.V}){{0}}, x * y);",
    ulps=0.5,
)  # the product of a weight and a value, of which a weight of 0 takes nothing: NaN and infinities neither
DIV = Function("div", X_Y, _divide, slots(8), "({} / {})", divide)
FMOD = Function("fmod", X_Y, _remainder, slots(300, avx2=200, avx512=400), "fmod({}, {})", remainder, ulps=0.0)
MAXIMUM = Function(
    "maximum",
    X_Y,
    np.maximum,
    slots((8, 2), avx2=(3, 3), avx512=2),
    "({0} < {1} ? {1} : {0})",
    _extreme(">"),
    commutes=True,
    ulps=0.0,
)
MINIMUM = Function(
    "minimum",
    X_Y,
    np.minimum,
    slots((8, 2), avx2=(3, 3), avx512=2),
    "({1} < {0} ? {1} : {0})",
    _extreme("<"),
    commutes=True,
    ulps=0.0,
)
LT = Function("lt", X_Y, _test(np.less), slots(1), "({} < {})", test="<", ulps=0.0)
LE = Function("le", X_Y, _test(np.less_equal), slots(1), "({} <= {})", test="<=", ulps=0.0)
EQ = Function("eq", X_Y, _test(np.equal), slots(1), "({} == {})", test="==", commutes=True, ulps=0.0)
WHERE = Function("where", ("p", "x", "y"), lambda p, x, y: np.where(p != 0, x, y), slots(2), "({} ? {} : {})", ulps=0.0)
FUNCTIONS = (ADD, SUB, MUL, DIV, MAXIMUM, MINIMUM, LT, LE, EQ, WHERE, WEIGH, FMOD)
