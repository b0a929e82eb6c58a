"""The interface of any solved program, of a Spec or of a model: it is reported, drawn, written as C, compiled and
saved."""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ...codegen.emit import EmittedFunction, Unit, UnitWriter, unit_of
from ...machine import runnable
from ...machine.target import Target
from ...runtime.compilers import OPENMP, QUICK
from ...runtime.packages import save
from ...runtime.packaging.package import PackageOptions
from ...runtime.saved import UNCOMPILED, Build, Library
from ...runtime.toolchain import ObjectFiles, compile_shared
from ...support.cpus import usable
from ..reports.html import frame, write
from .begun import BegunUnit

if TYPE_CHECKING:
    from ...runtime.signature import Signature
    from ..reports.report import ProgramReport

KernelOf = TypeVar("KernelOf")


class SolvedProgram(ABC, Generic[KernelOf]):
    """A solved Spec or model.

    Attributes:
        target: the machine that it is for.
        threads: how many a call runs on.
        stats: what was known when it was solved.
    """

    target: Target
    threads: int
    stats: dict[str, Any]

    # ---- what kinds of programs say themselves -----------------------------------------------------------------------

    @property
    @abstractmethod
    def cost(self) -> float:
        """Cycles of a call, by the target's model."""

    @property
    @abstractmethod
    def function(self) -> str:
        """The exported C function's name."""

    @property
    @abstractmethod
    def report(self) -> ProgramReport:
        """Its report."""

    @property
    @abstractmethod
    def _title(self) -> str:
        """What the C says of it in its first lines."""

    @abstractmethod
    def written(self, writer: UnitWriter, name: str) -> EmittedFunction:
        """It as an exported function of a unit that is being written.

        Args:
            writer: of the unit.
            name: of the function.

        Examples:
            >>> from griotte.codegen.emit import UnitWriter
            >>> program = gt.synthesize("exp(f32[8])", target="portable")
            >>> program.written(UnitWriter(program.target), "exp_of_8").name
            'exp_of_8'
        """

    @abstractmethod
    def _signature(self, unit: Unit) -> Signature:
        """What its C function takes."""

    @abstractmethod
    def _metadata(self, unit: Unit) -> dict[str, Any]:
        """What a kernel says of itself, and its file."""

    @abstractmethod
    def _kernel(self, library: Library) -> KernelOf:
        """The kernel of its library."""

    def _weights(self, unit: Unit) -> int | None:
        """Bytes of a model's packed constants."""
        return None

    def _plain(self) -> Callable[[], str] | None:
        """What gives the C of what packs a model's constants, for any CPU."""
        return None

    def _others(self, threads_by: str, denormals: str) -> Callable[[Target], Library] | None:
        """What makes its library for another target, and keeps no program; None where that is not known."""
        return None

    def _packed(self, library: Library) -> Any:
        """A model's constants as a library packs them."""
        return None

    # ---- what follows ------------------------------------------------------------------------------------------------

    def _repr_html_(self) -> str | None:
        return frame(self.report.page(), self.report.title)

    def explain(self) -> str:
        """The program as a report: what each part of it costs, the roofline, the size of the search.

        Examples:
            >>> print(gt.synthesize("exp(f32[8])", target="portable").explain().splitlines()[0])  # doctest: +ELLIPSIS
            exp 8 f32, 1 thread, portable   cost ... cycles, ... x the ... bound
        """
        return self.report.text()

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Write the report as one HTML page that needs nothing else: costs as bars, the roofline, the C.

        Args:
            path: of the file.

        Raises:
            ToolchainError: it cannot be written.

        Examples:
            >>> gt.synthesize("exp(f32[8])", target="portable").to_html("exp.html")
        """
        write(path, self.report.page().encode())

    def to_picture(self, path: str | os.PathLike[str]) -> None:
        """Draw what runs, in which order, and where what lies between is kept.

        Args:
            path: of the file, .svg or, with matplotlib, .png.

        Raises:
            SpecError: its name ends otherwise, or it is more than one search covers.
            ToolchainError: it cannot be written, or drawn.

        Examples:
            >>> gt.synthesize("softmax(f32[8,9])", target="portable").to_picture("softmax.svg")
        """
        self.report.draw(path)

    @cached_property
    def _unit(self) -> Unit:
        return self._emitted("team")

    def _emitted(self, threads_by: str, denormals: str = "keep", is_soon: bool = False) -> Unit:
        """Its C, and where that is long in a piece for each CPU; with short leaves where it is to be compiled soon."""
        target = self.target.brief if is_soon else self.target
        write = lambda writer: self.written(writer, self.function)
        return unit_of(write, target, self._title, threads_by, denormals, usable())

    def _unit_of(self, threads_by: str, denormals: str) -> Unit:
        is_plain = (threads_by, denormals) == ("team", "keep")
        return self._unit if is_plain else self._emitted(threads_by, denormals)

    def to_c(self, threads_by: str = "team", denormals: str = "keep") -> str:
        """The program as C that needs nothing else, as text.

        Args:
            threads_by: whose threads a call of several runs on: "team", griotte's own, whose C is part of the text;
                "openmp"; "host", those that the program which calls gives.
            denormals: "keep" them, or "flush" them to zero within a call.

        Raises:
            SpecError: `threads_by` or `denormals` is another word.

        Examples:
            >>> "void griotte_exp_" in gt.synthesize("exp(f32[8])", target="portable").to_c()
            True
        """
        return self._unit_of(threads_by, denormals).source

    def build(self, threads_by: str = "team", denormals: str = "keep") -> Library:
        """The compiled library, not loaded: it may be for another machine than this one.

        Args:
            threads_by: as of `to_c`.
            denormals: as of `to_c`.

        Raises:
            SpecError: `threads_by` or `denormals` is another word.
            ToolchainError: there is no C compiler, or it failed.

        Examples:
            >>> gt.synthesize("exp(f32[8])", target="portable").build().path.suffix
            '.so'
        """
        return self._built(threads_by, denormals, (OPENMP,) * (threads_by == "openmp"))

    def _built(self, threads_by: str, denormals: str, more: tuple[str, ...]) -> Library:
        """The library, compiled with these flags besides."""
        return self._library(self._unit_of(threads_by, denormals), threads_by, denormals, more)

    def _library(
        self, unit: Unit, threads_by: str, denormals: str, more: tuple[str, ...], begun: ObjectFiles | None = None
    ) -> Library:
        """A unit, compiled with these flags besides; what of it was begun is there."""
        started, build = time.perf_counter(), Build(self.target.flags, more)
        needs, pieces = self.target.features, unit.pieces
        path = compile_shared(unit.source, build.flags, extra_flags=build.more, pieces=pieces, needs=needs, begun=begun)
        found = self._uncompiled(unit, threads_by, denormals, more)
        return replace(found, path=path, metadata=found.metadata | {"compile_s": time.perf_counter() - started})

    def _uncompiled(self, unit: Unit, threads_by: str, denormals: str, more: tuple[str, ...]) -> Library:
        """The library of a unit that is compiled once it is asked for."""
        return Library(
            unit.source,
            unit.header,
            self._signature(unit),
            UNCOMPILED,
            self.target.features,
            self._metadata(unit),
            Build(self.target.flags, more),
            self._weights(unit),
            others=self._others(threads_by, denormals),
            plain=self._plain(),
        )

    def unbuilt(self, threads_by: str = "team", denormals: str = "keep") -> Library:
        """As `build`, but compiled once it is asked for.

        Args:
            threads_by: as of `to_c`.
            denormals: as of `to_c`.

        Raises:
            SpecError: `threads_by` or `denormals` is another word.

        Examples:
            >>> gt.synthesize("exp(f32[8])", target="portable").unbuilt().compiled().path.suffix
            '.so'
        """
        unit = self._unit_of(threads_by, denormals)
        return self._uncompiled(unit, threads_by, denormals, (OPENMP,) * (threads_by == "openmp"))

    def compile(self, denormals: str = "keep") -> KernelOf:
        """The program as a kernel, loaded into this process, a model's constants packed.

        Args:
            denormals: as of `to_c`.

        Raises:
            SpecError: `denormals` is another word.
            ToolchainError: there is no C compiler, or it failed.
            TargetError: this CPU does not run the target's code.

        Examples:
            >>> kernel = gt.synthesize("neg(f32[2])").compile()
            >>> kernel(np.ones(2, np.float32))
            array([-1., -1.], dtype=float32)
        """
        _ = self._unit  # a hole, which no machine runs, is told first
        runnable(self.target)
        return self._kernel(self.build(denormals=denormals))

    def _compile_soon(self, denormals: str, begun: BegunUnit | None = None) -> KernelOf:
        """The program as a kernel that the compiler takes less time for: its leaves are short, and written as they are
        to run, so the compiler has little to do for them. Some of it may have been `begun`."""
        runnable(self.target)
        if begun is None:
            unit, objects = self._emitted("team", denormals, is_soon=True), None
        else:
            unit = begun.unit(lambda writer: self.written(writer, self.function), self._title)
            objects = begun.objects
        return self._kernel(self._library(unit, "team", denormals, (QUICK,), objects))

    def save(
        self,
        directory: str | os.PathLike[str],
        threads_by: str = "team",
        denormals: str = "keep",
        *,
        name: str | None = None,
        cmake: bool = False,
        pkgconfig: bool = False,
        targets: Sequence[str | Target] | None = None,
        wheel: str | None = None,
        weights: str | None = None,
    ) -> Path:
        """Write kernel.c, kernel.h, kernel.so and kernel.json, for this machine or another; the directory.

        Of a model also model.bin, its packed constants. With any of `name`, `cmake`, `pkgconfig`, `targets` also a
        package for C and C++ programs: libNAME.a, NAME.h and NAME.hpp.

        Args:
            directory: where to; it is made where it is not there.
            threads_by: as of `to_c`.
            denormals: as of `to_c`.
            name: of the package, and of its function; None: the function's in kernel.h, without "griotte_".
            cmake: whether with NAMEConfig.cmake, for find_package.
            pkgconfig: whether with NAME.pc.
            targets: which ones the package has code for; a call takes the best that the CPU runs. None: the program's.
            wheel: the name of a Python package; a wheel of it is written as well: it runs the kernel by NumPy alone.
            weights: where the package has a model's constants: "file" or "inside"; None: "file".

        Raises:
            SpecError: a word, the name or the list of targets is none, or there are `weights` for a Spec.
            TargetError: there is no such target.
            ToolchainError: there is no C compiler, it failed, or the files cannot be written.

        Examples:
            >>> program = gt.synthesize("exp(f32[8])", target="portable")
            >>> sorted(path.name for path in program.save("exp").iterdir())
            ['kernel.c', 'kernel.h', 'kernel.json', 'kernel.so']
            >>> sorted(path.name for path in program.save("package", name="exp8", pkgconfig=True).glob("*exp8*"))
            ['exp8.h', 'exp8.hpp', 'exp8.pc', 'libexp8.a']
        """
        options = PackageOptions(name, cmake, pkgconfig, targets, threads_by, weights, wheel)
        return save(self.build(threads_by, denormals), directory, options, self._packed)
