"""What follows from the order of elements, read and written places, and segments, beside NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from griotte.readers.operators import indexing, reducing
from on_arrays import agree, floats, of_inputs


@pytest.mark.parametrize("is_largest", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_running_extremes(is_largest, dtype):
    x = np.random.default_rng(0).integers(-4, 4, (3, 9)).astype(dtype)
    values = (np.maximum if is_largest else np.minimum).accumulate(x, 1)
    found, places = of_inputs(reducing.running_extreme, x, 1, is_largest)
    agree([found, np.take_along_axis(x, places, 1)], [values, values])
    last = [[max(k for k in range(i + 1) if row[k] == top[i]) for i in range(9)] for row, top in zip(x, values)]
    assert places.tolist() == last


def test_modes():
    x = np.array([[3, 1, 3, 1, 2], [5, 4, 4, 5, 0]], np.int32)
    values, places = of_inputs(reducing.mode, x, 1)
    assert values.tolist() == [[1], [4]] and places.tolist() == [[3], [2]]


@pytest.mark.parametrize("side", ["left", "right"])
def test_places_among_sorted_ones(side):
    rows, values = np.sort(floats(6).round(1)), np.array([-9, 0, 0.3, 9], np.float32)
    values = np.append(values, rows[2])
    found = of_inputs(reducing.searchsorted, rows, values, side == "right")
    agree(found, np.searchsorted(rows, values, side).astype(found.dtype))


INDICES = (
    ([2, 0],),
    ([[0, 1], [2, 2]],),
    (None, [3, 0]),
    ([1, 2], [3, 0]),
    (None, [1, 3], [0, 4]),
    ([0, 2], None, [1, 1]),
)


@pytest.mark.parametrize("indices", INDICES)
@pytest.mark.parametrize("known", [False, True])
def test_places_of_several_axes(indices, known):
    x, arrays = floats(3, 4, 5), [np.array(each, np.int32) for each in indices if each is not None]
    key = tuple(slice(None) if each is None else np.array(each) for each in indices)

    def with_places(function):
        def on_arrays(x, *given):
            own = iter([x.of(each) for each in arrays] if known else given)
            return function(x, [None if each is None else next(own) for each in indices])

        return of_inputs(on_arrays, x, *([] if known else arrays))

    agree(with_places(indexing.take_at), x[key])
    written = x.copy()
    written[key] = 7
    agree(with_places(lambda x, at: indexing.put_at(x, at, x.number(7))), written)
    np.add.at(added := x.copy(), key, 1)
    agree(with_places(lambda x, at: indexing.put_at(x, at, x.number(1), "add")), added)


def test_segments():
    rows, ends = floats(7, 2), np.array([2, 2, 5, 7], np.int32)
    own = np.repeat([0, 2, 3], [2, 3, 2])
    segment = of_inputs(reducing.segments_ended, ends, 7)
    assert segment.tolist() == own.tolist()
    expected = np.zeros((4, 2), np.float32)
    np.add.at(expected, own, rows)
    agree(of_inputs(reducing.in_segments, rows, own.astype(np.int32), 4, "add"), expected)


@pytest.mark.parametrize("order", [0, 1, 2, 3, np.inf, -np.inf])
def test_norms_of_vectors(order):
    x = floats(3, 5)
    agree(of_inputs(reducing.norm, x, order, (1,)), np.linalg.norm(x, order, 1))


def test_histograms_and_running_sums_of_exponentials():
    x = floats(50)
    found = of_inputs(lambda x: reducing.histogram(x, 5, x.number(-1), x.number(1)), x)
    agree(found, np.histogram(x, 5, (-1, 1))[0].astype(np.float32))
    agree(of_inputs(reducing.logcumsumexp, x, 0), np.logaddexp.accumulate(x))
