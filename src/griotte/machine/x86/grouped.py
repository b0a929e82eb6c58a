"""Steps of products of 8-bit whole numbers that have a scale for each group: four neighbours in x, read at their
address, times four weights in each lane. Their sum, exact in s32, goes times its scales to an f32 accumulator.

The dot instructions take unsigned by signed bytes. Signed weights are taken 128 too large: the surplus is the same in
all lanes, and taken off once for each row.
"""

from __future__ import annotations

from ..instructions import Kernel
from .nibbles import BODY_S8, SCALES, function, scaled

GROUP = 4
_DOT = "{w}_dpbusd_epi32({w}_setzero_{si}(), {0}, four)"
_WORDS = {  # the even and the odd bytes of a vector as words
    "s8": ("{w}_srai_epi16({w}_slli_epi16({0}, 8), 8)", "{w}_srai_epi16({0}, 8)"),
    "u8": ("{w}_and_{si}({0}, {w}_set1_epi16(255))", "{w}_srli_epi16({0}, 8)"),
}
_SLOTS = {("vnni", "s8"): 6.0, ("vnni", "u8"): 4.0, ("words", "s8"): 9.0, ("words", "u8"): 8.0}


def _lines(width: int, way: str, weights: str) -> list[str]:
    """The C that makes `sum` of `w` and `four`."""
    w, si = f"_mm{width}", f"si{width}"
    write = lambda text, *values: text.format(*values, w=w, si=si)
    whole = f"const __m{width}i"
    if way == "words":
        parts = [[write(part, x) for part in _WORDS[of]] for x, of in (("w", weights), ("four", "s8"))]
        even, odd = (f"{w}_madd_epi16({a}, {b})" for a, b in zip(*parts))
        return [f"{whole} sum = {w}_add_epi32({even}, {odd});"]
    if weights == "u8":
        return [f"{whole} sum = {write(_DOT, 'w')};"]
    larger = write("{w}_xor_{si}(w, top)")
    return [
        f"{whole} top = {w}_set1_epi8(-128);",
        f"{whole} sum = {w}_sub_epi32({write(_DOT, larger)}, {write(_DOT, 'top')});",
    ]


def _step(width: int, way: str, weights: str) -> str:
    w, r = f"_mm{width}", f"__m{width}"
    lines = [
        "int32_t neighbours;",
        "__builtin_memcpy(&neighbours, x, 4);",
        f"const {r}i four = {w}_set1_epi32(neighbours);",
        *_lines(width, way, weights),
        f"return {w}_fmadd_ps({w}_mul_ps({w}_cvtepi32_ps(sum), s), xs, c);",
    ]
    return function(f"grouped_{weights}", r, "const int8_t *x", f"{r}i", f"{r} s, {r} xs", lines)


def kernels(width: int, ways: tuple[tuple[str, str, str], ...]) -> tuple[Kernel, ...]:
    """`ways` of products: ("vnni" or "words", feature, feature that brings a better one)."""
    r = f"__m{width}"
    return tuple(
        Kernel(
            f"grouped_s8{weights}_{scale}" + f"_{way}" * bool(unless),
            "reduce",
            f"{{c}} = (f32x{width // 32})grouped_{weights}(({r}){{c}}, {{x0}}, ({r}i){{x1}}, ({r}){{x2}},"
            f" ({r}){{x3}});",
            scaled,
            combine=("add",),
            body=BODY_S8,
            inputs=("s8", weights, scale, "f32"),
            compute=("f32",),
            group=GROUP,
            needs=frozenset({feature}),
            unless=frozenset({unless} if unless else ()),
            headers=("immintrin.h",),
            preamble=_step(width, way, weights),
            uops=_SLOTS[way, weights],
            latency=4.0,
            addresses=(0,),
            single=(2, 3),
        )
        for weights in ("s8", "u8")
        for scale in SCALES
        for way, feature, unless in ways
    )
