"""The C of a model: parts in sequence, whose constants lie in a file of weights."""

from __future__ import annotations

from functools import cached_property

from ..engine.program.sequence import Sequence
from ..engine.vectors.text import braced
from ..lang.nests.family import LINE
from ..lang.types.dynamic import Dynamic
from .ahead import Pack
from .emit import EmittedFunction, UnitWriter
from .sequence import SequenceWriter


def add_model(
    writer: UnitWriter,
    sequence: Sequence,
    name: str,
    comment: str,
    timed: bool = False,
    size: tuple[int, int] | None = None,
) -> EmittedFunction:
    """Write a sequence of programs as the exported function `name` whose first argument is all that it reads of its
    constants, which the one function that it `packs` by fills. Constants, by number, are packed one after the other, in
    any order.

        void name(const void *weights, const T *x0, .., T *y0, ..);
        void name_pack(int64_t constant, const void *data, void *weights);

    A dynamic size, `int64_t m`, from the first to the last of `size`, comes before all of these. A `timed` one takes
    one more array, `int64_t *ticks`: the nanoseconds of a clock before the first program and after each.
    """
    least, dynamic = (1, None) if size is None else (size[0], Dynamic("", size[1]))
    return ModelWriter(sequence, name, writer, comment, dynamic, least).added_model(timed)


_NOW = """#include <time.h>
static int64_t griotte_tick(void)
{
    struct timespec t;
    __asm__ volatile("" ::: "memory"); /* nothing moves past it */
    clock_gettime(CLOCK_MONOTONIC, &t);
    __asm__ volatile("" ::: "memory");
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}"""


class ModelWriter(SequenceWriter):
    """A sequence all of whose constants lie in one buffer, one after the other."""

    def added_model(self, timed: bool = False) -> EmittedFunction:
        """The exported function, and the one that packs all that it reads of constants."""
        inputs = [i for i in range(self.sequence.inputs) if not self.sequence.types[i].constant]
        calls = self._timed() if timed else self._lines(self.sequence.called)
        body = [*self._within_bound(), *self._workspace(), *calls]
        packs = [self._pack(i) for i in self._sections]
        for pack in packs:
            self.writer.keep(f"{pack.prototype};")
        fill = self._fill(packs)
        formals, ticks = ["const void *weights", *map(self._formal, inputs)], ["int64_t *ticks"] * timed
        header = self._header(formals, inputs, [*packs, fill], body, ticks)
        return EmittedFunction(self.name, header, (fill,), self._threads)

    def _within_bound(self) -> list[str]:
        """Parts that all sizes have alike would run for any."""
        return [] if self.dynamic is None else [f"if (m < {self.least} || m > {self.dynamic.bound})", "    return;"]

    def _timed(self) -> list[str]:
        """What runs for each part, with a time stamp before the first and after each."""
        self.writer.keep(_NOW)
        parts = (self._lines([part]) for part in self.sequence.called)
        stamped = (line for n, calls in enumerate(parts, 1) for line in (*calls, f"ticks[{n}] = griotte_tick();"))
        return ["ticks[0] = griotte_tick();", *stamped]

    def _is_packed(self, i: int) -> bool:
        return self.sequence.types[i].constant

    @cached_property
    def _begins(self) -> dict[int, int]:
        """The byte at which a call's data of each constant begin."""
        found, at = {}, 0
        for i, sections in self._sections.items():
            found[i] = at
            at += sections["end", i]
        return found

    def _section(self, i: int, key: tuple) -> str:
        return f"(const char *)weights + {self._begins[i] + self._sections[i][key]}"

    def _pack(self, i: int) -> Pack:
        pack = super()._pack(i)
        prototype = f"static {pack.prototype}"
        source = pack.source.replace(pack.prototype, prototype)
        return StaticPack(i, pack.function, prototype, pack.bytes, source, ())

    def _fill(self, packs: list[Pack]) -> Pack:
        """The function that makes all that calls read of the constants."""
        function = f"{self.name}_pack"
        prototype = f"void {function}(int64_t constant, const void *data, void *weights)"
        cases = [
            f"case {n}: {pack.function}(data, (char *)weights + {self._begins[pack.operand]}); return;"
            for n, pack in enumerate(packs)
            if self._sections[pack.operand]["end", pack.operand]
        ]
        lines = ["switch (constant) {", *cases, "}"] if cases else []
        size = sum(sections["end", i] for i, sections in self._sections.items())
        source = "\n".join([prototype, *braced(lines), ""])
        return WeightsPack(-1, function, prototype, max(LINE, size), source, ())


class StaticPack(Pack):
    """The static function that packs one constant of a model: no header says it."""

    def declared(self, name: str) -> list[str]:
        return []


class WeightsPack(Pack):
    """The function that packs all constants of a model."""

    def declared(self, name: str) -> list[str]:
        return [
            f"/* weights: all constants as {self.function} makes them, each once by its number; of WEIGHTS_BYTES, on a"
            " cache line. */",
            f"#define {name.upper()}_WEIGHTS_BYTES {self.bytes}",
            f"{self.prototype};",
        ]
