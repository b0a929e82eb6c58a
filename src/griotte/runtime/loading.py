"""Kernels of libraries: one that was just compiled, or one that was saved."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from . import model, saved
from .dynamic import DynamicKernel
from .kernel import Kernel
from .saved import Library


def kernel_of(library: Library) -> Kernel:
    """The Kernel of a library, whose sizes are all fixed or one of which is dynamic."""
    return (Kernel if library.signature.bound is None else DynamicKernel)(library)


def load(directory: str | os.PathLike[str]) -> Any:
    """The kernel that `Kernel.save` wrote to `directory`, or the `ModelKernel` of a model; of that the constants are
    mapped: processes that load it share them.

    Its library runs in this process: load only what you would run.  Raises ToolchainError where files are missing,
    damaged or of another machine, TargetError where this CPU lacks what it needs.
    """
    library = saved.read(Path(directory))
    return kernel_of(library) if library.weights is None else model.saved(library, Path(directory))
