import ml_dtypes
import numpy as np
import pytest
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.reference import empty, interpret
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.text.text import parse
from griotte.lang.types.dtypes import convert
from hypothesis import assume, given
from strategies import examples, seeds, specs

rng = np.random.default_rng(0)


def verdict(text, result, *arrays):
    return compare(parse(text), arrays, result)


@given(specs(24), seeds)
@examples(150)
def test_the_reference_is_right(spec, seed):
    arrays = random_arrays(spec, np.random.default_rng(seed), hostile=seed % 2 == 0)
    error, ok, message = compare(spec, arrays, interpret(spec, *arrays))
    assert ok and message == "", message
    if seed % 2:  # hostile values may round to zero, all of them lost
        assert error < 0.01


@given(specs(24), seeds)
@examples(150)
def test_one_element_off_is_wrong(spec, seed):
    arrays = random_arrays(spec, np.random.default_rng(seed))
    result = interpret(spec, *arrays)
    at = tuple(np.random.default_rng(seed).integers(result.shape))
    assume(np.isfinite(np.float64(result[at])))
    off = empty(spec.output)
    off[...] = result
    off[at] = convert(np.float64(result[at]) * -1.5 + 64, spec.output.dtype)
    assume(off[at] != result[at])
    _, ok, message = compare(spec, arrays, off)
    assert not ok and "1 of" in message


def test_f32_sums_in_any_order_are_right():
    a, b = rng.standard_normal((2, 64, 64)).astype(np.float32)
    text = "matmul(f32[64,64], f32[64,64])"
    forth = np.zeros((64, 64), np.float32)
    for k in range(64):
        forth += a[:, k : k + 1] * b[k]
    back = np.zeros((64, 64), np.float32)
    for k in reversed(range(64)):
        back += a[:, k : k + 1] * b[k]
    assert verdict(text, forth, a, b)[1] and verdict(text, back, a, b)[1]
    assert not verdict(text, forth + np.float32(1e-3), a, b)[1]


def test_bf16_operands_where_f32_is_asked_are_wrong():
    a, b = rng.standard_normal((2, 64, 64)).astype(np.float32)
    short = a.astype(ml_dtypes.bfloat16).astype(np.float32) @ b
    assert not verdict("matmul(f32[64,64], f32[64,64])", short, a, b)[1]


def test_a_bf16_dot_may_flush_denormals():
    a = np.array([[1e-39, 1.0]], ml_dtypes.bfloat16)
    b = np.array([[1e38, np.inf, 1.0], [0.0, 1.0, 0.0]], ml_dtypes.bfloat16)
    text = "matmul(bf16[1,2], bf16[2,3]) -> f32[1,3]"
    kept = a.astype(np.float32) @ b.astype(np.float32)
    assert verdict(text, kept, a, b)[1]
    assert verdict(text, np.array([[0, np.nan, 0]], np.float32), a, b)[1]
    assert not verdict(text, np.array([[0, 7, 0]], np.float32), a, b)[1]
    assert not verdict(
        text.replace("bf16", "f32"), np.array([[0, np.inf, 0]], np.float32), a.astype(np.float32), b.astype(np.float32)
    )[1]


def test_infinities_and_nans_are_strict_where_nothing_overflows():
    a, b = np.array([[np.inf, 1.0], [np.nan, 1.0]], np.float32), np.ones((2, 1), np.float32)
    text = "matmul(f32[2,2], f32[2,1])"
    assert verdict(text, np.array([[np.inf], [np.nan]], np.float32), a, b)[1]
    for wrong in ([-np.inf, np.nan], [np.nan, np.nan], [3e38, np.nan], [np.inf, 1], [np.inf, np.inf]):
        assert not verdict(text, np.array(wrong, np.float32).reshape(2, 1), a, b)[1]


def test_sums_that_overflow_on_the_way():
    x = np.array([3e38, 3e38, -3e38], np.float32)
    for result in (3e38, np.inf, np.nan):
        assert verdict("sum(f32[3])", np.array(result, np.float32), x)[1]
    assert not verdict("sum(f32[3])", np.array(1.0, np.float32), x)[1]
    assert verdict("sum(f32[2])", np.array(np.inf, np.float32), x[:2])[1]
    assert not verdict("sum(f32[2])", np.array(np.nan, np.float32), x[:2])[1]


def test_functions_may_be_four_ulp_off():
    x = np.array([0.5, 2.0, 80.0], np.float32)
    right = np.exp(x.astype(np.float64)).astype(np.float32)
    for ulps, wanted in ((3, True), (12, False)):
        assert verdict("exp(f32[3])", right + np.float32(ulps) * np.spacing(right), x)[1] == wanted


def test_sums_of_two_are_rounded_right():
    x, y = rng.standard_normal((2, 100)).astype(np.float32)
    assert verdict("add(f32[100], f32[100])", x + y, x, y)[1]
    assert not verdict("add(f32[100], f32[100])", np.nextafter(x + y, np.float32(9)), x, y)[1]


def test_contracted_maps_are_right():
    x, y, z = rng.standard_normal((3, 100)).astype(np.float32)
    fused = (x.astype(np.float64) * y + z).astype(np.float32)
    text = "add(mul(f32[100], f32[100]), f32[100])"
    assert verdict(text, fused, x, y, z)[1] and verdict(text, x * y + z, x, y, z)[1]


@pytest.mark.parametrize(
    "text, arrays",
    [
        ("add(mul(f32[2], f32[2]), f32[2])", ([3.4e38, 1.0], [2.0, 1.0], [-np.inf, 1.0])),
        ("add(mul(sum(f32[2,1], axis=1), f32[2]), f32[2])", ([[3.4e38], [1.0]], [2.0, 1.0], [-np.inf, 1.0])),
        (
            "batch_norm(f32[1,2], f32[2], f32[2], f32[2], f32[2], epsilon=0)",
            ([[3.4e38, 1.0]], [np.inf, 0.0], [0.25, 1.0], [1.0, 1.0], [0.0, 1.0]),
        ),
    ],
    ids=["a nest", "across calls", "within a call"],
)
def test_a_product_that_overflows_once_it_is_rounded(text, arrays):
    """With an infinity of the other sign it gives NaN; or that infinity, where product and sum are one instruction."""
    spec = parse(text)
    given = [np.array(a, np.float32).reshape(t.shape) for a, t in zip(arrays, spec.inputs)]
    for overflowed in (np.nan, -np.inf):
        result = np.array([overflowed, 2.0], np.float32).reshape(spec.output.shape)
        assert compare(spec, given, result)[1]
    assert not compare(spec, given, np.array([-np.inf, 3.0], np.float32).reshape(spec.output.shape))[1]


def test_copies_keep_the_sign_of_zero_and_denormals():
    x = np.array([-0.0, 1e-40], np.float32)
    assert verdict("copy(f32[2])", x.copy(), x)[1]
    assert not verdict("copy(f32[2])", np.array([0.0, 1e-40], np.float32), x)[1]
    assert not verdict("copy(f32[2])", np.array([-0.0, 0.0], np.float32), x)[1]


@pytest.mark.parametrize("result", [np.zeros(3, np.float64), np.zeros((3, 1), np.float32)])
def test_a_result_of_another_type_is_wrong(result):
    error, ok, message = verdict("copy(f32[3])", result, np.zeros(3, np.float32))
    assert (error, ok) == (np.inf, False) and "expected a result f32[3], found" in message


def test_which_zero_a_largest_of_both_is_is_left_open():
    """1 / max(-0, 0) is an infinity of either sign."""
    spec = parse("div(f32[1], max(f32[1,2], axis=1))")
    arrays = [np.ones(1, np.float32), np.array([[-0.0, 0.0]], np.float32)]
    for infinity in (np.inf, -np.inf):
        assert compare(spec, arrays, np.array([infinity], np.float32))[1]
    plain = parse("div(f32[1], neg(f32[1]))")
    assert not compare(plain, [np.ones(1, np.float32), np.zeros(1, np.float32)], np.array([np.inf], np.float32))[1]


def test_a_number_that_rounds_to_a_zero_of_either_sign_may_be_either():
    spec = parse("reshape(cast(f64[2]) -> bf16[2]) -> bf16[1,2]")
    assert compare(spec, [np.array([2e-308, -2e-308])], convert(np.array([[0.0, -0.0]]), "bf16"))[1]


def test_a_sum_that_may_stay_finite_on_the_way_may_be_infinite_after_it():
    """The products overflow where they are rounded: fused, they do not."""
    spec = parse("matmul(matmul(f64[1,2], f64[2,1]), f64[1,1])")
    large = np.finfo(np.float64).max
    arrays = [np.array([[large, -large]]), np.array([[2.0], [2.0]]), np.array([[1.0]])]
    for value in (np.nan, np.inf, -np.inf):
        assert compare(spec, arrays, np.array([[value]]))[1]


def test_a_scale_may_be_taken_times_the_sum_of_its_group():
    """One that is not finite, or larger than 1, then gives infinity where terms one by one give NaN, or a number; any
    number is wrong there."""
    text, x, w = (
        "group_matmul(f32[1,4], s8[2,2,2], f32[2,2])",
        np.array([[1, -1, 1, 1]], np.float32),
        np.ones((2, 2, 2), np.int8) * np.int8([3, 1]),
    )
    scales = np.array([[np.inf, 1], [1, 1]], np.float32)
    for value, right in ((np.inf, True), (-np.inf, True), (np.nan, True), (6.0, False)):
        assert verdict(text, np.array([[value, 6.0]], np.float32), x, w, scales)[1] == right
    assert not verdict(text, np.array([[np.inf, np.inf]], np.float32), x, w, scales)[1]
    large = (
        np.array([[1e38, -1e38, 1e38, 1e38]], np.float32),
        np.int8([[[3, 3], [1, 1]]] * 2),
        np.full((2, 2), 0.01, np.float32),
    )
    assert (
        verdict(text, np.array([[np.nan, 2e36]], np.float32), *large)[1]
        and not verdict(text, np.zeros((1, 2), np.float32), *large)[1]
    )


@pytest.mark.parametrize("seed", range(5))
def test_products_of_integers_wrap_also_where_they_feed_a_sum(seed):
    spec = parse("mean(mul(s32[5,12], s32[12]), axis=1)")
    arrays = random_arrays(spec, np.random.default_rng(seed), hostile=True)
    error, right, complaint = compare(spec, arrays, interpret(spec, *arrays))
    assert right and error == 0, complaint
