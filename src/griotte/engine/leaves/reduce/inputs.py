"""The inputs of a reduce leaf's step, in C: vectors of them as they lie, spread over lanes, in groups or interleaved.
And the requests for those that come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

from ....lang.types.dtypes import dtype
from ...program.nodes import LATER_ROW, PANEL, Request
from ...program.view import View
from ...vectors.apart import may_join
from ...vectors.text import call_of, element, plus, request
from ..conditions import interleaves, slid_dim
from . import serve, sweep
from .tile import RegisterTile


@dataclass
class Position:
    """A place in the innermost reduction loop. `terms` give each dimension's index as (C name, factor, constant).
    `valid` is how many elements along the lane or the group are real, as a number or in C, None for all."""

    terms: dict[str, tuple[str, int, int]]
    valid: int | str | None = None
    write: Callable[..., str] = plus  # how an address is written: as a pointer (plus) or as an element

    def on(self, dim: str, count: int, valid: int | None = None) -> Position:
        """The place so many elements on along a dimension."""
        name, factor, fixed = self.terms[dim]
        return replace(self, terms={**self.terms, dim: (name, factor, fixed + count)}, valid=valid)


class Inputs(RegisterTile):
    """The inputs of a tile's steps. `names` are the vectors of a step that have been read, by what they are."""

    def _operand(self, i: int, row, v: int, at: Position, names: dict, lines: list[str]) -> str:
        if i in self.by_lane:
            return self._by_lane(i, row, at, names, lines)
        key = (i, *self._vector_of(i, row, v, at))
        if key not in names:
            names[key] = f"x{i}_" + "_".join(map(str, key[1:]))
            if self.lane in self.views[i].access.dims and interleaves(self.kernel, self.family, i, self.lane):
                T, value = self._interleaved(i, row, v, at, names, lines)
                asked = []
            else:
                (T, value), asked = self._load(i, row, v, at), self._requests(i, row, v, at)
                value = self._reused(i, T, value)
            lines += [f"const {T} {names[key]} = {value};", *asked]
        return names[key]

    def _by_lane(self, i: int, row: dict[str, int], at: Position, names: dict, lines: list[str]) -> str:
        """The vector of input i from which a step takes an element, or a group of neighbours where it takes groups.
        Where values of weight 0 are left out, the element in all lanes."""
        dim, view, library, number = self.by_lane[i], self.views[i], self.library, self._number(i, row, at)
        whole, dtype = self.whole * self.kernel.group, serve.wanted(self.kernel, self.family, i)
        first = row if dim == self.inner else row | {dim: row[dim] - number}
        key = (i, *(first[d] for d in self.rows if d in view.access.dims))
        if key not in names:
            names[key] = f"x{i}_" + "_".join(map(str, key[1:]))
            there = at.valid or whole if dim == self.inner else min(whole, self.size[dim] - first[dim])
            begins = at.on(self.inner, -number * self.kernel.group) if dim == self.inner else at
            pointer = self._pointer(view, first, 0, begins)
            value = self.loaded(view.dtype, whole, pointer, whole if view.layout.panel else there)
            value = call_of(library.convert(view.dtype, dtype, whole), value)
            lines.append(f"const {library.type(dtype, whole)} {names[key]} = {value};")
        if self.skips:
            return f"__builtin_shufflevector({names[key]}, {names[key]}, {', '.join([str(number)] * self.lanes)})"
        return names[key]

    def _number(self, i: int, row: dict[str, int], at: Position) -> int:
        """Which element of its vector of input i a step takes."""
        dim = self.by_lane[i]
        return (at.terms[dim][2] // self.kernel.group if dim == self.inner else row[dim]) % self.whole

    def _vector_of(self, i: int, row: dict[str, int], v: int, at: Position) -> tuple[int, ...]:
        """Which of the vectors of input i a tile takes: its row of the input, and its number there. A swept leaf adds
        the place in the window. An input that the leaf is swept along has no row."""
        dims = self.views[i].access.dims
        taken = (*(row[d] for d in self.rows if d in dims and not self._is_met(i, d)), v if self.lane in dims else 0)
        if self.sweep is None or i in self.swept:
            return taken
        return (*taken, *(at.terms[d][2] for d in (self.sweep.window, self.sweep.inner) if d in dims))

    def _is_met(self, i: int, dim: str) -> bool:
        """Whether the rows of results along `dim` take the same vectors of input i."""
        return self.sweep is not None and dim == self.sweep.row and i in self.swept

    @cached_property
    def slid(self) -> list[int]:
        """The inputs, where a step reads much of what the one before it read of some of them. Each step reads its own:
        what a compiler keeps for the next, or reads ahead for it, would take the registers of accumulators. A swept
        leaf has those that it reads again and again."""
        views = range(self.family.nest.streamed)
        if self.sweep:
            return [i for i in views if i not in self.swept] if self.way == sweep.SWEPT else []
        overlaps = not all(self.views[i].access.is_apart(self.inner) for i in views)
        return list(views) if self.spread or overlaps and self.kernel.group == 1 else []

    @cached_property
    def spread(self) -> bool:
        """Whether vectors of some input are joined of whole loads, which have elements of the next step too."""
        units = (self._unit(view, self.lane) for view in self.views[: self.family.nest.streamed])
        return self.kernel.group == 1 and any(may_join(unit, self.lanes) for unit in units)

    def _reused(self, i: int, T: str, value: str) -> str:
        """A vector that more than one accumulator takes is read once."""
        dims = self.views[i].access.dims
        several = prod(self.size[d] for d in self.rows if d not in dims or self._is_met(i, d)) > 1
        if not (several and self.lane in dims or self.way == sweep.HELD):
            return value
        dtype, _, lanes = T.partition("x")
        hold = self.library.hold(dtype, int(lanes))
        return call_of(hold, value)

    def _load(self, i: int, row, v: int, at: Position) -> tuple[str, str]:
        view = self.views[i].at(f"q{i}") if i in self.slid else self.views[i]
        carries = self.lane in view.access.dims
        one = not carries and (self.kernel.group == 1 or i in self.kernel.single)
        pointer = self._pointer(view, row, v, replace(at, write=element) if one else at)
        if i in self.kernel.addresses and self.kernel.made:
            return self.kernel.made, f"{self.kernel.made}_at({pointer})"
        if i in self.kernel.addresses:
            return f"{self.library.scalar(view.dtype)} *", pointer
        if self.kernel.group > 1 and i not in self.kernel.single:
            return self._load_grouped(i, view, pointer, v, at)
        alone = serve.wanted(self.kernel, self.family, i) if self.kernel.group == 1 else self.dtype
        wanted, library = "pred" if i in self.predicates else alone, self.library
        T = library.type(wanted, self.lanes)
        if not carries:
            convert = library.convert_scalar(view.dtype, wanted)
            return T, f"{library.splat(wanted, self.lanes)}({call_of(convert, pointer)})"
        count = (at.valid or self.lanes) if self.along else self._valid_lanes(v)
        value = self._vector(view, pointer, count)
        convert = library.convert(view.dtype, wanted, self.lanes)
        return T, call_of(convert, value)

    def _vector(self, view: View, pointer: str, count: int | str) -> str:
        stride = self._unit(view, self.lane)
        if stride != 1:
            return self.spaced(view.dtype, self.lanes, pointer, stride, count)
        # panels are padded: a whole vector may be read
        return self.loaded(view.dtype, self.lanes, pointer, self.lanes if view.layout.panel else count)

    def _load_grouped(self, i: int, view: View, pointer: str, v: int, at: Position) -> tuple[str, str]:
        group, library = self.kernel.group, self.library
        wanted = self.kernel.operand or view.dtype  # of packed words the words
        count = self.lanes * group // self.family.operands[i].packed
        T = library.type(wanted, count)
        if slid_dim(self.kernel, self.family, i, self.lane):
            return T, self._side_by_side(view, pointer, wanted, v, at)
        if self.lane in view.access.dims:
            there = count if at.valid is None or not self.along else at.valid
            load = self.loaded(view.dtype, count, pointer, there)
            return T, call_of(library.convert(view.dtype, wanted, count), load)
        if self.along:
            raise AssertionError("a grouped kernel along the reduction loads every operand as vectors")
        value = self.loaded(view.dtype, group, pointer, group if at.valid is None else at.valid)
        value = call_of(library.convert(view.dtype, wanted, group), value)
        bits = {1: "u8", 2: "u16", 4: "u32", 8: "u64"}[dtype(wanted).bytes * group]
        lanes = {"u32": "s32", "u64": "s64"}.get(bits, bits)
        scalar = library.scalar(lanes)
        return T, f"({T}){library.splat(lanes, self.lanes)}(({scalar}){value})"

    def _side_by_side(self, view: View, pointer: str, wanted: str, v: int, at: Position) -> str:
        """For each lane the `group` neighbours that a window meets there, 32 bits of them. The words that four lanes
        need are brought to their quarter of a vector, and then the bytes of each to its lane."""
        library, group = self.library, self.kernel.group
        assert not isinstance(at.valid, str), "a window has a size that is known"
        width, count, size = 2 * self.lanes, self._valid_lanes(v) + (at.valid or group) - 1, dtype(wanted).bytes
        load = f"{library.load_tail(view.dtype, width)}({pointer}, {count})"
        convert, words = library.convert(view.dtype, wanted, width), width * size // 4
        quarters = [min(lane * size + word, words - 1) for lane in range(self.lanes // 4) for word in range(4)]
        own = [
            16 * quarter + lane * size + byte
            for quarter in range(self.lanes // 4)
            for lane in range(4)
            for byte in range(4)
        ]
        W, B = library.type("s32", words), library.type("u8", 4 * self.lanes)
        spread = f"__builtin_shufflevector(({W}){call_of(convert, load)}, ({W}){{0}}, {', '.join(map(str, quarters))})"
        return (
            f"({library.type(wanted, self.lanes * group)})__builtin_shufflevector(({B}){spread}, ({B}){{0}},"
            f" {', '.join(map(str, own))})"
        )

    def _interleaved(self, i: int, row, v: int, at: Position, names: dict, lines: list[str]) -> tuple[str, str]:
        """Vector v of `group` rows that lie as they were given, element by element. Each row is loaded once for as many
        vectors as a load of it fills."""
        view, group, library = self.views[i], self.kernel.group, self.library
        first, width = v - v % group, self.lanes * group
        if first + 1 == self.vectors:
            width = self.lanes
        count = min(width, self.size[self.lane] - first * self.lanes)
        raw, T = library.type(view.dtype, width), library.type(view.dtype, self.lanes * group)
        rows = [
            f"r{i}_" + "_".join(map(str, (*(row[d] for d in self.rows if d in view.access.dims), first, r)))
            for r in range(group)
        ]
        name, factor, fixed = at.terms[self.inner]
        for r, row_name in enumerate(rows):
            if row_name not in names:
                names[row_name] = row_name
                here = replace(at, terms={**at.terms, self.inner: (name, factor, fixed + r)})
                value = self.loaded(view.dtype, width, self._pointer(view, row, first, here), count)
                value = self._member(r, at, f"({raw}){{0}}", value)
                lines += [f"const {raw} {row_name} = {value};", *self._requests(i, row, first, here)]
        return T, zipped(rows, width, (v - first) * self.lanes, self.lanes)[0]

    @staticmethod
    def _member(r: int, at: Position, zero: str, value: str) -> str:
        """Row r of a group, or zeros where it is not there."""
        if isinstance(at.valid, str):
            return f"{r} < {at.valid} ? {value} : {zero}"
        return zero if at.valid is not None and r >= at.valid else value

    # ---- where inputs lie, and requests for them ---------------------------------------------------------------------

    def _pointer(self, view: View, row, v: int, at: Position) -> str:
        constant = self.place_of(view, row)
        if self.lane in view.access.dims and not self.along:
            constant += view.step(self.lane, 1) * v * self.lanes
        terms = []
        for d, (name, factor, fixed) in at.terms.items():
            if d in view.access.dims:
                unit = self._unit(view, d)
                constant += unit * fixed
                if name:
                    terms.append((name, unit * factor))
        return at.write(view.name, *terms, constant)

    @staticmethod
    def _unit(view: View, dim: str) -> int:
        """Elements per index of `dim` inside the tile (reduction dimensions never cross a panel)."""
        return sum(
            view.strides[axis] * c
            for axis, axis_terms in enumerate(view.access.axes)
            for name, c in axis_terms
            if name == dim
        )

    def _requests(self, i: int, row, v: int, at: Position) -> list[str]:
        """What a load of vector v asks for; each line once, by the vector that begins on it (of a panel whose rows are
        no whole lines: a line's bytes apart). What later steps read is asked for in the loop alone."""
        view, operand, (name, _, fixed) = self.views[i], self.family.operands[i], at.terms[self.inner]
        on_line = (fixed if self.along else v * self.lanes) * operand.bytes % self.library.line == 0
        lines = []
        if name and self._walked(i) == self.inner:
            lines += self._panels(i, row, v, at, self.inner)
        for asked in self.call.requests(i):
            if asked.form == LATER_ROW:
                lines += self._later_row(i, row, v, at, asked) if name and on_line else []
            elif asked.form != PANEL and on_line:
                lines.append(
                    request(f"{self._pointer(view, row, v, at)} + {asked.distance // operand.bytes}", asked.level)
                )
        return lines

    def _panels(self, i: int, row, v: int, at: Position, dim: str) -> list[str]:
        """The line of vector v that a loop along `dim` meets in a panel so many bytes on, at its next step at the
        nearest, for each request of one."""
        operand, (name, _, fixed) = self.family.operands[i], at.terms[dim]
        group = operand.layout.group[1] if operand.layout.group else 1
        written = fixed % self.written * operand.layout.panel[1] if operand.layout.panel else 0
        if (v * self.lanes * group + written) * operand.bytes % self.library.line:
            return []
        stride = self.stride if dim == self.inner else 1
        lines = []
        for asked in self.call.requests(i):
            if asked.form == PANEL:
                steps = max(1, int(asked.distance // (operand.layout.panel[1] * stride * operand.bytes)))
                later = replace(at, terms={**at.terms, dim: (name, 1, fixed + steps * stride)})
                lines.append(request(self._pointer(self.views[i], row, v, later), asked.level))
        return lines

    def _later_row(self, i: int, row, v: int, at: Position, asked: Request) -> list[str]:
        """Vector v's line of the row that later steps take; and, for rows may begin anywhere, the line of the row's
        last element."""
        operand, (name, factor, fixed) = self.family.operands[i], at.terms[self.inner]
        later = replace(at, terms={**at.terms, self.inner: (name, factor, fixed + asked.distance * factor)})
        pointer, last = self._pointer(self.views[i], row, v, later), self.size[self.lane] - 1 - v * self.lanes
        return [
            request(pointer, asked.level),
            *[request(f"{pointer} + {last}", asked.level)] * (last < self.library.line // operand.bytes),
        ]

    def _walked(self, i: int) -> str:
        """The innermost loop down an input."""
        dims = self.views[i].access.dims
        if self.inner in dims:
            return self.inner
        return next((d for d in reversed(self.family.nest.summed) if d in dims), self.inner)


def zipped(rows: list[str], width: int, start: int, count: int) -> tuple[str, int, int]:
    """Elements `start` to `start + count` of vectors of `width`, in turns: (C, at which element of it they begin, its
    length)."""
    if len(rows) == 1:
        return rows[0], start, width
    (even, begin, length), (odd, *_) = (zipped(part, width, start, count) for part in (rows[::2], rows[1::2]))
    each = count * len(rows) // 2
    order = [side * length + begin + j for j in range(each) for side in (0, 1)]
    return f"__builtin_shufflevector({even}, {odd}, {', '.join(map(str, order))})", 0, 2 * each
