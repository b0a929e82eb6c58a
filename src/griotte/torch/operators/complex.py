"""Complex numbers, each tensor of them as two of real ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...readers.moving import broadcast, reshaped, sliced, stacked
from ...readers.numbers import atan2
from ...readers.products import multiplied
from .arithmetic import hypot
from .declaring import OPERATORS, Operator


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


COMPLEX: dict[str, Operator] = {}
"""Operators that read or give complex numbers, by name and overload."""


def complex_operator(*names: str) -> Callable[[Operator], Operator]:
    """Declare what operators of these names are where they read or give complex numbers."""

    def declare(read: Operator) -> Operator:
        COMPLEX.update({name if "." in name else f"{name}.default": read for name in names})
        return read

    return declare


def pair(node, x) -> ComplexPair:
    """An operand as a pair, in the dtype of the result's parts; a number of Python as one of scalars."""
    dtype = node.dtype_of_parts
    if isinstance(x, ComplexPair):
        return x.map(lambda part: node.cast(part, dtype))
    if isinstance(x, (bool, int, float, complex)):
        one = complex(x)
        return ComplexPair(*(node.value(np.asarray(each, node.numpy(dtype))) for each in (one.real, one.imag)))
    x = node.cast(x, dtype)
    return ComplexPair(x, node.number(0, x))


def whole(node, x: ComplexPair) -> ComplexPair:
    """x, both parts of the shape of the result."""
    return x.map(lambda part: broadcast(node, part, node.shape))


# ---- what is done with each part alone -------------------------------------------------------------------------------

EACH = (
    "alias as_strided clone contiguous constant_pad_nd detach diagonal expand flip gather index.Tensor index_select"
    " lift_fresh_copy mean mean.dim neg permute repeat roll select.int slice.Tensor split.Tensor split_with_sizes"
    " squeeze squeeze.dim squeeze.dims sum sum.dim_IntList t transpose.int tril triu unbind.int unfold unsqueeze view"
    " _unsafe_view _reshape_alias reshape _unsafe_index.Tensor cumsum"
)
TOGETHER = "cat stack select_scatter slice_scatter"


def _parts_alone(node, read: Operator, *given, **how):
    """An operator that is linear and has real numbers beside its operands alone."""
    own = node.of_parts()
    take = lambda x, name: getattr(x, name) if isinstance(x, ComplexPair) else x
    parts = [
        read(own, *(take(x, name) for x in given), **{k: take(x, name) for k, x in how.items()})
        for name in ("real", "imag")
    ]
    return [ComplexPair(*each) for each in zip(*parts)] if isinstance(parts[0], (list, tuple)) else ComplexPair(*parts)


def _parts_together(node, read: Operator, first, *given, **how):
    """The same of several operands, each of which has two parts."""
    own, is_listed = node.of_parts(), isinstance(first, (list, tuple))
    pairs = [pair(node, x) for x in (first if is_listed else (first, given[0]))]
    parts = [[getattr(each, name) for each in pairs] for name in ("real", "imag")]
    return ComplexPair(
        *(read(own, each, *given, **how) if is_listed else read(own, *each, *given[1:], **how) for each in parts)
    )


def _by(way: Callable[..., Any], name: str) -> Operator:
    return lambda node, *given, **how: way(node, OPERATORS[name], *given, **how)


for _way, _names in ((_parts_alone, EACH), (_parts_together, TOGETHER)):
    for _name in _names.split():
        _full = _name if "." in _name else f"{_name}.default"
        COMPLEX[_full] = _by(_way, _full)
        _copy = "_copy.".join(_full.split("."))
        if _copy in OPERATORS:
            COMPLEX[_copy] = _by(_way, _copy)


# ---- from real numbers and back --------------------------------------------------------------------------------------


@complex_operator("complex")
def complex_(node, real, imag):
    return whole(node, ComplexPair(*(node.cast(x, node.dtype_of_parts) for x in (real, imag))))


@complex_operator("polar")
def polar(node, size, angle):
    return whole(node, ComplexPair(*(node.call("mul", size, node.call(each, angle)) for each in ("cos", "sin"))))


@complex_operator("view_as_complex", "view_as_complex_copy")
def view_as_complex(node, x):
    last = node.value(x).type.rank - 1
    return ComplexPair(*(reshaped(node, sliced(node, x, {last: (a, a + 1)}), node.shape) for a in (0, 1)))


@complex_operator("view_as_real", "view_as_real_copy")
def view_as_real(node, x):
    return stacked(node, [x.real, x.imag], len(node.shape) - 1)


@complex_operator("real")
def real(node, x):
    return x.real


@complex_operator("imag")
def imag(node, x):
    return x.imag


@complex_operator("_to_copy", "prims.convert_element_type.default")
def to_copy(node, x, dtype=None):
    """Of real numbers in place of complex ones their real parts."""
    if node.is_complex:
        return whole(node, pair(node, x))
    return OPERATORS["_to_copy.default"](node, x.real)


@complex_operator("abs")
def size(node, x):
    return hypot(node, x.real, x.imag)


@complex_operator("angle")
def angle(node, x):
    return atan2(node, x.imag, x.real)


@complex_operator("_conj", "_conj_physical", "conj", "_conj_copy")
def conjugate(node, x):
    return ComplexPair(x.real, node.call("neg", x.imag))


@complex_operator("resolve_conj", "resolve_neg")
def resolved(node, x):
    return x


# ---- arithmetic ------------------------------------------------------------------------------------------------------


def times(node, x: ComplexPair, y: ComplexPair, call: Callable[[Any, Any], Any]) -> ComplexPair:
    """A product by one of real numbers."""
    return ComplexPair(
        node.call("sub", call(x.real, y.real), call(x.imag, y.imag)),
        node.call("add", call(x.real, y.imag), call(x.imag, y.real)),
    )


def is_real(x: Any) -> bool:
    return not isinstance(x, (ComplexPair, complex))


@complex_operator("add.Tensor", "add.Scalar", "sub.Tensor", "sub.Scalar")
def add(node, x, y, alpha=1):
    x, y = pair(node, x), pair(node, y)
    if alpha != 1:
        y = times(node, y, pair(node, alpha), lambda a, b: node.call("mul", a, b))
    call = node.operator.split(".")[0]
    return whole(node, ComplexPair(node.call(call, x.real, y.real), node.call(call, x.imag, y.imag)))


@complex_operator("mul.Tensor", "mul.Scalar")
def mul(node, x, y):
    if is_real(x):
        x, y = y, x
    x = pair(node, x)
    if is_real(y):
        by = pair(node, y).real
        return whole(node, x.map(lambda part: node.call("mul", part, by)))
    return whole(node, times(node, x, pair(node, y), lambda a, b: node.call("mul", a, b)))


@complex_operator("div.Tensor", "div.Scalar")
def div(node, x, y):
    x, by = pair(node, x), pair(node, y)
    if is_real(y):
        return whole(node, x.map(lambda part: node.call("div", part, by.real)))
    return whole(node, times(node, x, one_over(node, by), lambda a, b: node.call("mul", a, b)))


@complex_operator("reciprocal")
def reciprocal(node, x):
    return one_over(node, x)


def one_over(node, x: ComplexPair) -> ComplexPair:
    square = node.call("add", *(node.call("mul", part, part) for part in (x.real, x.imag)))
    return ComplexPair(node.call("div", x.real, square), node.call("div", node.call("neg", x.imag), square))


@complex_operator("exp")
def exp(node, x):
    return polar(node, node.call("exp", x.real), x.imag)


@complex_operator("log")
def log(node, x):
    return ComplexPair(node.call("log", hypot(node, x.real, x.imag)), atan2(node, x.imag, x.real))


@complex_operator("eq.Tensor", "ne.Tensor", "eq.Scalar", "ne.Scalar")
def compared(node, x, y):
    x, y = pair(node, x), pair(node, y)
    call, join = ("equal", "logical_and") if node.operator.startswith("eq") else ("not_equal", "logical_or")
    return node.call(join, node.call(call, x.real, y.real), node.call(call, x.imag, y.imag))


@complex_operator("mm", "bmm", "matmul", "mv", "dot")
def matmul(node, x, y):
    return times(node, pair(node, x), pair(node, y), lambda a, b: multiplied(node, a, b))
