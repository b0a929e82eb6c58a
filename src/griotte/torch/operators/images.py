"""Windows that slide over images, and images of another size."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import floor, prod
from typing import Any

import numpy as np

from ...readers.operators.array import kind, sliced
from ...readers.operators.calls import Unsupported
from ...readers.operators.convolutions import col2im
from ...readers.operators.indexing import put_along_axis
from ...readers.operators.kinds import in_f32
from ...readers.operators.moving import padded, picked
from ...readers.operators.products import weighed
from ...readers.operators.resizing import Interpolation, grid_sample, ratio, resize
from ...readers.operators.windows import Window, adaptive_avg_pool, adaptive_max_pool_places, max_pool_places, windows
from ...readers.operators.windows import avg_pool as mean_of
from ...readers.operators.windows import max_pool as largest_of
from ...readers.tables import OperatorTable


def pool_windows(rank: int, kernel_size, stride, padding=0, dilation=1) -> Window:
    """The windows of a pool, which lie side by side where there is no stride."""
    return windows(rank, kernel_size, kernel_size if stride in (None, [], ()) else stride, padding, dilation)


def batched(x, rank: int):
    """x with an axis of batches, as all windows take it."""
    return x if x.ndim == rank + 2 else x.reshape((1, *x.shape))


def max_pool(rank: int, node, x, *numbers, ceil_mode):
    """The largest, and where in its image it is."""
    whole, window = batched(x, rank), pool_windows(rank, *numbers)
    window = window.rounded_up(whole.shape[2:]) if ceil_mode else window
    if 1 not in node.asked:
        return [largest_of(whole, window).reshape(node.shape)]
    largest, places = max_pool_places(whole, window)
    return [each.reshape(node.shape) for each in (largest, places % np.int64(prod(whole.shape[2:])))]


def max_pool_backward(node, grad, *how, indices):
    """What each window has, at the place of its largest, added up."""
    shape = node.shape
    planes, places = prod(shape[:-2]), prod(grad.shape[-2:])
    rows, at = (each.reshape((planes, places)) for each in (grad, indices))
    grad.reserve(*shape)
    nothing = np.zeros((planes, prod(shape[-2:])), rows.numpy)
    return put_along_axis(rows.of(nothing), at, rows, 1, "add").reshape(shape)


def avg_pool(rank: int, node, x, *numbers, ceil_mode, count_include_pad, divisor_override):
    whole, window = batched(x, rank), pool_windows(rank, *numbers)
    if divisor_override:  # all windows are of one size then
        total = _means(whole, window, node.shape[-rank:])
        return (total * (prod(window.sizes) / divisor_override)).reshape(node.shape)
    counted = window.pads if count_include_pad else None
    window = window.rounded_up(whole.shape[2:]) if ceil_mode else window
    return mean_of(whole, window, counted).reshape(node.shape)


def _means(x, window: Window, wanted):
    """Means of so many windows, where elements beyond x count as 0."""
    before, reach = (
        [p for p, _ in window.pads],
        [(m - 1) * s + k for m, s, k in zip(wanted, window.stride, window.sizes)],
    )
    ends = [r - n - p for r, n, p in zip(reach, x.shape[2:], before)]
    whole = padded(x, [0, 0, *before], [0, 0, *(max(0, e) for e in ends)])
    whole = sliced(whole, {2 + a: (0, r) for a, r in enumerate(reach)})
    return mean_of(whole, windows(len(wanted), window.sizes, window.stride))


def adaptive_max_pool(node, x, output_size):
    whole, sizes = batched(x, len(output_size)), x.shape[-len(output_size) :]
    if 1 in node.asked or any(n % m for n, m in zip(sizes, output_size)):
        return [each.reshape(node.shape) for each in adaptive_max_pool_places(whole, output_size)]
    window = [n // m for n, m in zip(sizes, output_size)]
    return [largest_of(whole, windows(len(sizes), window, window)).reshape(node.shape)]


def columns_added(x, output_size, kernel_size, dilation, padding, stride):
    return col2im(x, output_size, windows(2, kernel_size, stride, padding, dilation))


def resized(node, x, factors, how: Interpolation):
    """x of the size that torch tells, by these factors where they are given, else by the quotient of sizes."""
    if not factors or all(f is None for f in factors):
        return resize(x, node.shape, how)
    exact = [Fraction(1), Fraction(1), *(ratio(float(f)) for f in factors)]
    return resize(x, [floor(n * f) for n, f in zip(x.shape, exact)], how, exact)


def nearest(is_exact: bool, node, x, output_size, scale_factors):
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
    """Which of n elements each of m is, as torch counts on a CPU with fused multiply-adds. Of images it counts in f32.
    Along one axis or three it takes other steps, of doubles in f64."""
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
    factors = scale_factors if isinstance(scale_factors, (list, tuple)) else (scale_factors, *more)
    where = "align_corners" if align_corners else "half_pixel"
    return resized(node, x, None if align_corners else factors, Interpolation(mode, where))


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
    ("max_pool2d_with_indices", partial(max_pool, 2)),
    ("max_pool3d_with_indices", partial(max_pool, 3)),
    ("max_pool2d_with_indices_backward", max_pool_backward),
    ("avg_pool2d", partial(avg_pool, 2)),
    ("avg_pool3d", partial(avg_pool, 3)),
    (
        "_adaptive_avg_pool2d _adaptive_avg_pool3d",
        lambda node, x, sizes: adaptive_avg_pool(batched(x, len(sizes)), sizes).reshape(node.shape),
    ),
    ("adaptive_max_pool2d adaptive_max_pool3d", adaptive_max_pool),
    ("col2im", columns_added),
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
