"""Kernels with a dynamic size: calls with arrays of every size, and what is refused."""

import ctypes
import threading

import griotte as gt
import numpy as np
import pytest
from batch import kernels_of
from checked import agrees
from griotte.lang.meaning.reference import as_parts, empty_outputs
from griotte.lang.meaning.samples import random_arrays
from griotte.runtime import load
from hypothesis import given
from hypothesis import strategies as st

SPECS = (
    ("matmul(f32[<=37,33], const f32[33,50])", 1),
    ("matmul(bf16[<=20,18], bf16[18,20]{0,1}) -> f32[<=20,20]", 1),
    ("matmul(u8[<=14,30], s8[30,25]) -> s16[<=14,25]", 1),
    ("matmul(f32[<=9,6,7], f32[<=9,7,8])", 1),
    ("matmul(f32[2,<=9,7]{2,0,1}, f32[2,7,8]) -> f32[2,<=9,8]{2,0,1}", 1),
    ("sum(f32[<=40,20], axis=1)", 1),
    ("max(bf16[<=17,5,9], axis=1)", 1),
    ("relu(add(f32[<=20,9], f32[9])) -> bf16[<=20,9]", 1),
    ("transpose(f32[<=12,20]) -> f32[20,<=12]{0,1}", 1),
    ("cast(f32[<=9,33]) -> s8[<=9,33]", 1),
    ("gelu(f32[<=40,512])", 2),
    ("matmul(f32[<=40,96], f32[96,200])", 2),
    ("sum(f32[<=40,20], axis=0)", 1),
    ("max(bf16[3,<=50], axis=1)", 1),
    ("mean(f32[3,<=19], axis=1)", 2),
    ("matmul(f32[3,<=37], f32[<=37,20])", 1),
    ("transpose(f32[3,<=9,5], perm=(2,0,1))", 1),
    ("add(f32[3,<=9,5]{0,1,2}, f32[<=9,5])", 1),
    ("matmul(f32[<=21,9], f32[9,<=21])", 2),
    ("relu(f32[<=9,3,<=9]{0,2,1})", 1),
    ("exp(broadcast(f32[2,1,<=9]) -> f32[2,<=9,<=9])", 1),
)


@pytest.fixture(scope="module")
def kernels():
    """Of all, as one unit."""
    return dict(zip(SPECS, kernels_of([gt.synthesize(text, threads=threads) for text, threads in SPECS])))


@pytest.mark.parametrize("text, threads", SPECS)
def test_every_size_is_right(text, threads, kernels):
    spec, kernel = gt.parse(text), kernels[text, threads]
    rng = np.random.default_rng(0)
    for m in range(1, spec.dynamic.bound + 1):
        one = spec.at(m)
        arrays = as_parts(spec, random_arrays(one, rng, hostile=m % 2 == 0))
        y = kernel(*arrays)
        agrees(one, arrays, y)
        out = empty_outputs(spec, m)
        assert kernel(*arrays, out=out) is out and out.tobytes() == y.tobytes()
        out[...] = 0
        assert kernel.bind(*arrays, out=out)() is out and out.tobytes() == y.tobytes()


@pytest.fixture(scope="module")
def matmul():
    return gt.compile("matmul(f32[<=12,4], f32[4,5])")


def rows(m, columns=4, seed=0):
    return np.random.default_rng(seed).random((m, columns), np.float32)


W = rows(4, 5)


def test_no_rows_give_an_empty_result(matmul):
    assert matmul(rows(0), W).shape == (0, 5)
    assert matmul.bind(None, W)(rows(0)).shape == (0, 5)
    out = np.empty((0, 5), np.float32)
    assert matmul(rows(0), W, out=out) is out


def test_what_has_no_size_is_bound_for_all_sizes(matmul):
    fixed = matmul.bind(None, W)
    for m in (1, 12, 5, 12):
        out = np.empty((m, 5), np.float32)
        assert np.allclose(fixed(rows(m)), rows(m) @ W)
        assert fixed(rows(m), out=out) is out and np.allclose(out, rows(m) @ W)


def test_what_has_a_size_binds_it(matmul):
    assert np.allclose(matmul.bind(rows(3), None)(W), rows(3) @ W)
    out = np.empty((3, 5), np.float32)
    assert matmul.bind(None, W, out=out)(rows(3)) is out
    with pytest.raises(gt.SpecError, match=r"expected shape \(3, 4\), found \(4, 4\)"):
        matmul.bind(None, W, out=out)(rows(4))


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda k: k(rows(13), W),
            (
                r"expected a dynamic size of at most 12, found 13, for griotte_matmul_\w+\(f32\[<=12,4\], f32\[4,5\]\)"
                r" -> f32\[<=12,5\]; pass fewer rows"
            ),
        ),
        (lambda k: k(rows(3, 5), W), r"expected shape \(3, 4\), found \(3, 5\), for input 1 \(x0\)"),
        (lambda k: k(rows(3), rows(4, 4)), r"expected shape \(4, 5\), found \(4, 4\), for input 2 \(x1\)"),
        (lambda k: k(rows(3).astype(np.float64), W), "expected dtype f32"),
        (lambda k: k(np.zeros(3, np.float32), W), r"expected shape \(\d+, 4\), found \(3,\)"),
        (lambda k: k("rows", W), "expected a NumPy array"),
        (lambda k: k(rows(3)), r"expected 2 arrays \(x0, x1\), found 1"),
        (
            lambda k: k(rows(3), W, out=np.empty((4, 5), np.float32)),
            r"expected shape \(3, 5\), found \(4, 5\), for out",
        ),
        (lambda k: k.bind(None, rows(4, 4)), r"expected shape \(4, 5\), found \(4, 4\)"),
        (lambda k: k.bind(None, W)(rows(13)), "expected a dynamic size of at most 12, found 13"),
        (lambda k: k.bind(None, W)(), r"expected 1 arrays \(x0\), found 0"),
        (lambda k: k.bind(None), "expected 2 arrays .* or None for those to leave open"),
    ],
)
def test_what_does_not_fit_is_refused(matmul, call, message):
    with pytest.raises(gt.SpecError, match=message) as caught:
        call(matmul)
    assert "\n" not in str(caught.value)


def test_other_arrays_than_numpys_have_a_size_too(matmul):
    x = rows(3)
    assert np.allclose(matmul(memoryview(x), W), x @ W)


def test_a_saved_kernel_takes_any_size(matmul, tmp_path):
    again = load(matmul.save(tmp_path))
    for m in (0, 1, 12):
        assert np.allclose(again(rows(m), W), rows(m) @ W)
    header = (tmp_path / "kernel.h").read_text()
    name = matmul.signature.function
    assert (
        f"#define {name.upper()}_M 12\n" in header
        and f"void {name}(int64_t m, const float *x0, const float *x1, float *y);" in header
    )


def test_c_called_with_another_size_does_nothing(matmul, tmp_path):
    library = ctypes.CDLL(str(matmul.save(tmp_path) / "kernel.so"))
    x, y = rows(12), np.full((12, 5), 7, np.float32)
    for m in (0, 13, -1, 2**40):
        library[matmul.signature.function](ctypes.c_int64(m), *(ctypes.c_void_p(a.ctypes.data) for a in (x, W, y)))
    assert (y == 7).all()


def test_threads_may_call_with_sizes_of_their_own(matmul):
    wrong = []

    def work(seed):
        for m in range(1, 13):
            x = rows(m, seed=seed)
            if not np.allclose(matmul(x, W), x @ W):
                wrong.append((seed, m))

    team = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in team:
        thread.start()
    for thread in team:
        thread.join()
    assert not wrong


def test_a_program_for_one_size_is_a_program(matmul):
    program = gt.synthesize("matmul(f32[<=12,4], f32[4,5])", target="portable")
    one = program.at(7)
    assert str(one.spec) == "matmul(f32[7,4], f32[4,5]) -> f32[7,5]"
    assert np.allclose(one.compile()(rows(7), W), rows(7) @ W)
    for size in (0, 13, True, 2.0):
        with pytest.raises(gt.SpecError, match="expected a size of 1 to 12 for matmul"):
            program.at(size)


@pytest.mark.parametrize("text", ("argmax(f32[2,<=5])", "mean(f32[<=5,3], axis=0)"))
def test_so_is_one_that_has_numbers_of_its_own(text):
    one, x = (
        gt.synthesize(text, target="portable", table="none").at(3),
        np.random.default_rng(0).random((2, 3) if "arg" in text else (3, 3), np.float32),
    )
    assert np.allclose(one.compile()(x), gt.interpret(one.spec, x))


def test_a_schedule_is_for_fixed_sizes():
    with pytest.raises(
        gt.SpecError,
        match=r"expected fixed sizes in a schedule, found matmul\(f32\[<=12,4\], .*; schedule one size: spec.at\(12\)",
    ):
        gt.schedule("matmul(f32[<=12,4], f32[4,5])")


@pytest.fixture(scope="module")
def keys():
    """Of two heads, up to 6: two queries' scores."""
    return gt.compile("matmul(f32[2,<=6,4], f32[2,4,3]) -> f32[2,<=6,3]", "portable")


CACHE, QUERIES = (
    np.random.default_rng(0).random((2, 6, 4), np.float32),
    np.random.default_rng(1).random((2, 4, 3), np.float32),
)


@given(n=st.integers(1, 6), start=st.integers(0, 5))
def test_a_part_of_an_array_of_the_bound_is_taken_as_it_lies(keys, n, start):
    """Where it begins in that does not matter; results are parts as well, and nothing beside them is written."""
    part = CACHE[:, start : start + n]
    n, whole = part.shape[1], np.full((2, 6, 3), 7, np.float32)
    y = keys(part, QUERIES)
    assert y.shape == (2, n, 3) and np.allclose(y, part @ QUERIES) and y.strides == whole.strides
    assert keys(part, QUERIES, out=whole[:, :n]) is not None and (whole[:, :n] == y).all() and (whole[:, n:] == 7).all()
    assert (keys.bind(part, None)(QUERIES) == y).all() and (keys.bind(None, QUERIES)(part) == y).all()


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda k: k(CACHE[:, :3].copy(), QUERIES),
            (
                r"expected f32\[2,3,4\] as a part of an array of shape \(2, 6, 4\), the bound's \(strides \(96, 16, 4\)"
                r" bytes\), found strides \(48, 16, 4\), for input 1 .*; make one with numpy.empty\(\(2, 6, 4\),"
                r" numpy.float32\) and pass its part \[:, :3, :\]"
            ),
        ),
        (lambda k: k(CACHE[:, ::2], QUERIES), r"found strides \(96, 32, 4\)"),
        (
            lambda k: k(CACHE[:, :3], QUERIES, out=np.empty((2, 3, 3), np.float32)),
            (
                r"expected f32\[2,3,3\] as a part of an array of shape \(2, 6, 3\), .* found strides \(36, 12, 4\),"
                r" for out"
            ),
        ),
        (
            lambda k: k(CACHE[:, :0], QUERIES, out=np.empty((2, 1, 3), np.float32)),
            r"expected shape \(2, 0, 3\), found \(2, 1, 3\)",
        ),
    ],
)
def test_what_lies_otherwise_is_refused(keys, call, message):
    with pytest.raises(gt.SpecError, match=message) as caught:
        call(keys)
    assert "\n" not in str(caught.value)


def test_the_kernel_of_one_size_takes_arrays_of_their_own():
    part = CACHE[:, :5].copy()
    kernel = gt.synthesize("matmul(f32[2,<=6,4], f32[2,4,3])", "portable").at(5).compile()
    assert np.allclose(kernel(part, QUERIES), part @ QUERIES) and kernel(part, QUERIES).flags.c_contiguous


def test_an_output_apart_from_an_input_within_its_span_is_refused():
    kernel = gt.compile("exp(f32[2,<=6])", "portable")
    both = np.ones((2, 6), np.float32)
    with pytest.raises(gt.SpecError, match="expected out apart from the inputs, found memory shared with x0"):
        kernel(both[:, :3], out=both[:, 3:])
    assert np.allclose(kernel(both), np.e)


def test_of_no_elements_there_is_no_sum():
    kernel = gt.compile("sum(f32[<=6,4], axis=0)", "portable")
    assert (kernel(np.ones((5, 4), np.float32)) == 5).all()
    with pytest.raises(
        gt.SpecError,
        match=(
            r"expected a dynamic size of 1 to 6, found 0, of which f32\[4\] is no empty result, for griotte_sum_.*;"
            r" leave out the call"
        ),
    ):
        kernel(np.ones((0, 4), np.float32))


def test_the_header_says_which_arrays_lie_as_those_of_the_bound(keys, tmp_path):
    again = load(keys.save(tmp_path))
    assert (again(CACHE[:, :5], QUERIES) == keys(CACHE[:, :5], QUERIES)).all()
    header = (tmp_path / "kernel.h").read_text()
    name = keys.signature.function.upper()
    assert (
        f"/* m: rows along the dynamic axis of x0, y, 1 to {name}_M; other values do nothing. BYTES are those of the"
        f" largest m. Whatever m, x0, y lie as arrays of {name}_M; of other rows than the first m nothing is read or"
        " written. */" in header
    )


def test_an_array_may_have_the_size_along_both_axes():
    """It is the corner of one of the bound then; beside it nothing is written, and a call tells the size by any of its
    axes."""
    spec = gt.parse("add(f32[<=6,<=6], f32[<=6,1])")
    kernel, room = gt.compile(spec, "portable"), np.random.default_rng(0).random((2, 6, 6), np.float32)
    for n in (0, 1, 4, 6):
        x, column, out = room[0, :n, :n], room[1, :n, :1].copy(), np.full((6, 6), 7, np.float32)
        assert (kernel(x, column) == x + column).all() and (kernel.bind(x, None)(column) == x + column).all()
        kernel(x, column, out=out[:n, :n])
        assert (out[:n, :n] == x + column).all() and (out[n:] == 7).all() and (out[:, n:] == 7).all()
    with pytest.raises(
        gt.SpecError, match=r"as a part of an array of shape \(6, 6\), the bound's .* pass its part \[:3, :3\]"
    ):
        kernel(room[0, :3, :3].copy(), room[1, :3, :1].copy())
    with pytest.raises(gt.SpecError, match=r"expected shape \(3, 3\), found \(3, 4\)"):
        kernel(room[0, :3, :4], room[1, :3, :1].copy())


def test_a_saved_kernel_knows_both_axes(tmp_path):
    kernel = gt.compile("matmul(f32[<=6,4], f32[4,<=6])", "portable")
    again = load(kernel.save(tmp_path / "k"))
    x, y = np.random.default_rng(0).random((2, 6, 6), np.float32)
    for n in (2, 6):
        assert again(x[:n, :4].copy(), y[:4, :n]).tobytes() == kernel(x[:n, :4].copy(), y[:4, :n]).tobytes()
    header = (tmp_path / "k" / "kernel.h").read_text()
    assert "rows along the dynamic axes of x0, x1, y, 1 to" in header and "x1, y lie as arrays of" in header
