"""Tensors whose axis lies in blocks, read and written in place.

    x: f32[n, c, h, w], its channels in blocks of 16    reshape(transpose(f32[n, c/16, h, w, 16], perm=(0, 1, 4, 2, 3)))
    y, stored so                                        transpose(reshape(y), perm=(0, 1, 3, 4, 2))

Once the axis is split, either is a copy in which axes change places. Whatever reads the one may as well read the array
that comes in, and whatever computes y may write it where the last copy does.
"""

from __future__ import annotations

from dataclasses import replace

from ...lang.nests.builder import Name
from ...lang.nests.graph import Nest
from ...lang.nests.operation import Access
from ...lang.types.expr import Arg
from .work import Work


class Blocks:
    """The copies of a composition that part or join axes, found before those are split."""

    def __init__(self, work: Work):
        self._parts = {t for t, nest in work.nests.items() if _parts_axes(nest)}

    def in_place(self, work: Work) -> None:
        """Without the copies into blocks and out of them, once axes are split and those of size 1 gone."""
        if not self._parts or work.dynamic is not None:
            return
        for written, nest in [*work.nests.items()]:
            came = [self._as_it_came(work, t, access) for t, access in zip(nest.reads, nest.operation.inputs)]
            reads, inputs = tuple(t for t, _ in came), tuple(access for _, access in came)
            if reads != nest.reads and written not in self._chain(work, written):
                work.nests[written] = replace(nest, reads=reads, operation=replace(nest.operation, inputs=inputs))
        for result in work.results or (work.last,):
            self._written(work, result)
        work.drop_unread()

    def _chain(self, work: Work, tensor: Name) -> list[Name]:
        """The copies that a tensor comes by, itself first, where each only lets axes change places; none where no axis
        is parted or joined by them."""
        found: list[Name] = []
        while tensor in work.nests and _moves(work, tensor):
            found.append(tensor)
            tensor = work.nests[tensor].reads[0]
        return found if self._parts & {*found} else []

    def _as_it_came(self, work: Work, tensor: Name, access: Access) -> tuple[Name, Access]:
        """An access to what copies give as one to the input that they are of."""
        chain = self._chain(work, tensor)
        source = work.nests[chain[-1]].reads[0] if chain else tensor
        if not chain or source in work.nests or work.types[source].constant:
            return tensor, access
        for t in chain:
            op = work.nests[t].operation
            access = access.on([op.output.axes.index(axis) for axis in op.inputs[0].axes])
        return source, access

    def _written(self, work: Work, result: Name) -> None:
        """Let what computes the source of copies write their result, where nothing else reads it."""
        chain = self._chain(work, result)
        source = work.nests[chain[-1]].reads[0] if chain else None
        if source not in work.nests or any(t in work.results or _readers(work, t) != 1 for t in (source, *chain[1:])):
            return
        nest, output = work.nests[source], work.nests[source].operation.output
        for t in reversed(chain):
            op = work.nests[t].operation
            output = output.on([op.inputs[0].axes.index(axis) for axis in op.output.axes])
        work.nests[result] = replace(nest, operation=replace(nest.operation, output=output))


def _parts_axes(nest: Nest) -> bool:
    return _only_moves(nest) and any(len(axis) > 1 for access in nest.operation.accesses for axis in access.axes)


def _moves(work: Work, tensor: Name) -> bool:
    """Whether a tensor is what its nest reads, its axes in another order."""
    nest = work.nests[tensor]
    if not _only_moves(nest):
        return False
    there, here = nest.operation.accesses
    plain = all(len(axis) == 1 and axis[0][1] == 1 for access in (there, here) for axis in access.axes)
    same = work.types[nest.reads[0]].dtype == work.types[tensor].dtype
    return plain and same and sorted(there.axes) == sorted(here.axes)


def _only_moves(nest: Nest) -> bool:
    op = nest.operation
    is_copy = op.body == Arg(0) and len(op.inputs) == 1 and not (op.combine or op.finish or op.picks)
    return is_copy and all(access.border is None for access in op.accesses)


def _readers(work: Work, tensor: Name) -> int:
    return sum(nest.reads.count(tensor) for nest in work.nests.values())
