"""The lines of a package's C++ wrapper."""

from __future__ import annotations

from .package import Package, PackageArray
from .templates import filled

_POSIX = ("fcntl.h", "sys/mman.h", "sys/stat.h", "unistd.h")


def words(package: Package) -> dict[str, str]:
    """What the template has places for."""
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
        "formals": ", ".join(
            [
                *["std::int64_t m"] * (package.bound is not None),
                *["const weights &constants"] * package.is_model,
                *map(_formal, package.arrays),
            ]
        ),
        "checks": _checks(package),
        "given": ", ".join(
            [
                *["m"] * (package.bound is not None),
                *["constants.data()"] * package.is_model,
                *(f"{array.name}.data()" for array in package.arrays),
            ]
        ),
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
