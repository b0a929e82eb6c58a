"""Arrays of another size: along one axis after the other, of known places and weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, isfinite

import numpy as np

from ...lang.constructors.resizing import FINEST
from .array import Array, call, kind, where
from .calls import Unsupported
from .kinds import in_f32
from .moving import along, picked
from .products import weighed

HALF = Fraction(1, 2)
COORDINATES = ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel")
ROUNDED: dict[str, Callable[[Fraction], int]] = {
    "round_prefer_floor": lambda at: ceil(at - HALF),
    "round_prefer_ceil": lambda at: floor(at + HALF),
    "floor": floor,
    "ceil": ceil,
}


@dataclass(frozen=True)
class Interpolation:
    """What elements of a result are made of.

    Attributes:
        mode: nearest, linear or cubic.
        coordinates: where elements of the result lie in x, by name.
        rounding: which element is the nearest, by name.
        cubic: the coefficient of cubic weights.
        antialias: whether filters are as much wider as the result is smaller.
        exclude_outside: whether what is beyond x has no weight.
        regions: the part of x, from 0 to 1, of an axis.
        beyond: what is beyond x, of axes that have regions.
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
    """The ratio that a scale stands for: the one of small numbers that it is in f32, where there is one, so that 5/3 of
    3 is 5; else what is written."""
    if not scale > 0 or not isfinite(scale):
        raise Unsupported(f"a scale of {scale}")
    near = Fraction(scale).limit_denominator(FINEST)
    return near if np.float32(near.numerator / near.denominator) == np.float32(scale) else Fraction(scale)


def resize(x: Array, sizes: Sequence[int], how: Interpolation, factors: Sequence[Fraction] | None = None) -> Array:
    """x of other sizes; elements lie apart by the quotients of sizes, or by these factors."""
    if 0 in sizes:
        raise Unsupported("a result without elements")
    x.room(max(sizes))
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
