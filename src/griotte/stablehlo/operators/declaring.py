"""How an operation of XLA is declared: a function from a node and its operands to calls of the language.

Operations are named as JAX names its primitives, and take the parameters of those by their names; StableHLO's are
brought to the same. What a declaration gives need not have the dtype that the program tells: the reader casts it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...models.value import ModelValue
from ...readers.kinds import Operator, bits, dtype_within, in_f32, kind, over_u8
from ...readers.node import Unsupported

OPERATORS: dict[str, Operator] = {}
"""By the primitive's name."""
REFUSED: dict[str, str] = {}
"""Why operations are refused, by name."""


def operator(*names: str) -> Callable[[Operator], Operator]:
    """Declare what operations of these names are."""

    def declare(read: Operator) -> Operator:
        OPERATORS.update(dict.fromkeys(names, read))
        return read

    return declare


def refused(why: str, *names: str) -> None:
    """Say why operations of these names are not read."""
    REFUSED.update(dict.fromkeys(names, why))


def known(item: Any) -> Any:
    """Of a value whose data is known that data."""
    return item.array if isinstance(item, ModelValue) and item.array is not None else item


__all__ = [
    "OPERATORS",
    "REFUSED",
    "Unsupported",
    "bits",
    "dtype_within",
    "in_f32",
    "kind",
    "known",
    "operator",
    "over_u8",
    "refused",
]
