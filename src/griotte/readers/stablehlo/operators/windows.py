"""Windows that slide: largest, smallest, sums and products of what they meet; what goes with the largest element of
each, or with the smallest, as derivatives of pools have it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product
from math import prod
from typing import Any

import numpy as np

from ...operators.array import bits, call, kind, sliced, where, wrapped
from ...operators.calls import Unsupported
from ...operators.kinds import NEUTRAL, in_f32, in_s32, least_of, most_of, over_u8
from ...operators.moving import between, cropped, padded
from ...operators.windows import Window, avg_pool, joined_taps, max_pool, taps
from ...tables import OperatorTable
from ..attributes import WINDOWS, each_of
from .elementwise import JOINS
from .reductions import RUNNING

EXTREMES = {"max": "maximum", "min": "minimum"}
"""The calls of two operands that join as these bodies do."""


def reduce_window(node, *operands, jaxpr, consts=(), **how):
    """One that joins by one operation; an initial value is joined with each window once, as XLA does."""
    called = node.reader.body(jaxpr).one_operation()
    if len(operands) != 2 or called not in NEUTRAL or not operands[1].is_known:
        raise Unsupported("what windows are joined by is no sum, product, largest, smallest")
    x, start = operands
    result = windowed(x, called, **how)
    return result if np.asarray(start).item() == NEUTRAL[called](x.dtype) else JOINS[called](result, start)


def window_of(window_dimensions, window_strides, padding=None, base_dilation=None, window_dilation=None):
    """Windows by XLA's parameters, and how far neighbours of the array are spread along each axis."""
    rank = len(window_dimensions)
    every = lambda numbers: tuple(map(int, numbers)) if numbers else (1,) * rank
    pads = tuple((int(low), int(high)) for low, high in padding or ((0, 0),) * rank)
    return Window(every(window_dimensions), every(window_strides), pads, every(window_dilation)), every(base_dilation)


def windowed(x, how: str, **numbers):
    """Windows of x, joined: sums and products of integers in s32 at least, of floats in f32 at least."""
    join = lambda t: _windowed(t, how, *window_of(**numbers))
    return over_u8(join)(x) if how in EXTREMES else in_f32(in_s32(join))(x)


def _windowed(x, how: str, window: Window, spread):
    """All that is before an element, or behind it; a pool where two axes at most have windows; else tap by tap."""
    fill = NEUTRAL[how](x.dtype)
    x = between(x, [step - 1 for step in spread], fill)
    x, pads = cropped(x, window.pads)
    window = replace(window, pads=pads)
    axes = [a for a, (k, s, p) in enumerate(zip(window.sizes, window.stride, window.pads)) if k > 1 or s > 1 or any(p)]
    along = _running_axis(x.shape, window)
    if along is not None:
        return RUNNING[how](x, axis=along, reverse=window.pads[along][1] > 0)
    is_pool = how == "max" or (how == "add" and kind(x.dtype) == "float")
    if not is_pool or len(axes) not in (1, 2):
        return joined_taps(EXTREMES.get(how, how), x, window, fill)
    return _pooled(x, how, axes, window)


def _running_axis(sizes, window: Window) -> int | None:
    """The axis along which windows are all that is on one side of an element; None where they are not."""
    axes = [a for a, k in enumerate(window.sizes) if k > 1]
    if len(axes) != 1 or {*window.stride, *window.dilation} != {1} or sum(any(pair) for pair in window.pads) != 1:
        return None
    (axis,) = axes
    n = sizes[axis]
    return axis if window.sizes[axis] == n and sorted(window.pads[axis]) == [0, n - 1] else None


def _pooled(x, how: str, axes, window: Window):
    """Windows along one axis or two, which are made the last."""
    rest = [a for a in range(x.ndim) if a not in axes]
    order, sizes = [*rest, *axes], [x.shape[a] for a in rest]
    images = (sizes[0], prod(sizes[1:])) if sizes else (1, 1)
    moved = x.transpose(order).reshape((*images, *(x.shape[a] for a in axes)))
    of = lambda numbers: tuple(numbers[a] for a in axes)
    own = Window(of(window.sizes), of(window.stride), of(window.pads), of(window.dilation))
    result = max_pool(moved, own) if how == "max" else avg_pool(moved, own, own.pads) * prod(own.sizes)
    return result.reshape((*sizes, *result.shape[2:])).transpose([order.index(a) for a in range(x.ndim)])


BEFORE = {"ge": ("greater_equal", least_of), "le": ("less_equal", most_of)}
"""By the comparison in which the element that stays is the first: that, and what no element comes after."""


def select_and_gather_add(x, operand, select_prim, **numbers):
    """The element of x where the first largest of a window of the operand is; 0 where none is larger than the least."""
    test, nothing = _before(select_prim.name)
    window, spread = window_of(**numbers)
    windows: list[Any] = []
    for each, fill in ((operand, nothing(operand.dtype)), (x, 0)):
        each = between(each, [step - 1 for step in spread], fill)
        windows.append(taps(each, window, fill))
    best, result = operand.number(nothing(operand.dtype)), x.number(0)
    for value, beside in zip(*windows):
        stays = call(test, best, value)
        best, result = where(stays, best, value), where(stays, result, beside)
    return result


def scattered_sum(node, source, operand, how: str, **numbers):
    """Zeros, to which each element of the source is added where the first largest of its window is."""
    (test, nothing), (window, _) = _before(how), window_of(**numbers)
    dtype = source.dtype
    is_own = kind(dtype) == "float" or bits(dtype) >= 32
    source = source.astype(dtype if is_own and bits(dtype) >= 32 else "f32" if is_own else "s32")
    operand = operand.astype("u8") if dtype == "pred" else operand
    low, high = zip(*window.pads)
    operand = padded(operand, low, high, nothing(operand.dtype))
    chosen = _first(test, operand, window)
    total: Any = None
    for number, at in enumerate(product(*map(range, window.sizes))):
        is_it = chosen == number
        part = _apart(where(is_it, source, source.number(0)), at, window.stride, operand.shape)
        total = part if total is None else total + part
    total = sliced(total, {a: (n, n + size) for a, (n, size) in enumerate(zip(low, node.shape))})
    return total != 0 if dtype == "pred" else (total if is_own else wrapped(total, dtype))


def _before(how: str):
    if how not in BEFORE:
        raise Unsupported("what is chosen of a window is neither the largest nor the smallest")
    return BEFORE[how]


def _first(test: str, x, window: Window):
    """Of each window the number of the tap at which its first largest element is."""
    best, *others = taps(x, replace(window, pads=((0, 0),) * len(window.sizes)), 0)
    chosen = x.of(np.int32(0))
    for number, value in enumerate(others, 1):
        stays = call(test, best, value)
        best = where(stays, best, value)
        chosen = where(stays, chosen, chosen.number(number))
    return chosen


def _apart(x, at, stride, shape):
    """x at the places of one tap of all windows, zeros elsewhere."""
    x = between(x, [step - 1 for step in stride], 0)
    return padded(x, at, [n - k - m for n, k, m in zip(shape, at, x.shape)], 0)


def select_and_scatter(node, operand, source, start, select, scatter, **windows):
    """StableHLO's, of zeros."""
    if scatter not in ("add", "or") or not start.is_known or np.asarray(start) != 0:
        raise Unsupported("what is chosen of windows is not added to zeros")
    return scattered_sum(node, source, operand, select, **windows)


OPERATORS: OperatorTable = (
    (
        "reduce_window",
        reduce_window,
        "",
        WINDOWS | {"base_dilation": each_of("base_dilations"), "window_dilation": each_of("window_dilations")},
    ),
    *(
        (f"reduce_window_{name}", partial(windowed, how=how))
        for name, how in (("max", "max"), ("min", "min"), ("sum", "add"))
    ),
    (
        "select_and_scatter_add",
        lambda node, source, x, select_prim, **windows: scattered_sum(node, source, x, select_prim.name, **windows),
    ),
    ("select_and_scatter", select_and_scatter, "", WINDOWS),
    ("select_and_gather_add", select_and_gather_add),
)
