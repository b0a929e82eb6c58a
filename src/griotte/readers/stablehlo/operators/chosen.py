"""What goes with the largest element of each window that slides, or with the smallest: derivatives of pools."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from ...operators.array import bits, call, kind, sliced, where, wrapped
from ...operators.calls import Unsupported
from ...operators.kinds import least_of, most_of
from ...operators.moving import between, padded
from ...operators.windows import Window, taps
from ...tables import OperatorTable
from ..attributes import WINDOWS
from .windows import told_window

BEFORE = {"ge": ("greater_equal", least_of), "le": ("less_equal", most_of)}
"""By the comparison in which the element that stays is the first: that, and what no element comes after."""


def select_and_gather_add(x, operand, select_prim, **told):
    """The element of x where the first largest of a window of the operand is; 0 where none is larger than the least."""
    test, nothing = _before(select_prim.name)
    given, spread = told_window(**told)
    windows: list[Any] = []
    for each, fill in ((operand, nothing(operand.dtype)), (x, 0)):
        each = between(each, [step - 1 for step in spread], fill)
        windows.append(taps(each, given, fill))
    best, found = operand.number(nothing(operand.dtype)), x.number(0)
    for value, beside in zip(*windows):
        stays = call(test, best, value)
        best, found = where(stays, best, value), where(stays, found, beside)
    return found


def scattered_sum(node, source, operand, how: str, **told):
    """Zeros, to which each element of the source is added where the first largest of its window is."""
    (test, nothing), (given, _) = _before(how), told_window(**told)
    dtype = source.dtype
    is_own = kind(dtype) == "float" or bits(dtype) >= 32
    source = source.astype(dtype if is_own and bits(dtype) >= 32 else "f32" if is_own else "s32")
    operand = operand.astype("u8") if dtype == "pred" else operand
    low, high = zip(*given.pads)
    operand = padded(operand, low, high, nothing(operand.dtype))
    chosen = _first(test, operand, given)
    total: Any = None
    for number, at in enumerate(product(*map(range, given.sizes))):
        is_it = chosen == number
        part = _apart(where(is_it, source, source.number(0)), at, given.stride, operand.shape)
        total = part if total is None else total + part
    total = sliced(total, {a: (n, n + size) for a, (n, size) in enumerate(zip(low, node.shape))})
    return total != 0 if dtype == "pred" else (total if is_own else wrapped(total, dtype))


def _before(how: str):
    if how not in BEFORE:
        raise Unsupported("what is chosen of a window is neither the largest nor the smallest")
    return BEFORE[how]


def _first(test: str, x, given: Window):
    """Of each window the number of the tap at which its first largest element is."""
    best, *others = taps(x, replace(given, pads=((0, 0),) * len(given.sizes)), 0)
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
        "select_and_scatter_add",
        lambda node, source, x, select_prim, **windows: scattered_sum(node, source, x, select_prim.name, **windows),
    ),
    ("select_and_scatter", select_and_scatter, "", WINDOWS),
    ("select_and_gather_add", select_and_gather_add),
)
