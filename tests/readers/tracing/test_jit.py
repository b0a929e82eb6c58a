"""Jitted functions: classes, what is passed and given back, refusals with their lines, fallback, races, threads."""

from __future__ import annotations

import array
import math
import threading
from typing import Any

import griotte as gt
import ml_dtypes
import numpy as np
import pytest
from griotte.readers.tracing.jitting import Jitted
from griotte.readers.tracing.runs import KernelRun

TARGET = "portable"
X = np.arange(12, dtype=np.float32).reshape(3, 4)


def jitted(function: Any, **options: Any) -> Jitted:
    return gt.jit(target=TARGET, table="none", **options)(function)


def runs(function: Jitted) -> list[bool]:
    return [row.taken for row in function.rows]


def test_a_class_is_traced_once():
    calls = []
    scale = jitted(lambda x, by: calls.append(x.shape) or x * by)
    for _ in range(3):
        assert np.array_equal(scale(X, 2), X * 2)
    assert np.array_equal(scale(X, 2.0), X * 2) and np.array_equal(scale(X[:2], 2), X[:2] * 2)
    assert calls == [(3, 4), (3, 4), (2, 4)]
    assert np.array_equal(scale(x=X, by=2), X * 2)


def test_classes_by_turns():
    less = jitted(lambda x, y: x - y)
    given = [(X, X[::-1].copy()), (X[:2], X[1:]), (X.astype("f8"), X), (X, X.astype("i4")), (X.T, X.T[::-1].copy())]
    for _ in range(3):
        for x, y in given:
            found = less(x, y)
            assert np.array_equal(found, x - y) and found.dtype == (x - y).dtype
    assert [row.calls for row in less.rows] == [3] * 5


def test_numbers_of_one_value_are_apart():
    inverse = jitted(lambda x, by: x / by)
    with np.errstate(divide="ignore"):
        assert inverse(X + 1, 0.0)[0, 0] == np.inf and inverse(X + 1, -0.0)[0, 0] == -np.inf
    assert jitted(lambda x, by: x + by)(np.arange(2), True).dtype == np.int64


def test_arrays_however_they_lie():
    total = jitted(lambda x: x.sum(axis=1))
    for given in (X, np.asfortranarray(X), X[:, ::2], X[::-1], X.T):
        for _ in range(2):
            assert np.array_equal(total(given), given.sum(axis=1))
    odd = np.frombuffer(b"\0" + X.tobytes(), np.uint8)[1:].view(np.float32)
    assert not odd.flags.aligned
    whole = jitted(np.sum)
    for given in (X.reshape(-1), odd, odd):
        assert whole(given) == X.sum()


def test_arrays_of_others():
    double = jitted(lambda x: x + x)
    assert double(array.array("f", [1, 2])).tolist() == [2, 4]
    assert double(np.float32(3)) == 6
    found = double(np.ones(3, ml_dtypes.bfloat16))
    assert found.dtype == ml_dtypes.bfloat16 and found.tolist() == [2, 2, 2]

    class Shared:
        def __init__(self) -> None:
            self.array = X

        def __dlpack__(self, **options: Any) -> Any:
            return self.array.__dlpack__()

        def __dlpack_device__(self) -> tuple[int, int]:
            return self.array.__dlpack_device__()

    assert np.array_equal(double(Shared()), X + X)


def test_what_holds_arrays():
    @jitted
    def layers(x: Any, params: Any) -> Any:
        for each in params:
            x = np.maximum(x @ each["w"] + each["b"], 0)
        return {"y": x, "both": [x, x.sum()], "name": "layers", "known": np.arange(2)}

    params = [{"w": np.eye(4, dtype=np.float32), "b": np.ones(4, np.float32)}] * 2
    found = layers(X, params)
    assert np.array_equal(found["y"], X + 2) and found["both"][0] is found["y"] and found["both"][1] == (X + 2).sum()
    assert found["name"] == "layers" and found["known"].tolist() == [0, 1]
    one, two = jitted(lambda x: (x, x + 1))(X)
    assert np.array_equal(one, X) and one is not X and np.array_equal(two, X + 1)


def test_where_the_result_goes():
    add, out = jitted(lambda x, by: x + by), np.empty_like(X)
    for by in (1, 1, 2):
        assert add(X, by, out=out) is out and np.array_equal(out, X + by)
    assert add(x=X, by=3, out=out) is out and np.array_equal(out, X + 3)
    plain = jitted(np.sort, fallback=True)
    assert plain(X[0, ::-1], out=out[0]) is not None and np.array_equal(out[0], X[0])
    both, outs = jitted(lambda x: (x + 1, x.sum(axis=1))), (np.empty_like(X), np.empty(3, "f4"))
    for _ in range(2):
        assert both(X, out=outs)[1] is outs[1] and np.array_equal(outs[0], X + 1) and outs[1][0] == X[0].sum()
    narrow = np.empty(4, ml_dtypes.bfloat16)
    assert jitted(lambda x: x + x)(np.ones(4, narrow.dtype), out=narrow) is narrow and narrow.tolist() == [2] * 4
    for wrong in (out[0], out.astype("f8"), outs):
        with pytest.raises(gt.SpecError, match="expected .* found"):
            add(X, 1, out=wrong)


def test_the_result_may_go_where_an_argument_lies():
    turned, x = jitted(lambda x: x[::-1] + x), X.copy()
    for _ in range(2):
        wanted = x[::-1] + x
        assert turned(x, out=x) is x and np.array_equal(x, wanted)
    kernel = gt.compile(gt.graph(lambda x: x[::-1] + x, X), target=TARGET, table="none")
    for out in (x, x.reshape(-1)[::-1].reshape(3, 4)[::-1, ::-1]):
        with pytest.raises(gt.SpecError, match="memory shared with x"):
            kernel(x, out=out)
        with pytest.raises(gt.SpecError, match="memory shared with x"):
            kernel.bind(x, out=out)


def test_an_array_from_around_is_a_constant():
    weights = np.ones(4, np.float32)
    product = jitted(lambda x: x @ weights)
    assert np.array_equal(product(X), X.sum(1))
    weights[:] = 2
    assert np.array_equal(product(X), X.sum(1))


def chosen(x: Any) -> Any:
    if x.sum() > 0:
        return x
    return -x


def halved(x: Any) -> Any:
    while x.max() > 1:
        x = x / 2
    return x


REFUSED = {
    "if": (chosen, "if x.sum() > 0:"),
    "float": (lambda x: float(x[0, 0]), "float()"),
    "int": (lambda x: int(x[0, 0]), "int()"),
    "and": (lambda x: x[0, 0] > 1 and x, "np.where"),
    "while": (halved, "while x.max() > 1:"),
    "item": (lambda x: x[0, 0].item(), ".item"),
    "math": (lambda x: math.sqrt(x[0, 0]), "float()"),
    "unpacked": (lambda x: max(*x), "for i in range(len(x))"),
    "written": (lambda x: np.zeros(3).__setitem__(0, x[0, 0]), "np.zeros_like"),
    "loop": (lambda x: [row + 1 for row in x], "for i in range(len(x))"),
    "mask": (lambda x: x[x > 1], "np.where"),
    "asarray": (lambda x: np.asarray(x) + 1, "np.asarray"),
    "sort": (lambda x: np.sort(x) + 1, "order"),
    "histogram": (lambda x: np.histogram(x)[0], "bins"),
    "argument": (lambda x: np.sum(x, initial=3), "initial"),
    "its own": (lambda x: x.__iadd__(1), "caller's"),
    "method": (lambda x: x.tobytes(), ".tobytes"),
    "nothing": (lambda x: 3, "follows from"),
    "set": (lambda x: {1, 2}, "set"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_traced_is_an_error_with_its_line(name):
    function, told = REFUSED[name]
    with pytest.raises(gt.SpecError) as error:
        jitted(function)(X)
    assert told in str(error.value)
    if name not in ("nothing", "set"):
        assert f"in {__file__}:{function.__code__.co_firstlineno + (name in ('if', 'while'))}" in str(error.value)


def test_errors_of_numpy_stay():
    with pytest.raises(AttributeError, match="no_such"):
        jitted(lambda x: x.no_such)(X)
    with pytest.raises(ValueError, match="reshape"):
        jitted(lambda x: x.reshape(5))(X)
    with pytest.raises(IndexError):
        jitted(lambda x: x[7])(X)


def test_fallback_runs_the_plain_function_and_is_told():
    ordered = jitted(chosen, fallback=True)
    assert ordered(X) is X and np.array_equal(ordered(-X), X)
    assert runs(ordered) == [False] and "np.where" in ordered.rows[0].why
    assert [row for row in gt.report() if row in ordered.rows] and "chosen(f32[3,4]): plain" in str(gt.report())


class Clock:
    """Seconds that pass as a test says, and a millisecond at each look."""

    def __init__(self, monkeypatch: Any) -> None:
        from griotte.readers.tracing import jitting

        self.now = 0.0
        monkeypatch.setattr(jitting.time, "perf_counter", self.look)

    def look(self) -> float:
        self.now += 1e-3
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += seconds

    def takes(self, seconds: float) -> Any:
        """A function whose plain calls take so long."""

        def function(x: Any) -> Any:
            self.now += seconds if isinstance(x, np.ndarray) else 0.0
            return x + 1

        return function


def test_the_faster_of_both_runs(monkeypatch):
    clock = Clock(monkeypatch)
    kept = jitted(clock.takes(0.0), measure=True)
    assert np.array_equal(kept(X), X + 1) and runs(kept) == [True]
    assert kept.rows[0].kernel_us == kept.rows[0].plain_us == pytest.approx(1e3)

    at_once = KernelRun.at_once

    def slower(self: Any, args: Any) -> Any:
        call = at_once(self, args)
        return lambda *given: (clock.passes(0.002), call(*given))[1]

    monkeypatch.setattr(KernelRun, "at_once", slower)
    seen = []
    plain = jitted(lambda x: seen.append(type(x)) or x + 1, measure=True)
    assert all(np.array_equal(plain(X), X + 1) for _ in range(3)) and seen[-1] is np.ndarray
    (row,) = plain.rows
    assert not row.taken and "faster" in row.why and row.saved_s == 0 and row.calls == 3
    assert (row.kernel_us, row.plain_us) == (pytest.approx(3e3), pytest.approx(1e3))
    assert plain(X[:2])[0, 0] == 1 and runs(plain) == [False, False]


def test_the_report_tells_what_was_saved(monkeypatch):
    slow = jitted(Clock(monkeypatch).takes(0.25), measure=True)
    for _ in range(4):
        slow(X)
    slow(x=X), slow(X, out=np.empty_like(X)), slow(np.asfortranarray(X))
    first, named, turned = slow.rows
    assert (first.calls, named.calls, turned.calls) == (5, 1, 1) and first.plain_us == pytest.approx(251e3)
    assert first.saved_s == pytest.approx(5 * 0.25)
    assert "saved 1.25 s in 5 calls" in str(first)
    report = gt.report()
    assert first in report and report.saved_s == pytest.approx(sum(row.saved_s or 0 for row in report))
    unmeasured = jitted(lambda x: x + 1)
    unmeasured(X), unmeasured(X)
    assert unmeasured.rows[0].saved_s is None and unmeasured.rows[0].calls == 2


def test_calls_of_the_language_keep_the_kernel():
    soft = jitted(lambda x: gt.softmax(x, axis=-1), measure=True)
    assert np.allclose(soft(X).sum(1), 1) and runs(soft) == [True] and "plain" in soft.rows[0].why


def test_one_within_another():
    inner = jitted(lambda x: x * 2)
    outer = jitted(lambda x: inner(x) + 1)
    assert np.array_equal(outer(X), X * 2 + 1) and not inner.rows


def test_a_method():
    class Model:
        w = np.float32(3)

        @gt.jit(target=TARGET, table="none")
        def call(self, x: Any) -> Any:
            return x * self.w

    model = Model()
    assert np.array_equal(model.call(X), X * 3) and np.array_equal(model.call(X), X * 3)


def test_many_threads_trace_once():
    calls, found = [], []
    function = jitted(lambda x: calls.append(1) or x + 1)
    threads = [threading.Thread(target=lambda: found.append(function(X))) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(found) == 8 and all(np.array_equal(each, X + 1) for each in found) and calls == [1]


def test_a_graph_takes_types_texts_and_arrays():
    function = lambda x, w, by: (x @ w) * by
    texts = [str(gt.graph(function, x, w, 3)) for x, w in (("f32[3,4]", gt.tensor((4, 2))), (X, np.ones((4, 2), "f4")))]
    assert texts[0] == texts[1] and "mul(%v0, 3" in texts[0]
    with pytest.raises(gt.SpecError, match="fixed sizes"):
        gt.graph(lambda x: x + 1, "f32[<=8,4]")


class Scaled(np.ndarray):
    """An array whose operators are its own."""

    def __mul__(self, other):
        return super().__mul__(10 * other)


LEFT_TO_NUMPY = {
    "a mask": np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False]),
    "complex numbers": np.array([1 + 2j, 3]),
    "another order of bytes": np.array([1, 2], ">f4"),
    "objects": np.array([1, 2.5], object),
    "no elements": np.zeros((0, 3)),
    "more than 64 bits": np.ones(3, np.longdouble),
    "a class of its own": np.ones(3).view(Scaled),
    "a matrix": np.array([[1.0, 2], [3, 4]]).view(np.matrix),
    "dates": np.array(["2020-01-01"], "M8[D]"),
}


@pytest.mark.parametrize("what", LEFT_TO_NUMPY)
def test_arrays_that_no_kernel_takes_are_refused_or_left_to_the_plain_function(what):
    array = LEFT_TO_NUMPY[what]
    function = (lambda x: x - x) if what == "dates" else (lambda x: x * 2 + x)
    with pytest.raises(gt.SpecError, match="expected .*, found"):
        jitted(function)(array)
    left = jitted(function, fallback=True)
    for _ in range(2):
        found, wanted = left(array), function(array)
        assert type(found) is type(wanted) and found.dtype == wanted.dtype and repr(found) == repr(wanted)
    (row,) = left.rows
    assert not row.taken and row.calls == 2 and "expected" in row.why


def test_masked_constants_are_refused_or_left_to_the_plain_function():
    masked = LEFT_TO_NUMPY["a mask"]
    function = lambda x: x + masked
    with pytest.raises(gt.SpecError, match="without a mask"):
        jitted(function)(np.ones(3))
    assert repr(jitted(function, fallback=True)(np.ones(3))) == repr(function(np.ones(3)))


def test_each_class_has_a_kernel_at_once():
    @gt.jit(first="fast", target="portable", table="none")
    def plus_one(x):
        return np.exp(x) + 1

    for rows in (2, 3):
        x = np.ones((rows, 4), np.float32)
        for _ in range(3):
            assert np.allclose(plus_one(x), np.exp(x) + 1)
    kernels = [run.kernel for run in plus_one._classes.values()]
    assert len(kernels) == 2 and all(kernel.wait(300) for kernel in kernels)
    assert np.allclose(plus_one(x), np.exp(x) + 1) and not kernels[0].stats["first"]


def test_a_first_that_is_none_is_refused():
    with pytest.raises(gt.SpecError, match='expected "fast" or None as first, found 2'):
        gt.jit(lambda x: x, first=2)
