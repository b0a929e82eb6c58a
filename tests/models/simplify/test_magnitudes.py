"""Laws change rounding, no more: what is large, cancels, overflows or is nothing stays what it was as written."""

import numpy as np
import pytest
from griotte.lang.types.tensor import tensor
from griotte.models import GraphBuilder
from griotte.models.reference import interpret
from griotte.models.simplify import simplify
from simplifying import calls

WIDE = ("f32", "f64", "f16")
NUMPY = {"f32": np.float32, "f64": np.float64, "f16": np.float16}


def run(make, *arrays, dtype="f32"):
    """What a graph of one input gives as written, and made simpler; and its calls then."""
    builder = GraphBuilder()
    given = [builder.input(tensor(a.shape, dtype), f"x{i}") for i, a in enumerate(arrays)]
    call = lambda name, *reads, **attributes: builder.call(
        name, *(builder.constant(r) if isinstance(r, (np.ndarray, np.generic)) else r for r in reads), **attributes
    )
    graph = builder.graph({"y": make(call, *given)})
    simpler = simplify(graph)
    with np.errstate(all="ignore"):
        written, found = (np.asarray(interpret(g, *arrays)[0], np.float64) for g in (graph, simpler))
    return written, found, calls(simpler)


def chain(*steps):
    """x, and one known number after the other."""

    def make(call, x):
        for name, number in steps:
            x = call(name, x, number)
        return x

    return make


HUGE = {"f32": 1e25, "f64": 1e200, "f16": 3e3}
LARGEST = {"f32": 3e38, "f64": 1.5e308, "f16": 6e4}
EXACT = {"f32": 12582912.0, "f64": 1.5 * 2**52, "f16": 1536.0}


@pytest.mark.parametrize("dtype", WIDE)
@pytest.mark.parametrize(
    "steps",
    [
        lambda d: (("mul", HUGE[d]), ("mul", HUGE[d])),
        lambda d: (("mul", 1 / HUGE[d]), ("mul", 1 / HUGE[d])),
        lambda d: (("mul", HUGE[d]), ("mul", 1 / HUGE[d])),
        lambda d: (("mul", 1 / HUGE[d]), ("mul", HUGE[d])),
        lambda d: (("add", LARGEST[d]), ("add", LARGEST[d])),
        lambda d: (("add", LARGEST[d]), ("sub", LARGEST[d])),
        lambda d: (("add", EXACT[d]), ("sub", EXACT[d])),
        lambda d: (("sub", EXACT[d]), ("add", EXACT[d])),
        lambda d: (("div", 3.0), ("mul", 3.0)),
        lambda d: (("mul", HUGE[d]), ("add", 1.0), ("mul", HUGE[d])),
    ],
)
def test_known_numbers_one_after_the_other(steps, dtype):
    own = NUMPY[dtype]
    x = np.array([1 / HUGE[dtype], HUGE[dtype], 1.25, -0.3, -LARGEST[dtype], LARGEST[dtype], 7.7], own)
    make = chain(*((name, own(number)) for name, number in steps(dtype)))
    written, found, _ = run(make, x, dtype=dtype)
    np.testing.assert_array_equal(found, written)


@pytest.mark.parametrize("shift", [5e6, 1e5, -2023.0])
@pytest.mark.parametrize("scale", [None, 0.5])
@pytest.mark.parametrize("product", ["matmul", "batched", "conv1", "conv3"])
def test_a_shift_before_a_product_stays(product, scale, shift):
    rng = np.random.default_rng(0)
    shape = (4, 8, 5, 5) if "conv" in product else (3, 4, 8)
    weights = {"matmul": (8, 5), "batched": (3, 8, 5), "conv1": (6, 8, 1, 1), "conv3": (6, 8, 3, 3)}[product]
    x = (rng.standard_normal(shape) - shift).astype(np.float32)
    w = rng.standard_normal(weights).astype(np.float32)

    def make(call, given):
        moved = given if scale is None else call("mul", given, np.float32(scale))
        moved = call("add", moved, np.float32(shift * (scale or 1)))
        return call("conv2d" if "conv" in product else "matmul", moved, w)

    written, found, _ = run(make, x)
    assert np.abs(found - written).max() <= 1e-6 * np.abs(written).max()


def test_a_shift_goes_behind_a_product_where_nothing_cancels():
    w = np.ones((4, 3), np.float32)
    x = np.ones((2, 4), np.float32)
    _, _, after = run(lambda call, given: call("matmul", call("add", call("relu", given), np.float32(2)), w), x)
    assert after == ["relu", "matmul", "add"]


def test_a_batch_norm_behind_a_convolution_is_its_weights():
    rng = np.random.default_rng(1)
    w = rng.standard_normal((6, 4, 3, 3)).astype(np.float32)
    gain, shift = (rng.standard_normal((6, 1, 1)).astype(np.float32) for _ in range(2))
    make = lambda call, x: call("add", call("mul", call("conv2d", x, w, padding=1), gain), shift)
    written, found, after = run(make, rng.standard_normal((1, 4, 5, 5)).astype(np.float32))
    assert after == ["conv2d", "add"]
    np.testing.assert_allclose(found, written, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("place", ["before", "behind"])
@pytest.mark.parametrize("call_name", ["matmul", "conv2d", "conv_transpose2d"])
def test_large_factors_stay_out_of_weights(call_name, place):
    w = np.full((4, 4) if call_name == "matmul" else (4, 4, 2, 2), 1e25, np.float32)
    x = np.full((2, 4) if call_name == "matmul" else (1, 4, 3, 3), 1e-30, np.float32)

    def make(call, given):
        if place == "before":
            return call(call_name, call("mul", given, np.float32(1e25)), w)
        return call("mul", call(call_name, given, w), np.float32(1e25))

    written, found, _ = run(make, x)
    np.testing.assert_allclose(found, written, rtol=1e-5)
    assert np.isfinite(written).any()


@pytest.mark.parametrize("call_name", ["matmul", "conv2d"])
@pytest.mark.parametrize(("step", "numbers"), [("mul", np.inf), ("div", [1, 0, 1, 1]), ("mul", [1, np.nan, 1, 1])])
def test_what_is_no_factor_of_weights(call_name, step, numbers):
    of_one, numbers = call_name == "matmul", np.asarray(numbers, np.float32)
    w = np.eye(4, dtype=np.float32) if of_one else np.eye(4, dtype=np.float32)[..., None, None]
    x = np.arange(1, 9, dtype=np.float32).reshape(2, 4) if of_one else np.ones((1, 4, 2, 2), np.float32)
    numbers = numbers if of_one or not numbers.ndim else numbers.reshape(-1, 1, 1)
    written, found, _ = run(lambda call, given: call(step, call(call_name, given, w), numbers), x)
    np.testing.assert_array_equal(found, written)


@pytest.mark.parametrize("outer", [0, 1, ((0, 1), (1, 0))])
@pytest.mark.parametrize("counts", [False, True])
def test_a_pad_before_a_mean_of_windows_counts(counts, outer):
    x = np.arange(1, 31, dtype=np.float32).reshape(1, 1, 5, 6)

    def make(call, given):
        padded = call("pad", given, before=(0, 0, 1, 1), after=(0, 0, 1, 1))
        return call("avg_pool2d", padded, window=3, stride=2, padding=outer, count_pad=counts)

    written, found, after = run(make, x)
    np.testing.assert_allclose(found, written, rtol=1e-6)
    assert after == ["avg_pool2d"] or not counts and outer != 0


@pytest.mark.parametrize("known", [False, True])
def test_a_row_that_a_mask_hides_is_no_number(known):
    rng = np.random.default_rng(2)
    q, k, v = (rng.standard_normal(s).astype(np.float32) for s in ((1, 4, 8), (1, 8, 5), (1, 5, 8)))
    mask = np.zeros((4, 5), np.float32)
    mask[1], mask[2, 3] = -np.inf, -np.inf

    def make(call, q, k, v, *rest):
        scores = call("add", call("matmul", q, k), mask if known else rest[0])
        return call("matmul", call("softmax", scores, axis=-1), v)

    written, found, after = run(make, q, k, v, *([] if known else [mask]))
    assert "attention" in after and np.isnan(written[0, 1]).all() and not np.isnan(written[0, 2]).any()
    np.testing.assert_allclose(found, written, rtol=1e-5, atol=1e-6)


def test_lines_of_one_slope_alone_are_a_leaky_relu():
    x = np.array([-2, -0.5, 0.5, 2], np.float32)
    for slope in (0.3, -0.5, 2.0):
        make = lambda call, x, s=slope: call(
            "add", call("relu", x), call("minimum", call("mul", x, np.float32(s)), 0.0)
        )
        written, found, _ = run(make, x)
        np.testing.assert_allclose(found, written, rtol=1e-6)


def test_a_mean_of_means_does_not_overflow():
    x = np.full((4, 4), 3e37, np.float32)
    mean = lambda call, x: call("mean", call("mean", x, axis=1, keepdims=True), axis=0, keepdims=True)
    written, found, _ = run(mean, x)
    np.testing.assert_allclose(found, written, rtol=1e-6)


def test_numbers_that_are_nearly_others():
    x = np.array([1e12], np.float32)
    written, found, _ = run(lambda call, x: call("power", x, np.float32(2.000001)), x)
    np.testing.assert_allclose(found, written, rtol=1e-6)


def test_roots_of_what_may_be_minus_infinity():
    x = np.array([-np.inf, -1, 4], np.float32)
    for power in (0.5, -0.5):
        written, found, _ = run(lambda call, x, p=power: call("power", x, np.float32(p)), x)
        np.testing.assert_array_equal(found, written)
        assert not np.isnan(found[0])


@pytest.mark.parametrize("low", [-1e9, -3.4e38, -np.inf])
@pytest.mark.parametrize("known", [False, True])
def test_a_row_that_a_choice_hides(known, low):
    """Weights are those of scores that are all the same, or NaN of none: as the softmax is that was written."""
    rng = np.random.default_rng(3)
    q, k, v = (rng.standard_normal(s).astype(np.float32) * 9 for s in ((1, 4, 8), (1, 8, 5), (1, 5, 8)))
    sees = np.tri(4, 5, 1, dtype=bool)
    sees[1] = False
    builder = GraphBuilder()
    inputs = [builder.input(tensor(a.shape), n) for a, n in zip((q, k, v), "qkv")]
    p = builder.constant(sees) if known else builder.input(tensor(sees.shape, "pred"), "p")
    chosen = builder.call("where", p, builder.call("matmul", *inputs[:2]), np.float32(low))
    y = builder.call("matmul", builder.call("softmax", chosen, axis=-1), inputs[2])
    graph = builder.graph({"y": y})
    simpler, given = simplify(graph), (q, k, v) if known else (q, k, v, sees)
    (written,), (found,) = (interpret(g, *given) for g in (graph, simpler))
    assert "attention" in calls(simpler) and np.isnan(written[0, 1]).all() == np.isinf(low)
    np.testing.assert_allclose(found, written, rtol=1e-5, atol=1e-6)


def test_hard_swish_by_hand_near_its_zero():
    x = (np.float32(-3) + np.float32(2.0) ** -np.arange(4, 21)).astype(np.float32)

    def make(call, given):
        gate = call("clip", call("add", given, np.float32(3)), low=0, high=6)
        return call("mul", given, call("div", gate, np.float32(6)))

    written, found, after = run(make, x)
    assert after == ["hard_swish"]
    np.testing.assert_allclose(found, written, rtol=5e-7)
