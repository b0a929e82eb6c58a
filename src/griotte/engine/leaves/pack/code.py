"""The pack leaf in C: a copy into panels, padded with zeros to whole panels and whole groups."""

from __future__ import annotations

from typing import Any

from ....lang.nests.family import WORD, State, bits_below
from ....lang.types.dtypes import DTYPES
from ....machine.target import Target
from ...program.nodes import KernelCall
from ...program.view import View
from ...vectors.library import VectorLibrary
from ...vectors.squares import BlockLines, block
from ...vectors.text import braced, call_of, for_loop, plus
from .. import copies
from ..form import LeafCode


class PackLeaf(LeafCode):
    """Writes runs of width * group elements, one per panel, group and index of the other axes."""

    def __init__(self, call: KernelCall, views: list[View], target: Target, library: VectorLibrary):
        state: State = call.state
        self.source, self.to = views
        self.library, self.target = library, target
        self.extents = list(self.source.access.shape(state.size))
        if call.open is not None:
            self.extents[self.source.access.axis_of(call.open)] = "size"  # the function's argument
        layout = self.to.layout
        self.axis, self.width = layout.panel
        self.group_axis, self.group = layout.group or (-1, 1)
        self.others = [a for a in layout.order if a not in (self.axis, self.group_axis)]
        is_alike = self.source.dtype == self.to.dtype
        self.by_rows = self.group > 1 and self.source.strides[self.group_axis] == 1 and is_alike
        self.unit = self.group if self.by_rows else 1  # elements that move together
        self.turns = self._turns()
        self.contiguous = self.source.strides[self.axis] == 1 and (self.group == 1 or is_alike)
        self.packed = state.family.operands[1].packed
        self.interleaves = self.group * DTYPES[self.source.dtype].bytes <= 8  # a group is an integer

    def _turns(self) -> int | None:
        """The axis along which the source is contiguous, where blocks can be turned: they are as high as vectors are
        long, and no higher than a panel is wide."""
        if (
            self.source.strides[self.axis] == 1
            or (self.group > 1 and not self.by_rows)
            or self._unit_bytes > 8
            or not self._lanes
        ):
            return None
        return self.group_axis if self.by_rows else next((a for a in self.others if self.source.strides[a] == 1), None)

    @property
    def _unit_bytes(self) -> int:
        return self.unit * max(DTYPES[v.dtype].bytes for v in (self.source, self.to))

    @property
    def _lanes(self) -> int:
        return copies.turned_lanes(self.width, self._unit_bytes, self.target)

    def statements(self) -> list[str]:
        """As many rows at a time as a set of L1 holds lines, each panel's part of them after the other, for any source
        but one that is turned. So neither rows nor panels that begin on one set push each other out of it
        (docs/lab/packs/README.md)."""
        if self.turns is not None:
            return self._by_panels(self.turns, self._blocks)
        if self.by_rows:
            return self._by_panels(self.group_axis, self._rows)
        across = (self.axis, self.width, "p")
        within = [
            *((a, 1, f"i{a}") for a in reversed(self.others)),
            *[(self.group_axis, self.group, "g")] * (self.group > 1),
        ]  # the destination's fastest axis last
        steps = [across, *within]
        if within and self.extents[self.axis] > self.width:
            *outer, (rows, unit, name) = within
            steps = [*outer, (rows, max(1, self.target.ways // self.group) * unit, "b"), across, (rows, unit, name)]
        return self._walk(steps, [], [], dict(enumerate(self.extents)))

    # ---- a source contiguous along another axis: square blocks turned in registers -----------------------------------

    def _by_panels(self, along: int, part) -> list[str]:
        """Panel by panel; `part` writes one. The source is read along `along`, the panel written along its width."""
        whole, left = divmod(self.extents[self.axis], self.width)
        rest = [a for a in self.others if a != along]
        source, to = ([(f"i{a}", v.strides[a]) for a in rest] for v in (self.source, self.to))
        step = self.width * self.source.strides[self.axis]
        lines = []
        if whole:
            inner = part([*source, ("p", step)], [*to, ("p", self.to.panel)], self.width)
            lines += for_loop("p", whole, inner)
        if left:
            lines += part([*source, whole * step], [*to, whole * self.to.panel], left)
        for axis in rest:
            lines = for_loop(f"i{axis}", self.extents[axis], lines)
        return lines

    def _along(self, axis: int, span: int, source: list, to: list, block) -> list[str]:
        """`block(source, to, real)` for each stretch of `span` elements along an axis."""
        steps, extent = [span * v.strides[axis] for v in (self.source, self.to)], self.extents[axis]
        if isinstance(extent, str):
            at = lambda name: [[*terms, (name, step)] for terms, step in zip((source, to), steps)]
            lines = for_loop("j", f"{extent} / {span}", block(*at("j"), span))
            return [
                *lines,
                *braced(block(*at(f"{extent} / {span}"), f"(int)({extent} % {span})"), f"if ({extent} % {span})"),
            ]
        whole, left = divmod(extent, span)
        lines = []
        if whole:
            lines += for_loop("j", whole, block([*source, ("j", steps[0])], [*to, ("j", steps[1])], span))
        return lines + (block([*source, whole * steps[0]], [*to, whole * steps[1]], left) if left else [])

    def _blocks(self, source: list, to: list, valid: int) -> list[str]:
        """Blocks side by side across the panel; the last one begins where it ends with it."""
        last = self.width - self._lanes
        block = lambda s, t, real: [
            line for r in [*range(0, last, self._lanes), last] for line in self._block(s, t, r, valid - r, real)
        ]
        return self._along(self.turns, self._lanes * self.unit, source, to, block)

    def _block(self, source: list, to: list, first: int, rows: int, columns: int | str) -> list[str]:
        """Turn the block of a panel that begins `first` across; so many of its rows, and elements of each, are real."""
        lanes, unit = self._lanes, self.unit
        S, T = self.library.scalar(self.source.dtype), self.library.scalar(self.to.dtype)
        lines = [f"{T} *t = {plus(self.to.name, *to, first * unit)};"]
        step = self.to.strides[self.turns] * unit
        if rows <= 0:  # all of it is padding
            zero = f"({self.library.type(self.to.dtype, lanes * unit)}){{0}}"
            tests = (
                [f"if ({j * unit} < {columns}) " for j in range(lanes)]
                if isinstance(columns, str)
                else [""] * -(-columns // unit)
            )
            stores = [
                f"{test}{self.library.store(self.to.dtype, lanes * unit)}({plus('t', j * step)}, {zero});"
                for j, test in enumerate(tests)
            ]
            return braced([*lines, *stores])
        lines.append(f"const {S} *s = {plus(self.source.name, *source, first * self.source.strides[self.axis])};")
        read = BlockLines(self.source.dtype, "s", self.source.strides[self.axis], min(lanes, rows))
        lines += block(self.library, read, BlockLines(self.to.dtype, "t", step, columns), lanes, unit=unit, pad=True)
        return braced(lines)

    # ---- a source contiguous along its groups, each a vector or more: row by row -------------------------------------

    def _rows(self, source: list, to: list, valid: int) -> list[str]:
        return self._along(self.group_axis, self.group, source, to, lambda s, t, real: self._members(s, t, valid, real))

    def _members(self, source: list, to: list, valid: int, real: int) -> list[str]:
        """One group of each row of a panel: `real` elements of the first `valid` rows, zeros for the rest."""
        S, T, name = self.library.scalar(self.source.dtype), self.library.scalar(self.to.dtype), self.to.dtype
        value = self.loaded(name, self.group, plus("s", ("r", self.source.strides[self.axis])), real)
        store = f"{self.library.store(name, self.group)}({plus('t', ('r', self.group))}, "
        lines = [f"const {S} *s = {plus(self.source.name, *source)};", f"{T} *t = {plus(self.to.name, *to)};"]
        lines.append(f"for (int64_t r = 0; r < {valid}; r++) {store}{value});")
        if valid < self.width:
            lines.append(
                f"for (int64_t r = {valid}; r < {self.width}; r++)"
                f" {store}({self.library.type(name, self.group)}){{0}});"
            )
        return braced(lines)

    # ---- any other source: run by run --------------------------------------------------------------------------------

    def _walk(self, steps: list[tuple[int, int, str]], source: list, to: list, sizes: dict[int, Any]) -> list[str]:
        """Loops around one run, outermost first: an axis, how far a turn goes along it, the index's name. `sizes` is
        what there is along each axis, in C where that is known when it runs."""
        if not steps:
            return self._run(source, to, sizes[self.axis], sizes.get(self.group_axis, 1))
        (axis, span, name), *inner = steps
        extent = sizes[axis]
        turn = span * self.source.strides[axis], self.to.panel if axis == self.axis else span * self.to.strides[axis]

        def part(index: str | int, real) -> list[str]:
            read, write = (
                [*terms, (index, step) if isinstance(index, str) else index * step]
                for terms, step in zip((source, to), turn)
            )
            return self._walk(inner, read, write, sizes | {axis: real})

        if isinstance(extent, str):
            if span == 1:
                return for_loop(name, extent, part(name, 1))
            lines = for_loop(name, f"{extent} / {span}", part(name, span))
            return lines + braced(part(f"{extent} / {span}", f"({extent} % {span})"), f"if ({extent} % {span})")
        whole, left = divmod(extent, span)
        lines = for_loop(name, whole, part(name, span)) if whole > 1 else part(0, span) if whole else []
        return lines + (part(whole, left) if left else [])

    def _run(self, source: list, to: list, valid: int, members: int) -> list[str]:
        """Write one run of width * group elements; valid x members of them are real."""
        S, T = self.library.scalar(self.source.dtype), self.library.scalar(self.to.dtype)
        lines = [f"const {S} *s = {plus(self.source.name, *source)};", f"{T} *t = {plus(self.to.name, *to)};"]
        write = self._elements
        if self.contiguous and self.interleaves:
            write = self._vectors
        elif self.contiguous and self._lanes and self.width % self._lanes == self.group % self._lanes == 0:
            write = self._squares
        return braced([*lines, *write(valid, members)])

    def _vectors(self, valid: int, members: int) -> list[str]:
        wide = max(DTYPES[self.source.dtype].bytes, DTYPES[self.to.dtype].bytes)
        # whole vectors: a part of one would write past the panel
        lanes = min(self.target.vector_bytes // (wide * self.group), self.width & -self.width)
        lines = []
        for start in range(0, self.width, lanes):
            count = max(0, min(lanes, valid - start))
            lines += (
                self._plain(start, lanes, count) if self.group == 1 else self._interleaved(start, lanes, count, members)
            )
        return lines

    def _read(self, lanes: int, at: int, count: int) -> str:
        return self.loaded(self.source.dtype, lanes, plus("s", at), count)

    def _plain(self, start: int, lanes: int, count: int) -> list[str]:
        convert = self.library.convert(self.source.dtype, self.to.dtype, lanes)
        value = self._read(lanes, start, count) if count else f"({self.library.type(self.source.dtype, lanes)}){{0}}"
        return [f"{self.library.store(self.to.dtype, lanes)}({plus('t', start)}, {call_of(convert, value)});"]

    def _interleaved(self, start: int, lanes: int, count: int, members: int) -> list[str]:
        """A vector in which the group's members stand side by side. The rows are joined, stretches of each are brought
        into every 16-byte lane, and the elements of a lane are put in order. Both shuffles are one instruction where
        lanes have 16 bytes."""
        size, name = DTYPES[self.source.dtype].bytes, f"u{8 * DTYPES[self.source.dtype].bytes}"
        row, lane = self.library.type(name, lanes), min(16, lanes * size * self.group)
        stretch = lane // self.group
        rows = [
            (
                f"({row}){self._read(lanes, start + r * self.source.strides[self.group_axis], count)}"
                if count and r < members
                else f"({row}){{0}}"
            )
            for r in range(self.group)
        ]
        lines = [f"const {row} r{i} = {value};" for i, value in enumerate(rows)]
        joined, width = [f"r{i}" for i in range(self.group)], lanes
        while len(joined) > 1:
            width *= 2
            joined = [f"{self.library.join(name, width)}({x}, {y})" for x, y in zip(joined[::2], joined[1::2])]
        value, total = joined[0], lanes * size * self.group
        if total > lane:
            wide = self.library.type(f"u{8 * stretch}", total // stretch)
            order = [r * (lanes * size // stretch) + at for at in range(total // lane) for r in range(self.group)]
            lines.append(f"const {wide} q = ({wide}){value};")
            value = f"__builtin_shufflevector(q, q, {', '.join(map(str, order))})"
        final = self.library.type(name, lanes * self.group)
        order = [
            at * (lane // size) + r * (stretch // size) + j
            for at in range(total // lane)
            for j in range(stretch // size)
            for r in range(self.group)
        ]
        lines.append(f"const {final} v = ({final}){value};")
        value = f"__builtin_shufflevector(v, v, {', '.join(map(str, order))})"
        store = self.library.store(name, lanes * self.group)
        return braced([*lines, f"{store}((void *)({plus('t', start * self.group)}), {value});"])

    def _squares(self, valid: int, members: int) -> list[str]:
        """Long groups from a source contiguous across them: square blocks turned in registers."""
        lanes, lines = self._lanes, []
        zero = f"({self.library.type(self.to.dtype, lanes)}){{0}}"
        for j in range(0, self.width, lanes):
            for i in range(0, self.group, lanes):
                s = plus("s", j * self.source.strides[self.axis] + i * self.source.strides[self.group_axis])
                t = plus("t", j * self.group + i)
                rows, columns = (max(0, min(lanes, end)) for end in (members - i, valid - j))
                columns = columns if rows else 0
                if columns:
                    read = BlockLines(self.source.dtype, s, self.source.strides[self.group_axis], rows)
                    written = BlockLines(self.to.dtype, t, self.group, columns)
                    lines += braced(block(self.library, read, written, lanes, pad=True))
                lines += [
                    f"{self.library.store(self.to.dtype, lanes)}({plus(t, c * self.group)}, {zero});"
                    for c in range(columns, lanes)
                ]
        return lines

    def _elements(self, valid: int, members: int) -> list[str]:
        convert = self.library.convert_scalar(self.source.dtype, self.to.dtype)
        step = self.source.strides[self.axis]
        member = self.source.strides[self.group_axis] if self.group > 1 else 0
        if self.packed > 1:
            return self._words(valid, members, step, member)
        lines = []
        for r in range(self.group):
            real = valid if r < members else 0
            if real:
                value = call_of(convert, f"s[{plus('j * ' + str(step), r * member)}]")
                lines.append(f"for (int64_t j = 0; j < {real}; j++) t[{plus(f'j * {self.group}', r)}] = {value};")
            if real < self.width:
                lines.append(f"for (int64_t j = {real}; j < {self.width}; j++) t[{plus(f'j * {self.group}', r)}] = 0;")
        return lines

    def _words(self, valid: int, members: int, step: int, member: int) -> list[str]:
        """A word for each group: elements plus half their range, so that none is negative, where `bits_below` says; 0
        for missing elements."""
        bits = WORD // self.packed
        half, mask = 1 << (bits - 1), (1 << bits) - 1
        at = [f"s[{plus('j * ' + str(step), r * member)}]" if r < members else "0" for r in range(self.group)]
        parts = [
            f"(uint32_t)(({x} + {half}) & {mask})" + f" << {bits_below(r, self.packed)}" * (r > 0)
            for r, x in enumerate(at)
        ]
        lines = [f"for (int64_t j = 0; j < {valid}; j++) t[j] = {' | '.join(parts)};"] if valid else []
        return [*lines, f"for (int64_t j = {valid}; j < {self.width}; j++) t[j] = 0;"] if valid < self.width else lines
