"""What torch asks of the values that its operators read: by operator, of which of its arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from ...readers.moving import sliced
from .declaring import as_dtype, is_number, kind


@dataclass(frozen=True)
class Asked:
    """What is asked of all elements of an argument: to be from `least` on and below `size`; without either, not 0.

    Attributes:
        is_index: whether it is what `check_indices` turns off.
    """

    of: Any
    least: int | None = None
    size: int | None = None
    is_index: bool = False

    def holds(self, array: np.ndarray) -> bool:
        """Whether what is known is as it is asked."""
        if self.least is None and self.size is None:
            return bool(np.all(array != 0))
        above = self.least is None or np.all(array >= self.least)
        return bool(above and (self.size is None or np.all(array < self.size)))

    def fails(self, node: Any) -> Any:
        """Whether it is not so, as a value of the graph: pred of one element."""
        every = lambda call, x: node.call(call, x) if node.sizes(x) else x
        if self.least is None and self.size is None:
            if node.dtype(self.of) == "pred":
                return node.call("equal", every("min", node.cast(self.of, "u8")), 0)
            is_none = node.cast(node.call("equal", self.of, 0), "u8")
            return node.call("not_equal", every("max", is_none), 0)
        if self.size is None:
            return node.call("less", every("min", self.of), self.least)
        of = self.of
        if self.least is not None and kind(node.dtype(of)) == "signed":  # one pass tells both
            of = node.call("where", node.call("less", of, self.least), node.number(self.size, of), of)
        return node.call("greater_equal", every("max", of), self.size)

    def __str__(self) -> str:
        if self.least is None and self.size is None:
            return "numbers that are not 0"
        ends = "" if self.least is None else f" from {self.least}"
        return f"numbers{ends}" if self.size is None else f"numbers{ends} to {self.size - 1}"


Checked = Callable[..., Iterator[Asked]]
CHECKED: dict[str, Checked] = {}
"""By name and overload, "div.Tensor_mode": from a node and its arguments to what is asked."""


def checked(*names: str) -> Callable[[Checked], Checked]:
    """Declare what operators of these names ask; without an overload it is the default one."""

    def declare(asks: Checked) -> Checked:
        CHECKED.update({name if "." in name else f"{name}.default": asks for name in names})
        return asks

    return declare


@checked("div.Tensor_mode", "div.Scalar_mode", "floor_divide", "floor_divide.Scalar")
@checked("remainder.Tensor", "remainder.Scalar", "remainder.Scalar_Tensor", "fmod.Tensor", "fmod.Scalar")
def divided(node: Any, x: Any, y: Any, rounding_mode: str | None = None) -> Iterator[Asked]:
    if kind(node.dtype_given) in ("signed", "unsigned"):
        yield Asked(np.asarray(int(y)) if is_number(y) else as_dtype(node, y, node.dtype_given))


def within(of: Any, size: int, is_from_last: bool = False) -> Asked:
    """That indices are those of an axis of this size; where -1 may be the last, those too."""
    return Asked(of, -size if is_from_last else 0, size, is_index=True)


@checked("embedding")
def embedded(node: Any, weight: Any, indices: Any, *how: Any, **named: Any) -> Iterator[Asked]:
    yield within(indices, node.sizes(weight)[0])


@checked("gather", "index_select", "scatter.src", "scatter.value", "scatter_add", "scatter_reduce.two")
@checked("scatter.reduce", "scatter.value_reduce", "index_add", "index_copy", "index_reduce")
def along(node: Any, x: Any, dim: int, index: Any, *how: Any, **named: Any) -> Iterator[Asked]:
    sizes = node.sizes(x) or (1,)
    yield within(index, sizes[dim])


@checked("take", "put")
def among_all(node: Any, x: Any, index: Any, *how: Any, **named: Any) -> Iterator[Asked]:
    yield within(index, prod(node.sizes(x)), is_from_last=True)


@checked("index_fill.int_Scalar", "index_fill.int_Tensor")
def filled(node: Any, x: Any, dim: int, index: Any, value: Any) -> Iterator[Asked]:
    yield within(index, (node.sizes(x) or (1,))[dim], is_from_last=True)


@checked("index.Tensor", "index_put")
def of_axes(node: Any, x: Any, indices: Any, *how: Any, **named: Any) -> Iterator[Asked]:
    for index, size in zip(indices, node.sizes(x)):
        if index is None:
            continue
        if node.dtype(index) == "pred":
            return  # how many axes a mask takes is told by its own rank
        yield within(index, size, is_from_last=True)


@checked("_embedding_bag", "_embedding_bag_forward_only")
def in_bags(node: Any, weight: Any, indices: Any, offsets: Any, *how: Any, **named: Any) -> Iterator[Asked]:
    yield within(indices, node.sizes(weight)[0])
    if count := node.sizes(offsets)[0]:
        yield Asked(sliced(node, offsets, {0: (0, 1)}), 0, 1, is_index=True)
        yield Asked(offsets, 0, node.sizes(indices)[0] + 1, is_index=True)
    if count > 1:  # in order
        first, then = (sliced(node, offsets, {0: ends}) for ends in ((0, count - 1), (1, count)))
        yield Asked(node.call("greater_equal", then, first), is_index=True)


@checked("repeat_interleave.Tensor")
def repeated(node: Any, repeats: Any, output_size: int | None = None) -> Iterator[Asked]:
    yield Asked(repeats, 0, is_index=True)
    if output_size is not None:
        total = node.call("sum", node.cast(node.value(repeats), "s64"))
        yield Asked(node.call("equal", total, output_size), is_index=True)


@checked("_assert_async.msg", "_functional_assert_async.msg")
def asserted(node: Any, holds: Any, *told: Any) -> Iterator[Asked]:
    yield Asked(holds)


@checked("_linalg_check_errors")
def has_a_factor(node: Any, info: Any, *told: Any, **named: Any) -> Iterator[Asked]:
    yield Asked(info, 0, 1)
