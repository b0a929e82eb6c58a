"""exp over vectors, and the building blocks that what is made of exp is written with: exp(x) is 2^n exp(r), n whole and
r small."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cache

import numpy as np

from .function import Function, Helper, slots
from .kit import FORMATS, Kit, constant, polynomial

LOG2_E = 1.4426950408889634


@dataclass(frozen=True)
class ExpRange:
    """Where exp(x) ends, for one format. From `low` down exp(x) and x * exp(x) are so far below the denormals that
    processors lose no time; from `high` up exp is infinite; below `zero` it rounds to 0; up to the size `plain` of x it
    is a normal number, and what its last bit is made of too."""

    low: float
    high: float
    zero: float
    plain: float


RANGES = {"f32": ExpRange(-140.0, 89.0, -104.0, 83.0), "f64": ExpRange(-820.0, 710.0, -746.0, 704.0)}
_EXP: dict[str, dict[int, tuple[float, ...]]] = {
    "f32": {
        1: (0.49999994, 0.16666517, 0.041668106, 0.008369126, 0.0013836247),
        8: (0.5000646, 0.1666686),
        16: (0.5000162, 0.16666718),
    },
    "f64": {
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
}
"""(exp(r) - 1 - r) / r**2 on |r| <= ln(2) / 2 / steps, by the steps from a power of two to the next
(benchmarks/fits.py)."""


def steps(kit: Kit) -> int:
    """Steps from a power of two to the next, of which `exp` takes whole ones first: as many as there are lanes where
    one instruction looks powers up in a vector of them, else 1."""
    return kit.lanes if kit.has("look_up") and kit.lanes in _EXP[kit.dtype] else 1


def looked_up(kit: Kit, values: list[float]) -> str:
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
        f"return {kit('rounded')}(x * power * ({kit.V})(({kit.U})(second + {form.bias}) << {form.fraction_bits}));"
    )


def scale_near(kit: Kit) -> str:
    """x * 2**n, n rounded down, for powers in the normal range."""
    form = FORMATS[kit.dtype]
    whole = f"({kit.U})moved" if steps(kit) == 1 else f"({kit.U})({_whole(kit)})"
    return f"return x * ({kit.V})(({whole} << {form.fraction_bits}) + ({kit.U}){constant(kit, 1)});"


def exp_bound(kit: Kit) -> str:
    """x within the range in which `scale` has powers for exp."""
    low, high = (constant(kit, end) for end in (RANGES[kit.dtype].low, RANGES[kit.dtype].high))
    return f"return {kit('at_most')}({kit('at_least')}(x, {low}), {high});"


def exp_rest(kit: Kit) -> str:
    """The remainder as it is; where `exp_bound` leaves x as it is, this bounds what is left of an x that has no
    remainder."""
    return "return x;"


def reduced(kit: Kit, correction: str = "", is_near: bool = False) -> str:
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


def less(kit: Kit) -> str:
    """exp(r) - 1 - r."""
    return f"{polynomial(kit, _EXP[kit.dtype][steps(kit)], 'r', 'square')} * square"


def _more(kit: Kit, is_fine: bool) -> str:
    """r; a fine one makes good what the power that was looked up misses."""
    return f"(r + {looked_up(kit, _powers(steps(kit), FORMATS[kit.dtype].fraction_bits + 1)[1])})" if is_fine else "r"


def grown(kit: Kit, correction: str = "", is_near: bool = False, is_fine: bool = False) -> str:
    """Statements for `grown`, exp(r) times 2 to the fraction of n (Tang, ACM TOMS 15, 1989), beside those of
    `reduced`."""
    lines = reduced(kit, correction, is_near)
    if steps(kit) == 1:
        return f"{lines}{kit.V} grown = ({less(kit)} + r) + {kit.literal(1)};\n"
    power = looked_up(kit, _powers(steps(kit), FORMATS[kit.dtype].fraction_bits + 1)[0])
    return f"{lines}{kit.V} power = {power}, grown = power * ({less(kit)} + {_more(kit, is_fine)}) + power;\n"


def scaled(kit: Kit, correction: str = "", is_fine: bool = False) -> str:
    """Statements for `z`, exp(x) where x is `plain` in size: n is added to the exponent of the power that
    was looked up, or of what has grown."""
    form, count = FORMATS[kit.dtype], steps(kit)
    if count == 1:
        return (
            f"{grown(kit, correction, is_near=True)}{kit.V} z = ({kit.V})(({kit.U})grown + (({kit.U})moved <<"
            f" {form.fraction_bits}));\n"
        )
    step = form.fraction_bits + 1 - count.bit_length()
    power = f"({kit.V})(({kit.U}){looked_up(kit, lowered(count, step))} + (({kit.U})moved << {step}))"
    return (
        f"{reduced(kit, correction, is_near=True)}{kit.V} power = {power}, z = power * ({less(kit)} +"
        f" {_more(kit, is_fine)}) + power;\n"
    )


@cache
def lowered(count: int, step: int) -> list[float]:
    """f32: 2**(j / count) for each j, with j steps taken off its bits: `moved`, moved up by so many bits, adds them and
    n."""
    bits = np.array(_powers(count, 24)[0], np.float32).view(np.int32) - (np.arange(count, dtype=np.int32) << step)
    return [float(x) for x in bits.view(np.float32)]


def beyond(kit: Kit, x: str = "x") -> str:
    """C that is true where a lane of x is NaN, or larger than what is `plain`."""
    most, size = constant(kit, RANGES[kit.dtype].plain), f"({kit.U}){x} & ~{FORMATS[kit.dtype].sign}"
    return f"__builtin_expect({kit('any_negative')}(({kit.S}){most} - ({kit.S})({size})), 0)"


def is_plain(kit: Kit) -> bool:
    """Whether what is `plain` in all lanes is scaled in one step, and all else apart: where no instruction
    scales any number."""
    return kit.has("any_negative") and not kit.has("scale")


def _exp(kit: Kit, wide: str, takes: str = "x", correction: str = "", is_fine: bool = False) -> str:
    if not is_plain(kit):
        return _wide(kit, correction, is_fine)
    return f"if ({beyond(kit)}) return {kit(wide)}({takes});\n{scaled(kit, correction, is_fine)}return z;"


def _masked(kit: Kit, correction: str = "", is_fine: bool = False) -> str:
    """Statements that return exp where what lies far out is 0, as where a row is masked; on the way no number is below
    the normal range."""
    zero = kit.literal(RANGES[kit.dtype].zero)
    near = scaled(kit, correction, is_fine).rstrip().replace("\n", "\n    ")
    return (
        f"{kit.V} given = x;\n"
        f"{kit.S} gone = ({kit.S})(x < {zero});\n"
        f"x = ({kit.V})(({kit.S})x & ~gone);\n"
        f"if (!{beyond(kit)}) {{\n    {near}\n    return ({kit.V})(({kit.S})z & ~gone);\n}}\n"
        "x = given;\n"
    )


def _wide(kit: Kit, correction: str = "", is_fine: bool = False) -> str:
    """exp of any number."""
    masked = _masked(kit, correction, is_fine) if is_plain(kit) else ""
    return (
        f"{masked}x = {kit('exp_bound')}(x);\n{grown(kit, correction, is_fine=is_fine)}return {kit('scale')}(grown, n,"
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
    if is_plain(kit) and steps(kit) > 1:
        return f"{scaled(kit)}return z;"
    return f"{grown(kit, is_near=True)}return {kit('scale_near')}(grown, n, moved);"


EXP = Function(
    "exp",
    ("x",),
    np.exp,
    slots((36, 13), avx2=(14, 7), avx512=(17, 8.5)),
    "exp({})",
    exp,
    floats_only=True,
    helpers={
        "exp_wide": Helper("{V}", "{V} x", exp_wide, is_rare=True),
        "exp_sum": Helper("{V}", "{V} x, {V} low", exp_sum),
        "exp_sum_wide": Helper("{V}", "{V} x, {V} low", exp_sum_wide, is_rare=True),
        "exp_near": Helper("{V}", "{V} x", exp_near),
        "exp_fine": Helper("{V}", "{V} x", exp_fine),
        "exp_fine_wide": Helper("{V}", "{V} x", exp_fine_wide, is_rare=True),
        "exp_bound": Helper("{V}", "{V} x", exp_bound),
        "exp_rest": Helper("{V}", "{V} x", exp_rest),
        "look_up": Helper("{V}", "{V} moved, {V} powers", look_up),
        # x * 2**n, n rounded down, and in the low bits of `moved`
        "scale": Helper("{V}", "{V} x, {V} n, {V} moved", scale),
        "scale_near": Helper("{V}", "{V} x, {V} n, {V} moved", scale_near),
    },
    is_held=True,
    samples=(-104.0, -103.97, -87.4, -83.0, 83.0, 88.73, 89.0, -746.0, -708.5, 704.0, 709.8),
)
FUNCTIONS = (EXP,)
