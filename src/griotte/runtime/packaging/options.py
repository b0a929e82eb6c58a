"""What is asked for beside a kernel's own files: a package for C and C++ programs, a wheel."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...codegen.teams import TEAM, THREADS_BY
from ...machine.target import Target
from ...support.errors import SpecError
from .package import checked_name

FILE, INSIDE = WEIGHTS_IN = ("file", "inside")
"""Where a model's packed constants are: in a file beside the library, or in it."""


@dataclass(frozen=True)
class PackageOptions:
    """What is asked for beside a kernel's own files.

    Attributes:
        name: of the package; None: of the kernel's function, without "griotte_".
        cmake: whether with what CMake reads.
        pkgconfig: whether with what pkg-config reads.
        targets: which ones the library is for; None: the kernel's own.
        threads_by: whose threads run what is shared out: team, openmp or host.
        weights: where a model's constants are: file or inside; None: in a file.
        wheel: the name of a Python package that is to be in a wheel; None: there is none.
    """

    name: str | None = None
    cmake: bool = False
    pkgconfig: bool = False
    targets: Sequence[str | Target] | None = None
    threads_by: str = TEAM
    weights: str | None = None
    wheel: str | None = None

    def __post_init__(self) -> None:
        for word, found, known in (
            ("threads_by", self.threads_by, THREADS_BY),
            ("weights", self.weights, WEIGHTS_IN),
        ):
            if found is not None and found not in known:
                raise SpecError(f"expected {' or '.join(known)} for {word}, found {found!r}; write one of them")

    @property
    def are_asked_for(self) -> bool:
        """Whether there is to be a package for C and C++."""
        return self.name is not None or self.cmake or self.pkgconfig or self.targets is not None

    def named(self, function: str) -> str:
        """The name of the package of a kernel's function; SpecError where it is none."""
        return checked_name(function.removeprefix("griotte_") if self.name is None else self.name)

    def saved(self, directory: Path, function: str) -> list[str]:
        """The files of a kernel, and of its package, that were written to a directory."""
        name = self.named(function) if self.are_asked_for else "kernel"
        own = re.compile(rf"kernel\.\w+|model\.bin|(lib)?{name}(Config\w*|-\w+)?\.\w+|{self.wheel}-.*\.whl")
        return sorted(str(path) for path in directory.iterdir() if own.fullmatch(path.name))


NONE = PackageOptions()
