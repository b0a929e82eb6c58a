"""griotte compile: a Spec in, a program, its C, its library out. Nothing is run: the target may be another
machine's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ...codegen.teams import THREADS_BY
from ...compiler.session import SearchArguments, Session, session_of
from ...support.denormals import DENORMALS
from . import options, package_options
from .output import echo, print_json, status, store
from .subject import refuse
from .subjects import Subject, subjects

THREADS = click.option(
    "--threads-by",
    default="team",
    type=options.WordChoice(*THREADS_BY),
    help="Whose threads: griotte's team, OpenMP's, or those that the caller gives  [team]",
)
FLUSH = click.option(
    "--denormals",
    default="keep",
    type=options.WordChoice(*DENORMALS),
    help="Within a call: keep them, or flush them to zero  [keep]",
)


@click.command()
@options.one_spec
@click.option("-o", "directory", metavar="DIR", help="Write kernel.c, .h, .so and .json there; with --emit, only that.")
@click.option(
    "--emit",
    type=options.WordChoice("c", "program", "so", "html"),
    help="What to write: c and program to standard output without -o.",
)
@click.option("--ort-custom-op", is_flag=True, help="Of a model: into DIR, one whose nodes are kernels in onnxruntime.")
@options.of_search(package_options.options, beside=(THREADS, FLUSH))
def compile(
    named: options.Named,
    directory: str | None,
    emit: str | None,
    ort_custom_op: bool,
    threads_by: str,
    asked: SearchArguments,
    as_json: bool,
    **package: Any,
) -> None:
    """Find the best program for SPEC, or for a model's file, and compile it."""
    (subject,) = subjects(named)
    wanted = package_options.asked(directory, emit, threads_by, package)
    session = session_of(**asked)
    by = threads_by if threads_by != "team" and not wanted.are_asked_for else None
    given = {"threads_by": by, "memory": session.memory, "weights": package["weights"]}
    subject.refuse(**given, ort_custom_op=ort_custom_op or None)
    if ort_custom_op:
        denormals = session.denormals if session.denormals != "keep" else None
        unfit = {"emit": emit, "tune": asked["tune"], "model": asked["model"], "denormals": denormals}
        refuse("a model for onnxruntime", **unfit)
        _tell({"spec": str(subject)}, "", subject.save_custom_ops(session, directory, as_json), as_json)
    elif emit is None:
        built = subject.build(session, threads_by, as_json)
        files = [] if directory is None else wanted.saved(built.save(directory, wanted), built.function)
        _tell(built.facts, built.text, files, as_json)
    else:
        _emit(subject, session, directory, emit, threads_by, as_json)


def _emit(subject: Subject, session: Session, directory: str | None, emit: str, threads_by: str, as_json: bool) -> None:
    """Write one thing of it: to standard output where it is a text and there is no directory. Nothing is run, so the
    target may be another machine's."""
    program, library, text = subject.program(session, as_json), None, ""
    content: bytes | str
    stem = Path(directory) / "kernel" if directory is not None else Path(program.function)
    if emit == "so":
        with status("compiling", as_json):
            library = program.build(threads_by, session.denormals)
        path, content = stem.with_suffix(".so"), library.path.read_bytes()
    elif emit == "html":
        path, content = stem.with_suffix(".html"), program.report.page()
    else:
        text = (program.to_c(threads_by, session.denormals) if emit == "c" else str(program)).rstrip("\n")
        path, content = stem.with_suffix(".c") if emit == "c" else stem.with_name("program.txt"), f"{text}\n"
    files = [] if text and directory is None else [store(path, content)]
    if as_json:
        subject.count(program, as_json)
    found = subject.facts(program, session, library)
    _tell(found if files else found | {emit: text}, "" if files else text, files, as_json)


def _tell(found: dict[str, Any], text: str, files: list[str], as_json: bool) -> None:
    if as_json:
        print_json(found | ({"files": files} if files else {}))
    else:
        echo("\n".join([*[text] * bool(text), *(f"wrote {name}" for name in files)]))
