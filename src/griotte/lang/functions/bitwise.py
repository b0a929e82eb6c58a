"""Functions of the bits of integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .arithmetic import X_Y
from .function import Function, slots


def _of_bits(name: str, meaning: Callable[..., Any], symbol: str) -> Function:
    text = f"({{}} {symbol} {{}})"
    return Function(name, X_Y, meaning, slots(1), text, infix=symbol, commutes=True, integers_only=True, ulps=0.0)


AND = _of_bits("bitwise_and", np.bitwise_and, "&")
OR = _of_bits("bitwise_or", np.bitwise_or, "|")
XOR = _of_bits("bitwise_xor", np.bitwise_xor, "^")
FUNCTIONS = (AND, OR, XOR)
