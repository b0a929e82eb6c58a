"""A unit in pieces, which compilers take at the same time: leaves as functions that the library's other pieces see, and
nobody beyond it."""

from __future__ import annotations

from collections.abc import Iterable

LEAST = 100_000  # characters of leaves in a piece, at least: fewer take less than the headers that each piece reads
_HIDDEN = '__attribute__((visibility("hidden"))) '


def dealt(leaves: Iterable[str], rest: int, count: int) -> list[list[str]]:
    """Functions in `count` lists, or fewer, of about the same length; the first has so many characters besides. Each
    list keeps the order."""
    leaves = list(leaves)
    count = max(1, min(count, sum(map(len, leaves)) // LEAST))
    lengths, lists = [rest, *[0] * (count - 1)], [list[int]() for _ in range(count)]
    for n in sorted(range(len(leaves)), key=lambda n: -len(leaves[n])):
        least = lengths.index(min(lengths))
        lengths[least] += len(leaves[n])
        lists[least].append(n)
    return [[leaves[n] for n in sorted(own)] for own in lists]


def public(leaf: str) -> str:
    """The function of a leaf as other pieces of the library may call it."""
    comment, head = leaf.split("\n", 2)[:2]
    return leaf.replace(f"{comment}\n{head}", f"{comment}\n{_HIDDEN}{head.removeprefix('static ')}", 1)


def declared(leaf: str) -> str:
    """Its declaration, for a piece that calls it."""
    head = leaf.split("\n", 2)[1]
    return f"{_HIDDEN}{head.removeprefix('static ')};"
