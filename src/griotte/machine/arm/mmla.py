"""Products of two rows by two columns: instructions that add to a register with a block of 2 by 2 sums. They add the
products of two rows of 8 bytes by two columns of them (SMMLA, UMMLA, USMMLA and BFMMLA: Arm Architecture Reference
Manual, C7.2). Blocks are matrix registers of two rows, though they are registers as any other.
"""

from __future__ import annotations

from dataclasses import replace

from ..instructions import Kernel, Matrix
from ..kernels import MULTIPLY, dot

_PREAMBLE = """
/* Two rows of 8 bytes, `stride` bytes apart, as a register. */
static inline __attribute__((always_inline, unused)) int32x4_t rows_at(const void *p, int64_t stride)
{
    int32x4_t whole;
    int32x2_t first, second;
    if (stride == 8) {
        __builtin_memcpy(&whole, p, 16);
        return whole;
    }
    __builtin_memcpy(&first, p, 8);
    __builtin_memcpy(&second, (const char *)p + stride, 8);
    return vcombine_s32(first, second);
}

static inline __attribute__((always_inline, unused)) void rows_to(void *p, int64_t stride, int32x4_t rows)
{
    const int32x2_t first = vget_low_s32(rows), second = vget_high_s32(rows);
    __builtin_memcpy(p, &first, 8);
    __builtin_memcpy((char *)p + stride, &second, 8);
}
""".strip()

BLOCKS = Matrix(
    rows=2,
    row_bytes=8,
    registers=31,  # one more is loaded while the last is used
    zero="block{r} = vdupq_n_s32(0);",
    load="block{r} = rows_at({p}, {stride});",
    store="rows_to({p}, {stride}, block{r});",
    declare="int32x4_t block{r};",
    # by hand: two loads a cycle; two stores of half a register, and the move that takes the upper half out. A sum goes
    # on to the next product in a cycle, of bf16 in three (LLVM's scheduling model of the Neoverse V1: V1Wr_VMMA,
    # V1Wr_BFMMA)
    load_cycles=0.5,
    store_cycles=2.0,
    far_line_cycles=0.75,
    joined=1.0,
    waiting=1.0,
    parted=2,
)


def _product(
    instruction: str, elements: str, inputs: tuple[str, str], compute: str, feature: str, columns: int
) -> Kernel:
    """As a statement for the assembler, as the products by lane are (bases.py)."""
    words = f"{instruction} %0.4s, %1.{elements}, %2.{elements}"
    return Kernel(
        instruction if columns else f"{instruction}_turned",
        "matrix",
        f'__asm__("{words}" : "+w"(block{{c}}) : "w"(block{{x0}}), "w"(block{{x1}}));',
        dot,
        combine=("add",),
        body=MULTIPLY,
        inputs=inputs,
        compute=(compute,),
        group=8 if compute == "s32" else 4,
        needs=frozenset({feature}),
        headers=("arm_neon.h",),
        preamble=_PREAMBLE,
        uops=0.25,  # of each of four lanes
        latency=3.0 if compute == "s32" else 5.0,
        matrix=BLOCKS if compute == "s32" else replace(BLOCKS, waiting=3.0),
        columns=columns,
    )


KERNELS = (
    *(_product("smmla", "16b", ("s8", "s8"), "s32", "i8mm", columns) for columns in (1, 0)),
    *(_product("ummla", "16b", ("u8", "u8"), "s32", "i8mm", columns) for columns in (1, 0)),
    # rows of u8 and columns of s8, whichever input either is
    _product("usmmla", "16b", ("u8", "s8"), "s32", "i8mm", 1),
    _product("usmmla", "16b", ("s8", "u8"), "s32", "i8mm", 0),
    *(_product("bfmmla", "8h", ("bf16", "bf16"), "f32", "bf16", columns) for columns in (1, 0)),
)
