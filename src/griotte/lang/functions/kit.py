"""What the C text of functions over vectors is written with: element types, constants, and `Kit`, what a body may name.
The library that helpers are defined in is the code generator's (`vectors.library`): here is what a Kit asks of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

STORAGE = {
    "bf16": "u16", "f16": "u16", "pred": "u8", "s4": "s8", "s2": "s8", "u4": "u8", "u2": "u8", "f4e2m1fn": "u8",
    "f8e4m3fn": "u8", "f8e4m3fnuz": "u8", "f8e5m2": "u8", "f8e5m2fnuz": "u8",
}  # fmt: skip
SCALARS = {
    "f64": "double", "f32": "float", "s8": "int8_t", "u8": "uint8_t", "s16": "int16_t", "u16": "uint16_t",
    "s32": "int32_t", "u32": "uint32_t", "s64": "int64_t", "u64": "uint64_t",
}  # fmt: skip
COMPUTE = ("f32", "f64", "s32", "s64", "u32", "u64")


def element(dtype: str) -> str:
    """The dtype whose C type holds `dtype` in memory and in vectors: u16 for bf16, itself for f32."""
    held = STORAGE.get(dtype, dtype)
    if held not in SCALARS:
        known = sorted({*SCALARS, *STORAGE})
        raise ValueError(f"expected a dtype of {' '.join(known)}, found {dtype!r}")
    return held


def bits(dtype: str) -> int:
    """Width of one held element in bits: 8 for s4 and pred, as for all that have fewer."""
    return int(element(dtype)[1:])


def is_float(dtype: str) -> bool:
    return dtype in ("f32", "f64")


class Library(Protocol):
    """The library that a Kit's helpers are defined in, as the Kit asks it: for names, each thereby defined."""

    def type(self, dtype: str, lanes: int) -> str: ...

    def unaligned(self, dtype: str, lanes: int) -> str: ...

    def scalar(self, dtype: str) -> str: ...

    def convert(self, source: str, to: str, lanes: int) -> str: ...

    def helper(self, name: str, kit: Kit) -> str: ...

    def body(self, helper: str, kit: Kit) -> str: ...

    def has(self, helper: str, dtype: str, lanes: int) -> bool: ...


@dataclass(frozen=True)
class Kit:
    """What the body of a helper may name: its types, and (called) other helpers over the same vectors."""

    library: Library
    dtype: str
    lanes: int

    @property
    def V(self) -> str:
        """The vector type."""
        return self.library.type(self.dtype, self.lanes)

    @property
    def T(self) -> str:
        """The element type."""
        return self.library.scalar(self.dtype)

    @property
    def S(self) -> str:
        """Signed integers of the same shape: what comparisons give, 0 or -1 in each lane."""
        return self.library.type(f"s{bits(self.dtype)}", self.lanes)

    @property
    def U(self) -> str:
        """Unsigned integers of the same shape."""
        return self.library.type(f"u{bits(self.dtype)}", self.lanes)

    @property
    def bytes(self) -> int:
        return bits(self.dtype) // 8 * self.lanes

    def with_(self, dtype: str | None = None, lanes: int | None = None) -> Kit:
        """The same library over other vectors."""
        return Kit(self.library, dtype or self.dtype, lanes or self.lanes)

    def __call__(self, helper: str) -> str:
        """The C name of a helper over these vectors, which is thereby defined ahead of the caller."""
        return self.library.helper(helper, self)

    def body(self, helper: str) -> str:
        """The text of a helper's body over these vectors."""
        return self.library.body(helper, self)

    def has(self, helper: str) -> bool:
        """Whether the instruction set has a body of its own for a helper over these vectors."""
        return self.library.has(helper, self.dtype, self.lanes)

    def convert(self, to: str) -> str:
        """The C name of the conversion of these vectors; must not be the identity."""
        return self.library.convert(self.dtype, to, self.lanes)

    def literal(self, value: float) -> str:
        """A C constant of the element type, exact for any value that the type has."""
        return literal(self.dtype, value)


def by_halves(name: str, arguments: tuple[str, ...], body: Callable[[Kit], str]) -> Callable[[Kit], str]:
    """The body of a function that goes from 32 bits through f64. Where a register holds the f64 of half as many lanes
    only, it is the function of each half, for compilers put vectors of several registers together in memory."""

    def halved(kit: Kit) -> str:
        half = kit.with_(lanes=max(1, kit.lanes // 2))
        if (
            kit.dtype not in ("f32", "s32", "u32")
            or kit.with_("f64").has("round")
            or not half.with_("f64").has("round")
        ):
            return body(kit)
        each = (f"{half(name)}({', '.join(f'{kit(part)}({x})' for x in arguments)})" for part in ("lower", "upper"))
        return f"return {kit('join')}({', '.join(each)});"

    return halved


def literal(dtype: str, value: float) -> str:
    """A C constant expression of the element's type; infinities and NaN included."""
    if not is_float(dtype):
        return _integer_literal(dtype, int(value))
    suffix = "f" if dtype == "f32" else ""
    if value != value:
        return f'__builtin_nan{suffix}("")'
    if value in (float("inf"), float("-inf")):
        return f"({'-' if value < 0 else ''}__builtin_inf{suffix}())"
    return f"{float(value)!r}{suffix}" if value >= 0 else f"({float(value)!r}{suffix})"


def _integer_literal(dtype: str, value: int) -> str:
    suffix = {"u32": "u", "u64": "ull", "s64": "ll"}.get(dtype, "")
    if value == -(1 << (bits(dtype) - 1)):  # the most negative literal does not fit its own type before the sign
        return f"(-{-value - 1}{suffix} - 1)"
    return f"{value}{suffix}" if value >= 0 else f"({value}{suffix})"


@dataclass(frozen=True)
class Format:
    sign: str  # mask of the sign bit
    fraction_bits: int
    bias: int
    round: float  # 1.5 * 2**fraction_bits: adding it rounds to a whole number, held in the low bits
    ln2_high: float  # few enough bits that its product with any exponent, in sixteenths, is exact, and below ln(2)
    ln2_low: float


FORMATS = {
    "f32": Format(
        sign="0x80000000u",
        fraction_bits=23,
        bias=127,
        round=12582912.0,
        ln2_high=0.693115234375,
        ln2_low=3.1946183e-05,
    ),
    "f64": Format(
        sign="0x8000000000000000ull",
        fraction_bits=52,
        bias=1023,
        round=6755399441055744.0,
        ln2_high=6.93147180369123816490e-01,
        ln2_low=1.90821492927058770002e-10,
    ),
}


def constant(kit: Kit, value: float) -> str:
    """A vector of one value."""
    return f"(({kit.V}){{0}} + {kit.literal(value)})"


def horner(kit: Kit, coefficients: tuple[float, ...], variable: str) -> str:
    """The polynomial, lowest power first, as nested products: one (fused) step per coefficient."""
    text = constant(kit, coefficients[-1])
    for value in reversed(coefficients[:-1]):
        text = f"({text} * {variable} + {kit.literal(value)})"
    return text


def polynomial(kit: Kit, coefficients: tuple[float, ...], variable: str, square: str) -> str:
    """Even and odd powers apart, each in `square`: half of Horner's latency, for one more product."""
    return f"({horner(kit, coefficients[1::2], square)} * {variable} + {horner(kit, coefficients[::2], square)})"
