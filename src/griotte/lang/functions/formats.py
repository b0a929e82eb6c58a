"""The two floating-point formats that functions are computed in: their bits, and constants that follow from them."""

from __future__ import annotations

from dataclasses import dataclass


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
