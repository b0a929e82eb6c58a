"""The cost coefficients of a target that is described without parameters of a machine: cycles each; docs/cost.md says
what each is, docs/lab/prices/README.md why it has its value."""

from __future__ import annotations

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
    "line": (
        0.0,
        0.3,
        9.0,
        12.0,
        # 64 bytes that a reduction of several inputs reads: what it cannot hide (loads from L1 are counted by the port
        # model)
    ),
    "stream": (0.0, 1.3, 9.5, 16.0),  # that a map reads, or a reduction of one input
    "store": (0.0, 5.0, 8.0, 18.0),  # that a map writes
    "result": (
        0.0,
        1.25,
        1.5,
        3.0,
    ),  # that a reduction writes: asked for before it, and written while the next one runs
    "late": (0.0, 0.0, 8.0, 18.0),  # the same, where the reduction is too short to hide it
    "run": (
        0.0,
        0.3,
        25.0,
        120.0,
    ),  # the first line of a stretch, of a map: latency over the misses a core keeps in flight
    "start": (
        0.0,
        0.3,
        25.0,
        600.0,
    ),  # of what a reduction or a pack reads: what is asked for ahead begins late and runs past the end
    "piece": (
        0.0,
        40.0,
        0.0,
        0.0,
    ),  # of a pack from a tensor in memory that was viewed to L2: what was asked for past a stretch's end is lost
    "panel": (
        0.0,
        0.0,
        0.0,
        2500.0,
    ),  # a part of one of several panels, all but the first: what was asked for behind it, far ahead, is lost
    "strip": (0.0, 0.0, 8.0, 12.0),  # of what a reduction writes
    "handover": (
        120.0,
        120.0,
        10.0,
        0.0,
    ),  # a line of a copy that threads share: who writes it takes it from the caches of who read it
    "crowded": (0.0, 0.0, 3.0, 8.0),  # a line of a row that is read beside many others, which no prefetcher follows
}
COEFFICIENTS["nontemporal.memory"] = 10.0  # that a map writes past the caches
COEFFICIENTS |= {
    f"{name}.{level}": cycles
    for name, values in _BY_LEVEL.items()
    for level, cycles in zip(("L1", "L2", "L3", "memory"), values)
}
