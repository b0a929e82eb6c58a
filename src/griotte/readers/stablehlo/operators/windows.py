"""Windows that slide: largest, smallest, sums and products of what they meet."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import numpy as np

from ...operators.array import bits, kind, sliced, wrapped
from ...operators.calls import Unsupported
from ...operators.kinds import in_f32, least_of, most_of, over_u8
from ...operators.moving import between
from ...operators.windows import Window, avg_pool, joined_taps, max_pool
from ...tables import OperatorTable
from ..attributes import WINDOWS, each_of
from .elementwise import JOINS
from .reductions import RUNNING

JOINED_BY = {"add": "sum", "mul": "prod", "max": "max", "min": "min"}
"""How windows are joined, by the operation of a body."""
TAPS = {"max": "maximum", "min": "minimum", "sum": "add", "prod": "mul"}
NOTHING = {"max": least_of, "min": most_of, "sum": lambda dtype: 0, "prod": lambda dtype: 1}
"""What stands beyond the ends of an array, by how windows are joined."""


def reduce_window(node, *operands, jaxpr, consts=(), **how):
    """One that joins by one operation; an initial value is joined with each window once, as XLA does."""
    called = node.reader.body(jaxpr).one_operation()
    if len(operands) != 2 or called not in JOINED_BY or not operands[1].is_known:
        raise Unsupported("what windows are joined by is no sum, product, largest, smallest")
    x, start = operands
    join = JOINED_BY[called]
    found = windowed(x, join, **how)
    return found if np.asarray(start).item() == NOTHING[join](x.dtype) else JOINS[called](found, start)


def told_window(window_dimensions, window_strides, padding=None, base_dilation=None, window_dilation=None):
    """Windows as they are told, and how far neighbours of the array are spread along each axis."""
    rank = len(window_dimensions)
    every = lambda told: tuple(map(int, told)) if told else (1,) * rank
    pads = tuple((int(low), int(high)) for low, high in padding or ((0, 0),) * rank)
    return Window(every(window_dimensions), every(window_strides), pads, every(window_dilation)), every(base_dilation)


def windowed(x, how: str, **told):
    """Windows of x, joined: of integers in s32 at least, of floats in f32 at least."""
    dtype, join = x.dtype, lambda t: _windowed(t, how, *told_window(**told))
    if how in ("max", "min"):
        return over_u8(join)(x)
    if kind(dtype) == "float":
        return in_f32(join)(x)
    return wrapped(join(x.astype(dtype if bits(dtype) >= 32 else "s32")), dtype)


def _windowed(x, how: str, given: Window, spread):
    """All that is before an element, or behind it; a pool where two axes at most have windows; else tap by tap."""
    fill = NOTHING[how](x.dtype)
    x = between(x, [step - 1 for step in spread], fill)
    x = sliced(x, {a: (max(0, -low), n - max(0, -high)) for a, (n, (low, high)) in enumerate(zip(x.shape, given.pads))})
    given = replace(given, pads=tuple((max(0, low), max(0, high)) for low, high in given.pads))
    axes = [a for a, (k, s, p) in enumerate(zip(given.sizes, given.stride, given.pads)) if k > 1 or s > 1 or any(p)]
    along = _running_axis(x.shape, given)
    if along is not None:
        return RUNNING[how](x, axis=along, reverse=given.pads[along][1] > 0)
    is_pool = how == "max" or (how == "sum" and kind(x.dtype) == "float")
    if not is_pool or len(axes) not in (1, 2):
        return joined_taps(TAPS[how], x, given, fill)
    return _pooled(x, how, axes, given)


def _running_axis(sizes, given: Window) -> int | None:
    """The axis along which windows are all that is on one side of an element; None where they are not."""
    axes = [a for a, k in enumerate(given.sizes) if k > 1]
    if len(axes) != 1 or {*given.stride, *given.dilation} != {1} or sum(any(pair) for pair in given.pads) != 1:
        return None
    (axis,) = axes
    n = sizes[axis]
    return axis if given.sizes[axis] == n and sorted(given.pads[axis]) == [0, n - 1] else None


def _pooled(x, how: str, axes, given: Window):
    """Windows along one axis or two, which are made the last."""
    rest = [a for a in range(x.ndim) if a not in axes]
    order, sizes = [*rest, *axes], [x.shape[a] for a in rest]
    images = (sizes[0], prod(sizes[1:])) if sizes else (1, 1)
    moved = x.transpose(order).reshape((*images, *(x.shape[a] for a in axes)))
    of = lambda numbers: tuple(numbers[a] for a in axes)
    own = Window(of(given.sizes), of(given.stride), of(given.pads), of(given.dilation))
    found = max_pool(moved, own) if how == "max" else avg_pool(moved, own, own.pads) * prod(own.sizes)
    return found.reshape((*sizes, *found.shape[2:])).transpose([order.index(a) for a in range(x.ndim)])


OPERATORS: OperatorTable = (
    (
        "reduce_window",
        reduce_window,
        "",
        WINDOWS | {"base_dilation": each_of("base_dilations"), "window_dilation": each_of("window_dilations")},
    ),
    ("reduce_window_max", lambda x, **how: windowed(x, "max", **how)),
    ("reduce_window_min", lambda x, **how: windowed(x, "min", **how)),
    ("reduce_window_sum", lambda x, **how: windowed(x, "sum", **how)),
)
