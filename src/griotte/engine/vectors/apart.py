"""Vectors of elements that lie two to four apart in memory: a few whole loads, blended, and one permutation.

    element     0  2  4  6  8  10 12 14      of 8 lanes, two apart
    load at 0   0  .  2  .  4  .  6  .
    load at 7   .  8  .  10 .  12 .  14      the second load ends with the last element

Each load begins where none of its elements falls on the place of one of another load. So one blend for each load after
the first puts all of them into a vector, and one permutation puts them in order. Nothing before the first element and
nothing behind the last one is read.
"""

from __future__ import annotations

from functools import lru_cache

from ...lang.functions.kit import Kit, bits

MOST = 4
"""Elements apart, at most: with more a load has so few of them that each may as well be read by itself."""
_LEAST_BYTES = 8
"""Of a load. Compilers have no instructions for a vector of fewer."""


def may_join(stride: int, lanes: int) -> bool:
    """Whether a full vector of elements so far apart is joined of whole loads: each has two of its elements, or
    more."""
    return 1 < stride <= MOST and 2 * stride <= lanes


def body(kit: Kit, stride: int, count: int) -> str:
    """The body of V f(const T *p), whose lane i is p[i * stride] for i < count and else 0; empty where no loads will
    do. Of very few elements each is read by itself."""
    width = min(kit.lanes, 1 << ((count - 1) * stride + 1).bit_length() - 1) if count else 0
    if not may_join(stride, kit.lanes) or width < 2 or width * bits(kit.dtype) // 8 < _LEAST_BYTES:
        return f"return {kit('load_strided')}(p, {stride}, {count});"
    found = loads(width, stride, count)
    return _blended(kit, width, found, count) if found else ""


def _blended(kit: Kit, width: int, found: tuple[tuple[int, tuple[int, ...]], ...], count: int) -> str:
    """The same of loads of `width` elements."""
    part = kit.with_(lanes=width)
    owner = {place: n for n, (_, places) in enumerate(found) for place in places}
    lines = [f"{part.V} v = {part('load')}(p);"]
    for n, (start, _) in enumerate(found[1:], 1):
        taken = ", ".join(str(width + lane if owner.get(lane) == n else lane) for lane in range(width))
        lines.append(f"v = __builtin_shufflevector(v, {part('load')}(p + {start}), {taken});")
    order = [place for _, places in found for place in places]
    order += [order[-1]] * (width - count)
    ordered = f"__builtin_shufflevector(v, v, {', '.join(map(str, order))})"
    if count < width:  # a mask may stay in memory, where zeros to choose from would take a register
        mask = ", ".join(["-1"] * count + ["0"] * (width - count))
        ordered = f"({part.V})(({part.S}){ordered} & ({part.S}){{{mask}}})"
    return "\n".join([*lines, *_widened(kit, part, ordered)])


def _widened(kit: Kit, part: Kit, value: str) -> list[str]:
    """Lines that return a vector of `part` with zeros behind it, twice as long each time. Where it is
    to be four times as long gcc goes by way of memory, and a reader waits for two stores."""
    lines, lanes = [], part.lanes
    while lanes < kit.lanes:
        short, lanes = kit.with_(lanes=lanes), 2 * lanes
        every = ", ".join(map(str, range(lanes)))
        lines.append(f"const {short.V} v{lanes // 2} = {value};")
        value = f"__builtin_shufflevector(v{lanes // 2}, ({short.V}){{0}}, {every})"
    return [*lines, f"return {value};"]


@lru_cache(1 << 10)
def loads(width: int, stride: int, count: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Where loads of `width` elements begin, the first at 0, and the places within each of the elements that are taken
    of it. `count` elements lie `stride` apart, and no two have the same place. As few loads as there may be; none where
    there is no such choice."""
    span = (count - 1) * stride + 1
    least = -(-span // width)
    for most in range(least, least + 2):
        if found := _loads(width, stride, count, 0, frozenset(), most):
            return found
    return ()


def _loads(width: int, stride: int, count: int, first: int, taken: frozenset[int], most: int):
    """The loads from element `first` on, where the places `taken` are not free."""
    if first == count:
        return ()
    end, at = (count - 1) * stride + 1, first * stride
    if most == 0 or end - at > most * width:
        return None
    for start in range(min(at, end - width), max(-1, at - width), -1) if first else (0,):
        places: list[int] = []
        while first + len(places) < count and (place := at + len(places) * stride - start) < width:
            if place in taken:
                break
            places.append(place)
        if places:
            rest = _loads(width, stride, count, first + len(places), taken | {*places}, most - 1)
            if rest is not None:
                return ((start, tuple(places)), *rest)
    return None
