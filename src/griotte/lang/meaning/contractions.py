"""Sums of products of two inputs, as products of matrices in NumPy."""

from __future__ import annotations

from math import prod

import numpy as np

from ..calls.spec import Spec
from ..types.dtypes import dtype
from ..types.expr import PRODUCT, as_product


def is_contraction(spec: Spec) -> bool:
    """A sum of products of two inputs in which no dimension is summed over one input alone: a batched matrix
    product."""
    nest = spec.operation
    if as_product(nest.body) != PRODUCT or not nest.is_sum or nest.streamed != 2:
        return False
    left, right = (a.dims for a in nest.inputs[:2])
    return all(d in left and d in right for d in nest.reduction)


def contracted(spec: Spec, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The sum of products over the reduction dimensions by np.matmul; a and b have one axis per dimension of the
    nest."""
    nest = spec.operation
    left, right = (access.dims for access in nest.inputs[:2])
    both = [d for d in nest.parallel if d in left and d in right or d not in left and d not in right]
    rows = [d for d in nest.parallel if d in left and d not in right]
    columns = [d for d in nest.parallel if d in right and d not in left]

    def grouped(array, *groups):
        order = [[nest.dims.index(d) for d in group] for group in groups]
        moved = array.transpose(
            [i for group in order for i in group] + [i for i in range(array.ndim) if not any(i in g for g in order)]
        )
        lengths = [[array.shape[i] for i in group] for group in order]
        return moved.reshape([prod(n) for n in lengths]), lengths

    a, (batch, m, _) = grouped(a, both, rows, nest.reduction)
    b, (_, _, n) = grouped(b, both, nest.reduction, columns)
    order = [*both, *rows, *columns]
    result = _matmul(a, b, dtype(spec.accumulator).kind).reshape((*batch, *m, *n))
    return result.transpose([order.index(d) for d in nest.parallel])


def _matmul(a: np.ndarray, b: np.ndarray, kind: str) -> np.ndarray:
    """a @ b, integers modulo their width: through float64 while every partial sum is exact in it, else 32 bits as two
    halves."""
    if kind == "float":
        return a @ b
    left, right = a.astype(np.float64), b.astype(np.float64)
    if np.abs(left).max() * np.abs(right).max() * a.shape[-1] < 2.0**53:
        return (left @ right).astype(np.int64).astype(a.dtype)
    if a.dtype.itemsize == 8:
        return a @ b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    crossed = a_high @ b_low + a_low @ b_high  # the product of the high halves is a multiple of 2**32
    return ((crossed.astype(np.int64) << 16) + (a_low @ b_low).astype(np.int64)).astype(a.dtype)


def _halves(array: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return (array >> 16).astype(np.float64), (array & 0xFFFF).astype(np.float64)
