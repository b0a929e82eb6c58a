"""Square blocks turned in registers: rows in, log2(lanes) rounds of two-vector shuffles, columns out.

Round d swaps the off-diagonal d x d squares of every pair of rows (i, i + d). After rounds 1, 2, 4, .. the block is
transposed (the recursive scheme of Eklundh, IEEE Trans. Computers C-21, 1972, on vectors).
"""

from __future__ import annotations

from dataclasses import dataclass

from ...lang.types.dtypes import DTYPES
from .library import VectorLibrary
from .text import plus


def turned(names: list[str], vector: str, columns: int) -> tuple[list[str], list[str]]:
    """(C statements that transpose the vectors `names` of C type `vector`, the names of the first `columns`
    results)."""
    lanes, distance = len(names), 1
    shuffles: dict[str, _Shuffle] = {}
    while distance < lanes:
        fresh = list(names)
        for i in range(lanes):
            if i & distance == 0:
                low = [j if j & distance == 0 else lanes + j - distance for j in range(lanes)]
                high = [j + distance if j & distance == 0 else lanes + j for j in range(lanes)]
                fresh[i], fresh[i + distance] = f"t{distance}_{i}", f"t{distance}_{i + distance}"
                pair = names[i], names[i + distance]
                shuffles[fresh[i]], shuffles[fresh[i + distance]] = (pair, low), (pair, high)
        names, distance = fresh, distance * 2
    return _written(shuffles, names[:columns], vector), names[:columns]


def turned_in_parts(names: list[str], vector: str, lanes: int, columns: int) -> tuple[list[str], list[str]]:
    """(C statements that transpose, the names of the first `columns` results). They transpose the vectors `names` of C
    type `vector` and so many lanes within parts of as many lanes as there are names, a power of two. In each part of
    result j lie the elements j of that part of each vector. A shuffle takes the lower or upper halves of two vectors'
    parts in turn (unpack)."""
    side = len(names)
    shuffles: dict[str, _Shuffle] = {}
    for turn in range(side.bit_length() - 1):
        fresh: list[str] = []
        for i in range(side // 2):
            for first in (0, side // 2):
                parts = (range(at + first, at + first + side // 2) for at in range(0, lanes, side))
                fresh.append(f"t{turn}_{len(fresh)}")
                order = [n for part in parts for lane in part for n in (lane, lanes + lane)]
                shuffles[fresh[-1]] = (names[i], names[i + side // 2]), order
        names = fresh
    return _written(shuffles, names[:columns], vector), names[:columns]


def interleaved(names: list[str], vector: str, lanes: int, columns: int) -> tuple[list[str], list[str]]:
    """(C statements that take the elements of the vectors `names` of C type `vector` in turn, the names of the first
    `columns` of as many results). There are a power of two of them."""
    shuffles: dict[str, _Shuffle] = {}
    found = _taking_turns(names, lanes, shuffles)[:columns]
    return _written(shuffles, found, vector), found


def _taking_turns(names: list[str], lanes: int, shuffles: dict[str, _Shuffle]) -> list[str]:
    if len(names) == 1:
        return names
    found = []
    for pair in zip(*(_taking_turns(names[first::2], lanes, shuffles) for first in (0, 1))):
        for first in (0, lanes // 2):
            found.append(f"s{len(shuffles)}")
            shuffles[found[-1]] = pair, [at for lane in range(first, first + lanes // 2) for at in (lane, lanes + lane)]
    return found


def joined_lanes(
    names: list[str], vector: str, lanes: int, in_part: int, join: str, narrow: str
) -> tuple[list[str], str]:
    """(C statements that join the lanes of each of the vectors `names`, the name of a vector of C type `narrow` that
    has a result of each in their order). `names` are a power of two, no more than lanes. Two vectors at a time, halves
    of the lanes left of each are joined with the other halves, lane by lane as those of a vector by itself would be.
    Lanes within a part of `in_part` lanes stay there."""
    lines: list[str] = []
    held, width = [(name, [n]) for n, name in enumerate(names)], lanes  # what each block of so many lanes is of
    while len(held) > 1:
        half, chunk, fresh = width // 2, lanes if width > in_part else min(in_part, lanes), []
        for (x, of_x), (y, of_y) in zip(held[::2], held[1::2]):
            order, of = [], []
            for begin in range(0, lanes, chunk):
                for far, own in ((0, of_x), (lanes, of_y)):
                    blocks = range(begin, begin + chunk, width)
                    order += [far + block + lane for block in blocks for lane in range(half)]
                    of += own[begin // width : (begin + chunk) // width]
            low, high = (", ".join(str(at + more) for at in order) for more in (0, half))
            fresh.append((f"s{len(lines)}", of))
            lines.append(
                f"const {vector} s{len(lines)} = {join}(__builtin_shufflevector({x}, {y}, {low}),"
                f" __builtin_shufflevector({x}, {y}, {high}));"
            )
        held, width = fresh, half
    ((name, of),), block = held, width
    while width > 1:
        others = ", ".join(str(at + width // 2 if at % width < width // 2 else at) for at in range(lanes))
        lines.append(
            f"const {vector} s{len(lines)} = {join}({name}, __builtin_shufflevector({name}, {name}, {others}));"
        )
        name, width = f"s{len(lines) - 1}", width // 2
    places = ", ".join(str(of.index(n) * block) for n in range(len(of)))
    return [*lines, f"const {narrow} sums = __builtin_shufflevector({name}, {name}, {places});"], "sums"


_Shuffle = tuple[tuple[str, str], list[int]]


def _written(shuffles: dict[str, _Shuffle], wanted: list[str], vector: str) -> list[str]:
    """C of those shuffles of two that `wanted` needs; each comes after those that it needs itself."""
    needed = set(wanted)
    for name in reversed(shuffles):
        needed |= set(shuffles[name][0]) if name in needed else set()
    return [
        f"const {vector} {name} = __builtin_shufflevector({x}, {y}, {', '.join(map(str, order))});"
        for name, ((x, y), order) in shuffles.items()
        if name in needed
    ]


@dataclass(frozen=True)
class BlockLines:
    """The rows that a block is read from, or the columns that it is written to.

    Attributes:
        dtype: of their elements.
        pointer: C of where the first begins.
        stride: elements from one to the next.
        real: how many of them there are.
    """

    dtype: str
    pointer: str
    stride: int
    real: int | str


def block(
    library: VectorLibrary, source: BlockLines, to: BlockLines, lanes: int, *, unit: int = 1, pad: bool = False
) -> list[str]:
    """One block, from rows of the source to columns of the destination. The source is contiguous along columns, the
    destination along rows. `unit` neighbours in the source move together, as one; columns count elements, in C where
    that is known when it runs. `pad` writes whole rows."""
    real_rows, real_columns = source.real, to.real
    assert isinstance(real_rows, int)
    held = to.dtype if unit == 1 else f"u{8 * DTYPES[to.dtype].bytes * unit}"
    vector = library.type(held, lanes)
    convert, cast = library.convert(source.dtype, to.dtype, lanes), f"({vector})" if unit > 1 else ""
    lines, names = [], []
    for i in range(lanes):
        at = plus(source.pointer, i * source.stride)
        if i >= real_rows:
            value = f"({vector}){{0}}"
        else:
            whole = real_columns == lanes * unit
            value = (
                f"{library.load(source.dtype, lanes * unit)}({at})"
                if whole
                else f"{library.load_tail(source.dtype, lanes * unit)}({at}, {real_columns})"
            )
            value = f"{convert}({value})" if convert else cast + value
        lines.append(f"const {vector} r{i} = {value};")
        names.append(f"r{i}")
    is_open = isinstance(real_columns, str)
    shuffles, names = turned(names, vector, lanes if is_open else -(-int(real_columns) // unit))
    lines += shuffles
    for j, name in enumerate(names):
        at = plus(to.pointer, j * to.stride)
        at = f"(void *)({at})" if unit > 1 else at
        whole = pad or real_rows == lanes
        test = f"if ({j * unit} < {real_columns}) " * is_open
        lines.append(
            test
            + (
                f"{library.store(held, lanes)}({at}, {name});"
                if whole
                else f"{library.store_tail(held, lanes)}({at}, {name}, {real_rows});"
            )
        )
    return lines
