"""exp over vectors, and the building blocks for functions made of exp: exp(x) is 2^n exp(r), n whole and r small."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

import numpy as np

from .function import Function, Helper, slots
from .kit import FORMATS, Kit, bits, constant, polynomial

LOG2_E = 1.4426950408889634


@dataclass(frozen=True)
class ExpRange:
    """Where exp(x) ends, for one format.

    Up to the size `plain` of x, exp(x) is a normal number, and so are the numbers that its last bit comes from. Below
    `least` exp(x) is less than the normal range begins with. From `low` down exp(x) and x * exp(x) round to 0. From
    `high` up exp(x) is infinite, and from `large` up it may be twice the largest power that can be looked up. Times
    2**`lift` exp(x) is far from the ends of the normal range, from `low` up to where 1 + exp(x) is 1."""

    low: float
    least: float
    plain: float
    large: float
    high: float
    lift: int


RANGES = {
    "f32": ExpRange(low=-113.0, least=-87.33654, plain=83.0, large=88.0, high=89.0, lift=100),
    "f64": ExpRange(low=-820.0, least=-708.396418532264, plain=704.0, large=709.0, high=710.0, lift=600),
}
SQUARED = {"f32": 50, "f64": 110}  # beside 1, 2**-(that) is nothing
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
    """Steps from a power of two to the next; `exp` takes whole steps first. As many as there are lanes where one
    instruction looks up powers in a vector of so many lanes, else 1."""
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


def scale_near(kit: Kit) -> str:
    """x * 2**n, n rounded down, for powers in the normal range."""
    form = FORMATS[kit.dtype]
    whole = f"({kit.U})moved" if steps(kit) == 1 else f"({kit.U})({_whole(kit)})"
    return f"return x * ({kit.V})(({whole} << {form.fraction_bits}) + ({kit.U}){constant(kit, 1)});"


def exp_rest(kit: Kit) -> str:
    """The remainder as it is. Where an instruction scales any number, this bounds the remainder of an x that has
    none."""
    return "return x;"


def square(kit: Kit) -> str:
    """x * x, or 0 where that is nothing beside 1 (with a multiply-add, a number that is as good). So neither the square
    nor its products with coefficients are denormal."""
    return f"{seen(kit, 2.0 ** -(SQUARED[kit.dtype] // 2))}return seen * seen;"


def seen(kit: Kit, least: float, x: str = "x") -> str:
    """Statements for `seen`: x, or 0 where its size is less."""
    gone = f"({kit.S})({kit('abs')}({x}) < {constant(kit, least)})"
    return f"{kit.V} seen = {kit('cleared')}({gone}, {x});\n"


def and_more(kit: Kit) -> str:
    """x and x times `by`, as one rounding where there is a multiply-add: so that the product is no denormal beside an x
    that is just none."""
    return "return x * by + x;"


def any_below(kit: Kit) -> str:
    """Whether some lane of x is not `low` or more: NaN is not."""
    return f"return {kit('any_negative')}(~({kit.S})(x >= low));"


def reduced(kit: Kit, correction: str = "", is_near: bool = False) -> str:
    """Statements for x = n ln(2) + r with ln(2) in two parts (Cody and Waite). n is whole or, where powers are looked
    up, in so many steps. They give `n`, `moved`, whose low bits hold n, `r` and its square."""
    form, count = FORMATS[kit.dtype], steps(kit)
    rest = f"(x - n * {kit.literal(form.ln2_high)}) - n * {kit.literal(form.ln2_low)}{correction}"
    rest = rest if is_near else f"{kit('exp_rest')}({rest})"
    moved = kit.literal(form.round / count)
    return (
        f"{kit.V} moved = x * {kit.literal(LOG2_E)} + {moved}, n = moved - {moved};\n"
        f"{kit.V} r = {rest}, square = {kit('square')}(r);\n"
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


def _risen(kit: Kit, is_fine: bool = False) -> str:
    """Statements for `z`: the power that was looked up, moved by the n that is in `moved`, times exp(r)."""
    step = FORMATS[kit.dtype].fraction_bits + 1 - steps(kit).bit_length()
    power = f"({kit.V})(({kit.U}){looked_up(kit, lowered(steps(kit), step, kit.dtype))} + (({kit.U})moved << {step}))"
    return f"{kit.V} power = {power}, z = {kit('and_more')}(power, {less(kit)} + {_more(kit, is_fine)});\n"


def scaled(kit: Kit, correction: str = "", is_fine: bool = False) -> str:
    """Statements for `z`, exp(x) where x is `plain` in size: n is added to the exponent of the power that
    was looked up, or of what has grown (which leaves no NaN)."""
    form = FORMATS[kit.dtype]
    if steps(kit) == 1:
        return (
            f"{grown(kit, correction, is_near=True)}{kit.V} z = ({kit.V})(({kit.U})grown + (({kit.U})moved <<"
            f" {form.fraction_bits}));\n"
        )
    return f"{reduced(kit, correction, is_near=True)}{_risen(kit, is_fine)}"


def plain(kit: Kit, correction: str = "", is_fine: bool = False) -> str:
    """The same by the instruction that scales, where there is one."""
    if kit.has("scale_near"):
        return f"{grown(kit, correction, True, is_fine)}{kit.V} z = {kit('scale_near')}(grown, n, moved);\n"
    return scaled(kit, correction, is_fine)


def lifted(kit: Kit, deep: str, correction: str = "", is_fine: bool = False, high: str = "") -> str:
    """Statements for `z`, exp(x) times 2**lift in the lanes of the mask `deep`, half of that in those of `high`. It is
    a normal number from `low` to `high` of x, and NaN of NaN."""
    form, count = FORMATS[kit.dtype], steps(kit)
    by = f"(({kit.U}){deep} & {RANGES[kit.dtype].lift * count})" + (f" - (({kit.U}){high} & {count})" if high else "")
    moves = f"moved = ({kit.V})(({kit.U})moved + {by});\n"
    if count == 1:
        power = f"({kit.V})((({kit.U})moved << {form.fraction_bits}) + ({kit.U}){constant(kit, 1)})"
        return f"{grown(kit, correction, is_near=True)}{moves}{kit.V} z = grown * {power};\n"
    return f"{reduced(kit, correction, is_near=True)}{moves}{_risen(kit, is_fine)}"


def settle(kit: Kit) -> str:
    """x, in the lanes of the mask `deep` times 2**-lift: by integers. A denormal result is rounded by a sum with the
    number whose last place is the smallest denormal's, times 2**lift. No operation meets a denormal."""
    form, lift = FORMATS[kit.dtype], RANGES[kit.dtype].lift
    moved = f"((({kit.U}){{0}} + {lift}) << {form.fraction_bits})"
    return (
        f"{kit.V} size = {kit('abs')}(x), least = {constant(kit, 2.0 ** (lift + 1 - form.bias))};\n"
        f"{kit.U} rounded = ({kit.U})(size + least) - ({kit.U})least, whole = ({kit.U})size - {moved};\n"
        f"{kit.V} found = {kit('blend')}(({kit.S})(size < least), ({kit.V})rounded, ({kit.V})whole);\n"
        f"return {kit('blend')}(deep, {kit('with_sign')}(found, x), x);"
    )


@cache
def lowered(count: int, step: int, dtype: str = "f32") -> list[float]:
    """2**(j / count) for each j, with j steps taken off its bits: `moved`, moved up by so many bits, adds them
    and n."""
    real, whole = np.dtype(f"f{bits(dtype) // 8}"), np.dtype(f"i{bits(dtype) // 8}")
    powers = np.array(_powers(count, FORMATS[dtype].fraction_bits + 1)[0], real)
    return [float(x) for x in (powers.view(whole) - (np.arange(count, dtype=whole) << step)).view(real)]


def beyond(kit: Kit, x: str = "x") -> str:
    """C that is true where a lane of x is NaN, or larger than `plain`."""
    most, size = constant(kit, RANGES[kit.dtype].plain), f"({kit.U}){x} & ~{FORMATS[kit.dtype].sign}"
    return f"__builtin_expect({kit('any_negative')}(({kit.S}){most} - ({kit.S})({size})), 0)"


def is_below(kit: Kit, x: str, low: float) -> str:
    """C that is true where a lane of x is below `low`, or NaN."""
    return f"__builtin_expect({kit('any_below')}({x}, {constant(kit, low)}), 0)"


def _exp(kit: Kit, wide: str, takes: str = "x", correction: str = "", is_fine: bool = False) -> str:
    """Lanes that are all near take one step; what scales any number needs a test of one end alone."""
    if kit.has("scale_near"):
        return (
            f"if ({is_below(kit, 'x', RANGES[kit.dtype].least)}) return {kit(wide)}({takes});\n"
            f"{grown(kit, correction, is_fine=is_fine)}return {kit('scale_near')}(grown, n, moved);"
        )
    return f"if ({beyond(kit)}) return {kit(wide)}({takes});\n{scaled(kit, correction, is_fine)}return z;"


def _wide(kit: Kit, correction: str = "", is_fine: bool = False) -> str:
    """exp of any number."""
    own, form = RANGES[kit.dtype], FORMATS[kit.dtype]
    least = constant(kit, 2.0 ** (own.lift + 1 - form.bias))
    return (
        f"{kit.S} deep = ({kit.S})(x < {kit.literal(own.least)}), large = ({kit.S})(x > {kit.literal(own.large)});\n"
        f"x = {kit('at_most')}({kit('at_least')}(x, {constant(kit, own.low)}), {constant(kit, own.high)});\n"
        f"{lifted(kit, 'deep', correction, is_fine, 'large')}"
        f"z += ({kit.V})(({kit.S})z & large);\n"
        f"return {kit('blend')}(deep, ({kit.V})(({kit.U})(z + {least}) - ({kit.U}){least}), z);"
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


def decay(kit: Kit) -> str:
    """exp of x that are not far above 0, and 0 of x below `least`."""
    if kit.has("scale_kept"):
        return f"{grown(kit, is_near=True)}return {kit('scale_kept')}(grown, n, moved, x);"
    near = (
        scaled(kit)
        if steps(kit) > 1
        else f"{grown(kit, is_near=True)}{kit.V} z = {kit('scale_near')}(grown, n, moved);\n"
    )
    return (
        f"{kit.S} gone = ({kit.S})(x < {constant(kit, RANGES[kit.dtype].least)});\n"
        f"x = {kit('cleared')}(gone, x);\n"
        f"{near}return {kit('cleared')}(gone, z);"
    )


def share(kit: Kit) -> str:
    """x * y, or 0 where it is too small, known before it is made. The bits of x and y, added, are those of 1 and of a
    number that is x * y or up to 1/9 less."""
    form = FORMATS[kit.dtype]
    one = f"({kit.library.scalar(f's{bits(kit.dtype)}')}){form.bias + 1} << {form.fraction_bits}"
    least = f"(({kit.S}){{0}} + ({one})) - ({kit.S}){kit('abs')}(y)"
    return f"{kit.S} gone = ({kit.S})(({kit.S}){kit('abs')}(x) < ({least}));\nreturn {kit('cleared')}(gone, x) * y;"


def scale_kept(kit: Kit) -> str:
    """x * 2**n, and 0 where exp(given) is below the normal range."""
    gone = f"({kit.S})(given < {constant(kit, RANGES[kit.dtype].least)})"
    return f"return {kit('cleared')}({gone}, {kit('scale_near')}(x, n, moved));"


def exp_near(kit: Kit) -> str:
    """exp(x) where that and 1 / exp(x) are far from the ends of the normal range."""
    if not kit.has("scale_near") and steps(kit) > 1:
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
        "exp_wide": Helper("{V}", "{V} x", exp_wide),
        "exp_sum": Helper("{V}", "{V} x, {V} low", exp_sum),
        "exp_sum_wide": Helper("{V}", "{V} x, {V} low", exp_sum_wide),
        "exp_near": Helper("{V}", "{V} x", exp_near),
        "exp_rest": Helper("{V}", "{V} x", exp_rest),
        "square": Helper("{V}", "{V} x", square),
        "and_more": Helper("{V}", "{V} x, {V} by", and_more),
        "any_below": Helper("int", "{V} x, {V} low", any_below),
        "settle": Helper("{V}", "{V} x, {S} deep", settle),
        "look_up": Helper("{V}", "{V} moved, {V} powers", look_up),
        # x * 2**n, n rounded down, and in the low bits of `moved`
        "scale_near": Helper("{V}", "{V} x, {V} n, {V} moved", scale_near),
        "scale_kept": Helper("{V}", "{V} x, {V} n, {V} moved, {V} given", scale_kept),
    },
    is_held=True,
    samples=(-104.0, -103.97, -87.4, -83.0, 83.0, 88.73, 89.0, -746.0, -708.5, 704.0, 709.8),
)
DECAY = Function(
    "decay",
    ("x",),
    np.exp,
    slots((29, 12), avx2=(14, 6), avx512=(16, 8)),
    "exp({})",
    decay,
    floats_only=True,
    is_held=True,
    domain=(-math.inf, 1.0),
    like="exp",
    samples=(-104.0, -87.4, -87.3, -746.0, -708.5, -708.3),
)  # exp of numbers up to 0: what is less than the normal range counts 0, as it does beside 1
SHARE = Function(
    "share",
    ("x", "y"),
    np.multiply,
    slots(4, avx2=(4, 1), avx512=(4, 1)),
    "({} * {})",
    share,
    floats_only=True,
    commutes=True,
    ulps=1.0,
    like="mul",
    samples=(1.0, 0.5, 1e-37, 1e-38, 2e-38, 1e-307, 1e-308),
)  # x * y, but 0 where that is less than the normal range, or no more than 9/8 of what that begins with
FUNCTIONS = (EXP, DECAY, SHARE)
