"""Operations that are a few nests each: what they mean, in NumPy's own words."""

import griotte as gt
import numpy as np
import pytest
from griotte.errors import SpecError
from griotte.program.interpret import interpret as run

RNG = np.random.default_rng(0)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def test_softmax_and_its_logarithm():
    x = RNG.standard_normal((3, 5, 4)).astype(np.float32)
    for axis in (0, 1, -1):
        np.testing.assert_allclose(gt.interpret(gt.parse(f"softmax(f32[3,5,4], axis={axis})"), x), softmax(x, axis), rtol=1e-6)
        np.testing.assert_allclose(gt.interpret(gt.parse(f"log_softmax(f32[3,5,4], axis={axis})"), x), np.log(softmax(x, axis)), rtol=1e-5)


def test_rows_of_infinities_and_large_numbers():
    x = np.array([[-np.inf, -np.inf], [-np.inf, 0], [3e38, 3e38], [np.nan, 0]], np.float32)
    found = gt.interpret(gt.parse("softmax(f32[4,2])"), x)
    np.testing.assert_array_equal(found, np.array([[np.nan, np.nan], [0, 1], [0.5, 0.5], [np.nan, np.nan]], np.float32))


def test_norms():
    x, g, b = RNG.standard_normal((3, 7)), RNG.standard_normal(7), RNG.standard_normal(7)
    centred = x - x.mean(-1, keepdims=True)
    layer = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * g + b
    np.testing.assert_allclose(gt.interpret(gt.parse("layer_norm(f64[3,7], f64[7], f64[7])"), x, g, b), layer)
    np.testing.assert_allclose(gt.interpret(gt.parse("rms_norm(f64[3,7], f64[7], epsilon=0.5)"), x, g), x / np.sqrt((x**2).mean(-1, keepdims=True) + 0.5) * g)


@pytest.mark.parametrize("s, t", ((4, 4), (2, 5), (1, 5)))
@pytest.mark.parametrize("causal", (False, True))
def test_attention(s, t, causal):
    q, k, v = RNG.standard_normal((2, 6, s, 3)), RNG.standard_normal((2, 2, t, 3)), RNG.standard_normal((2, 2, t, 4))
    spec = gt.parse(f"attention(f64[2,6,{s},3], f64[2,2,{t},3], f64[2,2,{t},4], causal={str(causal).lower()})")
    keys, values = np.repeat(k, 3, axis=1), np.repeat(v, 3, axis=1)
    scores = q @ keys.swapaxes(-1, -2) / np.sqrt(3)
    if causal:
        scores = np.where(np.arange(t) <= np.arange(s)[:, None] + t - s, scores, -np.inf)
    np.testing.assert_allclose(gt.interpret(spec, q, k, v), softmax(scores) @ values)


@pytest.mark.parametrize("axis", (0, 1, -1))
def test_argmax_is_of_equals_the_first(axis):
    x = RNG.integers(-2, 3, (5, 4, 6)).astype(np.int8)
    np.testing.assert_array_equal(gt.interpret(gt.parse(f"argmax(s8[5,4,6], axis={axis})"), x), x.argmax(axis))


def test_argmax_of_nan_is_the_first_nan():
    x = np.array([[1, np.nan, np.nan], [-np.inf, -np.inf, -np.inf], [0, np.inf, np.inf], [2, 1, 2]], np.float32)
    np.testing.assert_array_equal(gt.interpret(gt.parse("argmax(f32[4,3])"), x), x.argmax(-1))


def test_a_program_makes_what_counts_by_itself():
    spec, x = gt.parse("argmax(f32[5,9])"), RNG.standard_normal((5, 9)).astype(np.float32)
    assert spec.canonical().sources.count(-1) == 1
    program = gt.synthesize(spec, "portable", table="none")
    np.testing.assert_array_equal(run(program.root, spec, x), x.argmax(-1))
    np.testing.assert_array_equal(program.compile()(x), x.argmax(-1))


@pytest.mark.parametrize("text, message", (
    ("softmax(s32[4])", "softmax expects floats"),
    ("softmax(f32[4,4], axis=2)", "axes from -2 to 1"),
    ("argmax(f32[2,20000000])", "at most 16777216"),
    ("attention(f32[3,4,5], f32[2,4,5], f32[2,4,5])", "a multiple"),
    ("attention(f32[4,5], f32[4,5], f32[4,5])", r"q \[..., h, s, d\]"),
))  # fmt: skip
def test_what_is_not_supported_is_refused(text, message):
    with pytest.raises(SpecError, match=message):
        gt.parse(text)
