"""Classes that differ in one size: which kernel runs each, and that every size is right."""

import os
import warnings

import griotte as gt
import numpy as np
import pytest
from griotte.readers.tracing import open_sizes
from griotte.readers.tracing.open_sizes import ALONE, LEAST_BOUND
from griotte.support.unforeseen import OWN

RNG = np.random.default_rng(0)
W = RNG.standard_normal((3, 5)).astype("f4")


def rows(n, *more):
    return RNG.standard_normal((n, 3, *more)).astype("f4")


def kernels(function):
    """By class, in order, the kernel that runs it."""
    return [run.kernel for run in function._classes.values()]


def called(function, *calls, **named):
    for args in calls:
        found, wanted = function(*args, **named), function.function(*args, **named)
        for one, two in zip(np.atleast_1d(found), np.atleast_1d(wanted)):
            np.testing.assert_allclose(one, two, rtol=1e-5, atol=1e-6)
    return kernels(function)


def jitted(function, **options):
    return gt.jit(effort=0, **options)(function)


def test_after_a_few_sizes_one_kernel_runs_all_up_to_a_bound():
    function = jitted(lambda x: np.tanh(x @ W) + 1)
    found = called(function, *((rows(n),) for n in (7, 4, 9, 1, 100, LEAST_BOUND, 9)))
    assert len({*found[:ALONE]}) == ALONE and len({*found[ALONE:]}) == 1 and found[ALONE] not in found[:ALONE]
    larger = called(function, (rows(LEAST_BOUND + 1),), (rows(2),))[-2:]
    assert larger[0] is larger[1] and larger[0] not in found
    assert [row.taken for row in function.rows] == [True] * 8 and function.rows[2].calls == 2


def test_of_sizes_that_stand_in_several_arrays_and_axes():
    function = jitted(lambda x, y, at: {"sum": x + y[0], "first": x[:, 0], "of": at})
    for n in (4, 6, 8, 9):
        x, y = rows(n), rows(n)
        found = function(x, (y, "a"), at=2)
        np.testing.assert_array_equal(found["sum"], x + y)
        np.testing.assert_array_equal(found["first"], x[:, 0])
        assert found["of"] == 2 and len(found) == 3
    assert len({*kernels(function)}) == ALONE + 1


def test_another_argument_or_size_is_another_line():
    function = jitted(lambda x, k: x * k)
    found = called(function, *((rows(n), k) for k in (2.0, 3.0) for n in (4, 5, 6, 7)))
    assert len({*found}) == 2 * (ALONE + 1)
    found = called(function, (rows(6, 2), 2.0), (rows(6, 4), 2.0))
    assert len({*found}) == 2 * (ALONE + 1) + 2


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * 2 if len(x) % 2 else x * 3,
        lambda x: x[:9].sum(axis=0),
        lambda x: x * len(x),
        lambda x: x + np.arange(len(x), dtype="f4")[:, None],
        lambda x: x.reshape(-1) if len(x) < 9 else x.reshape(-1) + 1,
        lambda x: sum(x[i] for i in range(len(x))),
        lambda x: x / x.mean(axis=0),
        lambda x: x @ x.T,
        lambda x: x.T @ x,
        lambda x: np.concatenate([x, x]),
        lambda x: np.pad(x, ((0, -len(x) % 8), (0, 0))),
        lambda x: x.reshape(len(x) // 2, 6) if len(x) % 2 == 0 else x,
        lambda x: (x + 1, len(x))[0],
        lambda x: x - x[-1],
        lambda x: x[::2],
        lambda x: x.T * 2,
    ],
)
def test_what_is_another_thing_at_another_size_is_right_at_each(function):
    called(jitted(function), *((rows(n),) for n in (8, 12, 10, 11, 1, 9, 40, 3, 130)))


def test_what_is_given_beside_arrays_is_that_of_the_size():
    function = jitted(lambda x: (x + 1, len(x)))
    assert [function(rows(n))[1] for n in (4, 6, 8, 9)] == [4, 6, 8, 9]


def test_texts_one_by_one_attend_in_one_kernel():
    """Of a batch of 1; scores have the size along two axes, which are no arrays' that anyone sees."""

    def attend(x, causal):
        scores = np.exp(x @ np.swapaxes(x, -1, -2) / 2)
        if causal:
            scores = np.tril(scores)
        return scores @ x / scores.sum(axis=-1, keepdims=True)

    for causal in (False, True):
        function = jitted(attend)
        found = called(function, *((RNG.standard_normal((1, n, 4)).astype("f4"), causal) for n in (9, 5, 6, 20, 1)))
        assert len({*found}) == ALONE + 1


def test_a_size_that_would_lie_with_gaps_has_kernels_of_its_own():
    function = jitted(lambda x: x * 2)
    found = called(function, *((np.ones((2, n), "f4"),) for n in (4, 5, 6, 7)))
    assert len({*found}) == 4


def test_a_result_goes_where_it_is_wanted():
    function = jitted(lambda x: x * 2)
    for n in (4, 5, 6, 7):
        x, out = rows(n), np.empty((n, 3), "f4")
        assert function(x, out=out) is out
        np.testing.assert_array_equal(out, x * 2)
        function(x, out=x)
        np.testing.assert_array_equal(out, x)


def test_an_error_of_the_function_at_a_size_that_nobody_asked_for_is_not_told():
    def some(x):
        if len(x) > 20:
            raise ValueError("too long")
        return x * 2

    function = jitted(some)
    called(function, *((rows(n),) for n in (4, 5, 6, 7)))
    assert len({*kernels(function)}) == 4
    with pytest.raises(ValueError, match="too long"):
        function(rows(21))


def test_an_index_that_the_bound_does_not_have_is_the_functions_own_error():
    function = jitted(lambda x, y: x * y[len(x)])
    y = np.arange(40, dtype="f4")
    found = called(function, *((rows(n), y) for n in (4, 5, 6, 7)))
    assert len({*found}) == 4
    with pytest.raises(IndexError, match="index 50 is out of bounds"):
        function(rows(50), y)


def of_griotte(text: str):
    """A function whose file is one of griotte's."""
    found = {}
    exec(compile(text, os.path.join(OWN, "some.py"), "exec"), found)
    return found["some"]


def test_a_fault_of_griotte_is_told_and_each_size_has_its_own_kernel(monkeypatch):
    monkeypatch.setattr(open_sizes, "of_any_size", lambda *given: [][len(given)])
    function = jitted(lambda x: x * 2)
    called(function, (rows(4),), (rows(5),))
    with pytest.warns(RuntimeWarning, match="error within griotte: IndexError.* a kernel of each size runs it"):
        called(function, (rows(6),))
    found = called(function, (rows(7),))
    assert len({*found}) == 4


def test_a_fault_of_griotte_while_it_traces_another_size_is_told_too():
    some = of_griotte("def some(x):\n    assert len(x) <= 20\n    return x * 2\n")
    function = jitted(some)
    called(function, (rows(4),), (rows(5),))
    with pytest.warns(RuntimeWarning, match="error within griotte: AssertionError"):
        called(function, (rows(6),))


def test_a_kernel_of_any_size_that_cannot_be_made_leaves_each_its_own():
    function = jitted(lambda x: x * 2)
    compiled = function._open.compile

    def compile(graph):
        if graph.bound is not None:
            raise gt.SpecError("expected less")
        return compiled(graph)

    function._open.compile = compile
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len({*called(function, *((rows(n),) for n in (4, 5, 6, 7)))}) == 4


def test_beyond_the_largest_bound_each_has_its_own(monkeypatch):
    monkeypatch.setattr(open_sizes, "MOST_BOUND", 64)
    found = called(jitted(lambda x: x * 2), *((rows(n),) for n in (4, 5, 6, 7)))
    assert len({*found}) == 4


def test_measured_and_falling_back_it_is_the_same():
    function = jitted(lambda x: np.tanh(x) * 2, measure=True, fallback=True)
    for n in (4, 5, 6, 7):
        x = rows(n)
        np.testing.assert_allclose(function(x), np.tanh(x) * 2, rtol=1e-5)
    assert all(row.kernel_us is not None for row in function.rows)


def test_a_first_kernel_of_any_size_is_exchanged_too():
    function = jitted(lambda x: np.tanh(x) * 2, first="fast")
    called(function, *((rows(n),) for n in (4, 5, 6, 7)))
    last = kernels(function)[-1]
    assert last.wait(60)
    called(function, *((rows(n),) for n in (5, 6, 9)))
