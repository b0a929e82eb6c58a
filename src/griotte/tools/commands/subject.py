"""What a SPEC argument names, a Spec or a model, as the verbs take it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ...compiler.programs import SolvedProgram
from ...compiler.reports.report import ProgramReport
from ...compiler.session import Session
from ...runtime.packaging.package import PackageOptions
from ...support.errors import SpecError


@dataclass(frozen=True)
class BenchOptions:
    """How a kernel is timed: so many seconds for each contestant; a dynamic size; what runs nodes of a model that
    griotte lacks."""

    seconds: float
    size: int | None = None
    host: str | None = None


@dataclass(frozen=True)
class Built:
    """What `griotte compile` makes: the C function's name, how it is saved to a directory, keys of JSON, and what is
    said of it."""

    function: str
    save: Callable[[str, PackageOptions], Path]
    facts: dict[str, Any]
    text: str


class Subject(ABC):
    """A Spec or a model.

    Attributes:
        kind: which of them, in errors.
        unfit: options that are not for it.
    """

    kind: ClassVar[str]
    unfit: ClassVar[frozenset[str]]

    def refuse(self, **given: Any) -> None:
        """SpecError where an option is given that is not for it."""
        refuse(self.kind, **{name: value for name, value in given.items() if name in self.unfit})

    @abstractmethod
    def program(self, session: Session, as_json: bool) -> SolvedProgram[Any]:
        """Its program."""

    @abstractmethod
    def build(self, session: Session, threads_by: str, as_json: bool) -> Built:
        """What is compiled of it."""

    @abstractmethod
    def count(self, program: Any, as_json: bool) -> None:
        """Count the programs of the space, where that can be done."""

    @abstractmethod
    def facts(self, program: Any, session: Session, built: Any = None) -> dict[str, Any]:
        """The keys that every verb tells of a program, and of its library."""

    @abstractmethod
    def report(self, program: Any, measure: bool, as_json: bool) -> ProgramReport:
        """What is told of a program; of a model also, measured, what each part takes."""

    @abstractmethod
    def told(self, report: Any) -> dict[str, Any]:
        """The keys that `griotte explain` tells beside."""

    def save_custom_ops(self, session: Session, directory: str | None, as_json: bool) -> list[str]:
        """The files of a model whose nodes are kernels of onnxruntime; of a Spec --ort-custom-op is refused."""
        raise NotImplementedError

    @abstractmethod
    def contestants(self, against: str | None) -> list[str]:
        """Those that --against names."""

    @abstractmethod
    def check(self, session: Session, seed: int, host: str | None, as_json: bool) -> dict[str, Any]:
        """The result of a check."""

    @abstractmethod
    def show_check(self, found: dict[str, Any]) -> None:
        """Say a check's result."""

    @abstractmethod
    def bench(self, session: Session, names: list[str], how: BenchOptions, as_json: bool) -> dict[str, Any]:
        """The result of a bench beside contestants."""

    @abstractmethod
    def show_bench(self, found: dict[str, Any]) -> None:
        """Say a bench's result."""


def refuse(why: str, **given: Any) -> None:
    """SpecError where an option is given that is not taken: None, or False, is not given."""
    for name, value in given.items():
        if value is not None and value is not False:
            option = f"--{name.replace('_', '-')}"
            raise SpecError(f"expected no {option} for {why}, found {value!r}; leave {option} out")
