"""What goes with the largest element of each window that slides, or with the smallest: derivatives of pools."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...onnx.operators.windows import taps
from ...readers.moving import between, padded, sliced
from ...readers.numbers import wrapped
from .declaring import Unsupported, bits, kind, operator
from .reductions import least, most

BEFORE = {"ge": ("greater_equal", least), "le": ("less_equal", most)}
"""By the comparison in which the element that stays is the first: that, and what no element comes after."""


@operator("select_and_gather_add")
def select_and_gather_add(
    node, x, operand, select_prim, window_dimensions, window_strides, padding, base_dilation=None, window_dilation=None
):
    """The element of x where the first largest of a window of the operand is; 0 where none is larger than the least."""
    test, nothing = _before(select_prim.name)
    rank = len(window_dimensions)
    dilation, spread = (tuple(each or (1,) * rank) for each in (window_dilation, base_dilation))
    windows: list[Any] = []
    for each, fill in ((operand, nothing(node.dtype(operand))), (x, 0)):
        each = between(node, node.value(each), [step - 1 for step in spread], fill)
        windows.append(taps(node, each, window_dimensions, window_strides, dilation, padding, fill))
    best, found = node.number(nothing(node.dtype(operand)), operand), node.number(0, x)
    for value, beside in zip(*windows):
        stays = node.call(test, best, value)
        best, found = node.call("where", stays, best, value), node.call("where", stays, found, beside)
    return found


@operator("select_and_scatter_add")
def select_and_scatter_add(node, source, operand, select_prim, window_dimensions, window_strides, padding):
    """Zeros, to which each element of the source is added where the first largest of its window is."""
    test, nothing = _before(select_prim.name)
    dtype = node.dtype(source)
    is_own = kind(dtype) == "float" or bits(dtype) >= 32
    source = node.cast(source, dtype if is_own and bits(dtype) >= 32 else "f32" if is_own else "s32")
    operand = node.cast(operand, "u8") if dtype == "pred" else node.value(operand)
    low, high = zip(*padding)
    operand = padded(node, operand, low, high, nothing(node.dtype(operand)))
    window, stride = tuple(window_dimensions), tuple(window_strides)
    chosen = _first(node, test, operand, window, stride)
    total = None
    for number, at in enumerate(product(*map(range, window))):
        is_it = node.call("equal", chosen, number)
        part = _apart(node, node.call("where", is_it, source, node.number(0, source)), at, stride, operand.type.shape)
        total = part if total is None else node.call("add", total, part)
    total = sliced(node, total, {a: (n, n + size) for a, (n, size) in enumerate(zip(low, node.shape))})
    return node.call("not_equal", total, 0) if dtype == "pred" else total if is_own else wrapped(node, total, dtype)


def _before(how: str):
    if how not in BEFORE:
        raise Unsupported("what is chosen of a window is neither the largest nor the smallest")
    return BEFORE[how]


def _first(node, test: str, x, window, stride):
    """Of each window the number of the tap at which its first largest element is."""
    none = ((0, 0),) * len(window)
    best, *others = taps(node, x, window, stride, (1,) * len(window), none, 0)
    chosen = node.value(np.int32(0))
    for number, value in enumerate(others, 1):
        stays = node.call(test, best, value)
        best = node.call("where", stays, best, value)
        chosen = node.call("where", stays, chosen, node.number(number, chosen))
    return chosen


def _apart(node, x, at, stride, shape):
    """x at the places of one tap of all windows, zeros elsewhere."""
    x = between(node, x, [step - 1 for step in stride], 0)
    return padded(node, x, at, [n - k - m for n, k, m in zip(shape, at, x.type.shape)], 0)


@operator("select_and_scatter")
def select_and_scatter(node, operand, source, start, select, scatter, **windows):
    """StableHLO's, of zeros."""
    if scatter not in ("add", "or") or node.is_value(start) or start != 0:
        raise Unsupported("what is chosen of windows is not added to zeros")
    return node.again("select_and_scatter_add", source, operand, select_prim=SimpleNamespace(name=select), **windows)
