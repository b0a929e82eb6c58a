"""Long sums in C: accumulators that go on to others after a run of turns, and these to others again, so that no float
is added to a long row of others."""

from __future__ import annotations

from .text import indent


class Levels:
    """The levels of sums of the accumulators `names`, vectors of C type `type`, each of `run` terms at most; 0: of any
    number. `turns` are the terms that the sums of the last level take so far, by a loop that is written."""

    def __init__(self, run: int, type: str, names: list[str]):
        self.run, self.type, self.names = run, type, names
        self.count, self.turns = 0, 1

    def loop(
        self, index: str, end: int | str, step: int, trips: int, body: list[str], before: list[str] | None = None
    ) -> list[str]:
        """The loop for (index = 0; index < end; index += step), which takes `trips` turns, or at most so many: in runs
        after each of which sums go on, where it is longer; what is in `before` stands ahead of the innermost."""
        whole = self.turns * trips
        if not self.run or whole <= self.run:
            self.turns = whole
            return [*(before or []), *_loop(index, "0", end, step, body)]
        spans = [step * max(1, self.run // self.turns)]
        while spans[-1] * self.run < trips * step:
            spans.append(spans[-1] * self.run)
        starts = [f"{index}_{n}" for n in range(len(spans), 0, -1)]
        found = [*(before or []), *_loop(index, starts[-1], f"{starts[-1]}_end", step, body)]
        for n, span in enumerate(spans):
            start, outer = starts[-1 - n], starts[-2 - n] if n + 1 < len(spans) else ""
            to = f"{outer}_end" if outer else end
            found = [
                f"const int64_t {start}_end = {start} + {span} < {to} ? {start} + {span} : {to};",
                *found,
                *self._go_on(),
            ]
            found = _loop(start, outer or "0", to, span, found)
        self.turns = -(-trips * step // spans[-1])
        return found

    def _go_on(self) -> list[str]:
        """The sums of the last level added to those of another, and begun anew."""
        last, self.count = self.count, self.count + 1
        return [
            f"{self._sum(name, self.count)} += {self._sum(name, last)}; {self._sum(name, last)} = ({self.type}){{0}};"
            for name in self.names
        ]

    def around(self, loops: list[str]) -> list[str]:
        """The loops with the sums that they go on to, which end in the accumulators."""
        if not self.count:
            return loops
        levels = range(1, self.count + 1)
        begin = [f"{self.type} {', '.join(f'{self._sum(name, n)} = {{0}}' for n in levels)};" for name in self.names]
        end = [f"{name} += {' + '.join(self._sum(name, n) for n in levels)};" for name in self.names]
        return ["{", *indent([*begin, *loops, *end]), "}"]

    @staticmethod
    def _sum(name: str, level: int) -> str:
        return f"{name}_{level}" if level else name


def _loop(index: str, start: str, end: int | str, step: int, body: list[str]) -> list[str]:
    return [f"for (int64_t {index} = {start}; {index} < {end}; {index} += {step}) {{", *indent(body), "}"]
