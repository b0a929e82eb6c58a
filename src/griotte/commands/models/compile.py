"""griotte compile of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ... import onnx
from ...models.compiling import compiled
from ...models.tuning import program_of
from ...packaging.doors import Doors
from ...session import Session
from ...targets import runnable
from ..output import echo, print_json, status, store
from .facts import facts, headline, paragraph
from .progress import watched
from .reading import ModelFile


def compile_model(
    file: ModelFile, session: Session, directory: str | None, emit: str | None, asked: Doors, as_json: bool
) -> None:
    """Compile it; of what is emitted alone nothing is run, so the target may be another machine's."""
    if emit is not None:
        _emit(file, session, directory, emit, as_json)
        return
    runnable(session.target)
    with watched(as_json, session.table) as observer:
        kernel = compiled(file.graph, session, observer)
    files = []
    if directory is not None:
        files = asked.saved(kernel.save(directory, **vars(asked)), kernel.signature.function)
    _tell(file, facts(file, kernel.stats, session.table), files, as_json)


def save_custom_ops(file: ModelFile, session: Session, directory: str | None, as_json: bool) -> None:
    """Write it as a model whose nodes are kernels, for a plain session of onnxruntime."""
    if directory is None:
        raise click.UsageError("expected a directory for a model and its libraries, found none; add -o DIR")
    runnable(session.target)
    with watched(as_json, session.table) as observer:
        asked = session.target, session.threads, session.table, session.effort
        files = list(map(str, onnx.save_custom_ops(file.graph, directory, *asked, observer)))
    echo_or_json("\n".join(f"wrote {name}" for name in files), {"spec": str(file), "files": files}, as_json)


def _emit(file: ModelFile, session: Session, directory: str | None, emit: str, as_json: bool) -> None:
    """Write one thing of it: to standard output where it is a text and there is no directory."""
    table, denormals = session.table, session.denormals
    with watched(as_json, table) as observer:
        program = program_of(file.graph, session, observer)
    stats = program.stats | {"cost": program.cost, "threads": session.threads, "target": session.target.name}
    known, stem = facts(file, stats, table), Path(directory or ".") / ("kernel" if directory else program.function)
    if emit in ("c", "program"):
        text = program.to_c(denormals=denormals) if emit == "c" else str(program)
        if directory is None:
            echo_or_json(text.rstrip("\n"), known | {emit: text.rstrip("\n")}, as_json)
            return
        path = stem.with_suffix(".c") if emit == "c" else stem.with_name("program.txt")
        files = [store(path, text.rstrip("\n") + "\n")]
    elif emit == "so":
        with status("compiling", as_json):
            library = program.build(denormals=denormals)
        known |= facts(file, library.metadata, table)
        files = [store(stem.with_suffix(".so"), library.path.read_bytes())]
    else:
        files = [store(stem.with_suffix(".html"), program.report.page())]
    echo_or_json("\n".join(f"wrote {name}" for name in files), known | {"files": files}, as_json)


def _tell(file: ModelFile, found: dict[str, Any], files: list[str], as_json: bool) -> None:
    lines = [headline(found), "", *paragraph(found), f"compiled in {found['compile_s']:.2f} s"]
    lines += [f"wrote {name}" for name in files]
    echo_or_json("\n".join(lines), found | ({"files": files} if files else {}), as_json)


def echo_or_json(text: str, found: dict[str, Any], as_json: bool) -> None:
    """Print an object, or a text."""
    if as_json:
        print_json(found)
    else:
        echo(text)
