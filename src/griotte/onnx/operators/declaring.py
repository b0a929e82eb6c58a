"""How an operator of ONNX is declared: a function from a node and what it reads to calls of the language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import SpecError

Operator = Callable[..., Any]
OPERATORS: dict[tuple[str, str], Operator] = {}
"""By domain and name."""


class Unsupported(SpecError):
    """Why a node is refused."""


def operator(*names: str, domain: str = "ai.onnx") -> Callable[[Operator], Operator]:
    """Declare what operators of these names are: `read(node, *inputs)` gives a value, or several."""

    def declare(read: Operator) -> Operator:
        OPERATORS.update({(domain, name): read for name in names})
        return read

    return declare
