"""Complex numbers, each tensor of them as two of real ones; their Fourier transforms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, wraps
from math import prod, sqrt
from operator import add, sub
from typing import Any

import numpy as np

from ...readers.operators.array import numpy_of, sliced
from ...readers.operators.complex import ComplexPair, fft, irfft, polar, rfft
from ...readers.operators.kinds import placed
from ...readers.operators.moving import stacked
from ...readers.operators.products import multiplied
from ...readers.tables import OperatorTable
from . import elementwise
from .declaring import AtenOperator, full_name


def pair(node, x) -> ComplexPair:
    """An operand as a pair, in the dtype of the result's parts; a number of Python as one of scalars."""
    dtype = node.dtype_of_parts
    if isinstance(x, ComplexPair):
        return x.map(lambda part: part.astype(dtype))
    if isinstance(x, (bool, int, float, complex)):
        one = complex(x)
        return ComplexPair(*(node.array(np.asarray(each, numpy_of(dtype))) for each in (one.real, one.imag)))
    x = x.astype(dtype)
    return ComplexPair(x, x.number(0))


def whole(node, x: ComplexPair) -> ComplexPair:
    """x, both parts of the shape of the result."""
    return x.map(lambda part: part.broadcast_to(node.shape))


EACH = (
    "alias as_strided as_strided_copy clone constant_pad_nd cumsum diagonal expand flip gather index.Tensor"
    " index_select lift_fresh_copy mean mean.dim neg permute permute_copy repeat select.int select_copy.int"
    " slice.Tensor slice_copy.Tensor split_copy.Tensor split_with_sizes squeeze.dims sum.dim_IntList unbind_copy.int"
    " unfold unsqueeze view view_copy"
)
"""Operators that are linear and have real numbers beside their operands alone: done with each part alone."""
TOGETHER = "cat slice_scatter"
"""The same of several operands; each has two parts."""


def _parts_alone(read: AtenOperator, node, *given):
    own = node.of_parts()
    take = lambda x, name: getattr(x, name) if isinstance(x, ComplexPair) else x
    parts = [read(own, *(take(x, name) for x in given)) for name in ("real", "imag")]
    return [ComplexPair(*each) for each in zip(*parts)] if isinstance(parts[0], (list, tuple)) else ComplexPair(*parts)


def _parts_together(read: AtenOperator, node, first, *given):
    own, is_listed = node.of_parts(), isinstance(first, (list, tuple))
    pairs = [pair(node, x) for x in (first if is_listed else (first, given[0]))]
    parts = [[getattr(each, name) for each in pairs] for name in ("real", "imag")]
    return ComplexPair(*(read(own, each, *given) if is_listed else read(own, *each, *given[1:]) for each in parts))


def of_parts(operators: Mapping[str, AtenOperator]) -> dict[str, AtenOperator]:
    """The operators that are of complex numbers what they are of their parts."""
    return {
        each: wraps(operators[each])(partial(way, operators[each]))
        for way, names in ((_parts_alone, EACH), (_parts_together, TOGETHER))
        for each in map(full_name, names.split())
    }


def view_as_complex(node, x):
    last = x.ndim - 1
    return ComplexPair(*(sliced(x, {last: (a, a + 1)}).reshape(node.shape) for a in (0, 1)))


def to_copy(node, x):
    """Of real numbers in place of complex ones their real parts."""
    return whole(node, pair(node, x)) if node.is_complex else elementwise.to_copy(node, x.real)


def is_real(x: Any) -> bool:
    return not isinstance(x, (ComplexPair, complex))


def joined(join: Callable[[Any, Any], Any], node, x, y, alpha):
    x, y = pair(node, x), pair(node, y)
    return whole(node, join(x, y * pair(node, alpha) if alpha != 1 else y))


def product(node, x, y):
    x, y = (y, x) if is_real(x) else (x, y)
    x, by = pair(node, x), pair(node, y)
    return whole(node, x.map(lambda part: part * by.real) if is_real(y) else x * by)


def quotient(node, x, y):
    x, by = pair(node, x), pair(node, y)
    return whole(node, x.map(lambda part: part / by.real) if is_real(y) else x / by)


def equal(node, x, y):
    x, y = pair(node, x), pair(node, y)
    return (x.real == y.real) & (x.imag == y.imag)


def not_equal(node, x, y):
    x, y = pair(node, x), pair(node, y)
    return (x.real != y.real) | (x.imag != y.imag)


def scaled(part, sizes: list[int], how: int):
    """By nothing, by the root of how many elements were transformed, or by their number."""
    by = (1.0, 1 / sqrt(prod(sizes)), 1 / prod(sizes))[how]
    return part if by == 1 else part * by


def of_real(node, x, dim, normalization, onesided):
    """Along the last of the axes first."""
    *others, last = (placed(a, x.ndim) for a in dim)
    result = rfft(x, last, onesided)
    for axis in others:
        result = fft(result, axis)
    return result.map(lambda part: scaled(part, [x.shape[a] for a in (*others, last)], normalization))


def of_complex(node, x, dim, normalization, forward):
    axes = [placed(a, len(node.shape)) for a in dim]
    for axis in axes:
        x = fft(x, axis, -1 if forward else 1)
    return x.map(lambda part: scaled(part, [node.shape[a] for a in axes], normalization))


def to_real(node, x, dim, normalization, last_dim_size):
    *others, last = (placed(a, len(node.shape)) for a in dim)
    for axis in others:
        x = fft(x, axis, 1)
    return scaled(irfft(x, last, last_dim_size), [node.shape[a] for a in (*others, last)], normalization)


COMPLEX: OperatorTable = (
    ("complex", lambda node, *parts: whole(node, ComplexPair(*(x.astype(node.dtype_of_parts) for x in parts)))),
    ("polar", lambda node, size, angle: whole(node, polar(size, angle))),
    ("view_as_complex view_as_complex_copy", view_as_complex),
    ("view_as_real view_as_real_copy", lambda node, x: stacked([x.real, x.imag], len(node.shape) - 1)),
    ("_to_copy prims.convert_element_type.default", to_copy),
    ("add.Tensor add.Scalar", partial(joined, add)),
    ("sub.Tensor sub.Scalar", partial(joined, sub)),
    ("mul.Tensor mul.Scalar", product),
    ("div.Tensor div.Scalar", quotient),
    ("exp", lambda node, x: whole(node, x.exp())),
    ("eq.Tensor eq.Scalar", equal),
    ("ne.Tensor ne.Scalar", not_equal),
    ("mm bmm", lambda node, x, y: pair(node, x).times(pair(node, y), multiplied)),
    ("_fft_r2c", of_real),
    ("_fft_c2c", of_complex),
    ("_fft_c2r", to_real),
    ("real", lambda x: x.real),
    ("imag", lambda x: x.imag),
    ("abs", abs),
    ("angle", ComplexPair.angle),
    ("_conj _conj_physical conj _conj_copy", ComplexPair.conj),
    ("resolve_conj resolve_neg", lambda x: x),
    ("reciprocal", ComplexPair.reciprocal),
    ("log", ComplexPair.log),
)
