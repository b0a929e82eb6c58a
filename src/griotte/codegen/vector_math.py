"""Elementwise functions over vectors: portable C bodies, free of branches, one text for f32 and f64.

Each follows the textbook scheme named in its docstring, with constants of our own: benchmarks/fits.py makes the polynomials,
minimax for the error that shows in the function's result, and benchmarks/vector_math.py measures what they come to
(docs/vector-math.md). A product and a sum may or may not fuse into an FMA: both are within the bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .vector_kit import Kit


@dataclass(frozen=True)
class Format:
    """What the bodies need to know of one floating-point format, and the fits made for it; polynomials lowest power first."""

    sign: str  # mask of the sign bit
    fraction_bits: int
    bias: int
    round: float  # 1.5 * 2**fraction_bits: adding it rounds to a whole number, held in the low bits
    exp_low: float  # from here down exp(x) and x * exp(x) are so far below the denormals that processors lose no time; from exp_high up exp is infinite
    exp_high: float
    exp_zero: float  # below it exp(x) rounds to 0
    exp_plain: float  # up to this size of x, exp(x) is a normal number, and what its last bit is made of too
    ln2_high: float  # few enough bits that its product with any exponent, in sixteenths, is exact, and below ln(2)
    ln2_low: float
    exp: dict[int, tuple[float, ...]]  # (exp(r) - 1 - r) / r**2 on |r| <= ln(2) / 2 / steps, by the steps from a power of two to the next
    log: tuple[float, ...]  # f32: (log(1+f) - f + f**2/2) / f**3; f64: (log((1+s)/(1-s)) - 2s) / s**3 in s**2
    tiny: float  # smallest normal number
    lift: int  # 2**lift brings denormals into the normal range
    three_quarters: str  # bits of 3/4
    tanh_high: float  # tanh(x) rounds to 1 from here on, for half of it
    tanh: tuple[float, ...]  # (tanh(x)/x - 1) / x**2 in x**2, up to x = TANH_NEAR
    erf: tuple[float, ...]  # erf(x)/x - 1 in x**2, up to x = ERF_NEAR
    erf_far: tuple[float, ...]  # -log(1 - erf(x)) in x - 1, from ERF_NEAR to erf_high, where erf(x) rounds to 1
    erf_high: float
    tail_center: float  # k of u = (t - k) / (t + k)
    phi: tuple[float, ...]  # (Phi(x) - 1/2) / x in x**2, up to |x| = GELU_NEAR
    tail: tuple[float, ...]  # t * exp(t**2/2) * Phi(-t) in u, from there to tail_high
    tail_high: float  # from here on exp(-t**2/2) is 0, without loss of time
    head_mask: str  # keeps so many leading bits that their square is exact


FORMATS = {
    "f32": Format(
        sign="0x80000000u",
        fraction_bits=23,
        bias=127,
        round=12582912.0,
        exp_low=-140.0,
        exp_high=89.0,
        exp_zero=-104.0,
        exp_plain=83.0,
        ln2_high=0.693115234375,
        ln2_low=3.1946183e-05,
        exp={1: (0.49999994, 0.16666517, 0.041668106, 0.008369126, 0.0013836247), 8: (0.5000646, 0.1666686), 16: (0.5000162, 0.16666718)},
        log=(0.3333334, -0.25000164, 0.19999604, -0.16655298, 0.14276247, -0.12727773, 0.11700583, -0.09116068, 0.037672378),
        tiny=1.17549435e-38,
        lift=25,
        three_quarters="0x3f400000",
        tanh_high=20.0,
        tanh=(-0.333333, 0.13331936, -0.053784717, 0.020798624, -0.005897961),
        erf=(0.12837917, -0.37612626, 0.11283579, -0.026853347, 0.005187162, -0.0007997853, 7.806903e-05),
        erf_far=(1.8496056, 2.6389627, 0.84317315, 0.041256778, -0.009441436, 0.0014724471, -8.791635e-05),
        erf_high=4.0,
        tail_center=3.0,
        phi=(0.3989423, -0.06649054, 0.009974163, -0.0011880201, 0.00011501915, -8.167606e-06),
        tail=(
            0.36454186, 0.109875865, -0.13965735, 0.09137673, -0.028858317, -0.0017380117, 0.0039657666, -3.968175e-05,
            -0.0005460223,
        ),
        tail_high=17.0,
        head_mask="0xfffff000u",
    ),
    "f64": Format(
        sign="0x8000000000000000ull",
        fraction_bits=52,
        bias=1023,
        round=6755399441055744.0,
        exp_low=-820.0,
        exp_high=710.0,
        exp_zero=-746.0,
        exp_plain=704.0,
        ln2_high=6.93147180369123816490e-01,
        ln2_low=1.90821492927058770002e-10,
        exp={
            1: (
                0.5000000000000011, 0.1666666666666641, 0.04166666666652917, 0.008333333333495202, 0.0013888888943928044,
                0.00019841269505693093, 2.480149275707748e-05, 2.755758652073998e-06, 2.763038071786555e-07, 2.5000220505169073e-08,
            ),
            8: (
                0.5000000000000298, 0.1666666666666366, 0.04166666656972368, 0.008333333371851584, 0.0013889782289406255,
                0.00019840546763102434,
            ),
        },
        log=(
            0.6666666666667268, 0.39999999996175867, 0.2857142939305614, 0.22222138663787708, 0.18186350101270576,
            0.1525029673664801, 0.15367423742037825,
        ),
        tiny=2.2250738585072014e-308,
        lift=54,
        three_quarters="0x3fe8000000000000ll",
        tanh_high=40.0,
        tanh=(
            -0.33333333333333126, 0.13333333333299763, -0.053968253949332544, 0.021869488003276805, -0.008863226785681601,
            0.003592037439210934, -0.001455215645918255, 0.0005871892694004627, -0.00023039845672883272, 7.931572951101543e-05,
            -1.717955831425897e-05,
        ),
        erf=(
            0.1283791670955126, -0.37612638903183754, 0.11283791670955119, -0.026866170645129733, 0.005223977625422089,
            -0.0008548327021853434, 0.00012055332899367076, -1.4925647465360264e-05, 1.646204341226093e-06,
            -1.6364614478746305e-07, 1.4792146254357396e-08, -1.216304478231175e-09, 8.703799457893029e-11, -4.22291057019854e-12,
        ),
        erf_far=(
            1.8496055099332482, 2.6389675142347957, 0.8431072563582047, 0.04156109805334975, -0.010033825519558608,
            0.0019779036537557492, -0.00023732774884224745, -2.6260351883864087e-05, 2.711758663068752e-05, -9.53695004476713e-06,
            1.9670142965712163e-06, -5.295377408186401e-08, -1.6339049218462057e-07, 8.839215641076575e-08,
            -2.991541853356585e-08, 7.41021208040533e-09, -1.3476679092140688e-09, 1.7055329982846056e-10,
            -1.3369679191841184e-11, 4.865554637972336e-13,
        ),
        erf_high=6.0,
        tail_center=5.0,
        phi=(
            0.3989422804014327, -0.06649038006690702, 0.009973557010066162, -0.0011873282157525214, 0.00011543468896604775,
            -9.44466027970087e-06, 6.659767626809808e-07, -4.12350123838714e-08, 2.278765007990017e-09, -1.1423765499465841e-10,
            4.7396314653969486e-12,
        ),
        tail=(
            0.3845965248750315, 0.05190527343000302, -0.08503844346004191, 0.0908862296493495, -0.0742563952503327,
            0.04795086373153465, -0.024161785956748266, 0.008900845023539218, -0.0018956230346886306, -0.00012648525617332403,
            0.00024276126510114105, -5.456870509007818e-05, -1.6538804991697825e-05, 1.0328712974095393e-05,
            5.996616553663969e-07, -1.5465733071659683e-06, 5.991169039412217e-08, 2.2676967778086983e-07,
            -2.4456703065896483e-08, -2.6833456512638768e-08, 5.686205125110483e-09,
        ),
        tail_high=41.0,
        head_mask="0xfffffffff8000000ull",
    ),
}  # fmt: skip
TANH_NEAR = 0.6
ERF_NEAR = 1.0
GELU_NEAR = 1.0
LOG2_E = 1.4426950408889634
SQRT_2_OVER_PI = 0.7978845608028654
GELU_CUBIC = 0.044715


def _is_float(kit: Kit) -> bool:
    return kit.dtype in FORMATS


def _horner(kit: Kit, coefficients: tuple[float, ...], variable: str) -> str:
    """The polynomial as nested products: one (fused) step per coefficient."""
    text = _constant(kit, coefficients[-1])
    for value in reversed(coefficients[:-1]):
        text = f"({text} * {variable} + {kit.literal(value)})"
    return text


def _polynomial(kit: Kit, coefficients: tuple[float, ...], variable: str, square: str) -> str:
    """Even and odd powers apart, each in `square`: half of Horner's latency, for one more product."""
    return f"({_horner(kit, coefficients[1::2], square)} * {variable} + {_horner(kit, coefficients[::2], square)})"


def _constant(kit: Kit, value: float) -> str:
    return f"(({kit.V}){{0}} + {kit.literal(value)})"


def neg(kit: Kit) -> str:
    return "return -x;"


def abs_(kit: Kit) -> str:
    if _is_float(kit):
        return f"return ({kit.V})(({kit.U})x & ~{FORMATS[kit.dtype].sign});"
    if kit.dtype[0] == "u":
        return "return x;"
    return f"{kit.V} sign = x >> {8 * kit.bytes // kit.lanes - 1};\nreturn (x ^ sign) - sign;"


def relu(kit: Kit) -> str:
    if kit.dtype[0] == "u":
        return "return x;"
    return f"return {kit('at_least' if _is_float(kit) else 'maximum')}(x, ({kit.V}){{0}});"


def sqrt(kit: Kit) -> str:
    function = "__builtin_sqrtf" if kit.dtype == "f32" else "__builtin_sqrt"
    return f"return ({kit.V}){{{', '.join(f'{function}(x[{i}])' for i in range(kit.lanes))}}};"


def rsqrt(kit: Kit) -> str:
    return f"return {kit.literal(1)} / {kit('sqrt')}(x);"


def reciprocal(kit: Kit) -> str:
    """1 / x within an ulp, where x and 1 / x are far from the ends of the normal range."""
    return f"return {kit.literal(1)} / x;"


def steps(kit: Kit) -> int:
    """Steps from a power of two to the next, of which `exp` takes whole ones first: as many as there are lanes where one instruction looks
    powers up in a vector of them, else 1."""
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
    whole = f"({kit.S})moved - ({kit.S}){_constant(kit, FORMATS[kit.dtype].round / count)}"
    return whole if count == 1 else f"({whole}) >> {count.bit_length() - 1}"


def look_up(kit: Kit) -> str:
    """Of each lane, the one of `powers` whose number its low bits are."""
    lane = f"powers[(({kit.S})moved)[@] & {kit.lanes - 1}]"
    return f"return ({kit.V}){{{', '.join(lane.replace('@', str(i)) for i in range(kit.lanes))}}};"


def scale(kit: Kit) -> str:
    """x * 2**n, n rounded down, in two steps, so that neither power leaves the normal range and only the last step can round."""
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
    return f"return x * ({kit.V})(({whole} << {form.fraction_bits}) + ({kit.U}){_constant(kit, 1)});"


def exp_bound(kit: Kit) -> str:
    """x within the range in which `scale` has powers for exp."""
    form = FORMATS[kit.dtype]
    return f"return {kit('at_most')}({kit('at_least')}(x, {_constant(kit, form.exp_low)}), {_constant(kit, form.exp_high)});"


def exp_rest(kit: Kit) -> str:
    """The remainder as it is; where `exp_bound` leaves x as it is, this bounds what is left of an x that has no remainder."""
    return "return x;"


def _reduced(kit: Kit, correction: str = "", is_near: bool = False) -> str:
    """Statements for x = n ln(2) + r with ln(2) in two parts (Cody and Waite), n whole or, where powers are looked up, in so many steps: `n`,
    `moved`, whose low bits hold n, `r` and its square."""
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
    return f"{_polynomial(kit, FORMATS[kit.dtype].exp[steps(kit)], 'r', 'square')} * square"


def _more(kit: Kit, is_fine: bool) -> str:
    """r; a fine one makes good what the power that was looked up misses."""
    return f"(r + {_looked_up(kit, _powers(steps(kit), FORMATS[kit.dtype].fraction_bits + 1)[1])})" if is_fine else "r"


def _grown(kit: Kit, correction: str = "", is_near: bool = False, is_fine: bool = False) -> str:
    """Statements for `grown`, exp(r) times 2 to the fraction of n (Tang, ACM TOMS 15, 1989), beside those of `_reduced`."""
    lines = _reduced(kit, correction, is_near)
    if steps(kit) == 1:
        return f"{lines}{kit.V} grown = ({_less(kit)} + r) + {kit.literal(1)};\n"
    power = _looked_up(kit, _powers(steps(kit), FORMATS[kit.dtype].fraction_bits + 1)[0])
    return f"{lines}{kit.V} power = {power}, grown = power * ({_less(kit)} + {_more(kit, is_fine)}) + power;\n"


def _scaled(kit: Kit, correction: str = "", is_fine: bool = False) -> str:
    """Statements for `z`, exp(x) where x is no larger than `exp_plain`: n is added to the exponent of the power that was looked up, or of what has grown."""
    form, count = FORMATS[kit.dtype], steps(kit)
    if count == 1:
        return f"{_grown(kit, correction, is_near=True)}{kit.V} z = ({kit.V})(({kit.U})grown + (({kit.U})moved << {form.fraction_bits}));\n"
    step = form.fraction_bits + 1 - count.bit_length()
    power = f"({kit.V})(({kit.U}){_looked_up(kit, _lowered(count, step))} + (({kit.U})moved << {step}))"
    return f"{_reduced(kit, correction, is_near=True)}{kit.V} power = {power}, z = power * ({_less(kit)} + {_more(kit, is_fine)}) + power;\n"


@cache
def _lowered(count: int, step: int) -> list[float]:
    """f32: 2**(j / count) for each j, with j steps taken off its bits: `moved`, moved up by so many bits, adds them and n."""
    bits = np.array(_powers(count, 24)[0], np.float32).view(np.int32) - (np.arange(count, dtype=np.int32) << step)
    return [float(x) for x in bits.view(np.float32)]


def _beyond(kit: Kit, x: str = "x") -> str:
    """C that is true where a lane of x is NaN, or larger than `exp_plain`."""
    form = FORMATS[kit.dtype]
    return f"__builtin_expect({kit('any_negative')}(({kit.S}){_constant(kit, form.exp_plain)} - ({kit.S})(({kit.U}){x} & ~{form.sign})), 0)"


def _is_plain(kit: Kit) -> bool:
    """Whether what is within `exp_plain` in all lanes is scaled in one step, and all else apart: where no instruction scales any number."""
    return kit.has("any_negative") and not kit.has("scale")


def _exp(kit: Kit, wide: str, takes: str = "x", correction: str = "", is_fine: bool = False) -> str:
    if not _is_plain(kit):
        return _wide(kit, correction, is_fine)
    return f"if ({_beyond(kit)}) return {kit(wide)}({takes});\n{_scaled(kit, correction, is_fine)}return z;"


def _masked(kit: Kit, correction: str = "", is_fine: bool = False) -> str:
    """Statements that return exp where what lies far out is 0, as where a row is masked; on the way no number is below the normal range."""
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
    return f"{masked}x = {kit('exp_bound')}(x);\n{_grown(kit, correction, is_fine=is_fine)}return {kit('scale')}(grown, n, moved);"


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


# ---- exponentials as pairs -------------------------------------------------------------------------------------------------

PAIRS_HIGH = 1024.0  # up to this size of the largest x of a row exp(x) is known as a pair as exactly as by itself: n takes so few bits that n ln(2) is exact, in two parts
PAIRS_LOW = -2 * PAIRS_HIGH  # x below counts as this, and beside the largest exp for nothing
PAIRS_LEAST = -120  # what is less, by this power of two, counts for nothing: so no number leaves the normal range, where processors lose time


def exponent(kit: Kit) -> str:
    """A whole number near x / ln(2), as the bits of what holds it."""
    count = steps(kit)
    whole = "moved" if count == 1 else f"({kit.V})(({kit.S})moved & -{count})"
    return f"{kit.V} moved = x * {kit.literal(LOG2_E)} + {kit.literal(FORMATS[kit.dtype].round / count)};\nreturn {whole};"


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
    power = f"({kit.V})(({kit.U}){_looked_up(kit, _lowered(count, FORMATS[kit.dtype].fraction_bits + 1 - count.bit_length()))} + {_lifted(kit, 'moved')})"
    return f"{_reduced(kit, is_near=True)}{kit.V} power = {power};\nreturn power * ({_less(kit)} + r) + power;"


def aligned(kit: Kit) -> str:
    """x 2**exponent, both whole, as so many 2**to."""
    return f"return x * ({kit.V})({_lifted(kit, 'exponent')} + ({kit.U}){_constant(kit, 1)});"


def exp_total(kit: Kit) -> str:
    """The sum of exp(x - high) of a row and its maximum, by a reading for each."""
    one = kit.with_(lanes=1)
    rest = lambda body: f"for (int64_t i = whole; i < n; i++) {body}\n"  # noqa: E731
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


def log(kit: Kit) -> str:
    """x = 2**n (1 + f) with 3/4 <= 1 + f < 3/2; log(1 + f) as a polynomial in f (f32) or in f / (2 + f) (f64)."""
    return (
        f"{kit.V} n = {kit('log_exponent')}(x), f = {kit('log_fraction')}(x);\n"
        f"{_LOG_NEAR_ONE[kit.dtype](kit)}"
        f"return {kit('log_edges')}(x, y);"
    )


def _log_parts(kit: Kit) -> str:
    """The bits of x, lifted out of the denormals, above those of 3/4."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.S} denormal = ({kit.S})(x < {kit.literal(form.tiny)});\n"
        f"{kit.S} above = ({kit.S}){kit('blend')}(denormal, x * {kit.literal(2.0**form.lift)}, x) - {form.three_quarters};\n"
    )


def log_exponent(kit: Kit) -> str:
    """n of x = 2**n m, 3/4 <= m < 3/2."""
    form = FORMATS[kit.dtype]
    return (
        f"{_log_parts(kit)}"
        f"{kit.S} whole = (above >> {form.fraction_bits}) - (denormal & {form.lift});\n"
        f"return ({kit.V})(whole + ({kit.S}){_constant(kit, form.round)}) - {kit.literal(form.round)};"
    )


def log_fraction(kit: Kit) -> str:
    """m - 1 of x = 2**n m, 3/4 <= m < 3/2."""
    form = FORMATS[kit.dtype]
    return (
        f"{_log_parts(kit)}"
        f"{kit.S} fraction = (above & {hex((1 << form.fraction_bits) - 1)}) + {form.three_quarters};\n"
        f"return ({kit.V})fraction - {kit.literal(1)};"
    )


def log_edges(kit: Kit) -> str:
    """y, or where x is 0, negative, infinite or NaN what log is there."""
    infinite = _constant(kit, float("inf"))
    return (
        f"y = {kit('select_lt')}(x, {infinite}, y, x);\n"  # infinity and NaN pass through
        f"y = {kit('select_eq')}(x, {_constant(kit, 0)}, -{infinite}, y);\n"
        f"return {kit('select_lt')}(x, {_constant(kit, 0)}, {_constant(kit, float('nan'))}, y);"
    )


def _log_f32(kit: Kit) -> str:
    form = FORMATS[kit.dtype]
    return (
        f"{kit.V} square = f * f;\n"
        f"{kit.V} tail = square * f * {_polynomial(kit, form.log, 'f', 'square')} + n * {kit.literal(form.ln2_low)};\n"
        f"{kit.V} y = n * {kit.literal(form.ln2_high)} + (f + (tail - {kit.literal(0.5)} * square));\n"
    )


def _log_f64(kit: Kit) -> str:
    """log(1 + f) = f - h + s (h + R(s**2)), h = f**2 / 2, s = f / (2 + f): the large terms stay exact (as in fdlibm)."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.V} s = f / (f + {kit.literal(2)}), z = s * s, h = {kit.literal(0.5)} * f * f;\n"
        f"{kit.V} rest = z * {_polynomial(kit, form.log, 'z', '(z * z)')};\n"
        f"{kit.V} tail = s * (h + rest) + n * {kit.literal(form.ln2_low)};\n"
        f"{kit.V} y = n * {kit.literal(form.ln2_high)} + (f - (h - tail));\n"
    )


_LOG_NEAR_ONE = {"f32": _log_f32, "f64": _log_f64}


def with_sign(kit: Kit) -> str:
    """x, which is not negative, with the sign of y."""
    return f"return ({kit.V})(({kit.U})x | (({kit.U})y & {FORMATS[kit.dtype].sign}));"


def minus(kit: Kit) -> str:
    """-|x|."""
    return f"return ({kit.V})(({kit.U})x | {FORMATS[kit.dtype].sign});"


def tanh(kit: Kit) -> str:
    """Near 0 an odd polynomial, else 1 - 2 / (exp(2|x|) + 1) with the sign put back."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.V} t = {kit('abs')}(x), z = t * t;\n"
        f"{kit.V} near = {_polynomial(kit, form.tanh, 'z', '(z * z)')} * (z * t) + t;\n"
        f"{kit.V} e = {kit('exp_near')}({kit('at_most')}(t * {kit.literal(2)}, {_constant(kit, form.tanh_high)}));\n"
        f"{kit.V} far = {kit.literal(1)} - {kit.literal(2)} * {kit('reciprocal')}(e + {kit.literal(1)});\n"
        f"return {kit('with_sign')}({kit('select_lt')}(t, {_constant(kit, TANH_NEAR)}, near, far), x);"
    )


def erf(kit: Kit) -> str:
    """Up to 1 an odd polynomial, beyond it 1 - exp(-P(|x|)) with the sign put back."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.V} t = {kit('at_most')}({kit('abs')}(x), {_constant(kit, form.erf_high)});\n"
        f"{kit.V} z = t * t, v = t - {kit.literal(ERF_NEAR)};\n"
        f"{kit.V} near = {_polynomial(kit, form.erf, 'z', '(z * z)')} * t + t;\n"
        f"{kit.V} far = {kit.literal(1)} - {kit('exp_near')}(-{_polynomial(kit, form.erf_far, 'v', '(v * v)')});\n"
        f"return {kit('with_sign')}({kit('select_lt')}(t, {_constant(kit, ERF_NEAR)}, near, far), x);"
    )


def ratio(kit: Kit) -> str:
    """x / y within an ulp, where x, y and 1 / y are far from the ends of the normal range."""
    return "return x / y;"


def quotient(kit: Kit) -> str:
    """x / (y + low) where 1 <= y <= 2 and `low` is what y lost of a sum."""
    return "x /= y;\nreturn x - x * low;"


def sigmoid(kit: Kit) -> str:
    """1 / (1 + z) or z / (1 + z) with z = exp(-|x|) <= 1: no overflow, gradual underflow; what 1 + z loses is made good."""
    return (
        f"{kit.V} z = {kit('exp_fine')}({kit('minus')}(x)), whole = z + {kit.literal(1)}, lost = z - (whole - {kit.literal(1)});\n"
        f"return {kit('quotient')}({kit('select_lt')}(x, {_constant(kit, 0)}, z, {_constant(kit, 1)}), whole, lost);"
    )


def gated(kit: Kit) -> str:
    """x * sigmoid(y) for y of the sign of x; -0 for x = -inf (the limit), where a plain product would be NaN."""
    if not _is_plain(kit):
        return gated_wide(kit)
    return (
        f"if ({_beyond(kit, 'y')}) return {kit('gated_wide')}(x, y);\n"
        f"{kit.V} given = x;\n"
        f"x = {kit('minus')}(y);\n"
        f"{_scaled(kit, is_fine=True)}"
        f"return {kit('select_lt')}(given, {_constant(kit, 0)}, given * z, given) / (z + {kit.literal(1)});"
    )


def gated_wide(kit: Kit) -> str:
    """x is in the product before its power of 2 is, so that it is rounded once where it is denormal."""
    form = FORMATS[kit.dtype]
    return (
        f"{kit.V} factor = {kit('at_least')}(x, {_constant(kit, form.exp_low * 2)}), given = x;\n"
        f"x = {kit('exp_bound')}({kit('minus')}(y));\n"
        f"{_grown(kit, is_fine=True)}"
        f"{kit.V} z = {kit('scale')}(grown, n, moved), product = {kit('scale')}(factor * grown, n, moved);\n"
        f"return {kit('select_lt')}(given, {_constant(kit, 0)}, product, given) / (z + {kit.literal(1)});"
    )


def silu(kit: Kit) -> str:
    return f"return {kit('gated')}(x, x);"


def gelu_tanh(kit: Kit) -> str:
    """x (1 + tanh y) / 2 = x sigmoid(2 y), y = sqrt(2 / pi) (x + 0.044715 x**3)."""
    linear, cubic = 2 * SQRT_2_OVER_PI, 2 * SQRT_2_OVER_PI * GELU_CUBIC
    return f"return {kit('gated')}(x, x * ((x * x) * {kit.literal(cubic)} + {kit.literal(linear)}));"


def square_low(kit: Kit) -> str:
    """x * x - s, where s is x * x rounded."""
    form = FORMATS[kit.dtype]
    return f"{kit.V} head = ({kit.V})(({kit.U})x & {form.head_mask});\nreturn (head * head - s) + (x - head) * (x + head);"


def gelu(kit: Kit) -> str:
    """Near 0 an odd polynomial and 1/2, times x; else max(x, -0) - t Phi(-t), t = |x|, where t Phi(-t) = exp(-t**2 / 2) R(u), u = (t - k) / (t + k).

    t**2 is taken in two parts, since its rounding error would be magnified by the exponential; so the far tail stays accurate.
    """
    form = FORMATS[kit.dtype]
    center, half = kit.literal(form.tail_center), kit.literal(-0.5)
    return (
        f"{kit.V} t = {kit('at_most')}({kit('abs')}(x), {_constant(kit, form.tail_high)}), s = t * t;\n"
        f"{kit.V} near = x * ({_polynomial(kit, form.phi, 's', '(s * s)')} * x + {kit.literal(0.5)});\n"
        f"{kit.V} u = {kit('ratio')}(t - {center}, t + {center});\n"
        f"{kit.V} e = {kit('exp_sum')}(s * {half}, {kit('square_low')}(t, s) * {half});\n"
        f"{kit.V} far = {kit('at_least')}(x, -({kit.V}){{0}}) - {_polynomial(kit, form.tail, 'u', '(u * u)')} * e;\n"
        f"return {kit('select_lt')}(t, {_constant(kit, GELU_NEAR)}, near, far);"
    )


def round_(kit: Kit) -> str:
    """To the nearest whole number, half to even: what is below 2**fraction_bits takes the place of whole numbers in a sum with that."""
    form = FORMATS[kit.dtype]
    far = _constant(kit, 2.0**form.fraction_bits)
    return (
        f"const {kit.V} far = {far}, size = {kit('abs')}(x);\n"
        f"const {kit.V} near = {kit('select_lt')}(size, far, (size + far) - far, size);\n"
        f"return ({kit.V})(({kit.U})near | (({kit.U})x & {form.sign}));"
    )


INTEGER_UNARY: dict[str, Callable[[Kit], str]] = {"neg": neg, "abs": abs_, "relu": relu}
UNARY: dict[str, Callable[[Kit], str]] = {
    **INTEGER_UNARY,
    "round": round_,
    "sqrt": sqrt,
    "rsqrt": rsqrt,
    "exp": exp,
    "log": log,
    "tanh": tanh,
    "erf": erf,
    "sigmoid": sigmoid,
    "silu": silu,
    "gelu": gelu,
    "gelu_tanh": gelu_tanh,
}
