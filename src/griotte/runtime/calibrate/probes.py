"""The probes of a machine's parameters: which functions of `source` are run, and on how much."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ...machine.core import Level
from ...machine.machine import CURVED, FAR
from ...machine.target import Target

BESIDE = (1, 2, 3, 4, 6, 8, 12)
"""Rows of the leaves that are timed beside what they read: multiply-adds for each vector of a panel."""

READING = 2.0
"""Slots for each line of a sum of f32 by vectors of 32 bytes, an addition for each: the work of programs that only
read."""

MOST, LEAST_FAR = 256 << 20, 48 << 20
"""Bytes that are read from memory: more than the caches hold, within these bounds."""

PAGES, FEW = 256, 32
"""Pages, and the probe reads one line of each: more than any first-level TLB translates, fewer than any second; and few
enough for the first."""

WITHIN, BEYOND = 0.5, 2.0
"""Shares of a cache's capacity: one that should rest in the cache, and one that should not."""

STRIDED, FILLED = (5.0, 15 + 1 / 8, 20.0, 27 + 1 / 8), 1 / 2
"""Lines from a row to the next, where leaves take parts of rows. Short and longer rows all begin 16 bytes into a line,
as those of arrays that a library allocated, or each elsewhere. And the share of L2 that they take up, as what programs
view there. L1 does not keep a part of so many rows until the next is read, and the first line of the next part is the
last of this one."""

PANELS = ((1, 4), (2, 4), (4, 2), (6, 2))
"""Rows and vectors of leaves that walk down a panel for hundreds of steps, as those of products do, in L1 and in the
share `FILLED` of L2. Leaves of fewer steps begin anew so often that lines come meanwhile, and long ones show a part of
the way (docs/lab/folds/README.md)."""

PARTS = (2 << 10, 8 << 10)
"""Bytes of parts of rows, and of whole rows, that measure the lines which come in vain past the end of a part."""

CROWD = (8, 48)
"""Rows that are read side by side: as many as a core follows by itself (`Crossing.streams`), and many more."""

ABREAST = 31
"""Lines of rows that are read side by side and lie one right behind the other: some 2 KB."""

IN_A_ROW = 3
"""Turns of what two threads read and write at once; the least of them counts. A second thread that begins late, or
that the system put aside, is no share of a cache."""

STEPS = (4, 36)
"""Steps of the leaf whose entry is timed, with few and with more."""

ROWS = (2, 3, 4, 5, 6)
"""Rows of the leaves of two vectors whose steps are timed: with few of them accumulators wait for each other, with many
ports are busy."""

LONG = (16, 80)
"""Steps of those leaves, with few and with more."""


@dataclass(frozen=True)
class Probe:
    """A measurement: a function of `source`, its two arguments, how many threads it takes, and its turns in a row; the
    least of them counts. `in_small_pages`: whether it is to meet pages of 4 KiB, as arrays of less than some megabytes
    have them."""

    name: str
    function: str
    first: int = 0
    second: int = 0
    threads: int = 1
    turns: int = 1
    in_small_pages: bool = False


def probes(target: Target, threads: int = 1) -> tuple[Probe, ...]:
    """The probes of a machine, which run in turns."""
    sets, line, page = working_sets(target), target.spans.line, target.spans.page
    found = [
        Probe(name, name)
        for name in ("multiply_add", "chain", "mixed", "load", "broadcast", "store", "shuffle", "issue")
    ]
    for name, size in ((name, size) for name, size in sets.items() if name != "L1"):
        found += [Probe(f"{what}.{name}", what, size, _asked_along(target, name)) for what in ("read", "plain", "copy")]
        found.append(Probe(f"turned.{name}", "turned", size, in_small_pages=name != "memory"))
        if name in FAR[1:]:
            found.append(Probe(f"strips.{name}", "strips", size, page))
            found += [Probe(f"crowd.{name}.{rows}", "crowd", size, rows) for rows in CROWD]
            found.append(Probe(f"abreast.{name}", "abreast", size, ABREAST * line))
    found += [Probe(f"parts.L3.{part}", "parts", sets["L3"], part) for part in PARTS if "L3" in sets]
    for level in (level for level in target.levels if level.name == "L2" and "L2" in sets):
        filled = int(FILLED * level.capacity)
        found += [
            *(Probe(f"strided.L2.{at}", "strided", filled, int(lines * line)) for at, lines in enumerate(STRIDED)),
            Probe("strided.L2.few", "strided", filled, _few(filled, line)),
            Probe("strided.L2.panel", "strided", filled),
            *(
                Probe(f"panel.{name}.{rows}x{wide}", f"panel{rows}x{wide}", size)
                for name, size in (("L1", sets["L1"]), ("L2", filled))
                for rows, wide in PANELS
            ),
            Probe("strips.L2", "strips", sets["L2"], page),
            Probe("apart.L2", "strips", sets["L2"], page + line),
        ]
    found += [
        Probe(f"beside.{level}.{count}", f"beside{count}", size, _asked(target, level))
        for level, size in sets.items()
        for count in BESIDE
    ]
    found += [Probe(f"rows.{rows}.{steps}", f"rows{rows}", steps) for rows in ROWS for steps in LONG]
    found += [
        Probe("pages", "pages", PAGES, in_small_pages=True),
        Probe("pages.few", "pages", FEW, in_small_pages=True),
        *(Probe(f"leaf.{steps}", "leaf", steps) for steps in STEPS),
    ]
    found += (
        [
            Probe(name, function, threads=2)
            for name, function in (("fork", "fork_join"), ("transfer", "transfer"), ("own", "own"))
        ]
        + [
            Probe(f"{name}.{level}.{shares}", function, sets[level], shares, threads=2, turns=IN_A_ROW)
            for level in FAR[1:]
            if level in sets
            for name, function in (("shared", "both"), ("shared_copy", "both_copy"))
            for shares in (1, 2)
        ]
        if threads > 1
        else []
    )
    return tuple(found)


def _few(count: int, line: int) -> int:
    """Bytes from row to row where so many bytes are as few rows as a core follows: each begins elsewhere in a line, and
    in a page."""
    return (count // CROWD[0] // line - 5) * line + line // 4


def curve_probes(target: Target) -> tuple[Probe, ...]:
    """Reads of more and more bytes, over and over: from more than any cache that programs count on holds, up to more
    than any cache holds."""
    counted = max((level.capacity or 0 for level in target.levels[1:-1] if level.share > 0), default=0)
    last = target.levels[-2].name
    return tuple(
        Probe(f"curve.{size}", "curve", size << 20, _asked_along(target, last))
        for size in CURVED
        if counted < size << 20 <= room(target)
    )


def held_probes(target: Target) -> tuple[Probe, ...]:
    """The same of bytes that the last cache may hold of a thread's, where others use it too, in powers of two; and,
    last, of bytes that it does not hold."""
    last, sizes = shared(target) or (None, [])
    if last is None:
        return ()
    ahead = _asked_along(target, last.name)
    return tuple(Probe(f"held.{size}", "curve", size, ahead) for size in (*sizes, working_sets(target)["memory"]))


def _asked_along(target: Target, level: str) -> int:
    """Bytes on that programs ask for along a row that they only read: nothing where a core sees that far by itself
    (`Prefetch.least_work`), nor where no level asks."""
    asks = any(each.name == level and each.prefetch for each in target.levels)
    return target.prefetch.row if asks and target.prefetch.least_work <= READING else 0


def _asked(target: Target, level: str) -> int:
    """Bytes on that programs ask for in a panel from a level."""
    return 0 if level == "L1" else target.prefetch.near_panel if level == "L2" else target.prefetch.panel


def capacity_probes(target: Target) -> tuple[Probe, ...]:
    """Loads that wait for each other, from what should rest in each cache and from what should not; in powers of
    two."""
    caches = [level for level in target.levels[1:-1] if level.name in ("L1", *FAR)]
    return tuple(
        Probe(
            f"{level.name}.{share}",
            "chase",
            1 << min(room(target), int(share * level.capacity)).bit_length() - 1,
        )
        for level in caches
        for share in (WITHIN, BEYOND)
    )


def shared(target: Target) -> tuple[Level, list[int]] | None:
    """The last cache, where no program plans with it because others use it too, and the powers of two of a thread's
    bytes that it may hold. None where there is no such cache."""
    inner, last = ([None, *target.levels[1:-1]])[-2:]
    if inner is None or last.share > 0 or last.name not in FAR:
        return None
    return last, [
        1 << i for i in range((2 * inner.capacity - 1).bit_length(), (min(room(target), last.capacity)).bit_length())
    ]


def working_sets(target: Target) -> dict[str, int]:
    """Bytes that rest at each level: well below its capacity and well above that of the level before."""
    levels = target.levels[1:-1]
    sets = {levels[0].name: levels[0].capacity // 2}
    sets |= {slow.name: int((fast.capacity * slow.capacity) ** 0.5) // 4096 * 4096 for fast, slow in pairwise(levels)}
    known = {level: size for level, size in sets.items() if level in ("L1", *FAR)}
    return known | {"memory": min(MOST, max(LEAST_FAR, 3 * (target.largest_cache or levels[-1].capacity)))}


def room(target: Target) -> int:
    """Bytes that the probes run on: the largest set that is read from memory, or the least of the curve's sizes that is
    no less."""
    most = max(working_sets(target).values())
    return min((size << 20 for size in CURVED if size << 20 >= most), default=most) + 4096


def small_room(target: Target) -> int:
    """Bytes of the memory in small pages: so many pages and as many more, or the largest set of a cache."""
    caches = (count for name, count in working_sets(target).items() if name != "memory")
    return max(2 * PAGES * target.spans.page, *caches) + 4096
