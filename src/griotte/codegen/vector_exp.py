"""Exponentials over vectors, and as pairs: see vector_math.py. exp(x) is 2^n exp(r), n whole and r small."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from .vector_formats import FORMATS, LOG2_E, constant, polynomial

if TYPE_CHECKING:
    from .vector_kit import Kit


def steps(kit: Kit) -> int:
    """Steps from a power of two to the next, of which `exp` takes whole ones first: as many as there are lanes where
    one instruction looks powers up in a vector of them, else 1."""
    return kit.lanes if kit.has("look_up") and kit.lanes in FORMATS[kit.dtype].exp else 1


def _looked_up(kit: Kit, values: list[float]) -> str:
    """Of each lane, the one of as many values as lanes whose number is in the low bits of `moved`."""
    return f"{kit('look_up')}(moved, ({kit.V}){{{', '.join(map(kit.literal, values))}}})"


@cache
def _powers(count: int, bits: int) -> tuple[list[float], list[float]]:
    """2**(j / count) for each j, of so many bits, and what that misses, relative to it."""
    exact = [Decimal(2) ** (Decimal(j) / count) for j in range(count)]
    near = [float(round(x * 2 ** (bits - 1))) / 2.0 ** (bits - 1) for x in exact]
    return near, [float(x / Decimal(n) - 1) for x, n in zip(exact, near)]


def _whole(kit: Kit) -> str:
    """The exponent as an integer: what `moved` holds in its low bits, rounded down to whole powers of two."""
    count = steps(kit)
    whole = f"({kit.S})moved - ({kit.S}){constant(kit, FORMATS[kit.dtype].round / count)}"
    return whole if count == 1 else f"({whole}) >> {count.bit_length() - 1}"


def look_up(kit: Kit) -> str:
    """Of each lane, the one of `powers` whose number its low bits are."""
    lane = f"powers[(({kit.S})moved)[@] & {kit.lanes - 1}]"
    return f"return ({kit.V}){{{', '.join(lane.replace('@', str(i)) for i in range(kit.lanes))}}};"


def scale(kit: Kit) -> str:
    """x * 2**n, n rounded down, in two steps, so that neither power leaves the normal range and only the last step can
    round."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.S} whole = {_whole(kit)};\n"
        f"{kit.S} first = whole >> 1, second = whole - first;\n"
        f"{kit.V} power = ({kit.V})(({kit.U})(first + {form.bias}) << {form.fraction_bits});\n"
        f"return x * power * ({kit.V})(({kit.U})(second + {form.bias}) << {form.fraction_bits});"
    )


def scale_near(kit: Kit) -> str:
    """x * 2**n, n rounded down, for powers in the normal range."""
    form = FORMATS[kit.dtype]
    whole = f"({kit.U})moved" if steps(kit) == 1 else f"({kit.U})({_whole(kit)})"
    return f"return x * ({kit.V})(({whole} << {form.fraction_bits}) + ({kit.U}){constant(kit, 1)});"


def exp_bound(kit: Kit) -> str:
    """x within the range in which `scale` has powers for exp."""
    form = FORMATS[kit.dtype]
    return (
        f"return {kit('at_most')}({kit('at_least')}(x, {constant(kit, form.exp_low)}), {constant(kit, form.exp_high)});"
    )


def exp_rest(kit: Kit) -> str:
    """The remainder as it is; where `exp_bound` leaves x as it is, this bounds what is left of an x that has no
    remainder."""
    return "return x;"


def _reduced(kit: Kit, correction: str = "", is_near: bool = False) -> str:
    """Statements for x = n ln(2) + r with ln(2) in two parts (Cody and Waite), n whole or, where powers are looked up,
    in so many steps: `n`, `moved`, whose low bits hold n, `r` and its square."""
    form, count = FORMATS[kit.dtype], steps(kit)
    rest = f"(x - n * {kit.literal(form.ln2_high)}) - n * {kit.literal(form.ln2_low)}{correction}"
    rest = rest if is_near else f"{kit('exp_rest')}({rest})"
    moved = kit.literal(form.round / count)
    return (
        f"{kit.V} moved = x * {kit.literal(LOG2_E)} + {moved}, n = moved - {moved};\n"
        f"{kit.V} r = {rest}, square = r * r;\n"
    )


def _less(kit: Kit) -> str:
    """exp(r) - 1 - r."""
    return f"{polynomial(kit, FORMATS[kit.dtype].exp[steps(kit)], 'r', 'square')} * square"


def _more(kit: Kit, is_fine: bool) -> str:
    """r; a fine one makes good what the power that was looked up misses."""
    return f"(r + {_looked_up(kit, _powers(steps(kit), FORMATS[kit.dtype].fraction_bits + 1)[1])})" if is_fine else "r"


def _grown(kit: Kit, correction: str = "", is_near: bool = False, is_fine: bool = False) -> str:
    """Statements for `grown`, exp(r) times 2 to the fraction of n (Tang, ACM TOMS 15, 1989), beside those of
    `_reduced`."""
    lines = _reduced(kit, correction, is_near)
    if steps(kit) == 1:
        return f"{lines}{kit.V} grown = ({_less(kit)} + r) + {kit.literal(1)};\n"
    power = _looked_up(kit, _powers(steps(kit), FORMATS[kit.dtype].fraction_bits + 1)[0])
    return f"{lines}{kit.V} power = {power}, grown = power * ({_less(kit)} + {_more(kit, is_fine)}) + power;\n"


def _scaled(kit: Kit, correction: str = "", is_fine: bool = False) -> str:
    """Statements for `z`, exp(x) where x is no larger than `exp_plain`: n is added to the exponent of the power that
    was looked up, or of what has grown."""
    form, count = FORMATS[kit.dtype], steps(kit)
    if count == 1:
        return (
            f"{_grown(kit, correction, is_near=True)}{kit.V} z = ({kit.V})(({kit.U})grown + (({kit.U})moved <<"
            f" {form.fraction_bits}));\n"
        )
    step = form.fraction_bits + 1 - count.bit_length()
    power = f"({kit.V})(({kit.U}){_looked_up(kit, _lowered(count, step))} + (({kit.U})moved << {step}))"
    return (
        f"{_reduced(kit, correction, is_near=True)}{kit.V} power = {power}, z = power * ({_less(kit)} +"
        f" {_more(kit, is_fine)}) + power;\n"
    )


@cache
def _lowered(count: int, step: int) -> list[float]:
    """f32: 2**(j / count) for each j, with j steps taken off its bits: `moved`, moved up by so many bits, adds them and
    n."""
    bits = np.array(_powers(count, 24)[0], np.float32).view(np.int32) - (np.arange(count, dtype=np.int32) << step)
    return [float(x) for x in bits.view(np.float32)]


def _beyond(kit: Kit, x: str = "x") -> str:
    """C that is true where a lane of x is NaN, or larger than `exp_plain`."""
    form = FORMATS[kit.dtype]
    return (
        f"__builtin_expect({kit('any_negative')}(({kit.S}){constant(kit, form.exp_plain)} - ({kit.S})(({kit.U}){x} &"
        f" ~{form.sign})), 0)"
    )


def _is_plain(kit: Kit) -> bool:
    """Whether what is within `exp_plain` in all lanes is scaled in one step, and all else apart: where no instruction
    scales any number."""
    return kit.has("any_negative") and not kit.has("scale")


def _exp(kit: Kit, wide: str, takes: str = "x", correction: str = "", is_fine: bool = False) -> str:
    if not _is_plain(kit):
        return _wide(kit, correction, is_fine)
    return f"if ({_beyond(kit)}) return {kit(wide)}({takes});\n{_scaled(kit, correction, is_fine)}return z;"


def _masked(kit: Kit, correction: str = "", is_fine: bool = False) -> str:
    """Statements that return exp where what lies far out is 0, as where a row is masked; on the way no number is below
    the normal range."""
    zero = kit.literal(FORMATS[kit.dtype].exp_zero)
    scaled = _scaled(kit, correction, is_fine).rstrip().replace("\n", "\n    ")
    return (
        f"{kit.V} given = x;\n"
        f"{kit.S} gone = ({kit.S})(x < {zero});\n"
        f"x = ({kit.V})(({kit.S})x & ~gone);\n"
        f"if (!{_beyond(kit)}) {{\n    {scaled}\n    return ({kit.V})(({kit.S})z & ~gone);\n}}\n"
        "x = given;\n"
    )


def _wide(kit: Kit, correction: str = "", is_fine: bool = False) -> str:
    """exp of any number."""
    masked = _masked(kit, correction, is_fine) if _is_plain(kit) else ""
    return (
        f"{masked}x = {kit('exp_bound')}(x);\n{_grown(kit, correction, is_fine=is_fine)}return {kit('scale')}(grown, n,"
        " moved);"
    )


def exp(kit: Kit) -> str:
    return _exp(kit, "exp_wide")


def exp_wide(kit: Kit) -> str:
    return _wide(kit)


def exp_sum(kit: Kit) -> str:
    """exp(x + low) for a small correction `low`, which would be lost in the sum."""
    return _exp(kit, "exp_sum_wide", "x, low", " + low", is_fine=True)


def exp_sum_wide(kit: Kit) -> str:
    return _wide(kit, " + low", is_fine=True)


def exp_fine(kit: Kit) -> str:
    """exp within 0.7 ulp where powers are looked up, else as it is."""
    return _exp(kit, "exp_fine_wide", is_fine=True)


def exp_fine_wide(kit: Kit) -> str:
    return _wide(kit, is_fine=True)


def exp_near(kit: Kit) -> str:
    """exp(x) where that and 1 / exp(x) are far from the ends of the normal range."""
    if _is_plain(kit) and steps(kit) > 1:
        return f"{_scaled(kit)}return z;"
    return f"{_grown(kit, is_near=True)}return {kit('scale_near')}(grown, n, moved);"


# ---- exponentials as pairs -------------------------------------------------------------------------------------------

# up to this size of the largest x of a row exp(x) is known as a pair as exactly as by itself: n takes so few bits that
# n ln(2) is exact, in two parts
PAIRS_HIGH = 1024.0
PAIRS_LOW = -2 * PAIRS_HIGH  # x below counts as this, and beside the largest exp for nothing
# what is less, by this power of two, counts for nothing: so no number leaves the normal range, where processors lose
# time
PAIRS_LEAST = -120


def exponent(kit: Kit) -> str:
    """A whole number near x / ln(2), as the bits of what holds it."""
    count = steps(kit)
    whole = "moved" if count == 1 else f"({kit.V})(({kit.S})moved & -{count})"
    return (
        f"{kit.V} moved = x * {kit.literal(LOG2_E)} + {kit.literal(FORMATS[kit.dtype].round / count)};\nreturn {whole};"
    )


def _lifted(kit: Kit, exponent: str) -> str:
    """How far an exponent, as bits, is from that of `to`, at the place of a number's exponent."""
    count = steps(kit)
    integers = kit.with_(f"s{8 * kit.bytes // kit.lanes}")
    bounded = f"{integers('maximum')}(({kit.S}){exponent} - ({kit.S})to, ({kit.S}){{0}} - {-PAIRS_LEAST * count})"
    return f"(({kit.U}){bounded} << {FORMATS[kit.dtype].fraction_bits + 1 - count.bit_length()})"


def exp_at(kit: Kit) -> str:
    """exp(x) as so many 2**to, for a whole `to` that is no less, or nearly; NaN stays."""
    count = steps(kit)
    if count == 1:
        return f"{_grown(kit, is_near=True)}return {kit('aligned')}(grown, moved, to);"
    lowered = _lowered(count, FORMATS[kit.dtype].fraction_bits + 1 - count.bit_length())
    power = f"({kit.V})(({kit.U}){_looked_up(kit, lowered)} + {_lifted(kit, 'moved')})"
    return f"{_reduced(kit, is_near=True)}{kit.V} power = {power};\nreturn power * ({_less(kit)} + r) + power;"


def aligned(kit: Kit) -> str:
    """x 2**exponent, both whole, as so many 2**to."""
    return f"return x * ({kit.V})({_lifted(kit, 'exponent')} + ({kit.U}){constant(kit, 1)});"


def exp_total(kit: Kit) -> str:
    """The sum of exp(x - high) of a row and its maximum, by a reading for each."""
    one = kit.with_(lanes=1)
    rest = lambda body: f"for (int64_t i = whole; i < n; i++) {body}\n"
    return (
        f"const int64_t whole = n - n % {kit.lanes};\n"
        f"{kit.V} most = ({kit.V}){{0}} - __builtin_inff(), sum = {{0}};\n"
        f"for (int64_t i = 0; i < whole; i += {kit.lanes}) most = {kit('maximum')}(most, {kit('load')}(p + i));\n"
        f"{kit.T} highest = {kit('reduce_maximum')}(most), total = 0;\n"
        + rest(f"highest = {one('maximum')}(({one.V}){{highest}}, ({one.V}){{p[i]}})[0];")
        + f"for (int64_t i = 0; i < whole; i += {kit.lanes}) sum += {kit('exp')}({kit('load')}(p + i) - highest);\n"
        + rest(f"total += {one('exp')}(({one.V}){{p[i] - highest}})[0];")
        + f"*high = highest;\nreturn total + {kit('reduce_add')}(sum);"
    )
