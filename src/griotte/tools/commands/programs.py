"""griotte compile, explain, check and bench: the verbs on SPEC arguments, be they Specs or models."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ...codegen.teams import THREADS_BY
from ...compiler.reports.html import write
from ...compiler.reports.tree import side_by_side
from ...compiler.session import SearchArguments, Session, session_of, target_of
from ...machine import runnable
from ...runtime.packaging.package import WEIGHTS_IN, PackageOptions
from ...support.errors import SpecError
from ...support.floats import DENORMALS
from . import options, reading
from .models import ModelSubject
from .output import echo, for_each, print_json, show, status, store, wants_json
from .specs import SpecSubject
from .subject import BenchOptions, Subject, refuse

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
    help="Kept, or flushed to zero, in a call  [keep]",
)
PACKAGE = (
    click.option("--name", metavar="NAME", help="With -o a package for C and C++ as well."),
    click.option("--cmake", is_flag=True, help="The same, for CMake's find_package."),
    click.option("--pkgconfig", is_flag=True, help="The same, for pkg-config."),
    click.option("--targets", metavar="T,..", help="The same, for each of these targets."),
    click.option("--weights", type=options.WordChoice(*WEIGHTS_IN), help="Where it has a model's constants  [file]"),
    click.option("--wheel", metavar="NAME", help="With -o a wheel that runs it by NumPy alone as well."),
)
"""Options that add files to a kernel's own: a package for C and C++ programs, a wheel."""


def subjects(named: options.Named) -> list[Subject]:
    """What SPEC arguments name; all are read before any is worked on."""
    found = reading.parse_all(*named)
    return [ModelSubject(each) if isinstance(each, reading.ModelFile) else SpecSubject(each) for each in found]


@click.command()
@options.one_spec
@click.option("-o", "directory", metavar="DIR", help="Write kernel.c, .h, .so and .json there; with --emit, only that.")
@click.option(
    "--emit",
    type=options.WordChoice("c", "program", "so", "html"),
    help="What to write: c and program to standard output without -o.",
)
@click.option("--ort-custom-op", is_flag=True, help="Of a model: into DIR, one whose nodes are kernels in onnxruntime.")
@options.of_search(*PACKAGE, beside=(THREADS, FLUSH))
def compile(
    named: options.Named,
    directory: str | None,
    emit: str | None,
    ort_custom_op: bool,
    threads_by: str,
    asked: SearchArguments,
    **package: Any,
) -> None:
    """Find the best program for SPEC, or for a model's file, and compile it."""
    (subject,) = subjects(named)
    wanted = _package(directory, emit, threads_by, package)
    session = session_of(**asked)
    by = threads_by if threads_by != "team" and not wanted.are_asked_for else None
    given = {"threads_by": by, "memory": session.memory, "weights": package["weights"]}
    subject.refuse(**given, ort_custom_op=ort_custom_op or None)
    if ort_custom_op:
        denormals = session.denormals if session.denormals != "keep" else None
        unfit = {
            "emit": emit,
            "tune": asked["tune"],
            "tune_seconds": asked["tune_seconds"],
            "model": asked["model"],
            "denormals": denormals,
        }
        refuse("a model for onnxruntime", **unfit)
        _tell({"spec": str(subject)}, "", subject.save_custom_ops(session, directory))
    elif emit is None:
        built = subject.build(session, threads_by)
        files = [] if directory is None else wanted.saved(built.save(directory, wanted), built.function)
        _tell(built.facts, built.text, files)
    else:
        _emit(subject, session, directory, emit, threads_by)


def _emit(subject: Subject, session: Session, directory: str | None, emit: str, threads_by: str) -> None:
    """Write one thing of it: to standard output where it is a text and there is no directory. Nothing is run, so the
    target may be another machine's."""
    program, library, text = subject.program(session), None, ""
    content: bytes | str
    stem = Path(directory) / "kernel" if directory is not None else Path(program.function)
    if emit == "so":
        with status("compiling"):
            library = program.build(threads_by, session.denormals)
        path, content = stem.with_suffix(".so"), library.path.read_bytes()
    elif emit == "html":
        path, content = stem.with_suffix(".html"), program.report.page()
    else:
        text = (program.to_c(threads_by, session.denormals) if emit == "c" else str(program)).rstrip("\n")
        path, content = stem.with_suffix(".c") if emit == "c" else stem.with_name("program.txt"), f"{text}\n"
    files = [] if text and directory is None else [store(path, content)]
    if wants_json():
        subject.count(program)
    found = subject.facts(program, session, library)
    _tell(found if files else found | {emit: text}, "" if files else text, files)


def _tell(found: dict[str, Any], text: str, files: list[str]) -> None:
    lines = [*[text] * bool(text), *(f"wrote {name}" for name in files)]
    show(found | ({"files": files} if files else {}), "\n".join(lines))


def _package(directory: str | None, emit: str | None, threads_by: str, package: dict[str, Any]) -> PackageOptions:
    """The package that is asked for by these options, if one is."""
    targets, weights = package["targets"], package["weights"]
    names = [each.strip() for each in targets.split(",")] if targets is not None else None
    found = PackageOptions(**package | {"targets": names}, threads_by=threads_by)
    if (found.are_asked_for or found.wheel is not None) and (directory is None or emit is not None):
        raise SpecError(
            f"expected -o DIR and no --emit beside --name, --cmake, --pkgconfig, --targets and --wheel, found"
            f" {'no -o' if directory is None else f'--emit {emit}'}; say where the package goes"
        )
    if weights is not None and not found.are_asked_for:
        raise SpecError("expected --name, --cmake, --pkgconfig or --targets beside --weights, found none; add one")
    return found


@dataclass(frozen=True)
class Shown:
    """The options of `griotte explain`: what it shows beside a report, and where it writes that."""

    alternatives: int | None
    html: str | None
    picture: str | None
    prefetch: bool
    measure: bool
    part: int | None


@click.command()
@options.one_spec
@click.option(
    "--alternatives", metavar="K", type=options.Count(1, 1000), help="Also the K cheapest programs, the best first."
)
@click.option("--html", metavar="FILE", help="Write it as a page, with the graph drawn.")
@click.option("--picture", metavar="FILE", help="Draw the graph: FILE.svg or FILE.png.")
@click.option("--prefetch", is_flag=True, help="Also what each leaf asks for before it needs it.")
@click.option("--measure", is_flag=True, help="Of a model: also what each part takes on this machine.")
@click.option("--part", metavar="N", type=options.Count(1, 10**6), help="Of a model: also the program of part N.")
@options.of_search()
@options.as_one("shown", Shown)
def explain(named: options.Named, shown: Shown, asked: SearchArguments) -> None:
    """Show the best program for SPEC, or for a model's file, and what each part of it costs."""
    (subject,) = subjects(named)
    session, part = session_of(**asked), shown.part
    subject.refuse(**vars(shown), memory=session.memory)
    if shown.measure:
        runnable(session.target)
    program: Any = subject.program(session)
    if part is not None and part > len(program.parts):
        raise SpecError(f"expected a part from 1 to {len(program.parts)} for --part, found {part}; write one of them")
    subject.count(program)
    report = subject.report(program, shown.measure)
    found = program.alternatives(shown.alternatives, session.tuning.model) if shown.alternatives else []
    if shown.html is not None:
        write(shown.html, report.page(found).encode())
    if shown.picture is not None:
        report.draw(shown.picture)
    files = [path for path in (shown.html, shown.picture) if path is not None]
    if wants_json():
        more: dict[str, Any] = {"alternatives": [_alternative(p) for p in found]} if found else {}
        more |= {"prefetch": program.requests()} if shown.prefetch else {}
        more |= {"files": files} if files else {}
        print_json(subject.facts(program, session) | {"explanation": report.text()} | subject.explained(report) | more)
        return
    echo(report.text())
    if part is not None:
        echo(f"\n{report.part(part)}")
    if shown.prefetch:
        echo(f"\n{program.requests()}")
    if found:
        echo("\n".join(["", *side_by_side(found)]))
    if files:
        echo(f"\nwrote {' and '.join(files)}")


def _alternative(program) -> dict:
    told = program.stats.get("model")
    predicted = {"predicted": told["predicted"], "uncertainty": told["uncertainty"]} if told else {}
    return {"cost": program.cost, **predicted, "program": str(program)}


@click.command()
@options.specs
@click.option("--seed", default=0, type=options.Count(0, 2**32 - 1), help="Of the data  [0]")
@options.of_search(options.host, timed=False)
def check(named: options.Named, seed: int, asked: SearchArguments, host: str | None) -> None:
    """Compile each SPEC and compare its results with the reference, on random, whole-number and hostile data.

    One with a dynamic size is run at several sizes, the bound among them. Of a
    model onnx's reference and onnxruntime are asked too, where they are installed.
    Exit status 1 where a result is wrong.
    """
    session = session_of(**asked)
    runnable(session.target)

    def one(subject: Subject) -> dict[str, Any]:
        subject.refuse(memory=session.memory, host=host)
        return subject.check(session, seed, host)

    for_each(subjects(named), one, lambda subject, result: subject.show_check(result))


@click.command()
@options.specs
@click.option(
    "--against",
    metavar="NAMES",
    help="Of numpy, torch, naive, peak, none; commas between  [numpy]; of a model: onnxruntime, openvino, none"
    "  [onnxruntime]",
)
@click.option("--seconds", default=1.0, type=options.Count(0.05, 600, float), help="For each contestant  [1]")
@click.option("--size", type=options.Count(1, 2**62), help="Of a dynamic size  [its bound]")
@options.of_search(options.host)
@options.as_one("how", BenchOptions)
def bench(named: options.Named, against: str | None, how: BenchOptions, asked: SearchArguments) -> None:
    """Time each SPEC's kernel, or that of a model's file, beside others.

    All run in turns, in one process, on the same data and threads. The rival numpy
    computes bf16 and f16 from f32 copies made ahead. The rival naive is a plain loop
    nest in C on one thread. The line of peak is of multiply-adds in registers, and
    of a sum over the same bytes.
    A const input is packed ahead for griotte; the others take it as it is.
    Exit status 1 where the kernel's result is wrong.
    """
    found = subjects(named)
    names = {subject: subject.contestants(against) for subject in found}
    asked["target"] = runnable(target_of(asked["target"], asked.pop("math")))

    def one(subject: Subject) -> dict[str, Any]:
        subject.refuse(memory=asked["memory"], host=how.host)
        return subject.bench(session_of(**asked), names[subject], how)

    for_each(found, one, lambda subject, result: subject.show_bench(result))
