"""Helpers that NEON does much better than GNU C vectors: data only, as those of x86 are.

Placeholders in a body: `{V}` the vector type, `{H}` that of half as many lanes, `{U}` the unsigned vector of the same
shape, `{S}` the signed one. `{s}` is the suffix of an intrinsic (f32, u8, ..), `{r}` its register type, `{D}` the
result type of a conversion. Parameters are called as in the portable helper.
"""

from __future__ import annotations

from ..architecture import Intrinsics, IsaEntry

NEON, HALVES = frozenset({"asimd"}), frozenset({"asimdhp"})
FLOATS = ("f32", "f64")
WORDS = ("s32", "u32")


def _entry(helper: str, dtypes: tuple[str, ...], body: str, features: frozenset[str] = NEON) -> IsaEntry:
    return IsaEntry(helper, dtypes, (16,), features, body)


# FMAX and FMIN give NaN where either operand is one: `low` and `high` are numbers.
ORDER = (
    _entry("at_least", FLOATS, "return ({V})vmaxq_{s}(({r})x, ({r})low);"),
    _entry("at_most", FLOATS, "return ({V})vminq_{s}(({r})x, ({r})high);"),
    _entry("maximum", WORDS, "return ({V})vmaxq_{s}(({r})x, ({r})y);"),
    _entry("minimum", WORDS, "return ({V})vminq_{s}(({r})x, ({r})y);"),
    _entry("any_negative", ("f32",), "return vminvq_s32((int32x4_t)x) < 0;"),
    _entry("any_nan", ("f32",), "return vminvq_u32(vceqq_f32((float32x4_t)x, (float32x4_t)x)) == 0;"),
)

ARITHMETIC = (
    _entry("round", FLOATS, "return ({V})vrndnq_{s}(({r})x);"),
    _entry("sqrt", FLOATS, "return ({V})vsqrtq_{s}(({r})x);"),
)

# FCVTZS truncates, saturates, and gives 0 for NaN, as a conversion here does; the narrowing moves saturate.
CONVERSIONS = (
    _entry("convert", ("f32->s32",), "return ({D})vcvtq_s32_f32((float32x4_t)x);"),
    _entry("convert", ("f64->s64",), "return ({D})vcvtq_s64_f64((float64x2_t)x);"),
    _entry("convert", ("f16->f32",), "return ({D})vcvt_f32_f16((float16x4_t)x);"),
    _entry("convert", ("f32->f16",), "return ({D})vcvt_f16_f32((float32x4_t)x);"),
    _entry("convert", ("s32->s16",), "return ({D})vqmovn_s32((int32x4_t)x);"),
    _entry("convert", ("s32->u16",), "return ({D})vqmovun_s32((int32x4_t)x);"),
    _entry("convert", ("u32->u16",), "return ({D})vqmovn_u32((uint32x4_t)x);"),
    _entry("convert", ("s16->s8",), "return ({D})vqmovn_s16((int16x8_t)x);"),
    _entry("convert", ("s16->u8",), "return ({D})vqmovun_s16((int16x8_t)x);"),
    _entry("convert", ("u16->u8",), "return ({D})vqmovn_u16((uint16x8_t)x);"),
)

# NaN in either argument gives NaN, as on f32. A product is held: else compilers make a multiply-add of it and a sum.
IN_HALVES = (
    *(
        _entry(f, ("f16",), f"return ({{V}})v{name}q_{{s}}(({{r}})x, ({{r}})y);", HALVES)
        for f, name in (("add", "add"), ("sub", "sub"), ("div", "div"), ("maximum", "max"), ("minimum", "min"))
    ),
    _entry("mul", ("f16",), "{r} all = vmulq_{s}(({r})x, ({r})y);\nROUNDED(all);\nreturn ({V})all;", HALVES),
    *(_entry(f, ("f16",), f"return ({{V}})v{f}q_{{s}}(({{r}})x);", HALVES) for f in ("neg", "abs", "sqrt")),
    _entry("relu", ("f16",), "return ({V})vmaxq_{s}(({r})x, vdupq_n_{s}(0));", HALVES),
    *(
        _entry(f"select_{f}", ("f16",), f"return vbslq_u16(vc{f}q_{{s}}(({{r}})a, ({{r}})b), x, y);", HALVES)
        for f in ("lt", "le")
    ),
    _entry("select_eq", ("f16",), "return vbslq_u16(vceqq_{s}(({r})a, ({r})b), x, y);", HALVES),
)

_KINDS = {"f": "float", "s": "int", "u": "uint"}


def fields(dtype: str, bits: int, lanes: int, vector_bytes: int) -> dict[str, str]:
    """The placeholders that follow from the element type alone."""
    return {"s": dtype, "r": f"{_KINDS.get(dtype[0], 'uint')}{bits}x{lanes}_t"}


ARM = Intrinsics("arm_neon.h", ORDER + ARITHMETIC + CONVERSIONS + IN_HALVES, fields)
