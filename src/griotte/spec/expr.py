"""The scalar body of an operation: a small expression tree over the operation's inputs.

    Expr := Arg(i) | Const(value) | Call(function, Expr...)

`FUNCTIONS` is the closed set of functions: a name, how many arguments, and what it means in NumPy on arrays of the
compute dtype. The C twin of each lives in `codegen.vector`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np


@dataclass(frozen=True)
class Arg:
    index: int

    def __str__(self) -> str:
        return f"x{self.index}"


@dataclass(frozen=True)
class Const:
    value: float

    def __str__(self) -> str:
        return f"{self.value:g}"


@dataclass(frozen=True)
class Call:
    function: str
    args: tuple["Expr", ...]

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(str, self.args))})"


Expr = Arg | Const | Call

_erf = np.vectorize(math.erf, otypes=[np.float64])
_erfc = np.vectorize(math.erfc, otypes=[np.float64])


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


def _sigmoid(x: np.ndarray) -> np.ndarray:
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + small), small / (1 + small))


def _gelu(x: np.ndarray) -> np.ndarray:
    return np.where(np.isneginf(x), 0.0, 0.5 * x * _erfc(-x / math.sqrt(2)))


def _gelu_tanh(x: np.ndarray) -> np.ndarray:
    return np.where(np.isneginf(x), 0.0, 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))))


def _silu(x: np.ndarray) -> np.ndarray:
    return np.where(np.isneginf(x), 0.0, x * _sigmoid(x))


@dataclass(frozen=True)
class Function:
    """A scalar function: its arity and its meaning on NumPy arrays; `floats_only` bars integer inputs."""

    arity: int
    meaning: object
    floats_only: bool = False


FUNCTIONS: dict[str, Function] = {
    "copy": Function(1, lambda x: x),
    "neg": Function(1, np.negative),
    "abs": Function(1, np.abs),
    "relu": Function(1, lambda x: np.maximum(x, 0)),
    "exp": Function(1, np.exp, True),
    "log": Function(1, np.log, True),
    "sqrt": Function(1, np.sqrt, True),
    "rsqrt": Function(1, lambda x: 1 / np.sqrt(x), True),
    "tanh": Function(1, np.tanh, True),
    "sigmoid": Function(1, _sigmoid, True),
    "gelu": Function(1, _gelu, True),
    "gelu_tanh": Function(1, _gelu_tanh, True),
    "silu": Function(1, _silu, True),
    "add": Function(2, np.add),
    "sub": Function(2, np.subtract),
    "mul": Function(2, np.multiply),
    "div": Function(2, _divide),
    "maximum": Function(2, np.maximum),
    "minimum": Function(2, np.minimum),
    "where": Function(3, lambda p, x, y: np.where(p != 0, x, y)),
}


@dataclass(frozen=True)
class Combine:
    """How reduction steps join: the binary function, and its identity per NumPy dtype."""

    function: str
    reduce: object

    def identity(self, dtype: np.dtype):
        if self.function == "add":
            return dtype.type(0)
        info = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
        low, high = (-np.inf, np.inf) if dtype.kind == "f" else (info.min, info.max)
        return dtype.type(low if self.function == "maximum" else high)


COMBINES = {
    "add": Combine("add", np.add.reduce),
    "maximum": Combine("maximum", np.maximum.reduce),
    "minimum": Combine("minimum", np.minimum.reduce),
}


def evaluate(expr: Expr, args, dtype: np.dtype):
    """The value of `expr` over NumPy arrays `args`, constants taken in `dtype`."""
    match expr:
        case Arg(index):
            return args[index]
        case Const(value):
            return np.asarray(value).astype(dtype)
        case Call(function, inner):
            with np.errstate(all="ignore"):
                return FUNCTIONS[function].meaning(*(evaluate(x, args, dtype) for x in inner))


@lru_cache(maxsize=None)
def calls(expr: Expr) -> tuple[str, ...]:
    """Every function called in `expr`, innermost first, with repeats: what the cost of a map counts."""
    if not isinstance(expr, Call):
        return ()
    return tuple(name for x in expr.args for name in calls(x)) + (expr.function,)


@lru_cache(maxsize=None)
def value_args(expr: Expr) -> frozenset[int]:
    """The inputs that `expr` computes with: all but those it only tests, as the first argument of `where`."""
    match expr:
        case Arg(index):
            return frozenset((index,))
        case Call(function, inner):
            return frozenset().union(*map(value_args, inner[function == "where" :]))
    return frozenset()


def substitute(expr: Expr, args: tuple[Expr, ...]) -> Expr:
    """`expr` with Arg(i) replaced by args[i]: composition of elementwise bodies."""
    match expr:
        case Arg(index):
            return args[index]
        case Call(function, inner):
            return Call(function, tuple(substitute(x, args) for x in inner))
    return expr
