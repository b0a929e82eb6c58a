"""Many calls bound at once."""

import griotte as gt
import numpy as np
import pytest
from griotte.runtime import direct_calls
from griotte.runtime.signature import Packing, TensorArg
from hypothesis import given
from hypothesis import strategies as st


@pytest.fixture(params=["direct", "through cffi"])
def way(request, cache, monkeypatch):
    if request.param == "through cffi":
        monkeypatch.setattr(direct_calls, "bound_door", lambda: None)


def stack(count, seed=0):
    return np.random.default_rng(seed).random((count, 2, 3), np.float32)


@pytest.mark.parametrize("count", [0, 1, 7])
def test_stacks_lists_and_single_arrays(way, subtract, count):
    xs, ys, one = stack(count), stack(count, 1), stack(1)[0]
    for many, other, expected in (
        (xs, ys, xs - ys),
        (list(xs), tuple(ys), xs - ys),
        (xs, one, xs - one),
        (one, list(ys), one - ys),
    ):
        out = np.full((count, 2, 3), 9, "f4")
        assert subtract.bind_many(many, other, out=out)() is out
        assert (out == expected).all()
        outs = [np.full((2, 3), 9, "f4") for _ in range(count)]
        assert subtract.bind_many(many, other, out=outs)() is outs
        assert count == 0 or (np.stack(outs) == expected).all()


def test_a_stack_may_be_of_any_kind_with_any_step(way, subtract):
    xs, one = stack(6), np.ones((2, 3), "f4")
    out = np.zeros((6, 2, 3), "f4")
    subtract.bind_many(memoryview(xs[::-1]), one, out=out[::-1])()
    assert (out == xs - 1).all()


def test_a_stack_of_numbers_is_read_at_the_call(way, make_kernel):
    arg = TensorArg("x", "s64", (), ())
    kernel = make_kernel("void twice(const long *x, long *y) { *y = 2 * *x; }", "twice", [arg], arg)
    xs, out = np.arange(3), np.zeros(3, np.int64)
    calls = kernel.bind_many(xs, out=out)
    xs += 5
    assert calls().tolist() == [10, 12, 14]


def test_calls_run_in_order(way, subtract):
    one = np.ones((2, 3), "f4")
    steps = [np.full((2, 3), 10, "f4"), *(np.zeros((2, 3), "f4") for _ in range(5))]
    calls = subtract.bind_many(steps[:-1], one, out=steps[1:])
    calls()
    assert [step[0, 0] for step in steps] == [10, 9, 8, 7, 6, 5]
    steps[0][:] = 0
    assert calls()[-1][0, 0] == -5


def test_what_serves_every_call_is_packed_once(way, make_kernel):
    source = """
    void pack_w(const long *w, long *packed) { *packed = *w; }
    void f(const long *x, const long *packed, long *y) { y[0] = *x + *packed; y[1] = (long)packed; }
    """
    x = TensorArg("x", "s64", (), ())
    w = TensorArg("w", "s64", (), (), constant=True, packing=Packing("pack_w", 8))
    kernel = make_kernel(source, "f", [x, w], TensorArg("y", "s64", (2,), (0,)))
    for weights, places in ((np.array(10), 1), ([np.array(10) for _ in range(4)], 4)):
        found = kernel.bind_many(np.arange(4), weights, out=np.zeros((4, 2), np.int64))()
        assert found[:, 0].tolist() == [10, 11, 12, 13]
        assert len(set(found[:, 1])) == places


@pytest.mark.parametrize(
    "bind, message",
    [
        (
            lambda k, x: k.bind_many(x, x, out=x[0].copy()),
            r"as out, found an array of shape \(2, 3\), for subtract.*; use bind for a single call",
        ),
        (lambda k, x: k.bind_many(x, x, out=None), "as out, found NoneType, for subtract"),
        (
            lambda k, x: k.bind_many(x, x[:2], out=x.copy()),
            "expected 3 arrays, as many as in out, found 2, for y of subtract",
        ),
        (lambda k, x: k.bind_many(x, out=x.copy()), r"expected 2 arrays \(x, y\), found 1"),
        (lambda k, x: k.bind_many(x, None, out=x.copy()), r"found NoneType, for input 2 \(y\)"),
        (lambda k, x: k.bind_many(x, x.astype("f8"), out=x.copy()), "expected dtype f32"),
        (lambda k, x: k.bind_many(x, x, out=x), "memory shared with x"),
        (
            lambda k, x: k.bind_many(x, x, out=[x[0].copy(), x[1].copy(), x[1].copy().T]),
            r"expected shape \(2, 3\), found \(3, 2\), for out",
        ),
    ],
)
def test_what_does_not_fit_is_refused(subtract, bind, message):
    with pytest.raises(gt.SpecError, match=message) as caught:
        bind(subtract, stack(3))
    assert "\n" not in str(caught.value)


@pytest.fixture(scope="module")
def matmul():
    return gt.compile("matmul(f32[<=12,4], f32[4,5])")


@given(sizes=st.lists(st.integers(0, 12), max_size=6))
def test_each_call_has_its_own_dynamic_size(matmul, sizes):
    rng = np.random.default_rng(len(sizes))
    w = rng.random((4, 5), np.float32)
    xs = [rng.random((m, 4), np.float32) for m in sizes]
    outs = [np.full((m, 5), 9, np.float32) for m in sizes]
    assert matmul.bind_many(xs, w, out=outs)() is outs
    assert all(np.allclose(y, x @ w) for x, y in zip(xs, outs))


def test_a_dynamic_size_is_that_of_each_call(matmul):
    w, x = np.ones((4, 5), np.float32), np.ones((3, 4), np.float32)
    with pytest.raises(gt.SpecError, match=r"expected shape \(3, 5\), found \(2, 5\), for out"):
        matmul.bind_many([x, x], w, out=[np.empty((3, 5), np.float32), np.empty((2, 5), np.float32)])
    with pytest.raises(gt.SpecError, match="at most 12, found 13"):
        matmul.bind_many([np.ones((13, 4), np.float32)], w, out=[np.empty((13, 5), np.float32)])
