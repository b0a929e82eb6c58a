"""griotte targets and doctor: the names that --target takes; the features of this machine, missing parts, and how to
get them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from ...engine import search
from ...machine import HIDE, NAMES, best, description, detect, known_features, measured, named, places, runs_here
from ...machine.architectures import architecture_of
from ...runtime.cache_size import usage
from ...runtime.calibrate import turns, unasked
from ...runtime.compilers import find_compiler
from ...runtime.direct_calls import is_direct
from ...runtime.leaves import stale
from ...support.errors import ToolchainError
from ...support.folders import cache_dir, has_place, instead, takes_code, unwritable
from ...support.inner_loops import kept_in
from . import options
from .output import show, size


@click.command()
@options.as_json
def targets() -> None:
    """List the targets by name, and whether this CPU runs them."""
    rows = [_row(named(name), runs_here(named(name))) for name in NAMES]
    lines = [
        f"{row['target']:10}{'runs here' if row['runs_here'] else 'not here':11}{row['vector_bytes']:3}-byte vectors,"
        f" {row['registers']} registers; {row['levels']}\n{'':10}kernels: {' '.join(row['kernels'])}"
        for row in rows
    ]
    show({"targets": rows}, "\n".join([*lines, "or a .toml file that describes a machine"]))


def _row(target, here: bool) -> dict[str, Any]:
    levels = " ".join(f"{level.name} {size(level.capacity)}" for level in target.levels[1:] if level.capacity)
    return {
        "target": target.name, "runs_here": here, "vector_bytes": target.vector_bytes, "registers": target.registers,
        "levels": levels, "features": sorted(target.features), "kernels": [k.name for k in target.kernels],
    }  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """One line of the report. `ok` False: griotte cannot run kernels; None: it can, but something is worth doing."""

    name: str
    ok: bool | None
    found: str
    do: str = ""


@click.command()
@options.target
@options.as_json
def doctor(target: str) -> None:
    """Look at this machine: compiler, CPU, caches, files.

    Of a target file: whether the leaves that were measured are of this compiler.
    Exit status 2 where something that griotte cannot do without is missing.
    """
    findings = list(examine(target))
    ok = all(f.ok is not False for f in findings)
    marks = {True: "ok  ", None: "note", False: "MISS"}
    lines = [f"{marks[f.ok]} {f.name:<11}{f.found}" + (f"\n{'':16}-> {f.do}" if f.do else "") for f in findings]
    show({"ok": ok, "findings": [asdict(f) for f in findings]}, "\n".join(lines))
    sys.exit(0 if ok else 2)


def examine(target: str = "native") -> Iterator[Finding]:
    yield from _compiler()
    yield from _machine()
    yield _leaves(_as_written(target))
    yield _calls()
    yield _cache()
    yield _search()


def _compiler() -> Iterator[Finding]:
    try:
        compiler = find_compiler()
    except ToolchainError as error:
        what, _, do = str(error).rpartition("; ")
        yield Finding("compiler", False, what, do)
        return
    yield Finding("compiler", True, f"{compiler.version} ({' '.join(compiler.command)})")


def _machine() -> Iterator[Finding]:
    machine, native = detect(), named("native")
    yield Finding("CPU", True, f"{machine.name}, {machine.cores} core{'s' * (machine.cores > 1)} for this process")
    wanted = sorted(known_features() & machine.flags)
    yield Finding("features", True, " ".join(wanted) or "none that griotte uses: plain C")
    if machine.hidden:
        yield Finding(
            "hidden",
            None,
            f"{' '.join(sorted(machine.hidden))}, by {HIDE}={os.environ[HIDE]}",
            f"unset {HIDE} to use them",
        )
    yield _caches(machine)
    yield Finding(
        "target", runs_here(native), f"native: {native.vector_bytes}-byte vectors, {native.registers} registers"
    )
    yield _prices(machine, native)
    yield from _unasked(machine)
    if (architecture := architecture_of(native.features)) and architecture.tried:
        yield Finding(
            "run",
            None,
            f"kernels of {native.name} were run {architecture.tried}, never on a machine like this",
            "griotte calibrate -o here.toml --check times twelve programs beside their prices",
        )


def _caches(machine) -> Finding:
    """What caches there are; those whose size the system does not tell are as their maker says, or a guess."""
    found = ", ".join(f"L{level} {size(count)}" for level, count in sorted(machine.caches.items()))
    if not machine.assumed:
        return Finding("caches", True, found)
    levels = " and ".join(f"L{level}" for level in sorted(machine.assumed))
    return Finding(
        "caches",
        None,
        f"{found}; of {levels} the system tells nothing: as makers say of such a core, or a guess",
        "griotte calibrate -o here.toml measures them; then --target here.toml",
    )


def _prices(machine, native) -> Finding:
    """Which known machine `native` is priced as, how far this machine is from it, and how to have this machine's
    prices."""
    like = measured.nearest(machine, native.vector_bytes)
    same = "no difference known" if like.by_hand else "same model, caches and clock"
    if like.when and like.path is not None:
        same += f", on {like.when}: {like.path}"
    kind = ", a core of the same kind" if like.is_kin(machine) and not like.is_of(machine) else ""
    found = f"{like.source} machine {like.name}{kind}: {', '.join(like.apart(machine)) or same}"
    return Finding(
        "prices",
        True if like.is_of(machine) else None,
        found,
        "griotte calibrate -o here.toml measures this machine in half a minute; then --target here.toml",
    )


def _unasked(machine) -> Iterator[Finding]:
    """Whether this machine, which no file fits, is measured without being asked."""
    if unasked.is_fitted(machine):
        return
    said, seconds = unasked.reason(places.word()), turns.kept_rounds(places.fingerprint(machine, best(machine)))[1]
    found = f"no file fits this machine; it is not measured unasked: {said}"
    if not said:
        found = "no file fits this machine; the first search that finds it quiet measures it, some 5 s"
    if seconds:
        found += f"; {seconds:.1f} s of quiet turns so far, of {turns.ENOUGH_S:g}"
    do = f"{places.CALIBRATE}=now measures it before the next search; griotte calibrate --share, for others"
    yield Finding("measured", None, found, do)


def _as_written(name: str):
    """The target with the leaves that it has been given, those of another compiler too."""
    return named(name) if name in NAMES else description.load(Path(name))


def _leaves(target) -> Finding:
    """Whether tiles of registers are priced as they were measured, and where they are not for what reason."""
    if target.leaves is None:
        return Finding(
            "leaves",
            True,
            "priced by the ports: no tile of registers was measured",
            "griotte calibrate -o here.toml measures those of products",
        )
    if why := stale(target):
        return Finding(
            "leaves",
            None,
            f"priced by the ports: those that were measured are {why}",
            "griotte calibrate -o here.toml measures them anew",
        )
    return Finding(
        "leaves",
        True,
        f"{sum(len(form.tiles) for form in target.leaves.forms)} tiles of registers as they were measured, by this"
        " compiler, of this C",
    )


def _calls() -> Finding:
    if is_direct():
        return Finding("calls", True, "a kernel bound to its arrays enters C directly")
    return Finding(
        "calls",
        None,
        "a kernel bound to its arrays enters C through cffi: 0.2 us a call more",
        "use CPython with an interpreter lock, and a C compiler",
    )


def _cache() -> Finding:
    if not has_place():
        return _elsewhere("no home directory and no GRIOTTE_CACHE", instead())
    folder = cache_dir()
    if error := unwritable(folder / "kernels"):
        return _elsewhere(f"{folder}: {error.strerror or error}", instead())
    if not takes_code(folder):
        return _elsewhere(f"{folder} is mounted noexec", instead())
    try:
        held = usage()
    except ToolchainError as error:
        what, _, do = str(error).rpartition("; ")
        return Finding("cache", None, what, do)
    kernels = len(list((folder / "kernels").glob("*.so")))
    return Finding(
        "cache",
        True,
        f"{folder}: {size(held.bytes)} of {size(held.limit)}: solved Specs {size(held.tables)}, {kernels} kernels"
        f" {size(held.kernels)}",
    )


def _elsewhere(why: str, place: str) -> Finding:
    return Finding(
        "cache",
        None,
        f"{why}; what is compiled is kept in {place}",
        "set GRIOTTE_CACHE to a directory that can be written",
    )


def _search() -> Finding:
    """Numba keeps the search's machine code beside its source, or in NUMBA_CACHE_DIR; see inner_loops.py."""
    folder = kept_in(Path(search.__file__).parent)
    if folder is None:
        return Finding(
            "search",
            None,
            "no place for its code: compiled anew in every process",
            "set NUMBA_CACHE_DIR or GRIOTTE_CACHE to a directory that can be written",
        )
    if any(folder.rglob("kernels.*.nbi")):
        return Finding("search", True, f"compiled, in {folder}")
    if os.access(folder if folder.exists() else folder.parent, os.W_OK):
        return Finding(
            "search",
            None,
            f"not compiled yet, in {folder}: the first Spec takes some seconds more",
            "run any compile once",
        )
    return Finding(
        "search",
        None,
        f"cannot be kept in {folder}: compiled anew in every process",
        "set NUMBA_CACHE_DIR to a directory that can be written",
    )
