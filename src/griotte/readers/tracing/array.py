"""The array that a traced function sees: an array of the graph under NumPy's protocols, with its dtypes and views."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isnan
from typing import Any
from weakref import ReferenceType, ref

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from ...lang.constructors.forms import form_of
from ...lang.types.dtypes import dtype_name, require_unmasked
from ..operators.array import Array, item_of
from ..operators.numbers import converted
from .indexing import picked_by, written_at
from .trace import ACCUMULATED, METHODS, REDUCED, REFUSED_METHODS, Trace, Untraceable, of_elements, refusal, refused

LISTED = "use what docs/reference/numpy.md lists"

PLAIN = (bool, int, float)  # whose types are weak in NumPy's promotion


@dataclass
class SharedMemory:
    """What an array and its views share.

    Attributes:
        arrays: those that are.
        is_given: whether it is the caller's own.
    """

    is_given: bool = False
    arrays: list[ReferenceType[TracedArray]] = field(default_factory=list)


class TracedArray(NDArrayOperatorsMixin):
    """What an array of NumPy is while a function is traced.

    Attributes:
        array: of the graph, which an operation in place replaces.
        memory: what it shares with its views.
    """

    def __init__(self, array: Array, memory: SharedMemory | None = None) -> None:
        self.array = array.with_elements()
        self.memory = SharedMemory() if memory is None else memory
        self.memory.arrays.append(ref(self))

    @property
    def calls(self) -> Trace:
        """The graph that grows."""
        calls = self.array.calls
        assert isinstance(calls, Trace)
        return calls

    def new(self, found: Any) -> TracedArray:
        """An array of its own, of an array of the graph, or of a known one."""
        return TracedArray(self.array.of(found))

    def as_view(self, found: Array) -> TracedArray:
        """What NumPy gives as a view of this."""
        return self if found.item is self.array.item else TracedArray(found, self.memory)

    def converted(self, wanted: np.dtype[Any]) -> Array:
        """As an array of the graph in a dtype, as NumPy casts."""
        x, name = self.array, dtype_name(wanted)
        if x.dtype == name:
            return x
        return converted(x, name) if x.known is None else x.of(x.known.astype(wanted)).with_elements()

    shape = property(lambda self: self.array.shape)
    dtype = property(lambda self: self.array.numpy)
    ndim = property(lambda self: self.array.ndim)
    size = property(lambda self: self.array.size)
    itemsize = property(lambda self: int(self.dtype.itemsize))
    nbytes = property(lambda self: self.size * self.itemsize)
    T = property(np.transpose)
    mT = property(lambda self: np.swapaxes(self, -1, -2))
    real = property(lambda self: self)
    device = "cpu"

    def astype(
        self, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        """In another dtype."""
        found = self.converted(np.dtype(dtype))
        return self if found is self.array and not copy else self.new(found)

    def reshape(self, *shape: Any, order: str = "C", copy: bool | None = None) -> Any:
        """In another shape."""
        return applied(self.calls, "reshape", (self, shape[0] if len(shape) == 1 else shape, order), {})

    def transpose(self, *axes: Any) -> Any:
        """Its axes in another order."""
        return np.transpose(self, None if not axes or axes[0] is None else axes[0] if np.ndim(axes[0]) else axes)

    def copy(self, order: str = "C") -> TracedArray:
        """An array of its own."""
        return self.new(self.array)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        found, is_view = picked_by(self.array, _of_arrays(key))
        return self.as_view(found) if is_view else self.new(found)

    def __setitem__(self, key: Any, item: Any) -> None:
        given = traced(self.calls, item).converted(self.dtype)
        self.write(self.new(written_at(self.array, _of_arrays(key), given)))

    def write(self, found: TracedArray) -> TracedArray:
        """Take what an operation in place gives."""
        if self.memory.is_given or any(each() is not None and each() is not self for each in self.memory.arrays):
            raise Untraceable(
                "expected an array of the function's own to be written to, found one of the caller's, or one of which"
                " there is a view; write x = x + y in place of x += y, or copy it first"
            )
        if not np.can_cast(found.dtype, self.dtype, "same_kind"):
            raise Untraceable(f"expected a result that {self.dtype} holds, found {found.dtype}; write it without out=")
        self.array = found.converted(self.dtype).broadcast_to(self.shape)
        return self

    def __array_ufunc__(self, func: Any, method: str, *inputs: Any, out: Any = None, **kwargs: Any) -> Any:
        name, dtype = func.__name__, kwargs.pop("dtype", None)
        if kwargs.pop("where", True) is not True or method in ("at", "outer", "reduceat"):
            raise Untraceable(f"expected numpy.{name} of whole arrays, found where= or .{method}; use np.where")
        if method in ("reduce", "accumulate"):
            table = REDUCED if method == "reduce" else ACCUMULATED
            if name not in table:
                raise Untraceable(f"expected .{method} of {', '.join(table)}, found that of {name}; use a function")
            given = {"axis": 0} | {k: v for k, v in kwargs.items() if v is not None or k == "axis"}
            return applied(self.calls, table[name], inputs, given | ({"dtype": dtype} if dtype else {}))
        left = [k for k in kwargs if k not in ("casting", "order", "subok")]
        if left:
            raise Untraceable(f"expected numpy.{name} of arrays and out=, found {left[0]}=; leave it out")
        if name == "divmod":
            return np.floor_divide(*inputs), np.remainder(*inputs)
        if name == "modf":
            return inputs[0] - np.trunc(inputs[0]), np.trunc(inputs[0])
        found = ufunc(self.calls, func, inputs, dtype)
        return found if out is None else _target(out).write(found)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        named, out = {k: v for k, v in kwargs.items() if k != "out"}, kwargs.get("out")
        if out is not None and not any(True for _ in _traced_within((*args, *named.values()))):
            return _target(out).write(traced(self.calls, func(*args, **named)))
        return applied(self.calls, f"{func.__module__}.{func.__name__}".removeprefix("numpy."), args, named, out)

    def __array_namespace__(self, api_version: str | None = None) -> Any:
        return np

    def __griotte_call__(self, name: str, args: tuple[Any, ...], attributes: dict[str, Any]) -> TracedArray:
        """A call of the language of traced arrays, known ones and numbers."""
        form = form_of(name)
        assert form is not None
        bound = inspect.signature(form.constructor).bind(*args, **attributes)
        operands: list[Any] = []
        named: dict[str, Any] = {}
        for key, given in bound.arguments.items():
            if bound.signature.parameters[key].kind is inspect.Parameter.VAR_POSITIONAL:
                operands += map(self._item, given)
            elif len(operands) < form.operands and not named:
                operands.append(self._item(given))
            elif bound.signature.parameters[key].kind is inspect.Parameter.VAR_KEYWORD:
                named |= given
            else:
                named[key] = self._item(given) if isinstance(given, (TracedArray, np.ndarray)) else given
        return self.new(Array(self.calls, self.calls.call(name, *operands, **named)))

    def _item(self, given: Any) -> Any:
        """An operand of a call: a value, or a number."""
        return given if isinstance(given, PLAIN) else self.calls.value(item_of(_of_arrays(given)))

    def __getattr__(self, name: str) -> Any:
        if name in METHODS:
            return lambda *args, out=None, **named: applied(self.calls, METHODS[name], (self, *args), named, out)
        if not name.startswith("__") and hasattr(np.ndarray, name):
            raise refusal(name) if name in REFUSED_METHODS else of_elements(f".{name}", LISTED)
        raise AttributeError(f"an array has no attribute {name!r}", name=name, obj=self)

    __bool__ = refused("a choice by its value (if, and, or, while)", "use np.where, or pass a number to choose by")
    __int__ = refused("int()", "use .astype(int), or pass a number")
    __float__ = refused(
        "float()", "use NumPy's function in place of math's, write into np.zeros_like(x), or pass a number"
    )
    __complex__ = refused("complex()", "griotte has no complex numbers")
    __index__ = refused("its value as a size or an index", "pass a number, or index by an array: x[i[None]][0]")
    __iter__ = refused("a loop over it", "use functions of whole arrays, or index by number: for i in range(len(x))")
    __contains__ = refused("`in`", "use (x == y).any()")
    __array__ = refused(
        "a conversion to an array of NumPy", "leave np.asarray out; gather results by np.stack or np.concatenate"
    )
    item = tolist = refused("item()", "keep it an array")

    def __repr__(self) -> str:
        return f"<griotte traced {self.array.type}>"


def _of_arrays(given: Any) -> Any:
    """A traced array as an array of the graph, also within a key of several parts; anything else as it is."""
    if isinstance(given, tuple):
        return tuple(map(_of_arrays, given))
    return given.array if isinstance(given, TracedArray) else given


def _target(out: Any) -> TracedArray:
    """Where a result is to be written."""
    out = out[0] if isinstance(out, tuple) else out
    if isinstance(out, TracedArray):
        return out
    raise Untraceable(
        "expected an out= that the function computed, found an array from outside; give the result back, and pass out="
        " to the jitted function"
    )


def _traced_within(items: Any) -> Iterator[TracedArray]:
    for each in items:
        if isinstance(each, TracedArray):
            yield each
        elif isinstance(each, (list, tuple)):
            yield from _traced_within(each)


def arrays_of(*items: Any) -> list[Any]:
    """Traced arrays, and what stands beside them as constants."""
    calls = next(_traced_within(items)).calls
    return [traced(calls, each) for each in items]


def as_shape(x: TracedArray, shape: Any) -> TracedArray:
    """In another shape, a view."""
    return x.as_view(x.array.reshape(shape))


def traced(calls: Trace, item: Any) -> Any:
    """A traced array; of an array of NumPy a constant."""
    if isinstance(item, TracedArray):
        return item
    if isinstance(item, (list, tuple)) and any(isinstance(each, TracedArray) for each in item):
        return np.stack([traced(calls, each) for each in item])
    return TracedArray(Array(calls, item))


def applied(calls: Trace, name: str, args: Any, named: Any, out: Any = None) -> Any:
    """What a function of NumPy gives of these arguments; Untraceable where it does not take them."""
    if name not in calls.functions:
        raise refusal(name)
    takes = inspect.signature(calls.functions[name])
    try:
        takes.bind(*args, **named)
    except TypeError as error:
        raise Untraceable(
            f"expected numpy.{name} of ({', '.join(takes.parameters)}), found another argument: {error}; leave it out"
        ) from None
    found = calls.functions[name](*args, **named)
    return found if out is None else _target(out).write(found)


def ufunc(calls: Trace, func: Any, inputs: Any, dtype: Any = None) -> TracedArray:
    """A ufunc: operands take the dtypes of the loop that NumPy picks for theirs."""
    if func.__name__ not in calls.ufuncs:
        raise refusal(func.__name__)
    items = [x if type(x) in PLAIN or isinstance(x, TracedArray) else _known(calls, x) for x in inputs]
    kinds = tuple(type(x) if type(x) in PLAIN else x.dtype for x in items)
    wanted = {} if dtype is None else {"signature": (None,) * func.nin + (np.dtype(dtype),)}
    try:
        loop = func.resolve_dtypes((*(np.dtype(k) if k is bool else k for k in kinds), None), **wanted)
    except TypeError as error:
        raise Untraceable(f"expected operands that numpy.{func.__name__} takes, found {kinds}: {error}") from None
    operands = [operand(calls, x, to) for x, to in zip(items, loop)]
    if not any(isinstance(each, Array) for each in operands):
        operands[0] = Array(calls, np.asarray(operands[0]).astype(loop[0])).with_elements()
    return TracedArray(calls.ufuncs[func.__name__](*operands)).astype(loop[-1], copy=False)


def _known(calls: Trace, item: Any) -> Any:
    """An operand that is no traced array, as an array; a list that holds some is one."""
    if isinstance(item, (list, tuple)):
        return traced(calls, item)
    require_unmasked(item, "an operand of a traced function")
    return np.asarray(item)


def operand(calls: Trace, item: Any, wanted: np.dtype[Any]) -> Array | float:
    """An operand of a loop: an array of its dtype, or a number where the language takes that."""
    if isinstance(item, TracedArray):
        return item.converted(wanted)
    array = np.asarray(item).astype(wanted)
    if not array.ndim:
        plain = array.astype(np.float64).item() if wanted.kind not in "biu" else int(array.item())
        if not isnan(plain):
            return plain
    return Array(calls, array).with_elements()
