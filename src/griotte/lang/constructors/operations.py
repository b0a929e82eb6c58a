"""The operations of the contract, each declared as an indexed loop nest, and the constructors that make a Spec of it.

    matmul(tensor((8, 16)), tensor((16, 4)), dtype="f32")     ->  Spec

A constructor takes tensor types; elementwise ones take elementwise Specs too and compose them into one map. Every
tensor type is an input of its own at each place, but those of one name are one; a Spec that several calls take is
computed once. Nothing here computes: what a Spec means is in `reference`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from inspect import signature
from typing import Any, SupportsIndex

from ...support.errors import SpecError
from ..calls.compose import inputs_of, nested, of_inputs, shared
from ..calls.spec import Spec, part
from ..calls.written import Written
from ..functions import FUNCTIONS
from ..nests.operation import Access, Operation
from ..types.dtypes import as_scalar, compute_dtype, dtype_or, exact, is_number, promote
from ..types.dtypes import dtype as dtype_row
from ..types.dynamic import marked
from ..types.expr import IOTA, MOST_CALLS, Arg, Call, Const, Expr, is_test, length, substitute
from ..types.tensor import TensorType, layout_of, row_major, whole
from .arguments import attribute_text, require_broadcast, require_float, require_tensor, require_type, tuple_text
from .language import DTypeLike, LayoutLike, P, TensorLike, call, forms_of

Terms = tuple[tuple[str, int], ...]
_MUL = Call("mul", (Arg(0), Arg(1)))


def _composes(operands: int) -> Callable[[Callable[P, Spec]], Callable[P, Spec]]:
    """Of a constructor over tensor types: one over Specs too, whose results it takes."""

    def wrap(constructor: Callable[P, Spec]) -> Callable[P, Spec]:
        make: Callable[..., Spec] = constructor
        names = tuple(signature(constructor).parameters)[:operands]

        @wraps(constructor)
        def composed(*args: P.args, **attributes: P.kwargs) -> Spec:
            by_name = [key for key in names[len(args) :] if key in attributes]
            given = (*args[:operands], *(attributes[key] for key in by_name))
            if len(given) < operands or not any(isinstance(x, Spec) for x in given):
                return _shared_by_name(constructor(*args, **attributes), given)
            rest = {key: x for key, x in attributes.items() if key not in by_name}
            return over(given, lambda *types: make(*types, *args[operands:], **rest))

        return composed

    return wrap


def over(args: tuple[Any, ...], make: Callable[..., Spec]) -> Spec:
    """The call that `make` gives of tensor types, of what `args` give, some of which are Specs."""

    def plain(x: Any) -> Any:
        if isinstance(x, Spec):
            return replace(x.output, constant=False, name="")
        return replace(x, name="") if isinstance(x, TensorType) else x

    outer = make(*map(plain, args))
    assert isinstance(outer.text, Written)
    tensors = tuple(x for x in args if not is_number(x))
    return nested(outer, tensors, replace(outer.text, operands=tuple(map(part, args))))


def _shared_by_name(spec: Spec, args) -> Spec:
    """A Spec over tensor types of which those of one name are one input."""
    names = [x.name for x in args if isinstance(x, TensorType) and x.name]
    return shared(spec) if len(set(names)) < len(names) else spec


@call
@_composes(2)
def matmul(a: TensorLike, b: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """The product of matrices; leading axes are batches, which broadcast as in `numpy.matmul`.

    Args:
        a: numbers [..., m, k].
        b: numbers [..., k, n].
        dtype: of the result [..., m, n]; where left out the wider of the operands', of 8-bit integers s32.

    Example:
        >>> print(gt.matmul(gt.tensor((8, 16)), gt.tensor((16, 4))))
        matmul(f32[8,16], f32[16,4]) -> f32[8,4]
    """
    a, b = require_tensor("matmul", a), require_tensor("matmul", b)
    for x in (a, b):
        if x.rank < 2:
            raise SpecError(
                f"matmul expects operands [..., m, k] and [..., k, n], found {x}; give a vector an axis of size 1"
            )
    if a.shape[-1] != b.shape[-2]:
        raise SpecError(
            f"matmul expects equal inner sizes [..., m, k] and [..., k, n], found k = {a.shape[-1]} in {a} and k ="
            f" {b.shape[-2]} in {b}"
        )
    batch = require_broadcast("matmul", (a, b), (a.shape[:-2], b.shape[:-2]), inner=2)
    dims = tuple(f"b{i}" for i in range(len(batch)))
    heads = [_index(x.shape[:-2], batch, dims) for x in (a, b)]
    nest = Operation.of(
        "matmul",
        f"{' '.join(dims)} m n k",
        (f"{heads[0]} m k", f"{heads[1]} k n"),
        f"{' '.join(dims)} m n",
        _MUL,
        "add",
    )
    nest = replace(nest, keep=("m", "n", "k"))
    output = _result((*batch, a.shape[-2], b.shape[-1]), dtype_or(dtype, _matmul_dtype(a, b)), layout)
    return _spec(nest, (*batch, a.shape[-2], b.shape[-1], a.shape[-1]), (a, b), output, "matmul")


@call
def copy(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """x in another layout, another dtype, or both.

    Args:
        x: any tensor.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.copy(gt.tensor((8, 4)), layout=(0, 1)))
        copy(f32[8,4]) -> f32[8,4]{0,1}
    """
    return _map("copy", Arg(0), (x,), ResultType(dtype, layout))


@call
def cast(x: TensorLike, dtype: DTypeLike, *, layout: LayoutLike | None = None) -> Spec:
    """x in another dtype.

    Floats that become integers are cut off towards 0 and saturate; NaN becomes 0. Integers saturate below 32 bits, else
    wrap.

    Args:
        x: any tensor.
        dtype: of the result.

    Example:
        >>> print(gt.cast(gt.tensor((8, 4)), "bf16"))
        cast(f32[8,4]) -> bf16[8,4]
    """
    return _map("copy", Arg(0), (x,), ResultType(dtype, layout), verb="cast")


@call
def transpose(
    x: TensorLike,
    perm: SupportsIndex | Sequence[SupportsIndex] | None = None,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """x with its axes in another order.

    Args:
        x: any tensor.
        perm: axis j of the result is axis perm[j] of x; where left out the axes are reversed.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.transpose(gt.tensor((8, 4, 2)), (2, 0, 1)))
        transpose(f32[8,4,2], perm=(2,0,1)) -> f32[2,8,4]
    """
    rank = require_type("transpose", x).rank
    given = row_major(rank) if perm is None else tuple(perm) if isinstance(perm, (tuple, list)) else (perm,)
    perm = tuple(n for axis in given if (n := whole(axis)) is not None)
    if len(perm) < len(given) or sorted(perm) != list(range(rank)):
        raise SpecError(f"transpose expects perm to order the axes 0..{rank - 1} once each, found {tuple_text(given)}")
    return _map(
        "copy", Arg(0), (x,), ResultType(dtype, layout, perm), verb="transpose", attributes=f", perm={tuple_text(perm)}"
    )


def fill(like: TensorType, value: float) -> Spec:
    """A tensor of `like`'s type, all of one value: an operation without inputs."""
    dims = " ".join(_dims(like.shape))
    nest = Operation.of("fill", dims, (), dims, Const(value))
    result = replace(like, constant=False)
    return Spec(nest, like.shape, (), result, Written("fill", (), f"value={attribute_text(value)}", result=result))


def iota(shape: tuple[int, ...], dtype: str = "s32", dynamic: int | None = None) -> Spec:
    """0, 1, 2, .. in row-major order: an operation without inputs. Of its axes the slowest may be dynamic."""
    dims, result = " ".join(_dims(shape)), TensorType(dtype, tuple(shape), row_major(len(shape)), dynamic=dynamic)
    text = Written("iota", (), result=result)
    return Spec(Operation.of("iota", dims, (), dims, IOTA), tuple(shape), (), result, text)


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


@dataclass(frozen=True)
class ResultType:
    """What a call says of its result.

    Attributes:
        dtype: that which follows from the operands where left out.
        layout: row-major where left out.
        perm: axis j of it is axis perm[j] of what the operands broadcast to.
    """

    dtype: DTypeLike | None = None
    layout: LayoutLike | None = None
    perm: tuple[int, ...] | None = None


def _map(name: str, body: Expr, args: tuple, result: ResultType, *, verb: str = "", attributes: str = "") -> Spec:
    """The elementwise Spec of `body` over `args`, which broadcast. A number among them is one of the dtype that the
    others have."""
    try:
        return _merged_map(name, body, args, result, verb, attributes)
    except _Apart:
        return over(args, lambda *types: _merged_map(name, body, types, result, verb, attributes))


class _Apart(Exception):
    """Calls that cannot be one map: the inner one is no map, its result is rounded, or the whole would be too long."""


def _merged_map(name: str, body: Expr, args: tuple, result: ResultType, verb: str, attributes: str) -> Spec:
    """All calls as one map."""
    said, first = verb or name, int(name == "where")  # of a choice the condition has no part in the dtype
    given = [require_type(said, x).dtype for x in args[first:] if not is_number(x)]
    of_numbers = promote(*given) if given else dtype_or(result.dtype, "f32")
    if all(map(is_number, args)):
        raise SpecError(f"{said} expects a tensor among its operands, found numbers alone")
    types = [TensorType(of_numbers, (), ()) if is_number(x) else require_type(said, x) for x in args]
    numbers = [Const(exact(as_scalar(x, of_numbers, f"an operand of {said}"))) if is_number(x) else None for x in args]
    _require_kinds(body, types)
    shape = require_broadcast(said, types, [t.shape for t in types])
    dims = _dims(shape)
    inputs: tuple[TensorType, ...] = ()
    accesses: tuple[Access, ...] = ()
    bodies: tuple[Expr, ...] = ()
    for x, type, number in zip(args, types, numbers):
        index = Access.of(_index(type.shape, shape, dims)).axes
        came, read, own = ((), (), number) if number is not None else _read(x, index)
        bodies += (substitute(own, tuple(Arg(len(inputs) + i) for i in range(len(came)))),)
        inputs, accesses = inputs + came, accesses + read
    if 1 + sum(map(length, bodies)) > MOST_CALLS:
        raise _Apart
    perm = tuple(range(len(shape))) if result.perm is None else result.perm
    is_flat = all(isinstance(b, Arg) for b in bodies)
    nest = Operation(
        name if is_flat else "map", dims, accesses, Access.of(" ".join(dims[j] for j in perm)), substitute(body, bodies)
    )
    values = [t.dtype for t in types[first:]]
    output = _result(tuple(shape[j] for j in perm), dtype_or(result.dtype, promote(*values)), result.layout)
    spec = _written(nest, shape, inputs, output, Written(said, tuple(map(part, args)), attributes))
    if not all(_is_unrounded(x, spec, compute_dtype(*values)) for x in args if isinstance(x, Spec)):
        raise _Apart
    return shared(of_inputs(spec, tuple(each for x in args if not is_number(x) for each in inputs_of(x))))


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


def _matmul_dtype(a: TensorType, b: TensorType) -> str:
    widest = promote(a.dtype, b.dtype)
    return "s32" if dtype_row(widest).bits <= 8 else widest


def _index(shape: tuple[int, ...], full: tuple[int, ...], dims: tuple[str, ...]) -> str:
    """Access text of an operand of `shape` that is broadcast to `full`, whose axes run over `dims`."""
    offset = len(full) - len(shape)
    return " ".join(dims[offset + j] if size == full[offset + j] else "1" for j, size in enumerate(shape))


def _dims(shape: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f"i{j}" for j in range(len(shape)))


def _result(shape: tuple[int, ...], dtype: str, layout: LayoutLike | None) -> TensorType:
    return TensorType(dtype, shape, layout_of(len(shape), layout))


def _spec(
    nest: Operation,
    sizes: tuple[int, ...],
    inputs,
    output: TensorType,
    name: str,
    rest: str = "",
) -> Spec:
    """A Spec of one nest, written `name(inputs, rest)`."""
    return _written(nest, sizes, inputs, output, Written(name, tuple(inputs), rest))


def _written(nest: Operation, sizes: tuple[int, ...], inputs, output: TensorType, text: Written) -> Spec:
    """A Spec of one nest that is written as this call."""
    output = marked(nest, inputs, output)
    return Spec(nest, tuple(sizes), tuple(inputs), output, replace(text, result=output))


FORMS = forms_of(matmul, copy, cast, transpose)
