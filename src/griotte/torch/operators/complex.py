"""Complex numbers, each tensor of them as two of real ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from operator import add as add_
from operator import mul, sub
from typing import Any

import numpy as np

from ...operators.array import call, exp, log, numpy_of, sliced
from ...operators.moving import stacked
from ...operators.numbers import atan2, hypot
from ...operators.products import multiplied
from ...readers.tables import OperatorTable
from . import making
from .declaring import AtenOperator, full_name


@dataclass(frozen=True)
class ComplexPair:
    """A complex tensor: its real part and its imaginary one, of one shape, both known or both values."""

    real: Any
    imag: Any

    @property
    def is_known(self) -> bool:
        return isinstance(self.real, np.ndarray) and isinstance(self.imag, np.ndarray)

    def map(self, function: Callable[[Any], Any]) -> ComplexPair:
        """What a function gives of each part."""
        return ComplexPair(function(self.real), function(self.imag))


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


# ---- what is done with each part alone -------------------------------------------------------------------------------

EACH = (
    "alias as_strided clone contiguous constant_pad_nd detach diagonal expand flip gather index.Tensor index_select"
    " lift_fresh_copy mean mean.dim neg permute repeat roll select.int slice.Tensor split.Tensor split_with_sizes"
    " squeeze squeeze.dim squeeze.dims sum sum.dim_IntList t transpose.int tril triu unbind.int unfold unsqueeze view"
    " _unsafe_view _reshape_alias reshape _unsafe_index.Tensor cumsum"
)
TOGETHER = "cat stack select_scatter slice_scatter"


def _parts_alone(read: AtenOperator, node, *given, **how):
    """An operator that is linear and has real numbers beside its operands alone."""
    own = node.of_parts()
    take = lambda x, name: getattr(x, name) if isinstance(x, ComplexPair) else x
    parts = [
        read(own, *(take(x, name) for x in given), **{k: take(x, name) for k, x in how.items()})
        for name in ("real", "imag")
    ]
    return [ComplexPair(*each) for each in zip(*parts)] if isinstance(parts[0], (list, tuple)) else ComplexPair(*parts)


def _parts_together(read: AtenOperator, node, first, *given, **how):
    """The same of several operands, each of which has two parts."""
    own, is_listed = node.of_parts(), isinstance(first, (list, tuple))
    pairs = [pair(node, x) for x in (first if is_listed else (first, given[0]))]
    parts = [[getattr(each, name) for each in pairs] for name in ("real", "imag")]
    return ComplexPair(
        *(read(own, each, *given, **how) if is_listed else read(own, *each, *given[1:], **how) for each in parts)
    )


def of_parts(operators: Mapping[str, AtenOperator]) -> dict[str, AtenOperator]:
    """The operators that are of complex numbers what they are of their parts."""
    found: dict[str, AtenOperator] = {}
    for way, names in ((_parts_alone, EACH), (_parts_together, TOGETHER)):
        for name in map(full_name, names.split()):
            for each in (name, "_copy.".join(name.split("."))):
                if each in operators:
                    found[each] = partial(way, operators[each])
    return found


# ---- from real numbers and back --------------------------------------------------------------------------------------


def complex_(node, real, imag):
    return whole(node, ComplexPair(*(x.astype(node.dtype_of_parts) for x in (real, imag))))


def polar(node, size, angle):
    return whole(node, ComplexPair(*(size * call(each, angle) for each in ("cos", "sin"))))


def view_as_complex(node, x):
    last = x.ndim - 1
    return ComplexPair(*(sliced(x, {last: (a, a + 1)}).reshape(node.shape) for a in (0, 1)))


def view_as_real(node, x):
    return stacked([x.real, x.imag], len(node.shape) - 1)


def real(x):
    return x.real


def imag(x):
    return x.imag


def to_copy(node, x, dtype=None):
    """Of real numbers in place of complex ones their real parts."""
    if node.is_complex:
        return whole(node, pair(node, x))
    return making.to_copy(node, x.real)


def size(x):
    return hypot(x.real, x.imag)


def angle(x):
    return atan2(x.imag, x.real)


def conjugate(x):
    return ComplexPair(x.real, -x.imag)


def resolved(x):
    return x


# ---- arithmetic ------------------------------------------------------------------------------------------------------


def times(x: ComplexPair, y: ComplexPair, by: Callable[[Any, Any], Any]) -> ComplexPair:
    """A product by one of real numbers."""
    return ComplexPair(
        by(x.real, y.real) - by(x.imag, y.imag),
        by(x.real, y.imag) + by(x.imag, y.real),
    )


def is_real(x: Any) -> bool:
    return not isinstance(x, (ComplexPair, complex))


def add(node, x, y, alpha=1):
    x, y = pair(node, x), pair(node, y)
    if alpha != 1:
        y = times(y, pair(node, alpha), mul)
    join = add_ if node.operator.startswith("add") else sub
    return whole(node, ComplexPair(join(x.real, y.real), join(x.imag, y.imag)))


def product(node, x, y):
    if is_real(x):
        x, y = y, x
    x = pair(node, x)
    if is_real(y):
        by = pair(node, y).real
        return whole(node, x.map(lambda part: part * by))
    return whole(node, times(x, pair(node, y), mul))


def div(node, x, y):
    x, by = pair(node, x), pair(node, y)
    if is_real(y):
        return whole(node, x.map(lambda part: part / by.real))
    return whole(node, times(x, one_over(by), mul))


def reciprocal_(x):
    return one_over(x)


def one_over(x: ComplexPair) -> ComplexPair:
    square = x.real * x.real + x.imag * x.imag
    return ComplexPair(x.real / square, -x.imag / square)


def exp_(node, x):
    return polar(node, exp(x.real), x.imag)


def log_(x):
    return ComplexPair(log(hypot(x.real, x.imag)), atan2(x.imag, x.real))


def compared(node, x, y):
    x, y = pair(node, x), pair(node, y)
    is_same = (x.real == y.real) & (x.imag == y.imag)
    return is_same if node.operator.startswith("eq") else (x.real != y.real) | (x.imag != y.imag)


def matmul(node, x, y):
    return times(pair(node, x), pair(node, y), multiplied)


COMPLEX: OperatorTable = (
    ("complex", complex_),
    ("polar", polar),
    ("view_as_complex view_as_complex_copy", view_as_complex),
    ("view_as_real view_as_real_copy", view_as_real),
    ("_to_copy prims.convert_element_type.default", to_copy),
    ("add.Tensor add.Scalar sub.Tensor sub.Scalar", add),
    ("mul.Tensor mul.Scalar", product),
    ("div.Tensor div.Scalar", div),
    ("exp", exp_),
    ("eq.Tensor ne.Tensor eq.Scalar ne.Scalar", compared),
    ("mm bmm matmul mv dot", matmul),
)


COMPLEX_FUNCTIONS: OperatorTable = (
    ("real", real),
    ("imag", imag),
    ("abs", size),
    ("angle", angle),
    ("_conj _conj_physical conj _conj_copy", conjugate),
    ("resolve_conj resolve_neg", resolved),
    ("reciprocal", reciprocal_),
    ("log", log_),
)
