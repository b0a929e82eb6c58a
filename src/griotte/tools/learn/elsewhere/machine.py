"""What a machine says of itself, in its own words: they are read where the batch was made."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
SAID = ("vendor_id", "cpu family", "model", "model name", "flags")
LONGEST = 1 << 14  # characters of what is said of a CPU
COMPILE_SECONDS = 600


class Stopped(Exception):
    """Why a batch cannot be timed here, in a line."""


def told() -> dict[str, Any]:
    """What /proc/cpuinfo says of the first CPU and says at all times; type, size and level of each cache; the CPUs that
    this process may use."""
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    words = ("type", "size", "level")
    caches = [[_read(index / word).strip() for word in words] for index in sorted(CACHES.glob("index*"))]
    lines = _read(Path("/proc/cpuinfo")).partition("\n\n")[0].splitlines()
    said = "\n".join(line for line in lines if line.partition(":")[0].strip() in SAID)
    return {"cpuinfo": said[:LONGEST], "caches": caches, "cores": cpus}


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


@dataclass(frozen=True)
class FoundCompiler:
    """A C compiler, and the first line of what it says of itself."""

    command: tuple[str, ...]
    version: str

    @property
    def kind(self) -> str:
        return "clang" if "clang" in self.version else "gcc"

    def library(self, source: Path, flags: list[str], path: Path) -> None:
        """Compile C to a shared library; Stopped where that fails."""
        command = [*self.command, *flags, str(source), "-o", str(path), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=COMPILE_SECONDS, check=False)
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if "error" in line] or ["no message"]
            raise Stopped(f"expected C that {self.version} compiles, found: {lines[0].strip()}; set CC to another one")


def compiler() -> FoundCompiler:
    """$CC where it is set, else the first of gcc, clang and cc; Stopped where there is none."""
    chosen = shlex.split(os.environ.get("CC", ""))
    for command in [tuple(chosen)] if chosen else [(name,) for name in ("gcc", "clang", "cc") if shutil.which(name)]:
        try:
            done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
        except OSError:
            continue
        if done.returncode == 0 and done.stdout.strip():
            return FoundCompiler(command, done.stdout.strip().splitlines()[0].strip())
    raise Stopped("expected a C compiler, found none; install gcc or clang, or set CC to one")
