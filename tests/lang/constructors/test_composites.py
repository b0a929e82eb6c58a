"""Operations that are a few nests each: what they mean, in NumPy's own words."""

import griotte as gt
import numpy as np
import pytest
from batch import kernels_of
from checked import agrees, later
from features import skip_without
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import interpret as run
from griotte.lang.meaning.agreement import tolerance
from griotte.lang.nests.merging import may_factor
from griotte.lang.types.dtypes import DTYPES, limits
from griotte.machine import BUILT_IN
from griotte.support.errors import SpecError
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, seeds

RNG = np.random.default_rng(0)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def test_softmax_and_its_logarithm():
    x = RNG.standard_normal((3, 5, 4)).astype(np.float32)
    for axis in (0, 1, -1):
        np.testing.assert_allclose(
            gt.interpret(gt.parse(f"softmax(f32[3,5,4], axis={axis})"), x), softmax(x, axis), rtol=1e-6
        )
        np.testing.assert_allclose(
            gt.interpret(gt.parse(f"log_softmax(f32[3,5,4], axis={axis})"), x), np.log(softmax(x, axis)), rtol=1e-5
        )


def test_rows_of_infinities_and_large_numbers():
    x = np.array([[-np.inf, -np.inf], [-np.inf, 0], [3e38, 3e38], [np.nan, 0]], np.float32)
    found = gt.interpret(gt.parse("softmax(f32[4,2])"), x)
    np.testing.assert_array_equal(found, np.array([[np.nan, np.nan], [0, 1], [0.5, 0.5], [np.nan, np.nan]], np.float32))


def test_norms():
    x, g, b = RNG.standard_normal((3, 7)), RNG.standard_normal(7), RNG.standard_normal(7)
    centred = x - x.mean(-1, keepdims=True)
    layer = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * g + b
    np.testing.assert_allclose(gt.interpret(gt.parse("layer_norm(f64[3,7], f64[7], f64[7])"), x, g, b), layer)
    np.testing.assert_allclose(
        gt.interpret(gt.parse("rms_norm(f64[3,7], f64[7], epsilon=0.5)"), x, g),
        x / np.sqrt((x**2).mean(-1, keepdims=True) + 0.5) * g,
    )


@pytest.mark.parametrize(
    "text",
    [
        "rms_norm(bf16[3,8], f32[8])",
        "layer_norm(f32[3,8], bf16[8], bf16[8])",
        "layer_norm(bf16[3,8], bf16[8], f32[8])",
        "attention(bf16[1,3,4], f32[1,3,4], bf16[1,3,4])",
    ],
)
def test_a_result_is_of_the_wider_dtype_where_none_is_told(text):
    assert gt.parse(text).output.dtype == "f32"
    assert gt.parse(text.replace("f32", "bf16")).output.dtype == "bf16"


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


def reference_attention(q, k, v, causal, scale, mask):
    """In NumPy, a row that sees nothing 0."""
    group = q.shape[-3] // k.shape[-3]
    keys, values = (np.repeat(a, group, axis=-3) for a in (k, v))
    scores, (s, t) = q @ keys.swapaxes(-1, -2) * scale, (q.shape[-2], k.shape[-2])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
    if causal:
        scores = np.where(np.arange(t) <= np.arange(s)[:, None] + t - s, scores, -np.inf)
    sees = (scores > -np.inf).any(-1, keepdims=True)
    weights = np.where(sees, softmax(np.where(sees, scores, 0)), 0)
    return weights @ values


@examples(60)
@given(st.data())
def test_attention_with_a_mask(data):
    s, t, group, heads = (data.draw(st.integers(1, 5)) for _ in range(4))
    causal, scale, seed = data.draw(st.booleans()), data.draw(st.sampled_from((0.5, 1.0, 0.0, -0.7))), data.draw(seeds)
    full = 2, heads * group, s, t
    shape = tuple(data.draw(st.sampled_from((1, n))) for n in full)[data.draw(st.integers(0, 4)) :]
    rng = np.random.default_rng(seed)
    q, k, v = (
        rng.standard_normal((2, heads * group, s, 3)),
        rng.standard_normal((2, heads, t, 3)),
        rng.standard_normal((2, heads, t, 4)),
    )
    held = rng.random(shape) < data.draw(st.sampled_from((0.0, 0.5, 1.0)))
    mask = held if data.draw(st.booleans()) else np.where(held, rng.standard_normal(shape), -np.inf)
    spec = gt.attention(
        *(gt.tensor(a.shape, "f64") for a in (q, k, v)),
        causal,
        scale,
        mask=gt.tensor(shape, "pred" if mask.dtype == bool else "f64"),
    )
    assert gt.parse(str(spec)) == spec
    found, expected = gt.interpret(spec, q, k, v, mask), reference_attention(q, k, v, causal, scale, mask)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    if seed % 9 == 0:  # a search takes a second
        program = gt.synthesize(spec, "portable", table="none")
        np.testing.assert_allclose(run(program.root, spec, q, k, v, mask), expected, rtol=1e-12, atol=1e-12)


HIDING = (
    "attention(f32[1,9,4], f32[1,11,4], f32[1,11,18], causal=true)",
    "attention(f32[1,9,4], f32[1,11,4], f32[1,11,18], mask=pred[9,11])",
    "attention(bf16[1,9,4], bf16[1,11,4], bf16[1,11,18], mask=f32[9,11])",
)


def hiding(text):
    """A Spec, arrays whose last keys are hidden from the first queries, and the same where those are no number."""
    spec, rng = gt.parse(text), np.random.default_rng(1)
    q, k, v = (rng.standard_normal(t.shape).astype(np.float32) for t in spec.inputs[:3])
    wrong = [a.copy() for a in (q, k, v)]
    wrong[1][0, 8:, 1] = np.nan
    wrong[2][0, 8:] = np.resize([np.nan, np.inf, -np.inf], (3, 18))
    held = [a.astype(DTYPES[t.dtype].numpy) for a, t in zip((q, k, v, *wrong), spec.inputs[:3] * 2)]
    sees = np.tri(9, 11, 2).astype(bool)
    mask = [sees if t.dtype == "pred" else np.where(sees, 0, -np.inf).astype(np.float32) for t in spec.inputs[3:]]
    return spec, (*held[:3], *mask), (*held[3:], *mask)


@pytest.mark.parametrize("text", HIDING)
def test_nothing_of_what_a_mask_hides_reaches_the_result(text):
    """The first six queries do not see the last three keys; the others see a NaN."""
    spec, right, wrong = hiding(text)
    expected, found = (np.float64(gt.interpret(spec, *arrays)) for arrays in (right, wrong))
    assert np.isfinite(expected).all() and np.isnan(found[:, 6:]).all()
    np.testing.assert_allclose(found[:, :6], expected[:, :6], rtol=1e-6)
    bounds = tolerance(spec, wrong)
    assert (bounds.high - bounds.low)[:, :6].max() < 0.1 and not bounds.nan[:, :6].any()


@pytest.mark.parametrize("target", ("portable", "avx2", "avx512", pytest.param("native", marks=pytest.mark.long)))
def test_kernels_leave_out_what_a_mask_hides(target):
    skip_without(BUILT_IN[target].features if target != "native" else frozenset())
    cases = [hiding(text) for text in HIDING]
    for (spec, _, wrong), kernel in zip(cases, kernels_of([gt.synthesize(spec, target) for spec, _, _ in cases])):
        agrees(spec, wrong, kernel(*wrong))


def test_a_plain_product_takes_what_is_no_number_with_a_weight_of_0_too():
    spec = gt.parse("matmul(softmax(where(pred[3,5], f32[3,5], f32[1])), f32[5,2])")
    scores, v = np.ones((3, 5), np.float32), np.ones((5, 2), np.float32)
    v[4] = np.nan
    arrays = np.tri(3, 5, 1).astype(bool), scores, np.full(1, -np.inf, np.float32), v
    assert np.isnan(gt.interpret(spec, *arrays)).all() and np.isnan(gt.compile(spec, "portable")(*arrays)).all()


@pytest.mark.parametrize("target", ("portable", "native"))
def test_a_query_that_sees_no_key_gives_nothing(target):
    """Of causal attention with more queries than keys, too; what is masked may be NaN."""
    q, k, v = (RNG.standard_normal((2, n, 4)).astype(np.float32) for n in (5, 3, 3))
    found = gt.compile("attention(f32[2,5,4], f32[2,3,4], f32[2,3,4], causal=true)", target, table="none")(q, k, v)
    assert (found[:, :2] == 0).all() and np.allclose(found[:, 2], v[:, 0], rtol=1e-6)
    q[0, 1, 0], mask = np.nan, np.ones((5, 3), bool)
    mask[1] = mask[4] = False
    found = gt.compile("attention(f32[2,5,4], f32[2,3,4], f32[2,3,4], mask=pred[5,3])", target, table="none")(
        q, k, v, mask
    )
    assert (found[:, [1, 4]] == 0).all() and (found[:, [0, 2, 3]] != 0).all()
    added = np.where(mask, 0, -np.inf).astype(np.float32)
    added[3, 1] = np.nan
    found = gt.compile("attention(f32[2,5,4], f32[2,3,4], f32[2,3,4], mask=f32[5,3])", target, table="none")(
        np.nan_to_num(q), k, v, added
    )
    assert (found[:, [1, 4]] == 0).all() and np.isnan(found[:, 3]).all() and np.isfinite(found[:, :3]).all()


def test_a_mask_leaves_division_to_the_result():
    """Factor holds for the total of a row that may see nothing, for it is no less than the number it is divided by."""
    spec = canonical_form(gt.parse("attention(f32[2,64,16], f32[2,64,16], f32[2,64,16], mask=pred[64,64])")).operation
    shares = [t for t in spec.unplaced if may_factor(spec, t)]
    assert len(shares) == 1
    large = canonical_form(
        gt.parse("matmul(div(%e: exp(f32[4,4]), maximum(sum(%e, axis=1, keepdims=true), f32[])), f32[4,4])")
    ).operation
    assert not any(may_factor(large, t) for t in large.unplaced)


def turned(x, cos, sin, interleaved):
    if interleaved:
        u, v = x[..., ::2], x[..., 1::2]
        return np.stack([u * cos - v * sin, v * cos + u * sin], -1).reshape(x.shape)
    u, v = np.split(x, 2, -1)
    return np.concatenate([u * cos - v * sin, v * cos + u * sin], -1)


@examples(40)
@given(st.lists(st.integers(1, 4), max_size=2), st.integers(1, 7), st.integers(1, 9), st.booleans(), seeds)
def test_rope_turns_pairs(front, s, half, interleaved, seed):
    rng = np.random.default_rng(seed)
    x, cos, sin = (
        rng.standard_normal((*front, s, 2 * half)),
        rng.standard_normal((s, half)),
        rng.standard_normal((s, half)),
    )
    spec = gt.rope(*(gt.tensor(a.shape, "f64") for a in (x, cos, sin)), interleaved)
    assert gt.parse(str(spec)) == spec
    np.testing.assert_allclose(
        gt.interpret(spec, x, cos, sin), turned(x, cos, sin, interleaved), rtol=1e-12, atol=1e-12
    )
    program = gt.synthesize(spec, "portable", table="none")
    np.testing.assert_allclose(
        run(program.root, spec, x, cos, sin), turned(x, cos, sin, interleaved), rtol=1e-12, atol=1e-12
    )


def test_rope_of_heads_before_attention():
    """Of what a matmul gives, reshaped into heads, in one graph; x is read once."""
    head = "rope(transpose(reshape(matmul(%x{0}, f32[6,24])) -> f32[5,3,8], perm=(1,0,2)), %c{1}, %s{2})"
    text = f"attention({head.format(': f32[5,6]', ': f32[5,4]', ': f32[5,4]')}, {head.format('', '', '')}, f32[3,5,7])"
    spec = gt.parse(text)
    arrays = [RNG.standard_normal(t.shape).astype(np.float32) for t in spec.inputs]
    x, wq, cos, sin, wk, v = arrays
    q, k = (turned((x @ w).reshape(5, 3, 8).transpose(1, 0, 2), cos, sin, False) for w in (wq, wk))
    expected = reference_attention(q, k, v, False, 1 / np.sqrt(8), None)
    np.testing.assert_allclose(gt.interpret(spec, *arrays), expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(gt.compile(spec, "portable", table="none")(*arrays), expected, rtol=1e-4, atol=1e-5)
    one = canonical_form(gt.parse("rope(f32[3,5,8], f32[5,4], f32[5,4])")).operation
    assert sum(access.shape(dict.fromkeys(one.dims, 2)) == (2, 2, 2, 2) for access in one.inputs) == 1


@given(st.lists(st.integers(1, 4), min_size=2, max_size=4), seeds)
def test_batch_norm(shape, seed):
    rng = np.random.default_rng(seed)
    x, (mean, gain, bias), variance = (
        rng.standard_normal(shape),
        rng.standard_normal((3, shape[1])),
        rng.random(shape[1]),
    )
    spec = gt.batch_norm(gt.tensor(tuple(shape), "f64"), *[gt.tensor((shape[1],), "f64")] * 4, epsilon=0.25)
    assert gt.parse(str(spec)) == spec
    over = lambda a: a.reshape(-1, *(1,) * (len(shape) - 2))
    expected = (x - over(mean)) / np.sqrt(over(variance) + 0.25) * over(gain) + over(bias)
    np.testing.assert_allclose(gt.interpret(spec, x, mean, variance, gain, bias), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("axis", (0, 1, -1))
def test_argmax_is_of_equals_the_first(axis):
    x = RNG.integers(-2, 3, (5, 4, 6)).astype(np.int8)
    np.testing.assert_array_equal(gt.interpret(gt.parse(f"argmax(s8[5,4,6], axis={axis})"), x), x.argmax(axis))


def test_argmax_of_nan_is_the_first_nan():
    x = np.array([[1, np.nan, np.nan], [-np.inf, -np.inf, -np.inf], [0, np.inf, np.inf], [2, 1, 2]], np.float32)
    np.testing.assert_array_equal(gt.interpret(gt.parse("argmax(f32[4,3])"), x), x.argmax(-1))


def first_largest(x: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    return (
        np.moveaxis(x, axes, range(-len(axes), 0))
        .reshape(*(n for j, n in enumerate(x.shape) if j not in axes), -1)
        .argmax(-1)
    )


@pytest.mark.parametrize("axes", ((0, 1), (1, 2), (0, 2), (2, 0), (-1, 1), (0, 1, 2), (1,)))
@pytest.mark.parametrize("dtype", ("s8", "f32", "f64"))
def test_argmax_over_several_axes_counts_their_elements_in_order(axes, dtype):
    """Ties, infinities and NaN among them."""
    spec = gt.parse(f"argmax({dtype}[5,4,6], axis=({','.join(map(str, axes))},))")
    x = np.random.default_rng(1).integers(-2, 3, (5, 4, 6)).astype(DTYPES[dtype].numpy)
    for values in ((), (np.inf,), (-np.inf, np.nan)) if dtype != "s8" else ((),):
        x[tuple(np.random.default_rng(2).integers(0, x.shape, (7, 3)).T)] = np.resize(values or x[0, 0, 0], 7)
        np.testing.assert_array_equal(gt.interpret(spec, x), first_largest(x, tuple(sorted(a % 3 for a in axes))))
    assert gt.parse(str(spec)) == spec and spec.output.dtype == "s32"


def test_argmax_without_an_axis_is_over_all():
    x = np.random.default_rng(3).integers(0, 9, (3, 4)).astype(np.float32)
    spec = gt.argmax(gt.tensor((3, 4)), axis=None)
    assert spec == gt.parse("argmax(f32[3,4], axis=(0,1))") and gt.interpret(spec, x) == x.argmax()


@pytest.mark.parametrize("target", ("portable", "avx2"))
def test_argmax_over_several_axes_as_a_program(target):
    x = np.random.default_rng(4).integers(-3, 4, (3, 5, 7)).astype(np.float32)
    x[1, 2, 3:5] = x[0, 4, 6] = np.nan
    for axes in ((0, 2), (0, 1, 2)):
        found = gt.compile(f"argmax(f32[3,5,7], axis=({','.join(map(str, axes))}))", target, table="none")(x)
        np.testing.assert_array_equal(found, first_largest(x, axes))


WHOLE = ("pred", "s8", "u8", "s16", "u16", "s32", "u32", "s64")


def whole_numbers(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Of all of a dtype, its limits among them; of s64 such that sums are within it."""
    low, high = limits(dtype) if dtype != "s64" else (-(2**55), 2**55)
    x = np.random.default_rng(5).integers(low, high, shape, endpoint=True).astype(DTYPES[dtype].numpy)
    x.reshape(-1)[:7], x.reshape(-1)[-7:] = low, high
    return x


def truncated_mean(x: np.ndarray, axis) -> np.ndarray:
    """Of whole numbers of any size: the quotient towards zero."""
    total = x.astype(object).sum(axis)
    count = x.size // max(1, np.size(total))
    return np.vectorize(lambda n: abs(n) // count * (1 if n >= 0 else -1), otypes=[object])(total)


@pytest.mark.parametrize("dtype", WHOLE)
@pytest.mark.parametrize("axis", (None, 0, 1, (0, 2)))
def test_the_mean_of_integers_is_numpys(dtype, axis):
    """In floats; and cut to a whole number where the result is of integers, as it is where nothing else is said."""
    x, written = whole_numbers(dtype, (3, 7, 5)), "" if axis is None else f", axis={str(axis).replace(' ', '')}"
    np.testing.assert_allclose(
        gt.interpret(gt.mean(gt.tensor(x.shape, dtype), axis, dtype="f32"), x),
        x.mean(axis, dtype=np.float64),
        rtol=1e-6,
        atol=1e-6,
    )
    np.testing.assert_allclose(
        gt.interpret(gt.mean(gt.tensor(x.shape, dtype), axis, dtype="f64"), x),
        x.mean(axis, dtype=np.longdouble).astype(np.float64),
        rtol=1e-14,
    )
    spec = gt.parse(f"mean({dtype}[3,7,5]{written})")
    assert (
        spec == gt.mean(gt.tensor(x.shape, dtype), axis) and spec.output.dtype == dtype and gt.parse(str(spec)) == spec
    )
    np.testing.assert_array_equal(gt.interpret(spec, x), truncated_mean(x, axis).astype(DTYPES[dtype].numpy))


def test_sums_behind_a_mean_do_not_wrap():
    """66,000 of 32767 are more than s32 holds."""
    x = np.full((66000,), 32767, np.int16)
    assert gt.interpret(gt.parse("mean(s16[66000])"), x) == 32767
    assert (
        gt.parse("mean(s16[66000])").graph.calls[0].type.dtype == "s64"
        and gt.parse("mean(s16[65000])").graph.calls[0].type.dtype == "s32"
    )


@pytest.mark.parametrize("target", ("portable", "avx2"))
@pytest.mark.parametrize(
    "text",
    (
        "mean(s8[9,33], axis=1)",
        "mean(u8[9,33], axis=0, keepdims=true) -> f32[1,33]",
        "mean(s32[9,33]) -> s32[]",
        "mean(relu(s16[9,33]), axis=1) -> f64[9]",
    ),
)
def test_the_mean_of_integers_as_a_program(text, target):
    spec = gt.parse(text)
    x = whole_numbers(spec.inputs[0].dtype, (9, 33))
    expected = gt.interpret(spec, x)

    def right(found):
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-6 if found.dtype.kind == "f" else 0)

    later(gt.synthesize(spec, target, table="none"), [x], right)


def test_a_program_makes_what_counts_by_itself():
    spec, x = gt.parse("argmax(f32[5,9])"), RNG.standard_normal((5, 9)).astype(np.float32)
    assert canonical_form(spec).sources.count(-1) == 1
    program = gt.synthesize(spec, "portable", table="none")
    np.testing.assert_array_equal(run(program.root, spec, x), x.argmax(-1))
    later(program, [x], lambda found: np.testing.assert_array_equal(found, x.argmax(-1)))


@pytest.mark.parametrize(
    "text, message",
    (
        ("softmax(s32[4])", "softmax expects floats"),
        ("softmax(f32[4,4], axis=2)", "axes from -2 to 1"),
        ("argmax(f32[2,20000000])", r"at most 16777216.*; cast first: cast\(f32\[2,20000000\]\) -> f64"),
        ("argmax(f32[4096,1,4097], axis=(0,2))", "along its axes, found 16781312"),
        ("argmax(f32[4,4], axis=())", "expects an axis, found none"),
        ("argmax(f32[4,4], axis=(0,-2))", "each axis once"),
        ("mean(s8[4,4], axis=2)", "mean expects axes from -2 to 1"),
        ("mean(s8[4,4], keepdims=2)", "mean expects keepdims to be true or false"),
        ("attention(f32[3,4,5], f32[2,4,5], f32[2,4,5])", "a multiple"),
        ("attention(f32[4,5], f32[4,5], f32[4,5])", r"q \[..., h, s, d\]"),
        (
            "attention(f32[2,4,5], f32[2,3,5], f32[2,3,5], mask=s32[4,3])",
            r"a mask of pred or of floats, found s32\[4,3\]; cast first",
        ),
        (
            "attention(f32[2,4,5], f32[2,3,5], f32[2,3,5], mask=pred[2,2,4,3])",
            r"broadcasts to \[..., h, s, t\] = \[2, 4, 3\], found pred\[2,2,4,3\]",
        ),
        (
            "attention(f32[2,4,5], f32[2,3,5], f32[2,3,5], mask=pred[4,2])",
            r"a mask that broadcasts to \[..., h, s, t\] = \[2, 4, 3\], found pred\[4,2\]",
        ),
        (
            "attention(f32[1,<=4,5], f32[1,<=3,5], f32[1,<=3,5])",
            (
                r"as many queries as keys where both numbers are dynamic, found f32\[1,<=4,5\] and f32\[1,<=3,5\];"
                r" attend by blocks"
            ),
        ),
        ("softmax(f32[4,4], axis=(0,0))", r"softmax expects each axis once, found \(0,0\) for f32\[4,4\]"),
        ("softmax(f32[])", r"softmax expects an axis, found none of f32\[\]; give it one of size 1"),
        ("argmax(f32[])", r"argmax expects an axis, found none of f32\[\]"),
        (
            "layer_norm(f32[4,8], f32[4], f32[8])",
            (
                r"layer_norm expects sizes that are equal or 1 .*, found 8 and 4 and 8 at axis -1 of f32\[4,8\] and"
                r" f32\[4\] and f32\[8\]"
            ),
        ),
        ("rms_norm(f32[4,8], f32[7])", r"rms_norm expects sizes .* of f32\[4,8\] and f32\[7\]"),
        ("attention(f32[2,4,5], mask=pred[4,3], f32[2,3,5], f32[2,3,5])", "3 operands for attention before mask"),
        ("attention(f32[2,4,5], f32[2,3,5], f32[2,3,5], mask=true)", "an operation"),
        ("attention(f32[2,4,5], f32[2,3,5], f32[2,3,5], mask=f32[3], mask=f32[3])", "mask once"),
        ("attention(f32[2,4,5], f32[2,3,5], f32[2,3,5], bias=f32[3])", "it takes: causal scale guarded mask"),
        (
            "attention(f32[2,4,5], f32[2,3,5], f32[2,3,5], causal=1)",
            "attention expects causal to be true or false, found 1",
        ),
        (
            "attention(f32[2,4,5], f32[2,3,5], f32[2,3,5], scale=1e400)",
            "attention expects scale to be a number, found inf",
        ),
        (
            "rope(f32[3,4], f32[3,2], f32[3,2], interleaved=word)",
            "rope expects interleaved to be true or false, found word",
        ),
        ("layer_norm(f32[4,5], f32[5], f32[5], epsilon=word)", "layer_norm expects epsilon to be a number, found word"),
        ("rms_norm(f32[4,5], f32[5], epsilon=(1,2))", r"rms_norm expects epsilon to be a number, found \(1, 2\)"),
        (
            "batch_norm(f32[4,5], f32[5], f32[5], f32[5], f32[5], epsilon=true)",
            "batch_norm expects epsilon to be a number, found True",
        ),
        ("softmax(f32[4], mask=f32[4])", "it takes: axis"),
        ("rope(f32[4,5], f32[4,2], f32[4,2])", "d even"),
        ("rope(f32[4,6], f32[4,6], f32[4,6])", r"cos and sin \[s, d/2\] = \[4, 3\], found"),
        ("rope(s32[4,6], f32[4,3], f32[4,3])", "rope expects floats"),
        ("batch_norm(f32[4], f32[4], f32[4], f32[4], f32[4])", r"x \[n, c, ..\]"),
        ("batch_norm(f32[2,4], f32[4], f32[4], f32[4], f32[2])", r"bias \[c\]"),
        ("batch_norm(f32[2,4], s32[4], f32[4], f32[4], f32[4])", "batch_norm expects floats"),
    ),
)
def test_what_is_not_supported_is_refused(text, message):
    with pytest.raises(SpecError, match=message) as error:
        gt.parse(text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("target", ("portable", "avx2", "avx512"))
@pytest.mark.parametrize(
    "text, value",
    [
        ("mean(f32[7])", 1.0),
        ("mean(f32[70,49], axis=1)", 0.1),
        ("mean(f16[3,7], axis=0) -> f32[7]", 1.0),
        ("avg_pool2d(f32[1,2,7,9], window=3, stride=1)", 1.0),
    ],
)
def test_a_mean_of_equal_numbers_is_their_sum_by_how_many_there_are(text, value, target):
    skip_without(BUILT_IN[target].features)
    spec = gt.parse(text)
    x = np.full(spec.inputs[0].shape, value, DTYPES[spec.inputs[0].dtype].numpy)
    for found in (gt.interpret(spec, x), gt.compile(spec, target)(x)):
        assert (np.abs(found - value) <= (0 if value == 1 else 1e-7)).all()


@pytest.mark.parametrize("target", ("portable", "avx2", "avx512"))
def test_a_row_of_one_value_has_no_deviation(target):
    skip_without(BUILT_IN[target].features)
    spec = gt.parse("layer_norm(f32[3,771], f32[771], f32[771])")
    kernel, gain, bias = gt.compile(spec, target), np.ones(771, np.float32), np.zeros(771, np.float32)
    for value in (1e8 + 24, 12345.678, 3e30, 0.1):
        x = np.full((3, 771), value, np.float32)
        assert (gt.interpret(spec, x, gain, bias) == 0).all() and (kernel(x, gain, bias) == 0).all(), value


def test_a_mean_that_is_far_larger_than_the_deviation_takes_no_digits_of_it():
    rng, gain, bias = np.random.default_rng(0), np.ones(1001, np.float32), np.zeros(1001, np.float32)
    x = (1e6 + rng.integers(0, 16, (4, 1001))).astype(np.float32)
    exact = x.astype(np.float64) - x.mean(1, keepdims=True, dtype=np.float64)
    exact /= np.sqrt((exact**2).mean(1, keepdims=True) + 1e-5)
    found = gt.compile("layer_norm(f32[4,1001], f32[1001], f32[1001])", "portable")(x, gain, bias)
    assert np.abs(found - exact).max() < 0.02  # the mean itself is rounded to a sixteenth
