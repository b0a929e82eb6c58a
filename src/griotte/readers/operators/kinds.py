"""Dtypes as functions of arrays ask for them, and in which one of several calls is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from math import inf
from typing import Any, TypeVar

import numpy as np

from ...lang.types.dtypes import limits
from .array import Array, bits, dtype_among, kind, wrapped
from .calls import Unsupported

OnArrays = TypeVar("OnArrays", bound=Callable[..., Any])


def placed(axis: int, rank: int) -> int:
    """An axis of an array of this rank, counted from 0; below 0 it counts from the end."""
    if axis not in range(-rank, rank):
        raise Unsupported(f"an axis from {-rank} to {rank - 1} is expected, found {axis}")
    return axis % rank


def least_of(dtype: str) -> float:
    """The least of a dtype."""
    return -inf if kind(dtype) == "float" else limits(dtype)[0]


def most_of(dtype: str) -> float:
    """The largest of a dtype."""
    return inf if kind(dtype) == "float" else limits(dtype)[1]


NEUTRAL: dict[str, Callable[[str], float]] = {
    "add": lambda dtype: 0,
    "mul": lambda dtype: 1,
    "max": least_of,
    "min": most_of,
}
"""The neutral element of each way to join elements, by dtype."""


def mapped(found: Any, change: Callable[[Array], Array]) -> Any:
    """What a function gives, an array or several, with each array changed."""
    if isinstance(found, (list, tuple)):
        return [mapped(each, change) for each in found]
    return change(found) if isinstance(found, Array) else found


def in_f32(function: OnArrays) -> OnArrays:
    """A function of several calls, between which floats of 16 bits are not rounded: they are f32 within it."""

    @wraps(function)
    def wider(*given: Any, **how: Any) -> Any:
        narrow = next((d for d in map(_float16, _arrays(given)) if d), None)
        if narrow is None:
            return function(*given, **how)
        found = function(*_wider(given, narrow), **how)
        return mapped(found, lambda y: y.astype(narrow) if y.dtype == "f32" else y)

    return wider  # type: ignore[return-value]


def in_s32(function: OnArrays) -> OnArrays:
    """A function of arrays of one dtype whose integers wrap: narrow ones are s32 within it."""

    @wraps(function)
    def wider(*given: Any, **how: Any) -> Any:
        dtype = dtype_among(*given)
        if kind(dtype) == "float" or bits(dtype) >= 32:
            return function(*given, **how)
        wide = (x.astype("s32") if isinstance(x, Array) else x for x in given)
        return wrapped(function(*wide, **how), dtype)

    return wider  # type: ignore[return-value]


def _arrays(given: Any) -> Iterator[Any]:
    """What a function is given, what stands in lists as well."""
    for x in given:
        yield from _arrays(x) if isinstance(x, (list, tuple)) else (x,)


def _wider(given: Any, narrow: str) -> Any:
    """The same with floats of a narrow dtype as f32."""
    if isinstance(given, (list, tuple)):
        return getattr(type(given), "_make", type(given))(_wider(x, narrow) for x in given)
    return given.astype("f32" if isinstance(given, Array) else np.float32) if _float16(given) == narrow else given


def dtype_within(x: Array) -> str:
    """The dtype of what a function computes of x before its end: f32 of floats of 16 bits."""
    return "f32" if _float16(x) else x.dtype


def _float16(x: Any) -> str:
    """The dtype of an array of floats of 16 bits; "" of anything else."""
    if isinstance(x, Array):
        return x.dtype if x.dtype in ("f16", "bf16") else ""
    return {"float16": "f16", "bfloat16": "bf16"}.get(x.dtype.name, "") if isinstance(x, np.ndarray) else ""


def _is_pred(x: Any) -> bool:
    return x.dtype == "pred" if isinstance(x, Array) else isinstance(x, np.ndarray) and x.dtype.kind == "b"


def over_u8(function: OnArrays) -> OnArrays:
    """A function whose calls take numbers alone: conditions are 0 and 1 within it."""

    @wraps(function)
    def with_numbers(*given: Any, **how: Any) -> Any:
        is_pred = [_is_pred(x) for x in given]
        if not any(is_pred):
            return function(*given, **how)
        numbers = (x.astype("u8" if isinstance(x, Array) else np.uint8) if p else x for x, p in zip(given, is_pred))
        return mapped(function(*numbers, **how), lambda y: y != 0 if y.dtype == "u8" else y)

    return with_numbers  # type: ignore[return-value]
