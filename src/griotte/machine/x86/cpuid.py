"""How a program asks a CPU, when it runs, for the features that a target's code needs: C for it, and the bits that it
reads.

The bits are of CPUID (Intel 64 and IA-32 Architectures Software Developer's Manual, vol. 2A, CPUID; AMD64 Architecture
Programmer's Manual, vol. 3, appendix E); the state that the system must save is of XCR0 (vol. 1 ch. 13 of Intel's).
"""

from __future__ import annotations

_EAX, _EBX, _ECX, _EDX = range(4)
_AVX, _AVX512, _TILES = 0x6, 0xE6, 0x60000  # bits of XCR0

BITS: dict[str, tuple[int, int, int, int, int]] = {
    "avx": (1, 0, _ECX, 28, _AVX),
    "fma": (1, 0, _ECX, 12, _AVX),
    "f16c": (1, 0, _ECX, 29, _AVX),
    "avx2": (7, 0, _EBX, 5, _AVX),
    "avx512f": (7, 0, _EBX, 16, _AVX512),
    "avx512dq": (7, 0, _EBX, 17, _AVX512),
    "avx512bw": (7, 0, _EBX, 30, _AVX512),
    "avx512vl": (7, 0, _EBX, 31, _AVX512),
    "avx512_vnni": (7, 0, _ECX, 11, _AVX512),
    "avx512_bf16": (7, 1, _EAX, 5, _AVX512),
    "amx_tile": (7, 0, _EDX, 24, _TILES),
    "amx_bf16": (7, 0, _EDX, 22, _TILES),
    "amx_int8": (7, 0, _EDX, 25, _TILES),
}
"""Feature, as Linux names it: leaf, subleaf, register and bit of CPUID; what XCR0 must have set."""

SYSCTL = {
    "avx": "avx1_0",
    "avx2": "avx2_0",
    **{name: name for name in ("fma", "f16c", "avx512f", "avx512dq", "avx512bw", "avx512vl")},
}
"""What macOS calls them, after `hw.optional.`; of the others it tells nothing (XNU, bsd/kern/kern_mib.c)."""

_HEADER = "cpuid.h"

# General registers alone, and no function that may be compiled with more: it runs on CPUs that lack features of the
# rest of the file.
_BODY = """
__attribute__((target("general-regs-only"))) {prototype}
{{
    static const struct {{ const char *name; unsigned leaf, subleaf, word, bit, state; }} needed[] = {{
        {rows}
    }};
    unsigned leaves, basic[4], found[4], low = 0, high = 0;
    __cpuid(0, leaves, found[1], found[2], found[3]);
    __cpuid(1, basic[0], basic[1], basic[2], basic[3]);
    if (basic[2] >> 27 & 1) /* the system lets programs read XCR0 */
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    for (int64_t i = 0; i < {count}; i++) {{
        if (needed[i].leaf > leaves || (needed[i].state & ~low))
            return needed[i].name;
        __cpuid_count(needed[i].leaf, 0, found[0], found[1], found[2], found[3]);
        if (needed[i].subleaf && needed[i].subleaf > found[0])
            return needed[i].name;
        __cpuid_count(needed[i].leaf, needed[i].subleaf, found[0], found[1], found[2], found[3]);
        if (!(found[needed[i].word] >> needed[i].bit & 1))
            return needed[i].name;
    }}
    return 0;
}}
""".strip()


def check(prototype: str, features: frozenset[str]) -> tuple[tuple[str, ...], str]:
    """(C headers, C function) of this prototype, `const char *name(void)`: the first of the features that the machine
    lacks, NULL where it has them all."""
    rows = ",\n        ".join(
        f'{{"{name}", {leaf}, {subleaf}, {word}, {bit}, {state:#x}}}'
        for name, (leaf, subleaf, word, bit, state) in BITS.items()
        if name in features
    )
    return (_HEADER,), _BODY.format(prototype=prototype, rows=rows, count=len(features))
