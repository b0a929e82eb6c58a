"""An operation is an indexed loop nest: named dimensions, one affine access map per operand, a scalar body, a combiner.

    matmul = Operation.of("matmul", "m n k", inputs=("m k", "k n"), output="m n", body=mul(x0, x1), combine="add")

A dimension missing from the output is a reduction, or is *picked*: at each point it is the number that an index operand
has there. Footprints, strides, what a tile re-reads and what may run in parallel all follow from the access maps.
Nothing here knows levels, layouts or machines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import prod
from typing import Any, TypeVar

import numpy as np

from ..functions import combiner_of
from ..types.expr import Expr, args
from ..types.fields import Fields
from .border import Border, Mesh

_TERM = re.compile(r"^(\w+?)(?:\*(\d+))?$")


T = TypeVar("T")


@lru_cache(1 << 15)
def interned(x: T) -> T:
    """Of equal operands, or graphs, one object: those that many families share are found equal at once."""
    return x


@dataclass(frozen=True)
class Access(Fields):
    """Which element an iteration touches: per tensor axis a sum of (dimension, coefficient) terms. All that it spans is
    its tensor, or that with a `border`."""

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
        """Without its border: what it spans, all of it as if it were there."""
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
        return next((i for i, axis in enumerate(self.axes) for d, _ in axis if d == dim), -1)

    def is_plain(self, axis: int) -> bool:
        """The axis is exactly one dimension, step one."""
        return len(self.axes[axis]) == 1 and self.axes[axis][0][1] == 1

    def is_apart(self, dim: str) -> bool:
        """No axis that `dim` moves along is moved along by another: tiles of `dim` do not overlap."""
        return all(len(axis) == 1 for axis in self.axes if any(d == dim for d, _ in axis))

    def __str__(self) -> str:
        starts = [-before for before, _ in self.border.sides] if self.border else [0] * len(self.axes)
        return " ".join(
            ("+".join(d if c == 1 else f"{d}*{c}" for d, c in axis) or "1") + (f"{start:+d}" if start else "")
            for axis, start in zip(self.axes, starts)
        )


def counts(terms: tuple[tuple[str, int], ...], sizes) -> int:
    """How many numbers the terms of an axis give, where each comes once, in order; 0 where they do not, as those of
    windows that overlap."""
    step = 1
    for d, c in reversed(terms):
        if c != step:
            return 0
        step *= sizes[d]
    return step


def whole(dim: str) -> str:
    """The name of the ladder that has the whole extent of a dimension alone."""
    return f"whole {dim}"


def uncut(dim: str) -> str:
    """The name of the ladder of a reduction that no loop cuts: its whole extent, and what rounds take of it."""
    return f"uncut {dim}"


def _term(text: str) -> tuple[str, int]:
    term = _TERM.match(text)
    assert term is not None
    name, coefficient = term.groups()
    return name, int(coefficient or 1)


@dataclass(frozen=True)
class Operation(Fields):
    """A loop nest over `dims`; `combine` is None for a map, else the name of the joining function."""

    name: str
    dims: tuple[str, ...]
    inputs: tuple[Access, ...]
    output: Access
    body: Expr
    combine: str | None = None
    keep: tuple[str, ...] = ()  # dimensions that canonicalisation leaves in place even at size 1
    # what is done to a reduction's result as it is stored: over the inputs, and after them (the last Arg) the result
    finish: Expr | None = None
    # (a dimension that no loop runs over, the input whose elements, clamped to its range, it is)
    picks: tuple[tuple[str, int], ...] = ()
    # what joins a reduction's results, finished, along the dimensions `across`, which the output lacks: they are never
    # in memory
    fold: str | None = None
    across: tuple[str, ...] = ()
    uncut: bool = False  # whether its reduction is never split
    loose: bool = False  # whether what it gives, of fewer bits than it computes in, may stay unrounded where not stored

    @classmethod
    def of(
        cls,
        name: str,
        dims: str,
        inputs: tuple[str, ...],
        output: str,
        body: Expr,
        combine: str | None = None,
    ):
        return cls(name, tuple(dims.split()), tuple(map(Access.of, inputs)), Access.of(output), body, combine)

    __hash__ = Fields.__hash__

    @cached_property
    def accesses(self) -> tuple[Access, ...]:
        """Inputs, then the output: operand i's access is accesses[i]."""
        return (*self.inputs, self.output)

    @cached_property
    def streamed(self) -> int:
        """How many inputs the body reads, the first ones; those after them are for `finish` alone."""
        return len(self.inputs) if self.finish is None else 1 + max(args(self.body), default=-1)

    @cached_property
    def picked(self) -> tuple[str, ...]:
        """The dimensions that are read at an index."""
        return tuple(dim for dim, _ in self.picks)

    @cached_property
    def indices(self) -> frozenset[int]:
        """The inputs that say where others are read, which the body does not compute with."""
        return frozenset(i for _, i in self.picks)

    def times(self, sizes) -> int:
        """How often the body is computed."""
        return prod(sizes[d] for d in self.dims if d not in self.picked)

    def touched(self, sizes):
        """`sizes` as a tile's traffic sees them: of a picked dimension no more than are picked."""
        found = dict(sizes)
        for dim, i in self.picks:
            found[dim] = np.minimum(sizes[dim], prod(sizes[d] for d in self.inputs[i].dims))
        return found

    placed = ()  # see Graph

    @property
    def alone(self) -> tuple[str, ...]:
        """See Graph."""
        return self.parallel

    def over(self, way: Callable[[Access], Access], **changed: Any) -> Operation:
        """It with each access as `way` makes it."""
        return replace(self, inputs=tuple(map(way, self.inputs)), output=way(self.output), **changed)

    def without(self, dim: str) -> Operation:
        """This operation at one index of `dim`: the axes that it moved stay, at extent 1."""
        return self.over(lambda access: access.without(dim), dims=tuple(d for d in self.dims if d != dim))

    @property
    def bare(self) -> Operation:
        """It over tensors that have their borders around them."""
        return (
            replace(self, inputs=tuple(access.bare for access in self.inputs))
            if any(access.border for access in self.inputs)
            else self
        )

    def renamed(self, names) -> Operation:
        """It over other names of its dimensions."""
        return self.over(
            lambda access: access.renamed(names),
            dims=tuple(names[d] for d in self.dims),
            keep=tuple(names[d] for d in self.keep),
            picks=tuple((names[d], i) for d, i in self.picks),
        )

    @cached_property
    def parallel(self) -> tuple[str, ...]:
        return tuple(d for d in self.dims if d in self.output.dims)

    @cached_property
    def reduction(self) -> tuple[str, ...]:
        return tuple(d for d in self.dims if d not in self.output.dims and d not in self.picked)

    @cached_property
    def summed(self) -> tuple[str, ...]:
        """The reductions that `combine` runs over."""
        return tuple(d for d in self.reduction if d not in self.across)

    @cached_property
    def results(self) -> tuple[str, ...]:
        """The dimensions of what `combine` gives: of the output, and those across which that is folded."""
        return tuple(d for d in self.dims if d in self.output.dims or d in self.across)

    @property
    def splits(self) -> tuple[str, ...]:
        """The reductions that may be cut, each part's result joined with the others: none of one that is finished as it
        is stored, or told to be `uncut`."""
        return self.across or (() if self.uncut or self.finish is not None else self.reduction)

    @property
    def joins(self) -> str | None:
        """What joins them."""
        return self.fold or self.combine

    @property
    def is_sum(self) -> bool:
        """Whether a factor that all its terms have is one of its result."""
        return (found := combiner_of(self.combine)) is not None and found.scales

    @property
    def is_maximum(self) -> bool:
        """Whether its result is the largest of its terms."""
        return (found := combiner_of(self.combine)) is not None and found.selects > 0

    @property
    def unfolded(self) -> Operation:
        """It up to its results, before they are folded."""
        return replace(self, output=Access.of(" ".join(self.results)), fold=None, across=())

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.inputs))}) -> {self.output}"
