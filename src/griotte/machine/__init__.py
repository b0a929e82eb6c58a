"""Targets: machines as data. `resolve` turns a name, a TOML file or a Target into a Target."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from ..lang.functions import COMBINERS, FUNCTIONS
from ..lang.nests.family import Spans
from ..support.errors import TargetError
from . import measured, places
from .architecture import Cpu
from .architectures import BUILT_IN, architecture_of, known_features
from .coefficients import COEFFICIENTS
from .core import Crossing, Handling, Layouts, Level, Ports, Prefetch, Writing, function_slots
from .detect import HIDE, Machine, best, detect
from .instructions import Kernel
from .kernels import serving
from .target import Target

NAMES = ("native", *BUILT_IN)

SHARES = {1: 0.5, 2: 0.5, 3: 0.0}
"""Share of each cache level a program may plan with. L1 gives way to the streams that every kernel reads through it;
the part of L3 that other cores leave is not known, so L3 is only a home."""

L3_PER_CPU = 4 << 20
"""Bytes of L3 that one CPU may count on at most: the share of a core in most sockets. A virtual machine that is shown
more shares it with cores that it cannot see."""

PREFETCHED = ("L3", "memory")
"""Levels from which programs ask ahead for the lines that they stream."""


def named(name: str) -> Target:
    """The built-in target of this name on this machine."""
    told = os.environ.get(HIDE, ""), *places.told(), measured.keeps()
    return _named(name, told, (*FUNCTIONS.values(), *COMBINERS.values()))


@cache
def _named(name: str, told: tuple, declared: tuple) -> Target:
    """`told`: what else of the process's environment the target follows from."""
    machine = detect()
    if name == "native":
        return build(best(machine), machine, "native")
    return build(name, machine)


def build(base: str, machine: Machine, name: str = "", whole: bool = False) -> Target:
    """The built-in target `base` on a machine, with the optional features that the machine has; `name` where that is
    not its own. The prices are those of the known machine that is most like it. `whole`: the caches are as the system
    says them, not as a thread had them on that machine."""
    target = unpriced(base, machine, name)
    return measured.nearest(_seen_by(base, machine), target.vector_bytes).priced(target, whole)


def _seen_by(base: str, machine: Machine) -> Machine:
    """The machine; or, where `base` is of another architecture, the machine that stands for that one."""
    architecture = architecture_of(BUILT_IN[base].features)
    if architecture is None or architecture is architecture_of(machine.flags | machine.hidden):
        return machine
    return measured.elsewhere(architecture.name) or machine


def unpriced(base: str, machine: Machine, name: str = "") -> Target:
    """The same as no machine in particular would be priced."""
    module, machine = BUILT_IN[base], _seen_by(base, machine)
    features = module.features | (module.optional_flags.keys() & machine.flags)
    sizes = {i: min(size, L3_PER_CPU * machine.cpus) if i == 3 else size for i, size in machine.caches.items()}
    caches = tuple(Level(f"L{i}", size, SHARES.get(i, 0.0), f"L{i}" in PREFETCHED) for i, size in sorted(sizes.items()))
    return Target(
        name=name or base,
        features=features,
        flags=module.compiled(features),
        vector_bytes=module.vector_bytes,
        registers=module.registers,
        partial=module.partial,
        levels=(
            Level("registers", module.registers * module.vector_bytes),
            *caches,
            Level("memory", None, prefetch="memory" in PREFETCHED),
        ),
        kernels=serving(tuple(k for k in module.kernels if k.needs <= features and not k.unless & features)),
        coefficients=tuple(COEFFICIENTS.items()),
        functions=tuple(function_slots(base, module.slots).items()),
        largest_cache=max(machine.caches.values()),
    )


def resolve(target: str | Target) -> Target:
    """The Target for a name of NAMES, a TOML file, or a Target itself; TargetError when there is none. With
    the measured leaves that it has; `runtime.leaves.resolved` leaves out those that hold no more."""
    if isinstance(target, Target):
        return target
    if target in NAMES:
        return named(target)
    if isinstance(target, (str, Path)) and Path(target).suffix == ".toml":
        from .description import load

        return load(Path(target))
    raise TargetError(
        f"expected a target ({', '.join(NAMES)}) or a .toml file, found {target!r}; `griotte targets` lists them"
    )


def missing(features: frozenset[str]) -> str:
    """Those of the features that this CPU lacks, in words; empty where it has them all."""
    machine = detect()
    lacking = " ".join(sorted(features - machine.flags))
    if features & machine.hidden:
        return f"{lacking} ({HIDE}={os.environ[HIDE]} hides {' '.join(sorted(features & machine.hidden))})"
    return lacking


def runs_here(target: Target) -> bool:
    """Whether this CPU has every feature the target's code uses."""
    return not missing(target.features)


def runnable(target: Target) -> Target:
    """The target, if this CPU runs its code; TargetError otherwise."""
    if lacking := missing(target.features):
        raise TargetError(
            f"expected a CPU with the features of target {target.name}, found one without {lacking}; use target native"
            " or portable, or write the files for another machine: Program.save, or griotte compile -o"
        )
    return target


__all__ = [
    "BUILT_IN",
    "COEFFICIENTS",
    "Cpu",
    "Crossing",
    "HIDE",
    "Handling",
    "Layouts",
    "Kernel",
    "Level",
    "Machine",
    "NAMES",
    "Ports",
    "Spans",
    "Prefetch",
    "Target",
    "Writing",
    "best",
    "build",
    "detect",
    "known_features",
    "measured",
    "missing",
    "named",
    "places",
    "resolve",
    "runnable",
    "runs_here",
    "unpriced",
]
