"""Calls whose arguments are all fixed, by both ways into C."""

import gc
import platform
import sys
import sysconfig
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from griotte.runtime import bound_call
from griotte.runtime.signature import TensorArg
from griotte.support.errors import ToolchainError


@pytest.fixture(params=["direct", "through cffi"])
def way(request, cache, monkeypatch):
    """The tests run with the door and without it."""
    if request.param == "through cffi":
        monkeypatch.setattr(bound_call, "_door", lambda: None)
    elif not bound_call.is_direct():
        pytest.skip("expected CPython with an interpreter lock, found another Python")
    return request.param


@pytest.fixture
def fresh():
    """Whether the door opens is found out anew."""
    bound_call._door.cache_clear()
    yield
    bound_call._door.cache_clear()


def wide(make_kernel, count):
    """y = 1 x0 + 10 x1 + 100 x2 + ...: the order of the arguments shows."""
    args = [TensorArg(f"x{i}", "s64", (), ()) for i in range(count)]
    terms = " + ".join(f"{10**i}L * *x{i}" for i in range(count)) or "7"
    source = f"void wide({''.join(f'const long *x{i}, ' for i in range(count))}long *y) {{ *y = {terms}; }}"
    return make_kernel(source, "wide", args, TensorArg("y", "s64", (), ()))


def test_a_python_that_the_door_is_made_for_goes_through_it(fresh, cache):
    """Whoever has a C compiler, 64 bits, and an interpreter lock."""
    has_lock = platform.python_implementation() == "CPython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
    assert bound_call.is_direct() == (has_lock and sys.maxsize > 2**32)


def test_a_bound_call_is_a_built_in_function(subtract, cache):
    if not bound_call.is_direct():
        pytest.skip("expected CPython with an interpreter lock, found another Python")
    x = np.ones((2, 3), "f4")
    call = subtract.bind(x, x.copy(), out=x.copy())
    assert type(call) is type(len)
    assert "gives out" in call.__doc__
    with pytest.raises(TypeError, match="takes no arguments"):
        call(x)


@pytest.mark.parametrize("count", [0, 1, 2, 5, bound_call.MOST - 1, bound_call.MOST])
def test_arguments_arrive_in_order(way, make_kernel, count):
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


# Where there is no door --------------------------------------------------------------------


def test_without_a_compiler_calls_go_through_cffi(fresh, subtract, monkeypatch):
    def refuse(source):
        raise ToolchainError("expected a C compiler, found none")

    monkeypatch.setattr(bound_call, "compile_shared", refuse)
    assert not bound_call.is_direct()
    x, out = np.ones((2, 3), "f4"), np.empty((2, 3), "f4")
    assert subtract.bind(x, x.copy(), out=out)() is out and (out == 0).all()


@pytest.mark.parametrize(
    "source",
    [
        "int nothing;",
        "void unknown_to_python(void); void door(void) { unknown_to_python(); } void try_door(void) {}",
        bound_call._source().replace("*y += *x;", ""),
    ],
)
def test_a_door_that_does_not_open_is_not_used(fresh, subtract, monkeypatch, source):
    monkeypatch.setattr(bound_call, "_source", lambda: source)
    assert not bound_call.is_direct()
    x, out = np.ones((2, 3), "f4"), np.empty((2, 3), "f4")
    assert subtract.bind(x, x.copy(), out=out)() is out and (out == 0).all()


def test_another_python_goes_through_cffi(fresh, cache, monkeypatch):
    monkeypatch.setattr(bound_call.platform, "python_implementation", lambda: "PyPy")
    assert not bound_call.is_direct()


def test_more_arguments_than_the_door_takes_go_through_cffi(cache, make_kernel):
    arrays = [np.array(1)] * bound_call.MOST
    out = np.array(0)
    call = wide(make_kernel, bound_call.MOST).bind(*arrays, out=out)
    assert call() is out and out == int("1" * bound_call.MOST) and type(call) is not type(len)
