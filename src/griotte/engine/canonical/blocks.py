"""Tensors whose axis lies in blocks, read and written in place.

    x: f32[n, c, h, w], its channels in blocks of 16    reshape(transpose(f32[n, c/16, h, w, 16], perm=(0, 1, 4, 2, 3)))
    y, stored so                                        transpose(reshape(y), perm=(0, 1, 3, 4, 2))

Once the axis is split, either is a copy in which axes change places. Whatever reads the one may as well read the array
that comes in, and whatever computes y may write it where the last copy does.
"""

from __future__ import annotations

from dataclasses import replace

from ...lang.nests.access import Access
from ...lang.nests.builder import Name, SizedBuilder
from ...lang.nests.operation import Nest
from ...lang.types.expr import Arg


class Blocks:
    """The copies of a composition that part or join axes, found before those are split."""

    def __init__(self, builder: SizedBuilder):
        self._builder = builder
        self._parts = {t for t, nest in builder.nests.items() if _parts_axes(nest)}

    def in_place(self) -> None:
        """Let go of the copies into blocks and out of them, once axes are split and those of size 1 gone."""
        if not self._parts:
            return
        nests = self._builder.nests
        for written, nest in [*nests.items()]:
            came = [self._as_it_came(t, access) for t, access in zip(nest.reads, nest.operation.inputs)]
            reads, inputs = tuple(t for t, _ in came), tuple(access for _, access in came)
            if reads != nest.reads and written not in self._chain(written):
                nests[written] = replace(nest, reads=reads, operation=replace(nest.operation, inputs=inputs))
        for result in self._builder.results:
            self._written(result)
        self._builder.drop_unread()

    def _chain(self, tensor: Name) -> list[Name]:
        """The copies that a tensor comes by, itself first, where each only lets axes change places; none where no axis
        is parted or joined by them."""
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
    plain = all(len(axis) == 1 and axis[0][1] == 1 for access in (there, here) for axis in access.axes)
    same = builder.types[nest.reads[0]].dtype == builder.types[tensor].dtype
    return plain and same and sorted(there.axes) == sorted(here.axes)


def _only_moves(nest: Nest) -> bool:
    op = nest.operation
    is_copy = op.body == Arg(0) and len(op.inputs) == 1 and not (op.combine or op.finish or op.picks)
    return is_copy and all(access.border is None for access in op.accesses)
