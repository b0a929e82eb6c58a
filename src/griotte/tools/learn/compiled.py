"""Drafts as libraries, each compiled as it would be alone, on all cores.

With gcc the header of intrinsics, which is most of what a small kernel's compilation takes, is read once for all drafts
of a run (a precompiled header); what is compiled is the same to the byte.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ...codegen.emit import Unit, unit_of
from ...compiler.programs import Program, signature
from ...machine.architectures import intrinsics_of
from ...machine.target import Target
from ...runtime.compilers import OBJECT_FLAGS, find_compiler
from ...runtime.saved import Build, Library
from ...runtime.toolchain import compile_shared
from ...support.cpus import usable
from ...support.folders import temporary_folder

NAME = "intrinsics.h"


def unit_alone(program: Program) -> Unit:
    """The C of a draft."""
    return unit_of(lambda writer: program.written(writer, program.function), program.target, str(program.spec))


class Compiling:
    """What compiles the drafts of a run, for one target."""

    def __init__(self, target: Target):
        self.target, self._header = target, intrinsics_of(target.features).header
        self._folder = temporary_folder()
        self._more = self._precompiled()

    def __enter__(self) -> Compiling:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def libraries(self, programs: Sequence[Program]) -> list[Library]:
        """The library of each program. ToolchainError where its C fails."""
        with ThreadPoolExecutor(usable()) as pool:
            return list(pool.map(self._library, programs))

    def _library(self, program: Program) -> Library:
        unit = unit_alone(program)
        build = Build(program.target.flags, self._more if f"<{self._header}>" in unit.source else ())
        path = compile_shared(unit.source, build.flags, extra_flags=build.more)
        told = {"spec": str(program.spec), "target": program.target.name, "threads": program.threads}
        takes = signature(program.spec, unit.function, unit.packs)
        metadata = {**told, "cost": program.cost}
        return Library(unit.source, unit.header, takes, path, program.target.features, metadata, build)

    def _precompiled(self) -> tuple[str, ...]:
        """Flags for a source that includes the header; none where there is no gcc, or it did not compile it."""
        compiler, folder = find_compiler(), Path(self._folder.name)
        if compiler.kind != "gcc" or not self._header:
            return ()
        (folder / NAME).write_text(f"#include <{self._header}>\n")
        flags = [flag for flag in compiler.flags(self.target.flags, OBJECT_FLAGS) if flag not in OBJECT_FLAGS]
        command = [*compiler.command, *flags, "-x", "c-header", NAME, "-o", f"{NAME}.gch"]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        return ("-include", str(folder / NAME)) if done.returncode == 0 else ()
