"""What a Spec means, in NumPy: slow, obviously right, the same few lines for every operation.

`interpret` walks the nest in blocks. Where the compute dtype is a float, body and sums are in float64 and the result is
rounded once, so it is nearly exact. Where it is an integer, they are in that integer type and wrap, and a narrower
result saturates once. How near a kernel must come to this is in `compare`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

import numpy as np

from ...support.errors import SpecError
from ..calls.spec import Spec
from ..functions import COMBINERS, Combiner
from ..nests.access import Access, Border
from ..types.dtypes import as_scalar, convert, dtype, from_numpy, is_number, require_unmasked, strided
from ..types.dynamic import size_of
from ..types.expr import IOTA, WEIGHED, computed_in, evaluate
from ..types.tensor import TensorType, row_major
from .bodies import Nudge, body_value, contracted, is_matrix_product

_BLOCK = 1 << 21  # elements of float64 held at a time: 16 MiB, a few temporaries of it beside


def interpret(spec: Spec, *arrays: np.ndarray) -> Any:
    """The result of `spec` on `arrays`, in the declared layout of its output, or of several outputs a tuple; SpecError
    where an array does not fit its input. A dynamic size is that of the arrays; of size 0 the result is empty."""
    if spec.dynamic:
        shapes = [np.shape(array) for array in arrays]
        size = size_of(spec.inputs, spec.outputs, spec.dynamic.bound, shapes, spec)
        if size == 0:
            return empty_outputs(spec)
        spec = spec.at(size)
    graph, tensors = spec.graph, dict[object, Any]()
    tensors |= {value.key: array for value, array in zip(graph.inputs, check_arrays(spec, arrays))}
    last = {read.key: value for value in graph.calls for read in value.values}
    for value in graph.calls:  # what one gives is rounded to its dtype, and held until it was read for the last time
        given = check_arrays(value.spec, [tensors[read.key] for read in value.values])
        tensors[value] = _stored(value.spec, accumulate(value.spec, given))
        for key in {read.key for read in value.values} - {*graph.gives}:
            if last[key] is value:
                del tensors[key]
    return one_or_all([tensors[value] for value in graph.gives])


def one_or_all(results: Sequence[Any]) -> Any:
    """The only one of some, or all as a tuple."""
    return results[0] if len(results) == 1 else tuple(results)


def empty_outputs(spec: Spec, size: int = 0) -> Any:
    """Uninitialised arrays for what a Spec, at a dynamic size, gives: one, or a tuple."""
    return one_or_all([part(tensor, size) for tensor in spec.outputs])


def check_arrays(spec: Spec, arrays) -> list[np.ndarray]:
    """The arrays, numbers as arrays of rank 0; SpecError unless there is one per input, of its dtype and shape. Strides
    are free."""
    if len(arrays) != len(spec.inputs):
        raise SpecError(
            f"expected {len(spec.inputs)} arrays for {spec}, found {len(arrays)}; pass one per input, in order of"
            " appearance"
        )
    arrays = [
        as_scalar(a, t.dtype, f"input {i}, {t}") if not t.rank and is_number(a) else a
        for i, (a, t) in enumerate(zip(arrays, spec.inputs))
    ]
    for i, (array, tensor) in enumerate(zip(arrays, spec.inputs)):
        if not isinstance(array, (np.ndarray, np.generic)):
            raise SpecError(
                f"expected a NumPy array for input {i}, {tensor}, found {type(array).__name__}; use numpy.asarray"
            )
        require_unmasked(array, f"input {i}, {tensor}")
        if from_numpy(array.dtype) != tensor.dtype:
            raise SpecError(
                f"expected dtype {tensor.dtype} for input {i}, {tensor}, found {from_numpy(array.dtype)}; use"
                f" astype({dtype(tensor.dtype).numpy})"
            )
        if array.shape != tensor.shape:
            raise SpecError(
                f"expected shape {list(tensor.shape)} for input {i}, {tensor}, found {list(array.shape)}; use reshape,"
                " or make a Spec of that shape"
            )
    return [np.asarray(a) for a in arrays]


def bordered(array: np.ndarray, border: Border | None) -> np.ndarray:
    """All that an access with this border spans: the tensor's array with the border around it, without the elements
    that are not touched."""
    if border is None:
        return array
    inner = array[
        tuple(slice(max(0, -before), n - max(0, -after)) for n, (before, after) in zip(array.shape, border.sides))
    ]
    fill = convert(np.asarray(border.fill), from_numpy(array.dtype))
    return np.pad(inner, [(max(0, before), max(0, after)) for before, after in border.sides], constant_values=fill)


def picked(spec: Spec, arrays) -> tuple[Spec, list[np.ndarray]]:
    """A nest in which no dimension is picked, over what the indices, clamped, pick of each array."""
    arrays = list(arrays)
    for dim, i in spec.operation.picks:
        op, last = spec.operation, spec.size[dim] - 1
        index = np.clip(np.asarray(arrays[i]).astype(np.int64), 0, last)
        over = lambda access: Access(
            tuple(of for terms in access.axes for of in (op.inputs[i].axes if terms == ((dim, 1),) else (terms,)))
        )
        arrays = [
            np.take(a, index, access.axis_of(dim)) if dim in access.dims else a for a, access in zip(arrays, op.inputs)
        ]
        inputs = tuple(map(over, op.inputs))
        nest = replace(
            op,
            dims=tuple(d for d in op.dims if d != dim),
            inputs=inputs,
            picks=tuple(p for p in op.picks if p[0] != dim),
        )
        sizes = {d: n for d, n in spec.size.items() if d != dim}
        tensors = tuple(
            TensorType(t.dtype, access.shape(sizes), row_major(len(access.axes)))
            for t, access in zip(spec.inputs, inputs)
        )
        spec = Spec(nest, tuple(sizes.values()), tensors, spec.output)
    return spec, arrays


def empty(tensor: TensorType) -> np.ndarray:
    """An uninitialised array of the tensor's dtype and shape whose strides are those of its layout."""
    major_to_minor = tensor.minor_to_major[::-1]
    array = np.empty([tensor.shape[axis] for axis in major_to_minor], dtype(tensor.dtype).numpy)
    return array.transpose(np.argsort(major_to_minor)) if tensor.rank else array


def part(tensor: TensorType, size: int) -> np.ndarray:
    """An uninitialised array of a tensor's type and, where that is dynamic, of this size: a part of one of the
    bound."""
    return empty(tensor)[
        (*(slice(size) if axis in tensor.dynamic_axes else slice(None) for axis in range(tensor.rank)), ...)
    ]


def as_parts(spec: Spec, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The arrays as a kernel of a dynamic size takes them: each that has it copied into a part of an array of the
    bound."""
    found = list(arrays)
    for i, (array, tensor) in enumerate(zip(arrays, spec.inputs)):
        if tensor.dynamic is not None:
            found[i] = part(tensor, array.shape[tensor.dynamic])
            found[i][...] = array
    return found


# The nest


def accumulate(
    spec: Spec,
    arrays,
    *,
    norm: int = 0,
    nudge: Nudge | None = None,
    fused: bool = False,
    change: Callable[[np.ndarray], np.ndarray] | None = None,
) -> np.ndarray:
    """The nest's value before it is converted to the output's dtype, one axis per parallel dimension: float64 or the
    integer compute dtype. With `norm`, of the absolute values of the terms to that power, those that are not finite
    left out; with `change`, of what that makes of the terms. With `fused`, a product that feeds a sum is not rounded on
    the way: nor is an f64 array, of what a call before gave, that is read by one."""
    spec, arrays = picked(spec, arrays)
    nest, acc = spec.operation, dtype(spec.accumulator)
    compute = np.dtype(np.float64) if acc.kind == "float" else acc.numpy
    if nest.body == IOTA:
        return np.arange(spec.output.elements).reshape(spec.output.shape).astype(compute)
    combine = COMBINERS[nest.combine] if nest.combine else None
    arrays = [bordered(a, access.border) for a, access in zip(arrays, nest.inputs)]
    contracts, is_mixed = is_matrix_product(spec), bool(computed_in(nest.body, ""))
    if nest.body == WEIGHED and not all(np.isfinite(np.asarray(a).astype(np.float64)).all() for a in arrays[:2]):
        contracts = False
    total = np.empty([spec.size[d] for d in nest.parallel], compute)
    total[...] = combine.identity(compute) if combine else 0
    for block in _blocks(spec, contracts):
        args = [_view(a, access, nest.dims, block) for a, access in zip(arrays, nest.inputs[: nest.streamed])]
        args = (
            args
            if is_mixed
            else [
                a if fused and not contracts and a.dtype == compute else convert(a, acc.name).astype(compute)
                for a in args
            ]
        )
        here = tuple(block[nest.dims.index(d)] for d in nest.parallel)
        with np.errstate(all="ignore"):
            if contracts:
                total[here] += contracted(spec, *(_powered(a, norm) if norm else a for a in args))
                continue
            if is_mixed:
                values = evaluate(nest.body, args, acc.numpy).astype(compute)
            else:
                values = body_value(
                    nest.body, [_finite(a) for a in args] if norm else args, acc.name, compute, nudge, fused
                )
            values = change(values) if change else values
            values = np.broadcast_to(_powered(values, norm) if norm else values, [s.stop - s.start for s in block])
            total[here] = (
                combine.ufunc(total[here], _reduced(spec, combine, values))
                if combine
                else values.reshape(total[here].shape)
            )
    return total


def _finite(array: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(array), array, 0)


def _powered(array: np.ndarray, norm: int) -> np.ndarray:
    return np.abs(_finite(array)) ** norm


def _reduced(spec: Spec, combine: Combiner, values: np.ndarray) -> np.ndarray:
    axes = tuple(spec.operation.dims.index(d) for d in spec.operation.reduction)
    return combine.ufunc.reduce(values, axis=axes, dtype=values.dtype) if axes else values


def _blocks(spec: Spec, is_product: bool) -> Iterator[tuple[slice, ...]]:
    """The nest cut into boxes, one slice per dimension, so small that a box of temporaries fits `_BLOCK`."""
    step = dict(spec.size)
    touched = spec.operation.accesses

    def held() -> int:
        if is_product:
            return max(prod(step[d] for d in a.dims) for a in touched)
        return prod(step.values())

    while step and held() > _BLOCK:
        largest = max((d for a in touched for d in a.dims), key=step.__getitem__)
        step[largest] = -(-step[largest] // 2)
    ranges = [[slice(i, min(i + step[d], size)) for i in range(0, size, step[d])] for d, size in spec.size.items()]
    return product(*ranges)


def over_windows(spec: Spec, arrays) -> list[np.ndarray]:
    """The arrays over the dimensions of a nest: what an access reaches beyond one is around it, windows overlap."""
    every = tuple(slice(0, n) for n in spec.sizes)
    return [
        _view(bordered(a, access.border), access, spec.operation.dims, every)
        for a, access in zip(arrays, spec.operation.inputs)
    ]


def _view(array: np.ndarray, access: Access, dims: tuple[str, ...], block: tuple[slice, ...]) -> np.ndarray:
    """The block's elements of `array` over the dimensions of the nest; length 1 where a dimension does not move it."""
    strides = dict.fromkeys(dims, 0)
    corner = []
    for axis, terms in enumerate(access.axes):
        corner.append(sum(block[dims.index(d)].start * c for d, c in terms))
        for d, c in terms:
            strides[d] += c * array.strides[axis]
    shape = [s.stop - s.start if d in access.dims else 1 for d, s in zip(dims, block)]
    return strided(array[tuple(slice(i, None) for i in corner)], shape, [strides[d] for d in dims], writeable=False)


def _stored(spec: Spec, total: np.ndarray) -> np.ndarray:
    """The accumulated nest as the output tensor: converted, and laid out."""
    return laid_out(spec, finish(spec, total), empty(spec.output))


def laid_out(spec: Spec, values: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """Values over the parallel dimensions of a nest as an array over its output's axes: `out`, or a fresh one of their
    dtype."""
    out = np.empty(spec.output.shape, values.dtype) if out is None else out
    nest = spec.operation
    strides = dict.fromkeys(nest.parallel, 0)
    for axis, terms in enumerate(nest.output.axes):
        for d, c in terms:
            strides[d] += c * out.strides[axis]
    view = strided(out, values.shape, [strides[d] for d in nest.parallel])
    view[...] = values
    return out


def over_dimensions(spec: Spec, result: np.ndarray) -> np.ndarray:
    """An array over a nest's output axes with one axis per parallel dimension: `laid_out` undone."""
    nest = spec.operation
    strides = dict.fromkeys(nest.parallel, 0)
    for axis, terms in enumerate(nest.output.axes):
        for d, c in terms:
            strides[d] += c * result.strides[axis]
    return strided(result, [spec.size[d] for d in nest.parallel], [strides[d] for d in nest.parallel], writeable=False)


def finish(spec: Spec, total: np.ndarray) -> np.ndarray:
    """The accumulated nest in the output's dtype: rounded once to a narrower float, else as the accumulator gives
    it."""
    row = dtype(spec.output.dtype)
    if row.kind == "float" and row.bits < dtype(spec.accumulator).bits:
        return convert(total, row.name)
    return convert(convert(total, spec.accumulator), row.name)
