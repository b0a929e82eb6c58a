"""Conversions between all dtypes, lane by lane: the meaning, and the portable C body of each.

Floats to integers truncate toward zero and saturate, NaN gives 0. Floats to pred: x != 0. Integers to 16 bits, fewer,
and pred saturate; among 32 and 64 bits they wrap. Everything to a float rounds once, to nearest even, also where the
way leads through a wider float; NaN stays NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...lang.functions.kit import Kit
from ...lang.types.dtypes import TINY

RANGES = {
    "pred": (0, 1), "u2": (0, 3), "s2": (-2, 1), "u4": (0, 15), "s4": (-8, 7),
    "s8": (-(1 << 7), (1 << 7) - 1), "u8": (0, (1 << 8) - 1),
    "s16": (-(1 << 15), (1 << 15) - 1), "u16": (0, (1 << 16) - 1), "s32": (-(1 << 31), (1 << 31) - 1),
    "u32": (0, (1 << 32) - 1), "s64": (-(1 << 63), (1 << 63) - 1), "u64": (0, (1 << 64) - 1),
}  # fmt: skip
HALF = ("f16", "bf16")
NARROW = (*HALF, *TINY)
FLOATS = ("f64", "f32", *NARROW)
WRAPPING = ("s32", "u32", "s64", "u64")
_PARTS = {"u2": "u8", "s2": "s8", "u4": "u8", "s4": "s8"}  # of a byte, and what that is as a whole
_BYTE = (*_PARTS, "s8", "u8", "pred")
_SHORT = (*_BYTE, "s16", "u16")
_IN_BYTES = {**_PARTS, "pred": "u8"}


def is_identity(source: str, to: str) -> bool:
    """Whether values and C type stay as they are: the same dtype, pred as u8."""
    return source == to or (source, to) == ("pred", "u8")


def body(kit: Kit, to: str) -> str:
    """The C body for `x`, vectors of kit.dtype, to dtype `to`."""
    via = _via(kit.dtype, to)
    if via:
        return f"return {kit.with_(via).convert(to)}({kit.convert(via)}(x));"
    if (kit.dtype, to) in _SPECIAL:
        return _SPECIAL[kit.dtype, to](kit)
    if kit.dtype in FLOATS:
        return _from_float(kit, to)
    if to in FLOATS or to in WRAPPING:
        return _plain(kit, to)
    return _saturate(kit, to)


def in_halves(kit: Kit, to: str) -> str:
    """The same for vectors that would not fit a register on the way: compilers spill those, lane by lane."""
    half = kit.with_(lanes=kit.lanes // 2)
    call = half.convert(to)
    low, high, all_ = (
        ", ".join(map(str, lanes)) for lanes in (range(half.lanes), range(half.lanes, kit.lanes), range(kit.lanes))
    )
    return (
        f"{half.with_(to).V} low = {call}(__builtin_shufflevector(x, x, {low}));\n"
        f"{half.with_(to).V} high = {call}(__builtin_shufflevector(x, x, {high}));\n"
        f"return __builtin_shufflevector(low, high, {all_});"
    )


def passes(source: str, to: str) -> tuple[str, ...]:
    """All dtypes that lanes take on the way, both ends included."""
    via = _via(source, to)
    return (*passes(source, via), *passes(via, to)) if via else (source, to)


def _via(source: str, to: str) -> str | None:
    """The dtype to pass through, where two exact (or exactly composing) steps do it."""
    if source in _PARTS and to != _PARTS[source]:
        return _PARTS[source]
    if source in NARROW and to != "f32":
        return "f32"
    if to in HALF and source not in FLOATS and source not in WRAPPING:
        return "f32"
    if to in TINY and source not in FLOATS:  # what f32 does not hold is beyond the largest of these
        return "f32"
    if source in FLOATS and to not in (*FLOATS, *WRAPPING, "pred"):
        return "s32"
    if source in _SHORT and to in FLOATS:
        return "s32"  # compilers widen and then convert well, but not both at once
    if to in _IN_BYTES and source not in (*FLOATS, *_BYTE):
        return _IN_BYTES[to]  # saturating twice is saturating once
    return None


def _plain(kit: Kit, to: str) -> str:
    return f"return __builtin_convertvector(x, {kit.with_(to).V});"


def _from_float(kit: Kit, to: str) -> str:
    """From f32 or f64 to f32, f64, pred or an integer of at least 32 bits."""
    result = kit.with_(to)
    if to == "pred":
        return f"return ({result.V})__builtin_convertvector(x != 0, {result.S}) & 1;"
    if to in FLOATS:
        return _plain(kit, to)
    low, high = RANGES[to]
    below, above = kit.literal(low), kit.literal(high + 1)
    lines = [
        f"{kit.S} inside = ({kit.S})(x >= {below}) & ({kit.S})(x < {above});",  # false for NaN
        f"{result.V} whole = __builtin_convertvector(({kit.V})(({kit.S})x & inside), {result.V});",
        f"whole |= ({result.V})__builtin_convertvector(({kit.S})(x >= {above}), {result.S}) & {result.literal(high)};",
    ]
    if low:
        lines.append(
            f"whole |= ({result.V})__builtin_convertvector(({kit.S})(x < {below}), {result.S}) & {result.literal(low)};"
        )
    return "\n".join([*lines, "return whole;"])


def _saturate(kit: Kit, to: str) -> str:
    """From an integer to 8 or 16 bits: clamp in the source's own type, where the bounds always fit, then cut."""
    lowest, highest = RANGES[kit.dtype]
    low, high = RANGES[to]
    lines = []
    if low > lowest:
        lines.append(_clamp(kit, "<", low))
    if high < highest:
        lines.append(_clamp(kit, ">", high))
    if kit.dtype == "u32":
        signed = kit.with_("s32")
        # the rest fits: signed narrowing is better
        return "\n".join([*lines, f"return {signed.convert(to)}(({signed.V})x);"])
    return "\n".join([*lines, _plain(kit, to)])


def _clamp(kit: Kit, symbol: str, bound: int) -> str:
    constant = f"({kit.T}){kit.literal(bound)}"
    if kit.dtype in WRAPPING:
        return f"x = {kit('minimum' if symbol == '>' else 'maximum')}(x, ({kit.V}){{0}} + {constant});"
    outside = f"({kit.V})(x {symbol} {constant})"
    return f"x = (x & ~{outside}) | ({outside} & {constant});"


def _whole_byte(kit: Kit) -> str:
    """An s4 is the low half of its byte; what the high half holds is not said (ml_dtypes leaves it as it comes)."""
    bits = int(kit.dtype[1:])
    if kit.dtype[0] == "u":
        return f"return x & {(1 << bits) - 1};"
    return f"return ({kit.V})(({kit.U})x << {8 - bits}) >> {8 - bits};"


def _bf16_to_f32(kit: Kit) -> str:
    return f"return ({kit.with_('f32').V})({kit.with_('u16').convert('u32')}(x) << 16);"


def _f32_to_bf16(kit: Kit) -> str:
    """Adding 0x7fff and the last kept bit rounds to nearest even; a NaN could carry over into infinity, so it is made
    quiet."""
    unsigned, floats = kit.U, kit.V
    return (
        f"{unsigned} all = ({unsigned})x;\n"
        f"{unsigned} rounded = (all + 0x7fffu + ((all >> 16) & 1u)) >> 16;\n"
        f"{unsigned} quiet = (all >> 16) | 0x40u;\n"
        f"{unsigned} chosen = ({unsigned}){kit('if_nan')}(x, ({floats})quiet, ({floats})rounded);\n"
        f"return __builtin_convertvector(chosen, {kit.with_('bf16').V});"
    )


def _f16_to_f32(kit: Kit) -> str:
    """The fraction and exponent bits, moved up, are the value times 2**-112, denormals too; only inf and NaN need a
    mend."""
    wide, floats = kit.with_("u32").V, kit.with_("f32").V
    return (
        f"{wide} all = {kit.with_('u16').convert('u32')}(x);\n"
        f"{wide} rest = all & 0x7fffu;\n"
        f"{floats} scaled = ({floats})(rest << 13) * 0x1p112f;\n"
        f"{wide} special = ({wide})(rest >= 0x7c00u) & 0x7f800000u;\n"
        f"return ({floats})(({wide})scaled | special | ((all & 0x8000u) << 16));"
    )


def _f32_to_f16(kit: Kit) -> str:
    """Normal results round on the bits; small ones by adding 0.5, whose last place is f16's smallest step, 2**-24."""
    unsigned = kit.U
    return (
        f"{unsigned} all = ({unsigned})x, rest = all & 0x7fffffffu;\n"
        f"{unsigned} normal = (rest - (112u << 23) + 0xfffu + ((rest >> 13) & 1u)) >> 13;\n"
        f"{unsigned} small = ({unsigned})(({kit.V})rest + 0.5f) - 0x3f000000u;\n"
        f"{unsigned} is_small = ({unsigned})(rest < (113u << 23));\n"
        f"{unsigned} is_large = ({unsigned})(rest >= 0x477ff000u);\n"  # 65520 and on round to infinity
        f"{unsigned} nan = ({unsigned})(rest > 0x7f800000u) & 0x200u;\n"
        f"{unsigned} finite = (small & is_small) | (normal & ~is_small);\n"
        f"{unsigned} result = (finite & ~is_large) | ((0x7c00u | nan) & is_large) | ((all >> 16) & 0x8000u);\n"
        f"return __builtin_convertvector(result, {kit.with_('f16').V});"
    )


def _f64_to_half(to: str) -> Callable[[Kit], str]:
    """Through f32 rounded to odd (cut, the last bit set where anything was lost), so that the second rounding is the
    only one."""

    def text(kit: Kit) -> str:
        single = kit.with_("f32")
        return (
            f"{single.V} near = __builtin_convertvector(x, {single.V});\n"
            f"{kit.V} back = __builtin_convertvector(near, {kit.V});\n"
            f"{kit.S} away = ({kit.S})({kit('abs')}(back) > {kit('abs')}(x));\n"
            f"{single.S} step = __builtin_convertvector(away, {single.S});\n"  # -1: one place back toward zero
            f"{single.S} lost = __builtin_convertvector(({kit.S})(back != x), {single.S}) & 1;\n"
            f"return {single.convert(to)}(({single.V})((({single.S})near + step) | lost));"
        )

    return text


def _wide_integer_to_half(to: str, via: str, exact_bits: int, cut_bits: int) -> Callable[[Kit], str]:
    """Replace the low bits of a large integer by one sticky bit: it then converts to `via` exactly, and rounds alike
    after."""

    def text(kit: Kit) -> str:
        low = (1 << cut_bits) - 1
        magnitude = f"({kit.U})x" if kit.dtype[0] == "u" else f"({kit.U})x + {_unsigned(kit, 1 << exact_bits)}"
        limit = _unsigned(kit, (1 << exact_bits) << (kit.dtype[0] == "s"))
        passed = kit.with_(via)
        return (
            f"{kit.S} large = ({kit.S})({magnitude} > {limit});\n"
            f"{kit.V} sticky = ({kit.V})((x & {low}) != 0) & {1 << (cut_bits - 1)};\n"
            f"x = (x & ~({kit.V})large) | (((x & ~({kit.T}){low}) | sticky) & ({kit.V})large);\n"
            f"return {passed.convert(to)}(__builtin_convertvector(x, {passed.V}));"
        )

    return text


def _unsigned(kit: Kit, value: int) -> str:
    return f"{value}{'ull' if kit.dtype in ('s64', 'u64') else 'u'}"


# ---- floats of 8 bits and fewer --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SmallFloat:
    """How a float lies in the low bits of its byte: a sign over an exponent over a fraction, and patterns of no number.

    largest      the pattern of the largest magnitude; larger ones become `beyond`
    nan          the pattern of NaN, as it is made
    infinity     the pattern of infinity; None where there is none
    has_minus_0  whether -0 is: its pattern is `nan` where it is not
    """

    exponent: int
    fraction: int
    bias: int
    largest: int
    beyond: int
    nan: int
    infinity: int | None = None
    has_minus_0: bool = True

    @property
    def sign(self) -> int:
        return 1 << (self.exponent + self.fraction)


SMALL_FLOATS = {
    "f4e2m1fn": SmallFloat(2, 1, 1, largest=0x7, beyond=0x7, nan=0x8),
    "f8e4m3fn": SmallFloat(4, 3, 7, largest=0x7E, beyond=0x7F, nan=0x7F),
    "f8e4m3fnuz": SmallFloat(4, 3, 8, largest=0x7F, beyond=0x80, nan=0x80, has_minus_0=False),
    "f8e5m2": SmallFloat(5, 2, 15, largest=0x7B, beyond=0x7C, nan=0x7E, infinity=0x7C),
    "f8e5m2fnuz": SmallFloat(5, 2, 16, largest=0x7F, beyond=0x80, nan=0x80, has_minus_0=False),
}


def to_f32(kit: Kit) -> str:
    """Normal values move up, and the bias changes; those below are whole numbers of the smallest step."""
    form, wide = SMALL_FLOATS[kit.dtype], kit.with_("u32")
    up, step = 23 - form.fraction, 1 - form.bias - form.fraction
    U, F = wide.V, kit.with_("f32").V
    lines = [
        f"{U} all = {kit.with_('u8').convert('u32')}(x), rest = all & {form.sign - 1}u;",
        f"{F} small = __builtin_convertvector(({wide.S})rest, {F}) * 0x1p{step}f;",
        f"{U} normal = (rest << {up}) + {(127 - form.bias) << 23}u, is_small = ({U})(rest < {1 << form.fraction}u);",
        f"{U} found = (({U})small & is_small) | (normal & ~is_small);",
    ]
    if form.infinity is not None:  # and all above it are NaN
        lines.append(f"found |= ({U})(rest >= {form.infinity}u) & 0x7f800000u;")
    elif form.has_minus_0 and form.nan < form.sign:
        lines.append(f"found |= ({U})(rest == {form.nan}u) & 0x7fc00000u;")
    lines.append(f"found |= (all & {form.sign}u) << {31 - form.exponent - form.fraction};")
    if not form.has_minus_0:
        lines.append(f"found |= ({U})(all == {form.nan}u) & 0x7fc00000u;")
    return "\n".join([*lines, f"return ({F})found;"])


def of_f32(to: str) -> Callable[[Kit], str]:
    """Normal results round on the bits; those below by adding a number whose last place is the smallest step."""
    form = SMALL_FLOATS[to]
    cut, least = 23 - form.fraction, 128 - form.bias  # the exponent of the least normal value, with f32's bias
    magnet = (least + cut) << 23

    def text(kit: Kit) -> str:
        U, F = kit.U, kit.V
        lines = [
            f"{U} all = ({U})x, rest = all & 0x7fffffffu;",
            f"{U} moved = rest - {(127 - form.bias) << 23}u + {(1 << (cut - 1)) - 1}u + ((rest >> {cut}) & 1u);",
            f"{U} normal = moved >> {cut};",
            f"{U} small = ({U})(({F})rest + ({F})(({U}){{0}} + {magnet}u)) - {magnet}u;",
            f"{U} is_small = ({U})(rest < {least << 23}u);",
            f"{U} found = (small & is_small) | (normal & ~is_small);",
            f"{U} beyond = ({U})(found > {form.largest}u), nan = ({U})(rest > 0x7f800000u);",
            f"found = (found & ~beyond) | ({form.beyond}u & beyond);",
        ]
        sign = f"((all >> {31 - form.exponent - form.fraction}) & {form.sign}u)"
        if form.has_minus_0:
            lines.append(f"found = ((found & ~nan) | ({form.nan}u & nan)) ^ {sign};")
        else:
            lines.append(f"found |= {sign} & ({U})(found != 0);")
            lines.append(f"found = (found & ~nan) | ({form.nan}u & nan);")
        return "\n".join([*lines, f"return __builtin_convertvector(found, {kit.with_(to).V});"])

    return text


_SPECIAL = {
    **dict.fromkeys(_PARTS.items(), _whole_byte),
    ("bf16", "f32"): _bf16_to_f32,
    ("f32", "bf16"): _f32_to_bf16,
    ("f16", "f32"): _f16_to_f32,
    ("f32", "f16"): _f32_to_f16,
    **{(name, "f32"): to_f32 for name in TINY},
    **{("f32", name): of_f32(name) for name in TINY},
    **{("f64", to): _f64_to_half(to) for to in NARROW},
    **{(source, to): _wide_integer_to_half(to, "f32", 23, 9) for source in ("s32", "u32") for to in HALF},
    **{(source, to): _wide_integer_to_half(to, "f64", 52, 11) for source in ("s64", "u64") for to in HALF},
}
