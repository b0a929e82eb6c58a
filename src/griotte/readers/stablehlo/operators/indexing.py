"""Operations that read or write at places.

All of them are brought to one: the axes that places index are moved to the front and become rows, whose numbers
are computed; rows are taken, or set.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial, reduce
from math import prod
from operator import and_
from typing import Any

import numpy as np

from ....lang.types.dtypes import limits
from ...operators.array import Array, bits, data, kind, maximum, minimum, sliced, where
from ...operators.calls import Unsupported
from ...operators.indexing import narrow, written
from ...operators.kinds import over_u8
from ...operators.moving import along, joined, padded, picked, place_steps
from ...tables import OperatorTable
from ..attributes import indexed, numbers_of
from .elementwise import negative

CLIPPED, FILLED = "clip", "fill"


def mode_of(mode: Any, promised: str) -> str:
    """What becomes of places beyond the end: the nearest ones are taken, or none; where it was promised that there are
    none, what XLA does then."""
    name = str(getattr(mode, "name", mode) or "CLIP").upper()
    return {"CLIP": CLIPPED, "FILL_OR_DROP": FILLED, "PROMISE_IN_BOUNDS": promised}[name]


@dataclass(frozen=True)
class SlidingWindows:
    """Windows of an array at places along some of its axes.

    Attributes:
        sizes: of the array.
        mapped: the axes that a place indexes, in the order of the last axis of places, and the other axes where a
            window has a part.
        indexed: how many of them a place indexes.
        batch: axes that go along with axes of the places, and which those are.
        window: how much of each mapped axis there is in a window.
    """

    sizes: tuple[int, ...]
    mapped: tuple[int, ...]
    indexed: int
    batch: tuple[tuple[int, int], ...]
    window: tuple[int, ...]

    @property
    def front(self) -> tuple[int, ...]:
        """The axes that become rows."""
        return (*(axis for axis, _ in self.batch), *self.mapped)

    @property
    def rest(self) -> tuple[int, ...]:
        """The axes that are taken whole."""
        return tuple(a for a in range(len(self.sizes)) if a not in self.front)

    @property
    def lengths(self) -> tuple[int, ...]:
        return tuple(self.sizes[a] for a in self.front)


def windows_of(sizes, starts_map, batch_axes, places_batch, window_sizes) -> SlidingWindows:
    """Of an array of these sizes; of each axis so much is in a window."""
    indexed = tuple(map(int, starts_map))
    batch = tuple((int(a), int(b)) for a, b in zip(batch_axes, places_batch))
    apart = {*indexed, *(a for a, _ in batch)}
    parts = tuple(a for a, (n, w) in enumerate(zip(sizes, window_sizes)) if a not in apart and w != n)
    mapped = (*indexed, *parts)
    return SlidingWindows(tuple(sizes), mapped, len(indexed), batch, tuple(int(window_sizes[a]) for a in mapped))


def rows_at(windows: SlidingWindows, places, mode: str):
    """For each place, then for each element of a window of the mapped axes, the number of its row. And for each place
    whether all of its window is there, None where that needs no look."""
    lead, count = places.ndim - 1, len(windows.mapped)
    steps, batch = place_steps(windows.lengths), len(windows.batch)
    spots: list[Any] = []
    inside: list[Any] = []
    for number, (axis, width) in enumerate(zip(windows.mapped, windows.window)):
        last = windows.sizes[axis] - width
        start = data(places)[..., number] if number < windows.indexed else np.zeros([1] * lead, np.int32)
        if mode == FILLED and number < windows.indexed:
            inside.append((start >= 0) & (start <= last))
        start = np.clip(start, 0, last) if isinstance(start, np.ndarray) else minimum(maximum(start, 0), last)
        own = narrow(start).reshape((*start.shape, *[1] * count))
        own = _plus(own, along(lead + count, lead + number, np.arange(width, dtype=np.int32)))
        spots.append(own if steps[batch + number] == 1 else own * steps[batch + number])
    for number, (axis, at) in enumerate(windows.batch):
        own = along(lead + count, at, np.arange(windows.sizes[axis], dtype=np.int32))
        spots.append(own * np.int32(steps[number]))
    full = (*places.shape[:-1], *windows.window)
    result: Any = reduce(_plus, spots, np.zeros([1] * len(full), np.int32))
    result = result.broadcast_to(full) if isinstance(result, Array) else np.broadcast_to(result, full)
    tests = [test for test in inside if isinstance(test, Array)]
    tests += [test for test in inside if not isinstance(test, Array) and not test.all()]
    return result, reduce(and_, tests) if tests else None


def _plus(a, b):
    for one, other in ((a, b), (b, a)):
        if isinstance(other, np.ndarray) and isinstance(one, Array) and not other.any():
            return one
    return a + b


def _as_rows(x, windows: SlidingWindows):
    """x with its rows along one axis, then the axes taken whole."""
    moved = x.transpose((*windows.front, *windows.rest))
    return moved.reshape((prod(windows.lengths), *(windows.sizes[a] for a in windows.rest)))


def _as_vectors(places, axis):
    """Places whose numbers lie along the last axis."""
    if axis is None or axis == places.ndim - 1:
        return places
    if axis != places.ndim:
        raise Unsupported("places whose numbers do not lie along the last axis")
    return places.reshape((*places.shape, 1))


def gather(node, x, indices, dimension_numbers, slice_sizes, **how):
    """Windows of x at places."""
    numbers, indices = dimension_numbers, _as_vectors(indices, how.get("index_vector_dim"))
    batch = tuple(getattr(numbers, "operand_batching_dims", ()))
    along = tuple(getattr(numbers, "start_indices_batching_dims", ()))
    windows = windows_of(x.shape, numbers.start_index_map, batch, along, slice_sizes)
    places, inside = rows_at(windows, indices, mode_of(how.get("mode"), CLIPPED))
    lead, offsets = indices.ndim - 1, [int(a) for a in numbers.offset_dims]
    result = _taken(x, windows, places)
    gone = {int(a) for a in numbers.collapsed_slice_dims} | {axis for axis, _ in windows.batch}
    at = {a: lead + n for n, a in enumerate((*windows.mapped, *windows.rest))}
    own, leading = (at[a] for a in range(x.ndim) if a not in gone), iter(range(lead))
    order = [next(own) if axis in offsets else next(leading) for axis in range(len(node.shape))]
    squeezed = sorted(order)
    result = result.reshape([result.shape[a] for a in squeezed]).transpose([squeezed.index(a) for a in order])
    if inside is None:
        return result
    inside = result.of(inside.reshape([n if a not in offsets else 1 for a, n in enumerate(node.shape)]))
    fill = np.asarray(_fill(result.dtype, how.get("fill_value"))).astype(result.numpy)
    return over_u8(lambda a, b: where(inside.broadcast_to(node.shape), a, b))(result, fill)


def _fill(dtype: str, fill_value: Any) -> Any:
    """The value in place of a missing element, as JAX has it."""
    if fill_value is not None:
        return fill_value
    if kind(dtype) == "float":
        return np.nan
    return True if dtype == "pred" else limits(dtype)[0 if kind(dtype) == "signed" else 1]


def _taken(x, windows: SlidingWindows, places):
    """[places.., window.., rest..]: the windows."""
    rows = _as_rows(x, windows)
    if isinstance(places, Array):
        return rows.take(places, 0)
    shape, inner = np.shape(places), rows.shape[1:]
    return picked(rows, 0, places).reshape((*shape, *inner))


def _placed(x, starts, part):
    """Where a part of x begins along each axis, where that is known; else as windows, and their rows."""
    starts = [np.zeros((), np.int32) if n == w else data(each) for each, n, w in zip(starts, x.shape, part)]
    if all(isinstance(each, np.ndarray) for each in starts):
        return [int(np.clip(int(at), 0, n - w)) for at, n, w in zip(starts, x.shape, part)], None, None
    axes = [a for a, (n, w) in enumerate(zip(x.shape, part)) if n != w]
    windows = windows_of(x.shape, axes, (), (), part)
    own = joined([narrow(starts[a]).reshape((1,)) for a in axes], 0)
    return None, windows, rows_at(windows, own, CLIPPED)[0]


def dynamic_slice(x, *starts, slice_sizes):
    first, windows, rows = _placed(x, starts, slice_sizes)
    if windows is None:
        return sliced(x, {a: (at, at + w) for a, (at, w) in enumerate(zip(first, slice_sizes))})
    result, order = _taken(x, windows, rows), (*windows.mapped, *windows.rest)
    return result.transpose([order.index(a) for a in range(x.ndim)])


def dynamic_update_slice(x, update, *starts):
    if x.shape == update.shape or 0 in update.shape:
        return x if 0 in update.shape else update
    first, windows, rows = _placed(x, starts, update.shape)
    if windows is None:
        return over_u8(_laid_at)(x, update, first=first)
    moved = update.transpose((*windows.mapped, *windows.rest))
    return over_u8(_written)(x, moved, windows=windows, rows=rows, inside=None, how="set")


def _laid_at(x, update, first):
    """An array with an update at a known place: the part before it, the update, and the part behind."""
    axis = next((a for a, (n, w) in enumerate(zip(x.shape, update.shape)) if n != w), None)
    if axis is None:
        return update
    size, width, at = x.shape[axis], update.shape[axis], first[axis]
    middle = _laid_at(sliced(x, {axis: (at, at + width)}), update, first)
    return joined([sliced(x, {axis: (0, at)}), middle, sliced(x, {axis: (at + width, size)})], axis)


@over_u8
def scatter(x, indices, updates, join, dimension_numbers, **how):
    """Windows of x at places, set or joined with updates in their order."""
    numbers, indices = dimension_numbers, _as_vectors(indices, how.get("index_vector_dim"))
    batch = tuple(getattr(numbers, "operand_batching_dims", ()))
    along = tuple(getattr(numbers, "scatter_indices_batching_dims", ()))
    gone = {*map(int, numbers.inserted_window_dims), *map(int, batch)}
    inner = [int(a) for a in numbers.update_window_dims]
    sizes, given = x.shape, updates.shape
    kept = [a for a in range(len(sizes)) if a not in gone]
    window = [1] * len(sizes)
    for axis, own in zip(kept, inner):
        window[axis] = given[own]
    windows = windows_of(sizes, numbers.scatter_dims_to_operand_dims, batch, along, window)
    rows, inside = rows_at(windows, indices, mode_of(how.get("mode"), FILLED))
    lead = [a for a in range(len(given)) if a not in inner]
    of_axis = dict(zip(kept, inner))
    there = [of_axis[a] for a in (*windows.mapped, *windows.rest) if a in of_axis]
    moved = updates.transpose([*lead, *there])
    shape = (*(given[a] for a in lead), *windows.window, *(sizes[a] for a in windows.rest))
    moved = moved.reshape(shape)
    return _written(x, moved, windows=windows, rows=rows, inside=inside, how=join)


def _written(x, updates, windows: SlidingWindows, rows, inside, how: str):
    """x with updates [places.., window.., rest..] at rows; those that are not inside go to a row that is cut off."""
    count, inner = prod(windows.lengths), tuple(windows.sizes[a] for a in windows.rest)
    whole = _as_rows(x, windows)
    if inside is not None:
        shape = (*inside.shape, *[1] * len(windows.window))
        rows = data(where(x.of(inside).reshape(shape).broadcast_to(rows.shape), rows, np.int32(count)))
        whole = padded(whole, [0] * (1 + len(inner)), [1] + [0] * len(inner))
    flat = (prod(rows.shape),)
    result = written(whole, 1, rows.reshape(flat), updates.reshape((*flat, *inner)), how)
    if inside is not None:
        result = sliced(result, {0: (0, count)})
    back = np.argsort((*windows.front, *windows.rest))
    return result.reshape((*windows.lengths, *inner)).transpose(back)


def scatter_sub(x, indices, updates, **how):
    if bits(updates.dtype) < 32 and kind(updates.dtype) != "float":
        raise Unsupported("of narrow integers")
    return scatter(x, indices, negative(updates), "add", **how)


OPERATORS: OperatorTable = (
    (
        "gather",
        gather,
        "",
        {
            **indexed(
                "dimension_numbers",
                "offset_dims collapsed_slice_dims start_index_map operand_batching_dims start_indices_batching_dims",
            ),
            "slice_sizes": numbers_of("slice_sizes"),
        },
    ),
    ("dynamic_slice", dynamic_slice, "", {"slice_sizes": numbers_of("sizes", "slice_sizes")}),
    ("dynamic_update_slice", dynamic_update_slice),
    (
        "scatter",
        partial(scatter, join="set"),
        "",
        {
            **indexed(
                "scatter_dimension_numbers",
                "update_window_dims inserted_window_dims scatter_dims_to_operand_dims scatter_indices_batching_dims",
                operand_batching_dims="input_batching_dims",
            ),
            "mode": lambda op: "FILL_OR_DROP",
        },
    ),
    *((f"scatter_{join}", partial(scatter, join=join)) for join in ("add", "mul", "min", "max")),
    ("scatter_sub", scatter_sub),
)
