"""The lines of a package's header."""

from __future__ import annotations

from collections.abc import Iterable

from ...codegen.emit import lying
from ...codegen.header import SHARE_BY, comment, number, rules
from ...codegen.teams import HOST, given_host
from ...engine.vectors.text import in_comment
from .package import Package, PackageArray

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


def words(package: Package) -> dict[str, str]:
    """What the template has places for; the number of the header is of all lines but comments."""
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


def abi(package: Package, header: str) -> str:
    """The number of a header, as C: of what it declares, whatever comments say, and of the targets."""
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
