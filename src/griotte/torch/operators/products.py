"""Products of matrices, and convolutions."""

from __future__ import annotations

from functools import partial

import numpy as np

from ...readers.operators.array import bits, kind, numpy_of, wrapped
from ...readers.operators.convolutions import conv, conv_transpose
from ...readers.operators.kinds import in_f32
from ...readers.operators.products import multiplied
from ...readers.operators.windows import windows
from ...readers.tables import OperatorTable
from .arithmetic import joined


def product(node, x, y, dtype=None):
    """A product of matrices; of sums without terms it is 0."""
    if x.size and y.size:
        return multiplied(x, y, dtype)
    nothing = np.matmul(*(np.zeros(each.shape, np.bool_) for each in (x, y)))
    return node.array(np.zeros(nothing.shape, numpy_of(dtype or node.dtype_given)))


def addmm(node, c, x, y, beta=1, alpha=1, over_batch=False):
    """Rounded once, at its end. BLAS does not read what alpha or beta takes nothing of, be it NaN."""
    dtype = node.dtype_within
    term = None if beta == 0 else c.astype(dtype)
    term = term if term is None or beta == 1 else joined(node, "mul", term, beta, dtype)
    if alpha == 0 and node.dtype_given == dtype:  # of floats of 16 bits torch does read it
        node.room(*node.shape)
        return np.zeros(node.shape, numpy_of(dtype)) if term is None else term.broadcast_to(node.shape)
    found = product(node, x, y, dtype)
    found = found.sum(axis=0) if over_batch else found
    found = found if alpha == 1 else joined(node, "mul", found, alpha, dtype)
    return found if term is None else joined(node, "add", found, term, dtype)


def convolution(x, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    dtype, rank = x.dtype, x.ndim - 2
    if is_narrow := kind(dtype) != "float" and bits(dtype) < 32:  # which wraps
        x, weight, bias = (each if each is None else each.astype("s32") for each in (x, weight, bias))
    given = windows(rank, weight.shape[2:], stride, padding, dilation)
    if transposed:
        extra = (*output_padding,) * rank if len(output_padding) == 1 else output_padding
        found = conv_transpose(x, weight, bias, given, extra, groups)
    else:
        found = conv(x, weight, bias, given, groups)
    return wrapped(found, dtype) if is_narrow else found


@in_f32
def trilinear(x, y, z, expand1, expand2, expand3, sumdim):
    """Sums of products of three, each with axes of its own that the others lack."""
    parts = []
    for each, axes in ((x, expand1), (z, expand3), (y, expand2)):
        sizes = iter(each.shape)
        parts.append(each.reshape([1 if a in axes else next(sizes) for a in range(each.ndim + len(axes))]))
    return (parts[0] * parts[1] * parts[2]).sum(axis=tuple(sumdim))


OPERATORS: OperatorTable = (
    ("mm bmm", product),
    ("addmm addmv", addmm),
    ("addbmm", partial(addmm, over_batch=True)),
    ("convolution", convolution),
    ("_trilinear", trilinear),
)
