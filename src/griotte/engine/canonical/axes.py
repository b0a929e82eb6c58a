"""Axes and dimensions while a canonical form is made. Axes that several dimensions count through are split. Axes of
size 1 go. Runs of dimensions that are neighbours in every tensor are joined into one.

A tensor whose axis lies in blocks is read and written in place:

    x: f32[n, c, h, w], its channels in blocks of 16    reshape(transpose(f32[n, c/16, h, w, 16], perm=(0, 1, 4, 2, 3)))
    y, stored so                                        transpose(reshape(y), perm=(0, 1, 3, 4, 2))

Once the axis is split, either is a copy in which axes change places. Whatever reads the one may as well read the array
that comes in, and whatever computes y may write it where the last copy does.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ...lang.nests.access import Access, counts
from ...lang.nests.builder import Name, SizedBuilder
from ...lang.nests.graph import Graph
from ...lang.nests.operation import Nest
from ...lang.types.dynamic import Dynamic
from ...lang.types.tensor import TensorType


def split_axes(builder: SizedBuilder) -> None:
    """Heads, and groups of heads: an axis that all accesses go through by the same dimensions is an axis for each of
    them."""
    every: dict[Name, list[Access]] = {}
    for t, access in builder.uses():
        every.setdefault(t, []).append(access)
    for t, tensor in [*builder.types.items()]:
        uses = every.get(t, [])
        for axis in reversed(range(tensor.rank)):
            ways = {tuple((builder.sizes[d], c) for d, c in access.axes[axis]) for access in uses}
            terms = uses[0].axes[axis] if uses else ()
            whole = all(access.is_whole(axis) for access in uses)
            if (
                len(terms) > 1
                and len(ways) == 1
                and whole
                and counts(terms, builder.sizes) == tensor.shape[axis]
                and axis not in tensor.dynamic_axes
            ):
                _split_axis(builder, t, axis, [builder.sizes[d] for d, _ in terms])


def _split_axis(builder: SizedBuilder, t: Name, axis: int, extents: list[int]) -> None:
    tensor, more = builder.types[t], len(extents) - 1
    axes = lambda access: (
        *access.axes[:axis],
        *(((d, 1),) for d, _ in access.axes[axis]),
        *access.axes[axis + 1 :],
    )
    over = lambda access: Access(axes(access), access.border and access.border.split(axis, more))
    moved = lambda a: a + more * (a > axis)
    order = tuple(
        b for a in tensor.minor_to_major for b in (reversed(range(axis, axis + more + 1)) if a == axis else (moved(a),))
    )
    dynamic, tied = (None if a is None else moved(a) for a in (tensor.dynamic, tensor.tied))
    builder.types[t] = TensorType(
        tensor.dtype,
        (*tensor.shape[:axis], *extents, *tensor.shape[axis + 1 :]),
        order,
        tensor.constant,
        dynamic,
        tied=tied,
    )
    builder.over(lambda u, access: over(access) if u == t else access)


def is_written_apart(builder: SizedBuilder) -> bool:
    """Whether each axis of the tensors between nests is written along one dimension alone."""
    *between, _ = builder.nests.values()
    return all(len(axis) < 2 for nest in between for axis in nest.operation.output.axes)


def drop_units(builder: SizedBuilder, dynamic: Dynamic | None) -> None:
    """Drop the axes of size 1 that nothing reaches beyond, and the dimensions of size 1 that nobody asked to keep."""
    gone, types = _units(builder, dynamic), builder.types
    beyond = {
        (t, axis) for t, access in builder.uses() for axis in range(len(access.axes)) if not access.is_whole(axis)
    }
    met = beyond | {
        (t, axis)
        for t, access in builder.uses()
        for axis, terms in enumerate(access.axes)
        if any(d not in gone for d, _ in terms)
    }
    left = {t: [axis for axis in range(tensor.rank) if (t, axis) in met] for t, tensor in types.items()}
    without = lambda access: replace(
        access, axes=tuple(tuple(term for term in axis if term[0] not in gone) for axis in access.axes)
    )
    for name, nest in builder.nests.items():
        op, dims = nest.operation, tuple(d for d in nest.operation.dims if d not in gone)
        combine = op.combine if any(d not in op.output.dims for d in dims) else None
        builder.nests[name] = nest.over(name, lambda t, access: without(access).on(left[t]), dims=dims, combine=combine)
    for t, tensor in types.items():
        order = [left[t].index(a) for a in tensor.minor_to_major if a in left[t]]
        # an axis of size 1 that nothing reaches beyond has no place in memory: it counts as slowest
        is_placed = lambda i: tensor.shape[left[t][i]] > 1 or (t, left[t][i]) in beyond
        order.sort(key=lambda i: -tensor.rank if is_placed(i) else -i)
        at, tied = (left[t].index(a) if a in left[t] else None for a in (tensor.dynamic, tensor.tied))
        types[t] = TensorType(
            tensor.dtype, tuple(tensor.shape[a] for a in left[t]), tuple(order), tensor.constant, at, tied=tied
        )
    builder.sizes = {d: n for d, n in builder.sizes.items() if d not in gone}


def _units(builder: SizedBuilder, dynamic: Dynamic | None) -> set[str]:
    """The dimensions of size 1 that go: every nest has one at least."""
    stay = builder.keep | {*(dynamic.dims if dynamic else ())}
    gone = {d for d, n in builder.sizes.items() if n == 1 and d not in stay}
    if len(gone) == len(builder.sizes):
        gone.discard(next(reversed(builder.sizes)))
    for nest in builder.nests.values():
        if set(nest.operation.dims) <= gone:
            gone.discard(nest.operation.dims[-1])
    return gone


def is_joined(operation: Graph) -> bool:
    """Whether one search may take the nests of a graph together: each axis of its intermediates is written along one
    dimension alone. An axis that a reshape makes of several is not, where its readers do not go by the same."""
    return all(len(axis) < 2 for t in operation.unplaced for axis in operation.access(t).axes)


def join_runs(
    builder: SizedBuilder, dynamic: Dynamic | None = None, apart: Collection[str] = ()
) -> tuple[Dynamic | None, dict[str, tuple[str, ...]]]:
    """Join all dimensions that may be joined, none of them `apart`: the name of each is one of theirs. The dynamic size
    along the dimensions that are left, and of each dimension those that it is made of."""
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


class Blocks:
    """The copies of a composition that part or join axes, found before those are split."""

    def __init__(self, builder: SizedBuilder):
        self._builder = builder
        self._parts = {t for t, nest in builder.nests.items() if _parts_axes(nest)}

    def in_place(self) -> None:
        """Drop the copies into blocks and out of them, once axes are split and those of size 1 gone."""
        if not self._parts:
            return
        nests = self._builder.nests
        for written, nest in [*nests.items()]:
            came = [self._as_it_came(t, access) for t, access in nest.uses]
            reads, inputs = tuple(t for t, _ in came), tuple(access for _, access in came)
            if reads != nest.reads and written not in self._chain(written):
                nests[written] = replace(nest, reads=reads, operation=replace(nest.operation, inputs=inputs))
        for result in self._builder.results:
            self._written(result)
        self._builder.drop_unread()

    def _chain(self, tensor: Name) -> list[Name]:
        """The chain of copies that a tensor comes by, itself first. Each copy only permutes axes. Empty unless one of
        them splits or joins an axis."""
        found: list[Name] = []
        while tensor in self._builder.nests and _moves(self._builder, tensor):
            found.append(tensor)
            tensor = self._builder.nests[tensor].reads[0]
        return found if self._parts & {*found} else []

    def _as_it_came(self, tensor: Name, access: Access) -> tuple[Name, Access]:
        """An access to what copies give as one to the input that they are of."""
        chain, nests = self._chain(tensor), self._builder.nests
        source = nests[chain[-1]].reads[0] if chain else tensor
        if not chain or source in nests or self._builder.types[source].constant:
            return tensor, access
        for t in chain:
            op = nests[t].operation
            access = access.on([op.output.axes.index(axis) for axis in op.inputs[0].axes])
        return source, access

    def _written(self, result: Name) -> None:
        """Let what computes the source of copies write their result, where nothing else reads it."""
        chain, nests = self._chain(result), self._builder.nests
        source = nests[chain[-1]].reads[0] if chain else None
        readers = lambda tensor: sum(nest.reads.count(tensor) for nest in nests.values())
        if source not in nests or any(t in self._builder.results or readers(t) != 1 for t in (source, *chain[1:])):
            return
        nest, output = nests[source], nests[source].operation.output
        for t in reversed(chain):
            op = nests[t].operation
            output = output.on([op.inputs[0].axes.index(axis) for axis in op.output.axes])
        nests[result] = replace(nest, operation=replace(nest.operation, output=output))


def _parts_axes(nest: Nest) -> bool:
    return _only_moves(nest) and any(len(axis) > 1 for access in nest.operation.accesses for axis in access.axes)


def _moves(builder: SizedBuilder, tensor: Name) -> bool:
    """Whether a tensor is what its nest reads, its axes in another order."""
    nest = builder.nests[tensor]
    if not _only_moves(nest):
        return False
    there, here = nest.operation.accesses
    same = builder.types[nest.reads[0]].dtype == builder.types[tensor].dtype
    return same and there.is_direct and here.is_direct and sorted(there.axes) == sorted(here.axes)


def _only_moves(nest: Nest) -> bool:
    op = nest.operation
    return op.is_copy and len(op.inputs) == 1 and all(access.border is None for access in op.accesses)
