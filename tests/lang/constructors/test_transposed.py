"""Transposed convolution, against windows that are added up in plain loops."""

import griotte as gt
import numpy as np
import pytest
from checked import check
from griotte.lang.constructors.transposed import windows_of
from griotte.support.errors import SpecError


def laid(x, w, stride, padding, more, dilation, groups):
    """Each element of x times a window, added up a stride apart."""
    (n, c, *image), (_, o, *window) = x.shape, w.shape
    whole = [(size - 1) * s + d * (k - 1) + 1 + m for size, k, s, d, m in zip(image, window, stride, dilation, more)]
    result = np.zeros((n, groups * o, *whole))
    of_group = c // groups
    for g, i, j in np.ndindex(groups, *window):
        channels = slice(g * of_group, (g + 1) * of_group)
        rows, columns = (
            slice(e * d, e * d + (size - 1) * s + 1, s) for e, d, size, s in zip((i, j), dilation, image, stride)
        )
        part = np.einsum("nchw,co->nohw", x[:, channels], w[channels, :, i, j])
        result[:, g * o : (g + 1) * o, rows, columns] += part
    (top, bottom), (left, right) = padding
    return result[:, :, top : whole[0] - bottom, left : whole[1] - right]


@pytest.mark.parametrize(
    "w, numbers",
    [
        ("2,5,2,2", dict(stride=(2, 2))),
        ("2,3,3,3", dict(stride=(2, 2), padding=((1, 1), (1, 1)), more=(1, 1))),
        ("2,3,4,4", dict(stride=(2, 2), padding=((1, 1), (1, 1)))),
        ("2,3,3,2", dict(stride=(1, 3), padding=((1, 0), (0, 1)), more=(0, 1))),
        ("2,2,3,3", dict(stride=(2, 1), padding=((1, 1), (1, 1)), dilation=(2, 2))),
        ("2,2,3,3", dict(stride=(3, 2), groups=2)),
        ("2,3,3,3", dict(padding=((1, 1), (1, 1)))),
        ("2,3,1,1", dict(stride=(2, 2))),
    ],
)
def test_windows_are_added_up(w, numbers):
    own = dict(stride=(1, 1), padding=((0, 0), (0, 0)), more=(0, 0), dilation=(1, 1), groups=1) | numbers
    said = ", ".join(f"{key}={value}" for key, value in own.items()).replace("more", "output_padding")
    check(f"conv_transpose2d(f32[2,2,4,5], f32[{w}], {said})", lambda x, w: laid(x, w, **own), 1e-4, kinds=(False,))


@pytest.mark.parametrize(
    "w, numbers",
    [
        ("4,3,2,2", dict(stride=(2, 2))),
        ("4,3,3,2", dict(stride=(2, 3), padding=((1, 0), (0, 1)), dilation=(2, 1))),
        ("4,2,3,3", dict(padding=((1, 1), (1, 1)), groups=2)),
    ],
)
def test_windows_may_be_turned_before(w, numbers):
    """What is given turned is what is turned in the call; its text says so, and reads back."""
    whole = gt.parse(f"conv_transpose2d(f32[1,4,4,5], f32[{w}], {', '.join(f'{k}={v}' for k, v in numbers.items())})")
    x, given = (
        np.random.default_rng(i).standard_normal(t.shape).astype(np.float32) for i, t in enumerate(whole.inputs)
    )
    plain = {key: value for key, value in numbers.items() if key != "padding"}
    turned = gt.interpret(windows_of(whole.inputs[1], **plain), given)
    spec = gt.conv_transpose2d(gt.tensor(x.shape), gt.tensor(turned.shape), **numbers, window=given.shape[2:])
    np.testing.assert_array_equal(gt.interpret(spec, x, turned), gt.interpret(whole, x, given))
    assert gt.parse(str(spec)) == spec and "window=" in str(spec)
    check(str(spec), kinds=(False,))


def test_integers_are_added_up_exactly():
    own = dict(stride=(2, 2), padding=((0, 0), (0, 0)), more=(0, 0), dilation=(1, 1), groups=1)
    check(
        "conv_transpose2d(u8[1,3,4,5], s8[3,4,3,3], stride=2)", lambda x, w: laid(x.astype(int), w.astype(int), **own)
    )


def test_it_is_part_of_a_graph():
    check("relu(add(conv_transpose2d(f32[1,3,4,4], const f32[3,4,2,2], stride=2), f32[4,1,1]))", kinds=(False,))
    spec = check("conv_transpose2d(f32[1,2,3,3], f32[2,3,2,2], stride=2) -> f32[1,3,6,6]{1,3,2,0}", kinds=(False,))
    assert spec.output.minor_to_major == (1, 3, 2, 0)


@pytest.mark.parametrize(
    "text, message",
    [
        ("conv_transpose2d(f32[1,3,4,4], f32[4,3,2,2])", r"expects w \[c, o / groups, kh, kw\] for x \[n, c, h, w\]"),
        ("conv_transpose2d(f32[1,3,4,4], f32[3,3,2,2], groups=2)", "with groups that divide c"),
        ("conv_transpose2d(f32[1,3,4,4], f32[3,3,2,2], padding=2)", "expects less padding than a window spans"),
        ("conv_transpose2d(f32[1,3,4,4], f32[3,3,2,2], stride=2, output_padding=2)", "output_padding of less than"),
        (
            "conv_transpose2d(f32[1,3,4,4], f32[7,3,1,1], stride=2, window=2)",
            "expects turned w .a multiple of 4, 3, 1, 1",
        ),
        ("conv_transpose2d(f32[3,4,4], f32[3,3,2,2])", r"expects \[n, c, h, w\]"),
    ],
)
def test_what_does_not_go_together_is_said(text, message):
    with pytest.raises(SpecError, match=message):
        gt.parse(text)
