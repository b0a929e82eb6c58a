"""What a concat gives, copied row by row: no search is made for it, as no way to fuse it is as quick.

In memory each operand is rows, from the axis along which they lie one after the other to the fastest; a row of the
result is one of each. Operands and result lie in one layout and are of one type. What is one row of each is mostly a
view (views.py), for which nothing is copied.
"""

from __future__ import annotations

from collections.abc import Sequence as Sequence_
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

from ...codegen.stages import stage_function
from ...ir.family import LINE
from ...ir.spec import Spec
from ...ir.tensor import TensorType
from ...program.stage import Stage
from ...programs.partitioned import NONE
from ...targets.target import Target
from ...vectors.library import VectorLibrary
from ...vectors.text import indent
from ..graph import ModelValue
from ..parts import ModelPart
from .kernel import CustomKernel, Implementation, Making, StageProgram, over_threads

SHORT = 256  # bytes of a row that is copied in line, without a call of the C library
CALLED = 20.0  # cycles of such a call


@dataclass(frozen=True)
class ConcatRows:
    """How often a row of each operand is copied.

    Attributes:
        count: rows of each.
        reads: the operands, by the places of a part's inputs.
        bytes: of a row of each.
        of_each: where a size is dynamic, how many rows there are for each element along it; a call copies so many times
            its size. None where all sizes are fixed.
    """

    count: int
    reads: tuple[int, ...]
    bytes: tuple[int, ...]
    of_each: int | None = None

    @property
    def pitch(self) -> int:
        """Bytes of a row of the result."""
        return sum(self.bytes)


def rows_of(part: ModelPart) -> ConcatRows | None:
    """The rows of a part that is one concat; None where it is none, or its arrays lie in several layouts."""
    if len(part.calls) != 1 or len(part.gives) != 1:
        return None
    place = {id(value): n for n, value in enumerate(part.reads)}
    value = part.calls[0]
    if any(id(each) not in place for each in value.values):
        return None
    return _rows(value, part.spec.inputs, part.spec.outputs[0], [place[id(each)] for each in value.values])


def _rows(
    value: ModelValue, types: Sequence_[TensorType], output: TensorType, places: Sequence_[int] | None = None
) -> ConcatRows | None:
    axis = dict(value.attributes).get("axis", 1)
    if value.call != "concat" or not isinstance(axis, int) or len(value.values) != len(value.reads):
        return None
    places = range(len(types)) if places is None else places
    lie = lambda type: (type.dtype, type.minor_to_major, type.dynamic_axes)
    if any(lie(t) != lie(output) for t in types) or output.bytes % output.elements:
        return None
    order = output.minor_to_major[::-1]
    outer = order[: order.index(axis % value.type.rank)]
    if output.dynamic_axes and output.dynamic_axes != tuple(a for a in outer if output.shape[a] > 1)[:1]:
        return None  # the rows of a smaller size are not the first of those of the bound
    count = prod(output.shape[a] for a in outer)
    of_each = None if output.dynamic is None else count // output.shape[output.dynamic]
    return ConcatRows(count, tuple(places), tuple(types[n].bytes // count for n in places), of_each)


@dataclass(frozen=True, eq=False, repr=False)
class ConcatProgram(StageProgram):
    """A concat by rows.

    Attributes:
        rows: how it is copied.
    """

    rows: ConcatRows = field(kw_only=True)

    @cached_property
    def stage(self) -> Stage:
        """The function that copies."""
        return _stage(self.rows, self.spec, self.target, self.threads)

    def __str__(self) -> str:
        rows = self.rows
        return f"{rows.count:,} rows of {' + '.join(f'{n:,}' for n in rows.bytes)} bytes are copied"


class CopiedByRows(CustomKernel):
    """Concats: no way to fuse one is as quick."""

    takes_open = True

    def stands_alone(self, value: ModelValue) -> bool:
        """Whether a call is one that may be copied by rows."""
        return _rows(value, [each.type for each in value.values], value.type) is not None

    def implementation(self, part: ModelPart, making: Making) -> Implementation | None:
        """The copy, where all arrays lie in one layout."""
        rows, target, threads = rows_of(part), making.target, making.threads
        if rows is None:
            return None
        return Implementation((), lambda _: concatenated(part.spec, rows, target, threads), instead=True)


def concatenated(spec: Spec, rows: ConcatRows, target: Target, threads: int) -> ConcatProgram:
    """The program of a part that is copied by rows."""
    return ConcatProgram(spec, spec, NONE, target, threads, rows=rows)


def _stage(rows: ConcatRows, spec: Spec, target: Target, threads: int) -> Stage:
    """The copy, on all threads where that costs less."""
    level = target.levels[target.home(2 * rows.count * rows.pitch // LINE)].name
    line = max(
        target.coefficient[f"stream.{level}"] + target.coefficient[f"store.{level}"],
        2 * LINE / target.vector_bytes / target.ports.load,
    )
    each = sum(CALLED if n > SHORT else target.coefficient["loop"] for n in rows.bytes)
    alone = rows.count * (line * rows.pitch / LINE + each)
    cost, by = over_threads(alone, rows.count, target, threads)
    return Stage("concat by rows", cost, by, _Text(rows, spec, by), rows.of_each is not None)


@dataclass(frozen=True)
class _Text:
    """The C of a copy: a loop over rows, or over the shares of threads."""

    rows: ConcatRows
    spec: Spec
    threads: int

    def __call__(self, library: VectorLibrary, target: Target, name: str) -> str:
        types = (*self.spec.inputs, self.spec.outputs[0])
        names = [*(f"x{i}" for i in range(len(types) - 1)), "y"]
        given = {n: f"{'const ' * (n != 'y')}{library.scalar(t.dtype)} *" for n, t in zip(names, types)}
        if self.rows.of_each is None:
            return stage_function(name, given, self.rows.count, self.threads, self._loop)
        return stage_function(name, {"m": "int64_t"} | given, f"m * {self.rows.of_each}", self.threads, self._loop)

    def _loop(self, first: str, end: str) -> list[str]:
        copies, at = [], 0
        for place, size in zip(self.rows.reads, self.rows.bytes):
            copies.append(f"__builtin_memcpy(to + {at}, (const char *)x{place} + i * {size}, {size});")
            at += size
        to = f"char *const to = (char *)y + i * {self.rows.pitch};"
        return [f"for (int64_t i = {first}; i < {end}; i++) {{", *indent([to, *copies]), "}"]
