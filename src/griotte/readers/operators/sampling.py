"""Elements of images at places that are computed."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

import numpy as np

from .array import Array, floor, maximum, minimum, round_, sliced, where
from .calls import Unsupported
from .kinds import in_f32
from .moving import place_steps


@in_f32
def grid_sample(x: Array, grid: Array, mode: str = "linear", edge: str = "zeros", aligned: bool = False) -> Array:
    """x [n, c, ..] at places from -1 to 1 along the last axis of a grid, of which those of the last axis come first, by
    what is nearest there, or by linear or cubic weights; beyond x there are zeros, its border, or its reflection."""
    sizes = x.shape[2:]
    if mode == "cubic" and len(sizes) != 2:
        raise Unsupported("cubic samples of other than two axes")
    places = [_place(grid, a, n, aligned) for a, n in enumerate(sizes)]
    if edge != "zeros" and mode != "cubic":
        places = [_bounded(p, n, edge, aligned) for p, n in zip(places, sizes)]
    taps = [_taps(p, mode) for p in places]
    total: Any = None
    for chosen in product(*taps):
        part = _taken(x, [at for at, _ in chosen], edge, aligned)
        for _, share in chosen:
            part = part if share is None else part * _wide(share)
        total = part if total is None else total + part
    return total


def _wide(t):
    """[n, ..] as [n, 1, ..]."""
    return t.reshape((t.shape[0], 1, *t.shape[1:]))


def _place(grid, axis: int, size: int, aligned: bool):
    """From -1 to 1 as from the first element to the last, or from edge to edge."""
    last = grid.ndim - 1
    at = grid.shape[-1] - 1 - axis  # x comes before y
    one = sliced(grid, {last: (at, at + 1)}).reshape(grid.shape[:-1])
    moved = one + 1.0
    if aligned:
        return moved * ((size - 1) / 2)
    return (moved * float(size) - 1.0) / 2.0


def _bounded(place, size: int, edge: str, aligned: bool):
    """A place within x: at its border, or as mirrored there."""
    if edge == "reflection":
        low, high = (0.0, size - 1.0) if aligned else (-0.5, size - 0.5)
        span = high - low
        if span == 0:
            return place * 0.0
        beyond = (place - low) % (2 * span)
        back = minimum(beyond, 2 * span - beyond)
        place = back + low
        if not aligned:
            place = minimum(maximum(place, 0.0), size - 1.0)
        return place
    return minimum(maximum(place, 0.0), size - 1.0)


def _taps(place, mode: str):
    """Pairs of whole places and their shares along an axis."""
    if mode == "nearest":
        return [(round_(place), None)]
    first = floor(place)
    part = place - first
    if mode == "linear":
        return [(first, 1.0 - part), (first + 1.0, part)]
    return [(first + float(i), _cubic(abs(part - float(i)), i)) for i in (-1, 0, 1, 2)]


def _cubic(t, i: int, a: float = -0.75):
    mul, add = (lambda x, y: x * y), (lambda x, y: x + y)
    if i in (0, 1):
        return add(mul(mul(add(mul(t, a + 2), -(a + 3)), t), t), 1.0)
    return add(mul(add(mul(add(mul(t, a), -5 * a), t), 8 * a), t), -4 * a)


def _taken(x, at, edge: str, aligned: bool):
    """x at whole places [n, ..], for all channels; 0 beyond x where there are zeros."""
    n, c, *sizes = x.shape
    steps = place_steps(sizes)
    flat: Any = None
    inside: Any = None
    for place, size, step in zip(at, sizes, steps):
        if edge == "zeros":
            own = (place >= 0.0) & (place <= size - 1.0)
            inside = own if inside is None else inside & own
        else:
            place = _bounded(place, size, edge, aligned)
        bounded = minimum(maximum(place, 0.0), size - 1.0)
        offset = bounded.astype("s32") * step
        flat = offset if flat is None else flat + offset
    first = (np.arange(n * c, dtype=np.int32) * np.int32(prod(sizes))).reshape(n, c, *[1] * (flat.ndim - 1))
    places = _wide(flat) + first
    found = x.reshape((x.size,)).take(places, 0)
    return found if inside is None else where(_wide(inside), found, x.number(0))
