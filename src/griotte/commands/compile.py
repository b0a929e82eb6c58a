"""griotte compile: a Spec in, a program, its C, its library out. Nothing is run: the target may be another
machine's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..codegen.teams import THREADS_BY
from ..denormals import DENORMALS
from ..packaging.doors import Doors
from ..runtime.packages import save
from ..session import SearchArguments, session_of
from ..synthesis import program_of
from . import doors, options
from .facts import facts
from .models.compile import compile_model, save_custom_ops
from .models.reading import ModelFile, refuse
from .output import echo, print_json, status, store

BRIEF = 0.02  # share of the cost below which parts are left out; `griotte explain` shows all


@click.command()
@options.one_spec
@click.option("-o", "directory", metavar="DIR", help="Write kernel.c, .h, .so and .json there; with --emit, only that.")
@click.option(
    "--emit",
    type=options.WordChoice("c", "program", "so", "html"),
    help="What to write: c and program to standard output without -o.",
)
@click.option("--ort-custom-op", is_flag=True, help="Of a model: into DIR, one whose nodes are kernels in onnxruntime.")
@options.target
@options.threads
@click.option(
    "--threads-by",
    default="team",
    type=options.WordChoice(*THREADS_BY),
    help="Whose threads: griotte's team, OpenMP's, or those that the caller gives  [team]",
)
@click.option(
    "--denormals",
    default="keep",
    type=options.WordChoice(*DENORMALS),
    help="Within a call: keep them, or flush them to zero  [keep]",
)
@options.table
@options.memory
@options.effort
@options.math
@options.tune
@options.model
@options.shapes
@options.constants
@doors.options
@options.as_json
@options.gathered
def compile(
    spec: str,
    directory: str | None,
    emit: str | None,
    ort_custom_op: bool,
    threads_by: str,
    asked: SearchArguments,
    shapes: tuple[str, ...],
    constants: tuple[str, ...],
    as_json: bool,
    **package: Any,
) -> None:
    """Find the best program for SPEC, or for a model's file, and compile it."""
    (parsed,) = options.parse_all((spec,), shapes, constants)
    wanted = doors.asked(directory, emit, threads_by, **package)
    session = session_of(**asked)
    if isinstance(parsed, ModelFile):
        by = threads_by if threads_by != "team" and not wanted.are_asked_for else None
        refuse("a model", threads_by=by, memory=session.memory)
        if ort_custom_op:
            denormals = session.denormals if session.denormals != "keep" else None
            unfit = {"emit": emit, "tune": asked["tune"], "model": asked["model"], "denormals": denormals}
            refuse("a model for onnxruntime", **unfit)
            save_custom_ops(parsed, session, directory, as_json)
        else:
            compile_model(parsed, session, directory, emit, wanted, as_json)
        return
    refuse("a Spec", weights=package["weights"], ort_custom_op=ort_custom_op or None)
    with status("searching", as_json):
        program = program_of(parsed, session)
    library = None
    if emit in (None, "so"):
        with status("compiling", as_json):
            library = program.build(threads_by, session.denormals)
    if as_json:
        program.count()
    text, files = _written(program, library, emit, directory, wanted, session.denormals)
    if as_json:
        print_json(
            {
                **facts(program, library),
                **({emit: text} if emit is not None and text is not None else {}),
                **({"files": files} if files else {}),
            }
        )
    elif text is not None:
        echo(text)
    else:
        if library is not None and emit is None:
            echo(program.report.text(BRIEF))
            echo(f"compiled in {library.metadata['compile_s']:.2f} s")
        for name in files:
            echo(f"wrote {name}")


def _written(
    program, library, emit: str | None, directory: str | None, asked: Doors, denormals: str
) -> tuple[str | None, list[str]]:
    """(text for standard output, files written)."""
    if emit is None:
        if directory is None:
            return None, []
        return None, asked.saved(save(library, directory, asked), library.signature.function)
    if emit in ("c", "program"):
        text = program.to_c(asked.threads_by, denormals) if emit == "c" else str(program)
        if directory is None:
            return text.rstrip("\n"), []
        return None, [
            store(Path(directory) / {"c": "kernel.c", "program": "program.txt"}[emit], text.rstrip("\n") + "\n")
        ]
    stem = Path(directory) / "kernel" if directory is not None else Path(program.function)
    if emit == "so":
        return None, [store(stem.with_suffix(".so"), library.path.read_bytes())]
    return None, [store(stem.with_suffix(".html"), program.report.page())]
