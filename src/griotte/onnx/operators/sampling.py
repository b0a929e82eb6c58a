"""Elements of images at places that are computed: GridSample."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

import numpy as np

from ...readers.kinds import in_f32
from ...readers.moving import place_steps, reshaped, sliced
from ...readers.node import Unsupported
from .declaring import operator


@operator("GridSample")
@in_f32
def grid_sample(node, x, grid):
    """Each place is one of its own along an axis of all; what is taken there is weighed by how near it is."""
    x, grid = node.value(x), node.value(grid)
    sizes = x.type.shape[2:]
    mode = node.attribute("mode", "linear").replace("bilinear", "linear").replace("bicubic", "cubic")
    edge = node.attribute("padding_mode", "zeros")
    if mode == "cubic" and len(sizes) != 2:
        raise Unsupported("cubic samples of other than two axes")
    aligned = node.attribute("align_corners", 0)
    places = [_place(node, grid, a, n, aligned) for a, n in enumerate(sizes)]
    if edge != "zeros" and mode != "cubic":
        places = [_bounded(node, p, n, edge, aligned) for p, n in zip(places, sizes)]
    taps = [_taps(node, p, mode) for p in places]
    total = None
    for chosen in product(*taps):
        part = _taken(node, x, [at for at, _ in chosen], edge, aligned)
        for _, share in chosen:
            part = part if share is None else node.call("mul", part, _wide(node, share))
        total = part if total is None else node.call("add", total, part)
    return total


def _wide(node, t):
    """[n, ..] as [n, 1, ..]."""
    return reshaped(node, t, (t.type.shape[0], 1, *t.type.shape[1:]))


def _place(node, grid, axis: int, size: int, aligned: int):
    """From -1 to 1 as from the first element to the last, or from edge to edge."""
    last = grid.type.rank - 1
    at = grid.type.shape[-1] - 1 - axis  # x comes before y
    one = reshaped(node, sliced(node, grid, {last: (at, at + 1)}), grid.type.shape[:-1])
    moved = node.call("add", one, 1.0)
    if aligned:
        return node.call("mul", moved, (size - 1) / 2)
    return node.call("div", node.call("sub", node.call("mul", moved, float(size)), 1.0), 2.0)


def _bounded(node, place, size: int, edge: str, aligned: int):
    """A place within x: at its border, or as mirrored there."""
    if edge == "reflection":
        low, high = (0.0, size - 1.0) if aligned else (-0.5, size - 0.5)
        span = high - low
        if span == 0:
            return node.call("mul", place, 0.0)
        beyond = node.call("mod", node.call("sub", place, low), 2 * span)
        back = node.call("minimum", beyond, node.call("sub", 2 * span, beyond))
        place = node.call("add", back, low)
        if not aligned:
            place = node.call("minimum", node.call("maximum", place, 0.0), size - 1.0)
        return place
    return node.call("minimum", node.call("maximum", place, 0.0), size - 1.0)


def _taps(node, place, mode: str):
    """Pairs of whole places and their shares along an axis."""
    if mode == "nearest":
        return [(node.call("round", place), None)]
    first = node.call("floor", place)
    part = node.call("sub", place, first)
    if mode == "linear":
        return [(first, node.call("sub", 1.0, part)), (node.call("add", first, 1.0), part)]
    return [
        (node.call("add", first, float(i)), _cubic(node, node.call("abs", node.call("sub", part, float(i))), i))
        for i in (-1, 0, 1, 2)
    ]


def _cubic(node, t, i: int, a: float = -0.75):
    mul, add = (lambda x, y: node.call("mul", x, y)), (lambda x, y: node.call("add", x, y))
    if i in (0, 1):
        return add(mul(mul(add(mul(t, a + 2), -(a + 3)), t), t), 1.0)
    return add(mul(add(mul(add(mul(t, a), -5 * a), t), 8 * a), t), -4 * a)


def _taken(node, x, at, edge: str, aligned: int):
    """x at whole places [n, ..], for all channels; 0 beyond x where there are zeros."""
    n, c, *sizes = x.type.shape
    steps = place_steps(sizes)
    flat: Any = None
    inside: Any = None
    for place, size, step in zip(at, sizes, steps):
        if edge == "zeros":
            own = node.call(
                "logical_and", node.call("greater_equal", place, 0.0), node.call("less_equal", place, size - 1.0)
            )
            inside = own if inside is None else node.call("logical_and", inside, own)
        else:
            place = _bounded(node, place, size, edge, aligned)
        bounded = node.call("minimum", node.call("maximum", place, 0.0), size - 1.0)
        offset = node.call("mul", node.cast(bounded, "s32"), step)
        flat = offset if flat is None else node.call("add", flat, offset)
    first = (np.arange(n * c, dtype=np.int32) * np.int32(prod(sizes))).reshape(n, c, *[1] * (flat.type.rank - 1))
    places = node.call("add", _wide(node, flat), first)
    found = node.call("take", reshaped(node, x, (x.type.elements,)), places)
    return found if inside is None else node.call("where", _wide(node, inside), found, node.number(0, x))
