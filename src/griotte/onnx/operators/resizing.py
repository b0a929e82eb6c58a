"""Images of another size, and their elements at places that are computed."""

from __future__ import annotations

from fractions import Fraction
from math import floor

import numpy as np

from ...readers.operators import resizing
from ...readers.operators.array import known
from ...readers.operators.calls import Unsupported
from ...readers.operators.kinds import placed
from ...readers.operators.resizing import HALF, Interpolation, ratio
from ...readers.tables import OperatorTable
from .shapes import axes_of


def interpolation(node, coordinates: str, rounding: str, regions=None) -> Interpolation:
    """What a node tells of the elements of an image of another size."""
    return Interpolation(
        mode=node.attribute("mode", "nearest"),
        cubic=node.attribute("cubic_coeff_a", -0.75),
        antialias=bool(node.attribute("antialias", 0)),
        exclude_outside=bool(node.attribute("exclude_outside", 0)),
        beyond=node.attribute("extrapolation_value", 0.0),
        coordinates=coordinates,
        rounding=rounding,
        regions=regions,
    )


def upsample(node, x, by=None):
    given = node.attribute("scales") if by is None else known(by, "the scales")
    factors = [ratio(s) for s in np.asarray(given).tolist()]
    wanted = [floor(n * s) for n, s in zip(x.shape, factors)]
    return resizing.resize(x, wanted, interpolation(node, "asymmetric", "floor"), factors)


def resize(node, x, roi=None, by=None, sizes=None):
    if node.opset < 11:
        return upsample(node, x, roi)
    axes = [placed(a, x.ndim) for a in axes_of(None, node.attribute("axes")) or range(x.ndim)]
    mode = node.attribute("coordinate_transformation_mode", "half_pixel")
    factors, wanted = [Fraction(1)] * x.ndim, list(x.shape)
    given, stated = known(by, "the scales"), known(sizes, "the sizes")
    if given is not None and given.size:
        for a, s in zip(axes, given.tolist()):
            factors[a] = ratio(s)
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
    regions = None
    if mode == "tf_crop_and_resize":
        ends = known(roi, "the region").tolist()
        regions = {a: (ends[i], ends[len(axes) + i]) for i, a in enumerate(axes)}
    how = interpolation(node, mode, node.attribute("nearest_mode", "round_prefer_floor"), regions)
    return resizing.resize(x, wanted, how, factors)


def grid_sample(x, grid, *, mode="linear", padding_mode="zeros", align_corners=0):
    mode = mode.replace("bilinear", "linear").replace("bicubic", "cubic")
    return resizing.grid_sample(x, grid, mode, padding_mode, bool(align_corners))


OPERATORS: OperatorTable = (
    ("Upsample", upsample),
    ("Resize", resize),
    ("GridSample", grid_sample),
)
