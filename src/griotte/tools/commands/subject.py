"""What a SPEC argument names, a Spec or a model, as the verbs take it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from ...compiler.programs import SolvedProgram
from ...compiler.reports.explain import plural
from ...compiler.reports.report import ProgramReport
from ...compiler.session import Session
from ...machine import detect
from ...runtime.packaging.package import PackageOptions
from ...support.errors import SpecError
from .output import duration, echo


@dataclass(frozen=True)
class BenchOptions:
    """How a kernel is timed: so many seconds for each contestant; a dynamic size; what runs nodes of a model that
    griotte lacks."""

    seconds: float
    size: int | None = None
    host: str | None = None


@dataclass(frozen=True)
class Built:
    """The result of `griotte compile`: the C function's name, a function that saves it, keys of JSON, and a text."""

    function: str
    save: Callable[[str, PackageOptions], Path]
    facts: dict[str, Any]
    text: str


class Rivals(NamedTuple):
    """The contestants of a bench: those that --against may name, the usual one; where they are known, in errors; and
    the width of their names."""

    known: tuple[str, ...]
    usual: str
    where: str = ""
    width: int = 8


class Subject(ABC):
    """A Spec or a model.

    Attributes:
        kind: which of them, in errors.
        unfit: options that are not for it.
        rivals: its contestants.
    """

    kind: ClassVar[str]
    unfit: ClassVar[frozenset[str]]
    rivals: ClassVar[Rivals]

    def refuse(self, **given: Any) -> None:
        """SpecError where an option is given that is not for it."""
        refuse(self.kind, **{name: value for name, value in given.items() if name in self.unfit})

    @abstractmethod
    def program(self, session: Session) -> SolvedProgram[Any]:
        """Its program."""

    @abstractmethod
    def build(self, session: Session, threads_by: str) -> Built:
        """Its compiled program."""

    @abstractmethod
    def count(self, program: Any) -> None:
        """Count the programs of the space, where that can be done."""

    @abstractmethod
    def facts(self, program: Any, session: Session, built: Any = None) -> dict[str, Any]:
        """The JSON keys that every verb gives of a program, and of its library."""

    @abstractmethod
    def report(self, program: Any, measure: bool) -> ProgramReport:
        """The report of a program; of a model also, if measured, the time of each part."""

    @abstractmethod
    def explained(self, report: Any) -> dict[str, Any]:
        """The JSON keys that `griotte explain` adds."""

    def save_custom_ops(self, session: Session, directory: str | None) -> list[str]:
        """The files of a model whose nodes are kernels of onnxruntime; of a Spec --ort-custom-op is refused."""
        raise NotImplementedError

    def contestants(self, against: str | None) -> list[str]:
        """The contestants that --against names, or the usual one; SpecError for one that is not known."""
        known, usual, where, _ = self.rivals
        words = [word.strip() for word in (against or usual).split(",")]
        names = [word for word in words if word and word != "none"]
        for name in names:
            if name not in known:
                raise SpecError(
                    f"expected {', '.join(known)} or none after --against{where}, found {name!r}; leave it out"
                )
        return list(dict.fromkeys(names))

    @abstractmethod
    def check(self, session: Session, seed: int, host: str | None) -> dict[str, Any]:
        """The result of a check."""

    @abstractmethod
    def show_check(self, found: dict[str, Any]) -> None:
        """Say a check's result."""

    @abstractmethod
    def bench(self, session: Session, names: list[str], how: BenchOptions) -> dict[str, Any]:
        """The result of a bench beside contestants."""

    def show_bench(self, found: dict[str, Any]) -> None:
        """Say a bench's result, a line for each contestant."""
        line = lambda name, words: echo(f"  {name:{self.rivals.width}} {words}")
        took = lambda times: f"{duration(times['median_us']):>10} median {duration(times['min_us']):>10} least   "
        echo(f"{found['spec']}   {plural(found['threads'], 'thread')}, {found['target']}, {detect().name}")
        read = f", {found['gbps']:.1f} GB/s" if "gbps" in found else ""
        line("griotte", f"{took(found)}{found['gflops']:.1f} GFLOP/s{read}")
        for name, other in found["against"].items():
            settings = f" ({other['settings']})" if "settings" in other else ""
            line(name, f"{took(other)}{other['ratio']:.2f} x griotte's time{settings}")
        for name, why in found.get("not_measured", {}).items():
            line(name, f"not measured: {why}")
        if "slowest_ratio" in found:
            worst = max(found["magnitudes"], key=found["magnitudes"].get)
            line("data", f"normal times {worst} takes {found['slowest_ratio']:.2f} x the time of normal times 0.5")
        if "peak_gflops" in found:
            line("peak", f"{found['peak_gflops']:.1f} GFLOP/s of f32 in registers, {found['peak_gbps']:.1f} GB/s read")
        for name, error in found.get("apart", {}).items():
            line(name, f"gives other results: {error:.2g} apart")
        if not found["ok"]:
            line("WRONG", found["error"])


def refuse(why: str, **given: Any) -> None:
    """SpecError where an option is given that is not taken: None, or False, is not given."""
    for name, value in given.items():
        if value is not None and value is not False:
            option = f"--{name.replace('_', '-')}"
            raise SpecError(f"expected no {option} for {why}, found {value!r}; leave {option} out")
