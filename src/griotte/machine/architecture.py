"""An architecture: all that griotte knows of a family of instruction sets, as one declaration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import NamedTuple

from .intrinsics import NONE, Intrinsics


class Guarded(NamedTuple):
    """Lines of C, and the preprocessor's condition for them."""

    condition: str
    lines: str


def chosen(guarded: Iterable[Guarded | None], otherwise: str = "") -> str:
    """C in which the preprocessor takes the lines whose condition holds, or others."""
    found = [each for each in guarded if each is not None]
    branches = [f"#{'elif' if n else 'if'} {each.condition}\n{each.lines}\n" for n, each in enumerate(found)]
    return "".join(branches) + (f"#else\n{otherwise}\n" if otherwise else "") + "#endif"


@dataclass(frozen=True)
class Features:
    """CPU features that code of an architecture may need.

    names     as Linux calls them
    check     (prototype, names) -> (C headers, C function) of this prototype, `const char *name(void)`: the first of
              these that the machine lacks, NULL where it has them all
    listed    the word before them in /proc/cpuinfo
    withheld  () -> those of this CPU that its system does not let a process use
    """

    names: frozenset[str]
    check: Callable[[str, frozenset[str]], tuple[tuple[str, ...], str]]
    listed: str
    withheld: Callable[[], frozenset[str]] = frozenset


@dataclass(frozen=True)
class Denormals:
    """C that sets and restores what the CPU does with denormals: of `unsigned before`, and of `const unsigned
    *before`."""

    flushed: Guarded
    restored: Guarded


@dataclass(frozen=True)
class Architecture:
    """A family of instruction sets.

    bases       its built-in targets by name, the fewest features first: modules with FEATURES, FLAGS, OPTIONAL_FLAGS,
                VECTOR_BYTES, REGISTERS, PARTIAL, KERNELS
    rounded     C that defines ROUNDED(x): from there on no compiler sees what x, a float in a register, is
    features    those that its code may need
    intrinsics  bodies that it has for helpers of vectors
    denormals   what it does with denormals
    evicted     C that puts the lines from `const char *from`, `bytes` long, out of all caches
    """

    name: str
    rounded: Guarded
    bases: Mapping[str, ModuleType] = field(default_factory=dict)
    features: Features | None = None
    intrinsics: Intrinsics = NONE
    denormals: Denormals | None = None
    evicted: Guarded | None = None
