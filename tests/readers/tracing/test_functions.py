"""Each function of NumPy that is declared against NumPy: values, shapes and dtypes, by the reference of the graph."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import griotte as gt
import ml_dtypes
import numpy as np
import pytest
from griotte.models.reference import interpret
from griotte.readers.tracing.arguments import as_array
from griotte.readers.tracing.trace import METHODS, REFUSED
from griotte.readers.tracing.tracer import FILES, FUNCTIONS, traced
from griotte.readers.tracing.ufuncs import UFUNCS
from numpy_calls import FUNCTION_CALLS, I3, OPERATORS, UFUNC_CALLS, X, Y, numbers, of_indices

CALLS = {
    f"{name}-{n}": call
    for table in (UFUNC_CALLS, FUNCTION_CALLS)
    for name, calls in table.items()
    for n, call in enumerate(calls)
}
OTHERS = {"expit", "erf"}  # scipy's


def alike(found: Any, wanted: Any) -> None:
    """The same arrays, but for rounding."""
    if isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted):
            alike(one, other)
        return
    assert (found.shape, found.dtype) == (np.shape(wanted), np.asarray(wanted).dtype)
    error = {2: 4e-3, 4: 2e-5}.get(found.dtype.itemsize, 1e-6)
    np.testing.assert_allclose(found.astype(np.float64), np.asarray(wanted).astype(np.float64), error, error)


def by_reference(function: Any, *arrays: np.ndarray) -> Any:
    graph, result = traced(function, arrays, {}, as_array)
    return result.build(interpret(graph, *arrays))


@pytest.mark.parametrize("name", CALLS)
def test_a_function_is_as_numpys(name):
    function, *arrays = CALLS[name]
    alike(by_reference(function, *arrays), function(*arrays))


def test_a_graph_gives_each_array_as_often_as_its_function():
    """Also an argument; `gt.jit` gives the same array again, as the function does."""
    a = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)
    function = lambda x: ((y := np.maximum(x, 0)), {"again": y, "x": [x, x]}, -x)
    found = gt.compile(gt.graph(function, a), target="portable", table="none")(a)
    for mine, wanted in zip(found, (np.maximum(a, 0),) * 2 + (a, a, -a), strict=True):
        np.testing.assert_array_equal(mine, wanted)
    assert not any(np.shares_memory(x, y) for n, x in enumerate(found) for y in found[:n])
    jitted = gt.jit(function, target="portable", table="none")(a)
    assert jitted[0] is jitted[1]["again"]


def test_every_declared_function_is_tried():
    assert set(FUNCTIONS) == set(FUNCTION_CALLS)
    assert set(UFUNCS) - OTHERS == set(UFUNC_CALLS)
    assert not set(FUNCTIONS) & set(REFUSED) and set(METHODS.values()) <= set(FUNCTIONS)


def test_what_is_refused_is_a_function_of_numpy():
    for name in REFUSED:
        place = np
        for part in name.split("."):
            place = getattr(place, part)


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("other", [2, 0.5, np.float64(2), np.float32(0.5), True], ids=repr)
@pytest.mark.parametrize("dtype", ["f4", "f2", "f8", "i4", "u1", ml_dtypes.bfloat16], ids=str)
def test_dtypes_are_numpys(operator, other, dtype):
    x = numbers(5, dtype=dtype)
    if operator.__name__ == "pow" and np.dtype(dtype).kind in "iu" and other is True:
        return  # NumPy has no such loop for all
    function = lambda x: operator(x, other)
    try:
        wanted = function(x)
    except TypeError:
        return
    alike(by_reference(function, x), wanted)


def test_numbers_come_first_too():
    alike(
        by_reference(lambda x: (1 - x, 2**x, 1 / x, X + x, [1, 2, 3, 4, 5, 6] * x), Y),
        (1 - Y, 2**Y, 1 / Y, X + Y, [1, 2, 3, 4, 5, 6] * Y),
    )


def test_parts_are_numpys():
    alike(by_reference(of_indices, I3), of_indices(I3))


def test_rows_by_computed_numbers():
    def function(x: Any) -> Any:
        return x[np.argmax(x, axis=0)[:2]], x[:, np.argmax(x, axis=1)], x[np.arange(4), np.argmax(x, axis=1) - 6]

    alike(by_reference(function, X), function(X))


def written(x: Any) -> Any:
    y = x * 1
    y[y > 0.5] = 0
    y[1, 2:4] = 7
    y[0] = y[2].copy() + 1
    return y


def test_what_is_written_to():
    alike(by_reference(written, X), written(X))


def in_place(x: Any) -> Any:
    y = x + 1
    z = y
    y *= 2
    np.exp(y, out=y)
    return z, y.sum(axis=0)


def test_in_place():
    alike(by_reference(in_place, X), in_place(X))


def into_a_part(x: Any) -> Any:
    y = x[0] * 1
    np.sum(X, axis=0, out=y)
    return y + x


def test_what_is_known_goes_where_out_says():
    alike(by_reference(into_a_part, X), into_a_part(X))


@pytest.mark.parametrize("name", ["matmul", "matvec", "vecmat"])
def test_products_with_a_number_are_refused_as_numpy_refuses_them(name):
    function = lambda x: getattr(np, name)(x, 2)
    for run in (function, lambda x: gt.graph(function, x)):
        with pytest.raises(ValueError, match="enough dimensions"):
            run(X)


def test_calls_of_the_language():
    def function(x: Any, w: Any) -> Any:
        return gt.gelu(x @ w), gt.softmax(x, -1), gt.layer_norm(x, Y, bias=Y), gt.concat(x, x, axis=0)

    found = by_reference(function, X, numbers(6, 3))
    wanted = gt.interpret(gt.gelu(gt.matmul(gt.tensor((4, 6)), gt.tensor((6, 3)))), X, numbers(6, 3))
    alike(found[0], wanted)
    alike(found[1], np.exp(X) / np.exp(X).sum(-1, keepdims=True))
    off = X - X.mean(-1, keepdims=True)
    alike(found[2], off / np.sqrt((off * off).mean(-1, keepdims=True) + 1e-5) * Y + Y)


def rows_of_the_page() -> list[str]:
    """The table of docs/reference/numpy.md, of the declarations: what is traced by file, what is refused by reason."""
    traced_names = [list(UFUNCS), *(" ".join(names for names, _ in file.FUNCTIONS).split() for file in FILES)]
    refused: dict[str, list[str]] = {}
    for name, why in REFUSED.items():
        refused.setdefault(f"refused: {why}", []).append(name)
    return [*(f"| `{' '.join(names)}` |" for names in traced_names)] + [
        f"| `{' '.join(names)}` | {why} |" for why, names in refused.items()
    ]


def test_the_page_lists_what_is_declared():
    lines = (Path(__file__).parents[3] / "docs/reference/numpy.md").read_text().splitlines()
    for row in rows_of_the_page():
        assert any(line.startswith(row) for line in lines), f"docs/reference/numpy.md has no row of {row}"
    listed = re.findall(r"[\w.]+", " ".join(re.findall(r"^\| `([^`]*)` \|", "\n".join(lines), re.M)))
    assert sorted(listed) == sorted({*FUNCTIONS, *UFUNCS, *REFUSED})
