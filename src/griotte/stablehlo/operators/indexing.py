"""Operations that read or write at places.

All of them are brought to one: the axes that places are told of are moved to the front and become rows, whose numbers
are computed; rows are taken, or set.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import Any

import numpy as np

from ...ir.dtypes import limits
from ...readers.kinds import in_f32, kind, over_u8
from ...readers.moving import broadcast, joined, padded, permuted, picked, place_steps, reshaped, sliced, taken
from .declaring import Unsupported, bits, known, operator

CLIPPED, FILLED = "clip", "fill"


def mode_of(mode: Any, promised: str) -> str:
    """What becomes of places beyond the end: the nearest ones are taken, or none; where it was promised that there are
    none, what XLA does then."""
    told = str(getattr(mode, "name", mode) or "CLIP").upper()
    return {"CLIP": CLIPPED, "FILL_OR_DROP": FILLED, "PROMISE_IN_BOUNDS": promised}[told]


@dataclass(frozen=True)
class Windows:
    """Windows of an array at places that are told of some of its axes.

    Attributes:
        sizes: of the array.
        mapped: axes of it of which a place is told, in the order of the last axis of places, and those of which a
            part is meant.
        told: how many of them have a place.
        batch: axes that go along with axes of the places, and which those are.
        window: how much of each mapped axis there is in a window.
    """

    sizes: tuple[int, ...]
    mapped: tuple[int, ...]
    told: int
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


def windows_of(sizes, starts_map, batch_axes, places_batch, window_sizes) -> Windows:
    """Of an array of these sizes; of each axis so much is in a window."""
    told = tuple(map(int, starts_map))
    batch = tuple((int(a), int(b)) for a, b in zip(batch_axes, places_batch))
    apart = {*told, *(a for a, _ in batch)}
    parts = tuple(a for a, (n, w) in enumerate(zip(sizes, window_sizes)) if a not in apart and w != n)
    mapped = (*told, *parts)
    return Windows(tuple(sizes), mapped, len(told), batch, tuple(int(window_sizes[a]) for a in mapped))


def rows_at(node, windows: Windows, places, mode: str):
    """For each place, then for each element of a window of the mapped axes, the number of its row; and for each place
    whether all of its window is there, None where that needs no look."""
    lead = node.sizes(places)[:-1]
    steps = place_steps(windows.lengths)
    spots: list[Any] = []
    inside: list[Any] = []
    for number, (axis, width) in enumerate(zip(windows.mapped, windows.window)):
        last = windows.sizes[axis] - width
        start = _column(node, places, number, lead) if number < windows.told else np.zeros([1] * len(lead), np.int32)
        if mode == FILLED and number < windows.told:
            inside.append(_both(node, _compared(node, start, 0, last)))
        own: Any = _narrow(node, _clipped(node, start, last))
        own = _spread(node, own, len(lead), len(windows.mapped), number, width)
        spots.append(_times(node, own, steps[len(windows.batch) + number]))
    for number, (axis, along) in enumerate(windows.batch):
        shape = [1] * (len(lead) + len(windows.mapped))
        shape[along] = windows.sizes[axis]
        along_batch = np.arange(windows.sizes[axis], dtype=np.int32).reshape(shape)
        spots.append(along_batch * np.int32(steps[number]))
    full = (*lead, *windows.window)
    found: Any = reduce(lambda a, b: _plus(node, a, b), spots, np.zeros([1] * len(full), np.int32))
    found = broadcast(node, found, full) if node.is_value(found) else np.broadcast_to(found, full)
    return found, _all(node, inside)


def _column(node, places, number: int, lead):
    """One number of each place."""
    if not node.is_value(places):
        return np.asarray(places)[..., number].astype(np.int64)
    return reshaped(node, sliced(node, places, {len(lead): (number, number + 1)}), lead)


def _compared(node, start, low, last):
    if not node.is_value(start):
        return [(start >= low) & (start <= last)]
    return [node.call("greater_equal", start, low), node.call("less_equal", start, last)]


def _both(node, tests):
    return reduce(lambda a, b: node.call("logical_and", a, b), tests)


def _clipped(node, start, last: int):
    if not node.is_value(start):
        return np.clip(start, 0, last)
    return node.call("minimum", node.call("maximum", start, 0), last)


def _narrow(node, start):
    return node.cast(start, "s32") if node.is_value(start) else np.asarray(start).astype(np.int32)


def _spread(node, start, lead: int, count: int, number: int, width: int):
    """Starts with an axis for each mapped axis behind those of places; along its own the elements of a window."""
    shape = node.sizes(start)
    own = np.arange(width, dtype=np.int32).reshape([width if i == lead + number else 1 for i in range(lead + count)])
    wide = (
        reshaped(node, start, (*shape, *[1] * count)) if node.is_value(start) else start.reshape(*shape, *[1] * count)
    )
    return _plus(node, wide, own) if width > 1 else wide


def _plus(node, a, b):
    if not node.is_value(a) and not node.is_value(b):
        return np.asarray(a) + np.asarray(b)
    if not node.is_value(b) and not np.asarray(b).any():
        return a
    if not node.is_value(a) and not np.asarray(a).any():
        return b
    return node.call("add", a, b)


def _times(node, places, number: int):
    if number == 1:
        return places
    return node.call("mul", places, number) if node.is_value(places) else places * np.int32(number)


def _all(node, tests):
    """Whether all hold; None where that is known."""
    open_ = [test for test in tests if node.is_value(test)]
    known = [np.asarray(test) for test in tests if not node.is_value(test)]
    if not open_ and all(test.all() for test in known):
        return None
    both = [*open_, *(test for test in known if not test.all())]
    return both[0] if len(both) == 1 else _both(node, both)


def _as_rows(node, x, windows: Windows):
    """x with its rows along one axis, then what is taken whole."""
    moved = permuted(node, x, (*windows.front, *windows.rest))
    return reshaped(node, moved, (prod(windows.lengths), *(windows.sizes[a] for a in windows.rest)))


@operator("gather")
def gather(node, x, indices, dimension_numbers, slice_sizes, mode=None, fill_value=None, **how):
    """Windows of x at places."""
    numbers = dimension_numbers
    batch = tuple(getattr(numbers, "operand_batching_dims", ()))
    along = tuple(getattr(numbers, "start_indices_batching_dims", ()))
    windows = windows_of(node.sizes(x), numbers.start_index_map, batch, along, slice_sizes)
    places, inside = rows_at(node, windows, indices, mode_of(mode, CLIPPED))
    lead = len(node.sizes(indices)) - 1
    found = _taken(node, x, windows, places)
    gone = {int(a) for a in numbers.collapsed_slice_dims} | {axis for axis, _ in windows.batch}
    kept = [a for a in range(len(windows.sizes)) if a not in gone]
    at = {a: lead + n for n, a in enumerate((*windows.mapped, *windows.rest))}
    offsets = [int(a) for a in numbers.offset_dims]
    order: list[int] = []
    own, leading = iter(kept), iter(range(lead))
    for axis in range(len(node.shape)):
        order.append(at[next(own)] if axis in offsets else next(leading))
    sizes = node.sizes(found)
    squeezed = [a for a in range(len(sizes)) if a in order]
    found = reshaped(node, found, [sizes[a] for a in squeezed])
    found = permuted(node, found, [squeezed.index(a) for a in order])
    if inside is None:
        return found
    shape = [n if a not in offsets else 1 for a, n in enumerate(node.shape)]
    inside = reshaped(node, inside, shape)
    fill = np.asarray(_fill(node.dtype(found), fill_value)).astype(node.numpy(node.dtype(found)))
    return over_u8(lambda own, a, b: own.call("where", broadcast(own, inside, node.shape), a, b))(node, found, fill)


def _fill(dtype: str, fill_value: Any) -> Any:
    """What stands for what is not there, as JAX has it."""
    if fill_value is not None:
        return fill_value
    if kind(dtype) == "float":
        return np.nan
    return True if dtype == "pred" else limits(dtype)[0 if kind(dtype) == "signed" else 1]


def _taken(node, x, windows: Windows, places):
    """[places.., window.., rest..]: the windows."""
    rows = _as_rows(node, x, windows)
    if node.is_value(places):
        return taken(node, rows, 0, places)
    shape, inner = np.shape(places), node.sizes(rows)[1:]
    return reshaped(node, picked(node, rows, 0, places), (*shape, *inner))


def _starts(node, starts):
    """Starts of a window, one of each axis, as places [axes]; and whether all of them are known."""
    if not any(node.is_value(each) for each in starts):
        return np.array([int(np.asarray(each)) for each in starts], np.int64), True
    wide = [node.cast(each, "s32") if node.is_value(each) else np.asarray(each).astype(np.int32) for each in starts]
    return joined(node, [reshaped(node, each, (1,)) for each in wide], 0), False


@operator("dynamic_slice")
def dynamic_slice(node, x, *told, slice_sizes):
    sizes = node.sizes(x)
    starts = [np.int32(0) if n == w else each for each, n, w in zip(told, sizes, slice_sizes)]
    places, is_known = _starts(node, starts)
    if is_known:
        first = [int(np.clip(at, 0, n - w)) for at, n, w in zip(places, sizes, slice_sizes)]
        return sliced(node, x, {a: (at, at + w) for a, (at, w) in enumerate(zip(first, slice_sizes))})
    axes = [a for a, (n, w) in enumerate(zip(sizes, slice_sizes)) if n != w]
    windows = windows_of(sizes, axes, (), (), slice_sizes)
    own, _ = _starts(node, [starts[a] for a in axes])
    rows, _ = rows_at(node, windows, own, CLIPPED)
    found = _taken(node, x, windows, rows)
    order = (*windows.mapped, *windows.rest)
    return permuted(node, found, [order.index(a) for a in range(len(sizes))])


@operator("dynamic_update_slice")
def dynamic_update_slice(node, x, update, *told):
    sizes, part = node.sizes(x), node.sizes(update)
    if sizes == part or 0 in part:
        return x if 0 in part else update
    starts = [np.int32(0) if n == w else each for each, n, w in zip(told, sizes, part)]
    places, is_known = _starts(node, starts)
    if is_known:
        first = [int(np.clip(at, 0, n - w)) for at, n, w in zip(places, sizes, part)]
        return over_u8(_laid_at)(node, x, update, first=first)
    axes = [a for a, (n, w) in enumerate(zip(sizes, part)) if n != w]
    windows = windows_of(sizes, axes, (), (), part)
    own, _ = _starts(node, [starts[a] for a in axes])
    rows, _ = rows_at(node, windows, own, CLIPPED)
    moved = permuted(node, update, (*windows.mapped, *windows.rest))
    return over_u8(_written)(node, x, moved, windows=windows, rows=rows, inside=None, how="set")


def _laid_at(node, x, update, first):
    """An array with an update at a known place: what is before it, it, and what is behind."""
    axis = next((a for a, (n, w) in enumerate(zip(node.sizes(x), node.sizes(update))) if n != w), None)
    if axis is None:
        return update
    size, width, at = node.sizes(x)[axis], node.sizes(update)[axis], first[axis]
    middle = _laid_at(node, sliced(node, x, {axis: (at, at + width)}), update, first)
    return joined(node, [sliced(node, x, {axis: (0, at)}), middle, sliced(node, x, {axis: (at + width, size)})], axis)


JOINS = {"scatter": "set", "scatter_add": "add", "scatter_mul": "mul", "scatter_min": "min", "scatter_max": "max"}


@operator(*JOINS)
@over_u8
def scatter(node, x, indices, updates, dimension_numbers, mode=None, **how):
    """Windows of x at places, set or joined with updates in their order."""
    numbers = dimension_numbers
    batch = tuple(getattr(numbers, "operand_batching_dims", ()))
    along = tuple(getattr(numbers, "scatter_indices_batching_dims", ()))
    gone = {*map(int, numbers.inserted_window_dims), *map(int, batch)}
    inner = [int(a) for a in numbers.update_window_dims]
    sizes, given = node.sizes(x), node.sizes(updates)
    kept = [a for a in range(len(sizes)) if a not in gone]
    window = [1] * len(sizes)
    for axis, own in zip(kept, inner):
        window[axis] = given[own]
    windows = windows_of(sizes, numbers.scatter_dims_to_operand_dims, batch, along, window)
    rows, inside = rows_at(node, windows, indices, mode_of(mode, FILLED))
    lead = [a for a in range(len(given)) if a not in inner]
    of_axis = dict(zip(kept, inner))
    there = [of_axis[a] for a in (*windows.mapped, *windows.rest) if a in of_axis]
    moved = permuted(node, updates, [*lead, *there])
    shape = (*(given[a] for a in lead), *windows.window, *(sizes[a] for a in windows.rest))
    moved = reshaped(node, moved, shape)
    return _written(node, x, moved, windows=windows, rows=rows, inside=inside, how=JOINS[node.operator])


def _written(node, x, updates, windows: Windows, rows, inside, how: str):
    """x with updates [places.., window.., rest..] at rows; those that are not inside go to a row that is cut off."""
    count, inner = prod(windows.lengths), tuple(windows.sizes[a] for a in windows.rest)
    whole = _as_rows(node, x, windows)
    if inside is not None:
        shape = (*node.sizes(inside), *[1] * len(windows.window))
        wide = broadcast(node, reshaped(node, inside, shape), node.sizes(rows))
        rows = known(node.call("where", wide, rows, np.int32(count)))
        whole = padded(node, whole, [0] * (1 + len(inner)), [1] + [0] * len(inner))
    flat = (prod(node.sizes(rows)),)
    places = reshaped(node, rows, flat) if node.is_value(rows) else np.ascontiguousarray(rows).reshape(flat)
    own = in_f32(_joined) if how != "set" else _joined
    found = own(node, whole, reshaped(node, updates, (*flat, *inner)), places, how)
    if inside is not None:
        found = sliced(node, found, {0: (0, count)})
    back = np.argsort((*windows.front, *windows.rest))
    return permuted(node, reshaped(node, found, (*windows.lengths, *inner)), back)


def _joined(node, x, updates, places, how: str):
    (found,) = node.array_call("scatter", x, places, updates, how=how, axes=1)
    return found


@operator("scatter_sub")
def scatter_sub(node, x, indices, updates, **how):
    if bits(node.dtype(updates)) < 32 and kind(node.dtype(updates)) != "float":
        raise Unsupported("of narrow integers")
    return node.again("scatter_add", x, indices, node.again("neg", updates), **how)
