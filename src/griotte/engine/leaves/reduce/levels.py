"""Long sums in C: accumulators that go on to others after a run of turns, and these to others again, so that no float
is added to a long row of others."""

from __future__ import annotations

from ...vectors.text import braced, for_loop


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
        """The loop for (index = 0; index < end; index += step), which takes `trips` turns, or at most so many: in runs
        before each of which sums go on, where it is longer, so that what comes after the loop adds to the last run's;
        what is in `before` stands ahead of the innermost."""
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
