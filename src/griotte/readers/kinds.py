"""Dtypes as declarations of operators ask for them, and in which an operator of several calls is computed."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from ..ir.dtypes import dtype as row
from ..models.graph import ModelValue
from .node import Unsupported

Operator = Callable[..., Any]


def kind(dtype: str) -> str:
    """float, signed, unsigned or pred."""
    return row(dtype).kind


def bits(dtype: str) -> int:
    return row(dtype).bits


def placed(axis: int, rank: int) -> int:
    """An axis of a tensor of this rank, which may be told from the last."""
    if axis not in range(-rank, rank):
        raise Unsupported(f"an axis from {-rank} to {rank - 1} is expected, found {axis}")
    return axis % rank


def in_f32(read: Operator) -> Operator:
    """An operator of several calls, between which floats of 16 bits are not rounded: they are f32 within it."""

    @wraps(read)
    def wider(node: Any, *inputs: Any, **how: Any) -> Any:
        narrow = next((d for d in map(_float16, inputs) if d), None)
        if narrow is None:
            return read(node, *inputs, **how)
        found = read(node, *(node.cast(x, "f32") if _float16(x) == narrow else x for x in inputs), **how)
        several = found if isinstance(found, (list, tuple)) else [found]
        cast = [node.cast(y, narrow) if isinstance(y, ModelValue) and y.type.dtype == "f32" else y for y in several]
        return cast if isinstance(found, (list, tuple)) else cast[0]

    return wider


def dtype_within(x: ModelValue) -> str:
    """The dtype of what an operator computes of x before its end: f32 of floats of 16 bits."""
    return "f32" if _float16(x) else x.type.dtype


def _float16(x: Any) -> str:
    """The dtype of a tensor of floats of 16 bits; "" of anything else."""
    if isinstance(x, ModelValue):
        return x.type.dtype if x.type.dtype in ("f16", "bf16") else ""
    return {"float16": "f16", "bfloat16": "bf16"}.get(x.dtype.name, "") if isinstance(x, np.ndarray) else ""


def _is_pred(x: Any) -> bool:
    if isinstance(x, ModelValue):
        return x.type.dtype == "pred"
    return isinstance(x, np.ndarray) and x.dtype.kind == "b"


def over_u8(read: Operator) -> Operator:
    """An operator of which the calls take numbers alone: conditions are 0 and 1 within it."""

    @wraps(read)
    def with_numbers(node: Any, *inputs: Any, **how: Any) -> Any:
        is_pred = [_is_pred(x) for x in inputs]
        found = read(node, *(node.cast(x, "u8") if p else x for x, p in zip(inputs, is_pred)), **how)
        if not any(is_pred):
            return found
        several = found if isinstance(found, (list, tuple)) else [found]
        again = [
            node.call("not_equal", y, 0) if isinstance(y, ModelValue) and y.type.dtype == "u8" else y for y in several
        ]
        return again if isinstance(found, (list, tuple)) else again[0]

    return with_numbers
