"""The matrix leaf in C: the output tile in matrix registers, one loop over the reduction inside.

One side's registers are held through a step, those of the other are loaded in turn. What does not fill a register goes
through blocks on the stack, which are zeroed first: the last rows, the end of the reduction, the edges of the output.
The compiler does not see what an intrinsic loads, so that a barrier stands between ordinary stores and the first load.
"""

from __future__ import annotations

from typing import NamedTuple

from ....lang.types.dtypes import dtype
from ....machine.target import Target
from ...program.nodes import KernelCall, Request
from ...program.view import View
from ...vectors.library import VectorLibrary
from ...vectors.text import PARTED, braced, for_loop, plus, request, scaled
from ..conditions import grouped_dim
from ..form import LeafCode, kernel_of
from . import serve

BARRIER = '__asm__ volatile("" ::: "memory");'


class StackBlock(NamedTuple):
    """A block on the stack: `rows` of its rows, of `width` elements each, are in use."""

    name: str
    rows: int
    width: int


class MatrixLeaf(LeafCode):
    def __init__(self, call: KernelCall, views: list[View], target: Target, library: VectorLibrary):
        self.family, self.size, self.lane, self.library = call.state.family, call.state.size, call.lane, library
        self.kernel = kernel_of(call, target)
        self.matrix, a, b = self.kernel.matrix, serve.row_operand(self.kernel), self.kernel.columns
        self.a, self.b, self.out = views[a], views[b], views[-1]
        self.a_asked, self.b_asked = call.requests(a), call.requests(b)
        self.reduced = grouped_dim(self.family, self.lane)
        rows = serve.rows_of(self.family, self.lane)
        self.row = max(rows, key=self.size.__getitem__, default="")
        self.rows, self.columns = self.size.get(self.row, 1), self.size[self.lane]
        self.blocked = serve.blocked_rows(self.kernel, self.family)
        self.depth = self.matrix.depth(self.a.dtype)
        self.down, self.across = -(-self.rows // self.matrix.rows), -(-self.columns // self.matrix.rows)
        self.hold_rows = self.down <= self.across

    def statements(self) -> list[str]:
        whole, left = divmod(self.size[self.reduced], self.depth)
        lines = [*self._declared(), *self._blocks(left), *self._start(), BARRIER]
        if whole:
            lines += for_loop("k", whole, self._step(("k", 1), None))
        if left:
            lines += braced(self._step(whole, left))
        return [*lines, *self._finish()]

    # ---- registers: those of the output, those held, and the rest in turn --------------------------------------------

    def _c(self, i: int, j: int) -> int:
        return i * self.across + j

    def _held(self, n: int) -> int:
        return self.down * self.across + n

    def _streamed(self, n: int) -> int:
        first = self._held(min(self.down, self.across))
        return first + n % (self.matrix.registers - first)

    def _declared(self) -> list[str]:
        """Registers that are variables of C, those that the leaf uses."""
        outer, inner = sorted((self.down, self.across))
        used = min(self.matrix.registers, self._held(outer) + inner)
        return [self.matrix.declare.format(r=n) for n in range(used)] if self.matrix.declare else []

    def _valid(self, i: int, total: int) -> int:
        """Rows (or columns) in use of the i-th register down (or across)."""
        return min(self.matrix.rows, total - i * self.matrix.rows)

    # ---- stack -------------------------------------------------------------------------------------------------------

    def _blocks(self, left: int) -> list[str]:
        """Declarations of the blocks that this leaf needs, zeroed."""
        rows, depth = self.matrix.rows, self.depth
        lines = []
        if not self.blocked and (left or self._valid(self.down - 1, self.rows) < rows):
            lines.append(self._block(self.a, "part_a", rows * depth))
        if left:
            lines.append(self._block(self.b, "part_b", rows * depth))
        if any(self._part(i, j) for i in range(self.down) for j in range(self.across)):
            lines.append(self._block(self.out, "part_c", rows * rows))
        return lines

    def _block(self, view: View, name: str, elements: int) -> str:
        return (
            f"{self.library.scalar(view.dtype)} {name}[{elements}] __attribute__((aligned({self.matrix.row_bytes}))) ="
            " {0};"
        )

    def _copied(self, view: View, source: str, step: int, to: StackBlock, real: int) -> list[str]:
        """Copy the first `real` elements of each row of a block; rows are `step` elements apart at the source."""
        width = to.width
        load = self.loaded(view.dtype, width, "s", real)
        store = self.library.store(view.dtype, width)
        return [
            f"for (int64_t i = 0; i < {to.rows}; i++) {{",
            f"    const {self.library.scalar(view.dtype)} *s = {plus(source, ('i', step))};",
            f"    {store}({plus(to.name, ('i', width))}, {load});",
            "}",
        ]

    # ---- one step of the reduction -----------------------------------------------------------------------------------

    def _step(self, at, left: int | None) -> list[str]:
        """Every product of one step; `at` is its number, `left` how many elements of the reduction are real (None:
        all)."""
        outer, inner = (self.down, self.across) if self.hold_rows else (self.across, self.down)
        load_held, load_streamed = (
            (self._load_rows, self._load_columns) if self.hold_rows else (self._load_columns, self._load_rows)
        )
        lines = []
        for s in range(inner):
            lines += load_streamed(s, at, left, self._streamed(s))
            for h in range(outer):
                lines += load_held(h, at, left, self._held(h)) if s == 0 else []
                i, j = (h, s) if self.hold_rows else (s, h)
                registers = (self._held(h), self._streamed(s)) if self.hold_rows else (self._streamed(s), self._held(h))
                lines.append(self.kernel.c.format(c=self._c(i, j), x0=registers[0], x1=registers[1]))
            if self.matrix.parted and (s + 1) % self.matrix.parted == 0:
                lines.append(PARTED)
        return lines

    def _load_rows(self, i: int, at, left: int | None, register: int) -> list[str]:
        view, rows = self.a, self._valid(i, self.rows)
        step = self._between(view) if self.blocked else self.depth
        source = plus(view.name, view.step(self.row, i * self.matrix.rows) if self.row else 0, scaled(at, step))
        between = view.step(self.row, 1) if self.row else 0
        if self.blocked:
            return [
                self._load(register, source, self.depth, view),
                *self._requests(self.a_asked, view, source, self.depth, at),
            ]
        if rows == self.matrix.rows and left is None:
            return [self._load(register, source, between, view)]
        return [
            *self._copied(view, source, between, StackBlock("part_a", rows, self.depth), left or self.depth),
            BARRIER,
            self._load(register, "part_a", self.depth, view),
        ]

    def _load_columns(self, j: int, at, left: int | None, register: int) -> list[str]:
        view, group = self.b, self.kernel.group
        between = self._between(view)
        width = self.matrix.rows * group
        source = plus(view.name, j * width, scaled(at, between * (self.depth // group)))
        if left is None:
            # a register of one group has the columns for its rows
            apart = between if self.depth > group else self.depth
            return [
                self._load(register, source, apart, view),
                *self._requests(self.b_asked, view, source, between, at),
            ]
        return [
            *self._copied(view, source, between, StackBlock("part_b", -(-left // group), width), width),
            BARRIER,
            self._load(register, "part_b", self.depth, view),
        ]

    @staticmethod
    def _between(view: View) -> int:
        """Elements from a group along the reduction to the next one: another axis may lie between them."""
        axis, group = view.layout.group or (-1, 1)
        return view.strides[axis] * group

    def _requests(self, requests: tuple[Request, ...], view: View, source: str, elements: int, at) -> list[str]:
        """The rows of a register that a later step loads."""
        lines = []
        for asked in () if isinstance(at, int) else requests:
            later = plus(source, asked.distance // dtype(view.dtype).bytes, ("i", elements))
            lines += [f"for (int64_t i = 0; i < {self.matrix.rows}; i++)", f"    {request(later, asked.level)}"]
        return lines

    def _load(self, register: int, pointer: str, elements: int, view: View) -> str:
        return self.matrix.load.format(r=register, p=pointer, stride=elements * dtype(view.dtype).bytes)

    # ---- the output --------------------------------------------------------------------------------------------------

    def _part(self, i: int, j: int) -> bool:
        return min(self._valid(i, self.rows), self._valid(j, self.columns)) < self.matrix.rows

    def _tiles(self):
        """(row, column, pointer to its first element) of each register of the output."""
        for i in range(self.down):
            for j in range(self.across):
                down = self.out.step(self.row, i * self.matrix.rows) if self.row else 0
                yield i, j, plus(self.out.name, down + j * self.matrix.rows)

    @property
    def _pitch(self) -> int:
        return self.out.step(self.row, 1) if self.row else self.matrix.rows

    def _start(self) -> list[str]:
        lines = []
        for i, j, at in self._tiles():
            if not self.family.accumulate:
                lines.append(self.matrix.zero.format(r=self._c(i, j)))
            elif self._part(i, j):
                block = StackBlock("part_c", self._valid(i, self.rows), self.matrix.rows)
                lines += self._copied(self.out, at, self._pitch, block, self._valid(j, self.columns))
                lines += [BARRIER, self._load(self._c(i, j), "part_c", self.matrix.rows, self.out)]
            else:
                lines += [BARRIER, self._load(self._c(i, j), at, self._pitch, self.out)]
        return lines

    def _finish(self) -> list[str]:
        lines = []
        size = dtype(self.out.dtype).bytes
        for i, j, at in self._tiles():
            if self._part(i, j):
                lines += [
                    self.matrix.store.format(r=self._c(i, j), p="part_c", stride=self.matrix.rows * size),
                    BARRIER,
                    *self._copied_out(i, j, at),
                ]
            else:
                lines.append(self.matrix.store.format(r=self._c(i, j), p=at, stride=self._pitch * size))
        return lines

    def _copied_out(self, i: int, j: int, at: str) -> list[str]:
        width, real, name = self.matrix.rows, self._valid(j, self.columns), self.out.dtype
        load = f"{self.library.load(name, width)}({plus('part_c', ('i', width))})"
        store = self.stored(name, width, plus(at, ("i", self._pitch)), load, real)
        return [f"for (int64_t i = 0; i < {self._valid(i, self.rows)}; i++)", f"    {store}"]
