"""The canonical form of a Spec of one nest: no axis of size 1 that nobody asked to keep, and dimensions that run
together in every operand joined into one, so that `add` of two row-major 8x4x2 tensors is a 64-long vector operation.
"""

from __future__ import annotations

from dataclasses import replace

from .dynamic import Dynamic
from .operation import Access, Operation
from .spec import Spec
from .tensor import TensorType


def of_one_nest(spec: Spec) -> Spec:
    """Axes of whole groups split, no axis of size 1 that nobody keeps, runs of dimensions joined, dimensions renamed in
    order (but those kept), at least one dimension."""
    return _renamed(_coalesced(_without_units(_ungrouped(_with_a_dimension(spec)))))


def _with_a_dimension(spec: Spec) -> Spec:
    """A map over scalars as a map over one dimension of size 1."""
    if spec.sizes:
        return spec
    nest = replace(
        spec.operation, dims=("i0",), inputs=tuple(Access.of("i0") for _ in spec.inputs), output=Access.of("i0")
    )
    inputs = tuple(replace(t, shape=(1,), minor_to_major=(0,)) for t in spec.inputs)
    return Spec(nest, (1,), inputs, replace(spec.output, shape=(1,), minor_to_major=(0,)), spec.text)


def _ungrouped(spec: Spec) -> Spec:
    """An axis that two dimensions step through as one number, `g*8+c` with c below 8, as two axes."""
    split = [_split_axes(access, tensor, spec.size) for access, tensor in zip(spec.operation.accesses, spec.tensors)]
    if all(access is old for (access, _), old in zip(split, spec.operation.accesses)):
        return spec
    accesses, tensors = zip(*split)
    operation = replace(spec.operation, inputs=tuple(accesses[:-1]), output=accesses[-1])
    return Spec(operation, spec.sizes, tuple(tensors[:-1]), tensors[-1], spec.text, spec.dynamic)


def _split_axes(access: Access, tensor: TensorType, size: dict[str, int]) -> tuple[Access, TensorType]:
    for axis, terms in enumerate(access.axes):
        if len(terms) != 2 or not access.is_whole(axis):
            continue
        (outer, factor), (inner, one) = terms
        if one == 1 and factor == size[inner]:
            axes = (*access.axes[:axis], ((outer, 1),), ((inner, 1),), *access.axes[axis + 1 :])
            border = access.border and access.border.split(axis, 1)
            shape = (*tensor.shape[:axis], size[outer], size[inner], *tensor.shape[axis + 1 :])
            order = [
                a for old in tensor.minor_to_major for a in ((axis + 1, axis) if old == axis else (old + (old > axis),))
            ]
            return _split_axes(
                Access(axes, border), TensorType(tensor.dtype, shape, tuple(order), tensor.constant), size
            )
    return access, tensor


def _renamed(spec: Spec) -> Spec:
    op = spec.operation
    names = {d: d if d in op.keep else f"i{i}" for i, d in enumerate(op.dims)}
    picks = tuple((names[d], i) for d, i in op.picks)
    nest = replace(
        op,
        dims=tuple(names[d] for d in op.dims),
        inputs=tuple(a.renamed(names) for a in op.inputs),
        output=op.output.renamed(names),
        picks=picks,
    )
    return replace(spec, operation=nest, dynamic=spec.dynamic and spec.dynamic.renamed(names))


def _without_units(spec: Spec) -> Spec:
    """Drop dimensions of size 1 (but those the operation keeps) and the axes that only they moved."""
    op = spec.operation
    dropped = {
        d for d in op.dims if spec.size[d] == 1 and d not in op.keep and not (spec.dynamic and d in spec.dynamic.dims)
    }
    if len(dropped) == len(op.dims):
        dropped.discard(op.dims[-1])
    dims = tuple(d for d in op.dims if d not in dropped)
    accesses, tensors = [], []
    for access, tensor in zip(op.accesses, spec.tensors):
        axes = tuple(tuple(t for t in axis if t[0] not in dropped) for axis in access.axes)
        kept = [i for i, axis in enumerate(axes) if axis or not access.is_whole(i)]
        order = [kept.index(a) for a in tensor.minor_to_major if a in kept]
        # an axis of size 1 that nothing reaches beyond has no place in memory: count it as slowest
        placed = lambda i: tensor.shape[kept[i]] > 1 or not access.is_whole(kept[i])
        order.sort(key=lambda i: -len(kept) if placed(i) else -i)
        accesses.append(Access(axes, access.border).on(kept))
        tensors.append(TensorType(tensor.dtype, tuple(tensor.shape[i] for i in kept), tuple(order), tensor.constant))
    combine = op.combine if any(d not in accesses[-1].dims for d in dims) else None  # a reduction over nothing is a map
    operation = Operation(op.name, dims, tuple(accesses[:-1]), accesses[-1], op.body, combine, op.keep, picks=op.picks)
    return Spec(operation, tuple(spec.size[d] for d in dims), tuple(tensors[:-1]), tensors[-1], spec.text, spec.dynamic)


def _coalesced(spec: Spec) -> Spec:
    """Join dimension pairs (outer, inner) that are neighbours in memory in every operand that has either."""
    while True:
        pair = next(
            (p for p in _pairs(spec) if all(_joins(a, t, *p) for a, t in zip(spec.operation.accesses, spec.tensors))),
            None,
        )
        if pair is None:
            return spec
        spec = _joined(spec, *pair)


def _pairs(spec: Spec):
    op = spec.operation
    for outer in op.dims:
        for inner in op.dims:
            is_pitched = spec.dynamic is not None and not spec.dynamic.may_join(outer, inner)
            if (
                outer != inner
                and not is_pitched
                and (outer in op.parallel) == (inner in op.parallel)
                and not (outer in op.keep and inner in op.keep)
            ):
                yield outer, inner


def _joins(access: Access, tensor: TensorType, outer: str, inner: str) -> bool:
    has = (outer in access.dims, inner in access.dims)
    if has == (False, False):
        return True
    if has != (True, True):
        return False
    if any([d for axis in access.axes for d, _ in axis].count(dim) > 1 for dim in (outer, inner)):
        return False
    i, j = access.axis_of(outer), access.axis_of(inner)
    order = tensor.minor_to_major
    return (
        i != j
        and access.is_whole(j)
        and access.is_plain(i)
        and access.is_plain(j)
        and order.index(i) == order.index(j) + 1
    )


def _joined(spec: Spec, outer: str, inner: str) -> Spec:
    op = spec.operation
    name = outer if outer in op.keep else inner
    rest = {outer, inner} - {name}
    dims = tuple(d for d in op.dims if d not in rest)
    sizes = tuple(spec.size[outer] * spec.size[inner] if d == name else spec.size[d] for d in dims)
    accesses, tensors = [], []
    for access, tensor in zip(op.accesses, spec.tensors):
        if inner not in access.dims:
            accesses.append(access)
            tensors.append(tensor)
            continue
        i, j = access.axis_of(outer), access.axis_of(inner)
        kept = [a for a in range(tensor.rank) if a != i]
        axes = tuple(((name, 1),) if a == j else access.axes[a] for a in kept)
        border = access.border and access.border.joined(i, j, tensor.shape[j])
        shape = tuple(tensor.shape[i] * tensor.shape[j] if a == j else tensor.shape[a] for a in kept)
        order = tuple(kept.index(a) for a in tensor.minor_to_major if a != i)
        accesses.append(Access(axes, border))
        tensors.append(TensorType(tensor.dtype, shape, order, tensor.constant))
    operation = Operation(
        op.name, dims, tuple(accesses[:-1]), accesses[-1], op.body, op.combine, op.keep, picks=op.picks
    )
    dynamic = spec.dynamic
    if dynamic and dynamic.dim == outer:
        dynamic = Dynamic(name, dynamic.bound, dynamic.unit * spec.size[inner])
    return Spec(operation, sizes, tuple(tensors[:-1]), tensors[-1], spec.text, dynamic)
