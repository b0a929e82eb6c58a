"""First kernels: what is exchanged when, and what follows. The two kernels compute otherwise, so that each is known by
what it gives."""

import gc
import pickle
import threading
import weakref

import griotte as gt
import numpy as np
import pytest
from griotte.models.text import parse_graph
from griotte.runtime import load
from griotte.runtime.first import FirstKernel, require_first

X, Y = np.arange(8, dtype=np.float32), np.full(8, 2, np.float32)


class Later:
    """A search that is done when a test says so."""

    def __init__(self):
        self.stopped = self.begun = 0

    def begin(self, done, failed):
        self.begun += 1
        self.done, self.failed = done, failed

    def stop(self):
        self.stopped += 1


def compiled(text, **asked):
    return gt.compile(text, target="portable", table="none", **asked)


@pytest.fixture(scope="module")
def both():
    return compiled("add(f32[8], f32[8])"), compiled("mul(f32[8], f32[8])")


@pytest.fixture
def pair(both):
    search = Later()
    return FirstKernel(both[0], search), search, both[1]


def test_calls_are_of_the_first_kernel_until_the_other_is_there(pair):
    first, search, other = pair
    assert np.array_equal(first(X, Y), X + Y) and first.stats["first"] is True
    search.done(other)
    assert np.array_equal(first(X, Y), X * Y) and first.stats["first"] is False and first.wait()
    assert first.kernel is other and first.library is other.library and first.stats["spec"] == other.metadata["spec"]


def test_what_is_bound_follows_into_the_same_arrays(pair):
    first, search, other = pair
    out, rows = np.empty(8, np.float32), np.empty((3, 8), np.float32)
    call, partly, many = first.bind(X, Y, out=out), first.bind(None, Y), first.bind_many([X] * 3, Y, out=rows)
    for kernel, meaning in ((None, np.add), (other, np.multiply)):
        if kernel is not None:
            search.done(kernel)
        assert call() is out and np.array_equal(out, meaning(X, Y))
        assert np.array_equal(partly(X), meaning(X, Y))
        assert many() is rows and np.array_equal(rows, [meaning(X, Y)] * 3)
    assert np.array_equal(first.bind(X, Y, out=out)(), X * Y)


def test_the_door_is_open_after_the_exchange_as_before(pair):
    first, search, other = pair
    first.open_door()
    before = first.at_once(X, Y)
    search.done(other)
    after = first.at_once(X, Y)
    assert (before is NotImplemented) == (after is NotImplemented)
    assert after is NotImplemented or np.array_equal(after, X * Y)
    assert first.at_once("none") is NotImplemented


def test_threads_see_one_kernel_or_the_other_and_never_the_first_again(pair):
    first, search, other = pair
    found, end = [[], [], []], threading.Event()
    calls = [lambda: first(X, Y), first.bind(X, Y, out=np.empty(8, np.float32)), first.bind(None, Y)]

    def run(n):
        args = (X,) if n == 2 else ()
        while not end.is_set() or len(found[n]) < 10:
            result = calls[n](*args)
            found[n].append(0 if np.array_equal(result, X + Y) else 1 if np.array_equal(result, X * Y) else 2)

    threads = [threading.Thread(target=run, args=(n,)) for n in range(3)]
    for thread in threads:
        thread.start()
    while not all(found):
        pass
    search.done(other)
    seen = [len(each) for each in found]
    while any(len(each) < n + 5 for each, n in zip(found, seen)):
        pass
    end.set()
    for thread in threads:
        thread.join()
    for each in found:
        assert each == sorted(each) and each[0] == 0 and each[-1] == 1, each[:3] + each[-3:]


def test_a_search_that_fails_leaves_the_first_kernel(pair):
    first, search, _ = pair
    search.failed()
    assert first.wait() is False and first.stats["first"] is True and np.array_equal(first(X, Y), X + Y)


def test_waiting_has_an_end_where_it_is_given(pair):
    first, search, other = pair
    assert first.wait(0.01) is False
    threading.Timer(0.05, search.done, [other]).start()
    assert first.wait() is True


def test_nobody_searches_for_a_kernel_that_nobody_has(both):
    search, other = Later(), both[1]
    first = FirstKernel(both[0], search)
    call, gone = first.bind(X, Y, out=np.empty(8, np.float32)), weakref.ref(first)
    del first
    gc.collect()
    assert gone() is not None and search.stopped == 0, "a bound call holds it"
    search.done(other)
    assert np.array_equal(call(), X * Y)
    del call
    gc.collect()
    assert gone() is None and search.stopped == 1
    search.done(other)  # late: nothing is left to exchange


def test_what_is_saved_is_the_kernel_of_the_search(pair, tmp_path):
    first, search, other = pair
    assert np.array_equal(pickle.loads(pickle.dumps(first))(X, Y), X + Y)
    threading.Timer(0.05, search.done, [other]).start()
    assert np.array_equal(load(first.save(tmp_path / "saved"))(X, Y), X * Y)
    assert np.array_equal(pickle.loads(pickle.dumps(first))(X, Y), X * Y)


def test_wrong_arrays_are_refused_by_both(pair):
    first, search, other = pair
    for kernel in (None, other):
        if kernel is not None:
            search.done(kernel)
        with pytest.raises(gt.SpecError, match="expected 2 arrays"):
            first(X)
        with pytest.raises(gt.SpecError, match="shape"):
            first.bind(X[:4], Y, out=np.empty(8, np.float32))


def test_of_any_size():
    search, (plus, times) = Later(), [compiled(f"{call}(f32[<=8], f32[<=8])") for call in ("add", "mul")]
    first = FirstKernel(plus, search)
    call = first.bind(X[:5], Y[:5], out=np.empty(5, np.float32))
    assert np.array_equal(first(X[:3], Y[:3]), X[:3] + 2) and np.array_equal(call(), X[:5] + 2)
    search.done(times)
    assert np.array_equal(first(X[:3], Y[:3]), X[:3] * 2) and np.array_equal(call(), X[:5] * 2)


MODEL = """
model(
  %x: f32[SIZE],
  %w: const f32[8] = (1, 2, 3, 1, 2, 3, 1, 2),
) {
  %y = CALL(%x, %w) -> f32[SIZE]
  return y=%y
}
"""


@pytest.mark.parametrize("size", ["4,8", "<=4,8"])
def test_of_models_results_stay_in_the_arrays_of_the_first_call(size):
    plus, times = (compiled(parse_graph(MODEL.replace("SIZE", size).replace("CALL", call))) for call in ("add", "mul"))
    search, x, w = Later(), np.ones((4, 8), np.float32), np.float32([1, 2, 3, 1, 2, 3, 1, 2])
    first = FirstKernel(plus, search)
    call, named = first.bind(x), first.bind(x=x)
    found = call()
    assert np.array_equal(found, x + w) and np.array_equal(first(x=x), x + w)
    search.done(times)
    assert call() is found and np.array_equal(found, x * w) and np.array_equal(named(), x * w)


def test_one_that_is_whole_is_not_searched_for(both):
    first = FirstKernel(both[1], None)
    assert first.wait(0) is True and first.stats["first"] is False and "done" in repr(first)


@pytest.mark.parametrize("wrong", ["slow", 1, True, "", b"fast"])
def test_a_word_that_is_none_is_refused(wrong):
    with pytest.raises(gt.SpecError, match='expected "fast" or None as first'):
        require_first(wrong)
    with pytest.raises(gt.SpecError, match='expected "fast" or None as first'):
        compiled("exp(f32[8])", first=wrong)
