"""Arrays that lie in files: their pages leave memory once they were read, and come back where they are asked for."""

from __future__ import annotations

import mmap
from contextlib import suppress
from typing import Any

import numpy as np

__all__ = ["release"]


def release(array: np.ndarray) -> None:
    """Give back the memory that holds pages of the file that an array lies in; one that lies in none is left alone."""
    base: Any = array
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        with suppress(OSError, ValueError):
            base.madvise(mmap.MADV_DONTNEED)
