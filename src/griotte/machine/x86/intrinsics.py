"""Helpers that one instruction set does much better than GNU C vectors: data only.

An `IsaEntry` replaces the portable body of one helper for some element types and vector sizes, on targets that have all
of its features. The first entry that fits wins, so wider features come first.

Placeholders in a body: `{V}` the vector type, `{H}` that of half as many lanes, `{U}` the unsigned vector of the same
shape, `{S}` the signed one. Of an intrinsic: `{w}` the width infix (`_mm512_`, `_mm256_`, `_mm_`), `{r}` the register
type, `{ri}` the integer one. Also of an intrinsic: `{s}` the element suffix (ps, pd, epi32, ...), `{u}` the untyped
integer suffix (epi32 and others). `{k}` is the mask type, `{tail}` a mask of the first n lanes, `{iota}` the list 0, 1,
.., `{D}` the result type of a conversion. `{x}` is the operand of a conversion as an integer register, `{p}` the u8
mask as one; both are at its low end if they are shorter. Parameters are called as in the portable helper.
"""

from __future__ import annotations

from ..architecture import HeaderParts, Intrinsics, IsaEntry

HEADER = "immintrin.h"
# most of the header declares functions of AVX-512
NARROW = HeaderParts(
    HEADER,
    frozenset({"-mavx2", "-mfma", "-mf16c"}),
    frozenset(f"{name}intrin.h" for name in "x86gpr mm xmm emm pmm tmm smm wmm avx avx2 fma f16c".split()),
)

FLOATS = ("f32", "f64")
WORDS = ("f32", "s32", "u32")
DOUBLES = ("f64", "s64", "u64")
HALVES = ("s16", "u16")
BYTES = ("s8", "u8")
EVERY = WORDS + DOUBLES + HALVES + BYTES


def _entry(helper: str, dtypes: tuple[str, ...], sizes: tuple[int, ...], features: str, body: str) -> IsaEntry:
    return IsaEntry(helper, dtypes, sizes, frozenset(features.split()), body)


def _avx512(helper: str, dtypes: tuple[str, ...], body: str, extra: str = "") -> tuple[IsaEntry, IsaEntry]:
    """A body for 64-byte vectors, and for the narrower ones where the VL extension is there."""
    return (
        _entry(helper, dtypes, (64,), f"avx512f {extra}", body),
        _entry(helper, dtypes, (32, 16), f"avx512f avx512vl {extra}", body),
    )


# With AVX2 a masked load or store takes six or seven times as long as a plain one on some CPUs (Zen: 8 and 10 cycles
# for 1.4, docs/lab/race/tails.c). It serves counts that are known only when a program runs.
MASKED_MEMORY = (
    *_avx512("load_tail", WORDS + DOUBLES, "return ({V}){w}maskz_loadu_{u}({tail}, p);"),
    *_avx512("load_tail", HALVES + BYTES, "return ({V}){w}maskz_loadu_{u}({tail}, p);", "avx512bw"),
    *_avx512("store_tail", WORDS + DOUBLES, "{w}mask_storeu_{u}(p, {tail}, ({ri})v);"),
    *_avx512("store_tail", HALVES + BYTES, "{w}mask_storeu_{u}(p, {tail}, ({ri})v);", "avx512bw"),
    _entry(
        "load_counted",
        WORDS,
        (32, 16),
        "avx2",
        "return ({V}){w}maskload_epi32((const int *)p, ({ri})(({S}){{{iota}}} < n));",
    ),
    _entry(
        "load_counted",
        DOUBLES,
        (32, 16),
        "avx2",
        "return ({V}){w}maskload_epi64((const long long *)p, ({ri})(({S}){{{iota}}} < n));",
    ),
    _entry(
        "store_counted", WORDS, (32, 16), "avx2", "{w}maskstore_epi32((int *)p, ({ri})(({S}){{{iota}}} < n), ({ri})v);"
    ),
    _entry(
        "store_counted",
        DOUBLES,
        (32, 16),
        "avx2",
        "{w}maskstore_epi64((long long *)p, ({ri})(({S}){{{iota}}} < n), ({ri})v);",
    ),
)

WHOLE = (  # compilers make a two-table permutation of a shuffle that only joins or takes halves
    _entry("upper", EVERY, (32,), "avx2", "return ({H})_mm256_extracti128_si256((__m256i)x, 1);"),
    _entry(
        "join",
        HALVES + BYTES,
        (64,),
        "avx512f",
        "return ({V})_mm512_inserti64x4(_mm512_castsi256_si512((__m256i)x), (__m256i)y, 1);",
    ),
    _entry(
        "join",
        HALVES + BYTES,
        (32,),
        "avx2",
        "return ({V})_mm256_inserti128_si256(_mm256_castsi128_si256((__m128i)x), (__m128i)y, 1);",
    ),
)

PARTS = (  # what is inserted from memory takes no shuffle
    _entry(
        "load_parts",
        EVERY,
        (64,),
        "avx512f",
        "__m512i v = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)p0));\n"
        "v = _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)p1), 1);\n"
        "v = _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)p2), 2);\n"
        "return ({V})_mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)p3), 3);",
    ),
    _entry(
        "load_parts",
        EVERY,
        (32,),
        "avx2",
        "const __m256i v = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)p0));\n"
        "return ({V})_mm256_inserti128_si256(v, _mm_loadu_si128((const __m128i *)p1), 1);",
    ),
)

# An instruction that takes its operand from memory reads it at each use, and one that crosses a line twice. A step of 8
# rows by 3 columns then has 24 loads for 11. The empty statement is all that compilers cannot see through.
HELD = (
    *_avx512("hold", EVERY, '__asm__("" : "+v"(x));\nreturn x;'),
    _entry("hold", EVERY, (32, 16), "avx", '__asm__("" : "+x"(x));\nreturn x;'),
    *_avx512("keep", EVERY, ""),  # a multiply-add spreads an element that it reads itself: it is in no register
    _entry("keep", EVERY, (32, 16), "avx", '__asm__ volatile("" : : "x"(x));'),
)

NONTEMPORAL = (
    _entry("store_nontemporal", EVERY, (64,), "avx512f", "_mm512_stream_si512((__m512i *)p, (__m512i)v);"),
    _entry("store_nontemporal", EVERY, (32,), "avx", "_mm256_stream_si256((__m256i *)p, (__m256i)v);"),
    _entry("store_nontemporal", EVERY, (16,), "avx", "_mm_stream_si128((__m128i *)p, (__m128i)v);"),
    _entry("store_nontemporal", EVERY, (8,), "avx", "_mm_stream_si64((long long *)p, (long long)v);"),
    _entry("store_nontemporal", EVERY, (4,), "avx", "_mm_stream_si32((int *)p, (int)v);"),
)

# max and min instructions return their second operand when either is NaN: at_least and at_most rely on it.
ORDER = (
    *_avx512("at_least", FLOATS, "return ({V}){w}max_{s}(({r})low, ({r})x);"),
    *_avx512("at_most", FLOATS, "return ({V}){w}min_{s}(({r})high, ({r})x);"),
    _entry("at_least", FLOATS, (32, 16), "avx", "return ({V}){w}max_{s}(({r})low, ({r})x);"),
    _entry("at_most", FLOATS, (32, 16), "avx", "return ({V}){w}min_{s}(({r})high, ({r})x);"),
    *_avx512(
        "if_nan",
        FLOATS,
        "return ({V}){w}mask_blend_{s}({w}cmp_{s}_mask(({r})t, ({r})t, _CMP_UNORD_Q), ({r})y, ({r})x);",
    ),
    _entry(
        "if_nan",
        FLOATS,
        (32, 16),
        "avx",
        "return ({V}){w}blendv_{s}(({r})y, ({r})x, {w}cmp_{s}(({r})t, ({r})t, _CMP_UNORD_Q));",
    ),
    *_avx512("maximum", ("s32", "u32", "s64", "u64"), "return ({V}){w}max_{s}(({r})x, ({r})y);"),
    *_avx512("minimum", ("s32", "u32", "s64", "u64"), "return ({V}){w}min_{s}(({r})x, ({r})y);"),
    _entry("maximum", ("s32", "u32"), (32, 16), "avx2", "return ({V}){w}max_{s}(({r})x, ({r})y);"),
    _entry("minimum", ("s32", "u32"), (32, 16), "avx2", "return ({V}){w}min_{s}(({r})x, ({r})y);"),
    *(
        entry
        for test, predicate in (("lt", "_CMP_LT_OQ"), ("le", "_CMP_LE_OQ"), ("eq", "_CMP_EQ_OQ"))
        for entry in (
            *_avx512(
                f"select_{test}",
                FLOATS,
                f"return ({{V}}){{w}}mask_blend_{{s}}({{w}}cmp_{{s}}_mask(({{r}})a, ({{r}})b, {predicate}), ({{r}})y,"
                " ({r})x);",
            ),
            *_avx512(
                f"select_{test}",
                ("s32", "u32", "s64", "u64"),
                f"return ({{V}}){{w}}mask_blend_{{u}}({{w}}cmp{test}_{{s}}_mask(({{ri}})a, ({{ri}})b), ({{ri}})y,"
                " ({ri})x);",
            ),
            _entry(
                f"select_{test}",
                FLOATS,
                (32, 16),
                "avx",
                "return ({V}){w}blendv_{s}(({r})y, ({r})x, {w}cmp_{s}(({r})a, ({r})b,"
                f" {predicate}));",
            ),
        )
    ),
    *_avx512(
        "select",
        WORDS + DOUBLES,
        "return ({V}){w}mask_blend_{u}(({k})_mm_test_epi8_mask({p}, {p}), ({ri})y, ({ri})x);",
        "avx512bw avx512vl",
    ),
)

# Of a comparison and the bits of a mask compilers make a choice between two registers, which takes two or three
# operations where the mask alone takes one.
CLEARED = (
    *_avx512("cleared", FLOATS, "return ({V})(({S})x & ~m);"),  # of a mask in a register of its own
    _entry("cleared", FLOATS, (32, 16), "avx", "return ({V}){w}andnot_{s}(({r})m, ({r})x);"),
)

# An approximation to 14 bits, refined by Newton's method; where it is 0 or infinite it is exact, and a step would give
# NaN.
RSQRT_STEP = (
    "t = {w}mul_{s}(({r})x, y);\ny = {w}fmadd_{s}({w}fnmadd_{s}(t, y, {w}set1_{s}(1)), {w}mul_{s}(y,"
    " {w}set1_{s}(0.5f)), y);\n"
)
RSQRT = (
    "{r} near = {w}rsqrt14_{s}(({r})x), y = near, t;\n{STEPS}return ({V}){w}mask_mov_{s}(y, {w}cmp_{s}_mask(y, y,"
    " _CMP_UNORD_Q), near);"
)
KEPT = (
    "(void)moved;\n"
    "return ({V}){w}maskz_scalef_{s}({w}cmp_{s}_mask(({r})given, {w}set1_{s}({LEAST}), _CMP_NLT_UQ), ({r})x, ({r})n);"
)
# An approximation to 14 bits gives a quotient of as many bits; the rest of x, times the approximation, is added with
# the one rounding that shows.
DIVIDED = (
    "{r} near = {w}rcp14_{s}(({r})y), found = {w}mul_{s}(({r})x, near), left = {w}fnmadd_{s}(found, ({r})y, ({r})x);\n"
)
RATIO = DIVIDED + "return ({V}){w}fmadd_{s}(left, near, found);"
LEFT_OVER = "return ({V}){w}fmadd_{s}({w}fnmadd_{s}(found, ({r})low, left), near, found);"
QUOTIENT = DIVIDED + LEFT_OVER
# With -0 added to it x * high keeps its sign, of a zero too. In a register x is not loaded at each use, as in HELD.
TIMES_BOTH = (
    '__asm__("" : "+v"(x));\n'
    "{k} is_large = {w}test_{i}_mask(({ri})x, ({ri})large);\n"
    "return ({V}){w}fmadd_{s}(({r})x, ({r})high, {w}mask_mul_{s}({w}set1_{s}(-0.0f), is_large, ({r})x, ({r})low));"
)
ARITHMETIC = (
    *_avx512("any_nan", FLOATS, "return {w}cmp_{s}_mask(({r})x, ({r})x, _CMP_UNORD_Q) != 0;"),
    *(
        _entry(
            "any_negative",
            (dtype,),
            (64,),
            "avx512f",
            f"return _mm512_cmplt_epi{dtype[1:]}_mask((__m512i)x, _mm512_setzero_si512()) != 0;",
        )
        for dtype in FLOATS
    ),
    _entry("any_negative", FLOATS, (32, 16), "avx2", "return {w}movemask_{s}(({r})x);"),
    _entry("round", FLOATS, (64,), "avx512f", "return ({V}){w}roundscale_{s}(({r})x, 8);"),  # to nearest, half to even
    _entry("round", FLOATS, (32, 16), "avx", "return ({V}){w}round_{s}(({r})x, 8);"),
    _entry("sqrt", FLOATS, (64,), "avx512f", "return ({V}){w}sqrt_{s}(({r})x);"),
    _entry("sqrt", FLOATS, (32, 16), "avx", "return ({V}){w}sqrt_{s}(({r})x);"),
    _entry("sqrt", FLOATS, (16,), "sse2", "return ({V}){w}sqrt_{s}(({r})x);"),
    # A lane that a mask leaves out takes no time, though its result would be a denormal.
    *_avx512("scale_kept", ("f32",), KEPT.replace("{LEAST}", "-87.33654f")),
    *_avx512("scale_kept", ("f64",), KEPT.replace("{LEAST}", "-708.396418532264")),
    *_avx512("and_more", FLOATS, "return ({V}){w}fmadd_{s}(({r})x, ({r})by, ({r})x);"),
    _entry("and_more", FLOATS, (32, 16), "fma", "return ({V}){w}fmadd_{s}(({r})x, ({r})by, ({r})x);"),
    *_avx512("any_below", FLOATS, "return {w}cmp_{s}_mask(({r})x, ({r})low, _CMP_NGE_UQ) != 0;"),
    _entry("any_below", FLOATS, (32, 16), "avx", "return {w}movemask_{s}({w}cmp_{s}(({r})x, ({r})low, _CMP_NGE_UQ));"),
    *(
        entry
        for dtype, least in (("f32", "0x1p-50f"), ("f64", "0x1p-110"))
        for entry in (
            *_avx512(
                "square", (dtype,), f"return ({{V}}){{w}}fmadd_{{s}}(({{r}})x, ({{r}})x, {{w}}set1_{{s}}({least}));"
            ),
            _entry(
                "square",
                (dtype,),
                (32, 16),
                "fma",
                f"return ({{V}}){{w}}fmadd_{{s}}(({{r}})x, ({{r}})x, {{w}}set1_{{s}}({least}));",
            ),
        )
    ),
    *_avx512("scale_near", FLOATS, "(void)moved;\nreturn ({V}){w}scalef_{s}(({r})x, ({r})n);"),
    _entry("look_up", FLOATS, (64,), "avx512f", "return ({V})_mm512_permutexvar_{s}(({ri})moved, ({r})powers);"),
    _entry("look_up", ("f32",), (32,), "avx2", "return ({V})_mm256_permutevar8x32_ps((__m256)powers, (__m256i)moved);"),
    # scalef gives infinity or 0 for any x where n is infinite, and so for NaN there: what has no remainder needs a
    # bound, x does not.
    *_avx512(
        "exp_rest", FLOATS, "return ({V}){w}range_{s}(({r})x, {w}set1_{s}(0.5f), 2);", "avx512dq"
    ),  # the lesser magnitude, x's sign
    # getexp and getmant know denormals, 0, infinity and NaN; 3: a negative number gives NaN, -0 gives 1.
    *_avx512(
        "log_fraction",
        FLOATS,
        "return ({V}){w}getmant_{s}(({r})x, _MM_MANT_NORM_p75_1p5, (_MM_MANTISSA_SIGN_ENUM)3) - 1;",
    ),
    *_avx512(
        "log_exponent",
        FLOATS,
        "{r} part = {w}getmant_{s}(({r})x, _MM_MANT_NORM_p75_1p5, (_MM_MANTISSA_SIGN_ENUM)3);\n"
        "return ({V}){w}getexp_{s}(({r})x) - ({V}){w}getexp_{s}(part);",
    ),
    *_avx512("log_edges", FLOATS, "return y;"),
    *_avx512(
        "reciprocal",
        ("f32",),
        "{r} near = {w}rcp14_{s}(({r})x);\nreturn ({V}){w}fmadd_{s}({w}fnmadd_{s}(near, ({r})x, {w}set1_{s}(1)), near,"
        " near);",
    ),
    *_avx512("ratio", ("f32",), RATIO),
    *_avx512("quotient", ("f32",), QUOTIENT),
    _entry(
        "quotient",
        ("f32",),
        (32, 16),
        "fma",
        DIVIDED.replace("rcp14_{s}(({r})y)", "div_{s}({w}set1_{s}(1), ({r})y)") + LEFT_OVER,
    ),
    *_avx512("times_both", ("f32",), TIMES_BOTH.replace("{i}", "epi32")),
    *_avx512("times_both", ("f64",), TIMES_BOTH.replace("{i}", "epi64")),
    *_avx512("square_low", FLOATS, "return ({V}){w}fmsub_{s}(({r})x, ({r})x, ({r})s);"),
    _entry("square_low", FLOATS, (32, 16), "fma", "return ({V}){w}fmsub_{s}(({r})x, ({r})x, ({r})s);"),
    # A lane of 32 bits is two words. The upper one of y is 0, so that of x, which has its sign, counts nothing.
    *_avx512(
        "add_product",
        ("s32",),
        "return ({V}){w}dpwssd_epi32(({ri})c, ({ri})x, ({ri})(y & 0xffff));",
        "avx512_vnni",
    ),
    _entry("add_product", ("s32",), (64,), "avx512bw", "return c + ({V}){w}madd_epi16(({ri})x, ({ri})(y & 0xffff));"),
    _entry("add_product", ("s32",), (32, 16), "avx2", "return c + ({V}){w}madd_epi16(({ri})x, ({ri})(y & 0xffff));"),
    *_avx512("rsqrt", ("f32",), RSQRT.replace("{STEPS}", RSQRT_STEP)),
    *_avx512("rsqrt", ("f64",), RSQRT.replace("{STEPS}", RSQRT_STEP * 2)),
)

# Compared with nothing, the truncating conversion gives INT_MIN for NaN and for all that is out of range.
TRUNCATION = (
    "{k} big = {w}cmp_{s}_mask(({r})x, {w}set1_{s}(2147483648.0f), _CMP_GE_OQ);\n"
    "{ri} whole = {w}maskz_cvttps_epi32({w}cmp_{s}_mask(({r})x, ({r})x, _CMP_ORD_Q), ({r})x);\n"
    "return ({D}){w}mask_mov_epi32(whole, big, {w}set1_epi32(2147483647));"
)

# Round to nearest even on the bits; a NaN could carry over into infinity, so it is cut and made quiet.
TO_BF16 = (
    "__m512i all = (__m512i)x, cut = _mm512_srli_epi32(all, 16);\n"
    "__m512i odd = _mm512_and_si512(cut, _mm512_set1_epi32(1));\n"
    "__m512i sum = _mm512_add_epi32(_mm512_add_epi32(all, _mm512_set1_epi32(0x7fff)), odd);\n"
    "__mmask16 nan = _mm512_cmp_ps_mask((__m512)x, (__m512)x, _CMP_UNORD_Q);\n"
    "__m512i result = _mm512_mask_or_epi32(_mm512_srli_epi32(sum, 16), nan, cut, _mm512_set1_epi32(0x40));\n"
    "return ({D})_mm512_cvtepi32_epi16(result);"
)


def _widen(sources: str, targets: str, instruction: str) -> tuple[IsaEntry, ...]:
    """GNU C widens element by element, or in halves; these do it at once."""
    pairs = tuple(f"{source}->{to}" for source in sources.split() for to in targets.split())
    body = f"return ({{D}}){{w}}{instruction}({{x}});"
    return (
        _entry("convert", pairs, (64,), "avx512f avx512bw" if instruction.endswith("16") else "avx512f", body),
        _entry("convert", pairs, (32, 16), "avx2", body),
    )


def _narrow(source: str, to: str, instruction: str, operand: str = "({ri})x") -> IsaEntry:
    """Narrowing with saturation, a whole 64-byte vector at a time."""
    return _entry("convert", (f"{source}->{to}",), (64,), "avx512f", f"return ({{D}})_mm512_{instruction}({operand});")


NOT_NEGATIVE = "_mm512_max_epi32((__m512i)x, _mm512_setzero_si512())"
# The larger of NaN and 0 is 0, as `ORDER` says; a number beyond u32 becomes its largest.
TO_UNSIGNED = "_mm512_cvttps_epu32(_mm512_max_ps((__m512)x, _mm512_setzero_ps()))"
TO_SIGNED = (
    "_mm512_maskz_cvttps_epi32(_mm512_cmp_ps_mask((__m512)x, (__m512)x, _CMP_ORD_Q), _mm512_min_ps((__m512)x,"
    " _mm512_set1_ps({})))"
)
HALVES_OF_X = "_mm256_castsi256_si128((__m256i)x), _mm256_extracti128_si256((__m256i)x, 1)"
CONVERSIONS = (
    *_widen("s8", "s32 u32", "cvtepi8_epi32"),
    *_widen("u8 pred", "s32 u32", "cvtepu8_epi32"),
    *_widen("s16", "s32 u32", "cvtepi16_epi32"),
    *_widen("u16", "s32 u32", "cvtepu16_epi32"),
    *_widen("s8", "s16", "cvtepi8_epi16"),
    *_widen("u8 pred", "s16 u16", "cvtepu8_epi16"),
    *_widen("s32", "s64 u64", "cvtepi32_epi64"),
    *_widen("u32", "s64 u64", "cvtepu32_epi64"),
    _narrow("s32", "s8", "cvtsepi32_epi8"),
    _narrow("s32", "s16", "cvtsepi32_epi16"),
    _narrow("s32", "u8", "cvtusepi32_epi8", NOT_NEGATIVE),
    _narrow("s32", "u16", "cvtusepi32_epi16", NOT_NEGATIVE),
    _narrow("u32", "u8", "cvtusepi32_epi8"),
    _narrow("u32", "u16", "cvtusepi32_epi16"),
    _narrow("f32", "u8", "cvtusepi32_epi8", TO_UNSIGNED),
    _narrow("f32", "u16", "cvtusepi32_epi16", TO_UNSIGNED),
    _narrow("f32", "s8", "cvtsepi32_epi8", TO_SIGNED.format(127)),
    _narrow("f32", "s16", "cvtsepi32_epi16", TO_SIGNED.format(32767)),
    _entry("convert", ("s32->s16",), (32,), "avx2", f"return ({{D}})_mm_packs_epi32({HALVES_OF_X});"),
    _entry("convert", ("s32->u16",), (32,), "avx2", f"return ({{D}})_mm_packus_epi32({HALVES_OF_X});"),
    _entry(
        "convert",
        ("s32->s8",),
        (32,),
        "avx2",
        f"__m128i half = _mm_packs_epi32({HALVES_OF_X});\nreturn ({{D}})_mm_cvtsi128_si64(_mm_packs_epi16(half,"
        " half));",
    ),
    _entry(
        "convert",
        ("s32->u8",),
        (32,),
        "avx2",
        f"__m128i half = _mm_packs_epi32({HALVES_OF_X});\nreturn ({{D}})_mm_cvtsi128_si64(_mm_packus_epi16(half,"
        " half));",
    ),
    _entry("convert", ("f16->f32",), (64,), "avx512f", "return ({D})_mm512_cvtph_ps((__m256i)x);"),
    _entry("convert", ("f16->f32",), (32, 16), "f16c", "return ({D}){w}cvtph_ps({x});"),
    _entry("convert", ("f16->f32",), (4,), "f16c", "return ({D}){{_cvtsh_ss(x[0])}};"),
    _entry(
        "convert", ("f32->f16",), (64,), "avx512f", "return ({D})_mm512_cvtps_ph((__m512)x, _MM_FROUND_TO_NEAREST_INT);"
    ),
    _entry(
        "convert", ("f32->f16",), (32,), "f16c", "return ({D})_mm256_cvtps_ph((__m256)x, _MM_FROUND_TO_NEAREST_INT);"
    ),
    _entry(
        "convert",
        ("f32->f16",),
        (16,),
        "f16c",
        "return ({D})_mm_cvtsi128_si64(_mm_cvtps_ph((__m128)x, _MM_FROUND_TO_NEAREST_INT));",
    ),
    _entry("convert", ("f32->f16",), (4,), "f16c", "return ({D}){{_cvtss_sh(x[0], _MM_FROUND_TO_NEAREST_INT)}};"),
    _entry("convert", ("f32->bf16",), (64,), "avx512f", TO_BF16),
    *_avx512("convert", ("f32->s32",), TRUNCATION),
)

ENTRIES = MASKED_MEMORY + WHOLE + PARTS + HELD + NONTEMPORAL + ORDER + CLEARED + ARITHMETIC + CONVERSIONS

_INFIX = {16: "_mm_", 32: "_mm256_", 64: "_mm512_"}
_FLOAT_REGISTER = {"f32": "", "f64": "d"}
_FLOAT_SUFFIX = {"f32": "ps", "f64": "pd"}


# The widest vector register, in bytes, by the feature that brings it.
_REGISTERS = (("avx512f", 64), ("avx", 32))


# A vector of few bytes as the low end of a 16-byte register; by its size.
_IN_REGISTER = {
    2: "_mm_cvtsi32_si128((short){})",
    4: "_mm_cvtsi32_si128((int){})",
    8: "_mm_cvtsi64_si128((long long){})",
    16: "(__m128i){}",
    32: "(__m256i){}",
    64: "(__m512i){}",
}


def fields(dtype: str, bits: int, lanes: int, vector_bytes: int) -> dict[str, str]:
    """The placeholders that follow from the element type alone; the caller adds the names of C types."""
    register = f"__m{8 * vector_bytes}"
    integer_suffix = f"ep{'u' if dtype[0] == 'u' else 'i'}{bits}"
    return {
        "w": _INFIX.get(vector_bytes, ""),
        "r": register + _FLOAT_REGISTER.get(dtype, "i"),
        "ri": register + "i",
        "s": _FLOAT_SUFFIX.get(dtype, integer_suffix),
        "u": f"epi{bits}",
        "k": f"__mmask{max(lanes, 8)}",
        "tail": _tail_mask(lanes),
        "x": _IN_REGISTER.get(bits // 8 * lanes, "").format("x"),
        "p": _IN_REGISTER.get(lanes, "").format("p"),
        "iota": ", ".join(map(str, range(lanes))),
    }


def _tail_mask(lanes: int) -> str:
    """The C expression of a mask whose first n lanes are set, 0 <= n <= lanes; a shift by 64 would be undefined."""
    if lanes == 64:
        return "(__mmask64)(n < 64 ? (1ull << n) - 1 : ~0ull)"
    return f"(__mmask{max(lanes, 8)})((1ull << n) - 1)"


X86 = Intrinsics(HEADER, ENTRIES, fields, _REGISTERS)
