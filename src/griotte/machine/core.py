"""What a core takes and keeps, as data: its levels, its ports, lines on their way, requests ahead, how C is written for
it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ..lang.functions import FUNCTIONS, Slots
from ..lang.types.dtypes import TINY

LATER = {"later": True}
"""The mark of a field that came after tables were kept. Where the field has its default, the key of a target is as it
was without it (table.keys)."""


@dataclass(frozen=True)
class Level:
    """A memory level: its name and its `capacity` in bytes (None: unbounded). The coefficient `line.<name>` of the
    target is the cost of a line brought from it to the core. A program may plan with `share` of it: the rest is for
    passing data (streams, the stack, the other thread). With a share of 0 it only is a home: operands rest in it
    between calls, but nothing is moved to it. `prefetch`: programs ask ahead for lines that they stream from it."""

    name: str
    capacity: int | None
    share: float = 0.75
    prefetch: bool = False


@dataclass(frozen=True)
class Ports:
    """What the core issues each cycle, for the port/latency model of leaf kernels (units: operations per cycle).
    `adders` take sums, shifts and roundings beside the ports that multiply. All arithmetic but the step of a kernel
    with a body of its own is spread over both. So are the unpacking of weights for such a kernel, and what its
    `multiplying` leaves of a step. `load` are whole vectors, `broadcast` elements that are spread over one. `issue` is
    what a thread gets. `displaced` is what a load counts as there beside itself, whose address is more than a byte's
    worth from a pointer (operations). `shuffle` are vectors a cycle made of two others, as blocks are turned in
    registers; `copied` cycles of a vector that a copy loads and stores as it is. `tie` are times the longer of the two
    that a step of a leaf takes whose ports are busy for as long as its accumulators wait. `spreading` are arithmetic
    slots of an element that is spread over a vector as it is loaded. `joining` are those of a vector that is more than
    half full and not whole, which a step loads in parts. `parted` are those of an element of a vector whose elements
    are loaded one by one, which join it to the others; 0 where `Handling.scattered` counts them as loads. `converting`:
    1 where a copy's conversions go by these ports beside its moves, 0 where each operation of one is a cycle more.
    `crowding` is the share that shows of the cycles in which other operations than arithmetic are issued, though ports
    are busier: no core is fed at its limit for long. `drained` are cycles that a tile of a product takes more if its
    accumulators keep the ports busy for longer than they wait for each other. Then the next tile's first steps do not
    come beside its last ones (`leaves.reduce.price`)."""

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
    crowding: float = field(default=0.0, metadata=LATER)
    spreading: float = field(default=0.0, metadata=LATER)
    drained: float = field(default=0.0, metadata=LATER)
    joining: float = field(default=0.0, metadata=LATER)
    parted: float = field(default=0.0, metadata=LATER)
    converting: float = field(default=0.0, metadata=LATER)

    @property
    def mixed(self) -> float:
        """Of arithmetic that is not multiplications alone."""
        return self.arithmetic + self.adders


OPTIONAL = ("aliased", "abreast", "turned")
"""Coefficients that only machines have which measured them; others do not count them."""


@dataclass(frozen=True)
class Crossing:
    """What a machine keeps, hides and loses of lines on their way between a level and the core
    (docs/explanation/cost.md).

    hiding_steps   of a reduction, that hide its output's way to and fro: measured, down from 512, with no loss until
                   there
    overlapping    cycles of arithmetic in which 64 bytes of a panel come from far; most_overlapped: the share of them,
                   at most, that do
    outlasting     1: where lines' way is longer than a leaf's arithmetic, all of the excess shows, and `line` is the
                   part that shows of a shorter way. 0: `line` is the part that shows of either, by hand
    slack          power of the share of a leaf's cycles in which its ports compute, with which those tie that lines and
                   arithmetic both take. 0: all leaves tie alike (docs/lab/products/waiting.md)
    behind         share, at most, of the way of a view's lines that the products below the view hide
    hiding         cycles of those products for each cycle of the way, in which they hide so much. Measured: 1, 4, 6 and
                   8 rows of 1,024 columns from L3 on a Zen 4 (docs/lab/longest-2026-11.md)
    nearer         1: the way from each level is hidden by as much as its own prices say, where that is more than
                   `behind`; 0: from all alike
    beside         lines of L1 that a stretch of a given tensor takes up besides those that it has where it begins
                   within a line: a core fetches on (docs/lab/prices/README.md)
    between        pages that a row counts as where a leaf meets rows anew that are half a page to a page apart. If rows
                   begin within a line, the misses of translations show (docs/lab/prices/README.md)
    refetched      times that a line is fetched which L1 does not keep until its last element is used
    lost           lines from L2 that a line counts as if it was asked for ahead and lost (docs/lab/prices/lost.py: 4.5
                   to 5.5 cycles on a Zen 4)
    fitting        share of L1 that lines read side by side may take up: the rest holds lines asked for ahead
    recent_pages   of a far operand, translations that the first-level TLB still has when a leaf runs again
    anew           of a page beyond those, the share of the price of one that a leaf pays at each call; by hand
    ahead          lines that a core fetches on along data that it read from beyond L2. Up to 20 by Intel's Optimization
                   Reference Manual (its streamer). Measured: softmax of rows from L3 with 10, 20 and 40 of them
                   (docs/lab/learned/README.md, What prices still miss)
    passed         lines past the end of a part of a row that come in vain, where a view brings the part for products. A
                   core fetches on along the row, and the next part is of another row
    streams        rows that a core reads side by side, each on pages of its own, as fast as one after the other
                   (docs/lab/prices/README.md, Crowded rows)
    followed       share of the beginning of a part of a row in L2 that up to `streams` rows do not have, for the next
                   leaf goes on along them
    walked         of lines that each step of a loop reads again in parts, what shows of their way at each step but the
                   first: so often the way times its share of the cycles of all products
                   (docs/lab/products/README.md, Rows of the first pass). 0: nothing
    rests          number of the level where the arrays of the call rest, where a target is of a call (`Target.called`);
                   0: not known
    unfollowed     1: a view's rows beyond `streams` are crowded even where they fit (docs/lab/products/README.md);
                   0: only where they do not
    ways           1: of rows that begin on the same sets of L1, those beyond its ways lose lines between two parts;
                   0: all of them do, which is how `aliased` was measured where a file says so
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
    ahead: float = field(default=20.0, metadata=LATER)
    anew: float = field(default=0.5, metadata=LATER)
    passed: float = field(default=0.0, metadata=LATER)
    ways: float = field(default=1.0, metadata=LATER)
    nearer: float = field(default=0.0, metadata=LATER)
    between: float = field(default=0.0, metadata=LATER)
    beside: float = field(default=0.0, metadata=LATER)
    unfollowed: float = field(default=0.0, metadata=LATER)
    walked: float = field(default=0.0, metadata=LATER)
    followed: float = field(default=0.0, metadata=LATER)
    slack: float = field(default=0.0, metadata=LATER)
    rests: float = field(default=0.0, metadata=LATER)


@dataclass(frozen=True)
class Calls:
    """What a line's price depends on besides its level: on all that a call goes over, and on how many threads do. Where
    neither was measured a level says all.

    curve     bytes, and the cycles of a line where so many bytes are read one after the other, over and over. No level
              has one price for a cache whose latency grows, or for data that a cache holds only a part of
    shared    a level, and times as long that a line from it takes while a second thread reads too
    written   the same of a line that is written while a second thread writes too; as `shared` says of other levels
    """

    curve: tuple[tuple[int, float], ...] = ()
    shared: tuple[tuple[str, float], ...] = ()
    written: tuple[tuple[str, float], ...] = field(default=(), metadata=LATER)

    def cycles(self, count: float, begins: tuple[tuple[int, float], ...] = ()) -> float:
        """Cycles of a line where a call goes over so many bytes. Between two measured points by powers of both, beyond
        either end as at that end. `begins`: bytes and cycles known besides, which count up to the first point measured
        for more bytes."""
        known = (*begins, *(each for each in self.curve if not begins or each[0] > begins[-1][0]))
        sizes, cycles = zip(*known)
        return float(np.exp(np.interp(np.log(max(count, 1.0)), np.log(sizes), np.log(cycles))))


@dataclass(frozen=True)
class Handling:
    """What a core takes besides what its ports say, most of it for elements that no vector instruction handles as they
    lie. By hand, for all machines alike; measured is `straddling`.

    summed       operations on the port of `Ports.shuffle` in which the lanes of a vector by itself are made one: halves
                 that are shuffled and added
    scattered    operations for each element of a vector whose elements are not neighbours in memory: its load or store,
                 and what joins or parts them
    straddling   cycles of a step for each vector that it loads along a sliding window. 24 sums from 4 such vectors and
                 6 elements took 13 cycles a step, not 12 (3x3, 64 channels)
    picked       cycles of a row that is read at an index: the index, clamped, and the address
    row          cycles of a row of a copy: the loop around it; as much again where it looks how much of the row is
                 there
    group        cycles of a group of more than 8 bytes that a pack moves by itself
    element      cycles of an element that a pack moves by itself
    split        loads that one of a vector across two lines counts as
    zeroed       moves of an accumulator that setting it to zero counts as
    known        cycles of a row of a copy into a border of zeros, where the C knows how much of the row is there. With
                 its moves a row of one vector takes 2.6 to 5 (docs/lab/blocks)
    looped       arithmetic-port slots of a vector of a map beside its functions and conversions
    widened      operations of a vector that a measured leaf widens and converts as it loads it. Leaves of bf16 by 12x8
                 and 4x16 take 0.4 to 0.5 cycles a vector more than those of f32 on a Zen 3, whose `issue` is 5.2
                 (docs/lab/prices/README.md)
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
    widened: float = field(default=2.0, metadata=LATER)


@dataclass(frozen=True)
class Prefetch:
    """How long before it needs them a program asks for lines; in bytes, but for `least_work`, `far_rows`, `later_row`,
    `far_row` and `often` (docs/lab/prices/README.md).

    least_work     arithmetic-port slots for each line that streams in, from which a reduction asks for it; with fewer
                   the core sees its own next loads far enough ahead
    row            in a row that streams in from a level of `Level.prefetch`
    part           in a row that each call of a leaf reads a part of, at least, into L1
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
    far_row        the same, of rows that rest in a cache of these levels and that each call of a leaf reads a part of;
                   0: `part` on in the row (docs/lab/far-rows-2026-11.md)
    next_rows      asked for at most before it is read, of the rows after those of a leaf, into L2, where they rest in
                   memory; 0: never
    often          uses of rows that a view holds, from which they count as lying there
    tail           of the requests along a long row that a leaf walks down, one part in so many may lie behind its end
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
    walked     vectors of rows that stream in without requests, which a leaf walks down side by side. On a Zen 4 f32
               takes as long with 2 (0.97 to 1.02), and up to 7 % longer with 8 (docs/lab/prices/README.md, Asking
               ahead)
    written    steps along a window, written out: a loop of so few is left too late to be foreseen
    swept      updates of accumulators, up to which a leaf that goes down the rows of an input, and not of each window
               that meets them, has all of them written out
    row        vectors of a row of a map, written out: a longer one is a loop
    turned     rows of a result, from which on it is turned in registers and not stored element by element
    block      rows, at most, of a square block that is turned in registers: as many registers, with as many free for
               the shuffles
    strip      columns, at most, of a strip of blocks of a transpose. Two lines of each row that is written at a time
               fit the nearest cache then, beside the lines of a block that is read (docs/lab/transposes)
    """

    unrolled: int = 48
    walked: int = 4
    written: int = 8
    swept: int = field(default=512, metadata=LATER)
    row: int = 4
    turned: int = 4
    block: int = 16
    strip: int = field(default=64, metadata=LATER)


@dataclass(frozen=True)
class Layouts:
    """Factors on the price of a part of a model whose arrays lie in another layout than their own. Prices of the same
    arithmetic in two layouts are that far apart from its times. By hand, for all machines alike. A convolution of each
    channel has a price of 0.7 to 0.9 of its time with channels last, 0.9 to 1.2 in blocks and 1.3 to 3 row-major.
    Row-major it takes 1.5 to 2.7 times as long as in blocks (docs/lab/layouts, docs/lab/blocks).

    reordered   axes in another order
    blocked     channels in blocks of a vector's lanes
    copied      a copy into another layout
    """

    reordered: float = 1.5
    blocked: float = 1.1
    copied: float = 1.5


@dataclass(frozen=True)
class Breadth:
    """How much of a machine's space is searched. The default is all of it.

    times      loops step by these times powers of two (none: the ladders' own), and by what registers and panels ask
               for
    room       the one level that copies may be put in, or the one they come from where that is nearer; None: any
    finishes   whether a map of a reduction's result is always done as that is stored, where it may be
    """

    times: tuple[int, ...] = ()
    room: int | None = None
    finishes: bool = False

    @property
    def is_narrow(self) -> bool:
        """Whether it is less than all."""
        return self != Breadth()


# ---- what the functions of bodies are to a core: operations of the emitted C for a vector ----------------------------
#
# As their declarations say for each class of targets (`griotte.lang.functions`); counted in what gcc 12 makes of a loop
# over f32 in L1: all that is no load, store, move or broadcast. A division and a root, which a core is busy with for
# longer, count for the cycles that they take, times two ports. With AVX-512 they are what was measured, times two ports
# (docs/reference/functions.md); half of these slots multiply. `name.dtype` is a function of elements that take other
# operations than f32 ones. vpmulld, a product of 32-bit integers, is two operations on the ports that multiply (Intel;
# uops.info). On a Zen one goes every other cycle, which is four slots (Agner Fog, *Instruction tables*). Both have
# AVX2, so there it counts the three in between. AVX2 has no product of 64-bit integers: three of 32 bits, shifts and
# sums.

CONVERSIONS: dict[tuple[str, str], float] = {
    ("f32", "bf16"): 9.0,
    **{("f32", tiny): 20.0 for tiny in TINY},
    **{(tiny, "f32"): 14.0 for tiny in TINY},
}
"""Operations of a vector's conversion from a dtype to another, where they are more than one. Rounding to bf16 works on
the bits, and so does every conversion of floats of 8 bits and fewer."""

_FIRST = (
    "copy neg abs relu add sub mul maximum minimum lt le eq where as round div sqrt mul.s32 mul.u32 mul.s64 rsqrt exp"
    " log tanh erf sigmoid gelu gelu_tanh silu"
).split()
"""A Target's key counts their order: these stand as they did when tables were first kept, all others after them."""


def function_slots(base: str, own: Mapping[str, Slots] | None = None) -> dict[str, Slots]:
    """The slots of every function that is declared now, for a class of targets; `own` are those that its architecture
    declares."""
    found = {name: slots for function in FUNCTIONS.values() for name, slots in function.cost(base).items()}
    found |= own or {}
    return {name: found[name] for name in (*(n for n in _FIRST if n in found), *found)}
