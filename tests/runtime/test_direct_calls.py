"""Calls past cffi: of fixed arguments, of arrays that are just what a kernel takes; the longer way without a door."""

from __future__ import annotations

import gc
import platform
import sys
import sysconfig
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import griotte as gt
import ml_dtypes
import numpy as np
import pytest
from griotte.runtime import direct_calls
from griotte.runtime.direct_calls import MOST, neither
from griotte.runtime.signature import TensorArg
from griotte.support.errors import ToolchainError

X = np.arange(6, dtype="f4").reshape(2, 3)
Y = X[::-1] * 2


@pytest.fixture
def fresh():
    """Whether the doors open is found out anew."""
    doors = direct_calls.bound_door, direct_calls.arrays_door
    for door in doors:
        door.cache_clear()
    yield
    for door in doors:
        door.cache_clear()


@pytest.fixture(params=["direct", "through cffi"])
def way(request, cache, monkeypatch):
    """The tests run with the door and without it."""
    if request.param == "through cffi":
        monkeypatch.setattr(direct_calls, "bound_door", lambda: None)
    elif not direct_calls.is_direct():
        pytest.skip("expected CPython with an interpreter lock, found another Python")
    return request.param


def wide(make_kernel, count):
    """y = 1 x0 + 10 x1 + 100 x2 + ...: the order of the arguments shows."""
    args = [TensorArg(f"x{i}", "s64", (), ()) for i in range(count)]
    terms = " + ".join(f"{10**i}L * *x{i}" for i in range(count)) or "7"
    source = f"void wide({''.join(f'const long *x{i}, ' for i in range(count))}long *y) {{ *y = {terms}; }}"
    return make_kernel(source, "wide", args, TensorArg("y", "s64", (), ()))


def test_a_python_that_the_doors_are_made_for_goes_through_them(fresh, cache):
    """Whoever has a C compiler, 64 bits, and an interpreter lock."""
    has_lock = platform.python_implementation() == "CPython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
    opens = has_lock and sys.maxsize > 2**32
    assert direct_calls.is_direct() == opens == (direct_calls.arrays_door() is not None)


def test_a_bound_call_is_a_built_in_function(subtract, cache):
    if not direct_calls.is_direct():
        pytest.skip("expected CPython with an interpreter lock, found another Python")
    x = np.ones((2, 3), "f4")
    call = subtract.bind(x, x.copy(), out=x.copy())
    assert type(call) is type(len)
    assert "gives out" in call.__doc__
    with pytest.raises(TypeError, match="takes no arguments"):
        call(x)


@pytest.mark.parametrize("count", [0, 1, 2, 5, direct_calls.MOST - 1, direct_calls.MOST])
def test_arguments_of_a_bound_call_arrive_in_order(way, make_kernel, count):
    arrays = [np.array(i % 9 + 1) for i in range(count)]
    out = np.array(0)
    assert wide(make_kernel, count).bind(*arrays, out=out)() is out
    assert out == (sum(10**i * int(x) for i, x in enumerate(arrays)) or 7)


def test_every_call_gives_the_answer_and_owns_nothing_more(way, subtract):
    x, out = np.ones((2, 3), "f4"), np.empty((2, 3), "f4")
    call = subtract.bind(x, x.copy(), out=out)
    call()
    before = sys.getrefcount(out)
    for _ in range(1000):
        call()
    assert sys.getrefcount(out) == before


def test_a_call_keeps_its_arrays_and_lets_go_of_them(way, subtract):
    class Array(np.ndarray):
        """An ndarray that says when it is gone."""

    arrays = [np.full((2, 3), i, "f4").view(Array) for i in (5, 3, 0)]
    gone = [weakref.ref(a) for a in arrays]
    call = subtract.bind(*arrays[:2], out=arrays[2])
    del arrays
    gc.collect()
    assert (call() == 2).all()
    del call
    gc.collect()
    assert not any(ref() is not None for ref in gone)


def test_a_cycle_through_a_call_is_collected(way, subtract):
    class Array(np.ndarray):
        """An ndarray that may hold other objects."""

    x, out = np.ones((2, 3), "f4"), np.empty((2, 3), "f4").view(Array)
    out.call = subtract.bind(x, x.copy(), out=out)
    gone = weakref.ref(out)
    del out
    gc.collect()
    assert gone() is None


def test_memory_that_is_bound_cannot_move(way, subtract):
    x = np.ones((2, 3), "f4")
    room = bytearray(24)
    call = subtract.bind(x, x.copy(), out=np.frombuffer(room, "f4").reshape(2, 3))
    with pytest.raises(BufferError):
        room.extend(b"more")
    assert (call() == 0).all()


def test_threads_share_a_call(way, subtract):
    x, out = np.full((2, 3), 5, "f4"), np.zeros((2, 3), "f4")
    call = subtract.bind(x, np.ones_like(x), out=out)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: [call() is out for _ in range(2000)], range(4)))
    assert all(map(all, found)) and (out == 4).all()


@pytest.mark.parametrize("cost", [1e9, None])
def test_python_runs_on_while_a_long_call_runs(way, make_kernel, cost):
    source = """
    #include <time.h>
    void wait(const void *x, int *y) {
        time_t end = time(0) + 10;
        while (!*(volatile const int *)x && time(0) < end) {}
        *y = *(const int *)x;
    }
    """
    arg = TensorArg("x", "s32", (), ())
    kernel = make_kernel(source, "wait", [arg], arg)
    kernel.metadata["cost"] = cost
    flag, out = np.zeros((), "i4"), np.zeros((), "i4")
    timer = threading.Timer(0.05, lambda: flag.fill(7))
    timer.start()
    assert kernel.bind(flag, out=out)() == 7
    timer.join()


# Calls of arrays ----------------------------------------------------------------------------


@pytest.fixture
def opens(cache):
    if direct_calls.arrays_door() is None:
        pytest.skip("expected CPython with an interpreter lock, found another Python")


def at_once(kernel):
    kernel.open_door()
    return kernel.at_once, kernel._into


def test_the_second_call_opens_it(opens, subtract):
    assert subtract(X, Y) is not subtract(X, Y)
    assert type(subtract.at_once) is type(len) and np.array_equal(subtract(X, Y), X - Y)
    double = gt.compile(gt.graph(lambda x: x + x, X), target="portable", table="none")
    for _ in range(3):
        assert np.array_equal(double(X), X + X) and np.array_equal(double(x=X), X + X)
    assert type(double.at_once) is type(len)


def test_a_call_is_a_built_in_function(opens, subtract):
    call, into = at_once(subtract)
    assert type(call) is type(into) is type(len) and "NotImplemented" in call.__doc__
    found, out = call(X, Y), np.empty_like(X)
    assert np.array_equal(found, X - Y) and found.dtype == X.dtype and found is not call(X, Y)
    assert into(X, Y, out) is out and np.array_equal(out, X - Y)


class Own(np.ndarray):
    """A class of arrays."""


OTHERS = {
    "dtype": X.astype("f8"),
    "bytes swapped": X.astype(">f4"),
    "shape": X[:1],
    "rank": X[None],
    "layout": np.asfortranarray(X),
    "gaps": np.repeat(X, 2, axis=1)[:, ::2],
    "backwards": X[:, ::-1],
    "not aligned": np.frombuffer(b"1" + X.tobytes(), np.uint8)[1:].view("f4").reshape(2, 3),
    "class": X.view(Own),
    "masked": np.ma.masked_array(X),
    "number": 3.0,
    "list": X.tolist(),
    "nothing": None,
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_arrays_are_left_to_the_longer_way(name, opens, subtract):
    call, into = at_once(subtract)
    other, out = OTHERS[name], np.empty_like(X)
    assert call(other, Y) is call(X, other) is into(X, other, out) is into(X, Y, other) is NotImplemented
    if name in ("class", "not aligned"):
        return
    if name == "masked":
        assert np.array_equal(subtract(other, Y), X - Y)
    else:
        with pytest.raises(gt.SpecError):
            subtract(other, Y)


def test_any_other_count_is_left_too(opens, subtract):
    call, into = at_once(subtract)
    assert all(
        each(*[X] * n) is NotImplemented for each, right in ((call, 2), (into, 3)) for n in range(5) if n != right
    )
    with pytest.raises(gt.SpecError, match="expected 2 arrays"):
        subtract(X, Y, X)


def test_an_output_that_may_not_be_written_or_is_read_is_left(opens, subtract):
    into, fixed, room = at_once(subtract)[1], X.copy(), np.empty(9, "f4")
    fixed.flags.writeable = False
    x = room[:6].reshape(2, 3)
    assert into(X, Y, fixed) is into(X, Y, X) is into(x, Y, room[3:].reshape(2, 3)) is NotImplemented
    for out, told in ((fixed, "writ"), (Y, "memory shared with y")):
        with pytest.raises(gt.SpecError, match=told):
            subtract(X, Y, out=out)


def test_axes_of_size_1_lie_anyhow(opens, make_kernel):
    arg = TensorArg("x", "f32", (1, 4, 1), (2, 1, 0))
    source = "void twice(const float *x, float *y) { for (int i = 0; i < 4; i++) y[i] = 2 * x[i]; }"
    call = at_once(make_kernel(source, "twice", [arg], arg))[0]
    x = np.lib.stride_tricks.as_strided(np.arange(4, dtype="f4"), (1, 4, 1), (640, 4, 36))
    assert call(x).ravel().tolist() == [0, 2, 4, 6]


@pytest.mark.parametrize("shape", [(), (3, 5), (40, 60)])
@pytest.mark.parametrize("layout", ["C", "F"])
@pytest.mark.parametrize("dtype", ["f4", "i8", ml_dtypes.bfloat16, "?"], ids=str)
def test_results_are_made_as_the_longer_way_makes_them(shape, layout, dtype, opens, make_kernel):
    dtype = np.dtype(dtype)
    name = {"float32": "f32", "int64": "s64", "bfloat16": "bf16", "bool": "pred"}[dtype.name]
    order = tuple(range(len(shape)))
    arg = TensorArg("x", name, shape, order if layout == "F" else order[::-1])
    size = int(np.prod(shape)) * dtype.itemsize
    source = f"#include <string.h>\nvoid copies(const void *x, void *y) {{ memcpy(y, x, {size}); }}"
    kernel = make_kernel(source, "copies", [arg], arg)
    x = np.random.default_rng(0).integers(0, 2, shape).astype(dtype).copy(layout)
    found, longer = at_once(kernel)[0](x), kernel._allocate()[0]
    assert np.array_equal(found, x) and (found.dtype, found.shape, found.strides) == (x.dtype, x.shape, longer.strides)
    assert found.flags.writeable and found.flags.aligned
    if size >= 4096:
        assert found.ctypes.data % 64 == longer.ctypes.data % 64 == 0


def test_several_results_and_no_input(opens):
    kernel = gt.compile(gt.outputs(gt.exp(x := gt.tensor((4,), name="x")), gt.neg(x)), target="portable", table="none")
    x = np.arange(4, dtype="f4")
    found, outs = at_once(kernel)[0](x), (np.empty(4, "f4"), np.empty(4, "f4"))
    assert type(found) is tuple and np.allclose(found[0], np.exp(x)) and np.array_equal(found[1], -x)
    assert kernel(x, out=outs) is outs and np.array_equal(outs[1], -x)
    into = direct_calls.at_once(kernel._in_c, (), kernel.signature, 1, kernel)[1]
    assert into(x, *outs)[1] is outs[1] and into(x, outs[0], outs[0]) is into(x, outs[0], outs[0][:3]) is NotImplemented


@pytest.mark.parametrize("count", [0, 1, 7, MOST - 1, MOST])
def test_arguments_arrive_in_order(count, opens, make_kernel):
    kernel = wide(make_kernel, count)
    arrays = [np.array(i % 9 + 1) for i in range(count)]
    wanted = sum(10**i * int(x) for i, x in enumerate(arrays)) or 7
    assert (
        kernel(*arrays) == wanted and (at_once(kernel)[0] is neither) == (count == MOST) and kernel(*arrays) == wanted
    )


def test_a_call_owns_nothing_more(opens, subtract):
    call, into = at_once(subtract)
    x, out = X.copy(), np.empty_like(X)
    before = [sys.getrefcount(each) for each in (x, out, NotImplemented)]
    for _ in range(1000):
        call(x, x), into(x, x, out), call(x, 3)
    assert [sys.getrefcount(each) for each in (x, out)] == before[:2]
    assert abs(sys.getrefcount(NotImplemented) - before[2]) < 100
    gone = weakref.ref(call(x, x))
    gc.collect()
    assert gone() is None


def test_no_memory_is_an_error_and_nothing_is_kept(opens, make_kernel):
    arg = TensorArg("x", "u8", (1 << 47,), (0,))
    kernel = make_kernel("void vast(void *y) { *(char *)y = 0; }", "vast", [], arg)
    with pytest.raises(MemoryError):
        at_once(kernel)[0]()


# Where there is no door --------------------------------------------------------------------


def require_the_longer_way(subtract):
    assert direct_calls.arrays_door() is None and not direct_calls.is_direct()
    out = np.empty_like(X)
    assert subtract.bind(X, Y, out=out)() is out and np.array_equal(out, X - Y)


def test_without_a_compiler_calls_go_the_longer_way(fresh, subtract, monkeypatch):
    def refuse(source):
        raise ToolchainError("expected a C compiler, found none")

    monkeypatch.setattr(direct_calls, "compile_shared", refuse)
    require_the_longer_way(subtract)


def test_another_python_goes_the_longer_way(fresh, subtract, monkeypatch):
    monkeypatch.setattr(direct_calls.platform, "python_implementation", lambda: "PyPy")
    require_the_longer_way(subtract)


UNKNOWN = "void unknown_to_python(void); void door_{0}(void) {{ unknown_to_python(); }} void try_{0}(void) {{}}"


@pytest.mark.parametrize(
    "source", ["int nothing;", UNKNOWN.format("bound") + UNKNOWN.format("arrays").partition(";")[2]]
)
def test_a_library_without_doors_is_not_used(fresh, subtract, monkeypatch, source):
    monkeypatch.setattr(direct_calls, "_source", lambda: source)
    require_the_longer_way(subtract)


@pytest.mark.parametrize(
    ("door", "right", "wrong"),
    [
        ("bound_door", "*y += *x;", ""),
        ("arrays_door", "array->dtype != wanted->dtype", "0"),
        ("arrays_door", "words[leading + j] + bytes[j] <=", "1 ||"),
        ("arrays_door", "array->strides[i] != strides[i]", "0"),
    ],
)
def test_a_door_that_is_wrong_is_not_used(fresh, cache, monkeypatch, door, right, wrong):
    source = direct_calls._source()
    assert right in source
    monkeypatch.setattr(direct_calls, "_source", lambda: source.replace(right, wrong))
    assert getattr(direct_calls, door)() is None


def test_another_layout_of_arrays_is_not_read(fresh, cache, monkeypatch):
    monkeypatch.setattr(direct_calls, "_is_laid_out", lambda: False)
    assert direct_calls.arrays_door() is None


def test_the_longer_way_answers_the_same(subtract, monkeypatch):
    monkeypatch.setattr(subtract, "at_once", neither)
    monkeypatch.setattr(subtract, "_into", neither)
    out = np.empty_like(X)
    assert np.array_equal(subtract(X, Y), X - Y) and subtract(X, Y, out=out) is out and np.array_equal(out, X - Y)


def test_more_arguments_than_the_door_takes_go_through_cffi(cache, make_kernel):
    arrays = [np.array(1)] * direct_calls.MOST
    out = np.array(0)
    call = wide(make_kernel, direct_calls.MOST).bind(*arrays, out=out)
    assert call() is out and out == int("1" * direct_calls.MOST) and type(call) is not type(len)
