"""Inverses, systems of equations, determinants and factors of matrices: a turn of a loop for each column."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...readers.moving import broadcast, joined, permuted, reshaped, sliced
from ...readers.turning import turned
from .declaring import Unsupported, operator


def matrices(node, x):
    """[.., n, m] as [batch, n, m]."""
    x = node.value(x)
    return reshaped(node, x, (prod(x.type.shape[:-2]), *x.type.shape[-2:]))


def mirrored(node, x):
    """Each matrix transposed."""
    return permuted(node, x, (0, 2, 1))


def unit(node, n: int, like, batch: int = 0):
    """The unit matrix in the dtype of another, or so many of it."""
    found = np.eye(n, dtype=node.numpy(node.dtype(like)))
    return np.broadcast_to(found, (batch, n, n)).copy() if batch else found


def summed(node, x, shares, axis: int):
    """A row or a column: the sum of all along an axis, of which the others count 0."""
    return node.call("sum", node.call("mul", x, shares), axis=axis, keepdims=True)


def eliminated(node, a, is_whole: bool) -> list[Any]:
    """[batch, n, m] by Gauss, the largest of what is left of a column as its pivot.

    Gives (matrices, pivots [turns, batch, 1, 1], their rows [turns, batch, 1], whether each stood there). Whole: each
    column of the first n becomes one of the unit matrix. Else the factors L, but for its diagonal, and U.
    """
    batch, n, m = a.type.shape
    turns = min(n, m)
    node.room(turns, n + m)
    dtype = node.numpy(a.type.dtype)
    row, column = np.eye(turns, n, dtype=dtype), np.eye(turns, m, dtype=dtype)
    left, behind = np.triu(np.ones((turns, n), dtype)), np.triu(np.ones((turns, m), dtype), 1)
    number = np.arange(n, dtype=np.int32)[None]

    def turn(carried: list[Any], parts: list[Any]) -> tuple[list[Any], list[Any]]:
        (a,), (own, at, rest, others) = carried, parts
        own_row, own_column = reshaped(node, own, (1, n, 1)), reshaped(node, at, (1, 1, m))
        is_own, is_left = (node.call("greater", reshaped(node, each, (1, n, 1)), 0) for each in (own, rest))
        size = node.call("where", is_left, node.call("abs", summed(node, a, own_column, 2)), -1)
        place = node.as_onnx("ArgMax", reshaped(node, size, (batch, n)), axis=1, keepdims=1)
        place = node.cast(place, "s32")
        is_pivot = node.call("equal", number, place)
        chosen = reshaped(node, node.cast(is_pivot, a.type.dtype), (batch, n, 1))
        first, other = (summed(node, a, each, 1) for each in (chosen, own_row))
        a = node.call("where", reshaped(node, is_pivot, (batch, n, 1)), other, a)
        a = node.call("where", is_own, first, a)
        pivot = summed(node, first, own_column, 2)
        own_part = summed(node, a, own_column, 2)
        if is_whole:
            first = node.call("div", first, pivot)
            a = node.call("where", is_own, first, node.call("sub", a, node.call("mul", own_part, first)))
        else:
            share = node.call("div", own_part, pivot)
            less = node.call("sub", a, node.call("mul", share, first))
            is_behind = node.call("greater", reshaped(node, others, (1, 1, m)), 0)
            less = node.call(
                "where", is_behind, less, node.call("where", node.call("greater", own_column, 0), share, a)
            )
            is_below = node.call("logical_and", is_left, node.call("logical_not", is_own))
            a = node.call("where", is_below, less, a)
        stayed = summed(node, chosen, own_row, 1)
        return [a], [pivot, place, stayed]

    return turned(node, turns, [a], [(each, False) for each in (row, column, left, behind)], turn)


def failed(node, is_bad):
    """[turns, batch, ..]: of each matrix the first turn that failed, counted from 1; 0 where none did."""
    turns = is_bad.type.shape[0]
    flags = node.cast(reshaped(node, is_bad, (turns, is_bad.type.elements // turns)), "s32")
    at = np.arange(turns, dtype=np.int32)[:, None]
    first = node.call("min", node.call("where", node.call("greater", flags, 0), at, turns), axis=0)
    return node.call("where", node.call("equal", first, turns), 0, node.call("add", first, 1))


def told(node, found: dict[int, Any]) -> list[Any]:
    """The results that are read, by their numbers, each in the shape that torch tells."""
    node.only(*found)
    return [
        reshaped(node, found[n](), each.shape) if n in node.asked else None
        for n, each in enumerate(node.gives)
        if n <= max(node.asked)
    ]


def solved(node, a, b):
    """[batch, n, n] and [batch, n, m] to what times the first is the second, and the pivots."""
    n, m = b.type.shape[1:]
    found, pivots, *_ = eliminated(node, joined(node, [a, b], 2), True)
    return sliced(node, found, {2: (n, n + m)}), pivots


@operator("linalg_inv_ex")
def inverse(node, a, check_errors=False):
    a = matrices(node, a)
    batch, n, _ = a.type.shape
    found, pivots = solved(node, a, node.value(unit(node, n, a, batch)))
    return told(node, {0: lambda: found, 1: lambda: failed(node, node.call("equal", pivots, 0))})


@operator("_linalg_solve_ex")
def solve(node, a, b, left=True, check_errors=False):
    """Matrices, or where it has an axis less, vectors."""
    rows, own = node.value(a).type.shape, node.value(b).type.shape
    is_vector = len(own) == 1 or own == rows[:-1]
    if is_vector:
        b = reshaped(node, b, (*own, 1))
    a, b = of_one_batch(node, a, b)
    found, pivots = solved(node, a, b) if left else solved(node, mirrored(node, a), mirrored(node, b))
    found = found if left else mirrored(node, found)
    return told(node, {0: lambda: found, 3: lambda: failed(node, node.call("equal", pivots, 0))})


def of_one_batch(node, a, b):
    """Both over the batches that they have together."""
    a, b = node.value(a), node.value(b)
    front = np.broadcast_shapes(a.type.shape[:-2], b.type.shape[:-2])
    return [matrices(node, broadcast(node, x, (*front, *x.type.shape[-2:]))) for x in (a, b)]


@operator("_linalg_det", "_linalg_slogdet")
def determinant(node, a):
    """The product of all pivots, of another sign for each that was exchanged; or its sign and its logarithm."""
    _, pivots, _, stayed = eliminated(node, matrices(node, a), False)
    turns, batch = pivots.type.shape[:2]
    pivots, stayed = (reshaped(node, each, (turns, batch)) for each in (pivots, stayed))
    turn = node.call("sub", node.call("mul", stayed, 2), 1)
    if node.operator.startswith("_linalg_det"):
        return told(node, {0: lambda: node.call("prod", node.call("mul", pivots, turn), axis=0)})
    sign = lambda: node.call("prod", node.call("mul", node.call("sign", pivots), turn), axis=0)
    return told(node, {0: sign, 1: lambda: node.call("sum", node.call("log", node.call("abs", pivots)), axis=0)})


@operator("linalg_lu_factor_ex")
def factors(node, a, pivot=True, check_errors=False):
    if not pivot:
        raise Unsupported("without pivots")
    found, pivots, places, _ = eliminated(node, matrices(node, a), False)
    turns, batch = pivots.type.shape[:2]
    rows = lambda: permuted(node, node.call("add", reshaped(node, places, (turns, batch)), 1), (1, 0))
    return told(node, {0: lambda: found, 1: rows, 2: lambda: failed(node, node.call("equal", pivots, 0))})


@operator("linalg_cholesky_ex")
def cholesky(node, a, upper=False, check_errors=False):
    lower, squares = root(node, matrices(node, a))
    is_bad = lambda: node.call("logical_not", node.call("greater", squares, 0))
    return told(node, {0: lambda: mirrored(node, lower) if upper else lower, 1: lambda: failed(node, is_bad())})


def root(node, a) -> list[Any]:
    """[batch, n, n]: the lower matrices whose products with themselves these are, and their diagonals' squares."""
    n = a.type.shape[1]
    ones, left = unit(node, n, a), np.triu(np.ones((n, n), node.numpy(a.type.dtype)))

    def turn(carried: list[Any], parts: list[Any]) -> tuple[list[Any], list[Any]]:
        (a,), (own, rest) = carried, parts
        column = summed(node, a, reshaped(node, own, (1, 1, n)), 2)
        square = summed(node, column, reshaped(node, own, (1, n, 1)), 1)
        is_left = node.call("greater", reshaped(node, rest, (1, n, 1)), 0)
        column = node.call("where", is_left, node.call("div", column, node.call("sqrt", square)), 0)
        across = permuted(node, column, (0, 2, 1))
        return [node.call("sub", a, node.call("mul", column, across))], [across, square]

    _, rows, squares = turned(node, n, [a], [(ones, False), (left, False)], turn)
    turns, batch = rows.type.shape[:2]
    return [permuted(node, reshaped(node, rows, (turns, batch, n)), (1, 2, 0)), squares]


def substituted(node, a, b, upper: bool, is_unit: bool = False):
    """[batch, n, n], of which one triangle counts, and [batch, n, m] to what times the first is the second."""
    batch, n, m = b.type.shape
    a = node.as_onnx("Trilu", a, np.asarray(0), upper=int(upper))

    def turn(carried: list[Any], parts: list[Any]) -> tuple[list[Any], list[Any]]:
        (b,), (own, column) = carried, parts
        own = reshaped(node, own, (1, n, 1))
        column = reshaped(node, column, (batch, n, 1))
        x = summed(node, b, own, 1)
        if not is_unit:
            x = node.call("div", x, summed(node, column, own, 1))
        return [node.call("sub", b, node.call("mul", column, x))], [x]

    series = [(unit(node, n, a), upper), (permuted(node, a, (2, 0, 1)), upper)]
    _, rows = turned(node, n, [b], series, turn, [upper])
    return permuted(node, reshaped(node, rows, (n, batch, m)), (1, 0, 2))


@operator("linalg_solve_triangular")
def solve_triangular(node, a, b, upper, left=True, unitriangular=False):
    a, b = of_one_batch(node, a, b)
    if left:
        return reshaped(node, substituted(node, a, b, upper, unitriangular), node.shape)
    found = substituted(node, mirrored(node, a), mirrored(node, b), not upper, unitriangular)
    return reshaped(node, mirrored(node, found), node.shape)


@operator("triangular_solve")
def triangular_solve(node, b, a, upper=True, transpose=False, unitriangular=False):
    """And the matrix itself."""
    a, b = of_one_batch(node, a, b)
    own, is_upper = (mirrored(node, a), not upper) if transpose else (a, upper)
    return told(node, {0: lambda: substituted(node, own, b, is_upper, unitriangular), 1: lambda: a})


@operator("cholesky_solve")
def cholesky_solve(node, b, a, upper=False):
    a, b = of_one_batch(node, a, b)
    return reshaped(node, solved_by_root(node, mirrored(node, a) if upper else a, b), node.shape)


@operator("cholesky_inverse")
def cholesky_inverse(node, a, upper=False):
    a = matrices(node, a)
    batch, n, _ = a.type.shape
    found = solved_by_root(node, mirrored(node, a) if upper else a, node.value(unit(node, n, a, batch)))
    return reshaped(node, found, node.shape)


def solved_by_root(node, lower, b):
    return substituted(node, mirrored(node, lower), substituted(node, lower, b, False), True)
