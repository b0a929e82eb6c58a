"""Whole models in the user's cache: what was compiled once is loaded, its packed constants mapped.

Of each model, under the digest of all that it follows from, `KEY.json` tells what it is, `KEY.c` and `KEY.h` are its C
and `KEY.bin` are its constants. Its library lies with the other kernels.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from ..runtime.model import ModelKernel, Weights, kernel_of, mapped, packed, packed_into
from ..runtime.saved import Library, described, library_of
from ..support.errors import GriotteError
from ..support.folders import base_dir, cache_dir, is_private, note_use, private_dir, write_atomically

ROOM = "models"


def found(key: str) -> ModelKernel | None:
    """The kernel of a model that was kept; None where it is not there, or not whole."""
    return next(filter(None, (_found(folder / ROOM / key) for folder in (cache_dir(), base_dir()))), None)


def _found(base: Path) -> ModelKernel | None:
    told, weights = base.with_suffix(".json"), base.with_suffix(".bin")
    try:
        if not is_private(told) or not is_private(weights):
            return None
        description = json.loads(told.read_bytes())
        source, header = (base.with_suffix(suffix).read_text(encoding="utf-8") for suffix in (".c", ".h"))
        if weights.stat().st_size != max(1, description["weights"]):
            return None
        library = library_of(source, header, description)
        if library.weights is None:
            return None
        kernel = kernel_of(library, mapped(weights))
    except (OSError, ValueError, KeyError, TypeError, GriotteError):
        return None
    note_use(told)
    return kernel


def keep(key: str, library: Library, constants: Callable[[], Iterable[np.ndarray]]) -> ModelKernel:
    """Keep a model, and load it; where there is no room for it, its constants are in this process alone."""
    from ..runtime.cache_size import wrote  # and with it the table

    base = private_dir(ROOM) / key
    temporary = base.with_name(f".{key}.{secrets.token_hex(8)}")
    try:
        packed_into(temporary, library, constants()).close()
        temporary.replace(base.with_suffix(".bin"))
        write_atomically(base.with_suffix(".c"), library.source.encode())
        write_atomically(base.with_suffix(".h"), library.header.encode())
        told = described(library)
        write_atomically(base.with_suffix(".json"), json.dumps(told, default=str).encode())
        weights: Weights = mapped(base.with_suffix(".bin"))
        wrote((library.weights or 0) + len(library.source) + len(library.header))
    except OSError:
        weights = packed(library, constants())
    finally:
        temporary.unlink(missing_ok=True)
    return kernel_of(library, weights)


def folder() -> Path:
    """Where models are kept."""
    return base_dir() / ROOM
