"""Operators that read or write at indices. What is read lies at places of x along one axis: `take` of a flat x."""

from __future__ import annotations

from math import prod

import numpy as np

from ...readers.kinds import in_f32, over_u8
from ...readers.moving import along, countable, flat, joined, picked, place_steps, reshaped, sliced, taken, within
from ...readers.node import Unsupported
from .declaring import operator


@operator("Gather")
def gather(node, x, indices):
    x = node.value(x)
    axis = node.axis(x.type.rank, 0)
    known = None if node.is_value(indices) else within(node, indices, x.type.shape[axis])
    if known is not None and (known.ndim == 1 or known.size == 1):
        part = picked(node, x, axis, known)
        return part if known.ndim == 1 else reshaped(node, part, _replaced(x, axis, known.shape))
    return taken(node, x, axis, within(node, indices, x.type.shape[axis]))


def _replaced(x, axis: int, shape):
    return (*x.type.shape[:axis], *shape, *x.type.shape[axis + 1 :])


def _sum(node, first, *others):
    """A sum of places, known where all are."""
    for other in others:
        known = isinstance(first, np.ndarray) and isinstance(other, np.ndarray)
        first = first + other if known else node.call("add", first, other)
    return first


def _times(node, places, number: int):
    return node.call("mul", places, number) if node.is_value(places) else places * np.int32(number)


def _narrow(node, indices):
    return node.cast(indices, "s32") if node.is_value(indices) else np.asarray(indices).astype(np.int32)


@operator("ArrayFeatureExtractor", domain="ai.onnx.ml")
def features(node, x, places):
    x, count = node.value(x), node.value(places).type.elements
    found = taken(node, x, x.type.rank - 1, reshaped(node, places, (count,)))
    return reshaped(node, found, (1, count)) if x.type.rank == 1 else found


@operator("GatherElements")
def gather_elements(node, x, indices):
    x = node.value(x)
    axis = node.axis(x.type.rank, 0)
    shape = indices.type.shape if node.is_value(indices) else indices.shape
    places = _times(node, _narrow(node, within(node, indices, x.type.shape[axis])), place_steps(x.type.shape)[axis])
    return node.call("take", flat(node, x), _sum(node, _elsewhere(x.type.shape, shape, axis), places))


def _elsewhere(sizes, shape, axis: int) -> np.ndarray:
    """How far each element of a part lies from the first, but along an axis."""
    steps = place_steps(sizes)
    found = np.zeros([1] * len(shape), np.int32)
    for i, n in enumerate(shape):
        if i != axis:
            found = found + along(len(shape), i, np.arange(n, dtype=np.int32) * np.int32(steps[i]))
    return found


@operator("GatherND")
def gather_nd(node, x, indices):
    x = node.value(x)
    batch = node.attribute("batch_dims", 0)
    shape = indices.type.shape if node.is_value(indices) else indices.shape
    last = batch + shape[-1]
    count = countable(prod(x.type.shape[:last]))
    places = _rows(node, indices, x.type.shape[batch:last])
    if batch:
        first = np.arange(prod(x.type.shape[:batch]), dtype=np.int32) * np.int32(prod(x.type.shape[batch:last]))
        places = _sum(node, first.reshape(*x.type.shape[:batch], *[1] * (len(shape) - 1 - batch)), places)
    rows = reshaped(node, x, (count, *x.type.shape[last:]))
    return node.call("take", rows, places)


def _rows(node, indices, sizes):
    """The row that tuples of indices, along the last axis, stand for."""
    shape = indices.type.shape if node.is_value(indices) else indices.shape
    steps, terms = place_steps(sizes), []
    for j, size in enumerate(sizes):
        one = indices[..., j] if not node.is_value(indices) else None
        if one is None:
            one = reshaped(node, sliced(node, indices, {len(shape) - 1: (j, j + 1)}), shape[:-1])
        terms.append(_times(node, _narrow(node, within(node, one, size)), steps[j]))
    return _sum(node, *terms)


@operator("ScatterElements", "Scatter")
@over_u8
def scatter_elements(node, x, indices, updates):
    x = node.value(x)
    axis = node.axis(x.type.rank, 0)
    shape = indices.type.shape if node.is_value(indices) else indices.shape
    places = _times(node, _narrow(node, within(node, indices, x.type.shape[axis])), place_steps(x.type.shape)[axis])
    return _written(node, x, x.type.rank, _sum(node, _elsewhere(x.type.shape, shape, axis), places), updates)


@operator("ScatterND")
@over_u8
def scatter_nd(node, x, indices, updates):
    x = node.value(x)
    depth = (indices.type.shape if node.is_value(indices) else indices.shape)[-1]
    return _written(node, x, depth, _rows(node, indices, x.type.shape[:depth]), updates)


def _written(node, x, axes: int, places, updates):
    """Rows of x along its first axes, of which those at places are updates, or are joined with them, in their order."""
    how = {"none": "set"}.get(found := node.attribute("reduction", "none"), found)
    if how == "set" and node.reader.is_open and not node.is_value(places):
        rows, inner = prod(x.type.shape[:axes]), x.type.shape[axes:]
        at = np.arange(rows)
        at[places.reshape(-1)] = rows + np.arange(places.size)
        whole = joined(node, [reshaped(node, x, (rows, *inner)), reshaped(node, updates, (places.size, *inner))], 0)
        return reshaped(node, picked(node, whole, 0, at), x.type.shape)
    join = _scattered if how == "set" else in_f32(_scattered)
    return join(node, x, updates, places, how, axes)


def _scattered(node, x, updates, places, how: str, axes: int):
    """In an order in which what is computed in f32 comes first."""
    (found,) = node.array_call("scatter", x, places, updates, how=how, axes=axes)
    return found


@operator("TensorScatter")
@over_u8
def tensor_scatter(node, past, new, starts=None):
    """New rows along an axis, from a place of each row of the batch on."""
    past, new = node.value(past), node.value(new)
    axis = node.axis(past.type.rank, -2)
    if not axis:
        raise Unsupported("rows along the axis of the batch")
    starts = np.zeros(past.type.shape[0], np.int32) if starts is None else _narrow(node, starts)
    return laid(node, past, new, starts, axis, node.attribute("mode", "linear") == "circular")


def laid(node, past, new, starts, axis: int, circular: bool = False):
    """past with new rows along an axis, from a place of each row of the batch on; circular: what is beyond the end goes
    on at the start."""
    shape, count = past.type.shape, new.type.shape[axis]
    batch, size, front = shape[0], shape[axis], prod(shape[:axis])
    node.room(front, size)
    step = node.call(
        "sub", np.arange(size, dtype=np.int32)[None], reshaped(node, starts, (batch, 1))
    )  # of the new rows
    if circular:
        step = node.call("mod", step, size)
    inner = node.call("minimum", node.call("maximum", step, 0), count - 1)
    first = np.arange(front, dtype=np.int32).reshape(batch, front // batch, 1) * np.int32(count)
    at = node.call("add", reshaped(node, inner, (batch, 1, size)), first)
    rows = taken(node, reshaped(node, new, (front * count, *shape[axis + 1 :])), 0, at)
    is_new = node.call("logical_and", node.call("greater_equal", step, 0), node.call("less", step, count))
    place = [batch if i == 0 else size if i == axis else 1 for i in range(len(shape))]
    return node.call("where", reshaped(node, is_new, place), reshaped(node, rows, shape), past)
