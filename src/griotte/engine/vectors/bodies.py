"""Every helper over vectors but the conversions: its result, its parameters, its portable C body. Those of the
functions of bodies are with their declarations (`griotte.lang.functions`); here are the blocks that they are built
of."""

from __future__ import annotations

from collections.abc import Callable

from ...lang import functions
from ...lang.functions import FUNCTIONS, Helper
from ...lang.functions.kit import FORMATS, Kit, bits
from ...support.errors import SpecError
from . import memory
from . import pairs as vector_pairs
from .memory import lane_list

# --- portable bodies: arithmetic
# ----------------------------------------------------------------------------------------


def _bound(symbol: str, limit: str) -> Callable[[Kit], str]:
    return lambda kit: f"return {kit('blend')}(({kit.S})(x {symbol} {limit}), {limit}, x);"


def _blend(kit: Kit) -> str:
    if kit.dtype == f"s{bits(kit.dtype)}":
        return "return (x & m) | (y & ~m);"
    return f"return ({kit.V})((({kit.S})x & m) | (({kit.S})y & ~m));"


def _cleared(kit: Kit) -> str:
    """x, or 0 in the lanes of a mask."""
    if kit.dtype == f"s{bits(kit.dtype)}":
        return "return x & ~m;"
    return f"return ({kit.V})(({kit.S})x & ~m);"


def _any_negative(kit: Kit) -> str:
    """By whole words of 64 bits, which compilers take out of a vector at once."""
    if kit.bytes >= 16:
        words, sign = (
            kit.with_("u64", kit.bytes // 8).V,
            "0x8000000080000000ull" if bits(kit.dtype) == 32 else "1ull << 63",
        )
        joined = " | ".join(f"words[{i}]" for i in range(kit.bytes // 8))
        if bits(kit.dtype) in (32, 64):
            return f"{words} words = ({words})x;\nreturn (({joined}) & ({sign})) != 0;"
    return f"return ({' | '.join(f'x[{i}]' for i in range(kit.lanes))}) < 0;"


def _round_to_bf16(kit: Kit) -> str:
    """As the conversion does, and back: without bringing halves together and taking them apart."""
    return (
        f"{kit.U} all = ({kit.U})x;\n"
        f"{kit.U} rounded = all + 0x7fffu + ((all >> 16) & 1u), quiet = all | 0x400000u;\n"
        f"return ({kit.V})(({kit.U}){kit('if_nan')}(x, ({kit.V})quiet, ({kit.V})rounded) & 0xffff0000u);"
    )


def _any_nan(kit: Kit) -> str:
    return f"return {kit('any_negative')}(({kit.S})(x != x));"


def _if_nan(kit: Kit) -> str:
    return f"return {kit('blend')}(({kit.S})(t != t), x, y);"


def _select(kit: Kit) -> str:
    narrow, wide = kit.with_("s8"), f"s{bits(kit.dtype)}"
    mask = f"({narrow.V})(p != 0)"
    return f"return {kit('blend')}({mask if wide == 's8' else f'{narrow.convert(wide)}({mask})'}, x, y);"


def _select_by(symbol: str) -> Callable[[Kit], str]:
    return lambda kit: f"return {kit('blend')}(({kit.S})(a {symbol} b), x, y);"


def _reciprocal(kit: Kit) -> str:
    """1 / x within an ulp, where x and 1 / x are far from the ends of the normal range."""
    return f"return {kit.literal(1)} / x;"


def _ratio(kit: Kit) -> str:
    """x / y within an ulp, where x, y and 1 / y are far from the ends of the normal range."""
    return "return x / y;"


def _quotient(kit: Kit) -> str:
    """x / (y + low) where 1 <= y <= 2 and `low` is what y lost of a sum."""
    return "x /= y;\nreturn x - x * low;"


def _times_both(kit: Kit) -> str:
    """x (high + low) as `functions.divisors` has it: rounded once but for x low, and x high where x is not large."""
    fma = f"__builtin_fma{'f' * (kit.dtype == 'f32')}"
    each = f"(({kit.U})x & large)[@] ? {fma}(x[@], high[@], x[@] * low[@]) : x[@] * high[@]"
    return f"return ({kit.V}){{{lane_list(kit.lanes, each)}}};"


def _with_sign(kit: Kit) -> str:
    """x, which is not negative, with the sign of y."""
    return f"return ({kit.V})(({kit.U})x | (({kit.U})y & {FORMATS[kit.dtype].sign}));"


def _minus(kit: Kit) -> str:
    """-|x|."""
    return f"return ({kit.V})(({kit.U})x | {FORMATS[kit.dtype].sign});"


def _reduce(combine: str) -> Callable[[Kit], str]:
    return lambda kit: _reduce_body(kit, combine)


def _reduce_body(kit: Kit, combine: str) -> str:
    """One step of the shuffle tree. Down to 16 bytes the vector halves; below that it stays, narrower ones gain
    nothing."""
    if kit.lanes == 1:
        return "return v[0];"
    if kit.bytes > 16:
        half = kit.with_(lanes=kit.lanes // 2)
        low, high = (", ".join(str(i + first) for i in range(half.lanes)) for first in (0, half.lanes))
        shuffles = f"__builtin_shufflevector(v, v, {low}), __builtin_shufflevector(v, v, {high})"
        return f"return {half('reduce_' + combine)}({half(combine)}({shuffles}));"
    steps, width = [], kit.lanes // 2
    while width:
        moved = ", ".join(str(i + width if i < width else i) for i in range(kit.lanes))
        steps.append(f"v = {kit(combine)}(v, __builtin_shufflevector(v, v, {moved}));")
        width //= 2
    return "\n".join([*steps, "return v[0];"])


# --- the table
# ----------------------------------------------------------------------------------------------------------


def _unary(body: Callable[[Kit], str]) -> Helper:
    return Helper("{V}", "{V} x", body)


def _binary(body: Callable[[Kit], str]) -> Helper:
    return Helper("{V}", "{V} x, {V} y", body)


HELPERS: dict[str, Helper] = {
    **memory.HELPERS,
    "blend": Helper("{V}", "{S} m, {V} x, {V} y", _blend),  # m ? x : y, m is 0 or -1
    "cleared": Helper("{V}", "{S} m, {V} x", _cleared),  # m ? 0 : x
    "any_negative": Helper("int", "{S} x", _any_negative),
    "round_to_bf16": _unary(_round_to_bf16),
    "any_nan": Helper("int", "{V} x", _any_nan),
    "if_nan": Helper("{V}", "{V} t, {V} x, {V} y", _if_nan),  # t is NaN ? x : y
    "select": Helper("{V}", "{P} p, {V} x, {V} y", _select),
    "at_least": Helper("{V}", "{V} x, {V} low", _bound("<", "low")),  # a NaN in x stays, a NaN in low is ignored
    "at_most": Helper("{V}", "{V} x, {V} high", _bound(">", "high")),
    "reciprocal": _unary(_reciprocal),
    "with_sign": _binary(_with_sign),
    "minus": _unary(_minus),
    "ratio": _binary(_ratio),
    "quotient": Helper("{V}", "{V} x, {V} y, {V} low", _quotient),
    "add_product": Helper("{V}", "{V} c, {V} x, {V} y", lambda kit: "return c + x * y;"),  # of numbers of s16
    "times_both": Helper("{V}", "{V} x, {V} high, {V} low, {U} large", _times_both),
    **vector_pairs.HELPERS,
}


def find(name: str) -> Helper:
    """A helper: one of those, one that selects by a test or reduces by a combiner, or a declared function, or what that
    brings with it."""
    declared = functions.helper(name)
    if declared and name in HELPERS:
        raise SpecError(
            f"expected C functions with names of their own, found {name}, which is a helper; call it otherwise"
        )
    found = declared or HELPERS.get(name)
    kind, _, of = name.partition("_")
    if found is None and kind == "select":
        return Helper("{V}", "{V} a, {V} b, {V} x, {V} y", _select_by(FUNCTIONS[of].test))
    if found is None and kind == "reduce":
        return Helper("{T}", "{V} v", _reduce(of))
    if found is None and name in FUNCTIONS and (infix := FUNCTIONS[name].infix):
        return _binary(lambda kit: f"return x {infix} y;")
    assert found is not None, f"no helper {name}"
    return found
