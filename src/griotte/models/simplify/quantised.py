"""Products of integers that stand for floats, which exporters write between dequantize and quantize.

Where what is quantised lies half-way between two integers, either may come of it: sums of integers are exact, those of
the floats that they stand for are rounded.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ir.dtypes import dtype, limits
from .pattern import Match, law, laws


def _at_the_end(m: Match) -> bool:
    """Whether 0 is the least number that there is, so that what is less becomes it anyway."""
    return m.number("Z") == limits(m.site.value.type.dtype)[0]


def _of_columns(m: Match) -> dict[str, Any] | None:
    """A product whose second factor has one scale, or one for each column."""
    scale, zero, b = m["t"].type, np.asarray(m.array("Y")), m["b"].type
    narrow = all(_is_narrow(m[name].type.dtype) for name in "ab")
    by_column = all(shape in ((), (1,), (b.shape[-1],), (1, b.shape[-1])) for shape in (scale.shape, zero.shape))
    is_one = m["s"].type.elements == 1 == m["u"].type.elements
    return {"d": m.site.value.type.dtype} if narrow and by_column and is_one else None


def _is_narrow(name: str) -> bool:
    return dtype(name).kind in ("signed", "unsigned") and dtype(name).bits <= 8


def _of_channels(m: Match) -> dict[str, Any] | None:
    """A convolution whose weights have one scale, or one for each channel, and of which the zeros are numbers."""
    w, scale, rest = m["w"].type, m["t"].type, m["r"]
    zeros = [m.number(name) for name in "ZYV"]
    if not all(_is_narrow(m[name].type.dtype) for name in "xw") or None in zeros or rest["dtype"] is not None:
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
    whole = np.rint(units)
    if not np.all(np.abs(units - whole) <= 1e-3 + 1e-6 * np.abs(units)) or np.abs(whole).max() >= 2**31:
        return None
    return found | {"BIAS": whole.astype(np.int32)}


def _is_one(m: Match) -> bool:
    return m["s"].type.elements == 1 and m.number("Z") is not None


ROWS = {"a": "u8[2,3,4]", "s": "f32[]", "Z": np.uint8(7), "b": "s8[4,5]", "t": "f32[1,5]", "Y": 0}
OUT = {"u": "f32[]", "V": np.uint8(3), "d": "u8"}
IMAGE = {"x": "u8[1,2,5,5]", "s": np.float32(0.5), "Z": np.uint8(7), "w": "s8[3,2,3,3]", "Y": 0, "r": {"padding": 1}}
SCALES = np.array([0.25, 0.5, 1], np.float32).reshape(3, 1, 1, 1)
BIAS = np.array([0.125, -1, 2], np.float32).reshape(3, 1, 1)
X = {"x": "u8[2,6]", "s": "f32[]", "Z": np.uint8(7)}

RULES = (
    law(
        "quantise what is below 0 as 0",
        "quantize(relu(x), s, Z, dtype=d) = quantize(x, s, Z, dtype=d)",
        {"x": "f32[2,3]", "s": "f32[]", "Z": 0, "d": "u8"},
        when=_at_the_end,
        of_floats=False,
    ),
    *laws(
        "a product of integers",
        ("quantize(matmul(dequantize(a, s, Z), dequantize(b, t, Y)), u, V, dtype=d)",),
        "qmatmul(a, s, Z, b, t, Y, u, V, dtype=d)",
        ROWS | OUT,
        when=_of_columns,
        of_floats=False,
    ),
    law(
        "a convolution of integers",
        "quantize(conv2d(dequantize(x, s, Z), dequantize(w, t, Y), **r), u, V, dtype=d)"
        " = qconv2d(x, s, Z, w, t, Y, u, V, **r)",
        IMAGE | OUT | {"t": SCALES},
        IMAGE | OUT | {"t": "f32[]"},
        when=_of_channels,
        of_floats=False,
    ),
    law(
        "a convolution of integers and a bias",
        "quantize(conv2d(dequantize(x, s, Z), dequantize(w, t, Y), **r) + B, u, V, dtype=d)"
        " = qconv2d(x, s, Z, w, t, Y, u, V, BIAS, **r)",
        IMAGE | OUT | {"t": SCALES, "B": BIAS},
        when=_with_bias,
        of_floats=False,
    ),
    law(
        "quantise what was",
        "quantize(dequantize(x, s, Z), s, Z, dtype=d) = x",
        X | {"d": "u8"},
        when=_is_one,
        of_floats=False,
    ),
    law(
        "reshape integers",
        "reshape(dequantize(x, s, Z), shape=k) = dequantize(reshape(x, shape=k), s, Z)",
        X | {"k": (3, 4)},
        when=_is_one,
    ),
    law(
        "transpose integers",
        "transpose(dequantize(x, s, Z), perm=p) = dequantize(transpose(x, perm=p), s, Z)",
        X | {"p": (1, 0)},
        when=_is_one,
    ),
)
