"""AVX2 with FMA: 32-byte vectors, 16 registers."""

from __future__ import annotations

from ..kernels import COMMON, MULTIPLY, dot
from ..target import Kernel
from . import grouped, nibbles, nontemporal

FEATURES = frozenset({"avx", "avx2", "fma", "f16c"})
FLAGS = ("-mavx2", "-mfma", "-mf16c")
OPTIONAL_FLAGS: dict[str, str] = {}
VECTOR_BYTES = 32
REGISTERS = 16
PARTIAL = 1

_EIGHT = (("u8", "s8"), ("s8", "s8"), ("s8", "u8"), ("u8", "u8"))
KERNELS = (
    *COMMON,
    *nontemporal.KERNELS,
    *(
        Kernel(
            f"madd_{x}{y}",
            "reduce",
            "{c} += (s32x8)_mm256_madd_epi16((__m256i){x0}, (__m256i){x1});",
            dot,
            combine=("add",),
            body=MULTIPLY,
            inputs=(x, y),
            compute=("s32",),
            group=2,
            operand="s16",
            needs=FEATURES,
            headers=("immintrin.h",),
            latency=6.0,
            uops=2.0,
        )
        for x, y in _EIGHT
    ),
    *nibbles.kernels(256, "fma", (nibbles.Way("bytes", "avx2", "", 8.0, 20.0),), 25.0),
    *grouped.kernels(256, (("words", "avx2", ""),)),
)
