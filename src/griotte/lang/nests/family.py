"""A Spec as the search sees it: a Family (all that is categorical) and a Point (all that is a number).

A Family is data that hashes once: operation, accumulate or not, one Operand state per tensor. A `State` is one Spec of
a family: its sizes, and the limits that are left. The states an operand may take are made by the rewrites, never here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from ..types.dtypes import dtype
from ..types.fields import Fields
from ..types.tensor import TensorType
from .access import Access, Border
from .operation import Operation, interned

LINE = 64  # bytes of a cache line, of a machine that says nothing else; what is aligned begins on one
WORD = 32  # bits of the words that hold elements of fewer than 8 bits, side by side
PAGE = 4096  # bytes of a page, likewise; also the span after which addresses meet the same L1 set
# bytes of a row, up to which any family says how long its rows are, on all machines: longer rows share solutions
SHORT = 512


@dataclass(frozen=True)
class Spans(Fields):
    """What memory moves in and is mapped in, bytes: a `line` of a cache, which two cores do not share and for which a
    program asks ahead, and a `page`. Prices are of a line and of a page of the machine, however long they are. A
    family of a lone map or sum says how long rows are that have at most `named` bytes: the machine's prices tell whole
    rows from parts of them."""

    line: int = LINE
    page: int = PAGE
    named: int = field(default=SHORT, metadata={"later": True})

    __hash__ = Fields.__hash__

    def briefly(self) -> Spans:
        """The same where a family says only how long short rows are."""
        return self if self.named == SHORT else replace(self, named=SHORT)


USUAL = Spans()


@dataclass(frozen=True)
class Occupied(Spans):
    """The same, and `beside`: the lines of L1 that a stretch of a given tensor takes up besides those that it has where
    it begins within a line. A line counted so takes up `part` of one that a program plans with."""

    beside: float = 0.0
    part: float = 1.0

    __hash__ = Fields.__hash__


@dataclass(frozen=True)
class Layout(Fields):
    """The order of an operand's elements in memory.

    order   axes, fastest first
    given   True: rows are `pitch` apart in a tensor that griotte did not lay out. `alias` is the largest power of two
            that divides the row pitch in bytes, or nearly so (from two lines to a page, else 0). `drift`: the bytes by
            which it does not, a power of two, or 0. `far`: rows lie on different pages. `apart`: no three rows lie on
            one page. `split`: rows begin anywhere within a line. `uncached`: the tensor rests in memory, in no cache
    row     of a given tensor: the elements of a row, where that is at most SHORT (`Spans.named`): rows that are taken
            whole lie one after the other. Else 0, so that Specs of all longer rows share solutions
    panel   (axis, width): blocks of `width` along `axis`, each stored whole; the last one is padded
    group   (axis, count): `count` neighbours along `axis` lie next to each other (what dot instructions eat)
    beyond  of a given tensor: the axes along which tiles may reach beyond the memory of the tensor, into a border that
            reads as `fill`
    """

    order: tuple[int, ...]
    given: bool = False
    alias: int = 0
    drift: int = 0
    far: bool = False
    apart: bool = False
    split: bool = False
    uncached: bool = False
    row: int = 0
    panel: tuple[int, int] | None = None
    group: tuple[int, int] | None = None
    beyond: tuple[int, ...] = ()
    fill: float = 0.0

    __hash__ = Fields.__hash__

    def within(self, border: Border | None) -> Layout:
        """Of a tensor that is read with a border."""
        return self if border is None or not border.beyond else replace(self, beyond=border.beyond, fill=border.fill)

    def is_sliver(self, lanes: int) -> bool:
        """Whether its panels, in no groups, are no whole vectors of so many lanes: rows side by side, where a product
        takes one element of each."""
        return self.panel is not None and self.group is None and self.panel[1] % lanes > 0

    def __str__(self) -> str:
        if self.panel is None:
            return "as given" if self.given else "compact"
        grouped = f" in groups of {self.group[1]}" if self.group else ""
        return f"panels of {self.panel[1]}{grouped}"


@dataclass(frozen=True)
class Vector:
    """The form of an operand in registers: `lanes` elements along dimension `dim`, partial sums when it is reduced."""

    dim: str
    lanes: int


@dataclass(frozen=True, repr=False)
class Operand(Fields):
    """Where one tensor argument is: dtype, memory level (0 is registers), layout, vector form in registers."""

    dtype: str
    level: int
    layout: Layout
    vector: Vector | None = None

    __hash__ = Fields.__hash__

    @property
    def packed(self) -> int:
        """Elements that lie in one word: neighbours of fewer than 8 bits whose group fills it; 1 where each has bytes
        of its own."""
        bits, group = dtype(self.dtype).bits, self.layout.group
        return group[1] if group and 1 < bits < 8 and group[1] * bits == WORD else 1

    @property
    def bytes(self) -> Any:
        """Of one element; less than 1 where several lie in a word."""
        return dtype(self.dtype).bytes if self.packed == 1 else WORD / 8 / self.packed

    @property
    def stored(self) -> str:
        """The dtype of what C sees in memory: elements, or words of them."""
        return self.dtype if self.packed == 1 else "u32"

    def at(self, level: int) -> Operand:
        return _at(self, level)

    def within(self, border: Border | None) -> Operand:
        """As it is read with a border."""
        layout = self.layout.within(border)
        return self if layout is self.layout else replace(self, layout=layout)


@lru_cache(1 << 12)
def _at(operand: Operand, level: int) -> Operand:
    """An operand at a level: of many families, one object."""
    return replace(operand, level=level)


def bits_below(i: int, count: int) -> int:
    """Where element i of a word of `count` begins, in bits. The first half of them is in the even places, the other
    half in the odd ones, so that one mask gives either half, as bytes."""
    bits, half = WORD // count, count // 2
    return 2 * bits * (i % half) + bits * (i // half)


@dataclass(frozen=True, eq=False)
class Family(Fields):
    """The categorical half of a Spec. Operand states stand in the order of `operation.accesses` (the output last)."""

    operation: Any  # a Graph (graph.py)
    accumulate: bool
    operands: tuple[Operand, ...]
    accumulator: str
    # dimensions still to be taken off whole, one by one, before all but `ahead` (rewrites.batch)
    batch: tuple[str, ...] = ()
    # constant operands whose place ahead of the call is still to be chosen, in turn, before all else (rewrites.ahead)
    ahead: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "operation", interned(self.operation))
        object.__setattr__(self, "operands", tuple(map(interned, self.operands)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or isinstance(other, Family) and self._hash == other._hash and self._parts == other._parts

    @cached_property
    def _hash(self) -> int:
        return hash(self._parts)

    @property
    def _parts(self) -> tuple:
        return self.operation, self.accumulate, self.operands, self.accumulator, self.batch, self.ahead

    @property
    def nest(self) -> Operation:
        """What it does as one nest."""
        return self.operation.nest

    def access(self, i: int) -> Access:
        return self.operation.accesses[i]

    @property
    def output(self) -> Operand:
        return self.operands[-1]

    def with_operand(self, i: int, operand: Operand) -> Family:
        found = object.__new__(Family)  # of what is interned already: a search makes many
        operands = self.operands[:i] + (interned(operand),) + self.operands[i + 1 :]
        found.__dict__.update(
            operation=self.operation,
            accumulate=self.accumulate,
            operands=operands,
            accumulator=self.accumulator,
            batch=self.batch,
            ahead=self.ahead,
        )
        return found

    @cached_property
    def slowest(self) -> int:
        """The level where whole arrays are: the slowest that an operand is at."""
        return max(operand.level for operand in self.operands)

    def reduced(self, i: int) -> bool:
        """Whether operand i is one that a reduction reads."""
        return bool(self.nest.combine) and i < len(self.operands) - 1

    def turned(self, i: int, to: Layout) -> str | None:
        """The dimension along which operand i's rows lie in `to`, where they lie along another now; None where they do
        not, and of panels."""
        old = self.operands[i].layout
        return None if to.panel or to.order[:1] == old.order[:1] else unit_dim(self.access(i), to)

    def form(self, i: int, to: Layout) -> str:
        """What operand i is in that is copied into a layout, in words."""
        along = self.turned(i, to)
        return f"{to} along {along}" if along else f"{to}"

    def unit_dim(self, i: int) -> str | None:
        """The dimension along which operand i's neighbours in memory lie, None when there is none (a scalar)."""
        return unit_dim(self.access(i), self.operands[i].layout)

    def touched(self, i: int, size, line: int):
        """`size` as the lines of operand i see it, of so many bytes. Of a picked dimension (gather) it is the number
        that is picked: a line for each where its neighbours are neighbours in memory."""
        op, _ = self.operation.role(i)
        if not op.picks:
            return size
        found, unit = op.touched(size), self.unit_dim(i)
        if unit in op.picked:
            found[unit] = np.minimum(size[unit], found[unit] * line / self.operands[i].bytes)
        return found


@dataclass(frozen=True)
class State:
    """One Spec of a family: `sizes` by dimension. Limits are kept by the search, which knows their ladders."""

    family: Family
    sizes: tuple[int, ...]

    @property
    def size(self) -> dict[str, int]:
        return dict(zip(self.family.operation.dims, self.sizes))

    def __str__(self) -> str:
        sizes = "x".join(map(str, self.sizes))
        return f"{self.family.operation.name} {sizes}"


def unit_dim(access: Access, layout: Layout) -> str | None:
    if layout.panel is not None:
        axis = layout.panel[0]
    elif layout.order:
        axis = layout.order[0]
    else:
        return None
    terms = access.axes[axis]
    return terms[0][0] if len(terms) == 1 and terms[0][1] == 1 else None


def given_layout(
    tensor: TensorType, uncached: bool = False, border: Border | None = None, spans: Spans = USUAL
) -> Layout:
    """The layout of a tensor that griotte did not lay out, with the classes of its pitch that matter to caches and
    pages of such spans. `uncached`: it rests in memory, in no cache; `border`: how far an access reaches beyond it."""
    order = tensor.minor_to_major
    if border is not None and border.beyond:
        return given_layout(tensor, uncached, spans=spans).within(border)
    if len(order) < 2:
        return Layout(order, given=True, uncached=uncached)
    row = tensor.shape[order[0]]
    pitch = row * dtype(tensor.dtype).bytes
    alias, drift = folding(pitch, spans)
    return Layout(
        order,
        given=True,
        alias=alias,
        drift=drift,
        far=pitch >= spans.page,
        apart=pitch >= spans.page // 2,
        split=pitch % spans.line > 0,
        uncached=uncached,
        row=row if pitch <= spans.named else 0,
    )


def folding(pitch: int, spans: Spans = USUAL) -> tuple[int, int]:
    """The largest power of two that divides a pitch or nearly so, from a page down to two lines. And the bytes by which
    it does not, rounded up to a power of two. (0, 0) where there is none. Nearly: as many rows as a page has lines
    drift apart by no more than it.

    Leaves of 4x16 that read 64 rows again and again take 5.9 cycles a step on a Zen 3 where rows are 2,052 bytes apart.
    By 2,048 bytes they take 6.5, by 2,000 and 2,116 4.2 (docs/lab/folds/README.md)."""
    alias = spans.page
    while alias >= 2 * spans.line:
        drift = min(pitch % alias, -pitch % alias)
        if alias < 2 * pitch and drift * (spans.page // spans.line) <= alias:
            return alias, 1 << (drift - 1).bit_length() if drift else 0
        alias //= 2
    return 0, 0


def product(values):
    """Of counts, ints and arrays alike."""
    found = iter(values)
    result: Any = next(found, 1)
    for value in found:
        result = result * value
    return result


def ceil_div(a, b):
    """Of counts, ints and arrays alike, rounded up."""
    return -(-a // b)


@dataclass(frozen=True)
class Held:
    """What stands in place of an operand for an unplaced tensor (intermediate): dtype, and layout of a whole array."""

    dtype: str
    layout: Layout
