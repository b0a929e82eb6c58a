"""Products of matrices, and convolutions."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

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


class SumFactors(NamedTuple):
    """Of what is added, and of the product."""

    beta: float = 1
    alpha: float = 1


FACTORS = SumFactors()


def addmm(node, c, x, y, factors: SumFactors = FACTORS, over_batch=False):
    """Rounded once, at its end. BLAS does not read what alpha or beta takes nothing of, be it NaN."""
    (beta, alpha), dtype = factors, node.dtype_within
    term = None if beta == 0 else c.astype(dtype)
    term = term if term is None or beta == 1 else joined(node, "mul", term, beta, dtype)
    if alpha == 0 and node.dtype_given == dtype:  # of floats of 16 bits torch does read it
        node.room(*node.shape)
        return np.zeros(node.shape, numpy_of(dtype)) if term is None else term.broadcast_to(node.shape)
    found = product(node, x, y, dtype)
    found = found.sum(axis=0) if over_batch else found
    found = found if alpha == 1 else joined(node, "mul", found, alpha, dtype)
    return found if term is None else joined(node, "add", found, term, dtype)


class ConvolutionOptions(NamedTuple):
    """As torch's convolution has them."""

    stride: Any
    padding: Any
    dilation: Any
    transposed: bool
    output_padding: Any
    groups: int


def convolution(x, weight, bias, how: ConvolutionOptions):
    dtype, rank = x.dtype, x.ndim - 2
    if is_narrow := kind(dtype) != "float" and bits(dtype) < 32:  # which wraps
        x, weight, bias = (each if each is None else each.astype("s32") for each in (x, weight, bias))
    given = windows(rank, weight.shape[2:], how.stride, how.padding, how.dilation)
    if how.transposed:
        extra = (*how.output_padding,) * rank if len(how.output_padding) == 1 else how.output_padding
        found = conv_transpose(x, weight, bias, given, extra, how.groups)
    else:
        found = conv(x, weight, bias, given, how.groups)
    return wrapped(found, dtype) if is_narrow else found


class LackingAxes(NamedTuple):
    """Axes that each operand lacks."""

    expand1: Any
    expand2: Any
    expand3: Any


@in_f32
def trilinear(x, y, z, lacking: LackingAxes, sumdim):
    """Sums of products of three, each with axes of its own that the others lack."""
    parts = []
    for each, axes in ((x, lacking.expand1), (z, lacking.expand3), (y, lacking.expand2)):
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
