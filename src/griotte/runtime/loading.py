"""Kernels of libraries: one that was just compiled, or one that was saved."""

from __future__ import annotations

import os
from pathlib import Path

from griotte.runtime import saved
from griotte.runtime.dynamic import DynamicKernel
from griotte.runtime.kernel import Kernel
from griotte.runtime.saved import Library


def kernel_of(library: Library) -> Kernel:
    """The Kernel of a library, whose sizes are all fixed or one of which is dynamic."""
    return (Kernel if library.signature.bound is None else DynamicKernel)(library)


def load(directory: str | os.PathLike[str]) -> Kernel:
    """The kernel that `Kernel.save` wrote to `directory`.

    Its library runs in this process: load only what you would run.  Raises ToolchainError where files are missing,
    damaged or of another machine, TargetError where this CPU lacks what it needs.
    """
    return kernel_of(saved.read(Path(directory)))
