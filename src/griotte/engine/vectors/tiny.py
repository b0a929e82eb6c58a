"""Floats of 8 bits and fewer: their formats, and the portable C of their conversions from and to f32."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...lang.functions.kit import Kit


@dataclass(frozen=True)
class SmallFloat:
    """How a float lies in the low bits of its byte: a sign over an exponent over a fraction, and what is no number.

    largest      the pattern of the largest magnitude; what is beyond becomes `beyond`
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
