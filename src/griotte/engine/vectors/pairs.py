"""Exponentials as pairs, m 2^n, in C: what a leaf that finds a row's maximum and its sum of exponentials at once is
written with."""

from __future__ import annotations

from ...lang.functions.exponential import LOG2_E, grown, less, looked_up, lowered, reduced, steps
from ...lang.functions.function import Helper
from ...lang.functions.kit import FORMATS, Kit, constant

# up to this size of the largest x of a row exp(x) is known as a pair as exactly as by itself. For n takes so few bits
# that n ln(2) is exact, in two parts
PAIRS_HIGH = 1024.0
PAIRS_LOW = -2 * PAIRS_HIGH  # x below counts as this, and beside the largest exp for nothing
# a value that is less, by this power of two, counts for nothing: so no number leaves the normal range, where processors
# lose time
PAIRS_LEAST = -120


def exponent(kit: Kit) -> str:
    """A whole number near x / ln(2), as the bits of the float that holds it."""
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
        return f"{grown(kit, is_near=True)}return {kit('aligned')}(grown, moved, to);"
    powers = lowered(count, FORMATS[kit.dtype].fraction_bits + 1 - count.bit_length())
    power = f"({kit.V})(({kit.U}){looked_up(kit, powers)} + {_lifted(kit, 'moved')})"
    return f"{reduced(kit, is_near=True)}{kit.V} power = {power};\nreturn power * ({less(kit)} + r) + power;"


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
        + f"for (int64_t i = 0; i < whole; i += {kit.lanes}) sum += {kit('decay')}({kit('load')}(p + i) - highest);\n"
        + rest(f"total += {one('decay')}(({one.V}){{p[i] - highest}})[0];")
        + f"*high = highest;\nreturn total + {kit('reduce_add')}(sum);"
    )


HELPERS = {
    "exponent": Helper("{V}", "{V} x", exponent),
    "exp_at": Helper("{V}", "{V} x, {V} to", exp_at),
    "aligned": Helper("{V}", "{V} x, {V} exponent, {V} to", aligned),
    "exp_total": Helper("{T}", "const {T} *p, int64_t n, {T} *high", exp_total, is_rare=True),
}
