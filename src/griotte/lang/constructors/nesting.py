"""What constructors of several nests share: a nest of operands that may be calls themselves, operands that stay one
input, and the call as it was written."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import reduce

from ..calls.compose import renamed
from ..calls.spec import Spec, part
from ..calls.written import Written
from ..nests.border import Border
from ..nests.operation import Operation
from ..types.dtypes import compute_dtype, promote
from ..types.expr import Expr
from ..types.tensor import FRESH, TensorType, layout_of
from . import operations as op
from .arguments import require_float
from .language import DTypeLike, LayoutLike, TensorLike

_FRESH = itertools.count()


def once(x: TensorLike) -> TensorLike:
    """An operand that several calls may take, and that stays one input."""
    return replace(x, name=f"{FRESH}{next(_FRESH)}") if isinstance(x, TensorType) and not x.name else x


def type_of(x: TensorLike) -> TensorType:
    return x.output if isinstance(x, Spec) else x


def said(name: str, *operands: TensorLike | int, rest: str = "", **named: TensorLike | None) -> Written:
    """A call as it is written: `name(operands, rest, named)`."""
    by_name = tuple((key, part(x)) for key, x in named.items() if x is not None)
    return Written(name, tuple(map(part, operands)), rest, by_name)


def told(spec: Spec, call: Written) -> Spec:
    """`spec`, written as the call that it is."""
    return renamed(spec, replace(call, result=spec.output))


def of(body: Expr, *args: TensorLike, dtype: DTypeLike | None = None, layout: LayoutLike | None = None) -> Spec:
    """A map with this body."""
    return op._map("map", body, args, op.ResultType(dtype, layout))


def compute_of(name: str, x: TensorLike) -> str:
    """The compute dtype of an operand of floats."""
    require_float(name, x)
    return compute_dtype(type_of(x).dtype)


def widest(*operands: TensorLike) -> str:
    """The dtype of a result that is not told: the widest of these."""
    return reduce(promote, (type_of(operand).dtype for operand in operands))


def contraction(
    name: str, inputs: tuple[str, str], output: str, sizes: dict[str, int], body: Expr = op._MUL
) -> Operation:
    """A sum of products over the dimensions that `output` lacks; dims g of size 1 are left out."""
    dims = " ".join(d for d in sizes if d != "g" or sizes[d] > 1)
    return replace(Operation.of(name, dims, inputs, output, body, "add"), keep=("m", "n", "k"))


def nest(
    operation: Operation,
    sizes: dict[str, int],
    args: tuple[TensorLike, ...],
    dtype: str,
    layout: LayoutLike | None = None,
    border: Border | None = None,
) -> Spec:
    """One nest over what `args` are or give, of which the first is read with a border."""
    if border is not None:
        first, *others = operation.inputs
        operation = replace(operation, inputs=(replace(first, border=border), *others))

    def of_types(*types: TensorType) -> Spec:
        shape = operation.output.shape(sizes)
        result = TensorType(dtype, shape, layout_of(len(shape), layout))
        return op._spec(operation, tuple(sizes[d] for d in operation.dims), types, result, operation.name)

    types = [x for x in args if isinstance(x, TensorType)]
    return of_types(*types) if len(types) == len(args) else op.over(args, of_types)
