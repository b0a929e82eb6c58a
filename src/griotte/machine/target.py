"""A machine as data: memory levels, vector registers, kernels, cost coefficients. No instruction set is named here."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..lang.functions import Slots
from ..lang.nests.family import USUAL, Occupied, Spans
from ..lang.types.dtypes import dtype
from ..lang.types.fields import Fields
from ..support.floats import DEFAULT, STRICT
from .core import (
    CONVERSIONS,
    LATER,
    Breadth,
    Calls,
    Crossing,
    Handling,
    Layouts,
    Level,
    Ports,
    Prefetch,
    Writing,
    function_slots,
)
from .instructions import Kernel
from .leaves import Leaves

BRIEF = Writing(unrolled=12, written=3, swept=0, row=2)  # a window is gone along in a loop, not down its rows
NARROW = Breadth(times=(1,), room=2)
NARROW_PANEL = 2  # vectors: with them a tile of registers does the most for what it loads
RESTING = 0.25
"""The part of a cache with a share of 0 that one copy may take. A product has two inputs and its output passes by, so
nothing needs to be counted for all of them to fit."""


READ, WRITTEN = ("line", "stream"), ("store", "result", "late", "nontemporal")
OF_LINES = (*READ, *WRITTEN, "turned")
"""The coefficients of lines. The first change where threads read, or write, at once."""

STEPS, LEAST_STEPS = 8, 3
"""Prices change with the bytes of a call in so many steps a power of two. So Specs of about one size have one table.
And the steps that two measurements of one thing may be apart."""


@dataclass(frozen=True)
class Target(Fields):
    """A machine as data: programs are searched and priced for it. `griotte targets` lists those there are.

    `griotte.machine.resolve` makes one of a name or a TOML file, `dataclasses.replace` one that differs.

    Attributes:
        name: what it is called.
        features: those of the CPU that its code needs.
        flags: of the C compiler.
        vector_bytes: the width of a register, in bytes.
        registers: how many there are.
        levels: of memory, the registers first; capacities rise from there.
        kernels: the instructions for steps of operations.
        coefficients: cycles of each count of the cost model, by name.
        ports: what the core issues each cycle.
        crossing: what becomes of lines on their way to the core.
        prefetch: how long ahead programs ask for lines.
        functions: arithmetic operations of each function, by name.
        panel_vectors: widths of panels, in vectors.
        tile_sizes: sizes of tiles besides those of the ladders.
        largest_cache: bytes that caches may hold from call to call, shares of other cores too; None: those of the
            largest level.
        leaves: tiles of registers that were measured; the measurement is their price.
        partial: registers that a vector takes besides while a step loads a part of it.
        handling: what a core takes for elements that no vector instruction handles as they lie.
        writing: how the C of leaves is written.
        layouts: factors on parts of models whose arrays lie in another layout than their own.
        conversions: operations of a vector's conversion from a dtype to another.
        math: what its programs promise of floats, "default" or "strict".
        breadth: how much of its space is searched.
        spans: how long a line of its caches is, and a page; lines and pages that are counted are of these.
        calls: the dependence of a line's price on a whole call.

    Examples:
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
    functions: tuple[tuple[str, Slots], ...] = field(default_factory=lambda: tuple(function_slots("portable").items()))
    panel_vectors: tuple[int, ...] = (1, 2, 3, 4)
    tile_sizes: tuple[int, ...] = ()
    largest_cache: int | None = None
    leaves: Leaves | None = field(default=None, metadata=LATER)
    partial: int = 1
    handling: Handling = field(default=Handling(), metadata=LATER)
    writing: Writing = field(default=Writing(), metadata=LATER)
    layouts: Layouts = field(default=Layouts(), metadata=LATER)
    conversions: tuple[tuple[tuple[str, str], float], ...] = field(default=tuple(CONVERSIONS.items()), metadata=LATER)
    math: str = field(default=DEFAULT, metadata=LATER)
    breadth: Breadth = field(default=Breadth(), metadata=LATER)
    spans: Spans = field(default=USUAL, metadata=LATER)
    calls: Calls = field(default=Calls(), metadata=LATER)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        caches = "".join(f", {level.name} {_size(level.capacity)}" for level in self.levels[1:] if level.capacity)
        return f"<griotte.Target {self.name}: {self.registers} registers of {self.vector_bytes} bytes{caches}>"

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.features, self.levels, self.coefficients, self.registers, self.math))

    @property
    def is_strict(self) -> bool:
        """Whether laws and kernels that change more than rounding for some input are left out."""
        return self.math == STRICT

    @cached_property
    def brief(self) -> Target:
        """The same machine, whose leaves are shorter C than the fastest.

        Less is written out in place of a loop, so a compiler takes less time."""
        return replace(self, writing=BRIEF)

    @cached_property
    def narrowed(self) -> Target:
        """The same machine with a small part of its space, which holds a program of whatever the whole space has one.

        Nothing is counted in caches, so there are no limits; copies are put in L2 alone; panels have one width; loops
        step by powers of two."""
        levels = tuple(replace(level, share=0.0) if n else level for n, level in enumerate(self.levels))
        widths = sorted(self.panel_vectors, key=lambda width: abs(width - NARROW_PANEL))[:1]
        return replace(self, levels=levels, panel_vectors=tuple(widths), writing=BRIEF, breadth=NARROW)

    @cached_property
    def narrowest(self) -> Target:
        """The same of less: where maps are done as sums are stored, these are taken whole."""
        return replace(self.narrowed, breadth=replace(NARROW, finishes=True))

    def narrowed_for(self, lines: float) -> Target:
        """The small part of the space for so many lines.

        A sum in several tiles spares reads of data that are in no near cache; for data in a near cache such sums are
        left out.

        Args:
            lines: of all arrays.

        Examples:
            >>> target = gt.synthesize("exp(f32[8])", target="portable").target
            >>> target.narrowed_for(64) == target.narrowest, target.narrowed_for(1e9) == target.narrowed
            (True, True)
        """
        return self.narrowest if self.home(lines) <= (NARROW.room or 0) else self.narrowed

    def called(self, count: float, threads: int = 1) -> Target:
        """The same machine, with the prices that hold where a call goes over so many bytes by so many threads.

        Lines from the level where its arrays rest cost as measured for so many bytes, in steps of an eighth of a power
        of two. They cost less than usual where a nearer cache still holds a part of the arrays. All prices then lie as
        far between those of the two levels as that of a line. They cost more where a cache is slower the more of it is
        used. Of several threads each goes over its share of the bytes, for what was measured is what one thread has of
        a cache. Each but the first adds to a line from a cache that they share, or from memory, what a second one does.

        Args:
            count: bytes of all arrays of the call, whole intermediates with them.
            threads: that it is shared out to.

        Examples:
            >>> target = gt.synthesize("exp(f32[8])", target="portable").target
            >>> target.called(1 << 20) is target  # nothing of this was measured
            True
        """
        if not self.prices_calls:
            return self
        number = self.home(count / self.spans.line)
        key = number, self._steps(number, count / max(1, threads)), threads
        if key not in self._called:
            self._called[key] = self._priced(*key)
        return self._called[key]

    @property
    def prices_calls(self) -> bool:
        """Whether a line's price depends on a whole call: whether `called` may give another machine than this."""
        return self.calls != Calls()

    @cached_property
    def _called(self) -> dict[tuple[int, int, int], Target]:
        """The machine with prices of calls, by what these depend on: Specs of about one size have one."""
        return {}

    def _priced(self, number: int, steps: int, threads: int) -> Target:
        """With the prices of calls whose arrays rest at a level, in so many steps from its usual ones."""
        found = self.coefficient | (self._in_steps(number, steps) if steps else {})
        read, written = dict(self.calls.shared), dict(self.calls.written)
        for uses, slower in ((READ, read), (WRITTEN, read | written)):
            for level, more in slower.items():
                times = 1 + (more - 1) * (threads - 1)
                found |= {name: times * found[name] for name in (f"{each}.{level}" for each in uses) if name in found}
        crossing = replace(self.crossing, rests=float(number)) if self.crossing.walked else self.crossing
        return replace(self, coefficients=tuple(found.items()), calls=Calls(), crossing=crossing)

    def _steps(self, number: int, count: float) -> int:
        """Steps from a line's usual price at a level to its price where arrays of so many bytes rest there. Each is
        1/`STEPS` of a power of two; 0 where both prices are about the same."""
        home, nearer, price = self.levels[number], self.levels[number - 1], self.coefficient
        if not self.calls.curve or number < 2 or home.capacity and home.share:
            return 0
        near, usual = price[f"stream.{nearer.name}"], price[f"stream.{home.name}"]
        begins = ((nearer.capacity, near),) if nearer.capacity and nearer.share else ()
        steps = round(STEPS * float(np.log2(max(near, self.calls.cycles(count, begins)) / usual)))
        return 0 if abs(steps) < LEAST_STEPS else steps

    def _in_steps(self, number: int, steps: int) -> dict[str, float]:
        """Prices of a level whose lines take so many steps more, or fewer, than usual."""
        home, nearer, price = self.levels[number], self.levels[number - 1], self.coefficient
        near, usual = price[f"stream.{nearer.name}"], price[f"stream.{home.name}"]
        times = 2.0 ** (steps / STEPS)
        if times > 1 or near >= usual:
            return {name: times * price[name] for name in (f"{each}.{home.name}" for each in OF_LINES) if name in price}
        share = float(np.clip(np.log(times * usual / near) / np.log(usual / near), 0.0, 1.0))
        found = {}
        for name in (name for name in price if name.endswith(f".{home.name}")):
            before = price.get(f"{name.removesuffix(home.name)}{nearer.name}")
            found[name] = times * price[name] if before is None else _between(before, price[name], share)
        return found

    @cached_property
    def coefficient(self) -> dict[str, float]:
        """Cycles of each count of the cost model, by name."""
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

        Examples:
            >>> target = gt.synthesize("exp(f32[8])", target="portable").target
            >>> target.lanes("f32") == target.vector_bytes // 4
            True
        """
        return max(1, self.vector_bytes // dtype(name).bytes)

    def capacity_lines(self, level: int) -> float:
        """Lines of a level that a program may plan with; infinity for memory.

        For a level with a share of 0: the lines that one operand may take.

        Args:
            level: its number; the registers are 0.

        Examples:
            >>> gt.synthesize("exp(f32[8])", target="portable").target.capacity_lines(-1)
            inf
        """
        found = self.levels[level]
        return float("inf") if found.capacity is None else found.capacity * (found.share or RESTING) // self.spans.line

    @cached_property
    def occupied(self) -> Spans:
        """The spans, with what a stretch takes up of L1 besides its own lines, where it takes more."""
        beside, fitting = self.crossing.beside, self.crossing.fitting
        if not beside:
            return self.spans
        return Occupied(self.spans.line, self.spans.page, beside=beside, part=self.levels[1].share / fitting)

    @cached_property
    def cached_lines(self) -> int:
        """Lines that may rest in some cache from call to call."""
        known = self.largest_cache or max((level.capacity for level in self.levels[1:] if level.capacity), default=0)
        return known // self.spans.line

    @cached_property
    def ways(self) -> int:
        """Lines that begin on one set of the nearest cache and rest there together, a power of two.

        A set is chosen
        within a page, so a cache has as many ways as it has pages."""
        return 1 << max(1, (self.levels[1].capacity or 0) // self.spans.page).bit_length() - 1

    def places(self, level: int) -> tuple[int, ...]:
        """The memory levels faster than another that a program may plan with.

        Args:
            level: its number; the registers are 0.

        Examples:
            >>> gt.synthesize("exp(f32[8])", target="portable").target.places(3)
            (1, 2)
        """
        return tuple(x for x in range(1, level) if self.levels[x].share > 0)

    def rooms(self, level: int) -> tuple[int, ...]:
        """The memory levels up to another that a copy of something there may be put in.

        Memory is none where a cache in which nothing is counted can rest the copy.

        Args:
            level: its number; the registers are 0.

        Examples:
            >>> gt.synthesize("exp(f32[8])", target="portable").target.rooms(2)
            (1, 2)
        """
        if self.breadth.room is not None:
            return (min(self.breadth.room, level),)
        faster = tuple(range(1, level))
        if self.levels[level].capacity is None and faster and self.levels[faster[-1]].share == 0:
            return faster
        return (*faster, level)

    def resting(self, home: int) -> int | None:
        """The cache beside the level of whole arrays in which nothing is counted.

        None where there is none, or all arrays are in it.

        Args:
            home: the number of the level of whole arrays.

        Examples:
            >>> gt.synthesize("exp(f32[8])", target="portable").target.resting(1) is None
            True
        """
        if self.breadth.room is not None:
            return None
        *_, last = self.rooms(home)
        return last if last < home and self.levels[last].share == 0 else None

    def rests(self, level: int, lines: float):
        """Whether so many lines rest in a level from call to call.

        Nothing else passes through then, so all of it counts.

        Args:
            level: its number; the registers are 0.
            lines: a number or an array.

        Examples:
            >>> bool(gt.synthesize("exp(f32[8])", target="portable").target.rests(1, 64))
            True
        """
        capacity = self.levels[level].capacity
        return np.asarray(lines) <= (np.inf if capacity is None else capacity // self.spans.line)

    def cost(self, features: dict):
        """Cycles: the coefficients times their counts. Works on numbers and on arrays alike.

        Args:
            features: counts, by name.

        Examples:
            >>> target = gt.synthesize("exp(f32[8])", target="portable").target
            >>> target.cost({"call": 2}) == 2 * target.coefficient["call"]
            True
        """
        return sum(self.coefficient[name] * value for name, value in features.items())

    def home(self, lines_needed: float) -> int:
        """The fastest level that holds a whole problem: where its operands rest between calls.

        Args:
            lines_needed: what the problem takes.

        Examples:
            >>> gt.synthesize("exp(f32[8])", target="portable").target.home(64)
            1
        """
        return next(level for level in range(1, len(self.levels)) if self.rests(level, lines_needed))


def _between(near: float, far: float, share: float) -> float:
    """A price that lies so far on the way from one to another: by powers, where neither is 0."""
    return near * (far / near) ** share if near > 0 and far > 0 else near + share * (far - near)


def _size(capacity: int) -> str:
    """Bytes, as 48 KiB or 2 MiB."""
    return f"{capacity / (1 << 20):g} MiB" if capacity >= 1 << 20 else f"{capacity / (1 << 10):g} KiB"
