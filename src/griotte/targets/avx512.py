"""AVX-512: 64-byte vectors, 32 registers, masks; with the bf16 and 8-bit dot products where the CPU has them."""

from __future__ import annotations

from .kernels import COMMON, MULTIPLY, dot
from .target import Kernel

FEATURES = frozenset({"avx", "avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512dq", "avx512vl"})
FLAGS = ("-mavx2", "-mfma", "-mf16c", "-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl")
OPTIONAL_FLAGS = {"avx512_vnni": "-mavx512vnni", "avx512_bf16": "-mavx512bf16"}
VECTOR_BYTES = 64
REGISTERS = 32

_EIGHT = (("u8", "s8"), ("s8", "s8"), ("s8", "u8"), ("u8", "u8"))
KERNELS = (
    *COMMON,
    Kernel(
        "dot_bf16", "reduce", "{c} = (f32x16)_mm512_dpbf16_ps((__m512){c}, (__m512bh){x0}, (__m512bh){x1});", dot,
        combine=("add",), body=MULTIPLY, inputs=("bf16", "bf16"), compute=("f32",), group=2, needs=frozenset({"avx512_bf16"}), headers=("immintrin.h",), uops=1.0, latency=6.0,
    ),
    Kernel(
        "dot_u8s8", "reduce", "{c} = (s32x16)_mm512_dpbusd_epi32((__m512i){c}, (__m512i){x0}, (__m512i){x1});", dot,
        combine=("add",), body=MULTIPLY, inputs=("u8", "s8"), compute=("s32",), group=4, needs=frozenset({"avx512_vnni"}), headers=("immintrin.h",), uops=1.0, latency=5.0,
    ),
    Kernel(
        "dot_s8u8", "reduce", "{c} = (s32x16)_mm512_dpbusd_epi32((__m512i){c}, (__m512i){x1}, (__m512i){x0});", dot,
        combine=("add",), body=MULTIPLY, inputs=("s8", "u8"), compute=("s32",), group=4, needs=frozenset({"avx512_vnni"}), headers=("immintrin.h",), uops=1.0, latency=5.0,
    ),
    *(
        Kernel(
            f"madd_{x}{y}", "reduce", "{c} += (s32x16)_mm512_madd_epi16((__m512i){x0}, (__m512i){x1});", dot,
            combine=("add",), body=MULTIPLY, inputs=(x, y), compute=("s32",), group=2, operand="s16", needs=frozenset({"avx512bw"}), headers=("immintrin.h",), latency=6.0, uops=2.0,
        )
        for x, y in _EIGHT
    ),
)  # fmt: skip
