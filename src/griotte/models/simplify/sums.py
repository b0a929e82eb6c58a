"""Products of integers that stand for floats, which nothing quantises after: their sums, in s32, stand for floats."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...lang.types.dtypes import limits
from .law import law
from .pattern import Match
from .quantised import FLOATS, SCALES, is_narrow


def _weights(m: Match) -> tuple[np.ndarray, np.ndarray] | None:
    """Weights of 8 bits without their zeros, and what is to be taken off them still: 0 where they fit 8 bits."""
    weights, zeros = m.array("W"), np.asarray(m.array("Y")).astype(np.int32)
    if not is_narrow(m["W"].type.dtype):
        return None
    if not zeros.any():
        return weights, zeros * 0
    whole = weights.astype(np.int32) - zeros
    if limits("s8")[0] <= whole.min() and whole.max() <= limits("s8")[1]:
        return whole.astype(np.int8), zeros * 0
    moved = 128 if m["W"].type.dtype == "u8" else 0
    return (weights.astype(np.int32) - moved).astype(np.int8), zeros - moved


def _factor(m: Match) -> np.ndarray | None:
    """What sums of products stand for, one number or one for each of the second factor's scales; where that is known,
    and the first factor has one scale and one zero."""
    scale, scales, zero = m["s"].array, m["t"].array, m.number("Z")
    if scale is None or scales is None or zero is None or scale.size != 1 or not is_narrow(m["x"].type.dtype):
        return None
    return (scale.astype(np.float64).reshape(-1) * scales.reshape(-1)).astype(np.float32)


def _sums_of_windows(m: Match) -> dict[str, Any] | None:
    """A convolution of integers in s32, of which the zeros are known: around x lies its zero."""
    factor, found, rest, zero = _factor(m), _weights(m), m["r"], int(m.number("Z") or 0)
    if factor is None or found is None or rest["dtype"] is not None or found[1].any():
        return None
    weights, channels = found[0], len(found[0])
    if m["t"].type.shape not in ((), (1,), (channels, 1, 1, 1)):
        return None
    given = {key: own for key, own in rest.items() if key not in ("dtype", "layout")} | {"dtype": "s32"}
    x, sides = m["x"], _sides(rest["padding"])
    if zero and any(map(any, sides)):
        before, after = ((0, 0, *side) for side in zip(*sides))
        x, given = m.site.call("pad", x, before=before, after=after, value=zero), given | {"padding": 0}
    terms = -zero * weights.astype(np.int64).sum((1, 2, 3)).reshape(-1, 1, 1)
    by_channel = factor.reshape(() if factor.size == 1 else (-1, 1, 1))
    return {"y": x, "V": weights, "f": by_channel, "k": given, "C": terms.astype(np.int32)}


def _sides(padding: Any) -> tuple[tuple[int, int], ...]:
    """Elements before and after along each of two axes."""
    pairs = padding if isinstance(padding, tuple) else (padding, padding)
    return tuple(pair if isinstance(pair, tuple) else (pair, pair) for pair in pairs)


def _sums_of_rows(m: Match) -> dict[str, Any] | None:
    """A product of integers in s32, of which the zeros are known."""
    factor, found = _factor(m), _weights(m)
    if factor is None or found is None or found[0].ndim != 2 or m["x"].type.rank < 2:
        return None
    weights, zeros = found
    by_column = ((), (1,), (weights.shape[1],), (1, weights.shape[1]))
    if m["t"].type.shape not in by_column or zeros.shape not in by_column:
        return None
    terms = -int(m.number("Z") or 0) * (weights - zeros.astype(np.int64)).sum(0)
    row = lambda array: array.reshape(() if array.size == 1 else (-1,))
    shaped = {"f": row(factor), "T": row(zeros), "k": m["x"].type.rank - 1}
    return {"V": weights, "C": terms.astype(np.int32)} | shaped


def _with(found: dict[str, Any] | None, *, terms: bool) -> dict[str, Any] | None:
    """What sums are of which nothing is to be taken off but what is known, if that is something, or is nothing."""
    if found is None or np.any(found.get("T", 0)) or np.any(found["C"]) != terms:
        return None
    return found


def _with_rows(m: Match) -> dict[str, Any] | None:
    """What sums are of which sums of rows are to be taken off."""
    found = _sums_of_rows(m)
    return found if found is not None and np.any(found["T"]) else None


FILTERS = (np.arange(54).reshape(3, 2, 3, 3) % 16).astype(np.int8)
COLUMNS = np.array([[0.25, 0.5, 1, 1, 2]], np.float32)
GIVEN = {"s": np.float32(0.5), "Z": np.uint8(7), "Y": 0}
SUMS = GIVEN | {"x": "u8[1,2,5,5]", "W": FILTERS, "t": SCALES, "r": {"padding": 1}}
LINES = GIVEN | {"x": "u8[2,3,4]", "W": (np.arange(20).reshape(4, 5) * 13).astype(np.uint8), "t": COLUMNS}
CONVOLUTION, PRODUCT = (
    f"{call}(dequantize(x, s, Z), dequantize(W, t, Y){r})" for call, r in (("conv2d", ", **r"), ("matmul", ""))
)
OF_ROWS = "sum(x, axis=k, keepdims=True, dtype='s32')"

RULES = (
    law(
        "sums of windows of integers",
        f"{CONVOLUTION} = dequantize(conv2d(y, V, **k), f, 0)",
        SUMS | {"Z": 0},
        when=lambda m: _with(_sums_of_windows(m), terms=False),
        shared=FLOATS,
        within="scaled",
    ),
    law(
        "sums of windows of integers without their zeros",
        f"{CONVOLUTION} = dequantize(conv2d(y, V, **k) + C, f, 0)",
        SUMS,
        SUMS | {"W": FILTERS.astype(np.uint8) + 120, "Y": np.uint8(130), "r": {"padding": ((1, 0), (0, 2))}},
        when=lambda m: _with(_sums_of_windows(m), terms=True),
        shared=FLOATS,
        within="scaled",
    ),
    law(
        "sums of products of integers",
        f"{PRODUCT} = dequantize(matmul(x, V, dtype='s32'), f, 0)",
        LINES | {"Z": 0},
        when=lambda m: _with(_sums_of_rows(m), terms=False),
        shared=FLOATS,
        within="scaled",
    ),
    law(
        "sums of products of integers without their zeros",
        f"{PRODUCT} = dequantize(matmul(x, V, dtype='s32') + C, f, 0)",
        LINES | {"Y": np.uint8(120)},
        when=lambda m: _with(_sums_of_rows(m), terms=True),
        shared=FLOATS,
        within="scaled",
    ),
    law(
        "sums of products of integers without either zero",
        f"{PRODUCT} = dequantize((matmul(x, V, dtype='s32') + C) - {OF_ROWS} * T, f, 0)",
        LINES | {"Y": np.uint8(10)},
        LINES | {"Y": np.uint8(10), "t": np.float32(0.25), "Z": 0},
        when=_with_rows,
        shared=FLOATS,
        within="scaled",
    ),
)
