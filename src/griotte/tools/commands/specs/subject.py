"""A Spec as the subject of a verb."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ....compiler.programs import Program
from ....compiler.reports.report import ProgramReport
from ....compiler.session import Session
from ....compiler.synthesis import program_of
from ....lang.calls.spec import Spec
from ....runtime.packages import save
from ..output import status
from ..subject import BenchOptions, Built, Subject
from . import bench, check
from .facts import facts

BRIEF = 0.02  # share of the cost below which parts are left out; `griotte explain` shows all


@dataclass(frozen=True, eq=False)
class SpecSubject(Subject):
    """A Spec."""

    spec: Spec
    kind: ClassVar[str] = "a Spec"
    unfit: ClassVar[frozenset[str]] = frozenset({"weights", "ort_custom_op", "host", "measure", "part"})

    def __str__(self) -> str:
        return str(self.spec)

    def program(self, session: Session, as_json: bool) -> Program:
        with status("searching", as_json):
            return program_of(self.spec, session)

    def build(self, session: Session, threads_by: str, as_json: bool) -> Built:
        program = self.program(session, as_json)
        with status("compiling", as_json):
            library = program.build(threads_by, session.denormals)
        if as_json:
            program.count()
        text = f"{program.report.text(BRIEF)}\ncompiled in {library.metadata['compile_s']:.2f} s"
        to = lambda directory, options: save(library, directory, options)
        return Built(program.function, to, self.facts(program, session, library), text)

    def count(self, program: Program, as_json: bool) -> None:
        with status("counting programs", as_json):
            program.count()

    def facts(self, program: Program, session: Session, built: Any = None) -> dict[str, Any]:
        return facts(program, built)

    def report(self, program: Program, measure: bool, as_json: bool) -> ProgramReport:
        return program.report

    def told(self, report: ProgramReport) -> dict[str, Any]:
        return {"program": str(report.program)}

    def contestants(self, against: str | None) -> list[str]:
        return bench.names_of(against)

    def check(self, session: Session, seed: int, host: str | None, as_json: bool) -> dict[str, Any]:
        with status("checking", as_json):
            return check.examine(self.spec, session, seed)

    def show_check(self, found: dict[str, Any]) -> None:
        check.show(found)

    def bench(self, session: Session, names: list[str], how: BenchOptions, as_json: bool) -> dict[str, Any]:
        with status("measuring", as_json):
            return bench.measure(self.spec, session, names, how.seconds, how.size)

    def show_bench(self, found: dict[str, Any]) -> None:
        bench.show(found)
