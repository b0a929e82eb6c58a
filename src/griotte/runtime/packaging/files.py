"""The texts of a package: header, C++ wrapper, files for build systems. Each is a template whose places are filled."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...codegen.emit import lying
from ...codegen.header import FORM, SHARE_BY, comment, number, rules
from ...codegen.teams import HOST, OPENMP, TEAM, given_host
from ...engine.vectors.text import in_comment
from . import filled, sources
from .package import Package, PackageArray

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


def texts(package: Package, cmake: bool, pkgconfig: bool, flags: sources.Flags) -> Iterator[tuple[str, str]]:
    """The names and the texts of all files but libraries: header and C++ wrapper, and what build systems read."""
    plain, name = plain_words(package), package.name
    declared = plain | _declared(package) | {"formals": ", ".join(package.formals)}
    number = _abi(package, filled("header.h", declared | {"abi": ""}))
    yield f"{name}.h", filled("header.h", declared | {"abi": number})
    yield f"{name}.hpp", filled("wrapper.hpp", plain | _wrapped(package))
    found, has_team = _FOUND.get(package.threads_by, _FOUND[""]), package.threads_by == TEAM
    if cmake:
        words = {"dependencies": "".join(f"{line}\n" for line in found.dependencies), "linked": ";".join(found.linked)}
        built = sources.cmake(package, plain | words, flags, has_team) if package.machines else ""
        yield f"{name}Config.cmake", built or filled("config.cmake", plain | words)
        words = {"version": VERSION, "major": f"{FORM}", "pointer": f"{struct.calcsize('P')}"}
        yield f"{name}ConfigVersion.cmake", filled("version.cmake", plain | words)
    if pkgconfig:
        folder = "${prefix}/${machine}" if package.machines else "${prefix}"
        machine = f"machine={package.machines[0]}\n" if package.machines else ""
        words = {"version": VERSION, "libs": found.libs, "folder": folder, "machine": machine}
        yield f"{name}.pc", filled("package.pc", plain | words)
    if package.machines:
        yield f"{name}.mk", sources.make(package, plain, flags, has_team)


def plain_words(package: Package) -> dict[str, str]:
    """The words that most templates have places for."""
    return {
        "name": package.name,
        "NAME": package.upper,
        "title": in_comment(package.title),
        "targets": package.targets,
    }


_PACKED = (
    "Constants that a call takes packed: NAME_pack_x makes of x what calls read, once, and returns a status.",
    "What it makes differs from target to target: pack anew after NAME_choose. Of PACKED_BYTES, best on a line of 64"
    " bytes.",
)
_WEIGHTS = (
    "weights: a model's constants, packed for the target that runs, of NAME_weights_bytes(), WEIGHTS_BYTES at most.",
    "NAME_weights() is where the library has them, which a call takes for NULL; or it is NULL, and they are in the file"
    " NAME_weights_file() beside the library, to be mapped, or read to a line of 64 bytes.",
)
OF_WEIGHTS = (
    "size_t NAME_weights_bytes(void)",
    "const char *NAME_weights_file(void)",
    "const void *NAME_weights(void)",
)
"""The functions of a model's constants."""


def _declared(package: Package) -> dict[str, str]:
    """The words of a header."""
    return {
        "needs": "\n".join(f" *   {code.target}: {', '.join(code.needs) or 'none'}" for code in package.codes),
        "rules": rules(package.threads_by, package.threads, package.thread_bytes),
        "thread_bytes": f"{package.thread_bytes}",
        "of_largest": "" if package.bound is None else f", of the largest m, {package.upper}_M",
        "sizes": _sizes(package),
        "packing": _packing(package),
        "weights": _weights(package),
        "sharing": _sharing(package),
        "called": _called(package),
    }


def _abi(package: Package, header: str) -> str:
    """The number of a header's declarations (whatever comments say) and of the targets, as C."""
    declared = [line for line in header.splitlines() if not line.startswith(("/*", " *"))]
    return f"{number([package.targets, *declared]):#x}u"


def pack(package: Package, array: PackageArray) -> str:
    """The prototype of the function that packs a constant."""
    return f"int {package.name}_pack_{array.name}(const {array.scalar} *{array.name}, void *packed_{array.name})"


def of_weights(package: Package) -> list[str]:
    """The prototypes of the functions of a model's constants."""
    return [prototype.replace("NAME", package.name) for prototype in OF_WEIGHTS]


def _sizes(package: Package) -> str:
    rows = [
        (f"#define {package.upper}_{array.name.upper()}_BYTES {array.bytes}", in_comment(array.type))
        for array in package.arrays
    ]
    width = max(len(size) for size, _ in rows)
    found = [f"{size:<{width}} /* {type} */" for size, type in rows]
    return "\n".join([*found, *[f"#define {package.upper}_M {package.bound}"] * (package.bound is not None)])


def _packing(package: Package) -> str:
    found = [_told(package, _PACKED)] * bool(package.packed)
    for array in package.packed:
        size = f"#define {package.upper}_{array.name.upper()}_PACKED_BYTES {package.packed_bytes(array)}"
        found += [size, f"{pack(package, array)};"]
    return _block(found)


def _weights(package: Package) -> str:
    if not package.is_model:
        return ""
    size = f"#define {package.upper}_WEIGHTS_BYTES {package.weights}"
    return _block([_told(package, _WEIGHTS), size, *(f"{prototype};" for prototype in of_weights(package))])


def _sharing(package: Package) -> str:
    return _block([comment(SHARE_BY), f"{given_host(package.name)[0]};"] * (package.threads_by == HOST))


def _called(package: Package) -> str:
    if package.bound is None:
        return "/* The call. */"
    apart = [array.name for array in package.arrays if array.is_pitched]
    bound = f"{package.upper}_M"
    return comment(f"The call, of the dynamic size m, {package.least} to {bound}.{lying(apart, bound)}")


def _told(package: Package, sentences: Iterable[str]) -> str:
    return comment(*(sentence.replace("NAME", package.name) for sentence in sentences))


def _block(found: list[str]) -> str:
    """Lines after an empty one; nothing where there are none."""
    return "".join(f"\n{line}" for line in found) + "\n" * bool(found)


_POSIX = ("fcntl.h", "sys/mman.h", "sys/stat.h", "unistd.h")


def _wrapped(package: Package) -> dict[str, str]:
    """The words of a C++ wrapper."""
    plain = {"name": package.name, "NAME": package.upper}
    owners = [
        filled(
            "owner.hpp",
            plain | {"x": array.name, "X": array.name.upper(), "scalar": array.scalar, "elements": f"{array.elements}"},
        )
        for array in package.packed
    ]
    owners += [filled("weights.hpp", plain)] * package.is_model
    return {
        "includes": "".join(f"#include <{header}>\n" for header in _POSIX) if package.is_model else "",
        "owners": "\n".join(owners),
        "called": f"/// A call. {package.title}".rstrip(),
        "formals": ", ".join(package.arguments("std::int64_t m", "const weights &constants", _formal)),
        "checks": _checks(package),
        "given": ", ".join(package.arguments("m", "constants.data()", lambda array: f"{array.name}.data()")),
    }


def _formal(array: PackageArray) -> str:
    """An argument of the C++ call; of a dynamic size a span of any."""
    if array.is_packed:
        return f"const packed_{array.name} &{array.name}"
    scalar = array.scalar if array.is_output else f"const {array.scalar}"
    return f"std::span<{scalar}{'' if array.dynamic else f', {array.elements}'}> {array.name}"


def _checks(package: Package) -> str:
    """What spans of a dynamic size must have."""
    if package.bound is None:
        return ""
    found = [
        f"    checked(m < {package.least} || m > {package.upper}_M ? {package.upper}_BAD_SIZE : {package.upper}_OK);\n"
    ]
    for array in package.arrays:
        if array.dynamic:
            found.append(
                f"    if ({array.name}.size() < {array.needed})\n"
                f"        throw failure({package.upper}_BAD_SIZE,"
                f' "{package.name}: expected more elements in {array.name}");\n'
            )
    return "".join(found)
