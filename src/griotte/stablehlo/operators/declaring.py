"""How an operation of XLA is declared: a function from a node and its operands to calls of the language.

Operations are named as JAX names its primitives, and take the parameters of those by their names; StableHLO's are
brought to the same. What a declaration gives need not have the dtype that the program tells: the reader casts it.
"""

from __future__ import annotations

from typing import Any

from ...models.value import ModelValue


def known(item: Any) -> Any:
    """Of a value whose data is known that data."""
    return item.array if isinstance(item, ModelValue) and item.array is not None else item
