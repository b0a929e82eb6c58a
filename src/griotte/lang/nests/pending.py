"""What of a graph is still to be decided, in the order in which it is: a list of small declarations, each of one value.
A rewrite that decides one leaves it out of what it makes.

    Graph(.., pending=(Early((4,)), WholeExtents((512, 64)), BlockRows((0, 128))))

Each says what of it a part of the graph has; where that is nothing its value is `none`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True)
class PartOf:
    """Some nests of a graph over `whole` dimensions: they write the tensors `writes` besides their last one, which
    `ends` the graph where it is its last output too, and have these `dims`."""

    whole: tuple[str, ...]
    dims: tuple[str, ...]
    writes: Collection[Any]
    ends: bool
    extents: tuple[int, ...]


@dataclass(frozen=True)
class Pending:
    """A decision on a graph that is still to be made, or a limit on such."""

    value: Any
    none: ClassVar[Any] = ()
    key: ClassVar[str]  # as keys of tables spell it

    @classmethod
    def of(cls, graph: Any) -> Any:
        """The value that a graph has."""
        return next((each.value for each in graph.pending if type(each) is cls), cls.none)

    def in_part(self, part: PartOf) -> Any:
        """The value that a part of the graph has."""
        return self.none

    def without(self, dim: str, dims: tuple[str, ...]) -> Pending:
        """The entry of a graph over `dims` at one index of `dim`."""
        return self

    def numbered(self, number: Callable[[Any], int]) -> Pending:
        """The entry with numbers of tensors in place of their names."""
        return self


class Early(Pending):
    """The tensors that are computed of constants, and are less than those: before all else, and whole."""

    key = "early"

    def in_part(self, part: PartOf) -> Any:
        return tuple(t for t in self.value if t in part.writes)

    def numbered(self, number: Callable[[Any], int]) -> Pending:
        return Early(tuple(map(number, self.value)))


class ShardCount(Pending):
    """Into how many the columns of a softmax may be cut (shards.py)."""

    key = "shards"
    none = 0

    def in_part(self, part: PartOf) -> Any:
        return self.value if part.extents else 0


class WholeExtents(Pending):
    """How far the dimensions of whole arrays go: rows may still be skipped, or cut into blocks."""

    key = "extents"

    def in_part(self, part: PartOf) -> Any:
        return tuple(n for d, n in zip(part.whole, self.value) if d in part.dims)

    def without(self, dim: str, dims: tuple[str, ...]) -> Pending:
        return WholeExtents(tuple(n for d, n in zip(dims, self.value) if d != dim))


class BlockRows(Pending):
    """The rows of a block that the output may be computed by (halo.py), 0 all of them."""

    key = "blocks"


class AsOne(Pending):
    """Whether the graph is searched as one, whatever its size: it is a part of one that is."""

    key = "joint"
    none = False


class Near(Pending):
    """Whether what lies between its nests, where it fits near or a loop makes less of it, has no place among the whole
    arrays: of a block of rows."""

    key = "near"
    none = False

    def in_part(self, part: PartOf) -> Any:
        return self.value


class Adds(Pending):
    """The dimensions along which loops may add to the output (engine/rewrites/joint.py)."""

    key = "adds"

    def in_part(self, part: PartOf) -> Any:
        return tuple(d for d in self.value if d in part.dims and part.ends)


class OneLeaf(Pending):
    """Whether leaves do all nests at once, and nothing else but loops does any of them."""

    key = "together"
    none = False


ORDER: tuple[type[Pending], ...] = (Early, ShardCount, WholeExtents, BlockRows, AsOne, Near, Adds, OneLeaf)


def in_order(entries: Iterable[Pending]) -> tuple[Pending, ...]:
    """The entries that say something, in order; of several of one kind the last. What a rewrite declares for itself
    comes after all others."""
    last = {type(each): each for each in entries}
    return tuple(last[kind] for kind in dict.fromkeys((*ORDER, *last)) if kind in last and last[kind].value)
