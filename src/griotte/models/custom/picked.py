"""Elements at known places of an array, moved row by row: these calls are not searched, for no way to fuse them is as
quick.

    take(x, [2, 1, 0, 1, 2], axis=2)                      parts of x by numbers that are known
    resize(x, size=(16, 16), mode=nearest)                rows and columns of images

Several in a row, along other axes or the same, are one. Both arrays lie in one layout and are of one type.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from ...engine.vectors.library import VectorLibrary
from ...engine.vectors.text import indent
from ...lang.constructors.resizing import nearest_places
from ...lang.types.tensor import TensorType
from ...machine.target import Target
from ..graph import ModelValue
from ..parts import ModelPart
from .kernel import CustomKernel, Implementation, Making
from .loop import KernelLoop, Lines, line_moved
from .stages import as_stage

Places = Mapping[int, Sequence[int]]  # by axis


def places_of_call(value: ModelValue) -> Places | None:
    """The places of a call's elements in its first operand; None of other calls, and where they are not known."""
    read = value.values[0] if value.values else value
    if value.is_made or value.type.dynamic is not None or read.type.dtype != value.type.dtype:
        return None
    if any(type.bytes % type.elements for type in (read.type, value.type)):
        return None  # several in a byte
    attributes = dict(value.attributes)
    if value.call == "take":
        numbers = value.values[1].array
        if numbers is None or numbers.ndim != 1:
            return None
        axis = attributes.get("axis", 0) % read.type.rank
        return {axis: np.clip(numbers.astype(np.int64), 0, read.type.shape[axis] - 1).tolist()}
    if value.call == "resize" and attributes.get("mode", "nearest") == "nearest":
        given = {key: attributes[key] for key in ("coordinates", "rounding", "scales") if key in attributes}
        return nearest_places(read.type, attributes["size"], **given)
    return None


def rows_of(part: ModelPart) -> tuple[int, PickedRows] | None:
    """The number of the input that a part picks from, and its rows; None where the part is of another kind, or its
    arrays lie in two layouts."""
    found: dict[int, Sequence[int]] = {}
    for number, value in enumerate(part.calls):
        places = places_of_call(value)
        if places is None or number and value.values[0] is not part.calls[number - 1]:
            return None
        for axis, each in places.items():
            found[axis] = [found[axis][n] for n in each] if axis in found else each
    if not part.calls or part.gives != part.calls[-1:]:
        return None
    base = part.calls[0].values[0]
    place = next(n for n, value in enumerate(part.reads) if value is base)
    x, y = part.spec.inputs[place], part.spec.outputs[0]
    if x.minor_to_major != y.minor_to_major or x.rank > base.type.rank and 1 in found:
        return None  # nor are channels picked that lie in blocks
    return place, _in_memory(x, found)


def _in_memory(x: TensorType, places: Places) -> PickedRows:
    """The axes in the order of memory, the slowest first; neighbours that are taken whole are one."""
    sizes: list[int] = []
    picks: list[tuple[int, ...] | None] = []
    for axis in reversed(x.minor_to_major):
        own = tuple(places[axis]) if axis in places else None
        if own is None and picks and picks[-1] is None:
            sizes[-1] *= x.shape[axis]
        elif own is not None or x.shape[axis] > 1:
            sizes.append(x.shape[axis])
            picks.append(own)
    unit = x.bytes // x.elements
    if picks[-1] is None and sizes[-1] * unit in (1, 2, 4, 8) and len(sizes) > 1:
        unit *= sizes.pop()  # of which an element is a whole row
        picks.pop()
    return PickedRows(x.dtype, unit, tuple(sizes), tuple(picks))


class PickedByRows(CustomKernel):
    """Parts of arrays by numbers that are known, and images resized to the nearest."""

    def stands_alone(self, value: ModelValue) -> bool:
        """Whether it is one; what it reads may be, too."""
        return places_of_call(value) is not None

    def alike(self, value: ModelValue) -> tuple[ModelValue, ...]:
        """What it picks of, and what it gives."""
        return (value.values[0], value)

    def continues(self, value: ModelValue, before: ModelValue) -> bool:
        """Whether the two are one: each picks of the other."""
        return value.values[0] is before and all(places_of_call(each) is not None for each in (value, before))

    def follows(self, part: ModelPart) -> Hashable:
        """From the places."""
        return rows_of(part)

    def implementation(self, part: ModelPart, making: Making) -> Implementation | None:
        """The moves, where both arrays lie in one layout."""
        found = rows_of(part)
        return None if found is None else as_stage(part, found[1], found[:1], making, instead=True)


ROW = 12.0  # cycles of a row beside what it moves: its place, and a call of the C library or the loop within
MOVED = 3.0  # cycles of a vector that is put together of one or two, or of an element by itself
TYPES = {1: "u8", 2: "u16", 4: "u32", 8: "s64"}  # by bytes: bits are moved, of whatever type
SMALL = 16  # bytes of the vectors of elements of one or two bytes: shuffles of wider ones are many instructions
LONG = 48  # vectors of a row that are written one by one; what a longer row has beside loops is moved by a table


@dataclass(frozen=True)
class Moved:
    """Some vectors of a row: number q is at `to + q * lanes` in the result, put together of the elements `lanes[..]`
    of two vectors from `start + q * step` on.

    Attributes:
        to: the first element that is written.
        start: the first element that is read.
        lanes: which of the elements that are read; one is an element by itself.
        count: how many such vectors.
        step: how much further on each reads.
    """

    to: int
    start: int
    lanes: tuple[int, ...]
    count: int = 1
    step: int = 0


@dataclass(frozen=True)
class PickedRows(KernelLoop):
    """An array as it lies in memory, the slowest axis first.

    Attributes:
        dtype: of both arrays.
        unit: bytes of an element.
        sizes: along each axis.
        picks: of each axis, the numbers that are taken, in order; None where all are.
    """

    dtype: str
    unit: int
    sizes: tuple[int, ...]
    picks: tuple[tuple[int, ...] | None, ...]
    title = "rows at known places"

    @property
    def given(self) -> tuple[int, ...]:
        """The sizes of the result."""
        return tuple(n if own is None else len(own) for n, own in zip(self.sizes, self.picks))

    @property
    def shares(self) -> int:
        """Rows of the result."""
        return prod(self.given[:-1])

    @property
    def width(self) -> int:
        """Elements of a row of the result."""
        return self.given[-1]

    def moves(self, vector_bytes: int) -> int:
        """How many vectors and single elements a row is put together of; 0 where it is copied."""
        return 0 if self.picks[-1] is None else sum(each.count for each in self.vectors(vector_bytes))

    def vectors(self, vector_bytes: int) -> list[Moved]:
        """A row with some of its elements picked."""
        own, most = self.picks[-1], min(vector_bytes, SMALL) if self.unit < 4 else vector_bytes
        assert own is not None
        lanes = most // self.unit if self.unit in TYPES else 1
        while lanes > min(len(own), self.sizes[-1]):
            lanes //= 2
        return list(_looped(_cut(own, lanes, self.sizes[-1])))

    def cost(self, target: Target) -> float:
        """Lines, and of each row what it is put together of."""
        size = self.shares * self.width * self.unit
        line = line_moved(target, (self.unit * prod(self.sizes) + size) / target.spans.line)
        return line * size / target.spans.line + self.shares * (ROW + MOVED * self.moves(target.vector_bytes))

    def arguments(self, library: VectorLibrary) -> dict[str, str]:
        scalar = library.scalar(self.dtype)
        return {"x": f"const {scalar} *", "y": f"{scalar} *"}

    def __str__(self) -> str:
        return f"{self.shares:,} rows of {self.width * self.unit:,} bytes are put together"

    def loop(self, first: str, end: str, library: VectorLibrary, target: Target) -> Lines:
        row, inner = self.width * self.unit, self.unit * self.sizes[-1]
        tables, places = self._places()
        if self.picks[-1] is None:
            moved = [f"__builtin_memcpy(to, from, {row});"]
        else:
            moved = self._row(library, target.vector_bytes)
        again = [
            "if (at == before) {",
            f"    __builtin_memcpy(to, to - {row}, {row});",
            "    continue;",
            "}",
            "before = at;",
        ]
        repeats = any(own is not None and len(set(own)) < len(own) for own in self.picks[:-1])
        body = [
            f"const int64_t at = {places};",
            f"char *const to = (char *)y + i * {row};",
            *(again if repeats else []),
            f"const char *const from = (const char *)x + at * {inner};",
            *moved,
        ]
        before = ["int64_t before = -1;"] * repeats
        return [*tables, *before, f"for (int64_t i = {first}; i < {end}; i++) {{", *indent(body), "}"]

    def _places(self) -> tuple[list[str], str]:
        """Tables of picked numbers, and the number of the row that row i is."""
        tables, terms = list[str](), list[str]()
        inside, within = 1, 1  # rows of the result, and of what is read, that lie within an axis
        for axis in reversed(range(len(self.sizes) - 1)):
            own, n, given = self.picks[axis], self.sizes[axis], self.given[axis]
            digit = f"i / {inside}" if inside > 1 else "i"
            digit = digit if axis == 0 else f"{digit} % {given}"
            if own is not None:
                tables.append(f"static const int32_t places{axis}[] = {{{', '.join(map(str, own))}}};")
                digit = f"places{axis}[{digit}]"
            terms.append(f"({digit}) * {within}" if within > 1 else digit)
            inside, within = inside * given, within * n
        return tables, " + ".join(reversed(terms)) or "0"

    def _row(self, library: VectorLibrary, vector_bytes: int) -> list[str]:
        """One row, put together."""
        found, unit = self.vectors(vector_bytes), self.unit
        if len(found) > LONG:
            return self._by_table(library)
        lines: list[str] = []
        for each in found:
            many = len(each.lanes)
            at = lambda n, by, each=each: str(n) if each.count == 1 else f"({n} + q * {by})"
            to, source = f"to + {at(each.to, many)} * {unit}", f"from + {at(each.start, each.step)} * {unit}"
            if many == 1:
                move = [f"__builtin_memcpy({to}, {source}, {unit});"]
            else:
                move = self._vector(library, each, to, source)
            head = f"for (int64_t q = 0; q < {each.count}; q++)"
            lines += move if each.count == 1 else [f"{head} {{", *indent(move), "}"]
        return lines

    def _vector(self, library: VectorLibrary, each: Moved, to: str, source: str) -> list[str]:
        unit, many = self.unit, len(each.lanes)
        dtype = TYPES[unit]
        scalar, load, store = library.scalar(dtype), library.load(dtype, many), library.store(dtype, many)
        low = f"{load}((const {scalar} *)({source}))"
        stored = lambda value: f"{store}(({scalar} *)({to}), {value});"
        if each.lanes == tuple(range(many)):
            return [stored(low)]
        order = ", ".join(map(str, each.lanes))
        if max(each.lanes) < many:
            return [
                f"{{ const {library.type(dtype, many)} v = {low};",
                f"  {stored(f'__builtin_shufflevector(v, v, {order})')} }}",
            ]
        high = f"{load}((const {scalar} *)({source} + {many * unit}))"
        return [stored(f"__builtin_shufflevector({low}, {high}, {order})")]

    def _by_table(self, library: VectorLibrary) -> list[str]:
        unit, own = self.unit, self.picks[-1]
        assert own is not None
        return [
            f"static const int32_t places[] = {{{', '.join(map(str, own))}}};",
            f"for (int64_t j = 0; j < {len(own)}; j++)",
            f"    __builtin_memcpy(to + j * {unit}, from + (int64_t)places[j] * {unit}, {unit});",
        ]


def _cut(places: tuple[int, ...], lanes: int, size: int) -> Iterator[Moved]:
    """A row as vectors; the rest at its end is a vector that begins earlier."""
    starts = [*range(0, len(places) - lanes + 1, lanes)]
    if len(places) % lanes:
        starts.append(len(places) - lanes)
    for to in starts:
        own = places[to : to + lanes]
        start, far = min(*own, size - lanes), min(*own, size - 2 * lanes)
        if max(own) < start + lanes:
            yield Moved(to, start, tuple(n - start for n in own))
        elif far >= 0 and max(own) < far + 2 * lanes:
            yield Moved(to, far, tuple(n - far for n in own))
        else:
            yield from (Moved(to + j, n, (0,)) for j, n in enumerate(own))


def _looped(vectors: Iterator[Moved]) -> Iterator[Moved]:
    """Neighbours that are alike as one."""
    last: Moved | None = None
    for each in vectors:
        if last is not None and each.lanes == last.lanes and each.to == last.to + last.count * len(each.lanes):
            step = each.start - last.start if last.count == 1 else last.step
            if each.start == last.start + last.count * step:
                last = Moved(last.to, last.start, last.lanes, last.count + 1, step)
                continue
        if last is not None:
            yield last
        last = each
    if last is not None:
        yield last
