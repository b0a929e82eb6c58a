"""Elementwise functions and combiners: each is one declaration, from which every stage takes what it needs.

`BUILT_IN` lists them. `FUNCTIONS` and `COMBINERS` have all declarations of now, by name: those, and the ones that
`declare` adds.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...support.errors import SpecError
from . import (
    arithmetic,
    circular,
    combiners,
    exponential,
    gaussian,
    hyperbolic,
    logarithm,
)
from .combiners import Combiner, Errors, SummedTerms
from .divisors import reciprocal
from .function import Function, Helper, Slots, slots
from .kit import Kit, constant, polynomial

BUILT_IN: tuple[Function | Combiner, ...] = (
    *arithmetic.SIMPLE,
    *arithmetic.FUNCTIONS,
    *exponential.FUNCTIONS,
    *logarithm.FUNCTIONS,
    *hyperbolic.FUNCTIONS,
    *gaussian.FUNCTIONS,
    *logarithm.POWERS,
    *circular.FUNCTIONS,
    *circular.INVERSES,
    *arithmetic.BITWISE,
    *combiners.COMBINERS,
)
FUNCTIONS: dict[str, Function] = {}
COMBINERS: dict[str, Combiner] = {}


def declare(*declarations: Function | Combiner) -> None:
    """Add declarations to the language, for the rest of the process. Targets are to be resolved after that: they hold
    what functions cost."""
    for each in declarations:
        _check(each)
        if isinstance(each, Function):
            FUNCTIONS[each.name] = each
        else:
            COMBINERS[each.name] = each


@contextmanager
def declared(*declarations: Function | Combiner) -> Iterator[None]:
    """The same, for a while."""
    added = []
    try:
        for each in declarations:
            declare(each)
            added.append(each)
        yield
    finally:
        for each in added:
            if isinstance(each, Function):
                del FUNCTIONS[each.name]
            else:
                del COMBINERS[each.name]


def combiner_of(name: str | None) -> Combiner | None:
    """The declaration of the combiner that joins terms; of a map None."""
    return COMBINERS.get(name or "")


def helper(name: str) -> Helper | None:
    """The C function over vectors of this name that a Function is, or brings with it."""
    if name in FUNCTIONS:
        return FUNCTIONS[name].helper
    return next((f.helpers[name] for f in FUNCTIONS.values() if name in f.helpers), None)


def over_vectors(arguments: int, integers: bool) -> tuple[str, ...]:
    """Functions of so many arguments that are a C function over vectors, of integers or of floats."""
    fitting = (f for f in FUNCTIONS.values() if len(f.arguments) == arguments and f.helper)
    return tuple(f.name for f in fitting if not (f.floats_only if integers else f.integers_only))


def _check(each: Function | Combiner) -> None:
    kind, known = ("function", FUNCTIONS) if isinstance(each, Function) else ("combiner", COMBINERS)
    if not each.name.isidentifier() or each.name in known:
        raise SpecError(f"expected a {kind} with a name of its own, found {each.name!r}; declared: {' '.join(known)}")
    if isinstance(each, Function) and "portable" not in each.slots:
        raise SpecError(
            f"expected slots of {each.name} for portable targets, found {' '.join(each.slots) or 'none'}; write"
            " slots(9, avx2=4)"
        )
    if isinstance(each, Combiner) and (each.name not in FUNCTIONS or len(FUNCTIONS[each.name].arguments) != 2):
        raise SpecError(
            f"expected the combiner {each.name} to have a Function of two arguments of its name, found"
            f" {'another' if each.name in FUNCTIONS else 'none'}; declare that first"
        )


declare(*BUILT_IN)

__all__ = [
    "BUILT_IN",
    "COMBINERS",
    "Combiner",
    "Errors",
    "FUNCTIONS",
    "Function",
    "Helper",
    "Kit",
    "Slots",
    "SummedTerms",
    "combiner_of",
    "constant",
    "declare",
    "declared",
    "helper",
    "over_vectors",
    "polynomial",
    "reciprocal",
    "slots",
]
