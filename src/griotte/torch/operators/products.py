"""Products of matrices, and convolutions."""

from __future__ import annotations

import numpy as np

from ...operators.array import bits, kind, numpy_of, wrapped
from ...operators.convolutions import conv, conv_transpose
from ...operators.kinds import in_f32
from ...operators.products import multiplied
from ...operators.windows import windows
from ...readers.tables import OperatorTable
from .arithmetic import joined


def product(node, x, y, dtype=None):
    """A product of matrices; of sums without terms it is 0."""
    sizes = x.shape, y.shape
    if all(0 not in each for each in sizes):
        return multiplied(x, y, dtype)
    nothing = np.matmul(*(np.zeros(each, np.bool_) for each in sizes))
    return node.array(np.zeros(nothing.shape, numpy_of(dtype or node.dtype_given)))


def matmul(node, x, y):
    return product(node, x, y)


def addmm(node, c, x, y, beta=1, alpha=1):
    """Rounded once, at its end. BLAS does not read what alpha or beta takes nothing of, be it NaN."""
    dtype = node.dtype_within
    term = None if beta == 0 else c.astype(dtype)
    term = term if term is None or beta == 1 else joined(node, "mul", term, beta, dtype)
    if alpha == 0 and node.dtype_given == dtype:  # of floats of 16 bits torch does read it
        return _without_product(node, term)
    found = product(node, x, y, dtype)
    if node.operator.startswith("addbmm"):
        found = found.sum(axis=0)
    found = found if alpha == 1 else joined(node, "mul", found, alpha, dtype)
    return found if term is None else joined(node, "add", found, term, dtype)


def _without_product(node, term):
    if term is None:
        node.room(*node.shape)
        return np.zeros(node.shape, numpy_of(node.dtype_given))
    return term.broadcast_to(node.shape)


def linear(node, x, weight, bias=None):
    w = weight.transpose((1, 0)) if weight.ndim == 2 else weight
    found = multiplied(x, w, node.dtype_within)
    return found if bias is None else found + bias.astype(node.dtype_within)


def convolution(node, x, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    dtype = x.dtype
    if kind(dtype) != "float" and bits(dtype) < 32:  # which wraps
        x, weight, bias = (each if each is None else each.astype("s32") for each in (x, weight, bias))
        how = (stride, padding, dilation, transposed, output_padding, groups)
        return wrapped(convolution(node, x, weight, bias, *how), dtype)
    rank = x.ndim - 2
    given = windows(rank, weight.shape[2:], stride, padding, dilation)
    if not transposed:
        return conv(x, weight, bias, given, groups)
    extra = (*output_padding,) * rank if len(output_padding) == 1 else output_padding
    return conv_transpose(x, weight, bias, given, extra, groups)


def plain(node, x, weight, bias=None, stride=(1,), padding=(0,), dilation=(1,), groups=1):
    return convolution(node, x, weight, bias, stride, padding, dilation, False, (0,), groups)


@in_f32
def trilinear(x, y, z, expand1, expand2, expand3, sumdim, unroll_dim=1):
    """Sums of products of three, each with axes of its own that the others lack."""
    parts = []
    for each, axes in ((x, expand1), (z, expand3), (y, expand2)):
        sizes = iter(each.shape)
        rank = each.ndim + len(axes)
        parts.append(each.reshape([1 if a in axes else next(sizes) for a in range(rank)]))
    terms = parts[0] * parts[1] * parts[2]
    return terms.sum(axis=tuple(sumdim))


OPERATORS: OperatorTable = (
    ("mm bmm matmul mv dot", matmul),
    ("addmm baddbmm addmv addbmm", addmm),
    ("linear", linear),
    ("convolution", convolution),
    ("conv1d conv2d conv3d", plain),
)


FUNCTIONS: OperatorTable = (("_trilinear", trilinear),)
