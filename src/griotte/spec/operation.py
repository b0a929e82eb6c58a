"""An operation is an indexed loop nest: named dimensions, one affine access map per operand, a scalar body, a combiner.

    matmul = Operation.of("matmul", "m n k", inputs=("m k", "k n"), output="m n", body=mul(x0, x1), combine="add")

A dimension missing from the output is a reduction. Footprints, strides, what a tile re-reads and what may run in
parallel all follow from the access maps. Nothing here knows levels, layouts or machines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from .expr import Expr

_TERM = re.compile(r"^(\w+?)(?:\*(\d+))?$")


@dataclass(frozen=True)
class Access:
    """Which element an iteration touches: per tensor axis a sum of (dimension, coefficient) terms."""

    axes: tuple[tuple[tuple[str, int], ...], ...]

    @classmethod
    def of(cls, text: str) -> "Access":
        """From "m k" or "n c h*2+i": axes apart by blanks, terms joined by +, an optional coefficient after *; "1" is
        an axis of size 1 that no dimension moves along."""
        return cls(tuple(() if axis == "1" else tuple(_term(t) for t in axis.split("+")) for axis in text.split()))

    @cached_property
    def dims(self) -> frozenset[str]:
        return frozenset(dim for axis in self.axes for dim, _ in axis)

    def extent(self, axis: int, sizes):
        """Elements spanned along `axis` by a tile of `sizes` (a mapping of dimension to int or array)."""
        return 1 + sum((sizes[dim] - 1) * coefficient for dim, coefficient in self.axes[axis])

    def shape(self, sizes) -> tuple:
        return tuple(self.extent(axis, sizes) for axis in range(len(self.axes)))

    def axis_of(self, dim: str) -> int:
        """The axis that `dim` moves along (the first, were there several); -1 when it moves none."""
        return next((i for i, axis in enumerate(self.axes) for d, _ in axis if d == dim), -1)

    def is_plain(self, axis: int) -> bool:
        """The axis is exactly one dimension, step one."""
        return len(self.axes[axis]) == 1 and self.axes[axis][0][1] == 1

    def __str__(self) -> str:
        return " ".join("+".join(d if c == 1 else f"{d}*{c}" for d, c in axis) or "1" for axis in self.axes)


def _term(text: str) -> tuple[str, int]:
    name, coefficient = _TERM.match(text).groups()
    return name, int(coefficient or 1)


@dataclass(frozen=True)
class Operation:
    """A loop nest over `dims`; `combine` is None for a map, else the name of the joining function."""

    name: str
    dims: tuple[str, ...]
    inputs: tuple[Access, ...]
    output: Access
    body: Expr
    combine: str | None = None
    keep: tuple[str, ...] = ()  # dimensions that canonicalisation leaves in place even at size 1

    @classmethod
    def of(cls, name: str, dims: str, inputs: tuple[str, ...], output: str, body: Expr, combine: str | None = None, keep: str = ""):
        return cls(name, tuple(dims.split()), tuple(map(Access.of, inputs)), Access.of(output), body, combine, tuple(keep.split()))

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.dims, self.inputs, self.output, self.body, self.combine))

    @cached_property
    def accesses(self) -> tuple[Access, ...]:
        """Inputs, then the output: operand i's access is accesses[i]."""
        return (*self.inputs, self.output)

    @cached_property
    def parallel(self) -> tuple[str, ...]:
        return tuple(d for d in self.dims if d in self.output.dims)

    @cached_property
    def reduction(self) -> tuple[str, ...]:
        return tuple(d for d in self.dims if d not in self.output.dims)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.inputs))}) -> {self.output}"
