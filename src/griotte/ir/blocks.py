"""Tensors whose axis lies in blocks, read and written in place.

    x: f32[n, c, h, w], its channels in blocks of 16    reshape(transpose(f32[n, c/16, h, w, 16], perm=(0, 1, 4, 2, 3)))
    y, stored so                                        transpose(reshape(y), perm=(0, 1, 3, 4, 2))

Once the axis is split, either is a copy in which axes change places. Whatever reads the one may as well read the array
that comes in, and whatever computes y may write it where the last copy does.
"""

from __future__ import annotations

from dataclasses import replace

from .expr import Arg
from .graph import Nest
from .operation import Access
from .work import Work


class Blocks:
    """The copies of a composition that part or join axes, found before those are split."""

    def __init__(self, work: Work):
        self._parts = {j for j, nest in enumerate(work.nests) if _parts_axes(nest)}

    def in_place(self, work: Work) -> None:
        """Without the copies into blocks and out of them, once axes are split and those of size 1 gone."""
        if not self._parts or work.dynamic is not None:
            return
        for j, nest in enumerate(work.nests):
            reads, inputs = list(nest.reads), list(nest.operation.inputs)
            for i, (t, access) in enumerate(zip(reads, inputs)):
                reads[i], inputs[i] = self._as_it_came(work, t, access)
            if reads != list(nest.reads) and j not in self._chain(work, work.inputs + j):
                work.nests[j] = replace(
                    nest, reads=tuple(reads), operation=replace(nest.operation, inputs=tuple(inputs))
                )
        for result in work.results or (work.inputs + len(work.nests) - 1,):
            self._written(work, result)
        work.drop_unread()

    def _chain(self, work: Work, tensor: int) -> list[int]:
        """The copies that a tensor comes by, itself first, where each only lets axes change places; none where no axis
        is parted or joined by them."""
        found: list[int] = []
        while tensor >= work.inputs and _moves(work, tensor - work.inputs):
            found.append(tensor - work.inputs)
            tensor = work.nests[found[-1]].reads[0]
        return found if self._parts & {*found} else []

    def _as_it_came(self, work: Work, tensor: int, access: Access) -> tuple[int, Access]:
        """An access to what copies give as one to the input that they are of."""
        chain = self._chain(work, tensor)
        source = work.nests[chain[-1]].reads[0] if chain else tensor
        if not chain or source >= work.inputs or work.types[source].constant:
            return tensor, access
        for j in chain:
            op = work.nests[j].operation
            access = access.on([op.output.axes.index(axis) for axis in op.inputs[0].axes])
        return source, access

    def _written(self, work: Work, result: int) -> None:
        """Let what computes the source of copies write their result, where nothing else reads it."""
        chain = self._chain(work, result)
        source = work.nests[chain[-1]].reads[0] - work.inputs if chain else -1
        between = [source, *chain[1:]]
        if source < 0 or any(work.inputs + j in work.results or _readers(work, j) != 1 for j in between):
            return
        nest, output = work.nests[source], work.nests[source].operation.output
        for j in reversed(chain):
            op = work.nests[j].operation
            at = [op.inputs[0].axes.index(axis) for axis in op.output.axes]
            output = output.on(at)
        work.nests[chain[0]] = replace(nest, operation=replace(nest.operation, output=output))


def _parts_axes(nest: Nest) -> bool:
    return _only_moves(nest) and any(len(axis) > 1 for access in nest.operation.accesses for axis in access.axes)


def _moves(work: Work, j: int) -> bool:
    """Whether a nest gives what it reads, its axes in another order."""
    nest = work.nests[j]
    if not _only_moves(nest):
        return False
    there, here = nest.operation.accesses
    plain = all(len(axis) == 1 and axis[0][1] == 1 for access in (there, here) for axis in access.axes)
    same = work.types[nest.reads[0]].dtype == work.types[work.inputs + j].dtype
    return plain and same and sorted(there.axes) == sorted(here.axes)


def _only_moves(nest: Nest) -> bool:
    op = nest.operation
    is_copy = op.body == Arg(0) and len(op.inputs) == 1 and not (op.combine or op.finish or op.picks)
    return is_copy and all(access.border is None for access in op.accesses)


def _readers(work: Work, j: int) -> int:
    return sum(nest.reads.count(work.inputs + j) for nest in work.nests)
