"""What Linux tells: /proc/cpuinfo, and the files of /sys/devices/system/cpu. Where CPUs are of several kinds
(big.LITTLE), the facts are of the largest that this process may run on."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from ..architecture import Architecture, Cpu
from . import ToldMachine, number

CPUINFO, CPUS = Path("/proc/cpuinfo"), Path("/sys/devices/system/cpu")
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "": 1}


def asked(architectures: Sequence[Architecture]) -> ToldMachine:
    """What it tells of this process's CPU, which is of one of these."""
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    cpuinfo, core = of_largest(_read(CPUINFO), architectures, allowed, capacity)
    found = told(cpuinfo, cache_sizes(core), architectures, len(allowed), os.cpu_count() or 1)
    found = found if found.cpu.vendor else replace(found, cpu=_numbered(found, core))
    return found if found.clock else replace(found, clock=highest_clock(core) / 1e6)


def _numbered(found: ToldMachine, core: int) -> Cpu:
    """The CPU by the number that it gives itself, where /proc/cpuinfo tells none."""
    cores = found.architecture.cores if found.architecture else None
    return cores.numbered(_read(CPUS / f"cpu{core}" / cores.number)) if cores and cores.number else found.cpu


def told(
    cpuinfo: str, caches: dict[int, int], architectures: Sequence[Architecture], cores: int = 1, cpus: int = 1
) -> ToldMachine:
    """What /proc/cpuinfo says of a CPU of one of these, with caches of so many bytes by level."""
    words = {each.name: each.features.words for each in architectures if each.features}
    known = "|".join(sorted({re.escape(word) for each in words.values() for word in each if word}, key=len)[::-1])
    says = {found[1]: found[2].strip() for found in re.finditer(rf"^({known})\s*:(.*)$", cpuinfo, re.M)}
    flags = frozenset().union(*(says.get(each.features, "").split() for each in words.values()))
    own = next(
        (each for each in architectures if each.name in words and says.keys() & set(words[each.name][1:4])), None
    )
    if own is None:  # a text of some other CPU, as where an emulator shows that of the machine around it
        own = architectures[0] if len(architectures) == 1 else None
        return ToldMachine(own, Cpu(), flags, caches, cores, cpus)
    said = words[own.name]
    cpu = Cpu(says.get(said.vendor, ""), number(says.get(said.family, "")), number(says.get(said.model, "")))
    return ToldMachine(own, cpu, flags, caches, cores, cpus, says.get(said.name, ""), _gigahertz(says, said.megahertz))


def of_largest(
    cpuinfo: str,
    architectures: Sequence[Architecture],
    allowed: Collection[int],
    capacity: Callable[[int], float],
) -> tuple[str, int]:
    """What /proc/cpuinfo says of the largest of the allowed CPUs, and its number; all of it, and 0, where they are
    alike. Features are those that all have (Linux, cpu-feature-registers.rst)."""
    words = "|".join(re.escape(word) for each in architectures if each.features for word in each.features.words[1:4])
    kinds = re.compile(rf"^(?:{words})\s*:.*$", re.M)
    parts = {}
    if len(set(kinds.findall(cpuinfo))) > 3:
        for part in re.split(r"\n\s*\n", cpuinfo):
            if found := re.search(r"^processor\s*:\s*(\d{1,6})\s*$", part, re.M):
                parts[int(found[1])] = part
    offered = [core for core in sorted(parts) if core in allowed and kinds.search(parts[core])]
    if len({tuple(kinds.findall(parts[core])) for core in offered}) < 2:
        return (parts[offered[0]], offered[0]) if offered else (cpuinfo, 0)
    core = max(offered, key=lambda each: (capacity(each), each))
    return parts[core], core


def capacity(core: int) -> float:
    """How much a CPU computes beside others of its machine: as the system weighs them, else by its highest clock; 0
    where it tells neither."""
    return _whole(CPUS / f"cpu{core}/cpu_capacity") or highest_clock(core)


def highest_clock(core: int) -> float:
    """In kHz; 0 where it is not told."""
    return _whole(CPUS / f"cpu{core}/cpufreq/cpuinfo_max_freq")


def cache_sizes(core: int = 0) -> dict[int, int]:
    """Bytes of a CPU's caches by level, of those that the system tells."""
    words = ("type", "size", "level")
    found = sorted((CPUS / f"cpu{core}/cache").glob("index*"))
    return bytes_of_caches([[_read(index / word).strip() for word in words] for index in found])


def bytes_of_caches(caches: Iterable[Sequence[str]]) -> dict[int, int]:
    """Bytes by level, from the type, size and level of each cache as Linux says them: ("Data", "48K", "1")."""
    sizes = {}
    for kind, size, level in caches:
        told_size = re.fullmatch(r"(\d{1,9})([KMG]?)", size, re.ASCII)
        if kind in ("Data", "Unified") and told_size and re.fullmatch(r"\d", level, re.ASCII):
            sizes[int(level)] = int(told_size.group(1)) * _UNITS[told_size.group(2)]
    return {level: size for level, size in sizes.items() if size}


def _gigahertz(says: dict[str, str], word: str) -> float:
    megahertz = says.get(word, "")
    return float(megahertz) / 1000 if re.fullmatch(r"\d+(\.\d+)?", megahertz) else 0.0


def _whole(path: Path) -> float:
    word = _read(path).strip()
    return float(word) if re.fullmatch(r"[0-9]{1,12}", word) else 0.0


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
