"""The built-in target of Arm: NEON of 64-bit Armv8-A, with the products of bytes and of bf16 where a CPU has them."""

from __future__ import annotations

from functools import partial

from ..architecture import Base
from ..instructions import Kernel
from ..kernels import COMMON, MULTIPLY, grouped_product, multiplied
from . import mmla
from .slots import SLOTS

_ANY, _LOWER = "w", "x"  # of the 32 registers; of the first 16


def _instruction(name: str, lanes: str, vector: str, element: str, of: str = _ANY) -> str:
    """A product that takes one element of a register for all lanes (FMLA by element: Arm Architecture Reference Manual,
    C7.2). The spread input is then loaded by vectors, not element by element. As a statement for the assembler, for
    compilers that see its parts give sums another register at each step, which are moved back at the end of a turn."""
    text = f"{name} %0.{lanes}, %1.{vector}, %2.{element}[{{lane}}]"
    return f'__asm__("{text}" : "+w"({{c}}) : "w"({{vector}}), "{of}"({{element}}));'


def _by_lane(dtype: str, lanes: str, element: str) -> Kernel:
    return Kernel(
        f"multiply_add_lane_{dtype}",
        "reduce",
        _instruction("fmla", lanes, lanes, element),
        multiplied,
        combine=("add",),
        body=MULTIPLY,
        compute=(dtype,),
        headers=("arm_neon.h",),
        by_lane=True,
    )


_dot = partial(grouped_product, header="arm_neon.h")


def _dot_by_lane(instruction: str, inputs: tuple[str, str], compute: str, feature: str, columns: int = 1) -> Kernel:
    """The same of products that a lane sums in groups; an element is a group, of 32 bits. Products of unsigned and
    signed bytes have an instruction for elements of either; `columns` is then the input that has the lanes."""
    group, vector, element = (2, "8h", "2h") if inputs[0] == "bf16" else (4, "16b", "4b")
    name = instruction if inputs[0] == inputs[1] else f"{instruction}_{inputs[0]}{inputs[1]}"
    return _dot(
        f"{name}_lane",
        _instruction(instruction, "4s", vector, element),
        inputs,
        compute,
        feature,
        group=group,
        by_lane=True,
        columns=columns,
    )


# clang puts nothing but whole registers into the first 16
_WHOLE = """
#if defined(__clang__)
#define WHOLE(x) __builtin_shufflevector(x, x, 0, 1, 2, 3, -1, -1, -1, -1)
#else
#define WHOLE(x) x
#endif
"""

_HALVES = Kernel(
    "fmlal_lane",
    "reduce",
    _instruction("fmlal", "4s", "4h", "h", _LOWER).replace("({element})", "(WHOLE({element}))"),
    multiplied,
    combine=("add",),
    body=MULTIPLY,
    inputs=("f16", "f16"),
    compute=("f32",),
    operand="f16",
    needs=frozenset({"asimdfhm"}),
    headers=("arm_neon.h",),
    preamble=_WHOLE,
    by_lane=True,
)
"""Products of f16 by an element, exact in f32 (FMLAL by element)."""
_IN_HALVES = Kernel(
    "map_f16",
    "map",
    "{c} = {body};",
    None,
    combine=(None,),
    operand="f16",
    needs=frozenset({"asimdhp"}),
)
"""Arithmetic on f16 itself (FADD and the like of 8H): where each result is rounded it is what f32 gives."""
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
    slots=SLOTS,
    optional_flags={
        "asimddp": "-march=armv8.2-a+dotprod",
        "i8mm": "-march=armv8.2-a+i8mm",
        "bf16": "-march=armv8.2-a+bf16",
        "asimdhp": "-march=armv8.2-a+fp16",
        "asimdfhm": "-march=armv8.2-a+fp16fml",
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
        _dot_by_lane("sdot", ("s8", "s8"), "s32", "asimddp"),
        _dot_by_lane("udot", ("u8", "u8"), "s32", "asimddp"),
        _dot_by_lane("sudot", ("u8", "s8"), "s32", "i8mm", columns=1),
        _dot_by_lane("usdot", ("u8", "s8"), "s32", "i8mm", columns=0),
        _dot_by_lane("usdot", ("s8", "u8"), "s32", "i8mm", columns=1),
        _dot_by_lane("sudot", ("s8", "u8"), "s32", "i8mm", columns=0),
        _dot_by_lane("bfdot", ("bf16", "bf16"), "f32", "bf16"),
        _HALVES,
        _IN_HALVES,
        *mmla.KERNELS,
    ),
)
