"""The operations of the contract, each declared as an indexed loop nest, and the constructors that make a Spec of it.

    matmul(tensor((8, 16)), tensor((16, 4)), dtype="f32")     ->  Spec

A constructor takes tensor types; elementwise ones take elementwise Specs too and compose them into one map. Every
tensor type is an input of its own at each place, but those of one name are one; a Spec that several calls take is
computed once. Nothing here computes: what a Spec means is in `reference`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from math import isfinite
from numbers import Real
from reprlib import repr as shortened

from ..errors import SpecError
from .compose import keys, nested, shared
from .dtypes import compute_dtype, promote
from .dtypes import dtype as dtype_row
from .dynamic import marked, of_count
from .expr import FUNCTIONS, IOTA, Arg, Call, Const, Expr, substitute
from .operation import Access, Operation
from .spec import Spec
from .tensor import TensorType, layout_of, row_major, whole

Terms = tuple[tuple[str, int], ...]
_MUL = Call("mul", (Arg(0), Arg(1)))


def _composes(operands: int) -> Callable:
    """Of a constructor over tensor types: one over Specs too, whose results it takes."""

    def wrap(constructor: Callable[..., Spec]) -> Callable[..., Spec]:
        @wraps(constructor)
        def composed(*args, **attributes) -> Spec:
            given = args[:operands]
            if not any(isinstance(x, Spec) for x in given):
                return _shared_by_name(constructor(*args, **attributes), given)
            types = tuple(replace(x.output, constant=False, name="") if isinstance(x, Spec) else x for x in given)
            return _nested(constructor(*types, *args[operands:], **attributes), given, types)

        return composed

    return wrap


def _nested(outer: Spec, args, types) -> Spec:
    """`outer`, a Spec over `types`, of what `args` give, some of which are Specs."""
    call, rest = outer.text.split("(", 1)[0], outer.text
    head = f"{call}({', '.join(map(str, types))}"
    assert rest.startswith(head), (rest, head)
    return nested(outer, args, f"{call}({', '.join(map(str, args))}{rest[len(head) :]}")


def _shared_by_name(spec: Spec, args) -> Spec:
    """A Spec over tensor types of which those of one name are one input."""
    names = [x.name for x in args if isinstance(x, TensorType) and x.name]
    return shared(spec) if len(set(names)) < len(names) else spec


@_composes(2)
def matmul(a: TensorType, b: TensorType, dtype: str | None = None, *, layout: tuple[int, ...] | None = None) -> Spec:
    """a [..., m, k] by b [..., k, n]: leading axes broadcast as in `numpy.matmul`; 8-bit integers give s32 unless
    `dtype` says else."""
    for x in (a, b):
        _require_tensor("matmul", x)
        if x.rank < 2:
            raise SpecError(
                f"matmul expects operands [..., m, k] and [..., k, n], found {x}; give a vector an axis of size 1"
            )
    if a.shape[-1] != b.shape[-2]:
        raise SpecError(
            f"matmul expects equal inner sizes [..., m, k] and [..., k, n], found k = {a.shape[-1]} in {a} and k ="
            f" {b.shape[-2]} in {b}"
        )
    batch = _broadcast("matmul", (a, b), (a.shape[:-2], b.shape[:-2]), inner=2)
    dims = tuple(f"b{i}" for i in range(len(batch)))
    heads = [_index(x.shape[:-2], batch, dims) for x in (a, b)]
    nest = Operation.of(
        "matmul",
        f"{' '.join(dims)} m n k",
        (f"{heads[0]} m k", f"{heads[1]} k n"),
        f"{' '.join(dims)} m n",
        _MUL,
        "add",
        keep="m n k",
    )
    output = _result((*batch, a.shape[-2], b.shape[-1]), dtype or _matmul_dtype(a, b), layout)
    return _spec(nest, (*batch, a.shape[-2], b.shape[-1], a.shape[-1]), (a, b), output, f"matmul({a}, {b})")


def copy(x: TensorType | Spec, dtype: str | None = None, *, layout: tuple[int, ...] | None = None) -> Spec:
    """x in another layout, dtype, or both."""
    return _map("copy", Arg(0), (x,), dtype, layout)


def cast(x: TensorType | Spec, dtype: str, *, layout: tuple[int, ...] | None = None) -> Spec:
    """x converted to `dtype`: float to integer truncates and saturates (`dtypes.convert`)."""
    return _map("copy", Arg(0), (x,), dtype, layout, verb="cast")


def transpose(
    x: TensorType | Spec,
    perm: tuple[int, ...] | None = None,
    dtype: str | None = None,
    *,
    layout: tuple[int, ...] | None = None,
) -> Spec:
    """Axis j of the result is axis perm[j] of x; without `perm` the axes are reversed."""
    rank = _type("transpose", x).rank
    given = row_major(rank) if perm is None else tuple(perm) if isinstance(perm, (tuple, list)) else (perm,)
    perm = tuple(n for axis in given if (n := whole(axis)) is not None)
    if len(perm) < len(given) or sorted(perm) != list(range(rank)):
        raise SpecError(f"transpose expects perm to order the axes 0..{rank - 1} once each, found {_tuple_text(given)}")
    return _map(
        "copy", Arg(0), (x,), dtype, layout, verb="transpose", perm=perm, attributes=f", perm={_tuple_text(perm)}"
    )


def where(
    p: TensorType | Spec, x: TensorType | Spec, y: TensorType | Spec, dtype: str | None = None, *, layout=None
) -> Spec:
    """x where p holds, else y; p is pred; the three broadcast as in NumPy."""
    condition = _type("where", p)
    if condition.dtype != "pred":
        raise SpecError(
            f"where expects pred as its first operand, found {condition}; cast it first: cast({condition}) ->"
            f" pred{list(condition.shape)}"
        )
    return _map("where", Call("where", (Arg(0), Arg(1), Arg(2))), (p, x, y), dtype, layout)


def gelu(
    x: TensorType | Spec, approximate: str = "none", dtype: str | None = None, *, layout: tuple[int, ...] | None = None
) -> Spec:
    """x * Phi(x), exactly, or with approximate="tanh" by the hyperbolic tangent."""
    if approximate not in ("none", "tanh"):
        raise SpecError(f"gelu expects approximate to be none or tanh, found {approximate}")
    name, attributes = ("gelu_tanh", ", approximate=tanh") if approximate == "tanh" else ("gelu", "")
    return _map(name, Call(name, (Arg(0),)), (x,), dtype, layout, verb="gelu", attributes=attributes)


def fill(like: TensorType, value: float) -> Spec:
    """A tensor of `like`'s type, all of one value: an operation without inputs."""
    dims = " ".join(_dims(like.shape))
    nest = Operation.of("fill", dims, (), dims, Const(float(value)))
    return Spec(
        nest, like.shape, (), replace(like, constant=False), f"fill(value={value:g}) -> {replace(like, constant=False)}"
    )


def iota(shape: tuple[int, ...], dtype: str = "s32", dynamic: int | None = None) -> Spec:
    """0, 1, 2, .. in row-major order: an operation without inputs. Of its axes the slowest may be dynamic."""
    dims, result = " ".join(_dims(shape)), TensorType(dtype, tuple(shape), row_major(len(shape)), dynamic=dynamic)
    return Spec(Operation.of("iota", dims, (), dims, IOTA), tuple(shape), (), result, f"iota() -> {result}")


def _unary(name: str) -> Callable[..., Spec]:
    def constructor(x: TensorType | Spec, dtype: str | None = None, *, layout: tuple[int, ...] | None = None) -> Spec:
        return _map(name, Call(name, (Arg(0),)), (x,), dtype, layout)

    return _named(constructor, name, f"{name}(x), elementwise.")


def _binary(name: str) -> Callable[..., Spec]:
    def constructor(
        x: TensorType | Spec, y: TensorType | Spec, dtype: str | None = None, *, layout: tuple[int, ...] | None = None
    ) -> Spec:
        return _map(name, Call(name, (Arg(0), Arg(1))), (x, y), dtype, layout)

    return _named(constructor, name, f"{name}(x, y), elementwise; the operands broadcast as in NumPy.")


def _reduction(name: str, combine: str, factor: Callable[[Expr], Expr] | None = None) -> Callable[..., Spec]:
    """A reduction of x, or of x times what `factor` makes of the number of elements that each result is of."""

    @_composes(1)
    def constructor(
        x: TensorType,
        axis=None,
        keepdims: bool = False,
        dtype: str | None = None,
        *,
        layout: tuple[int, ...] | None = None,
    ) -> Spec:
        _require_tensor(name, x)
        _flag(name, "keepdims", keepdims)
        axes, dims = _axes(name, x, axis), _dims(x.shape)
        kept = [j for j in range(x.rank) if j not in axes]
        shape = tuple(1 if j in axes else x.shape[j] for j in range(x.rank) if keepdims or j in kept)
        index = " ".join("1" if j in axes else dims[j] for j in range(x.rank) if keepdims or j in kept)
        nest = Operation.of(
            name,
            " ".join(dims),
            (" ".join(dims),),
            index,
            Arg(0) if factor is None else Call("mul", (Arg(0), of_count(x, axes, factor))),
            combine,
        )
        attributes = "" if axis is None else f", axis={axes[0] if len(axes) == 1 else _tuple_text(axes)}"
        text = f"{name}({x}{attributes}{', keepdims=true' if keepdims else ''})"
        return _spec(nest, x.shape, (x,), _result(shape, dtype or x.dtype, layout), text)

    return _named(
        constructor, name, f"The {name} over `axis` (an int, a tuple; None: all), accumulated in the compute dtype."
    )


def _named(constructor: Callable[..., Spec], name: str, doc: str) -> Callable[..., Spec]:
    constructor.__name__ = constructor.__qualname__ = name
    constructor.__doc__ = doc
    return constructor


@dataclass(frozen=True)
class _Operand:
    """An argument as a map over its own axes: a tensor is the map that copies it."""

    type: TensorType
    inputs: tuple[TensorType, ...]
    accesses: tuple[Access, ...]
    axes: tuple[str, ...]  # the dimension that each axis of `type` runs over
    body: Expr
    text: str
    spec: Spec | None = None

    def indexed(self, index: tuple[Terms, ...]) -> tuple[Access, ...]:
        """The accesses when axis j of this operand is read at `index[j]`."""
        outer = dict(zip(self.axes, index))
        return tuple(
            Access(tuple(tuple(term for dim, _ in axis for term in outer[dim]) for axis in a.axes), a.border)
            for a in self.accesses
        )


def _type(name: str, x: object) -> TensorType:
    """The type of what is passed: a tensor type, or what a Spec gives."""
    if isinstance(x, Spec):
        return x.output
    _require_tensor(name, x)
    assert isinstance(x, TensorType)
    return x


def _operand(name: str, x: TensorType | Spec) -> _Operand:
    if not isinstance(x, Spec):
        given = _type(name, x)
        axes = _dims(given.shape)
        return _Operand(given, (given,), (Access.of(" ".join(axes)),), axes, Arg(0), str(given))
    if x.is_composed or x.operation.combine is not None or x.operation.picks or not x.inputs:
        raise _Apart(f"{name} over {x.operation.name}")
    axes = tuple(axis[0][0] for axis in x.operation.output.axes)
    return _Operand(x.output, x.inputs, x.operation.inputs, axes, x.operation.body, str(x), x)


def _map(
    name: str,
    body: Expr,
    args: tuple,
    dtype: str | None,
    layout,
    *,
    verb: str = "",
    perm: tuple[int, ...] | None = None,
    attributes: str = "",
) -> Spec:
    """The elementwise Spec of `body` over `args`, which broadcast; axis j of the result is axis perm[j] of that."""
    try:
        return _merged_map(name, body, args, dtype, layout, verb, perm, attributes)
    except _Apart:
        types = tuple(replace(x.output, constant=False, name="") if isinstance(x, Spec) else x for x in args)
        return _nested(_merged_map(name, body, types, dtype, layout, verb, perm, attributes), args, types)


class _Apart(SpecError):
    """Calls that cannot be one map: the inner one is no map, or its result is rounded."""


def _merged_map(
    name: str,
    body: Expr,
    args: tuple,
    dtype: str | None,
    layout,
    verb: str,
    perm: tuple[int, ...] | None,
    attributes: str,
) -> Spec:
    """All calls as one map."""
    operands = [_operand(verb or name, x) for x in args]
    types = [o.type for o in operands]
    _require_floats(body, types)
    shape = _broadcast(verb or name, types, [t.shape for t in types])
    dims = _dims(shape)
    inputs: tuple[TensorType, ...] = ()
    accesses: tuple[Access, ...] = ()
    bodies: tuple[Expr, ...] = ()
    for o in operands:
        bodies += (substitute(o.body, tuple(Arg(len(inputs) + i) for i in range(len(o.inputs)))),)
        accesses += o.indexed(Access.of(_index(o.type.shape, shape, dims)).axes)
        inputs += o.inputs
    perm = tuple(range(len(shape))) if perm is None else perm
    is_flat = all(isinstance(b, Arg) for b in bodies)
    nest = Operation(
        name if is_flat else "map", dims, accesses, Access.of(" ".join(dims[j] for j in perm)), substitute(body, bodies)
    )
    values = [t.dtype for t in types[name == "where" :]]
    output = _result(tuple(shape[j] for j in perm), dtype or promote(*values), layout)
    spec = _spec(nest, shape, inputs, output, f"{verb or name}({', '.join(o.text for o in operands)}{attributes})")
    for o in operands:
        _require_unrounded(o, spec, compute_dtype(*values))
    given = tuple(
        key for x, o in zip(args, operands) for key in (keys(x) if isinstance(x, Spec) else (x.name or object(),))
    )
    object.__setattr__(spec, "_keys", given)
    return shared(spec)


def _require_unrounded(operand: _Operand, spec: Spec, compute: str) -> None:
    """Composed bodies round nothing on the way: an inner call's result must be what the whole computes in."""
    inner = operand.spec
    if inner is None:
        return
    source, result = inner.inputs[0].dtype, inner.output.dtype
    is_copy = isinstance(inner.operation.body, Arg) and result in (source, spec.accumulator)
    if not is_copy and not (result == inner.accumulator == spec.accumulator) or compute != spec.accumulator:
        raise _Apart(
            f"nested calls expect the inner one to give {spec.accumulator}, which the whole computes in, found {inner};"
            f" give it `-> {spec.accumulator}` or make them two Specs: rounding between nested calls is not"
            " supported yet"
        )


def _require_floats(body: Expr, types: list[TensorType]) -> None:
    if not isinstance(body, Call) or not FUNCTIONS[body.function].floats_only:
        return
    for t in types:
        if dtype_row(t.dtype).kind != "float":
            plain = replace(t, constant=False)
            raise SpecError(
                f"{body.function} expects floats, found {t}; cast first: cast({t}) -> {replace(plain, dtype='f32')}"
            )


def _require_tensor(name: str, x: object) -> None:
    if not isinstance(x, TensorType):
        raise SpecError(
            f"{name} expects tensor types, found {' '.join(shortened(x).split())}; make one with tensor(shape, dtype)"
        )


def _flag(name: str, what: str, value: object) -> None:
    if not isinstance(value, bool):
        raise SpecError(f"{name} expects {what} to be true or false, found {value}")


def _number(name: str, what: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or not isfinite(value):
        raise SpecError(f"{name} expects {what} to be a number, found {value}")
    return float(value)


def _number_text(value: float) -> str:
    """A number as text that is read as that very number."""
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)


def _matmul_dtype(a: TensorType, b: TensorType) -> str:
    widest = promote(a.dtype, b.dtype)
    return "s32" if dtype_row(widest).bits <= 8 else widest


def _broadcast(name: str, types, shapes, inner: int = 0) -> tuple[int, ...]:
    """NumPy's broadcast of `shapes`, which are those of `types` but for the last `inner` axes."""
    rank = len(sorted(shapes, key=len)[-1])
    padded = [(1,) * (rank - len(s)) + tuple(s) for s in shapes]
    for axis, sizes in enumerate(zip(*padded)):
        if len({s for s in sizes if s != 1}) > 1:
            raise SpecError(
                f"{name} expects sizes that are equal or 1 (they broadcast from the last axis), found"
                f" {' and '.join(map(str, sizes))} at axis {axis - rank - inner} of {' and '.join(map(str, types))}"
            )
    return tuple(sorted(sizes)[-1] for sizes in zip(*padded))


def _broadcasts_to(shape: tuple[int, ...], full: tuple[int, ...]) -> bool:
    """Whether NumPy broadcasts `shape` to `full`."""
    return len(shape) <= len(full) and all(n in (1, m) for n, m in zip(shape[::-1], full[::-1]))


def _index(shape: tuple[int, ...], full: tuple[int, ...], dims: tuple[str, ...]) -> str:
    """Access text of an operand of `shape` that is broadcast to `full`, whose axes run over `dims`."""
    offset = len(full) - len(shape)
    return " ".join(dims[offset + j] if size == full[offset + j] else "1" for j, size in enumerate(shape))


def _dims(shape: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f"i{j}" for j in range(len(shape)))


def _axes(name: str, x: TensorType, axis) -> tuple[int, ...]:
    """`axis` as sorted axes from 0."""
    given = tuple(range(x.rank)) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = [n for a in given if (n := whole(a)) is not None]
    for a in given:
        if whole(a) not in range(-x.rank, x.rank):
            raise SpecError(
                f"{name} expects axes from {-x.rank} to {x.rank - 1}, found {a} for {x}"
                if x.rank
                else f"{name} expects no axis for {x}, found {a}"
            )
    wrapped = tuple(sorted(a % x.rank for a in axes))
    if len(set(wrapped)) < len(wrapped):
        raise SpecError(f"{name} expects each axis once, found {_tuple_text(axes)} for {x}")
    return wrapped


def _result(shape: tuple[int, ...], dtype: str, layout: tuple[int, ...] | None) -> TensorType:
    return TensorType(dtype, shape, layout_of(len(shape), layout))


def _spec(nest: Operation, sizes: tuple[int, ...], inputs, output: TensorType, call: str) -> Spec:
    output = marked(nest, inputs, output)
    return Spec(nest, tuple(sizes), tuple(inputs), output, f"{call} -> {output}")


def _tuple_text(values) -> str:
    return f"({','.join(map(str, values))}{',' if len(values) == 1 else ''})"


neg, abs, round, exp, log, sqrt, rsqrt = map(_unary, ("neg", "abs", "round", "exp", "log", "sqrt", "rsqrt"))
tanh, erf, sigmoid, relu, silu = map(_unary, ("tanh", "erf", "sigmoid", "relu", "silu"))
add, sub, mul, div, maximum, minimum = map(_binary, ("add", "sub", "mul", "div", "maximum", "minimum"))
sum, max, min = _reduction("sum", "add"), _reduction("max", "maximum"), _reduction("min", "minimum")
mean = _reduction("mean", "add", lambda n: Call("div", (Const(1), n)))  # of floats
total = _reduction("mean", "add")  # what a mean of integers divides


@dataclass(frozen=True)
class Form:
    """How a call is written in text: its constructor, its number of operands, the attributes it takes, `tensors` among
    them that are operands by name, after the others; `shaped` where the result's shape is one more argument; `numbers`
    are the places of operands that may be numbers."""

    constructor: Callable[..., Spec]
    operands: int
    attributes: tuple[str, ...] = ()
    shaped: bool = False
    tensors: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()


FORMS: dict[str, Form] = {
    "matmul": Form(matmul, 2),
    "copy": Form(copy, 1),
    "cast": Form(cast, 1),
    "transpose": Form(transpose, 1, ("perm",)),
    **{f.__name__: Form(f, 1) for f in (neg, abs, round, exp, log, sqrt, rsqrt, tanh, erf, sigmoid, relu)},
    "gelu": Form(gelu, 1, ("approximate",)),
    "silu": Form(silu, 1),
    **{f.__name__: Form(f, 2) for f in (add, sub, mul, div, maximum, minimum)},
    "where": Form(where, 3),
    **{f.__name__: Form(f, 1, ("axis", "keepdims")) for f in (sum, max, min)},
}
