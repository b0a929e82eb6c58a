"""What functions take of the ports: operations on a vector of f32, counted in an emulator (docs/lab/arm/README.md). A
division and a root keep one of a Neoverse N1's two ports for seven cycles, and count for 14; of eight f16 they count
for 20 (LLVM, AArch64SchedNeoverseN1.td: N1Write_13c10_1V0). A conversion, a rounding and a product of integers keep it
for two cycles, and count for 4.
"""

from __future__ import annotations

from ...lang.functions import Slots

_COUNTED = {
    "relu": 1,
    "sqrt": 14,
    "rsqrt": 28,
    "round": 4,
    "div": 14,
    "maximum": 3,
    "minimum": 3,
    "fmod": 115,
    "exp": 20,
    "log": 41,
    "tanh": 55,
    "sigmoid": 43,
    "gelu_tanh": 44,
    "silu": 40,
    "erf": 59,
    "gelu": 83,
    "power": 157,
    "sin": 110,
    "cos": 112,
    "asin": 38,
    "acos": 43,
    "atan": 39,
    "mul.s32": 4,
    "mul.u32": 4,
    # two in general registers, moved there and back
    "mul.s64": 6,
    "mul.u64": 6,
    # of f16 an instruction each; ten cycles of one port
    "maximum.f16": 1,
    "minimum.f16": 1,
    "div.f16": 20,
    "sqrt.f16": 20,
}

SLOTS = {name: Slots(float(count)) for name, count in _COUNTED.items()}
