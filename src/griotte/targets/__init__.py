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
    "crowded": 3.0,  # a line from beyond L2 of a row that is read beside many others, which no prefetcher follows
    "line.L1": 0.0,  # loads from L1 are counted by the port model
    "line.L2": 0.3,  # what the core cannot hide of it; the bandwidth alone is 1.4
    "line.L3": 9.0,
    "line.memory": 12.0,
    "stream.L1": 0.0,
    "stream.L2": 0.3,
    "stream.L3": 9.0,
    "stream.memory": 12.0,
    "store.L1": 0.0,
    "store.L2": 0.3,
    "store.L3": 9.0,
    "store.memory": 12.0,
    "run.L1": 0.0,  # the first line of a stretch: latency over the misses a core keeps in flight
    "run.L2": 0.3,
    "run.L3": 25.0,
    "run.memory": 40.0,
}

SHARES = {1: 0.5}
"""Share of each cache level a program may plan with; L1 gives way to the streams that every kernel reads through it."""


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
    uops = getattr(module, "VENDOR_UOPS", {}).get(machine.vendor, {})
    caches = tuple(Level(f"L{i}", machine.caches[i], SHARES.get(i, 0.75)) for i in sorted(machine.caches))
    return Target(
        name=name,
        features=features,
        flags=flags,
        vector_bytes=module.VECTOR_BYTES,
        registers=module.REGISTERS,
        levels=(Level("registers", module.REGISTERS * module.VECTOR_BYTES), *caches, Level("memory", None)),
        kernels=tuple(replace(k, uops=uops.get(k.name, k.uops)) for k in module.KERNELS if k.needs <= features and not k.unless & features),
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
