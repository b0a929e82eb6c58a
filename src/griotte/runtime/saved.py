"""A compiled program at rest, and the four files of a saved kernel: how they are written, read and checked.

kernel.c and kernel.h are for C programs, kernel.so is the library, and kernel.json tells what it takes, and which CPU
features it needs. A model has a fifth file, model.bin: its packed constants.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from ..machine.target import Target
from ..support.errors import SpecError, ToolchainError
from ..support.folders import write_atomically
from .signature import Packing, Signature, TensorArg
from .toolchain import compile_shared

SOURCE, HEADER, LIBRARY, DESCRIPTION = "kernel.c", "kernel.h", "kernel.so", "kernel.json"
WEIGHTS = "model.bin"
"""A model's packed constants."""

FORMAT = 3  # 2: did not say what CPU features it needs


@dataclass(frozen=True)
class Build:
    """How C is compiled: the target's flags, and those of its threads."""

    flags: tuple[str, ...]
    more: tuple[str, ...] = ()


UNCOMPILED = Path()


@dataclass(frozen=True)
class Library:
    """Compiled C that is not loaded.

    Attributes:
        source: the C.
        header: its header.
        signature: what it takes.
        path: of the library; `UNCOMPILED` where it is compiled once it is asked for.
        needs: the CPU features that it needs.
        metadata: what was known when it was made.
        build: how it is compiled; None: not known.
        weights: bytes of a model's packed constants, which a call takes as one buffer; None: it is a Spec's.
        others: what makes the same for another target, where that is known.
        constants: gives a model's constants as they are, where that is known.
        plain: of a model, the C of what packs its constants, by itself, for any CPU; None: not known.
    """

    source: str
    header: str
    signature: Signature
    path: Path
    needs: frozenset[str]
    metadata: dict[str, Any]
    build: Build | None = None
    weights: int | None = None
    others: "Callable[[Target], Library] | None" = field(default=None, repr=False, compare=False, kw_only=True)
    constants: Callable[[], Iterable[np.ndarray]] | None = field(default=None, repr=False, compare=False, kw_only=True)
    plain: Callable[[], str] | None = field(default=None, repr=False, compare=False, kw_only=True)

    @property
    def functions(self) -> dict[str, tuple[str, ...]]:
        """The C functions that a kernel calls, with the arguments of each: the one that computes, then those that
        pack."""
        signature, takes, gives = self.signature, "const void *", "void *"
        sizes = [] if signature.bound is None else ["int64_t"]
        arrays = [takes] * len(signature.inputs) + [gives] * len(signature.outputs)
        if self.weights is None:
            packs = sorted({arg.packing.function for arg in signature.inputs if arg.packing})
            return {signature.function: (*sizes, *arrays)} | dict.fromkeys(packs, (takes, gives))
        return {
            signature.function: (*sizes, takes, *arrays),
            f"{signature.function}_pack": ("int64_t", takes, gives),
        }

    def compiled(self) -> "Library":
        """It, with its library there."""
        if self.path != UNCOMPILED or self.build is None:
            return self
        path = compile_shared(self.source, self.build.flags, extra_flags=self.build.more, needs=self.needs)
        return replace(self, path=path)

    def __reduce__(self) -> tuple[Any, ...]:
        """Its texts alone: the library is compiled from them, or found in the cache, where they are read back."""
        if self.build is None:
            raise SpecError(
                f"expected a kernel that says how it is compiled, found {self.signature.function}, which an earlier"
                " version saved; compile its Spec again"
            )
        return rebuilt, (self.source, self.header, json.dumps(described(self), default=str))

    def save(self, directory: str | os.PathLike[str], more: Mapping[str, Any] = MappingProxyType({})) -> Path:
        """Write kernel.c, kernel.h, kernel.so and, last, kernel.json; the directory. `more` are files by name.

        Raises ToolchainError, and then leaves no half-written file behind.
        """
        directory = Path(directory)
        try:
            code = self._code()
            directory.mkdir(parents=True, exist_ok=True)
            for name, content in more.items():
                (directory / name).parent.mkdir(exist_ok=True)
                write_atomically(directory / name, content)
            write_atomically(directory / SOURCE, self.source.encode())
            write_atomically(directory / HEADER, self.header.encode())
            write_atomically(directory / LIBRARY, code)
            write_atomically(directory / DESCRIPTION, _description(self, code))
        except OSError as error:
            raise ToolchainError(
                f"expected to save {'a kernel' if self.weights is None else 'a model'}, found"
                f" {error.strerror or error}, in {error.filename or directory}; name a directory that can be written"
            ) from error
        return directory

    def _code(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:  # the cache gave it up for want of room
            if self.build is None:
                raise
            path = compile_shared(self.source, self.build.flags, extra_flags=self.build.more, needs=self.needs)
            return path.read_bytes()


class OfLibrary:
    """What a kernel says of its library."""

    @property
    def library(self) -> Library:
        """Its compiled C, not loaded."""
        raise NotImplementedError

    @property
    def source(self) -> str:
        """The C source."""
        return self.library.source

    @property
    def header(self) -> str:
        """The C header."""
        return self.library.header

    @property
    def metadata(self) -> dict[str, Any]:
        """What was known when it was made: spec, target, threads, cost, and the search's `Program.stats`."""
        return self.library.metadata


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
        return _library(source, header, path, description)
    except (OSError, SpecError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise ToolchainError(
            f"expected a kernel that Kernel.save wrote, found {_words(error)}, in {directory}; save it again"
        ) from error


def rebuilt(source: str, header: str, told: str) -> Library:
    """The library of these texts, from the cache of kernels where it is there."""
    return library_of(source, header, json.loads(told))


def library_of(source: str, header: str, description: dict[str, Any]) -> Library:
    """The library of these texts and of the facts that `described` told, from the cache of kernels where it is
    there."""
    build = _build(description["build"])
    assert build is not None
    needs = frozenset(map(str, description["needs"]))
    path = compile_shared(source, build.flags, extra_flags=build.more, needs=needs)
    return _library(source, header, path, description)


def _library(source: str, header: str, path: Path, told: dict[str, Any]) -> Library:
    needs = frozenset(map(str, told["needs"]))
    build = _build(told.get("build"))  # not there before kernels were pickled
    weights = None if told.get("weights") is None else _bytes(told["weights"])
    return Library(source, header, _signature(told["signature"]), path, needs, dict(told["metadata"]), build, weights)


def _bytes(found: Any) -> int:
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise ValueError(f"weights of {found!r} bytes")
    return found


def _build(found: dict[str, Any] | None) -> Build | None:
    return None if found is None else Build(tuple(map(str, found["flags"])), tuple(map(str, found["more"])))


def described(library: Library) -> dict[str, Any]:
    """All that there is to say of a library beside its texts and its code."""
    return {
        "signature": asdict(library.signature),
        "needs": sorted(library.needs),
        "metadata": library.metadata,
        "build": None if library.build is None else asdict(library.build),
        **({} if library.weights is None else {"weights": library.weights}),
    }


def _description(library: Library, code: bytes) -> bytes:
    content = {"format": FORMAT, "sha256": hashlib.sha256(code).hexdigest(), **described(library)}
    # Metadata may hold paths or NumPy numbers: their text is enough here.
    return (json.dumps(content, indent=2, default=str) + "\n").encode()


def _signature(found: dict[str, Any]) -> Signature:
    inputs = tuple(map(_tensor, found["inputs"]))
    further = tuple(map(_tensor, found.get("further", ())))  # not there before there were several outputs
    return Signature(found["function"], inputs, _tensor(found["output"]), further, int(found.get("least", 1)))


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
