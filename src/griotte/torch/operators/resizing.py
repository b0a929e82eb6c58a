"""Images of another size."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import floor
from typing import Any

import numpy as np

from ...readers.operators.array import kind
from ...readers.operators.calls import Unsupported
from ...readers.operators.kinds import in_f32
from ...readers.operators.moving import picked
from ...readers.operators.products import weighed
from ...readers.operators.resizing import Interpolation, ratio, resize
from ...readers.operators.sampling import grid_sample
from ...readers.tables import OperatorTable


def resized(node, x, factors, how: Interpolation):
    """x of the size that torch tells, by these factors where they are given, else by the quotient of sizes."""
    if not factors or all(f is None for f in factors):
        return resize(x, node.shape, how)
    exact = [Fraction(1), Fraction(1), *(ratio(float(f)) for f in factors)]
    return resize(x, [floor(n * f) for n, f in zip(x.shape, exact)], how, exact)


def nearest(is_exact: bool, node, x, output_size=None, scale_factors=None):
    """By number where torch's places, which it computes in f32, are others than by exact fractions."""
    sizes = node.shape[2:]
    factors = scale_factors or (None,) * len(sizes)
    places = [_nearest(n, m, f, is_exact, x.type) for n, m, f in zip(x.shape[2:], sizes, factors)]
    halves = [(2 * j + 1, 2) if is_exact else (j, 1) for j in range(max(sizes))]
    plain = [[p * n // (q * m) for p, q in halves[:m]] for n, m in zip(x.shape[2:], sizes)]
    if places == plain:
        coordinates, rounding = ("half_pixel", "round_prefer_ceil") if is_exact else ("asymmetric", "floor")
        return resized(node, x, None, Interpolation("nearest", coordinates, rounding))
    for axis, (n, numbers) in enumerate(zip(x.shape[2:], places), 2):
        x = x if numbers == [*range(n)] else picked(x, axis, numbers)
    return x


def _nearest(n: int, m: int, factor: float | None, is_exact: bool, type) -> list[int]:
    """Which of n elements each of m is, as torch counts on a CPU with fused multiply-adds: of images in f32; along one
    axis or three by other steps, of doubles in f64."""
    alone = type.rank != 4
    f: Any = np.float64 if alone and type.dtype == "f64" else np.float32
    step, at = f(1 / factor) if factor else f(n) / f(m), np.arange(m).astype(f)
    if not alone and not is_exact and m in (n, 2 * n):
        places = np.arange(m) // (m // n)
    elif not is_exact:
        places = np.floor(at * step)
    elif alone:
        fused = [float(Fraction(float(step)) * Fraction(2 * j + 1, 2) - Fraction(1, 2)) for j in range(m)]
        places = np.floor(np.maximum(np.array(fused, f), f(0)) + f(0.5))
    else:
        places = np.floor(((np.arange(m) + 0.5) * float(step)).astype(f))
    return np.minimum(places, n - 1).astype(int).tolist()


def by_weights(mode: str, node, x, output_size, align_corners, scale_factors=None, *more):
    """Of factors as one argument, or each by itself."""
    given = scale_factors if isinstance(scale_factors, (list, tuple)) else (scale_factors, *more)
    where = "align_corners" if align_corners else "half_pixel"
    return resized(node, x, None if align_corners else given, Interpolation(mode, where))


@in_f32
def antialiased(is_cubic: bool, node, x, output_size, align_corners, *scales):
    """Along each axis the mean of what lies within a filter, which is as wide as the result is smaller."""
    if kind(x.dtype) != "float":
        raise Unsupported("means of integers")
    for axis, m, factor in zip((2, 3), node.shape[2:], scales or (None, None)):
        n = x.shape[axis]
        if align_corners:
            step = (n - 1) / (m - 1) if m > 1 else 0.0
        else:
            step = 1 / factor if factor else n / m
        if step != 1 or m != n:
            x = weighed(x, axis, *_within_filter(n, m, step, is_cubic))
    return x


def _within_filter(n: int, m: int, step: float, is_cubic: bool) -> tuple[np.ndarray, np.ndarray]:
    """(places, shares) [m, taps] of what each of m elements is the mean of, which lie so many of n apart."""
    width = max(step, 1.0)
    reach, middle = (2 if is_cubic else 1) * width, step * (np.arange(m) + 0.5)
    first, end = (np.clip(np.trunc(middle + side + 0.5).astype(int), 0, n) for side in (-reach, reach))
    at = first[:, None] + np.arange((end - first).max())
    off = np.abs(at + 0.5 - middle[:, None]) / width
    near, far = (1.5 * off - 2.5) * off**2 + 1, (((off - 5) * off + 8) * off - 4) * -0.5
    shares = np.where(off < 1, near, np.where(off < 2, far, 0)) if is_cubic else np.maximum(1 - off, 0)
    shares = np.where(at < end[:, None], shares, 0)
    return np.minimum(at, n - 1), shares / shares.sum(1, keepdims=True)


def grid_sampler(x, grid, interpolation_mode, padding_mode, align_corners):
    modes, beyond = ("linear", "nearest", "cubic"), ("zeros", "border", "reflection")
    if interpolation_mode not in range(3) or padding_mode not in range(3):
        raise Unsupported(f"mode {interpolation_mode}, beyond it {padding_mode}")
    return grid_sample(x, grid, modes[interpolation_mode], beyond[padding_mode], bool(align_corners))


OPERATORS: OperatorTable = (
    ("upsample_nearest1d.vec upsample_nearest2d.vec upsample_nearest3d.vec", partial(nearest, False)),
    (
        "_upsample_nearest_exact1d.vec _upsample_nearest_exact2d.vec _upsample_nearest_exact3d.vec",
        partial(nearest, True),
    ),
    ("upsample_bilinear2d.vec upsample_bilinear2d upsample_trilinear3d", partial(by_weights, "linear")),
    ("upsample_bicubic2d.vec", partial(by_weights, "cubic")),
    ("_upsample_bilinear2d_aa", partial(antialiased, False)),
    ("_upsample_bicubic2d_aa", partial(antialiased, True)),
    ("grid_sampler_2d grid_sampler_3d", grid_sampler),
)
