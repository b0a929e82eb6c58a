"""Products of matrices and vectors, and what is made of them."""

from __future__ import annotations

import numpy as np

from ..operators import products
from ..operators.array import call, kind
from .array import arrays_of
from .moving import axes_of, moveaxis
from .refusing import Untraceable


def _alike(*arrays):
    """Traced arrays of one dtype."""
    found = arrays_of(*arrays)
    to = np.result_type(*(each.dtype for each in found))
    return [each.astype(to, copy=False) for each in found]


def einsum(*operands, optimize=False):
    subscripts, *arrays = operands
    if not isinstance(subscripts, str):
        raise Untraceable("expected an einsum written as text, found lists of axes; write 'ij,jk->ik'")
    given = _alike(*arrays)
    return given[0].new(products.einsum(subscripts, *(each.array for each in given)))


def tensordot(a, b, axes=2):
    x, y = _alike(a, b)
    if isinstance(axes, int):
        own, others = tuple(range(x.ndim - axes, x.ndim)), tuple(range(axes))
    else:
        own, others = (axes_of(each, axis) for each, axis in zip((x, y), axes))
    return x.new(products.tensordot(x.array, y.array, own, others))


def dot(a, b):
    x, y = _alike(a, b)
    return tensordot(x, y, (-1, -2 if y.ndim > 1 else -1)) if x.ndim and y.ndim else x * y


def inner(a, b):
    x, y = _alike(a, b)
    return tensordot(x, y, (-1, -1)) if x.ndim and y.ndim else x * y


def outer(a, b):
    x, y = map(np.ravel, arrays_of(a, b))
    return x[:, None] * y[None, :]


def trace(a, offset=0, axis1=0, axis2=1, dtype=None):
    return np.sum(np.diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype)


def multi_dot(arrays):
    found, *rest = arrays_of(*arrays)
    for each in rest:
        found = found @ each
    return found


def cross(a, b, axis=-1):
    x, y = (moveaxis(each, axis, -1) for each in arrays_of(a, b))
    if x.shape[-1] != 3 or y.shape[-1] != 3:
        raise Untraceable("expected vectors of 3 elements, found others; write the product out")
    of = lambda i, j: x[..., i] * y[..., j] - x[..., j] * y[..., i]
    return np.stack([of(1, 2), of(2, 0), of(0, 1)], axis=axis)


def convolve(a, v, mode="full"):
    """A convolution of one row; weights run backward."""
    x, w = _alike(a, v)
    x, w = (x, w) if x.size >= w.size else (w, x)
    if kind(x.array.dtype) != "float":
        raise Untraceable(f"expected floats to be convolved, found {x.dtype}; cast them first")
    least = {"full": w.size - 1, "same": w.size // 2, "valid": 0}[mode]
    most = {"full": w.size - 1, "same": (w.size - 1) // 2, "valid": 0}[mode]
    row, weights = (each.array.reshape((1, 1, 1, each.size)) for each in (x, w[::-1]))
    found = call("conv2d", row, weights, padding=((0, 0), (least, most)))
    return x.new(found.reshape(found.shape[3:]))


def correlate(a, v, mode="valid"):
    x, w = _alike(a, v)
    if x.size < w.size:
        raise Untraceable("expected the longer array first, found the shorter; flip the result of the other order")
    return convolve(x, w[::-1], mode)


FUNCTIONS = (
    ("einsum", einsum),
    ("tensordot linalg.tensordot", tensordot),
    ("dot", dot),
    ("inner", inner),
    ("vdot", lambda a, b: dot(*map(np.ravel, arrays_of(a, b)))),
    ("outer linalg.outer", outer),
    ("linalg.matmul", lambda x1, x2, /: np.matmul(x1, x2)),
    ("trace linalg.trace", trace),
    ("linalg.multi_dot", multi_dot),
    ("cross linalg.cross", cross),
    ("convolve", convolve),
    ("correlate", correlate),
)
