"""Inverses, systems of equations, determinants and factors of matrices [batch, rows, columns]: a turn of a loop for
each column."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from .array import Array, call, log, sliced, sqrt, where
from .moving import joined, triangle
from .reducing import place_of_largest
from .scans import scanned


def matrices(x: Array) -> Array:
    """[.., n, m] as [batch, n, m]."""
    return x.reshape((prod(x.shape[:-2]), *x.shape[-2:]))


def of_one_batch(a: Array, b: Array) -> list[Array]:
    """Both over the batches that they have together."""
    front = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return [matrices(x.broadcast_to((*front, *x.shape[-2:]))) for x in (a, b)]


def mirrored(x: Array) -> Array:
    """Each matrix transposed."""
    return x.transpose((0, 2, 1))


def unit(like: Array) -> np.ndarray:
    """The unit matrix of the size and the dtype of others, so many of it."""
    found = np.eye(like.shape[1], dtype=like.numpy)
    return np.broadcast_to(found, (like.shape[0], *found.shape)).copy()


def _summed(x: Array, shares: Any, axis: int) -> Array:
    """A row or a column, as a sum along an axis in which the others have the share 0."""
    return (x * shares).sum(axis=axis, keepdims=True)


def eliminated(a: Array, is_whole: bool) -> list[Any]:
    """[batch, n, m] by Gauss, the largest element of the rest of a column as its pivot.

    Gives (matrices, pivots [turns, batch, 1, 1], their rows [turns, batch, 1], whether each stood there). Whole: each
    column of the first n becomes one of the unit matrix. Else the factors L, but for its diagonal, and U.
    """
    batch, n, m = a.shape
    turns = min(n, m)
    a.reserve(turns, n + m)
    dtype = a.numpy
    row, column = np.eye(turns, n, dtype=dtype), np.eye(turns, m, dtype=dtype)
    left, behind = np.triu(np.ones((turns, n), dtype)), np.triu(np.ones((turns, m), dtype), 1)
    number = np.arange(n, dtype=np.int32)[None]

    def turn(carried: list[Any], parts: list[Any]) -> tuple[list[Any], list[Any]]:
        (a,), (own, at, rest, others) = carried, parts
        own_row, own_column = own.reshape((1, n, 1)), at.reshape((1, 1, m))
        is_own, is_left = (each.reshape((1, n, 1)) > 0 for each in (own, rest))
        size = where(is_left, abs(_summed(a, own_column, 2)), -1)
        place = place_of_largest(size.reshape((batch, n)), 1, True).astype("s32")
        is_pivot = call("equal", number, place)
        chosen = is_pivot.astype(a.dtype).reshape((batch, n, 1))
        first, other = (_summed(a, each, 1) for each in (chosen, own_row))
        a = where(is_own, first, where(is_pivot.reshape((batch, n, 1)), other, a))
        pivot, own_part = (_summed(x, own_column, 2) for x in (first, a))
        if is_whole:
            first = first / pivot
            a = where(is_own, first, a - own_part * first)
        else:
            share = own_part / pivot
            less = a - share * first
            is_behind = others.reshape((1, 1, m)) > 0
            less = where(is_behind, less, where(own_column > 0, share, a))
            a = where(is_left & ~is_own, less, a)
        return [a], [pivot, place, _summed(chosen, own_row, 1)]

    return scanned(turns, [a], [(each, False) for each in (row, column, left, behind)], turn)


def failed(is_bad: Array) -> Array:
    """[turns, batch, ..]: of each matrix the first turn that failed, counted from 1; 0 where none did."""
    turns = is_bad.shape[0]
    flags = is_bad.reshape((turns, is_bad.size // turns)).astype("s32")
    at = np.arange(turns, dtype=np.int32)[:, None]
    first = where(flags > 0, at, turns).min(axis=0)
    return where(first == turns, 0, first + 1)


def solve(a: Array, b: Any) -> tuple[Array, Array]:
    """What times the first is the second, and the pivots."""
    n, m = b.shape[1:]
    found, pivots, *_ = eliminated(joined([a, b], 2), True)
    return sliced(found, {2: (n, n + m)}), pivots


def _pivots(a: Array) -> tuple[Array, Array]:
    """[turns, batch], whose products are the determinants: pivots, and -1 for each that was exchanged."""
    _, pivots, _, stayed = eliminated(a, False)
    pivots, stayed = (each.reshape(pivots.shape[:2]) for each in (pivots, stayed))
    return pivots, stayed * 2 - 1


def det(a: Array) -> Array:
    """The determinants."""
    pivots, signs = _pivots(a)
    return (pivots * signs).prod(axis=0)


def slogdet(a: Array) -> tuple[Array, Array]:
    """The signs of the determinants, and the logarithms of their sizes."""
    pivots, signs = _pivots(a)
    return (call("sign", pivots) * signs).prod(axis=0), log(abs(pivots)).sum(axis=0)


def cholesky(a: Array) -> tuple[Array, Array]:
    """The lower matrices whose products with themselves these are, and their diagonals' squares [turns, batch, ..]."""
    n = a.shape[1]
    ones, left = np.eye(n, dtype=a.numpy), np.triu(np.ones((n, n), a.numpy))

    def turn(carried: list[Any], parts: list[Any]) -> tuple[list[Any], list[Any]]:
        (a,), (own, rest) = carried, parts
        column = _summed(a, own.reshape((1, 1, n)), 2)
        square = _summed(column, own.reshape((1, n, 1)), 1)
        column = where(rest.reshape((1, n, 1)) > 0, column / sqrt(square), 0)
        across = column.transpose((0, 2, 1))
        return [a - column * across], [across, square]

    _, rows, squares = scanned(n, [a], [(ones, False), (left, False)], turn)
    return rows.reshape((n, a.shape[0], n)).transpose((1, 2, 0)), squares


def solve_triangular(a: Array, b: Any, lower: bool = False, unit_diagonal: bool = False) -> Array:
    """The x [batch, n, m] with a x = b, where one triangle of a [batch, n, n] counts."""
    batch, n, m = b.shape
    a = triangle(a, 0, not lower)

    def turn(carried: list[Any], parts: list[Any]) -> tuple[list[Any], list[Any]]:
        (b,), (own, column) = carried, parts
        own, column = own.reshape((1, n, 1)), column.reshape((batch, n, 1))
        x = _summed(b, own, 1)
        x = x if unit_diagonal else x / _summed(column, own, 1)
        return [b - column * x], [x]

    series = [(np.eye(n, dtype=a.numpy), not lower), (a.transpose((2, 0, 1)), not lower)]
    _, rows = scanned(n, [b], series, turn, [not lower])
    return rows.reshape((n, batch, m)).transpose((1, 0, 2))


def cho_solve(lower: Array, b: Any) -> Array:
    """What times a matrix is b, by the matrix's lower factor."""
    return solve_triangular(mirrored(lower), solve_triangular(lower, b, lower=True))
