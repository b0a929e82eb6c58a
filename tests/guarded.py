"""Kernels of a dynamic size called between guard zones: what they write beyond their results, and what they read beyond
their inputs, is seen.

Each array lies in the room of one of the bound, and that between zones of bytes that no kernel writes by chance. Of a
smaller size the rest of the room is guarded likewise: of inputs it holds what no result may follow from (NaN, the
largest integers), of results what must stay.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from griotte.lang.types.dtypes import dtype
from griotte.lang.types.tensor import TensorType
from griotte.models.sizes import part

WATCHED = "asan" in os.environ.get("LD_PRELOAD", "")  # then what AddressSanitizer has around each array is its zone
ZONE = 0 if WATCHED else 1 << 14  # bytes on each side
FILLED = 0x5B


def room_of(type: TensorType) -> tuple[np.ndarray, np.ndarray]:
    """All bytes, and the array of the bound within them, all of one filling."""
    whole = np.full(2 * ZONE + type.bytes, FILLED, np.uint8)
    order = type.minor_to_major[::-1]
    lying = whole[ZONE : ZONE + type.bytes].view(dtype(type.dtype).numpy).reshape([type.shape[a] for a in order])
    return whole, lying.transpose(np.argsort(order).astype(int))


def beyond(type: TensorType) -> Any:
    """What stands in the room of an input beyond the size of a call."""
    row = dtype(type.dtype)
    if row.kind == "float":
        return np.nan
    return True if row.kind == "pred" else (1 << row.bits - (row.kind == "signed")) - 1


def guarded(
    kernel: Callable[..., Any],
    inputs: Sequence[TensorType],
    outputs: Sequence[TensorType],
    arrays: Sequence[Any],
    size: int,
) -> list[np.ndarray]:
    """The results of a call of arrays of a size, copied; AssertionError where anything else was written."""
    rooms, given = [], []
    for type, array in zip(inputs, arrays, strict=True):
        whole, lying = room_of(type)
        if type.dynamic_axes:
            lying[...] = np.asarray(beyond(type)).astype(lying.dtype)
        lying = _part(lying, type, size)
        lying[...] = array
        rooms.append((type, whole, whole.copy()))
        given.append(lying)
    results = [room_of(type) for type in outputs]
    out = [_part(lying, type, size) for type, (_, lying) in zip(outputs, results)]
    kernel(*given, out=out[0] if len(out) == 1 else tuple(out))
    found = [each.copy() for each in out]
    for type, whole, before in rooms:
        assert np.array_equal(whole, before), f"an input, {type}, was written at size {size}"
    for type, (whole, _), each in zip(outputs, results, out):
        each.view(np.dtype((np.void, each.dtype.itemsize)))[...] = bytes([FILLED]) * each.dtype.itemsize
        written = np.flatnonzero(whole != FILLED) - ZONE
        told = f"{type}: {written.size} bytes beyond the result of size {size}, the first at {written[:1]}"
        assert not written.size, told
    return found


def _part(lying: np.ndarray, type: TensorType, size: int) -> np.ndarray:
    return part(lying, type, size) if type.dynamic_axes else lying
