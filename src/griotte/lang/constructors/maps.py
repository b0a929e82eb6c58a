"""Calls of one and of two operands that are maps: each one declaration, of which its help is made.

exp = of_one("exp", "e to the power of each element.")
less = compared("less", "Where x < y, element by element; the operands broadcast as in NumPy.", Call("lt", (X, Y)))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from ...support.errors import SpecError
from ..calls.spec import Spec
from ..types.dtypes import dtype_or
from ..types.expr import Arg, Call, Expr
from . import operations as op
from .arguments import require_type
from .language import DTypeLike, LayoutLike, TensorLike, TensorOrNumber, call

X, Y = Arg(0), Arg(1)
Check = Callable[[str, TensorOrNumber], object]
"""Raises where an operand of a call, by its name, is none that it takes."""

HELP_OF_ONE = """{does}

Args:
    x: {of}.
    dtype: of the result; that of x where left out.

Example:
    >>> print(gt.{name}(gt.tensor((8, 4){given})))
    {name}({dtype}[8,4]) -> {dtype}[8,4]
"""
HELP_OF_TWO = """{does}

Args:
    x: {of}{number}.
    y: {others}, of a shape that broadcasts with that of x{number}.
    dtype: of the result; {usual} where left out.

Example:
    >>> print(gt.{name}(gt.tensor((8, 4){given}), gt.tensor((4,){given})))
    {name}({dtype}[8,4], {dtype}[4]) -> {result}[8,4]
"""
FLOATS = {"of": "floats, of any shape", "given": "", "dtype": "f32", "others": "floats"}
NUMBERS = FLOATS | {"of": "numbers, of any shape", "others": "numbers"}
INTEGERS = {"of": "integers, of any shape", "given": ', "s32"', "dtype": "s32", "others": "integers"}
CONDITIONS = {"of": "conditions, of dtype pred", "given": ', "pred"', "dtype": "pred", "others": "conditions"}
BROADCAST = "the operands broadcast as in NumPy"
OR_A_NUMBER, WIDER = "; or one of Python", "the wider of the operands'"


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
    body = Call(name, (X,)) if body is None else body

    def make(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
        if check is not None:
            check(name, x)
        return op._map(name, body, (x,), op.ResultType(dtype, layout))

    return call(named(make, name, HELP_OF_ONE.format(name=name, does=does, **of)))


def of_two(
    name: str, does: str, body: Expr | None = None, usual: str | None = None, of: dict[str, str] = NUMBERS
) -> MapOfTwo:
    """A map of two operands of which either may be a number: of the function of its name, or another body. `usual`: the
    dtype of its result, the wider of the operands' where left out."""
    body = Call(name, (X, Y)) if body is None else body

    def make(
        x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
    ) -> Spec:
        return op._map(name, body, (x, y), op.ResultType(dtype if usual is None else dtype_or(dtype, usual), layout))

    text = {"does": does, "number": OR_A_NUMBER, "usual": usual or WIDER}
    return call(named(make, name, HELP_OF_TWO.format(name=name, result=usual or of["dtype"], **text, **of)))


def of_conditions(name: str, does: str, body: Expr) -> Logic:
    """Logic of two tensors."""

    def make(x: TensorLike, y: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
        require_pred(name, x)
        require_pred(name, y)
        return op._map(name, body, (x, y), op.ResultType(dtype, layout))

    text = {"does": does, "number": "", "usual": "pred", "result": "pred"}
    return call(named(make, name, HELP_OF_TWO.format(name=name, **text, **CONDITIONS)))


def require_pred(name: str, x: TensorOrNumber) -> None:
    """SpecError, of an operand that is no condition."""
    if (found := require_type(name, x)).dtype != "pred":
        raise SpecError(f"{name} expects pred, found {found}; compare it first: not_equal({found}, 0)")
