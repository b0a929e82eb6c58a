"""Arrays of another size: along one axis after the other, of known places and weights; and elements of images at places
that are computed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import isfinite, prod
from typing import Any

import numpy as np

from ...lang.constructors.resizing import FINEST
from .array import Array, call, floor, kind, maximum, minimum, round_, sliced, where
from .calls import Unsupported
from .kinds import in_f32
from .moving import along, picked, place_steps
from .products import weighed

HALF = Fraction(1, 2)
COORDINATES = ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel")
ROUNDED: dict[str, Callable[[Fraction], int]] = {
    "round_prefer_floor": lambda at: math.ceil(at - HALF),
    "round_prefer_ceil": lambda at: math.floor(at + HALF),
    "floor": math.floor,
    "ceil": math.ceil,
}


@dataclass(frozen=True)
class Interpolation:
    """How elements of a result follow from those of x.

    Attributes:
        mode: nearest, linear or cubic.
        coordinates: where elements of the result lie in x, by name.
        rounding: which element is the nearest, by name.
        cubic: the coefficient of cubic weights.
        antialias: whether filters are as much wider as the result is smaller.
        exclude_outside: whether places beyond x have no weight.
        regions: the part of x, from 0 to 1, of an axis.
        beyond: the number beyond x, of axes that have regions.
    """

    mode: str = "nearest"
    coordinates: str = "half_pixel"
    rounding: str = "round_prefer_floor"
    cubic: float = -0.75
    antialias: bool = False
    exclude_outside: bool = False
    regions: Mapping[int, tuple[float, float]] | None = field(default=None)
    beyond: float = 0.0


def ratio(scale: float) -> Fraction:
    """The ratio that a scale stands for. It is the ratio of small numbers whose f32 is the scale, if there is one, so
    that 5/3 of 3 is 5. Else it is the scale as written."""
    if not scale > 0 or not isfinite(scale):
        raise Unsupported(f"a scale of {scale}")
    near = Fraction(scale).limit_denominator(FINEST)
    return near if np.float32(near.numerator / near.denominator) == np.float32(scale) else Fraction(scale)


def resize(x: Array, sizes: Sequence[int], how: Interpolation, factors: Sequence[Fraction] | None = None) -> Array:
    """x of other sizes; elements lie apart by the quotients of sizes, or by these factors."""
    if 0 in sizes:
        raise Unsupported("a result without elements")
    x.reserve(max(sizes))
    factors = [Fraction(m, n) for m, n in zip(sizes, x.shape)] if factors is None else factors
    if _is_plain(x, factors, sizes, how):
        given = {"mode": how.mode, "coordinates": how.coordinates, "rounding": how.rounding}
        return call("resize", x, size=tuple(sizes[2:]), **given, scales=tuple(map(float, factors[2:])))
    if how.mode == "nearest":
        return _along_axes(x, sizes, factors, how, _nearest)
    if kind(x.dtype) != "float":
        raise Unsupported(f"{how.mode} of integers")
    return in_f32(_along_axes)(x, sizes, factors, how, _weighed)


def _is_plain(x: Array, factors: Sequence[Fraction], sizes: Sequence[int], how: Interpolation) -> bool:
    """Whether it is an image of another size, as the language's call makes it."""
    is_image = x.ndim == 4 and set(factors[:2]) == {1} and tuple(sizes[:2]) == x.shape[:2]
    mode = how.coordinates
    if mode in ("align_corners", "pytorch_half_pixel") and any(f * n != m for f, n, m in zip(factors, x.shape, sizes)):
        return False  # there ONNX counts with a width that is no whole number
    if any(f.denominator > FINEST or f.numerator > FINEST for f in factors):
        return False
    known = mode in COORDINATES and (how.mode == "nearest" or how.mode == "linear" and kind(x.dtype) == "float")
    return is_image and known and not how.antialias and not how.exclude_outside


def _along_axes(x: Array, sizes, factors, how: Interpolation, read: Callable[..., Array]) -> Array:
    """x read at places along each axis that has another factor than 1, or a region; other numbers beyond regions."""
    regions, beyond = how.regions, []
    for axis, (factor, size) in enumerate(zip(factors, sizes)):
        n = x.shape[axis]
        if factor == 1 and size == n and regions is None:
            continue
        region = None if regions is None else regions.get(axis)
        places = _places(n, factor, size, how.coordinates, region)
        if region is not None:
            beyond.append((axis, np.array([not 0 <= at <= n - 1 for at in places])))
        x = read(x, axis, places, float(factor), how)
    for axis, outside in beyond:
        if outside.any():
            x = where(along(x.ndim, axis, outside), x.number(how.beyond), x)
    return x


def _nearest(x: Array, axis: int, places: list[Fraction], factor: float, how: Interpolation) -> Array:
    if how.rounding not in ROUNDED:
        raise Unsupported(f"the nearest by {how.rounding}")
    last = x.shape[axis] - 1
    return picked(x, axis, np.array([min(max(ROUNDED[how.rounding](at), 0), last) for at in places]))


def _weighed(x: Array, axis: int, places: list[Fraction], factor: float, how: Interpolation) -> Array:
    return weighed(x, axis, *_taps(np.array(places, np.float64), x.shape[axis], factor, how))


def _places(n: int, factor: Fraction, size: int, mode: str, region) -> list[Fraction]:
    """Where each element of the result lies in x, exactly: floor and ceil are of that."""
    full = factor * n
    if mode == "align_corners":
        step, first = (n - 1) / (full - 1) if full != 1 else Fraction(0), Fraction(0)
    elif mode == "asymmetric":
        step, first = 1 / factor, Fraction(0)
    elif mode == "tf_crop_and_resize":
        start, end = map(Fraction, region or (0, 1))
        step = Fraction(0) if full == 1 else (end - start) * (n - 1) / (full - 1)
        first = start * (n - 1) + ((end - start) * (n - 1) / 2 if full == 1 else 0)
    elif mode == "pytorch_half_pixel" and full == 1:
        step, first = Fraction(0), -HALF
    elif mode in ("half_pixel", "pytorch_half_pixel", "half_pixel_symmetric"):
        step = 1 / factor
        first = step / 2 - HALF + (n * HALF * (1 - size / full) if mode == "half_pixel_symmetric" else 0)
    else:
        raise Unsupported(f"places by {mode}")
    return [first + step * j for j in range(size)]


def _taps(at: np.ndarray, n: int, factor: float, how: Interpolation) -> tuple[np.ndarray, np.ndarray]:
    """(places, weights) [size, taps] of what each element of the result is a sum of."""
    shrunk = min(factor, 1.0) if how.antialias else 1.0
    reach = 2 if how.mode == "cubic" else 1
    first = int(np.floor(-reach / shrunk) + 1)
    base = np.ceil(at) - 1  # what lies on an element is one beyond that before it
    places = base[:, None] + np.arange(first, 2 - first)
    distance, a = np.abs(places - at[:, None]) * shrunk, how.cubic
    weights = np.clip(1 - distance, 0, 1)
    if how.mode == "cubic":
        near = ((a + 2) * distance - (a + 3)) * distance**2 + 1
        far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
        weights = np.where(distance <= 1, near, np.where(distance < 2, far, 0))
    if how.exclude_outside:
        weights = np.where((places < 0) | (places >= n), 0, weights)
    if how.exclude_outside or shrunk < 1:
        weights = weights / weights.sum(1, keepdims=True)
    return np.clip(places, 0, n - 1).astype(np.int64), weights


@in_f32
def grid_sample(x: Array, grid: Array, mode: str = "linear", edge: str = "zeros", aligned: bool = False) -> Array:
    """x [n, c, ..] at places from -1 to 1 along the last axis of a grid, where those of the last axis of x come first.

    A result is the element nearest there, or a sum by linear or cubic weights. Beyond x there are zeros, its border, or
    its reflection."""
    sizes = x.shape[2:]
    if mode == "cubic" and len(sizes) != 2:
        raise Unsupported("cubic samples of other than two axes")
    places = [_place(grid, a, n, aligned) for a, n in enumerate(sizes)]
    if edge != "zeros" and mode != "cubic":
        places = [_bounded(p, n, edge, aligned) for p, n in zip(places, sizes)]
    taps = [_shares(p, mode) for p in places]
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


def _shares(place, mode: str):
    """Pairs of whole places and their shares along an axis."""
    if mode == "nearest":
        return [(round_(place), None)]
    first = floor(place)
    part = place - first
    if mode == "linear":
        return [(first, 1.0 - part), (first + 1.0, part)]
    return [(first + float(i), _cubic(abs(part - float(i)), i)) for i in (-1, 0, 1, 2)]


def _cubic(t, i: int, a: float = -0.75):
    if i in (0, 1):
        return (t * (a + 2) + -(a + 3)) * t * t + 1.0
    return ((t * a + -5 * a) * t + 8 * a) * t + -4 * a


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
