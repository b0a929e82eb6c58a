"""griotte table precompute of a model: its parts solved into a table ahead of time."""

from __future__ import annotations

import time

from ....compiler.session import Session
from ...scale.models import fill_model
from ..models.facts import facts
from ..models.progress import watched
from ..models.reading import ModelFile
from ..output import echo, print_json
from .shared import count


def precompute_model(file: ModelFile, session: Session, workers: int, scheduler: str | None, as_json: bool) -> None:
    """Solve all parts that the model's cut asks for, and tell how many there were."""
    started, path = time.perf_counter(), session.table
    with watched(as_json, path) as observer:
        program = fill_model(file.graph, session, workers, scheduler, observer)
    stats = program.stats | {"cost": program.cost, "threads": session.threads, "target": session.target.name}
    found = {"table": path, **facts(file, stats, path), "seconds": time.perf_counter() - started, "workers": workers}
    if as_json:
        print_json(found)
        return
    echo(
        f"{path}: {file}: {count(found['parts_solved'])} parts solved, {count(found['parts_from_table'])} known;"
        f" {count(found['specs_solved'])} points in {found['seconds']:.1f} s, {found['table_bytes'] / 1e6:.1f} MB"
    )
