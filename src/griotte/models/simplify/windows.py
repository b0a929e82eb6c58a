"""Windows: pads around an image become theirs, and a window over a whole image is a reduction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...lang.constructors.resizing import is_halved
from ...lang.constructors.transposed import TransposedWindows, apart, windows_of
from ...lang.constructors.windows import pair, sides
from ...lang.meaning.reference import interpret
from ...lang.types.tensor import tensor
from ..graph import GraphBuilder, ModelValue
from .law import law, strictly
from .pattern import Match
from .rule import ALWAYS, Rule, Site


def _wider(m: Match) -> dict[str, Any] | None:
    """The padding of a window and of the image that it reads, together."""
    before, after, given = m["a"], m["b"], sides("conv2d", m["p"])
    ends = tuple(zip(before, after))
    if len(ends) != 4 or any(ends[0]) or any(ends[1]) or min(*before, *after) < 0:
        return None
    return {"q": tuple((ours + own[0], theirs + own[1]) for own, (ours, theirs) in zip(given, ends[2:]))}


def _counted(m: Match) -> dict[str, Any] | None:
    """The same for a mean that counts the padding."""
    given = m["r"]
    return None if not given["count_pad"] else _wider(m)


def _lowest(m: Match) -> dict[str, Any] | None:
    """The same for pads of -infinity."""
    return _wider(m) if m["v"] == -np.inf else None


def _is_all(m: Match) -> bool:
    """Whether a window is as large as the image."""
    is_inside = not np.any(sides("avg_pool2d", m["p"]))
    return is_inside and pair("avg_pool2d", "window", m["w"], 1) == m["x"].type.shape[2:]


def _is_halved(m: Match) -> bool:
    """Whether images are resized to half their height and width, midway between elements."""
    return m["m"] == "linear" and is_halved(m["x"].type, m["z"], m["c"], scales=m["s"])


def _reached(m: Match) -> dict[str, Any] | None:
    """The part of a window that meets the image somewhere, and its padding."""
    attributes = m["r"]
    stride = pair("conv2d", "stride", attributes.get("stride", 1), 1)
    dilation = pair("conv2d", "dilation", attributes.get("dilation", 1), 1)
    weights, padding = m.array("W"), []
    if not np.all(np.isfinite(np.asarray(weights, np.float64))):  # 0 times infinity is NaN
        return None
    for axis, (before, _) in enumerate(sides("conv2d", m["p"]), 2):
        size, count = m["x"].type.shape[axis], m.site.value.type.shape[axis]
        step, apart = stride[axis - 2], dilation[axis - 2]
        places = np.arange(count)[:, None] * step + np.arange(weights.shape[axis]) * apart - before
        reached = np.flatnonzero(np.any((places >= 0) & (places < size), axis=0))
        if not reached.size:
            return None
        first = min(int(reached[0]), before // apart)
        weights = weights.take(range(first, int(reached[-1]) + 1), axis)
        before -= first * apart
        after = (count - 1) * step + (weights.shape[axis] - 1) * apart + 1 - size - before
        if after < 0:
            return None
        padding.append((before, after))
    return None if weights.shape == m.array("W").shape else {"q": tuple(padding), "V": weights}


def _turn(site: Site) -> ModelValue | None:
    """A transposed convolution whose known windows are turned once, and not at each call."""
    x, w, *rest = site.value.reads
    given = dict(site.value.attributes)
    if not isinstance(w, ModelValue) or w.array is None or rest or "window" in given:
        return None
    turned = windows_of(w.type, *(given.get(key, 1) for key in ("stride", "dilation", "groups")))
    return site.attempt(
        "conv_transpose2d", x, site.constant(interpret(turned, w.array)), **given, window=w.type.shape[2:]
    )


def _part(site: Site) -> ModelValue | None:
    """A transposed convolution of known windows as a convolution and a copy, which may be a part of its own."""
    x, w, *rest = site.value.reads
    given = dict(site.value.attributes)
    if not isinstance(w, ModelValue) or w.array is None or rest or {"window", "dtype"} & set(given):
        return None
    found = apart(site.value.values[0].type, w.type, TransposedWindows(**given))
    if found is None:
        return None
    windows = site.constant(interpret(found.windows, w.array))
    made = site.call("conv2d", x, windows, padding=found.padding, groups=given.get("groups", 1))
    (n, channels, h, v), (s, t) = made.type.shape, found.stride
    made = site.call("reshape", made, shape=(n, channels // (s * t), s, t, h, v))
    made = site.call("transpose", made, perm=(0, 1, 4, 2, 5, 3))
    whole = n, channels // (s * t), h * s, v * t
    (top, left), (bottom, right) = found.starts, found.limits
    if (top, left, bottom, right) == (0, 0, *whole[2:]):
        return site.attempt("reshape", made, shape=whole)
    made = site.call("reshape", made, shape=whole)
    return site.attempt("slice", made, starts=(0, 0, top, left), limits=(*whole[:2], bottom, right))


def _transposed(stride: int, side: int, **attributes: Any) -> Callable[[GraphBuilder], ModelValue]:
    windows = np.arange(2 * 3 * side * side, dtype=np.float32).reshape(2, 3, side, side) / 9 - 2
    return lambda b: b.call(
        "conv_transpose2d", b.input(tensor((1, 2, 4, 5)), "x"), b.constant(windows), stride=stride, **attributes
    )


PADDED = {"x": "f32[1,2,5,6]", "a": (0, 0, 1, 0), "b": (0, 0, 1, 2), "p": 0, "r": {}}
ALL = {"x": "f32[1,2,5,6]", "w": (5, 6), "t": 1, "p": 0}

RULES = (
    strictly(
        "pad as a convolution does",
        "conv2d(pad(x, before=a, after=b), w, padding=p, **r) = conv2d(x, w, padding=q, **r)",
        PADDED | {"w": "f32[3,2,3,3]", "p": ((0, 1), (1, 0))},
        when=_wider,
    ),
    strictly(
        "what is beyond the image wherever a window lies",
        "conv2d(x, W, padding=p, **r) = conv2d(x, V, padding=q, **r)",
        {"x": "f32[1,2,2,7]", "W": "f32[3,2,5,5]", "p": 2, "r": {}},
        {"x": "f32[2,4,1,3]", "W": "f32[4,1,5,3]", "p": ((2, 2), (2, 1)), "r": {"groups": 4, "stride": (2, 1)}},
        {"x": "f32[1,2,3,2]", "W": "f32[3,2,3,4]", "p": ((2, 1), (3, 3)), "r": {"dilation": (1, 2)}},
        when=_reached,
    ),
    strictly(
        "pad as a mean of a window does",
        "avg_pool2d(pad(x, before=a, after=b), window=w, padding=p, **r) = avg_pool2d(x, window=w, padding=q, **r)",
        PADDED | {"w": 3},
        when=_counted,
    ),
    strictly(
        "pad as a mean of a window does that counts nothing beyond",
        "avg_pool2d(pad(x, before=a, after=b), window=w, padding=0, count_pad=False, **r)"
        " = avg_pool2d(x, window=w, padding=q, **r)",
        {key: own for key, own in PADDED.items() if key != "p"} | {"w": 3},
        when=lambda m: _wider(m.bound("p", 0) or m),
    ),
    strictly(
        "pad as the largest of a window does",
        "max_pool2d(pad(x, before=a, after=b, value=v), window=w, padding=p, **r)"
        " = max_pool2d(x, window=w, padding=q, **r)",
        PADDED | {"w": 3, "v": -np.inf},
        when=_lowest,
    ),
    law(
        "midway between four",
        "resize(x, size=z, mode=m, coordinates=c, scales=s) = avg_pool2d(x, window=2, stride=2)",
        {"x": "f32[1,2,6,8]", "z": (3, 4), "m": "linear", "c": "half_pixel", "s": None},
        {"x": "f32[2,1,2,4]", "z": (1, 2), "m": "linear", "c": "half_pixel", "s": (0.5, 0.5)},
        when=_is_halved,
    ),
    strictly(
        "a mean of all",
        "avg_pool2d(x, window=w, stride=t, padding=p) = mean(x, axis=(2, 3), keepdims=True)",
        ALL,
        when=_is_all,
    ),
    strictly(
        "the largest of all",
        "max_pool2d(x, window=w, stride=t, padding=p) = max(x, axis=(2, 3), keepdims=True)",
        ALL,
        when=_is_all,
    ),
)

LAST = (
    Rule(
        "a transposed convolution as a convolution and a copy",
        "conv_transpose2d(x, constant) = slice(reshape(transpose(reshape(conv2d(x, other constant)))))",
        _part,
        (
            _transposed(2, 3, padding=1, output_padding=1),
            _transposed(2, 4, padding=1),
            _transposed(3, 5, padding=((2, 1), (4, 3)), output_padding=(2, 1)),
            _transposed(2, 3, padding=2, dilation=2),
            _transposed(2, 3),
        ),
        ("conv_transpose2d",),
        within="finite",
    ),
    Rule(
        "turn the windows of a transposed convolution once",
        "conv_transpose2d(x, constant) = conv_transpose2d(x, turned constant, window=w)",
        _turn,
        (_transposed(2, 2), _transposed(1, 3, dilation=2)),
        ("conv_transpose2d",),
        within=ALWAYS,
    ),
)
"""After the laws that scale windows, for these look at windows as they are stated."""
