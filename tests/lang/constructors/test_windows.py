"""Convolution, pooling and slices: their reference against sums over shifted images, and what their constructors
refuse."""

from dataclasses import replace

import griotte as gt
import ml_dtypes
import numpy as np
import pytest
from checked import check
from griotte.engine.canonical.canonical import canonical_form
from griotte.lang.meaning.samples import whole_arrays
from griotte.lang.types.dtypes import DTYPES, convert, limits
from griotte.support.errors import SpecError
from hypothesis import assume, given
from hypothesis import strategies as st

pairs = st.tuples(st.integers(1, 3), st.integers(1, 3))


def shifted(x, window, stride, padding, dilation, fill):
    """[kh, kw, n, c, oh, ow]: the padded image, as each element of the window sees it."""
    x = np.pad(x, ((0, 0), (0, 0), (padding[0],) * 2, (padding[1],) * 2), constant_values=fill)
    places = [(n - (k - 1) * d - 1) // s + 1 for n, k, s, d in zip(x.shape[2:], window, stride, dilation)]

    def seen(i, j):
        (top, left), (oh, ow) = (i * dilation[0], j * dilation[1]), places
        return x[
            :, :, top : top + (oh - 1) * stride[0] + 1 : stride[0], left : left + (ow - 1) * stride[1] + 1 : stride[1]
        ]

    return np.stack([[seen(i, j) for j in range(window[1])] for i in range(window[0])])


@st.composite
def convolutions(draw):
    groups, channels, kernels = draw(st.integers(1, 3)), draw(st.integers(1, 4)), draw(st.integers(1, 4))
    image, window, stride, dilation = draw(st.tuples(*[st.integers(1, 9)] * 2)), draw(pairs), draw(pairs), draw(pairs)
    padding = draw(st.tuples(*[st.integers(0, 3)] * 2))
    assume(all((k - 1) * d < n + 2 * p for n, k, d, p in zip(image, window, dilation, padding)))
    x = gt.tensor(
        (draw(st.integers(1, 2)), groups * channels, *image), layout=draw(st.sampled_from([(3, 2, 1, 0), (1, 3, 2, 0)]))
    )
    return gt.conv2d(x, gt.tensor((groups * kernels, channels, *window)), stride, padding, dilation, groups), (
        stride,
        padding,
        dilation,
        groups,
    )


@given(convolutions(), st.integers(0, 99))
def test_a_convolution_is_a_sum_over_shifted_images(drawn, seed):
    spec, (stride, padding, dilation, groups) = drawn
    x, w = whole_arrays(spec, np.random.default_rng(seed))
    images = shifted(x, w.shape[2:], stride, padding, dilation, 0)
    parts = [
        np.einsum("ijncyx,ocij->noyx", images[:, :, :, g * w.shape[1] : (g + 1) * w.shape[1]], kernels)
        for g, kernels in enumerate(np.split(w, groups))
    ]
    expected = np.concatenate(parts, axis=1)
    assert np.array_equal(gt.interpret(spec, x, w), expected)
    assert gt.parse(str(spec)) == spec
    small = canonical_form(spec)  # the same nest, in fewer dimensions
    small = replace(small, operation=small.operation.nest)
    forms = [
        np.ascontiguousarray(a.transpose(t.minor_to_major[::-1]))
        .reshape([c.shape[j] for j in c.minor_to_major[::-1]])
        .transpose(np.argsort(c.minor_to_major[::-1]))
        for a, t, c in zip((x, w), spec.inputs, small.inputs)
    ]
    assert np.array_equal(np.ravel(gt.interpret(small, *forms)), np.ravel(expected))


@given(st.tuples(*[st.integers(1, 9)] * 2), pairs, pairs, st.data())
def test_pooling_takes_the_largest_or_the_mean_of_shifted_images(image, window, stride, data):
    padding = tuple(data.draw(st.integers(0, k // 2)) for k in window)
    assume(all(k <= n + 2 * p for n, k, p in zip(image, window, padding)))
    x = np.random.default_rng(0).integers(-50, 50, (2, 3, *image)).astype(np.float32)
    largest, mean = (f(gt.tensor(x.shape), window, stride, padding) for f in (gt.max_pool2d, gt.avg_pool2d))
    assert np.array_equal(
        gt.interpret(largest, x), shifted(x, window, stride, padding, (1, 1), -np.inf).max(axis=(0, 1))
    )
    assert np.allclose(
        gt.interpret(mean, x), shifted(x, window, stride, padding, (1, 1), 0).mean(axis=(0, 1)), rtol=1e-6, atol=1e-6
    )
    assert gt.parse(str(largest)) == largest and gt.parse(str(mean)) == mean


def windows_of(x, window, stride, padding, dilation=(1, 1), fill=0.0):
    """[kh, kw, n, c, oh, ow] of an image with sides of its own, in plain loops."""
    x = np.pad(x, ((0, 0), (0, 0), *padding), constant_values=fill)
    return shifted(x, window, stride, (0, 0), dilation, fill)


SIDES = [((1, 0), (0, 2)), ((0, 2), (1, 1)), ((2, 1), (0, 0))]


@pytest.mark.parametrize("padding", SIDES)
def test_padding_of_four_sides(padding):
    (top, bottom), (left, right) = padding
    said = f"padding=(({top},{bottom}),({left},{right}))"
    windows = lambda x, fill=0.0, dilation=(1, 1): windows_of(x, (3, 3), (2, 1), padding, dilation, fill)
    check(
        f"conv2d(f64[2,3,7,8], f64[4,3,3,3], stride=(2,1), {said})",
        lambda x, w: np.einsum("ijncyx,ocij->noyx", windows(x), w),
        1e-12,
        kinds=(False,),
    )
    pool = f"window=3, stride=(2,1), {said}"
    check(f"max_pool2d(f32[2,3,7,8], {pool})", lambda x: windows(x, -np.inf).max(axis=(0, 1)))
    check(f"max_pool2d(s8[2,3,7,8], {pool}, dilation=2)", lambda x: windows(x, -128, (2, 2)).max(axis=(0, 1)))
    check(f"avg_pool2d(f64[2,3,7,8], {pool})", lambda x: windows(x).mean(axis=(0, 1)), 1e-12, kinds=(False,))
    counted = lambda x: windows(x).sum(axis=(0, 1)) / windows(np.ones_like(x)).sum(axis=(0, 1))
    check(f"avg_pool2d(f64[2,3,7,8], {pool}, count_pad=false)", counted, 1e-12, kinds=(False,))
    check(f"avg_pool2d(bf16[2,3,7,8], {pool}, count_pad=false)")


def test_sides_that_are_alike_are_said_as_a_pair():
    x, w = gt.tensor((1, 3, 8, 8)), gt.tensor((4, 3, 3, 3))
    assert gt.conv2d(x, w, padding=((1, 1), (0, 0))) == gt.conv2d(x, w, padding=(1, 0))
    assert str(gt.conv2d(x, w, padding=((1, 1), (1, 1)))) == str(gt.conv2d(x, w, padding=1))


def test_windows_without_padding_count_all():
    x = gt.tensor((1, 3, 8, 8))
    assert gt.avg_pool2d(x, count_pad=False) == gt.avg_pool2d(x)


def test_the_border_of_a_maximum_is_the_least_value_of_its_dtype():
    x = np.full((1, 1, 1, 2), -128, np.int8)
    assert gt.interpret(gt.parse("max_pool2d(s8[1,1,1,2], window=(2,2), stride=1, padding=(1,0))"), x).tolist() == [
        [[[-128], [-128]]]
    ]
    assert np.isneginf(
        gt.interpret(
            gt.parse("max_pool2d(f32[1,1,2,2], window=2, padding=1)"), np.full((1, 1, 2, 2), -np.inf, np.float32)
        )
    ).all()


def test_what_is_not_a_number_shows_through_the_zeros_around_an_image():
    """The border is zeros that are multiplied, as in a padded copy: infinity times zero is no number."""
    w = np.zeros((1, 1, 3, 3), np.float32)
    w[0, 0, 0, 0] = np.inf
    assert np.isnan(
        gt.interpret(gt.parse("conv2d(f32[1,1,1,1], f32[1,1,3,3], padding=1)"), np.ones((1, 1, 1, 1), np.float32), w)
    ).all()


@given(st.data())
def test_a_slice_is_numpys(data):
    shape = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=4).map(tuple))
    starts = tuple(data.draw(st.integers(0, n - 1)) for n in shape)
    limits = tuple(data.draw(st.integers(a + 1, n)) for a, n in zip(starts, shape))
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    spec = gt.slice(gt.tensor(shape), starts, limits)
    assert np.array_equal(gt.interpret(spec, x), x[tuple(map(slice, starts, limits))])
    assert gt.parse(str(spec)) == spec


@pytest.mark.parametrize(
    "text, part",
    [
        ("slice(f32[9,7], starts=(1,0), limits=(8,7), steps=(2,3))", np.s_[1:8:2, 0:7:3]),
        ("slice(f32[9,7], starts=(8,6), limits=(-1,1), steps=(-1,-2))", np.s_[::-1, 6:1:-2]),
        ("slice(s8[9,7], starts=(8,0), limits=(2,6), steps=(-2,3)) -> s8[3,2]{0,1}", np.s_[8:2:-2, 0:6:3]),
        ("neg(slice(f32[9], starts=(0,), limits=(9,), steps=(4,)))", np.s_[::4]),
    ],
)
def test_a_slice_with_steps_is_numpys(text, part):
    check(text, lambda x: -x[part] if "neg" in text else x[part])


def test_groups_of_channels_are_an_axis_of_their_own():
    canonical = canonical_form(gt.parse("conv2d(f32[1,8,5,5], f32[6,4,3,3], groups=2, padding=1)"))
    assert [str(access) for access in canonical.operation.accesses] == [
        "i0 i4 i2+i5-1 i3+i6-1",
        "i0 i1 i4 i5 i6",
        "i0 i1 i2 i3",
    ]
    assert canonical.inputs[0].shape == (2, 4, 5, 5)


def test_a_window_of_one_element_is_a_matmul():
    assert [str(a) for a in canonical_form(gt.parse("conv2d(f32[1,8,5,5], f32[6,8,1,1])")).operation.accesses] == [
        "i2 i1",
        "i0 i2",
        "i0 i1",
    ]


@pytest.mark.parametrize(
    "text, message",
    [
        (
            "conv2d(f32[8,5,5], f32[6,4,3,3])",
            r"conv2d expects \[n, c, h, w\], found f32\[8,5,5\]; give it axes of size 1",
        ),
        ("conv2d(f32[1,8,5,5], f32[6,4,3,3])", "expects windows of c / groups = 8 channels, found 4"),
        ("conv2d(f32[1,8,5,5], f32[6,4,3,3], groups=4)", "expects groups to divide the channels"),
        (
            "conv2d(f32[1,8,5,5], f32[6,8,6,3])",
            "expects a window within f32.* and its padding, found one of 6 by 3 where there are 5 by 5",
        ),
        (
            "conv2d(f32[1,8,5,5], f32[6,8,3,3], stride=0)",
            r"expects stride to be a number of 1 or more, or two of them like \(2,1\), found 0",
        ),
        ("conv2d(f32[1,8,5,5], f32[6,8,3,3], padding=(1,2,3))", "expects padding to be a number of 0 or more"),
        (
            "conv2d(f32[4,8,<=5,5], f32[6,8,3,3], padding=1)",
            "of a dynamic size .* is not supported yet; write the bound as the size",
        ),
        (
            "max_pool2d(f32[1,8,5,5], window=3, padding=3)",
            "expects less padding than a window spans, found padding = 3 and window = 3",
        ),
        ("conv2d(f32[1,8,5,5], f32[6,8,3,3], padding=((1,2),3))", "expects padding to be a number of 0 or more"),
        ("conv2d(f32[1,8,5,5], f32[6,8,3,3], padding=((1,2),(1,-1)))", "expects padding to be a number of 0 or more"),
        ("avg_pool2d(f32[1,8,5,5], count_pad=2)", "expects count_pad to be true or false, found 2"),
        ("avg_pool2d(s8[1,8,5,5])", "avg_pool2d expects floats, found s8"),
        (
            "slice(f32[4,4], starts=(1,2), limits=(5,4))",
            (
                r"expects for each axis of f32\[4,4\] numbers 0 <= start < limit <= size, found starts = \(1,2\) and"
                r" limits = \(5,4\)"
            ),
        ),
        ("slice(f32[4,4], starts=(1,), limits=(2,))", "expects for each axis"),
        ("slice(f32[4,4], limits=(2,2))", r"expects for each axis of .*, found starts = \(\) and limits = \(2,2\)"),
        (
            "slice(f32[4], starts=a, limits=1.5)",
            r"expects for each axis of .*, found starts = \(a,\) and limits = \(1.5,\)",
        ),
        ("slice(f32[4], starts=(1,), limits=(3,), steps=(0,))", "and steps = .*; with a step below 0, -1 <= limit <"),
        ("slice(f32[4], starts=(1,), limits=(3,), steps=(-1,))", "and steps = .*; with a step below 0, -1 <= limit <"),
        ("slice(f32[<=4,4], starts=(1,0), limits=(4,4))", "expects all of a dynamic axis"),
    ],
)
def test_what_does_not_go_together_is_said(text, message):
    with pytest.raises(SpecError, match=message):
        gt.parse(text)


def test_elementwise_calls_nest_over_a_slice():
    x, y = (np.random.default_rng(0).standard_normal(shape).astype(np.float32) for shape in ((6, 5), (2, 3)))
    spec = gt.parse("add(slice(f32[6,5], starts=(3,1), limits=(5,4)), f32[2,3])")
    assert np.array_equal(gt.interpret(spec, x, y), x[3:5, 1:4] + y)
    assert np.array_equal(gt.compile(spec, "portable")(x, y), x[3:5, 1:4] + y)


@given(st.data())
def test_two_tensors_end_to_end_are_numpys(data):
    shape = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=3).map(tuple))
    axis, more = data.draw(st.integers(-len(shape), len(shape) - 1)), data.draw(st.integers(1, 5))
    other = tuple(more if j == axis % len(shape) else n for j, n in enumerate(shape))
    x, y = (np.random.default_rng(0).standard_normal(s).astype(np.float32) for s in (shape, other))
    x.flat[0], y.flat[0] = -0.0, np.nan
    spec = gt.concat(gt.tensor(shape), gt.tensor(other), axis=axis)
    expected = np.concatenate([x, y], axis)
    found = gt.interpret(spec, x, y)
    assert np.array_equal(found, expected, equal_nan=True) and np.array_equal(
        np.signbit(found[~np.isnan(found)]), np.signbit(expected[~np.isnan(expected)])
    )
    assert gt.parse(str(spec)) == spec


@pytest.mark.parametrize(
    "operands, axis",
    [
        (("f32[3,4]", "f32[3,5]", "f32[3,1]"), 1),
        (("f32[3,4]", "f32[1,4]", "f32[2,4]", "f32[3,4]", "f32[5,4]"), 0),
        (("pred[3,4]", "pred[2,4]"), 0),
        (("pred[3,4]", "pred[3,2]", "pred[3,9]"), -1),
        (("s8[3,4]", "u8[3,5]", "pred[3,2]"), 1),
    ],
)
def test_several_tensors_end_to_end(operands, axis):
    is_mixed = len({each[:2] for each in operands}) > 1
    joined = lambda *a: np.concatenate([x.astype(int) for x in a] if is_mixed else a, axis)
    check(f"concat({', '.join(operands)}, axis={axis})" + " -> s16[3,11]" * is_mixed, joined)


@pytest.mark.parametrize(
    "dtypes, result",
    [
        (("f32", "s8"), "f32"),
        (("s8", "u8"), "s16"),
        (("u8", "s8"), "s8"),
        (("s32", "s4"), "s32"),
        (("bf16", "u16"), "bf16"),
    ],
)
def test_tensors_of_two_dtypes_end_to_end(dtypes, result):
    """What lies beyond one of them, the least of its own dtype, may be more than an element of the other."""
    low, high = (limits(d) if d[0] in "us" else (-5000, 5000) for d in dtypes)
    x, y = (convert(np.linspace(*ends, 6).reshape(2, 3), d) for ends, d in zip((low, high), dtypes))
    spec = gt.parse(f"concat({dtypes[0]}[2,3], {dtypes[1]}[2,3]) -> {result}[2,6]")
    expected = convert(np.concatenate([x.astype(np.float64), y.astype(np.float64)], 1), result)
    assert np.array_equal(gt.interpret(spec, x, y), expected) and np.array_equal(
        gt.compile(spec, "portable")(x, y), expected
    )
    assert gt.parse(str(spec)).inputs == spec.inputs


@pytest.mark.parametrize(
    "text, message",
    [
        ("concat(f32[2,3], f32[3,3], axis=1)", "expects sizes that are equal but along axis 1, found"),
        ("concat(f32[2,3], f32[3,3], axis=2)", "expects an axis from -2 to 1 of"),
        ("concat(f32[2,3], f32[2,3], f32[3,3], axis=1)", "expects sizes that are equal but along axis 1, found"),
        (
            "relu(conv2d(f32[2,3,<=5,5], f32[2,3,3,3]))",
            (
                "expected a dynamic axis of which each element is met in turn, found axis 2 of .*; write the bound as"
                " the size"
            ),
        ),
    ],
)
def test_what_does_not_go_together_end_to_end_is_said(text, message):
    with pytest.raises(SpecError, match=message):
        gt.parse(text)


def dims_of(text: str) -> list[str]:
    """Of each nest of a composition, how its first input is read and its result written."""
    nests = canonical_form(gt.parse(text)).operation.nests
    return [f"{nest.operation.inputs[0]} -> {nest.operation.output}" for nest in nests]


def test_what_slides_has_dimensions_of_its_own():
    found = dims_of("relu(conv2d(conv2d(f32[1,3,5,5], f32[2,3,3,3], padding=1), f32[4,2,3,3]))")
    assert found == ["c y+i-1 x+j-1 -> o y x", "o d10+d12 d11+d13 -> d9 d10 d11", "d9 d10 d11 -> d9 d10 d11"]


def test_rows_of_windows_side_by_side_are_shared():
    """But not along the axis of a tensor's neighbours; and not where something else reads the rows in another way."""
    found = dims_of("max_pool2d(conv2d(f32[1,3,6,6], f32[2,3,3,3], padding=1))")
    assert found == ["c y*2+d9+i-1 x+j-1 -> o y d9 x", "o y d9 d8*2+d10 -> o y d8"]
    assert (
        "y+i-1"
        in dims_of(
            "add(max_pool2d(%t: exp(conv2d(f32[1,3,6,6], f32[2,3,3,3], padding=1))), conv2d(%t, f32[2,2,3,3], stride=2,"
            " padding=1))"
        )[0]
    )


def test_windows_of_one_element_are_none():
    assert dims_of("relu(conv2d(exp(f32[1,3,5,5]), f32[2,3,1,1]))")[1] == "i1 i3 -> o i3"


def test_a_copy_that_is_not_made_is_read_with_the_border_of_what_reads_it():
    found = dims_of(
        "max_pool2d(transpose(exp(transpose(conv2d(f32[1,3,5,6], f32[2,3,3,3], padding=1), perm=(0,1,3,2))),"
        " perm=(0,1,3,2)), window=3, stride=1, padding=1)"
    )
    assert all("-1" in way for way in (found[0], found[-1]))


@pytest.mark.parametrize("name", ["f8e4m3fn", "f8e5m2", "f8e5m2fnuz", "u4", "u64"])
def test_what_is_beyond_a_tensor_is_no_more_than_its_least_element(name):
    """Of dtypes without infinities too."""
    kind = DTYPES[name].numpy
    least = limits(name)[0] if DTYPES[name].kind != "float" else float(ml_dtypes.finfo(kind).min)
    x, y = (np.array(values).astype(kind) for values in ([[least, 3]], [[1, least]]))
    joined = gt.interpret(f"concat({name}[1,2], {name}[1,2], axis=1)", x, y)
    assert joined.dtype == kind and joined.astype(float).tolist() == [[least, 3, 1, least]]
    lone = np.full((1, 1, 1, 1), least).astype(kind)
    pooled = gt.interpret(f"max_pool2d({name}[1,1,1,1], window=3, stride=1, padding=1)", lone)
    assert pooled.astype(float).tolist() == [[[[least]]]]
