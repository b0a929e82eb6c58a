"""griotte explain of a model."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import SpecError
from ...models.data import arrays_of
from ...models.measuring import measured
from ...models.tuning import program_of
from ...reports.html import write_page
from ...reports.model import rows
from ...reports.model_html import ModelReport
from ...session import Session, TablePath
from ...targets import runnable
from ..output import echo, print_json, status
from .facts import facts
from .progress import watched
from .reading import ModelFile


def explain_model(
    file: ModelFile, session: Session, html: str | None, measure: bool, part: int | None, as_json: bool
) -> None:
    """Its parts, what each costs and, measured, takes; the program of one part; the page."""
    if measure:
        runnable(session.target)
    with watched(as_json, session.table) as observer:
        program = program_of(file.graph, session, observer)
    if part is not None and part > len(program.parts):
        raise SpecError(f"expected a part from 1 to {len(program.parts)} for --part, found {part}; write one of them")
    found = None
    if measure:
        arrays = arrays_of(file.graph, "timed", np.random.default_rng(0))
        with status("measuring", as_json):
            found = measured(program, arrays)
    name = Path(file.word.removeprefix("@")).name
    report = ModelReport(program, found, name)
    text = report.text()
    if html is not None:
        write_page(html, report.page())
    if as_json:
        print_json(_object(file, program, found, text, session.table) | ({"files": [html]} if html is not None else {}))
        return
    echo(text)
    if part is not None:
        chosen = program.parts[part - 1]
        own = "nothing moves" if chosen.program is None else chosen.program.explain()
        echo(f"\npart {part}, {chosen.part.title}\n{chosen.part.text}\n\n{own}")
    if html is not None:
        echo(f"\nwrote {html}")


def _object(file: ModelFile, program: Any, measured: Any, text: str, table: TablePath) -> dict[str, Any]:
    more = {"cost": program.cost, "threads": program.threads, "target": program.target.name}
    more |= program.held
    each = [
        {key: value for key, value in asdict(row).items() if value is not None}
        | ({} if part.program is None else {"program": str(part.program)})
        for row, part in zip(rows(program, measured), program.parts)
    ]
    found = {**facts(file, program.stats | more, table), "explanation": text, "parts_in_order": each}
    if measured is not None:
        found |= {"median_us": measured.whole, "ghz": measured.ghz}
    return found
