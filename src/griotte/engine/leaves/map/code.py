"""The map leaf in C: one row along the lane dimension, a vector at a time, the leftover as one masked or partial
vector. Where the output is in panels, a panel's part of the row at a time. Where it goes past the caches, in whole
lines, with part vectors before the first and after the last.

Rows may stand side by side in the output: those of panels across which its lanes lie, and of the groups that dot
instructions eat. There a vector of each row is computed, and they are turned as they are stored."""

from __future__ import annotations

import re

from ....lang.types.dtypes import DTYPES
from ....machine.target import Target
from ...program.nodes import KernelCall
from ...program.view import View
from ...vectors.body import emit_body, predicates, taken_otherwise
from ...vectors.library import VectorLibrary
from ...vectors.narrow import emit_narrowed
from ...vectors.squares import turned
from ...vectors.text import braced, call_of, for_loop, plus, scaled
from ..form import LeafCode, kernel_of
from .serve import computed, map_rows


class MapLeaf(LeafCode):
    def __init__(self, call: KernelCall, views: list[View], target: Target, library: VectorLibrary):
        self.family, self.views, self.library = call.state.family, list(views), library
        self.size = call.state.size
        self.lane = call.lane
        self.length = call.state.size[self.lane] if self.lane else 1
        self.is_open = call.open is not None and call.open == call.lane
        self.last = {
            dim: "size - 1" if dim == call.open else str(call.state.size[dim] - 1)
            for dim in call.state.family.nest.picked
        }
        op = self.family.nest
        self.is_copy = str(op.body) == "x0"
        kernel = kernel_of(call, target)
        self.body, self.dtype = computed(kernel, self.family)
        self.is_narrow = self.dtype != self.family.accumulator
        wide = (
            max(DTYPES[v.dtype].bytes for i, v in enumerate(views) if i not in op.indices)
            if self.is_copy
            else DTYPES[self.dtype].bytes
        )
        self.lanes, self.written_out = target.vector_bytes // wide, target.writing.row
        self.predicates = predicates(self.body)
        self.otherwise = [] if self.is_narrow else taken_otherwise(self.body, self.dtype)
        self.nontemporal = kernel.nontemporal

    def statements(self) -> list[str]:
        """The row; before it, the indices that are the same all along it."""
        lines = [
            line
            for dim, i in self.family.nest.picks
            if self.lane not in self.views[i].access.dims
            for line in self._picked(dim, i)
        ]
        panel = self.views[-1].layout.panel
        in_panels = panel is not None and self.views[-1].access.axis_of(self.lane) == panel[0]
        return lines + (self._by_panels(panel[1]) if in_panels else self._row(self.length))

    def _by_panels(self, width: int) -> list[str]:
        """The row in parts that are as wide as the output's panels; of the last one no more than there is."""
        whole, left = divmod(self.length, width)
        lines = for_loop("p", whole, self._part(("p", 1), width, width)) if whole > 1 else []
        if whole == 1:
            lines = self._row(width)
        return lines + (braced(self._part(whole, width, left)) if whole and left else self._row(left) if left else [])

    def _part(self, at, width: int, length: int) -> list[str]:
        """`length` elements of the row from panel `at` on, a number or a (name, factor) term."""
        before, lines = self.views, []
        self.views = list(before)
        for i, view in enumerate(before):
            step = view.step(self.lane, width)
            if step:
                self.views[i] = view.at(f"{view.name}_p")
                const = "" if i == len(before) - 1 else "const "
                lines.append(
                    f"{const}{self.library.scalar(view.dtype)} *const {self.views[i].name} ="
                    f" {plus(view.name, scaled(at, step))};"
                )
        lines += self._row(length)
        self.views = before
        return lines

    def _picked(self, dim: str, i: int) -> list[str]:
        """The index that input i has for the row, clamped to what dimension `dim` has; each view that steps along `dim`
        begins there."""
        lines = [self._index(f"at_{dim}", dim, self.views[i].name)]
        for j, view in enumerate(self.views[:-1]):
            if view.step(dim, 1):
                self.views[j] = view.at(f"{view.name}_{dim}")
                lines.append(self._begins(view, self.views[j].name, (f"at_{dim}", view.step(dim, 1))))
        return lines

    def _index(self, name: str, dim: str, address: str) -> str:
        return f"const int64_t {name} = {self.library.pick()}(*{address}, {self.last[dim]});"

    def _begins(self, view: View, name: str, *terms) -> str:
        """A pointer into an input, so many elements after the view of it."""
        return f"const {self.library.scalar(view.dtype)} *const {name} = {plus(view.name, *terms)};"

    def _row(self, length: int) -> list[str]:
        if self.nontemporal:
            return self._past_the_caches()
        if self.is_open:
            return self._open()
        whole, left = divmod(length, self.lanes)
        lines: list[str] = []
        if whole > self.written_out:
            vector = self._vector(("i", 1), self.lanes)
            lines += for_loop("i", whole * self.lanes, vector, step=self.lanes)
        else:
            for v in range(whole):
                lines += braced(self._vector(v * self.lanes, self.lanes))
        if left:
            lines += braced(self._vector(whole * self.lanes, left))
        return lines

    def _open(self) -> list[str]:
        """The length is the function's argument `size`."""
        return [
            f"const int64_t whole = size - size % {self.lanes};",
            *for_loop("i", "whole", self._vector(("i", 1), self.lanes), step=self.lanes),
            *braced(self._vector(("whole", 1), "(int)(size - whole)"), "if (whole < size)"),
        ]  # fmt: skip

    def _past_the_caches(self) -> list[str]:
        """Lines of the output that the row has to itself are written whole; an output that is not aligned to its
        elements has none."""
        output, size = self.views[-1], "size" if self.is_open else self.length
        element = DTYPES[output.dtype].bytes
        line = self.library.line // element
        address = f"(uintptr_t){output.name}"
        before = f"-{address} % {self.library.line} / {element}" if element > 1 else f"-{address} % {self.library.line}"
        aligned = f"{address} % {element} == 0 && " if element > 1 else ""
        return [
            f"const int64_t before = (int64_t)({before});",
            f"const int64_t first = {aligned}before < {size} ? before : {size};",
            f"const int64_t whole = {size} - ({size} - first) % {line};",
            *self._parts("0", "first"),
            *for_loop(
                "i", "whole", self._vector(("i", 1), self.lanes, "store_nontemporal"), step=self.lanes, start="first"
            ),
            *self._parts("whole", str(size)),
        ]

    def _parts(self, start: str, end: str) -> list[str]:
        count = f"(int)({end} - i < {self.lanes} ? {end} - i : {self.lanes})"
        return for_loop("i", end, self._vector(("i", 1), count), step=self.lanes, start=start)

    def _vector(self, at, count: int | str, store: str = "store") -> list[str]:
        """One vector's worth: loads, body, store; `at` is a constant index or a (name, factor) term, `count` how many
        lanes are real, as a number or in C."""
        lines, result = self._computed(at, count)
        return [*lines, self._memory(store, self.views[-1], at, count, result) + ";"]

    def _computed(self, at, count: int | str) -> tuple[list[str], str]:
        """Loads and body of a vector: statements, and the value to store. An input that the body reads as other dtypes
        alone is not loaded as its own."""
        values, others, loads = [], {}, {}
        for i, view in enumerate(self.views[:-1]):
            if i in self.family.nest.indices:
                values.append("")
                continue
            dtype, value = self._load(i, view, at, count)
            loads[f"x{i}"] = f"const {self.library.type(dtype, self.lanes)} x{i} = {value};"
            values.append(f"x{i}")
        for i, other in self.otherwise:
            others[i, other] = f"x{i}_{other}"
            loads[f"x{i}_{other}"] = (
                f"const {self.library.type(other, self.lanes)} x{i}_{other} ="
                f" {self._load(i, self.views[i], at, count, other)[1]};"
            )
        result = self._result(values, others)
        return [line for name, line in loads.items() if re.search(rf"\b{name}\b", result)], result

    def _load(self, i: int, view: View, at, count: int | str, wanted: str = "") -> tuple[str, str]:
        library = self.library
        wanted = wanted or (view.dtype if self.is_copy else "pred" if i in self.predicates else self.dtype)
        dim = self._pick_along(view)
        if not dim and self.lane not in view.access.dims:
            convert = library.convert_scalar(view.dtype, wanted)
            return wanted, f"{library.splat(wanted, self.lanes)}({call_of(convert, f'*{view.name}')})"
        convert = library.convert(view.dtype, wanted, self.lanes)
        value = self._gathered(dim, view, at, count) if dim else self._memory("load", view, at, count)
        return wanted, call_of(convert, value)

    def _pick_along(self, view: View) -> str:
        """The dimension along which a view is read at an index that changes along the row, if there is one."""
        along = (
            dim
            for dim, i in self.family.nest.picks
            if self.lane in self.views[i].access.dims and dim in view.access.dims
        )
        return next(along, "")

    def _gathered(self, dim: str, view: View, at, count: int | str) -> str:
        """A load, lane by lane, of the elements that the index of each picks along `dim`."""
        index = self.views[dict(self.family.nest.picks)[dim]]
        gather = self.library.gather(view.dtype, index.dtype, self.lanes)
        args = [(plus(v.name, scaled(at, v.step(self.lane, 1)))) for v in (view, index)]
        return (
            f"{gather}({args[0]}, {view.step(dim, 1)}, {view.step(self.lane, 1)}, {args[1]},"
            f" {index.step(self.lane, 1)}, {self.last[dim]}, {count})"
        )

    def _result(self, values: list[str], others: dict[tuple[int, str], str]) -> str:
        source = self.views[0].dtype if self.is_copy else self.dtype
        if self.is_narrow:
            return emit_narrowed(self.body, values, self.library, self.dtype, self.lanes)
        value = (
            values[0] if self.is_copy else emit_body(self.body, values, self.library, self.dtype, self.lanes, others)
        )
        convert = self.library.convert(source, self.views[-1].dtype, self.lanes)
        return call_of(convert, value)

    def _memory(self, verb: str, view: View, at, count: int | str, value: str | None = None) -> str:
        """A load or store of `count` lanes, contiguous, partial or strided, as the view has it."""
        stride = view.step(self.lane, 1) if self.lane else 1
        terms = scaled(at, stride)
        args = [plus(view.name, terms)] + ([value] if value else [])
        library = self.library
        if self.length == 1 and not self.lane or stride == 1 and count != self.lanes:
            return f"{getattr(library, verb + '_tail')(view.dtype, self.lanes)}({', '.join([*args, str(count)])})"
        if stride != 1 and verb == "load":
            return self.spaced(view.dtype, self.lanes, args[0], stride, count)
        if stride != 1:
            strided = getattr(library, verb + "_strided")(view.dtype, self.lanes)
            return f"{strided}({', '.join([*args, str(stride), str(count)])})"
        return f"{getattr(library, verb)(view.dtype, self.lanes)}({', '.join(args)})"


class RowsLeaf(MapLeaf):
    """`side` rows along dimension `across` stand side by side; those that are missing are zero."""

    def __init__(self, call: KernelCall, views: list[View], target: Target, library: VectorLibrary):
        super().__init__(call, views, target, library)
        rows = map_rows(self.family, self.lane)
        assert rows is not None
        self.across, self.side = rows
        self.picked_by_row: list[str] = []  # dimensions whose index is another one in each row
        if self.views[-1].layout.group:
            self.lanes = min(self.lanes, target.vector_bytes // (self.side * DTYPES[self.views[-1].dtype].bytes))

    def _vector(self, at, count: int | str, store: str = "store") -> list[str]:
        assert isinstance(count, int), "a row in panels has a fixed length"
        V, real = self.library.type(self.views[-1].dtype, self.lanes), self.size[self.across]
        lines = [line for r in range(real) for line in self._computed_row(r, V, at, count)]
        names = [f"r{r}" if r < real else f"({V}){{0}}" for r in range(self.side)]
        view, step = self.views[-1], self.views[-1].step(self.lane, 1)
        there = plus(view.name, scaled(at, step))
        return [
            *lines,
            *(self._interleaved(names, there, count) if view.layout.group else self._turned(names, there, step, count)),
        ]

    def _picked(self, dim: str, i: int) -> list[str]:
        """The index of each row, where rows have their own."""
        index = self.views[i]
        if not index.step(self.across, 1):
            return super()._picked(dim, i)
        self.picked_by_row.append(dim)
        return [
            self._index(f"at_{dim}_{r}", dim, f"({plus(index.name, r * index.step(self.across, 1))})")
            for r in range(self.size[self.across])
        ]

    def _computed_row(self, r: int, V: str, at, count: int) -> list[str]:
        before, lines = self.views, []
        self.views = list(before)
        for i, view in enumerate(before[:-1]):
            if i in self.family.nest.indices and self.lane not in view.access.dims:  # read before the row
                continue
            picked = [(f"at_{dim}_{r}", view.step(dim, 1)) for dim in self.picked_by_row if view.step(dim, 1)]
            if picked or r * view.step(self.across, 1):
                self.views[i] = view.at(f"{view.name}_r")
                lines.append(self._begins(view, self.views[i].name, r * view.step(self.across, 1), *picked))
        computed, value = self._computed(at, count)
        self.views = before
        return [f"{V} r{r};", *braced([*lines, *computed, f"r{r} = {value};"])]

    def _turned(self, names: list[str], there: str, step: int, count: int) -> list[str]:
        """Squares turned. A column that is shorter than a vector is stored whole, for the next one is written over the
        excess; the last one is not."""
        name, lanes, lines = self.views[-1].dtype, self.lanes, []
        V, blocks = self.library.type(name, lanes), range(0, self.side, lanes)
        for first in blocks:
            rows = names[first : first + lanes]
            shuffles, columns = turned(rows + [f"({V}){{0}}"] * (lanes - len(rows)), V, count)
            for j, value in enumerate(columns):
                to = plus(there, j * step + first)
                whole = (
                    len(rows) == lanes
                    or len(blocks) == 1
                    and (count - 1 - j) * step >= lanes - len(rows)
                    and step >= len(rows)
                )
                shuffles.append(self.stored(name, lanes, to, value, lanes if whole else len(rows)))
            lines += braced(shuffles)
        return lines

    def _interleaved(self, names: list[str], there: str, count: int) -> list[str]:
        """The members of each group side by side: two by two, those half a group apart first."""
        bits, lanes, lines = f"u{8 * DTYPES[self.views[-1].dtype].bytes}", self.lanes, []
        rows = [f"({self.library.type(bits, lanes)}){name}" for name in names]
        while len(rows) > 1:
            half, order = len(rows) // 2, ", ".join(f"{j}, {lanes + j}" for j in range(lanes))
            lanes *= 2
            made = [f"g{lanes}_{i}" for i in range(half)]
            lines += [
                f"const {self.library.type(bits, lanes)} {name} = __builtin_shufflevector({rows[i]}, {rows[i + half]},"
                f" {order});"
                for i, name in enumerate(made)
            ]
            rows = made
        return [*lines, self.stored(bits, lanes, f"(void *)({there})", rows[0], count * self.side)]


def map_leaf(call: KernelCall, views: list[View], target: Target, library: VectorLibrary) -> MapLeaf:
    """The leaf of a map: by rows side by side, or one."""
    return (RowsLeaf if map_rows(call.state.family, call.lane) else MapLeaf)(call, views, target, library)
