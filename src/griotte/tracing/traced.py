"""The array that a traced function sees: NumPy's names, types and shapes, no elements."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from math import prod
from typing import Any, NoReturn
from weakref import ReferenceType, ref

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from ..ir.dtypes import require_unmasked
from ..ir.forms import form_of
from ..models.graph import ModelValue
from .calls import CallBuilder
from .declaring import FUNCTIONS, METHODS, UFUNCS, Untraceable, applied, name_of, refusal
from .indexing import picked_by, written_at
from .library import converted, reshaped

PLAIN = (bool, int, float)  # of which NumPy's types are weak
UNKNOWN = "elements are not known while griotte traces"


class Trace(CallBuilder):
    """One tracing of a function."""

    def array(self, item: Any) -> Any:
        """A traced array; of an array of NumPy a constant."""
        if isinstance(item, TracedArray):
            return item
        if isinstance(item, (list, tuple)) and any(isinstance(each, TracedArray) for each in item):
            return np.stack([self.array(each) for each in item])
        return TracedArray(self, self.value(item))

    def ufunc(self, func: Any, *inputs: Any, dtype: Any = None) -> TracedArray:
        """A ufunc: operands take the dtypes of the loop that NumPy picks for theirs."""
        if func.__name__ not in UFUNCS:
            raise refusal(func.__name__)
        items = [x if type(x) in PLAIN or isinstance(x, TracedArray) else _known(self, x) for x in inputs]
        kinds = tuple(type(x) if type(x) in PLAIN else x.dtype for x in items)
        wanted = {} if dtype is None else {"signature": (None,) * func.nin + (np.dtype(dtype),)}
        try:
            loop = func.resolve_dtypes((*(np.dtype(k) if k is bool else k for k in kinds), None), **wanted)
        except TypeError as error:
            raise Untraceable(f"expected operands that numpy.{func.__name__} takes, found {kinds}: {error}") from None
        operands = [self.operand(x, to) for x, to in zip(items, loop)]
        if not any(isinstance(each, ModelValue) for each in operands):
            operands[0] = self.value(np.asarray(operands[0]).astype(loop[0]))
        found = TracedArray(self, UFUNCS[func.__name__](self, *operands))
        return found.astype(loop[-1], copy=False)

    def operand(self, item: Any, wanted: np.dtype[Any]) -> ModelValue | float:
        """An operand of a loop: a value of its dtype, or a number."""
        if isinstance(item, TracedArray):
            return self.as_dtype(item.value, wanted)
        return self.scalar(item, wanted) if np.ndim(item) == 0 else self.value(np.asarray(item).astype(wanted))

    def as_dtype(self, value: ModelValue, wanted: np.dtype[Any]) -> ModelValue:
        """A value in another dtype, as NumPy casts."""
        if value.type.dtype == (name := self.dtype(np.empty(0, wanted))):
            return value
        return self.value(converted(self, value, name) if value.array is None else value.array.astype(wanted))


def _known(trace: Trace, item: Any) -> Any:
    """An operand that is no traced array, as an array; a list that holds some is one."""
    if isinstance(item, (list, tuple)):
        return trace.array(item)
    require_unmasked(item, "an operand of a traced function")
    return np.asarray(item)


@dataclass
class SharedRoom:
    """What an array and its views share.

    Attributes:
        arrays: those that are.
        is_given: whether it is the caller's own.
    """

    is_given: bool = False
    arrays: list[ReferenceType[TracedArray]] = field(default_factory=list)


class TracedArray(NDArrayOperatorsMixin):
    """What an array of NumPy is while a function is traced."""

    def __init__(self, tracing: Trace, value: ModelValue, memory: SharedRoom | None = None) -> None:
        self.tracing, self.value = tracing, value
        self.memory = SharedRoom() if memory is None else memory
        self.memory.arrays.append(ref(self))

    def new(self, value: ModelValue) -> TracedArray:
        """Another array of this trace."""
        return TracedArray(self.tracing, value)

    def as_view(self, value: ModelValue) -> TracedArray:
        """What NumPy gives as a view of this."""
        return self if value is self.value else TracedArray(self.tracing, value, self.memory)

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes."""
        return self.value.type.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's dtype."""
        return self.tracing.numpy(self.value.type.dtype)

    @property
    def ndim(self) -> int:
        """How many axes it has."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many elements it has."""
        return prod(self.shape)

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return int(self.dtype.itemsize)

    @property
    def nbytes(self) -> int:
        """Bytes."""
        return self.size * self.itemsize

    @property
    def T(self) -> Any:
        """Its axes in reverse."""
        return np.transpose(self)

    @property
    def mT(self) -> Any:
        """Its last two axes in reverse."""
        return np.swapaxes(self, -1, -2)

    @property
    def real(self) -> TracedArray:
        """Itself."""
        return self

    @property
    def device(self) -> str:
        """As NumPy's."""
        return "cpu"

    def astype(
        self, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        """In another dtype."""
        value = self.tracing.as_dtype(self.value, np.dtype(dtype))
        return self if value is self.value and not copy else self.new(value)

    def reshape(self, *shape: Any, order: str = "C", copy: bool | None = None) -> Any:
        """In another shape."""
        given = shape[0] if len(shape) == 1 else shape
        return applied("reshape", self.tracing, (self, given, order), {})

    def transpose(self, *axes: Any) -> Any:
        """Its axes in another order."""
        given = None if not axes or axes[0] is None else axes[0] if isinstance(axes[0], (tuple, list)) else axes
        return np.transpose(self, given)

    def item(self, *args: Any) -> NoReturn:
        """Refused."""
        raise _refused("item()", "keep it an array")

    tolist = item

    def copy(self, order: str = "C") -> TracedArray:
        """An array of its own."""
        return self.new(self.value)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        value, is_view = picked_by(self.tracing, self.value, key)
        return self.as_view(value) if is_view else self.new(value)

    def __setitem__(self, key: Any, item: Any) -> None:
        given = self.tracing.array(item).astype(self.dtype, copy=False)
        self.write(self.new(written_at(self.tracing, self.value, key, given.value)))

    def write(self, found: TracedArray) -> TracedArray:
        """Take what an operation in place gives."""
        if self.memory.is_given or any(each() is not None and each() is not self for each in self.memory.arrays):
            raise Untraceable(
                "expected an array of the function's own to be written to, found one of the caller's, or one of which"
                " there is a view; write x = x + y in place of x += y, or copy it first"
            )
        if not np.can_cast(found.dtype, self.dtype, "same_kind"):
            raise Untraceable(f"expected a result that {self.dtype} holds, found {found.dtype}; write it without out=")
        value = found.astype(self.dtype, copy=False).value
        self.value = (
            self.tracing.call("broadcast", value, shape=self.shape) if value.type.shape != self.shape else value
        )
        return self

    def __array_ufunc__(self, func: Any, method: str, *inputs: Any, out: Any = None, **kwargs: Any) -> Any:
        dtype = kwargs.pop("dtype", None)
        if kwargs.pop("where", True) is not True or method in ("at", "outer", "reduceat"):
            raise Untraceable(
                f"expected numpy.{func.__name__} of whole arrays, found where= or .{method}; use np.where"
            )
        if method in ("reduce", "accumulate"):
            return _of_method(self.tracing, func, method, inputs, {**kwargs, **({"dtype": dtype} if dtype else {})})
        left = [k for k in kwargs if k not in ("casting", "order", "subok")]
        if left:
            raise Untraceable(f"expected numpy.{func.__name__} of arrays and out=, found {left[0]}=; leave it out")
        if func.__name__ == "divmod":
            return np.floor_divide(*inputs), np.remainder(*inputs)
        if func.__name__ == "modf":
            return inputs[0] - np.trunc(inputs[0]), np.trunc(inputs[0])
        found = self.tracing.ufunc(func, *inputs, dtype=dtype)
        if out is None:
            return found
        return _room(out[0]).write(found)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        out = kwargs.get("out")
        found = applied(name_of(func), self.tracing, args, {k: v for k, v in kwargs.items() if k != "out"})
        return found if out is None else _room(out).write(found)

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
            place = len(operands)
            if bound.signature.parameters[key].kind is inspect.Parameter.VAR_POSITIONAL:
                operands += [self._given(each) for each in given]
            elif place < form.operands and not named:
                operands.append(self._given(given))
            elif bound.signature.parameters[key].kind is inspect.Parameter.VAR_KEYWORD:
                named |= given
            else:
                named[key] = self._given(given) if isinstance(given, (TracedArray, np.ndarray)) else given
        return self.new(self.tracing.call(name, *operands, **named))

    def _given(self, item: Any) -> Any:
        if isinstance(item, TracedArray):
            return item.value
        return item if isinstance(item, PLAIN) else self.tracing.value(item)

    def __getattr__(self, name: str) -> Any:
        if name in METHODS:
            return lambda *args, **kwargs: self._method(METHODS[name], args, kwargs)
        if not name.startswith("__") and hasattr(np.ndarray, name):
            raise refusal(name) if name in REFUSED_METHODS else _refused(f".{name}", "use what docs/numpy.md lists")
        raise AttributeError(f"an array has no attribute {name!r}", name=name, obj=self)

    def _method(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        out = kwargs.pop("out", None)
        found = applied(name, self.tracing, (self, *args), kwargs)
        return found if out is None else _room(out).write(found)

    def __bool__(self) -> NoReturn:
        raise _refused("a choice by its value (if, and, or, while)", "use np.where, or pass a number to choose by")

    def __int__(self) -> NoReturn:
        raise _refused("int()", "use .astype(int), or pass a number")

    def __float__(self) -> NoReturn:
        raise _refused(
            "float()", "use NumPy's function in place of math's, write into np.zeros_like(x), or pass a number"
        )

    def __complex__(self) -> NoReturn:
        raise _refused("complex()", "griotte has no complex numbers")

    def __index__(self) -> NoReturn:
        raise _refused("its value as a size or an index", "pass a number, or index by an array: x[i[None]][0]")

    def __iter__(self) -> NoReturn:
        raise _refused("a loop over it", "use functions of whole arrays, or index by number: for i in range(len(x))")

    def __contains__(self, item: Any) -> NoReturn:
        raise _refused("`in`", "use (x == y).any()")

    def __array__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise _refused(
            "a conversion to an array of NumPy", "leave np.asarray out; gather results by np.stack or np.concatenate"
        )

    def __repr__(self) -> str:
        return f"<griotte traced {self.value.type}>"


REFUSED_METHODS = "sort argsort partition argpartition nonzero searchsorted".split()
REDUCED = {
    "add": "sum",
    "multiply": "prod",
    "maximum": "max",
    "minimum": "min",
    "logical_and": "all",
    "logical_or": "any",
}
ACCUMULATED = {"add": "cumsum", "multiply": "cumprod"}


def _refused(what: str, mend: str) -> Untraceable:
    return Untraceable(f"expected no use of a traced array's elements, found {what}: {UNKNOWN}; {mend}")


def _room(out: Any) -> TracedArray:
    """Where a result is to be written."""
    out = out[0] if isinstance(out, tuple) else out
    if isinstance(out, TracedArray):
        return out
    raise Untraceable(
        "expected an out= that the function computed, found an array from outside; give the result back, and pass out="
        " to the jitted function"
    )


def _of_method(trace: Trace, func: Any, method: str, inputs: Any, kwargs: dict[str, Any]) -> Any:
    """`np.add.reduce` and its like, which are functions."""
    table = REDUCED if method == "reduce" else ACCUMULATED
    if func.__name__ not in table:
        raise Untraceable(f"expected .{method} of {', '.join(table)}, found that of {func.__name__}; use a function")
    given = {"axis": 0} | {k: v for k, v in kwargs.items() if v is not None or k == "axis"}
    return applied(table[func.__name__], trace, inputs, given)


def as_shape(array: TracedArray, shape: Any) -> TracedArray:
    """In another shape, a view."""
    return array.as_view(reshaped(array.tracing, array.value, shape))


__all__ = ["FUNCTIONS", "Trace", "TracedArray", "as_shape"]
