"""What an access reads beyond its tensor, and the sizes that accesses are spanned at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Border:
    """How far an access reaches beyond its tensor: elements before the first and after the last along each axis, all of
    which read as `fill`. Fewer than 0: so many elements of the tensor are not touched."""

    sides: tuple[tuple[int, int], ...]
    fill: float = 0.0

    @property
    def beyond(self) -> tuple[int, ...]:
        """The axes along which there is something to fill."""
        return tuple(axis for axis, sides in enumerate(self.sides) if max(sides) > 0)

    @property
    def starts(self) -> tuple[int, ...]:
        """The first element of the tensor that is touched, by axis; 0 where what is before it is filled."""
        return tuple(max(0, -before) for before, _ in self.sides)

    def on(self, axes: Sequence[int]) -> Border:
        """That along these of the axes alone."""
        return replace(self, sides=tuple(self.sides[a] for a in axes))

    def split(self, axis: int, more: int) -> Border:
        """That of a tensor of which an axis, which is spanned as it is, is cut into `more` of them besides."""
        return replace(self, sides=(*self.sides[:axis], *((0, 0),) * (1 + more), *self.sides[axis + 1 :]))

    def joined(self, outer: int, inner: int, count: int) -> Border:
        """That of a tensor of which axis `outer` goes into axis `inner`, of `count` elements, along which it is spanned
        as it is."""
        before, after = self.sides[outer]
        return replace(
            self,
            sides=tuple(
                (before * count, after * count) if a == inner else sides
                for a, sides in enumerate(self.sides)
                if a != outer
            ),
        )


class Mesh(dict):
    """Sizes by dimension that stay as they are: what an access spans at them, and what is counted of it (`known`), is
    worked out once."""

    def __init__(self, sizes):
        super().__init__(sizes)
        self.spans: dict[Any, tuple] = {}
        self.known: dict[tuple, Any] = {}
