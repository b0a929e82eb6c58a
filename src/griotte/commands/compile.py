"""griotte compile: a Spec in, a program, its C, its library out. Nothing is run: the target may be another
machine's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..codegen.teams import THREADS_BY
from ..errors import ToolchainError
from . import options
from .output import echo, facts, print_json, status

BRIEF = 0.02  # share of the cost below which parts are left out; `griotte explain` shows all


@click.command()
@options.one_spec
@click.option("-o", "directory", metavar="DIR", help="Write kernel.c, .h, .so and .json there; with --emit, only that.")
@click.option(
    "--emit",
    type=options.WordChoice("c", "program", "so", "html"),
    help="What to write: c and program to standard output without -o.",
)
@options.target
@options.threads
@click.option(
    "--threads-by",
    default="team",
    type=options.WordChoice(*THREADS_BY),
    help="Whose threads: griotte's team, OpenMP's, or those that the caller gives  [team]",
)
@options.table
@options.memory
@options.effort
@options.tune
@options.as_json
def compile(
    spec: str,
    directory: str | None,
    emit: str | None,
    target: str,
    threads: int,
    threads_by: str,
    table: str | None,
    memory: str | None,
    effort: int,
    tune: int | None,
    as_json: bool,
) -> None:
    """Find the best program for SPEC and compile it."""
    from ..runtime.leaves import resolved
    from ..synthesis import synthesize

    (parsed,) = options.parse_all((spec,))
    goal = resolved(target)
    with status("searching", as_json):
        program = synthesize(parsed, goal, threads, table, memory, tune, effort)
    library = None
    if emit in (None, "so"):
        with status("compiling", as_json):
            library = program.build(threads_by)
    if as_json:
        program.count()
    text, files = _written(program, library, emit, directory, threads_by)
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
            from ..report.explain import explain

            echo(explain(program, least=BRIEF))
            echo(f"compiled in {library.metadata['compile_s']:.2f} s")
        for name in files:
            echo(f"wrote {name}")


def _written(
    program, library, emit: str | None, directory: str | None, threads_by: str
) -> tuple[str | None, list[str]]:
    """(text for standard output, files written)."""
    if emit is None:
        files = (
            sorted(str(path) for path in library.save(directory).iterdir() if path.stem == "kernel")
            if directory is not None
            else []
        )
        return None, files
    if emit in ("c", "program"):
        text = program.to_c(threads_by) if emit == "c" else str(program)
        if directory is None:
            return text.rstrip("\n"), []
        return None, [
            _store(Path(directory) / {"c": "kernel.c", "program": "program.txt"}[emit], text.rstrip("\n") + "\n")
        ]
    stem = Path(directory) / "kernel" if directory is not None else Path(program.function)
    if emit == "so":
        return None, [_store(stem.with_suffix(".so"), library.path.read_bytes())]
    from ..report.html import page

    return None, [_store(stem.with_suffix(".html"), page(program))]


def _store(path: Path, content: Any) -> str:
    from ..runtime.cache import write_atomically

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, content if isinstance(content, bytes) else content.encode())
    except OSError as error:
        raise ToolchainError(
            f"expected to write {path}, found {error.strerror or error}; name a directory that can be written with -o"
        ) from None
    return str(path)
