"""reshape and broadcast mean what NumPy's do."""

import griotte as gt
import ml_dtypes
import numpy as np
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.lang.meaning.reference import interpret
from griotte.lang.types.tensor import tensor
from griotte.support.errors import SpecError
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples


def test_matmul_broadcasts_leading_axes():
    spec = gt.matmul(tensor((7, 1, 3, 4)), tensor((5, 4, 2)))
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
    assert gt.matmul(tensor((2, 3), left), tensor((3, 2), right)).output.dtype == result


@pytest.mark.parametrize(
    "spec, accumulator",
    [
        (gt.matmul(tensor((2, 3), "u8"), tensor((3, 2), "s8"), "s16"), "s32"),
        (gt.matmul(tensor((2, 3), "s8"), tensor((3, 2), "s8"), "f32"), "s32"),
        (gt.matmul(tensor((2, 3), "bf16"), tensor((3, 2), "bf16")), "f32"),
        (gt.sum(tensor((2, 3)), dtype="f64"), "f64"),
        (gt.sum(tensor((2, 3), "u8"), dtype="s64"), "s64"),
        (gt.sum(tensor((2, 3)), dtype="s8"), "f32"),
        (gt.add(tensor((2,)), tensor((2,)), "f64"), "f32"),
        (gt.add(tensor((2,), "s8"), tensor((2,)), "f32"), "f32"),
        (gt.where(tensor((2,), "pred"), tensor((2,), "u32"), tensor((2,), "u32")), "u32"),
        (gt.cast(tensor((2,), "f64"), "bf16"), "f64"),
    ],
)
def test_accumulator_follows_the_contract(spec, accumulator):
    assert spec.accumulator == accumulator


def test_keepdims_leaves_an_axis_that_nothing_moves():
    spec = gt.sum(tensor((3, 4, 5)), axis=(0, -1), keepdims=True)
    assert (spec.output.shape, str(spec.operation.output)) == ((1, 4, 1), "1 i1 1")


def test_a_sum_over_everything_is_a_scalar():
    assert gt.sum(tensor((3, 4))).output.shape == ()
    assert gt.max(tensor(())).output.shape == ()


def test_nested_maps_are_one_map():
    x, y = tensor((4, 3)), tensor((3,))
    spec = gt.mul(gt.transpose(x), gt.exp(tensor((4,))))
    assert str(spec.operation) == "map(i1 i0, i1) -> i0 i1"
    assert str(spec.operation.body) == "mul(exp(x1), x0)"  # arguments that commute stand in one order
    spec = gt.add(gt.sub(x, y), y)
    assert len(spec.inputs) == 3


def test_a_nested_transpose_alone_keeps_the_name():
    assert gt.add(gt.transpose(tensor((3, 4), "bf16")), tensor((4, 3), "bf16")).operation.name == "add"


def test_nested_operands_broadcast():
    inner = gt.mul(tensor((4, 1)), tensor((1,)))
    spec = gt.add(tensor((2, 4, 3)), inner)
    a, b, c = np.random.default_rng(0).standard_normal((3, 2, 4, 3)).astype(np.float32)
    b, c = b[0, :, :1], c[0, 0, :1]
    assert np.allclose(interpret(spec, a, b, c), a + b * c)


def test_axes_and_sizes_may_be_whole_numbers_of_numpy():
    one, x = np.int64(1), tensor((3, 4))
    pairs = (
        (gt.sum(x, one, np.bool_(True)), gt.sum(x, 1, True)),
        (gt.transpose(x, [one, 0]), gt.transpose(x, (1, 0))),
        (gt.slice(x, [one, 0], (2, one)), gt.slice(x, (1, 0), (2, 1))),
        (gt.reshape(x, (np.prod(x.shape),)), gt.reshape(x, (12,))),
        (gt.quantize(x, tensor(()), np.uint8(3), "u8"), gt.quantize(x, tensor(()), 3, "u8")),
        (gt.layer_norm(x, x, x, np.float64(0.5)), gt.layer_norm(x, x, x, 0.5)),
    )
    for call, same in pairs:
        assert call == same and str(call) == str(same)
        assert all(type(n) is int for n in (*call.sizes, *call.output.shape))


def test_dtypes_go_by_the_names_of_numpy_too():
    for dtype in ("bf16", "bfloat16", ml_dtypes.bfloat16, np.dtype(ml_dtypes.bfloat16)):
        assert gt.tensor((3,), dtype).dtype == gt.cast(tensor((3,)), dtype).output.dtype == "bf16"
        assert gt.TensorType(dtype, (3,), (0,)) == tensor((3,), "bf16")
        assert gt.sum(tensor((3,)), dtype=dtype).output.dtype == "bf16"
        assert gt.quantize(tensor((3,)), tensor(()), tensor((), np.uint8), np.int8).output.dtype == "s8"


@pytest.mark.parametrize("axis", [None, 1, -2, (0, 2), [np.int64(2), 0], (0, 1, 2)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_reductions_take_axes_as_numpy_does(axis, keepdims):
    x = np.random.default_rng(0).standard_normal((3, 4, 5)).astype(np.float32)
    of = tuple(axis) if isinstance(axis, list) else axis
    for call, meaning in ((gt.sum, np.sum), (gt.max, np.max), (gt.min, np.min), (gt.mean, np.mean)):
        found = interpret(call(tensor((3, 4, 5)), axis, keepdims), x)
        assert np.allclose(found, meaning(x, of, keepdims=keepdims), atol=1e-6)
        assert found.shape == np.shape(meaning(x, of, keepdims=keepdims))
    if not isinstance(of, tuple):
        found = interpret(gt.argmax(tensor((3, 4, 5)), axis, keepdims=keepdims), x)
        assert np.array_equal(found, np.argmax(x, of, keepdims=keepdims))
    e = np.exp(x - x.max(of, keepdims=True))
    assert np.allclose(interpret(gt.softmax(tensor((3, 4, 5)), axis), x), e / e.sum(of, keepdims=True), atol=1e-6)
    logs = x - x.max(of, keepdims=True) - np.log(e.sum(of, keepdims=True))
    assert np.allclose(interpret(gt.log_softmax(tensor((3, 4, 5)), axis), x), logs, atol=1e-5)


def test_operands_may_be_given_by_name():
    x = tensor((4, 4))
    nested = gt.matmul(a=gt.exp(x), b=x, dtype="f64")
    assert nested == gt.matmul(gt.exp(x), x, "f64") and str(nested) == str(gt.matmul(gt.exp(x), x, "f64"))
    assert gt.sum(x=gt.exp(x), axis=0) == gt.sum(gt.exp(x), 0)
    with pytest.raises(TypeError, match="'b'"):
        gt.matmul(a=gt.exp(x))


@pytest.mark.parametrize(
    "make, message",
    [
        (
            lambda: gt.matmul(tensor((3,)), tensor((3, 2))),
            r"\[..., m, k\] .*found f32\[3\]; give a vector an axis of size 1",
        ),
        (lambda: gt.matmul(tensor((2, 3, 4)), tensor((3, 4, 2))), r"equal or 1 .*found 2 and 3 at axis -3"),
        (lambda: gt.matmul(np.ones((2, 2)), tensor((2, 2))), "expects tensor types, found array"),
        (
            lambda: gt.add(tensor((3,)), tensor((4,))),
            r"equal or 1 .*found 3 and 4 at axis -1 of f32\[3\] and f32\[4\]",
        ),
        (
            lambda: gt.exp(tensor((3,), "u8")),
            r"expects floats, found u8\[3\]; cast first: cast\(u8\[3\]\) -> f32\[3\]",
        ),
        (lambda: gt.exp(gt.cast(tensor((3,)), "s8")), "expects floats"),
        (
            lambda: gt.where(tensor((3,)), tensor((3,)), tensor((3,))),
            r"expects pred as its first operand, found f32\[3\]",
        ),
        (lambda: gt.gelu(tensor((3,)), approximate="erf"), "none or tanh, found erf"),
        (lambda: gt.sum(tensor((3,)), axis="x"), "axes from -1 to 0, found x"),
        (lambda: gt.transpose(tensor((3, 4)), ("a", 0)), r"order the axes 0..1 once each, found \(a,0\)"),
        (lambda: gt.copy(tensor((3,)), layout=0), "layout as a sequence of axes, minor to major, found 0"),
        (lambda: gt.copy(tensor((3,)), layout=(0, 1)), "orders the axes 0..0 once each"),
    ],
)
def test_refusals_say_why(make, message):
    with pytest.raises(SpecError, match=message):
        make()


FACTORS = st.lists(st.integers(1, 4), min_size=1, max_size=4)


def grouped(factors, cuts) -> tuple[int, ...]:
    """Neighbours among the factors multiplied together, as the cuts say."""
    shape = [1]
    for factor, cut in zip(factors, (True, *cuts)):
        shape = [*shape, factor] if cut else [*shape[:-1], shape[-1] * factor]
    return tuple(shape[1:])


@examples(60)
@given(FACTORS, st.data())
def test_reshape_keeps_the_order_of_elements(factors, data):
    cuts = st.lists(st.booleans(), min_size=len(factors) - 1, max_size=len(factors) - 1)
    before, after = (grouped(factors, data.draw(cuts)) for _ in range(2))
    x = np.arange(np.prod(before), dtype=np.float32).reshape(before)
    np.testing.assert_array_equal(gt.interpret(gt.reshape(gt.tensor(before), after), x), x.reshape(after))


@pytest.mark.parametrize(
    "text, axis",
    [
        ("reshape(f32[2,<=4,6]) -> f32[2,<=4,2,3]", 1),
        ("reshape(f32[6,<=4]) -> f32[3,2,<=4]", 2),
        ("reshape(f32[2,3,<=4,5]) -> f32[6,1,<=4,5]", 2),
        ("reshape(f32[1,<=1,6]) -> f32[<=1,2,3]", 0),
    ],
)
def test_a_reshape_may_keep_a_dynamic_axis(text, axis):
    spec = gt.parse(text)
    assert (
        gt.parse(str(spec)) == spec
        and spec.output.dynamic == axis == gt.reshape(spec.inputs[0], spec.output.shape).output.dynamic
    )
    assert canonical_form(spec).dynamic.bound == spec.dynamic.bound
    for n in range(1, spec.dynamic.bound + 1):
        x = np.arange(np.prod(spec.at(n).inputs[0].shape), dtype=np.float32).reshape(spec.at(n).inputs[0].shape)
        np.testing.assert_array_equal(gt.interpret(spec, x), x.reshape(spec.at(n).output.shape))


def test_a_shape_may_say_which_axis_is_dynamic():
    x = gt.tensor(("<=8", 6))
    assert gt.reshape(x, ("<=8", 2, 3)) == gt.reshape(x, (8, 2, 3)) == gt.parse("reshape(f32[<=8,6]) -> f32[<=8,2,3]")
    assert gt.broadcast(x, (4, "<=8", 6)).output.dynamic == 1
    with pytest.raises(
        gt.SpecError, match=r"reshape expects <= at a dynamic axis of its result, f32\[<=8,2,3\], found \[8, '<=2', 3\]"
    ):
        gt.reshape(x, (8, "<=2", 3))
    for wrong in ((8, 0, 3), ("<=0", 6), (8, "two", 3)):
        with pytest.raises(gt.SpecError):
            gt.reshape(x, wrong)


def test_a_reshape_of_dense_rows_is_a_copy_of_one_run():
    assert canonical_form(gt.parse("reshape(f32[4,6]) -> f32[8,3]")).sizes == (24,)


def test_broadcast():
    x = np.arange(3, dtype=np.float32).reshape(3, 1)
    np.testing.assert_array_equal(
        gt.interpret(gt.parse("broadcast(f32[3,1]) -> f32[2,3,4]"), x), np.broadcast_to(x, (2, 3, 4))
    )


@pytest.mark.parametrize(
    "text, message",
    (
        ("reshape(f32[4,6]) -> f32[5,5]", "of the 24 elements"),
        (
            "reshape(f32[<=4,6]) -> f32[24]",
            r"keeps the dynamic axis 0 of f32\[<=4,6\] as it is, found \[24\]; write the bound",
        ),
        ("reshape(f32[<=4,6]) -> f32[4,2,3]", r"expected f32\[<=4,2,3\] as the result of reshape"),
        ("reshape(f32[<=4,6]) -> f32[2,2,6]", "keeps the dynamic axis 0"),
        ("reshape(f32[4,6])", "expected '->'"),
        (
            "broadcast(f32[3]) -> f32[2,4]",
            r"a shape that f32\[3\] broadcasts to, found \[2, 4\]; from the last axis on",
        ),
        ("broadcast(f32[2,3]) -> f32[3]", "broadcasts to"),
    ),
)
def test_what_does_not_fit_is_refused(text, message):
    with pytest.raises(SpecError, match=message):
        gt.parse(text)


@pytest.mark.parametrize(
    "given, wanted",
    (
        ("f32[2,3]", (3, 2)),
        ("f32[2,3,4]", (4, 2, 3)),
        ("f32[5,2,3,7]", (5, 3, 14)),
        ("f32[6,1,2]", (4, 3, 1)),
        ("f32[4,6]{0,1}", (6, 4)),
        ("f32[1,6,4]", (8, 1, 3)),
    ),
)
def test_shapes_of_other_sizes_go_through_one_axis(given, wanted):
    text = f"reshape({given}) -> f32[{','.join(map(str, wanted))}]"
    spec = gt.parse(text)
    assert str(spec) == text and gt.parse(str(spec)) == spec
    x = np.arange(spec.inputs[0].elements, dtype=np.float32).reshape(spec.inputs[0].shape)
    assert np.array_equal(gt.interpret(spec, x), x.reshape(wanted))
    assert np.array_equal(gt.compile(spec, "portable", table="none")(as_laid_out(x, spec)), x.reshape(wanted))


def as_laid_out(x, spec):
    return np.asfortranarray(x) if "{0,1}" in str(spec.inputs[0]) else x
