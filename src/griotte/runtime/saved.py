"""The four files of a saved kernel: how they are written, read and checked.

kernel.c and kernel.h are for C programs, kernel.so is the library, and kernel.json
tells what it takes.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from griotte.errors import SpecError, ToolchainError
from griotte.runtime.arguments import Packing, Signature, TensorArg
from griotte.runtime.cache import write_atomically

__all__ = ["LIBRARY", "Files", "read", "write"]

FORMAT = 2
SOURCE, HEADER, LIBRARY, DESCRIPTION = "kernel.c", "kernel.h", "kernel.so", "kernel.json"


@dataclass(frozen=True)
class Files:
    """What a saved kernel holds besides its library."""

    source: str
    header: str
    signature: Signature
    metadata: dict[str, Any]


def write(directory: Path, files: Files, library: Path) -> Path:
    """Write all four, the description last; raises ToolchainError."""
    try:
        code = library.read_bytes()
        directory.mkdir(parents=True, exist_ok=True)
        write_atomically(directory / SOURCE, files.source.encode())
        write_atomically(directory / HEADER, files.header.encode())
        write_atomically(directory / LIBRARY, code)
        write_atomically(directory / DESCRIPTION, _description(files, code))
    except OSError as error:
        raise ToolchainError(
            f"expected to save a kernel, found {error.strerror or error}, in "
            f"{error.filename or directory}; name a directory that can be written"
        ) from error
    return directory


def read(directory: Path) -> Files:
    """All but the library, whose content is checked; raises ToolchainError."""
    try:
        description = json.loads((directory / DESCRIPTION).read_bytes())
        code = (directory / LIBRARY).read_bytes()
        source = (directory / SOURCE).read_text(encoding="utf-8")
        header = (directory / HEADER).read_text(encoding="utf-8")
        if description["format"] != FORMAT:
            raise ValueError(f"format {description['format']!r}, not {FORMAT}")
        if description["sha256"] != hashlib.sha256(code).hexdigest():
            raise ValueError(f"a {LIBRARY} that is not the one {DESCRIPTION} describes")
        signature = _signature(description["signature"])
        return Files(source, header, signature, dict(description["metadata"]))
    except (OSError, SpecError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise ToolchainError(
            f"expected a kernel that Kernel.save wrote, found {_words(error)}, in {directory}; "
            "save it again"
        ) from error


def _description(files: Files, code: bytes) -> bytes:
    content = {
        "format": FORMAT,
        "signature": asdict(files.signature),
        "sha256": hashlib.sha256(code).hexdigest(),
        "metadata": files.metadata,
    }
    # Metadata may hold paths or NumPy numbers: their text is enough here.
    return (json.dumps(content, indent=2, default=str) + "\n").encode()


def _signature(found: dict[str, Any]) -> Signature:
    inputs = tuple(map(_tensor, found["inputs"]))
    return Signature(found["function"], inputs, _tensor(found["output"]))


def _tensor(found: dict[str, Any]) -> TensorArg:
    packing = found["packing"]
    return TensorArg(
        name=str(found["name"]),
        dtype=found["dtype"],
        shape=tuple(found["shape"]),
        minor_to_major=tuple(found["minor_to_major"]),
        constant=bool(found["constant"]),
        packing=None if packing is None else Packing(packing["function"], packing["bytes"]),
        dynamic=found["dynamic"],
    )


def _words(error: Exception) -> str:
    return f"no {error}" if isinstance(error, KeyError) else str(error)
