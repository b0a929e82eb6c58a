"""The reduce leaf in C: the output tile in named vector registers, fully unrolled; loops over the reduction inside.

A step of the innermost loop loads each distinct operand vector once and updates every accumulator. Where there are few
accumulators the step is repeated on independent copies of them (chains), which are joined at the end. A leaf
that is swept (engine/leaves/reduce/sweep.py) has no loop over its window: its steps go down the rows of an input.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product

from ....lang.functions.combiners import longest
from ....lang.types.dtypes import dtype, limits
from ....machine.kernels import MULTIPLY
from ...vectors.body import emit_term
from ...vectors.text import PARTED, braced, for_loop, indent
from . import serve, sweep
from .inputs import Inputs, Position
from .results import Results
from .sweep import Sweep
from .tile import Levels


class ReduceLeaf(Inputs, Results):
    """The statements of a leaf: for each block of its tile the start of the accumulators, the loops, and the end of the
    results."""

    @property
    def follows(self) -> tuple[int, ...]:
        """What of its C, where its length is open, follows from the largest there is."""
        trips = self.size[self.inner] // (self.stride * self.chains)
        return self.lanes, self.chains, self._turns(trips), longest(trips, self.run) if self.run else 0

    def statements(self) -> list[str]:
        """The body of the leaf function over pointers named by the views."""
        return [
            line
            for block in self.blocks()
            for line in (
                *self._start(block),
                *self._loops(block),
                *self._again(block),
                *([] if self.ends_early else self._finish(block)),
            )
        ]

    def blocks(self) -> list[range]:
        """The vectors that are walked down the reduction together. These are all, or a few where rows stream in and
        nobody asks for them, so that the core is never far into one row before it goes on to the next."""
        alone = any(
            supply.alone and self.lane in view.access.dims for supply, view in zip(self.call.supplies, self.views)
        )
        count = self.target.writing.walked if alone and not self.along else self.vectors
        return [range(first, min(first + count, self.vectors)) for first in range(0, self.vectors, count)]

    def _again(self, block: range) -> list[str]:
        """A second sum of products with weights: where a sum is no number it is taken again without the values of
        weight 0. Sums of finite values pay for the test alone."""
        if not self.weighs:
            return []
        names = [self.accumulator(row, v, c) for row, v in self.tiles(block) for c in range(self.chains)]
        zero = f"{self.library.splat(self.dtype, self.lanes)}({self.library.identity(self._combine, self.dtype)})"
        self.skips = True
        loops = self._loops(block)
        self.skips = False
        return [
            "{",
            f"    const {self.V} all = {_summed(names)};",
            f"    if (__builtin_expect({self.library.any_nan(self.dtype, self.lanes)}(all), 0)) {{",
            *indent(indent([*(f"{name} = {zero};" for name in names), *loops])),
            "    }",
            "}",
        ]

    # ---- the loops ---------------------------------------------------------------------------------------------------

    def _loops(self, block: range) -> list[str]:
        written = {self.sweep.window, self.sweep.inner} if self.sweep else {self.inner}
        outer = [d for d in self.family.nest.summed if d not in written]
        terms = {d: (d, 1, 0) for d in outer}
        sums = [[self.accumulator(row, v, c) for c in range(self.chains)] for row, v in self.tiles(block)]
        levels = Levels(self.run, self.V, sums, self._continued(block))
        lines = self._swept(self.sweep, terms, block, levels) if self.sweep else self._innermost(terms, block, levels)
        for d in reversed(outer):
            end = "size" if d == self.call.open else self.size[d]
            lines = levels.loop(d, end, 1, self.size[d], [*self._rows_of(d, terms, block), *lines])
        self.is_joined = levels.count > 0
        return levels.around(lines)

    def _rows_of(self, dim: str, terms, block: range) -> list[str]:
        """The requests for panels that no inner loop walks down, such as scales of groups: once for each of their
        rows."""
        lines: dict[str, None] = {}
        for row, v in self.tiles(block):
            for i in range(self.family.nest.streamed):
                if self._walked(i) == dim != self.inner:
                    lines |= dict.fromkeys(self._panels(i, row, v, Position(terms), dim))
        return list(lines)

    def _innermost(self, terms, block: range, levels: Levels) -> list[str]:
        write = self._open if self.inner == self.call.open else self._counted
        return write(terms, block, levels)

    def _open(self, terms, block: range, levels: Levels) -> list[str]:
        """The length is the function's argument `size`: all whole turns, then the leftover of a turn step by step, and
        then the leftover of a step."""
        index, span = self.inner, self.stride * self.chains
        at = lambda name, constant=0, valid=None: Position({**terms, index: (name, 1, constant)}, valid)
        turn = [line for c in range(self.chains) for line in self._step(at(index, c * self.stride), c, block)]
        lines = [f"const int64_t turns = size - size % {span};" if span > 1 else "const int64_t turns = size;"]
        lines += [
            *levels.loop(
                index, "turns", span, self.size[index] // span, turn, self._unrolled(self.size[index] // span, block)
            )
        ]
        if self.chains > 1:
            step = for_loop(index, "steps", self._step(at(index), 0, block), step=self.stride, start="turns")
            lines += [
                (
                    f"const int64_t steps = size - size % {self.stride};"
                    if self.stride > 1
                    else "const int64_t steps = size;"
                ),
                *step,
            ]
        if self.stride > 1:
            end = "steps" if self.chains > 1 else "turns"
            lines += braced(self._step(at(end, valid=f"(int)(size - {end})"), 0, block), f"if ({end} < size)")
        return braced(lines)

    def _counted(self, terms, block: range, levels: Levels) -> list[str]:
        extent, index = self.size[self.inner], self.inner
        whole, left = divmod(extent, self.stride)
        trips = (
            whole // self.chains
            if whole > self.target.writing.written or all(view.access.is_apart(index) for view in self.views)
            else 0
        )
        span = self.stride * self.chains
        lines = []
        if trips > 1:
            steps = [
                line
                for c in range(self.chains)
                for line in self._step(Position({**terms, self.inner: (index, 1, c * self.stride)}), c, block)
            ]
            lines = levels.loop(index, trips * span, span, trips, steps, self._unrolled(trips, block))
        else:
            levels.turns = max(1, -(-whole // self.chains))
        for s in range(trips * self.chains if trips > 1 else 0, whole):
            lines += self._step(Position({**terms, self.inner: ("", 0, s * self.stride)}), s % self.chains, block)
        if left:
            lines += self._step(
                Position({**terms, self.inner: ("", 0, whole * self.stride)}, valid=left), whole % self.chains, block
            )
        return lines

    def _unrolled(self, trips: int, block: range) -> list[str]:
        """Several turns of a loop that does little in one: where two threads share a core, its own instructions are 2
        to 5 % of a leaf (docs/lab/ladder-2026-11.md)."""
        turns = self._turns(trips, block)
        return [f"#pragma GCC unroll {turns}"] if turns > 1 and not self.slid else []

    def _turns(self, trips: int, block: range | None = None) -> int:
        return min(
            trips,
            int(serve.turns(sum(1 for _ in self.tiles(block or self.blocks()[0])), self.target))
            // (self.chains * self.written),
        )

    def _swept(self, along: Sweep, terms, block: range, levels: Levels) -> list[str]:
        """The steps of a window, down the rows of the input: each is read once, and the results whose windows meet it
        are updated. Held vectors of other inputs are read before."""
        rows, columns = range(self.size[along.window]), range(self.size[along.inner])
        at = lambda i, j: Position({**terms, along.window: ("", 0, i), along.inner: ("", 0, j)})
        held: dict[tuple, str] = {}
        lines: list[str] = []
        for i, j in product(rows, columns) if self.way == sweep.HELD else ():
            self._hold(at(i, j), block, held, lines)
        for met in along.meetings(self.size).values():
            tiles = [(row, v, met[row[along.row]]) for row, v in self.tiles(block) if row[along.row] in met]
            for j in columns:
                lines += self._updates([(row, v, at(i, j)) for row, v, i in tiles], j % self.chains, held)
            done = [(row, v) for row, v, i in tiles if self.ends_early and i == rows[-1]]
            lines += [line for row, v in done for line in self._store_one(row, v)]
        levels.turns = len(rows) * -(-len(columns) // self.chains)
        return braced(lines) if held else lines

    def _hold(self, at: Position, block: range, held: dict[tuple, str], lines: list[str]) -> None:
        """Load what any tile takes, at a place of the window, from inputs that the leaf is not swept along."""
        for row, v in self.tiles(block):
            for i in range(self.family.nest.streamed):
                if i not in self.swept:
                    self._operand(i, row, v, at, held, lines)

    def _step(self, at: Position, chain: int, block: range) -> list[str]:
        tiles = list(self.tiles(block))
        if not self.by_lane:
            return self._updates([(row, v, at) for row, v in tiles], chain, {})
        return [
            line
            for n in range(0, int(at.valid or self.stride), self.whole * self.kernel.group)
            for line in self._whole(at, n, chain, tiles)
        ]

    def _whole(self, at: Position, first: int, chain: int, tiles: list[tuple[dict[str, int], int]]) -> list[str]:
        """As many steps as a vector has elements, which take them by their lanes, from one along the reduction on."""
        count = min(self.whole * self.kernel.group, int(at.valid or self.stride) - first)
        held: dict[tuple, str] = {}
        lines: list[str] = []
        for row, i in product((row for row, _ in tiles), (i for i, d in self.by_lane.items() if d == self.inner)):
            self._operand(i, row, 0, at.on(self.inner, first, count), held, lines)
        for n in range(first, first + count, self.kernel.group):
            lines += self._updates([(row, v, at.on(self.inner, n)) for row, v in tiles], chain, held)
            lines.append(PARTED)
        return braced(lines)

    def _updates(self, tiles: list[tuple[dict[str, int], int, Position]], chain: int, held: dict[tuple, str]):
        """Load the vectors that a step needs beside the held ones, each once, and update the accumulators of these
        tiles, of one chain."""
        names = dict(held)
        lines: list[str] = []
        uses: dict[str, list[int]] = {}
        # the first input is streamed, or the one that the leaf is swept along, or the one not taken by lane; the others
        # are held (leaves.reduce.temporaries)
        streamed = min(self.swept, default=next(i for i in range(len(self.views)) if i not in self.by_lane))
        for row, v, at in sorted(tiles, key=lambda tile: self._vector_of(streamed, *tile)):
            values = [self._operand(i, row, v, at, names, lines) for i in range(self.family.nest.streamed)]
            name = self.accumulator(row, v, chain)
            lines += [self._update(name, values, row, at), *self._settled(name)]
            for value in (value for i, value in enumerate(values) if i not in (*self.predicates, *self.by_lane)):
                uses.setdefault(value, []).append(len(lines))
        sums = [self.accumulator(row, v, chain) for row, v, _ in tiles if not self.spread]
        lines = self._kept(lines, uses, sums)
        opened = [f"const {self.library.scalar(self.views[i].dtype)} *q{i} = {self.views[i].name};" for i in self.slid]
        return braced([*opened, *(f'__asm__ volatile("" : "+r"(q{i}));' for i in self.slid), *lines])

    def _settled(self, name: str) -> list[str]:
        """A sum of vectors that are joined of loads is in a register as soon as it is updated. Else compilers put the
        loads of a step before its sums, and have no registers for them."""
        hold = self.library.hold(self.dtype, self.lanes) if self.spread else ""
        return [f"{name} = {hold}({name});"] if hold else []

    def _kept(self, lines: list[str], uses: dict[str, list[int]], sums: list[str]) -> list[str]:
        """A step along a window, where inputs that several sums take outlive the last line that uses them, and after
        which each sum is in a register. Else compilers write a sum over an input that it is the last to take, and sums
        move from register to register from step to step. Where no register is left one of them goes through memory, in
        the chain of its additions (docs/lab/registers/README.md). In steps that no loop parts, compilers would read all
        inputs first and add then."""
        keep = self.library.keep(self.dtype, self.lanes) if self.slid or self.swept else ""
        hold, found = self.library.hold(self.dtype, self.lanes) if keep or self.swept else "", []
        for number, line in enumerate(lines, 1):
            kept = (name for name, at in uses.items() if keep and len(at) > 1 and at[-1] == number)
            found += [line, *(f"{keep}({name});" for name in kept)]
        return [*found, *(f"{name} = {hold}({name});" for name in sums if hold)]

    @property
    def apart(self) -> bool:
        """Whether it is to stay a function of its own: in a loop around it, addresses would be kept in registers that
        it needs."""
        return bool(self._turned or self.slid or self.swept)

    def _update(self, name: str, values: list[str], row: dict[str, int], at: Position) -> str:
        op, library = self.family.nest, self.library
        if self.adds_product and not (self.along and at.valid is not None):
            return f"{name} = {self.adds_product}({', '.join((name, *self._held_last(values)))});"
        if "{body}" not in self.kernel.c:
            if self.skips:
                values = [values[0], self._unless_zero(*values)]
            if self.skips and self.by_lane:  # by vectors
                return f"{name} += {values[0]} * {values[1]};"
            return self.kernel.c.format(c=name, **self._words(values, row, at))
        body = emit_term(op.body, values, library, self.dtype, self.lanes)
        if self.along and at.valid is not None:
            identity = f"{library.splat(self.dtype, self.lanes)}({library.identity(self._combine, self.dtype)})"
            body = f"{library.select(self.dtype, self.lanes)}({self._mask(at.valid)}, {body}, {identity})"
        return self.kernel.c.format(c=name, body=body, combine=library.binary(self._combine, self.dtype, self.lanes))

    @cached_property
    def adds_product(self) -> str:
        """The name of the helper that adds a product of two numbers of at most 16 bits, where a step does that and
        there is an instruction for it. Compilers take a product and a sum of integers apart, and read all factors
        first."""
        op, views = self.family.nest, self.views[: self.family.nest.streamed]
        is_sum = self.kernel.group == 1 and self._combine == "add" and str(op.body) == MULTIPLY
        if not (is_sum and self.dtype == "s32" and all(_is_word(view.dtype) for view in views)):
            return ""
        return self.library.add_product(self.dtype, self.lanes)

    def _held_last(self, values: list[str]) -> list[str]:
        """The factors of a product, last the one that several accumulators take: operations on it are done once."""
        return values if min(self.swept, default=0) == 0 else values[::-1]

    def _words(self, values: list[str], row: dict[str, int], at: Position) -> dict[str, object]:
        """What a step's C calls its inputs."""
        found: dict[str, object] = {f"x{i}": x for i, x in enumerate(values)}
        for i in self.by_lane:
            found |= {"element": values[i], "lane": self._number(i, row, at), "vector": values[1 - i]}
        return found

    def _unless_zero(self, weight: str, value: str) -> str:
        """The elements of `value` whose weight is not 0, 0 for the others; both as the step takes them."""
        if self.kernel.group == 1:
            select = self.library.select_by("eq", self.dtype, self.lanes)
            return f"{select}({weight}, ({self.V}){{0}}, ({self.V}){{0}}, {value})"
        words = self.library.type("u16", self.lanes * self.kernel.group)
        signed = self.library.type("s16", self.lanes * self.kernel.group)
        return f"(({words}){value} & ({words})(({signed})(({words}){weight} << 1) != 0))"

    def _mask(self, valid: int | str) -> str:
        """Which of the lanes of a part of a vector are there."""
        library, lanes = self.library, self.lanes
        if isinstance(valid, int):
            return f"({library.type('u8', lanes)}){{{', '.join('1' if j < valid else '0' for j in range(lanes))}}}"
        numbers = ", ".join(map(str, range(lanes)))
        return (
            f"({library.type('u8', lanes)})(({library.type('s8', lanes)}){{{numbers}}} <"
            f" {library.splat('s8', lanes)}((int8_t){valid}))"
        )


def _summed(names: list[str]) -> str:
    """The sum of all, by pairs."""
    while len(names) > 1:
        names = [
            f"({' + '.join(names[i : i + 2])})" if i + 1 < len(names) else names[i] for i in range(0, len(names), 2)
        ]
    return names[0]


def _is_word(name: str) -> bool:
    """Whether a dtype's numbers are integers that s16 holds."""
    return dtype(name).kind in ("signed", "unsigned") and limits(name)[1] <= limits("s16")[1]
