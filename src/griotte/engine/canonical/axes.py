"""Axes of a Spec's tensors, while its canonical form is made: those that several dimensions count through are split,
those of size 1 go."""

from __future__ import annotations

from dataclasses import replace

from ...lang.nests.access import Access, counts
from ...lang.nests.builder import Name, SizedBuilder
from ...lang.nests.graph import Graph
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
    """Whether each axis of what lies between nests is written along one dimension alone."""
    *between, _ = builder.nests.values()
    return all(len(axis) < 2 for nest in between for axis in nest.operation.output.axes)


def drop_units(builder: SizedBuilder, dynamic: Dynamic | None) -> None:
    """Let go of the axes of size 1 that nothing reaches beyond, and of the dimensions of size 1 that nobody asked to
    keep."""
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
    """Whether one search may take the nests of a graph together: each axis of what lies between them is written along
    one dimension alone. What a reshape makes of several is not, where those that read it do not go by the same."""
    return all(len(axis) < 2 for t in operation.unplaced for axis in operation.access(t).axes)
