"""Targets: machines as data. `resolve` turns a name, a TOML file or a Target into a Target."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from ..errors import TargetError
from . import avx2, avx512, portable
from .detect import Machine, detect
from .target import Kernel, Level, Ports, Target

_MODULES = {"portable": portable, "avx2": avx2, "avx512": avx512}
NAMES = ("native", *_MODULES)

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
"""Cycles each; docs/cost.md says what each is, and why it has its value."""

_BY_LEVEL = {
    "line": (0.0, 0.3, 9.0, 12.0),  # 64 bytes that a reduction of several inputs reads: what it cannot hide (loads from L1 are counted by the port model)
    "stream": (0.0, 1.3, 9.5, 16.0),  # that a map reads, or a reduction of one input
    "store": (0.0, 5.0, 8.0, 18.0),  # that a map writes
    "result": (0.0, 0.0, 1.5, 3.0),  # that a reduction writes: asked for before it, and written while the next one runs
    "late": (0.0, 0.0, 8.0, 18.0),  # the same, where the reduction is too short to hide it
    "run": (0.0, 0.3, 25.0, 120.0),  # the first line of a stretch, of a map: latency over the misses a core keeps in flight
    "start": (0.0, 0.3, 25.0, 600.0),  # of what a reduction or a pack reads: what is asked for ahead begins late and runs past the end
    "strip": (0.0, 0.0, 8.0, 12.0),  # of what a reduction writes
    "crowded": (0.0, 0.0, 3.0, 8.0),  # a line of a row that is read beside many others, which no prefetcher follows
}
COEFFICIENTS |= {f"{name}.{level}": cycles for name, values in _BY_LEVEL.items() for level, cycles in zip(("L1", "L2", "L3", "memory"), values)}

SHARES = {1: 0.5, 2: 0.5, 3: 0.0}
"""Share of each cache level a program may plan with. L1 gives way to the streams that every kernel reads through it; what other
cores leave of L3 is not known, so it is only a home."""

L3_PER_CPU = 4 << 20
"""Bytes of L3 that one CPU may count on at most: the share of a core in most sockets. Where a virtual machine is shown more, it shares that with cores it
cannot see."""

PREFETCHED = ("L3", "memory")
"""Levels that programs ask ahead for what they stream from."""


@lru_cache(maxsize=None)
def named(name: str) -> Target:
    machine = detect()
    if name == "native":
        name = _best(machine)
        return _build(_MODULES[name], "native", machine)
    return _build(_MODULES[name], name, machine)


def _best(machine: Machine) -> str:
    for name in ("avx512", "avx2"):
        if _MODULES[name].FEATURES <= machine.flags:
            return name
    return "portable"


def _build(module, name: str, machine: Machine) -> Target:
    optional = getattr(module, "OPTIONAL_FLAGS", {})
    features = module.FEATURES | (frozenset(optional) & machine.flags)
    flags = module.FLAGS + tuple(flag for feature, flag in optional.items() if feature in features)
    known = getattr(module, "VENDORS", {}).get(machine.vendor, {})
    sizes = machine.caches | {3: min(machine.caches[3], L3_PER_CPU * machine.cpus)}
    caches = tuple(Level(f"L{i}", size, SHARES.get(i, 0.0), f"L{i}" in PREFETCHED) for i, size in sorted(sizes.items()))
    return Target(
        name=name,
        features=features,
        flags=flags,
        vector_bytes=module.VECTOR_BYTES,
        registers=module.REGISTERS,
        levels=(Level("registers", module.REGISTERS * module.VECTOR_BYTES), *caches, Level("memory", None, prefetch="memory" in PREFETCHED)),
        kernels=tuple(replace(k, **known.get(k.name, {})) for k in module.KERNELS if k.needs <= features and not k.unless & features),
        coefficients=tuple(COEFFICIENTS.items()),
    )


def resolve(target: str | Target) -> Target:
    """The Target for a name of NAMES, a TOML file, or a Target itself; TargetError when there is none."""
    if isinstance(target, Target):
        return target
    if target in NAMES:
        return named(target)
    if Path(target).suffix == ".toml":
        from .description import load

        return load(Path(target))
    raise TargetError(f"expected a target ({', '.join(NAMES)}) or a .toml file, found {target!r}; `griotte targets` lists them")


def known_features() -> frozenset[str]:
    """Every CPU feature that some target's code uses where it is there."""
    return frozenset().union(*(m.FEATURES | frozenset(getattr(m, "OPTIONAL_FLAGS", {})) for m in _MODULES.values()))


def runs_here(target: Target) -> bool:
    """Whether this CPU has every feature the target's code uses."""
    return target.features <= detect().flags


def runnable(target: Target) -> Target:
    """The target, if this CPU runs its code; TargetError otherwise."""
    if not runs_here(target):
        missing = " ".join(sorted(target.features - detect().flags))
        raise TargetError(f"expected a CPU with {missing} for target {target.name}, found one without; use --target native or portable")
    return target


__all__ = ["Kernel", "Level", "Machine", "NAMES", "Ports", "Target", "detect", "known_features", "named", "resolve", "runnable", "runs_here"]
