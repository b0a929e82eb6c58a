"""An operation is an indexed loop nest: named dimensions, one affine access map per operand, a scalar body, a combiner.

    matmul = Operation.of("matmul", "m n k", inputs=("m k", "k n"), output="m n", body=mul(x0, x1), combine="add")

A dimension missing from the output is a reduction, or is *picked*: at each point it is the number that an index operand
has there. Footprints, strides, what a tile re-reads and what may run in parallel all follow from the access maps.
Nothing here knows levels, layouts or machines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import prod
from typing import Any, TypeVar

import numpy as np

from ..functions import FUNCTIONS, combiner_of
from ..types.dtypes import dtype
from ..types.expr import Arg, Call, Expr, args
from ..types.fields import Fields
from .access import Access

T = TypeVar("T")


@lru_cache(1 << 15)
def interned(x: T) -> T:
    """Of equal operands, or graphs, one object: those that many families share are found equal at once."""
    return x


def whole(dim: str) -> str:
    """The name of the ladder that has the whole extent of a dimension alone."""
    return f"whole {dim}"


def uncut(dim: str) -> str:
    """The name of the ladder of a reduction that no loop cuts: its whole extent, and what rounds take of it."""
    return f"uncut {dim}"


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
    # the map of a reduction's result as it is stored: over the inputs, and after them (the last Arg) the result
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
        """`sizes` for counting a tile's traffic: a picked dimension counts at most as many as are picked."""
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
        """The operation with each access as `way` makes it."""
        return replace(self, inputs=tuple(map(way, self.inputs)), output=way(self.output), **changed)

    def without(self, dim: str) -> Operation:
        """This operation at one index of `dim`: the axes that it moved stay, at extent 1."""
        return self.over(lambda access: access.without(dim), dims=tuple(d for d in self.dims if d != dim))

    @property
    def bare(self) -> Operation:
        """The operation over tensors whose borders are in memory."""
        return (
            replace(self, inputs=tuple(access.bare for access in self.inputs))
            if any(access.border for access in self.inputs)
            else self
        )

    def renamed(self, names) -> Operation:
        """The operation with its dimensions renamed."""
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
        """The reductions that may be cut into parts whose results are joined; none where a result is finished as it is
        stored, or `uncut`."""
        return self.across or (() if self.uncut or self.finish is not None else self.reduction)

    @property
    def joins(self) -> str | None:
        """What joins them."""
        return self.fold or self.combine

    @property
    def is_copy(self) -> bool:
        """Whether it is a map that gives elements of its first input as they are."""
        return self.combine is None and self.body == Arg(0) and not self.picks

    @property
    def is_sum(self) -> bool:
        """Whether a common factor of all terms is a factor of the result."""
        return (found := combiner_of(self.combine)) is not None and found.scales

    @property
    def is_maximum(self) -> bool:
        """Whether its result is the largest of its terms."""
        return (found := combiner_of(self.combine)) is not None and found.selects > 0

    @property
    def unfolded(self) -> Operation:
        """The operation before its results are folded."""
        return replace(self, output=Access.of(" ".join(self.results)), fold=None, across=())

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.inputs))}) -> {self.output}"


def is_contraction(op: Operation) -> bool:
    """Whether its inputs are each used again along a dimension that they lack."""
    return (
        op.combine is not None
        and op.streamed > 1
        and all(any(d not in access.dims for d in op.dims) for access in op.inputs[: op.streamed])
    )


@dataclass(frozen=True)
class Nest:
    """One operation of a graph: `reads[i]` is the tensor that its input i is, by number (by name in a builder.py); it
    computes in `accumulator`. The results of an `exact` nest are numbers of its tensor's dtype without rounding, or may
    stay unrounded."""

    operation: Operation
    reads: tuple[Any, ...]
    accumulator: str
    exact: bool = False

    @property
    def uses(self) -> list[tuple[Any, Access]]:
        """(tensor, access) of each input."""
        return [*zip(self.reads, self.operation.inputs)]

    def ways(self, tensor: Any) -> list[Access]:
        """The accesses by which it reads a tensor."""
        return [access for t, access in self.uses if t == tensor]

    def over(self, output: Any, way: Callable[[Any, Access], Access], **changed: Any) -> Nest:
        """The nest that writes the tensor `output`, with each access to a tensor as `way` makes it."""
        op = self.operation
        inputs = tuple(map(way, self.reads, op.inputs))
        return replace(self, operation=replace(op, inputs=inputs, output=way(output, op.output), **changed))


def label(op: Operation) -> str:
    """What a nest gives, in a word: the function applied last, or the reduction."""
    last = op.finish if op.finish is not None else op.body
    is_map = op.combine is None or op.finish is not None
    if not is_map or not isinstance(last, Call):
        return op.name
    return FUNCTIONS[last.function].like or last.function


def is_float(name: str) -> bool:
    return dtype(name).kind == "float"
