"""What vector mathematics takes of the format of its numbers: bits, ranges, polynomials (benchmarks/fits.py makes
them), and how a polynomial is written in C."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .vector_kit import Kit


@dataclass(frozen=True)
class Format:
    """What the bodies need to know of one floating-point format, and the fits made for it; polynomials lowest power
    first."""

    sign: str  # mask of the sign bit
    fraction_bits: int
    bias: int
    round: float  # 1.5 * 2**fraction_bits: adding it rounds to a whole number, held in the low bits
    # from here down exp(x) and x * exp(x) are so far below the denormals that processors lose no time; from exp_high up
    # exp is infinite
    exp_low: float
    exp_high: float
    exp_zero: float  # below it exp(x) rounds to 0
    exp_plain: float  # up to this size of x, exp(x) is a normal number, and what its last bit is made of too
    ln2_high: float  # few enough bits that its product with any exponent, in sixteenths, is exact, and below ln(2)
    ln2_low: float
    # (exp(r) - 1 - r) / r**2 on |r| <= ln(2) / 2 / steps, by the steps from a power of two to the next
    exp: dict[int, tuple[float, ...]]
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
        exp={
            1: (0.49999994, 0.16666517, 0.041668106, 0.008369126, 0.0013836247),
            8: (0.5000646, 0.1666686),
            16: (0.5000162, 0.16666718),
        },
        log=(
            0.3333334,
            -0.25000164,
            0.19999604,
            -0.16655298,
            0.14276247,
            -0.12727773,
            0.11700583,
            -0.09116068,
            0.037672378,
        ),
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
            0.36454186,
            0.109875865,
            -0.13965735,
            0.09137673,
            -0.028858317,
            -0.0017380117,
            0.0039657666,
            -3.968175e-05,
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
                0.5000000000000011,
                0.1666666666666641,
                0.04166666666652917,
                0.008333333333495202,
                0.0013888888943928044,
                0.00019841269505693093,
                2.480149275707748e-05,
                2.755758652073998e-06,
                2.763038071786555e-07,
                2.5000220505169073e-08,
            ),
            8: (
                0.5000000000000298,
                0.1666666666666366,
                0.04166666656972368,
                0.008333333371851584,
                0.0013889782289406255,
                0.00019840546763102434,
            ),
        },
        log=(
            0.6666666666667268,
            0.39999999996175867,
            0.2857142939305614,
            0.22222138663787708,
            0.18186350101270576,
            0.1525029673664801,
            0.15367423742037825,
        ),
        tiny=2.2250738585072014e-308,
        lift=54,
        three_quarters="0x3fe8000000000000ll",
        tanh_high=40.0,
        tanh=(
            -0.33333333333333126,
            0.13333333333299763,
            -0.053968253949332544,
            0.021869488003276805,
            -0.008863226785681601,
            0.003592037439210934,
            -0.001455215645918255,
            0.0005871892694004627,
            -0.00023039845672883272,
            7.931572951101543e-05,
            -1.717955831425897e-05,
        ),
        erf=(
            0.1283791670955126,
            -0.37612638903183754,
            0.11283791670955119,
            -0.026866170645129733,
            0.005223977625422089,
            -0.0008548327021853434,
            0.00012055332899367076,
            -1.4925647465360264e-05,
            1.646204341226093e-06,
            -1.6364614478746305e-07,
            1.4792146254357396e-08,
            -1.216304478231175e-09,
            8.703799457893029e-11,
            -4.22291057019854e-12,
        ),
        erf_far=(
            1.8496055099332482,
            2.6389675142347957,
            0.8431072563582047,
            0.04156109805334975,
            -0.010033825519558608,
            0.0019779036537557492,
            -0.00023732774884224745,
            -2.6260351883864087e-05,
            2.711758663068752e-05,
            -9.53695004476713e-06,
            1.9670142965712163e-06,
            -5.295377408186401e-08,
            -1.6339049218462057e-07,
            8.839215641076575e-08,
            -2.991541853356585e-08,
            7.41021208040533e-09,
            -1.3476679092140688e-09,
            1.7055329982846056e-10,
            -1.3369679191841184e-11,
            4.865554637972336e-13,
        ),
        erf_high=6.0,
        tail_center=5.0,
        phi=(
            0.3989422804014327,
            -0.06649038006690702,
            0.009973557010066162,
            -0.0011873282157525214,
            0.00011543468896604775,
            -9.44466027970087e-06,
            6.659767626809808e-07,
            -4.12350123838714e-08,
            2.278765007990017e-09,
            -1.1423765499465841e-10,
            4.7396314653969486e-12,
        ),
        tail=(
            0.3845965248750315,
            0.05190527343000302,
            -0.08503844346004191,
            0.0908862296493495,
            -0.0742563952503327,
            0.04795086373153465,
            -0.024161785956748266,
            0.008900845023539218,
            -0.0018956230346886306,
            -0.00012648525617332403,
            0.00024276126510114105,
            -5.456870509007818e-05,
            -1.6538804991697825e-05,
            1.0328712974095393e-05,
            5.996616553663969e-07,
            -1.5465733071659683e-06,
            5.991169039412217e-08,
            2.2676967778086983e-07,
            -2.4456703065896483e-08,
            -2.6833456512638768e-08,
            5.686205125110483e-09,
        ),
        tail_high=41.0,
        head_mask="0xfffffffff8000000ull",
    ),
}
TANH_NEAR = 0.6
ERF_NEAR = 1.0
GELU_NEAR = 1.0
LOG2_E = 1.4426950408889634
SQRT_2_OVER_PI = 0.7978845608028654
GELU_CUBIC = 0.044715


def is_float(kit: Kit) -> bool:
    return kit.dtype in FORMATS


def horner(kit: Kit, coefficients: tuple[float, ...], variable: str) -> str:
    """The polynomial as nested products: one (fused) step per coefficient."""
    text = constant(kit, coefficients[-1])
    for value in reversed(coefficients[:-1]):
        text = f"({text} * {variable} + {kit.literal(value)})"
    return text


def polynomial(kit: Kit, coefficients: tuple[float, ...], variable: str, square: str) -> str:
    """Even and odd powers apart, each in `square`: half of Horner's latency, for one more product."""
    return f"({horner(kit, coefficients[1::2], square)} * {variable} + {horner(kit, coefficients[::2], square)})"


def constant(kit: Kit, value: float) -> str:
    return f"(({kit.V}){{0}} + {kit.literal(value)})"
