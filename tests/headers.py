"""Intrinsics' header read once for all that the processes of a run compile with the same flags: without it, to read it
is most of the time of a small kernel's compilation. What is compiled is the same to the byte."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path

from griotte.runtime.compilers import Compiler
from griotte.runtime.narrowing import narrowed

HEADER = "#include <immintrin.h>"
NAME = "intrinsics.h"

_folders: list[Path] = []


def keep_in(folder: Path) -> None:
    """From now on what is made of the header is kept in a folder."""
    _folders[:] = [folder]


def precompiled(compiler: Compiler, flags: tuple[str, ...], source: str) -> tuple[str, ...]:
    """Flags more for a source that includes the header, where gcc compiles it: what it made of the header for the same
    flags. Gcc reads the header itself where that does not serve."""
    if compiler.kind != "gcc" or HEADER not in source or not _folders:
        return ()
    key = hashlib.sha256("\0".join((*compiler.command, compiler.version, *flags)).encode()).hexdigest()[:16]
    place = _folders[0] / key
    if not place.exists():
        _make(compiler, flags, place)
    return ("-include", str(place / NAME))


def _make(compiler: Compiler, flags: tuple[str, ...], place: Path) -> None:
    """Write and compile the header; of processes that do so at once the first one's stays."""
    place.parent.mkdir(exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=place.parent))
    (made / NAME).write_text(f"{HEADER}\n")
    shorter = narrowed(compiler, flags, HEADER, made)
    unlinked = [flag for flag in flags if flag != "-shared" and not flag.startswith("-Wl,")]
    command = [*compiler.command, *unlinked, *shorter, "-x", "c-header", NAME, "-o", f"{NAME}.gch"]
    subprocess.run(command, cwd=made, capture_output=True, check=False)
    try:
        made.rename(place)
    except OSError:
        shutil.rmtree(made)
