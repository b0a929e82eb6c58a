"""Inverses, systems of equations, determinants and factors of matrices: a turn of a loop for each column."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...operators.array import call, log, sliced, sqrt, where
from ...operators.calls import Unsupported
from ...operators.moving import joined, triangle
from ...operators.reducing import place_of_largest
from ...operators.turning import turned
from ...readers.tables import OperatorTable


def matrices(x):
    """[.., n, m] as [batch, n, m]."""
    return x.reshape((prod(x.shape[:-2]), *x.shape[-2:]))


def mirrored(x):
    """Each matrix transposed."""
    return x.transpose((0, 2, 1))


def unit(n: int, like, batch: int = 0):
    """The unit matrix in the dtype of another, or so many of it."""
    found = np.eye(n, dtype=like.numpy)
    return np.broadcast_to(found, (batch, n, n)).copy() if batch else found


def summed(x, shares, axis: int):
    """A row or a column: the sum of all along an axis, of which the others count 0."""
    return (x * shares).sum(axis=axis, keepdims=True)


def eliminated(node, a, is_whole: bool) -> list[Any]:
    """[batch, n, m] by Gauss, the largest of what is left of a column as its pivot.

    Gives (matrices, pivots [turns, batch, 1, 1], their rows [turns, batch, 1], whether each stood there). Whole: each
    column of the first n becomes one of the unit matrix. Else the factors L, but for its diagonal, and U.
    """
    batch, n, m = a.shape
    turns = min(n, m)
    a.room(turns, n + m)
    dtype = a.numpy
    row, column = np.eye(turns, n, dtype=dtype), np.eye(turns, m, dtype=dtype)
    left, behind = np.triu(np.ones((turns, n), dtype)), np.triu(np.ones((turns, m), dtype), 1)
    number = np.arange(n, dtype=np.int32)[None]

    def turn(carried: list[Any], parts: list[Any]) -> tuple[list[Any], list[Any]]:
        (a,), (own, at, rest, others) = carried, parts
        own_row, own_column = own.reshape((1, n, 1)), at.reshape((1, 1, m))
        is_own, is_left = (each.reshape((1, n, 1)) > 0 for each in (own, rest))
        size = where(is_left, abs(summed(a, own_column, 2)), -1)
        place = place_of_largest(size.reshape((batch, n)), 1, True)
        place = place.astype("s32")
        is_pivot = call("equal", number, place)
        chosen = is_pivot.astype(a.dtype).reshape((batch, n, 1))
        first, other = (summed(a, each, 1) for each in (chosen, own_row))
        a = where(is_pivot.reshape((batch, n, 1)), other, a)
        a = where(is_own, first, a)
        pivot = summed(first, own_column, 2)
        own_part = summed(a, own_column, 2)
        if is_whole:
            first = first / pivot
            a = where(is_own, first, a - own_part * first)
        else:
            share = own_part / pivot
            less = a - share * first
            is_behind = others.reshape((1, 1, m)) > 0
            less = where(is_behind, less, where(own_column > 0, share, a))
            is_below = is_left & ~is_own
            a = where(is_below, less, a)
        stayed = summed(chosen, own_row, 1)
        return [a], [pivot, place, stayed]

    return turned(turns, [a], [(each, False) for each in (row, column, left, behind)], turn)


def failed(is_bad):
    """[turns, batch, ..]: of each matrix the first turn that failed, counted from 1; 0 where none did."""
    turns = is_bad.shape[0]
    flags = is_bad.reshape((turns, is_bad.size // turns)).astype("s32")
    at = np.arange(turns, dtype=np.int32)[:, None]
    first = where(flags > 0, at, turns).min(axis=0)
    return where(first == turns, 0, first + 1)


def told(node, found: dict[int, Any]) -> list[Any]:
    """The results that are read, by their numbers, each in the shape that torch tells."""
    node.only(*found)
    return [
        found[n]().reshape(each.shape) if n in node.asked else None
        for n, each in enumerate(node.gives)
        if n <= max(node.asked)
    ]


def solved(node, a, b):
    """[batch, n, n] and [batch, n, m] to what times the first is the second, and the pivots."""
    n, m = b.shape[1:]
    found, pivots, *_ = eliminated(node, joined([a, b], 2), True)
    return sliced(found, {2: (n, n + m)}), pivots


def inverse(node, a, check_errors=False):
    a = matrices(a)
    batch, n, _ = a.shape
    found, pivots = solved(node, a, unit(n, a, batch))
    return told(node, {0: lambda: found, 1: lambda: failed(pivots == 0)})


def solve(node, a, b, left=True, check_errors=False):
    """Matrices, or where it has an axis less, vectors."""
    rows, own = a.shape, b.shape
    is_vector = len(own) == 1 or own == rows[:-1]
    if is_vector:
        b = b.reshape((*own, 1))
    a, b = of_one_batch(a, b)
    found, pivots = solved(node, a, b) if left else solved(node, mirrored(a), mirrored(b))
    found = found if left else mirrored(found)
    return told(node, {0: lambda: found, 3: lambda: failed(pivots == 0)})


def of_one_batch(a, b):
    """Both over the batches that they have together."""
    front = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return [matrices(x.broadcast_to((*front, *x.shape[-2:]))) for x in (a, b)]


def determinant(node, a):
    """The product of all pivots, of another sign for each that was exchanged; or its sign and its logarithm."""
    _, pivots, _, stayed = eliminated(node, matrices(a), False)
    turns, batch = pivots.shape[:2]
    pivots, stayed = (each.reshape((turns, batch)) for each in (pivots, stayed))
    turn = stayed * 2 - 1
    if node.operator.startswith("_linalg_det"):
        return told(node, {0: lambda: (pivots * turn).prod(axis=0)})
    sign = lambda: (call("sign", pivots) * turn).prod(axis=0)
    return told(node, {0: sign, 1: lambda: log(abs(pivots)).sum(axis=0)})


def factors(node, a, pivot=True, check_errors=False):
    if not pivot:
        raise Unsupported("without pivots")
    found, pivots, places, _ = eliminated(node, matrices(a), False)
    turns, batch = pivots.shape[:2]
    rows = lambda: (places.reshape((turns, batch)) + 1).transpose((1, 0))
    return told(node, {0: lambda: found, 1: rows, 2: lambda: failed(pivots == 0)})


def cholesky(node, a, upper=False, check_errors=False):
    lower, squares = root(matrices(a))
    is_bad = lambda: ~(squares > 0)
    return told(node, {0: lambda: mirrored(lower) if upper else lower, 1: lambda: failed(is_bad())})


def root(a) -> list[Any]:
    """[batch, n, n]: the lower matrices whose products with themselves these are, and their diagonals' squares."""
    n = a.shape[1]
    ones, left = unit(n, a), np.triu(np.ones((n, n), a.numpy))

    def turn(carried: list[Any], parts: list[Any]) -> tuple[list[Any], list[Any]]:
        (a,), (own, rest) = carried, parts
        column = summed(a, own.reshape((1, 1, n)), 2)
        square = summed(column, own.reshape((1, n, 1)), 1)
        is_left = rest.reshape((1, n, 1)) > 0
        column = where(is_left, column / sqrt(square), 0)
        across = column.transpose((0, 2, 1))
        return [a - column * across], [across, square]

    _, rows, squares = turned(n, [a], [(ones, False), (left, False)], turn)
    turns, batch = rows.shape[:2]
    return [rows.reshape((turns, batch, n)).transpose((1, 2, 0)), squares]


def substituted(node, a, b, upper: bool, is_unit: bool = False):
    """[batch, n, n], of which one triangle counts, and [batch, n, m] to what times the first is the second."""
    batch, n, m = b.shape
    a = triangle(a, 0, upper)

    def turn(carried: list[Any], parts: list[Any]) -> tuple[list[Any], list[Any]]:
        (b,), (own, column) = carried, parts
        own = own.reshape((1, n, 1))
        column = column.reshape((batch, n, 1))
        x = summed(b, own, 1)
        if not is_unit:
            x = x / summed(column, own, 1)
        return [b - column * x], [x]

    series = [(unit(n, a), upper), (a.transpose((2, 0, 1)), upper)]
    _, rows = turned(n, [b], series, turn, [upper])
    return rows.reshape((n, batch, m)).transpose((1, 0, 2))


def solve_triangular(node, a, b, upper, left=True, unitriangular=False):
    a, b = of_one_batch(a, b)
    if left:
        return substituted(node, a, b, upper, unitriangular).reshape(node.shape)
    found = substituted(node, mirrored(a), mirrored(b), not upper, unitriangular)
    return mirrored(found).reshape(node.shape)


def triangular_solve(node, b, a, upper=True, transpose=False, unitriangular=False):
    """And the matrix itself."""
    a, b = of_one_batch(a, b)
    own, is_upper = (mirrored(a), not upper) if transpose else (a, upper)
    return told(node, {0: lambda: substituted(node, own, b, is_upper, unitriangular), 1: lambda: a})


def cholesky_solve(node, b, a, upper=False):
    a, b = of_one_batch(a, b)
    return solved_by_root(node, mirrored(a) if upper else a, b).reshape(node.shape)


def cholesky_inverse(node, a, upper=False):
    a = matrices(a)
    batch, n, _ = a.shape
    found = solved_by_root(node, mirrored(a) if upper else a, unit(n, a, batch))
    return found.reshape(node.shape)


def solved_by_root(node, lower, b):
    return substituted(node, mirrored(lower), substituted(node, lower, b, False), True)


OPERATORS: OperatorTable = (
    ("linalg_inv_ex", inverse),
    ("_linalg_solve_ex", solve),
    ("_linalg_det _linalg_slogdet", determinant),
    ("linalg_lu_factor_ex", factors),
    ("linalg_cholesky_ex", cholesky),
    ("linalg_solve_triangular", solve_triangular),
    ("triangular_solve", triangular_solve),
    ("cholesky_solve", cholesky_solve),
    ("cholesky_inverse", cholesky_inverse),
)
