"""The tile of results that a reduce leaf holds in registers: its rows and vectors, and what each accumulator is called
in C. Long sums go on to other accumulators after a run of turns, and these to others again, so that no float is added
to a long row of others."""

from __future__ import annotations

from itertools import product as cartesian

from ....lang.types.dtypes import dtype
from ....lang.types.expr import WEIGHED
from ....machine.instructions import Kernel
from ....machine.target import Target
from ...program.nodes import KernelCall, Move
from ...program.view import View
from ...vectors.body import predicates
from ...vectors.library import VectorLibrary
from ...vectors.text import braced, for_loop
from .. import copies
from ..conditions import by_lane_dim, paired_dim
from ..form import LeafCode, kernel_of
from . import serve, sweep


class RegisterTile(LeafCode):
    """Vectors of `lanes` elements along `lane`, for each of some rows; `inner` is the reduction of the innermost loop,
    `stride` how many of its elements a step takes."""

    def __init__(self, move: Move, views: list[View], target: Target, library: VectorLibrary):
        call = move.body
        assert isinstance(call, KernelCall)
        self.target = target
        self.call, self.family, self.size = call, call.state.family, call.state.size
        self.outer = move.state.family
        self.kernel: Kernel = kernel_of(call, target)
        self.views, self.library = views, library
        self.lane, self.dtype = call.lane, self.family.accumulator
        self.lanes = self._lanes()
        op = self.family.nest
        self.along = self.lane in op.reduction
        self.rows = [d for d in op.results if d != self.lane]
        self.vectors = 1 if self.along else -(-self.size[self.lane] // self.lanes)
        self.left = self.size[self.lane] % self.lanes  # lanes in use of the last vector; 0: all
        self.chains = call.chains or int(serve.chains(self.kernel, self.family, target, self.lane, self.size))
        self.inner = self.lane if self.along else paired_dim(self.kernel, self.family, self.lane) or op.summed[-1]
        self.stride = (self.lanes if self.along else 1) * (
            self.kernel.group if self.along or self.kernel.group > 1 else 1
        )
        found = {i: by_lane_dim(self.kernel, self.family, i, self.lane) for i in range(op.streamed)}
        # by input whose elements a step takes by their lanes, the dimension along which vectors of `whole` hold them
        self.by_lane, self.whole = {i: d for i, d in found.items() if d}, self.family.output.vector.lanes
        # steps that stand one after the other in a turn of the loop
        self.written = serve.written(self.kernel, self.family, self.lane, target, self.size) if self.by_lane else 1
        self.stride *= self.written
        self.predicates = predicates(op.body) | (predicates(op.finish) if op.finish else frozenset())
        self.V = library.type(self.dtype, self.lanes)
        self.run = serve.run(self.kernel, self.family, self.chains)
        self.way = int(sweep.way(self.kernel, self.family, self.lane, target, self.size))
        self.sweep = sweep.sweep_of(self.kernel, self.family, self.lane) if self.way else None
        self.ends_early = (  # not where a store may change elements that are still to be read
            self.sweep is not None and sweep.ends_early(self.family, self.lane) and not any(v.inside for v in views)
        )
        self.swept = frozenset(  # the inputs down whose rows it goes
            i for i in range(op.streamed) if self.sweep and self.sweep.is_along(views[i].access, self.lane)
        )
        # whether values of weight 0 count nothing; and whether the steps that are written now leave them out
        self.weighs, self.skips = op.body == WEIGHED and self.kernel.body is not None, False
        # whether the loops that are written leave the sum of all chains in the first, with the old output added to it
        self.is_joined = False

    def _lanes(self) -> int:
        """The form's, or where its vector would be half empty, those of a narrower one: such a load or store crosses no
        cache line for lanes that nobody wants."""
        lanes, used = self.family.output.vector.lanes, self.size[self.lane]
        least = copies.LEAST_BYTES // dtype(self.dtype).bytes
        while self.kernel.any_width and lanes > least and used <= lanes // 2:
            lanes //= 2
        return lanes

    def tiles(self, block: range):
        """Every (row index by dimension, vector number) of a block of the output tile."""
        for row in cartesian(*(range(self.size[d]) for d in self.rows)):
            for v in block:
                yield dict(zip(self.rows, row)), v

    def accumulator(self, row: dict[str, int], v: int, chain: int = 0) -> str:
        return (
            "c"
            + "_".join(map(str, (*row.values(), v)))
            + ("" if chain == 0 else "abcdefghijklmnopqrstuvwxyz"[chain - 1])
        )

    @staticmethod
    def place_of(view: View, row: dict[str, int]) -> int:
        """The element of a view at which a row begins."""
        return sum(view.step(d, i) for d, i in row.items())

    @property
    def _combine(self) -> str:
        return self.family.nest.combine

    def _valid_lanes(self, v: int) -> int:
        return self.left if self.left and v == self.vectors - 1 else self.lanes


class Levels:
    """The levels of sums of accumulators, vectors of C type `type`, each of `run` terms at most; 0: of any number.
    `sums` has the names of the chains of each, which go on to one sum: the first, the second added to it, and so on.
    `begins` says, by the name of the first, what their last sum begins with, where that is not 0. `turns` are the terms
    that the sums of the last level take so far, by a loop that is written."""

    def __init__(self, run: int, type: str, sums: list[list[str]], begins: dict[str, str] | None = None):
        self.run, self.type, self.sums, self.begins = run, type, sums, begins or {}
        self.count, self.turns = 0, 1

    def loop(
        self, index: str, end: int | str, step: int, trips: int, body: list[str], before: list[str] | None = None
    ) -> list[str]:
        """The loop for (index = 0; index < end; index += step), which takes `trips` turns, or at most so many. A loop
        that is longer than a run goes in runs, and before each run sums go on. So the code after the loop adds to the
        last run's sums. `before` stands ahead of the innermost loop."""
        whole = self.turns * trips
        if not self.run or whole <= self.run:
            self.turns = whole
            return [*(before or []), *for_loop(index, end, body, step=step)]
        spans = [step * max(1, self.run // self.turns)]
        while spans[-1] * self.run < trips * step:
            spans.append(spans[-1] * self.run)
        starts = [f"{index}_{n}" for n in range(len(spans), 0, -1)]
        lines = [*(before or []), *for_loop(index, f"{starts[-1]}_end", body, step=step, start=starts[-1])]
        for n, span in enumerate(spans):
            start, outer = starts[-1 - n], starts[-2 - n] if n + 1 < len(spans) else ""
            to = f"{outer}_end" if outer else end
            lines = [
                f"const int64_t {start}_end = {start} + {span} < {to} ? {start} + {span} : {to};",
                *self._go_on(),
                *lines,
            ]
            lines = for_loop(start, to, lines, step=span, start=outer or 0)
        self.turns = -(-trips * step // spans[-1])
        return lines

    def _go_on(self) -> list[str]:
        """The sums of the last level added to those of another, and begun anew."""
        last, self.count = self.count, self.count + 1
        lines = []
        for names in self.sums:
            ends = [self._sum(names[0], last)] if last else names
            zeros = "".join(f" {name} = ({self.type}){{0}};" for name in ends)
            lines.append(f"{self._sum(names[0], self.count)} += {_in_order(ends)};{zeros}")
        return lines

    def around(self, loops: list[str]) -> list[str]:
        """The loops with the sums that they go on to, which end in the first chain of each accumulator."""
        if not self.count:
            return loops
        levels = range(1, self.count + 1)
        begin, end = [], []
        for names in self.sums:
            zeros = dict.fromkeys(levels, f"({self.type}){{0}}")
            if names[0] in self.begins:
                zeros[self.count] = self.begins[names[0]]
            begin.append(f"{self.type} {', '.join(f'{self._sum(names[0], n)} = {zeros[n]}' for n in levels)};")
            own = _in_order(names)
            end.append(f"{names[0]} = {own} + {_in_order([self._sum(names[0], n) for n in levels])};")
        return braced([*begin, *loops, *end])

    @staticmethod
    def _sum(name: str, level: int) -> str:
        return f"{name}_{level}" if level else name


def _in_order(names: list[str]) -> str:
    """Their sum, the first and the second added first."""
    return f"({' + '.join(names)})" if len(names) > 1 else names[0]
