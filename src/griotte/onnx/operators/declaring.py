"""How an operator of ONNX is declared: a function from a node and what it reads to calls of the language."""

from __future__ import annotations

from collections.abc import Callable

from ...readers.kinds import Operator

MICROSOFT = "com.microsoft"  # the domain of what onnxruntime adds
OF_ONE_MACHINE = "laid out for the machine that wrote it; save the model optimised at ORT_ENABLE_EXTENDED, not further"
BY_VALUES = "how much it gives depends on the values that it reads"
REFUSED: dict[str | tuple[str, str], str] = {
    "com.microsoft.nchwc": OF_ONE_MACHINE,
    **{("ai.onnx", name): BY_VALUES for name in ("NonZero", "Unique", "NonMaxSuppression")},
}
"""Why operators are refused: by a domain of which none is declared, or by domain and name."""
OPERATORS: dict[tuple[str, str], Operator] = {}
"""By domain and name."""


def operator(*names: str, domain: str = "ai.onnx") -> Callable[[Operator], Operator]:
    """Declare what operators of these names are: `read(node, *inputs)` gives a value, or several."""

    def declare(read: Operator) -> Operator:
        OPERATORS.update({(domain, name): read for name in names})
        return read

    return declare
