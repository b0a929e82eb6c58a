"""What is said of ONNX's operators beside their tables."""

from __future__ import annotations

OF_ONE_MACHINE = "laid out for the machine that wrote it; save the model optimised at ORT_ENABLE_EXTENDED, not further"
BY_VALUES = "how much it gives depends on the values that it reads"
REFUSED: dict[str | tuple[str, str], str] = {
    "com.microsoft.nchwc": OF_ONE_MACHINE,
    **{("ai.onnx", name): BY_VALUES for name in ("NonZero", "Unique", "NonMaxSuppression")},
}
"""Why operators are refused: by a domain of which none is declared, or by domain and name."""


def by_domain(name: str) -> tuple[str, str]:
    """The domain and the name of an operator, "com.microsoft.QAttention"; without a domain it is ONNX's own."""
    domain, _, own = name.rpartition(".")
    return domain or "ai.onnx", own
