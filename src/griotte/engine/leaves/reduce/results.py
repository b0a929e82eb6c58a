"""What a reduce leaf does with its results in C: accumulators begin, and are joined, finished and stored as they lie or
in squares that are turned."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ....lang.types.dtypes import dtype
from ....lang.types.expr import computed_in
from ...program.view import View
from ...vectors.body import emit_body, taken_otherwise
from ...vectors.squares import interleaved, joined_lanes, turned
from ...vectors.text import braced, call_of, element, on_lines, plus, request
from ..conditions import LEAST_SUMS
from .serve import interleaved_dim, turned_dim
from .tile import RegisterTile

PART = 16  # bytes of a vector within which instructions move elements at no more than a cycle


def powers(count: int, most: int) -> list[tuple[int, int]]:
    """So many as runs of a power of two, of `most` at most: (first, how many) of each."""
    found, first = [], 0
    while first < count:
        run = min(most, 1 << (count - first).bit_length() - 1)
        found.append((first, run))
        first += run
    return found


class Results(RegisterTile):
    """The accumulators of a tile, and the output that they go to."""

    def _start(self, block: range) -> list[str]:
        """Accumulators start at the identity. An output may be read at the end, or a store may fetch its lines from
        far: lines asked for now are on their way behind the loops."""
        identity = f"{self.library.splat(self.dtype, self.lanes)}({self.library.identity(self._combine, self.dtype)})"
        asks, is_turned = bool(self.call.requests(len(self.views) - 1)), self._turned and not self.outer.accumulate
        lines = self._ask(block) if asks and not is_turned else []
        for row, v in self.tiles(block):
            lines += [f"{self.V} {self.accumulator(row, v, c)} = {identity};" for c in range(self.chains)]
            if asks and is_turned and row[self._turned] == 0:
                lines += self._ask_rows(self._turned, row, v)
        return lines

    def _ask(self, block: range) -> list[str]:
        """The lines of results that vectors begin on, and, for rows may begin anywhere, those of the rows' last
        elements; each once, where rows lie one behind the other."""
        view, across = self.views[-1], self.family.nest.across
        rows = [(row, v) for row, v in self.tiles(block) if not any(row[d] for d in across)]
        places = sorted({place for row, v in rows for place in self._places(row, v)})
        return [
            request(plus(view.name, place), to_write=True)
            for place in on_lines(places, self.library.line // dtype(view.dtype).bytes)
        ]

    def _places(self, row: dict[str, int], v: int) -> list[int]:
        """The elements of the output at which vector v of a row of results begins and, if that is the last vector, the
        row ends. Where accumulators are interleaved, a vector that is stored is none that is summed, but there are as
        many."""
        view, unit = self.views[-1], self._in_turn
        if self.along or not unit and view.step(self.lane, 1) != 1:
            return [self._place(view, row, v)]
        count, part = (self.size[unit], row[unit]) if unit else (1, 0)
        first = (v * count + part) * self.lanes
        left = self.size[self.lane] * count - first
        first += sum(view.step(d, i) for d, i in row.items() if d != unit)
        ends = view.layout.given and 1 < left <= self.lanes
        return [first + n for n in (0, *[left - 1] * ends) if left > 0]

    def _ask_rows(self, unit: str, row: dict[str, int], v: int) -> list[str]:
        """The rows that a turned result will be stored to, a stretch of a line or two each: all at once they would be
        long in coming."""
        view, end = self.views[-1], self.size[unit] - 1
        rows = [plus(self._output_at(row, v), n * view.step(self.lane, 1)) for n in range(self._valid_lanes(v))]
        return [request(f"{at}{f' + {end}' * last}", to_write=True) for at in rows for last in (False, True)]

    def _place(self, view: View, row: dict[str, int], v: int) -> int:
        """The element of a view at which vector v of a row begins."""
        return self.place_of(view, row) + (0 if self.along else view.step(self.lane, 1) * v * self.lanes)

    def _output_at(self, row: dict[str, int], v: int) -> str:
        return plus(self.views[-1].name, self._place(self.views[-1], row, v))

    def _load_output(self, row, v) -> str:
        return self._read(self.views[-1], self._output_at(row, v), v)

    def _read(self, view: View, at: str, v: int) -> str:
        """Vector v of a row, as it lies in memory."""
        stride, count = view.step(self.lane, 1), self._valid_lanes(v)
        if stride != 1:
            return self.spaced(view.dtype, self.lanes, at, stride, count)
        return self.loaded(view.dtype, self.lanes, at, count)

    def _continued(self, block: range) -> dict[str, str]:
        """The values that long sums of a leaf that adds to its output begin with: the old outputs. So a loop over the
        reduction around the leaf leaves the order of all terms as it is. By the accumulators' names."""
        if not self.outer.accumulate or self.along or self._turned or self.family.nest.fold:
            return {}
        return {self.accumulator(row, v): self._load_output(row, v) for row, v in self.tiles(block)}

    @property
    def _turned(self) -> str | None:
        return turned_dim(self.outer, self.call, self.views[-1], self.target)

    @property
    def _in_turn(self) -> str | None:
        return interleaved_dim(self.outer, self.call, self.views[-1])

    def _finish(self, block: range) -> list[str]:
        if self.family.nest.fold:
            return self._store_folded(block)
        if self._in_turn:
            return self._store_interleaved(self._in_turn, block)
        return self._store_turned(self._turned, block) if self._turned else self._store_each(block)

    def _joined(self, row: dict[str, int], v: int) -> list[str]:
        """The chains of one accumulator made one, where the loops did not."""
        if self.is_joined:
            return []
        name, join = self.accumulator(row, v), self.library.binary(self._combine, self.dtype, self.lanes)
        return [f"{name} = {join}({name}, {self.accumulator(row, v, c)});" for c in range(1, self.chains)]

    def _all_joined(self, block: range) -> list[str]:
        return [line for row, v in self.tiles(block) for line in self._joined(row, v)]

    def _store_interleaved(self, unit: str, block: range) -> list[str]:
        """Vectors whose lanes take turns, of all that each lane has along `unit`."""
        lines = self._all_joined(block)
        for row, v in self.tiles(block):
            if row[unit] == 0:
                lines += braced(self._taking_turns(unit, row, v))
        return lines

    def _taking_turns(self, unit: str, row: dict[str, int], v: int) -> list[str]:
        library, view, each = self.library, self.views[-1], range(self.size[unit])
        T, convert = library.type(view.dtype, self.lanes), library.convert(self.result, view.dtype, self.lanes)
        lines = []
        for n in each:
            at = {**row, unit: n}
            value = self._finished(self.accumulator(at, v), partial(self._beside, at, v), self.lanes)
            lines.append(f"const {T} r{n} = {call_of(convert, value)};")
        left = self._valid_lanes(v) * len(each)
        shuffles, names = interleaved([f"r{n}" for n in each], T, self.lanes, -(-left // self.lanes))
        stores = []
        for n, name in enumerate(names):
            count, place = left - n * self.lanes, plus(self._output_at(row, v), n * self.lanes)
            stores.append(self.stored(view.dtype, self.lanes, place, name, min(count, self.lanes)))
        return lines + shuffles + stores

    def _store_turned(self, unit: str, block: range) -> list[str]:
        """Squares of the output's tile, turned in registers, so that its rows are stored whole."""
        lines = self._all_joined(block)
        for row, v in self.tiles(block):
            if row[unit] % self.lanes == 0:
                there = range(row[unit], min(row[unit] + self.lanes, self.size[unit]))
                lines += braced(self._square(unit, there, row, v))
        return lines

    def _square(self, unit: str, there: range, row: dict[str, int], v: int) -> list[str]:
        """The rows of one square: elements `there` along `unit`, of each lane of the vectors v."""
        library, view, join = self.library, self.views[-1], self.library.binary(self._combine, self.dtype, self.lanes)
        each = [{**row, unit: n} for n in there]
        T = library.type(self.result, self.lanes)
        values = [self._finished(self.accumulator(at, v), partial(self._beside, at, v), self.lanes) for at in each]
        lines = [f"const {T} r{n} = {value};" for n, value in enumerate(values)]
        names = [f"r{n}" for n in range(len(each))] + [f"({T}){{0}}"] * (self.lanes - len(each))
        shuffles, columns = turned(names, T, self._valid_lanes(v))
        convert = library.convert(self.result, view.dtype, self.lanes)
        for n, value in enumerate(columns):
            at = plus(view.name, self.place_of(view, row) + view.step(self.lane, 1) * (v * self.lanes + n))
            if self.outer.accumulate:
                old = self.loaded(view.dtype, self.lanes, at, len(each))
                value = f"{join}({call_of(library.convert(view.dtype, self.dtype, self.lanes), old)}, {value})"
            shuffles.append(self.stored(view.dtype, self.lanes, at, call_of(convert, value), len(each)))
        return lines + shuffles

    def _store_folded(self, block: range) -> list[str]:
        """Results, each finished, joined across by pairs, neighbours first, and with the old outputs."""
        op, lines = self.family.nest, []
        each: dict[tuple, list[tuple[dict[str, int], int]]] = {}  # the tiles of each vector of the output
        for row, v in self.tiles(block):
            name = self.accumulator(row, v)
            lines += self._joined(row, v)
            lines += [f"{name} = {self._finished(name, partial(self._beside, row, v), self.lanes)};"] * (
                op.finish is not None
            )
            each.setdefault((*(row[d] for d in self.rows if d not in op.across), v), []).append((row, v))
        return lines + [line for tiles in each.values() for line in self._fold(tiles)]

    def _fold(self, tiles: list[tuple[dict[str, int], int]]) -> list[str]:
        """The results of these tiles made one, and stored where the first of them is."""
        join, lines = self.library.binary(self.family.nest.fold, self.dtype, self.lanes), []
        (row, v), names = tiles[0], [self.accumulator(*tile) for tile in tiles]
        while len(names) > 1:
            lines += [f"{one} = {join}({one}, {other});" for one, other in zip(names[::2], names[1::2])]
            names = names[::2]
        if self.outer.accumulate:
            lines.append(f"{names[0]} = {join}({self._load_output(row, v)}, {names[0]});")
        return [*lines, self._put(row, v, names[0], self.dtype)]

    def _store_each(self, block: range) -> list[str]:
        if self.along:
            return self._store_sums(block)
        return [line for row, v in self.tiles(block) for line in self._store_one(row, v)]

    def _store_one(self, row: dict[str, int], v: int) -> list[str]:
        name, lines = self.accumulator(row, v), self._joined(row, v)
        if self.outer.accumulate and not self.is_joined:
            join = self.library.binary(self._combine, self.dtype, self.lanes)
            lines.append(f"{name} = {join}({self._load_output(row, v)}, {name});")
        return [*lines, self._store(row, v, name)]

    def _store_sums(self, block: range) -> list[str]:
        """Accumulators whose lanes are summed: those of results side by side together, as many as are a power of two,
        others each by itself."""
        tiles = [row for row, _ in self.tiles(block)]
        lines = self._all_joined(block)
        unit = next((d for d in self.rows if self.views[-1].step(d, 1) == 1 and self.size[d] > 1), None)
        for first in tiles:
            for n, count in powers(self.size[unit], self.lanes) if unit and first[unit] == 0 else ():
                rows = [{**first, unit: n + i} for i in range(count)]
                if count >= LEAST_SUMS:
                    lines += braced(self._side_by_side_sums(unit, rows))
                else:
                    lines += [line for row in rows for line in self._store_sum(row, self.accumulator(row, 0))]
            if unit is None:
                lines += self._store_sum(first, self.accumulator(first, 0))
        return lines

    def _side_by_side_sums(self, unit: str, rows: list[dict[str, int]]) -> list[str]:
        """Results that are neighbours along `unit`, as a vector."""
        library, view, row, count = self.library, self.views[-1], rows[0], len(rows)
        at, join = self._output_at(row, 0), library.binary(self._combine, self.dtype, self.lanes)
        lines, value = joined_lanes(
            [self.accumulator(each, 0) for each in rows],
            self.V,
            self.lanes,
            PART // dtype(self.dtype).bytes,
            join,
            library.type(self.dtype, count),
        )
        if self.outer.accumulate:
            old = self.loaded(view.dtype, count, at, count)
            old = call_of(library.convert(view.dtype, self.dtype, count), old)
            value = f"{library.binary(self._combine, self.dtype, count)}({old}, {value})"
        value = self._finished(value, partial(self._beside_rows, unit, row, count), count)
        convert = library.convert(self.result, view.dtype, count)
        return [*lines, f"{library.store(view.dtype, count)}({at}, {call_of(convert, value)});"]

    def _beside_rows(self, unit: str, row: dict[str, int], count: int, i: int, wanted: str) -> str:
        """Input i for so many results along `unit`, from `row` on, as `wanted`."""
        view, library, step = self.views[i], self.library, self.views[i].step(unit, 1)
        if step == 0:
            return f"{library.splat(wanted, count)}({self._beside_one(i, row, wanted)})"
        at = plus(view.name, self.place_of(view, row))
        load = f"{library.load(view.dtype, count)}({at})"
        if step != 1:
            load = self.spaced(view.dtype, count, at, step, count)
        return call_of(library.convert(view.dtype, wanted, count), load)

    def _store(self, row, v, name: str) -> str:
        return self._put(row, v, self._finished(name, partial(self._beside, row, v), self.lanes), self.result)

    def _put(self, row, v, name: str, held: str) -> str:
        """A vector of the output stored, which is in dtype `held`."""
        view, at, count = self.views[-1], self._output_at(row, v), self._valid_lanes(v)
        value, stride = call_of(self.library.convert(held, view.dtype, self.lanes), name), view.step(self.lane, 1)
        if stride != 1:
            return f"{self.library.store_strided(view.dtype, self.lanes)}({at}, {value}, {stride}, {count});"
        return self.stored(view.dtype, self.lanes, at, value, count)

    def _store_sum(self, row, name: str) -> list[str]:
        view = self.views[-1]
        at = element(view.name, self.place_of(view, row))
        value = f"{self.library.reduce(self._combine, self.dtype, self.lanes)}({name})"
        if self.outer.accumulate:
            one = self.library.binary(self._combine, self.dtype, 1)
            scalar = self.library.type(self.dtype, 1)
            value = f"{one}(({scalar}){{{at}}}, ({scalar}){{{value}}})[0]"
        if self.family.nest.finish is not None:
            scalar = self.library.type(self.dtype, 1)
            beside = lambda i, dtype: f"({self.library.type(dtype, 1)}){{{self._beside_one(i, row, dtype)}}}"
            value = f"{self._finished(f'({scalar}){{{value}}}', beside, 1)}[0]"
        convert = self.library.convert_scalar(self.result, view.dtype)
        return [f"{at} = {call_of(convert, value)};"]

    # ---- operations on a result as it is stored ----------------------------------------------------------------------

    @property
    def result(self) -> str:
        """The dtype that a result is in before it is converted to be stored."""
        return computed_in(self.family.nest.finish, self.dtype)

    def _finished(self, value: str, beside: Callable[[int, str], str], lanes: int) -> str:
        """`beside` gives the C of an input that is read then, in a dtype."""
        op, last = self.family.nest, len(self.views) - 1
        if op.finish is None:
            return value
        wanted = lambda i: "pred" if i in self.predicates else self.result
        values = [beside(i, wanted(i)) if op.streamed <= i < last else value for i in range(last + 1)]
        others = {
            (i, dtype): beside(i, dtype) if i < last else value for i, dtype in taken_otherwise(op.finish, self.result)
        }
        return emit_body(op.finish, values, self.library, self.result, lanes, others)

    def _beside(self, row, v: int, i: int, wanted: str) -> str:
        """Input i for the vector v of a result, as `wanted`."""
        view, library = self.views[i], self.library
        if self.lane not in view.access.dims:
            return f"{library.splat(wanted, self.lanes)}({self._beside_one(i, row, wanted)})"
        value = self._read(view, plus(view.name, self._place(view, row, v)), v)
        return call_of(library.convert(view.dtype, wanted, self.lanes), value)

    def _beside_one(self, i: int, row, wanted: str) -> str:
        view = self.views[i]
        at = element(view.name, self.place_of(view, row))
        return call_of(self.library.convert_scalar(view.dtype, wanted), at)
