"""Functions that are an instruction or a few: arithmetic, bounds, tests, the choice of two; signs, whole numbers and
roots; bits of integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .function import Function, Helper, Slots, slots
from .kit import FORMATS, Kit, by_halves, constant, is_float

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
        safe = f"{zero}\n{kit.V} safe = y | (({kit.V})zero & 1);\n"
        return f"{safe}{_quotient(kit)}return quotient | ({kit.V})zero;"
    return (
        f"{zero}\n{kit.S} minus = ({kit.S})(y == -1);\n{kit.V} safe = (y & ~(zero | minus)) | ((zero | minus) & 1);\n"
        f"{_quotient(kit)}return (quotient & ~(zero | minus)) | (minus & -x) | zero;"
    )


_divided = by_halves("div", X_Y, divide)


def _quotient(kit: Kit) -> str:
    """Statements for `quotient`, x / safe. No machine divides vectors of integers, but each divides f64. For integers
    of 32 bits no whole number lies between the f64 quotient and the exact one. The compiler does better by a
    constant."""
    if kit.dtype not in ("s32", "u32"):
        return f"{kit.V} quotient = x / safe;\n"
    wide = kit.with_("f64").V
    return (
        f"{kit.V} quotient;\n"
        "if (__builtin_constant_p(y[0])) quotient = x / safe;\n"
        f"else quotient = __builtin_convertvector(__builtin_convertvector(x, {wide}) /"
        f" __builtin_convertvector(safe, {wide}), {kit.V});\n"
    )


def _remainder(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.fmod(x, y) if np.result_type(x, y).kind == "f" else x - _integer_divide(x, y) * y


_LARGEST = {"f32": 2.0**28, "f64": 2.0**23}
"""How many times y x may be so that the rest is found at once: n * y is exact in f64, of f64 in two parts."""


def remainder(kit: Kit) -> str:
    """Floats: exact. n is the whole number nearest to x / y, so the rest may be below 0, by y at most. The C library
    goes on where x is many times y, infinite or no number, or y is 0. Integers: x / 0 leaves no rest but x - -y."""
    if not is_float(kit.dtype):
        return f"return x - {kit('div')}(x, y) * y;"
    wide, round_ = kit.with_("f64"), FORMATS["f64"].round
    by_rounding = f"({{0}} + {wide.literal(round_)}) - {wide.literal(round_)}"
    if kit.dtype == "f32":
        rest = (
            f"{wide.V} all = {kit.convert('f64')}(x), part = {kit.convert('f64')}(y), q = all / part;\n"
            f"{wide.V} n = {by_rounding.format('q')};\n"
            f"{kit.V} r = {wide.convert('f32')}(all - n * part);\n"
        )
        is_near = "size < span * {}"
    else:
        rest = (
            f"{kit.V} q = x / y, n = {by_rounding.format('q')};\n"
            f"{kit.V} high = ({kit.V})(({kit.U})y & ~(({kit.U}){{0}} + {2**27 - 1})), low = y - high;\n"
            f"{kit.V} r = (x - n * high) - n * low;\n"
        )
        is_near = f"(size < span * {{}}) & (size < {kit.literal(1e300)})"  # so that n * y is not infinite
    near, sign = is_near.format(kit.literal(_LARGEST[kit.dtype])), FORMATS[kit.dtype].sign
    return (
        f"{kit.V} size = {kit('abs')}(x), span = {kit('abs')}(y);\n"
        f"if (__builtin_expect({kit('any_negative')}(~(({kit.S})({near}))), 0)) return {kit('fmod_far')}(x, y);\n"
        f"{rest}"
        f"{kit.S} beyond = (({kit.S})(r < 0) & ({kit.S})(x > 0)) | (({kit.S})(r > 0) & ({kit.S})(x < 0));\n"
        f"{kit.U} of_x = ({kit.U})x & {sign};\n"
        f"r = {kit('blend')}(beyond, r + ({kit.V})(({kit.U})span | of_x), r);\n"
        f"r = ({kit.V})((({kit.U})r & ~({kit.U})(({kit.U}){{0}} + {sign})) | of_x);\n"
        f"return {kit('blend')}(({kit.S})(size < span), x, r);"
    )


def _far_remainder(kit: Kit) -> str:
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
DIV = Function(
    "div",
    X_Y,
    _divide,
    slots(8),
    "({} / {})",
    lambda kit: _divided(kit) if kit.dtype != "f32" else divide(kit),
    by_number={"avx512": Slots(3)},  # two products and a test: `divisors`
    is_held=True,
)
FMOD = Function(
    "fmod",
    X_Y,
    _remainder,
    slots(150, avx2=112, avx512=80),
    "fmod({}, {})",
    by_halves("fmod", X_Y, remainder),
    ulps=0.0,
    helpers={"fmod_far": Helper("{V}", "{V} x, {V} y", _far_remainder, is_rare=True)},
    samples=(0.5, 3.0, -3.0, 2.0**23, 2.0**28, 2.0**29, 1e20, 1e-20, 7e37, 1.5 * 2.0**27),
)
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


def abs_(kit: Kit) -> str:
    if is_float(kit.dtype):
        return f"return ({kit.V})(({kit.U})x & ~{FORMATS[kit.dtype].sign});"
    if kit.dtype[0] == "u":
        return "return x;"
    return f"{kit.V} sign = x >> {8 * kit.bytes // kit.lanes - 1};\nreturn (x ^ sign) - sign;"


def relu(kit: Kit) -> str:
    if kit.dtype[0] == "u":
        return "return x;"
    return f"return {kit('at_least' if is_float(kit.dtype) else 'maximum')}(x, ({kit.V}){{0}});"


def round_(kit: Kit) -> str:
    """To the nearest whole number, half to even: in a sum with 2**fraction_bits, the bits of the fraction of a smaller
    number have no place left."""
    form = FORMATS[kit.dtype]
    far = constant(kit, 2.0**form.fraction_bits)
    return (
        f"const {kit.V} far = {far}, size = {kit('abs')}(x);\n"
        f"const {kit.V} near = {kit('select_lt')}(size, far, (size + far) - far, size);\n"
        f"return ({kit.V})(({kit.U})near | (({kit.U})x & {form.sign}));"
    )


def sqrt(kit: Kit) -> str:
    function = "__builtin_sqrtf" if kit.dtype == "f32" else "__builtin_sqrt"
    return f"return ({kit.V}){{{', '.join(f'{function}(x[{i}])' for i in range(kit.lanes))}}};"


def rsqrt(kit: Kit) -> str:
    return f"return {kit.literal(1)} / {kit('sqrt')}(x);"


COPY = Function("copy", ("x",), lambda x: x, slots(0), "{}", ulps=0.0)
AS = Function("as", ("x",), lambda x: x, slots(1), "{}")  # a conversion within a body: expr.As
NEG = Function("neg", ("x",), np.negative, slots(1), "-({})", lambda kit: "return -x;", ulps=0.0)
ABS = Function("abs", ("x",), np.abs, slots(1), "({0} < 0 ? -({0}) : ({0}))", abs_, ulps=0.0)
RELU = Function(
    "relu",
    ("x",),
    lambda x: np.maximum(x, 0),
    slots(2, avx2=(1, 1), avx512=1),
    "({0} < 0 ? 0 : ({0}))",
    relu,
    ulps=0.0,
)
ROUND = Function(
    "round",
    ("x",),
    np.rint,
    slots(9, avx2=1, avx512=1),
    "rint({})",
    round_,
    floats_only=True,
    ulps=0.0,
    samples=(0.5, -0.5, 1.5, 2.5, 8388607.5, -4194304.5, 4503599627370495.5),
)
SQRT = Function(
    "sqrt",
    ("x",),
    np.sqrt,
    slots(10, avx2=18, avx512=18),
    "sqrt({})",
    sqrt,
    floats_only=True,
    ulps=0.5,
    samples=(1.0, 4.0, 2.0),
)
RSQRT = Function(
    "rsqrt",
    ("x",),
    lambda x: 1 / np.sqrt(x),
    slots(18, avx2=26, avx512=(14, 7)),
    "1 / sqrt({})",
    rsqrt,
    floats_only=True,
    is_held=True,
    samples=(1.0, 4.0, 0.25),
)
SIMPLE = (COPY, AS, NEG, ABS, RELU, SQRT, RSQRT, ROUND)


def _of_bits(name: str, meaning: Callable[..., Any], symbol: str) -> Function:
    text = f"({{}} {symbol} {{}})"
    return Function(name, X_Y, meaning, slots(1), text, infix=symbol, commutes=True, integers_only=True, ulps=0.0)


AND = _of_bits("bitwise_and", np.bitwise_and, "&")
OR = _of_bits("bitwise_or", np.bitwise_or, "|")
XOR = _of_bits("bitwise_xor", np.bitwise_xor, "^")
BITWISE = (AND, OR, XOR)
