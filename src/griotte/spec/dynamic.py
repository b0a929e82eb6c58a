"""A size known only up to a bound: the dimension of a Spec that has it, and which Specs may have one.

No pitch depends on the size: an array whose dynamic axis is not its slowest lies as one of the bound does, and a smaller size is a
shorter run of rows in each part of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod

from ..errors import SpecError
from .expr import SIZE, Call, Const, Expr, OfSize
from .tensor import TensorType


@dataclass(frozen=True)
class Dynamic:
    """Dimension `dim` takes the sizes unit, 2 * unit, .., bound * unit. In a Spec as stated `unit` is 1; in its canonical
    form it is what the joined dimensions inside have together."""

    dim: str
    bound: int
    unit: int = 1

    @property
    def extents(self) -> tuple[int, ...]:
        return tuple(range(self.unit, self.bound * self.unit + 1, self.unit))


def dynamic_dim(operation, tensors) -> str | None:
    """The dimension along which the dynamic axes of `tensors` (inputs, perhaps the output) lie; SpecError for several."""
    found: dict[str, TensorType] = {}
    for access, tensor in zip(operation.accesses, tensors):
        if tensor.dynamic is not None:
            for dim, _ in access.axes[tensor.dynamic]:
                found.setdefault(dim, tensor)
    if len(found) > 1:
        raise SpecError(f"expected one dynamic size in a {operation.name}, found {len(found)}, in {' and '.join(map(str, found.values()))}; fix all but one")
    return next(iter(found), None)


def of_count(x: TensorType, axes: tuple[int, ...], formula: Callable[[Expr], Expr] = lambda n: n) -> Expr:
    """What `formula` makes of the number of elements that x has along `axes`: a Const, or where one is dynamic an OfSize."""
    fixed = Const(prod(x.shape[axis] for axis in axes if axis != x.dynamic))
    if x.dynamic in axes:
        return OfSize(formula(Call("mul", (SIZE, fixed)) if fixed.value > 1 else SIZE))
    found = formula(fixed)
    return found if isinstance(found, Const) else OfSize(found).at(1)


def dynamic_input(inputs) -> Dynamic | None:
    """The dynamic size of a composition, by what its inputs say; SpecError where those differ."""
    found = {t.shape[t.dynamic]: t for t in inputs if t.dynamic is not None}
    if len(found) > 1:
        raise SpecError(f"expected one dynamic size, found {len(found)}, in {' and '.join(map(str, found.values()))}; fix all but one")
    return Dynamic("", next(iter(found))) if found else None


def marked(operation, inputs, output: TensorType) -> TensorType:
    """`output` with the dynamic size of the inputs along its axis."""
    dim = dynamic_dim(operation, inputs)
    axis = -1 if dim is None else operation.output.axis_of(dim)
    return output if axis < 0 else replace(output, dynamic=axis)


def dynamic_of(operation, sizes: dict[str, int], tensors) -> Dynamic | None:
    """The dynamic size of a Spec as stated, None where it has none; SpecError where it may not be dynamic."""
    dim = dynamic_dim(operation, tensors)
    if dim is None:
        return None
    bound, one = sizes[dim], next(t for t in tensors if t.dynamic is not None)
    for access, tensor in zip(operation.accesses, tensors):
        if dim in access.dims:
            _check(access, tensor, access.axis_of(dim), bound, one)
    return Dynamic(dim, bound)


def _check(access, tensor: TensorType, axis: int, bound: int, one: TensorType) -> None:
    if tensor.dynamic is None and bound > 1:  # of a bound of 1 what is spread along it cannot be told from what has it
        raise SpecError(f"expected <={bound} at axis {axis} of {tensor}, which runs along the dynamic size of {one}, found {tensor.shape[axis]}; write <={bound} there too")
    if not (access.is_plain(axis) and access.is_whole(axis)):
        raise SpecError(f"expected a dynamic axis of which each element is met in turn, found axis {axis} of {tensor}; write the bound as the size")


def is_pitched(shape: tuple[int, ...], minor_to_major: tuple[int, ...], dynamic: int | None) -> bool:
    """Whether an array of fewer than the bound lies as one of the bound does, with gaps: some axis is slower than the dynamic one."""
    return dynamic is not None and any(shape[axis] > 1 for axis in minor_to_major[minor_to_major.index(dynamic) + 1 :])


def resized(tensor: TensorType, axis: int, size: int) -> TensorType:
    """`tensor` with this size along the axis, fixed; itself where the axis is -1, none."""
    if axis < 0:
        return tensor
    return replace(tensor, shape=(*tensor.shape[:axis], size, *tensor.shape[axis + 1 :]), dynamic=None)


def size_of(spec, shapes) -> int:
    """The dynamic size that arrays of these shapes, one per input, have; SpecError where they disagree, or it is above the
    bound. Other sizes are not looked at."""
    found = None
    for i, (tensor, shape) in enumerate(zip(spec.inputs, shapes)):
        if tensor.dynamic is None or len(shape) != tensor.rank:
            continue
        size = shape[tensor.dynamic]
        if not size <= spec.dynamic.bound:
            raise SpecError(f"expected at most {spec.dynamic.bound} at axis {tensor.dynamic} of input {i}, {tensor}, found {size}; pass fewer at a time, or make a Spec with a larger bound")
        if found not in (None, size):
            raise SpecError(f"expected {found} at axis {tensor.dynamic} of input {i}, {tensor}, as in the inputs before it, found {size}; pass arrays of one size")
        found = size
    if found == 0 and (whole := next((t for t in spec.outputs if t.dynamic is None), None)):
        raise SpecError(f"expected a dynamic size of 1 to {spec.dynamic.bound}, found 0, of which {whole} is no empty result, for {spec}; leave out the call")
    return spec.dynamic.bound if found is None else found
