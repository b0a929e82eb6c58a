"""All architectures, their built-in targets, and C that each writes its own way. An architecture that says nothing of
denormals leaves them as they are."""

from __future__ import annotations

from .architecture import NONE, Architecture, Base, Guarded, HeaderParts, Intrinsics, chosen
from .arm import ARM
from .kernels import PORTABLE
from .x86 import X86

ARCHITECTURES: tuple[Architecture, ...] = (X86, ARM)

BUILT_IN: dict[str, Base] = {"portable": PORTABLE} | {
    n: base for each in ARCHITECTURES for n, base in each.bases.items()
}
"""The built-in targets, of an architecture the fewest features first."""


def by_name(name: str) -> Architecture:
    """The architecture of this name."""
    return next(each for each in ARCHITECTURES if each.name == name)


def known_features() -> frozenset[str]:
    """Every CPU feature that code of some target may need."""
    return frozenset().union(*(each.features.names for each in ARCHITECTURES if each.features))


def architecture_of(features: frozenset[str]) -> Architecture | None:
    """The architecture that some of these are features of; None for plain C."""
    return next((each for each in ARCHITECTURES if each.features and features & each.features.names), None)


def is_one_machine(name: str, other: str) -> bool:
    """Whether two names that systems and compilers have for machines are of one."""
    return name == other or any({name, other} <= {*each.compiled.machines} for each in ARCHITECTURES)


def parts_for(source: str, flags: tuple[str, ...]) -> HeaderParts | None:
    """The parts of a header that a C source needs with flags of a compiler, where it includes one that has others."""
    needs = {flag for flag in flags if flag.startswith("-m")}
    each = (each.compiled.parts for each in ARCHITECTURES)
    return next((p for p in each if p and needs <= p.flags and f"#include <{p.header}>" in source), None)


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


NOT_EVICTED = """\
    (void)from, (void)bytes;
    return 0;"""

EVICTION = f"""
#include <stdint.h>
#include <stddef.h>

/* Puts the lines of memory out of all caches; 0 where this CPU has no instruction for it that a program may use. */
int flush(const char *from, size_t bytes)
{{
{chosen((each.evicted for each in ARCHITECTURES), NOT_EVICTED)}
}}
"""

PAUSE = chosen(
    Guarded(each.rounded.condition, f"    {each.compiled.pause}") for each in ARCHITECTURES if each.compiled.pause
)
"""The statement by which a thread that waits busily leaves the core to others; none where a CPU has no instruction for
it."""

_CONTROLS = [each.denormals for each in ARCHITECTURES if each.denormals]

FLUSHING = f"""/* Denormals are zeros until the one that asks returns: bits 15 and 6 of MXCSR. */
static inline __attribute__((unused)) unsigned griotte_flushed(void)
{{
    unsigned before = 0;
{chosen(each.flushed for each in _CONTROLS)}
    return before;
}}

static inline __attribute__((unused)) void griotte_restored(const unsigned *before)
{{
{chosen((each.restored for each in _CONTROLS), "    (void)before;")}
}}
"""
