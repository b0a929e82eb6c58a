"""How an operator of ATen is declared: a function from a node and what it is called with to calls of the language.

The function takes what the operator's schema has, its defaults included: by name what it calls as the schema does, in
order what it calls otherwise. What it gives need not have the dtype that torch tells: the reader casts it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any

from ...readers.operators.array import kind
from ...support.errors import SpecError

PLAIN = frozenset(
    "check_errors compute_mode cudnn_enabled device dtype half_to_float implicit include_last_offset layout"
    " memory_format non_blocking out_int32 padding_idx physical_layout pin_memory scale_grad_by_freq sorted sparse"
    " sparse_grad stable unroll_dim unsafe".split()
)
"""What a function need not take: it says nothing of what the result is, or torch tells that of the result."""
BY_VALUES = "how much it gives depends on the values that it reads"
_BY_VALUES = "nonzero masked_select _local_scalar_dense _unique2 unique_dim unique_consecutive"
_TRAINING = "_native_batch_norm_legit_functional _batch_norm_with_update_functional"
REFUSED = {
    f"{name}.default": why
    for names, why in ((_BY_VALUES, BY_VALUES), (_TRAINING, "it trains; call module.eval() first"))
    for name in names.split()
}
"""Why operators are refused, by name and overload."""
AtenOperator = Callable[..., Any]


def full_name(name: str) -> str:
    """The name with its overload: without one it is the default one."""
    return name if "." in name else f"{name}.default"


def taken(function: AtenOperator, given: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Of what an operator is given, by the names of its schema, what a function takes beside the node; SpecError where
    that is not all of it."""
    _, *parameters = signature(function).parameters.values()
    named = {each.name for each in parameters}
    left = {name: each for name, each in given.items() if name not in named and name not in PLAIN}
    in_order: list[Any] = []
    by_name: dict[str, Any] = {}
    for each in parameters:
        if each.kind is Parameter.VAR_POSITIONAL:
            in_order, left = [*in_order, *left.values()], {}
        elif each.kind is Parameter.KEYWORD_ONLY:
            by_name |= {each.name: given[each.name]} if each.name in given else {}
        elif each.name in given or left:
            in_order.append(given[each.name] if each.name in given else left.pop(next(iter(left))))
        elif each.default is not Parameter.empty:
            in_order.append(each.default)
        else:
            raise SpecError(f"it is given other operands than it has: no {each.name}")
    if left:
        raise SpecError(f"it is given other operands than it has: {', '.join(left)}")
    return in_order, by_name


def is_number(x: Any) -> bool:
    """Whether an operand is a number of Python."""
    return isinstance(x, (bool, int, float))


def as_dtype(x: Any, dtype: str) -> Any:
    """An operand in the dtype that torch computes in; numbers take it by themselves."""
    if not is_number(x):
        return x.astype(dtype)
    return float(x) if kind(dtype) == "float" else int(x)
