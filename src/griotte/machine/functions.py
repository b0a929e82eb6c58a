"""What the functions of bodies are to a core: operations of the emitted C for a vector, as their declarations say for
each class of targets (`griotte.lang.functions`).

Counted in what gcc 12 makes of a loop over f32 in L1: all that is no load, store, move or broadcast. A division and a
root, which a core is busy with for longer, count for the cycles that they take, times two ports. With AVX-512 they are
what was measured, times two ports (docs/vector-math.md), of which half multiply. `name.dtype` is a function of elements
that take other operations than f32 ones: vpmulld, a product of 32-bit integers, is two on the ports that multiply
(Intel; uops.info), and one every other cycle of a Zen (Agner Fog, *Instruction tables*), which is four slots: with
AVX2, which both have, it counts the three in between. AVX2 has no product of 64-bit integers: three of 32 bits, shifts
and sums.
"""

from __future__ import annotations

from ..lang.functions import FUNCTIONS, Slots
from ..lang.types.dtypes import TINY

CONVERSIONS: dict[tuple[str, str], float] = {
    ("f32", "bf16"): 9.0,
    **{("f32", tiny): 20.0 for tiny in TINY},
    **{(tiny, "f32"): 14.0 for tiny in TINY},
}
"""Operations of a vector's conversion from a dtype to another, where they are more than one: rounding to bf16 is done
on the bits, and so is all that has to do with floats of 8 bits and fewer."""

_FIRST = (
    "copy neg abs relu add sub mul maximum minimum lt le eq where as round div sqrt mul.s32 mul.u32 mul.s64 rsqrt exp"
    " log tanh erf sigmoid gelu gelu_tanh silu"
).split()
"""A Target's key counts their order: these stand as they did when tables were first kept, all others after them."""


def table(base: str) -> dict[str, Slots]:
    """The slots of every function that is declared now, for a class of targets."""
    found = {name: slots for function in FUNCTIONS.values() for name, slots in function.cost(base).items()}
    return {name: found[name] for name in (*(n for n in _FIRST if n in found), *found)}
