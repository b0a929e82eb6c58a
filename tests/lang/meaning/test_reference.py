import gc

import griotte as gt
import ml_dtypes
import numpy as np
import pytest
from griotte.lang.calls.spec import Spec
from griotte.lang.meaning import reference
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.reference import interpret
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.operation import Operation
from griotte.lang.text.text import parse
from griotte.lang.types.expr import Arg, Call
from griotte.lang.types.tensor import tensor
from griotte.support.errors import SpecError
from hypothesis import given
from strategies import examples, seeds, specs

rng = np.random.default_rng(0)
PRODUCT = Call("mul", (Arg(0), Arg(1)))


def run(text, *arrays):
    return interpret(parse(text), *arrays)


def normal(*shape, dtype=np.float32):
    return rng.standard_normal(shape).astype(dtype)


def test_matmul_is_numpys():
    a, b = normal(7, 1, 3, 5), normal(2, 5, 4)
    assert np.allclose(run("matmul(f32[7,1,3,5], f32[2,5,4])", a, b), a @ b, atol=1e-5)


def test_strides_of_arrays_are_free():
    a, b = normal(5, 3).T, normal(10, 4)[::2]
    assert np.allclose(run("matmul(f32[3,5], f32[5,4])", a, b), a @ b, atol=1e-5)


def test_small_integers_saturate_once():
    a, b = np.full((2, 1000), 255, np.uint8), np.full((1000, 2), -128, np.int8)
    b[:, 1] = np.resize([127, -127], 1000)
    assert run("matmul(u8[2,1000], s8[1000,2]) -> s16[2,2]", a, b).tolist() == [[-32768, 0]] * 2
    assert run("matmul(u8[2,1000], s8[1000,2])", a, b)[0].tolist() == [-32640000, 0]
    assert run("add(u8[2], u8[2])", *2 * [np.array([200, 3], np.uint8)]).tolist() == [255, 6]


@pytest.mark.parametrize("name, dtype", [("s32", np.int32), ("u32", np.uint32), ("s64", np.int64)])
def test_wide_integers_wrap(name, dtype):
    info = np.iinfo(dtype)
    a, b = (rng.integers(info.min, info.max, shape, dtype, endpoint=True) for shape in ((9, 33), (33, 5)))
    exact = a.astype(object) @ b.astype(object)
    wrapped = [[(v - info.min) % 2**info.bits + info.min for v in row] for row in exact]
    assert run(f"matmul({name}[9,33], {name}[33,5])", a, b).tolist() == wrapped
    assert run(f"sum({name}[9,33])", a) == (a.astype(object).sum() - info.min) % 2**info.bits + info.min


def test_where_add_and_scalars_broadcast():
    p, x, y = np.array([[True], [False]]), normal(3), normal()
    assert (run("where(pred[2,1], f32[3], f32[])", p, x, np.asarray(y)) == np.where(p, x, y)).all()
    assert run("exp(f32[])", np.float32(0)) == 1


@pytest.mark.parametrize("name", ["sum", "max", "min"])
@pytest.mark.parametrize("axis, keepdims", [(None, False), (1, False), ((0, 2), True), ((), False)])
def test_reductions_are_numpys(name, axis, keepdims):
    x = normal(5, 7, 3)
    spec = getattr(gt, name)(tensor(x.shape, layout=(1, 0, 2)), axis, keepdims)
    wanted = getattr(np, name)(x.astype(np.float64), axis=axis, keepdims=keepdims)
    got = interpret(spec, x)
    assert got.shape == wanted.shape and np.allclose(got, wanted)


def test_a_reduction_of_nan_is_nan():
    x = np.array([[1, np.nan], [2, 3]], np.float32)
    assert np.isnan(run("max(f32[2,2], axis=1)", x)).tolist() == [True, False]


def test_bf16_is_rounded_once_at_the_end():
    ones = np.ones((1, 4096), ml_dtypes.bfloat16)
    assert run("sum(bf16[1,4096])", ones) == 4096
    assert run("matmul(bf16[1,4096], bf16[4096,1])", ones, ones.T).item() == 4096


def test_nested_calls_round_to_the_compute_dtype():
    x = np.array([100.0], np.float32)
    assert run("log(exp(f32[1]))", x) == np.inf  # exp overflows in f32, though not in the reference's f64


@pytest.mark.parametrize("perm", [(0, 1, 2), (2, 0, 1), (1, 0, 2)])
def test_transpose_is_numpys_in_the_declared_layout(perm):
    x = normal(3, 4, 5)
    got = interpret(gt.transpose(tensor(x.shape), perm, layout=(0, 1, 2)), x)
    assert (got == x.transpose(perm)).all() and got.flags.f_contiguous


def conv(n, o, h, w, c, i, j, stride, dilation):
    x = f"n c h*{stride}+i*{dilation} w*{stride}+j*{dilation}"
    nest = Operation.of("conv2d", "n o h w c i j", (x, "o c i j"), "n o h w", PRODUCT, "add")
    sizes = dict(zip(nest.dims, (n, o, h, w, c, i, j)))
    return Spec(nest, tuple(sizes.values()), tuple(tensor(a.shape(sizes)) for a in nest.inputs), tensor((n, o, h, w)))


@pytest.mark.parametrize("block", [1 << 21, 50])
def test_a_convolution_declared_by_hand(block, monkeypatch):
    monkeypatch.setattr(reference, "_BLOCK", block)
    spec = conv(2, 3, 4, 5, 3, 2, 3, stride=2, dilation=3)
    x, w = random_arrays(spec, rng)
    wanted = np.zeros(spec.output.shape)
    for n, o, h, v, c, i, j in np.ndindex(*spec.sizes):
        wanted[n, o, h, v] += float(x[n, c, h * 2 + i * 3, v * 2 + j * 3]) * float(w[o, c, i, j])
    assert np.allclose(interpret(spec, x, w), wanted, atol=1e-5)


def test_a_window_maximum():
    nest = Operation.of("max_pool", "n h i", ("n h*2+i",), "n h", Arg(0), "maximum")
    x = normal(3, 11)
    got = interpret(Spec(nest, (3, 5, 3), (tensor(x.shape),), tensor((3, 5))), x)
    assert (got == np.stack([x[:, 2 * h : 2 * h + 3].max(1) for h in range(5)], 1)).all()


@given(specs(16), seeds)
@examples(60)
def test_blocks_change_nothing(spec, seed):
    arrays = random_arrays(spec, np.random.default_rng(seed))
    whole = reference.accumulate(spec, arrays)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference, "_BLOCK", 97)
        cut = reference.accumulate(spec, arrays)
    np.testing.assert_allclose(cut.astype(np.float64), whole.astype(np.float64), rtol=1e-9, atol=1e-9)


@given(specs(16), seeds)
@examples(60)
def test_the_contraction_shortcut_means_the_nest(spec, seed):
    arrays = random_arrays(spec, np.random.default_rng(seed))
    short = reference.accumulate(spec, arrays)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference, "is_matrix_product", lambda spec: False)
        long = reference.accumulate(spec, arrays)
    np.testing.assert_allclose(short.astype(np.float64), long.astype(np.float64), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("text", ("gelu(add(f64[9,33], f64[33]))", "sum(mul(f64[9,33], f64[33]), axis=0)"))
def test_arrays_go_once_a_result_is_there(text):
    """At once, and not when the collector of cyclic garbage comes by: they may be most of the memory there is."""
    spec = parse(text)
    arrays = random_arrays(spec, np.random.default_rng(0))
    gc.collect()
    gc.disable()
    try:
        compare(spec, arrays, interpret(spec, *arrays))
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        assert not any(isinstance(held, np.ndarray) for held in gc.get_referents(*gc.garbage))
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.mark.parametrize(
    "arrays, message",
    [
        ((), "expected 1 arrays for exp.*found 0"),
        (([1.0, 2.0],), "expected a NumPy array for input 0, .*found list"),
        ((np.zeros(2),), r"expected dtype f32 for input 0, f32\[2\], found f64; use astype\(float32\)"),
        ((np.zeros(3, np.float32),), r"expected shape \[2\] for input 0, .*found \[3\]"),
    ],
)
def test_arrays_that_do_not_fit(arrays, message):
    with pytest.raises(SpecError, match=message):
        run("exp(f32[2])", *arrays)
