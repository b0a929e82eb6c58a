"""Concats, copied row by row: they are not searched, for no way to fuse them is as quick.

In memory each operand is rows, from the axis along which they lie one after the other to the fastest; a row of the
result is one of each. Operands and result lie in one layout and are of one type. A concat of one row of each is mostly
a view (views.py), for which nothing is copied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from ...engine.vectors.library import VectorLibrary
from ...lang.types.tensor import TensorType
from ...machine.target import Target
from ..graph import ModelValue
from ..parts import ModelPart
from .kernel import CustomKernel, Implementation, Making
from .loop import KernelLoop, Lines, line_moved
from .stages import as_stage

SHORT = 256  # bytes of a row that is copied in line, without a call of the C library
CALLED = 20.0  # cycles of such a call


@dataclass(frozen=True)
class ConcatRows(KernelLoop):
    """How often a row of each operand is copied.

    Attributes:
        dtype: of all arrays.
        count: rows of each.
        reads: the operands, by the places of a part's inputs.
        bytes: of a row of each.
        of_each: where a size is dynamic, how many rows there are for each element along it; a call copies so many times
            its size. None where all sizes are fixed.
    """

    dtype: str
    count: int
    reads: tuple[int, ...]
    bytes: tuple[int, ...]
    of_each: int | None = None
    title = "concat by rows"

    @property
    def pitch(self) -> int:
        """Bytes of a row of the result."""
        return sum(self.bytes)

    @property
    def is_open(self) -> bool:
        return self.of_each is not None

    @property
    def shares(self) -> int:
        """Rows."""
        return self.count

    @property
    def steps(self) -> int | str:
        """Rows of a call."""
        return self.count if self.of_each is None else f"m * {self.of_each}"

    def cost(self, target: Target) -> float:
        """Lines, and a call or a loop for each row of an operand."""
        line = line_moved(target, 2 * self.count * self.pitch // target.spans.line)
        each = sum(CALLED if n > SHORT else target.coefficient["loop"] for n in self.bytes)
        return self.count * (line * self.pitch / target.spans.line + each)

    def arguments(self, library: VectorLibrary) -> dict[str, str]:
        scalar = library.scalar(self.dtype)
        return {f"x{place}": f"const {scalar} *" for place in sorted({*self.reads})} | {"y": f"{scalar} *"}

    def loop(self, first: str, end: str, library: VectorLibrary, target: Target) -> Lines:
        copies, at = [], 0
        for place, size in zip(self.reads, self.bytes):
            copies.append(f"__builtin_memcpy(to + {at}, (const char *)x{place} + i * {size}, {size});")
            at += size
        to = f"char *const to = (char *)y + i * {self.pitch};"
        return [f"for (int64_t i = {first}; i < {end}; i++) {{", [to, *copies], "}"]

    def __str__(self) -> str:
        return f"{self.count:,} rows of {' + '.join(f'{n:,}' for n in self.bytes)} bytes are copied"


def rows_of(part: ModelPart) -> ConcatRows | None:
    """The rows of a part that is one concat; None where it is none, or its arrays lie in several layouts."""
    if len(part.calls) != 1 or len(part.gives) != 1:
        return None
    place = {value: n for n, value in enumerate(part.reads)}
    value = part.calls[0]
    if any(each not in place for each in value.values):
        return None
    return _rows(value, part.spec.inputs, part.spec.outputs[0], [place[each] for each in value.values])


def _rows(
    value: ModelValue, types: Sequence[TensorType], output: TensorType, places: Sequence[int] | None = None
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
    return ConcatRows(output.dtype, count, tuple(places), tuple(types[n].bytes // count for n in places), of_each)


class CopiedByRows(CustomKernel):
    """Concats: no way to fuse one is as quick."""

    takes_open = True

    def stands_alone(self, value: ModelValue) -> bool:
        """Whether a call is one that may be copied by rows."""
        return _rows(value, [each.type for each in value.values], value.type) is not None

    def alike(self, value: ModelValue) -> tuple[ModelValue, ...]:
        """All."""
        return (*value.values, value)

    def implementation(self, part: ModelPart, making: Making) -> Implementation | None:
        """The copy, where all arrays lie in one layout."""
        rows = rows_of(part)
        return None if rows is None else as_stage(part, rows, tuple(sorted({*rows.reads})), making, instead=True)
