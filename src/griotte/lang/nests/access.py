"""Which element of a tensor an iteration touches, what an access reads beyond it, and the sizes it is spanned at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ..types.fields import Fields

_TERM = re.compile(r"^(\w+?)(?:\*(\d+))?$")


@dataclass(frozen=True)
class Access(Fields):
    """Which element an iteration touches: per tensor axis a sum of (dimension, coefficient) terms. An access spans its
    whole tensor, or the tensor and a `border`."""

    axes: tuple[tuple[tuple[str, int], ...], ...]
    border: Border | None = None

    __hash__ = Fields.__hash__

    @classmethod
    def of(cls, text: str, border: Border | None = None) -> Access:
        """From "m k" or "n c h*2+i": axes apart by blanks, terms joined by +, an optional coefficient after *; "1" is
        an axis of size 1 that no dimension moves along."""
        axes = tuple(() if axis == "1" else tuple(_term(t) for t in axis.split("+")) for axis in text.split())
        return cls(axes, border if border is not None and any(map(any, border.sides)) else None)

    def on(self, axes: Sequence[int]) -> Access:
        """The access to these of the axes alone."""
        return Access(tuple(self.axes[a] for a in axes), self.border and self.border.on(axes))

    @property
    def bare(self) -> Access:
        """The access without its border, as if all that it spans were in memory."""
        return replace(self, border=None)

    def without(self, dim: str) -> Access:
        """The access at one index of `dim`: the axes that it moved stay, at extent 1."""
        return replace(self, axes=tuple(tuple(t for t in axis if t[0] != dim) for axis in self.axes))

    def renamed(self, names) -> Access:
        """The access over other names of its dimensions."""
        return replace(self, axes=tuple(tuple((names[d], c) for d, c in axis) for axis in self.axes))

    def reaches(self, axis: int) -> tuple[int, int]:
        """The sides of its border along an axis."""
        return self.border.sides[axis] if self.border else (0, 0)

    def is_whole(self, axis: int) -> bool:
        """Along an axis it spans its tensor, no more and no less."""
        return self.reaches(axis) == (0, 0)

    @cached_property
    def dims(self) -> frozenset[str]:
        return frozenset(dim for axis in self.axes for dim, _ in axis)

    def extent(self, axis: int, sizes):
        """Elements spanned along `axis` by a tile of `sizes` (a mapping of dimension to int or array)."""
        return 1 + sum((sizes[dim] - 1) * coefficient for dim, coefficient in self.axes[axis])

    def shape(self, sizes) -> tuple:
        """The extent along each axis."""
        if not isinstance(sizes, Mesh):
            return self._shape(sizes)
        found = sizes.spans.get(self)
        if found is None:
            found = sizes.spans[self] = self._shape(sizes)
        return found

    def _shape(self, sizes) -> tuple:
        return tuple(self.extent(axis, sizes) for axis in range(len(self.axes)))

    def held(self, sizes) -> tuple:
        """The shape of the tensor itself, without its border."""
        return tuple(extent - sum(self.reaches(axis)) for axis, extent in enumerate(self.shape(sizes)))

    def axis_of(self, dim: str) -> int:
        """The axis that `dim` moves along (the first, were there several); -1 when it moves none."""
        return self._first_axes.get(dim, -1)

    @cached_property
    def _first_axes(self) -> dict[str, int]:
        last_first = reversed([(d, i) for i, axis in enumerate(self.axes) for d, _ in axis])
        return dict(last_first)

    def is_plain(self, axis: int) -> bool:
        """The axis is exactly one dimension, step one."""
        return len(self.axes[axis]) == 1 and self.axes[axis][0][1] == 1

    @property
    def is_direct(self) -> bool:
        """Each axis is exactly one dimension, step one, and nothing beyond the tensor is touched."""
        return self.border is None and all(map(self.is_plain, range(len(self.axes))))

    def is_apart(self, dim: str) -> bool:
        """No axis that `dim` moves along is moved along by another: tiles of `dim` do not overlap."""
        return dim not in self._overlapping

    @cached_property
    def _overlapping(self) -> frozenset[str]:
        return frozenset(d for axis in self.axes if len(axis) > 1 for d, _ in axis)

    def __str__(self) -> str:
        starts = [-before for before, _ in self.border.sides] if self.border else [0] * len(self.axes)
        return " ".join(
            ("+".join(d if c == 1 else f"{d}*{c}" for d, c in axis) or "1") + (f"{start:+d}" if start else "")
            for axis, start in zip(self.axes, starts)
        )


def counts(terms: tuple[tuple[str, int], ...], sizes) -> int:
    """How many numbers the terms of an axis count through in order, each once; 0 where some repeat, as in overlapping
    windows."""
    step = 1
    for d, c in reversed(terms):
        if c != step:
            return 0
        step *= sizes[d]
    return step


def _term(text: str) -> tuple[str, int]:
    term = _TERM.match(text)
    assert term is not None
    name, coefficient = term.groups()
    return name, int(coefficient or 1)


@dataclass(frozen=True)
class Border:
    """How far an access reaches beyond its tensor along each axis: elements before the first and after the last, which
    read as `fill`. A negative number leaves so many elements of the tensor untouched."""

    sides: tuple[tuple[int, int], ...]
    fill: float = 0.0

    @property
    def beyond(self) -> tuple[int, ...]:
        """The axes along which there is something to fill."""
        return tuple(axis for axis, sides in enumerate(self.sides) if max(sides) > 0)

    @property
    def starts(self) -> tuple[int, ...]:
        """The first element touched along each axis; 0 where the access starts in the fill."""
        return tuple(max(0, -before) for before, _ in self.sides)

    def on(self, axes: Sequence[int]) -> Border:
        """The border along some of the axes."""
        return replace(self, sides=tuple(self.sides[a] for a in axes))

    def split(self, axis: int, more: int) -> Border:
        """The border after an axis without one is split into 1 + `more` axes."""
        return replace(self, sides=(*self.sides[:axis], *((0, 0),) * (1 + more), *self.sides[axis + 1 :]))

    def joined(self, outer: int, inner: int, count: int) -> Border:
        """The border after axis `outer` is joined into axis `inner`, of `count` elements and without a border."""
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
    """Fixed sizes by dimension, which keep the extents of accesses (`spans`) and counts made of them (`known`)."""

    def __init__(self, sizes):
        super().__init__(sizes)
        self.spans: dict[Any, tuple] = {}
        self.known: dict[tuple, Any] = {}
