"""The built-in target of Arm: NEON of 64-bit Armv8-A, with the products of bytes and of bf16 where a CPU has them."""

from __future__ import annotations

from functools import partial

from ..architecture import Base
from ..instructions import Kernel
from ..kernels import COMMON, MULTIPLY, grouped_product, multiplied

_FMLA = '__asm__("fmla %0.{lanes}, %1.{lanes}, %2.{part}[{{lane}}]" : "+w"({{c}}) : "w"({{vector}}), "w"({{element}}));'


def _by_lane(dtype: str, lanes: str, element: str) -> Kernel:
    """A multiply-add that takes one element of a register for all lanes (FMLA by element: Arm Architecture Reference
    Manual, C7.2): of what is spread a vector is loaded, not each element. As a statement for the assembler, for
    compilers that see its parts give sums another register at each step, which are moved back at the end of a turn."""
    return Kernel(
        f"multiply_add_lane_{dtype}",
        "reduce",
        _FMLA.format(lanes=lanes, part=element),
        multiplied,
        combine=("add",),
        body=MULTIPLY,
        compute=(dtype,),
        headers=("arm_neon.h",),
        by_lane=True,
    )


_dot = partial(grouped_product, header="arm_neon.h")
_S8, _U8 = "(int8x16_t){%s}", "(uint8x16_t){%s}"
_SIGNED = f"{{c}} = (s32x4)vdotq_s32((int32x4_t){{c}}, {_S8 % 'x0'}, {_S8 % 'x1'});"
_UNSIGNED = f"{{c}} = (s32x4)vdotq_u32((uint32x4_t){{c}}, {_U8 % 'x0'}, {_U8 % 'x1'});"
_MIXED = f"{{c}} = (s32x4)vusdotq_s32((int32x4_t){{c}}, {_U8 % '%s'}, {_S8 % '%s'});"
_BF16 = "{c} = (f32x4)vbfdotq_f32((float32x4_t){c}, (bfloat16x8_t){x0}, (bfloat16x8_t){x1});"

NEON = Base(
    frozenset({"asimd"}),
    (),
    vector_bytes=16,
    registers=32,
    optional_flags={
        "asimddp": "-march=armv8.2-a+dotprod",
        "i8mm": "-march=armv8.2-a+i8mm",
        "bf16": "-march=armv8.2-a+bf16",
    },
    kernels=(
        *COMMON,
        _by_lane("f32", "4s", "s"),
        _by_lane("f64", "2d", "d"),
        _dot("sdot", _SIGNED, ("s8", "s8"), "s32", "asimddp", group=4),
        _dot("udot", _UNSIGNED, ("u8", "u8"), "s32", "asimddp", group=4),
        _dot("usdot", _MIXED % ("x0", "x1"), ("u8", "s8"), "s32", "i8mm", group=4),
        _dot("sudot", _MIXED % ("x1", "x0"), ("s8", "u8"), "s32", "i8mm", group=4),
        _dot("bfdot", _BF16, ("bf16", "bf16"), "f32", "bf16", group=2),
    ),
)
