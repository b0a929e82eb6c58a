"""What macOS tells by sysctl. Of several kinds of cores the facts are of those with the highest performance (Apple,
*Determining System Capabilities*, *Determining Instruction Set Characteristics*)."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from functools import cache

from ..architecture import Architecture, Cpu
from . import ToldMachine, number

_COMMAND = ("/usr/sbin/sysctl", "hw", "machdep.cpu")
_BEST = "hw.perflevel0."


def asked(architectures: Sequence[Architecture]) -> ToldMachine:
    """What it tells of this process's CPU, which is of one of these."""
    return told(_answer(), architectures)


@cache
def _answer() -> str:
    try:
        return subprocess.run(_COMMAND, capture_output=True, text=True, timeout=10, check=False).stdout
    except (OSError, subprocess.SubprocessError):
        return ""


def told(answer: str, architectures: Sequence[Architecture]) -> ToldMachine:
    """What the lines of `sysctl hw machdep.cpu` say of a CPU of one of these."""
    says = dict(line.split(": ", 1) for line in answer.splitlines() if ": " in line)
    brand = says.get("machdep.cpu.brand_string", "").strip()
    flags = frozenset(
        name
        for each in architectures
        if each.features
        for name, word in each.features.sysctl.items()
        if says.get(f"hw.optional.{word}") == "1"
    )
    cpu, own = _cpu(says, brand, architectures)
    count = next((number(says[key]) for key in (f"{_BEST}logicalcpu", "hw.logicalcpu", "hw.ncpu") if key in says), 1)
    hertz = number(says.get("hw.cpufrequency", ""))
    return ToldMachine(
        own, cpu, flags, _caches(says), max(1, count), max(1, number(says.get("hw.ncpu", ""))), brand, hertz / 1e9
    )


def _cpu(says: dict[str, str], brand: str, architectures: Sequence[Architecture]) -> tuple[Cpu, Architecture | None]:
    """What the CPU is: by its own numbers, or by the name that it is sold by."""
    first = next(iter(architectures), None)
    if vendor := says.get("machdep.cpu.vendor"):
        family, model = (number(says.get(f"machdep.cpu.{word}", "")) for word in ("family", "model"))
        return Cpu(vendor, family, model), first
    found = [(each.cores.branded(brand), each) for each in architectures]
    return next(((cpu, each) for cpu, each in found if cpu.vendor), (Cpu(), first))


def _caches(says: dict[str, str]) -> dict[int, int]:
    """Bytes by level; of cores of one kind they are told without a level of performance."""
    sizes = {
        level: next((number(says[key]) for key in (f"{_BEST}{word}", f"hw.{word}") if key in says), 0)
        for level, word in ((1, "l1dcachesize"), (2, "l2cachesize"), (3, "l3cachesize"))
    }
    return {level: size for level, size in sizes.items() if size}
