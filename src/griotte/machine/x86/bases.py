"""The built-in targets of x86: AVX2 with FMA, and AVX-512, with the bf16 and 8-bit dot products, and AMX, where the CPU
has them."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..architecture import Base
from ..instructions import Kernel
from ..kernels import COMMON, MULTIPLY, dot, grouped_product
from . import amx, grouped, nibbles

NONTEMPORAL = Kernel(
    "map_nontemporal",
    "map",
    "{c} = {body};",
    None,
    combine=(None,),
    headers=("immintrin.h",),
    end="_mm_sfence();",
    nontemporal=True,
)
"""Stores past the caches (movnt): what fills no cache is not first read from memory, and evicts nothing. They are
ordered with nothing until a fence (Intel 64 and IA-32 Architectures Software Developer's Manual, vol. 1, 10.4.6.2),
which each thread runs at its end."""

_EIGHT = (("u8", "s8"), ("s8", "s8"), ("s8", "u8"), ("u8", "u8"))
_WIDENED = (("s16", "s8"), ("s16", "u8"), ("s8", "s16"), ("u8", "s16"))
"""Bytes whose one input became words before: an input that is read again and again need not be widened each time."""
_MULTIPLIED_AND_ADDED: dict[str, Any] = {"uops": 2.0, "multiplying": 1.0, "spread": 3.0, "latency": 2.0}
"""vpmaddwd, which only ports that multiply take, and vpaddd. A sum waits for the addition before it alone, 1.5 cycles
between loads and products. Two bytes that are spread are put together in a general register first. Measured on a Zen 3
(docs/lab/quantised/README.md, Bytes with AVX2)."""
_AVX2 = frozenset({"avx", "avx2", "fma", "f16c"})

AVX2 = Base(
    _AVX2,
    ("-mavx2", "-mfma", "-mf16c"),
    vector_bytes=32,
    registers=16,
    kernels=(
        *COMMON,
        NONTEMPORAL,
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
                needs=_AVX2,
                headers=("immintrin.h",),
                **_MULTIPLIED_AND_ADDED,
            )
            for x, y in (*_EIGHT, *_WIDENED)
        ),
        *nibbles.kernels(256, "fma", (nibbles.Way("bytes", "avx2", "", 8.0, 20.0),), 25.0),
        *grouped.kernels(256, (("words", "avx2", ""),)),
    ),
)


_dot = partial(grouped_product, header="immintrin.h")
_BF16 = "{c} = (f32x16)_mm512_dpbf16_ps((__m512){c}, (__m512bh){x0}, (__m512bh){x1});"
_BYTES = "{c} = (s32x16)_mm512_dpbusd_epi32((__m512i){c}, (__m512i){%s}, (__m512i){%s});"
_WORDS = "{c} = (s32x16)_mm512_dpwssd_epi32((__m512i){c}, (__m512i){x0}, (__m512i){x1});"
_SLIDE = 2.0  # vpermd, which brings what each quarter of the lanes needs, and vpshufb
_WORDS_TWO = "{c} += (s32x16)_mm512_madd_epi16((__m512i){x0}, (__m512i){x1});"

AVX512 = Base(
    _AVX2 | {"avx512f", "avx512bw", "avx512dq", "avx512vl"},
    (*AVX2.flags, "-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mprefer-vector-width=512"),
    vector_bytes=64,
    registers=32,
    partial=0,  # masks have registers of their own
    optional_flags={"avx512_vnni": "-mavx512vnni", "avx512_bf16": "-mavx512bf16", **amx.FLAGS},
    kernels=(
        *COMMON,
        NONTEMPORAL,
        _dot("dot_bf16", _BF16, ("bf16", "bf16"), "f32", "avx512_bf16", group=2, uops=4.0, latency=8.0, interleave=4.0),
        _dot("dot_u8s8", _BYTES % ("x0", "x1"), ("u8", "s8"), "s32", "avx512_vnni", group=4, latency=5.0, slide=_SLIDE),
        _dot("dot_s8u8", _BYTES % ("x1", "x0"), ("s8", "u8"), "s32", "avx512_vnni", group=4, latency=5.0, slide=_SLIDE),
        *(
            _dot(f"dot_{x}{x}", _WORDS, (x, x), "s32", "avx512_vnni", group=2, latency=5.0, operand="s16", slide=_SLIDE)
            for x in ("s8", "u8")
        ),
        *(
            _dot(
                f"madd_{x}{y}",
                _WORDS_TWO,
                (x, y),
                "s32",
                "avx512bw",
                unless=frozenset({"avx512_vnni"}),
                group=2,
                operand="s16",
                **_MULTIPLIED_AND_ADDED,
            )
            for x, y in _EIGHT
        ),
        *nibbles.kernels(
            512,
            "avx512f",
            (
                nibbles.Way("vnni", "avx512_vnni", "", 6.0, 12.0),
                nibbles.Way("bytes", "avx512bw", "avx512_vnni", 8.0, 20.0),
            ),
            15.0,
        ),
        *grouped.kernels(512, (("vnni", "avx512_vnni", ""), ("words", "avx512bw", "avx512_vnni"))),
        *amx.KERNELS,
    ),
)
