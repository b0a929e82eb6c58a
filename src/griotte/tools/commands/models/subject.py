"""A model as the subject of a verb."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ....compiler.reports.model import rows
from ....compiler.reports.model_html import ModelReport
from ....compiler.session import Session
from ....machine import runnable
from ....models.compiling import compiled
from ....models.data import arrays_of
from ....models.measuring import measured
from ....models.program import ModelProgram
from ....models.tuning import program_of
from ..output import status
from ..subject import BenchOptions, Built, Subject
from . import bench, check
from .custom_ops import save_custom_ops
from .facts import facts, headline, paragraph
from .progress import watched
from .reading import ModelFile


@dataclass(frozen=True, eq=False)
class ModelSubject(Subject):
    """A model that a file, or a text, has."""

    file: ModelFile
    kind: ClassVar[str] = "a model"
    unfit: ClassVar[frozenset[str]] = frozenset({"threads_by", "memory", "alternatives", "picture", "prefetch"})

    def __str__(self) -> str:
        return str(self.file)

    def program(self, session: Session, as_json: bool) -> ModelProgram:
        with watched(as_json, session.table) as observer:
            return program_of(self.file.graph, session, observer)

    def build(self, session: Session, threads_by: str, as_json: bool) -> Built:
        """Its kernel, perhaps of the cache: its constants are packed here."""
        runnable(session.target)
        with watched(as_json, session.table) as observer:
            kernel = compiled(self.file.graph, session, observer)
        found = facts(self.file, kernel.stats, session.table)
        lines = [headline(found), "", *paragraph(found), f"compiled in {found['compile_s']:.2f} s"]
        to = lambda directory, options: kernel.save(directory, **vars(options))
        return Built(kernel.signature.function, to, found, "\n".join(lines))

    def count(self, program: ModelProgram, as_json: bool) -> None:
        """A model's are not counted."""

    def facts(self, program: ModelProgram, session: Session, built: Any = None) -> dict[str, Any]:
        more = {"cost": program.cost, "threads": program.threads, "target": program.target.name}
        stats = program.stats | more | program.held | ({} if built is None else built.metadata)
        return facts(self.file, stats, session.table)

    def report(self, program: ModelProgram, measure: bool, as_json: bool) -> ModelReport:
        found = None
        if measure:
            arrays = arrays_of(self.file.graph, "timed", np.random.default_rng(0))
            with status("measuring", as_json):
                found = measured(program, arrays)
        return ModelReport(program, found, Path(self.file.word.removeprefix("@")).name)

    def told(self, report: ModelReport) -> dict[str, Any]:
        program, times = report.program, report.measured
        each = [
            {key: value for key, value in asdict(row).items() if value is not None}
            | ({} if part.program is None else {"program": str(part.program)})
            for row, part in zip(rows(program, times), program.parts)
        ]
        found: dict[str, Any] = {"parts_in_order": each}
        return found if times is None else found | {"median_us": times.whole, "ghz": times.ghz}

    def save_custom_ops(self, session: Session, directory: str | None, as_json: bool) -> list[str]:
        return save_custom_ops(self.file, session, directory, as_json)

    def contestants(self, against: str | None) -> list[str]:
        return bench.names_of(against)

    def check(self, session: Session, seed: int, host: str | None, as_json: bool) -> dict[str, Any]:
        return check.examine_model(self.file, session, seed, host, as_json)

    def show_check(self, found: dict[str, Any]) -> None:
        check.show_model(found)

    def bench(self, session: Session, names: list[str], how: BenchOptions, as_json: bool) -> dict[str, Any]:
        return bench.measure_model(self.file, session, names, how, as_json)

    def show_bench(self, found: dict[str, Any]) -> None:
        bench.show_model(found)
