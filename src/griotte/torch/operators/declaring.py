"""How an operator of ATen is declared: a function from a node and what it is called with to calls of the language.

The function takes what the operator's schema has, in that order and by those names. What it gives need not have the
dtype that torch tells: the reader casts it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...readers.operators.array import kind

PLAIN = ("device", "layout", "memory_format", "non_blocking", "pin_memory")
"""What an operator may be given that says nothing of what its result is."""
BY_VALUES = "how much it gives depends on the values that it reads"
REFUSED: dict[str, str] = dict.fromkeys(
    (
        "nonzero.default",
        "masked_select.default",
        "_local_scalar_dense.default",
        "_unique2.default",
        "unique_dim.default",
    )
    + ("unique_consecutive.default",),
    BY_VALUES,
)
REFUSED |= dict.fromkeys(
    ("_native_batch_norm_legit_functional.default", "_batch_norm_with_update_functional.default"),
    "it trains; call module.eval() first",
)
"""Why operators are refused, by name and overload."""
AtenOperator = Callable[..., Any]


def full_name(name: str) -> str:
    """The name with its overload: without one it is the default one."""
    return name if "." in name else f"{name}.default"


def is_number(x: Any) -> bool:
    """Whether an operand is a number of Python."""
    return isinstance(x, (bool, int, float))


def as_dtype(x: Any, dtype: str) -> Any:
    """An operand in the dtype that torch computes in; numbers take it by themselves."""
    if not is_number(x):
        return x.astype(dtype)
    return float(x) if kind(dtype) == "float" else int(x)
