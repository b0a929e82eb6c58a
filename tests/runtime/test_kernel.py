import gc
import re
import threading
from pathlib import Path

import numpy as np
import pytest
from griotte.runtime.kernel import Kernel
from griotte.runtime.saved import Library
from griotte.runtime.signature import Packing, Signature, TensorArg
from griotte.runtime.toolchain import compile_shared
from griotte.support.errors import SpecError, ToolchainError


@pytest.fixture
def x():
    return np.arange(6, dtype="f4").reshape(2, 3)


@pytest.fixture
def y():
    return np.full((2, 3), 10, "f4")


def test_a_call_gives_a_new_array(subtract, x, y):
    first, second = subtract(x, y), subtract(x, y)
    assert (first == x - y).all()
    assert not np.shares_memory(first, second)


def test_a_call_fills_out_and_returns_it(subtract, x, y):
    out = np.empty_like(x)
    assert subtract(x, y, out=out) is out
    assert (out == x - y).all()


def test_one_array_may_be_passed_twice(subtract, x):
    assert (subtract(x, x) == 0).all()


def test_a_kernel_shows_what_it_takes_and_was_made_of(subtract):
    assert repr(subtract) == "<griotte.Kernel subtract(f32[2,3], f32[2,3]) -> f32[2,3]>"
    assert "void subtract" in subtract.source
    assert subtract.header.startswith("void subtract(")
    assert subtract.metadata == {"cost": 1}
    assert subtract.signature.output.name == "z"


def test_the_number_of_arrays_is_checked(subtract, x, y):
    with pytest.raises(SpecError, match=r"expected 2 arrays \(x, y\), found 1, for subtract"):
        subtract(x)
    with pytest.raises(SpecError, match="found 3, .*; pass one for each input, or None"):
        subtract.bind(x, y, x)


def test_a_refusal_names_the_input(subtract, x, y):
    with pytest.raises(SpecError, match=r"for input 2 \(y\) of subtract\(f32\[2,3\], "):
        subtract(x, y.T)


def test_out_is_checked_like_an_input(subtract, x, y):
    for wrong in (np.empty((3, 2), "f4"), np.empty((2, 3)), np.empty((3, 2), "f4").T, [0.0]):
        with pytest.raises(SpecError, match="for out of subtract"):
            subtract(x, y, out=wrong)


@pytest.mark.parametrize("make", [lambda x: x, bytes])
def test_a_read_only_out_is_refused(make_kernel, make):
    arg = TensorArg("x", "u8", (3,), (0,))
    source = "void nothing(const void *x, void *y) {}"
    out = np.zeros(3, np.uint8)
    out.flags.writeable = False
    with pytest.raises(SpecError, match="expected an array that can be written"):
        make_kernel(source, "nothing", [arg], arg)(np.zeros(3, np.uint8), out=make(out))


def test_out_must_not_overlap_an_input(subtract, x, y):
    memory = np.zeros(18, "f4")
    a, b, c = (memory[start : start + 6].reshape(2, 3) for start in (0, 6, 12))
    assert subtract(a, b, out=c) is c  # side by side is fine
    assert subtract(b, c, out=a) is a
    for start in (1, 5, 7, 11):
        overlapping = memory[start : start + 6].reshape(2, 3)
        with pytest.raises(SpecError, match="memory shared with y, for out .*; pass another"):
            subtract(x, b, out=overlapping)
    with pytest.raises(SpecError, match="memory shared with x"):
        subtract(x, y, out=x)


# bind ----------------------------------------------------------------------------------


def test_all_bound_reads_the_arrays_as_they_are_at_the_call(subtract, x, y):
    out = np.empty_like(x)
    call = subtract.bind(x, y, out=out)
    x[:] = 100
    assert call() is out
    assert (out == 90).all()


def test_a_bound_call_keeps_all_it_needs_alive(make_kernel, x, y):
    arg = TensorArg("x", "f32", (2, 3), (1, 0))
    source = "void twice(const float *x, float *y) { for (int i = 0; i < 6; i++) y[i] = 2 * x[i]; }"
    kernel = make_kernel(source, "twice", [arg], arg)
    call = kernel.bind(x.copy(), out=np.empty_like(x))
    del kernel
    gc.collect()
    assert (call() == 2 * x).all()


def test_open_inputs_come_in_order(subtract, x, y):
    assert (subtract.bind(None, y)(x) == x - y).all()
    assert (subtract.bind(x, None)(y) == x - y).all()
    assert (subtract.bind(None, None)(x, y) == x - y).all()
    assert (subtract.bind(x, y)() == x - y).all()


def test_out_may_be_bound_or_passed(subtract, x, y):
    out = np.empty_like(x)
    assert subtract.bind(None, y, out=out)(x) is out
    assert (out == x - y).all()
    other = np.empty_like(x)
    assert subtract.bind(x, None)(y, out=other) is other
    with pytest.raises(SpecError, match="expected no out"):
        subtract.bind(None, y, out=out)(x, out=other)


def test_binding_checks_what_it_fixes(subtract, x, y):
    with pytest.raises(SpecError, match=r"input 1 \(x\)"):
        subtract.bind(x.T, None)
    with pytest.raises(SpecError, match="memory shared with x"):
        subtract.bind(x, None, out=x)


def test_a_bound_kernel_checks_what_is_open(subtract, x, y):
    with pytest.raises(SpecError, match=r"expected 1 arrays \(x\), found 2"):
        subtract.bind(None, y)(x, y)
    with pytest.raises(SpecError, match=r"\(all are bound\), found 1"):
        subtract.bind(x, y)(x)
    out = np.empty_like(x)
    with pytest.raises(SpecError, match="memory shared with x"):
        subtract.bind(None, y, out=out)(out)


PACKED = """
void pack_w(const float *w, float *packed) { for (int i = 0; i < 4; i++) packed[i] = 2 * w[3 - i]; }
void f(const float *x, const float *packed, float *y) {
    for (int i = 0; i < 4; i++) y[i] = x[i] + packed[3 - i];
    y[4] = (unsigned long)packed % 64;
}
"""


def test_a_constant_is_packed_once_where_it_is_bound(make_kernel):
    x = TensorArg("x", "f32", (4,), (0,))
    w = TensorArg("w", "f32", (4,), (0,), constant=True, packing=Packing("pack_w", 16))
    kernel = make_kernel(PACKED, "f", [x, w], TensorArg("y", "f32", (5,), (0,)))
    xa, wa = np.ones(4, "f4"), np.arange(4, dtype="f4")
    fixed = kernel.bind(None, wa)
    expected = [1, 3, 5, 7, 0]  # the last: packed memory starts on a cache line
    assert kernel(xa, wa).tolist() == fixed(xa).tolist() == expected
    wa[:] = 0
    assert fixed(xa).tolist() == expected
    assert kernel(xa, wa).tolist() == [1, 1, 1, 1, 0]
    with pytest.raises(SpecError, match=r"input 2 \(w\)"):
        kernel(xa, wa.astype("f8"))


# Threads -------------------------------------------------------------------------------


def test_four_threads_share_a_kernel(make_kernel):
    n = 20_000
    source = f"""
    void square(const double *x, double *y) {{ for (long i = 0; i < {n}; i++) y[i] = x[i] * x[i]; }}
    """
    arg = TensorArg("x", "f64", (n,), (0,))
    kernel = make_kernel(source, "square", [arg], arg)
    wrong = []

    def work(seed):
        x = np.random.default_rng(seed).random(n)
        for _ in range(100):
            if not (kernel(x) == x * x).all():
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_python_runs_on_while_a_kernel_runs(make_kernel):
    source = """
    #include <time.h>
    void wait(const void *x, int *y) {
        time_t end = time(0) + 10;
        while (!*(volatile const int *)x && time(0) < end) {}
        *y = *(const int *)x;
    }
    """
    arg = TensorArg("x", "s32", (), ())
    kernel = make_kernel(source, "wait", [arg], arg, cost=1e9)
    flag = np.zeros((), "i4")
    timer = threading.Timer(0.05, lambda: flag.fill(7))
    timer.start()
    assert kernel(flag) == 7
    timer.join()


# Libraries that do not load ------------------------------------------------------------


def test_a_library_that_does_not_load_is_one_line(tmp_path):
    path = tmp_path / "kernel.so"
    path.write_bytes(b"no library")
    signature = Signature("f", (), TensorArg("y", "f32", (), ()))
    with pytest.raises(ToolchainError, match=f"in {re.escape(str(path))}; remove that file"):
        Kernel(Library("", "", signature, path, frozenset(), {}))


@pytest.mark.parametrize("source", ["void g(void) {}", "void h(void); void f(void) { h(); }"])
def test_a_library_with_a_missing_function_is_refused(source):
    signature = Signature("f", (), TensorArg("y", "f32", (), ()))
    try:
        library = compile_shared(source)
    except ToolchainError:
        return  # a linker that looks for it at once
    with pytest.raises(ToolchainError, match="expected a library with f"):
        Kernel(Library(source, "", signature, library, frozenset(), {}))


def test_a_library_stays_loaded_after_its_kernel(make_kernel):
    """Threads of a team may wait in its code."""
    maps = Path("/proc/self/maps")
    if not maps.exists():
        pytest.skip("expected /proc/self/maps, found none")
    x = TensorArg("x", "f32", (4,), (0,))
    source = "void twice(const float *x, float *z) { for (int i = 0; i < 4; i++) z[i] = 2 * x[i]; }\n"
    kernel = make_kernel(source, "twice", [x], x)
    assert (kernel(np.ones(4, "f4")) == 2).all()
    loaded = kernel._compiled.path.name
    del kernel
    gc.collect()
    assert loaded in maps.read_text()
