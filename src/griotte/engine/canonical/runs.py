"""Runs of dimensions that are neighbours in every tensor, joined into one."""

from __future__ import annotations

from collections.abc import Collection

from ...lang.nests.access import Access
from ...lang.nests.builder import Name, SizedBuilder
from ...lang.types.dynamic import Dynamic
from ...lang.types.tensor import TensorType


def join_runs(
    builder: SizedBuilder, dynamic: Dynamic | None = None, apart: Collection[str] = ()
) -> tuple[Dynamic | None, dict[str, tuple[str, ...]]]:
    """Make one of all dimensions that may be joined, none of them `apart`: the name of each is one of theirs. The
    dynamic size along what is left, and of each dimension those that it is made of."""
    olds: dict[str, tuple[str, ...]] = {d: (d,) for d in builder.sizes}
    while (pair := _pair(builder, dynamic, apart)) is not None:
        outer, inner = pair
        name = outer if outer in builder.keep else inner
        if dynamic and dynamic.dim == outer:
            dynamic = Dynamic(name, dynamic.bound, dynamic.unit * builder.sizes[inner])
        olds[name] = olds.pop(outer) + olds.pop(inner)
        _join(builder, outer, inner, name)
    return dynamic, olds


def _pair(builder: SizedBuilder, dynamic: Dynamic | None, apart: Collection[str]) -> tuple[str, str] | None:
    """Two dimensions, outer and inner, that may be joined."""
    keep, dims = builder.keep, [d for d in builder.sizes if d not in apart]
    may = dynamic.may_join if dynamic else lambda outer, inner: True
    pairs = (
        (outer, inner)
        for outer in dims
        for inner in dims
        if outer != inner and may(outer, inner) and not {outer, inner} <= keep
    )
    return next((pair for pair in pairs if _joins(builder, *pair)), None)


def _joins(builder: SizedBuilder, outer: str, inner: str) -> bool:
    for nest in builder.nests.values():
        op = nest.operation
        if (
            (outer in op.dims) != (inner in op.dims)
            or (outer in op.dims and (outer in op.parallel) != (inner in op.parallel))
            or {outer, inner} & {*op.picked}
        ):
            return False
    places: dict[Name, set[tuple[int, int]]] = {}  # of what lies between nests
    for t, access in builder.uses():
        if (outer in access.dims) != (inner in access.dims):
            return False
        if outer in access.dims and not _neighbours(access, builder.types[t], outer, inner):
            return False
        if t in builder.nests and t != builder.last:
            places.setdefault(t, set()).add((access.axis_of(outer), access.axis_of(inner)))
    return all(len(found) == 1 for found in places.values())


def _neighbours(access: Access, tensor: TensorType, outer: str, inner: str) -> bool:
    """Whether steps along `inner` and then `outer` go through the tensor's memory in one run."""
    if any([d for axis in access.axes for d, _ in axis].count(dim) > 1 for dim in (outer, inner)):
        return False
    i, j, order = access.axis_of(outer), access.axis_of(inner), tensor.minor_to_major
    return (
        i != j
        and access.is_whole(j)
        and access.is_plain(i)
        and access.is_plain(j)
        and order.index(i) == order.index(j) + 1
    )


def _join(builder: SizedBuilder, outer: str, inner: str, name: str) -> None:
    """Make two dimensions one of this name."""
    size, types = builder.sizes[outer] * builder.sizes[inner], {**builder.types}
    axes = {t: (access.axis_of(outer), access.axis_of(inner)) for t, access in builder.uses() if inner in access.dims}
    for t, (i, j) in axes.items():
        tensor, left = types[t], [a for a in range(types[t].rank) if a != i]
        shape = tuple(tensor.shape[i] * tensor.shape[j] if a == j else tensor.shape[a] for a in left)
        order = tuple(left.index(a) for a in tensor.minor_to_major if a != i)
        builder.types[t] = TensorType(tensor.dtype, shape, order, tensor.constant)

    def over(t: Name, access: Access) -> Access:
        if inner not in access.dims:
            return access
        i, j = axes[t]
        joined = tuple(((name, 1),) if a == j else axis for a, axis in enumerate(access.axes) if a != i)
        return Access(joined, access.border and access.border.joined(i, j, types[t].shape[j]))

    for t, nest in builder.nests.items():
        dims = tuple(d for d in nest.operation.dims if d == name or d not in (outer, inner))
        builder.nests[t] = nest.over(t, over, dims=dims)
    builder.sizes = {
        d: size if d == name else n for d, n in builder.sizes.items() if d == name or d not in (outer, inner)
    }
