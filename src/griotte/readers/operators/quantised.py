"""Integers that stand for floats: (x - zero) scale. One scale and one zero for all, or one for each row or column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .array import Array, call, known, round_, sliced, where
from .calls import Unsupported
from .products import multiplied


def one_or(x: Array, shape: Any) -> Array:
    """A number of rank 0, or several, as many as there are where a shape has -1."""
    n = x.size
    return x.reshape(() if n == 1 else [n if s == -1 else s for s in shape])


def integer_product(x: Array, y: Array, x_zero=None, y_zero=None, bias=None) -> Array:
    """The s32 product of x and y without their zeros, which are taken off the sums, plus a bias; known terms of these
    are added at once."""
    if min(x.ndim, y.ndim) < 2 and (x_zero is not None or y_zero is not None):
        raise Unsupported("vectors with zeros")
    row, column = (_off(zero, shape) for zero, shape in ((x_zero, (-1, 1)), (y_zero, (-1,))))
    total, term = multiplied(x, y, "s32"), bias
    if row is not None:
        off = row * _total(y, -2)
        if column is not None:
            off = off - row * column * x.shape[-1]
        term = -off if term is None else term - off
    if term is not None:
        total = total + term
    if column is not None:
        total = total - column * _total(x, -1)
    return total


def _off(zero, shape):
    """Zeros in s32, as they lie beside a product; None of those that are left out, or 0."""
    if zero is None or zero.is_known and not np.any(known(zero, "")):
        return None
    return one_or(zero, shape).astype("s32")


def _total(x: Array, axis: int) -> Array:
    return x.sum(axis=axis % x.ndim, keepdims=True, dtype="s32")


def dequantize(x, scale, zero=None):
    """What integers of one scale stand for."""
    return call("dequantize", x, single(scale), 0 if zero is None else single(zero))


def quantize(y, scale, zero, like):
    """Floats as integers of the dtype of others."""
    return call("quantize", y, single(scale), 0 if zero is None else single(zero), dtype=like.dtype)


def single(number: Array) -> Array:
    """One number, of rank 0."""
    if number.size != 1:
        raise Unsupported(f"{list(number.shape)} scales or zeros, where one is expected")
    return number.reshape(())


def dequantized_sums(sums, a_scale, b_scale, bias=None):
    """The floats that sums of products stand for, plus a bias."""
    found = call("dequantize", sums, one_or(a_scale, (-1,)) * one_or(b_scale, (-1,)), 0)
    return found if bias is None else found + bias


def as_u8(x):
    """x as u8, so that 0 is a whole number; the scale; the zero. All zeros have the scale 1."""
    low, high = (
        call(bound, call(called, x, axis=None), 0.0) for called, bound in (("min", "minimum"), ("max", "maximum"))
    )
    span = (high - low) / 255.0
    scale = where(span == 0.0, np.float32(1), span)
    zero = round_(call("clip", -(low / scale), low=0.0, high=255.0))
    zero = zero.astype("u8")
    return [call("quantize", x, scale, zero), scale, zero]


@dataclass(frozen=True)
class IntegerFactor:
    """Weights [in, outputs] of integers with one scale and one zero, or one for each output. Rows by which they are
    multiplied are quantised to u8 before, all by one scale and one zero that follow from their least and largest."""

    weights: Array
    scale: Array
    zero: Array

    @property
    def depth(self) -> int:
        """How long the rows are."""
        return self.weights.shape[0]

    def columns(self, first: int, limit: int) -> IntegerFactor:
        """The weights of some outputs."""
        part = lambda t: t if t.size == 1 else sliced(t, {t.ndim - 1: (first, limit)})
        return IntegerFactor(*map(part, (self.weights, self.scale, self.zero)))

    def of(self, x: Array) -> Array:
        """Rows times the weights."""
        whole, scale, zero = as_u8(x)
        return dequantized_sums(integer_product(whole, self.weights, zero, self.zero), scale, self.scale)
