"""Inverses, systems of equations, determinants and factors of matrices."""

from __future__ import annotations

from typing import Any

from ...readers.operators import linalg
from ...readers.operators.calls import Unsupported
from ...readers.operators.linalg import failed, matrices, mirrored, of_one_batch, unit
from ...readers.tables import OperatorTable


def told(node, *found: Any, numbers: tuple[int, ...] = (0, 1, 2)) -> list[Any]:
    """Results, in the shapes that torch tells; their numbers where others, which are not given, are between them."""
    made = dict(zip(numbers, found))
    node.only(*made)
    return [made[n].reshape(each.shape) if n in made else None for n, each in enumerate(node.gives)]


def inverse(node, a):
    a = matrices(a)
    found, pivots = linalg.solve(a, unit(a))
    return told(node, found, failed(pivots == 0))


def solve(node, a, b, left=True):
    """Matrices, or where it has an axis less, vectors."""
    if b.ndim == 1 or b.shape == a.shape[:-1]:
        b = b.reshape((*b.shape, 1))
    a, b = of_one_batch(a, b)
    found, pivots = linalg.solve(a, b) if left else linalg.solve(mirrored(a), mirrored(b))
    found = found if left else mirrored(found)
    return told(node, found, failed(pivots == 0), numbers=(0, 3))


def factors(node, a, pivot=True):
    if not pivot:
        raise Unsupported("without pivots")
    found, pivots, places, _ = linalg.eliminated(matrices(a), False)
    rows = (places.reshape(pivots.shape[:2]) + 1).transpose((1, 0))
    return told(node, found, rows, failed(pivots == 0))


def cholesky(node, a, upper=False):
    lower, squares = linalg.cholesky(matrices(a))
    return told(node, mirrored(lower) if upper else lower, failed(~(squares > 0)))


def solve_triangular(node, a, b, upper, left=True, unitriangular=False):
    a, b = of_one_batch(a, b)
    if left:
        return linalg.solve_triangular(a, b, not upper, unitriangular).reshape(node.shape)
    found = linalg.solve_triangular(mirrored(a), mirrored(b), upper, unitriangular)
    return mirrored(found).reshape(node.shape)


def triangular_solve(node, b, a, upper=True, transpose=False, unitriangular=False):
    """And the matrix itself."""
    a, b = of_one_batch(a, b)
    own, lower = (mirrored(a), upper) if transpose else (a, not upper)
    return told(node, linalg.solve_triangular(own, b, lower, unitriangular), a)


def cholesky_solve(node, b, a, upper=False):
    a, b = of_one_batch(a, b)
    return linalg.cho_solve(mirrored(a) if upper else a, b).reshape(node.shape)


def cholesky_inverse(node, a, upper=False):
    a = matrices(a)
    return linalg.cho_solve(mirrored(a) if upper else a, unit(a)).reshape(node.shape)


OPERATORS: OperatorTable = (
    ("linalg_inv_ex", inverse),
    ("_linalg_solve_ex", solve),
    ("_linalg_det", lambda node, a: told(node, linalg.det(matrices(a)))),
    ("_linalg_slogdet", lambda node, a: told(node, *linalg.slogdet(matrices(a)))),
    ("linalg_lu_factor_ex", factors),
    ("linalg_cholesky_ex", cholesky),
    ("linalg_solve_triangular", solve_triangular),
    ("triangular_solve", triangular_solve),
    ("cholesky_solve", cholesky_solve),
    ("cholesky_inverse", cholesky_inverse),
)
