"""What a declaration of an elementwise function says."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .kit import Kit


@dataclass(frozen=True, slots=True)
class Slots:
    """Operations for a vector: all of them, and those that only the ports which multiply take (products, bounds,
    comparisons, choices)."""

    all: float
    multiplying: float = 0.0

    def __add__(self, other: Slots) -> Slots:
        return Slots(self.all + other.all, self.multiplying + other.multiplying)


def slots(portable: float | tuple[float, float], **others: float | tuple[float, float]) -> dict[str, Slots]:
    """Slots by class of targets, each as a number, or as (all, multiplying): slots(9, avx2=1, avx512=1)."""
    given: dict[str, float | tuple[float, float]] = {"portable": portable, **others}
    return {base: Slots(*found) if isinstance(found, tuple) else Slots(found) for base, found in given.items()}


@dataclass(frozen=True, slots=True)
class Helper:
    """One C function over vectors: its result, its arguments (`{V}` `{T}` `{S}` as in `Kit`, `{P}` the u8 mask, `{H}`
    half of V), and its portable body. A function that is called rarely is not written out where it is called."""

    returns: str
    takes: str
    body: Callable[[Kit], str]
    is_rare: bool = False


@dataclass(frozen=True, eq=False)
class Function:
    """An elementwise function of bodies: all that the stages ask of it.

    name         in bodies, in printed programs, and of its C helper
    arguments    their names
    meaning      NumPy, over arrays of the compute dtype; floats come as f64
    slots        operations of a vector of f32, by class of targets; a class that is not named takes those of `portable`
    scalar       C for one element, a template over the arguments, with <tgmath.h>: as a person writes it first
    c            the body of its helper over the vectors x (and y), by a kit: portable GNU C. Left out: `infix`, or what
                 the code generator makes of its form (copy, as, where, tests)
    infix        the C operator that it is, over vectors as over elements
    test         the C comparison that it is: 1 where that holds, else 0, in the compute dtype; of NaN none holds
    helpers      C functions that its body calls, and no other declaration has
    commutes     whether f(x, y) is f(y, x), but for which NaN a NaN is, and for the sign of a zero that is the larger
                 or smaller of two: bodies have such arguments in one order (lang/types/expr.py)
    floats_only, integers_only  whether arguments of the other kind are refused
    slots_of     the slots for elements of another dtype than f32, where they differ: dtype -> class -> Slots
    by_number    the slots of a call by a number that is known, by class, where that is written otherwise; the
                 function's row `name.number`
    ulps         what a result may be off by, in units in the last place: 0 exact, 0.5 rounded once
    cancels      whether its result is a difference of larger numbers: it may be off by an ulp of its argument as well
    samples      arguments at which an implementation may go wrong: ends of its range, seams between its formulas
    domain       the numbers, from one to another, that its C over vectors is for; infinities count
    like         the function that it stands for but at the ends of the range: nests of it are called by that name
    is_held      whether its C ends in no product that a compiler could take into a sum that follows
    is_call      whether it is a call in the language by its name; those of constructors/elementwise.py are so without
    """

    name: str
    arguments: tuple[str, ...]
    meaning: Callable[..., Any]
    slots: Mapping[str, Slots]
    scalar: str
    c: Callable[[Kit], str] | None = None
    infix: str = ""
    test: str = ""
    helpers: Mapping[str, Helper] = field(default_factory=dict)
    commutes: bool = False
    floats_only: bool = False
    integers_only: bool = False
    slots_of: Mapping[str, Mapping[str, Slots]] = field(default_factory=dict)
    by_number: Mapping[str, Slots] = field(default_factory=dict)
    ulps: float = 4.0
    cancels: bool = False
    samples: tuple[float, ...] = ()
    domain: tuple[float, float] = (-math.inf, math.inf)
    like: str = ""
    is_held: bool = False
    is_call: bool = False

    @property
    def may_be_product(self) -> bool:
        """Whether a compiler may take the last that its C does into a sum that follows."""
        return self.infix == "*" or (self.ulps > 0.5 and not self.is_held)

    @property
    def helper(self) -> Helper | None:
        """Its C function over vectors; None where the code generator makes its C of its form."""
        takes = ", ".join(f"{{V}} {x}" for x in self.arguments)
        if self.infix and self.c is None:
            return Helper("{V}", takes, lambda kit: f"return x {self.infix} y;")
        return Helper("{V}", takes, self.c) if self.c else None

    def cost(self, base: str) -> dict[str, Slots]:
        """Its rows in the table of a class of targets: `mul`, and `mul.s32` where that takes other slots."""
        own = {self.name: self.slots.get(base, self.slots["portable"])}
        own |= {f"{self.name}.number": self.by_number[base]} if base in self.by_number else {}
        return own | {f"{self.name}.{dtype}": found[base] for dtype, found in self.slots_of.items() if base in found}
