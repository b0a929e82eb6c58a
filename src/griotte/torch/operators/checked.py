"""What torch asks of the values that its operators read: by operator, of which of its arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .declaring import as_dtype, is_number, kind


@dataclass(frozen=True)
class Asked:
    """What is asked of all elements of an argument: to be from `least` on and below `size`; without a size, not 0."""

    of: Any
    least: int = 0
    size: int | None = None

    def holds(self, array: np.ndarray) -> bool:
        """Whether what is known is as it is asked."""
        return bool(np.all(array != 0 if self.size is None else (array >= self.least) & (array < self.size)))

    def fails(self, node: Any) -> Any:
        """Where it is not so, as a value of the graph."""
        if self.size is None:
            return node.call("equal", self.of, 0)
        low, high = node.call("less", self.of, self.least), node.call("greater_equal", self.of, self.size)
        return node.call("logical_or", low, high)

    def __str__(self) -> str:
        return "divisors that are not 0" if self.size is None else f"indices from {self.least} to {self.size - 1}"


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
