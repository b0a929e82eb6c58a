"""The reduce leaf in C: the output tile in named vector registers, fully unrolled; loops over the reduction inside.

A step of the innermost loop loads each distinct operand vector once and updates every accumulator. Where there are few
accumulators the step is repeated on independent copies of them (chains), which are joined at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product as cartesian
from math import prod

from ..leaves import copies, operands, reduce
from ..program.nodes import LATER_ROW, PANEL, KernelCall, Move, Request
from ..program.view import View, turned_dim
from ..spec.dtypes import dtype
from ..spec.expr import computed_in
from ..spec.family import LINE
from ..targets.target import Kernel, Target
from .body import emit_body, predicates, taken_otherwise
from .text import element, indent, plus, request
from .transpose import turned
from .vector import VectorLibrary


@dataclass
class Position:
    """A place in the innermost reduction loop: `terms` give each dimension's index as (C name, factor, constant);
    `valid` is how many elements along the lane or the group are real, None for all."""

    terms: dict[str, tuple[str, int, int]]
    valid: int | None = None
    write: Callable[..., str] = plus  # how an address is written: as a pointer (plus) or as an element


class ReduceLeaf:
    def __init__(self, move: Move, call: KernelCall, views: list[View], target: Target, library: VectorLibrary):
        self.target = target
        self.call, self.family, self.size = call, call.state.family, call.state.size
        self.outer = move.state.family
        self.kernel: Kernel = next(k for k in target.kernels if k.name == call.kernel)
        self.views, self.library = views, library
        self.lane, self.dtype = call.lane, self.family.accumulator
        self.lanes = self._lanes()
        op = self.family.operation
        self.along = self.lane in op.reduction
        self.rows = [d for d in op.parallel if d != self.lane]
        self.vectors = 1 if self.along else -(-self.size[self.lane] // self.lanes)
        self.left = self.size[self.lane] % self.lanes  # lanes in use of the last vector; 0: all
        self.chains = int(reduce.chains(self.kernel, self.family, target, self.lane, self.size))
        self.inner = self.lane if self.along else operands.paired_dim(self.kernel, self.family, self.lane) or op.reduction[-1]
        self.stride = (self.lanes if self.along else 1) * (self.kernel.group if self.along or self.kernel.group > 1 else 1)
        self.predicates = predicates(op.body) | (predicates(op.finish) if op.finish else frozenset())
        self.V = library.type(self.dtype, self.lanes)

    def _lanes(self) -> int:
        """The form's, or where its vector would be half empty, those of a narrower one: such a load or store crosses no cache
        line for lanes that nobody wants."""
        lanes, used = self.family.output.vector.lanes, self.size[self.lane]
        least = copies.LEAST_BYTES // dtype(self.dtype).bytes
        while self.kernel.any_width and lanes > least and used <= lanes // 2:
            lanes //= 2
        return lanes

    # ---- the accumulators -------------------------------------------------------------------------------------------

    def blocks(self) -> list[range]:
        """The vectors that are walked down the reduction together: all, or a few where rows stream in and nobody asks for them, so
        that the core is never far into one row before it goes on to the next."""
        alone = any(supply.alone and self.lane in view.access.dims for supply, view in zip(self.call.supplies, self.views))
        count = self.target.writing.walked if alone and not self.along else self.vectors
        return [range(first, min(first + count, self.vectors)) for first in range(0, self.vectors, count)]

    def tiles(self, block: range):
        """Every (row index by dimension, vector number) of a block of the output tile."""
        for row in cartesian(*(range(self.size[d]) for d in self.rows)):
            for v in block:
                yield dict(zip(self.rows, row)), v

    def accumulator(self, row: dict[str, int], v: int, chain: int = 0) -> str:
        return "c" + "_".join(map(str, (*row.values(), v))) + ("" if chain == 0 else "abcdefghijklmnopqrstuvwxyz"[chain - 1])

    def statements(self) -> list[str]:
        """The body of the leaf function over pointers named by the views."""
        return [line for block in self.blocks() for line in (*self._start(block), *self._loops(block), *self._finish(block))]

    def _start(self, block: range) -> list[str]:
        """Accumulators start at the identity. An output that is read at the end, or whose lines a store fetches from far: what is asked for of it now is on its way behind the loops."""
        identity = f"{self.library.splat(self.dtype, self.lanes)}({self.library.identity(self._combine, self.dtype)})"
        found, asks = [], bool(self.call.requests(len(self.views) - 1))
        for row, v in self.tiles(block):
            if asks and (self.outer.accumulate or not self._turned):
                found.append(request(self._output_at(row, v), to_write=True))
            found += [f"{self.V} {self.accumulator(row, v, c)} = {identity};" for c in range(self.chains)]
            if asks and not self.outer.accumulate and self._turned and row[self._turned] == 0:
                found += self._ask_rows(self._turned, row, v)
        return found

    def _ask_rows(self, unit: str, row: dict[str, int], v: int) -> list[str]:
        """The rows that a turned result will be stored to, a stretch of a line or two each: all at once they would be long in coming."""
        view, end = self.views[-1], self.size[unit] - 1
        rows = [plus(self._output_at(row, v), n * view.step(self.lane, 1)) for n in range(self._valid_lanes(v))]
        return [request(f"{at}{f' + {end}' * last}", to_write=True) for at in rows for last in (False, True)]

    @property
    def _combine(self) -> str:
        return self.family.operation.combine

    def _output_at(self, row: dict[str, int], v: int) -> str:
        view = self.views[-1]
        lane_part = 0 if self.along else view.step(self.lane, 1) * v * self.lanes
        return plus(view.name, sum(view.step(d, i) for d, i in row.items()) + lane_part)

    def _load_output(self, row, v) -> str:
        view, at = self.views[-1], self._output_at(row, v)
        count = self._valid_lanes(v)
        if view.step(self.lane, 1) != 1:
            return f"{self.library.load_strided(view.dtype, self.lanes)}({at}, {view.step(self.lane, 1)}, {count})"
        if count < self.lanes:
            return f"{self.library.load_tail(view.dtype, self.lanes)}({at}, {count})"
        return f"{self.library.load(view.dtype, self.lanes)}({at})"

    def _valid_lanes(self, v: int) -> int:
        return self.left if self.left and v == self.vectors - 1 else self.lanes

    @property
    def _turned(self) -> str | None:
        return turned_dim(self.outer, self.call, self.views[-1], self.target)

    def _finish(self, block: range) -> list[str]:
        return self._store_turned(self._turned, block) if self._turned else self._store_each(block)

    def _joined(self, row: dict[str, int], v: int) -> list[str]:
        """The chains of one accumulator made one."""
        name, join = self.accumulator(row, v), self.library.binary(self._combine, self.dtype, self.lanes)
        return [f"{name} = {join}({name}, {self.accumulator(row, v, c)});" for c in range(1, self.chains)]

    def _store_turned(self, unit: str, block: range) -> list[str]:
        """Squares of the output's tile, turned in registers, so that its rows are stored whole."""
        found = [line for row, v in self.tiles(block) for line in self._joined(row, v)]
        for row, v in self.tiles(block):
            if row[unit] % self.lanes == 0:
                there = range(row[unit], min(row[unit] + self.lanes, self.size[unit]))
                found += ["{", *indent(self._square(unit, there, row, v)), "}"]
        return found

    def _square(self, unit: str, there: range, row: dict[str, int], v: int) -> list[str]:
        """The rows of one square: elements `there` along `unit`, of each lane of the vectors v."""
        library, view, join = self.library, self.views[-1], self.library.binary(self._combine, self.dtype, self.lanes)
        each = [{**row, unit: n} for n in there]
        T, values = library.type(self.result, self.lanes), [self._finished(self.accumulator(at, v), partial(self._beside, at, v), self.lanes) for at in each]
        lines = [f"const {T} r{n} = {value};" for n, value in enumerate(values)]
        names = [f"r{n}" for n in range(len(each))] + [f"({T}){{0}}"] * (self.lanes - len(each))
        shuffles, columns = turned(names, T, self._valid_lanes(v))
        convert, whole = library.convert(self.result, view.dtype, self.lanes), len(each) == self.lanes
        load, store = (library.load, library.store) if whole else (library.load_tail, library.store_tail)
        count = "" if whole else f", {len(each)}"
        for n, value in enumerate(columns):
            at = plus(view.name, sum(view.step(d, i) for d, i in row.items()) + view.step(self.lane, 1) * (v * self.lanes + n))
            if self.outer.accumulate:
                old, back = f"{load(view.dtype, self.lanes)}({at}{count})", library.convert(view.dtype, self.dtype, self.lanes)
                value = f"{join}({f'{back}({old})' if back else old}, {value})"
            shuffles.append(f"{store(view.dtype, self.lanes)}({at}, {f'{convert}({value})' if convert else value}{count});")
        return lines + shuffles

    def _store_each(self, block: range) -> list[str]:
        found = []
        join = self.library.binary(self._combine, self.dtype, self.lanes)
        for row, v in self.tiles(block):
            name = self.accumulator(row, v)
            found += self._joined(row, v)
            if self.outer.accumulate and not self.along:
                found.append(f"{name} = {join}({self._load_output(row, v)}, {name});")
            found += self._store_sum(row, name) if self.along else [self._store(row, v, name)]
        return found

    def _store(self, row, v, name: str) -> str:
        view, at, count = self.views[-1], self._output_at(row, v), self._valid_lanes(v)
        name = self._finished(name, partial(self._beside, row, v), self.lanes)
        convert = self.library.convert(self.result, view.dtype, self.lanes)
        value = f"{convert}({name})" if convert else name
        if view.step(self.lane, 1) != 1:
            return f"{self.library.store_strided(view.dtype, self.lanes)}({at}, {value}, {view.step(self.lane, 1)}, {count});"
        if count < self.lanes:
            return f"{self.library.store_tail(view.dtype, self.lanes)}({at}, {value}, {count});"
        return f"{self.library.store(view.dtype, self.lanes)}({at}, {value});"

    def _store_sum(self, row, name: str) -> list[str]:
        view = self.views[-1]
        at = element(view.name, sum(view.step(d, i) for d, i in row.items()))
        value = f"{self.library.reduce(self._combine, self.dtype, self.lanes)}({name})"
        if self.outer.accumulate:
            one = self.library.binary(self._combine, self.dtype, 1)
            scalar = self.library.type(self.dtype, 1)
            value = f"{one}(({scalar}){{{at}}}, ({scalar}){{{value}}})[0]"
        if self.family.operation.finish is not None:
            scalar = self.library.type(self.dtype, 1)
            beside = lambda i, dtype: f"({self.library.type(dtype, 1)}){{{self._beside_one(i, row, dtype)}}}"  # noqa: E731
            value = f"{self._finished(f'({scalar}){{{value}}}', beside, 1)}[0]"
        convert = self.library.convert_scalar(self.result, view.dtype)
        return [f"{at} = {convert}({value});" if convert else f"{at} = {value};"]

    # ---- what is done to a result as it is stored -------------------------------------------------------------------------

    @property
    def result(self) -> str:
        """The dtype that a result is in before it is converted to be stored."""
        return computed_in(self.family.operation.finish, self.dtype)

    def _finished(self, value: str, beside: Callable[[int, str], str], lanes: int) -> str:
        """`beside` gives the C of an input that is read then, in a dtype."""
        op, last = self.family.operation, len(self.views) - 1
        if op.finish is None:
            return value
        wanted = lambda i: "pred" if i in self.predicates else self.result  # noqa: E731
        values = [beside(i, wanted(i)) if op.streamed <= i < last else value for i in range(last + 1)]
        others = {(i, dtype): beside(i, dtype) if i < last else value for i, dtype in taken_otherwise(op.finish, self.result)}
        return emit_body(op.finish, values, self.library, self.result, lanes, others)

    def _beside(self, row, v: int, i: int, wanted: str) -> str:
        """Input i for the vector v of a result, as `wanted`."""
        view, library = self.views[i], self.library
        if self.lane not in view.access.dims:
            return f"{library.splat(wanted, self.lanes)}({self._beside_one(i, row, wanted)})"
        at = plus(view.name, sum(view.step(d, n) for d, n in row.items()) + view.step(self.lane, 1) * v * self.lanes)
        count, stride = self._valid_lanes(v), view.step(self.lane, 1)
        if stride != 1:
            value = f"{library.load_strided(view.dtype, self.lanes)}({at}, {stride}, {count})"
        elif count < self.lanes:
            value = f"{library.load_tail(view.dtype, self.lanes)}({at}, {count})"
        else:
            value = f"{library.load(view.dtype, self.lanes)}({at})"
        convert = library.convert(view.dtype, wanted, self.lanes)
        return f"{convert}({value})" if convert else value

    def _beside_one(self, i: int, row, wanted: str) -> str:
        view = self.views[i]
        at = element(view.name, sum(view.step(d, n) for d, n in row.items()))
        convert = self.library.convert_scalar(view.dtype, wanted)
        return f"{convert}({at})" if convert else at

    # ---- the loops --------------------------------------------------------------------------------------------------

    def _loops(self, block: range) -> list[str]:
        outer = [d for d in self.family.operation.reduction if d != self.inner]
        terms = {d: (d, 1, 0) for d in outer}
        found = self._innermost(terms, block)
        for d in reversed(outer):
            found = [f"for (int64_t {d} = 0; {d} < {self.size[d]}; {d}++) {{", *indent([*self._rows_of(d, terms, block), *found]), "}"]
        return found

    def _rows_of(self, dim: str, terms, block: range) -> list[str]:
        """What is asked for of panels that no inner loop walks down, such as scales of groups: once for each of their rows."""
        found: dict[str, None] = {}
        for row, v in self.tiles(block):
            for i in range(self.family.operation.streamed):
                if self._walked(i) == dim != self.inner:
                    found |= dict.fromkeys(self._panels(i, row, v, Position(terms), dim))
        return list(found)

    def _walked(self, i: int) -> str:
        """The innermost loop down an input."""
        dims = self.views[i].access.dims
        return self.inner if self.inner in dims else next((d for d in reversed(self.family.operation.reduction) if d in dims), self.inner)

    def _innermost(self, terms, block: range) -> list[str]:
        extent, index = self.size[self.inner], self.inner
        whole, left = divmod(extent, self.stride)
        trips = whole // self.chains if whole > self.target.writing.written or all(view.access.is_apart(index) for view in self.views) else 0
        span = self.stride * self.chains
        found = []
        if trips > 1:
            steps = [line for c in range(self.chains) for line in self._step(Position({**terms, self.inner: (index, 1, c * self.stride)}), c, block)]
            found = [*self._unrolled(trips, block), f"for (int64_t {index} = 0; {index} < {trips * span}; {index} += {span}) {{", *indent(steps), "}"]
        for s in range(trips * self.chains if trips > 1 else 0, whole):
            found += self._step(Position({**terms, self.inner: ("", 0, s * self.stride)}), s % self.chains, block)
        if left:
            found += self._step(Position({**terms, self.inner: ("", 0, whole * self.stride)}, valid=left), whole % self.chains, block)
        return found

    def _unrolled(self, trips: int, block: range) -> list[str]:
        """Several turns of a loop that does little in one: where two threads share a core, its own instructions are 2 to 5 % of a leaf (docs/lab/ladder-2026-11.md)."""
        turns = min(trips, int(reduce.turns(sum(1 for _ in self.tiles(block)), self.target)) // self.chains)
        return [f"#pragma GCC unroll {turns}"] if turns > 1 and not self.slid else []

    def _step(self, at: Position, chain: int, block: range) -> list[str]:
        """Load what the step needs, each vector once, and update every accumulator of one chain."""
        names: dict[tuple, str] = {}
        lines: list[str] = []
        uses: dict[str, list[int]] = {}
        for row, v in sorted(self.tiles(block), key=lambda tile: self._vector_of(0, *tile)):  # the first input is streamed, the others are held (leaves.reduce.temporaries)
            values = [self._operand(i, row, v, at, names, lines) for i in range(self.family.operation.streamed)]
            lines.append(self._update(self.accumulator(row, v, chain), values, at))
            for value in (value for i, value in enumerate(values) if i not in self.predicates):
                uses.setdefault(value, []).append(len(lines))
        lines = self._kept(lines, uses, [self.accumulator(row, v, chain) for row, v in self.tiles(block)])
        opened = [f"const {self.library.scalar(self.views[i].dtype)} *q{i} = {self.views[i].name};" for i in self.slid]
        return ["{", *indent([*opened, *(f'__asm__ volatile("" : "+r"(q{i}));' for i in self.slid), *lines]), "}"]

    def _kept(self, lines: list[str], uses: dict[str, list[int]], sums: list[str]) -> list[str]:
        """A step along a window, whose inputs that several sums take outlive the last line that uses them, and after which each sum is in a register. Compilers else write a sum
        over an input that it is the last to take, and from step to step sums move from register to register; where none is left one of them goes through memory, in the chain of
        its additions (docs/lab/registers-2026-11.md)."""
        keep = self.library.keep(self.dtype, self.lanes) if self.slid else ""
        if not keep:
            return lines
        hold, found = self.library.hold(self.dtype, self.lanes), []
        for number, line in enumerate(lines, 1):
            found += [line, *(f"{keep}({name});" for name, at in uses.items() if len(at) > 1 and at[-1] == number)]
        return [*found, *(f"{name} = {hold}({name});" for name in sums)]

    @cached_property
    def slid(self) -> list[int]:
        """The inputs, where a step reads much of what the one before it read of some of them. Each step reads its own: what a compiler keeps for
        the next, or reads ahead for it, would take the registers of accumulators."""
        views = self.views[: self.family.operation.streamed]
        overlaps = self.kernel.group == 1 and not all(view.access.is_apart(self.inner) for view in views)
        return list(range(len(views))) if overlaps else []

    @property
    def apart(self) -> bool:
        """Whether it is to stay a function of its own: in a loop around it, addresses would be kept in registers that it needs."""
        return bool(self._turned or self.slid)

    def _operand(self, i: int, row, v: int, at: Position, names: dict, lines: list[str]) -> str:
        key = (i, *self._vector_of(i, row, v))
        if key not in names:
            names[key] = f"x{i}_" + "_".join(map(str, key[1:]))
            if self.lane in self.views[i].access.dims and operands.interleaves(self.kernel, self.family, i, self.lane):
                T, value = self._interleaved(i, row, v, at, names, lines)
                asked = []
            else:
                (T, value), asked = self._load(i, row, v, at), self._requests(i, row, v, at)
                value = self._reused(i, T, value)
            lines += [f"const {T} {names[key]} = {value};", *asked]
        return names[key]

    def _vector_of(self, i: int, row: dict[str, int], v: int) -> tuple[int, ...]:
        """Which of the vectors of input i a tile takes: its row of the input, and its number there."""
        dims = self.views[i].access.dims
        return (*(row[d] for d in self.rows if d in dims), v if self.lane in dims else 0)

    def _reused(self, i: int, T: str, value: str) -> str:
        """A vector that more than one accumulator takes is read once."""
        dims = self.views[i].access.dims
        if self.lane not in dims or prod(self.size[d] for d in self.rows if d not in dims) == 1:
            return value
        dtype, _, lanes = T.partition("x")
        hold = self.library.hold(dtype, int(lanes))
        return f"{hold}({value})" if hold else value

    def _requests(self, i: int, row, v: int, at: Position) -> list[str]:
        """What a load of vector v asks for; each line once, by the vector that begins on it (of a panel whose rows are no whole lines: a line's bytes apart). What later steps read is asked for in the loop alone."""
        view, operand, (name, _, fixed) = self.views[i], self.family.operands[i], at.terms[self.inner]
        on_line = (fixed if self.along else v * self.lanes) * operand.bytes % LINE == 0
        found = []
        if name and self._walked(i) == self.inner:
            found += self._panels(i, row, v, at, self.inner)
        for asked in self.call.requests(i):
            if asked.form == LATER_ROW:
                found += self._later_row(i, row, v, at, asked) if name and on_line else []
            elif asked.form != PANEL and on_line:
                found.append(request(f"{self._pointer(view, row, v, at)} + {asked.distance // operand.bytes}", asked.level))
        return found

    def _panels(self, i: int, row, v: int, at: Position, dim: str) -> list[str]:
        """The line of vector v that a loop along `dim` meets in a panel so many bytes on, at its next step at the nearest, for each request of one."""
        operand, (name, _, fixed) = self.family.operands[i], at.terms[dim]
        group = operand.layout.group[1] if operand.layout.group else 1
        if v * self.lanes * group * operand.bytes % LINE:
            return []
        stride = self.stride if dim == self.inner else 1
        found = []
        for asked in self.call.requests(i):
            if asked.form == PANEL:
                steps = max(1, int(asked.distance // (operand.layout.panel[1] * stride * operand.bytes)))
                later = replace(at, terms={**at.terms, dim: (name, 1, fixed + steps * stride)})
                found.append(request(self._pointer(self.views[i], row, v, later), asked.level))
        return found

    def _later_row(self, i: int, row, v: int, at: Position, asked: Request) -> list[str]:
        """Vector v's line of the row that later steps take; and, for rows may begin anywhere, the line of the row's last element."""
        operand, (name, factor, fixed) = self.family.operands[i], at.terms[self.inner]
        later = replace(at, terms={**at.terms, self.inner: (name, factor, fixed + asked.distance * factor)})
        pointer, last = self._pointer(self.views[i], row, v, later), self.size[self.lane] - 1 - v * self.lanes
        return [request(pointer, asked.level), *[request(f"{pointer} + {last}", asked.level)] * (last < LINE // operand.bytes)]

    def _pointer(self, view: View, row, v: int, at: Position) -> str:
        constant = sum(view.step(d, index) for d, index in row.items())
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
        return sum(view.strides[axis] * c for axis, axis_terms in enumerate(view.access.axes) for name, c in axis_terms if name == dim)

    def _load(self, i: int, row, v: int, at: Position) -> tuple[str, str]:
        view = self.views[i].at(f"q{i}") if i in self.slid else self.views[i]
        carries = self.lane in view.access.dims
        one = not carries and (self.kernel.group == 1 or i in self.kernel.single)
        pointer = self._pointer(view, row, v, replace(at, write=element) if one else at)
        if i in self.kernel.addresses:
            return f"{self.library.scalar(view.dtype)} *", pointer
        if self.kernel.group > 1 and i not in self.kernel.single:
            return self._load_grouped(view, pointer, carries, at, self.family.operands[i].packed)
        wanted, library = "pred" if i in self.predicates else self.dtype, self.library
        T = library.type(wanted, self.lanes)
        if not carries:
            convert = library.convert_scalar(view.dtype, wanted)
            return T, f"{library.splat(wanted, self.lanes)}({convert}({pointer}))" if convert else f"{library.splat(wanted, self.lanes)}({pointer})"
        count = (at.valid or self.lanes) if self.along else self._valid_lanes(v)
        value = self._vector(view, pointer, count)
        convert = library.convert(view.dtype, wanted, self.lanes)
        return T, f"{convert}({value})" if convert else value

    def _vector(self, view: View, pointer: str, count: int) -> str:
        stride = self._unit(view, self.lane)
        if operands.skips_one(view.access, view.layout, self.lane) and stride == 2:
            return self._every_other(view, pointer, count)
        if stride != 1:
            return f"{self.library.load_strided(view.dtype, self.lanes)}({pointer}, {stride}, {count})"
        if count < self.lanes and not view.layout.panel:  # panels are padded: a whole vector may be read
            return f"{self.library.load_tail(view.dtype, self.lanes)}({pointer}, {count})"
        return f"{self.library.load(view.dtype, self.lanes)}({pointer})"

    def _every_other(self, view: View, pointer: str, count: int) -> str:
        """Every other element of two vectors; nothing behind the last of them is read."""
        library, lanes = self.library, self.lanes
        if lanes < 2:
            return f"{library.load_strided(view.dtype, lanes)}({pointer}, 2, {count})"
        parts = [max(0, min(lanes, 2 * count - 1 - first)) for first in (0, lanes)]
        low, high = (
            f"({library.type(view.dtype, lanes)}){{0}}" if n == 0 else f"{library.load(view.dtype, lanes)}({plus(pointer, first)})" if n == lanes
            else f"{library.load_tail(view.dtype, lanes)}({plus(pointer, first)}, {n})" for n, first in zip(parts, (0, lanes))
        )  # fmt: skip
        return f"__builtin_shufflevector({low}, {high}, {', '.join(str(2 * j) for j in range(lanes))})"

    def _load_grouped(self, view: View, pointer: str, carries: bool, at: Position, packed: int) -> tuple[str, str]:
        group, library = self.kernel.group, self.library
        wanted = self.kernel.operand or view.dtype
        count = self.lanes * group // packed
        T = library.type(wanted, count)
        if carries:
            partial = self.along and at.valid is not None
            load = f"{library.load_tail(view.dtype, count)}({pointer}, {at.valid})" if partial else f"{library.load(view.dtype, count)}({pointer})"
            convert = library.convert(view.dtype, wanted, count)
            return T, f"{convert}({load})" if convert else load
        if self.along:
            raise AssertionError("a grouped kernel along the reduction loads every operand as vectors")
        few = library.load_tail(view.dtype, group) if at.valid is not None else library.load(view.dtype, group)
        value = f"{few}({pointer}, {at.valid})" if at.valid is not None else f"{few}({pointer})"
        convert = library.convert(view.dtype, wanted, group)
        value = f"{convert}({value})" if convert else value
        bits = {1: "u8", 2: "u16", 4: "u32", 8: "u64"}[dtype(wanted).bytes * group]
        lanes = {"u32": "s32", "u64": "s64"}.get(bits, bits)
        scalar = library.scalar(lanes)
        return T, f"({T}){library.splat(lanes, self.lanes)}(({scalar}){value})"

    def _interleaved(self, i: int, row, v: int, at: Position, names: dict, lines: list[str]) -> tuple[str, str]:
        """Vector v of `group` rows that lie as they were given, element by element. Each row is loaded once for as many
        vectors as a load of it fills."""
        view, group, library = self.views[i], self.kernel.group, self.library
        first, width = v - v % group, self.lanes * group
        if first + 1 == self.vectors:
            width = self.lanes
        count = min(width, self.size[self.lane] - first * self.lanes)
        raw, T = library.type(view.dtype, width), library.type(view.dtype, self.lanes * group)
        rows = [f"r{i}_" + "_".join(map(str, (*(row[d] for d in self.rows if d in view.access.dims), first, r))) for r in range(group)]
        name, factor, fixed = at.terms[self.inner]
        for r, row_name in enumerate(rows):
            if row_name not in names:
                names[row_name] = row_name
                here = replace(at, terms={**at.terms, self.inner: (name, factor, fixed + r)})
                value = f"({raw}){{0}}" if at.valid is not None and r >= at.valid else self._whole(view, self._pointer(view, row, first, here), count, width)
                lines += [f"const {raw} {row_name} = {value};", *self._requests(i, row, first, here)]
        return T, zipped(rows, width, (v - first) * self.lanes, self.lanes)[0]

    def _whole(self, view: View, pointer: str, count: int, width: int) -> str:
        """The first `count` elements of a vector of `width`, zeros after them."""
        library = self.library
        return f"{library.load(view.dtype, width)}({pointer})" if count == width else f"{library.load_tail(view.dtype, width)}({pointer}, {count})"

    def _update(self, name: str, values: list[str], at: Position) -> str:
        op, library = self.family.operation, self.library
        if "{body}" not in self.kernel.c:
            return self.kernel.c.format(c=name, **{f"x{i}": x for i, x in enumerate(values)})
        body = emit_body(op.body, values, library, self.dtype, self.lanes)
        if self.along and at.valid is not None:
            mask = "{" + ", ".join("1" if j < at.valid else "0" for j in range(self.lanes)) + "}"
            identity = f"{library.splat(self.dtype, self.lanes)}({library.identity(self._combine, self.dtype)})"
            body = f"{library.select(self.dtype, self.lanes)}(({library.type('u8', self.lanes)}){mask}, {body}, {identity})"
        return self.kernel.c.format(c=name, body=body, combine=library.binary(self._combine, self.dtype, self.lanes))


def zipped(rows: list[str], width: int, start: int, count: int) -> tuple[str, int, int]:
    """Elements `start` to `start + count` of vectors of `width`, in turns: (C, at which element of it they begin, its length)."""
    if len(rows) == 1:
        return rows[0], start, width
    (even, begin, length), (odd, *_) = (zipped(part, width, start, count) for part in (rows[::2], rows[1::2]))
    each = count * len(rows) // 2
    order = [side * length + begin + j for j in range(each) for side in (0, 1)]
    return f"__builtin_shufflevector({even}, {odd}, {', '.join(map(str, order))})", 0, 2 * each
