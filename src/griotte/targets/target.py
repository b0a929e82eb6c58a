"""A machine as data: memory levels, vector registers, kernels, cost coefficients. No instruction set is named here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ..functions import Slots
from ..ir.dtypes import dtype
from ..ir.family import LINE, PAGE
from ..ir.fields import Fields
from .functions import CONVERSIONS, table
from .leaves import Leaves

LATER = {"later": True}
"""Of a field that came after tables were kept: where it has its default, the key of a target is as it was without it
(table.keys)."""


@dataclass(frozen=True)
class Level:
    """A memory level: its name and its `capacity` in bytes (None: unbounded). What a 64-byte line brought from it to
    the core costs is the coefficient `line.<name>` of the target. `share` of it is what a program may plan with: the
    rest is for what passes through (streams, the stack, the other thread). With a share of 0 it only is a home:
    operands rest in it between calls, but nothing is moved to it. `prefetch`: programs ask ahead for what they stream
    from it."""

    name: str
    capacity: int | None
    share: float = 0.75
    prefetch: bool = False


@dataclass(frozen=True)
class Ports:
    """What the core issues each cycle, for the port/latency model of leaf kernels (units: operations per cycle).
    `adders` take sums, shifts and roundings beside the ports that multiply: all but the step of a kernel with a body of
    its own is spread over both. `load` are whole vectors, `broadcast` elements that are spread over one. `issue` is
    what a thread gets. `displaced` is what a load counts as there beside itself, whose address is more than a byte's
    worth from a pointer (operations). `shuffle` are vectors a cycle made of two others, as blocks are turned in
    registers; `copied` cycles of a vector that a copy loads and stores as it is. `tie` are times the longer of the two
    that a step of a leaf takes whose ports are busy for as long as its accumulators wait."""

    arithmetic: float = 2.0
    adders: float = 0.0
    load: float = 2.0
    broadcast: float = 2.0
    store: float = 1.0
    issue: float = 6.0
    displaced: float = 0.0
    shuffle: float = 1.0
    copied: float = 1.5
    tie: float = 1.0

    @property
    def mixed(self) -> float:
        """Of arithmetic that is not multiplications alone."""
        return self.arithmetic + self.adders


@dataclass(frozen=True)
class Crossing:
    """What a machine keeps, hides and loses of lines on their way between a level and the core (docs/cost.md).

    hiding_steps   of a reduction, that hide its output's way to and fro: measured, down from 512, with no loss until
                   there
    overlapping    cycles of arithmetic in which a line of a panel comes from far; most_overlapped: the share of them,
                   at most, that do
    outlasting     1: of lines whose way is longer than a leaf's arithmetic all that is over shows, and `line` is what
                   shows of shorter ones; 0: `line` is what shows of either, by hand
    behind         share, at most, of the way of lines that a view brings near which the products of all that lies below
                   it hide; hiding: cycles of those products for each cycle of the way, in which they hide so much of
                   it: 1, 4, 6 and 8 rows of 1,024 columns from L3 on a Zen 4 (docs/lab/longest-2026-11.md)
    refetched      times that a line is fetched which L1 does not keep until its last element is used
    lost           lines from L2 that one counts as which was asked for ahead and lost (docs/lab/prices/lost.py: 4.5
                   to 5.5 cycles on a Zen 4)
    fitting        share of L1 that lines read side by side may take up: the rest holds what is asked for ahead
    recent_pages   of a far operand, translations that the first-level TLB still has when a leaf runs again
    anew           of a page beyond those, the share of the price of one that a leaf pays at each call; by hand
    streams        rows that a core reads side by side, each on pages of its own, as fast as one after the other
                   (docs/lab/prices/README.md, Crowded rows)
    """

    hiding_steps: float = 32.0
    overlapping: float = 30.0
    most_overlapped: float = 1 / 3
    outlasting: float = 0.0
    behind: float = 0.0
    hiding: float = 3.0
    refetched: float = 8.0
    lost: float = 4.0
    fitting: float = 0.75
    recent_pages: float = 48.0
    streams: float = field(default=8.0, metadata=LATER)
    anew: float = field(default=0.5, metadata=LATER)


@dataclass(frozen=True)
class Handling:
    """What a core takes besides what its ports say, most of it for elements that no vector instruction handles as they
    lie. By hand, for all machines alike; measured is `straddling`.

    summed       operations on the port of `Ports.shuffle` in which the lanes of a vector are made one: halves that are
                 shuffled and added
    scattered    operations for each element of a vector whose elements are not neighbours in memory: its load or store,
                 and what joins or parts them
    straddling   cycles of a step for each vector that it loads along a sliding window: 24 sums from 4 such vectors and
                 6 elements took 13 cycles a step, not 12 (3x3, 64 channels)
    picked       cycles of a row that is read at an index: the index, clamped, and the address
    row          cycles of a row of a copy: the loop around it; as much again where it looks how much of the row is
                 there
    group        cycles of a group of more than 8 bytes that a pack moves by itself
    element      cycles of an element that a pack moves by itself
    split        loads that one of a vector across two lines counts as
    zeroed       moves of an accumulator that setting it to zero counts as
    known        cycles of a row of a copy into a border of zeros where it is known how much of the row is there: 2.6 to
                 5 with what it moves, of a row of one vector (docs/lab/blocks)
    looped       arithmetic-port slots of a vector of a map beside its functions and conversions
    """

    summed: float = 6.0
    scattered: float = 1.5
    straddling: float = 0.25
    picked: float = 4.0
    row: float = 4.0
    group: float = 1.5
    element: float = 1.2
    split: float = field(default=2.0, metadata=LATER)
    zeroed: float = field(default=0.5, metadata=LATER)
    looped: float = field(default=0.5, metadata=LATER)
    known: float = field(default=2.0, metadata=LATER)


@dataclass(frozen=True)
class Prefetch:
    """How long before it needs them a program asks for lines; in bytes, but for `least_work`, `far_rows`, `later_row`,
    `far_row` and `often` (docs/lab/prices/README.md).

    least_work     arithmetic-port slots for each line that streams in, from which a reduction asks for it; with fewer
                   the core sees its own next loads far enough ahead
    row            in a row that streams in from a level of `Level.prefetch`
    part           in a row of which each call of a leaf reads a part, at least, into L1
    far_part       in such a row, at least, into L2 first; 0: into L1 at once
    near_part      in such a row, at least, into L1 after that
    long_row       in a long row that a leaf walks down, at most
    panel          in a panel from a level of `Level.prefetch`, where neither `far_panel` nor `light_panel` says
                   otherwise: two pages, with most kernels more than the latency of memory
    far_panel      in a panel from such a level, into L2; 0: into L1 at once
    far_rows       rows of results that take each line of a panel, from which it goes to L2 so
                   (docs/lab/rows/README.md)
    light_panel    in a panel for fewer rows, into L2 alone; 0: into L1 at once, `panel` on
    near_panel     in a panel that lies in L2, or was asked for into L2 before: far on it would take room of L1 that
                   rows of the other input need (docs/lab/requests/README.md)
    later_row      steps of a reduction, of rows as given that lie nearer than the levels of `Level.prefetch`; 0: not at
                   all
    far_row        the same, of rows that rest in a cache of these levels and of which each call of a leaf reads a part;
                   0: `part` on in the row (docs/lab/far-rows-2026-11.md)
    next_rows      asked for at most before it is read, of the rows after those of a leaf, into L2, where they rest in
                   memory; 0: never
    often          uses of rows that a view holds, from which they count as lying there
    tail           of a long row that a leaf walks down, one part in so many may lie behind its end of what is asked for
    """

    least_work: float = 0.0
    row: int = 512
    part: int = 640
    far_part: int = field(default=0, metadata=LATER)
    near_part: int = field(default=256, metadata=LATER)
    long_row: int = 1024
    panel: int = 8192
    far_panel: int = 0
    far_rows: int = field(default=0, metadata=LATER)
    light_panel: int = field(default=0, metadata=LATER)
    near_panel: int = 1024
    later_row: int = 0
    far_row: int = field(default=0, metadata=LATER)
    next_rows: int = 0
    often: int = 4
    tail: int = field(default=64, metadata=LATER)


@dataclass(frozen=True)
class Writing:
    """How the C of leaves is written for a core. By hand, for all machines alike.

    unrolled   updates of accumulators, from which on a turn of the innermost loop has as many steps as it takes: a
               loop's own instructions are then few beside them (docs/lab/ladder-2026-11.md)
    walked     vectors of rows that stream in and that nobody asks for, which a leaf walks down side by side: f32 on a
               Zen 4 takes as long with 2 (0.97 to 1.02), with 8 up to 7 % longer (docs/lab/prices/README.md, Asking
               ahead)
    written    steps along a window, written out: a loop of so few is left too late to be foreseen
    row        vectors of a row of a map, written out: a longer one is a loop
    turned     rows of a result, from which on it is turned in registers and not stored element by element
    block      rows, at most, of a square block that is turned in registers: as many registers, with as many free for
               the shuffles
    """

    unrolled: int = 48
    walked: int = 4
    written: int = 8
    row: int = 4
    turned: int = 4
    block: int = 16


@dataclass(frozen=True)
class Matrix:
    """Matrix registers: `registers` of them, each of `rows` rows of `row_bytes` bytes, and the C that uses them.

    zero, load, store   statement templates: {r} register number, {p} pointer, {stride} bytes from row to row
    load_cycles, store_cycles   to load a register from L1, and to store one
    far_line_cycles     more for each 64-byte line of a register that comes from beyond L1
    copied_line_cycles  for a line through the block on the stack: it is loaded, stored, and loaded again
    crowded             times as much for a far line of rows that do not fit the nearest cache together, even one line
                        of each
    hiding_steps        of a reduction, that hide its output's way: a step is a cycle for each line of the output
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

    def depth(self, name: str) -> int:
        """Elements of dtype `name` in one row: what one step eats along the reduction."""
        return self.row_bytes // dtype(name).bytes


@dataclass(frozen=True)
class Kernel:
    """An instruction or instruction group that performs one step of an operation on whole vectors.

    form     what the generator builds around the step: "reduce" (accumulators in registers, loops over the reduction),
             "map" (one row of a map), "pack" (a copy into panels), "transpose" (square blocks turned in registers),
             "window" (a copy of a tile of any size, which may overlap others and reach beyond its tensor), "matrix" (an
             output tile in matrix registers), "pairs" (a row's maximum and its sum of exponentials); see leaves.serving
             and codegen
    c        statement template: {c} accumulator or result, {x0} {x1} .. operand vectors, {body} the operation's body
             emitted over vectors, {combine} the combiner's vector function
    body     the operation body it computes as text (Expr.__str__), None: any
    inputs   dtypes it takes as they lie in memory, None: any, converted to the compute dtype on load
    group    elements along the reduction that one lane eats in one step (1: plain; 2, 4: dot instructions)
    combine  the combiners it serves; None in it means a map
    meaning  NumPy: (c, x0, x1, ..) arrays -> new c; inputs have a trailing axis of length `group` when group > 1
    uops     arithmetic-port slots per vector; latency in cycles from accumulator to accumulator
    interleave  the same, to interleave in registers one vector of `group` rows that lie one after the other as they
                were given; None: it takes only what is interleaved in memory
    slide    the same, to lay side by side in registers, for each lane, the `group` neighbours that a window which
             slides along the lanes meets there; None: it does not
    addresses  inputs that a step reads itself: {x0} is where their `group` neighbours begin; of groups that are whole
    made     C type of what steps take in place of an address, once for all lanes; its function {made}_at makes it
    single   inputs of which a step takes one element for all of a group
    unpack   arithmetic-port slots for a vector of an input of fewer than 8 bits, which lies several elements to a word
    begin, end  C statements that each thread runs before its first and after its last use of the kernel, once a call
    preamble    C at file scope that they need
    nontemporal  form "map": it writes its output past the caches, whole lines at a time
    matrix   form "matrix": its registers; {x0} and {x1} in `c` are then register numbers of the operand without and
             with the lanes, and `columns` is the input that has them
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
    latency: float = 4.0
    interleave: float | None = None
    slide: float | None = field(default=None, metadata=LATER)
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


RESTING = 0.25
"""Of a cache with a share of 0: what one copy may take. A product has two inputs and its output passes by, so nothing
needs to be counted for all of them to fit."""


@dataclass(frozen=True)
class Target(Fields):
    """A machine as data: what programs are searched and priced for. `griotte targets` lists those there are.

    `griotte.targets.resolve` makes one of a name or a TOML file, `dataclasses.replace` one that differs.

    Attributes:
        name: what it is called.
        features: those of the CPU that its code needs.
        flags: of the C compiler.
        vector_bytes: the width of a register, in bytes.
        registers: how many there are.
        levels: of memory, the registers first; capacities rise from there.
        kernels: what instructions there are for steps of operations.
        coefficients: cycles of what the cost model counts, by name.
        ports: what the core issues each cycle.
        crossing: what becomes of lines on their way to the core.
        prefetch: how long ahead programs ask for lines.
        functions: arithmetic operations of each function, by name.
        panel_vectors: widths of panels, in vectors.
        tile_sizes: sizes of tiles besides those of the ladders.
        largest_cache: bytes that caches may hold from call to call, shares of other cores too; None: those of the
            largest level.
        leaves: tiles of registers that were measured, which are priced by that.
        partial: registers that a vector takes besides while a step loads a part of it.
        handling: what a core takes for elements that no vector instruction handles as they lie.
        writing: how the C of leaves is written.
        conversions: operations of a vector's conversion from a dtype to another.

    Example:
        >>> gt.synthesize("exp(f32[8])", target="portable").target.name
        'portable'
    """

    name: str
    features: frozenset[str]
    flags: tuple[str, ...]
    vector_bytes: int
    registers: int
    levels: tuple[Level, ...]
    kernels: tuple[Kernel, ...]
    coefficients: tuple[tuple[str, float], ...]
    ports: Ports = field(default_factory=Ports)
    crossing: Crossing = field(default_factory=Crossing)
    prefetch: Prefetch = field(default_factory=Prefetch)
    functions: tuple[tuple[str, Slots], ...] = field(default_factory=lambda: tuple(table("portable").items()))
    panel_vectors: tuple[int, ...] = (1, 2, 3, 4)
    tile_sizes: tuple[int, ...] = ()
    largest_cache: int | None = None
    leaves: Leaves | None = field(default=None, metadata=LATER)
    partial: int = 1
    handling: Handling = field(default=Handling(), metadata=LATER)
    writing: Writing = field(default=Writing(), metadata=LATER)
    conversions: tuple[tuple[tuple[str, str], float], ...] = field(default=tuple(CONVERSIONS.items()), metadata=LATER)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        caches = "".join(f", {level.name} {_size(level.capacity)}" for level in self.levels[1:] if level.capacity)
        return f"<griotte.Target {self.name}: {self.registers} registers of {self.vector_bytes} bytes{caches}>"

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.features, self.levels, self.coefficients, self.registers))

    @cached_property
    def coefficient(self) -> dict[str, float]:
        """Cycles of what the cost model counts, by name."""
        return dict(self.coefficients)

    @cached_property
    def function(self) -> dict[str, Slots]:
        """Operations of a vector of each function of a body."""
        return dict(self.functions)

    @cached_property
    def conversion(self) -> dict[tuple[str, str], float]:
        """Operations of a vector's conversion from a dtype to another, where they are more than one."""
        return dict(self.conversions)

    def lanes(self, name: str) -> int:
        """Elements of a dtype in one vector register.

        Args:
            name: of the dtype.

        Example:
            >>> target = gt.synthesize("exp(f32[8])", target="portable").target
            >>> target.lanes("f32") == target.vector_bytes // 4
            True
        """
        return max(1, self.vector_bytes // dtype(name).bytes)

    def capacity_lines(self, level: int) -> float:
        """64-byte lines of a level that a program may plan with; infinity for memory.

        Of a level where nothing is counted those that one operand may take.

        Args:
            level: its number; the registers are 0.

        Example:
            >>> gt.synthesize("exp(f32[8])", target="portable").target.capacity_lines(-1)
            inf
        """
        found = self.levels[level]
        return float("inf") if found.capacity is None else found.capacity * (found.share or RESTING) // LINE

    @cached_property
    def cached_lines(self) -> int:
        """64-byte lines that may rest in some cache from call to call."""
        known = self.largest_cache or max((level.capacity for level in self.levels[1:] if level.capacity), default=0)
        return known // LINE

    @cached_property
    def ways(self) -> int:
        """Lines that begin on one set of the nearest cache and rest there together, a power of two.

        A set is chosen
        within a page, so a cache has as many ways as it has pages."""
        return 1 << max(1, (self.levels[1].capacity or 0) // PAGE).bit_length() - 1

    def places(self, level: int) -> tuple[int, ...]:
        """The memory levels faster than another that a program may plan with.

        Args:
            level: its number; the registers are 0.

        Example:
            >>> gt.synthesize("exp(f32[8])", target="portable").target.places(3)
            (1, 2)
        """
        return tuple(x for x in range(1, level) if self.levels[x].share > 0)

    def rooms(self, level: int) -> tuple[int, ...]:
        """The memory levels up to another that a copy of something there may be put in.

        Memory is none where a cache in which nothing is counted can rest the copy.

        Args:
            level: its number; the registers are 0.

        Example:
            >>> gt.synthesize("exp(f32[8])", target="portable").target.rooms(2)
            (1, 2)
        """
        faster = tuple(range(1, level))
        return (
            faster
            if self.levels[level].capacity is None and faster and self.levels[faster[-1]].share == 0
            else (*faster, level)
        )

    def resting(self, home: int) -> int | None:
        """The cache beside the level of whole arrays in which nothing is counted.

        None where there is none, or all arrays are in it.

        Args:
            home: the number of the level of whole arrays.

        Example:
            >>> gt.synthesize("exp(f32[8])", target="portable").target.resting(1) is None
            True
        """
        *_, last = self.rooms(home)
        return last if last < home and self.levels[last].share == 0 else None

    def rests(self, level: int, lines: float):
        """Whether so many lines rest in a level from call to call.

        Nothing else passes through then, so all of it counts.

        Args:
            level: its number; the registers are 0.
            lines: of 64 bytes, a number or an array.

        Example:
            >>> bool(gt.synthesize("exp(f32[8])", target="portable").target.rests(1, 64))
            True
        """
        capacity = self.levels[level].capacity
        return np.asarray(lines) <= (np.inf if capacity is None else capacity // LINE)

    def cost(self, features: dict):
        """Cycles: the coefficients times what is counted. Works on numbers and on arrays alike.

        Args:
            features: what is counted, by name.

        Example:
            >>> target = gt.synthesize("exp(f32[8])", target="portable").target
            >>> target.cost({"call": 2}) == 2 * target.coefficient["call"]
            True
        """
        return sum(self.coefficient[name] * value for name, value in features.items())

    def home(self, lines_needed: float) -> int:
        """The fastest level that holds a whole problem: where its operands rest between calls.

        Args:
            lines_needed: what the problem takes, in lines of 64 bytes.

        Example:
            >>> gt.synthesize("exp(f32[8])", target="portable").target.home(64)
            1
        """
        return next(level for level in range(1, len(self.levels)) if self.rests(level, lines_needed))


def _size(capacity: int) -> str:
    """Bytes, as 48 KiB or 2 MiB."""
    return f"{capacity / (1 << 20):g} MiB" if capacity >= 1 << 20 else f"{capacity / (1 << 10):g} KiB"
