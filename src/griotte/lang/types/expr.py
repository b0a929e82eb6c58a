"""The scalar body of an operation: a small expression tree over the operation's inputs.

    Expr := Arg(i) | Const(value) | Call(function, Expr...) | As(from, to, Expr) | OfSize(Expr)

Bodies are written as arithmetic: `apply("where", x < 0, alpha * x, x)`. What functions there are, and what each means,
is declared in `griotte.lang.functions`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ..functions import FUNCTIONS
from .dtypes import ExactFloat, convert, dtype, from_numpy
from .fields import Fields


class Scalar:
    """Expressions as arithmetic, in which numbers are constants; a comparison is 1 where it holds, else 0."""

    def __add__(self, y: Expr | float) -> Call:
        return apply("add", self, y)

    def __radd__(self, x: float) -> Call:
        return apply("add", x, self)

    def __sub__(self, y: Expr | float) -> Call:
        return apply("sub", self, y)

    def __rsub__(self, x: float) -> Call:
        return apply("sub", x, self)

    def __mul__(self, y: Expr | float) -> Call:
        return apply("mul", self, y)

    def __rmul__(self, x: float) -> Call:
        return apply("mul", x, self)

    def __truediv__(self, y: Expr | float) -> Call:
        return apply("div", self, y)

    def __rtruediv__(self, x: float) -> Call:
        return apply("div", x, self)

    def __neg__(self) -> Call:
        return apply("neg", self)

    def __lt__(self, y: Expr | float) -> Call:
        return apply("lt", self, y)

    def __gt__(self, y: Expr | float) -> Call:
        return apply("lt", y, self)

    def __le__(self, y: Expr | float) -> Call:
        return apply("le", self, y)

    def __ge__(self, y: Expr | float) -> Call:
        return apply("le", y, self)


def apply(function: str, *args: Any) -> Call:
    """A function of expressions and numbers."""
    return Call(function, tuple(Const(x) if isinstance(x, (int, float)) else x for x in args))


@dataclass(frozen=True)
class Arg(Scalar):
    index: int

    def __str__(self) -> str:
        return f"x{self.index}"


@dataclass(frozen=True, eq=False)
class Const(Scalar):
    """A number; it loses no digit: a float, or an int that no float is. -0.0 is not 0, and NaN is itself."""

    value: float

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and self._told == other._told

    def __hash__(self) -> int:
        return hash(self._told)

    @property
    def _told(self) -> float:
        return self.value if self.value and self.value == self.value else ExactFloat(self.value)

    def __str__(self) -> str:
        return f"{self.value:g}" if float(f"{self.value:g}") == self.value else str(self.value)


@dataclass(frozen=True)
class Call(Scalar, Fields):
    """A function of arguments. Those of one that commutes are in order, whichever way they are given: kernels, tables
    and rewrites meet one form of one expression. Nothing is associated anew: that would round otherwise."""

    function: str
    args: tuple[Expr, ...]

    def __post_init__(self) -> None:
        if self.function in FUNCTIONS and FUNCTIONS[self.function].commutes:
            object.__setattr__(self, "args", tuple(sorted(self.args, key=_place)))

    __hash__ = Fields.__hash__

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(str, self.args))})"


@dataclass(frozen=True)
class As(Scalar):
    """What `inner`, computed in the dtype `source`, is in the dtype `to`, in which all around it is computed: bodies of
    nests made one."""

    source: str
    to: str
    inner: Expr

    def __str__(self) -> str:
        return f"{self.to}({self.inner})"


@dataclass(frozen=True)
class OfSize(Scalar):
    """A number that follows from the dynamic size, which is Arg(0) of `formula`, an expression by add, sub, mul and div
    in f64: where the size is fixed, a Const. The C computes it once a call."""

    formula: Expr

    def at(self, size: int) -> Const:
        return Const(float(evaluate(self.formula, [np.float64(size)], np.dtype(np.float64))))

    def __str__(self) -> str:
        return str(self.formula).replace("x0", "m")


Expr = Arg | Const | Call | As | OfSize


@cache
def _place(expr: Expr) -> tuple:
    """Where an argument stands among those whose order does not matter: computed ones first, by the inputs that they
    read in turn, then inputs, then numbers."""
    match expr:
        case Arg(index):
            return 1, (index,), ""
        case OfSize():
            return 2, (), str(expr)
        case Const(value):
            return 3, (), repr(value)
    return 0, _leaves(expr), repr(expr)


def _leaves(expr: Expr) -> tuple[int, ...]:
    match expr:
        case Arg(index):
            return (index,)
        case Call(_, inner):
            return tuple(index for x in inner for index in _leaves(x))
        case As(_, _, inner):
            return _leaves(inner)
    return ()


SIZE = Arg(0)
"""The dynamic size in the formula of an OfSize."""

IOTA = Call("iota", ())
"""The body of an operation without inputs whose elements are 0, 1, 2, .. in row-major order. No nest computes it: what
holds it is a constant array."""


def evaluate(expr: Expr, args, compute: np.dtype):
    """The value of `expr` over NumPy arrays `args`, which are converted, and constants taken, in the dtype
    `compute`."""
    match expr:
        case Arg(index):
            found = np.asarray(args[index])
            return found if found.dtype == compute else convert(found, from_numpy(compute))
        case Const(value):
            return np.asarray(value).astype(compute)
        case As(source, to, inner):
            return convert(evaluate(inner, args, dtype(source).numpy), to)
        case Call(function, inner):
            with np.errstate(all="ignore"):
                return FUNCTIONS[function].meaning(*(evaluate(x, args, compute) for x in inner))


MOST_CALLS = 64
"""Of a body made of several, what stands twice counted twice: a longer one is left in parts, which are calls of their
own."""


@cache
def length(expr: Expr | None) -> int:
    """How many calls are written in `expr`."""
    if isinstance(expr, As):
        return 1 + length(expr.inner)
    return 1 + sum(map(length, expr.args)) if isinstance(expr, Call) else 0


@cache
def uses_of(expr: Expr, index: int) -> int:
    """How often an input is written in `expr`."""
    if isinstance(expr, As):
        return uses_of(expr.inner, index)
    return sum(uses_of(x, index) for x in expr.args) if isinstance(expr, Call) else int(expr == Arg(index))


@cache
def calls(expr: Expr) -> tuple[str, ...]:
    """Every function called in `expr`, innermost first: what the cost of a map counts. A call that stands twice is
    one, which C compilers see as well as that it is asked for by name twice."""
    return tuple("as" if isinstance(x, As) else x.function for x in called(expr, ""))


@cache
def called(expr: Expr, compute: str) -> dict[As | Call, str]:
    """The calls and conversions in `expr`, itself computed in `compute`, each once, innermost first; and the dtype that
    each is computed in."""
    if not isinstance(expr, (As, Call)):
        return {}
    inner, within = ((expr.inner,), expr.source) if isinstance(expr, As) else (expr.args, compute)
    found: dict[As | Call, str] = {}
    for x in inner:
        found |= called(x, within)
    return found | {expr: compute}


@cache
def conversions(expr: Expr) -> tuple[tuple[str, str], ...]:
    """(from, to) of every conversion in `expr`, with repeats."""
    if isinstance(expr, As):
        return (*conversions(expr.inner), (expr.source, expr.to))
    return tuple(step for x in expr.args for step in conversions(x)) if isinstance(expr, Call) else ()


def only_rounds(expr: Expr, compute: str) -> bool:
    """Whether all that is converted in `expr`, computed in `compute`, are floats rounded to fewer bits and back."""
    floats = all(dtype(name).kind == "float" for step in conversions(expr) for name in step)
    return floats and computed_in(expr, compute) == compute


_CHOOSE = frozenset(("copy", "neg", "abs", "relu", "maximum", "minimum", "where", "lt", "le", "eq", "round"))


def keeps_dtype(expr: Expr, name: str) -> bool:
    """Whether `expr` over floats of dtype `name` gives such ones, though it is computed in a wider dtype: it chooses
    among them, and changes signs alone."""
    match expr:
        case Arg():
            return True
        case Const(value):
            return value != value or float(convert(np.asarray(value), name)) == value
        case Call(function, args):
            return function in _CHOOSE and all(keeps_dtype(x, name) for x in args)
    return False


def is_test(function: str) -> bool:
    """Whether a function gives 1 where it holds, else 0."""
    return function in FUNCTIONS and bool(FUNCTIONS[function].test)


PRODUCT = Call("mul", (Arg(0), Arg(1)))
WEIGHED = Call("weigh", (Arg(0), Arg(1)))
"""The product of a weight and a value, 0 where the weight is 0 whatever the value: what a mask hides counts nothing."""


SHARED = Call("share", (Arg(0), Arg(1)))
"""The product of two numbers, 0 where it would be less than the normal range."""


def as_product(expr: Expr) -> Expr:
    """The product that `expr` is where all values are finite; itself where it is none."""
    return PRODUCT if expr in (WEIGHED, SHARED) else expr


@cache
def args(expr: Expr) -> frozenset[int]:
    """The inputs that `expr` reads."""
    match expr:
        case Arg(index):
            return frozenset((index,))
        case Call(_, inner):
            return frozenset().union(*map(args, inner))
        case As(_, _, inner):
            return args(inner)
    return frozenset()


@cache
def value_args(expr: Expr) -> frozenset[int]:
    """The inputs that `expr` computes with: all but those that it only asks for, by themselves, as the first argument
    of `where`."""
    match expr:
        case Arg(index):
            return frozenset((index,))
        case Call("where", (Arg(), x, y)):
            return value_args(x) | value_args(y)
        case Call(_, inner):
            return frozenset().union(*map(value_args, inner))
        case As(_, _, inner):
            return value_args(inner)
    return frozenset()


def substitute(expr: Expr, args: tuple[Expr, ...]) -> Expr:
    """`expr` with Arg(i) replaced by args[i]: composition of elementwise bodies."""
    match expr:
        case Arg(index):
            return args[index]
        case Call(function, inner):
            return Call(function, tuple(substitute(x, args) for x in inner))
        case As(source, to, inner):
            return As(source, to, substitute(inner, args))
    return expr


def computed_in(expr: Expr | None, otherwise: str) -> str:
    """The dtype that `expr` gives: that of the conversion within, or `otherwise` where there is none."""
    match expr:
        case As(_, to, _):
            return to
        case Call(_, inner):
            return next((found for x in inner if (found := computed_in(x, ""))), otherwise)
    return otherwise


@cache
def uses(expr: Expr, compute: str) -> tuple[tuple[int, str], ...]:
    """Each input that `expr`, itself computed in `compute`, takes, and the dtype that it takes it in."""
    match expr:
        case Arg(index):
            return ((index, compute),)
        case Call(_, inner):
            return tuple(dict.fromkeys(use for x in inner for use in uses(x, compute)))
        case As(source, _, inner):
            return uses(inner, source)
    return ()
