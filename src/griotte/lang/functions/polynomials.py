"""How constants and polynomials are written in C over vectors."""

from __future__ import annotations

from .kit import Kit


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
