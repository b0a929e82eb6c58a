"""Products of integers that stand for floats, which exporters write between dequantize and quantize. Where nothing is
quantised after, their sums, in s32, stand for floats.

Where a value to be quantised lies half-way between two integers, either may come of it: sums of integers are exact,
those of the floats that they stand for are rounded.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...lang.types.dtypes import dtype, limits
from ..graph import ModelValue
from .law import law as stated
from .pattern import Match
from .rule import known


def _of_columns(m: Match) -> dict[str, Any] | None:
    """A product whose second factor has one scale, or one for each column."""
    scale, zero, b = m["t"].type, np.asarray(m.array("Y")), m["b"].type
    narrow = all(is_narrow(m[name].type.dtype) for name in "ab")
    by_column = all(shape in ((), (1,), (b.shape[-1],), (1, b.shape[-1])) for shape in (scale.shape, zero.shape))
    is_one = m["s"].type.elements == 1 == m["u"].type.elements
    return {"d": m.site.value.type.dtype} if narrow and by_column and is_one else None


def is_narrow(name: str) -> bool:
    return dtype(name).kind in ("signed", "unsigned") and dtype(name).bits <= 8


def _of_channels(m: Match) -> dict[str, Any] | None:
    """A convolution whose weights have one scale, or one for each channel, and whose zeros are numbers."""
    w, scale, rest = m["w"].type, m["t"].type, m["r"]
    zeros = [m.number(name) for name in "ZYV"]
    if not all(is_narrow(m[name].type.dtype) for name in "xw") or None in zeros or rest["dtype"] is not None:
        return None
    if scale.shape not in ((), (1,), (w.shape[0], 1, 1, 1)) or not m["s"].type.elements == 1 == m["u"].type.elements:
        return None
    one = lambda name: m.site.call("reshape", m[name], shape=())
    by_channel = () if scale.elements == 1 else (w.shape[0],)
    found = {"s": one("s"), "u": one("u"), "t": m.site.call("reshape", m["t"], shape=by_channel)}
    given = {key: own for key, own in rest.items() if key not in ("dtype", "layout")}
    numbers = {name: int(zero or 0) for name, zero in zip("ZYV", zeros)}
    return found | numbers | {"r": given | {"dtype": m.site.value.type.dtype}}


def _with_bias(m: Match) -> dict[str, Any] | None:
    """The same, plus a number for each channel that is a whole number of units of the sums."""
    found, bias, w = _of_channels(m), m.array("B"), m["w"].type
    scale, scales = m["s"].array, m["t"].array
    if found is None or bias.shape[-3:] != (w.shape[0], 1, 1) or bias.size != w.shape[0]:
        return None
    if scale is None or scales is None:
        return None
    unit = scale.astype(np.float64).reshape(-1) * scales.reshape(-1)
    units = bias.reshape(-1).astype(np.float64) / unit
    if not _are_whole(units) or np.abs(units).max() >= 2**31 - 1:
        return None
    return found | {"BIAS": np.rint(units).astype(np.int32)}


def _with_terms(m: Match) -> dict[str, Any] | None:
    """The terms that are added to sums of integers, and the unit of the sums in units of the result. The terms are a
    bias in units of the sums, and the zero of the first factor times the weights."""
    weights, bias = m.array("W"), m.array("B")
    scales = [m[name].array for name in "stu"]
    if weights.ndim != 2 or not all(is_narrow(m[name].type.dtype) for name in "aW") or m.number("Y") != 0:
        return None
    if any(array is None for array in scales) or m.number("Z") is None or bias.size not in (1, *bias.shape[-1:]):
        return None
    first, second, result = (np.asarray(array, np.float64).reshape(-1) for array in scales)
    if first.size > 1 or result.size > 1 or second.size not in (1, weights.shape[1]):
        return None
    units = bias.reshape(-1).astype(np.float64) / (first * second)
    terms = np.rint(units) - (m.number("Z") or 0) * weights.astype(np.int64).sum(0)
    if not _are_whole(units) or np.abs(terms).max() >= 2**31:
        return None
    factor = (first * second / result).astype(np.float32).reshape(() if second.size == 1 else (-1,))
    return {"C": terms.astype(np.int32), "f": factor, "d": m.site.value.type.dtype}


def _in_groups(m: Match) -> dict[str, Any] | None:
    """Weights that have one scale for each group of them along k, without their zeros."""
    found = _scaled_by_groups(m)
    if found is None:
        return None
    weights, zeros, scales, size = found
    whole = (weights - zeros).T
    fitting = (name for name in ("s4", "s8") if _fits(whole, name))
    narrow = next(fitting, None)
    if narrow is None:
        return None
    return {"V": _grouped(whole, size, narrow), "S": np.ascontiguousarray(scales[::size].T)}


def _in_groups_apart(m: Match) -> dict[str, Any] | None:
    """The same for weights of 4 bits that need more than 4 without their zeros: the distance of zeros from the middle
    of 4 bits is taken off sums of x."""
    found = _scaled_by_groups(m)
    if found is None or _fits(found[0] - found[1], "s4"):
        return None
    weights, zeros, scales, size = found
    middle = 8 if m["W"].type.dtype == "u8" else 0
    if not _fits(weights - middle, "s4") or not np.array_equal(zeros, zeros[::size].repeat(size, 0)):
        return None
    x, groups = m["x"].type, len(weights) // size
    terms = ((middle - zeros) * scales.astype(np.float64))[::size].astype(scales.dtype)
    shape = {"n": (*x.shape[:-1], groups, size), "k": x.rank, "D": terms}
    return shape | {"V": _grouped((weights - middle).T, size, "s4"), "S": np.ascontiguousarray(scales[::size].T)}


def _scaled_by_groups(m: Match) -> tuple[np.ndarray, np.ndarray, np.ndarray, int] | None:
    """Weights and their zeros in s32, their scales, and how many rows share a scale."""
    weights, scales = m.array("W"), m["T"].array if isinstance(m["T"], ModelValue) else None
    if weights.ndim != 2 or scales is None or scales.shape != weights.shape or not is_narrow(m["W"].type.dtype):
        return None
    size, zeros = _group(scales), known(m["Z"])
    assert zeros is not None
    wide = np.broadcast_to(zeros.astype(np.int32), weights.shape)
    return None if size is None else (weights.astype(np.int32), wide, scales, size)


def _fits(whole: np.ndarray, name: str) -> bool:
    least, most = limits(name)
    return bool(least <= whole.min() and whole.max() <= most)


def _grouped(rows: np.ndarray, size: int, name: str) -> np.ndarray:
    return np.ascontiguousarray(rows.reshape(len(rows), -1, size), dtype(name).numpy)


def _group(scales: np.ndarray) -> int | None:
    """The size of groups of neighbouring rows with equal scales, where there are several groups of one size."""
    changes = np.flatnonzero(np.any(scales[1:] != scales[:-1], axis=1)) + 1
    size = int(np.gcd.reduce([len(scales), *changes.tolist()]))
    return size if 8 <= size < len(scales) else None


def _are_whole(units: np.ndarray) -> bool:
    """Whether numbers are integers, but for the rounding of f32."""
    return bool(np.all(np.abs(units - np.rint(units)) <= 1e-3 + 1e-6 * np.abs(units)))


FLOATS = ("dequantize",)
ROWS = {"a": "u8[2,3,4]", "s": "f32[]", "Z": np.uint8(7), "b": "s8[4,5]", "t": "f32[1,5]", "Y": 0}
OUT = {"u": "f32[]", "V": np.uint8(3), "d": "u8"}
IMAGE = {"x": "u8[1,2,5,5]", "s": np.float32(0.5), "Z": np.uint8(7), "w": "s8[3,2,3,3]", "Y": 0, "r": {"padding": 1}}
SCALES = np.array([0.25, 0.5, 1], np.float32).reshape(3, 1, 1, 1)
BIAS = np.array([0.125, -1, 2], np.float32).reshape(3, 1, 1)
TERMS = np.array([0.5, -1, 2, 0, 4], np.float32)
UNITS = {"s": np.float32(0.5), "t": np.array([[0.25, 0.5, 1, 1, 2]], np.float32), "u": np.float32(1.7)}
NIBBLES = (np.arange(64 * 3).reshape(64, 3) % 16 - 8).astype(np.int8)
GROUPS = np.linspace(0.1, 1.2, 12, dtype=np.float32).reshape(4, 3)

GROUPED = {"x": "f32[2,64]", "T": np.repeat(GROUPS, 16, axis=0)}
ZEROS = np.repeat((np.arange(12).reshape(4, 3) + 3).astype(np.uint8), 16, axis=0)

law = partial(stated, of_floats=False, within="scaled")

RULES = (
    law(
        "a product of integers",
        "quantize(matmul(dequantize(a, s, Z), dequantize(b, t, Y)), u, V, dtype=d)"
        " = qmatmul(a, s, Z, b, t, Y, u, V, dtype=d)",
        ROWS | OUT,
        when=_of_columns,
        shared=FLOATS,
    ),
    law(
        "a convolution of integers",
        "quantize(conv2d(dequantize(x, s, Z), dequantize(w, t, Y), **r), u, V, dtype=d)"
        " = qconv2d(x, s, Z, w, t, Y, u, V, **r)",
        IMAGE | OUT | {"t": SCALES},
        IMAGE | OUT | {"t": "f32[]"},
        when=_of_channels,
        shared=FLOATS,
    ),
    law(
        "a convolution of integers and a bias",
        "quantize(conv2d(dequantize(x, s, Z), dequantize(w, t, Y), **r) + B, u, V, dtype=d)"
        " = qconv2d(x, s, Z, w, t, Y, u, V, BIAS, **r)",
        IMAGE | OUT | {"t": SCALES, "B": BIAS},
        when=_with_bias,
        shared=FLOATS,
    ),
    law(
        "a product with groups of integers of 4 bits, and their zeros",
        "matmul(x, dequantize(W, T, Z)) = group_matmul(x, V, S) + matmul(sum(reshape(x, shape=n), axis=k), D)",
        GROUPED | {"W": (NIBBLES + 8).astype(np.uint8), "Z": ZEROS},
        GROUPED | {"W": NIBBLES, "Z": np.int8(3)},
        when=_in_groups_apart,
    ),
    law(
        "a product with groups of integers",
        "matmul(x, dequantize(W, T, Z)) = group_matmul(x, V, S)",
        GROUPED | {"W": NIBBLES, "Z": 0},
        GROUPED | {"W": NIBBLES * 3, "Z": np.int8(3)},
        when=_in_groups,
    ),
    law(
        "a product of integers and a bias",
        "quantize(matmul(dequantize(a, s, Z), dequantize(W, t, Y)) + B, u, V, dtype=d)"
        " = requantize(matmul(a, W, dtype='s32') + C, f, V, dtype=d)",
        ROWS | OUT | {"W": "s8[4,5]", "B": TERMS, **UNITS},
        ROWS | OUT | {"W": "s8[4,5]", "B": TERMS, **UNITS, "t": np.float32(0.25)},
        ROWS | OUT | {"W": "s8[4,5]", "B": TERMS[0], **UNITS, "t": np.float32(0.25)},
        when=_with_terms,
        shared=FLOATS,
    ),
)


def _weights(m: Match) -> tuple[np.ndarray, np.ndarray] | None:
    """Weights of 8 bits without their zeros, and the zeros that are still to be taken off: 0 where the result fits."""
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
    """The unit of sums of products, one number or one for each scale of the second factor, where the scales are known
    and the first factor has one scale and one zero."""
    scale, scales, zero = m["s"].array, m["t"].array, m.number("Z")
    if scale is None or scales is None or zero is None or scale.size != 1 or not is_narrow(m["x"].type.dtype):
        return None
    return (scale.astype(np.float64).reshape(-1) * scales.reshape(-1)).astype(np.float32)


def _sums_of_windows(m: Match) -> dict[str, Any] | None:
    """A convolution of integers in s32, with known zeros: around x lies its zero."""
    factor, found, rest, zero = _factor(m), _weights(m), m["r"], int(m.number("Z") or 0)
    if factor is None or found is None or rest["dtype"] is not None or found[1].any():
        return None
    weights, channels = found[0], len(found[0])
    if m["t"].type.shape not in ((), (1,), (channels, 1, 1, 1)):
        return None
    given = {key: own for key, own in rest.items() if key not in ("dtype", "layout")} | {"dtype": "s32"}
    x, sides = m["x"], sides_of(rest["padding"])
    if zero and any(map(any, sides)):
        before, after = ((0, 0, *side) for side in zip(*sides))
        x, given = m.site.call("pad", x, before=before, after=after, value=zero), given | {"padding": 0}
    terms = -zero * weights.astype(np.int64).sum((1, 2, 3)).reshape(-1, 1, 1)
    by_channel = factor.reshape(() if factor.size == 1 else (-1, 1, 1))
    return {"y": x, "V": weights, "f": by_channel, "k": given, "C": terms.astype(np.int32)}


def sides_of(padding: Any) -> tuple[tuple[int, int], ...]:
    """Elements before and after along each of two axes."""
    pairs = padding if isinstance(padding, tuple) else (padding, padding)
    return tuple(pair if isinstance(pair, tuple) else (pair, pair) for pair in pairs)


def _sums_of_rows(m: Match) -> dict[str, Any] | None:
    """A product of integers in s32, with known zeros."""
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
    """The sums, where they have no sums of rows to take off, and known terms only if `terms`."""
    if found is None or np.any(found.get("T", 0)) or np.any(found["C"]) != terms:
        return None
    return found


def _with_rows(m: Match) -> dict[str, Any] | None:
    """The sums, where they have sums of rows to take off."""
    found = _sums_of_rows(m)
    return found if found is not None and np.any(found["T"]) else None


FILTERS = (np.arange(54).reshape(3, 2, 3, 3) % 16).astype(np.int8)
COLUMNS = np.array([[0.25, 0.5, 1, 1, 2]], np.float32)
GIVEN = {"s": np.float32(0.5), "Z": np.uint8(7), "Y": 0}
WINDOWS = GIVEN | {"x": "u8[1,2,5,5]", "W": FILTERS, "t": SCALES, "r": {"padding": 1}}
LINES = GIVEN | {"x": "u8[2,3,4]", "W": (np.arange(20).reshape(4, 5) * 13).astype(np.uint8), "t": COLUMNS}
CONVOLUTION, PRODUCT = (
    f"{call}(dequantize(x, s, Z), dequantize(W, t, Y){r})" for call, r in (("conv2d", ", **r"), ("matmul", ""))
)
OF_ROWS = "sum(x, axis=k, keepdims=True, dtype='s32')"

SUMS = (
    law(
        "sums of windows of integers",
        f"{CONVOLUTION} = dequantize(conv2d(y, V, **k), f, 0)",
        WINDOWS | {"Z": 0},
        when=lambda m: _with(_sums_of_windows(m), terms=False),
        shared=FLOATS,
    ),
    law(
        "sums of windows of integers without their zeros",
        f"{CONVOLUTION} = dequantize(conv2d(y, V, **k) + C, f, 0)",
        WINDOWS,
        WINDOWS | {"W": FILTERS.astype(np.uint8) + 120, "Y": np.uint8(130), "r": {"padding": ((1, 0), (0, 2))}},
        when=lambda m: _with(_sums_of_windows(m), terms=True),
        shared=FLOATS,
    ),
    law(
        "sums of products of integers",
        f"{PRODUCT} = dequantize(matmul(x, V, dtype='s32'), f, 0)",
        LINES | {"Z": 0},
        when=lambda m: _with(_sums_of_rows(m), terms=False),
        shared=FLOATS,
    ),
    law(
        "sums of products of integers without their zeros",
        f"{PRODUCT} = dequantize(matmul(x, V, dtype='s32') + C, f, 0)",
        LINES | {"Y": np.uint8(120)},
        when=lambda m: _with(_sums_of_rows(m), terms=True),
        shared=FLOATS,
    ),
    law(
        "sums of products of integers without either zero",
        f"{PRODUCT} = dequantize((matmul(x, V, dtype='s32') + C) - {OF_ROWS} * T, f, 0)",
        LINES | {"Y": np.uint8(10)},
        LINES | {"Y": np.uint8(10), "t": np.float32(0.25), "Z": 0},
        when=_with_rows,
        shared=FLOATS,
    ),
)
