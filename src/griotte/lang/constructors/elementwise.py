"""The elementwise calls: functions of one tensor and of two, comparisons, and a choice between two. Each is one
declaration, which its help is made from. A call over others is one map with them, where nothing between them is
rounded.

exp = of_one("exp", "e to the power of each element.")
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Protocol, TypeVar

from ...support.errors import SpecError
from ..calls.spec import Spec
from ..functions import Function
from ..types.dtypes import dtype_or
from ..types.expr import Arg, Expr, apply
from .language import DTypeLike, Form, LayoutLike, TensorLike, TensorOrNumber, attributes_text, call, require_type
from .nesting import ResultType, mapped

X, Y = Arg(0), Arg(1)
Check = Callable[[str, TensorOrNumber], object]
"""Raises where an operand of a call, by its name, is none that it takes."""

HELP_OF_ONE = """{does}

Args:
    x: {of}.

Examples:
    >>> print(gt.{name}(gt.tensor((8, 4){given})))
    {name}({dtype}[8,4]) -> {dtype}[8,4]
"""
HELP_OF_TWO = """{does}

Args:
    x: {of}{number}.
    y: {others}, of a shape that broadcasts with that of x{number}.
    dtype: of the result; {usual} where left out.

Examples:
    >>> print(gt.{name}(gt.tensor((8, 4){given}), gt.tensor((4,){given})))
    {name}({dtype}[8,4], {dtype}[4]) -> {result}[8,4]
"""
FLOATS = {"of": "floats, of any shape", "given": "", "dtype": "f32", "others": "floats"}
NUMBERS = FLOATS | {"of": "numbers, of any shape", "others": "numbers"}
INTEGERS = {"of": "integers, of any shape", "given": ', "s32"', "dtype": "s32", "others": "integers"}
CONDITIONS = {"of": "conditions, of dtype pred", "given": ', "pred"', "dtype": "pred", "others": "conditions"}
BROADCAST = "the operands broadcast as in NumPy"


class MapOfOne(Protocol):
    """A call of a tensor."""

    __name__: str

    def __call__(self, x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec: ...


class MapOfTwo(Protocol):
    """A call of two tensors, or of one and a number."""

    __name__: str

    def __call__(
        self, x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
    ) -> Spec: ...


class Logic(Protocol):
    """A call of two tensors of conditions."""

    __name__: str

    def __call__(
        self, x: TensorLike, y: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
    ) -> Spec: ...


Made = TypeVar("Made", bound=Callable[..., Spec])


def named(make: Made, name: str, text: str) -> Made:
    """A constructor by its public name, with its help."""
    make.__name__ = make.__qualname__ = name
    make.__module__, make.__doc__ = __name__.partition(".")[0], text
    return make


def of_one(
    name: str, does: str, body: Expr | None = None, of: dict[str, str] = FLOATS, check: Check | None = None
) -> MapOfOne:
    """A map of one operand: of the function of its name, or another body."""
    body = apply(name, X) if body is None else body

    def make(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
        if check is not None:
            check(name, x)
        return mapped(name, body, (x,), ResultType(dtype, layout))

    return call(named(make, name, HELP_OF_ONE.format(name=name, does=does, **of)))


def of_two(
    name: str, does: str, body: Expr | None = None, usual: str | None = None, of: dict[str, str] = NUMBERS
) -> MapOfTwo:
    """A map of two operands; each may be a number: of the function of its name, or another body. `usual`:
    the dtype of its result, the wider of the operands' where left out."""
    body = apply(name, X, Y) if body is None else body

    def make(
        x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
    ) -> Spec:
        return mapped(name, body, (x, y), ResultType(dtype if usual is None else dtype_or(dtype, usual), layout))

    text = {"does": does, "number": "; or one of Python", "usual": usual or "the wider of the operands'"}
    return call(named(make, name, HELP_OF_TWO.format(name=name, result=usual or of["dtype"], **text, **of)))


def of_conditions(name: str, does: str, body: Expr) -> Logic:
    """Logic of two tensors."""

    def make(x: TensorLike, y: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
        _require_pred(name, x)
        _require_pred(name, y)
        return mapped(name, body, (x, y), ResultType(dtype, layout))

    text = {"does": does, "number": "", "usual": "pred", "result": "pred"}
    return call(named(make, name, HELP_OF_TWO.format(name=name, **text, **CONDITIONS)))


def _require_pred(name: str, x: TensorOrNumber) -> None:
    if (found := require_type(name, x)).dtype != "pred":
        raise SpecError(f"{name} expects pred, found {found}; compare it first: not_equal({found}, 0)")


neg = of_one("neg", "-x, element by element.", of=NUMBERS)
abs = of_one("abs", "The absolute value of each element.", of=NUMBERS)
round = of_one("round", "The nearest whole number, of two equally near the even one.")
exp = of_one("exp", "e to the power of each element.")
log = of_one("log", "The natural logarithm of each element; NaN below 0, -inf at 0.")
sqrt = of_one("sqrt", "The square root of each element; NaN below 0.")
rsqrt = of_one("rsqrt", "1 / sqrt(x), element by element.")
tanh = of_one("tanh", "The hyperbolic tangent of each element.")
erf = of_one("erf", "The error function of each element.")
sigmoid = of_one("sigmoid", "1 / (1 + exp(-x)), element by element.")
relu = of_one("relu", "max(x, 0), element by element.", of=NUMBERS)
silu = of_one("silu", "x * sigmoid(x), element by element.")

add = of_two("add", f"x + y, element by element; {BROADCAST}.")
sub = of_two("sub", f"x - y, element by element; {BROADCAST}.")
mul = of_two("mul", f"x * y, element by element; {BROADCAST}.")
div = of_two(
    "div",
    "x / y, element by element; of integers the quotient is cut off towards 0. The operands broadcast as in NumPy.",
)
maximum = of_two("maximum", f"The larger of two elements, NaN where one is NaN; {BROADCAST}.")
minimum = of_two("minimum", f"The smaller of two elements, NaN where one is NaN; {BROADCAST}.")

_SAME = apply("eq", X, Y)
_EACH = f"element by element; {BROADCAST}."
_EQUAL, _ORDER = f"{_EACH} NaN is equal to nothing.", f"{_EACH} Of NaN nothing holds."

equal = of_two("equal", f"Where x == y, {_EQUAL}", _SAME, "pred")
not_equal = of_two("not_equal", f"Where x != y, {_EQUAL}", 1 - _SAME, "pred")
less = of_two("less", f"Where x < y, {_ORDER}", X < Y, "pred")
less_equal = of_two("less_equal", f"Where x <= y, {_ORDER}", X <= Y, "pred")
greater = of_two("greater", f"Where x > y, {_ORDER}", X > Y, "pred")
greater_equal = of_two("greater_equal", f"Where x >= y, {_ORDER}", X >= Y, "pred")

logical_and = of_conditions("logical_and", f"Where both x and y hold, {_EACH}", apply("minimum", X, Y))
logical_or = of_conditions("logical_or", f"Where x or y holds, or both, {_EACH}", apply("maximum", X, Y))
logical_xor = of_conditions("logical_xor", f"Where one of x and y holds, {_EACH}", 1 - _SAME)
logical_not = of_one(
    "logical_not", "Where x does not hold, element by element.", apply("eq", X, 0), CONDITIONS, _require_pred
)


@call
def gelu(
    x: TensorLike, approximate: str = "none", dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """x * Phi(x), element by element, with Phi the normal distribution; exactly, or by tanh.

    Args:
        x: floats, of any shape.
        approximate: "none", or "tanh" for x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).

    Examples:
        >>> print(gt.gelu(gt.tensor((8, 4)), approximate="tanh"))
        gelu(f32[8,4], approximate=tanh) -> f32[8,4]
    """
    if approximate not in ("none", "tanh"):
        raise SpecError(f"gelu expects approximate to be none or tanh, found {approximate}")
    name, text = ("gelu_tanh", attributes_text(approximate="tanh")) if approximate == "tanh" else ("gelu", "")
    return mapped("gelu", apply(name, X), (x,), ResultType(dtype, layout), operation=name, text=text)


@call
def where(
    p: TensorLike,
    x: TensorOrNumber,
    y: TensorOrNumber,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """x where p holds, else y, element by element; the three broadcast as in NumPy.

    Args:
        p: conditions, of dtype pred.
        x: the values where p holds; or one number of Python.
        y: the values elsewhere; or one number of Python.
        dtype: of the result; the wider of those of x and y where left out, f32 where both are numbers.

    Examples:
        >>> print(gt.where(gt.tensor((8, 4), "pred"), gt.tensor((8, 4)), gt.tensor((4,))))
        where(pred[8,4], f32[8,4], f32[4]) -> f32[8,4]
    """
    condition = require_type("where", p)
    if condition.dtype != "pred":
        raise SpecError(
            f"where expects pred as its first operand, found {condition}; cast it first: cast({condition}) ->"
            f" pred{list(condition.shape)}"
        )
    return mapped("where", apply("where", *map(Arg, range(3))), (p, x, y), ResultType(dtype, layout))


@cache
def declared(function: Function) -> Form:
    """The call of a declared function for which none is written here."""
    count = len(function.arguments)

    def make(*operands: TensorLike, dtype: DTypeLike | None = None, layout: LayoutLike | None = None) -> Spec:
        if len(operands) != count:
            raise SpecError(f"{function.name} expects operands {', '.join(function.arguments)}, found {len(operands)}")
        return mapped(function.name, apply(function.name, *map(Arg, range(count))), operands, ResultType(dtype, layout))

    return Form(call(named(make, function.name, "")), count)
