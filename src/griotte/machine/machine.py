"""A machine as some forty numbers, and the prices that follow from them. Each number means something and can be
measured alone.

A target may be priced by them: the table `[machine]` of a TOML file. They are declared here once: the file's checks,
the probes' names, the table in docs/reference/parameters.md and the bounds come from PARAMETERS. The formulas are one
function, `derive`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from ..lang.nests.family import LINE
from .core import Calls, Level
from .instructions import Kernel
from .target import Target

CURVED = (1, 4, 16, 32, 64, 256)
"""MiB for which calibration measures the cycles of a line that is read over and over."""

LEAST_CYCLES = 0.01
"""Cycles of a line, at least: a lower value says that nothing was measured."""

FAR = ("L2", "L3", "memory")
"""Levels that have prices of their own; the price of a line from L1 is in the port model."""


@dataclass(frozen=True)
class Parameter:
    """One number of a machine.

    unit      vectors are of the target's width, lines are the machine's
    default   of a Xeon with AVX-512, as published or as the built-in prices have it
    least, most   bounds: a number beyond them is not believed, from a file or from a probe
    meaning   a phrase
    source    where the default comes from
    probe     the measurement that it is taken from (runtime/calibrate/probes.py)
    """

    name: str
    unit: str
    default: float
    least: float
    most: float
    meaning: str
    source: str
    probe: str


_MANUAL = "Intel optimisation manual (248966), uops.info"
_LAB = "[lab](../lab/prices/README.md)"


def _by_level(
    name: str,
    unit: str,
    defaults: tuple[float, float, float],
    most: tuple[float, float, float],
    meaning: str,
    probe: str,
    source: str = _LAB,
) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(f"{name}.{level}", unit, default, 0.0, bound, f"{meaning} {level}", source, f"{probe}.{level}")
        for level, default, bound in zip(FAR, defaults, most)
    )


PARAMETERS = (
    Parameter(
        "multiply_add",
        "a cycle",
        2.0,
        0.05,
        16.0,
        "vector multiply-adds that do not wait for each other",
        _MANUAL,
        "multiply_add",
    ),
    Parameter("latency", "cycles", 4.0, 1.0, 64.0, "from a multiply-add to the next on its result", _MANUAL, "chain"),
    Parameter(
        "mixed", "a cycle", 2.0, 0.05, 16.0, "vector multiply-adds and additions, as many of each", _MANUAL, "mixed"
    ),
    Parameter("load", "a cycle", 2.0, 0.05, 16.0, "vectors loaded from L1", _MANUAL, "load"),
    Parameter(
        "broadcast",
        "a cycle",
        2.0,
        0.05,
        16.0,
        "elements loaded from L1 and spread over a vector",
        _MANUAL,
        "broadcast",
    ),
    Parameter("store", "a cycle", 1.0, 0.05, 16.0, "vectors stored to L1", _MANUAL, "store"),
    Parameter(
        "shuffle",
        "a cycle",
        1.0,
        0.05,
        16.0,
        "vectors made of the elements of two, as blocks are turned in registers",
        _MANUAL,
        "shuffle",
    ),
    Parameter(
        "tie",
        "times",
        1.0,
        1.0,
        2.0,
        "the longer of the two, that a step of a leaf takes whose multiply-adds take as long as their latency",
        "manuals: what is busy longest counts",
        "rows",
    ),
    Parameter(
        "issue",
        "a cycle",
        6.0,
        0.25,
        32.0,
        "operations that one thread gets in a step of two multiply-adds, two loads and an integer addition",
        _MANUAL,
        "issue",
    ),
    *_by_level(
        "read", "cycles a line", (1.3, 9.5, 16.0), (64.0, 256.0, 1024.0), "lines read one after the other from", "read"
    ),
    *_by_level(
        "write",
        "cycles a line",
        (5.0, 8.0, 18.0),
        (64.0, 256.0, 1024.0),
        "what a copy takes beyond reading, in",
        "copy",
    ),
    Parameter(
        "first.L2",
        "cycles a stretch",
        0.3,
        0.0,
        512.0,
        "what a step of a leaf of six rows takes more that reads a part of a row as given than one of a panel, from L2",
        "[lab](../lab/folds/README.md)",
        "strided.L2",
    ),
    *_by_level(
        "first",
        "cycles a stretch",
        (0.3, 25.0, 120.0),
        (512.0, 2048.0, 8192.0),
        "what a line's worth of rows a page apart, which begins within a line, takes beyond a line that is read, from",
        "strips",
    )[1:],
    Parameter(
        "followed",
        "share",
        0.0,
        0.0,
        1.0,
        "of `first.L2` that rows do not take of which no more are read side by side than a core follows",
        "not measured",
        "strided.L2",
    ),
    Parameter(
        "hiding",
        "times",
        3.0,
        0.5,
        8.0,
        "the way of lines from L3 that products take which hide all of it that they can",
        "[lab](../lab/longest-2026-11.md)",
        "beside.L3",
    ),
    Parameter(
        "passed",
        "lines",
        0.0,
        0.0,
        64.0,
        "that come in vain past the end of each part of 2 KiB of rows of 8 KiB, four side by side, from L3",
        "not measured",
        "parts",
    ),
    Parameter(
        "aliased.L2",
        "cycles a stretch",
        0.0,
        0.0,
        512.0,
        "what a line's worth of rows, which begins within a line, takes more of rows a page apart, which begin on the"
        " same sets of L1, than of rows a page and a line apart, from L2",
        "[lab](../lab/folds/README.md)",
        "strips.L2",
    ),
    *_by_level(
        "crowded",
        "cycles a line",
        (0.0, 0.0, 0.0),
        (64.0, 256.0, 1024.0),
        "what a line of rows takes more that are read beside many others, strip by strip; 0: as `read` says; from",
        "crowd",
        "not measured",
    )[1:],
    *_by_level(
        "abreast",
        "cycles a row",
        (0.0, 0.0, 0.0),
        (512.0, 2048.0, 8192.0),
        "what a row of 2 KB takes beyond its lines, of twelve side by side that lie one right behind the other, from",
        "abreast",
        "not measured",
    )[1:],
    *_by_level(
        "turned",
        "cycles a line",
        (0.0, 0.0, 0.0),
        (64.0, 256.0, 1024.0),
        "what a line takes in a transpose beyond reading and writing it in order, from",
        "turned",
        "not measured",
    ),
    *_by_level(
        "hidden",
        "share",
        (0.77, 0.15, 0.75),
        (1.0, 1.0, 1.0),
        "of arithmetic and reading that take the same, the share of either that vanishes behind the other, from",
        "beside",
        "from the prices by hand",
    ),
    Parameter(
        "page",
        "cycles",
        10.0,
        0.0,
        512.0,
        "a translation that the first-level TLB lacks",
        "Intel and AMD manuals: 7 to 8, and walks",
        "pages",
    ),
    Parameter(
        "leaf",
        "cycles",
        26.0,
        0.0,
        512.0,
        "entering and leaving a leaf of twelve accumulators: what it takes beyond its steps and a latency",
        _LAB,
        "leaf",
    ),
    *(
        Parameter(
            f"curve.{size}",
            "cycles a line",
            0.0,
            0.0,
            1024.0,
            f"lines read one after the other, over and over, of {size} MiB; 0: as `read` says",
            "not measured",
            f"curve.{size}",
        )
        for size in CURVED
    ),
    *(
        Parameter(
            f"shared.{level}",
            "times",
            1.0,
            1.0,
            8.0,
            f"as long that a line takes while a second thread reads too, from {level}",
            "not measured",
            f"shared.{level}",
        )
        for level in FAR[1:]
    ),
    *(
        Parameter(
            f"written.{level}",
            "times",
            0.0,
            0.0,
            8.0,
            f"as long that a line takes to write while a second thread writes too, to {level}; 0: as `shared` says",
            "not measured",
            f"shared_copy.{level}",
        )
        for level in FAR[1:]
    ),
    Parameter("fork", "cycles", 4000.0, 0.0, 1e5, "waking and joining a team of two threads", _LAB, "fork"),
    Parameter(
        "transfer",
        "cycles a line",
        120.0,
        0.0,
        1e4,
        "a line that goes from core to core: one writes what another has just read, or both write in turns",
        _LAB,
        "transfer",
    ),
)
BY_NAME = {parameter.name: parameter for parameter in PARAMETERS}
DEFAULTS = {parameter.name: parameter.default for parameter in PARAMETERS}

BY_LINE = frozenset("read write line stream store result late crowded nontemporal".split())
"""What takes longer the more bytes a line has. A line that goes from core to core, and the first of a stretch, are
waited for."""


def per_line(known: Mapping[str, float], line: int) -> dict[str, float]:
    """Numbers that are known for lines of 64 bytes, of lines of so many."""
    return {name: cycles * line / LINE if name.split(".")[0] in BY_LINE else cycles for name, cycles in known.items()}


POSTED = 1 / 6
"""The share that shows of a line that a reduction writes. The line was asked for before the reduction, and leaves while
the next one runs. By hand `result` is a quarter to a sixth of `store` on a Xeon, as measured there
(docs/lab/prices/README.md, Results in L2). In the fit of whole programs on a Zen 3 it is a sixteenth to a ninth
(docs/lab/ladder-2026-11.md)."""

ENTERED, MOVED = 1 / 3, 18
"""Two numbers of the cycles that a leaf of twelve accumulators takes beyond its steps: its entry's share, and the moves
of vectors that take the rest. The moves are a half to set each accumulator to zero and one to store it (leaves.reduce).
The share is of the Xeon's prices by hand, 8 of 26. On a Zen an entry took 0 to 1 cycles, and leaves of 6, 8, 10 and
12 accumulators took 4.3, 4.6, 7.3 and 8 (docs/lab/probes-2026-11.md)."""

CROWDED = 0.4
"""The share of a line's transfer that it takes more in a row that is read beside many others, at least: no prefetcher
follows the row. A plain read of 48 rows falls to 0.6 of its rate (docs/lab/prices/README.md, Crowded rows); by hand it
is a third to a half of `stream`."""

LOST = 0.6
"""The share that shows of the way of lines that were asked for far ahead and that no one reads. On a Xeon it is 2,500
of 4,096 cycles, by hand (docs/lab/prices/README.md, Panels from far)."""

JOINING = 1.7
"""Arithmetic slots of a step that loads 5 to 7 of 8 elements in parts. With them a Zen 3's leaves of 4x2, 6x2 and 4x3
vectors take 0.7 to 0.95 cycles a step more, and with 1 to 4 of 8 no more (docs/lab/prices/README.md)."""

COPIED = 1.5
"""Cycles of a vector that is loaded and stored, where its store alone takes less: a load, a store and the loop's own,
three operations at two a cycle."""

BETWEEN = 0.75
"""Pages that a row takes where rows are half a page to a page apart: the middle of those."""

BESIDE = 1.0
"""Lines that a core fetches into L1 behind each part of a row. Parts of 180 to 237 rows, 192 and 384 bytes apart, take
1.05 to 1.6 times as long on a Zen 3 as parts of 128 rows. L1 would hold them without those lines
(docs/lab/prices/README.md)."""

WALKED = 0.75
"""`Crossing.walked` of lines from L3, on a Zen 3. Products of 6 and 12 rows take more cycles a line by tiles of 2, 3
and 4 rows than by those of 6. They take 1.6 to 1.9, 0.8 to 1.7 and 0.4 to 1.5 more (docs/lab/products/README.md, Rows
of the first pass)."""

SLACK = 2.0
"""`Crossing.slack`, on a Zen 3. Where panels come from L2, tiles of 4x16, which compute in all cycles, take up to 5 %
more, and of 3x16, which compute in three quarters of them, 1 %. Where lines take as long as the tile, 2x32 takes 8 to
22 % more. 1x32, which computes in half, takes 5 to 20 % and speaks for less (docs/lab/products/waiting.md)."""

THERE_AND_BACK = 2
"""Transfers of a line that two threads write, for each of its updates: the other thread has had it since. By hand on a
Xeon 250 cycles, and 120 of a transfer (docs/lab/prices/README.md)."""

KEPT = 1 / 12
"""The share that another core still holds, of lines in L3 that threads share. Where it holds them all, a line takes 122
cycles. With 2 MiB a thread it takes 36, with 4 it takes 3 (docs/lab/prices/handover.py); the geometric mean is 10."""


@dataclass(frozen=True)
class Derived:
    """What follows from a machine's parameters: coefficients, fields of Ports and of Crossing, the latency of a
    multiply-add, and what whole calls change."""

    coefficients: dict[str, float]
    ports: dict[str, float]
    crossing: dict[str, float]
    latency: float
    calls: Calls


def derive(given: Mapping[str, float], far_panel: int = 0, line: int = LINE) -> Derived:
    """Prices of a machine with such parameters (DEFAULTS where one is left out, by the bytes of a line), whose programs
    ask for panels so many bytes ahead."""
    value = per_line(DEFAULTS, line) | dict(given)
    ports = {
        "arithmetic": value["multiply_add"],
        "adders": max(0.0, value["mixed"] - value["multiply_add"]),
        "load": value["load"],
        "broadcast": value["broadcast"],
        "store": value["store"],
        "issue": value["issue"],
        "shuffle": value["shuffle"],
        "copied": max(COPIED, 1 / value["store"]),
        "tie": value["tie"],
        "joining": JOINING,
        "parted": 1.0,
        "converting": 1.0,
    }
    return Derived(
        _of_lines(value) | _of_stretches(value, far_panel / line) | _of_events(value),
        ports,
        {
            "behind": min(value["hidden.L3"], value["hidden.memory"]),
            "outlasting": 1.0,
            "slack": SLACK,
            "hiding": value["hiding"],
            "passed": value["passed"],
            "nearer": 1.0,
            "between": BETWEEN,
            "beside": BESIDE,
            "walked": WALKED,
            "followed": value["followed"],
        },
        value["latency"],
        _of_calls(value),
    )


def _of_calls(value: dict[str, float]) -> Calls:
    """What a line takes by how much a call goes over, and by how many threads do."""
    return Calls(
        tuple((size << 20, value[f"curve.{size}"]) for size in CURVED if value[f"curve.{size}"] >= LEAST_CYCLES),
        tuple((level, value[f"shared.{level}"]) for level in FAR[1:] if value[f"shared.{level}"] > 1),
        tuple((level, max(1.0, value[f"written.{level}"])) for level in FAR[1:] if value[f"written.{level}"]),
    )


def _of_lines(value: dict[str, float]) -> dict[str, float]:
    """Of lines that cross: of `line` what a leaf's arithmetic leaves of it, where that is the longer of the two."""
    read, write, hidden = ([value[f"{name}.{level}"] for level in FAR] for name in ("read", "write", "hidden"))
    found = (
        _rising("line", [(1 - share) * cycles for share, cycles in zip(hidden, read)])
        | _rising("stream", read)
        | _rising("store", write)
    )
    found |= _rising("result", [POSTED * cycles for cycles in write]) | _rising("late", [0.0, *write[1:]])
    # a line that is not read before it is written crosses once, not twice
    return found | {"nontemporal.memory": write[-1] / 2}


def _of_stretches(value: dict[str, float], lines: float) -> dict[str, float]:
    """Of stretches of lines: their exposed start, a translation, and the lines asked for behind their end."""
    first = [value[f"first.{level}"] for level in FAR]
    found = (
        _rising("run", [min(first[0], DEFAULTS["first.L2"]), *first[1:]])
        | _rising("start", first)
        | _of_aliased(value["aliased.L2"], first)
    )
    if any((turned := {name: value[name] for name in (f"turned.{level}" for level in FAR)}).values()):
        found |= turned
    found |= _rising("strip", [0.0, *((1 - value[f"hidden.{level}"]) * value["page"] for level in FAR[1:])])
    crowded = [max(value[f"crowded.{level}"], CROWDED * value[f"read.{level}"]) for level in FAR[1:]]
    found |= _rising("crowded", [0.0, *crowded])
    if any(abreast := [value[f"abreast.{level}"] for level in FAR[1:]]):
        found |= _rising("abreast", [0.0, *abreast])
    return found | _rising("panel", [0.0, 0.0, LOST * lines * value["read.memory"]])


def _of_aliased(more: float, first: Sequence[float]) -> dict[str, float]:
    """What rows that begin on the same sets take more at each level: from further away no less in all than from L2;
    nothing, where it is nothing there."""
    far = first[0] + more
    found = [max(0.0, far - cycles) for cycles in accumulate(first, max)] if more else []
    return {f"aliased.{level}": cycles for level, cycles in zip(FAR, found)}


def _rising(name: str, cycles: Sequence[float]) -> dict[str, float]:
    """A price at each level, no less than at the level before: a view to a nearer one would be paid for."""
    return {f"{name}.{level}": price for level, price in zip(("L1", *FAR), accumulate((0.0, *cycles), max))}


def _of_events(value: dict[str, float]) -> dict[str, float]:
    found = {
        "pages": value["page"],
        "call": ENTERED * value["leaf"],
        "fork": value["fork"],
        "seam": THERE_AND_BACK * value["transfer"],
        "registers": (1 - ENTERED) / MOVED * value["leaf"],
    }
    return found | {
        "handover.L1": value["transfer"],
        "handover.L2": value["transfer"],
        "handover.L3": KEPT * value["transfer"],
        "handover.memory": 0.0,
    }


def _whole(target: Target, level: Level) -> int:
    """Bytes of a cache; of the last one all that there is, where a program counts on a part until it is measured
    (`L3_PER_CPU`)."""
    known = level.capacity or 0
    return max(known, target.largest_cache or 0) if level is target.levels[-2] else known


def applied(target: Target, given: Mapping[str, float], held: Mapping[str, int]) -> Target:
    """The target with the prices of a machine of such parameters. Of a cache as much counts as a thread has of it
    (`held`, bytes by level's name), though no more than there is. All that neither says stays as it is."""
    found = derive(given, target.prefetch.far_panel, target.spans.line)
    return replace(
        target,
        levels=tuple(
            replace(level, capacity=min(_whole(target, level), held[level.name])) if level.name in held else level
            for level in target.levels
        ),
        coefficients=tuple((target.coefficient | found.coefficients).items()),
        ports=replace(target.ports, **found.ports),
        crossing=replace(target.crossing, **found.crossing),
        calls=found.calls,
        kernels=tuple(replace(k, latency=found.latency) if is_timed(k) else k for k in target.kernels),
    )


TIMED = ("multiply_add", "combine")
"""The kernels that take the measured latency. Of an addition alone none is measured: it is taken to be no shorter, or a
product by two instructions would look quicker than by one."""


def is_timed(kernel: Kernel) -> bool:
    """Whether a kernel takes the measured latency: those above, and multiply-adds by a lane, which are as long."""
    return kernel.name in TIMED or kernel.by_lane


def table() -> str:
    """The declaration as a table in Markdown."""
    rows = (
        f"| `{p.name}` | {p.unit} | {p.default:g} | {p.least:g} .. {p.most:g} | {p.meaning} | {p.source} |"
        for p in PARAMETERS
    )
    return "\n".join(
        (
            "| parameter | unit | default | bounds | what it is | source of the default |",
            "|---|---|---|---|---|---|",
            *rows,
        )
    )
