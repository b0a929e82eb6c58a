"""A size known only up to a bound: the dimension of a Spec that has it, or two, and which Specs may have one.

No pitch depends on the size. An array whose dynamic axis is not its slowest lies as one of the bound does, and a
smaller size is a shorter run of rows in each part of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from math import prod
from typing import Any

from ...support.errors import SpecError
from .expr import SIZE, Call, Const, Expr, OfSize
from .tensor import TensorType


@dataclass(frozen=True)
class Dynamic:
    """Dimension `dim` takes the sizes unit, 2 * unit, .., bound * unit. In a Spec as stated `unit` is 1; in its
    canonical form it is the product of the joined dimensions inside. `rows` is a second dimension of that same size,
    along which a part can be computed alone: programs take it by bands. Neither is joined with others then."""

    dim: str
    bound: int
    unit: int = 1
    rows: str | None = None

    @property
    def extents(self) -> tuple[int, ...]:
        return tuple(range(self.unit, self.bound * self.unit + 1, self.unit))

    @property
    def dims(self) -> tuple[str, ...]:
        return (self.dim,) if self.rows is None else (self.dim, self.rows)

    def may_join(self, outer: str, inner: str) -> bool:
        """Whether two dimensions may be made one: elements along the slower one lie as far apart as those of the
        bound."""
        return inner not in self.dims and (self.rows is None or outer not in self.dims)

    def renamed(self, names: dict[str, str]) -> Dynamic:
        return replace(self, dim=names[self.dim], rows=self.rows and names[self.rows])


def dynamic_dims(operation, tensors) -> dict[str, TensorType]:
    """The dimensions, two at most, along which the dynamic axes of `tensors` (inputs, perhaps the output) lie, with the
    first tensor that has each; SpecError for more, and for two sizes."""
    found: dict[str, TensorType] = {}
    for access, tensor in zip(operation.accesses, tensors):
        for axis in tensor.dynamic_axes:
            for dim, _ in access.axes[axis]:
                found.setdefault(dim, tensor)
    if len(found) > 2 or len({tensor.shape[tensor.dynamic_axes[0]] for tensor in found.values()}) > 1:
        raise SpecError(
            f"expected one dynamic size in a {operation.name}, along two dimensions at most, found {len(found)}, in"
            f" {' and '.join(map(str, found.values()))}; fix all but one"
        )
    return found


def of_count(x: TensorType, axes: tuple[int, ...], formula: Callable[[Expr], Expr] = lambda n: n) -> Expr:
    """What `formula` makes of the number of elements that x has along `axes`: a Const, or where one is dynamic an
    OfSize."""
    count: Expr = Const(prod(x.shape[axis] for axis in axes if axis not in x.dynamic_axes))
    for _ in set(axes) & set(x.dynamic_axes):
        count = SIZE if count == Const(1) else Call("mul", (SIZE, count))
    if not isinstance(count, Const):
        return OfSize(formula(count))
    found = formula(count)
    return found if isinstance(found, Const) else OfSize(found).at(1)


def dynamic_input(inputs) -> Dynamic | None:
    """The dynamic size of a composition, by what its inputs say; SpecError where those differ."""
    found = {t.shape[axis]: t for t in inputs for axis in t.dynamic_axes}
    if len(found) > 1:
        raise SpecError(
            f"expected one dynamic size, found {len(found)}, in {' and '.join(map(str, found.values()))}; fix all"
            " but one"
        )
    return Dynamic("", next(iter(found))) if found else None


def marked(operation, inputs, output: TensorType) -> TensorType:
    """`output` with the dynamic size of the inputs along its axes."""
    axes = sorted(
        operation.output.axis_of(dim) for dim in dynamic_dims(operation, inputs) if dim in operation.output.dims
    )
    first, second = [*axes, None, None][:2]
    return replace(output, dynamic=first, tied=second)


def dynamic_of(operation, sizes: dict[str, int], tensors) -> Dynamic | None:
    """The dynamic size of a Spec as stated, None where it has none; SpecError where it may not be dynamic."""
    found = dynamic_dims(operation, tensors)
    if not found:
        return None
    bound, one = sizes[next(iter(found))], next(iter(found.values()))
    for access, tensor in zip(operation.accesses, tensors):
        for dim in found:
            if dim in access.dims:
                _check(access, tensor, access.axis_of(dim), bound, one)
    return in_bands(operation, tuple(found), bound)


def in_bands(operation, dims: tuple[str, ...], bound: int) -> Dynamic:
    """The dynamic size of these dimensions of a nest or a graph: of two, `rows` is the one that the output moves along
    more slowly. SpecError where no part of either can be computed alone."""
    if len(dims) == 1:
        return Dynamic(dims[0], bound)
    rows = rows_of(operation, dims)
    if rows is None:
        raise SpecError(
            "expected a dynamic size along one dimension, or along two of which a part of one can be computed alone,"
            f" found two in {operation.name}; write the bound as the size, or give what both need a call of its own"
        )
    return Dynamic(next(d for d in dims if d != rows), bound, rows=rows)


def rows_of(operation, dims: tuple[str, ...]) -> str | None:
    """The one of these dimensions along which a part can be computed alone. Of two such, the one that the output moves
    along more slowly; None where there is none."""
    return next((d for terms in operation.output.axes for d, _ in terms if d in dims and d in operation.alone), None)


def _check(access, tensor: TensorType, axis: int, bound: int, one: TensorType) -> None:
    if (
        axis not in tensor.dynamic_axes and bound > 1
    ):  # of a bound of 1 what is spread along it cannot be told from what has it
        raise SpecError(
            f"expected <={bound} at axis {axis} of {tensor}, which runs along the dynamic size of {one}, found"
            f" {tensor.shape[axis]}; write <={bound} there too"
        )
    if not (access.is_plain(axis) and access.is_whole(axis)):
        raise SpecError(
            f"expected a dynamic axis of which each element is met in turn, found axis {axis} of {tensor}; write the"
            " bound as the size"
        )


def is_pitched(shape: tuple[int, ...], minor_to_major: tuple[int, ...], *dynamic: int | None) -> bool:
    """Whether an array of fewer than the bound lies as one of the bound does, with gaps: some axis is slower than a
    dynamic one."""
    return any(_is_slower(shape, minor_to_major, axis) for axis in dynamic if axis is not None)


def _is_slower(shape: tuple[int, ...], minor_to_major: tuple[int, ...], dynamic: int) -> bool:
    """Whether some axis is slower than this one."""
    return any(shape[axis] > 1 for axis in minor_to_major[minor_to_major.index(dynamic) + 1 :])


def resized(tensor: TensorType, axes: tuple[int, ...], size: int) -> TensorType:
    """`tensor` with this size along the axes, fixed; itself where there are none."""
    if not axes:
        return tensor
    return replace(
        tensor, shape=tuple(size if axis in axes else n for axis, n in enumerate(tensor.shape)), dynamic=None, tied=None
    )


def size_of(inputs, outputs, bound: int, shapes, where) -> int:
    """The dynamic size, of `bound` at most, that arrays of these shapes, one per input, have; SpecError where they
    disagree, or it is above the bound. Other sizes are not looked at; `where` is what they are for, in messages."""
    found = None
    for i, (tensor, shape) in enumerate(zip(inputs, shapes)):
        for axis in tensor.dynamic_axes if len(shape) == tensor.rank else ():
            size = shape[axis]
            if not size <= bound:
                raise SpecError(
                    f"expected at most {bound} at axis {axis} of input {i}, {tensor}, found {size}; pass"
                    " fewer at a time, or make a Spec with a larger bound"
                )
            if found not in (None, size):
                raise SpecError(
                    f"expected {found} at axis {axis} of input {i}, {tensor}, as in the inputs before it, found {size};"
                    " pass arrays of one size"
                )
            found = size
    if found == 0 and (whole := next((t for t in outputs if t.dynamic is None), None)):
        raise SpecError(
            f"expected a dynamic size of 1 to {bound}, found 0, of which {whole} is no empty result, for {where}; leave"
            " out the call"
        )
    return bound if found is None else found


@lru_cache(1 << 14)
def numbers(x: Any) -> tuple[OfSize, ...]:
    """All in `x`, an expression, or a tuple or dataclass of some, that follows from the dynamic size, each once."""
    if isinstance(x, OfSize):
        return (x,)
    inner = x if isinstance(x, tuple) else [getattr(x, f.name) for f in fields(x)] if is_dataclass(x) else ()
    return tuple(dict.fromkeys(number for y in inner for number in numbers(y)))


def at_size(x: Any, size: int, met: dict[int, tuple[Any, Any]] | None = None) -> Any:
    """`x`, an expression, or a tuple or dataclass of some, as it is at one dynamic size; itself where nothing in it
    follows from that."""
    met = {} if met is None else met
    if isinstance(x, OfSize):
        return x.at(size)
    if id(x) not in met:
        met[id(x)] = x, _at_size(x, size, met)
    return met[id(x)][1]


def _at_size(x: Any, size: int, met: dict[int, tuple[Any, Any]]) -> Any:
    if isinstance(x, tuple):
        found = tuple(at_size(y, size, met) for y in x)
        return x if all(a is b for a, b in zip(x, found)) else found
    if not is_dataclass(x) or isinstance(x, type):
        return x
    inner = {f.name: getattr(x, f.name) for f in fields(x) if f.init}
    changed = {name: now for name, before in inner.items() if (now := at_size(before, size, met)) is not before}
    return replace(x, **changed) if changed else x
