"""Images of another size, and their elements at places that are computed."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any, NamedTuple

import numpy as np

from ...readers.operators import resizing, sampling
from ...readers.operators.array import known
from ...readers.operators.calls import Unsupported
from ...readers.operators.kinds import placed
from ...readers.operators.resizing import HALF, Interpolation, ratio
from ...readers.tables import OperatorTable
from .shapes import axes_of


class ResizeAttributes(NamedTuple):
    """How places in an image of another size are found, and what stands there."""

    axes: Any = None
    scales: Any = None
    mode: str = "nearest"
    coordinate_transformation_mode: str = "half_pixel"
    nearest_mode: str = "round_prefer_floor"
    keep_aspect_ratio_policy: str = "stretch"
    cubic_coeff_a: float = -0.75
    antialias: int = 0
    exclude_outside: int = 0
    extrapolation_value: float = 0.0

    def interpolation(self, coordinates: str, rounding: str, regions: Any = None) -> Interpolation:
        """The same as the library asks for it."""
        return Interpolation(
            mode=self.mode,
            cubic=self.cubic_coeff_a,
            antialias=bool(self.antialias),
            exclude_outside=bool(self.exclude_outside),
            beyond=self.extrapolation_value,
            coordinates=coordinates,
            rounding=rounding,
            regions=regions,
        )


def upsample(x, by=None, *, how: ResizeAttributes):
    given = how.scales if by is None else known(by, "the scales")
    factors = [ratio(s) for s in np.asarray(given).tolist()]
    wanted = [floor(n * s) for n, s in zip(x.shape, factors)]
    return resizing.resize(x, wanted, how.interpolation("asymmetric", "floor"), factors)


def resize(node, x, roi=None, by=None, sizes=None, *, how: ResizeAttributes):
    if node.opset < 11:
        return upsample(x, roi, how=how)
    axes = [placed(a, x.ndim) for a in axes_of(None, how.axes) or range(x.ndim)]
    mode = how.coordinate_transformation_mode
    factors, wanted = [Fraction(1)] * x.ndim, list(x.shape)
    given, stated = known(by, "the scales"), known(sizes, "the sizes")
    if given is not None and given.size:
        for a, s in zip(axes, given.tolist()):
            factors[a] = ratio(s)
            wanted[a] = floor(x.shape[a] * factors[a])
    elif stated is not None:
        each = [(a, int(n), Fraction(int(n), x.shape[a])) for a, n in zip(axes, stated)]
        policy = how.keep_aspect_ratio_policy
        one = None if policy == "stretch" else (min if policy == "not_larger" else max)(s for _, _, s in each)
        for a, n, s in each:
            factors[a] = s if one is None else one
            wanted[a] = n if one is None else floor(one * x.shape[a] + HALF)
    else:
        raise Unsupported("no scales and no sizes")
    regions = None
    if mode == "tf_crop_and_resize":
        told = known(roi, "the region").tolist()
        regions = {a: (told[i], told[len(axes) + i]) for i, a in enumerate(axes)}
    return resizing.resize(x, wanted, how.interpolation(mode, how.nearest_mode, regions), factors)


def grid_sample(x, grid, *, mode="linear", padding_mode="zeros", align_corners=0):
    mode = mode.replace("bilinear", "linear").replace("bicubic", "cubic")
    return sampling.grid_sample(x, grid, mode, padding_mode, bool(align_corners))


OPERATORS: OperatorTable = (
    ("Upsample", upsample),
    ("Resize", resize),
    ("GridSample", grid_sample),
)
