"""Operators of integers that stand for floats, beside onnxruntime: within one step of the result's scale."""

import numpy as np
import pytest
from onnx_models import beside as both
from onnx_models import microsoft, node, of_node, saturates

RNG = np.random.default_rng(7)
U8, S8, F32 = np.uint8, np.int8, np.float32


def drawn(shape, dtype=U8):
    info = np.iinfo(dtype)
    return RNG.integers(info.min, info.max + 1, shape).astype(dtype)


def beside(made, arrays, known, step=1.0):
    """A node on both sides, within so many steps."""
    return both(made, arrays, known, within=step)


def scales(**given):
    """Numbers in f32."""
    return {name: np.asarray(number, F32) for name, number in given.items()}


@pytest.mark.parametrize("dtype", [U8, S8])
@pytest.mark.parametrize("operator", ["QLinearAdd", "QLinearMul"])
def test_sums_and_products_of_two(operator, dtype):
    arrays = {"a": drawn((3, 1, 5), dtype), "b": drawn((7, 5), dtype)}
    known = scales(s=0.031, t=0.017, u=0.04) | {"z": dtype(9), "v": dtype(3), "w": dtype(100)}
    beside(microsoft(operator, "a s z b t v u w"), arrays, known)


@pytest.mark.parametrize("dtype", [U8, S8])
def test_activations(dtype):
    known = scales(s=0.05, u=1 / 256, t=0.03) | {"z": dtype(11), "w": dtype(np.iinfo(dtype).min), "v": dtype(40)}
    arrays = {"x": np.arange(np.iinfo(dtype).min, np.iinfo(dtype).max + 1).astype(dtype)}
    beside(microsoft("QLinearSigmoid", "x s z u w"), arrays, known)
    beside(microsoft("QLinearLeakyRelu", "x s z t v", alpha=0.2), arrays, known)


@pytest.mark.parametrize("opset", [11, 13])
def test_softmax(opset):
    known = scales(s=0.05, u=1 / 256) | {"z": U8(11), "w": U8(0)}
    beside(microsoft("QLinearSoftmax", "x s z u w", axis=1, opset=opset), {"x": drawn((3, 5, 7))}, known)


@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize("dtype", [U8, S8])
def test_means_of_windows_and_of_all(dtype, last):
    known = scales(s=0.05, u=0.03) | {"z": dtype(11), "w": dtype(60)}
    arrays = {"x": drawn((2, 7, 9, 5), dtype)}
    beside(microsoft("QLinearGlobalAveragePool", "x s z u w", channels_last=last), arrays, known)
    windows = {"kernel_shape": [3, 2], "strides": [2, 1], "pads": [1, 0, 1, 1], "channels_last": last}
    beside(microsoft("QLinearAveragePool", "x s z u w", **windows), arrays, known)
    beside(microsoft("QLinearAveragePool", "x s z u w", count_include_pad=1, ceil_mode=1, **windows), arrays, known)


@pytest.mark.parametrize("keep", [0, 1])
def test_means_along_axes(keep):
    """Which onnxruntime has no kernel for on a CPU."""
    x, known = drawn((3, 5, 7)), scales(s=0.05, u=0.03) | {"z": U8(11), "w": U8(60)}
    made = microsoft("QLinearReduceMean", "x s z u w", axes=[-2], keepdims=keep)
    (found,) = of_node(made, {"x": x}, known)
    mean = ((x.astype(np.float64) - 11) * 0.05).mean(-2, keepdims=bool(keep))
    assert found.shape == mean.shape and np.abs(found - np.clip(np.rint(mean / 0.03) + 60, 0, 255)).max() <= 1


def test_largest_of_windows_where_channels_are_last():
    beside(
        microsoft("NhwcMaxPool", "x", kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4), {"x": drawn((2, 7, 9, 5))}, {}
    )


def test_side_by_side():
    known = scales(s=0.05, t=0.03, u=0.06) | {"z": U8(11), "v": U8(200), "w": U8(60)}
    arrays = {"a": drawn((3, 2, 5)), "b": drawn((3, 1, 5))}
    beside(microsoft("QLinearConcat", "u w a s z b t v", axis=-2), arrays, known)


def test_one_of_two():
    known = scales(s=0.05, t=0.03, u=0.06) | {"z": U8(11), "v": U8(200), "w": U8(60)}
    arrays = {"p": RNG.integers(0, 2, (3, 5)).astype(bool), "a": drawn((3, 5)), "b": drawn((5,))}
    beside(microsoft("QLinearWhere", "p a s z b t v u w"), arrays, known)


@pytest.mark.parametrize("weights", [U8, S8])
@pytest.mark.parametrize("by_column", [False, True])
@pytest.mark.parametrize("is_whole", [False, True])
def test_gemm(weights, by_column, is_whole):
    arrays = {"a": drawn((7, 13))}
    b_scale = RNG.uniform(0.01, 0.05, 5).astype(F32) if by_column else F32(0.02)
    b_zero = RNG.integers(0, 9, 5).astype(weights) if by_column else weights(3)
    known = {"b": drawn((5, 13), weights), "c": RNG.integers(-999, 999, 5).astype(np.int32), "t": b_scale, "v": b_zero}
    known |= scales(s=0.05, u=9.0) | {"z": U8(7), "w": U8(99)}
    reads = "a s z b t v c u w" if is_whole else "a s z b t v c"
    found = beside(microsoft("QGemm", reads, transB=1, alpha=0.5), arrays, known, step=1 if is_whole else 1e-3)
    assert found[0].dtype == (U8 if is_whole else F32)
    beside(microsoft("QGemm", reads.replace("c", ""), transB=1), arrays, known, step=1 if is_whole else 1e-3)


@pytest.mark.parametrize("weights", [U8, S8])
def test_products_of_integers_in_floats(weights):
    known = {
        "b": drawn((13, 5), weights),
        "t": RNG.uniform(0.01, 0.05, 5).astype(F32),
        "c": np.linspace(-9, 9, 5, dtype=F32),
    }
    known |= scales(s=0.05) | {"z": U8(7), "v": weights(3)}
    beside(microsoft("MatMulIntegerToFloat", "a b s t z v c"), {"a": drawn((2, 3, 13))}, known, step=1e-3)
    beside(microsoft("MatMulIntegerToFloat", "a b s t"), {"a": drawn((3, 13))}, known, step=1e-3)


@pytest.mark.parametrize("weights", [U8, S8])
def test_products_of_what_is_quantised_as_it_comes(weights):
    known = {
        "b": drawn((13, 5), weights),
        "t": RNG.uniform(0.01, 0.05, 5).astype(F32),
        "c": np.linspace(-9, 9, 5, dtype=F32),
    }
    x = RNG.standard_normal((2, 3, 13)).astype(F32)
    known |= {"v": RNG.integers(0, 9, 5).astype(weights)}
    beside(microsoft("DynamicQuantizeMatMul", "a b t v c"), {"a": x}, known, step=1e-3)
    beside(microsoft("DynamicQuantizeMatMul", "a b t"), {"a": x}, known, step=1e-3)


@pytest.mark.parametrize("offset", [0, 5, -5])
def test_what_is_quantised_as_it_comes(offset):
    x = (RNG.standard_normal((3, 5)) + offset).astype(F32)
    beside(node("DynamicQuantizeLinear", "x", "y s z"), {"x": x}, {})
    found = beside(node("DynamicQuantizeLinear", "x", "y s z"), {"x": np.zeros((3, 5), F32)}, {})
    assert found[1] == 1


@pytest.mark.parametrize("dtype", [U8, S8])
def test_one_scale_or_one_along_an_axis(dtype):
    x = (RNG.standard_normal((3, 5, 2)) * 9).astype(F32)
    for known, more in (
        (scales(s=0.05) | {"z": dtype(11)}, {}),
        ({"s": np.linspace(0.02, 0.2, 5, dtype=F32), "z": np.arange(5).astype(dtype)}, {"axis": 1}),
    ):
        (whole,) = beside(microsoft("QuantizeLinear", "x s z", **more), {"x": x}, known)
        beside(microsoft("DequantizeLinear", "x s z", **more), {"x": whole}, known, step=1e-5)


def convolution(shape, filters, activations, weights, by_channel, bias=True):
    w_scale = RNG.uniform(0.01, 0.05, filters[0]).astype(F32) if by_channel else F32(0.02)
    known = {"w": drawn(filters, weights), "t": w_scale, "v": weights(0 if by_channel else 3)}
    known |= {"c": RNG.integers(-999, 999, filters[0]).astype(np.int32)} if bias else {}
    return {"x": drawn(shape, activations)}, known | scales(s=0.05, u=0.9) | {"z": activations(7), "n": activations(99)}


@pytest.mark.parametrize(("activations", "weights"), [(U8, S8), (S8, S8), (U8, U8)])
@pytest.mark.parametrize("by_channel", [False, True])
def test_convolutions(activations, weights, by_channel):
    sides = {"pads": [1, 0, 1, 2], "strides": [2, 1], "group": 2}
    arrays, known = convolution((2, 4, 7, 9), (6, 2, 3, 3), activations, weights, by_channel)
    beside(node("QLinearConv", "x s z w t v u n c", **sides), arrays, known)
    beside(node("QLinearConv", "x s z w t v u n", dilations=[2, 1], group=2), arrays, known)


@pytest.mark.parametrize("rank", [1, 3])
def test_convolutions_along_one_axis_and_three(rank):
    arrays, known = convolution((1, 3, *(7, 5, 6)[:rank]), (5, 3, *(3, 2, 3)[:rank]), U8, S8, True)
    beside(node("QLinearConv", "x s z w t v u n c", pads=[1, 0, 2, 1, 0, 1][: 2 * rank]), arrays, known)


def test_convolutions_where_channels_are_last():
    arrays, known = convolution((2, 7, 9, 4), (6, 2, 3, 3), U8, S8, True)
    known["w"] //= 2 if saturates() else 1  # it makes no weights u8 here
    beside(microsoft("QLinearConv", "x s z w t v u n c", channels_last=1, group=2, pads=[1] * 4), arrays, known)


@pytest.mark.parametrize(("activations", "weights"), [(U8, S8), (S8, S8), (U8, U8)])
def test_products(activations, weights):
    known = {"b": drawn((13, 5), weights), "t": RNG.uniform(0.01, 0.05, 5).astype(F32), "v": np.zeros(5, weights)}
    known |= scales(s=0.05, u=2) | {"z": activations(7), "n": activations(99)}
    beside(node("QLinearMatMul", "a s z b t v u n"), {"a": drawn((2, 3, 13), activations)}, known)


@pytest.mark.parametrize(("activations", "weights"), [(U8, S8), (S8, S8), (U8, U8)])
def test_sums_of_integers(activations, weights):
    known = {"b": drawn((13, 5), weights), "z": activations(7), "v": RNG.integers(0, 9, 5).astype(weights)}
    arrays = {"a": drawn((2, 3, 13), activations)}
    beside(node("MatMulInteger", "a b z v"), arrays, known, step=0)
    beside(node("MatMulInteger", "a b  v"), arrays, known, step=0)
    beside(node("MatMulInteger", "a b z"), arrays, known, step=0)


def test_sums_of_windows_of_integers():
    known = {"w": drawn((6, 4, 3, 3)), "z": U8(7), "v": U8(120)}
    beside(node("ConvInteger", "x w z v", pads=[1] * 4), {"x": drawn((2, 4, 7, 9))}, known, step=0)


WINDOWS = (
    {"pads": [1, 0, 2, 3], "strides": [2, 1]},
    {"dilations": [2, 1], "pads": [2, 1, 2, 1]},
    {"group": 2, "pads": [1] * 4},
)


@pytest.mark.parametrize("given", WINDOWS, ids=str)
@pytest.mark.parametrize("weights", [U8, S8])
@pytest.mark.parametrize("zeros", ["x w z v", "x w z", "x w"])
def test_sums_of_windows_of_integers_by_zeros_that_come_in(zeros, weights, given):
    known = {"w": drawn((6, 4 // given.get("group", 1), 3, 3), weights)} | ({"v": weights(120)} if "v" in zeros else {})
    for zero in (0, 255):
        arrays = {"x": drawn((2, 4, 7, 9))} | ({"z": np.array(zero, U8)} if "z" in zeros else {})
        beside(node("ConvInteger", zeros, **given), arrays, known, step=0)


def test_sums_of_windows_along_one_axis():
    known = {"w": drawn((6, 4, 3)), "v": U8(120)}
    beside(node("ConvInteger", "x w z v", pads=[1, 2]), {"x": drawn((2, 4, 9)), "z": np.array(9, U8)}, known, step=0)


@pytest.mark.parametrize("other", [None, 5])
def test_products_of_integers_one_by_one(other):
    """Which onnxruntime has no kernel for on a CPU."""
    a, b = drawn((3, 5)), drawn((5,))
    known = {"z": U8(7)} | ({} if other is None else {"v": U8(other)})
    made = microsoft("MulInteger", "a z b" if other is None else "a z b v")
    (found,) = of_node(made, {"a": a, "b": b}, known)
    assert (found == (a.astype(int) - 7) * (b.astype(int) - (other or 0))).all()


@pytest.mark.parametrize(("by_column", "weights"), [(False, S8), (True, S8), (False, U8)])
@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
def test_a_recurrence_of_integers(direction, by_column, weights):
    """What comes in and the state are rounded to 8 bits, each step by a scale of its own."""
    ways, size, gates = 2 if direction == "bidirectional" else 1, 4, 16
    shape = (ways, gates) if by_column else (ways,)
    known = {"w": drawn((ways, 6, gates), weights), "r": drawn((ways, size, gates), weights)}
    known |= {"b": RNG.standard_normal((ways, 2 * gates)).astype(F32)}
    known |= {name: RNG.uniform(0.003, 0.006, shape).astype(F32) for name in ("ws", "rs")}
    zeros = np.zeros(shape, S8) if weights is S8 else np.arange(ways, dtype=U8) + 119
    known |= dict.fromkeys(("wz", "rz"), zeros)
    made = microsoft("DynamicQuantizeLSTM", "x w r b     ws wz rs rz", "y h c", hidden_size=size, direction=direction)
    beside(made, {"x": RNG.standard_normal((5, 3, 6)).astype(F32)}, known, step=2e-3)
