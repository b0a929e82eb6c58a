"""The description of a package: its name, the arrays that a call takes, the code of each target."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from pathlib import Path

from ...codegen.teams import TEAM, THREADS_BY
from ...lang.nests.family import LINE
from ...machine.target import Target
from ...support.errors import SpecError

MARK = LINE
"""Bytes behind a packed constant, in which is said by which library, and for which target, it was packed."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,99}", re.ASCII)
_TAKEN = frozenset(
    "alignas alignof and asm auto bool break case catch char class concept const constexpr continue default delete do"
    " double else enum error export extern failure false float for friend goto griotte if inline int long main mutable"
    " namespace new not operator or private protected public register requires restrict return short signed sizeof"
    " static struct switch template this throw true try typedef typename union unsigned using virtual void volatile"
    " while xor".split()
)


def checked_name(name: str) -> str:
    """A name that functions, files and targets of CMake may have; SpecError where it is none."""
    if not isinstance(name, str) or not _NAME.fullmatch(name) or name in _TAKEN:
        raise SpecError(
            f"expected a name of letters, digits and _ that is no word of C or C++, found {name!r}; name the kernel as"
            " a function of C"
        )
    return name


def in_c(target: str) -> str:
    """A target's name within one of C."""
    return re.sub(r"\W", "_", target, flags=re.ASCII)


@dataclass(frozen=True)
class Packed:
    """A constant as the code of one target takes it: the function that packs it, empty where it is copied as it is, and
    the bytes that it makes."""

    function: str
    bytes: int


@dataclass(frozen=True)
class PackageArray:
    """An array that a call takes.

    Attributes:
        name: in C.
        scalar: the C type of an element.
        type: as a Spec has it, and what a model calls it.
        shape: of a dynamic size at its bound.
        bytes: of all elements.
        dynamic: the axes whose size is a call's.
        is_pitched: whether it lies, whatever the size, as that of the bound does.
        is_output: whether a call writes it.
        is_packed: whether a call takes it packed, as it does all constants, also those that no target packs.
    """

    name: str
    scalar: str
    type: str
    shape: tuple[int, ...]
    bytes: int
    dynamic: tuple[int, ...] = ()
    is_pitched: bool = False
    is_output: bool = False
    is_packed: bool = False

    @property
    def formal(self) -> str:
        """It as an argument of a call in C."""
        return f"const void *packed_{self.name}" if self.is_packed else self.plain

    @property
    def plain(self) -> str:
        """The same, as it is given."""
        return f"{'' if self.is_output else 'const '}{self.scalar} *{self.name}"

    @property
    def given(self) -> str:
        """The name of that argument."""
        return f"packed_{self.name}" if self.is_packed else self.name

    @property
    def elements(self) -> int:
        return prod(self.shape)

    @property
    def needed(self) -> str:
        """C for the elements that it must have at least in a call of the size m."""
        if not self.dynamic or self.is_pitched:
            return f"{self.elements}"
        fixed = prod(n for axis, n in enumerate(self.shape) if axis not in self.dynamic)
        return " * ".join([f"{fixed}", *["static_cast<std::size_t>(m)"] * len(self.dynamic)])


@dataclass(frozen=True)
class Code:
    """The code of one target: its function in C, the CPU features that it needs, the functions that pack constants for
    it, and the flags that it is compiled with. Of a model: the bytes of its packed constants, and the file that they
    are in. In a package for several architectures: the machine that it is for, and the preprocessor's condition; empty:
    any."""

    target: str
    function: str
    needs: tuple[str, ...]
    packed: dict[str, Packed]
    weights: int = 0
    file: str = ""
    flags: tuple[str, ...] = ()
    machine: str = ""
    condition: str = ""

    def guarded(self, text: str) -> str:
        """C for that machine alone."""
        return f"#if {self.condition}\n{text}\n#endif" if self.condition else text


@dataclass(frozen=True)
class Package:
    """A kernel for several targets.

    Attributes:
        name: of the function that calls it, and of all that is beside.
        title: what it computes, in a line.
        arrays: in the order in which a call takes them.
        codes: of each target, the best first.
        form: a number that differs where the code does.
        bound: the largest dynamic size; None where all sizes are fixed.
        threads_by: whose threads run the loops over threads; empty where there are none.
        threads: how many a call runs on.
        thread_bytes: what each thread that runs a call has of its own.
        is_model: whether it takes its constants as one buffer, `weights`.
        has_weights: whether that is within the library.
        least: the smallest dynamic size.
    """

    name: str
    title: str
    arrays: tuple[PackageArray, ...]
    codes: tuple[Code, ...]
    form: int
    bound: int | None = None
    threads_by: str = ""
    threads: int = 1
    thread_bytes: int = 0
    is_model: bool = False
    has_weights: bool = False
    least: int = 1

    @property
    def upper(self) -> str:
        """The name in macros."""
        return self.name.upper()

    @property
    def machines(self) -> tuple[str, ...]:
        """Those that it has code for, where they are of several architectures; else none."""
        return tuple(dict.fromkeys(code.machine for code in self.codes if code.machine))

    @property
    def packed(self) -> tuple[PackageArray, ...]:
        """The arrays that a call takes packed."""
        return tuple(array for array in self.arrays if array.is_packed)

    def room(self, array: PackageArray) -> int:
        """The bytes of the largest form of a packed constant, in whole lines: the mark is behind them."""
        return -(-max(code.packed[array.name].bytes for code in self.codes) // LINE) * LINE

    def packed_bytes(self, array: PackageArray) -> int:
        """The bytes of a packed constant, its mark among them."""
        return self.room(array) + MARK

    @property
    def weights(self) -> int:
        """The bytes of a model's packed constants, of the target that takes most."""
        return max(code.weights for code in self.codes)

    @property
    def formals(self) -> list[str]:
        """The arguments of a call, in C."""
        return self.arguments("int64_t m", "const void *weights", lambda array: array.formal)

    @property
    def given(self) -> list[str]:
        """Their names."""
        return self.arguments("m", "weights", lambda array: array.given)

    def arguments(self, size: str, weights: str, of: Callable[[PackageArray], str]) -> list[str]:
        """The size where it is dynamic, a model's constants, and each array."""
        return [*[size] * (self.bound is not None), *[weights] * self.is_model, *map(of, self.arrays)]

    @cached_property
    def targets(self) -> str:
        """The names of its targets, the best first."""
        return ", ".join(code.target for code in self.codes)


def form_of(*sources: str) -> int:
    """A number of 32 bits that tells code from other code."""
    return int(hashlib.sha256("\0".join(sources).encode()).hexdigest()[:8], 16)


FILE, INSIDE = WEIGHTS_IN = ("file", "inside")
"""Where a model's packed constants are: in a file beside the library, or in it."""


@dataclass(frozen=True)
class PackageOptions:
    """Files and choices beside a kernel's own files.

    Attributes:
        name: of the package; None: of the kernel's function, without "griotte_".
        cmake: whether with what CMake reads.
        pkgconfig: whether with what pkg-config reads.
        targets: which ones the library is for; None: the kernel's own.
        threads_by: whose threads run the loops over threads: team, openmp or host.
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
        own = re.compile(rf"kernel\.\w+|model\.bin|(lib)?{name}(Config\w*|[-_]\w+)?\.\w+|{self.wheel}-.*\.whl")
        found = (path for path in directory.iterdir() if own.fullmatch(path.name))
        return sorted(map(str, (*found, *directory.glob(f"*/lib{name}.a"), *directory.glob("griotte_team.c"))))


NONE = PackageOptions()
