"""Resize and Upsample: along one axis after the other, of known places and weights."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor, isfinite

import numpy as np

from ...ir.resizing import FINEST
from ...operators.array import call, kind, known, where
from ...operators.calls import Unsupported
from ...operators.kinds import in_f32, placed
from ...operators.moving import along, picked
from ...operators.products import weighed
from ...readers.tables import OperatorTable
from .shapes import axes_of

HALF = Fraction(1, 2)
COORDINATES = ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel")


def upsample(node, x, scales=None):
    given = node.attribute("scales") if scales is None else known(scales, "the scales")
    factors = [_meant(s) for s in np.asarray(given).tolist()]
    return _resized(node, x, factors, [floor(n * s) for n, s in zip(x.shape, factors)], "asymmetric", "floor")


def resize(node, x, roi=None, scales=None, sizes=None):
    if node.opset < 11:
        return upsample(node, x, roi)
    axes = [placed(a, x.ndim) for a in axes_of(node, None) or range(x.ndim)]
    mode = node.attribute("coordinate_transformation_mode", "half_pixel")
    factors, wanted = [Fraction(1)] * x.ndim, list(x.shape)
    given, stated = known(scales, "the scales"), known(sizes, "the sizes")
    if given is not None and given.size:
        for a, s in zip(axes, given.tolist()):
            factors[a] = _meant(s)
            wanted[a] = floor(x.shape[a] * factors[a])
    elif stated is not None:
        each = [(a, int(n), Fraction(int(n), x.shape[a])) for a, n in zip(axes, stated)]
        policy = node.attribute("keep_aspect_ratio_policy", "stretch")
        one = None if policy == "stretch" else (min if policy == "not_larger" else max)(s for _, _, s in each)
        for a, n, s in each:
            factors[a] = s if one is None else one
            wanted[a] = n if one is None else floor(one * x.shape[a] + HALF)
    else:
        raise Unsupported("no scales and no sizes")
    if 0 in wanted:
        raise Unsupported("a result without elements")
    x.room(max(wanted))
    region = None
    if mode == "tf_crop_and_resize":
        told = known(roi, "the region").tolist()
        region = {a: (told[i], told[len(axes) + i]) for i, a in enumerate(axes)}
    return _resized(node, x, factors, wanted, mode, node.attribute("nearest_mode", "round_prefer_floor"), region)


def _meant(scale: float) -> Fraction:
    """The ratio that a scale stands for: the one of small numbers that it is in f32, where there is one, so that 5/3 of
    3 is 5; else what is written."""
    if not scale > 0 or not isfinite(scale):
        raise Unsupported(f"a scale of {scale}")
    near = Fraction(scale).limit_denominator(FINEST)
    return near if np.float32(near.numerator / near.denominator) == np.float32(scale) else Fraction(scale)


def _resized(node, x, factors, wanted, mode: str, nearest: str, region=None):
    """x resized along each axis that has another factor than 1, or a region."""
    own = node.attribute("mode", "nearest")
    if _is_plain(node, x, factors, wanted, mode, own):
        given = {"mode": own, "coordinates": mode, "rounding": nearest, "scales": tuple(map(float, factors[2:]))}
        return call("resize", x, size=tuple(wanted[2:]), **given)
    if own == "nearest" or kind(x.dtype) != "float":
        if own != "nearest":
            raise Unsupported(f"{own} of integers")
        read = _by_nearest
    else:
        read = _by_weights
    return read(node, x, factors, wanted, mode, nearest, region)


def _is_plain(node, x, factors, wanted, mode: str, own: str) -> bool:
    """Whether it is an image of another size, as the language's call makes it."""
    is_image = x.ndim == 4 and set(factors[:2]) == {1} and tuple(wanted[:2]) == x.shape[:2]
    if mode in ("align_corners", "pytorch_half_pixel") and any(f * n != m for f, n, m in zip(factors, x.shape, wanted)):
        return False  # there ONNX counts with a width that is no whole number
    if any(f.denominator > FINEST or f.numerator > FINEST for f in factors):
        return False
    known = mode in COORDINATES and (own == "nearest" or own == "linear" and kind(x.dtype) == "float")
    return is_image and known and not any(node.attribute(name, 0) for name in ("antialias", "exclude_outside"))


def _by_nearest(node, x, factors, wanted, mode, nearest, region):
    beyond = []
    for axis, (factor, size) in enumerate(zip(factors, wanted)):
        n = x.shape[axis]
        if factor == 1 and size == n and region is None:
            continue
        at = _places(n, factor, size, mode, None if region is None else region.get(axis))
        if region is not None and axis in region:
            beyond.append((axis, np.array([not 0 <= each <= n - 1 for each in at])))
        x = picked(x, axis, np.array([min(max(_rounded(each, nearest), 0), n - 1) for each in at]))
    return _extrapolated(node, x, beyond)


@in_f32
def _by_weights(node, x, factors, wanted, mode, nearest, region):
    beyond = []
    for axis, (factor, size) in enumerate(zip(factors, wanted)):
        n = x.shape[axis]
        if factor == 1 and size == n and region is None:
            continue
        at = np.array(_places(n, factor, size, mode, None if region is None else region.get(axis)), np.float64)
        if region is not None and axis in region:
            beyond.append((axis, (at < 0) | (at > n - 1)))
        x = weighed(x, axis, *_taps(node, at, n, float(factor)))
    return _extrapolated(node, x, beyond)


def _extrapolated(node, x, beyond):
    for axis, outside in beyond:
        if outside.any():
            value = x.number(node.attribute("extrapolation_value", 0.0))
            x = where(along(x.ndim, axis, outside), value, x)
    return x


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


def _rounded(at: Fraction, how: str) -> int:
    rules: dict[str, Callable[[Fraction], int]] = {
        "round_prefer_floor": lambda a: ceil(a - HALF),
        "round_prefer_ceil": lambda a: floor(a + HALF),
        "floor": floor,
        "ceil": ceil,
    }
    if how not in rules:
        raise Unsupported(f"the nearest by {how}")
    return rules[how](at)


def _taps(node, at: np.ndarray, n: int, factor: float) -> tuple[np.ndarray, np.ndarray]:
    """(places, weights) [size, taps] of what each element of the result is a sum of."""
    cubic = node.attribute("mode") == "cubic"
    shrunk = min(factor, 1.0) if node.attribute("antialias", 0) else 1.0
    reach = 2 if cubic else 1
    first = int(np.floor(-reach / shrunk) + 1)
    base = np.ceil(at) - 1  # what lies on an element is one beyond that before it
    places = base[:, None] + np.arange(first, 2 - first)
    distance = np.abs(places - at[:, None]) * shrunk
    a = node.attribute("cubic_coeff_a", -0.75)
    near = ((a + 2) * distance - (a + 3)) * distance**2 + 1
    far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
    weights = np.where(distance <= 1, near, np.where(distance < 2, far, 0)) if cubic else np.clip(1 - distance, 0, 1)
    if node.attribute("exclude_outside", 0):
        weights = np.where((places < 0) | (places >= n), 0, weights)
    if node.attribute("exclude_outside", 0) or shrunk < 1:
        weights = weights / weights.sum(1, keepdims=True)
    return np.clip(places, 0, n - 1).astype(np.int64), weights


OPERATORS: OperatorTable = (
    ("Upsample", upsample),
    ("Resize", resize),
)
