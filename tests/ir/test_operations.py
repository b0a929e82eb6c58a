import numpy as np
import pytest
from griotte.errors import SpecError
from griotte.ir import interpret, tensor
from griotte.ir import operations as ops
from griotte.ir.shapes import reshape
from griotte.ir.windows import slice


def test_matmul_broadcasts_leading_axes():
    spec = ops.matmul(tensor((7, 1, 3, 4)), tensor((5, 4, 2)))
    assert str(spec.operation) == "matmul(b0 1 m k, b1 k n) -> b0 b1 m n"
    assert spec.output.shape == (7, 5, 3, 2)
    assert spec.operation.keep == ("m", "n", "k")


@pytest.mark.parametrize(
    "left, right, result",
    [
        ("u8", "s8", "s32"),
        ("s4", "pred", "s32"),
        ("s16", "s8", "s16"),
        ("bf16", "f32", "f32"),
        ("bf16", "bf16", "bf16"),
    ],
)
def test_matmul_result_dtype(left, right, result):
    assert ops.matmul(tensor((2, 3), left), tensor((3, 2), right)).output.dtype == result


@pytest.mark.parametrize(
    "spec, accumulator",
    [
        (ops.matmul(tensor((2, 3), "u8"), tensor((3, 2), "s8"), "s16"), "s32"),
        (ops.matmul(tensor((2, 3), "s8"), tensor((3, 2), "s8"), "f32"), "s32"),
        (ops.matmul(tensor((2, 3), "bf16"), tensor((3, 2), "bf16")), "f32"),
        (ops.sum(tensor((2, 3)), dtype="f64"), "f64"),
        (ops.sum(tensor((2, 3), "u8"), dtype="s64"), "s64"),
        (ops.sum(tensor((2, 3)), dtype="s8"), "f32"),
        (ops.add(tensor((2,)), tensor((2,)), "f64"), "f32"),
        (ops.add(tensor((2,), "s8"), tensor((2,)), "f32"), "f32"),
        (ops.where(tensor((2,), "pred"), tensor((2,), "u32"), tensor((2,), "u32")), "u32"),
        (ops.cast(tensor((2,), "f64"), "bf16"), "f64"),
        (ops.fill(tensor((2,), "bf16"), 1.5), "f32"),
    ],
)
def test_accumulator_follows_the_contract(spec, accumulator):
    assert spec.accumulator == accumulator


def test_keepdims_leaves_an_axis_that_nothing_moves():
    spec = ops.sum(tensor((3, 4, 5)), axis=(0, -1), keepdims=True)
    assert (spec.output.shape, str(spec.operation.output)) == ((1, 4, 1), "1 i1 1")


def test_a_sum_over_everything_is_a_scalar():
    assert ops.sum(tensor((3, 4))).output.shape == ()
    assert ops.max(tensor(())).output.shape == ()


def test_nested_maps_are_one_map():
    x, y = tensor((4, 3)), tensor((3,))
    spec = ops.mul(ops.transpose(x), ops.exp(tensor((4,))))
    assert str(spec.operation) == "map(i1 i0, i1) -> i0 i1"
    assert str(spec.operation.body) == "mul(x0, exp(x1))"
    spec = ops.add(ops.sub(x, y), y)
    assert len(spec.inputs) == 3


def test_a_nested_transpose_alone_keeps_the_name():
    assert ops.add(ops.transpose(tensor((3, 4), "bf16")), tensor((4, 3), "bf16")).operation.name == "add"


def test_nested_operands_broadcast():
    inner = ops.mul(tensor((4, 1)), tensor((1,)))
    spec = ops.add(tensor((2, 4, 3)), inner)
    a, b, c = np.random.default_rng(0).standard_normal((3, 2, 4, 3)).astype(np.float32)
    b, c = b[0, :, :1], c[0, 0, :1]
    assert np.allclose(interpret(spec, a, b, c), a + b * c)


def test_axes_and_sizes_may_be_whole_numbers_of_numpy():
    one, x = np.int64(1), tensor((3, 4))
    assert repr(ops.sum(x, one)) == repr(ops.sum(x, 1)) and repr(ops.transpose(x, [one, 0])) == repr(
        ops.transpose(x, (1, 0))
    )
    assert repr(slice(x, [one, 0], (2, one))) == repr(slice(x, (1, 0), (2, 1))) and repr(
        reshape(x, (np.prod(x.shape),))
    ) == repr(reshape(x, (12,)))


@pytest.mark.parametrize(
    "make, message",
    [
        (
            lambda: ops.matmul(tensor((3,)), tensor((3, 2))),
            r"\[..., m, k\] .*found f32\[3\]; give a vector an axis of size 1",
        ),
        (lambda: ops.matmul(tensor((2, 3, 4)), tensor((3, 4, 2))), r"equal or 1 .*found 2 and 3 at axis -3"),
        (lambda: ops.matmul(np.ones((2, 2)), tensor((2, 2))), "expects tensor types, found array"),
        (
            lambda: ops.add(tensor((3,)), tensor((4,))),
            r"equal or 1 .*found 3 and 4 at axis -1 of f32\[3\] and f32\[4\]",
        ),
        (
            lambda: ops.exp(tensor((3,), "u8")),
            r"expects floats, found u8\[3\]; cast first: cast\(u8\[3\]\) -> f32\[3\]",
        ),
        (lambda: ops.exp(ops.cast(tensor((3,)), "s8")), "expects floats"),
        (
            lambda: ops.where(tensor((3,)), tensor((3,)), tensor((3,))),
            r"expects pred as its first operand, found f32\[3\]",
        ),
        (lambda: ops.gelu(tensor((3,)), approximate="erf"), "none or tanh, found erf"),
        (lambda: ops.sum(tensor((3,)), axis="x"), "axes from -1 to 0, found x"),
        (lambda: ops.transpose(tensor((3, 4)), ("a", 0)), r"order the axes 0..1 once each, found \(a,0\)"),
        (lambda: ops.copy(tensor((3,)), layout=0), "layout as a sequence of axes, minor to major, found 0"),
        (lambda: ops.copy(tensor((3,)), layout=(0, 1)), "orders the axes 0..0 once each"),
    ],
)
def test_refusals_say_why(make, message):
    with pytest.raises(SpecError, match=message):
        make()
