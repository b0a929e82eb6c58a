"""Moves, and maps that keep an order, are done to integers in place of the floats that they stand for."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...lang.types.dtypes import limits
from ...lang.types.tensor import tensor
from ..graph import GraphBuilder, ModelValue
from .law import exactly
from .law import law as stated
from .pattern import Match
from .rule import ALWAYS, Rule, Site, attributes_of, known


def _at_the_end(m: Match) -> bool:
    """Whether 0 is the least number of the dtype, so that lesser ones become 0 anyway."""
    return m.number("Z") == limits(m.site.value.type.dtype)[0]


def _transposed(m: Match) -> dict[str, Any] | None:
    """Scales and zeros, transposed as the integers are."""
    found = {"t": m["T"], "V": m["Z"]}
    for name, given in (("t", m["T"]), ("V", m["Z"])):
        array = known(given)
        assert array is not None
        if array.size > 1:
            if array.ndim != m["x"].type.rank:
                return None
            found[name] = array.transpose(m["p"])
    return found


def _is_positive(m: Match) -> bool:
    """Whether integers have the order of the floats that they stand for."""
    scale = m.number("S")
    return scale is not None and scale > 0 and m.number("Z") is not None


def _is_one(m: Match) -> bool:
    return m["s"].type.elements == 1 and m.number("Z") is not None


def clipped(site: Site) -> ModelValue | None:
    """Quantised and then clipped, in place of clipped and then quantised: rounding keeps the order."""
    x, scale, zero = site.value.reads
    inner, one, number = x, known(scale), known(zero)
    if not isinstance(inner, ModelValue) or inner.call not in ("relu", "clip") or not site.is_read_once(inner):
        return None
    if one is None or number is None or one.size != 1 or number.size != 1 or not float(one.reshape(())) > 0:
        return None
    given = {"low": 0.0, "high": None} if inner.call == "relu" else attributes_of(inner)
    found = site.call("quantize", *inner.values, scale, zero, **dict(site.value.attributes))
    least, most = limits(site.value.type.dtype)
    for call, bound, end in (("maximum", given["low"], least), ("minimum", given["high"], most)):
        if bound is not None and np.isfinite(bound):
            steps = np.rint(np.float32(bound) / np.float32(one.reshape(()))) + float(number.reshape(()))
            place = int(np.clip(steps, least, most))
            found = found if place == end else site.call(call, found, place)
    return found


def side_by_side(site: Site) -> ModelValue | None:
    """A concat of dequantised arrays with one scale and one zero, as one dequantised concat."""
    values = site.value.values
    if any(each.call != "dequantize" for each in values):
        return None
    (_, scale, zero), *others = (each.reads for each in values)
    number = known(zero)
    if not isinstance(scale, ModelValue) or scale.type.elements > 1 or number is None or number.size > 1:
        return None
    if any(s is not scale or z is not zero and z != zero for _, s, z in others):
        return None
    if len({(each.values[0].type.dtype, each.attributes) for each in values}) > 1:
        return None
    whole = site.call("concat", *(each.values[0] for each in values), **dict(site.value.attributes))
    return site.call("dequantize", whole, scale, zero, **dict(values[0].attributes))


def _quantised(builder: GraphBuilder, call: str, **given: Any) -> ModelValue:
    """A map of floats, quantised."""
    x = builder.call(call, builder.input(tensor((2, 3)), "x"), **given)
    return builder.call("quantize", x, builder.constant(np.float32(0.1)), 3, dtype="s8")


def _joined(builder: GraphBuilder) -> ModelValue:
    scale = builder.constant(np.float32(0.1))
    parts = (builder.input(tensor((2, n), "u8"), f"x{n}") for n in (3, 4))
    return builder.call("concat", *(builder.call("dequantize", part, scale, 7) for part in parts), axis=1)


X = {"x": "u8[2,6]", "s": "f32[]", "Z": np.uint8(7)}

law = partial(stated, of_floats=False, within="scaled")

RULES = (
    law(
        "quantise what is below 0 as 0",
        "quantize(relu(x), s, Z, dtype=d) = quantize(x, s, Z, dtype=d)",
        {"x": "f32[2,3]", "s": "f32[]", "Z": 0, "d": "u8"},
        when=_at_the_end,
    ),
    law("quantise what was", "quantize(dequantize(x, s, Z), s, Z, dtype=d) = x", X | {"d": "u8"}, when=_is_one),
    *(
        exactly(name, f"{call}(dequantize(x, s, Z), **r) = dequantize({call}(x, **r), s, Z)", X | r, when=_is_one)
        for name, call, r in (
            ("reshape integers", "reshape", {"r": {"shape": (3, 4)}}),
            ("take a part of integers", "slice", {"r": {"starts": (0, 1), "limits": (2, 4)}}),
        )
    ),
    law(
        "integers within a border",
        "pad(dequantize(x, s, Z), before=a, after=b) = dequantize(pad(x, before=a, after=b, value=z), s, Z)",
        X | {"a": (0, 1), "b": (2, 0)},
        when=lambda m: {"z": int(m.number("Z") or 0)} if _is_one(m) else None,
    ),
    Rule(
        "integers side by side",
        "concat(dequantize(x, s, Z), dequantize(y, s, Z)) = dequantize(concat(x, y), s, Z)",
        side_by_side,
        (_joined,),
        ("concat",),
        within=ALWAYS,
    ),
    law(
        "integers none of which stands for less than 0",
        "relu(dequantize(x, S, Z)) = dequantize(x, S, Z)",
        X | {"S": "f32[]", "Z": 0},
        when=lambda m: _is_positive(m) and m.number("Z") == limits(m["x"].type.dtype)[0],
    ),
    law(
        "integers that stand for what is below 0",
        "relu(dequantize(x, S, Z)) = dequantize(maximum(x, z), S, Z)",
        X | {"S": "f32[]"},
        when=lambda m: {"z": int(m.number("Z") or 0)} if _is_positive(m) else None,
    ),
    Rule(
        "clip integers",
        "quantize(clip(x, low, high), s, Z) = minimum(maximum(quantize(x, s, Z), l), h)",
        clipped,
        (
            partial(_quantised, call="relu"),
            partial(_quantised, call="clip", low=-1.0, high=0.9),
            partial(_quantised, call="clip", high=0.4),
        ),
        ("quantize",),
        within="scaled",
    ),
    exactly(
        "transpose integers",
        "transpose(dequantize(x, T, Z), perm=p) = dequantize(transpose(x, perm=p), t, V)",
        X | {"p": (1, 0), "T": "f32[2,1]"},
        X | {"p": (1, 0), "T": "f32[]"},
        when=_transposed,
    ),
    law(
        "the largest of integers",
        "max_pool2d(dequantize(x, S, Z), **r) = dequantize(max_pool2d(x, **r), S, Z)",
        {"x": "u8[1,2,6,6]", "S": "f32[]", "Z": np.uint8(7), "r": {"padding": 1, "window": 3}},
        when=_is_positive,
    ),
)
