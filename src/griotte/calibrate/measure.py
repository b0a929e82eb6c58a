"""Rounds of timing: every program once a round, those of one Spec on the same arrays, all in a new random order.

What was timed while other processes used the machine is thrown away: even one that is on another core shares caches, memory and clock,
and, where that core is a hyper-thread, the arithmetic; and a team of threads waits for whichever of them was put aside.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..frontends.text import parse
from .samples import Sample
from .timing import Stopwatch, arrays_of, opened

_TICK = 1 / os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 0.01  # seconds
FOREIGN = 0.15  # of a core: what other processes may use while a Spec's programs are timed


@dataclass
class Runnable:
    """A sample with its library and the name of its function there."""

    sample: Sample
    library: Path
    function: str


def measure(kernels: list[Runnable], rng: np.random.Generator, rounds: int, until: float = float("inf")) -> None:
    """Add `rounds` turns to the samples, fewer where the time `until` (of time.monotonic) comes first. Each turn is of all
    programs of one Spec; disturbed ones are not kept, nor made up for."""
    watch, groups = Stopwatch(), _by_spec(kernels)
    for _ in range(rounds):
        for i in rng.permutation(len(groups)):
            group = [groups[i][j] for j in rng.permutation(len(groups[i]))]
            arrays = arrays_of(parse(group[0].sample.spec), rng)
            quiet = _Quiet()
            turns = [watch.cycles(opened(kernel.library, kernel.function, len(arrays)), arrays) for kernel in group]
            if quiet.foreign() <= FOREIGN:
                for kernel, cycles in zip(group, turns):
                    kernel.sample.cycles += [cycles] * bool(cycles)
            if time.monotonic() > until:
                return


class _Quiet:
    """How many cores other processes have used since it was made; 0 where the system does not say."""

    def __init__(self):
        self._start = self._now()

    def foreign(self) -> float:
        wall, busy, own = (now - then for now, then in zip(self._now(), self._start))
        return max(0.0, busy - own - 2 * _TICK) / max(wall, _TICK)

    @staticmethod
    def _now() -> tuple[float, float, float]:
        """Seconds: of the clock, of all cores at work (idle and waiting left out), of this process."""
        try:
            ticks = list(map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]))
            busy = (sum(ticks) - ticks[3] - ticks[4]) * _TICK
        except (OSError, ValueError, IndexError):
            busy = time.process_time()
        return time.monotonic(), busy, time.process_time()


def _by_spec(kernels: list[Runnable]) -> list[list[Runnable]]:
    groups: dict[tuple[str, int], list[Runnable]] = {}
    for kernel in kernels:
        groups.setdefault((kernel.sample.spec, kernel.sample.threads), []).append(kernel)
    return list(groups.values())
