"""Images of another size: each element of the result is the nearest one of x, or between two along each axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, lcm
from typing import SupportsIndex

from ...support.errors import SpecError
from ..calls.spec import Spec
from ..nests.operation import Operation
from ..types.dtypes import compute_dtype, dtype_or
from ..types.expr import Arg, Expr, apply
from ..types.tensor import TensorType
from . import picking
from .language import (
    DTypeLike,
    LayoutLike,
    TensorLike,
    attribute_text,
    call,
    require_finite,
    require_float,
    require_type,
)
from .nesting import as_call, dims_of, iota, map_of, nest, one_input
from .operations import cast
from .slicing import slice
from .windows import Two, pair, require_rank

COORDINATES = ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel")
ROUNDINGS = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
FINEST = 1000  # the denominator of the nearest ratio that scales are taken for


@call
def resize(
    x: TensorLike,
    size: Sequence[SupportsIndex],
    mode: str = "nearest",
    coordinates: str = "half_pixel",
    rounding: str = "round_prefer_floor",
    scales: Sequence[float] | None = None,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """Images of another size, as ONNX's Resize makes them.

    Args:
        x: any tensor [n, c, h, w]; floats where it is linear.
        size: h' and w' of the result.
        mode: "nearest" or "linear".
        coordinates: which place of x an element of the result is at: "half_pixel", "asymmetric", "align_corners" or
            "pytorch_half_pixel".
        rounding: which element is nearest: "round_prefer_floor", "round_prefer_ceil", "floor" or "ceil".
        scales: of h and w, where they are not those of the sizes.
        dtype: of the result [n, c, h', w']; that of x where left out.

    Examples:
        >>> print(gt.resize(gt.tensor((1, 3, 8, 8)), (16, 12), mode="linear"))
        resize(f32[1,3,8,8], size=(16,12), mode=linear) -> f32[1,3,16,12]
    """
    given = require_type("resize", x)
    require_rank("resize", given, "[n, c, h, w]")
    for key, found, known in (
        ("mode", mode, ("nearest", "linear")),
        ("coordinates", coordinates, COORDINATES),
        ("rounding", rounding, ROUNDINGS),
    ):
        if found not in known:
            raise SpecError(f"resize expects {key} of {' '.join(known)}, found {found}")
    if any(axis > 1 for axis in given.dynamic_axes):
        raise SpecError(f"resize expects fixed sizes h and w, found {given}; write the bound as the size")
    sizes = pair("resize", "size", size, 1)
    steps, said_scales = _steps(given, sizes, scales)
    along = _along(given, sizes, steps, coordinates, rounding)
    return as_call(
        (_between if mode == "linear" else _nearest)(x, along, dtype, layout),
        "resize",
        size=sizes,
        mode=mode,
        coordinates=coordinates if coordinates != COORDINATES[0] else None,
        rounding=rounding if rounding != ROUNDINGS[0] else None,
        scales=said_scales,
    )


def nearest_places(
    x: TensorType,
    size: Sequence[int],
    coordinates: str = "half_pixel",
    rounding: str = "round_prefer_floor",
    scales: Sequence[float] | None = None,
) -> dict[int, list[int]]:
    """Which rows and columns of x a result of this size, each the nearest one, is of: by axis, where they are not all
    of x as it is."""
    height, width = size
    steps, _ = _steps(x, (height, width), scales)
    found = {2 + a: each for a, each in enumerate(_along(x, (height, width), steps, coordinates, rounding))}
    return {axis: each.numbers() for axis, each in found.items() if each.numbers() != [*range(each.size)]}


def is_halved(
    x: TensorType,
    size: Sequence[int],
    coordinates: str = "half_pixel",
    scales: Sequence[float] | None = None,
) -> bool:
    """Whether a linear result of this size is half as high and half as wide, each element midway between four of x."""
    height, width = size
    steps, _ = _steps(x, (height, width), scales)
    along = _along(x, (height, width), steps, coordinates, ROUNDINGS[0])
    return all((each.step, each.first, each.size) == (2, Fraction(1, 2), 2 * each.result) for each in along)


def _along(
    x: TensorType, sizes: Two, steps: tuple[Fraction, ...], coordinates: str, rounding: str
) -> tuple[_Along, ...]:
    return tuple(
        _Along(n, m, *_places(n, m, step, coordinates), rounding) for n, m, step in zip(x.shape[2:], sizes, steps)
    )


def _steps(x: TensorType, sizes: Two, scales: Sequence[float] | None) -> tuple[tuple[Fraction, ...], str | None]:
    """How far apart in x neighbours of the result are, and the text of the scales."""
    if scales is None:
        return tuple(Fraction(n, m) for n, m in zip(x.shape[2:], sizes)), None
    found = tuple(require_finite("resize", "scales", scale) for scale in scales)
    if len(found) != 2 or min(found) <= 0:
        raise SpecError(f"resize expects scales of h and w above 0, found {scales}")
    steps = tuple(1 / Fraction(scale).limit_denominator(FINEST) for scale in found)
    return steps, f"({','.join(map(attribute_text, found))})"


def _places(size: int, result: int, step: Fraction, coordinates: str) -> tuple[Fraction, Fraction]:
    """(step, first) of the places in x: element j is at j * step + first."""
    if coordinates == "align_corners":
        return Fraction(size - 1, result - 1) if result > 1 else Fraction(0), Fraction(0)
    if coordinates == "asymmetric":
        return step, Fraction(0)
    if coordinates == "pytorch_half_pixel" and result == 1:
        return Fraction(0), Fraction(0)
    return step, step / 2 - Fraction(1, 2)


@dataclass(frozen=True)
class _Along:
    """The places of a result along an axis of x: element j is at j * step + first."""

    size: int
    result: int
    step: Fraction
    first: Fraction
    rounding: str

    @property
    def moves(self) -> bool:
        """Whether the result is any other than x is."""
        return (self.result, self.step, self.first) != (self.size, 1, 0)

    @property
    def unit(self) -> int:
        """The parts of an element that all places are whole numbers of."""
        return 2 * lcm(self.step.denominator, self.first.denominator)

    def parts(self, more: int) -> Expr:
        """The places, and so much more, in these parts, over 0, 1, 2, ..; none below 0."""
        return apply("maximum", Arg(0) * int(self.step * self.unit) + (int(self.first * self.unit) + more), 0)

    def whole(self, more: int) -> Spec:
        """The whole numbers at or below the places and so many parts more: s32."""
        return map_of(self.parts(more) / self.unit, iota((self.result,)))

    def nearest(self) -> Spec:
        """The numbers of the nearest elements."""
        half, most = self.unit // 2, self.unit - 1
        more = {"floor": 0, "ceil": most, "round_prefer_ceil": half, "round_prefer_floor": most - half}
        return self.whole(more[self.rounding])

    def numbers(self) -> list[int]:
        """The same, as numbers."""
        half, places = Fraction(1, 2), [self.step * j + self.first for j in range(self.result)]
        round_ = {
            "floor": floor,
            "ceil": ceil,
            "round_prefer_ceil": lambda at: floor(at + half),
            "round_prefer_floor": lambda at: ceil(at - half),
        }[self.rounding]
        return [min(max(round_(at), 0), self.size - 1) for at in places]

    def share(self, compute: str) -> Spec:
        """How far the places are beyond whole numbers, of 1."""
        parts = apply("minimum", self.parts(0), (self.size - 1) * self.unit)
        rest = cast(map_of(parts - parts / self.unit * self.unit, iota((self.result,))), compute)
        return map_of(Arg(0) / self.unit, rest)


def _nearest(x: TensorLike, along: tuple[_Along, ...], dtype: DTypeLike | None, layout: LayoutLike | None) -> Spec:
    """Each the nearest one: by steps where they are the same, else by number."""
    given = require_type("resize", x)
    found = [axis.numbers() for axis in along]
    apart = [numbers[1] - numbers[0] if len(numbers) > 1 else 1 for numbers in found]
    if found == [[*range(numbers[0], numbers[-1] + 1, max(1, step))] for numbers, step in zip(found, apart)]:
        starts, steps = (0, 0, *(numbers[0] for numbers in found)), (1, 1, *apart)
        limits = (*given.shape[:2], *(numbers[-1] + 1 for numbers in found))
        return slice(x, starts, limits, steps, dtype, layout=layout)
    numbers = {2 + axis: a.nearest() for axis, a in enumerate(along) if found[axis] != [*range(a.size)]}
    return picking.picked(x, numbers, dtype, layout)


def _between(x: TensorLike, along: tuple[_Along, ...], dtype: DTypeLike | None, layout: LayoutLike | None) -> Spec:
    """Between two rows, and of those between two columns: rows lie as they are in memory, which is why they come
    first where there are fewer of them, and last else."""
    require_float("resize", x)
    given = require_type("resize", x)
    result, compute = dtype_or(dtype, given.dtype), compute_dtype(given.dtype)
    order = (0, 1) if along[0].result <= along[0].size else (1, 0)
    first, *more = [axis for axis in order if along[axis].moves] or [1]
    for axis in more:
        x, first = _along_one(x, 2 + first, along[first], compute, None), axis
    return _along_one(x, 2 + first, along[first], result, layout)


def _along_one(x: TensorLike, axis: int, along: _Along, dtype: str, layout: LayoutLike | None) -> Spec:
    """x between two neighbours along one axis, by number."""
    given, x = require_type("resize", x), one_input(x)
    dims = dims_of(given.shape)
    compute = compute_dtype(given.dtype, dtype)
    low, share = along.whole(0), along.share(compute)
    high = along.whole(along.unit)
    read = [" ".join(row if j == axis else dim for j, dim in enumerate(dims)) for row in ("r", "s")]
    body = apply("where", apply("eq", Arg(4), 0), Arg(0), (1 - Arg(4)) * Arg(0) + Arg(4) * Arg(1))
    inputs, every = (*read, dims[axis], dims[axis], dims[axis]), " ".join(dims)
    operation = Operation.of("resize", f"{every} r s", inputs, every, body)
    operation = replace(operation, keep=("r", "s"), picks=(("r", 2), ("s", 3)))
    shape = tuple(along.result if j == axis else n for j, n in enumerate(given.shape))
    sizes = {**dict(zip(dims, shape)), "r": along.size, "s": along.size}
    return nest(operation, sizes, (x, x, low, high, share), dtype, layout)
