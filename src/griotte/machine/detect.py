"""Read this machine: CPU flags, cache sizes, cores. Features are matched, never model names; the maker, the
family and the model only tell which known machine this one is most like (measured.py).

GRIOTTE_CPU hides features: `GRIOTTE_CPU=avx2` leaves those that the target of this name needs, and more may be named
after it (`avx512,avx512_vnni`). A smaller machine is so tested on a larger one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..support.errors import TargetError
from .architectures import ARCHITECTURES, BUILT_IN, known_features

HIDE = "GRIOTTE_CPU"
_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
_FALLBACK = {1: 32 << 10, 2: 512 << 10, 3: 8 << 20}
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "": 1}


@dataclass(frozen=True)
class Machine:
    """`flags` as the kernel prints them; `caches` bytes by level; `cores` this process may use, of the machine's
    `cpus`; `clock` in GHz as the kernel says it, 0 where it does not."""

    flags: frozenset[str]
    caches: dict[int, int]
    cores: int
    name: str
    vendor: str = ""
    cpus: int = 1
    family: int = 0
    model: int = 0
    hidden: frozenset[str] = frozenset()  # features that it has, and GRIOTTE_CPU says it has not
    clock: float = 0.0


def detect() -> Machine:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return described(_read(Path("/proc/cpuinfo")), _cache_sizes(), cores, os.cpu_count() or 1, _withheld())


def described(
    cpuinfo: str, caches: dict[int, int], cores: int = 1, cpus: int = 1, withheld: frozenset[str] = frozenset()
) -> Machine:
    """The machine that says this of its CPUs (Linux's /proc/cpuinfo), with caches of these bytes by level; `withheld`:
    features that its system does not let a process use."""
    asked = [each.features for each in ARCHITECTURES if each.features]
    words = {*(word for features in asked for word in (features.listed, *features.cpu)), "model name", "cpu MHz"}
    told = "|".join(sorted(words, key=len, reverse=True))
    says = {found[1]: found[2].strip() for found in re.finditer(rf"^({told})\s*:(.*)$", cpuinfo, re.M)}
    flags = frozenset().union(*(says.get(features.listed, "").split() for features in asked)) - withheld
    hidden = (flags & known_features()) - _left(os.environ.get(HIDE, ""))
    vendor, family, model = next(
        (tuple(says.get(word, "") for word in features.cpu) for features in asked if says.keys() & set(features.cpu)),
        ("",) * 3,
    )
    return Machine(
        flags - hidden,
        {**_FALLBACK, **caches},
        cores,
        says.get("model name") or (f"CPU of maker {vendor}, part {model}" if vendor and model else "unknown CPU"),
        vendor,
        cpus,
        _number(family),
        _number(model),
        hidden,
        _gigahertz(says.get("cpu MHz", "")),
    )


def _number(word: str) -> int:
    """What a CPU says of itself, in tens or as 0x..; 0 where it says none."""
    return int(word, 0) if re.fullmatch(r"0x[0-9a-fA-F]{1,8}|[1-9]\d{0,8}|0", word) else 0


def _withheld() -> frozenset[str]:
    return frozenset().union(*(each.features.withheld() for each in ARCHITECTURES if each.features))


def _gigahertz(megahertz: str) -> float:
    return float(megahertz) / 1000 if re.fullmatch(r"\d+(\.\d+)?", megahertz) else 0.0


def _left(words: str) -> frozenset[str]:
    """The features that GRIOTTE_CPU leaves: all where it is empty."""
    known = {
        **{feature: frozenset({feature}) for feature in known_features()},
        **{name: base.features for name, base in BUILT_IN.items()},
    }
    names = words.replace(",", " ").split()
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


def _cache_sizes() -> dict[int, int]:
    words = ("type", "size", "level")
    return bytes_of_caches(
        [[_read(index / word).strip() for word in words] for index in sorted(_CACHES.glob("index*"))]
    )


def bytes_of_caches(caches: Iterable[Sequence[str]]) -> dict[int, int]:
    """Bytes by level, from the type, size and level of each cache as Linux says them: ("Data", "48K", "1")."""
    sizes = {}
    for kind, size, level in caches:
        number = re.fullmatch(r"(\d{1,9})([KMG]?)", size, re.ASCII)
        if kind in ("Data", "Unified") and number and re.fullmatch(r"\d", level, re.ASCII):
            sizes[int(level)] = int(number.group(1)) * _UNITS[number.group(2)]
    return sizes


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
