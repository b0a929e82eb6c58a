"""Targets: machines as data. `resolve` turns a name, a TOML file or a Target into a Target."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ..errors import TargetError
from . import avx2, avx512, microarchitectures, portable
from .coefficients import COEFFICIENTS
from .detect import Machine, detect
from .target import Kernel, Level, Ports, Target

_MODULES = {"portable": portable, "avx2": avx2, "avx512": avx512}
NAMES = ("native", *_MODULES)

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
    found = microarchitectures.of(machine.vendor, machine.family)
    sizes = machine.caches | {3: min(machine.caches[3], L3_PER_CPU * machine.cpus)}
    caches = tuple(Level(f"L{i}", size, SHARES.get(i, 0.0), f"L{i}" in PREFETCHED) for i, size in sorted(sizes.items()))
    return Target(
        name=name,
        features=features,
        flags=flags,
        vector_bytes=module.VECTOR_BYTES,
        registers=module.REGISTERS,
        levels=(Level("registers", module.REGISTERS * module.VECTOR_BYTES), *caches, Level("memory", None, prefetch="memory" in PREFETCHED)),
        kernels=tuple(found.kernel(k) for k in module.KERNELS if k.needs <= features and not k.unless & features),
        coefficients=tuple((COEFFICIENTS | found.coefficients).items()),
        ports=found.ports(module.VECTOR_BYTES),
        ahead_from=found.ahead_from,
        far_ahead=found.far_ahead,
        rows_ahead=found.rows_ahead,
        block_ahead=found.block_ahead,
        largest_cache=max(machine.caches.values()),
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


__all__ = ["COEFFICIENTS", "Kernel", "Level", "Machine", "NAMES", "Ports", "Target", "detect", "known_features", "named", "resolve", "runnable", "runs_here"]
