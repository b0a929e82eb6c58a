"""What a function is called with and gives: arrays, and what holds them; all else is a part of the class."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...lang.types.dtypes import dtype_name, require_unmasked
from ...lang.types.tensor import TensorType, row_major
from ...models.graph import ModelValue
from ...support.errors import SpecError
from .array import TracedArray
from .trace import Trace

PLAIN = (str, bytes, int, bool, type(None))


def as_array(item: Any) -> np.ndarray | None:
    """An array of NumPy, DLPack or the buffer protocol, or a number of NumPy; None of anything else. SpecError for an
    array of a class of its own, whose operators may mean something else."""
    if isinstance(item, (np.ndarray, np.generic)):
        require_unmasked(item, "an argument")
        if isinstance(item, np.ndarray) and type(item) not in (np.ndarray, np.memmap):
            raise SpecError(
                f"expected an array of NumPy's own class, found {type(item).__name__}; pass numpy.asarray of it"
            )
        return np.asarray(item)
    if isinstance(item, (*PLAIN, float, type)):
        return None
    if hasattr(item, "__dlpack__"):
        return np.from_dlpack(item)
    try:
        return np.asarray(memoryview(item))
    except TypeError:
        return None


def layout_of(array: np.ndarray) -> tuple[int, ...] | None:
    """How a dense array lies, the fastest axis first; None of one with gaps."""
    if array.flags.c_contiguous:
        return row_major(array.ndim)
    order = sorted(range(array.ndim), key=lambda axis: (-array.strides[axis], axis))
    return tuple(order[::-1]) if array.transpose(order).flags.c_contiguous else None


def type_of(array: np.ndarray) -> TensorType:
    """The type of what a kernel takes for an array; of one with gaps that of its copy."""
    return TensorType(dtype_name(array.dtype), array.shape, layout_of(array) or row_major(array.ndim))


@dataclass
class ArgumentClass:
    """Arguments as a class: its key, and the arrays, or types, that it leaves open, with their names."""

    key: Hashable
    leaves: list[Any]
    names: list[str]


def found_in(item: Any, name: str, leaf: Callable[[Any], Any]) -> ArgumentClass:
    """The class of an argument. `leaf` gives the array or the type that an item is, None of others."""
    own = item if isinstance(item, TracedArray) else leaf(item)
    if own is not None:
        key = type_of(own) if isinstance(own, np.ndarray) else own
        return ArgumentClass(key if isinstance(key, TensorType) else "traced", [own], [name])
    if isinstance(item, dict):
        parts = [found_in(value, f"{name}_{key}", leaf) for key, value in item.items()]
        return _joined(("dict", *map(repr, item)), parts)
    if isinstance(item, (tuple, list)):
        parts = [found_in(value, f"{name}_{n}", leaf) for n, value in enumerate(item)]
        return _joined((type(item),), parts)
    return ArgumentClass(plain_key(item), [], [])


def _joined(kind: tuple[Hashable, ...], parts: list[ArgumentClass]) -> ArgumentClass:
    leaves = [leaf for part in parts for leaf in part.leaves]
    names = [name for part in parts for name in part.names]
    return ArgumentClass((*kind, *(part.key for part in parts)), leaves, names)


def plain_key(item: Any) -> Hashable:
    """A number, a text or whatever can be told from others, as a part of the class; SpecError of anything else."""
    if isinstance(item, PLAIN):
        return type(item), item
    if isinstance(item, (float, complex)):
        return type(item), repr(item)  # -0.0 and NaN too
    try:
        hash(item)
    except TypeError:
        raise SpecError(
            "expected arrays, numbers, texts, and tuples, lists and dicts of them as arguments, found"
            f" {type(item).__name__}; pass its arrays"
        ) from None
    return type(item), item


def mapped(item: Any, change: Callable[[Any], Any]) -> Any:
    """Tuples, lists and dicts with others in place of what they hold."""
    if isinstance(item, dict):
        return {key: mapped(value, change) for key, value in item.items()}
    if isinstance(item, (tuple, list)):
        parts = [mapped(value, change) for value in item]
        return type(item)(*parts) if hasattr(item, "_fields") else type(item)(parts)
    return change(item)


def with_leaves(item: Any, leaf: Callable[[Any], Any], given: Iterator[Any]) -> Any:
    """An argument with others in place of its arrays."""
    is_leaf = lambda each: isinstance(each, TracedArray) or leaf(each) is not None
    return mapped(item, lambda each: next(given) if is_leaf(each) else each)


@dataclass(frozen=True)
class TracedResult:
    """What a function gives: the values of a graph, and how they stand in it.

    Attributes:
        values: each once.
        plan: what the function gives, with places in place of arrays.
        is_plain: whether that is the one array, or the tuple of all in order.
        order: the values as they are given, some more than once, by their place in `values`.
    """

    values: tuple[ModelValue, ...]
    plan: Any
    is_plain: bool
    order: tuple[int, ...]

    def build(self, arrays: tuple[np.ndarray, ...]) -> Any:
        """What the function gives, of what the values are."""
        own = lambda each: each.copy() if isinstance(each, np.ndarray) else each
        return mapped(self.plan, lambda each: arrays[each.number] if isinstance(each, _Place) else own(each))

    def is_like(self, other: TracedResult) -> bool:
        """Whether both give their values in the same places, beside the same."""
        return self.order == other.order and _told(self.plan) == _told(other.plan)


def result_of(trace: Trace, found: Any) -> TracedResult:
    """The result of a traced function; SpecError where it holds no array, or an object of another kind."""
    values: list[ModelValue] = []
    order: list[int] = []

    def placed(item: Any) -> Any:
        """The number of a value, within what holds it."""
        if isinstance(item, TracedArray):
            value = item.array.value if item.array.value.call else trace.call("copy", item.array.value)
            if value not in values:
                values.append(value)
            order.append(values.index(value))
            return _Place(order[-1])
        if isinstance(item, (np.ndarray, np.generic, *PLAIN, float)):
            return item
        raise SpecError(
            "expected arrays, and tuples, lists and dicts of them as a result, found"
            f" {type(item).__name__}; give its arrays back"
        )

    plan = mapped(found, placed)
    if not values:
        raise SpecError("expected a result that follows from the arrays that are passed, found none; compute it once")
    is_one = isinstance(plan, _Place)
    is_all = type(plan) is tuple and [getattr(p, "number", None) for p in plan] == list(range(len(values)))
    return TracedResult(tuple(values), plan, is_one or is_all and len(values) > 1, tuple(order))


@dataclass(frozen=True)
class _Place:
    number: int


def _told(plan: Any) -> str:
    """A plan as a text; of an array that is no result, all of it."""
    held: list[bytes] = []

    def own(each: Any) -> Any:
        if isinstance(each, (np.ndarray, np.generic)):
            held.append(each.tobytes())
            return str(each.dtype), each.shape
        return each

    return f"{mapped(plan, own)!r} {held}"
