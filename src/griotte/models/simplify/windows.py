"""What is read through windows: what lies around a tensor belongs to them, and one that is all of it is a reduction."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ir.windows import pair, sides
from .pattern import Match, law, laws


def _wider(m: Match) -> dict[str, Any] | None:
    """Pads of a window and of what it reads, together."""
    before, after, given = m["a"], m["b"], sides("conv2d", m["p"])
    ends = tuple(zip(before, after))
    if len(ends) != 4 or any(ends[0]) or any(ends[1]) or min(*before, *after) < 0:
        return None
    return {"q": tuple((ours + own[0], theirs + own[1]) for own, (ours, theirs) in zip(given, ends[2:]))}


def _lowest(m: Match) -> dict[str, Any] | None:
    """The same of pads that are less than all that is there."""
    return _wider(m) if m["v"] == -np.inf else None


def _is_all(m: Match) -> bool:
    """Whether a window is as large as what it reads."""
    is_inside = not np.any(sides("avg_pool2d", m["p"]))
    return is_inside and pair("avg_pool2d", "window", m["w"], 1) == m["x"].type.shape[2:]


PADDED = {"x": "f32[1,2,5,6]", "a": (0, 0, 1, 0), "b": (0, 0, 1, 2), "p": 0, "r": {}}
ALL = {"x": "f32[1,2,5,6]", "w": (5, 6), "t": 1, "p": 0}

RULES = (
    *laws(
        "pad as a convolution does",
        ("conv2d(pad(x, before=a, after=b), w, padding=p, **r)",),
        "conv2d(x, w, padding=q, **r)",
        PADDED | {"w": "f32[3,2,3,3]", "p": ((0, 1), (1, 0))},
        when=_wider,
    ),
    law(
        "pad as a mean of a window does",
        "avg_pool2d(pad(x, before=a, after=b), window=w, padding=p, **r) = avg_pool2d(x, window=w, padding=q, **r)",
        PADDED | {"w": 3},
        when=_wider,
    ),
    law(
        "pad as the largest of a window does",
        "max_pool2d(pad(x, before=a, after=b, value=v), window=w, padding=p, **r)"
        " = max_pool2d(x, window=w, padding=q, **r)",
        PADDED | {"w": 3, "v": -np.inf},
        when=_lowest,
    ),
    law(
        "a mean of all",
        "avg_pool2d(x, window=w, stride=t, padding=p) = mean(x, axis=(2, 3), keepdims=True)",
        ALL,
        when=_is_all,
    ),
    law(
        "the largest of all",
        "max_pool2d(x, window=w, stride=t, padding=p) = max(x, axis=(2, 3), keepdims=True)",
        ALL,
        when=_is_all,
    ),
)
