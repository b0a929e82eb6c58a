"""Products of matrices, and convolutions."""

from __future__ import annotations

import numpy as np

from ...readers.moving import broadcast, permuted, reshaped
from ...readers.numbers import wrapped
from ...readers.products import multiplied
from .arithmetic import joined
from .declaring import bits, in_f32, kind, operator


def product(node, x, y, dtype=None):
    """A product of matrices; of sums without terms it is 0."""
    sizes = node.sizes(x), node.sizes(y)
    if all(0 not in each for each in sizes):
        return multiplied(node, x, y, dtype)
    nothing = np.matmul(*(np.zeros(each, np.bool_) for each in sizes))
    return np.zeros(nothing.shape, node.numpy(dtype or node.dtype_given))


@operator("mm", "bmm", "matmul", "mv", "dot")
def matmul(node, x, y):
    return product(node, x, y)


@operator("addmm", "baddbmm", "addmv", "addbmm")
def addmm(node, c, x, y, beta=1, alpha=1):
    """Rounded once, at its end. BLAS does not read what alpha or beta takes nothing of, be it NaN."""
    dtype = node.dtype_within
    term = None if beta == 0 else node.cast(c, dtype)
    term = term if term is None or beta == 1 else joined(node, "mul", term, beta, dtype)
    if alpha == 0 and node.dtype_given == dtype:  # of floats of 16 bits torch does read it
        return _without_product(node, term)
    found = product(node, x, y, dtype)
    if node.operator.startswith("addbmm"):
        found = node.call("sum", found, axis=0)
    found = found if alpha == 1 else joined(node, "mul", found, alpha, dtype)
    return found if term is None else joined(node, "add", found, term, dtype)


def _without_product(node, term):
    if term is None:
        node.room(*node.shape)
        return np.zeros(node.shape, node.numpy(node.dtype_given))
    return broadcast(node, term, node.shape)


@operator("linear")
def linear(node, x, weight, bias=None):
    w = permuted(node, weight, (1, 0)) if node.value(weight).type.rank == 2 else weight
    found = multiplied(node, x, w, node.dtype_within)
    return found if bias is None else node.call("add", found, node.cast(bias, node.dtype_within))


@operator("convolution")
def convolution(node, x, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    dtype = node.dtype(x)
    if kind(dtype) != "float" and bits(dtype) < 32:  # which wraps
        x, weight, bias = (each if each is None else node.cast(each, "s32") for each in (x, weight, bias))
        how = (stride, padding, dilation, transposed, output_padding, groups)
        return wrapped(node, convolution(node, x, weight, bias, *how), dtype)
    rank = node.value(x).type.rank - 2
    every = lambda given: list(given) * rank if len(given) == 1 else list(given)
    pads = every(padding)
    given = {"strides": every(stride), "dilations": every(dilation), "pads": [*pads, *pads], "group": groups}
    if transposed:
        return node.as_onnx("ConvTranspose", x, weight, bias, output_padding=every(output_padding), **given)
    return node.as_onnx("Conv", x, weight, bias, **given)


@operator("conv1d", "conv2d", "conv3d")
def plain(node, x, weight, bias=None, stride=(1,), padding=(0,), dilation=(1,), groups=1):
    return convolution(node, x, weight, bias, stride, padding, dilation, False, (0,), groups)


@operator("_trilinear")
@in_f32
def trilinear(node, x, y, z, expand1, expand2, expand3, sumdim, unroll_dim=1):
    """Sums of products of three, each with axes of its own that the others lack."""
    parts = []
    for each, axes in ((x, expand1), (z, expand3), (y, expand2)):
        sizes = iter(node.value(each).type.shape)
        rank = node.value(each).type.rank + len(axes)
        parts.append(reshaped(node, each, [1 if a in axes else next(sizes) for a in range(rank)]))
    terms = node.call("mul", node.call("mul", parts[0], parts[1]), parts[2])
    return node.call("sum", terms, axis=tuple(sumdim))
