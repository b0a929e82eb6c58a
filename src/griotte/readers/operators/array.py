"""Arrays of a graph: calls of the language, written as code over NumPy's arrays is.

`x - x.max(axis, keepdims=True)` and `where(a == b, a, 0)` are calls of the graph that their arrays belong to. Other
operands are arrays of the same graph, known ones, and numbers. Nothing is promoted: operands have one dtype. Integers
wrap, conditions are joined (`+` is or, `*` is and).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...lang.types.dtypes import dtype as row
from ...models.value import ModelValue
from .calls import ArrayCalls

ALIKE = tuple("acos asin atan cos erf exp expm1 log log1p rsqrt sin sqrt tanh".split())
"""Functions of one element that frameworks name as the language does."""
COMPARED = {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"}
"""Comparisons of the language, by the words that frameworks have for them."""


def numpy_of(dtype: str) -> np.dtype[Any]:
    """NumPy's dtype of a name."""
    return row(dtype).numpy


def kind(dtype: str) -> str:
    """float, signed, unsigned or pred."""
    return row(dtype).kind


def bits(dtype: str) -> int:
    """Of an element."""
    return row(dtype).bits


def _both_ways(
    function: Callable[[Any, Any], Array],
) -> tuple[Callable[[Any, Any], Array], Callable[[Any, Any], Array]]:
    """An operator, and what it is where the array comes second."""
    return function, lambda self, other: function(other, self)


def _reduction(name: str) -> Callable[..., Array]:
    """A method that joins elements along axes."""

    def method(self: Array, axis: Any = None, keepdims: bool = False) -> Array:
        return reduced(name, self, axis=_axes(self, axis), keepdims=keepdims)

    return method


class Array:
    """An array of a graph.

    Attributes:
        calls: adds calls to the graph.
        item: a value of the graph, or a known array or number.
    """

    __slots__ = ("calls", "item")
    __array_ufunc__ = None  # arrays of NumPy leave operators to it
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, calls: ArrayCalls, item: Any) -> None:
        self.calls, self.item = calls, item

    @property
    def value(self) -> ModelValue:
        """A value of the graph; a known array becomes a constant."""
        return self.calls.value(self.item)

    @property
    def known(self) -> np.ndarray | None:
        """Its data, where that is known before the call."""
        return self.item.array if isinstance(self.item, ModelValue) else np.asarray(self.item)

    @property
    def is_known(self) -> bool:
        """Whether it is known before the call."""
        return not isinstance(self.item, ModelValue) or self.item.array is not None

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes."""
        return self.item.type.shape if isinstance(self.item, ModelValue) else np.shape(self.item)

    type = property(lambda self: self.value.type, doc="As messages have it.")
    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: int(np.prod(self.shape, dtype=object)))
    dtype = property(lambda self: self.calls.dtype(self.item), doc="griotte's name of it.")
    numpy = property(lambda self: numpy_of(self.dtype), doc="NumPy's dtype.")

    def of(self, item: Any) -> Array:
        """A known value as an array of the same graph."""
        return item if isinstance(item, Array) else Array(self.calls, item)

    def number(self, number: float) -> Array:
        """A number as an array of rank 0, of this dtype."""
        return Array(self.calls, self.calls.value(np.asarray(number).astype(self.numpy)))

    def reserve(self, *sizes: int, item: int = 8) -> None:
        """Account for an array of these sizes that is about to be made."""
        self.calls.reserve(*sizes, item=item)

    def astype(self, dtype: str) -> Array:
        """In another dtype, by the language's rules."""
        return Array(self.calls, self.calls.cast(self.item, dtype))

    def reshape(self, *shape: Any) -> Array:
        """In another shape."""
        sizes = tuple(int(n) for n in (shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape))
        return self.with_elements() if self.shape == sizes else call("reshape", self, shape=sizes)

    def transpose(self, *axes: Any) -> Array:
        """Its axes in another order."""
        perm = tuple(int(a) for a in (axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes))
        return self.with_elements() if perm == tuple(range(self.ndim)) else call("transpose", self, perm=perm)

    def broadcast_to(self, shape: Sequence[int]) -> Array:
        """As if it had a shape."""
        sizes = tuple(int(n) for n in shape)
        return self.with_elements() if self.shape == sizes else call("broadcast", self, shape=sizes)

    def ravel(self) -> Array:
        """Along one axis."""
        return self.reshape((self.size,))

    def take(self, places: Any, axis: int) -> Array:
        """Its parts at places along an axis: the axes of `places` stand where that was."""
        return call("take", self, places, axis=axis)

    def with_elements(self) -> Array:
        """Itself as a value of the graph; Unsupported where it has no elements."""
        return self if isinstance(self.item, ModelValue) else Array(self.calls, self.value)

    def sum(self, axis: Any = None, keepdims: bool = False, **how: Any) -> Array:
        """Sums along axes; narrow integers wrap."""
        return reduced("sum", self, axis=_axes(self, axis), keepdims=keepdims, **how)

    prod, max, min, mean = map(_reduction, ("prod", "max", "min", "mean"))
    """The same of products, which wrap as well, of the largest, the smallest, and means."""

    def argmax(self, axis: int) -> Array:
        """Where the first of the largest is, as s32."""
        return call("argmax", self, axis=axis)

    def __getitem__(self, key: Any) -> Array:
        """Its part at numbers and slices, with new axes."""
        items = key if isinstance(key, tuple) else (key,)
        rest = [slice(None)] * (self.ndim - sum(each is not None and each is not Ellipsis for each in items))
        at = next((n for n, each in enumerate(items) if each is Ellipsis), len(items))
        parts, shape, axis = [], [], 0
        for each in (*items[:at], *rest, *items[at + 1 :]):
            if each is None:
                shape.append(1)
                continue
            if isinstance(each, slice):
                parts.append(each.indices(self.shape[axis]))
                shape.append(len(range(*parts[-1])))
            else:
                place = range(self.shape[axis])[each]
                parts.append((place, place + 1, 1))
            axis += 1
        return sliced(self, dict(enumerate(parts))).reshape(shape)

    __add__, __radd__ = _both_ways(lambda x, y: wrapping("add", x, y))
    __sub__, __rsub__ = _both_ways(lambda x, y: wrapping("sub", x, y))
    __mul__, __rmul__ = _both_ways(lambda x, y: wrapping("mul", x, y))
    __truediv__, __rtruediv__ = _both_ways(lambda x, y: wrapping("div", x, y))
    """The quotient; that of integers is rounded toward 0."""
    __mod__, __rmod__ = _both_ways(lambda x, y: call("mod", x, y))
    __pow__, __rpow__ = _both_ways(lambda x, y: call("power", x, y))

    def __neg__(self) -> Array:
        return 0 - self if kind(self.dtype) == "unsigned" else wrapping("neg", self)

    def __abs__(self) -> Array:
        return self if kind(self.dtype) in ("unsigned", "pred") else wrapping("abs", self)

    def __invert__(self) -> Array:
        dtype = self.dtype
        if dtype == "pred":
            return call("logical_not", self)
        if bits(dtype) >= 32:
            return -self - 1
        return call("sub", -1 if kind(dtype) == "signed" else (1 << bits(dtype)) - 1, self)

    __and__ = __rand__ = lambda self, other: _bitwise("and", self, other)
    __or__ = __ror__ = lambda self, other: _bitwise("or", self, other)
    __xor__ = __rxor__ = lambda self, other: _bitwise("xor", self, other)

    def __eq__(self, other: Any) -> Array:  # type: ignore[override]
        return ~(self ^ other) if self.dtype == "pred" else call("equal", self, other)

    def __ne__(self, other: Any) -> Array:  # type: ignore[override]
        return self ^ other if self.dtype == "pred" else call("not_equal", self, other)

    __lt__ = lambda self, other: call("less", self, other)
    __le__ = lambda self, other: call("less_equal", self, other)
    __gt__ = lambda self, other: call("greater", self, other)
    __ge__ = lambda self, other: call("greater_equal", self, other)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Its data, which must be known."""
        if self.known is None:
            raise TypeError("the elements of an array of a graph are not known")
        return self.known if dtype is None else self.known.astype(dtype)

    def __bool__(self) -> bool:
        raise TypeError("an array of a graph is neither true nor false")

    def __iter__(self) -> Any:
        raise TypeError("an array of a graph is not gone through")

    def __repr__(self) -> str:
        return f"<{self.dtype} {list(self.shape)}>"


def item_of(given: Any) -> Any:
    """What an array is of; anything else as it is, lists of them too."""
    if isinstance(given, Array):
        return given.item
    return [item_of(each) for each in given] if isinstance(given, (list, tuple)) else given


def calls_of(*operands: Any) -> ArrayCalls:
    """What adds calls to the graph of the first array."""
    for each in operands:
        if isinstance(each, Array):
            return each.calls
    raise TypeError("none of the operands is an array of a graph")


def call(call: str, *operands: Any, **attributes: Any) -> Array:
    """A call of the language; arrays among the attributes are operands as well."""
    calls = calls_of(*operands)
    named = {name: _operand(calls, each) for name, each in attributes.items()}
    return Array(
        calls, calls.call(call, *(each.item if isinstance(each, Array) else each for each in operands), **named)
    )


def _operand(calls: ArrayCalls, given: Any) -> Any:
    """An attribute that is an array as a value."""
    return calls.value(item_of(given)) if isinstance(given, (Array, np.ndarray)) else given


def array_call(call: str, *operands: Any, **attributes: str | int) -> list[Array]:
    """What a call over whole arrays gives that no nest of the language is."""
    calls = calls_of(*operands)
    return [Array(calls, each) for each in calls.array_call(call, *map(item_of, operands), **attributes)]


def known(x: Any, what: str) -> Any:
    """What must be known before the call: its data; None where it is left out."""
    return x.calls.known(x.item, what) if isinstance(x, Array) else None if x is None else np.asarray(x)


def integers(x: Any, what: str) -> list[int]:
    """The elements of what must be known before the call."""
    return [int(n) for n in np.asarray(known(x, what)).reshape(-1)]


def integer(x: Any, what: str) -> int:
    """The first element of what must be known before the call."""
    return integers(x, what)[0]


def data(x: Any) -> Any:
    """Of a known array its data, so that code over it is NumPy's; else the array."""
    return x.known if isinstance(x, Array) and x.is_known else x


def dtype_among(*operands: Any) -> str:
    """The dtype of the first array, which numbers beside it take."""
    return next(each.dtype for each in operands if isinstance(each, Array))


def wrapped(x: Array, dtype: str) -> Array:
    """Wide integers as an integer dtype, which keeps their last bits."""
    n = bits(dtype)
    if n >= 32:
        return x.astype(dtype)
    if bits(x.dtype) < 32:
        x = x.astype("s32")
    if kind(dtype) == "unsigned":
        return call("cast", x % (1 << n), dtype=dtype)
    x = x.astype("s32")
    return call("cast", (x + (1 << (n - 1))) % (1 << n) - (1 << (n - 1)), dtype=dtype)


def wrapping(name: str, *operands: Any) -> Array:
    """Arithmetic that wraps: that of narrow integers is done in s32. Conditions are joined."""
    dtype = dtype_among(*operands)
    if dtype == "pred":
        return _bitwise({"add": "or", "mul": "and"}[name], *operands)
    if kind(dtype) == "float" or bits(dtype) >= 32:
        return call(name, *operands)
    return wrapped(call(name, *operands, dtype="s32"), dtype)


def reduced(name: str, x: Array, **how: Any) -> Array:
    """What joins elements along axes; sums and products of narrow integers wrap."""
    if (
        name not in ("sum", "prod")
        or "dtype" in how
        or kind(x.dtype) not in ("signed", "unsigned")
        or bits(x.dtype) >= 32
    ):
        return call(name, x, **how)
    return wrapped(call(name, x.astype("s32"), **how), x.dtype)


def _bitwise(name: str, x: Any, y: Any) -> Array:
    return call(f"{'logical' if dtype_among(x, y) == 'pred' else 'bitwise'}_{name}", x, y)


def _axes(x: Array, axis: Any) -> Any:
    return tuple(range(x.ndim)) if axis is None else axis


def sliced(x: Array, parts: Any) -> Array:
    """The part of x from start to limit, by steps, along some axes; known where it has no elements."""
    found = [(*parts.get(i, (0, n)), 1)[:3] for i, n in enumerate(x.shape)]
    starts, limits, steps = (tuple(int(each[k]) for each in found) for k in range(3))
    sizes = tuple(len(range(*part)) for part in zip(starts, limits, steps))
    if sizes == x.shape and min(steps, default=1) > 0:
        return x
    if 0 in sizes:
        return x.of(np.zeros(sizes, x.numpy))
    if set(steps) == {1}:
        return call("slice", x, starts=starts, limits=limits)
    return call("slice", x, starts=starts, limits=limits, steps=steps)


def _named(name: str) -> Callable[..., Array]:
    """A call of the language as a function of arrays."""

    def function(*operands: Any, **attributes: Any) -> Array:
        return call(name, *operands, **attributes)

    function.__name__, function.__doc__ = name, f"The call `{name}` of the language."
    return function


acos, asin, atan, ceil, cos, erf, exp, expm1 = map(_named, "acos asin atan ceil cos erf exp expm1".split())
floor, fmod, log, log1p, maximum, minimum = map(_named, "floor fmod log log1p maximum minimum".split())
reciprocal, round_, rsqrt, sigmoid, sin = map(_named, "reciprocal round rsqrt sigmoid sin".split())
softplus, sqrt, tanh, where = map(_named, "softplus sqrt tanh where".split())
