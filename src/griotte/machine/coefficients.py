"""The cost coefficients of a target that is described without parameters of a machine: cycles each, where lines have 64
bytes. They are a machine's prices before a file says otherwise. docs/explanation/cost.md says what each means,
docs/lab/prices/README.md why it has its value. Also the factors on them that were fitted to timed programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .core import OPTIONAL, Calls, Crossing, Ports
from .instructions import Kernel
from .machine import derive, is_timed, per_line

COEFFICIENTS = {
    "cycles": 1.0,  # the port model's own unit, of a reduction
    "map": 1.0,  # the same, of a map; of packing and transposing; of accumulators brought into registers and back
    "pack": 1.0,
    "registers": 1.0,
    "call": 8.0,  # entering a leaf: address set-up, loop start, first load latency not hidden
    "loop": 2.0,  # one iteration of a loop around leaves
    "fork": 4000.0,  # waking and joining a team of threads (about 1 us)
    "seam": 250.0,  # an output line that two threads write: it goes from core to core at each of its updates
    "pages": 10.0,  # a translation that misses the first-level TLB (Intel and AMD manuals: 7..8 cycles, plus walks)
}

_BY_LEVEL = {
    # a line that a reduction of several inputs reads: the part it cannot hide (the port model counts loads from L1)
    "line": (0.0, 0.3, 9.0, 12.0),
    # that a map reads, or a reduction of one input
    "stream": (0.0, 1.3, 9.5, 16.0),
    # that a map writes
    "store": (0.0, 5.0, 8.0, 18.0),
    # that a reduction writes: asked for before it, and written while the next one runs
    "result": (0.0, 1.25, 1.5, 3.0),
    # the same, where the reduction is too short to hide it
    "late": (0.0, 0.0, 8.0, 18.0),
    # the first line of a stretch, of a map: latency over the misses a core keeps in flight
    "run": (0.0, 0.3, 25.0, 120.0),
    # that a reduction or a pack reads: requests ahead begin late and run past the end
    "start": (0.0, 0.3, 25.0, 600.0),
    # of a pack from a tensor in memory that was viewed to L2: requests past a stretch's end are lost
    "piece": (0.0, 40.0, 0.0, 0.0),
    # a part of one of several panels, all but the first: requests behind it, far ahead, are lost
    "panel": (0.0, 0.0, 0.0, 2500.0),
    # of what a reduction writes
    "strip": (0.0, 0.0, 8.0, 12.0),
    # a line of a copy that threads share: the thread that writes it takes it from the caches of those that read it
    "handover": (120.0, 120.0, 10.0, 0.0),
    # a line of a row that is read beside many others, which no prefetcher follows
    "crowded": (0.0, 0.0, 3.0, 8.0),
}
COEFFICIENTS["nontemporal.memory"] = 10.0  # that a map writes past the caches
COEFFICIENTS |= {
    f"{name}.{level}": cycles
    for name, values in _BY_LEVEL.items()
    for level, cycles in zip(("L1", "L2", "L3", "memory"), values)
}

ONLY_MEASURED = tuple(f"{name}.{level}" for name in OPTIONAL for level in ("L1", "L2", "L3", "memory"))
"""Coefficients that machines have which measured them."""

LEAST_FACTOR, MOST_FACTOR = 0.25, 4.0
"""A factor, at least and at most: a price that is further off is another matter."""


def corrected(
    coefficients: tuple[tuple[str, float], ...], factors: Mapping[str, float]
) -> tuple[tuple[str, float], ...]:
    """The coefficients, each times its factor."""
    return tuple((name, cycles * factors.get(name, 1.0)) for name, cycles in coefficients)


SLOTS = ("uops", "interleave", "slide", "latency")  # numbers of a kernel that may differ from those of the base


class Priced:
    """What a machine is taken to cost before a file says otherwise: by its parameters, or without them as no machine in
    particular."""

    def __init__(self, parameters: Mapping[str, float] | None, far_panel: int, line: int):
        self._found = None if parameters is None else derive(parameters, far_panel, line)
        self.coefficients, self.ports, self.crossing = per_line(COEFFICIENTS, line), Ports(), Crossing()
        self.calls = self._found.calls if self._found else Calls()
        if self._found:
            self.coefficients = self.coefficients | self._found.coefficients
            self.ports, self.crossing = (
                replace(self.ports, **self._found.ports),
                replace(self.crossing, **self._found.crossing),
            )

    def slot(self, kernel: Kernel, field: str):
        """A number of a kernel of the base."""
        if self._found and field == "latency" and is_timed(kernel):
            return self._found.latency
        return getattr(kernel, field)
