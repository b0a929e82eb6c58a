"""The elementwise calls: functions of one tensor, of two, and a choice between two. A call over others is one map with
them, where nothing between them is rounded."""

from __future__ import annotations

from functools import cache

from ...support.errors import SpecError
from ..calls.spec import Spec
from ..functions import Function
from ..types.expr import Arg, Call
from . import operations as op
from .arguments import require_type
from .language import DTypeLike, Form, LayoutLike, TensorLike, TensorOrNumber, call, forms_of
from .maps import BROADCAST, NUMBERS, of_one, of_two

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


@call
def gelu(
    x: TensorLike, approximate: str = "none", dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """x * Phi(x), element by element, with Phi the normal distribution; exactly, or by tanh.

    Args:
        x: floats, of any shape.
        approximate: "none", or "tanh" for x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.gelu(gt.tensor((8, 4)), approximate="tanh"))
        gelu(f32[8,4], approximate=tanh) -> f32[8,4]
    """
    if approximate not in ("none", "tanh"):
        raise SpecError(f"gelu expects approximate to be none or tanh, found {approximate}")
    name, attributes = ("gelu_tanh", ", approximate=tanh") if approximate == "tanh" else ("gelu", "")
    return op._map(name, Call(name, (Arg(0),)), (x,), op.ResultType(dtype, layout), verb="gelu", attributes=attributes)


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
        x: what is taken where p holds; or one number of Python.
        y: what is taken elsewhere; or one number of Python.
        dtype: of the result; the wider of those of x and y where left out, f32 where both are numbers.

    Example:
        >>> print(gt.where(gt.tensor((8, 4), "pred"), gt.tensor((8, 4)), gt.tensor((4,))))
        where(pred[8,4], f32[8,4], f32[4]) -> f32[8,4]
    """
    condition = require_type("where", p)
    if condition.dtype != "pred":
        raise SpecError(
            f"where expects pred as its first operand, found {condition}; cast it first: cast({condition}) ->"
            f" pred{list(condition.shape)}"
        )
    return op._map("where", Call("where", (Arg(0), Arg(1), Arg(2))), (p, x, y), op.ResultType(dtype, layout))


@cache
def declared(function: Function) -> Form:
    """The call of a declared function for which none is written here."""

    @call
    def constructor(*operands: TensorLike, dtype: DTypeLike | None = None, layout: LayoutLike | None = None) -> Spec:
        count = len(function.arguments)
        if len(operands) != count:
            raise SpecError(f"{function.name} expects operands {', '.join(function.arguments)}, found {len(operands)}")
        body = Call(function.name, tuple(map(Arg, range(count))))
        return op._map(function.name, body, operands, op.ResultType(dtype, layout))

    constructor.__name__ = constructor.__qualname__ = function.name
    return Form(constructor, len(function.arguments))


FORMS = forms_of(
    neg,
    abs,
    round,
    exp,
    log,
    sqrt,
    rsqrt,
    tanh,
    erf,
    sigmoid,
    relu,
    gelu,
    silu,
    add,
    sub,
    mul,
    div,
    maximum,
    minimum,
    where,
)
