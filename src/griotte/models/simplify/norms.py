"""Norms and softmax that are written by hand, and the gains and biases that follow them."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...lang.types.dtypes import dtype
from ..graph import ModelValue
from .law import law
from .magnitudes import is_moderate, is_wide, product
from .pattern import Match
from .rule import shortest

CENTRED = "(x - mean(x, axis=-1, keepdims=True))"
SHIFTED = "(x - max(x, axis=a, keepdims=True))"
EXPS = f"exp({SHIFTED})"
SUM = f"sum({EXPS}, axis=a, keepdims=True)"


def _unit(m: Match) -> dict[str, Any] | None:
    """Epsilon, and a gain and a bias that do nothing. An exporter may have rounded epsilon to nothing."""
    epsilon, x = m.number("E") if "E" in m.holes else 0.0, m["x"].type
    if epsilon is None or not 0 <= epsilon < 1:
        return None
    one = np.ones(x.shape[-1:], dtype(x.dtype).numpy)
    return {"e": shortest(epsilon, x.dtype), "ONE": one, "ZERO": 0 * one}


def _row(m: Match, name: str) -> np.ndarray | None:
    """A constant that is the same for all rows of x, as one row."""
    given = m.array(name)
    if given.size != (given.shape[-1] if given.ndim else 1) or given.size not in (1, m["x"].type.shape[-1]):
        return None
    return given.reshape(-1).astype(np.float64)


def _by_hand(m: Match) -> dict[str, Any] | None:
    """Epsilon and gain: known, an operand, or none."""
    found = _unit(m)
    if found is None:
        return None
    if "s" in m.holes:
        gain = _given(m, "s")
        return None if gain is None else found | {"h": gain}
    factor = _row(m, "S") if "S" in m.holes else 1.0
    return None if factor is None else found | {"h": (factor * found["ONE"]).astype(found["ONE"].dtype)}


def _line(m: Match) -> dict[str, Any] | None:
    """A gain and a bias."""
    found, term = _by_hand(m), _row(m, "B")
    return None if found is None or term is None else found | {"C": (term + found["ZERO"]).astype(found["ZERO"].dtype)}


def _scaled(m: Match) -> dict[str, Any] | None:
    """Gain and bias times a factor."""
    factor, gain, bias = _row(m, "S"), m.array("G"), m.array("B") if "B" in m.holes else np.zeros(1)
    if factor is None or not is_moderate(factor, m.dtype):
        return None
    scaled, moved = (product(np.asarray(each, np.float64), factor, m.dtype) for each in (gain, bias))
    is_rounded = not is_wide(m.dtype) and np.any(bias)  # as it is not where the two cancel
    return None if is_rounded or scaled is None or moved is None else {"H": scaled, "C": moved}


def _moved(m: Match) -> dict[str, Any] | None:
    """A known term as the bias of a norm without one."""
    term, bias = _row(m, "T"), m.array("B")
    return None if term is None or np.any(bias) else {"C": (term + bias).astype(bias.dtype)}


def _given(m: Match, name: str) -> ModelValue | None:
    """An operand that is the same for all rows of x, as one row. Beside a single row a computed operand is none, for it
    may be anything."""
    value, n = m[name], m["x"].type.shape[-1:]
    if dtype(value.type.dtype).kind != "float" or value.type.shape[-1:] != n or value.type.elements != prod(n):
        return None
    if m["x"].type.elements == prod(n) and value.call not in ("", "reshape"):
        return None
    return value if value.type.shape == n else m.site.call("reshape", value, shape=n)


def _first_gain(m: Match) -> dict[str, Any] | None:
    """An operand as the gain of a norm without gain and bias."""
    if np.any(m.array("G") != 1) or "B" in m.holes and np.any(m.array("B") != 0):
        return None
    return None if (gain := _given(m, "s")) is None else {"h": gain}


def _first_bias(m: Match) -> dict[str, Any] | None:
    """An operand as the bias of a norm without one."""
    return None if np.any(m.array("B") != 0) or (bias := _given(m, "t")) is None else {"c": bias}


X = {"x": "f32[2,3,8]"}
PLAIN = X | {"G": np.ones(8, np.float32), "B": np.zeros(8, np.float32), "r": {"epsilon": 1e-5}}
NORM = PLAIN | {"G": "f32[8]", "B": "f32[8]"}
MEAN = "mean(x, axis=-1, keepdims=True)"
SQUARES = "mean(x * x, axis=-1, keepdims=True)"
VARIANCE = f"mean({CENTRED} * {CENTRED}, axis=-1, keepdims=True)"
VARIANCES = f"{VARIANCE} | {SQUARES} - {MEAN} * {MEAN} | relu({SQUARES} - {MEAN} * {MEAN})"
ROOT = f"rsqrt(({VARIANCES}) + E | {VARIANCE})"
SCALE = f"rsqrt({SQUARES} + E | {SQUARES})"
BY_HAND = X | {"E": 1e-5, "S": "f32[8]", "B": "f32[8]"}
SOFTMAX = {"x": "f32[2,3,4]", "a": (1,)}

RULES = (
    law(
        "layer norm by hand",
        f"{CENTRED} * {ROOT} | {CENTRED} * {ROOT} * (S | s) = layer_norm(x, h, ZERO, epsilon=e)",
        BY_HAND | {"s": "f32[1,1,8]"},
        when=_by_hand,
        within="normal",
    ),
    law(
        "layer norm by hand, as a line",
        f"x * ({ROOT} * S) + (B - {MEAN} * ({ROOT} * S)) = layer_norm(x, h, C, epsilon=e)",
        BY_HAND,
        when=_line,
        within="normal",
    ),
    law(
        "RMS norm by hand",
        f"x * {SCALE} | x * {SCALE} * (S | s) = rms_norm(x, h, epsilon=e)",
        BY_HAND | {"s": "f32[1,8]"},
        when=_by_hand,
        within="normal",
    ),
    law(
        "a gain that is given to a layer norm",
        "layer_norm(x, G, B, **r) * s = layer_norm(x, h, B, **r)",
        PLAIN | {"s": "f32[8]"},
        PLAIN | {"s": "f32[1,8]"},
        when=_first_gain,
    ),
    law(
        "a bias that is given to a layer norm",
        "layer_norm(x, g, B, **r) + t = layer_norm(x, g, c, **r)",
        PLAIN | {"g": "f32[8]", "t": "f32[1,8]"},
        when=_first_bias,
    ),
    law(
        "a gain that is given to an RMS norm",
        "rms_norm(x, G, **r) * s = rms_norm(x, h, **r)",
        PLAIN | {"s": "f32[8]"},
        when=_first_gain,
    ),
    law(
        "a layer norm's gain",
        "layer_norm(x, G, B, **r) * S = layer_norm(x, H, C, **r)",
        *(NORM | {"S": own} for own in ("f32[8]", "f32[1,8]", 0.5)),
        when=_scaled,
    ),
    law(
        "a layer norm's bias",
        "layer_norm(x, G, B, **r) + T = layer_norm(x, G, C, **r)",
        PLAIN | {"G": "f32[8]", "T": "f32[1,1,8]"},
        when=_moved,
    ),
    law("an RMS norm's gain", "rms_norm(x, G, **r) * S = rms_norm(x, H, **r)", NORM | {"S": "f32[8]"}, when=_scaled),
    law(
        "softmax by hand",
        f"{EXPS} / {SUM} | {EXPS} * reciprocal({SUM}) = softmax(x, axis=a)",
        SOFTMAX,
        SOFTMAX | {"a": (1, 2)},
        when=lambda m: is_wide(m.dtype),  # of 16 bits what is rounded on the way shows
    ),
    law(
        "log_softmax by hand",
        f"{SHIFTED} - log(sum(exp({SHIFTED}), axis=a, keepdims=True)) = log_softmax(x, axis=a)",
        SOFTMAX | {"a": (2,)},
        when=lambda m: is_wide(m.dtype),  # of 16 bits what is rounded on the way shows
    ),
)
