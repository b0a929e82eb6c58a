"""The C of a package that chooses among its targets when it runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...codegen.teams import HOST, TEAM, given_host, share_out, sharing
from . import filled
from .files import of_weights, pack, plain_words
from .package import Code, Package, PackageArray


def dispatcher(package: Package) -> str:
    """The C that chooses among targets; it includes the header."""
    codes = package.codes
    words = {
        "formals": ", ".join(package.formals),
        "declared": "\n".join(f"{prototype};" for code in codes for prototype in _declared(package, code)),
        "count": f"{len(codes)}",
        "target_names": ", ".join(f'"{code.target}"' for code in codes),
        "checks": _cases(codes, lambda n, code: f"case {n}: return {code.function}_check();"),
        "sharing": _sharing(package),
        "packing": filled("mark.c", {"form": f"{package.form:#x}u"}) * bool(package.packed)
        + "".join(_pack(package, array) for array in package.packed),
        "weights": _weights(package) if package.is_model else "",
        "guards": "".join(
            f"    if ({test})\n        return {package.upper}_{status};\n" for test, status in _guards(package)
        ),
        "calls": _cases(codes, lambda n, code: f"case {n + 1}: {code.function}({', '.join(package.given)}); break;"),
    }
    return filled("dispatch.c", plain_words(package) | words)


def shared_by(package: Package) -> str:
    """The function that runs the shares of all targets."""
    return "griotte_share_out" if package.threads_by in ("", TEAM) else f"{package.name}_share_out"


def embedded(code: Code) -> str:
    """The name of a target's constants within the library."""
    return f"{code.function}_weights"


def _declared(package: Package, code: Code) -> list[str]:
    """The functions of a target; a constant that it does not pack it takes as given."""
    packs = [
        f"void {packed.function}(const {array.scalar} *{array.name}, void *packed_{array.name})"
        for array in package.packed
        if (packed := code.packed[array.name]).function
    ]
    as_given = {array.formal: array.plain for array in package.packed if not code.packed[array.name].function}
    call = f"void {code.function}({', '.join(as_given.get(formal, formal) for formal in package.formals)})"
    weights = [f"extern const char {embedded(code)}[]"] * package.has_weights
    return [f"const char *{code.function}_check(void)", *packs, *weights, call]


def _cases(codes: Sequence[Code], case: Callable[[int, Code], str]) -> str:
    return "\n".join(code.guarded(f"    {case(n, code)}") for n, code in enumerate(codes))


def _guards(package: Package) -> list[tuple[str, str]]:
    """Conditions that are tested before a call, and the status where one holds."""
    found = [(f"m < {package.least} || m > {package.upper}_M", "BAD_SIZE")] * (package.bound is not None)
    found += [
        (f"!griotte_is_packed({array.given}, {package.room(array)}, place)", "NOT_PACKED") for array in package.packed
    ]
    if package.is_model:
        found.append((f"!weights && !(weights = {package.name}_weights())", "NOT_PACKED"))
    return found


def _pack(package: Package, array: PackageArray) -> str:
    x, packed = array.name, f"packed_{array.name}"

    def case(n: int, code: Code) -> str:
        made = code.packed[x]
        called = f"{made.function}({x}, {packed})" if made.function else f"memcpy({packed}, {x}, {made.bytes})"
        return f"case {n + 1}: {called}; break;"

    cases = _cases(package.codes, case)
    return (
        f"\n{pack(package, array)}\n{{\n    const int place = griotte_resolved();\n    switch (place) {{\n{cases}\n"
        f"    default: return {package.upper}_NO_TARGET;\n    }}\n"
        f"    griotte_marked({packed}, {package.room(array)}, place);\n    return {package.upper}_OK;\n}}\n"
    )


def _weights(package: Package) -> str:
    """The functions of a model's constants, with the result of each for each target, and for none."""
    inside = package.has_weights
    given = (
        ("0", lambda code: f"{code.weights}"),
        ("NULL", lambda code: "NULL" if inside else f'"{code.file}"'),
        ("NULL", lambda code: embedded(code) if inside else "NULL"),
    )
    return "".join(
        _of_target(package, prototype, value, otherwise)
        for prototype, (otherwise, value) in zip(of_weights(package), given)
    )


def _of_target(package: Package, prototype: str, value: Callable[[Code], str], otherwise: str) -> str:
    """A function that gives something of the target that runs."""
    cases = _cases(package.codes, lambda n, code: f"case {n + 1}: return {value(code)};")
    return f"\n{prototype}\n{{\n    switch (griotte_resolved()) {{\n{cases}\n    }}\n    return {otherwise};\n}}\n"


def _sharing(package: Package) -> str:
    """What runs shares by threads that are not the team's."""
    if package.threads_by in ("", TEAM):
        return ""
    given = given_host(package.name)[1] if package.threads_by == HOST else ""
    words = {"sharing": sharing(package.threads_by), "given": given, "prototype": share_out(shared_by(package))}
    return filled("share_out.c", words)


def embedding(code: Code, digest: str) -> str:
    """The C of a file that has a target's constants, which are those of a file beside it, weights.bin. It tells their
    digest, for a compiler may keep an object by its C alone."""
    return filled("embedded.c", {"name": embedded(code), "digest": digest})
