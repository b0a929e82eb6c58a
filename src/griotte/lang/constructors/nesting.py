"""What constructors make Specs with: one nest over tensor types, maps made one, calls over what others give.

Every tensor type is an input of its own at each place, but those of one name are one; a Spec that several calls take is
computed once. Nothing here computes: what a Spec means is in `reference`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce, wraps
from inspect import signature
from typing import Any

from ...support.errors import SpecError
from ..calls.compose import inputs_of, nested, of_inputs, renamed, shared
from ..calls.spec import Spec
from ..calls.value import Value
from ..functions import FUNCTIONS
from ..nests.access import Access, Border
from ..nests.operation import Operation
from ..types.dtypes import as_scalar, compute_dtype, dtype_or, exact, is_number, promote
from ..types.dtypes import dtype as dtype_row
from ..types.dynamic import marked
from ..types.expr import IOTA, MOST_CALLS, PRODUCT, Arg, Call, Const, Expr, is_test, length, substitute
from ..types.tensor import FRESH, TensorType, layout_of, row_major
from .language import (
    DTypeLike,
    Form,
    LayoutLike,
    P,
    TensorLike,
    attributes_text,
    require_broadcast,
    require_float,
    require_type,
)

Terms = tuple[tuple[str, int], ...]
_FRESH = itertools.count()


@dataclass(frozen=True)
class ResultType:
    """What a call says of its result.

    Attributes:
        dtype: the one that follows from the operands where left out.
        layout: row-major where left out.
        perm: axis j of it is axis perm[j] of the shape that the operands broadcast to.
    """

    dtype: DTypeLike | None = None
    layout: LayoutLike | None = None
    perm: tuple[int, ...] | None = None


def as_call(spec: Spec, name: str, **attributes: object) -> Spec:
    """A fresh Spec as the result of the call of this name, written with these attributes."""
    return renamed(spec, name, attributes_text(**attributes))


# ---- operands --------------------------------------------------------------------------------------------------------


def type_of(x: TensorLike) -> TensorType:
    return x.output if isinstance(x, Spec) else x


def one_input(x: TensorLike) -> TensorLike:
    """An operand that several calls may read and that stays one input."""
    return replace(x, name=f"{FRESH}{next(_FRESH)}") if isinstance(x, TensorType) and not x.name else x


def compute_of(name: str, x: TensorLike) -> str:
    """The compute dtype of an operand of floats."""
    require_float(name, x)
    return compute_dtype(type_of(x).dtype)


def widest(*operands: TensorLike) -> str:
    """The dtype of a result that has none of its own: the widest of these."""
    return reduce(promote, (type_of(operand).dtype for operand in operands))


def product_dtype(a: TensorType, b: TensorType) -> str:
    """The default dtype of a sum of products: the wider of the operands', of 8-bit integers s32."""
    wide = promote(a.dtype, b.dtype)
    return "s32" if dtype_row(wide).bits <= 8 else wide


def dims_of(shape: tuple[int, ...]) -> tuple[str, ...]:
    """A dimension for each axis."""
    return tuple(f"i{j}" for j in range(len(shape)))


def index_of(shape: tuple[int, ...], full: tuple[int, ...], dims: tuple[str, ...]) -> str:
    """Access text of an operand of `shape` that is broadcast to `full`, whose axes run over `dims`."""
    offset = len(full) - len(shape)
    return " ".join(dims[offset + j] if size == full[offset + j] else "1" for j, size in enumerate(shape))


# ---- one nest --------------------------------------------------------------------------------------------------------


def result_type(shape: tuple[int, ...], dtype: str, layout: LayoutLike | None) -> TensorType:
    return TensorType(dtype, shape, layout_of(len(shape), layout))


def of_types(
    operation: Operation, sizes: tuple[int, ...], inputs: tuple[TensorType, ...], output: TensorType, rest: str = ""
) -> Spec:
    """A Spec of one nest, its call written with this after the operands."""
    result = marked(operation, inputs, output)
    return Spec(operation, sizes, inputs, result, Value(result, rest=rest))


def nest(
    operation: Operation,
    sizes: dict[str, int],
    args: tuple[Any, ...],
    dtype: str,
    layout: LayoutLike | None = None,
    border: Border | None = None,
) -> Spec:
    """One nest over `args`, tensors or results of Specs; the first is read with a border."""
    if border is not None:
        first, *others = operation.inputs
        operation = replace(operation, inputs=(replace(first, border=border), *others))

    def make(*types: TensorType) -> Spec:
        result = result_type(operation.output.shape(sizes), dtype, layout)
        return of_types(operation, tuple(sizes[d] for d in operation.dims), types, result)

    return over(args, make) if any(isinstance(x, Spec) for x in args) else make(*args)


def contraction(
    name: str, inputs: tuple[str, str], output: str, sizes: dict[str, int], body: Expr = PRODUCT
) -> Operation:
    """A sum of products over the dimensions that `output` lacks; dims g of size 1 are left out."""
    dims = " ".join(d for d in sizes if d != "g" or sizes[d] > 1)
    return replace(Operation.of(name, dims, inputs, output, body, "add"), keep=("m", "n", "k"))


def iota(shape: tuple[int, ...], dtype: str = "s32", dynamic: int | None = None) -> Spec:
    """0, 1, 2, .. in row-major order: an operation without inputs. Of its axes the slowest may be dynamic."""
    dims, result = " ".join(dims_of(shape)), TensorType(dtype, tuple(shape), row_major(len(shape)), dynamic=dynamic)
    return Spec(Operation.of("iota", dims, (), dims, IOTA), tuple(shape), (), result)


# ---- calls over calls ------------------------------------------------------------------------------------------------


def over_types(constructor: Callable[P, Spec]) -> Callable[P, Spec]:
    """A constructor over tensor types as one that also reads the results of Specs."""
    make: Callable[..., Spec] = constructor
    operands = Form.of(constructor).operands
    names = tuple(signature(constructor).parameters)[:operands]

    @wraps(constructor)
    def composed(*args: P.args, **attributes: P.kwargs) -> Spec:
        by_name = [key for key in names[len(args) :] if key in attributes]
        given = (*args[:operands], *(attributes[key] for key in by_name))
        if len(given) < operands or not any(isinstance(x, Spec) for x in given):
            return shared_by_name(constructor(*args, **attributes), given)
        rest = {key: x for key, x in attributes.items() if key not in by_name}
        return over(given, lambda *types: make(*types, *args[operands:], **rest))

    return composed


def over(args: tuple[Any, ...], make: Callable[..., Spec]) -> Spec:
    """The call that `make` builds over tensor types, applied to `args`, where some are Specs."""

    def plain(x: Any) -> Any:
        if isinstance(x, Spec):
            return replace(x.output, constant=False, name="")
        return replace(x, name="") if isinstance(x, TensorType) else x

    return nested(make(*map(plain, args)), tuple(x for x in args if not is_number(x)))


def shared_by_name(spec: Spec, args: tuple[Any, ...]) -> Spec:
    """A Spec over tensor types, where types of one name are one input."""
    names = [x.name for x in args if isinstance(x, TensorType) and x.name]
    return shared(spec) if len(set(names)) < len(names) else spec


# ---- maps ------------------------------------------------------------------------------------------------------------


def map_of(body: Expr, *args: TensorLike, dtype: DTypeLike | None = None, layout: LayoutLike | None = None) -> Spec:
    """A map with this body."""
    return mapped("map", body, args, ResultType(dtype, layout))


def mapped(call: str, body: Expr, args: tuple, result: ResultType, *, operation: str = "", text: str = "") -> Spec:
    """The elementwise Spec of `body` over `args`, which broadcast. A number among them is one of the dtype that the
    others have. `operation`: the name of the nest where that is not the call's; `text`: what the call is written with
    after its operands."""
    try:
        return _merged_map(call, operation or call, body, args, result, text)
    except _Apart:
        return over(args, lambda *types: _merged_map(call, operation or call, body, types, result, text))


class _Apart(Exception):
    """Calls that cannot be one map: the inner one is no map, its result is rounded, or the whole would be too long."""


def _merged_map(call: str, operation: str, body: Expr, args: tuple, result: ResultType, text: str) -> Spec:
    """All calls as one map."""
    first = int(call == "where")  # of a choice the condition has no part in the dtype
    given = [require_type(call, x).dtype for x in args[first:] if not is_number(x)]
    of_numbers = promote(*given) if given else dtype_or(result.dtype, "f32")
    if all(map(is_number, args)):
        raise SpecError(f"{call} expects a tensor among its operands, found numbers alone")
    types = [TensorType(of_numbers, (), ()) if is_number(x) else require_type(call, x) for x in args]
    numbers = [Const(exact(as_scalar(x, of_numbers, f"an operand of {call}"))) if is_number(x) else None for x in args]
    _require_kinds(body, types)
    shape = require_broadcast(call, types, [t.shape for t in types])
    dims = dims_of(shape)
    inputs: tuple[TensorType, ...] = ()
    accesses: tuple[Access, ...] = ()
    bodies: tuple[Expr, ...] = ()
    for x, type, number in zip(args, types, numbers):
        index = Access.of(index_of(type.shape, shape, dims)).axes
        came, read, own = ((), (), number) if number is not None else _read(x, index)
        bodies += (substitute(own, tuple(Arg(len(inputs) + i) for i in range(len(came)))),)
        inputs, accesses = inputs + came, accesses + read
    if 1 + sum(map(length, bodies)) > MOST_CALLS:
        raise _Apart
    perm = tuple(range(len(shape))) if result.perm is None else result.perm
    name = operation if all(isinstance(b, Arg) for b in bodies) else "map"
    written = Access.of(" ".join(dims[j] for j in perm))
    whole = Operation(name, dims, accesses, written, substitute(body, bodies))
    values = [t.dtype for t in types[first:]]
    output = result_type(tuple(shape[j] for j in perm), dtype_or(result.dtype, promote(*values)), result.layout)
    spec = of_types(whole, shape, inputs, output, text)
    if not all(_is_unrounded(x, spec, compute_dtype(*values)) for x in args if isinstance(x, Spec)):
        raise _Apart
    return shared(of_inputs(spec, tuple(each for x in args if not is_number(x) for each in inputs_of(x))))


def _read(x: TensorType | Spec, index: tuple[Terms, ...]) -> tuple[tuple[TensorType, ...], tuple[Access, ...], Expr]:
    """An operand whose axis j is read at `index[j]`, as a map: its inputs, how they are read, its body. A tensor is the
    map that copies it."""
    if isinstance(x, TensorType):
        return (x,), (Access(index),), Arg(0)
    if not x.is_map or not x.inputs:
        raise _Apart
    if x.dynamic and x.output.dynamic_axes != marked(x.operation, x.inputs, x.output).dynamic_axes:
        raise _Apart  # its result alone has a dynamic axis
    outer = dict(zip((axis[0][0] for axis in x.operation.output.axes), index))
    terms = lambda axis: tuple((d, c * step) for dim, step in axis for d, c in outer[dim])
    return x.inputs, tuple(Access(tuple(map(terms, a.axes)), a.border) for a in x.operation.inputs), x.operation.body


def _is_unrounded(inner: Spec, whole: Spec, compute: str) -> bool:
    """Whether an inner call's result is what the whole computes in: composed bodies round nothing on the way."""
    body, result, computed = inner.operation.body, inner.output.dtype, whole.accumulator
    is_copy = isinstance(body, Arg) and result in (inner.inputs[0].dtype, computed)
    is_truth = isinstance(body, Call) and is_test(body.function) and inner.accumulator == computed
    return (is_copy or is_truth or result == inner.accumulator == computed) and compute == computed


def _require_kinds(body: Expr, types: list[TensorType]) -> None:
    """That operands are floats, or integers, where a function takes those alone."""
    if not isinstance(body, Call):
        return
    function = FUNCTIONS[body.function]
    for t in types:
        if function.floats_only:
            require_float(body.function, t)
        elif function.integers_only and dtype_row(t.dtype).kind not in ("signed", "unsigned"):
            raise SpecError(
                f"{body.function} expects integers, found {t}; cast first: cast({t}) ->"
                f" {replace(t, dtype='s32', constant=False)}"
            )
