"""A compiled program at rest, and the four files of a saved kernel: how they are written, read and checked.

kernel.c and kernel.h are for C programs, kernel.so is the library, and kernel.json
tells what it takes, and which CPU features it needs.
"""

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from griotte.errors import SpecError, ToolchainError
from griotte.runtime.arguments import Packing, Signature, TensorArg
from griotte.runtime.cache import write_atomically

__all__ = ["Library", "read"]

FORMAT = 3  # 2: did not say what CPU features it needs
SOURCE, HEADER, LIBRARY, DESCRIPTION = "kernel.c", "kernel.h", "kernel.so", "kernel.json"


@dataclass(frozen=True)
class Library:
    """Compiled C that is not loaded: its texts, what it takes, the library's `path`, the CPU features that it
    `needs`."""

    source: str
    header: str
    signature: Signature
    path: Path
    needs: frozenset[str]
    metadata: dict[str, Any]

    def save(self, directory: str | os.PathLike[str]) -> Path:
        """Write kernel.c, kernel.h, kernel.so and, last, kernel.json; the directory.

        Raises ToolchainError, and then leaves no half-written file behind.
        """
        directory = Path(directory)
        try:
            code = self.path.read_bytes()
            directory.mkdir(parents=True, exist_ok=True)
            write_atomically(directory / SOURCE, self.source.encode())
            write_atomically(directory / HEADER, self.header.encode())
            write_atomically(directory / LIBRARY, code)
            write_atomically(directory / DESCRIPTION, _description(self, code))
        except OSError as error:
            raise ToolchainError(
                f"expected to save a kernel, found {error.strerror or error}, in "
                f"{error.filename or directory}; name a directory that can be written"
            ) from error
        return directory


def read(directory: Path) -> Library:
    """What `Library.save` wrote, its content checked; raises ToolchainError."""
    try:
        description = json.loads((directory / DESCRIPTION).read_bytes())
        path = directory.absolute() / LIBRARY
        code = path.read_bytes()
        source = (directory / SOURCE).read_text(encoding="utf-8")
        header = (directory / HEADER).read_text(encoding="utf-8")
        if description["format"] != FORMAT:
            raise ValueError(f"format {description['format']!r}, not {FORMAT}")
        if description["sha256"] != hashlib.sha256(code).hexdigest():
            raise ValueError(f"a {LIBRARY} that is not the one {DESCRIPTION} describes")
        signature = _signature(description["signature"])
        needs = frozenset(map(str, description["needs"]))
        return Library(source, header, signature, path, needs, dict(description["metadata"]))
    except (OSError, SpecError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise ToolchainError(
            f"expected a kernel that Kernel.save wrote, found {_words(error)}, in {directory}; save it again"
        ) from error


def _description(library: Library, code: bytes) -> bytes:
    content = {
        "format": FORMAT,
        "signature": asdict(library.signature),
        "needs": sorted(library.needs),
        "sha256": hashlib.sha256(code).hexdigest(),
        "metadata": library.metadata,
    }
    # Metadata may hold paths or NumPy numbers: their text is enough here.
    return (json.dumps(content, indent=2, default=str) + "\n").encode()


def _signature(found: dict[str, Any]) -> Signature:
    inputs = tuple(map(_tensor, found["inputs"]))
    further = tuple(map(_tensor, found.get("further", ())))  # not there before there were several outputs
    return Signature(found["function"], inputs, _tensor(found["output"]), further)


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
        tied=found.get("tied"),  # not there before two axes could have one size
    )


def _words(error: Exception) -> str:
    return f"no {error}" if isinstance(error, KeyError) else str(error)
