"""The sources of a package for several architectures, and the files that compile them. Each target's C is for its
machine alone; the files of CMake, make and pkg-config choose among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...machine.architectures import ARCHITECTURES
from . import filled
from .package import Code, Package

TEAM = "griotte_team"


class Flags(NamedTuple):
    """A compiler's flags for all files, and besides for those of targets, and for the one that chooses among them."""

    all: tuple[str, ...]
    targets: tuple[str, ...]
    chooses: tuple[str, ...]


def elsewhere(code: Code, source: str) -> str:
    """The C of a target as a file that a compiler for any machine takes."""
    if not code.condition:
        return source
    return f"{code.guarded(source).removesuffix('#endif')}#else\ntypedef int {code.function}_is_elsewhere;\n#endif\n"


def everywhere(package: Package, has_team: bool) -> list[str]:
    """The files of all machines, without suffixes."""
    return [package.name, *[TEAM] * has_team, *(code.function for code in package.codes if not code.machine)]


def cmake(package: Package, plain: Mapping[str, str], flags: Flags, has_team: bool) -> str:
    """What find_package reads."""
    words = {
        "machines": "".join(f"{_compiled(*each)}\n" for each in _anywhere(package, flags).items())
        + "".join(_machine(package, machine, flags) for machine in package.machines),
        "any": "".join(f"\n    {_path(file)}" for file in everywhere(package, has_team)),
        "flags": ";".join(flags.all),
    }
    return filled("sources.cmake", {**plain, **words})


def _names(machine: str) -> tuple[str, ...]:
    """Those that systems and compilers have for a machine, our own first."""
    return next(each.compiled.machines for each in ARCHITECTURES if machine in each.compiled.machines)


def _machine(package: Package, machine: str, flags: Flags) -> str:
    """Lines of CMake: the sources of a machine, and how each is compiled."""
    lines = [f'  if({package.name}_machine MATCHES "^({"|".join(_names(machine))})$")']
    for code in _of(package, machine):
        lines.append(f"    list(APPEND {package.name}_sources {_path(code.function)})")
        lines.append(f"  {_compiled(code.function, (*flags.targets, *code.flags))}")
    return "".join(f"{line}\n" for line in (*lines, "  endif()"))


def _path(file: str) -> str:
    return f'"${{CMAKE_CURRENT_LIST_DIR}}/{file}.c"'


def _compiled(file: str, flags: tuple[str, ...]) -> str:
    """A line of CMake: the flags of one file."""
    return f'  set_source_files_properties({_path(file)} PROPERTIES COMPILE_OPTIONS "{";".join(flags)}")'


def _anywhere(package: Package, flags: Flags) -> dict[str, tuple[str, ...]]:
    """The files of all machines that are compiled with flags of their own."""
    chooses = {package.name: flags.chooses} if flags.chooses else {}
    return chooses | {code.function: (*flags.targets, *code.flags) for code in _of(package, "")}


def make(package: Package, plain: Mapping[str, str], flags: Flags, has_team: bool) -> str:
    """What make reads."""
    words = {
        "machines": " or ".join(package.machines),
        "machine": package.machines[-1],
        "names": "\n".join(
            f"MACHINE := $(patsubst {other},{machine},$(MACHINE))"
            for machine in package.machines
            for other in _names(machine)[1:]
        ),
        "flags": " ".join(flags.all),
        "each": "\n".join(
            [
                *(f"FLAGS_{file} := {' '.join(flags)}" for file, flags in _anywhere(package, flags).items()),
                *(line for machine in package.machines for line in _made(package, machine, flags)),
            ]
        ),
        "any": " ".join(f"{file}.o" for file in everywhere(package, has_team)),
    }
    return filled("sources.mk", {**plain, **words})


def _made(package: Package, machine: str, flags: Flags) -> Iterator[str]:
    codes = _of(package, machine)
    yield f"OBJECTS_{machine} := {' '.join(f'{code.function}.o' for code in codes)}"
    for code in codes:
        yield f"FLAGS_{code.function} := {' '.join((*flags.targets, *code.flags))}"


def _of(package: Package, machine: str) -> list[Code]:
    return [code for code in package.codes if code.machine == machine]
