"""All probes in turns, round after round, and their joint result: a value of each parameter and how far it spreads."""

from __future__ import annotations

import mmap
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import cffi
import numpy as np

from ...machine.core import Level
from ...machine.machine import BY_NAME, CURVED, FAR
from ...machine.target import Target
from ..team import load_team
from ..toolchain import compile_shared
from .parameters import parameters
from .probes import (
    BEYOND,
    WITHIN,
    Probe,
    capacity_probes,
    curve_probes,
    held_probes,
    probes,
    room,
    small_room,
    working_sets,
)
from .source import header, source
from .timing import undisturbed

FEWEST, MOST = 5, 2000  # rounds
NAMED = 16 << 10  # bytes of a row: the beginnings of longer ones are few beside their lines
ATTEMPTS = 4  # at a probe whose clock did not agree
BENDS = 9  # rounds in which capacities are looked at
BEND = 1.3  # times as long as within a cache, that a load takes beyond it
RISE = 2.0  # times as long as from the fewest bytes, that a load takes where a part of it comes from beyond a cache
SMALLEST = 4 << 10  # bytes that every nearest cache holds
ASKED = 5  # forks that are timed, to see whether a second core is free
# the quantile of cycles that counts: what disturbs a probe makes it slower, but for the clock's own error
# (docs/lab/emerald/README.md)
QUIET = 0.05
# of cycles of what comes from where others read too, that counts: what they take is there while programs run
AMONG = 0.25


@dataclass(frozen=True)
class Measurement:
    """A parameter's value, as it is used, and the median and the quartiles of the values of single rounds."""

    value: float
    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Capacity:
    """A cache of `level`. `within`, `beyond`: cycles of a load that waits for the one before, from half its bytes and
    from twice its bytes. `agrees`: whether the curve bends between. `held`: the bytes that a thread has of it, fewer
    where others use it too."""

    level: str
    bytes: int
    within: float
    beyond: float
    agrees: bool
    held: int


def unshared(target: Target) -> Target:
    """The target with all of its last cache, where a share of that was counted on: the part that a thread has is
    measured. Its families say how long rows are up to `NAMED`."""
    target = replace(target, spans=replace(target.spans, named=NAMED))
    *nearer, last, memory = target.levels
    if last.share > 0 or not target.largest_cache or not last.capacity:
        return target
    whole = replace(last, capacity=max(last.capacity, target.largest_cache))
    return replace(target, levels=(*nearer, whole, memory))


class ProbeRounds:
    """Rounds of all probes, one after the other or beside something else that is timed. Those of a team of two are left
    out where there is one thread, or no core that is free for a second."""

    def __init__(self, runner: Runner, target: Target):
        self.runner, self.target = runner, target
        self.asked = probes(target, 2 if runner.has_company() else 1)
        self.rounds: list[dict[str, float]] = []
        self.curves: list[dict[str, float]] = []

    def take(self, is_curved: bool = True) -> None:
        """One more; with the curve of repeated reads where that is asked for."""
        self.rounds.append(self.runner.round(self.asked))
        if is_curved:
            self.curves.append(curve_round(self.runner, self.target))

    def measured(self) -> dict[str, Measurement]:
        """What they say together."""
        return said(self.rounds, self.curves, self.target)


def measure(runner: Runner, target: Target, seconds: float = 20.0) -> dict[str, Measurement]:
    """The parameters of this machine, in about so many seconds."""
    taken, began = ProbeRounds(runner, target), time.monotonic()
    taken.take()
    while len(taken.rounds) < FEWEST or (time.monotonic() < began + seconds and len(taken.rounds) < MOST):
        curves = len(taken.curves)
        taken.take(curves < BENDS and time.monotonic() > began + seconds * curves / BENDS)
    return taken.measured()


def said(rounds: list[dict[str, float]], curves: Sequence[dict[str, float]], target: Target) -> dict[str, Measurement]:
    """What rounds of probes and of the curve say together. A line read from a level takes no more than one of more
    bytes that are read over and over: where both were measured, the dearer was disturbed."""
    found = summary(rounds, target.spans.line) | curve(curves)
    for level, count in working_sets(target).items():
        more = [found[name] for size in CURVED if size << 20 >= count and (name := f"curve.{size}") in found]
        if (read := f"read.{level}") in found and more and level in FAR[1:]:
            found[read] = min(found[read], more[0], key=lambda each: each.value)
    return found


def curve_round(runner: Runner, target: Target) -> dict[str, float]:
    """Cycles of a line that is read over and over, by the bytes that are read. Few rounds go among the others, for each
    takes milliseconds. The second time counts, for a cache takes several passes to hold what it can."""
    return {probe.name: [runner.round((probe,))[probe.name] for _ in range(2)][-1] for probe in curve_probes(target)}


def curve(rounds: Sequence[dict[str, float]]) -> dict[str, Measurement]:
    """What such rounds say."""
    found = {name: [cycles[name] for cycles in rounds] for name in rounds[0]}
    values = {name: undisturbed(cycles, AMONG) for name, cycles in found.items()}
    return {name: _measured(value, np.array(found[name])) for name, value in values.items() if not np.isnan(value)}


def capacities(runner: Runner, target: Target) -> list[Capacity]:
    """Whether the target's caches are as large as it says. The last thing that is measured: it leaves addresses in the
    memory, which are slow as numbers."""
    rounds = [runner.round(capacity_probes(target)) for _ in range(BENDS)]
    cycles = {name: undisturbed([found[name] for found in rounds], QUIET) for name in rounds[0]}
    found = []
    for level in target.levels[1:-1]:
        if f"{level.name}.{WITHIN}" in cycles:
            within, beyond = (cycles[f"{level.name}.{share}"] for share in (WITHIN, BEYOND))
            found.append(
                Capacity(
                    level.name, level.capacity, within, beyond, beyond > BEND * within, _held(runner, target, level)
                )
            )
    return found


def sized(runner: Runner, target: Target, assumed: Collection[int]) -> Target:
    """The target with sizes for caches that no system told, by loads that wait for the one before. The size is the most
    bytes, in powers of two, from which a load takes no more than `RISE` times what it takes from the fewest."""
    levels, most = list(target.levels), room(target)
    for number in sorted(assumed):
        before, level, after = levels[number - 1 : number + 2]
        fewest = SMALLEST if number == 1 else 2 * (before.capacity or 0)
        beyond = after.capacity if after.capacity and number + 1 not in assumed else most
        sizes = [1 << i for i in range((fewest - 1).bit_length(), beyond.bit_length())]
        if near := _near(runner, level.name, sizes):
            levels[number] = replace(level, capacity=near)
    largest = max(each.capacity or 0 for each in levels) if assumed else target.largest_cache
    return replace(target, levels=tuple(levels), largest_cache=largest)


def _held(runner: Runner, target: Target, level: Level) -> int:
    """Bytes of a cache that a thread has. Of a cache that others use too it is the most bytes whose lines, read over
    and over, still take nearer the cycles of the fewest bytes than those of memory. Near is by powers."""
    asked = held_probes(target)
    if level.name != target.levels[-2].name or len(asked) < 3:
        return level.capacity or 0
    # the least of all rounds: what others take of a cache comes and goes
    *cycles, beyond = (undisturbed((runner.round((probe,))[probe.name] for _ in range(BENDS)), 0) for probe in asked)
    between = (min(cycles) * beyond) ** 0.5
    return max((probe.first for probe, found in zip(asked, cycles) if found <= between), default=level.capacity or 0)


def _near(runner: Runner, name: str, sizes: Sequence[int]) -> int:
    """The most bytes from which a load takes no more than `RISE` times what it takes from the fewest; 0 where no clock
    agreed with itself."""
    cycles = [  # the least of all rounds: what others take of a cache comes and goes
        undisturbed((runner.round((Probe(name, "chase", size),))[name] for _ in range(BENDS)), 0) for size in sizes
    ]
    return max((size for size, found in zip(sizes, cycles) if found <= RISE * cycles[0]), default=0)


def summary(rounds: list[dict[str, float]], line: int) -> dict[str, Measurement]:
    """What rounds of probes say of each parameter; a probe that had no number is left out of its round, and a parameter
    for which no round has one."""
    cycles = {name: [found[name] for found in rounds] for name in rounds[0]}
    values = parameters({name: undisturbed(all_of_it, _quantile(name)) for name, all_of_it in cycles.items()}, line)
    each = parameters({name: np.array(found) for name, found in cycles.items()}, line)
    return {name: _measured(float(value), each[name]) for name, value in values.items() if not np.isnan(value)}


def _quantile(probe: str) -> float:
    """The quantile of a probe's cycles that counts."""
    return AMONG if {"L3", "memory"} & {*probe.split(".")} else QUIET


def _measured(value: float, by_round: np.ndarray) -> Measurement:
    known = by_round[~np.isnan(by_round)]
    return Measurement(value, *(float(x) for x in np.quantile(known if known.size else [value], (0.5, 0.25, 0.75))))


class Runner:
    """The probes, compiled, and the memory that they run on."""

    def __init__(self, target: Target, threads: int):
        self.threads = min(2, threads)
        self._ffi = cffi.FFI()
        self._ffi.cdef(header(self.threads))
        load_team()
        self._library = self._ffi.dlopen(str(compile_shared(source(target, self.threads), target.flags)))
        self._large, self._small = _memory(room(target)), _memory(small_room(target), in_small_pages=True)
        self.run(Probe("warmth", "warmth", room(target)))

    def has_company(self) -> bool:
        """Whether a second thread can run beside this one."""
        return (
            self.threads > 1 and min(self.run(Probe("fork", "fork_join")) for _ in range(ASKED)) < BY_NAME["fork"].most
        )

    def round(self, asked: tuple[Probe, ...]) -> dict[str, float]:
        """Cycles of each probe, once; NaN where the clock never agreed."""
        return {probe.name: self._steady(probe) for probe in asked}

    def run(self, probe: Probe) -> float:
        memory = self._small if probe.in_small_pages else self._large
        return getattr(self._library, probe.function)(
            self._ffi.from_buffer("char[]", memory), probe.first, probe.second
        )

    def _steady(self, probe: Probe) -> float:
        """The least of the probe's turns; NaN where no clock agreed with itself."""
        found = [self._turn(probe) for _ in range(probe.turns)]
        return undisturbed(found, 0)

    def _turn(self, probe: Probe) -> float:
        return next(
            (cycles for cycles in (self.run(probe) for _ in range(ATTEMPTS)) if not np.isnan(cycles)), float("nan")
        )


def _memory(count: int, in_small_pages: bool = False) -> mmap.mmap:
    """So many bytes, from the start of a page. Where page misses are measured the system is asked for pages of 4 KiB,
    as arrays of less than some megabytes have; else for large ones, as NumPy asks for larger arrays."""
    found, advice = mmap.mmap(-1, count), "MADV_NOHUGEPAGE" if in_small_pages else "MADV_HUGEPAGE"
    if hasattr(mmap, advice):
        with suppress(OSError):  # of a system that has no such pages
            found.madvise(getattr(mmap, advice))
    return found
