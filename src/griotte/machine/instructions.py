"""What performs one step of an operation, as data: instructions over vectors, matrix registers. None is named here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..lang.functions import Slots
from ..lang.types.dtypes import dtype
from .core import LATER


@dataclass(frozen=True)
class Matrix:
    """Matrix registers: `registers` of them, each of `rows` rows of `row_bytes` bytes, and the C that uses them. Those
    of the operand with the lanes hold as many columns, `group` elements of each side by side.

    zero, load, store   statement templates: {r} register number, {p} pointer, {stride} bytes from row to row
    declare             the declaration of a register that is a variable of C; empty where none is needed
    load_cycles, store_cycles   to load a register from L1, and to store one
    far_line_cycles     more for each 64-byte line of a register that comes from beyond L1
    copied_line_cycles  for a line through the block on the stack: it is loaded, stored, and loaded again
    crowded             times as much for a far line of rows that do not fit the nearest cache together, even one line
                        of each
    hiding_steps        of a reduction, that hide its output's way: a step is a cycle for each line of the output
    joined              arithmetic-port slots of a register that is put together of rows that lie apart
    waiting             cycles from a product to the next on its register; 0: no leaf has so few products that it waits
    parted              registers, loaded in turn, across whose products compilers move nothing; 0: they may
    """

    rows: int
    row_bytes: int
    registers: int
    zero: str
    load: str
    store: str
    load_cycles: float
    store_cycles: float
    far_line_cycles: float
    copied_line_cycles: float = field(default=2.0, metadata=LATER)
    crowded: float = field(default=3.0, metadata=LATER)
    hiding_steps: float = field(default=16.0, metadata=LATER)
    declare: str = field(default="", metadata=LATER)
    joined: float = field(default=0.0, metadata=LATER)
    waiting: float = field(default=0.0, metadata=LATER)
    parted: int = field(default=0, metadata=LATER)

    def depth(self, name: str) -> int:
        """Elements of dtype `name` in one row: what one step eats along the reduction."""
        return self.row_bytes // dtype(name).bytes


@dataclass(frozen=True)
class Kernel:
    """An instruction or instruction group that performs one step of an operation on whole vectors.

    form     the code that the generator builds around the step (see leaves.forms). It is "reduce" (accumulators in
             registers, loops over the reduction), "map" (one row of a map) or "pack" (a copy into panels). Or
             "transpose" (square blocks turned in registers), or "window" (a copy of a tile of any size, which may
             overlap others and reach beyond its tensor). Or "matrix" (an output tile in matrix registers), or "pairs"
             (a row's maximum and its sum of exponentials)
    c        statement template: {c} accumulator or result, {x0} {x1} .. operand vectors, {body} the operation's body
             emitted over vectors, {combine} the combiner's vector function
    body     the operation body it computes as text (Expr.__str__), None: any
    inputs   dtypes it takes as they lie in memory, None: any, converted to the compute dtype on load
    group    elements along the reduction that one lane eats in one step (1: plain; 2, 4: dot instructions)
    combine  the combiners it serves; None in it means a map
    meaning  NumPy: (c, x0, x1, ..) arrays -> new c; inputs have a trailing axis of length `group` when group > 1
    uops     arithmetic-port slots per vector; latency in cycles from accumulator to accumulator
    multiplying  of these slots those that only ports which multiply take; None: all, and conversions of inputs too
    spread   the same as uops, of an element or a group that is converted and spread over a vector
    interleave  the same, to interleave in registers one vector of `group` rows that lie one after the other as they
                were given; None: it takes only data that are interleaved in memory
    slide    the same, to lay side by side in registers, for each lane, the `group` neighbours that a window which
             slides along the lanes meets there; None: it does not
    by_lane  a step takes one element of a vector by its lane, which holds neighbours along the innermost reduction or
             along a row of results: {c}, {vector}, {element} and {lane}, its number, are the words of `c`; an element
             of a group is its neighbours along the reduction
    addresses  inputs that a step reads itself: {x0} is where their `group` neighbours begin; of groups that are whole
    made     C type of what steps take in place of an address, once for all lanes; its function {made}_at makes it
    single   inputs that give a step one element for all of a group
    unpack   arithmetic-port slots for a vector of an input of fewer than 8 bits, which lies several elements to a word
    begin, end  C statements that each thread runs before its first and after its last use of the kernel, once a call
    preamble    C at file scope that they need
    nontemporal  form "map": it writes its output past the caches, whole lines at a time
    matrix   form "matrix": its registers; {x0} and {x1} in `c` are then register numbers of the operand without and
             with the lanes
    columns  the input that has the lanes: of form "matrix", and of `by_lane` where the dtypes of inputs differ
    """

    name: str
    form: str
    c: str
    meaning: Callable[..., Any] | None
    combine: tuple[str | None, ...]
    body: str | None = None
    inputs: tuple[str, ...] | None = None
    compute: tuple[str, ...] | None = None
    group: int = 1
    # dtype the step wants its vectors in; None: the compute dtype, or as stored when group > 1
    operand: str | None = None
    needs: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()  # features whose own kernels do all that this one does, better
    headers: tuple[str, ...] = ()  # C headers that `c` needs
    uops: float = 1.0
    multiplying: float | None = field(default=None, metadata=LATER)
    spread: float = field(default=2.0, metadata=LATER)
    latency: float = 4.0
    interleave: float | None = None
    slide: float | None = field(default=None, metadata=LATER)
    by_lane: bool = field(default=False, metadata=LATER)
    addresses: tuple[int, ...] = ()
    made: str = field(default="", metadata=LATER)
    single: tuple[int, ...] = ()
    unpack: float = 0.0
    begin: str = ""
    end: str = ""
    preamble: str = ""
    nontemporal: bool = False
    matrix: Matrix | None = None
    columns: int = 1

    @property
    def any_width(self) -> bool:
        """Whether `c` is written over vectors of any width, not with the instructions of one."""
        return not self.headers

    @property
    def slots(self) -> Slots:
        """Arithmetic-port slots of a step for each vector."""
        return Slots(self.uops, self.uops if self.multiplying is None else self.multiplying)
