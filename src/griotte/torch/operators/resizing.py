"""Images of another size."""

from __future__ import annotations

import numpy as np

from .declaring import Unsupported, operator

AXES = {"1d": 1, "2d": 2, "3d": 3}


def resized(node, x, factors, **how):
    """x of the size that torch tells, by these factors where they are given, else by the quotient of sizes."""
    x = node.value(x)
    if factors and any(f is not None for f in factors):
        exact = [1.0, 1.0, *map(float, factors)]
        return node.as_onnx("Resize", x, None, np.array(exact), None, **how)
    return node.as_onnx("Resize", x, None, None, np.array(node.shape), **how)


@operator("upsample_nearest1d.vec", "upsample_nearest2d.vec", "upsample_nearest3d.vec")
def nearest(node, x, output_size=None, scale_factors=None):
    how = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    return resized(node, x, scale_factors, **how)


@operator("upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d")
def nearest_to(node, x, output_size, *scales):
    return nearest(node, x, output_size, scales)


@operator("upsample_linear1d.vec", "upsample_bilinear2d.vec", "upsample_trilinear3d.vec")
def linear(node, x, output_size, align_corners, scale_factors=None):
    mode = "align_corners" if align_corners else "half_pixel"
    if align_corners:
        scale_factors = None
    return resized(node, x, scale_factors, mode="linear", coordinate_transformation_mode=mode)


@operator("upsample_linear1d", "upsample_bilinear2d", "upsample_trilinear3d")
def linear_to(node, x, output_size, align_corners, *scales):
    return linear(node, x, output_size, align_corners, scales)


@operator("upsample_bicubic2d.vec")
def cubic(node, x, output_size, align_corners, scale_factors=None):
    mode = "align_corners" if align_corners else "half_pixel"
    how = {"mode": "cubic", "coordinate_transformation_mode": mode, "cubic_coeff_a": -0.75}
    return resized(node, x, None if align_corners else scale_factors, **how)


@operator("grid_sampler_2d")
def grid_sampler(node, x, grid, interpolation_mode, padding_mode, align_corners):
    modes, beyond = ("linear", "nearest", "cubic"), ("zeros", "border", "reflection")
    if interpolation_mode not in range(3) or padding_mode not in range(3):
        raise Unsupported(f"mode {interpolation_mode}, beyond it {padding_mode}")
    how = {"mode": modes[interpolation_mode], "padding_mode": beyond[padding_mode]}
    return node.as_onnx("GridSample", x, grid, align_corners=int(align_corners), **how)
