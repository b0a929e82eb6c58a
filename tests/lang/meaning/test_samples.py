"""Data to time on are neither denormal nor infinite, nor is what follows from them."""

import ml_dtypes
import numpy as np
import pytest
from griotte.lang.meaning.agreement import tolerance
from griotte.lang.meaning.reference import interpret
from griotte.lang.meaning.samples import moderate, near_one, random_arrays, random_integers, timed_arrays, whole_arrays
from griotte.lang.text.text import parse
from griotte.lang.types.dtypes import dtype, limits
from hypothesis import given
from strategies import examples, seeds, specs


@given(specs(), seeds)
@examples(60)
def test_arrays_have_the_declared_layout(spec, seed):
    for array, type in zip(random_arrays(spec, np.random.default_rng(seed), hostile=True), spec.inputs):
        assert (array.shape, array.dtype.itemsize * np.array(type.strides())).__repr__() == (
            type.shape,
            np.array(array.strides),
        ).__repr__()


def test_hostile_data_is_hostile():
    (array,) = random_arrays(parse("exp(f32[100,100])"), np.random.default_rng(0), hostile=True)
    assert np.isnan(array).any() and np.isposinf(array).any() and ((array == 0) & np.signbit(array)).any()
    assert ((array != 0) & (np.abs(array) < np.finfo(np.float32).tiny)).any()


def test_plain_data_is_finite_and_small():
    (array,) = random_arrays(parse("exp(f32[100,100])"), np.random.default_rng(0))
    assert np.abs(array).max() < 10


@given(specs(40), seeds)
@examples(60)
def test_whole_numbers_are_whole_and_their_sums_exact(spec, seed):
    arrays = whole_arrays(spec, np.random.default_rng(seed))
    for array, type in zip(arrays, spec.inputs, strict=True):
        assert array.shape == type.shape and (np.trunc(array.astype(np.float64)) == array).all()
    if spec.operation.combine == "add" and spec.operation.name not in ("mean", "avg_pool2d"):  # those divide
        bounds = tolerance(spec, arrays)
        terms = np.prod([spec.size[d] for d in spec.operation.reduction])
        # else a sum of as many ones saturates
        has_room = dtype(spec.output.dtype).kind == "float" or terms <= limits(spec.output.dtype)[1] / 4
        assert (bounds.low == bounds.high).all() and (not has_room or all((array != 0).all() for array in arrays))


def test_every_term_is_the_largest_of_some_result():
    (array,) = whole_arrays(parse("max(f32[30,20], axis=1)"), np.random.default_rng(0))
    assert set(array.argmax(axis=1)) == set(range(20)) and array[0].argmax() == 19


def test_hostile_data_leaves_most_long_sums_finite_but_not_all():
    spec = parse("sum(f32[50001])")
    assert (
        20
        < sum(
            np.isfinite(random_arrays(spec, np.random.default_rng(seed), hostile=True)[0]).all() for seed in range(40)
        )
        < 40
    )


PRODUCTS = [
    "prod(f32[2000,6], axis=0)",
    "prod(f64[3,5000], axis=1)",
    "prod(f16[900,4], axis=0)",
    "prod(bf16[4000,3], axis=0)",
    "prod(mul(f32[400,5], f32[400,5]), axis=0)",
    "prod(abs(f32[700,5]), axis=0)",
]
OTHERS = [
    "exp(matmul(f32[9,2048], f32[2048,7]))",
    "exp(sum(f32[5000,4], axis=0))",
    "softmax(matmul(f32[8,1024], f32[1024,30]))",
    "matmul(matmul(f16[8,1024], f16[1024,64]), f16[64,8])",
    "mul(f16[60,70], f16[60,70])",
    "div(f16[60,70], f16[60,70])",
    "layer_norm(f32[8,3000], f32[3000], f32[3000])",
    "sum(f8e4m3fn[16,30], axis=1) -> f32[16]",
    "exp(matmul(transpose(f32[2048,9], perm=(1,0)), reshape(f32[64,32,7]) -> f32[2048,7]))",
]


def orders(x: np.ndarray) -> float:
    """How far numbers are from 1, in binary orders."""
    return float(np.abs(np.log2(np.abs(x.astype(np.float64)))).max())


def drawn(text, make=timed_arrays):
    spec = parse(text)
    return spec, make(spec, np.random.default_rng(0))


def is_normal(array: np.ndarray) -> bool:
    info, sizes = ml_dtypes.finfo(array.dtype), np.abs(array.astype(np.float64))
    return bool((np.isfinite(sizes) & ((sizes == 0) | (sizes >= float(info.smallest_normal)))).all())


@pytest.mark.parametrize("text", PRODUCTS)
def test_every_part_of_a_product_is_normal(text):
    spec, arrays = drawn(text)
    factors = arrays[0].astype(np.float64)
    for other in arrays[1:]:
        factors = factors * other.astype(np.float64)
    axis = int(factors.shape[1] > factors.shape[0])
    room = {"f16": 14, "f64": 1022}.get(spec.output.dtype, 126)
    for order in (factors, np.flip(factors, axis), np.sort(np.abs(factors), axis), -np.sort(-np.abs(factors), axis)):
        assert orders(np.cumprod(order, axis)) < room
    assert is_normal(interpret(spec, *arrays))
    assert (factors < 0).any() and (factors > 0).any()  # a factor that is lost shows


def test_normal_numbers_become_denormals_in_products():
    _, arrays = drawn(PRODUCTS[0], random_arrays)
    with np.errstate(all="ignore"):
        assert not is_normal(np.cumprod(arrays[0], axis=0))


@pytest.mark.parametrize("text", OTHERS)
def test_results_are_normal(text):
    spec, arrays = drawn(text)
    assert all(is_normal(array) for array in (*arrays, interpret(spec, *arrays)))


def test_numbers_are_moderate_and_of_either_sign():
    found = moderate((1000,), np.random.default_rng(0))
    assert set(np.abs(found)) <= {n / 64 for n in range(32, 128)} and len(set(found)) > 150
    assert np.array_equal(moderate((1000,), np.random.default_rng(0), 3), found / 8)
    assert np.array_equal(found.astype(dtype("bf16").numpy).astype(np.float32), found)
    near = near_one((1000,), 0.25, np.random.default_rng(0))
    assert 0.2 < orders(near) <= 0.25 and 300 < (near < 0).sum() < 700


def test_integers_are_as_random_ones():
    spec, arrays = drawn("take(f32[20,4], s32[30])")
    assert arrays[1].min() >= -1 and arrays[1].max() <= 20 and len(set(arrays[1])) > 10
    spec, arrays = drawn("matmul(u8[8,9], s8[9,7]) -> s32[8,7]")
    expected = random_integers(spec, np.random.default_rng(0))
    assert all(np.array_equal(array, expected[i]) for i, array in enumerate(arrays))
