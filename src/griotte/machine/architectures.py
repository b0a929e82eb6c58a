"""All architectures, and the built-in targets of them."""

from __future__ import annotations

from types import ModuleType

from . import portable
from .architecture import Architecture
from .arm import ARM
from .intrinsics import NONE, Intrinsics
from .x86 import X86

ARCHITECTURES: tuple[Architecture, ...] = (X86, ARM)

BUILT_IN: dict[str, ModuleType] = {"portable": portable}
"""The built-in targets: a module of data for each, of an architecture the fewest features first."""
for each in ARCHITECTURES:
    BUILT_IN |= each.bases


def known_features() -> frozenset[str]:
    """Every CPU feature that code of some target may need."""
    return frozenset().union(*(each.features.names for each in ARCHITECTURES if each.features))


def architecture_of(features: frozenset[str]) -> Architecture | None:
    """The architecture that some of these are features of; None for plain C."""
    return next((each for each in ARCHITECTURES if each.features and features & each.features.names), None)


def intrinsics_of(features: frozenset[str]) -> Intrinsics:
    """The bodies of its own that an architecture with these features has."""
    found = architecture_of(features)
    return found.intrinsics if found else NONE


def check(prototype: str, features: frozenset[str]) -> tuple[tuple[str, ...], str]:
    """(C headers, C function) of this prototype, `const char *name(void)`: the first of the features that the machine
    lacks, NULL where it has them all."""
    found = architecture_of(features)
    if found is None or found.features is None:
        return (), f"{prototype}\n{{\n    return 0; /* it needs no more than the compiler assumes */\n}}"
    return found.features.check(prototype, features)
