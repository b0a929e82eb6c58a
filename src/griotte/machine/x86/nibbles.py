"""Steps of products with 4-bit weights that lie eight to a word: unpacked in registers, times eight neighbours in x
that are read at their address, times a scale for each lane.

A nibble holds a weight plus 8; `spec.family.bits_below` says where each is in its word. The even ones, as bytes, are
four neighbours, and so are the odd ones, as dot instructions eat them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...lang.nests.family import bits_below
from ..instructions import Kernel

GROUP = 8
_FLOATS = {"f32": ("float", "x[{i}]"), "bf16": ("uint16_t", "bf16_at(x + {i})")}
SCALES = ("f32", "bf16", "f16")
_BODY = "mul(mul(x0, x1), x2)"
BODY_S8 = "mul(mul(mul(x0, x1), x2), x3)"
MOST = 8_300_000  # of whole numbers in three signed bytes, which hold -8,421,504 to 8,355,711
BODY_S24 = f"mul(mul(mul(maximum(minimum(x0, {MOST:g}), {-MOST:g}), x1), x2), x3)"
_BF16 = """
static inline __attribute__((always_inline, unused)) float bf16_at(const uint16_t *x)
{
    const union { uint32_t bits; float value; } wide = {(uint32_t)*x << 16};
    return wide.value;
}
""".strip()


def scaled(c, x, w, *scales):
    """c + the sum over the group of x * w and its scales, in the accumulator's dtype."""
    total = x.astype(c.dtype) * w.astype(c.dtype)
    for scale in scales:
        total = total * scale.astype(c.dtype)
    return c + np.sum(total, axis=-1)


def scaled_24(c, x, w, *scales):
    return scaled(c, np.clip(x, -MOST, MOST), w, *scales)


def function(name: str, register: str, x: str, words: str, rest: str, lines: list[str]) -> str:
    head = (
        f"static inline __attribute__((always_inline, unused)) {register} {name}({register} c, {x}, {words} w, {rest})"
    )
    return "\n".join([head, "{", *(f"    {line}" for line in lines), "}"])


def _sums(w: str, weight, element: str) -> list[str]:
    """A group's products with floats, in two sums."""
    lines = []
    for i in range(GROUP):
        x, value = f"{w}_set1_ps({element.format(i=i)})", weight(i)
        lines.append(
            f"__m{w[3:] or 128} t{i} = {w}_mul_ps({value}, {x});"
            if i < 2
            else f"t{i % 2} = {w}_fmadd_ps({value}, {x}, t{i % 2});"
        )
    return [*lines, f"return {w}_fmadd_ps({w}_add_ps(t0, t1), s, c);"]


def floats_512(x: str) -> str:
    """A weight is looked up by the low four bits of its lane."""
    kind, element = _FLOATS[x]
    weight = lambda i: (
        f"_mm512_permutexvar_ps({f'_mm512_srli_epi32(w, {bits_below(i, GROUP)})' if i else 'w'}, weights)"
    )
    table = f"const __m512 weights = _mm512_setr_ps({', '.join(str(n) for n in range(-8, 8))});"
    return function(
        f"nibbles_{x}", "__m512", f"const {kind} *x", "__m512i", "__m512 s", [table, *_sums("_mm512", weight, element)]
    )


def floats_256(x: str) -> str:
    """A weight is moved to the top of its lane, and down again with its sign."""
    kind, element = _FLOATS[x]
    weight = lambda i: f"_mm256_cvtepi32_ps(_mm256_srai_epi32(_mm256_slli_epi32(w, {28 - bits_below(i, GROUP)}), 28))"
    sign = "w = _mm256_xor_si256(w, _mm256_set1_epi32((int)0x88888888u));"
    return function(
        f"nibbles_{x}", "__m256", f"const {kind} *x", "__m256i", "__m256 s", [sign, *_sums("_mm256", weight, element)]
    )


_ADDED = "const {r}i words = {w}_set1_epi16(1);"
_DOT = {
    "vnni": ("", "{w}_dpbusd_epi32({w}_dpbusd_epi32({w}_setzero_{si}(), {0}, x0), {1}, x1)"),
    "bytes": (_ADDED, "{w}_madd_epi16({w}_add_epi16({w}_maddubs_epi16({0}, x0), {w}_maddubs_epi16({1}, x1)), words)"),
}


def whole(width: int, way: str) -> str:
    """Products of whole numbers; what 8 too much in every weight adds is the same in all lanes, and taken off."""
    w, r, si = ("_mm512", "__m512", "si512") if width == 512 else ("_mm256", "__m256", "si256")
    more, dot = _DOT[way]
    product = lambda low, high: dot.format(low, high, w=w, r=r, si=si)
    lines = [
        "int32_t first, second;",
        "__builtin_memcpy(&first, x, 4);",
        "__builtin_memcpy(&second, x + 4, 4);",
        (
            f"const {r}i x0 = {w}_set1_epi32(first), x1 = {w}_set1_epi32(second), nibble = {w}_set1_epi8(15), eight ="
            f" {w}_set1_epi8(8);"
        ),
        *[more.format(r=r, w=w)] * bool(more),
        f"const {r}i low = {w}_and_{si}(w, nibble), high = {w}_and_{si}({w}_srli_epi16(w, 4), nibble);",
        f"const {r}i sum = {w}_sub_epi32({product('low', 'high')}, {product('eight', 'eight')});",
        f"return {w}_fmadd_ps({w}_mul_ps({w}_cvtepi32_ps(sum), s), xs, c);",
    ]
    return function("nibbles_s8", r, "const int8_t *x", f"{r}i", f"{r} s, {r} xs", lines)


_BYTES = {
    "vnni": "{w}_dpbusd_epi32({w}_dpbusd_epi32({c}, low, {0}), high, {1})",
    "bytes": "{w}_add_epi32({c}, {w}_madd_epi16({w}_add_epi16({w}_maddubs_epi16(low, {0}), {w}_maddubs_epi16(high,"
    " {1})), {w}_set1_epi16(1)))",
}


def whole_24(width: int, way: str) -> str:
    """Products of whole numbers of 24 bits, the highest byte first, in s32: eight of them by 4 bits are less than 2^30.

    Each byte is signed: what it lacks then goes to the next. All that is made of the whole numbers alone is made once
    for all lanes; it goes through memory, for a broadcast from there takes no arithmetic port.
    """
    w, r, si = ("_mm512", "__m512", "si512") if width == 512 else ("_mm256", "__m256", "si256")
    order = ", ".join(str(n) for n in (0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15) * 2)
    total = f"{w}_setzero_{si}()"
    for n in (2, 1, 0):
        total = _BYTES[way].format(f"x.low{n}", f"x.high{n}", w=w, c=total)
        total = f"{w}_slli_epi32({total}, 8)" if n else total
    spread = ", ".join(f"{w}_set1_epi32(made[{n}])" for n in (0, 1, 2, 4, 5, 6, 8))
    lines = [
        "const __m256i x8 = _mm256_loadu_si256((const void *)x), sign = _mm256_set1_epi32(0x808080);",
        f"const __m256i most = _mm256_set1_epi32({MOST}), least = _mm256_set1_epi32(-{MOST});",
        "const __m256i eight = _mm256_max_epi32(_mm256_min_epi32(x8, most), least);",
        "__m128i all = _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));",
        "all = _mm_add_epi32(all, _mm_shuffle_epi32(all, 0x4e));",
        "all = _mm_slli_epi32(_mm_add_epi32(all, _mm_shuffle_epi32(all, 0xb1)), 3);",
        f"const __m256i order = _mm256_setr_epi8({order});",
        "const __m256i signed_bytes = _mm256_xor_si256(_mm256_add_epi32(eight, sign), sign);",
        "int32_t made[12];",
        "_mm256_storeu_si256((void *)made, _mm256_shuffle_epi8(signed_bytes, order));",
        "_mm_storeu_si128((void *)(made + 8), all);",
        '__asm__("" : "+m"(made));  /* else the compiler takes it from registers, by shuffles */',
        f"return (whole_24){{{spread}}};",
    ]
    fields = f"typedef struct {{ {r}i low0, low1, low2, high0, high1, high2, all; }} whole_24;"
    head = "static inline __attribute__((always_inline, unused)) whole_24 whole_24_at(const int32_t *x)"
    made = "\n".join([fields, "", head, "{", *(f"    {line}" for line in lines), "}"])
    step = [
        f"const {r}i nibble = {w}_set1_epi8(15);",
        f"const {r}i low = {w}_and_{si}(w, nibble), high = {w}_and_{si}({w}_srli_epi16(w, 4), nibble);",
        f"const {r}i sum = {w}_sub_epi32({total}, x.all);",
        f"return {w}_fmadd_ps({w}_mul_ps({w}_cvtepi32_ps(sum), s), xs, c);",
    ]
    return f"{made}\n\n" + function("nibbles_s32", r, "whole_24 x", f"{r}i", f"{r} s, {r} xs", step)


class Way(NamedTuple):
    """Products of whole numbers: a name in _DOT and _BYTES, the feature that they need, the one that brings better
    ones, and their slots: times 8 bits and times 24."""

    name: str
    needs: str
    unless: str
    of_8: float
    of_24: float


def kernels(width: int, needs: str, ways: tuple[Way, ...], unpack: float) -> tuple[Kernel, ...]:
    r = f"__m{width}"
    vector = f"f32x{width // 32}"
    floats = floats_512 if width == 512 else floats_256

    def kernel(x: str, scale: str, end: str, meaning, own: int, **given) -> Kernel:
        """`own`: how many scales x has."""
        rest = ", ".join(f"({r}){{x{i}}}" for i in range(2, 3 + own))
        return Kernel(
            f"nibbles_{x}_{scale}{end}",
            "reduce",
            f"{{c}} = ({vector})nibbles_{x}(({r}){{c}}, {{x0}}, ({r}i){{x1}}, {rest});",
            meaning,
            combine=("add",),
            inputs=(x, "s4", scale, *["f32"] * own),
            compute=("f32",),
            group=GROUP,
            headers=("immintrin.h",),
            latency=4.0,
            addresses=(0,),
            single=tuple(range(2, 3 + own)),
            **given,
        )

    def of_floats(x: str, scale: str) -> Kernel:
        text = floats(x) if x == "f32" else "\n\n".join((_BF16, floats(x)))
        return kernel(
            x,
            scale,
            "",
            scaled,
            0,
            body=_BODY,
            preamble=text,
            needs=frozenset({needs}),
            uops=GROUP + 2.0,
            unpack=unpack,
        )

    def of_whole(scale: str, way: Way) -> tuple[Kernel, ...]:
        end, unless = f"_{way.name}" * bool(way.unless), frozenset({way.unless} if way.unless else ())
        return tuple(
            kernel(
                x,
                scale,
                end,
                meaning,
                1,
                body=body,
                preamble=text(width, way.name),
                needs=frozenset({way.needs}),
                unless=unless,
                uops=uops,
                unpack=3.0,
                made=made,
            )
            for x, meaning, body, text, uops, made in (
                ("s8", scaled, BODY_S8, whole, way.of_8, ""),
                ("s32", scaled_24, BODY_S24, whole_24, way.of_24, "whole_24"),
            )
        )

    found = []
    for scale in SCALES:
        found += [of_floats(x, scale) for x in _FLOATS]
        found += [each for way in ways for each in of_whole(scale, way)]
    return tuple(found)
