"""The files of a package, each a template whose places are filled."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from ...codegen.header import FORM
from ...codegen.teams import OPENMP, TEAM
from ...engine.vectors.text import in_comment
from . import dispatch, header, wrapper
from .package import Package
from .templates import filled

VERSION = f"{FORM}.0"


@dataclass(frozen=True)
class _Found:
    """How build systems find what else is to be linked, by whose threads calls run."""

    dependencies: tuple[str, ...] = ()  # lines of CMake
    linked: tuple[str, ...] = ("m",)
    libs: str = "-lm"


_FOUND = {
    "": _Found(),
    TEAM: _Found(
        ("  include(CMakeFindDependencyMacro)", "  find_dependency(Threads)"), ("Threads::Threads", "m"), "-pthread -lm"
    ),
    OPENMP: _Found((), ("-fopenmp", "m"), "-fopenmp -lm"),  # FindOpenMP asks for C, which a project may lack
}


def dispatcher(package: Package) -> str:
    """The C that chooses among targets; it includes the header."""
    return filled("dispatch.c", {**_plain(package), **dispatch.words(package), "formals": ", ".join(package.formals)})


def texts(package: Package, cmake: bool, pkgconfig: bool) -> Iterator[tuple[str, str]]:
    """The names and the texts of all files but libraries: header and C++ wrapper, and what build systems read."""
    plain, name = _plain(package), package.name
    declared = plain | header.words(package) | {"formals": ", ".join(package.formals)}
    number = header.abi(package, filled("header.h", declared | {"abi": ""}))
    yield f"{name}.h", filled("header.h", declared | {"abi": number})
    yield f"{name}.hpp", filled("wrapper.hpp", plain | wrapper.words(package))
    found = _FOUND.get(package.threads_by, _FOUND[""])
    if cmake:
        words = {"dependencies": "".join(f"{line}\n" for line in found.dependencies), "linked": ";".join(found.linked)}
        yield f"{name}Config.cmake", filled("config.cmake", plain | words)
        words = {"version": VERSION, "major": f"{FORM}", "pointer": f"{struct.calcsize('P')}"}
        yield f"{name}ConfigVersion.cmake", filled("version.cmake", plain | words)
    if pkgconfig:
        yield f"{name}.pc", filled("package.pc", plain | {"version": VERSION, "libs": found.libs})


def _plain(package: Package) -> dict[str, str]:
    return {
        "name": package.name,
        "NAME": package.upper,
        "title": in_comment(package.title),
        "targets": package.targets,
    }
