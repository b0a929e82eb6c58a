"""Resize and Upsample: along one axis after the other, of known places and weights."""

from __future__ import annotations

from collections.abc import Callable
from math import floor

import numpy as np

from ...readers.kinds import in_f32, kind, placed
from ...readers.moving import along, picked
from ...readers.node import Unsupported
from ...readers.products import weighed
from .declaring import operator
from .shapes import axes_of

COORDINATES = ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel")


@operator("Upsample")
def upsample(node, x, scales=None):
    given = node.attribute("scales") if scales is None else node.known(scales, "the scales")
    x = node.value(x)
    factors = [float(s) for s in given]
    return _resized(node, x, factors, [floor(n * s) for n, s in zip(x.type.shape, factors)], "asymmetric", "floor")


@operator("Resize")
def resize(node, x, roi=None, scales=None, sizes=None):
    if node.opset < 11:
        return upsample(node, x, roi)
    x = node.value(x)
    axes = [placed(a, x.type.rank) for a in axes_of(node, None) or range(x.type.rank)]
    mode = node.attribute("coordinate_transformation_mode", "half_pixel")
    factors, wanted = [1.0] * x.type.rank, list(x.type.shape)
    given, stated = node.known(scales, "the scales"), node.known(sizes, "the sizes")
    if given is not None and given.size:
        for a, s in zip(axes, given.tolist()):
            factors[a], wanted[a] = s, floor(x.type.shape[a] * s)
    elif stated is not None:
        each = [(a, int(n), int(n) / x.type.shape[a]) for a, n in zip(axes, stated)]
        policy = node.attribute("keep_aspect_ratio_policy", "stretch")
        one = None if policy == "stretch" else (min if policy == "not_larger" else max)(s for _, _, s in each)
        for a, n, s in each:
            factors[a] = s if one is None else one
            wanted[a] = n if one is None else floor(one * x.type.shape[a] + 0.5)
    else:
        raise Unsupported("no scales and no sizes")
    if 0 in wanted:
        raise Unsupported("a result without elements")
    node.room(max(wanted))
    region = None
    if mode == "tf_crop_and_resize":
        told = node.known(roi, "the region").tolist()
        region = {a: (told[i], told[len(axes) + i]) for i, a in enumerate(axes)}
    return _resized(node, x, factors, wanted, mode, node.attribute("nearest_mode", "round_prefer_floor"), region)


def _resized(node, x, factors, wanted, mode: str, nearest: str, region=None):
    """x resized along each axis that has another factor than 1, or a region."""
    own = node.attribute("mode", "nearest")
    if _is_plain(node, x, factors, wanted, mode, own):
        given = {"mode": own, "coordinates": mode, "rounding": nearest, "scales": tuple(factors[2:])}
        return node.call("resize", x, size=tuple(wanted[2:]), **given)
    if own == "nearest" or kind(x.type.dtype) != "float":
        if own != "nearest":
            raise Unsupported(f"{own} of integers")
        read = _by_nearest
    else:
        read = _by_weights
    return read(node, x, factors, wanted, mode, nearest, region)


def _is_plain(node, x, factors, wanted, mode: str, own: str) -> bool:
    """Whether it is an image of another size, as the language's call makes it."""
    is_image = x.type.rank == 4 and set(factors[:2]) == {1} and tuple(wanted[:2]) == x.type.shape[:2]
    if mode in ("align_corners", "pytorch_half_pixel") and any(
        f * n != m for f, n, m in zip(factors, x.type.shape, wanted)
    ):
        return False  # there ONNX counts with a width that is no whole number
    known = mode in COORDINATES and (own == "nearest" or own == "linear" and kind(x.type.dtype) == "float")
    return is_image and known and not any(node.attribute(name, 0) for name in ("antialias", "exclude_outside"))


def _by_nearest(node, x, factors, wanted, mode, nearest, region):
    beyond = []
    for axis, (factor, size) in enumerate(zip(factors, wanted)):
        n = x.type.shape[axis]
        if factor == 1 and size == n and region is None:
            continue
        at = _places(n, factor, size, mode, None if region is None else region.get(axis))
        if region is not None and axis in region:
            beyond.append((axis, (at < 0) | (at > n - 1)))
        x = picked(node, x, axis, np.clip(_rounded(at, nearest), 0, n - 1).astype(np.int64))
    return _extrapolated(node, x, beyond)


@in_f32
def _by_weights(node, x, factors, wanted, mode, nearest, region):
    beyond = []
    for axis, (factor, size) in enumerate(zip(factors, wanted)):
        n = x.type.shape[axis]
        if factor == 1 and size == n and region is None:
            continue
        at = _places(n, factor, size, mode, None if region is None else region.get(axis))
        if region is not None and axis in region:
            beyond.append((axis, (at < 0) | (at > n - 1)))
        x = weighed(node, x, axis, *_taps(node, at, n, factor))
    return _extrapolated(node, x, beyond)


def _extrapolated(node, x, beyond):
    for axis, outside in beyond:
        if outside.any():
            value = node.number(node.attribute("extrapolation_value", 0.0), x)
            x = node.call("where", along(x.type.rank, axis, outside), value, x)
    return x


def _places(n: int, factor: float, size: int, mode: str, region) -> np.ndarray:
    """Where each element of the result lies in x."""
    at, full = np.arange(size, dtype=np.float64), factor * n
    if mode == "align_corners":
        return at * 0 if full == 1 else at * (n - 1) / (full - 1)
    if mode == "asymmetric":
        return at / factor
    if mode == "tf_crop_and_resize":
        start, end = region or (0.0, 1.0)
        middle = at * 0 + (end - start) * (n - 1) / 2
        return start * (n - 1) + (middle if full == 1 else at * (end - start) * (n - 1) / (full - 1))
    if mode == "pytorch_half_pixel" and full == 1:
        return at * 0 - 0.5
    if mode in ("half_pixel", "pytorch_half_pixel"):
        return (at + 0.5) / factor - 0.5
    if mode == "half_pixel_symmetric":
        return n / 2 * (1 - size / full) + (at + 0.5) / factor - 0.5
    raise Unsupported(f"places by {mode}")


def _rounded(at: np.ndarray, how: str) -> np.ndarray:
    rules: dict[str, Callable[[np.ndarray], np.ndarray]] = {
        "round_prefer_floor": lambda a: np.ceil(a - 0.5),
        "round_prefer_ceil": lambda a: np.floor(a + 0.5),
        "floor": np.floor,
        "ceil": np.ceil,
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
