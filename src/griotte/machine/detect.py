"""Read this machine: CPU flags, cache sizes, cores. Features are matched, never model names. The maker, the family and
the model serve two look-ups alone: the most similar known machine (measured.py), and the maker's sizes of caches that
the system does not tell.

GRIOTTE_CPU hides features: `GRIOTTE_CPU=avx2` leaves those that the target of this name needs, and more may be named
after it (`avx512,avx512_vnni`). A smaller machine is so tested on a larger one. The word `unknown` hides who made the
CPU, so that no file of machines fits it.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ..support.errors import TargetError
from .architecture import UNTOLD, Architecture, Cores, Cpu
from .architectures import ARCHITECTURES, BUILT_IN, known_features
from .systems import ToldMachine, linux, macos

HIDE = "GRIOTTE_CPU"
UNKNOWN = "unknown"
"""The word of GRIOTTE_CPU that hides the CPU's maker, family and model."""


@dataclass(frozen=True)
class Machine:
    """What a system tells a process of a machine.

    flags    its features, as Linux calls them
    caches   bytes by level, of those that there are
    cores    that this process may compute on, of the machine's `cpus`
    cpu      what it says of itself
    hidden   features that it has, and GRIOTTE_CPU says it has not
    clock    in GHz as the system says it, 0 where it does not
    assumed  levels whose size the system does not tell: it is what makers say of such a core, or a guess
    """

    flags: frozenset[str]
    caches: dict[int, int]
    cores: int
    name: str
    cpu: Cpu = UNTOLD
    cpus: int = 1
    hidden: frozenset[str] = frozenset()
    clock: float = 0.0
    assumed: frozenset[int] = frozenset()

    @property
    def is_guest(self) -> bool:
        """Whether it is a virtual machine, where its system says so (Linux on x86)."""
        return "hypervisor" in self.flags

    def holds(self, level: int) -> int:
        """Bytes of its cache of this level; where it has none, of the largest before it."""
        return self.caches.get(level) or max(size for each, size in self.caches.items() if each < level)


def detect() -> Machine:
    """This machine, as its system tells a process of it."""
    here = tuple(each for each in ARCHITECTURES if platform.machine().lower() in each.compiled.machines)
    system = macos if sys.platform == "darwin" else linux
    told, withheld = system.asked(here or ARCHITECTURES), _withheld(here)
    given = [each.features.given() for each in here if each.features and not told.flags & each.features.names]
    return _machine(told, withheld, frozenset().union(*given))


def best(machine: Machine) -> str:
    """The built-in target that uses the most of what the machine has."""
    return next(name for name in reversed(BUILT_IN) if BUILT_IN[name].features <= machine.flags)


def described(
    cpuinfo: str, caches: dict[int, int], cores: int = 1, cpus: int = 1, withheld: frozenset[str] = frozenset()
) -> Machine:
    """The machine that says this of its CPUs (Linux's /proc/cpuinfo), with caches of these bytes by level; `withheld`:
    features that its system does not let a process use."""
    return _machine(linux.told(cpuinfo, caches, ARCHITECTURES, cores, cpus), withheld)


def _machine(told: ToldMachine, withheld: frozenset[str], given: frozenset[str] = frozenset()) -> Machine:
    """The machine that a system describes so; `given`: features that a process learns of besides."""
    flags, (vendor, _, model) = (told.flags | given) - withheld, told.cpu
    hidden = (flags & known_features()) - _left(os.environ.get(HIDE, ""))
    cores = told.architecture.cores if told.architecture else Cores()
    caches = cores.caches(told.cpu, told.caches)
    numbered = f"CPU of maker {vendor}, part {told.cpu.written(model)}" if vendor and model else "unknown CPU"
    return Machine(
        flags - hidden,
        caches,
        told.cores,
        told.name or cores.name(told.cpu) or numbered,
        UNTOLD if UNKNOWN in os.environ.get(HIDE, "").replace(",", " ").split() else told.cpu,
        told.cpus,
        hidden,
        told.clock,
        frozenset(caches.keys() - told.caches.keys()),
    )


def _withheld(here: Sequence[Architecture]) -> frozenset[str]:
    """Features that no process like this one may use: of another architecture, as where /proc/cpuinfo is that of the
    machine that an emulator runs on, and those that the system keeps."""
    found = [(each in here, each.features) for each in ARCHITECTURES if each.features]
    return frozenset().union(*(features.withheld() if is_here else features.names for is_here, features in found))


def _left(words: str) -> frozenset[str]:
    """The features that GRIOTTE_CPU leaves: all where it is empty."""
    known = {
        **{feature: frozenset({feature}) for feature in known_features()},
        **{name: base.features for name, base in BUILT_IN.items()},
    }
    names = [name for name in words.replace(",", " ").split() if name != UNKNOWN]
    for name in names:
        if name not in known:
            raise TargetError(
                f"expected a target ({', '.join(BUILT_IN)}) or CPU features in {HIDE}, found {name!r}; unset it, or"
                f" write one such as {HIDE}=avx2"
            )
    return frozenset().union(*(known[name] for name in names)) if names else known_features()


@cache
def fingerprint() -> str:
    """This machine in a line, as far as times depend on it: its CPU, the cores and the caches that a process sees."""
    return in_a_line(detect())


def in_a_line(machine: Machine) -> str:
    """The fingerprint of a machine that this one need not be."""
    caches = " ".join(f"L{level} {size >> 10}K" for level, size in sorted(machine.caches.items()))
    return f"{machine.name}, {machine.cores} core{'s' * (machine.cores > 1)}, {caches}"
