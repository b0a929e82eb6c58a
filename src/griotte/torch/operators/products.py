"""Products of matrices, convolutions; inverses, systems of equations, determinants and factors of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...readers.operators import linalg
from ...readers.operators.array import numpy_of
from ...readers.operators.calls import Unsupported
from ...readers.operators.convolutions import conv, conv_transpose
from ...readers.operators.kinds import in_f32, in_s32
from ...readers.operators.linalg import failed, matrices, mirrored, of_one_batch, unit
from ...readers.operators.products import multiplied
from ...readers.operators.windows import windows
from ...readers.tables import OperatorTable
from .elementwise import joined


def product(node, x, y, dtype=None):
    """A product of matrices; of sums without terms it is 0."""
    if x.size and y.size:
        return multiplied(x, y, dtype)
    nothing = np.matmul(*(np.zeros(each.shape, np.bool_) for each in (x, y)))
    return node.array(np.zeros(nothing.shape, numpy_of(dtype or node.dtype_given)))


def addmm(node, c, x, y, beta, alpha):
    """Rounded once, at its end; products of a batch are added. BLAS does not read what alpha or beta takes nothing of,
    be it NaN."""
    dtype = node.dtype_within
    term = None if beta == 0 else c.astype(dtype)
    term = term if term is None or beta == 1 else joined(node, "mul", term, beta, dtype)
    if alpha == 0 and node.dtype_given == dtype:  # of floats of 16 bits torch does read it
        node.reserve(*node.shape)
        return np.zeros(node.shape, numpy_of(dtype)) if term is None else term.broadcast_to(node.shape)
    result = product(node, x, y, dtype)
    result = result.sum(axis=0) if x.ndim == 3 else result
    result = result if alpha == 1 else joined(node, "mul", result, alpha, dtype)
    return result if term is None else joined(node, "add", result, term, dtype)


@in_s32
def convolution(x, weight, bias, *window, transposed, output_padding, groups):
    rank = x.ndim - 2
    given = windows(rank, weight.shape[2:], *window)
    if transposed:
        extra = (*output_padding,) * rank if len(output_padding) == 1 else output_padding
        return conv_transpose(x, weight, bias, given, extra, groups)
    return conv(x, weight, bias, given, groups)


@in_f32
def trilinear(x, y, z, *lacking, sumdim):
    """Sums of products of three, each with axes of its own that the others lack."""
    parts = []
    for each, axes in zip((x, z, y), (lacking[0], lacking[2], lacking[1])):
        sizes = iter(each.shape)
        parts.append(each.reshape([1 if a in axes else next(sizes) for a in range(each.ndim + len(axes))]))
    return (parts[0] * parts[1] * parts[2]).sum(axis=tuple(sumdim))


def results(node, *result: Any, numbers: tuple[int, ...] = (0, 1, 2)) -> list[Any]:
    """Results, in the shapes that torch tells; their numbers where others, which are not given, are between them."""
    made = dict(zip(numbers, result))
    node.only(*made)
    return [made[n].reshape(each.shape) if n in made else None for n, each in enumerate(node.gives)]


def inverse(node, a):
    a = matrices(a)
    result, pivots = linalg.solve(a, unit(a))
    return results(node, result, failed(pivots == 0))


def solve(node, a, b, left):
    """Matrices, or where it has an axis less, vectors."""
    if b.ndim == 1 or b.shape == a.shape[:-1]:
        b = b.reshape((*b.shape, 1))
    a, b = of_one_batch(a, b)
    result, pivots = linalg.solve(a, b) if left else linalg.solve(mirrored(a), mirrored(b))
    result = result if left else mirrored(result)
    return results(node, result, failed(pivots == 0), numbers=(0, 3))


def factors(node, a, pivot):
    if not pivot:
        raise Unsupported("without pivots")
    result, pivots, places, _ = linalg.eliminated(matrices(a), False)
    rows = (places.reshape(pivots.shape[:2]) + 1).transpose((1, 0))
    return results(node, result, rows, failed(pivots == 0))


def cholesky(node, a, upper):
    lower, squares = linalg.cholesky(matrices(a))
    return results(node, mirrored(lower) if upper else lower, failed(~(squares > 0)))


def solve_triangular(node, a, b, upper, left, unitriangular):
    a, b = of_one_batch(a, b)
    if left:
        return linalg.solve_triangular(a, b, not upper, unitriangular).reshape(node.shape)
    result = linalg.solve_triangular(mirrored(a), mirrored(b), upper, unitriangular)
    return mirrored(result).reshape(node.shape)


def triangular_solve(node, b, a, upper, transpose, unitriangular):
    """And the matrix itself."""
    a, b = of_one_batch(a, b)
    own, lower = (mirrored(a), upper) if transpose else (a, not upper)
    return results(node, linalg.solve_triangular(own, b, lower, unitriangular), a)


def cholesky_solve(node, b, a, upper):
    a, b = of_one_batch(a, b)
    return linalg.cho_solve(mirrored(a) if upper else a, b).reshape(node.shape)


def cholesky_inverse(node, a, upper):
    a = matrices(a)
    return linalg.cho_solve(mirrored(a) if upper else a, unit(a)).reshape(node.shape)


OPERATORS: OperatorTable = (
    ("mm bmm", product),
    ("addmm addmv addbmm", addmm),
    ("convolution", convolution),
    ("_trilinear", trilinear),
    ("linalg_inv_ex", inverse),
    ("_linalg_solve_ex", solve),
    ("_linalg_det", lambda node, a: results(node, linalg.det(matrices(a)))),
    ("_linalg_slogdet", lambda node, a: results(node, *linalg.slogdet(matrices(a)))),
    ("linalg_lu_factor_ex", factors),
    ("linalg_cholesky_ex", cholesky),
    ("linalg_solve_triangular", solve_triangular),
    ("triangular_solve", triangular_solve),
    ("cholesky_solve", cholesky_solve),
    ("cholesky_inverse", cholesky_inverse),
)
