"""A tensor's type: dtype, shape and dense layout, in XLA's shape notation `f32[8,4]{0,1}`; `f32[<=8,4]` has up to 8
rows. And results without elements: no kernel writes them, and their shapes are all that they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import prod
from numbers import Integral
from operator import index
from typing import Any, SupportsIndex

import numpy as np

from ...support.errors import SpecError
from .dtypes import DTypeLike, dtype, dtype_name

LayoutLike = Sequence[SupportsIndex]  # axes, the fastest first
Size = SupportsIndex | str  # a number, or "<=8" for one that is known only up to a bound
FRESH = "#"  # begins the names of inputs that have none of their own
COUNTED = 1 << 63  # bytes: fewer are counted by an int64_t, as the search and the C do


@dataclass(frozen=True)
class TensorType:
    """A tensor's type: dtype, shape and dense layout, in text `f32[8,4]{0,1}`. `gt.tensor` makes one with less writing.

    Attributes:
        dtype: f64, f32, s8, .. (`griotte.lang.types.dtypes.DTYPES` has all).
        shape: sizes in elements, each 1 or more; of a dynamic axis the bound.
        minor_to_major: the axes, the fastest first; row-major is (rank - 1, ..., 0).
        constant: whether it is a weight.
        dynamic: the axis whose size is only a bound; None where there is none.
        name: operands of one name are one input.
        tied: a second axis of the dynamic size.

    Raises:
        SpecError: a size, a dtype or a layout that is none, or 2^63 bytes and more.

    Examples:
        >>> t = gt.TensorType("f32", (8, 4), (0, 1))
        >>> print(t, t.bytes, t.strides())
        f32[8,4]{0,1} 128 (1, 8)
    """

    dtype: str
    shape: tuple[int, ...]
    minor_to_major: tuple[int, ...]
    constant: bool = False
    dynamic: int | None = None
    name: str = field(default="", compare=False)  # inputs of one name are one input
    tied: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "dtype", dtype_name(self.dtype))
        if any(not isinstance(s, int) or s < 1 for s in self.shape):
            raise SpecError(f"expected sizes that are integers of 1 or more, found {list(self.shape)}")
        if self.bytes >= COUNTED:
            raise SpecError(
                f"expected a tensor of fewer than 2^63 bytes, found {self.dtype}{list(self.shape)}; write smaller sizes"
            )
        if sorted(self.minor_to_major) != list(range(len(self.shape))):
            raise SpecError(
                f"expected a layout that orders the axes 0..{len(self.shape) - 1} once each, found "
                f"{{{','.join(map(str, self.minor_to_major))}}} for {self.dtype}{list(self.shape)}"
            )

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def dynamic_axes(self) -> tuple[int, ...]:
        """The axes of the dynamic size."""
        return tuple(axis for axis in (self.dynamic, self.tied) if axis is not None)

    @property
    def elements(self) -> int:
        """The number of elements; of a dynamic size those of the bound."""
        return prod(self.shape)

    @property
    def bytes(self) -> int:
        """What its elements take up; of a dynamic size those of the bound."""
        return self.elements * dtype(self.dtype).bytes

    @property
    def is_row_major(self) -> bool:
        """Whether the last axis is the fastest, and so on to the first."""
        return self.minor_to_major == row_major(self.rank)

    def strides(self) -> tuple[int, ...]:
        """Steps along each axis, in elements.

        Examples:
            >>> gt.tensor((8, 4, 2)).strides()
            (8, 2, 1)
        """
        strides, step = [0] * self.rank, 1
        for axis in self.minor_to_major:
            strides[axis] = step
            step *= self.shape[axis]
        return tuple(strides)

    def __str__(self) -> str:
        layout = "" if self.is_row_major else "{" + ",".join(map(str, self.minor_to_major)) + "}"
        sizes = ",".join(f"<={s}" if a in self.dynamic_axes else str(s) for a, s in enumerate(self.shape))
        return f"{'const ' if self.constant else ''}{self.dtype}[{sizes}]{layout}"

    def __repr__(self) -> str:
        return f"<griotte.TensorType {f'{self.name}: ' if self.name else ''}{self}>"


def whole(value: object) -> int | None:
    """The int that a whole number of Python or NumPy is; None for anything else, a bool too."""
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None


def layout_of(rank: int, given: object) -> tuple[int, ...]:
    """A layout as it is given, minor to major: row-major for None; SpecError where it is no sequence of axes."""
    if given is None:
        return row_major(rank)
    axes = [whole(axis) for axis in given] if isinstance(given, Iterable) else [None]
    found = tuple(axis for axis in axes if axis is not None)
    if len(found) < len(axes):
        raise SpecError(
            f"expected a layout as a sequence of axes, minor to major, found {given!r}; write one like"
            f" {row_major(rank)}"
        )
    return found


def row_major(rank: int) -> tuple[int, ...]:
    return tuple(range(rank - 1, -1, -1))


def tensor(
    shape: Sequence[Size],
    dtype: DTypeLike = "f32",
    *,
    layout: LayoutLike | None = None,
    constant: bool = False,
    name: str = "",
) -> TensorType:
    """The type of a dense tensor: what the calls take as operands.

    Args:
        shape: sizes, () for a scalar. One size may be known only up to a bound: "<=512".
        dtype: f64 f32 f16 bf16 s2 s4 u2 u4 s8 u8 s16 u16 s32 u32 s64 u64 pred, f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz
            f4e2m1fn, or a dtype of NumPy or ml_dtypes.
        layout: axes, the fastest first; row-major where left out.
        constant: whether it is a weight, which may be packed once, ahead of the calls.
        name: operands of one name are one input.

    Raises:
        SpecError: a size, a dtype or a layout that is none.

    Examples:
        >>> print(gt.tensor((8, 4), "bf16", layout=(0, 1)))
        bf16[8,4]{0,1}
        >>> print(gt.tensor(("<=512", 768), np.float32, constant=True))
        const f32[<=512,768]
    """
    try:
        given = tuple(shape)
        sizes = tuple(int(_BOUND.sub("", s)) if isinstance(s, str) else index(s) for s in given)
    except (TypeError, ValueError):
        if not isinstance(shape, Iterable):
            raise SpecError(f"expected a sequence of sizes, found {shape!r}") from None
        raise SpecError(
            f"expected sizes like 8, or '<=8' for one known only up to a bound, found {list(given)}"
        ) from None
    dynamic, tied = dynamic_axes(sizes, [i for i, s in enumerate(given) if isinstance(s, str) and _BOUND.match(s)])
    order = layout_of(len(sizes), layout)
    return TensorType(dtype_name(dtype), sizes, order, bool(constant), dynamic, name, tied)


def stated(type: TensorType) -> tuple[Size, ...]:
    """The sizes of a type as `tensor` takes them.

    Examples:
        >>> from griotte.lang.types.tensor import stated
        >>> stated(gt.tensor(("<=8", 4)))
        ('<=8', 4)
    """
    return tuple(f"<={n}" if axis in type.dynamic_axes else n for axis, n in enumerate(type.shape))


_BOUND = re.compile(r"^\s*<=")


def dynamic_axes(shape: tuple[int, ...], axes: list[int]) -> tuple[int | None, int | None]:
    """The axis among `axes`, those written with <=, and a second one of that size; SpecError for more, and for two
    sizes."""
    if len(axes) > 2 or len({shape[axis] for axis in axes}) > 1:
        raise SpecError(
            "expected one dynamic size in a tensor, along two axes at most, found"
            f" {' '.join(f'<={shape[axis]}' for axis in axes)}, at axes {' '.join(map(str, axes))}; fix all but one"
        )
    first, second = [*axes, None, None][:2]
    return first, second


@dataclass(frozen=True)
class Empty:
    """A result without elements: its place among all results, its name, dtype and shape."""

    place: int
    name: str
    dtype: str
    shape: tuple[int, ...]

    def array(self) -> np.ndarray:
        """A new array of it."""
        return np.empty(self.shape, dtype(self.dtype).numpy)


def among(results: Iterable[Any], empty: Iterable[Empty]) -> tuple[Any, ...]:
    """All results in order: these, and those without elements in their places."""
    found = list(results)
    for each in sorted(empty, key=lambda e: e.place):
        found.insert(each.place, each.array())
    return tuple(found)


def besides(results: Iterable[Any], empty: Iterable[Empty]) -> tuple[Any, ...]:
    """Those of all results in order that have elements."""
    places = {each.place for each in empty}
    return tuple(result for place, result in enumerate(results) if place not in places)
