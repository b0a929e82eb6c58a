"""What the functions of bodies are to a core: operations of the emitted C for a vector, by the form of its vectors.

Counted in what gcc 12 makes of a loop over f32 in L1: all that is no load, store, move or broadcast. A division and a
root, which a core is busy with for longer, count for the cycles that they take, times two ports. With AVX-512 they are
what was measured, times two ports (docs/vector-math.md), of which half multiply. `name.dtype` is a function of elements
that take other operations than f32 ones: vpmulld, a product of 32-bit integers, is two on the ports that multiply
(Intel; uops.info), and one every other cycle of a Zen (Agner Fog, *Instruction tables*), which is four slots: with
AVX2, which both have, it counts the three in between. AVX2 has no product of 64-bit integers: three of 32 bits, shifts
and sums.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Slots:
    """Operations for a vector: all of them, and those that only the ports which multiply take (products, bounds,
    comparisons, choices)."""

    all: float
    multiplying: float = 0.0

    def __add__(self, other: Slots) -> Slots:
        return Slots(self.all + other.all, self.multiplying + other.multiplying)


def _slots(given: dict[str, float | tuple[float, float]]) -> dict[str, Slots]:
    return {name: Slots(*found) if isinstance(found, tuple) else Slots(found) for name, found in given.items()}


CONVERSIONS: dict[tuple[str, str], float] = {("f32", "bf16"): 9.0}
"""Operations of a vector's conversion from a dtype to another, where they are more than one: rounding to bf16 is done
on the bits."""

_FEW = _slots(
    {
        "copy": 0,
        "neg": 1,
        "abs": 1,
        "relu": 1,
        "add": 1,
        "sub": 1,
        "mul": 1,
        "maximum": 2,
        "minimum": 2,
        "lt": 1,
        "le": 1,
        "eq": 1,
        "where": 2,
        "as": 1,
        "round": 1,
        "div": 8,
        "sqrt": 18,
    }
)

AVX512 = _FEW | _slots(
    {
        "mul.s32": (2, 2),
        "mul.u32": (2, 2),
        "mul.s64": (3, 3),
        "rsqrt": (14, 7),
        "exp": (17, 8.5),
        "log": (24, 12),
        "tanh": (42, 21),
        "erf": (46, 23),
        "sigmoid": (33, 16.5),
        "gelu": (57, 28.5),
        "gelu_tanh": (35, 17.5),
        "silu": (31, 15.5),
    }
)
AVX2 = _FEW | _slots(
    {
        "mul.s32": (3, 3),
        "mul.u32": (3, 3),
        "mul.s64": (8, 3),
        "relu": (1, 1),
        "mul": (1, 1),
        "maximum": (3, 3),
        "minimum": (3, 3),
        "rsqrt": 26,
        "exp": (14, 7),
        "log": (33, 22),
        "tanh": (36, 19),
        "erf": (35, 26),
        "sigmoid": (35, 13),
        "gelu": (54, 33),
        "gelu_tanh": (33, 13),
        "silu": (30, 10),
    }
)
PORTABLE = _FEW | _slots(
    {
        "relu": 2,
        "maximum": (8, 2),
        "minimum": (8, 2),
        "round": 9,
        "sqrt": 10,
        "rsqrt": 18,
        "exp": (36, 13),
        "log": (52, 19),
        "tanh": (58, 21),
        "erf": (64, 28),
        "sigmoid": (55, 15),
        "gelu": (103, 39),
        "gelu_tanh": (62, 21),
        "silu": (58, 18),
    }
)
